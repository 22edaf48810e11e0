//! What every training by small steps has in common.

use crate::TrainError;

/// Refuses a length of steps, rows to a step or number of epochs that lead nowhere.
pub(crate) fn check_steps(learning_rate: f64, batch: usize, epochs: usize) -> Result<(), TrainError> {
    let positive = |value: f64| value > 0.0 && value.is_finite();
    let invalid = |option| Err(TrainError::InvalidOption { option });
    if !positive(learning_rate) || !positive(learning_rate.recip()) {
        return invalid("learning_rate");
    }
    if batch == 0 {
        return invalid("batch");
    }
    if epochs == 0 {
        return invalid("epochs");
    }
    Ok(())
}
