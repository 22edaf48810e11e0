//! Models over sums of features, as principal components are.

use super::{DenseLayer, Feature, Pipeline, Predictor, RawInput};

impl Pipeline {
    /// The same model if its features are sums of others.
    ///
    /// ```text
    /// f_k = constants_k + Σ_j weights_kj g_j
    /// Σ_k w_k f_k + b = Σ_j (Σ_k w_k weights_kj) g_j + b + Σ_k w_k constants_k
    /// ```
    ///
    /// The map becomes part of the first layer. Returns `None` for trees, which look at one feature at a time, and
    /// where counts do not fit.
    #[must_use]
    pub fn over_sums(&self, weights: &[Vec<f64>], constants: &[f64]) -> Option<Pipeline> {
        let n_inputs = weights.first()?.len();
        let fits = weights.len() == self.features.len()
            && constants.len() == weights.len()
            && weights.iter().all(|row| row.len() == n_inputs)
            && self
                .features
                .iter()
                .enumerate()
                .all(|(place, feature)| feature.input == place && feature.steps.is_empty());
        if !fits {
            return None;
        }
        let mut predictor = self.predictor.clone();
        match &mut predictor {
            Predictor::Linear { weights: rows, intercepts } => merge(rows, intercepts, weights, constants),
            Predictor::Network { layers } => {
                let DenseLayer { weights: rows, biases } = layers.first_mut()?;
                merge(rows, biases, weights, constants);
            }
            _ => return None,
        }
        let features = (0..n_inputs).map(|input| Feature { input, steps: Vec::new() }).collect();
        let inputs = vec![RawInput::default(); n_inputs];
        Some(Pipeline { inputs, features, predictor, classes: self.classes.clone(), probability: self.probability })
    }
}

fn merge(rows: &mut [Vec<f64>], biases: &mut [f64], weights: &[Vec<f64>], constants: &[f64]) {
    for (row, bias) in rows.iter_mut().zip(biases) {
        let mut merged = vec![0.0; weights[0].len()];
        for ((weight, terms), constant) in row.iter().zip(weights).zip(constants) {
            *bias += weight * constant;
            merged.iter_mut().zip(terms).for_each(|(place, term)| *place += weight * term);
        }
        *row = merged;
    }
}
