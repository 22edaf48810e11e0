//! Choosing the δ of a plan so that few decisions differ from the full model's, whatever the belief.
//!
//! Fixed-sequence testing [Maurer, Hothorn & Lehmacher 1995; Angelopoulos et al. 2021, "Learn then test"]: thresholds
//! are tried from strict to loose, in an order fixed beforehand. Each is tested by the exact binomial bound of its
//! flips, and the first that fails ends the sequence. The first threshold that breaks the promise passes with
//! probability at most 1 − confidence, and looser ones are reached only if it does. So trying many costs nothing.

use mindrel::core_test::TimeLimit;
use mindrel::model::{Model, ProvedBy};
use mindrel::plan::{Calibration, CalibrationError, Evidence, GroupThreshold, PlanError, check_promise, levels_of};
use mindrel::session::Walk;
use mindrel::{Label, People, Plan, Rules};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::binomial::upper_bound;
use crate::side_by_side::SideBySide;
use crate::small_groups::SMALLEST_GROUP;

/// The thresholds δ, from strict to loose: evenly spaced on a logarithmic scale, to two digits.
pub const THRESHOLDS: [f64; 30] = [
    0.0001, 0.00013, 0.00018, 0.00024, 0.00032, 0.00043, 0.00058, 0.00078, 0.001, 0.0014, 0.0019, 0.0025, 0.0034,
    0.0045, 0.006, 0.0081, 0.011, 0.015, 0.02, 0.026, 0.035, 0.047, 0.063, 0.084, 0.11, 0.15, 0.2, 0.27, 0.37, 0.49,
];

/// How many people one core takes at a time if each takes microseconds.
const QUICK_PEOPLE: usize = 64;
/// The same if each may take a while.
const SLOW_PEOPLE: usize = 4;

/// The same if a model can only be run: the more, the fewer calls.
const RUN_PEOPLE: usize = 256;

/// What is to be promised, and for which rules.
#[derive(Debug, Clone)]
pub struct CalibrationOptions {
    /// The share of decisions that may differ from the full model's.
    pub flips: f64,
    /// The confidence of the promise, for all groups together.
    pub confidence: f64,
    /// The public question whose answers each get a threshold.
    pub by: Option<String>,
    /// The rules that the promise is for. δ and the test are ignored: the thresholds replace δ, and a proof is the
    /// fallback.
    pub rules: Rules,
    /// The SHA-256 of the table the people come from.
    pub table: String,
    /// A limit that no step reaches unless the calibration is stopped: then the clock jumps ahead, every step ends at
    /// once, and what is found is worth nothing. The caller throws it away.
    pub stopped_by: Option<TimeLimit>,
}

/// The tests of one group, threshold after threshold; it sees only counts.
#[derive(Debug, Clone, PartialEq)]
pub struct FixedSequence {
    flips: f64,
    confidence: f64,
    people: u64,
    passed: Option<Passed>,
    ended: bool,
}

/// The loosest threshold that passed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Passed {
    /// The threshold.
    pub delta: f64,
    /// The flips it led to.
    pub flips: u64,
    /// The upper bound of their share.
    pub upper: f64,
}

impl FixedSequence {
    /// A sequence before its first threshold. It has ended already if there are too few people to bear out the promise
    /// even without a flip.
    #[must_use]
    pub fn new(flips: f64, confidence: f64, people: u64) -> Self {
        FixedSequence { flips, confidence, people, passed: None, ended: upper_bound(0, people, confidence) > flips }
    }

    /// Tests the next threshold, given its flips. Does nothing once one has failed.
    pub fn test(&mut self, delta: f64, flips: u64) {
        if self.ended {
            return;
        }
        let upper = upper_bound(flips, self.people, self.confidence);
        if upper <= self.flips {
            self.passed = Some(Passed { delta, flips, upper });
        } else {
            self.ended = true;
        }
    }

    /// Whether the next threshold will be tested.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.ended
    }

    /// The loosest threshold that passed, if one did.
    #[must_use]
    pub fn passed(&self) -> Option<Passed> {
        self.passed
    }

    fn threshold(&self, level: Option<String>) -> GroupThreshold {
        let (delta, evidence) = match self.passed {
            Some(Passed { delta, flips, upper }) => (delta, Evidence::Table { flips, upper }),
            None => (0.0, Evidence::Proof),
        };
        GroupThreshold { level, people: Some(self.people), delta, evidence }
    }
}

/// Calibrates a plan on people it was not fitted on: each group gets the loosest threshold that passes, or δ = 0.
///
/// `decided` is called with the number of decisions made since its last call; there are at most 30 per person.
///
/// The promises of groups hold jointly: each has confidence 1 − (1 − confidence) / groups, over the groups that
/// occur. In groups of fewer than [`SMALLEST_GROUP`] people, whom counts could identify, nothing is counted and every
/// decision is proved; they do not enter that number.
///
/// # Errors
/// When a plan cannot be calibrated for this promise, question or these rules.
pub fn calibrate(
    plan: &Plan,
    people: &People,
    options: &CalibrationOptions,
    decided: &(dyn Fn(usize) + Sync),
) -> Result<Calibration, PlanError> {
    let CalibrationOptions { flips, confidence, by, table, stopped_by, .. } = options.clone();
    check_promise(flips, confidence)?;
    let test = Rules::default_for(plan.model()).test;
    let rules = Rules { delta: 0.0, test, ..options.rules };
    plan.with_rules(rules)?;
    let groups = Membership::new(plan, people, by.as_deref())?;
    let counts = groups.counts();
    let is_small = |count: u64| by.is_some() && (1..SMALLEST_GROUP).contains(&count);
    let tested = counts.iter().filter(|count| **count > 0 && !is_small(**count)).count();
    let each = group_confidence(confidence, tested);
    let sequence = |&count: &u64| (!is_small(count)).then(|| FixedSequence::new(flips, each, count));
    let mut sequences: Vec<Option<FixedSequence>> = counts.iter().map(sequence).collect();
    let full = plan.model().labels_of_many(people.columns());
    for delta in THRESHOLDS {
        let is_open = |sequence: &Option<FixedSequence>| sequence.as_ref().is_some_and(FixedSequence::is_open);
        let open: Vec<bool> = sequences.iter().map(is_open).collect();
        if !open.contains(&true) {
            break;
        }
        let plan = plan.with_rules(Rules { delta, ..rules })?;
        let walk = |plan: &Plan| {
            let mut walk = Walk::new(plan);
            stopped_by.into_iter().for_each(|limit| walk.limit_time(limit));
            walk
        };
        let flipped = count_flips(&plan, &walk, people, &full, &groups, &open, decided);
        let tested =
            sequences.iter_mut().zip(flipped).filter_map(|(sequence, flips)| Some((sequence.as_mut()?, flips)));
        tested.for_each(|(sequence, flips)| sequence.test(delta, flips));
    }
    let thresholds = sequences.iter().zip(groups.levels).map(|(sequence, level)| match sequence {
        Some(sequence) => sequence.threshold(level),
        None => GroupThreshold { level, people: None, delta: 0.0, evidence: Evidence::Proof },
    });
    let thresholds: Vec<GroupThreshold> = thresholds.collect();
    let is_unkept = |threshold: &GroupThreshold| threshold.evidence == Evidence::Proof;
    if plan.model().proved_by() == ProvedBy::Nothing && thresholds.iter().any(is_unkept) {
        return Err(CalibrationError::NothingToFallBackOn.into());
    }
    Ok(Calibration { flips, confidence, table, by, rules, groups: thresholds })
}

/// The confidence that each of some groups needs so that their promises hold jointly (Bonferroni).
#[must_use]
pub fn group_confidence(confidence: f64, groups: usize) -> f64 {
    1.0 - (1.0 - confidence) / groups.max(1) as f64
}

/// The groups and their members.
struct Membership {
    levels: Vec<Option<String>>,
    /// The group of each person.
    members: Vec<usize>,
}

impl Membership {
    fn new(plan: &Plan, people: &People, by: Option<&str>) -> Result<Self, CalibrationError> {
        let schema = plan.schema();
        let Some(name) = by else {
            return Ok(Membership { levels: vec![None], members: vec![0; people.len()] });
        };
        let levels = levels_of(schema, name)?.into_iter().map(Some).collect();
        let id = schema.find(name).expect("a question with levels is there");
        let level = |columns: &[f64]| schema.question(id).level_of(&columns[schema.columns(id)]);
        let member = |columns: &[f64]| level(columns).expect("a table's levels are those of the schema");
        Ok(Membership { levels, members: people.iter().map(|person| member(person.columns)).collect() })
    }

    fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.levels.len()];
        self.members.iter().for_each(|&group| counts[group] += 1);
        counts
    }
}

/// Counts the flips of each group that is still open, on all cores. Draws for each person start from the seed of the
/// rules, as in a calibrated session.
fn count_flips(
    plan: &Plan,
    walk: &(dyn Fn(&Plan) -> Walk + Sync),
    people: &People,
    full: &[Label],
    groups: &Membership,
    open: &[bool],
    decided: &(dyn Fn(usize) + Sync),
) -> Vec<u64> {
    let size = match plan.model().proved_by() {
        ProvedBy::Sums => QUICK_PEOPLE,
        ProvedBy::Search => SLOW_PEOPLE,
        ProvedBy::Nothing => RUN_PEOPLE,
    };
    let is_flipped = |walk: &mut Walk, place: usize| {
        let (label, _) = walk.decide(people.person(place).columns, plan.rules().seed);
        label != full[place]
    };
    let part = |start: usize| {
        let places = start..people.len().min(start + size);
        decided(places.len());
        let asked: Vec<usize> = places.filter(|&place| open[groups.members[place]]).collect();
        let flipped: Vec<bool> = match SideBySide::new(std::slice::from_ref(plan)) {
            Some(side_by_side) => {
                side_by_side.each(asked.len(), |plans| walk(&plans[0]), |walk, index| is_flipped(walk, asked[index]))
            }
            None => {
                let mut walk = walk(plan);
                asked.iter().map(|&place| is_flipped(&mut walk, place)).collect()
            }
        };
        let mut flips = vec![0; open.len()];
        asked.iter().zip(flipped).for_each(|(&place, flipped)| flips[groups.members[place]] += u64::from(flipped));
        flips
    };
    let add = |left: Vec<u64>, right: Vec<u64>| left.iter().zip(right).map(|(left, right)| left + right).collect();
    let parts = (0..people.len().div_ceil(size)).into_par_iter();
    parts.map(|place| part(place * size)).reduce(|| vec![0; open.len()], add)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn passed(flips: f64, confidence: f64, people: u64, counts: &[u64]) -> Option<Passed> {
        let mut sequence = FixedSequence::new(flips, confidence, people);
        THRESHOLDS.iter().zip(counts).for_each(|(&delta, &count)| sequence.test(delta, count));
        sequence.passed()
    }

    /// With 1,000 people, 4 flips bear out 1 % at 95 % (the bound is 0.913 %) and 5 do not (1.048 %); later counts
    /// are not read.
    #[test]
    fn the_first_threshold_that_fails_ends_it() {
        let found = passed(0.01, 0.95, 1000, &[0, 2, 4, 5, 0, 0]).expect("three pass");
        assert_eq!((found.delta, found.flips), (THRESHOLDS[2], 4));
        assert!(0.009 < found.upper && found.upper <= 0.01);
        assert_eq!(passed(0.01, 0.95, 1000, &[5, 0, 0]), None);
    }

    #[test]
    fn too_few_people_bear_out_nothing() {
        assert_eq!(passed(0.01, 0.95, 298, &[0; 30]), None);
        assert_eq!(passed(0.01, 0.95, 299, &[0; 30]).map(|found| found.delta), Some(0.49));
        assert!(!FixedSequence::new(0.01, 0.95, 0).is_open());
    }

    #[test]
    fn thresholds_go_from_strict_to_loose_and_can_be_followed() {
        assert!(THRESHOLDS.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(THRESHOLDS.iter().all(|delta| (0.0001..0.5).contains(delta)));
    }

    proptest! {
        /// What passes keeps the promise by its own bound, and every stricter threshold passed as well.
        #[test]
        fn what_passes_is_borne_out(
            counts in prop::collection::vec(0u64..30, 30),
            people in 100u64..5000,
            promised in 0.002..0.2f64,
            confidence in 0.5..0.999f64,
        ) {
            let first_failure = counts.iter().position(|&count| upper_bound(count, people, confidence) > promised);
            let expected = first_failure.unwrap_or(30).checked_sub(1).map(|place| THRESHOLDS[place]);
            prop_assert_eq!(passed(promised, confidence, people, &counts).map(|found| found.delta), expected);
        }

        /// A looser promise, or less confidence, never makes a threshold stricter.
        #[test]
        fn asking_for_less_allows_for_more(
            counts in prop::collection::vec(0u64..30, 30),
            people in 100u64..5000,
            promised in 0.002..0.1f64,
            confidence in 0.5..0.99f64,
        ) {
            let delta = |promised, confidence| passed(promised, confidence, people, &counts).map_or(0.0, |it| it.delta);
            prop_assert!(delta(promised, confidence) <= delta(promised * 1.5, confidence));
            prop_assert!(delta(promised, 0.5 + confidence / 2.0) <= delta(promised, confidence));
        }
    }
}
