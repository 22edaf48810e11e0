//! What a person sees: text, tables, progress.

pub mod data_sets;
pub mod experiments;
pub mod output;
pub mod progress;
pub mod report;
pub mod words;
