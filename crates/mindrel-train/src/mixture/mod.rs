//! Mixtures of normal distributions with full covariances, for a belief where the rows have modes.

mod density;
mod em;
mod options;
mod search;
mod start;
mod sums;
mod table;
mod weighted;

use em::{Optimum, Step};
pub use options::{Components, MixtureOptions};
use search::{criterion, search};
use sums::Scored;
use table::Table;

use crate::{Moments, TrainError, TrainingSet};

/// One normal distribution of a mixture.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightedMoments {
    /// The share of people it stands for; the weights of a mixture sum to one.
    pub weight: f64,
    /// Its mean and covariance.
    pub moments: Moments,
}

/// Where the search stands; given to the caller at each iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The number of components tried now; some may have been dropped since.
    pub components: usize,
    /// The largest number that may be tried.
    pub most_components: usize,
    /// How many iterations are finished with this number.
    pub iteration: usize,
    /// After how many the search takes what it has.
    pub max_iterations: usize,
    /// The log-likelihood now.
    pub log_likelihood: f64,
    /// What the search maximises; it falls only where a component was dropped.
    pub objective: f64,
}

/// A fitted mixture and how it was found.
#[derive(Debug, Clone, PartialEq)]
pub struct MixtureFit {
    /// The components, the heaviest first.
    pub components: Vec<WeightedMoments>,
    /// The log-likelihood of the rows under these components, over a set of independent columns.
    pub log_likelihood: f64,
    /// How many columns are independent: the rank of the pooled covariance.
    pub rank: usize,
    /// Each number of components tried, with its BIC; lower is better.
    pub bic: Vec<(usize, f64)>,
    /// How many iterations the search took with the number chosen.
    pub n_iterations: usize,
    /// Whether it ended because the objective no longer rose, not because `max_iterations` were spent.
    pub converged: bool,
}

/// Fits a mixture to the rows, whatever their labels, by expectation maximisation.
///
/// ```text
/// f(x) = Σ_k w_k N(x; μ_k, Σ_k)
/// maximise Σ_i ln f(x_i) − ν/2 Σ_k (ln |Σ_k| + tr(Σ_k⁻¹ Σ_pooled)),   ν = prior_share · n
///
/// share of k in row i:   r_ik = w_k N(x_i; μ_k, Σ_k) / f(x_i),   N_k = Σ_i r_ik
/// w_k = N_k / n,   μ_k = 1/N_k Σ_i r_ik x_i,   Σ_k = (N_k S_k + ν Σ_pooled) / (N_k + ν)
/// ```
///
/// The prior, conjugate to the covariances, gives every component the null space of the pooled covariance and no other,
/// so that none collapses: indicators of a category sum to one in all of them, and where a component has only one value
/// of a column, it keeps some of the variance of all rows. With one component the result is [`moments`](crate::moments).
///
/// Densities are those of the independent columns: a column that counts as known once those before it are
/// ([`Symmetric::reveal`](mindrel::math::reveal::Symmetric::reveal), for the pooled covariance) adds nothing. The number
/// of components is given or has the lowest
///
/// ```text
/// BIC = −2 ln L + p ln n,   p = (K − 1) + K (d + d (d + 1) / 2),   d = rank of Σ_pooled
/// ```
///
/// For each number, several starts (k-means++ on standardised columns) are followed for a few steps on at most 4,000
/// rows, and the best then on all rows until the objective no longer rises. Components lighter than 10 rows are dropped.
/// The same set, options and seed give the same mixture, bit for bit, however many threads there are.
///
/// `progress` is called at each iteration; pass `&mut |_| ()` to hear nothing.
///
/// # Numerics
/// The maximum reached is a local one: another seed may give another mixture, and more components a higher BIC and then a
/// lower one again. Columns of few values reward components that have only one of them, so that on such tables BIC
/// asks for many. An iteration is O(rows · components · columns · entries), where entries are those of a row that
/// differ from the value most rows have: few in a one-hot encoding.
///
/// # Errors
/// When an option is out of range, the rows are fewer than ten for each component asked for, a column's squares do not
/// sum to a finite number, or a covariance cannot be factorised.
///
/// # Example
/// ```
/// use mindrel_train::mixture::{self, Components, MixtureOptions};
/// use mindrel_train::{TrainError, TrainingSet};
///
/// // A quarter of the people are near −1, the others near 1.
/// let rows: Vec<f64> = (0..400).map(|i| if i % 4 == 0 { -1.0 } else { 1.0 } + 0.01 * (i % 7) as f64).collect();
/// let set = TrainingSet::new(rows, 1, (0..400).map(|i| i % 2).collect(), 2)?;
///
/// let options = MixtureOptions { components: Components::Fixed(2), ..MixtureOptions::default() };
/// let fit = mixture::fit(&set, &options, &mut |_progress| ())?;
/// assert!((fit.components[0].weight - 0.75).abs() < 0.01);
/// assert!(fit.components[0].moments.mean[0] > 0.9 && fit.components[1].moments.mean[0] < -0.9);
/// # Ok::<(), TrainError>(())
/// ```
pub fn fit(
    set: &TrainingSet,
    options: &MixtureOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<MixtureFit, TrainError> {
    options.check()?;
    let pooled = weighted::pooled(set)?;
    let table = Table::new(set, &pooled);
    let numbers = options.numbers(&table)?;
    let mut bic: Vec<(usize, f64)> = Vec::new();
    let mut best: Option<(f64, Optimum)> = None;
    for number in numbers.clone() {
        let optimum = search(&table, number, options, &mut |step: Step| {
            progress(Progress {
                components: number,
                most_components: *numbers.end(),
                iteration: step.iteration,
                max_iterations: options.max_iterations,
                log_likelihood: step.ln_likelihood - table.units.ln_volume(table.n_rows()),
                objective: step.objective - table.units.ln_volume(table.n_rows()),
            });
        })?;
        let of_number = criterion(&table, &optimum);
        bic.push((number, of_number));
        if best.as_ref().is_none_or(|(lowest, _)| of_number < *lowest) {
            best = Some((of_number, optimum));
        }
        if rose_twice(&bic) {
            break;
        }
    }
    let (_, optimum) = best.expect("at least one number of components is tried");
    finish(set, &table, &pooled, optimum, bic, options)
}

fn rose_twice(bic: &[(usize, f64)]) -> bool {
    matches!(bic, [.., (_, first), (_, second), (_, third)] if first < second && second < third)
}

/// One more step, for all columns.
fn finish(
    set: &TrainingSet,
    table: &Table,
    pooled: &Moments,
    optimum: Optimum,
    bic: Vec<(usize, f64)>,
    options: &MixtureOptions,
) -> Result<MixtureFit, TrainError> {
    let (shares, _) = sums::shares(table, &Scored::all(table, &optimum.components)?);
    let mut components = weighted::components(set, &shares, pooled, options.pseudo_rows(set.n_rows()));
    components.sort_by(|left, right| right.weight.total_cmp(&left.weight));
    let in_units = |WeightedMoments { weight, moments }: &WeightedMoments| WeightedMoments {
        weight: *weight,
        moments: table.units.of(moments),
    };
    let in_units: Vec<WeightedMoments> = components.iter().map(in_units).collect();
    let (_, ln_likelihood) = sums::shares(table, &Scored::all(table, &in_units)?);
    Ok(MixtureFit {
        components,
        log_likelihood: ln_likelihood - table.units.ln_volume(table.n_rows()),
        rank: table.n_columns(),
        bic,
        n_iterations: optimum.n_iterations,
        converged: optimum.converged,
    })
}
