//! What the tests of several crates share: the evaluation data, and plans trained on them.

use std::io::Write;
use std::path::{Path, PathBuf};

use mindrel::plan::Training;
use mindrel::schema::Encoding;
use mindrel::{People, Plan, Schema};
use mindrel_audit::draw_sensitive;
use mindrel_io::table::{InferOptions, LabelColumn, OutsidePolicy, Roles, Table, infer};
use mindrel_train::logistic::LogisticOptions;
use mindrel_train::mlp::MlpOptions;
use mindrel_train::{Believer, Learner, fit_plan, with_belief};

/// The data sets of the paper's evaluation [TF23, App. D].
pub const DATA_SETS: [&str; 6] = ["bank", "adult", "credit", "insurance", "customer", "fetal"];

/// The folder of the evaluation data: the one named by `MINDREL_DATA`, else `../shared/data` beside the repository.
///
/// Says on standard error that `test` is skipped, and returns nothing, where neither exists.
#[must_use]
pub fn data_folder(test: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("MINDREL_DATA").map_or(beside, PathBuf::from);
    if folder.join("bank.csv").is_file() {
        return Some(folder);
    }
    // Written straight to standard error: what `eprintln!` says is kept back from those whose tests pass.
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: no evaluation data; name their folder in MINDREL_DATA");
    None
}

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
    /// Trains a logistic regression on 70 % of a table. Domains and levels are those of the whole table.
    ///
    /// # Panics
    /// When the table is not as its README says.
    #[must_use]
    pub fn on(table: &Path, encoding: Encoding, seed: u64) -> Self {
        Trained::by(&Learner::Logistic(LogisticOptions::default()), table, encoding, seed)
    }

    /// Trains the paper's network, two hidden layers of 10, by our recipe; otherwise as [`on`](Trained::on).
    ///
    /// # Panics
    /// When the table is not as its README says.
    #[must_use]
    pub fn network_on(table: &Path, encoding: Encoding, seed: u64) -> Self {
        Trained::by(&Learner::Network(MlpOptions { seed, ..MlpOptions::default() }), table, encoding, seed)
    }

    /// Trains any classifier; otherwise as [`on`](Trained::on).
    ///
    /// # Panics
    /// When the table is not as its README says.
    #[must_use]
    pub fn by(learner: &Learner, table: &Path, encoding: Encoding, seed: u64) -> Self {
        let table = Table::file(table);
        let options = InferOptions { label: "label".to_owned(), encoding, roles: Roles::default() };
        let schema = infer(&table, &options).expect("the table is clean");
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

/// All people of a table.
///
/// # Panics
/// When the table does not fit the schema.
#[must_use]
pub fn read_people(table: &Table, schema: &Schema) -> People {
    table.people(schema, LabelColumn::Required, OutsidePolicy::Accept, |_| ()).expect("the table fits")
}
