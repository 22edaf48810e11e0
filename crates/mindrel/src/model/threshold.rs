//! Another threshold on the probability of a class, or costs of errors.

use super::{Classifier, Layer, LinearModel, Model, ModelError, Network};

impl Classifier {
    /// A logistic model of two classes that decides for the second from a probability on.
    ///
    /// ```text
    /// 1 / (1 + exp(−score)) ≥ t  ⟺  score − ln(t / (1 − t)) ≥ 0
    /// ```
    ///
    /// Returns `None` for a model with more classes, and for one whose scores are no log-odds: trees and black boxes.
    ///
    /// # Errors
    /// When the probability is not strictly between 0 and 1.
    pub fn from_probability(&self, threshold: f64) -> Result<Option<Classifier>, ModelError> {
        if self.n_scores() != 1 {
            return Ok(None);
        }
        self.with_error_costs(&[threshold, 1.0 - threshold])
    }

    /// A logistic model that decides for the class with which errors cost least on average.
    ///
    /// ```text
    /// Σ_{i ≠ k} p_i c_i is least  ⟺  p_k c_k is largest  ⟺  score_k + ln c_k is largest,   p_k ∝ exp(score_k)
    /// ```
    ///
    /// `c_k` is what it costs to decide otherwise about someone of class `k`. Returns `None` for a model whose scores
    /// are no logarithms of probabilities: trees and black boxes.
    ///
    /// # Errors
    /// When a cost is not a positive number.
    ///
    /// # Panics
    /// When there is not one cost for each class.
    pub fn with_error_costs(&self, costs: &[f64]) -> Result<Option<Classifier>, ModelError> {
        assert_eq!(costs.len(), self.n_scores().max(2), "one cost for each class");
        let shifts = match costs {
            // The one score is that of the second class.
            [first, second] => vec![-(first / second).ln()],
            costs => costs.iter().map(|cost| cost.ln()).collect(),
        };
        Ok(match self {
            Classifier::Linear(model) => {
                let scores = 0..model.n_scores();
                let weights = scores.clone().flat_map(|score| model.weights(score).to_vec()).collect();
                let intercepts = scores.map(|score| model.intercept(score)).collect();
                Some(LinearModel::new(model.n_columns(), weights, shifted(intercepts, &shifts))?.into())
            }
            Classifier::Network(network) => {
                let (last, hidden) = network.layers().split_last().expect("a network has layers");
                let weights = (0..last.n_units()).flat_map(|unit| last.weights(unit).to_vec()).collect();
                let last = Layer::new(last.n_inputs(), weights, shifted(last.biases().to_vec(), &shifts))?;
                Some(Network::new(hidden.iter().cloned().chain([last]).collect())?.into())
            }
            _ => None,
        })
    }
}

fn shifted(intercepts: Vec<f64>, shifts: &[f64]) -> Vec<f64> {
    intercepts.iter().zip(shifts).map(|(intercept, shift)| intercept + shift).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The label changes exactly where the probability passes the threshold.
    #[test]
    fn a_class_is_decided_for_from_a_probability_on() {
        let linear: Classifier = LinearModel::new(1, vec![2.0], vec![-0.5]).unwrap().into();
        let first = Layer::new(1, vec![1.0, -1.0], vec![1.0, 1.0]).unwrap();
        let network = Network::new(vec![first, Layer::new(2, vec![1.0, -1.0], vec![-0.5]).unwrap()]).unwrap().into();
        for model in [linear, network] {
            for threshold in [0.1, 0.5, 0.83] {
                let cut = model.from_probability(threshold).unwrap().unwrap();
                for step in -100..=100 {
                    let person = [f64::from(step) / 100.0 + 1e-7];
                    let mut score = [0.0];
                    model.scores(&person, &mut score);
                    let expected = usize::from(1.0 / (1.0 + (-score[0]).exp()) >= threshold);
                    assert_eq!(cut.label(&person).index(), expected);
                }
            }
            assert!(model.from_probability(1.0).is_err() && model.from_probability(-0.5).is_err());
        }
    }

    /// Of three classes, the label is the one whose expected cost is least, by the definition.
    #[test]
    fn of_three_classes_the_one_whose_errors_cost_least_is_decided_for() {
        let linear: Classifier = LinearModel::new(1, vec![2.0, 0.0, -3.0], vec![-0.5, 0.3, 0.1]).unwrap().into();
        let last = Layer::new(1, vec![2.0, 0.0, -3.0], vec![-0.5, 0.3, 0.1]).unwrap();
        let network = Network::new(vec![Layer::new(1, vec![1.0], vec![1.0]).unwrap(), last.clone()]).unwrap().into();
        let costs = [1.0, 0.25, 6.0];
        for model in [linear, network] {
            let with_costs = model.with_error_costs(&costs).unwrap().unwrap();
            let mut labels = Vec::new();
            for step in -100..=100 {
                let person = [f64::from(step) / 100.0 + 1e-7];
                let mut scores = [0.0; 3];
                model.scores(&person, &mut scores);
                let expected_cost = |label: usize| {
                    (0..3).filter(|class| *class != label).map(|class| scores[class].exp() * costs[class]).sum::<f64>()
                };
                let cheapest = (0..3).min_by(|one, other| expected_cost(*one).total_cmp(&expected_cost(*other)));
                labels.push(with_costs.label(&person).index());
                assert_eq!(Some(labels[labels.len() - 1]), cheapest);
            }
            assert!(labels.iter().any(|label| *label != labels[0]));
            assert!(model.with_error_costs(&[1.0, 0.0, 1.0]).is_err());
        }
    }
}
