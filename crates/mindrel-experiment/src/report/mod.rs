//! The report: one page that needs nothing else, and the same figures and numbers as files.

mod files;
mod page;
mod tables;

pub use files::{ReportError, write_report};
pub use page::{About, DataSetLine, page};
