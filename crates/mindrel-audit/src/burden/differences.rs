//! Comparisons of groups.

use serde::Serialize;

use super::compare::{GroupTest, Tested, holm};
use super::means::{Counts, mean_difference, mean_test};
use super::sentence::{self, Subject};
use super::shares::{Proportion, share_difference, share_test};
use super::{CellTally, FEWEST_PEOPLE, LEVEL};
use crate::agreement::CONFIDENCE;
use crate::binomial;
use crate::cohort::Groups;
use crate::run::Run;
use crate::small_groups::{TellableGroups, tellable};
use crate::stream::Audit;
use crate::tally::{RunTally, Tally};

/// The result of comparing groups.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BurdenComparison {
    /// A group with fewer people is not compared.
    pub fewest_people: u64,
    /// A difference is reported up to this p-value, corrected for the number of tests.
    pub level: f64,
    /// The number of tests, which are all corrected together.
    pub tests: usize,
    /// The groups by each column alone and, if there are two, by both at once.
    pub groupings: Vec<GroupingComparison>,
}

/// People grouped by one column, or by two at once.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupingComparison {
    /// The columns.
    pub by: Vec<String>,
    /// The groups that have people. Small groups come last, merged into one.
    pub groups: Vec<Members>,
    /// How many small groups are left out, because they have too few people even together.
    pub groups_untold: usize,
    /// One entry for each run, in the order of the report's `runs`.
    pub runs: Vec<RunBurden>,
}

/// The people of a group.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Members {
    /// Their level in each column; empty for merged small groups.
    pub levels: Vec<String>,
    /// How many small groups were merged into this one; 0 if it is a single group.
    pub merged: usize,
    /// How many there are.
    pub people: u64,
    /// Whether there are too few to be compared. Merged groups have nothing in common, and are not compared either.
    pub too_few: bool,
}

impl Members {
    /// The name of the group in tables.
    #[must_use]
    pub fn name(&self) -> String {
        if self.merged > 0 { format!("{} small groups", self.merged) } else { self.levels.join(", ") }
    }
}

/// The groups in one run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunBurden {
    /// Each group, in the order of the grouping's `groups`.
    pub groups: Vec<GroupFigures>,
    /// Whether some are asked more; `None` for `all`, which asks everyone everything.
    pub asked: Option<GroupDifference>,
    /// Whether some have more flips; `None` if decisions are the full model's.
    pub flips: Option<GroupDifference>,
    /// Whether some have more correct decisions; `None` without labels. Among runs whose decisions are the full
    /// model's, only the first is tested.
    pub accuracy: Option<GroupDifference>,
}

/// The figures of one group in one run, each with its 95 % interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupFigures {
    /// The mean number of revealed sensitive questions, with Student's t.
    pub mean_asked: IntervalEstimate,
    /// The same as a share of all sensitive questions.
    pub leakage: IntervalEstimate,
    /// The share of decisions that differ from the full model's; exact.
    pub flips: IntervalEstimate,
    /// The share of correct decisions; exact. `None` without labels.
    pub accuracy: Option<IntervalEstimate>,
    /// The share of people for whom a test ran out of budget or time; exact.
    pub undecided_budget: IntervalEstimate,
    /// How many people were asked 0, 1, 2, … questions.
    pub histogram: Vec<u64>,
}

/// A number with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct IntervalEstimate {
    /// The observed value.
    pub value: f64,
    /// The lower end of the interval.
    pub lower: f64,
    /// The upper end of the interval.
    pub upper: f64,
}

impl IntervalEstimate {
    /// The mean of whole numbers, given how many people have 0, 1, 2, …, with Student's t.
    #[must_use]
    pub fn of_counts(histogram: &[u64]) -> Self {
        let numbers = Counts(histogram);
        let (lower, upper) = numbers.interval(CONFIDENCE);
        IntervalEstimate { value: numbers.mean(), lower, upper }
    }
}

/// Whether groups differ in something.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupDifference {
    /// The verdict.
    pub verdict: DifferenceVerdict,
    /// The result as a sentence.
    pub sentence: String,
    /// The test behind it; `None` if there are too few people.
    #[serde(flatten)]
    pub comparison: Option<Comparison>,
}

/// Whether a difference was found. If none was found, there may still be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceVerdict {
    /// Groups differ.
    Found,
    /// No difference was found.
    NoneFound,
    /// Fewer than two groups have enough people.
    TooFew,
}

/// A test, and the two groups with the clearest difference: the one whose interval is furthest from zero. (Small
/// groups can be further apart by chance.)
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The test; of `welch` and `anova`, the one with the larger p.
    pub test: GroupTest,
    /// F or χ²; `None` for an exact test.
    pub statistic: Option<f64>,
    /// The degrees of freedom of the statistic.
    pub degrees: Vec<f64>,
    /// The p-value.
    pub p: f64,
    /// The p-value, corrected for all tests of the report.
    pub p_holm: f64,
    /// The index of the group with the larger value.
    pub more: usize,
    /// The index of the group with the smaller value.
    pub less: usize,
    /// Their difference, with an interval that holds for all pairs of groups at once.
    pub difference: IntervalEstimate,
    /// The largest difference between any two groups that is not excluded.
    pub not_excluded: f64,
}

impl BurdenComparison {
    pub(crate) fn new(audit: &Audit<'_>, groups: &Groups, tally: &Tally, labelled: bool) -> Self {
        let columns = 0..groups.columns().len();
        let mut choices: Vec<Vec<usize>> = columns.clone().map(|column| vec![column]).collect();
        if columns.len() > 1 {
            choices.push(columns.collect());
        }
        let groupings = choices.iter().map(|columns| GroupingComparison::new(audit, groups, columns, tally, labelled));
        let mut report =
            BurdenComparison { fewest_people: FEWEST_PEOPLE, level: LEVEL, tests: 0, groupings: groupings.collect() };
        report.correct();
        report
    }

    /// Corrects for the number of tests, and then writes each verdict and sentence.
    fn correct(&mut self) {
        let mut comparisons: Vec<&mut Comparison> = Vec::new();
        for run in self.groupings.iter_mut().flat_map(|grouping| &mut grouping.runs) {
            let differences = [&mut run.asked, &mut run.flips, &mut run.accuracy].into_iter().flatten();
            comparisons.extend(differences.filter_map(|difference| difference.comparison.as_mut()));
        }
        self.tests = comparisons.len();
        let corrected = holm(&comparisons.iter().map(|comparison| comparison.p).collect::<Vec<f64>>());
        comparisons.into_iter().zip(corrected).for_each(|(comparison, p)| comparison.p_holm = p);
        for grouping in &mut self.groupings {
            let names: Vec<String> =
                grouping.groups.iter().map(|members| sentence::group_name(&grouping.by, &members.levels)).collect();
            let left_out = grouping.groups.iter().zip(&names);
            let left_out = left_out.filter(|(members, _)| members.too_few && members.merged == 0);
            let left_out: Vec<&str> = left_out.map(|(_, name)| name.as_str()).collect();
            for run in &mut grouping.runs {
                let n_questions = run.groups.first().map_or(0, |group| group.histogram.len() - 1);
                let subjects = [
                    (&mut run.asked, Subject::Asked { of: n_questions }),
                    (&mut run.flips, Subject::Flips),
                    (&mut run.accuracy, Subject::Accuracy),
                ];
                for (difference, subject) in subjects {
                    if let Some(difference) = difference {
                        difference.conclude(subject, &names, &left_out);
                    }
                }
            }
        }
    }
}

impl GroupingComparison {
    fn new(audit: &Audit<'_>, groups: &Groups, columns: &[usize], tally: &Tally, labelled: bool) -> Self {
        let runs = audit.runs;
        let names: Vec<String> = columns.iter().map(|&column| groups.columns()[column].name.clone()).collect();
        // The group of a cell.
        let key = |cell: usize| -> Vec<usize> {
            let places = groups.places(cell);
            columns.iter().map(|&column| places[column]).collect()
        };
        let sums = |counts: &[CellTally]| {
            let mut sums = std::collections::BTreeMap::<Vec<usize>, CellTally>::new();
            for (cell, counts) in counts.iter().enumerate().filter(|(_, counts)| counts.people() > 0) {
                sums.entry(key(cell)).and_modify(|sum| sum.merge(counts)).or_insert_with(|| counts.clone());
            }
            sums
        };
        let tellable_groups = |counts: &RunTally| {
            tellable(sums(&counts.cells), audit.smallest_group, CellTally::people, |mut one, other| {
                one.merge(&other);
                one
            })
        };
        let by_run: Vec<_> = tally.runs.iter().map(tellable_groups).collect();
        let level = |(&column, &place): (&usize, &usize)| groups.columns()[column].levels[place].clone();
        let own = |(places, counts): &(Vec<usize>, CellTally)| Members {
            levels: columns.iter().zip(places).map(level).collect(),
            merged: 0,
            people: counts.people(),
            too_few: counts.people() < FEWEST_PEOPLE,
        };
        let merged = |(merged, counts): &(usize, CellTally)| Members {
            levels: Vec::new(),
            merged: *merged,
            people: counts.people(),
            too_few: true,
        };
        let members = |groups: &TellableGroups<_, _>| {
            groups.told.iter().map(own).chain(groups.merged.iter().map(merged)).collect()
        };
        let first_as_full = runs.iter().position(|run| !run.may_flip());
        let run = |(place, groups): (usize, &TellableGroups<Vec<usize>, CellTally>)| {
            let is_tested = labelled && (runs[place].may_flip() || first_as_full == Some(place));
            RunBurden::new(&runs[place], groups, labelled, is_tested)
        };
        GroupingComparison {
            by: names,
            groups: by_run.first().map_or(Vec::new(), members),
            groups_untold: by_run.first().map_or(0, |groups| groups.n_untold),
            runs: by_run.iter().enumerate().map(run).collect(),
        }
    }
}

impl RunBurden {
    fn new(
        run: &Run,
        groups: &TellableGroups<Vec<usize>, CellTally>,
        labelled: bool,
        accuracy_is_tested: bool,
    ) -> Self {
        // Merged small groups are shown but not compared.
        let counts: Vec<&CellTally> = groups.told.iter().map(|(_, counts)| counts).collect();
        let merged = groups.merged.iter().map(|(_, counts)| counts);
        let shown = counts.iter().copied().chain(merged);
        RunBurden {
            groups: shown.map(|counts| GroupFigures::new(counts, labelled)).collect(),
            asked: (!run.asks_everything()).then(|| of_means(&counts)),
            flips: run.may_flip().then(|| of_shares(&counts, |counts| counts.flips)),
            accuracy: accuracy_is_tested.then(|| of_shares(&counts, |counts| counts.correct)),
        }
    }
}

impl GroupFigures {
    fn new(counts: &CellTally, labelled: bool) -> Self {
        let mean_asked = IntervalEstimate::of_counts(&counts.histogram);
        let IntervalEstimate { lower, upper, .. } = mean_asked;
        let all = (counts.histogram.len() - 1).max(1) as f64;
        let share = |counted: u64| {
            let (lower, upper) = binomial::interval(counted, counts.people(), CONFIDENCE);
            IntervalEstimate { value: counted as f64 / counts.people() as f64, lower, upper }
        };
        GroupFigures {
            mean_asked,
            leakage: IntervalEstimate { value: mean_asked.value / all, lower: lower / all, upper: upper / all },
            flips: share(counts.flips),
            accuracy: labelled.then(|| share(counts.correct)),
            undecided_budget: share(counts.out_of_budget),
            histogram: counts.histogram.clone(),
        }
    }
}

/// Compares the mean numbers of questions.
fn of_means(counts: &[&CellTally]) -> GroupDifference {
    let groups: Vec<Counts<'_>> = counts.iter().map(|counts| Counts(&counts.histogram)).collect();
    compare(counts, &groups, Counts::mean, mean_test, mean_difference)
}

/// Compares shares of people.
fn of_shares(counts: &[&CellTally], counted: fn(&CellTally) -> u64) -> GroupDifference {
    let share = |counts: &&CellTally| Proportion { counted: counted(counts), people: counts.people() };
    let groups: Vec<Proportion> = counts.iter().map(share).collect();
    compare(counts, &groups, Proportion::value, share_test, share_difference)
}

/// Tests the groups that have enough people. The correction for all tests and the sentence come later.
fn compare<G: Copy>(
    counts: &[&CellTally],
    groups: &[G],
    value: impl Fn(G) -> f64,
    test: impl Fn(&[G]) -> Tested,
    interval: impl Fn(G, G, f64) -> (f64, f64),
) -> GroupDifference {
    let compared: Vec<usize> = (0..groups.len()).filter(|&place| counts[place].people() >= FEWEST_PEOPLE).collect();
    let too_few = GroupDifference { verdict: DifferenceVerdict::TooFew, sentence: String::new(), comparison: None };
    if compared.len() < 2 {
        return too_few;
    }
    let Tested { test, statistic, degrees, p } = test(&compared.iter().map(|&place| groups[place]).collect::<Vec<G>>());
    let pairs = compared.len() * (compared.len() - 1) / 2;
    let each = 1.0 - (1.0 - CONFIDENCE) / pairs as f64;
    let mut surest: Option<(usize, usize, IntervalEstimate)> = None;
    let mut not_excluded: f64 = 0.0;
    for (place, &first) in compared.iter().enumerate() {
        for &second in &compared[place + 1..] {
            let more_first = value(groups[first]) >= value(groups[second]);
            let (more, less) = if more_first { (first, second) } else { (second, first) };
            let (lower, upper) = interval(groups[more], groups[less], each);
            not_excluded = not_excluded.max(upper).max(-lower);
            if surest.is_none_or(|(_, _, figure)| lower > figure.lower) {
                let value = value(groups[more]) - value(groups[less]);
                surest = Some((more, less, IntervalEstimate { value, lower, upper }));
            }
        }
    }
    let (more, less, difference) = surest.expect("two groups are a pair");
    let comparison = Comparison { test, statistic, degrees, p, p_holm: p, more, less, difference, not_excluded };
    GroupDifference { comparison: Some(comparison), ..too_few }
}

impl GroupDifference {
    /// Sets the verdict and the sentence, once the p-values are corrected.
    fn conclude(&mut self, subject: Subject, names: &[String], left_out: &[&str]) {
        self.verdict = match &self.comparison {
            None => DifferenceVerdict::TooFew,
            Some(comparison) if comparison.p_holm <= LEVEL => DifferenceVerdict::Found,
            Some(_) => DifferenceVerdict::NoneFound,
        };
        self.sentence = sentence::sentence(self, subject, names, left_out);
    }
}
