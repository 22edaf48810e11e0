//! How long the longest of 10,000 steps takes, for models and questions drawn at random.
//!
//! Sizes: up to 60 sensitive questions, numbers and categories of up to 12 levels; linear models and networks of up to
//! three layers of 64 units with random weights and two to six classes, forests of up to 200 trees of depth 10 and up
//! to 200 boosted trees of depth 6 grown on 500 people; a Gaussian or a copula as belief; every selector that needs no
//! more than the model itself, δ = 0 and 0.05, some questions declined. One core; times are processor times, so that
//! other programs do not count.
//!
//! Run with `cargo bench -p mindrel-audit --bench bounded_steps`.

use std::time::Duration;

use mindrel::model::{Classifier, Layer, LinearModel, Network};
use mindrel::schema::{Question, Target};
use mindrel::session::{Stage, Walk};
use mindrel::{Label, People, Plan, Rules, Schema, Selector};
use mindrel_testing::{grown, processor_time};
use mindrel_train::{Believer, EncodedRows, fit_belief};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

const STEPS: usize = 10_000;
const PEOPLE: usize = 500;
/// Steps with one plan at most, so that many plans are met.
const STEPS_OF_A_PLAN: usize = 100;
/// What a live step may take.
const LIMIT: Duration = Duration::from_millis(250);

fn below(random: &mut Pcg64Mcg, most: usize) -> usize {
    (random.next_u64() % most as u64) as usize
}

fn normal(random: &mut Pcg64Mcg) -> f64 {
    StandardNormal.sample(random)
}

fn schema(n_questions: usize, n_classes: usize, random: &mut Pcg64Mcg) -> Schema {
    let question = |place: usize, random: &mut Pcg64Mcg| match below(random, 3) {
        0 => {
            let n_levels = 2 + below(random, 11);
            Question::category(format!("q{place}"), (0..n_levels).map(|level| format!("level {level}")))
        }
        _ => Question::number(format!("q{place}"), -1.0, 1.0),
    };
    let classes: Vec<String> = (0..n_classes).map(|class| format!("class {class}")).collect();
    let questions = (0..n_questions).map(|place| question(place, random)).collect();
    Schema::new(Target::new("label", "", classes), questions).expect("the questions are sound")
}

/// People with random answers, whose class depends on all of them.
fn people(schema: &Schema, random: &mut Pcg64Mcg) -> People {
    let mut people = People::new(schema.n_columns());
    let weights: Vec<f64> = (0..schema.n_columns()).map(|_| normal(random)).collect();
    for line in 0..PEOPLE as u64 {
        let cause = normal(random);
        let row = people.push(line);
        for id in schema.ids() {
            let columns = schema.columns(id);
            if columns.len() == 1 {
                row[columns.start] = (0.2 * cause + 0.4 * normal(random)).clamp(-1.0, 1.0);
            } else {
                row[columns.start + below(random, columns.len())] = 1.0;
            }
        }
        let score: f64 = row.iter().zip(&weights).map(|(value, weight)| value * weight).sum();
        people.set_label(Some(Label::new(usize::from(score > 0.0))));
    }
    people
}

fn n_scores(n_classes: usize) -> usize {
    if n_classes == 2 { 1 } else { n_classes }
}

fn linear(n_columns: usize, n_classes: usize, random: &mut Pcg64Mcg) -> Classifier {
    let weights = (0..n_columns * n_scores(n_classes)).map(|_| normal(random)).collect();
    let intercepts = (0..n_scores(n_classes)).map(|_| 0.1 * normal(random)).collect();
    LinearModel::new(n_columns, weights, intercepts).expect("finite weights").into()
}

fn network(n_columns: usize, n_classes: usize, random: &mut Pcg64Mcg) -> Classifier {
    let width = [10, 32, 64][below(random, 3)];
    let mut sizes = vec![width; 1 + below(random, 3)];
    sizes.push(n_scores(n_classes));
    let mut n_inputs = n_columns;
    let layers = sizes.into_iter().map(|n_units| {
        let scale = (2.0 / n_inputs as f64).sqrt();
        let weights = (0..n_inputs * n_units).map(|_| scale * normal(random)).collect();
        let biases = (0..n_units).map(|_| 0.1 * normal(random)).collect();
        Layer::new(std::mem::replace(&mut n_inputs, n_units), weights, biases).expect("finite weights")
    });
    Network::new(layers.collect()).expect("layers that fit").into()
}

fn plan(random: &mut Pcg64Mcg) -> (String, Plan, People) {
    let family = below(random, 4);
    let n_classes = if family < 2 { 2 + below(random, 5) } else { 2 };
    let n_questions = 1 + below(random, 60);
    let schema = schema(n_questions, n_classes, random);
    let people = people(&schema, random);
    let (name, model) = match family {
        0 => ("network", network(schema.n_columns(), n_classes, random)),
        1 => ("linear model", linear(schema.n_columns(), n_classes, random)),
        2 => ("forest", grown::forest(&people, 1 + below(random, 200), 10, false, random).into()),
        _ => ("boosted trees", grown::boosted(&people, 1 + below(random, 200), 6, random).into()),
    };
    let rows = EncodedRows::new(people.columns().to_vec(), people.n_columns()).expect("the rows are finite");
    let believer = [Believer::Gaussian, Believer::Copula][below(random, 2)].clone();
    let belief = fit_belief(&schema, &rows, &model, &believer, &mut |_| ()).expect("the rows have moments");
    let selectors = [Selector::Decisive, Selector::FScore, Selector::FScoreMc, Selector::Importance, Selector::Random];
    let rules = Rules {
        selector: selectors[below(random, selectors.len())],
        delta: [0.0, 0.05][below(random, 2)],
        ..Rules::default()
    };
    let plan = Plan::new(schema, model, belief, rules).expect("the parts fit");
    let Rules { selector, delta, .. } = rules;
    let name = format!("{name}, {believer:?}, {n_questions} questions, {n_classes} classes, {selector}, δ = {delta}");
    (name, plan, people)
}

#[expect(clippy::print_stdout, reason = "the figures are what this is for")]
fn main() {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let (mut n_steps, mut n_plans, mut n_over, mut longest) = (0, 0, 0, Duration::ZERO);
    while n_steps < STEPS {
        let (name, plan, people) = plan(&mut random);
        n_plans += 1;
        let mut walk = Walk::new(&plan);
        let mut n_of_plan = 0;
        for person in people.iter() {
            if n_of_plan >= STEPS_OF_A_PLAN {
                break;
            }
            let mut step = |walk: &mut Walk, act: &dyn Fn(&mut Walk)| {
                let start = processor_time();
                act(walk);
                let time = processor_time() - start;
                n_of_plan += 1;
                n_over += usize::from(time > LIMIT);
                if time > longest.min(LIMIT) {
                    longest = time.max(longest);
                    println!("{:.0} ms: {name}", time.as_secs_f64() * 1e3);
                }
            };
            step(&mut walk, &|walk| walk.begin(person.columns, 0));
            while let Stage::Asking { .. } = walk.stage() {
                let declines = below(&mut random, 10) == 0;
                step(&mut walk, &|walk| if declines { walk.decline() } else { walk.reveal(person.columns) });
            }
        }
        n_steps += n_of_plan;
    }
    println!(
        "{n_steps} steps under {n_plans} plans: longest {:.0} ms, {n_over} over {LIMIT:?}",
        longest.as_secs_f64() * 1e3
    );
}
