//! People drawn from the belief, with their labels.

use std::ops::Range;

use super::certified::Prover;
use super::prediction::draw_inside;
use crate::Label;
use crate::belief::Predictive;
use crate::math::spread::Spread;

/// Points of the open columns drawn from the belief, brought into the domain, and the label of each. It has no `Debug`:
/// points hold answers.
#[derive(Default)]
pub(crate) struct Draws {
    /// Point after point.
    pub points: Vec<f64>,
    pub labels: Vec<Label>,
    point: Vec<f64>,
}

impl Draws {
    /// Forgets all draws.
    pub fn clear(&mut self) {
        self.points.clear();
        self.labels.clear();
    }

    /// Adds the draw of some normal numbers, without its label.
    pub fn push(&mut self, prover: &dyn Prover, belief: &Predictive, share: f64, normals: &[f64]) {
        draw_inside(belief, prover.open(), share, normals, &mut self.point);
        self.points.extend_from_slice(&self.point);
    }

    /// Finds the labels of all `n_points` draws at once.
    pub fn label_all(&mut self, prover: &mut dyn Prover, n_points: usize) {
        prover.quick_labels_at(&self.points, n_points, &mut self.labels);
    }

    /// Takes some of the evenly spread draws, and finds their labels.
    pub fn look_at(&mut self, spread: &Spread, prover: &mut dyn Prover, belief: &Predictive, range: Range<usize>) {
        self.clear();
        for index in range.clone() {
            // Of points each in turn: none is counted more often than another.
            let nth = |n_points: usize| ((index % n_points) as f64 + 0.5) / n_points as f64;
            let share = belief.points().map_or(0.0, |points| nth(points.len()));
            self.push(prover, belief, share, spread.point(index));
        }
        self.label_all(prover, range.len());
    }
}
