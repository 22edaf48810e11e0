//! What the paper's text claims of each figure, and whether it holds here.
//!
//! A claim is words, and a check reads it as numbers; every claim says how. Comparisons use the same splits,
//! classifiers, S and people, and a difference counts if its 95 % interval over repetitions excludes zero.

pub(crate) mod beliefs;
pub(crate) mod comparison;
pub(crate) mod core_sets;
pub(crate) mod networks;
pub(crate) mod times;

pub(crate) use times::PAPER_MINUTES;

use std::fmt;

use mindrel_audit::Rule;
use serde::Serialize;

use crate::design::BeliefKind;
use crate::measurement::Setting;
use crate::summaries::{SettingSummary, Summaries};

/// The source of what we claim ourselves.
pub(crate) const OURS: &str = "ours";

/// A claim and what was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckedClaim {
    /// Who claims it: a place in the paper, or `ours`.
    pub source: &'static str,
    /// The claim; the paper's in its own words.
    pub claim: &'static str,
    /// How it is read as numbers.
    pub reading: &'static str,
    /// Whether it holds here.
    pub verdict: ClaimVerdict,
    /// The numbers.
    pub finding: String,
}

/// Whether a claim holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimVerdict {
    /// It does, everywhere it was looked at.
    Holds,
    /// In part.
    Partly,
    /// It does not.
    Fails,
    /// Too little was measured to tell.
    Unclear,
}

impl ClaimVerdict {
    /// Holds or fails.
    fn of(holds: bool) -> Self {
        if holds { ClaimVerdict::Holds } else { ClaimVerdict::Fails }
    }

    /// By how many of several parts hold.
    fn by_parts(holding: usize, parts: usize) -> Self {
        match holding {
            0 => ClaimVerdict::Fails,
            _ if holding == parts => ClaimVerdict::Holds,
            _ => ClaimVerdict::Partly,
        }
    }
}

impl fmt::Display for ClaimVerdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            ClaimVerdict::Holds => "holds",
            ClaimVerdict::Partly => "holds in part",
            ClaimVerdict::Fails => "does not hold",
            ClaimVerdict::Unclear => "not clear",
        })
    }
}

/// The claims about an experiment, checked.
#[must_use]
pub fn claims(found: &Summaries<'_>) -> Vec<CheckedClaim> {
    (found.measured().design.claims)(found)
}

/// The setting of a rule under the Gaussian belief.
fn setting(data_set: &str, sensitive: usize, rule: Rule, delta: f64) -> Setting {
    Setting { data_set: data_set.to_owned(), belief: BeliefKind::Gaussian, sensitive, rule, delta }
}

/// A share in percent.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let digits = if percent.abs() >= 10.0 || percent == 0.0 { 0 } else { 1 };
    format!("{percent:.digits$}\u{a0}%")
}

/// A difference of shares, in percentage points.
fn points(difference: f64) -> String {
    format!("{:.2} points", 100.0 * difference)
}

/// Where a summary was found.
fn place(row: &SettingSummary) -> String {
    format!("{}, |S| = {}", row.setting.data_set, row.setting.sensitive)
}

/// The row with the largest figure.
///
/// # Panics
/// When there is none: every design has what its claims are about.
fn largest<'a>(
    rows: impl Iterator<Item = &'a SettingSummary>,
    figure: impl Fn(&SettingSummary) -> f64,
) -> &'a SettingSummary {
    rows.max_by(|left, right| figure(left).total_cmp(&figure(right))).expect("the design has such rows")
}

/// The smallest and the largest leakage, with their places.
fn leakage_range<'a>(rows: impl Iterator<Item = &'a SettingSummary> + Clone) -> String {
    let (least, most) = (largest(rows.clone(), |row| -row.leakage.mean), largest(rows, |row| row.leakage.mean));
    let told = |row: &SettingSummary| format!("{} ({})", percent(row.leakage.mean), place(row));
    format!("{} to {}", told(least), told(most))
}
