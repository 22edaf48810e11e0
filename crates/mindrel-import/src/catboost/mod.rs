//! CatBoost's models, in JSON and in its own binary format.

mod blob;
mod ensemble;
mod flat_table;
mod json;

pub use blob::read_blob;
pub use json::read_json;
