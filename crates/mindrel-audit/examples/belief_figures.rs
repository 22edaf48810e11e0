//! What each belief leads to: leakage and flips at several δ, on the evaluation data.
//!
//! Logistic regression on 70 % of each table; 8 sensitive questions drawn with a seed, the belief fitted anew for
//! each draw, `decisive` on 400 people of the held-out 30 %. A cell is mean leakage / flips % / flips % among those
//! to whom the model gives its rarest class.
//!
//! Run with `cargo run --release -p mindrel-audit --example belief_figures -- beliefs` (all beliefs on all tables, 4
//! draws; some twenty minutes on two cores, nearly all of them for training Bayesian networks; a name after it takes
//! one belief alone), or with `private` (one Gaussian with more and less privacy on adult, 10 draws).

use std::path::Path;

use mindrel::schema::Encoding;
use mindrel::{Plan, Rules};
use mindrel_audit::{Run, RunOutcome, audit};
use mindrel_testing::{Trained, data_folder};
use mindrel_train::bayes::BayesOptions;
use mindrel_train::{Believer, PrivacyBudget};

const SENSITIVE: usize = 8;
const PEOPLE: usize = 400;

/// The believers to compare, the tables, the δ and the number of draws of S.
struct Comparison {
    believers: Vec<(String, Believer)>,
    tables: Vec<(&'static str, Encoding)>,
    deltas: Vec<f64>,
    draws: u64,
}

impl Comparison {
    fn of_beliefs() -> Self {
        let believer = |name: &str, believer| (name.to_owned(), believer);
        Comparison {
            believers: vec![
                believer("gaussian", Believer::Gaussian),
                believer("bayes-nn", Believer::BayesNn(BayesOptions::amortised())),
                believer("copula", Believer::Copula),
            ],
            tables: ["bank", "adult", "credit", "insurance", "fetal", "customer"]
                .map(|table| (table, Encoding::Ordinal))
                .into_iter()
                .chain(["bank", "adult"].map(|table| (table, Encoding::Onehot)))
                .collect(),
            deltas: vec![0.01, 0.05, 0.1],
            draws: 4,
        }
    }

    fn of_privacy() -> Self {
        let private = |epsilon: f64| {
            let budget = PrivacyBudget::new(epsilon, PrivacyBudget::DEFAULT_DELTA).expect("a sound budget");
            (format!("epsilon {epsilon}"), Believer::PrivateGaussian(budget))
        };
        let exact = std::iter::once(("exact".to_owned(), Believer::Gaussian));
        Comparison {
            believers: exact.chain([8.0, 2.0, 1.0, 0.5].map(private)).collect(),
            tables: vec![("adult", Encoding::Ordinal), ("adult", Encoding::Onehot)],
            deltas: vec![0.0, 0.01, 0.05],
            draws: 10,
        }
    }

    #[expect(clippy::print_stdout, reason = "an example prints what it finds")]
    fn print(&self, folder: &Path) {
        let deltas: Vec<String> = self.deltas.iter().map(|delta| format!("δ = {delta}")).collect();
        println!("| table | belief | {} |", deltas.join(" | "));
        println!("| --- | --- |{}", " --- |".repeat(deltas.len()));
        for (table, encoding) in &self.tables {
            let trained = Trained::on(&folder.join(format!("{table}.csv")), *encoding, 1);
            for (name, believer) in &self.believers {
                let cells: Vec<String> = self.cells(&trained, believer).iter().map(Cell::to_string).collect();
                println!("| {table}, {encoding} | {name} | {} |", cells.join(" | "));
            }
        }
    }

    fn cells(&self, trained: &Trained, believer: &Believer) -> Vec<Cell> {
        let people = trained.held_out.spread(PEOPLE);
        let mut cells = vec![Cell::default(); self.deltas.len()];
        for draw in 0..self.draws {
            let plan = trained.with_belief(&trained.with_sensitive(SENSITIVE, 100 + draw), believer);
            let run = |delta: &f64| Run::asking(&plan, Rules { delta: *delta, ..Rules::default() });
            let runs: Vec<Run> = self.deltas.iter().map(|delta| run(delta).expect("sound rules")).collect();
            let blocks = std::iter::once(Ok::<_, ()>(people.clone()));
            let report = audit(&plan, &runs, blocks, Ok).expect("nothing can fail");
            let rarest = rarest_class(trained, &plan);
            for (cell, run) in cells.iter_mut().zip(&report.runs) {
                cell.add(run, &rarest, 1.0 / self.draws as f64);
            }
        }
        cells
    }
}

/// Means over the draws of S.
#[derive(Clone, Default)]
struct Cell {
    leakage: f64,
    flips: f64,
    rare_flips: f64,
}

impl Cell {
    fn add(&mut self, run: &RunOutcome, rarest: &str, share: f64) {
        self.leakage += share * run.leakage;
        self.flips += share * run.flips;
        self.rare_flips += share * run.flips_by_class[rarest];
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:.3} / {:.2} / {:.1}", self.leakage, 100.0 * self.flips, 100.0 * self.rare_flips)
    }
}

/// The class that the model gives to the fewest of the held-out people, of those it gives to anybody.
fn rarest_class(trained: &Trained, plan: &Plan) -> String {
    use mindrel::model::Model;
    let classes = &plan.schema().target().classes;
    let mut counts = vec![0usize; classes.len()];
    trained.held_out.iter().for_each(|person| counts[plan.model().label(person.columns).index()] += 1);
    let given = (0..classes.len()).filter(|&class| counts[class] > 0);
    classes[given.min_by_key(|&class| counts[class]).expect("somebody has a class")].clone()
}

#[expect(clippy::print_stderr, reason = "an example says how it is run")]
fn main() {
    let Some(folder) = data_folder("belief_figures") else { return };
    let only = std::env::args().nth(2);
    match std::env::args().nth(1).as_deref() {
        Some("beliefs") => {
            let mut comparison = Comparison::of_beliefs();
            comparison.believers.retain(|(name, _)| only.as_ref().is_none_or(|only| only == name));
            comparison.print(&folder);
        }
        Some("private") => Comparison::of_privacy().print(&folder),
        _ => eprintln!("say what to compare: beliefs or private"),
    }
}
