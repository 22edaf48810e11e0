//! One repetition of an experiment on one data set [TF23, App. D]:
//!
//! ```text
//! split 70/30 → train on the 70 → draw S → decide about people of the 30 under every rule and δ
//! ```

use std::convert::Infallible;
use std::time::Instant;

use mindrel::math::mix::mix;
use mindrel::plan::{PlanError, Training};
use mindrel::{People, Plan, Rules};
use mindrel_audit::{Audit, AuditOutcome, Run};
use mindrel_train::logistic::LogisticOptions;
use mindrel_train::mlp::MlpOptions;
use mindrel_train::{Believer, FitError, Learner, draw_sensitive, fit_plan, with_belief};

use crate::design::{BeliefKind, Design, DesignClassifier};
use crate::measurement::{Measurement, Setting, Time};
use crate::prepare::PreparedTable;

/// The share of people who are tested on [TF23, App. D].
const HOLDOUT: f64 = 0.3;

/// Which repetition, from which seed, on how many people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repetition {
    /// Its place, from zero.
    pub place: usize,
    /// The seed of the whole experiment.
    pub seed: u64,
    /// How many test people at most.
    pub people: Option<usize>,
}

impl Repetition {
    /// A seed for one purpose: SplitMix64 of seed, repetition and purpose, so that none depends on what else is
    /// measured.
    fn seed_for(&self, purpose: u64) -> u64 {
        let mut state = self.seed;
        for value in [self.place as u64, purpose] {
            state = mix(state ^ mix(value));
        }
        state
    }
}

/// Measures one repetition.
///
/// Everything is drawn from the repetition's own seed, and everything that is counted is a whole number: the result
/// does not depend on threads, on other repetitions or on what else is measured. Times do, of course.
///
/// # Errors
/// When nothing can be learned from the table.
pub fn measure(design: &Design, data: &PreparedTable, repetition: &Repetition) -> Result<Vec<Measurement>, FitError> {
    let split = Training {
        rows: 0,
        holdout: HOLDOUT,
        seed: repetition.seed_for(0),
        table: String::new(),
        private_moments: None,
    };
    let kept = data.people.filter(|person| !split.is_held_out(person.line));
    let held_out = data.people.filter(|person| split.is_held_out(person.line));
    let people = repetition.people.map_or_else(|| held_out.clone(), |count| held_out.spread(count));
    let learner = learner(design.family, repetition.seed_for(1));
    let everything = fit_plan(&data.schema, &kept, &learner, &Believer::Gaussian, None, &mut |_| ())?;
    let mut cells = Vec::new();
    for size in design.sizes.of(data.n_features()) {
        let sensitive = draw_sensitive(&data.schema, size, repetition.seed_for(2 + size as u64));
        let plan = everything.with_sensitive(&sensitive)?;
        for &kind in design.beliefs {
            let start = Instant::now();
            let plan = with_belief(&plan, &kept, &kind.believer(), &mut |_| ())?;
            let fitting = start.elapsed().as_secs_f64();
            let runs = runs(design, &plan, repetition.seed_for(1))?;
            let report = decide(design, &plan, &runs, people.clone());
            cells.extend(cells_of(data, kind, &report, design.timed.then_some(fitting)));
        }
    }
    Ok(cells)
}

fn learner(family: DesignClassifier, seed: u64) -> Learner {
    match family {
        DesignClassifier::Logistic => Learner::Logistic(LogisticOptions::default()),
        DesignClassifier::Network => Learner::Network(MlpOptions { seed, ..MlpOptions::paper() }),
    }
}

fn runs(design: &Design, plan: &Plan, seed: u64) -> Result<Vec<Run>, PlanError> {
    let mut runs = vec![Run::all(plan)];
    if design.optimal {
        runs.push(Run::optimal(plan));
    }
    for &selector in design.selectors {
        for &delta in design.deltas {
            runs.push(Run::asking(plan, Rules { selector, delta, seed, ..Rules::default() })?);
        }
    }
    Ok(runs)
}

/// Decides on all cores, or on one where that is timed.
fn decide(design: &Design, plan: &Plan, runs: &[Run], people: People) -> AuditOutcome {
    let on_all = || {
        let blocks = std::iter::once(Ok::<_, Infallible>(people));
        let Ok(report) = Audit::new(plan, runs).run(blocks, Ok::<People, Infallible>);
        report
    };
    if !design.timed {
        return on_all();
    }
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread can be started");
    one.install(on_all)
}

/// One cell for each run; with times where the belief's is given.
fn cells_of(
    data: &PreparedTable,
    kind: BeliefKind,
    report: &AuditOutcome,
    fitting: Option<f64>,
) -> impl Iterator<Item = Measurement> {
    let accuracy_all = report.accuracy_all.expect("test people have labels");
    report.runs.iter().map(move |run| {
        let setting = Setting {
            data_set: data.recipe.name.to_owned(),
            belief: kind,
            sensitive: report.questions,
            rule: run.rule,
            delta: run.delta,
        };
        let time = fitting.map(|fitting| Time { fitting, deciding_one: run.seconds / report.people as f64 });
        Measurement { time, ..Measurement::new(setting, report.people, accuracy_all, run) }
    })
}
