//! The folded network at single points: scores, gradients, and the way down to a smaller margin.

use super::bounds::ScoreMargin;
use super::folded::{FoldedNetwork, PaddedNetwork, add_rows};
use crate::region::open::OpenQuestion;
use crate::region::{NumberOrMissing, Region};

/// Buffers for one evaluation.
#[derive(Default)]
pub(crate) struct Evaluator {
    /// The sums of every layer at the point evaluated last; the last layer's are the scores.
    sums: Vec<Vec<f64>>,
    slopes: Vec<f64>,
    below: Vec<f64>,
    gradient: Vec<f64>,
    vertex: Vec<f64>,
}

impl Evaluator {
    /// The scores at a point of the open columns, filled up to whole lanes.
    pub fn scores(&mut self, network: &PaddedNetwork, open: &FoldedNetwork, point: &[f64]) -> &[f64] {
        self.sums.resize_with(network.layers.len(), Vec::new);
        for (place, layer) in network.layers.iter().enumerate() {
            let (below, rest) = self.sums.split_at_mut(place);
            let sums = &mut rest[0];
            sums.clear();
            match below.last() {
                None => {
                    sums.extend_from_slice(&open.base);
                    add_rows(point.iter().copied(), &open.transposed, sums);
                }
                Some(below) => {
                    sums.extend_from_slice(&layer.biases);
                    add_rows(below.iter().map(|sum| sum.max(0.0)), &layer.transposed, sums);
                }
            }
        }
        &self.sums[network.layers.len() - 1]
    }

    /// The sums of every layer at the point evaluated last.
    pub fn sums(&self) -> &[Vec<f64>] {
        &self.sums
    }

    /// The gradient of a margin on the open columns, at the point evaluated last.
    fn set_gradient(&mut self, network: &PaddedNetwork, open: &FoldedNetwork, margin: &ScoreMargin) {
        self.slopes.clear();
        if network.n_hidden() == 0 {
            self.slopes.resize(network.layers[0].n_units, 0.0);
            margin.plus.into_iter().for_each(|score| self.slopes[score] += 1.0);
            margin.minus.into_iter().for_each(|score| self.slopes[score] -= 1.0);
        } else {
            self.slopes.extend_from_slice(&margin.weights);
        }
        for layer in (0..network.n_hidden().max(1)).rev() {
            if network.n_hidden() > 0 {
                let on = self.slopes.iter_mut().zip(&self.sums[layer]);
                on.for_each(|(slope, sum)| *slope = if *sum > 0.0 { *slope } else { 0.0 });
            }
            let (weights, width) = if layer == 0 {
                (&open.weights, open.width)
            } else {
                (&network.layers[layer].weights, network.layers[layer].n_inputs)
            };
            self.below.clear();
            self.below.resize(width, 0.0);
            add_rows(self.slopes.iter().copied(), weights, &mut self.below);
            std::mem::swap(&mut self.slopes, &mut self.below);
        }
        self.gradient.clear();
        self.gradient.extend_from_slice(&self.slopes);
    }

    /// Walks from a point along gradients to the vertices of a region while the margin falls; returns the smallest
    /// margin met, and leaves the point there. `n_steps` gradients at most.
    pub fn walk_down(
        &mut self,
        network: &PaddedNetwork,
        open: &FoldedNetwork,
        region: &Region,
        margin: &ScoreMargin,
        point: &mut Vec<f64>,
        n_steps: usize,
    ) -> f64 {
        let mut smallest = margin.of(self.scores(network, open, point));
        let mut vertex = std::mem::take(&mut self.vertex);
        for _ in 0..n_steps {
            self.set_gradient(network, open, margin);
            vertex.clear();
            vertex.extend_from_slice(point);
            to_lowest_vertex(open, region, &self.gradient, &mut vertex);
            if vertex == *point {
                break;
            }
            let value = margin.of(self.scores(network, open, &vertex));
            if value >= smallest {
                break;
            }
            smallest = value;
            std::mem::swap(point, &mut vertex);
        }
        self.vertex = vertex;
        smallest
    }
}

/// Moves a point to where a linear function is least over a region; what makes no difference stays.
pub(crate) fn to_lowest_vertex(open: &FoldedNetwork, region: &Region, coefficients: &[f64], point: &mut [f64]) {
    for column in 0..open.n_plain {
        let coefficient = coefficients[column];
        if coefficient > 0.0 {
            point[column] = region.lower[column];
        } else if coefficient < 0.0 {
            point[column] = region.upper[column];
        } else {
            point[column] = point[column].clamp(region.lower[column], region.upper[column]);
        }
    }
    if open.n_plain == open.len() {
        return;
    }
    for question in open.numbers_or_missing() {
        to_lowest_answer(region.numbers(&question.columns), question, coefficients, point);
    }
    for category in open.categories() {
        let columns = category.columns.clone();
        let mut best = columns.clone().find(|&column| point[column] == 1.0 && region.allows(column));
        for column in columns.clone().filter(|&column| region.allows(column)) {
            if best.is_none_or(|best| coefficients[column] < coefficients[best]) {
                best = Some(column);
            }
        }
        columns.for_each(|column| point[column] = f64::from(u8::from(Some(column) == best)));
    }
}

/// Moves a number that may be missing to where a linear function is least; if that makes no difference, it stays.
fn to_lowest_answer(possible: NumberOrMissing, question: &OpenQuestion, coefficients: &[f64], point: &mut [f64]) {
    let coefficients = &coefficients[question.columns.clone()];
    let value = |columns: &[f64]| coefficients[0] * columns[0] + coefficients[1] * columns[1];
    let columns = &mut point[question.columns.clone()];
    possible.bring_in(columns);
    for vertex in possible.vertices() {
        if value(&vertex) < value(columns) {
            columns.copy_from_slice(&vertex);
        }
    }
}
