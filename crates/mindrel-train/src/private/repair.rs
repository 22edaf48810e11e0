//! From noisy sums to moments that a belief can be made of. Only the noisy sums are read, so it costs no privacy.

use std::ops::Range;

use mindrel::schema::Domain;
use nalgebra::DMatrix;

use super::sums::SumLayout;
use crate::Moments;
use crate::moments::raise_eigenvalues;

/// No variance along any direction is believed to be smaller, however little noise there was: below lies what the
/// checks of a belief take for rounding.
const LEAST_VARIANCE: f64 = 1e-6;

/// Noisy means and noisy mean products; the products within a category are not looked at.
pub(super) struct Noisy {
    pub(super) mean: Vec<f64>,
    pub(super) products: DMatrix<f64>,
    /// The deviation of the noise of each product.
    pub(super) deviation: f64,
}

/// Moments near noisy ones that people in the domain can have.
///
/// ```text
/// mean:        numbers clamped to [−1, 1] (less, the more are missing), categories projected to the simplex
/// covariance:  M − μ μᵀ between questions,  diag(μ) − μ μᵀ within a category,  M_jj − μ_j² of a number
///              of a number v that may be missing, m of the time:  M_vv − μ_v²,  m − m²,  and −μ_v m between the two
///              then  C ← P C P,   each block between two questions shrunk,   C ← P V max(Λ, floor) Vᵀ P,   C ← S C S
/// ```
///
/// P makes the columns of each category sum to zero, which the true covariance has exactly; these directions alone keep
/// a variance of zero. `floor` is √2 times the deviation of a product's noise, which is (but for the part of the mean)
/// how well vᵀCv is known for a unit v: no direction counts as known better than it is. Raising eigenvalues raises
/// variances; the factors S, one for each question, take its variance back to where it was.
pub(super) fn repair(layout: &SumLayout, noisy: &Noisy) -> Moments {
    let mean = mean_in_domain(layout, &noisy.mean);
    let floor = LEAST_VARIANCE.max(noisy.deviation * std::f64::consts::SQRT_2);
    let mut covariance = covariance_between(&mean, &noisy.products);
    set_within(layout, &mean, floor, &mut covariance);
    balance(layout, &mut covariance);
    shrink(layout, noisy.deviation, &mut covariance);
    let variances = variances(layout, &covariance, floor);
    let mut covariance = raise_eigenvalues(covariance, floor);
    balance(layout, &mut covariance);
    scale_to(layout, &variances, &mut covariance);
    of_columns(layout, &mean, &covariance)
}

fn mean_in_domain(layout: &SumLayout, noisy: &[f64]) -> Vec<f64> {
    let question = |(columns, domain): &(Range<usize>, Domain)| match domain {
        Domain::OneOf { .. } => project_to_simplex(&noisy[columns.clone()]),
        Domain::Interval | Domain::Grid { .. } => vec![noisy[columns.start].clamp(-1.0, 1.0)],
        Domain::OrMissing { .. } => {
            let missing = noisy[columns.start + 1].clamp(0.0, 1.0);
            vec![noisy[columns.start].clamp(missing - 1.0, 1.0 - missing), missing]
        }
    };
    layout.questions.iter().flat_map(question).collect()
}

/// The nearest point whose coordinates are not negative and sum to one: all less a common amount, or zero [Held 1974].
///
/// # Numerics
/// `x − (x − 1)` may exceed 1 by its last bit, and an indicator's variance be negative: coordinates are cut to 1.
pub(super) fn project_to_simplex(point: &[f64]) -> Vec<f64> {
    let mut sorted = point.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let (mut sum, mut excess) = (0.0, 0.0);
    for (place, value) in sorted.iter().enumerate() {
        sum += value;
        let candidate = (sum - 1.0) / (place + 1) as f64;
        if *value > candidate {
            excess = candidate;
        }
    }
    point.iter().map(|value| (value - excess).clamp(0.0, 1.0)).collect()
}

fn covariance_between(mean: &[f64], products: &DMatrix<f64>) -> DMatrix<f64> {
    DMatrix::from_fn(mean.len(), mean.len(), |j, k| products[(j, k)] - mean[j] * mean[k])
}

/// Sets what follows from the means alone, and keeps the variances of numbers between the floor and the domain's
/// largest.
fn set_within(layout: &SumLayout, mean: &[f64], floor: f64, covariance: &mut DMatrix<f64>) {
    for (columns, domain) in &layout.questions {
        if let Domain::OrMissing { .. } = domain {
            set_perhaps_missing(columns.start, mean, floor, covariance);
            continue;
        }
        for j in columns.clone() {
            let largest = 1.0 - mean[j] * mean[j];
            match domain {
                Domain::OneOf { .. } => {
                    for k in columns.clone() {
                        covariance[(j, k)] = if j == k { mean[j] } else { 0.0 } - mean[j] * mean[k];
                    }
                }
                Domain::Grid { points: 2 } => covariance[(j, j)] = largest.max(floor.min(1.0)),
                Domain::Interval | Domain::Grid { .. } | Domain::OrMissing { .. } => {
                    covariance[(j, j)] = covariance[(j, j)].min(largest).max(floor.min(1.0));
                }
            }
        }
    }
}

/// Of a number that may be missing: one column is zero wherever the other is not.
fn set_perhaps_missing(number: usize, mean: &[f64], floor: f64, covariance: &mut DMatrix<f64>) {
    let missing = number + 1;
    let (share, floor) = (mean[missing], floor.min(1.0));
    let largest = 1.0 - share - mean[number] * mean[number];
    covariance[(number, number)] = covariance[(number, number)].min(largest).max(floor);
    covariance[(missing, missing)] = (share - share * share).max(floor);
    covariance[(number, missing)] = -mean[number] * share;
    covariance[(missing, number)] = covariance[(number, missing)];
}

/// Moments of the encoded columns: those of a number that may be missing are `v/2 + m` and `v/2 − m`.
fn of_columns(layout: &SumLayout, mean: &[f64], covariance: &DMatrix<f64>) -> Moments {
    let mut map = DMatrix::identity(mean.len(), mean.len());
    for (columns, _) in layout.questions.iter().filter(|(_, domain)| matches!(domain, Domain::OrMissing { .. })) {
        let (first, second) = (columns.start, columns.start + 1);
        (map[(first, first)], map[(first, second)]) = (0.5, 1.0);
        (map[(second, first)], map[(second, second)]) = (0.5, -1.0);
    }
    if map.is_identity(0.0) {
        return Moments { mean: mean.to_vec(), covariance: covariance.as_slice().to_vec() };
    }
    let mean = &map * nalgebra::DVector::from_column_slice(mean);
    let mapped = &map * covariance * map.transpose();
    let covariance = (&mapped + mapped.transpose()) * 0.5;
    Moments { mean: mean.as_slice().to_vec(), covariance: covariance.as_slice().to_vec() }
}

/// `P C P`: the rows of each category sum to zero, and so do its columns.
fn balance(layout: &SumLayout, covariance: &mut DMatrix<f64>) {
    for (columns, domain) in &layout.questions {
        if !matches!(domain, Domain::OneOf { .. }) {
            continue;
        }
        let share = 1.0 / columns.len() as f64;
        for other in 0..covariance.nrows() {
            let excess = columns.clone().map(|j| covariance[(j, other)]).sum::<f64>() * share;
            columns.clone().for_each(|j| covariance[(j, other)] -= excess);
        }
        for other in 0..covariance.nrows() {
            let excess = columns.clone().map(|j| covariance[(other, j)]).sum::<f64>() * share;
            columns.clone().for_each(|j| covariance[(other, j)] -= excess);
        }
    }
}

/// Takes from the covariances between two questions the share that is noise [James and Stein 1961].
///
/// ```text
/// C_pr ← C_pr max(0, 1 − directions_p directions_r deviation² / ‖C_pr‖²)
/// ```
///
/// Left in, noise looks like correlation, and the belief would be too sure of what is open from what is revealed.
fn shrink(layout: &SumLayout, deviation: f64, covariance: &mut DMatrix<f64>) {
    for (place, first) in layout.questions.iter().enumerate() {
        for second in &layout.questions[..place] {
            let pairs = || first.0.clone().flat_map(|j| second.0.clone().map(move |k| (j, k)));
            let square: f64 = pairs().map(|pair| covariance[pair] * covariance[pair]).sum();
            let noise = (directions(first) * directions(second)) as f64 * deviation * deviation;
            let factor = if square > noise { 1.0 - noise / square } else { 0.0 };
            for (j, k) in pairs() {
                covariance[(j, k)] *= factor;
                covariance[(k, j)] = covariance[(j, k)];
            }
        }
    }
}

/// How many directions a question can vary in: the indicators of a category sum to one.
fn directions((columns, domain): &(Range<usize>, Domain)) -> usize {
    if matches!(domain, Domain::OneOf { .. }) { columns.len() - 1 } else { columns.len() }
}

/// The summed variance of each question, in each of its directions at least the floor or the domain's largest, 1.
fn variances(layout: &SumLayout, covariance: &DMatrix<f64>, floor: f64) -> Vec<f64> {
    let question = |question: &(Range<usize>, Domain)| {
        let variance: f64 = question.0.clone().map(|j| covariance[(j, j)]).sum();
        variance.max((floor * directions(question) as f64).min(1.0))
    };
    layout.questions.iter().map(question).collect()
}

/// `S C S`, made symmetric to the last bit.
fn scale_to(layout: &SumLayout, variances: &[f64], covariance: &mut DMatrix<f64>) {
    let mut factors = Vec::with_capacity(covariance.nrows());
    for ((columns, _), variance) in layout.questions.iter().zip(variances) {
        let found: f64 = columns.clone().map(|j| covariance[(j, j)]).sum();
        factors.extend(columns.clone().map(|_| (variance / found).sqrt()));
    }
    for j in 0..factors.len() {
        for k in 0..=j {
            let entry = 0.5 * (covariance[(j, k)] + covariance[(k, j)]) * factors[j] * factors[k];
            covariance[(j, k)] = entry;
            covariance[(k, j)] = entry;
        }
    }
}
