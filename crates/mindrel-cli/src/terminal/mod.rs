//! What a person sees: text, tables, progress.

pub mod audit_summary;
pub mod audit_tables;
pub mod burden;
pub mod data_remedy;
pub mod data_sets;
pub mod experiments;
pub mod frontier;
pub mod giveaway;
pub mod inspection;
pub mod interrupt;
pub mod output;
pub mod progress;
pub mod tables;
pub mod words;
