//! Promises compared with what is observed, with exact intervals.

use std::fmt;

use serde::Serialize;

use crate::binomial::interval;

/// The confidence of every interval in a report.
pub const CONFIDENCE: f64 = 0.95;

/// Whether a promise is kept for people it was not made on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PromiseVerdict {
    /// The whole interval keeps the promise.
    Kept,
    /// The whole interval breaks the promise.
    Broken,
    /// The promised share lies within the interval.
    Unclear,
}

/// Promised and observed agreement with the full model [TF23, Def. 1]: under the belief, a decision is the full model's
/// with probability at least 1 − δ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PromisedAgreement {
    /// 1 − δ.
    pub promised: f64,
    /// All decisions, including those that are proved.
    #[serde(flatten)]
    pub everybody: Agreement,
    /// Decisions that rest on a probability alone.
    pub probable: Agreement,
}

/// How many decisions agree with the full model's, with the 95 % interval of their share.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreement {
    /// The number of decisions.
    pub people: u64,
    /// Those that agree with the full model's.
    pub agreeing: u64,
    /// Their share; `None` if there are no decisions.
    pub observed: Option<f64>,
    /// The lower end of the interval.
    pub lower: f64,
    /// The upper end of the interval.
    pub upper: f64,
    /// Broken if the interval lies below the promise.
    pub verdict: PromiseVerdict,
}

/// How many decisions differ from the full model's, with the 95 % interval of their share.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FlipRate {
    /// The number of decisions.
    pub people: u64,
    /// Those that differ.
    pub flipped: u64,
    /// Their share; `None` if there are no decisions.
    pub observed: Option<f64>,
    /// The lower end of the interval.
    pub lower: f64,
    /// The upper end of the interval.
    pub upper: f64,
    /// Broken if the interval lies above the promise.
    pub verdict: PromiseVerdict,
}

impl PromiseVerdict {
    fn new(is_kept: bool, is_broken: bool) -> Self {
        match (is_kept, is_broken) {
            (true, _) => PromiseVerdict::Kept,
            (_, true) => PromiseVerdict::Broken,
            _ => PromiseVerdict::Unclear,
        }
    }
}

impl Agreement {
    pub(crate) fn new(people: u64, agreeing: u64, promised: f64) -> Self {
        let (lower, upper) = interval(agreeing, people, CONFIDENCE);
        let verdict = PromiseVerdict::new(lower >= promised, upper < promised);
        Agreement { people, agreeing, observed: share(agreeing, people), lower, upper, verdict }
    }
}

impl FlipRate {
    pub(crate) fn new(people: u64, flipped: u64, promised: f64) -> Self {
        let (lower, upper) = interval(flipped, people, CONFIDENCE);
        let verdict = PromiseVerdict::new(upper <= promised, lower > promised);
        FlipRate { people, flipped, observed: share(flipped, people), lower, upper, verdict }
    }
}

impl fmt::Display for PromiseVerdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            PromiseVerdict::Kept => "kept",
            PromiseVerdict::Broken => "broken",
            PromiseVerdict::Unclear => "unclear",
        })
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 1,000 people, 95 % were promised to agree: 980 keep it, 900 break it, 950 do not say.
    #[test]
    fn a_verdict_needs_the_whole_interval_on_one_side() {
        let verdict = |agreeing| Agreement::new(1000, agreeing, 0.95).verdict;
        assert_eq!(
            [980, 900, 950].map(verdict),
            [PromiseVerdict::Kept, PromiseVerdict::Broken, PromiseVerdict::Unclear]
        );
        let mirrored = |flipped| FlipRate::new(1000, flipped, 0.05).verdict;
        assert_eq!(
            [20, 100, 50].map(mirrored),
            [PromiseVerdict::Kept, PromiseVerdict::Broken, PromiseVerdict::Unclear]
        );
        let nobody = Agreement::new(0, 0, 0.95);
        assert_eq!((nobody.observed, nobody.verdict), (None, PromiseVerdict::Unclear));
    }
}
