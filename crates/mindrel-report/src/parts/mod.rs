//! The sections of a report, each in a file of its own.

mod asked;
mod audited;
mod burden;
pub(crate) mod front;
mod giveaway;
mod glossary;
mod guarantee;
mod limits;
mod promise;
mod questions;
mod regret;
mod rules;
mod trade;

use crate::reading::Reading;
use crate::section::ReportSection;

/// All sections that have content.
pub(crate) fn sections(reading: &Reading<'_>) -> Vec<ReportSection> {
    let sections = [
        Some(audited::section(reading)),
        Some(guarantee::section(reading)),
        Some(asked::section(reading)),
        Some(questions::section(reading)),
        Some(trade::section(reading)),
        Some(rules::section(reading)),
        regret::section(reading),
        promise::section(reading),
        burden::section(reading),
        giveaway::section(reading),
        Some(limits::section(reading)),
        limits::repeat(reading),
        Some(glossary::section(reading)),
    ];
    sections.into_iter().flatten().collect()
}
