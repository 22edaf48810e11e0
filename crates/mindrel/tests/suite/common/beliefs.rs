//! Random beliefs of every kind.

use super::*;
use mindrel::belief::{BayesianBelief, BayesianLayer, Belief, CopulaBelief, Marginal, Normals, Regressor, Regressors};
use mindrel::math::normal as standard_normal;

/// What kind of belief to make.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Beliefs {
    Gaussian,
    /// One Bayesian network for all sets.
    Amortised,
    /// One for each.
    PerSet,
    Copula,
}

pub fn beliefs() -> impl Strategy<Value = Beliefs> {
    prop_oneof![
        4 => Just(Beliefs::Gaussian),
        1 => Just(Beliefs::Amortised),
        1 => Just(Beliefs::PerSet),
        2 => Just(Beliefs::Copula),
    ]
}

impl Beliefs {
    /// A belief of this kind about the people of a sample; Bayesian networks have random weights.
    pub fn build(self, schema: &Schema, sample: &[Vec<f64>], random: &mut Pcg64Mcg) -> Belief {
        match self {
            Beliefs::Gaussian => moments(sample).into(),
            Beliefs::Copula => copula(schema, sample, random).into(),
            Beliefs::Amortised | Beliefs::PerSet => bayesian(self, schema, sample, random).into(),
        }
    }
}

/// The sample's own margins, and a random correlation.
fn copula(schema: &Schema, sample: &[Vec<f64>], random: &mut Pcg64Mcg) -> CopulaBelief {
    let margins: Vec<Marginal> = schema
        .ids()
        .map(|id| {
            let answers = sample.iter().map(|person| &person[schema.columns(id)]);
            match &schema.question(id).kind {
                Kind::Category { levels, encoding } => levels_margin(*encoding, levels.len(), answers, random),
                _ if columns_of_one(schema, id) => number_margin(answers.map(|answer| answer[0]).collect()),
                _ => number_or_missing_margin(answers),
            }
        })
        .collect();
    CopulaBelief::new(margins, random_correlation(schema.questions().len(), random)).expect("a sound copula")
}

/// The steps of the values' distribution.
pub fn number_margin(mut sorted: Vec<f64>) -> Marginal {
    sorted.sort_by(f64::total_cmp);
    let score = |rank: usize| normal_score(rank as f64 / sorted.len() as f64);
    let steps = sorted.chunk_by(|left, right| left == right).scan(0, |rank, run| {
        let start = *rank;
        *rank += run.len();
        Some([(score(start), run[0]), (score(*rank), run[0])])
    });
    let (scores, values) = steps.flatten().unzip();
    Marginal::Number { scores, values, missing_below: None }
}

/// The same of a number that may be missing.
fn number_or_missing_margin<'a>(answers: impl Iterator<Item = &'a [f64]>) -> Marginal {
    // Missing is a step below all others first.
    let firsts: Vec<f64> = answers.map(|answer| if answer == MISSING { -2.0 } else { answer[0] }).collect();
    let Marginal::Number { scores, values, .. } = number_margin(firsts) else { unreachable!("a margin of a number") };
    let numbers: Vec<(f64, f64)> = scores.iter().copied().zip(values).filter(|(_, value)| *value > -2.0).collect();
    let missing_below = numbers.first().map_or(4.0, |(score, _)| *score);
    let numbers = if numbers.is_empty() { vec![(4.0, 0.0)] } else { numbers };
    let (scores, values) = numbers.into_iter().unzip();
    Marginal::Number { scores, values, missing_below: Some(missing_below) }
}

fn columns_of_one(schema: &Schema, id: QuestionId) -> bool {
    schema.columns(id).len() == 1
}

/// The levels in a random order, as wide as they are frequent.
fn levels_margin<'a>(
    encoding: Encoding,
    n_levels: usize,
    answers: impl Iterator<Item = &'a [f64]>,
    random: &mut Pcg64Mcg,
) -> Marginal {
    let mut counts = vec![0usize; n_levels];
    let mut n_answers = 0;
    for answer in answers {
        counts[encoding.level_of(n_levels, answer)] += 1;
        n_answers += 1;
    }
    let order = shuffled(n_levels, random);
    let thresholds = order[1..].iter().enumerate().map(|(place, _)| {
        let below: usize = order[..=place].iter().map(|&level| counts[level]).sum();
        normal_score(below as f64 / f64::from(n_answers))
    });
    Marginal::Levels { encoding, thresholds: thresholds.collect(), order }
}

fn normal_score(share: f64) -> f64 {
    standard_normal::quantile(share).clamp(-4.0, 4.0)
}

/// A random correlation whose smallest eigenvalue is well above zero.
pub fn random_correlation(size: usize, random: &mut Pcg64Mcg) -> GaussianBelief {
    let root = DMatrix::from_fn(size, size, |_, _| normal(random));
    let covariance = &root * root.transpose() + DMatrix::identity(size, size) * 0.1;
    let scale: Vec<f64> = (0..size).map(|place| covariance[(place, place)].sqrt()).collect();
    let entry = |place: usize| covariance[(place / size, place % size)] / (scale[place / size] * scale[place % size]);
    GaussianBelief::new(vec![0.0; size], (0..size * size).map(entry).collect()).expect("a correlation")
}

fn bayesian(kind: Beliefs, schema: &Schema, sample: &[Vec<f64>], random: &mut Pcg64Mcg) -> BayesianBelief {
    let whole = moments(sample);
    let scale: Vec<f64> = (0..schema.n_columns())
        .map(|column| whole.covariance().at(column, column).sqrt())
        .map(|deviation| if deviation > 0.0 { deviation } else { 1.0 })
        .collect();
    let width = |id: &QuestionId| schema.columns(*id).len();
    let sensitive: Vec<QuestionId> = schema.ids_with(Visibility::Sensitive).collect();
    let n_sensitive: usize = sensitive.iter().map(width).sum();
    let n_public = schema.n_columns() - n_sensitive;
    let regressors = if kind == Beliefs::Amortised {
        let one = regressor(schema.n_columns() + sensitive.len(), n_sensitive.max(1), random);
        Regressors::Amortised(Box::new(one))
    } else {
        let for_set = |set: usize| {
            let known = sensitive.iter().enumerate().filter(|(place, _)| set >> place & 1 == 1);
            let n_known: usize = known.map(|(_, id)| width(id)).sum();
            regressor(n_public + n_known, n_sensitive - n_known, random)
        };
        Regressors::PerSet((0..(1 << sensitive.len()) - 1).map(for_set).collect())
    };
    BayesianBelief::new(whole.mean().to_vec(), scale, regressors).expect("a sound belief")
}

/// A network of three hidden units with random weights.
pub fn regressor(n_inputs: usize, n_targets: usize, random: &mut Pcg64Mcg) -> Regressor {
    const HIDDEN: usize = 3;
    let mut normals = |count: usize| Normals {
        means: (0..count).map(|_| 0.5 * normal(random)).collect(),
        deviations: (0..count).map(|_| 0.3 * unit(random)).collect(),
    };
    let hidden = BayesianLayer::new(n_inputs, normals(HIDDEN * n_inputs), normals(HIDDEN));
    let output = BayesianLayer::new(HIDDEN, normals(2 * n_targets * HIDDEN), normals(2 * n_targets));
    let root = DMatrix::from_fn(n_targets, n_targets, |_, _| 0.5 * normal(random));
    let residual = (&root * root.transpose() + DMatrix::identity(n_targets, n_targets) * 0.1).as_slice().to_vec();
    Regressor::new(hidden.expect("sound"), output.expect("sound"), residual).expect("a sound regressor")
}
