//! The paper's evaluation [TF23, App. D]: every figure and table, our rule next to the paper's, and its claims checked.
//!
//! ```text
//! table ── PreparedTable ─┐
//! Design ─────────────────┼─ run ─▶ Measured ── Summaries ─▶ figures, claims ── publish ─▶ report.html, SVG, CSV, JSON
//! ExperimentSettings ─────┘    (finished trials are kept in a TrialStore)
//! ```
//!
//! - [`DESIGNS`] lists the experiments; what each compares is data, and one function, [`measure`], runs all of them.
//! - A trial is one repetition of one experiment on one data set. All its draws follow from the seed and its own place,
//!   so that trials can run in any order, on any number of threads, in one go or resumed, and give the same numbers.
//! - [`claims`] holds what the paper says of each figure, in its own words, and how that is read as numbers.
//!
//! # Sources
//!
//! - \[TF23\]: C. Tran, F. Fioretto, *Data Minimization at Inference Time*, NeurIPS 2023.

mod claims;
mod design;
mod figures;
pub mod frontier;
mod measurement;
mod prepare;
mod publish;
mod repeated_mean;
mod repetition;
mod runner;
mod store;
mod summaries;

pub use claims::{CheckedClaim, ClaimVerdict, claims};
pub use design::{BeliefKind, DELTAS, DESIGNS, Design, DesignClassifier, Sizes};
pub use figures::{NamedFigure, figures};
pub use measurement::{Measurement, Setting, Time};
pub use prepare::{PreparedTable, RECIPES, Recipe};
pub use publish::{DataSetLine, ExperimentFacts, page, publish};
pub use repeated_mean::RepeatedMean;
pub use repetition::{Repetition, measure};
pub use runner::{ExperimentProgress, ExperimentSettings, Measured, RunError, run};
pub use store::{TrialKey, TrialStore};
pub use summaries::{SettingSummary, Summaries};
