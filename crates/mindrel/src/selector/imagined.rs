//! The answers a question is imagined to have, before it is asked.

use rand_core::Rng;
use rand_distr::{Distribution, StandardNormal, StandardUniform};

use crate::belief::{Posterior, Predictive, level_probability};
use crate::math::normal;
use crate::math::quadrature::{Node, hermite_table};
use crate::plan::Prepared;
use crate::schema::Domain;

/// Nodes of the quadrature over a number of which one Gaussian is believed.
static NODES: [Node; 8] = hermite_table();

/// Evenly spread draws of a number of which a mixture is believed.
const SPREAD: usize = 24;

/// The fractional part of the golden ratio, whose multiples fill an interval most evenly.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// The answers a question is imagined to have, with their weights: the levels of a category; of a number, the nodes of a quadrature
/// or evenly spread draws.
pub(crate) fn imagined_answers(prepared: &Prepared, posterior: &Posterior, place: usize) -> Vec<(f64, Vec<f64>)> {
    let columns = prepared.columns(place);
    let mean = &posterior.mean()[columns.clone()];
    let domain = prepared.asked[place].domain;
    match domain {
        Domain::OneOf { levels } => (0..levels)
            .map(|level| {
                let indicators = (0..levels).map(|column| f64::from(u8::from(column == level))).collect();
                (level_probability(domain, mean, level), indicators)
            })
            .filter(|(probability, _)| *probability > 0.0)
            .collect(),
        Domain::Interval | Domain::Grid { .. } if posterior.weights().len() == 1 => {
            let deviation = posterior.variance()[columns.start].sqrt();
            NODES.iter().map(|node| (node.weight, vec![mean[0] + deviation * node.at])).collect()
        }
        Domain::Interval | Domain::Grid { .. } => {
            let mut belief = Predictive::default();
            belief.set(&prepared.prior, posterior, columns);
            let draw = |index: usize| {
                let share = (index as f64 + 0.5) / SPREAD as f64;
                let normal = normal::quantile((0.5 + index as f64 * GOLDEN).fract());
                let mut answer = Vec::new();
                belief.draw(share, &[normal], &mut answer);
                (1.0 / SPREAD as f64, answer)
            };
            (0..SPREAD).map(draw).collect()
        }
    }
}

/// Writes a random draw.
pub(crate) fn draw_at_random<R: Rng>(belief: &Predictive, random: &mut R, answer: &mut Vec<f64>) {
    let normals: Vec<f64> = (0..belief.n_columns()).map(|_| StandardNormal.sample(random)).collect();
    let share = if belief.weights().len() > 1 { StandardUniform.sample(random) } else { 0.0 };
    belief.draw(share, &normals, answer);
}
