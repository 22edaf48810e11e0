//! Networks: the certified test next to the sampled one, and whole sessions, in one run.
//!
//! Sizes: generated people of 16 numeric columns with five hidden causes and a class that no line tells apart;
//! networks of two hidden layers of 10 and of 100, trained on 8,000 of them. One core. Times of single tests are told
//! by their median and 95th percentile, over 2,000 people with 5 of 8 sensitive questions open, drawn anew for each;
//! a whole session has 8 sensitive questions. Where the evaluation data are at hand, the same on bank (16 columns).
//!
//! Run with `cargo bench -p mindrel-audit --bench network`.

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use mindrel::core_test::{Budget, Deadline, Test};
use mindrel::optimal::{Verdict, certify};
use mindrel::schema::{Encoding, Question, Target};
use mindrel::session::Walk;
use mindrel::{Label, People, Plan, Rules, Schema, Selector};
use mindrel_testing::{Trained, data_folder};
use mindrel_train::mlp::MlpOptions;
use mindrel_train::{Believer, Learner, fit_plan};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

const COLUMNS: usize = 16;
const SENSITIVE: usize = 8;
const OPEN: usize = 5;
const TRAINED_ON: usize = 8_000;
const PEOPLE: usize = 2_000;
/// People for the sampled test, of 100,000 draws each.
const FEW: usize = 100;
/// Draws of the sensitive questions of bank.
const DRAWS: usize = 10;
/// What a test of the wide network may take.
const LIMIT: Duration = Duration::from_millis(50);

/// People whose columns share five hidden causes, and whose class depends on them in a way that bends.
fn people(count: usize, random: &mut Pcg64Mcg) -> People {
    let mut normal = || -> f64 { StandardNormal.sample(random) };
    let loadings: Vec<f64> = (0..COLUMNS * 5).map(|_| normal()).collect();
    let mut people = People::new(COLUMNS);
    for line in 0..count {
        let causes: Vec<f64> = (0..5).map(|_| normal()).collect();
        let noise = normal();
        let row = people.push(line as u64);
        for (column, value) in row.iter_mut().enumerate() {
            let shared: f64 = causes.iter().zip(&loadings[column * 5..]).map(|(cause, loading)| cause * loading).sum();
            *value = (0.12 * shared + 0.15 * normal()).clamp(-1.0, 1.0);
        }
        let bent = row[0] - row[9] + 2.0 * row[1] * row[2] + (row[3] + row[10]).abs() - 0.5 * row[4] + row[11];
        people.set_label(Some(Label::new(usize::from(bent + 0.1 * noise > 0.3))));
    }
    people
}

fn plan(people: &People, hidden: &[usize]) -> Plan {
    let question = |column: usize| {
        let question = Question::number(format!("column {column}"), -1.0, 1.0);
        if column < SENSITIVE { question } else { question.public() }
    };
    let target = Target::new("label", "", ["no", "yes"]);
    let schema = Schema::new(target, (0..COLUMNS).map(question).collect()).expect("the questions are sound");
    let learner = Learner::Network(MlpOptions { hidden: hidden.to_vec(), ..MlpOptions::default() });
    fit_plan(&schema, people, &learner, &Believer::Gaussian, None, &mut |_| ()).expect("the people can be learned from")
}

/// Three of eight sensitive questions, drawn.
fn revealed(random: &mut Pcg64Mcg) -> Vec<usize> {
    let mut places: Vec<usize> = (0..SENSITIVE).collect();
    for place in 0..SENSITIVE - OPEN {
        places.swap(place, place + (random.next_u64() % (SENSITIVE - place) as u64) as usize);
    }
    places.truncate(SENSITIVE - OPEN);
    places
}

/// The time since it was first asked for.
fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// A plan and some people to ask under it.
type Case = (Plan, People);

/// Microseconds of one certified test for each person, and how many were left undecided.
fn test_times(cases: &[Case], limit: Option<Duration>) -> (Vec<f64>, usize) {
    let mut random = Pcg64Mcg::seed_from_u64(7);
    let mut undecided = 0;
    let mut times: Vec<f64> = Vec::new();
    for (plan, person) in cases.iter().flat_map(|(plan, people)| people.iter().map(move |person| (plan, person))) {
        let revealed = revealed(&mut random);
        let start = clock();
        let budget = Budget::of(plan.rules().budget);
        let budget = limit.map_or(budget, |limit| budget.until(Deadline { clock, at: start + limit }));
        let verdict = black_box(certify(plan, person.columns, &revealed, budget));
        times.push((clock() - start).as_secs_f64() * 1e6);
        undecided += usize::from(verdict == Verdict::OutOfBudget);
    }
    times.sort_by(f64::total_cmp);
    (times, undecided)
}

fn quantile(times: &[f64], share: f64) -> f64 {
    times[((times.len() - 1) as f64 * share) as usize]
}

/// Sessions a second, and questions on average.
fn sessions(cases: &[Case], rules: Rules, most: usize) -> (f64, f64) {
    let (mut asked, mut count) = (0, 0);
    let mut time = Duration::ZERO;
    for (plan, people) in cases {
        let plan = plan.with_rules(rules).expect("the rules can be followed");
        let mut walk = Walk::new(&plan);
        let start = Instant::now();
        for person in people.iter().take(most) {
            black_box(walk.decide(person.columns, person.line));
            asked += walk.n_revealed();
            count += 1;
        }
        time += start.elapsed();
    }
    (f64::from(count) / time.as_secs_f64(), asked as f64 / f64::from(count))
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
        if let mindrel::session::Stage::Settled { .. } = walk.stage() {
            times.push(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    times.sort_by(f64::total_cmp);
    if times.is_empty() { f64::NAN } else { quantile(&times, 0.5) }
}

#[expect(clippy::print_stdout, reason = "the figures are what this is for")]
fn report(name: &str, cases: &[Case]) {
    let (times, undecided) = test_times(cases, None);
    let (median, late) = (quantile(&times, 0.5), quantile(&times, 0.95));
    println!(
        "{name}: certified test, {OPEN} of {SENSITIVE} open: median {median:.1} µs, 95 % within {late:.0} µs, undecided {undecided}"
    );
    let sampled = sampled_time(&cases[0].0, &cases[0].1);
    println!(
        "{name}: sampled test with 100,000 draws that finds nothing: median {sampled:.0} µs, {:.0} times the certified one's",
        sampled / median
    );
    for selector in [Selector::Decisive, Selector::Importance, Selector::Random, Selector::FScore] {
        let most = if selector == Selector::FScore { FEW } else { PEOPLE };
        let (rate, asked) = sessions(cases, Rules { selector, ..Rules::default() }, most);
        println!("{name}: whole sessions, {SENSITIVE} sensitive, {selector}: {rate:.0} a second, {asked:.2} questions");
    }
}

#[expect(clippy::print_stdout, reason = "the figures are what this is for")]
fn main() {
    let mut random = Pcg64Mcg::seed_from_u64(2023);
    let all = people(TRAINED_ON + PEOPLE, &mut random);
    let trained_on = all.filter(|person| person.line < TRAINED_ON as u64);
    let asked = all.filter(|person| person.line >= TRAINED_ON as u64);
    report("generated, 2×10", &[(plan(&trained_on, &[10, 10]), asked.clone())]);

    let wide = [(plan(&trained_on, &[100, 100]), asked)];
    let (times, undecided) = test_times(&wide, Some(LIMIT));
    let settled = 100.0 * (1.0 - undecided as f64 / times.len() as f64);
    println!(
        "generated, 2×100: certified test, {OPEN} of {SENSITIVE} open, at most 50 ms each: {settled:.1} % settled, median {:.0} µs, 95 % within {:.0} µs",
        quantile(&times, 0.5),
        quantile(&times, 0.95)
    );

    if let Some(folder) = data_folder("the benchmark on bank") {
        let trained = Trained::network_on(&folder.join("bank.csv"), Encoding::Ordinal, 1);
        let people = trained.held_out.spread(PEOPLE / DRAWS);
        let draw = |draw: usize| (trained.with_sensitive(SENSITIVE, 100 + draw as u64), people.clone());
        report("bank, 2×10", &(0..DRAWS).map(draw).collect::<Vec<Case>>());
    }
}
