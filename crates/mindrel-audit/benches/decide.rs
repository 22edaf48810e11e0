//! Deciding about one person: our rules next to the paper's Monte Carlo, in one run.
//!
//! Sizes: generated people of 40 numeric columns, 15 of them sensitive, two classes; 2,000 people a pass (20 for the Monte Carlo
//! with T = 100 draws). Data and plans are built outside the loop. Throughput is people per second on one core.
//!
//! Also: reading a plan file of these 40 columns.
//!
//! Run with `cargo bench -p mindrel-audit --bench decide`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mindrel::belief::GaussianBelief;
use mindrel::model::LinearModel;
use mindrel::schema::{Question, Target};
use mindrel::session::Walk;
use mindrel::{People, Plan, Rules, Schema, Selector};
use mindrel_io::plan_file;
use mindrel_train::{TrainingSet, moments};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

const COLUMNS: usize = 40;
const SENSITIVE: usize = 15;
const PEOPLE: usize = 2_000;

/// People whose columns share five hidden causes, so that some tell about others.
fn people(random: &mut Pcg64Mcg) -> People {
    let mut normal = || -> f64 { StandardNormal.sample(random) };
    let loadings: Vec<f64> = (0..COLUMNS * 5).map(|_| normal()).collect();
    let mut people = People::new(COLUMNS);
    for line in 0..PEOPLE {
        let causes: Vec<f64> = (0..5).map(|_| normal()).collect();
        let row = people.push(line as u64);
        for (column, value) in row.iter_mut().enumerate() {
            let shared: f64 = causes.iter().zip(&loadings[column * 5..]).map(|(cause, loading)| cause * loading).sum();
            *value = (0.12 * shared + 0.15 * normal()).clamp(-1.0, 1.0);
        }
    }
    people
}

fn plan(people: &People, random: &mut Pcg64Mcg) -> Plan {
    let mut normal = || -> f64 { StandardNormal.sample(random) };
    let weights: Vec<f64> = (0..COLUMNS).map(|_| normal()).collect();
    let intercept = normal();
    let questions = (0..COLUMNS).map(|column| {
        let question = Question::number(format!("column {column}"), -1.0, 1.0);
        if column < SENSITIVE { question } else { question.public() }
    });
    let target = Target { name: "label".into(), prompt: String::new(), classes: vec!["no".into(), "yes".into()] };
    let schema = Schema::new(target, questions.collect()).expect("the questions are sound");
    let model = LinearModel::new(COLUMNS, weights, vec![intercept]).expect("the weights are finite");
    let labels = (0..people.len()).map(|index| index % 2).collect();
    let set = TrainingSet::new(people.columns().to_vec(), COLUMNS, labels, 2).expect("the rows are finite");
    let moments = moments(&set);
    let belief = GaussianBelief::new(moments.mean, moments.covariance).expect("moments of a sample");
    Plan::new(schema, model, belief, Rules::default()).expect("the parts fit")
}

fn decide(criterion: &mut Criterion) {
    let mut random = Pcg64Mcg::seed_from_u64(2023);
    let people = people(&mut random);
    let plan = plan(&people, &mut random);
    for delta in [0.0, 0.1] {
        let mut group = criterion.benchmark_group(format!("decide/40 columns/15 sensitive/delta {delta}"));
        for selector in Selector::ALL {
            let n_people = if selector == Selector::FScoreMc { 20 } else { PEOPLE };
            let rules = Rules { delta, selector, ..Rules::default() };
            let plan = plan.with_rules(rules).expect("the rules can be followed");
            let mut walk = Walk::new(&plan);
            group.throughput(Throughput::Elements(n_people as u64));
            group.bench_function(selector.name(), |bencher| {
                bencher.iter(|| {
                    for person in people.iter().take(n_people) {
                        black_box(walk.decide(person.columns, person.line));
                    }
                });
            });
        }
        group.finish();
    }
}

fn load(criterion: &mut Criterion) {
    let mut random = Pcg64Mcg::seed_from_u64(2023);
    let people = people(&mut random);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("forty.plan");
    plan_file::write(&path, &plan(&people, &mut random)).expect("the folder can be written to");
    criterion.bench_function("read a plan file/40 columns", |bencher| {
        bencher.iter(|| plan_file::read(black_box(&path)).expect("it was written whole"));
    });
}

criterion_group!(benches, decide, load);
criterion_main!(benches);
