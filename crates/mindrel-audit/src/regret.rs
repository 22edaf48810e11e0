//! Regret: the price of choosing questions without knowing the answers.

use serde::Serialize;

use crate::agreement::CONFIDENCE;
use crate::burden::{Counts, IntervalEstimate};

/// How many questions each person was asked beyond a smallest core set.
///
/// ```text
/// regret = asked − size of a smallest set that proves the decision
/// ```
///
/// It is negative if δ > 0 lets a rule stop before anything is proved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Regret {
    /// The mean, with its 95 % interval by Student's t.
    pub mean: IntervalEstimate,
    /// The number of people by regret, from the smallest that occurs to the largest.
    pub histogram: Vec<RegretCount>,
}

/// How many people have a regret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RegretCount {
    /// The number of questions beyond the optimum.
    pub questions: i64,
    /// The number of people.
    pub people: u64,
}

impl Regret {
    /// From the number of people by regret, with a regret of zero in the middle; `None` if there is nobody.
    pub(crate) fn new(counts: &[u64]) -> Option<Self> {
        let first = counts.iter().position(|&people| people > 0)?;
        let last = counts.iter().rposition(|&people| people > 0)?;
        let none = counts.len() / 2;
        let shifted = |value: f64| value - none as f64;
        let (lower, upper) = Counts(counts).interval(CONFIDENCE);
        let mean =
            IntervalEstimate { value: shifted(Counts(counts).mean()), lower: shifted(lower), upper: shifted(upper) };
        let count = |place: usize| RegretCount { questions: place as i64 - none as i64, people: counts[place] };
        Some(Regret { mean, histogram: (first..=last).map(count).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regret_is_counted_from_the_optimum() {
        let report = Regret::new(&[0, 1, 5, 0, 2]).expect("there are people");
        assert_eq!(report.mean.value, 3.0 / 8.0);
        let counts: Vec<(i64, u64)> = report.histogram.iter().map(|count| (count.questions, count.people)).collect();
        assert_eq!(counts, [(-1, 1), (0, 5), (1, 0), (2, 2)]);
        assert_eq!(Regret::new(&[0; 5]), None);
        assert_eq!(Regret::new(&[]), None);
    }
}
