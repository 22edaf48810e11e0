//! Claims about the Gaussian belief next to Bayesian networks.

use super::{CheckedClaim, ClaimVerdict, points, setting};
use crate::design::BeliefKind;
use crate::measurement::Setting;
use crate::summaries::Summaries;
use mindrel::Selector;
use mindrel_audit::Rule;

/// How far apart leakage may be and count as comparable.
const LEAKAGE: f64 = 0.05;

/// How far apart accuracy may be and count as comparable.
const ACCURACY: f64 = 0.005;

/// Figures 3 and 9.
pub fn alike(found: &Summaries<'_>) -> Vec<CheckedClaim> {
    let design = found.measured().design;
    let (mut pairs, mut alike) = (0, 0);
    let (mut leakage, mut accuracy) = ((0.0_f64, String::new()), (0.0_f64, String::new()));
    for &data_set in design.data_sets {
        for &delta in design.deltas {
            let gaussian = setting(data_set, 5, Rule::Asking(Selector::FScore), delta);
            let bayesian = Setting { belief: BeliefKind::Bayesian, ..gaussian.clone() };
            // How much less the network leaks, and how much less accurate it is.
            let leaks = found.less_leakage(&bayesian, &gaussian).mean;
            let right = found.difference(&bayesian, &gaussian, |cell| cell.accuracy).mean;
            pairs += 1;
            alike += usize::from(leaks.abs() <= LEAKAGE && right.abs() <= ACCURACY);
            keep_larger(&mut leakage, leaks, data_set, delta);
            keep_larger(&mut accuracy, right, data_set, delta);
        }
    }
    vec![CheckedClaim {
        source: "paper, §4.1 and App. D",
        claim: "We see no significant difference in terms of accuracy and data leakage between the two choices of modeling P(X_U | X_R = x_R).",
        reading: "means differ by at most 5 points of leakage and half a point of accuracy",
        verdict: ClaimVerdict::by_parts(alike, pairs),
        finding: format!(
            "In {alike} of {pairs} settings. The network leaks {} {} at {}; its accuracy is {} {} at {}.",
            points(leakage.0.abs()),
            if leakage.0 >= 0.0 { "less" } else { "more" },
            leakage.1,
            points(accuracy.0.abs()),
            if accuracy.0 > 0.0 { "lower" } else { "higher" },
            accuracy.1,
        ),
    }]
}

fn keep_larger(most: &mut (f64, String), value: f64, data_set: &str, delta: f64) {
    if value.abs() >= most.0.abs() {
        *most = (value, format!("most ({data_set}, δ = {delta})"));
    }
}
