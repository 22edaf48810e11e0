//! Features that are linear in the encoded columns, for linear models and the first layer of networks.

use std::ops::Range;

use mindrel::schema::{Domain, Kind};

use super::LowerError;
use super::matching::Matched;
use crate::pipeline::{DenseLayer, Feature, FeatureStep};

/// Levels further from an even spacing than this share of their size are not evenly spaced; rounding is smaller.
const EVEN: f64 = 1e-6;

/// A feature as `constant + Σ_j coefficients_j column_j` over the columns of its question.
struct Effect {
    columns: Range<usize>,
    constant: f64,
    coefficients: Vec<f64>,
    /// Whether its columns are indicators of levels.
    is_category: bool,
}

/// The weights and biases over encoded columns of a layer over features.
///
/// ```text
/// Σ_k w_k f_k = Σ_k w_k a_k + Σ_j (Σ_k w_k c_kj) x_j,    f_k = a_k + Σ_j c_kj x_j
/// ```
pub(super) fn first_layer(matched: &Matched<'_>, layer: &DenseLayer) -> Result<(Vec<f64>, Vec<f64>), LowerError> {
    let n_features = matched.pipeline.features.len();
    if layer.weights.len() != layer.biases.len() || layer.weights.iter().any(|row| row.len() != n_features) {
        return Err(LowerError::malformed("its first weights do not fit its features"));
    }
    let effects =
        matched.pipeline.features.iter().map(|feature| effect(matched, feature)).collect::<Result<Vec<_>, _>>()?;
    let n_columns = matched.schema.n_columns();
    let mut weights = vec![0.0; layer.biases.len() * n_columns];
    let mut biases = layer.biases.clone();
    for ((row, bias), lowered) in layer.weights.iter().zip(&mut biases).zip(weights.chunks_exact_mut(n_columns)) {
        for (weight, effect) in row.iter().zip(&effects) {
            *bias += weight * effect.constant;
            for (place, coefficient) in lowered[effect.columns.clone()].iter_mut().zip(&effect.coefficients) {
                *place += weight * coefficient;
            }
        }
    }
    Ok((weights, biases))
}

/// The weights, squares and intercepts over encoded columns of logarithms of Gaussian likelihoods.
///
/// ```text
/// −(f − m)² / (2 v) = −(d² + 2 d c x + c² x²) / (2 v),   f = a + c x,   d = a − m
/// ```
///
/// The square of an indicator is the indicator itself.
pub(super) fn gaussians(
    matched: &Matched<'_>,
    means: &[Vec<f64>],
    variances: &[Vec<f64>],
    intercepts: &[f64],
) -> Result<QuadraticScores, LowerError> {
    let n_features = matched.pipeline.features.len();
    let fits = |rows: &[Vec<f64>]| rows.len() == intercepts.len() && rows.iter().all(|row| row.len() == n_features);
    if !fits(means) || !fits(variances) {
        return Err(LowerError::malformed("its means and variances do not fit its features"));
    }
    let effects =
        matched.pipeline.features.iter().map(|feature| effect(matched, feature)).collect::<Result<Vec<_>, _>>()?;
    let n_columns = matched.schema.n_columns();
    let mut scores = QuadraticScores {
        weights: vec![vec![0.0; n_columns]; intercepts.len()],
        squares: vec![vec![0.0; n_columns]; intercepts.len()],
        intercepts: intercepts.to_vec(),
    };
    for score in 0..intercepts.len() {
        for (feature, effect) in effects.iter().enumerate() {
            let (mean, half) = (means[score][feature], -1.0 / (2.0 * variances[score][feature]));
            let distance = effect.constant - mean;
            scores.intercepts[score] += half * distance * distance;
            let is_category = effect.is_category;
            if let ([first, second], false) = (&effect.coefficients[..], is_category) {
                // (d + s x)² of a number, with (x/2, x/2) in its columns, and (d + m)² where they are 1 and −1.
                let (slope, missing) = ((first + second) / 2.0, distance + first - second);
                let (linear, square) = (2.0 * distance * slope, 2.0 * slope * slope);
                let step = (missing * missing - distance * distance) / 2.0 - square;
                let column = effect.columns.start;
                scores.weights[score][column] += half * (linear + step);
                scores.weights[score][column + 1] += half * (linear - step);
                scores.squares[score][column] += half * square;
                scores.squares[score][column + 1] += half * square;
                continue;
            }
            for (column, &slope) in effect.columns.clone().zip(&effect.coefficients) {
                let (linear, square) = (half * 2.0 * distance * slope, half * slope * slope);
                scores.weights[score][column] += if is_category { linear + square } else { linear };
                scores.squares[score][column] += if is_category { 0.0 } else { square };
            }
        }
    }
    Ok(scores)
}

/// Scores that are quadratic in the encoded columns.
pub(super) struct QuadraticScores {
    pub weights: Vec<Vec<f64>>,
    pub squares: Vec<Vec<f64>>,
    pub intercepts: Vec<f64>,
}

fn effect(matched: &Matched<'_>, feature: &Feature) -> Result<Effect, LowerError> {
    let (question, columns) = (matched.question(feature), matched.schema.columns(matched.id(feature)));
    let Some(values) = matched.level_values(feature)? else {
        let (constant, slope) = of_number(&question.name, &question.kind, &feature.steps)?;
        let Domain::OrMissing { .. } = question.domain() else {
            return Ok(Effect { columns, constant, coefficients: vec![slope], is_category: false });
        };
        // Both columns are x/2, or 1 and −1 where the number is missing.
        let missing = feature.of_missing();
        if missing.is_nan() {
            return Err(LowerError::MissingLevel { question: question.name.clone() });
        }
        let step = (missing - constant) / 2.0;
        return Ok(Effect { columns, constant, coefficients: vec![slope + step, slope - step], is_category: false });
    };
    if values.iter().any(|value| value.is_nan()) {
        return Err(LowerError::MissingLevel { question: question.name.clone() });
    }
    if let Domain::OneOf { .. } = question.domain() {
        return Ok(Effect { columns, constant: 0.0, coefficients: values, is_category: true });
    }
    let (first, last) = (values[0], values[values.len() - 1]);
    let (middle, half) = (f64::midpoint(first, last), (last - first) / 2.0);
    let spacing = (last - first) / (values.len() - 1) as f64;
    let size = values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let off = |(place, value): (usize, &f64)| (value - (first + place as f64 * spacing)).abs();
    if values.iter().enumerate().map(off).any(|off| off > EVEN * size) {
        return Err(LowerError::NotOrdinal { question: question.name.clone() });
    }
    Ok(Effect { columns, constant: middle, coefficients: vec![half], is_category: false })
}

/// `a + c x` over the encoded column `x` of a number in [lower, upper].
fn of_number(name: &str, kind: &Kind, steps: &[FeatureStep]) -> Result<(f64, f64), LowerError> {
    let (Kind::Number { lower, upper, .. } | Kind::Integer { lower, upper, .. }) = kind else {
        return Err(LowerError::malformed("a level was taken for a number"));
    };
    let half = (upper - lower) / 2.0;
    let (mut constant, mut slope) = (lower + half, half);
    for step in steps {
        match step {
            FeatureStep::Single | FeatureStep::Impute { .. } => {}
            FeatureStep::Missing => (constant, slope) = (0.0, 0.0),
            FeatureStep::Add { value, .. } => constant += value,
            FeatureStep::Multiply { value, .. } => (constant, slope) = (constant * value, slope * value),
            FeatureStep::Divide { value, .. } => (constant, slope) = (constant / value, slope / value),
            FeatureStep::Clip { lower, upper } => {
                // A bound that equals the end of the range up to rounding does not bite.
                let slack = EVEN * (slope.abs() + constant.abs());
                let within = constant - slope.abs() >= lower - slack && constant + slope.abs() <= upper + slack;
                if !within {
                    return Err(LowerError::NotLinear { question: name.to_owned() });
                }
            }
            FeatureStep::Staircase { .. } => return Err(LowerError::NotLinear { question: name.to_owned() }),
            FeatureStep::Indicator { .. }
            | FeatureStep::Code { .. }
            | FeatureStep::Map { .. }
            | FeatureStep::Hash { .. } => {
                return Err(LowerError::NumberIsNoCategory { question: name.to_owned() });
            }
        }
    }
    Ok((constant, slope))
}
