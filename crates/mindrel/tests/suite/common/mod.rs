//! What the law tests share: random plans and people here; how they are walked and what is true of them beside.

mod beliefs;
mod compositions;
mod everybody;
mod gaussian;
mod trees;
mod truth;
mod walks;

pub use beliefs::*;
pub use compositions::*;
pub use everybody::*;
pub use gaussian::*;
pub use trees::*;
pub use truth::*;
pub use walks::*;

use mindrel::belief::GaussianBelief;
use mindrel::core_test::Estimate;
use mindrel::model::{Classifier, Layer, LinearModel, Model, Network, n_classes};
use mindrel::plan::{Plan, PlanParts, Rules};
use mindrel::schema::{
    Answer, Domain, Encoding, Kind, MissingNumber, Question, QuestionId, Schema, Target, Visibility,
};
use mindrel::selector::Selector;
use mindrel::session::{Answers, Next, Stage, Status, Walk};
use mindrel::{Label, Session};
use nalgebra::{DMatrix, DVector};
use num_bigint::BigInt;
use num_rational::Ratio;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use rand_core::{Rng, SeedableRng};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;

/// So many random cases, or as many as `PROPTEST_CASES` says; what fails is recorded beside the test file.
pub fn cases(count: u32) -> ProptestConfig {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    ProptestConfig {
        cases: wanted.unwrap_or(count),
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))),
        ..ProptestConfig::default()
    }
}

/// What kind of question to make.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    Number,
    Integer,
    /// A number that may be missing.
    NumberOrMissing,
    /// A whole number that may be missing.
    IntegerOrMissing,
    Boolean,
    OneHot(usize),
    Ordinal(usize),
}

/// How the weights of the model are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Weights {
    /// Standard normal.
    Normal,
    /// Quarters from −2 to 2, with answers on dyadic points too: sums are exact, so ties and zeros occur.
    Dyadic,
    /// Normal, half of them zero.
    Sparse,
    /// One of two sizes, with a sign: many questions weigh the same.
    Tied,
    /// Normal, each times its own power of ten from 10⁻⁹ to 10⁹.
    Mixed,
    /// Normal times 10⁻¹⁵⁰.
    Tiny,
    /// Normal times 10¹⁵⁰.
    Huge,
}

/// All that a random plan is made from; what proptest shows and shrinks.
#[derive(Debug, Clone)]
pub struct Recipe {
    pub n_classes: usize,
    /// The widths of a network's hidden layers; nothing for a linear model.
    pub hidden: Option<Vec<usize>>,
    /// An ensemble of trees in place of either.
    pub trees: Option<Trees>,
    /// A composition in place of all of these.
    pub composed: Option<Composed>,
    /// The shape of each question, and whether it is public.
    pub questions: Vec<(Shape, bool)>,
    pub weights: Weights,
    pub belief: Beliefs,
    /// How many people the belief's moments are taken from.
    pub sample: usize,
    pub seed: u64,
}

/// A random plan, with random people to come.
#[derive(Debug)]
pub struct Case {
    pub plan: Plan,
    pub sample: Vec<Vec<f64>>,
    pub weights: Weights,
    random: Pcg64Mcg,
}

pub fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        3 => Just(Shape::Number),
        1 => Just(Shape::Integer),
        2 => Just(Shape::NumberOrMissing),
        1 => Just(Shape::IntegerOrMissing),
        1 => Just(Shape::Boolean),
        2 => (2usize..=4).prop_map(Shape::OneHot),
        1 => (2usize..=5).prop_map(Shape::Ordinal),
    ]
}

pub fn weights() -> impl Strategy<Value = Weights> {
    prop_oneof![
        3 => Just(Weights::Normal),
        4 => Just(Weights::Dyadic),
        1 => Just(Weights::Sparse),
        1 => Just(Weights::Tied),
        1 => Just(Weights::Mixed),
        1 => Just(Weights::Tiny),
        1 => Just(Weights::Huge),
    ]
}

/// Any plan with some numbers of classes and of questions; about a quarter of the questions are public.
pub fn recipe(
    classes: std::ops::RangeInclusive<usize>,
    questions: std::ops::RangeInclusive<usize>,
) -> impl Strategy<Value = Recipe> {
    let public = prop::bool::weighted(0.25);
    (classes, prop::collection::vec((shape(), public), questions), weights(), 5usize..60, any::<u64>()).prop_map(
        |(n_classes, questions, weights, sample, seed)| Recipe {
            n_classes,
            hidden: None,
            trees: None,
            composed: None,
            questions,
            weights,
            belief: Beliefs::Gaussian,
            sample,
            seed,
        },
    )
}

/// Any network plan: up to three hidden layers of 1 to 8 units.
pub fn network_recipe(
    classes: std::ops::RangeInclusive<usize>,
    questions: std::ops::RangeInclusive<usize>,
) -> impl Strategy<Value = Recipe> {
    (recipe(classes, questions), prop::collection::vec(1usize..=8, 0..=3))
        .prop_map(|(recipe, hidden)| Recipe { hidden: Some(hidden), ..recipe })
}

/// Any plan of any family of models whose decisions can be proved, and with any belief: one in five is linear, one in
/// five a tree ensemble, one in five a composition, half have a Gaussian belief.
pub fn any_recipe(
    classes: std::ops::RangeInclusive<usize>,
    questions: std::ops::RangeInclusive<usize>,
) -> impl Strategy<Value = Recipe> {
    let of_families = (trees(), composed());
    (network_recipe(classes, questions), 0usize..5, of_families, beliefs()).prop_map(
        |(recipe, family, (trees, composed), belief)| {
            let (hidden, trees, composed) = match family {
                0 => (None, None, None),
                1 => (None, Some(trees), None),
                2 => (None, None, Some(composed)),
                _ => (recipe.hidden, None, None),
            };
            Recipe { hidden, trees, composed, belief, ..recipe }
        },
    )
}

/// A recipe for a plan of numbers alone, all sensitive, with normal weights.
pub fn numbers(n_classes: usize, n_questions: usize, seed: u64) -> Recipe {
    Recipe {
        n_classes,
        hidden: None,
        trees: None,
        composed: None,
        questions: vec![(Shape::Number, false); n_questions],
        weights: Weights::Normal,
        belief: Beliefs::Gaussian,
        sample: 40,
        seed,
    }
}

pub fn selector() -> impl Strategy<Value = Selector> {
    prop::sample::select(Selector::ALL.to_vec())
}

/// The selector, or `decisive` where entropies of five and more classes would take a second for each question: they are
/// orthant probabilities on a lattice.
pub fn affordable(selector: Selector, n_classes: usize) -> Selector {
    match selector {
        Selector::FScore | Selector::FScoreMc if n_classes > 4 => Selector::Decisive,
        other => other,
    }
}

/// Rules with few draws, so that the Monte Carlo selector does not slow everything down.
pub fn rules(delta: f64, selector: Selector) -> Rules {
    Rules { delta, selector, draws: 8, seed: 5, ..Rules::default() }
}

impl Recipe {
    /// The plan under the default rules.
    pub fn build(&self) -> Case {
        let mut random = Pcg64Mcg::seed_from_u64(self.seed);
        let questions: Vec<Question> = self
            .questions
            .iter()
            .enumerate()
            .map(|(place, &(shape, public))| {
                let dyadic = self.weights == Weights::Dyadic;
                question(place, if dyadic { dyadic_shape(shape) } else { shape }, public, &mut random)
            })
            .collect();
        let schema = Schema::new(target(self.n_classes), questions).expect("a sound schema");
        let model = match (&self.trees, &self.composed) {
            (Some(trees), _) => trees.build(&schema, self.n_classes, &mut random).into(),
            (None, Some(composed)) => composed.build(self.weights, &schema, self.n_classes, &mut random).into(),
            (None, None) => self.model(schema.n_columns(), &mut random),
        };
        let sample: Vec<Vec<f64>> = (0..self.sample)
            .map(|_| {
                let answers = random_answers(&schema, self.weights, &mut random);
                encode(&schema, &answers)
            })
            .collect();
        let logistic_weights =
            (!self.is_linear()).then(|| schema.questions().iter().map(|_| unit(&mut random)).collect());
        let (belief, rules) = (self.belief.build(&schema, &sample, &mut random), Rules::default());
        let parts = PlanParts { schema, model, belief, rules, logistic_weights, training: None, calibration: None };
        Case { plan: Plan::try_from(parts).expect("a sound plan"), sample, weights: self.weights, random }
    }

    fn model(&self, n_columns: usize, random: &mut Pcg64Mcg) -> Classifier {
        let n_scores = if self.n_classes == 2 { 1 } else { self.n_classes };
        let Some(hidden) = &self.hidden else {
            let mut draw = |count: usize| (0..count).map(|_| weight(self.weights, random)).collect();
            let (weights, intercepts) = (draw(n_scores * n_columns), draw(n_scores));
            return LinearModel::new(n_columns, weights, intercepts).expect("finite weights").into();
        };
        network(self.weights, n_columns, hidden, n_scores, random).into()
    }

    /// Whether the model is linear.
    pub fn is_linear(&self) -> bool {
        self.hidden.is_none() && self.trees.is_none() && self.composed.is_none()
    }

    /// An estimate, or the one by draws where the model has no gradients.
    pub fn estimate(&self, estimate: Estimate) -> Estimate {
        if self.trees.is_some() || self.composed.is_some() { Estimate::Qmc } else { estimate }
    }

    /// Whether every pure test of these plans ends with a verdict: no scores that are equal, or closer than their own
    /// rounding error.
    pub fn is_definite(&self) -> bool {
        (self.hidden.is_none() && self.composed.is_none())
            || self.trees.is_some()
            || (self.composed.is_none() && matches!(self.weights, Weights::Normal | Weights::Tiny | Weights::Huge))
    }
}

/// A random network. Tiny and huge ones are normal ones whose scores are multiplied as a whole, in equal shares by
/// every layer.
pub fn network(
    weights: Weights,
    n_columns: usize,
    hidden: &[usize],
    n_scores: usize,
    random: &mut Pcg64Mcg,
) -> Network {
    let n_layers = hidden.len() + 1;
    let (kind, share) = match weights {
        Weights::Tiny => (Weights::Normal, 10f64.powf(-150.0 / n_layers as f64)),
        Weights::Huge => (Weights::Normal, 10f64.powf(50.0 / n_layers as f64)),
        other => (other, 1.0),
    };
    let mut n_inputs = n_columns;
    let mut layers = Vec::new();
    for (place, &n_units) in hidden.iter().chain([&n_scores]).enumerate() {
        let mut draw = |count: usize, factor: f64| (0..count).map(|_| factor * weight(kind, random)).collect();
        let (weights, biases) = (draw(n_units * n_inputs, share), draw(n_units, share.powi(place as i32 + 1)));
        layers.push(Layer::new(n_inputs, weights, biases).expect("finite weights"));
        n_inputs = n_units;
    }
    Network::new(layers).expect("layers that fit together")
}

impl Case {
    /// The same plan under other rules.
    pub fn with(&self, rules: Rules) -> Plan {
        self.plan.with_rules(rules).expect("sound rules")
    }

    /// The same case, whose questions take answers outside their domains.
    pub fn accepting_outside(mut self) -> Self {
        let parts = self.plan.to_parts();
        let questions = parts.schema.questions().iter().cloned().map(Question::accepting_outside).collect();
        let schema = Schema::new(parts.schema.target().clone(), questions).expect("nothing else changed");
        self.plan = Plan::try_from(PlanParts { schema, ..parts }).expect("nothing else changed");
        self
    }

    /// Answers of a random person inside the domain.
    pub fn answers(&mut self) -> Vec<Answer> {
        random_answers(self.plan.schema(), self.weights, &mut self.random)
    }

    /// A random encoded person inside the domain.
    pub fn person(&mut self) -> Vec<f64> {
        let answers = self.answers();
        encode(self.plan.schema(), &answers)
    }

    /// A random point in the convex hull of the people the belief was taken from: inside the support of the belief.
    pub fn believed_person(&mut self) -> Vec<f64> {
        let shares: Vec<f64> = (0..3).map(|_| unit(&mut self.random) + 0.01).collect();
        let total: f64 = shares.iter().sum();
        let mut person = vec![0.0; self.plan.schema().n_columns()];
        for share in shares {
            let other = &self.sample[below(&mut self.random, self.sample.len())];
            for (value, own) in person.iter_mut().zip(other) {
                *value += share / total * own;
            }
        }
        person
    }

    /// Somebody who agrees with a person in everything known, and is anybody within the domain otherwise.
    pub fn anybody(&mut self, person: &[f64], known: &[bool]) -> Vec<f64> {
        anybody(self.plan.schema(), person, known, &mut self.random)
    }

    /// Somebody with another label among so many who agree with a person in everything known.
    pub fn contradiction(&mut self, person: &[f64], known: &[bool], label: Label, count: usize) -> Option<Vec<f64>> {
        (0..count).find_map(|_| {
            let other = self.anybody(person, known);
            (self.plan.model().label(&other) != label).then_some(other)
        })
    }

    pub fn random(&mut self) -> &mut Pcg64Mcg {
        &mut self.random
    }
}

/// A number from 0 to 1.
pub fn unit(random: &mut impl Rng) -> f64 {
    (random.next_u64() >> 11) as f64 * (-53f64).exp2()
}

/// A whole number below another.
pub fn below(random: &mut impl Rng, limit: usize) -> usize {
    ((u128::from(random.next_u64()) * limit as u128) >> 64) as usize
}

pub fn normal(random: &mut impl Rng) -> f64 {
    StandardNormal.sample(random)
}

/// The places 0, 1, … in a random order.
pub fn shuffled(count: usize, random: &mut impl Rng) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        places.swap(last, below(random, last + 1));
    }
    places
}

pub fn target(n_classes: usize) -> Target {
    Target::new("class", "Which class?", (0..n_classes).map(|class| format!("class {class}")))
}

/// A shape whose encoded answers are dyadic: an ordinal of four levels would have thirds.
fn dyadic_shape(shape: Shape) -> Shape {
    match shape {
        Shape::Ordinal(4) => Shape::Ordinal(3),
        Shape::Integer => Shape::Ordinal(5),
        other => other,
    }
}

fn question(place: usize, shape: Shape, public: bool, random: &mut Pcg64Mcg) -> Question {
    let levels = |count: usize| (0..count).map(|level| format!("level {level}")).collect();
    let missing = matches!(shape, Shape::NumberOrMissing | Shape::IntegerOrMissing).then_some(MissingNumber::Answer);
    let kind = match shape {
        Shape::Number | Shape::NumberOrMissing => {
            let (lower, upper) = [(-1.0, 1.0), (0.0, 8.0), (-2.0, 2.0)][below(random, 3)];
            Kind::Number { lower, upper, missing }
        }
        // As many values as make dyadic steps.
        Shape::IntegerOrMissing => {
            let (lower, upper) = [(0.0, 4.0), (1.0, 9.0)][below(random, 2)];
            Kind::Integer { lower, upper, missing }
        }
        Shape::Integer => {
            let (lower, upper) = [(0.0, 4.0), (1.0, 9.0), (18.0, 25.0)][below(random, 3)];
            Kind::Integer { lower, upper, missing }
        }
        Shape::Boolean => Kind::Boolean,
        Shape::OneHot(count) => Kind::Category { levels: levels(count), encoding: Encoding::Onehot },
        Shape::Ordinal(count) => Kind::Category { levels: levels(count), encoding: Encoding::Ordinal },
    };
    let visibility = if public { Visibility::Public } else { Visibility::Sensitive };
    Question::new(format!("question {place}"), visibility, kind)
}

pub fn weight(weights: Weights, random: &mut Pcg64Mcg) -> f64 {
    match weights {
        Weights::Normal => normal(random),
        Weights::Dyadic => (below(random, 17) as f64 - 8.0) / 4.0,
        Weights::Sparse => normal(random) * below(random, 2) as f64,
        Weights::Tied => [-1.5, -0.5, 0.5, 1.5][below(random, 4)],
        Weights::Mixed => normal(random) * 10f64.powi(below(random, 19) as i32 - 9),
        Weights::Tiny => normal(random) * 1e-150,
        Weights::Huge => normal(random) * 1e50,
    }
}

/// One answer to each question, inside its domain.
pub fn random_answers(schema: &Schema, weights: Weights, random: &mut Pcg64Mcg) -> Vec<Answer> {
    let answers = schema.questions().iter().map(|question| match &question.kind {
        Kind::Number { missing: Some(MissingNumber::Answer), .. }
        | Kind::Integer { missing: Some(MissingNumber::Answer), .. }
            if below(random, 3) == 0 =>
        {
            Answer::Missing
        }
        Kind::Number { lower, upper, .. } => {
            let share = if weights == Weights::Dyadic { below(random, 9) as f64 / 8.0 } else { unit(random) };
            Answer::Number(lower + share * (upper - lower))
        }
        Kind::Integer { lower, upper, .. } => {
            Answer::Number(lower + below(random, (upper - lower) as usize + 1) as f64)
        }
        Kind::Boolean => Answer::Boolean(below(random, 2) == 1),
        Kind::Category { levels, .. } => Answer::Level(below(random, levels.len())),
    });
    answers.collect()
}

pub fn encode(schema: &Schema, answers: &[Answer]) -> Vec<f64> {
    let mut person = vec![0.0; schema.n_columns()];
    for (id, answer) in schema.ids().zip(answers) {
        schema.encode(id, answer, &mut person).expect("an answer of the question's kind");
    }
    person
}

/// The mean and the covariance of some encoded people.
pub fn moments(people: &[Vec<f64>]) -> GaussianBelief {
    let (count, size) = (people.len() as f64, people[0].len());
    let mut mean = vec![0.0; size];
    for person in people {
        for (mean, value) in mean.iter_mut().zip(person) {
            *mean += value / count;
        }
    }
    let mut covariance = vec![0.0; size * size];
    for person in people {
        for row in 0..size {
            for column in 0..size {
                covariance[row * size + column] += (person[row] - mean[row]) * (person[column] - mean[column]) / count;
            }
        }
    }
    GaussianBelief::new(mean, covariance).expect("moments are those of a distribution")
}
