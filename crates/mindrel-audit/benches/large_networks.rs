//! Large networks, and f-scores with many classes: how long a step takes, in one run.
//!
//! Sizes: generated people with 16 sensitive categories of 20 levels (320 one-hot columns) or 16 sensitive numbers, and
//! two classes that no line separates; networks of one to three hidden layers of 64 trained on 4,000 of them; whole
//! sessions of 100 others at δ = 0. Then the f-score with 5 to 10 classes: random weights, 16 sensitive numbers, 20
//! people, a linear model and a network of two layers of 10, δ = 0.05. One core; times are processor times.
//!
//! Run with `cargo bench -p mindrel-audit --bench large_networks`.

use std::time::Duration;

use mindrel::core_test::Estimate;
use mindrel::model::{Classifier, Layer, LinearModel, Network};
use mindrel::schema::{Question, Target};
use mindrel::session::{Stage, Walk};
use mindrel::{People, Plan, Rules, Schema, Selector};
use mindrel_testing::{generated, processor_time};
use mindrel_train::mlp::MlpOptions;
use mindrel_train::{Believer, EncodedRows, Learner, fit_belief, fit_plan};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

const QUESTIONS: usize = 16;
const LEVELS: usize = 20;
const TRAINED_ON: usize = 4_000;
const ASKED: usize = 100;
const ASKED_BY_F_SCORE: usize = 20;

/// What some sessions took.
#[derive(Default)]
struct Taken {
    n_steps: u32,
    asked: usize,
    out_of_budget: usize,
    longest: Duration,
    time: Duration,
}

fn sessions(plan: &Plan, people: &People, rules: Rules) -> Taken {
    let plan = plan.with_rules(rules).expect("the rules can be followed");
    let mut walk = Walk::new(&plan);
    let mut taken = Taken::default();
    for person in people.iter() {
        let mut step = |walk: &mut Walk, act: &dyn Fn(&mut Walk)| {
            let start = processor_time();
            act(walk);
            let time = processor_time() - start;
            taken.n_steps += 1;
            taken.time += time;
            taken.longest = taken.longest.max(time);
        };
        step(&mut walk, &|walk| walk.begin(person.columns, 0));
        while let Stage::Asking { .. } = walk.stage() {
            step(&mut walk, &|walk| walk.reveal(person.columns));
        }
        taken.asked += walk.n_revealed();
        taken.out_of_budget += usize::from(!walk.out_of_budget().is_empty());
    }
    taken
}

/// The same people with every number cut into levels.
fn in_levels(people: &People) -> (Schema, People) {
    let levels = || (0..LEVELS).map(|level| format!("level {level}"));
    let questions = (0..QUESTIONS).map(|place| Question::category(format!("q{place}"), levels())).collect();
    let schema = Schema::new(Target::new("label", "", ["no", "yes"]), questions).expect("the questions are sound");
    let mut cut = People::new(schema.n_columns());
    for person in people.iter() {
        let row = cut.push(person.line);
        for (place, value) in person.columns.iter().enumerate() {
            let level = ((value + 1.0) / 2.0 * LEVELS as f64) as usize;
            row[place * LEVELS + level.min(LEVELS - 1)] = 1.0;
        }
        cut.set_label(person.label);
    }
    (schema, cut)
}

#[expect(clippy::print_stdout, reason = "the figures are what this is for")]
fn report(name: &str, plan: &Plan, people: &People, rules: Rules) {
    let taken = sessions(plan, people, rules);
    let count = people.len() as f64;
    println!(
        "{name}, {}: {:.2} questions, {:.1} % met a budget, {:.1} ms a step on average, {:.0} ms the longest",
        rules.selector,
        taken.asked as f64 / count,
        100.0 * taken.out_of_budget as f64 / count,
        1e3 * taken.time.as_secs_f64() / f64::from(taken.n_steps),
        1e3 * taken.longest.as_secs_f64(),
    );
}

fn large_networks(everybody: &People) {
    let (schema, in_levels) = in_levels(everybody);
    let numbers = generated::numbers(QUESTIONS, 0);
    for (columns, schema, people) in [("16 columns", &numbers, everybody), ("320 one-hot columns", &schema, &in_levels)]
    {
        let trained_on = people.filter(|person| person.line < TRAINED_ON as u64);
        let asked = people.filter(|person| person.line >= TRAINED_ON as u64);
        for layers in 1..=3 {
            let options = MlpOptions { hidden: vec![64; layers], epochs: 20, ..MlpOptions::default() };
            let plan =
                fit_plan(schema, &trained_on, &Learner::Network(options), &Believer::Gaussian, None, &mut |_| ());
            let plan = plan.expect("the people can be learned from");
            for selector in [Selector::Decisive, Selector::Importance] {
                let rules = Rules { selector, ..Rules::default() };
                report(&format!("{layers} × 64, {QUESTIONS} questions, {columns}"), &plan, &asked, rules);
            }
        }
    }
}

fn layer(n_inputs: usize, n_units: usize, random: &mut Pcg64Mcg) -> (Vec<f64>, Vec<f64>) {
    let scale = (2.0 / n_inputs as f64).sqrt();
    let mut normals = |count: usize, scale: f64| -> Vec<f64> {
        (0..count).map(|_| scale * Distribution::<f64>::sample(&StandardNormal, random)).collect()
    };
    (normals(n_inputs * n_units, scale), normals(n_units, 0.1))
}

fn many_classes(people: &People, n_classes: usize) {
    let random = &mut Pcg64Mcg::seed_from_u64(n_classes as u64);
    let classes: Vec<String> = (0..n_classes).map(|class| format!("class {class}")).collect();
    let questions = (0..QUESTIONS).map(|place| Question::number(format!("q{place}"), -1.0, 1.0)).collect();
    let schema = Schema::new(Target::new("label", "", classes), questions).expect("the questions are sound");
    let (weights, intercepts) = layer(QUESTIONS, n_classes, random);
    let linear = LinearModel::new(QUESTIONS, weights, intercepts).expect("finite weights");
    let mut sizes = vec![10, 10, n_classes];
    let mut n_inputs = QUESTIONS;
    let layers = sizes.drain(..).map(|n_units| {
        let (weights, biases) = layer(n_inputs, n_units, random);
        Layer::new(std::mem::replace(&mut n_inputs, n_units), weights, biases).expect("finite weights")
    });
    let network = Network::new(layers.collect()).expect("layers that fit");
    let asked = people.spread(ASKED_BY_F_SCORE);
    let models: [(&str, Classifier, &[Estimate]); 2] =
        [("linear", linear.into(), &[Estimate::Qmc]), ("2 × 10", network.into(), &[Estimate::Qmc, Estimate::Taylor])];
    for (name, model, estimates) in models {
        let rows = EncodedRows::new(people.columns().to_vec(), QUESTIONS).expect("the rows are finite");
        let belief = fit_belief(&schema, &rows, &model, &Believer::Gaussian, &mut |_| ()).expect("they have moments");
        let plan = Plan::new(schema.clone(), model, belief, Rules::default()).expect("the parts fit");
        for &estimate in estimates {
            let rules = Rules { selector: Selector::FScore, delta: 0.05, estimate, ..Rules::default() };
            report(&format!("{name}, {n_classes} classes, {estimate}"), &plan, &asked, rules);
        }
    }
}

fn main() {
    let everybody = generated::people(QUESTIONS, TRAINED_ON + ASKED, &mut Pcg64Mcg::seed_from_u64(1));
    for n_classes in [3, 5, 6, 8, 10] {
        many_classes(&everybody, n_classes);
    }
    large_networks(&everybody);
}
