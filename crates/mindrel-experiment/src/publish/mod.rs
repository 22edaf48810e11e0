//! The report: one page that needs nothing else, and the same figures and numbers as files.

mod experiment_page;
mod files;
mod paper_tables;

pub use experiment_page::{DataSetLine, ExperimentFacts, page};
pub use files::publish;
