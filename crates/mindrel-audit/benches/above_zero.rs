//! `decisive` beside the paper's f-score at δ > 0, for every family of models and every belief, in one run.
//!
//! Sizes: bank (two classes) and fetal (three), ordinal encoding, 7 sensitive questions, 8 draws of S (seeds 100 to
//! 107), 200 held-out people each; logistic regression, networks of two hidden layers of 10, and for bank a forest of
//! 50 trees of depth 6 grown on 4,000 people. Bayesian networks are trained for 10 epochs. Times are summed over the
//! cores; those of `importance` are nearly all tests, so the difference is what choosing takes.
//!
//! Run with `cargo bench -p mindrel-audit --bench above_zero`.

use std::sync::Arc;

use mindrel::plan::PlanParts;
use mindrel::schema::Encoding;
use mindrel::{People, Plan, Rules, Selector};
use mindrel_audit::{Run, audit};
use mindrel_testing::{Trained, data_folder, grown};
use mindrel_train::Believer;
use mindrel_train::bayes::BayesOptions;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

const SENSITIVE: usize = 7;
const DRAWS: u64 = 8;
const PEOPLE: usize = 200;
const GROWN_ON: usize = 4_000;
const SELECTORS: [Selector; 3] = [Selector::Decisive, Selector::FScore, Selector::Importance];

/// Means over all draws of S under one rule.
#[derive(Default, Clone, Copy)]
struct Means {
    asked: f64,
    flips: f64,
    milliseconds: f64,
}

fn measure(plans: &[Plan], people: &People, delta: f64) -> [Means; 3] {
    let mut means = [Means::default(); 3];
    let share = 1.0 / plans.len() as f64;
    for plan in plans {
        let runs = SELECTORS.map(|selector| {
            Run::asking(plan, Rules { delta, selector, ..Rules::default() }).expect("the rules can be followed")
        });
        let outcome = audit(plan, &runs, std::iter::once(Ok::<_, ()>(people.clone())), Ok).expect("nothing can fail");
        for (mean, run) in means.iter_mut().zip(&outcome.runs) {
            mean.asked += share * run.mean_asked;
            mean.flips += share * run.flips;
            mean.milliseconds += share * 1e3 * run.seconds / PEOPLE as f64;
        }
    }
    means
}

/// A plan with a forest in place of its model.
fn with_forest(trained: &Trained, plan: &Plan) -> Plan {
    let forest = grown::forest(&trained.kept.spread(GROWN_ON), 50, 6, false, &mut Pcg64Mcg::seed_from_u64(2));
    Plan::try_from(PlanParts { model: forest.into(), ..plan.to_parts() }).expect("the parts fit")
}

#[expect(clippy::print_stdout, reason = "the figures are what this is for")]
fn report(name: &str, trained: &Trained, model: impl Fn(&Plan) -> Plan) {
    let people = trained.held_out.spread(PEOPLE);
    let network = BayesOptions { epochs: 10, ..BayesOptions::amortised() };
    for believer in [Believer::Gaussian, Believer::BayesNn(network), Believer::Copula] {
        let draw = |draw: u64| trained.with_belief(&model(&trained.with_sensitive(SENSITIVE, 100 + draw)), &believer);
        let plans: Vec<Plan> = (0..DRAWS).map(draw).collect();
        for delta in [0.02, 0.1] {
            let cells = measure(&plans, &people, delta).map(|Means { asked, flips, milliseconds }| {
                format!("{asked:.2}, {:.1} %, {milliseconds:.2} ms", 100.0 * flips)
            });
            println!("| {name}, {}, {delta} | {} |", plans[0].belief().name(), cells.join(" | "));
        }
    }
}

#[expect(clippy::print_stdout, reason = "the figures are what this is for")]
fn main() {
    let Some(folder) = data_folder("decisive beside the f-score") else { return };
    let table = |name: &str| folder.join(name).with_extension("csv");
    println!("| model, belief, δ | decisive: questions, flips, time a session | f-score | importance |");
    println!("| --- | --- | --- | --- |");
    let logistic = |name: &str| -> Arc<Trained> { Trained::on(&table(name), Encoding::Ordinal, 1) };
    let network = |name: &str| -> Arc<Trained> { Trained::network_on(&table(name), Encoding::Ordinal, 1) };
    for name in ["bank", "fetal"] {
        report(&format!("{name}, linear"), &logistic(name), Plan::clone);
        report(&format!("{name}, network"), &network(name), Plan::clone);
    }
    let trained = logistic("bank");
    report("bank, forest", &trained, |plan| with_forest(&trained, plan));
}
