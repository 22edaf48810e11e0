//! The probability of a linear model's label.

use super::Linear;
use crate::Label;
use crate::model::Model;
use crate::verify::belief::{Believed, Conditional, Estimated, all_at_least_zero, tolerance};

impl Linear<'_> {
    /// The probability of the label [TF23, Props 4-5]:
    ///
    /// ```text
    /// margin_k = a_k + θ_kU · X_U,    X_U the open columns given the known ones
    /// ```
    ///
    /// Under a copula, the share of people drawn.
    pub fn label_probability(&self) -> Estimated {
        let statement = self.statement;
        let rest = match statement.believed() {
            Believed::Normal(rest) => rest,
            Believed::Drawn(drawn) => return drawn.share(|person| self.model.label(person) == statement.label),
        };
        let mean: Vec<f64> = statement.rivals().map(|rival| self.margin_mean(rival, &rest)).collect();
        let weights = |rival| rest.columns.iter().map(|&column| self.margin_weight(column, rival)).collect();
        let weights: Vec<Vec<f64>> = statement.rivals().map(weights).collect();
        let probability = all_at_least_zero(&mean, &rest.covariances(&weights));
        Estimated { probability, tolerance: tolerance(statement.rivals().count() + 1) }
    }

    fn margin_mean(&self, rival: Label, rest: &Conditional) -> f64 {
        let known = self.statement.known_columns();
        let fixed = known.iter().map(|&column| self.margin_weight(column, rival) * self.statement.person[column]);
        let likely = rest.columns.iter().zip(&rest.mean);
        let likely = likely.map(|(&column, mean)| self.margin_weight(column, rival) * mean);
        let (own, other) = self.statement.sides(rival, |score| self.model.intercept(score));
        own - other + fixed.sum::<f64>() + likely.sum::<f64>()
    }

    fn margin_weight(&self, column: usize, rival: Label) -> f64 {
        let (own, other) = self.statement.sides(rival, |score| self.model.weights(score)[column]);
        own - other
    }
}
