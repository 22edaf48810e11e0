//! From 5 to 40 sensitive questions: whole sessions of networks and forests at δ = 0, `decisive` beside `importance`,
//! in one run.
//!
//! Sizes: generated people of as many numeric columns as there are questions, all sensitive, with five hidden causes
//! and a class that no line tells apart; a network of two hidden layers of 10 trained on 6,000 of them, a forest of 100
//! trees of depth 8 and 100 boosted trees of depth 6 grown on 2,000. One core; times are processor times, so that other
//! programs do not count. Sessions of other people, the same for both rules: as many as end in some seconds by the
//! slower one.
//!
//! Run with `cargo bench -p mindrel-audit --bench many_questions`.

use std::time::Duration;

use mindrel::model::{Classifier, TreeEnsemble};
use mindrel::session::{Stage, Walk};
use mindrel::{People, Plan, Rules, Selector};
use mindrel_testing::{generated, grown, processor_time};
use mindrel_train::mlp::MlpOptions;
use mindrel_train::{Believer, EncodedRows, Learner, fit_belief, fit_plan};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

const TRAINED_ON: usize = 6_000;
const GROWN_ON: u64 = 2_000;
const PEOPLE: usize = 200;
/// What one row of the table may take.
const LONGEST: Duration = Duration::from_secs(5);

fn network(people: &People, columns: usize) -> Plan {
    let learner = Learner::Network(MlpOptions::default());
    fit_plan(&generated::numbers(columns, 0), people, &learner, &Believer::Gaussian, None, &mut |_| ())
        .expect("the people can be learned from")
}

fn trees(people: &People, columns: usize, ensemble: TreeEnsemble) -> Plan {
    let rows = EncodedRows::new(people.columns().to_vec(), columns).expect("the rows are finite");
    let model: Classifier = ensemble.into();
    let schema = generated::numbers(columns, 0);
    let belief = fit_belief(&schema, &rows, &model, &Believer::Gaussian, &mut |_| ()).expect("the rows have moments");
    Plan::new(schema, model, belief, Rules::default()).expect("the parts fit")
}

/// What sessions took.
struct Taken {
    sessions: usize,
    asked: usize,
    out_of_budget: usize,
    longest_step: Duration,
    time: Duration,
}

fn sessions(plan: &Plan, people: &People, most: usize, selector: Selector) -> Taken {
    let plan = plan.with_rules(Rules { selector, ..*plan.rules() }).expect("the rules can be followed");
    let mut walk = Walk::new(&plan);
    let mut taken =
        Taken { sessions: 0, asked: 0, out_of_budget: 0, longest_step: Duration::ZERO, time: Duration::ZERO };
    let start = processor_time();
    for person in people.iter().take(most) {
        if taken.time > LONGEST {
            break;
        }
        let mut step = |walk: &mut Walk, act: &dyn Fn(&mut Walk)| {
            let begun = processor_time();
            act(walk);
            taken.longest_step = taken.longest_step.max(processor_time() - begun);
        };
        step(&mut walk, &|walk| walk.begin(person.columns, 0));
        while let Stage::Asking { .. } = walk.stage() {
            step(&mut walk, &|walk| walk.reveal(person.columns));
        }
        taken.time = processor_time() - start;
        taken.sessions += 1;
        taken.asked += walk.n_revealed();
        taken.out_of_budget += usize::from(!walk.out_of_budget().is_empty());
    }
    taken
}

#[expect(clippy::print_stdout, reason = "the figures are what this is for")]
fn report(name: &str, plan: &Plan, people: &People) {
    let mut most = PEOPLE;
    for selector in [Selector::Decisive, Selector::Importance] {
        let taken = sessions(plan, people, most, selector);
        most = taken.sessions;
        let count = taken.sessions as f64;
        println!(
            "{name}, {selector}: {:.1} sessions a second, {:.2} questions, longest step {:.1} ms, {:.1} % met a budget \
             ({} people)",
            count / taken.time.as_secs_f64(),
            taken.asked as f64 / count,
            taken.longest_step.as_secs_f64() * 1e3,
            100.0 * taken.out_of_budget as f64 / count,
            taken.sessions,
        );
    }
}

fn main() {
    for columns in [5, 8, 12, 16, 20, 24, 28, 36, 40] {
        let all = generated::people(columns, TRAINED_ON + PEOPLE, &mut Pcg64Mcg::seed_from_u64(columns as u64));
        let asked = all.filter(|person| person.line >= TRAINED_ON as u64);
        let trained_on = all.filter(|person| person.line < TRAINED_ON as u64);
        report(&format!("network 2×10, {columns} questions"), &network(&trained_on, columns), &asked);
        let grown_on = all.filter(|person| person.line < GROWN_ON);
        let seeded = || Pcg64Mcg::seed_from_u64(2);
        let forest = trees(&grown_on, columns, grown::forest(&grown_on, 100, 8, false, &mut seeded()));
        report(&format!("forest 100 × depth 8, {columns} questions"), &forest, &asked);
        let boosted = trees(&grown_on, columns, grown::boosted(&grown_on, 100, 6, &mut seeded()));
        report(&format!("boosted 100 × depth 6, {columns} questions"), &boosted, &asked);
    }
}
