//! Mean and covariance of the rows with differential privacy, so that a belief tells next to nothing about any one of
//! them.

mod budget;
mod discrete_gaussian;
mod error;
mod repair;
mod sums;
#[cfg(test)]
mod tests;

use mindrel::Schema;
use mindrel::schema::Domain;
use nalgebra::DMatrix;
use num_bigint::{BigInt, BigUint};
use num_traits::{FromPrimitive, ToPrimitive};

pub use budget::PrivacyBudget;
use discrete_gaussian::{Dice, RandomBytes};
pub use error::PrivacyError;
use repair::{Noisy, repair};
use sums::{STEPS, SumLayout, TableSums, sums};

use crate::{EncodedRows, Moments};

/// Moments that were released with differential privacy, and the noise it took.
#[derive(Debug, Clone, PartialEq)]
pub struct PrivateMoments {
    /// The moments; they make a belief.
    pub moments: Moments,
    /// What was promised.
    pub budget: PrivacyBudget,
    /// What was added for it.
    pub noise: NoiseScale,
}

/// The noise of a release, as its deviations on sums over all rows.
///
/// ```text
/// √(a² ‖Δ values‖² + (1 + a²) ‖Δ squares‖² + ‖Δ products‖²) ≤ sensitivity = q + a²,   a² = √q / 2,   q questions
/// products = sensitivity / √(2ρ),   values = products / a,   squares = products / √(1 + a²)
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NoiseScale {
    /// How far replacing one row can move the weighted sums.
    pub sensitivity: f64,
    /// The deviation on the sum of each column.
    pub values: f64,
    /// The deviation on the sum of each number's squares.
    pub squares: f64,
    /// The deviation on the sum of each product of columns of two questions.
    pub products: f64,
}

impl NoiseScale {
    fn new(layout: &SumLayout, budget: &PrivacyBudget) -> Self {
        let sensitivity = layout.sensitivity();
        let products = sensitivity / (2.0 * budget.concentrated()).sqrt();
        let values = products / layout.value_weight().sqrt();
        let squares = products / layout.square_weight().sqrt();
        NoiseScale { sensitivity, values, squares, products }
    }
}

/// The mean and the covariance of the rows, by the discrete Gaussian mechanism [CKS20, Thm. 14].
///
/// Whoever sees the result, and knows every row but one, learns about that one as little as the budget says: tables of
/// the same number of rows that differ in one row's content are (ε, δ)-indistinguishable. The number of rows counts as
/// known, and so do the schema's bounds and levels: where they were inferred from the same rows, they are *not*
/// covered, nor is a model that was trained on them. Two releases from the same rows spend both budgets.
///
/// Values outside the domain are clamped into it. What is known of every table is not asked of the noise: a category's
/// indicators are 0 or 1 and sum to one. What comes out is of a valid belief; directions that the noise covers are
/// believed to vary by as much as the noise.
///
/// # Numerics
/// Rows are rounded to steps of 2⁻²⁰; sums and noise are whole numbers of steps, and exact. Random numbers come from
/// the operating system. How long it takes depends on the noise and not only on the sizes. O(rows · questions² +
/// columns³).
///
/// # Errors
/// When δ is 1/n or more for n rows, the rows are of another schema, or there is no randomness.
///
/// # Example
/// ```
/// use mindrel::Schema;
/// use mindrel::schema::{Question, Target};
/// use mindrel_train::{PrivacyBudget, TrainingSet, private_moments};
///
/// let classes = vec!["no".to_owned(), "yes".to_owned()];
/// let target = Target::new("label", "Label?", classes);
/// let schema = Schema::new(target, vec![Question::number("age", 0.0, 100.0), Question::boolean("smoker")])?;
/// let rows: Vec<f64> = (0..2000).map(|place| if place % 3 == 0 { -1.0 } else { 1.0 }).collect();
/// let set = TrainingSet::new(rows, 2, (0..1000).map(|row| row % 2).collect(), 2)?;
///
/// let budget: PrivacyBudget = "2".parse()?;
/// let release = private_moments(&set, &schema, &budget)?;
/// assert!((release.moments.mean[0] - 1.0 / 3.0).abs() < 8.0 * release.noise.values / 1000.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn private_moments(
    set: &EncodedRows,
    schema: &Schema,
    budget: &PrivacyBudget,
) -> Result<PrivateMoments, PrivacyError> {
    private_moments_from(set, schema, budget, &mut |bytes| {
        getrandom::fill(bytes).map_err(|_| PrivacyError::NoRandomness)
    })
}

/// The same with random bytes from anywhere: private only if nobody can know them.
fn private_moments_from<'a>(
    set: &EncodedRows,
    schema: &Schema,
    budget: &PrivacyBudget,
    source: &'a mut RandomBytes<'a>,
) -> Result<PrivateMoments, PrivacyError> {
    if set.n_columns() != schema.n_columns() {
        return Err(PrivacyError::Columns { expected: schema.n_columns(), found: set.n_columns() });
    }
    budget.check_rows(set.n_rows())?;
    let layout = SumLayout::new(schema);
    let noise = NoiseScale::new(&layout, budget);
    let noisy = add_noise(&layout, &sums(&layout, set), &noise, set.n_rows(), &mut Dice::new(source))?;
    Ok(PrivateMoments { moments: repair(&layout, &noisy), budget: *budget, noise })
}

/// The sums with noise, divided by the number of rows.
fn add_noise(
    layout: &SumLayout,
    sums: &TableSums,
    noise: &NoiseScale,
    n_rows: usize,
    dice: &mut Dice<'_>,
) -> Result<Noisy, PrivacyError> {
    let n_rows = n_rows as f64;
    let n_columns = layout.n_columns;
    let mut noisy = |sum: i128, variance: &BigUint, unit: f64| {
        let noisy: BigInt = dice.discrete_gaussian(variance)? + sum;
        Ok(noisy.to_f64().expect("a sum of clamped values and its noise fit a float") / unit / n_rows)
    };
    let variance = steps_squared(noise.values, STEPS);
    let mean = sums.values.iter().map(|&sum| noisy(sum, &variance, STEPS)).collect::<Result<Vec<f64>, _>>()?;
    let square_steps = STEPS * STEPS;
    let (squares, products) = (steps_squared(noise.squares, square_steps), steps_squared(noise.products, square_steps));
    let mut matrix = DMatrix::zeros(n_columns, n_columns);
    for (columns, domain) in &layout.questions {
        for j in columns.clone() {
            for k in 0..columns.start {
                matrix[(j, k)] = noisy(sums.products[j * n_columns + k], &products, square_steps)?;
                matrix[(k, j)] = matrix[(j, k)];
            }
            if matches!(domain, Domain::Interval | Domain::Grid { points: 3.. }) {
                matrix[(j, j)] = noisy(sums.products[j * n_columns + j], &squares, square_steps)?;
            }
        }
        if let Domain::OrMissing { .. } = domain {
            // The square of the number, or one where it is missing.
            let square: i128 = columns.clone().map(|j| sums.products[j * n_columns + j]).sum();
            let square = noisy(square, &squares, square_steps)?;
            matrix[(columns.start, columns.start)] = square - mean[columns.start + 1];
        }
    }
    Ok(Noisy { mean, products: matrix, deviation: noise.products / n_rows })
}

/// The square of a deviation in whole steps, rounded up.
fn steps_squared(deviation: f64, steps: f64) -> BigUint {
    let variance = (deviation * steps).powi(2).ceil();
    BigUint::from_f64(variance).expect("the noise of a checked budget is finite")
}
