//! Unpruned forests and large boosted ensembles of real tables: proofs without a cut, by the sum of extremes and by the
//! Lagrangian bound, whole tests, the size of proofs, and whole sessions, in one run.
//!
//! Sizes: bank and adult, ordinal, 70 % of the rows; forests of 100 and 400 trees grown until every leaf has one class
//! (about 2,400 leaves each), boosted trees of depth 6, as many. 5, 8 and all questions open, drawn anew for each of
//! 100 held-out people. Sessions: 100 trees, everything sensitive. One core.
//!
//! Run with `cargo bench -p mindrel-audit --bench forests`, with the evaluation data.

use std::hint::black_box;
use std::time::Instant;

use mindrel::core_test::Budget;
use mindrel::model::TreeEnsemble;
use mindrel::optimal::{Verdict, certify, score_bounds};
use mindrel::proof::prove;
use mindrel::schema::Encoding;
use mindrel::session::Walk;
use mindrel::{People, Plan, Rules, Selector};
use mindrel_testing::{Trained, data_folder, grown};
use mindrel_train::{Believer, EncodedRows, fit_belief};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

const PEOPLE: usize = 100;

/// What was found of some people.
#[derive(Default)]
struct Found {
    proved: usize,
    refuted: usize,
    by_extremes: usize,
    without_cut: usize,
    /// The parts and bytes of proofs.
    parts: Vec<f64>,
    bytes: Vec<f64>,
    /// Milliseconds.
    tests: Vec<f64>,
    proofs: Vec<f64>,
}

fn plan(trained: &Trained, trees: TreeEnsemble) -> Plan {
    let kept = &trained.kept;
    let rows = EncodedRows::new(kept.columns().to_vec(), kept.n_columns()).expect("the rows are finite");
    let (schema, model) = (trained.plan.schema().clone(), trees.into());
    let belief = fit_belief(&schema, &rows, &model, &Believer::Gaussian, &mut |_| ()).expect("the rows have moments");
    Plan::new(schema, model, belief, Rules::default()).expect("the parts fit")
}

/// Tests and proves with some questions open, drawn anew for each person.
fn find(plan: &Plan, people: &People, n_open: usize) -> Found {
    let n_questions = plan.sensitive().len();
    let budget = Budget::of(plan.rules().budget);
    let mut random = Pcg64Mcg::seed_from_u64(7);
    let mut found = Found::default();
    for person in people.iter() {
        let mut places: Vec<usize> = (0..n_questions).collect();
        for place in 0..n_open {
            places.swap(place, place + (random.next_u64() % (n_questions - place) as u64) as usize);
        }
        let revealed = &places[n_open..];
        let start = Instant::now();
        let verdict = certify(plan, person.columns, revealed, budget);
        found.tests.push(1e3 * start.elapsed().as_secs_f64());
        let Verdict::Core(label) = verdict else {
            found.refuted += usize::from(matches!(verdict, Verdict::Open(_)));
            continue;
        };
        found.proved += 1;
        let bounds = score_bounds(plan, person.columns, revealed)[0];
        found.by_extremes += usize::from(bounds.0 >= 0.0 || bounds.1 < 0.0);
        let start = Instant::now();
        let proof = prove(plan, person.columns, label, revealed, budget).expect("what was tested can be written down");
        found.proofs.push(1e3 * start.elapsed().as_secs_f64());
        found.without_cut += usize::from(proof.parts.len() == 1);
        found.parts.push(proof.parts.len() as f64);
        found.bytes.push(serde_json::to_vec(&proof).expect("a proof is JSON").len() as f64);
    }
    found
}

/// The value below which a share of the values lies; zero if there are none.
fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get((share * values.len() as f64) as usize).or(values.last()).copied().unwrap_or(0.0)
}

/// Whole sessions at δ = 0: a line of what they asked and took.
fn sessions(plan: &Plan, people: &People, selector: Selector) -> String {
    let plan = plan.with_rules(Rules { selector, ..*plan.rules() }).expect("the rules can be followed");
    let mut walk = Walk::new(&plan);
    let (mut asked, mut met_budget) = (0, 0);
    let start = Instant::now();
    for person in people.iter() {
        black_box(walk.decide(person.columns, person.line));
        asked += walk.n_revealed();
        met_budget += usize::from(!walk.out_of_budget().is_empty());
    }
    let (n_people, n_questions) = (people.len() as f64, plan.sensitive().len() as f64);
    format!(
        "{selector}: {:.1} sessions per second, leakage {:.3}, {met_budget} of {n_people} met a budget",
        n_people / start.elapsed().as_secs_f64(),
        asked as f64 / n_people / n_questions,
    )
}

#[expect(clippy::print_stdout, reason = "the figures are what this is for")]
fn main() {
    let Some(folder) = data_folder("the bench of forests") else { return };
    for table in ["bank", "adult"] {
        let trained = Trained::on(&folder.join(format!("{table}.csv")), Encoding::Ordinal, 1);
        let people = trained.held_out.spread(PEOPLE);
        for n_trees in [100, 400] {
            let seeded = || Pcg64Mcg::seed_from_u64(2);
            for (name, trees) in [
                ("forest", grown::unpruned_forest(&trained.kept, n_trees, &mut seeded())),
                ("boosted", grown::boosted(&trained.kept, n_trees, 6, &mut seeded())),
            ] {
                println!("{table}, {name} of {n_trees}: {} nodes", trees.n_nodes());
                let plan = plan(&trained, trees);
                let n_questions = plan.sensitive().len();
                for n_open in [5, 8, n_questions] {
                    let mut found = find(&plan, &people, n_open);
                    let Found { proved, refuted, by_extremes, without_cut, .. } = found;
                    println!("  {n_open} open: {proved} proved, {refuted} refuted of {PEOPLE}");
                    let [median, late] = [0.5, 0.95].map(|share| quantile(&mut found.tests, share));
                    println!("    test: median {median:.2} ms, 95 % within {late:.1} ms");
                    println!("    without a cut: {by_extremes} by the sum of extremes, {without_cut} by prices");
                    let [median, most] = [0.5, 1.0].map(|share| quantile(&mut found.parts, share));
                    let [late, bytes] = [quantile(&mut found.proofs, 0.95), quantile(&mut found.bytes, 1.0)];
                    println!(
                        "    proofs: median {median} parts, at most {most} and {bytes} bytes, 95 % within {late:.1} ms"
                    );
                }
                if n_trees == 100 {
                    for selector in [Selector::Decisive, Selector::Importance] {
                        println!("  sessions, {}", sessions(&plan, &people, selector));
                    }
                }
            }
        }
    }
}
