//! Networks: the certified test beside the sampled one, and whole sessions, in one run.
//!
//! Sizes: generated people with 16 numeric columns, five hidden causes and classes that no line separates; networks
//! with two hidden layers of 10 and of 100, trained on 8,000 of them. One core. Times of single tests are given by
//! their median and 95th percentile, over 2,000 people with 5 of 8 sensitive questions open, drawn anew for each; a
//! whole session has 8 sensitive questions. If the evaluation data are available, the same for bank (16 columns).
//!
//! Run with `cargo bench -p mindrel-audit --bench network`.

mod bent;

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use bent::{Case, OPEN, PEOPLE, SENSITIVE, TestTimes, people, quantile, schema, sessions, split};
use mindrel::core_test::{Budget, Deadline, Test};
use mindrel::schema::Encoding;
use mindrel::session::{Stage, Walk};
use mindrel::{People, Plan, Rules, Selector};
use mindrel_testing::{Trained, data_folder};
use mindrel_train::mlp::MlpOptions;
use mindrel_train::{Believer, Learner, fit_plan};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

const TRAINED_ON: usize = 8_000;
/// People for the sampled test, of 100,000 draws each.
const FEW: usize = 100;
/// Draws of the sensitive questions of bank.
const DRAWS: usize = 10;
/// The time limit of a test of the wide network.
const LIMIT: Duration = Duration::from_millis(50);

fn plan(people: &People, hidden: &[usize]) -> Plan {
    let learner = Learner::Network(MlpOptions { hidden: hidden.to_vec(), ..MlpOptions::default() });
    fit_plan(&schema(), people, &learner, &Believer::Gaussian, None, &mut |_| ())
        .expect("the people can be learned from")
}

/// The time since it was first asked for.
fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// Microseconds of one sampled test that draws all its samples: the set is core.
fn sampled_time(plan: &Plan, people: &People) -> f64 {
    let rules = Rules { test: Test::Sampled, selector: Selector::Random, ..Rules::default() };
    let plan = plan.with_rules(rules).expect("the rules can be followed");
    let mut walk = Walk::new(&plan);
    let mut times: Vec<f64> = Vec::new();
    for person in people.iter().take(FEW) {
        // Settled at once: one test, all of its draws.
        let start = Instant::now();
        walk.begin(person.columns, person.line);
        if let Stage::Settled { .. } = walk.stage() {
            times.push(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    times.sort_by(f64::total_cmp);
    if times.is_empty() { f64::NAN } else { quantile(&times, 0.5) }
}

#[expect(clippy::print_stdout, reason = "the figures are what this is for")]
fn report(name: &str, cases: &[Case]) {
    let TestTimes { times, n_core, n_undecided } = TestTimes::of(cases, |plan| Budget::of(plan.rules().budget));
    let (median, late) = (quantile(&times, 0.5), quantile(&times, 0.95));
    println!("{name}: certified test, {OPEN} of {SENSITIVE} open: median {median:.1} µs, 95 % within {late:.0} µs");
    println!("{name}: {n_core} core, {n_undecided} undecided");
    let sampled = sampled_time(&cases[0].0, &cases[0].1);
    let times_slower = sampled / median;
    println!(
        "{name}: sampled test, 100,000 draws that find nothing: median {sampled:.0} µs, {times_slower:.0} times that"
    );
    for selector in [Selector::Decisive, Selector::Importance, Selector::Random, Selector::FScore] {
        let most = if selector == Selector::FScore { FEW } else { PEOPLE };
        let (rate, asked) = sessions(cases, Rules { selector, ..Rules::default() }, most);
        println!(
            "{name}: whole sessions, {SENSITIVE} sensitive, {selector}: {rate:.0} per second, {asked:.2} questions"
        );
    }
}

#[expect(clippy::print_stdout, reason = "the figures are what this is for")]
fn main() {
    let all = people(TRAINED_ON + PEOPLE, &mut Pcg64Mcg::seed_from_u64(2023));
    let (trained_on, asked) = split(&all, TRAINED_ON);
    report("generated, 2×10", &[(plan(&trained_on, &[10, 10]), asked.clone())]);

    let wide = [(plan(&trained_on, &[100, 100]), asked)];
    let limited = |plan: &Plan| Budget::of(plan.rules().budget).until(Deadline { clock, at: clock() + LIMIT });
    let TestTimes { times, n_undecided, .. } = TestTimes::of(&wide, limited);
    let settled = 100.0 * (1.0 - n_undecided as f64 / times.len() as f64);
    let (median, late) = (quantile(&times, 0.5), quantile(&times, 0.95));
    println!(
        "generated, 2×100: certified test, {OPEN} of {SENSITIVE} open, at most 50 ms each: {settled:.1} % settled"
    );
    println!("generated, 2×100: median {median:.0} µs, 95 % within {late:.0} µs");

    if let Some(folder) = data_folder("the benchmark on bank") {
        let trained = Trained::network_on(&folder.join("bank.csv"), Encoding::Ordinal, 1);
        let people = trained.held_out.spread(PEOPLE / DRAWS);
        let draw = |draw: usize| (trained.with_sensitive(SENSITIVE, 100 + draw as u64), people.clone());
        report("bank, 2×10", &(0..DRAWS).map(draw).collect::<Vec<Case>>());
    }
}
