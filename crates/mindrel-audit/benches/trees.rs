//! Tree ensembles: the certified test of forests and boosted trees, two ways to bound a forest, and whole sessions,
//! in one run.
//!
//! Sizes: generated people of 16 numeric columns with five hidden causes and a class that no line tells apart; a
//! forest of 100 trees of depth 8 and 100 boosted trees of depth 6, grown greedily on 4,000 of them. One core. Times
//! of single tests are told by their median and 95th percentile, over 2,000 other people with 5 of 8 sensitive
//! questions open, drawn anew for each; a whole session has 8 sensitive questions.
//!
//! Run with `cargo bench -p mindrel-audit --bench trees`.

mod grown;

use std::hint::black_box;
use std::time::{Duration, Instant};

use mindrel::core_test::Budget;
use mindrel::model::{Classifier, Model, TreeEnsemble};
use mindrel::optimal::{Verdict, certify};
use mindrel::schema::{Question, Target};
use mindrel::session::Walk;
use mindrel::{Label, People, Plan, Rules, Schema, Selector};
use mindrel_train::{Believer, TrainingSet, fit_belief};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

const COLUMNS: usize = 16;
const SENSITIVE: usize = 8;
const OPEN: usize = 5;
const GROWN_ON: usize = 4_000;
const PEOPLE: usize = 2_000;
/// People of whole sessions.
const FEW: usize = 200;

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

/// The first people, or those after them.
fn half(people: &People, first: bool) -> People {
    let mut half = People::new(COLUMNS);
    let kept = people.iter().enumerate().filter(|(place, _)| (*place < GROWN_ON) == first);
    for (place, person) in kept {
        half.push(place as u64).copy_from_slice(person.columns);
        half.set_label(person.label);
    }
    half
}

fn plan(people: &People, trees: TreeEnsemble) -> Plan {
    let question = |column: usize| {
        let question = Question::number(format!("column {column}"), -1.0, 1.0);
        if column < SENSITIVE { question } else { question.public() }
    };
    let target = Target::new("label", "", ["no", "yes"]);
    let schema = Schema::new(target, (0..COLUMNS).map(question).collect()).expect("the questions are sound");
    let labels = people.iter().map(|person| person.label.map_or(0, Label::index)).collect();
    let set = TrainingSet::new(people.columns().to_vec(), COLUMNS, labels, 2).expect("the rows are finite");
    let model: Classifier = trees.into();
    let belief = fit_belief(&schema, &set, &model, &Believer::Gaussian, &mut |_| ()).expect("the rows have moments");
    Plan::new(schema, model, belief, Rules::default()).expect("the parts fit")
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

/// Microseconds of one certified test for each person; how many were core, and how many out of budget.
fn test_times(plan: &Plan, people: &People) -> (Vec<f64>, usize, usize) {
    let mut random = Pcg64Mcg::seed_from_u64(7);
    let (mut core, mut undecided) = (0, 0);
    let mut times = Vec::new();
    for person in people.iter() {
        let revealed = revealed(&mut random);
        let start = Instant::now();
        let verdict = black_box(certify(plan, person.columns, &revealed, Budget::of(plan.rules().budget)));
        times.push(start.elapsed().as_secs_f64() * 1e6);
        core += usize::from(matches!(verdict, Verdict::Core(_)));
        undecided += usize::from(verdict == Verdict::OutOfBudget);
    }
    times.sort_by(f64::total_cmp);
    (times, core, undecided)
}

/// Sessions a second, and questions on average.
fn sessions(plan: &Plan, people: &People, rules: Rules) -> (f64, f64) {
    let plan = plan.with_rules(rules).expect("the rules can be followed");
    let mut walk = Walk::new(&plan);
    let mut asked = 0;
    let start = Instant::now();
    for (seed, person) in people.iter().take(FEW).enumerate() {
        black_box(walk.decide(person.columns, seed as u64));
        asked += walk.n_revealed();
    }
    let time: Duration = start.elapsed();
    (FEW as f64 / time.as_secs_f64(), asked as f64 / FEW as f64)
}

#[allow(clippy::print_stdout, reason = "a bench tells what it measured")]
fn main() {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let everybody = people(GROWN_ON + PEOPLE, &mut random);
    let (grown_on, others) = (half(&everybody, true), half(&everybody, false));
    let seeded = || Pcg64Mcg::seed_from_u64(2);
    let ensembles = [
        ("forest, 100 × depth 8", grown::forest(&grown_on, 100, 8, false, &mut seeded())),
        ("the same, class by class", grown::forest(&grown_on, 100, 8, true, &mut seeded())),
        ("boosted, 100 × depth 6", grown::boosted(&grown_on, 100, 6, &mut seeded())),
    ];
    for (name, trees) in ensembles {
        let right = others.iter().filter(|person| person.label == Some(trees.label(person.columns))).count();
        println!("{name}: {} nodes, {} of {PEOPLE} people told right", trees.n_nodes(), right);
        let plan = plan(&grown_on, trees);
        let (times, core, undecided) = test_times(&plan, &others);
        let quantile = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        println!(
            "  certified test, {OPEN} of {SENSITIVE} open: median {:.1} µs, 95 % within {:.1} µs, longest {:.0} µs; {core} core, {undecided} out of budget",
            quantile(0.5),
            quantile(0.95),
            quantile(1.0),
        );
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
            let (rate, asked) = sessions(&plan, &others, Rules { selector, delta, ..Rules::default() });
            println!("  sessions, {selector}, delta {delta}: {rate:.0} a second, {asked:.2} questions");
        }
    }
}
