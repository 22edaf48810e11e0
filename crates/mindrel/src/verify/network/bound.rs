//! What the units and the margins of a network can be over a part of the domain.
//!
//! ```text
//! z_l = W_l y_{l−1} + b_l,   y_l = max(z_l, 0)
//!
//! interval   z ∈ b + Σ w · [max(l, 0), max(u, 0)]           from the bounds [l, u] of the layer below
//! linear     Σ c_k z_k = Σ_k c_k b_k + Σ_j (Σ_k c_k w_kj) y_j,  every y_j replaced by the line that is not larger, down to the columns
//! ```
//!
//! A hidden unit has the linear bounds only where its interval leaves open whether it is on [Zhang 2018; Singh 2019].

use super::lines::{Lines, Ties};
use crate::model::{Layer, Network};
use crate::verify::interval::Interval;
use crate::verify::part::{DomainPart, OpenQuestions};

/// A network as a function of the open columns: what is known is part of the first layer's biases.
pub(in crate::verify) struct FoldedLayers {
    layers: Vec<FoldedLayer>,
}

struct FoldedLayer {
    /// Row of a unit.
    weights: Vec<Vec<f64>>,
    biases: Vec<Interval>,
}

/// What the sum of every hidden unit can be over a part, layer after layer.
pub(in crate::verify) struct LayerSums(Vec<Vec<Interval>>);

/// A linear function of the open columns below a score.
pub(in crate::verify) struct ScoreLine {
    pub constant: Interval,
    pub coefficients: Vec<Interval>,
}

/// The lines every hidden unit is replaced by, layer after layer.
pub(super) struct Replaced(Vec<Vec<Lines>>);

impl FoldedLayers {
    /// Folds in a person whose open columns are passed over.
    pub fn new(network: &Network, person: &[f64], open: &OpenQuestions<'_>) -> Self {
        let mut layers: Vec<FoldedLayer> = network.layers().iter().map(FoldedLayer::new).collect();
        let known: Vec<usize> = (0..person.len()).filter(|column| !open.columns.contains(column)).collect();
        let first = &mut layers[0];
        for (weights, bias) in first.weights.iter_mut().zip(&mut first.biases) {
            let terms = known.iter().map(|&column| Interval::point(person[column]) * weights[column]);
            *bias = terms.fold(*bias, |sum, term| sum + term);
            *weights = open.columns.iter().map(|&column| weights[column]).collect();
        }
        FoldedLayers { layers }
    }

    /// What the hidden units can be over a part.
    pub fn sums(&self, open: &OpenQuestions<'_>, part: &DomainPart, ties: &mut Ties) -> LayerSums {
        let n_hidden = self.layers.len() - 1;
        let mut sums: Vec<Vec<Interval>> = Vec::new();
        let mut lines = Replaced(Vec::new());
        for place in 0..n_hidden {
            let units = 0..self.layers[place].biases.len();
            let layer: Vec<Interval> = match sums.last() {
                None => units.map(|unit| self.first_sum(open, part, unit)).collect(),
                Some(below) => units.map(|unit| self.deeper_sum(open, part, place, unit, below, &lines)).collect(),
            };
            if place + 1 < n_hidden {
                lines.0.push(layer.iter().map(|&sum| Lines::usual(sum, ties)).collect());
            }
            sums.push(layer);
        }
        LayerSums(sums)
    }

    /// The first layer is linear in the columns.
    fn first_sum(&self, open: &OpenQuestions<'_>, part: &DomainPart, unit: usize) -> Interval {
        let layer = &self.layers[0];
        let weights: Vec<Interval> = layer.weights[unit].iter().map(|&weight| Interval::point(weight)).collect();
        layer.biases[unit] + part.range(open, &weights)
    }

    fn deeper_sum(
        &self,
        open: &OpenQuestions<'_>,
        part: &DomainPart,
        place: usize,
        unit: usize,
        below: &[Interval],
        lines: &Replaced,
    ) -> Interval {
        let layer = &self.layers[place];
        let terms = layer.weights[unit].iter().zip(below).map(|(&weight, sum)| sum.positive() * weight);
        let interval = terms.fold(layer.biases[unit], |sum, term| sum + term);
        if !interval.is_unsure() {
            return interval;
        }
        let alone = |coefficient: Interval| {
            let mut coefficients = vec![Interval::ZERO; layer.biases.len()];
            coefficients[unit] = coefficient;
            self.least(open, part, place, coefficients, lines)
        };
        Interval { low: interval.low.max(alone(Interval::ONE)), high: interval.high.min(-alone(-Interval::ONE)) }
    }

    /// What a combination of the scores is at least.
    pub(super) fn least_of_scores(
        &self,
        open: &OpenQuestions<'_>,
        part: &DomainPart,
        combination: &[(usize, f64)],
        lines: &Replaced,
    ) -> f64 {
        let last = self.layers.len() - 1;
        let mut coefficients = vec![Interval::ZERO; self.layers[last].biases.len()];
        for &(score, factor) in combination {
            coefficients[score] = Interval::point(factor);
        }
        self.least(open, part, last, coefficients, lines)
    }

    /// A linear function of the open columns below a multiple of one score, by the usual lines.
    pub fn line_below(&self, sums: &LayerSums, ties: &mut Ties, score: usize, factor: f64) -> ScoreLine {
        let lines =
            Replaced(sums.0.iter().map(|layer| layer.iter().map(|&sum| Lines::usual(sum, ties)).collect()).collect());
        let last = self.layers.len() - 1;
        let mut coefficients = vec![Interval::ZERO; self.layers[last].biases.len()];
        coefficients[score] = Interval::point(factor);
        self.line(last, coefficients, &lines)
    }

    /// What a combination of the sums of a layer is at least over a part, by going down to the columns.
    fn least(
        &self,
        open: &OpenQuestions<'_>,
        part: &DomainPart,
        from: usize,
        coefficients: Vec<Interval>,
        lines: &Replaced,
    ) -> f64 {
        let ScoreLine { constant, coefficients } = self.line(from, coefficients, lines);
        (constant + part.range(open, &coefficients)).low
    }

    /// A linear function of the open columns below a combination of the sums of a layer.
    fn line(&self, from: usize, mut coefficients: Vec<Interval>, lines: &Replaced) -> ScoreLine {
        let mut constant = Interval::ZERO;
        for place in (0..=from).rev() {
            let layer = &self.layers[place];
            let n_inputs = layer.weights.first().map_or(0, Vec::len);
            let mut below = vec![Interval::ZERO; n_inputs];
            for ((&coefficient, bias), weights) in coefficients.iter().zip(&layer.biases).zip(&layer.weights) {
                if coefficient == Interval::ZERO {
                    continue;
                }
                constant = constant + coefficient * *bias;
                for (sum, &weight) in below.iter_mut().zip(weights) {
                    *sum = *sum + coefficient * weight;
                }
            }
            if place > 0 {
                for (coefficient, lines) in below.iter_mut().zip(&lines.0[place - 1]) {
                    let (on_sum, rest) = lines.under(*coefficient);
                    *coefficient = on_sum;
                    constant = constant + rest;
                }
            }
            coefficients = below;
        }
        ScoreLine { constant, coefficients }
    }
}

impl FoldedLayer {
    fn new(layer: &Layer) -> Self {
        FoldedLayer {
            weights: (0..layer.n_units()).map(|unit| layer.weights(unit).to_vec()).collect(),
            biases: layer.biases().iter().map(|&bias| Interval::point(bias)).collect(),
        }
    }
}

impl LayerSums {
    /// Lines that bound the units listed, by layer and place, from below by themselves and all others by zero, as far
    /// as they can be on and off; `None` if one of them does not exist.
    pub(super) fn lines(&self, on: &[(usize, usize)]) -> Option<Replaced> {
        let mut chosen: Vec<Vec<bool>> = self.0.iter().map(|layer| vec![false; layer.len()]).collect();
        for &(layer, unit) in on {
            *chosen.get_mut(layer)?.get_mut(unit)? = true;
        }
        let layers = self.0.iter().zip(&chosen);
        let lines = layers.map(|(sums, on)| sums.iter().zip(on).map(|(&sum, &on)| Lines::new(sum, on)).collect());
        Some(Replaced(lines.collect()))
    }
}
