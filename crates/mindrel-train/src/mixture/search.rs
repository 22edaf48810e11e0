//! The best mixture of a given number of components, and what it is worth.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

use super::em::{self, Optimum, Step};
use super::table::Table;
use super::{MixtureOptions, WeightedMoments, start};
use crate::TrainError;

/// How many rows, drawn at random, starts are tried on; the best is then followed on all rows.
const TRIAL_ROWS: usize = 4000;
/// How many iterations show which start is best.
const TRIAL_ITERATIONS: usize = 20;

/// The best of several starts, tried on some of the rows and then followed on all.
pub(super) fn search(
    table: &Table,
    number: usize,
    options: &MixtureOptions,
    tell: &mut dyn FnMut(Step),
) -> Result<Optimum, TrainError> {
    // Every number of components has random numbers of its own, so that a fixed number gives what `Auto` would.
    let mut random = Pcg64Mcg::seed_from_u64(options.seed);
    random.advance((number as u128) << 64);
    if number == 1 {
        let all = WeightedMoments { weight: 1.0, moments: table.units.pooled.clone() };
        return em::climb(table, vec![all], options, options.max_iterations, tell);
    }
    let trial = table.select(&start::sample(table.n_rows(), TRIAL_ROWS, &mut random));
    let mut best: Option<Optimum> = None;
    for _ in 0..options.starts {
        let groups = start::group(&trial, number, &mut random);
        let components = em::maximise(&trial, groups, options.pseudo_rows(trial.n_rows()));
        let optimum = em::climb(&trial, components, options, TRIAL_ITERATIONS, &mut |_| ())?;
        if best.as_ref().is_none_or(|best| optimum.objective > best.objective) {
            best = Some(optimum);
        }
    }
    let best = best.expect("there is at least one start");
    em::climb(table, best.components, options, options.max_iterations, tell)
}

/// The Bayesian information criterion, as [`fit`](super::fit) defines it.
pub(super) fn criterion(table: &Table, optimum: &Optimum) -> f64 {
    let (n_rows, rank) = (table.n_rows() as f64, table.n_columns() as f64);
    let n_components = optimum.components.len() as f64;
    let n_parameters = n_components - 1.0 + n_components * (rank + rank * (rank + 1.0) / 2.0);
    let ln_likelihood = optimum.ln_likelihood - table.units.ln_volume(table.n_rows());
    n_parameters * n_rows.ln() - 2.0 * ln_likelihood
}
