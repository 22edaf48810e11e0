//! ReLU networks: gradients, probabilities, proofs, questions, and numbers at the edge.

mod budget_and_time;
mod finite_domains;
mod gradients;
mod numbers_at_the_edge;
mod probabilities;
mod selectors;
mod smallest_core_set;
mod unplanned_answers;

use std::time::Duration;

use crate::common::*;
use mindrel::Label;
use mindrel::belief::GaussianBelief;
use mindrel::core_test::{Budget, Estimate, Guarantee, Test, TimeLimit};
use mindrel::math::normal::{entropy, quantile};
use mindrel::model::{Classifier, Layer, Model, ModelError, Network};
use mindrel::optimal::{Oracle, proves, smallest_core_set};
use mindrel::optimal::{Verdict, certify};
use mindrel::plan::{Plan, PlanError, PlanParts, Rules};
use mindrel::schema::{Answer, Kind, Question, QuestionId, Schema};
use mindrel::selector::Selector;
use mindrel::session::{Stage, Walk};
use proptest::prelude::*;
use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// Work enough for every proof here: the finite domains have at most `MOST_PEOPLE` points, and no region of them is
/// looked at twice.
const GENEROUS: u64 = 100_000_000_000;

/// Points of a domain that are enumerated.
const MOST_PEOPLE: usize = 4096;

/// People a settled label is tried on, where there are too many to try all.
const TRIED: usize = 100;

/// The selectors a network can follow without a logistic regression's weights.
const SELECTORS: [Selector; 5] =
    [Selector::Decisive, Selector::FScore, Selector::FScoreMc, Selector::Importance, Selector::Random];

fn scores(model: &impl Model, person: &[f64]) -> Vec<f64> {
    let mut scores = vec![0.0; model.n_scores()];
    model.scores(person, &mut scores);
    scores
}

/// The places of the sensitive questions in a set of bits.
fn places(plan: &Plan, set: usize) -> Vec<usize> {
    (0..plan.sensitive().len()).filter(|place| set >> place & 1 == 1).collect()
}

/// Some mixed questions, sensitive ones, the first of several orders.
const MIXED: [Shape; 8] = [
    Shape::Number,
    Shape::OneHot(3),
    Shape::Boolean,
    Shape::Number,
    Shape::Integer,
    Shape::Ordinal(4),
    Shape::OneHot(2),
    Shape::Number,
];

/// A network with questions of mixed kinds, all sensitive.
fn mixed(n_classes: usize, hidden: &[usize], n_questions: usize, seed: u64) -> Recipe {
    let questions = (0..n_questions).map(|place| (MIXED[(place + seed as usize) % MIXED.len()], false)).collect();
    Recipe { hidden: Some(hidden.to_vec()), questions, ..numbers(n_classes, 0, seed) }
}

/// A network's last biases moved so that it has given scores at a person.
fn with_scores_at(network: &Network, person: &[f64], wanted: &[f64]) -> Network {
    let mut layers = network.layers().to_vec();
    let last = layers.pop().expect("a network has layers");
    let weights: Vec<f64> = (0..last.n_units()).flat_map(|unit| last.weights(unit).to_vec()).collect();
    let now = scores(network, person);
    let biases = last.biases().iter().zip(&now).zip(wanted).map(|((bias, now), wanted)| bias + wanted - now);
    layers.push(Layer::new(last.n_inputs(), weights, biases.collect()).unwrap());
    Network::new(layers).unwrap()
}

/// A network over some numbers and a belief that lies well inside their domain: what no draw leaves, nothing brings
/// back in.
struct Inside {
    network: Network,
    mean: Vec<f64>,
    covariance: Vec<f64>,
}

impl Inside {
    fn new(n_classes: usize, hidden: &[usize], n_numbers: usize, seed: u64) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let n_scores = if n_classes == 2 { 1 } else { n_classes };
        let network = network(Weights::Normal, n_numbers, hidden, n_scores, &mut random);
        let mean = (0..n_numbers).map(|_| 0.4 * unit(&mut random) - 0.2).collect();
        let root: Vec<Vec<f64>> =
            (0..n_numbers).map(|_| (0..n_numbers).map(|_| normal(&mut random)).collect()).collect();
        // Standard deviations of about 0.15: the ends of the domain are five of them away.
        let scale = 0.15 * 0.15 / n_numbers as f64;
        let dot = |left: &[f64], right: &[f64]| left.iter().zip(right).map(|(left, right)| left * right).sum::<f64>();
        let covariance = root.iter().flat_map(|row| root.iter().map(move |column| scale * dot(row, column)));
        Inside { network, mean, covariance: covariance.collect() }
    }

    /// How far one score is spread under the belief, were the network linear.
    fn deviation(&self, score: usize) -> f64 {
        let mut combination = vec![0.0; self.network.n_scores()];
        combination[score] = 1.0;
        let mut gradient = vec![0.0; self.mean.len()];
        self.network.gradient(&self.mean, &combination, &mut gradient);
        let rows = self.covariance.chunks(self.mean.len()).zip(&gradient);
        let of_row = |row: &[f64]| row.iter().zip(&gradient).map(|(entry, slope)| entry * slope).sum::<f64>();
        rows.map(|(row, slope)| slope * of_row(row)).sum::<f64>().sqrt()
    }

    /// The belief drawn together by a factor around its mean, and scores there so close to each other that the label
    /// stays as unsure.
    fn plan(&self, factor: f64) -> Plan {
        let spread = factor * (0..self.network.n_scores()).map(|score| self.deviation(score)).fold(0.0, f64::max);
        let wanted: Vec<f64> =
            [0.5, 0.2, -0.3, 0.0][..self.network.n_scores()].iter().map(|gap| gap * spread).collect();
        let network = with_scores_at(&self.network, &self.mean, &wanted);
        let covariance = self.covariance.iter().map(|entry| factor * factor * entry).collect();
        let belief = GaussianBelief::new(self.mean.clone(), covariance).unwrap();
        let questions = (0..self.mean.len()).map(|place| Question::number(format!("x{place}"), -1.0, 1.0)).collect();
        let n_classes = network.n_scores().max(2);
        let schema = Schema::new(target(n_classes), questions).unwrap();
        Plan::new(schema, network, belief, Rules::default()).unwrap()
    }
}

/// The probability of the likeliest label before anything is asked.
fn outlook(plan: &Plan, estimate: Estimate) -> (Label, f64) {
    let plan = plan.with_rules(Rules { delta: 0.25, estimate, ..*plan.rules() }).unwrap();
    begun(&plan, &vec![0.0; plan.schema().n_columns()], 0).outlook()
}

/// A plan for a network over some questions, with the moments of random people for a belief.
fn plan_of(questions: Vec<Question>, network: Network) -> Plan {
    let n_classes = network.n_scores().max(2);
    let schema = Schema::new(target(n_classes), questions).unwrap();
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let person = |_| encode(&schema, &random_answers(&schema, Weights::Normal, &mut random));
    let belief = moments(&(0..30).map(person).collect::<Vec<_>>());
    Plan::new(schema, network, belief, Rules::default()).unwrap()
}

/// A linear model and the same as a network without hidden layers, asked for the same answers.
fn linear_twins(recipe: &Recipe) -> (Plan, Plan) {
    let case = Recipe { weights: Weights::Normal, ..recipe.clone() }.build();
    let model = linear(&case.plan);
    let weights = (0..model.n_scores()).flat_map(|score| model.weights(score).to_vec()).collect();
    let biases = (0..model.n_scores()).map(|score| model.intercept(score)).collect();
    let network = Network::new(vec![Layer::new(model.n_columns(), weights, biases).unwrap()]).unwrap();
    let parts = PlanParts { model: network.into(), ..case.plan.to_parts() };
    (case.plan, Plan::try_from(parts).unwrap())
}

/// A person whose numbers lie outside their domains, as answers can: whole where whole ones are asked for. A level is
/// one of the levels.
fn outside(case: &mut Case) -> Vec<f64> {
    let mut answers = case.answers();
    let questions = case.plan.schema().questions();
    for (answer, question) in answers.iter_mut().zip(questions) {
        match (answer, &question.kind) {
            (Answer::Number(value), Kind::Number { lower, upper, .. }) => *value += upper - lower,
            (Answer::Number(value), Kind::Integer { lower, upper, .. }) => *value -= upper - lower + 2.0,
            _ => {}
        }
    }
    encode(case.plan.schema(), &answers)
}
