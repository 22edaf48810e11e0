//! The sampled test, as published: is the prediction constant over many draws from the belief [TF23, §6.2]?
//!
//! It proves nothing, and whatever rests on it is called *sampled*. Departs from the published procedure in one thing: a draw is
//! brought into the domain, since a person who cannot exist has no label.

use rand_distr::{Distribution, StandardNormal, StandardUniform};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

use super::certified::Certifier;
use super::prediction::draw_inside;
use crate::Label;
use crate::belief::Predictive;
use crate::model::Network;
use crate::plan::NetworkTables;

/// The label of every draw, if they all have the same.
pub(crate) fn constant_label(
    tables: &NetworkTables,
    model: &Network,
    certifier: &mut Certifier,
    belief: &Predictive,
    n_draws: usize,
    seed: u64,
) -> Option<Label> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut normals = vec![0.0; certifier.open.len()];
    let mut point = Vec::with_capacity(certifier.open.width);
    let mut common = None;
    for _ in 0..n_draws {
        normals.iter_mut().for_each(|normal| *normal = StandardNormal.sample(&mut random));
        let share = if belief.weights().len() > 1 { StandardUniform.sample(&mut random) } else { 0.0 };
        draw_inside(belief, &certifier.open, share, &normals, &mut point);
        let label = certifier.quick_label_at(tables, model, &point);
        if *common.get_or_insert(label) != label {
            return None;
        }
    }
    common
}
