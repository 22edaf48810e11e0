//! Choosing a model, and telling a difference from noise.

use serde::{Deserialize, Serialize};

use super::{Candidate, Measure};
use mindrel_audit::CONFIDENCE;
use mindrel_audit::binomial::interval;

/// Which model was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// By how much the accuracy on the validation part may be below the best.
    pub within: f64,
    /// The place of the model that is right most often there.
    pub best: usize,
    /// The place of the model that asks least among those within that of it.
    pub chosen: usize,
    /// How they compare on the test part.
    pub difference: PairedDifference,
}

/// Two models on the same people.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairedDifference {
    /// People whom only the best decides about rightly.
    pub only_best_right: u64,
    /// People whom only the chosen one does.
    pub only_chosen_right: u64,
    /// By how much the best is more often right.
    pub accuracy: f64,
    /// What that is at least, with 95 % confidence for both ends together.
    pub lower: f64,
    /// What it is at most.
    pub upper: f64,
    /// Whether it may as well be none.
    pub within_noise: bool,
}

impl PairedDifference {
    /// Compares person by person.
    ///
    /// ```text
    /// difference = (b − c) / n,    b ~ Binomial(b + c, π) given b + c,    (2π − 1) (b + c) / n at the exact bounds of π
    /// ```
    ///
    /// Only people about whom the two differ count. The interval is conditional on their number; it excludes zero
    /// exactly when McNemar's exact test rejects that neither is better.
    pub(super) fn new(best: &[bool], chosen: &[bool]) -> Self {
        let only =
            |one: &[bool], other: &[bool]| one.iter().zip(other).filter(|(one, other)| **one && !**other).count();
        let (only_best, only_chosen) = (only(best, chosen) as u64, only(chosen, best) as u64);
        let differing = only_best + only_chosen;
        let scale = differing as f64 / best.len().max(1) as f64;
        let (low, high) = if differing == 0 { (0.5, 0.5) } else { interval(only_best, differing, CONFIDENCE) };
        let (lower, upper) = ((2.0 * low - 1.0) * scale, (2.0 * high - 1.0) * scale);
        PairedDifference {
            only_best_right: only_best,
            only_chosen_right: only_chosen,
            accuracy: (only_best as f64 - only_chosen as f64) / best.len().max(1) as f64,
            lower,
            upper,
            within_noise: lower <= 0.0 && upper >= 0.0,
        }
    }
}

/// Chooses on the validation parts, compares on the test parts.
///
/// Of those that ask equally little the more accurate is taken, then the one with fewer questions, then the first.
pub(super) fn choose(
    measured: &[(&Measure, &Measure)],
    right: &[&[bool]],
    candidates: &[Candidate],
    within: f64,
) -> Choice {
    let places = || 0..measured.len();
    let accuracy = |place: usize| measured[place].0.accuracy;
    let asked = |place: usize| measured[place].0.mean_asked;
    let questions = |place: usize| candidates[place].plan.sensitive().len();
    let order = |left: &usize, right: &usize| {
        let less = asked(*left).total_cmp(&asked(*right));
        let better = accuracy(*right).total_cmp(&accuracy(*left));
        (less, better, questions(*left).cmp(&questions(*right)))
    };
    let best = places().min_by(|left, right| {
        let (less, better, fewer) = order(left, right);
        better.then(less).then(fewer)
    });
    let best = best.expect("there are models");
    // Rounding must not keep out a model that is exactly that much behind.
    let close = places().filter(|&place| accuracy(place) + within + 1e-12 >= accuracy(best));
    let chosen = close.min_by(|left, right| {
        let (less, better, fewer) = order(left, right);
        less.then(better).then(fewer)
    });
    let chosen = chosen.expect("the best is close to itself");
    Choice { within, best, chosen, difference: PairedDifference::new(right[best], right[chosen]) }
}

/// Which models no other beats on the validation part.
pub(super) fn on_frontier(measured: &[(&Measure, &Measure)]) -> Vec<bool> {
    let beats = |one: &Measure, other: &Measure| {
        let no_worse = one.accuracy >= other.accuracy && one.mean_asked <= other.mean_asked;
        no_worse && (one.accuracy > other.accuracy || one.mean_asked < other.mean_asked)
    };
    let is_beaten = |own: &Measure| measured.iter().any(|(other, _)| beats(other, own));
    measured.iter().map(|(own, _)| !is_beaten(own)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_told_from_noise_by_the_people_who_differ() {
        let people = |right: usize| (0..1000).map(|place| place < right).collect::<Vec<bool>>();
        let clear = PairedDifference::new(&people(900), &people(870));
        assert_eq!((clear.only_best_right, clear.only_chosen_right, clear.within_noise), (30, 0, false));
        assert!((clear.accuracy - 0.03).abs() < 1e-12 && clear.lower > 0.0 && clear.upper <= 0.03 + 1e-12);
        let faint = PairedDifference::new(&people(900), &people(897));
        assert!(faint.within_noise && faint.lower < 0.0, "three people of a thousand: {faint:?}");
        let none = PairedDifference::new(&people(900), &people(900));
        assert_eq!((none.lower, none.upper, none.within_noise), (0.0, 0.0, true));
    }
}
