//! Expectation maximisation.

use super::sums::{Scored, Sums};
use super::table::Table;
use super::{MixtureOptions, WeightedMoments};
use crate::kernel::mirror_lower;
use crate::{Moments, TrainError};

/// A component lighter than this many rows is dropped.
pub(super) const LEAST_ROWS: usize = 10;

/// What the search found.
#[derive(Debug, Clone)]
pub(super) struct Optimum {
    pub(super) components: Vec<WeightedMoments>,
    pub(super) ln_likelihood: f64,
    pub(super) objective: f64,
    pub(super) n_iterations: usize,
    pub(super) converged: bool,
}

/// Where the search stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) iteration: usize,
    pub(super) ln_likelihood: f64,
    /// What the search maximises; it falls only after a component was dropped.
    pub(super) objective: f64,
}

/// Climbs from some components to the nearest maximum of the objective.
///
/// ```text
/// objective = Σ_i ln Σ_k w_k N(x_i; μ_k, Σ_k) − ν/2 Σ_k (ln |Σ_k| + tr(Σ_k⁻¹ Σ_pooled))
/// ```
///
/// # Errors
/// When a covariance cannot be factorised.
pub(super) fn climb(
    table: &Table,
    mut components: Vec<WeightedMoments>,
    options: &MixtureOptions,
    max_iterations: usize,
    tell: &mut dyn FnMut(Step),
) -> Result<Optimum, TrainError> {
    let pseudo_rows = options.pseudo_rows(table.n_rows());
    let mut previous = f64::NEG_INFINITY;
    let mut iteration = 0;
    loop {
        let scored = Scored::all(table, &components)?;
        let (ln_likelihood, sums) = Sums::under(table, &scored);
        let prior = |scored: &Scored| scored.density.divergence_from(&table.units.pooled.covariance);
        let objective = ln_likelihood - 0.5 * pseudo_rows * scored.iter().map(prior).sum::<f64>();
        tell(Step { iteration, ln_likelihood, objective });
        let converged = objective - previous <= options.tolerance * table.n_rows() as f64;
        if converged || iteration == max_iterations {
            return Ok(Optimum { components, ln_likelihood, objective, n_iterations: iteration, converged });
        }
        components = maximise(table, sums, pseudo_rows);
        previous = if components.len() == scored.len() { objective } else { f64::NEG_INFINITY };
        iteration += 1;
    }
}

/// The components that fit the rows' shares best, and the prior.
///
/// ```text
/// w_k = N_k / n,   μ_k = 1/N_k Σ_i r_ik x_i,   Σ_k = (N_k S_k + ν Σ_pooled) / (N_k + ν)
/// ```
///
/// Leaves out components lighter than [`LEAST_ROWS`], unless there would be none.
pub(super) fn maximise(table: &Table, mut sums: Vec<Sums>, pseudo_rows: f64) -> Vec<WeightedMoments> {
    if sums.iter().any(|sums| sums.weight >= LEAST_ROWS as f64) {
        sums.retain(|sums| sums.weight >= LEAST_ROWS as f64);
    }
    let total: f64 = sums.iter().map(|sums| sums.weight).sum();
    let moments = |sums: &Sums| moments(sums, &table.units.pooled.covariance, pseudo_rows);
    sums.iter().map(|sums| WeightedMoments { weight: sums.weight / total, moments: moments(sums) }).collect()
}

fn moments(sums: &Sums, pooled: &[f64], pseudo_rows: f64) -> Moments {
    let size = sums.first.len();
    let mean: Vec<f64> = sums.first.iter().map(|sum| sum / sums.weight).collect();
    let mut covariance = sums.second.clone();
    for row in 0..size {
        let line = row * size..=row * size + row;
        for ((entry, pooled), mean) in covariance[line.clone()].iter_mut().zip(&pooled[line]).zip(&mean) {
            *entry = (*entry - sums.first[row] * mean + pseudo_rows * pooled) / (sums.weight + pseudo_rows);
        }
    }
    mirror_lower(&mut covariance, size);
    Moments { mean, covariance }
}

#[cfg(test)]
mod tests {
    use rand_distr::{Distribution, StandardNormal};
    use rand_pcg::Pcg64Mcg;
    use rand_pcg::rand_core::SeedableRng;

    use super::super::start::group;
    use super::*;
    use crate::{TrainingSet, moments};

    /// Rows of a category of four levels, one of them rare, and two numbers that lean on it.
    fn table(random: &mut Pcg64Mcg) -> Table {
        let mut row = |i: usize| {
            let level = [0, 1, 0, 2, 0, 1, 0, 0][i % 8] + usize::from(i % 200 == 3);
            let noise: [f64; 2] = std::array::from_fn(|_| StandardNormal.sample(&mut *random));
            let indicator = |of: usize| f64::from(u8::from(level == of));
            let (first, second) = (0.2 * noise[0] + indicator(0), noise[1] * (0.1 + indicator(1)));
            [indicator(0), indicator(1), indicator(2), indicator(3), first, second]
        };
        let rows = (0..1000).flat_map(&mut row).collect();
        let set = TrainingSet::new(rows, 6, (0..1000).map(|i| i % 2).collect(), 2).expect("a valid set");
        Table::new(&set, &moments(&set))
    }

    /// Seeded; up to the rounding of a sum over a thousand rows.
    #[test]
    fn the_objective_never_falls_while_no_component_is_dropped() {
        for seed in 0..6 {
            let mut random = Pcg64Mcg::seed_from_u64(seed);
            let table = table(&mut random);
            assert_eq!(table.n_columns(), 5);
            for prior_share in [0.001, 0.03] {
                let options = MixtureOptions { prior_share, tolerance: 1e-9, ..MixtureOptions::default() };
                let start = maximise(&table, group(&table, 4, &mut random), options.pseudo_rows(1000));
                let n_components = start.len();
                let mut steps = Vec::new();
                let optimum =
                    climb(&table, start, &options, 100, &mut |step| steps.push(step)).expect("no column fails");
                assert!(steps.len() > 3);
                assert_eq!(steps.last().map(|step| step.objective), Some(optimum.objective));
                let fell = |pair: &&[Step]| pair[1].objective < pair[0].objective - 1e-12 * pair[0].objective.abs();
                let dropped = n_components - optimum.components.len();
                assert!(steps.windows(2).filter(fell).count() <= dropped, "{steps:?}");
            }
        }
    }
}
