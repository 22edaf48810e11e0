//! Another threshold on the probability of a class.

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
        let shift = (threshold / (1.0 - threshold)).ln();
        if self.n_scores() != 1 {
            return Ok(None);
        }
        Ok(match self {
            Classifier::Linear(model) => {
                let (weights, intercepts) = (model.weights(0).to_vec(), vec![model.intercept(0) - shift]);
                Some(LinearModel::new(model.n_columns(), weights, intercepts)?.into())
            }
            Classifier::Network(network) => {
                let (last, hidden) = network.layers().split_last().expect("a network has layers");
                let last = Layer::new(last.n_inputs(), last.weights(0).to_vec(), vec![last.biases()[0] - shift])?;
                Some(Network::new(hidden.iter().cloned().chain([last]).collect())?.into())
            }
            _ => None,
        })
    }
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
}
