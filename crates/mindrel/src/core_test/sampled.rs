//! The sampled test, as published: is the prediction constant over many draws from the belief [TF23, §6.2]?
//!
//! It proves nothing, and whatever rests on it is called *sampled*. Departs from the published procedure in one thing:
//! a draw is brought into the domain, and left out if it breaks a rule between questions, since a person who cannot exist
//! has no label.

use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

use super::certified::Prover;
use super::labelled_draws::Draws;
use crate::Label;
use crate::belief::Predictive;

/// The first draws are looked at in a smaller number: where labels differ, they mostly do so soon.
const FIRST: usize = 256;

/// The label of every draw, if they all have the same.
pub(crate) fn constant_label(prover: &mut dyn Prover, belief: &Predictive, n_draws: usize, seed: u64) -> Option<Label> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut normals = vec![0.0; prover.open().len()];
    let mut draws = Draws::default();
    let mut common = None;
    let mut left = n_draws;
    let mut together = FIRST.min(prover.batch());
    while left > 0 {
        let n_points = together.min(left);
        draws.clear();
        for _ in 0..n_points {
            normals.iter_mut().for_each(|normal| *normal = StandardNormal.sample(&mut random));
            draws.push(prover, belief, belief.random_share(&mut random), &normals);
        }
        draws.label_all(prover, n_points);
        let width = prover.open().width.max(1);
        let possible = draws.points.chunks_exact(width).map(|point| prover.open().is_possible(point));
        // Nothing is open of somebody whose draws have no columns: they are all the same.
        let possible = possible.chain(std::iter::repeat(true));
        for (label, _) in draws.labels.iter().zip(possible).filter(|(_, possible)| *possible) {
            if *common.get_or_insert(*label) != *label {
                return None;
            }
        }
        left -= n_points;
        together = prover.batch();
    }
    common
}
