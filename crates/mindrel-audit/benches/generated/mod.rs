//! Generated people and plans about them, for benches.

use mindrel::belief::Belief;
use mindrel::model::{Classifier, LinearModel};
use mindrel::schema::{Question, Target};
use mindrel::{People, Plan, Rules, Schema};
use mindrel_train::{Believer, EncodedRows, fit_belief};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;

pub const COLUMNS: usize = 40;
pub const SENSITIVE: usize = 15;
pub const PEOPLE: usize = 2_000;

/// People whose columns share five hidden causes, so that some tell about others.
pub fn people(random: &mut Pcg64Mcg) -> People {
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

/// A linear model with random weights, and a belief fitted to the people.
pub fn plan(people: &People, believer: &Believer, random: &mut Pcg64Mcg) -> Plan {
    let mut normal = || -> f64 { StandardNormal.sample(random) };
    let weights: Vec<f64> = (0..COLUMNS).map(|_| normal()).collect();
    let intercept = normal();
    let questions = (0..COLUMNS).map(|column| {
        let question = Question::number(format!("column {column}"), -1.0, 1.0);
        if column < SENSITIVE { question } else { question.public() }
    });
    let target = Target::new("label", "", ["no", "yes"]);
    let schema = Schema::new(target, questions.collect()).expect("the questions are sound");
    let model = LinearModel::new(COLUMNS, weights, vec![intercept]).expect("the weights are finite");
    let rows = EncodedRows::new(people.columns().to_vec(), COLUMNS).expect("the rows are finite");
    let model: Classifier = model.into();
    let belief: Belief =
        fit_belief(&schema, &rows, &model, believer, &mut |_| ()).expect("the rows can be learned from");
    Plan::new(schema, model, belief, Rules::default()).expect("the parts fit")
}
