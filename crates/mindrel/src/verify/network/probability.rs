//! The probability of a network's label by a gradient at the expected person.

use super::Rectified;
use crate::model::{Model, Network};
use crate::verify::belief::{Believed, Conditional, Estimated, all_at_least_zero, tolerance};

impl Rectified<'_> {
    /// As if the network were linear around the expected person [TF23, Thm 1]; under a copula, the share of people
    /// drawn:
    ///
    /// ```text
    /// margin_k ~ N(f_label(m) − f_k(m), g_kᵀ Σ g_k),   g_k = ∇(f_label − f_k)(m),   m, Σ of the open columns given the known ones
    /// ```
    pub fn taylor_probability(&self) -> Estimated {
        let statement = self.statement;
        match statement.believed() {
            Believed::Normal(rest) => Estimated {
                probability: self.expanded_probability(&rest),
                tolerance: tolerance(statement.rivals().count() + 1),
            },
            Believed::Drawn(drawn) => drawn.share(|person| self.network.label(person) == statement.label),
        }
    }

    fn expanded_probability(&self, rest: &Conditional) -> f64 {
        let statement = self.statement;
        let person = statement.person_at(rest, &rest.mean);
        let (scores, gradients) = expand(self.network, &person);
        let mean: Vec<f64> = statement
            .rivals()
            .map(|rival| {
                let (own, other) = statement.sides(rival, |score| scores[score]);
                own - other
            })
            .collect();
        let slope = |rival, column: usize| {
            let (own, other) = statement.sides(rival, |score| gradients[score][column]);
            own - other
        };
        let slopes = |rival| rest.columns.iter().map(|&column| slope(rival, column)).collect();
        let slopes: Vec<Vec<f64>> = statement.rivals().map(slopes).collect();
        all_at_least_zero(&mean, &rest.covariances(&slopes))
    }
}

/// Scores, and the gradient of each, at one person: forwards through the layers, then the chain rule.
///
/// ```text
/// ∂z_l/∂x = W_l · diag(z_{l−1} > 0) · ∂z_{l−1}/∂x
/// ```
fn expand(network: &Network, person: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let identity = |row: usize| (0..person.len()).map(|column| f64::from(u8::from(row == column))).collect();
    let mut values: Vec<f64> = person.to_vec();
    let mut gradients: Vec<Vec<f64>> = (0..person.len()).map(identity).collect();
    for (place, layer) in network.layers().iter().enumerate() {
        if place > 0 {
            for (value, gradient) in values.iter_mut().zip(&mut gradients).filter(|(value, _)| **value <= 0.0) {
                *value = 0.0;
                gradient.fill(0.0);
            }
        }
        let weighted = |unit: usize, inputs: &dyn Fn(usize) -> f64| -> f64 {
            layer.weights(unit).iter().enumerate().map(|(input, weight)| weight * inputs(input)).sum()
        };
        let units = 0..layer.n_units();
        let gradient = |unit: usize| -> Vec<f64> {
            (0..person.len()).map(|column| weighted(unit, &|input| gradients[input][column])).collect()
        };
        let next_gradients = units.clone().map(gradient).collect();
        values = units.map(|unit| layer.biases()[unit] + weighted(unit, &|input| values[input])).collect();
        gradients = next_gradients;
    }
    (values, gradients)
}
