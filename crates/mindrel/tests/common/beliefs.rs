//! Random beliefs of every kind.

use super::*;
use mindrel::belief::{BayesianBelief, BayesianLayer, Belief, MixtureBelief, Normals, Regressor, Regressors};

/// What kind of belief to make.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Beliefs {
    Gaussian,
    /// Of so many components.
    Mixture(usize),
    /// One Bayesian network for all sets.
    Amortised,
    /// One for each.
    PerSet,
}

pub fn beliefs() -> impl Strategy<Value = Beliefs> {
    prop_oneof![
        4 => Just(Beliefs::Gaussian),
        2 => (1usize..=4).prop_map(Beliefs::Mixture),
        1 => Just(Beliefs::Amortised),
        1 => Just(Beliefs::PerSet),
    ]
}

impl Beliefs {
    /// A belief of this kind about the people of a sample; Bayesian networks have random weights.
    pub fn build(self, schema: &Schema, sample: &[Vec<f64>], random: &mut Pcg64Mcg) -> Belief {
        match self {
            Beliefs::Gaussian => moments(sample).into(),
            Beliefs::Mixture(n_components) => mixture(sample, n_components, random).into(),
            Beliefs::Amortised | Beliefs::PerSet => bayesian(self, schema, sample, random).into(),
        }
    }
}

/// Every component has the moments of everybody, moved and shrunk: all of them have the same null space, as fitted ones have.
fn mixture(sample: &[Vec<f64>], n_components: usize, random: &mut Pcg64Mcg) -> MixtureBelief {
    let whole = moments(sample);
    let shares: Vec<f64> = (0..n_components).map(|_| 0.1 + unit(random)).collect();
    let total: f64 = shares.iter().sum();
    let component = |share: &f64| {
        // Somebody the whole can imagine: between the mean and one of the sample.
        let towards = &sample[below(random, sample.len())];
        let mean = whole.mean().iter().zip(towards).map(|(mean, other)| f64::midpoint(*mean, *other)).collect();
        let scale = 0.1 + unit(random);
        let covariance = whole.covariance().entries().iter().map(|entry| entry * scale).collect();
        (share / total, GaussianBelief::new(mean, covariance).expect("a scaled covariance is one"))
    };
    MixtureBelief::new(shares.iter().map(component).collect()).expect("a sound mixture")
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
