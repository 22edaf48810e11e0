//! Exact import of models from other libraries.
//!
//! ```text
//!  ONNX      ─┐
//!  XGBoost   ─┼─► Pipeline ──(Schema)──► Classifier
//!  LightGBM  ─┤
//!  CatBoost  ─┤
//!  Python    ─┘
//! ```
//!
//! A [`Pipeline`] describes what a library's model does to the raw columns of a table, in terms common to all
//! libraries. Lowering it onto a schema makes the preprocessing part of the encoding, and questions stay the raw
//! columns.

mod adapt;
#[cfg(feature = "onnx-runtime")]
pub mod black_box;
pub mod catboost;
mod error;
mod file;
#[cfg(feature = "onnx-runtime")]
mod graph_threads;
pub mod lightgbm;
pub mod lower;
mod model_field;
pub mod onnx;
pub mod pipeline;
pub mod xgboost;

pub use adapt::{AdaptError, adapt};
pub use error::ReadError;
pub use file::{Format, read};
pub use lower::{LowerError, lower};
pub use pipeline::Pipeline;
