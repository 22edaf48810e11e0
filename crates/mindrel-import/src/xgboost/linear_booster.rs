//! Boosted linear models.

use crate::ReadError;
use crate::model_field::ModelField;
use crate::pipeline::Predictor;

/// The weights as `save_model` writes them: feature after feature, one for each output, and the biases last.
pub(super) fn read(model: &ModelField<'_>, start: &[f64], n_features: usize) -> Result<Predictor, ReadError> {
    let field = model.get("weights")?;
    let (written, n_outputs) = (field.singles()?, start.len());
    if n_features.checked_add(1).and_then(|rows| rows.checked_mul(n_outputs)) != Some(written.len()) {
        return Err(field.damaged("the weights are not one for each feature and output"));
    }
    let row = |output: usize| written.iter().skip(output).step_by(n_outputs).copied().take(n_features).collect();
    // XGBoost (3.2.0) adds the first class's base score to every class of a linear booster; so do scores and labels
    // here.
    let intercepts = (0..n_outputs).map(|output| start[0] + written[n_features * n_outputs + output]).collect();
    Ok(Predictor::Linear { weights: (0..n_outputs).map(row).collect(), intercepts })
}
