//! Audits: what a plan asks of many people, under many rules, next to the baselines; and calibration, which chooses how loosely a
//! plan may stop so that few of them are decided otherwise than with everything revealed.
//!
//! People stream through in blocks, which are decoded and decided on all cores. Everything that is counted is a whole number,
//! so the result does not depend on how the blocks fell to the cores.
//!
//! # Sources
//!
//! - \[Clopper & Pearson 1934\]: C. J. Clopper, E. S. Pearson, *The use of confidence or fiducial limits illustrated in the case of the
//!   binomial*, Biometrika 26.
//! - \[Maurer, Hothorn & Lehmacher 1995\]: *Multiple comparisons in drug clinical trials and preclinical assays: a-priori ordered hypotheses*.
//! - \[Angelopoulos et al. 2021\]: A. N. Angelopoulos, S. Bates, E. J. Candès, M. I. Jordan, L. Lei, *Learn then Test: Calibrating Predictive
//!   Algorithms to Achieve Risk Control*.

mod agreement;
pub mod binomial;
mod calibrate;
mod clock;
mod draw;
mod report;
mod run;
mod stream;
mod tally;

pub use agreement::{Agreement, CalibrationReport, FlipRate, Verdict};
pub use calibrate::{CalibrationOptions, FixedSequence, Passed, THRESHOLDS, calibrate, group_confidence};
pub use clock::clock;
pub use draw::draw_sensitive;
pub use report::{AuditReport, CalibratedGroup, CalibratedReport, RunReport};
pub use run::{Rule, Run};
pub use stream::{audit, audit_telling};
