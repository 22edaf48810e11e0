//! XGBoost's models, in JSON and UBJSON.

mod booster;
mod booster_tree;
mod linear_booster;
mod ubjson;

use serde_json::Value;

use crate::ReadError;
use crate::pipeline::Pipeline;

/// Reads a model as `save_model` writes it to a `.json` file.
///
/// # Errors
/// When the file is damaged, or holds something that is not supported.
pub fn read_json(bytes: &[u8]) -> Result<Pipeline, ReadError> {
    let value: Value = serde_json::from_slice(bytes).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        ReadError::damaged(place, if error.is_eof() { "the file ends here" } else { "this is no JSON" })
    })?;
    booster::pipeline(&value)
}

/// Reads a model as `save_model` writes it to a `.ubj` file.
///
/// # Errors
/// As [`read_json`].
pub fn read_ubjson(bytes: &[u8]) -> Result<Pipeline, ReadError> {
    booster::pipeline(&ubjson::parse(bytes)?)
}
