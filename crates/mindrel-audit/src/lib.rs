//! Audits measure what a plan asks of many people, under several rules and beside the baselines. Calibration chooses
//! how early a plan may stop so that few decisions differ from those with everything revealed.
//!
//! People are read in blocks, which are decoded and decided on all cores. All counts are whole numbers, so the result
//! does not depend on which core handles which block.
//!
//! # Sources
//!
//! - \[Clopper & Pearson 1934\]: C. J. Clopper, E. S. Pearson, *The use of confidence or fiducial limits illustrated in
//!   the case of the binomial*, Biometrika 26.
//! - \[Maurer, Hothorn & Lehmacher 1995\]: *Multiple comparisons in drug clinical trials and preclinical assays:
//!   a-priori ordered hypotheses*.
//! - \[Angelopoulos et al. 2021\]: A. N. Angelopoulos, S. Bates, E. J. Candès, M. I. Jordan, L. Lei, *Learn then Test:
//!   Calibrating Predictive Algorithms to Achieve Risk Control*.
//! - \[Fisher 1925\]: R. A. Fisher, *Statistical Methods for Research Workers*.
//! - \[Welch 1951\]: B. L. Welch, *On the comparison of several mean values: an alternative approach*, Biometrika 38.
//! - \[Cochran 1954\]: W. G. Cochran, *Some methods for strengthening the common χ² tests*, Biometrics 10.
//! - \[Holm 1979\]: S. Holm, *A simple sequentially rejective multiple test procedure*, Scandinavian Journal of
//!   Statistics 6.
//! - \[Newcombe 1998\]: R. G. Newcombe, *Interval estimation for the difference between independent proportions:
//!   comparison of eleven methods*, Statistics in Medicine 17.

mod agreement;
pub mod binomial;
mod burden;
mod calibrate;
mod cohort;
mod decisions;
mod fixed;
mod giveaway;
mod outcome;
mod regret;
mod rule;
mod run;
mod side_by_side;
mod small_groups;
mod stream;
mod tails;
mod tally;

pub use agreement::{Agreement, CONFIDENCE, FlipRate, PromiseVerdict, PromisedAgreement};
pub use burden::{
    BurdenComparison, Comparison, DifferenceVerdict, FEWEST_PEOPLE, GroupDifference, GroupFigures, GroupTest,
    GroupingComparison, IntervalEstimate, LEVEL, Members, RunBurden, TOO_FEW,
};
pub use calibrate::{CalibrationOptions, FixedSequence, Passed, THRESHOLDS, calibrate, group_confidence};
pub use cohort::{Cohort, GroupColumn, Groups};
pub use giveaway::{BeforeAfter, Giveaway, HiddenQuestion, Inferred};
pub use outcome::{AuditOutcome, ClassFlips, GroupFlips, PromisedFlips, RunOutcome};
pub use regret::{Regret, RegretCount};
pub use rule::Rule;
pub use run::Run;
pub use side_by_side::SideBySide;
pub use small_groups::SMALLEST_GROUP;
pub use stream::{Audit, PersonOutcome, Rows, audit};
pub use tails::t_quantile;
