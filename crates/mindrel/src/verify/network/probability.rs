//! The probability of a network's label: by a gradient at the expected person, or by draws.

use super::Rectified;
use crate::math::spread::Spread;
use crate::model::{Model, Network};
use crate::schema::{Domain, QuestionId};
use crate::verify::belief::{Believed, Conditional, Estimated, all_at_least_zero, draws_tolerance, tolerance};

/// Evenly spread draws; sixteen times as many as a session takes.
const DRAWS: usize = 16_384;

impl Rectified<'_> {
    /// As if the network were linear around the expected person [TF23, Thm 1]; under a copula, the share of people drawn:
    ///
    /// ```text
    /// margin_k ~ N(f_label(m) − f_k(m), g_kᵀ Σ g_k),   g_k = ∇(f_label − f_k)(m),   m, Σ of the open columns given the known ones
    /// ```
    pub fn taylor_probability(&self) -> Estimated {
        let statement = self.statement;
        let components = match statement.believed() {
            Believed::Gaussians(components) => components,
            Believed::Drawn(drawn) => return drawn.share(|person| self.network.label(person) == statement.label),
        };
        let probability = components.iter().map(|(weight, rest)| weight * self.expanded_probability(rest)).sum();
        Estimated { probability, tolerance: tolerance(statement.rivals().count() + 1) }
    }

    fn expanded_probability(&self, rest: &Conditional) -> f64 {
        let statement = self.statement;
        let person = self.person_at(rest, &rest.mean);
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

    /// The share of people drawn from the belief, brought into the domain, who have the label.
    pub fn share_of_draws(&self) -> Estimated {
        let components = match self.statement.believed() {
            Believed::Gaussians(components) => components,
            Believed::Drawn(drawn) => return drawn.share(|person| self.has_label_inside(person.to_vec())),
        };
        let roots: Vec<Vec<Vec<f64>>> = components.iter().map(|(_, rest)| rest.square_root()).collect();
        let spread = Spread::with(components[0].1.columns.len(), DRAWS);
        let has_label = |index: &usize| {
            let normals = spread.point(*index);
            let component = component_at(&components, spread.share(*index));
            let (rest, root) = (&components[component].1, &roots[component]);
            let moved =
                root.iter().map(|row| row.iter().zip(normals).map(|(share, normal)| share * normal).sum::<f64>());
            let values: Vec<f64> = rest.mean.iter().zip(moved).map(|(mean, moved)| mean + moved).collect();
            self.has_label_inside(self.person_at(rest, &values))
        };
        let probability = (0..spread.len()).filter(has_label).count() as f64 / spread.len() as f64;
        Estimated { probability, tolerance: draws_tolerance(probability, DRAWS_OF_SESSION) }
    }

    /// Whether a person, brought into the domain, has the label.
    fn has_label_inside(&self, mut person: Vec<f64>) -> bool {
        self.statement.open().for_each(|id| self.bring_in(id, &mut person));
        self.network.label(&person) == self.statement.label
    }

    /// The person, with the open columns at some values.
    fn person_at(&self, rest: &Conditional, values: &[f64]) -> Vec<f64> {
        let mut person = self.statement.person.to_vec();
        rest.columns.iter().zip(values).for_each(|(&column, &value)| person[column] = value);
        person
    }

    /// Moves a drawn answer to the nearest that is possible; of a category, the level with the largest indicator.
    fn bring_in(&self, id: QuestionId, person: &mut [f64]) {
        let schema = self.statement.plan.schema();
        let values = &mut person[schema.columns(id)];
        match schema.question(id).domain() {
            Domain::Interval => values[0] = values[0].clamp(-1.0, 1.0),
            Domain::Grid { points } => {
                let last = (points - 1) as f64;
                let index = ((values[0].clamp(-1.0, 1.0) + 1.0) / 2.0 * last).round();
                values[0] = -1.0 + 2.0 * (index / last);
            }
            Domain::OneOf { .. } => {
                let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let level = values.iter().position(|value| *value == largest).unwrap_or(0);
                values.fill(0.0);
                values[level] = 1.0;
            }
        }
    }
}

/// The component that a share of one falls to, by their weights.
fn component_at(components: &[(f64, Conditional)], share: f64) -> usize {
    let ends = components.iter().scan(0.0, |end, (weight, _)| {
        *end += weight;
        Some(*end)
    });
    ends.take_while(|end| *end <= share).count().min(components.len() - 1)
}

/// Evenly spread draws of a session.
const DRAWS_OF_SESSION: usize = 1024;

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
