//! Tree ensembles: the certified test of forests and boosted trees, two ways to bound a forest, and whole sessions, in
//! one run.
//!
//! Sizes: generated people with 16 numeric columns, five hidden causes and classes that no line separates; a forest of
//! 100 trees of depth 8 and 100 boosted trees of depth 6, grown greedily on 4,000 of them. One core. Times of single
//! tests are given by their median and 95th percentile, over 2,000 other people with 5 of 8 sensitive questions open,
//! drawn anew for each; a whole session has 8 sensitive questions.
//!
//! Run with `cargo bench -p mindrel-audit --bench trees`.

mod bent;

use bent::{OPEN, PEOPLE, SENSITIVE, TestTimes, people, quantile, schema, sessions, split};
use mindrel::core_test::Budget;
use mindrel::model::{Classifier, Model, TreeEnsemble};
use mindrel::{People, Plan, Rules, Selector};
use mindrel_testing::grown;
use mindrel_train::{Believer, EncodedRows, fit_belief};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

const GROWN_ON: usize = 4_000;
/// People of whole sessions.
const FEW: usize = 200;

fn plan(people: &People, trees: TreeEnsemble) -> Plan {
    let schema = schema();
    let rows = EncodedRows::new(people.columns().to_vec(), people.n_columns()).expect("the rows are finite");
    let model: Classifier = trees.into();
    let belief = fit_belief(&schema, &rows, &model, &Believer::Gaussian, &mut |_| ()).expect("the rows have moments");
    Plan::new(schema, model, belief, Rules::default()).expect("the parts fit")
}

#[expect(clippy::print_stdout, reason = "the figures are what this is for")]
fn main() {
    let everybody = people(GROWN_ON + PEOPLE, &mut Pcg64Mcg::seed_from_u64(1));
    let (grown_on, others) = split(&everybody, GROWN_ON);
    let seeded = || Pcg64Mcg::seed_from_u64(2);
    let ensembles = [
        ("forest, 100 × depth 8", grown::forest(&grown_on, 100, 8, false, &mut seeded())),
        ("the same, class by class", grown::forest(&grown_on, 100, 8, true, &mut seeded())),
        ("boosted, 100 × depth 6", grown::boosted(&grown_on, 100, 6, &mut seeded())),
    ];
    for (name, trees) in ensembles {
        let right = others.iter().filter(|person| person.label == Some(trees.label(person.columns))).count();
        println!("{name}: {} nodes, {right} of {PEOPLE} people classified correctly", trees.n_nodes());
        let cases = [(plan(&grown_on, trees), others.clone())];
        let TestTimes { times, n_core, n_undecided } = TestTimes::of(&cases, |plan| Budget::of(plan.rules().budget));
        let [median, late, longest] = [0.5, 0.95, 1.0].map(|share| quantile(&times, share));
        println!("  certified test, {OPEN} of {SENSITIVE} open: median {median:.1} µs, 95 % within {late:.1} µs");
        println!("  longest {longest:.0} µs; {n_core} core, {n_undecided} out of budget");
        if name.starts_with("the same") {
            continue;
        }
        for (selector, delta) in [
            (Selector::Decisive, 0.0),
            (Selector::Importance, 0.0),
            (Selector::Random, 0.0),
            (Selector::Decisive, 0.05),
            (Selector::Importance, 0.05),
        ] {
            let (rate, asked) = sessions(&cases, Rules { selector, delta, ..Rules::default() }, FEW);
            println!("  sessions, {selector}, delta {delta}: {rate:.0} per second, {asked:.2} questions");
        }
    }
}
