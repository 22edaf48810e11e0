//! What the tests of this crate share: seeded rows and the objective written out from its definition.

use mindrel::model::LinearModel;
use mindrel_train::TrainingSet;
use mindrel_train::logistic::{self, LogisticFit, LogisticOptions};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;

/// Standard normal numbers; the same seed gives the same ones.
pub fn normals(seed: u128, n: usize) -> Vec<f64> {
    let mut generator = Pcg64Mcg::new(seed);
    (0..n).map(|_| StandardNormal.sample(&mut generator)).collect()
}

/// Normal rows whose classes follow noisy linear scores; every class occurs.
pub fn noisy_set(seed: u128, n_rows: usize, n_columns: usize, n_classes: usize) -> TrainingSet {
    let rows = normals(seed, n_rows * n_columns);
    let weights = normals(seed + 1, n_classes * n_columns);
    let noise = normals(seed + 2, n_rows * n_classes);
    let score = |row: usize, class: usize| {
        let columns = (0..n_columns).map(|j| weights[class * n_columns + j] * rows[row * n_columns + j]);
        columns.sum::<f64>() / (n_columns as f64).sqrt() + noise[row * n_classes + class]
    };
    let class = |row: usize| {
        if row < n_classes {
            return row;
        }
        (0..n_classes).fold(0, |best, next| if score(row, next) > score(row, best) { next } else { best })
    };
    let labels = (0..n_rows).map(class).collect();
    TrainingSet::new(rows, n_columns, labels, n_classes).expect("normal numbers are finite and every class occurs")
}

/// The fit with these options, which must reach its optimum.
pub fn fit(set: &TrainingSet, options: &LogisticOptions) -> LogisticFit {
    let fit = logistic::fit(set, options, &mut |_| ()).expect("a model");
    assert_eq!(fit.warning, None);
    fit
}

/// The weights and then the intercepts of a model.
pub fn parameters(model: &LinearModel, n_classes: usize) -> Vec<f64> {
    let n_scores = if n_classes == 2 { 1 } else { n_classes };
    let weights = (0..n_scores).flat_map(|score| model.weights(score).to_vec());
    weights.chain((0..n_scores).map(|score| model.intercept(score))).collect()
}

/// `½ Σ w² + C Σ_i loss_i`, with the binary model written as two scores.
pub fn objective(set: &TrainingSet, model: &LinearModel, inverse_penalty: f64) -> f64 {
    let n_scores = if set.n_classes() == 2 { 1 } else { set.n_classes() };
    let loss = |row: usize| {
        let score = |c: usize| {
            let products = model.weights(c).iter().zip(set.row(row)).map(|(weight, value)| weight * value);
            model.intercept(c) + products.sum::<f64>()
        };
        let mut scores: Vec<f64> = (0..n_scores).map(score).collect();
        if n_scores == 1 {
            scores.insert(0, 0.0);
        }
        let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = scores.iter().map(|score| (score - largest).exp()).sum();
        largest + sum.ln() - scores[set.labels()[row]]
    };
    let squares: f64 = (0..n_scores).flat_map(|c| model.weights(c)).map(|weight| weight * weight).sum();
    0.5 * squares + inverse_penalty * (0..set.n_rows()).map(loss).sum::<f64>()
}

/// The largest difference of two lists of parameters, relative to the largest parameter.
pub fn relative_difference(left: &[f64], right: &[f64]) -> f64 {
    assert_eq!(left.len(), right.len());
    let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let difference = largest(&mut left.iter().zip(right).map(|(a, b)| (a - b).abs()));
    difference / largest(&mut right.iter().map(|value| value.abs()))
}
