//! The paper's evaluation [TF23, App. D]: every figure and table redone, our rule next to the paper's, and what the paper's text claims
//! checked against the numbers.
//!
//! ```text
//! table ── Prepared ─┐
//! Design ────────────┼─ run ─▶ Measured ── Summaries ─▶ figures, claims ── write_report ─▶ report.html, SVG, CSV, JSON
//! Settings ──────────┘    (finished parts are kept in a Store)
//! ```
//!
//! - [`DESIGNS`] is the list of experiments; what each compares is data, and one function, [`measure`], carries all of them out.
//! - A part is one repetition of one experiment on one data set. All its draws follow from the seed and its own place, so that parts can
//!   run in any order, on any number of threads, in one go or resumed, and give the same numbers.
//! - [`claims`] holds what the paper says of each figure, in its own words, and how that is read as numbers.
//!
//! # Sources
//!
//! - \[TF23\]: C. Tran, F. Fioretto, *Data Minimization at Inference Time*, NeurIPS 2023.
//! - \[AS64\]: M. Abramowitz, I. A. Stegun, *Handbook of Mathematical Functions*, 1964.

mod cell;
mod claims;
mod design;
mod figures;
pub mod frontier;
mod measure;
mod prepare;
mod report;
mod runner;
mod store;
mod student;
mod summary;

pub use cell::{Cell, Setting, Time};
pub use claims::{Claim, Verdict, claims};
pub use design::{DELTAS, DESIGNS, Design, Family, Kind, Sizes};
pub use figures::{NamedFigure, figures};
pub use measure::{MeasureError, Repetition, measure};
pub use prepare::{Prepared, RECIPES, Recipe};
pub use report::{About, DataSetLine, ReportError, page, write_report};
pub use runner::{Measured, Progress, RunError, Settings, run};
pub use store::{Key, Store, StoreError};
pub use student::Estimate;
pub use summary::{Summaries, Summary};
