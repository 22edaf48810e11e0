//! Plans trained on the evaluation data, once for all tests of a binary.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use mindrel::plan::Training;
use mindrel::schema::Encoding;
use mindrel::{People, Plan};
use mindrel_io::table::{InferOptions, Table, infer};
use mindrel_train::logistic::LogisticOptions;
use mindrel_train::mlp::MlpOptions;
use mindrel_train::{Believer, Learner, draw_sensitive, fit_plan, with_belief};

use crate::read_people;

/// What [`Trained::on`] and [`Trained::network_on`] are remembered by.
type TrainedKey = (&'static str, PathBuf, Encoding, u64);

/// Filled by the first test that asks for it.
type Place = OnceLock<Arc<Trained>>;

/// A data set, split and encoded, with a classifier trained on one part.
#[derive(Debug)]
pub struct Trained {
    /// The plan; every question is sensitive.
    pub plan: Plan,
    /// The 30 % the model has not seen.
    pub held_out: People,
    /// The 70 % it was trained on.
    pub kept: People,
}

impl Trained {
    /// Trains a logistic regression on 70 % of a table, unless it has been trained already. Domains and levels are
    /// those of the whole table.
    ///
    /// # Panics
    /// When the table is not as its README says.
    #[must_use]
    pub fn on(table: &Path, encoding: Encoding, seed: u64) -> Arc<Self> {
        Trained::once(("logistic", table.to_owned(), encoding, seed), || Learner::Logistic(LogisticOptions::default()))
    }

    /// Trains the paper's network, two hidden layers of 10, by our recipe; otherwise as [`on`](Trained::on).
    ///
    /// # Panics
    /// When the table is not as its README says.
    #[must_use]
    pub fn network_on(table: &Path, encoding: Encoding, seed: u64) -> Arc<Self> {
        let options = MlpOptions { seed, ..MlpOptions::default() };
        Trained::once(("network", table.to_owned(), encoding, seed), || Learner::Network(options))
    }

    /// Several tests ask for the same classifier at the same time: the first trains it, the others wait.
    fn once(recipe: TrainedKey, learner: impl FnOnce() -> Learner) -> Arc<Self> {
        static TRAINED: LazyLock<Mutex<HashMap<TrainedKey, Arc<Place>>>> = LazyLock::new(Mutex::default);
        let mut places = TRAINED.lock().expect("nothing panics under this lock");
        let place = Arc::clone(places.entry(recipe.clone()).or_default());
        drop(places);
        let (_, table, encoding, seed) = &recipe;
        Arc::clone(place.get_or_init(|| Arc::new(Trained::by(&learner(), table, *encoding, *seed))))
    }

    fn by(learner: &Learner, table: &Path, encoding: Encoding, seed: u64) -> Self {
        let table = Table::at(table).expect("the table is there");
        let options = InferOptions { encoding, round_bounds: false, ..InferOptions::of("label") };
        let schema = infer(&table, &options, |_| true).expect("the table is clean").schema;
        let people = read_people(&table, &schema);
        let training = Training { rows: 0, holdout: 0.3, seed, table: String::new(), private_moments: None };
        let kept = people.filter(|person| !training.is_held_out(person.line));
        let held_out = people.filter(|person| training.is_held_out(person.line));
        let plan = fit_plan(&schema, &kept, learner, &Believer::Gaussian, None, &mut |_| ());
        Trained { plan: plan.expect("the data can be learned from"), held_out, kept }
    }

    /// A plan with another belief, fitted to the same rows.
    ///
    /// # Panics
    /// When it cannot be fitted to them.
    #[must_use]
    pub fn with_belief(&self, plan: &Plan, believer: &Believer) -> Plan {
        with_belief(plan, &self.kept, believer, &mut |_| ()).expect("the rows can be learned from")
    }

    /// The same plan with `n_sensitive` questions drawn to be sensitive and the others public, as the paper draws S.
    ///
    /// # Panics
    /// When there are fewer questions.
    #[must_use]
    pub fn with_sensitive(&self, n_sensitive: usize, seed: u64) -> Plan {
        let sensitive = draw_sensitive(self.plan.schema(), n_sensitive, seed);
        self.plan.with_sensitive(&sensitive).expect("only visibilities changed")
    }
}
