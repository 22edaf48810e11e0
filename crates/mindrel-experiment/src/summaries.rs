//! From repetitions to means with intervals.

use serde::Serialize;

use crate::measurement::{Measurement, Setting, Time};
use crate::repeated_mean::RepeatedMean;
use crate::runner::Measured;

/// What a setting led to, over all repetitions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SettingSummary {
    /// The setting.
    #[serde(flatten)]
    pub setting: Setting,
    /// How many repetitions.
    pub repetitions: usize,
    /// How many people were decided about, in all repetitions together.
    pub people: u64,
    /// Revealed sensitive questions / all sensitive questions.
    pub leakage: RepeatedMean,
    /// Share of decisions that are right.
    pub accuracy: RepeatedMean,
    /// Share of decisions that are right with everything revealed, less this one; from the same people.
    pub accuracy_lost: RepeatedMean,
    /// Share of decisions that differ from those with everything revealed.
    pub flips: RepeatedMean,
    /// Share of people for whom some test ran out of budget.
    pub out_of_budget: f64,
    /// The share of people who were asked at most 0, 1, 2, … questions.
    pub cumulative: Vec<RepeatedMean>,
    /// Seconds to fit the belief.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_fitting: Option<RepeatedMean>,
    /// Seconds to decide about one person, on one core.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_per_person: Option<RepeatedMean>,
}

/// One experiment, over all repetitions.
#[derive(Debug, Clone, PartialEq)]
pub struct Summaries<'a> {
    measured: &'a Measured,
    rows: Vec<SettingSummary>,
}

impl<'a> Summaries<'a> {
    /// Takes means.
    #[must_use]
    pub fn of(measured: &'a Measured) -> Self {
        let mut settings: Vec<&Setting> = Vec::new();
        for cell in measured.parts.iter().flatten() {
            if !settings.contains(&&cell.setting) {
                settings.push(&cell.setting);
            }
        }
        let rows = settings.into_iter().map(|setting| summary(setting, &cells(measured, setting))).collect();
        Summaries { measured, rows }
    }

    /// The experiment behind it.
    #[must_use]
    pub fn measured(&self) -> &'a Measured {
        self.measured
    }

    /// All of them, in the order they were measured.
    #[must_use]
    pub fn rows(&self) -> &[SettingSummary] {
        &self.rows
    }

    /// Those for which a condition holds.
    pub fn filter(&self, keep: impl Fn(&Setting) -> bool + Clone) -> impl Iterator<Item = &SettingSummary> + Clone {
        self.rows.iter().filter(move |row| keep(&row.setting))
    }

    /// The numbers of sensitive questions that were looked at on a data set.
    #[must_use]
    pub fn sizes(&self, data_set: &str) -> Vec<usize> {
        let mut sizes: Vec<usize> =
            self.filter(|it| it.data_set == data_set).map(|row| row.setting.sensitive).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// How much less the first setting leaks than the second, from the same splits, classifiers, S and people.
    ///
    /// # Panics
    /// When one of them was not measured.
    #[must_use]
    pub fn less_leakage(&self, first: &Setting, second: &Setting) -> RepeatedMean {
        self.difference(first, second, |cell| cell.leakage)
    }

    /// How much lower a figure is under the first setting than under the second, repetition by repetition.
    ///
    /// # Panics
    /// When one of them was not measured.
    #[must_use]
    pub fn difference(&self, first: &Setting, second: &Setting, figure: impl Fn(&Measurement) -> f64) -> RepeatedMean {
        let (left, right) = (cells(self.measured, first), cells(self.measured, second));
        assert_eq!(left.len(), right.len(), "every repetition measures every setting");
        let differences: Vec<f64> = left.iter().zip(right).map(|(left, right)| figure(right) - figure(left)).collect();
        RepeatedMean::of(&differences)
    }
}

fn cells<'a>(measured: &'a Measured, setting: &Setting) -> Vec<&'a Measurement> {
    measured.parts.iter().flatten().filter(|cell| cell.setting == *setting).collect()
}

fn summary(setting: &Setting, cells: &[&Measurement]) -> SettingSummary {
    let values = |figure: &dyn Fn(&Measurement) -> f64| cells.iter().map(|cell| figure(cell)).collect::<Vec<f64>>();
    let share = |figure: &dyn Fn(&Measurement) -> f64| RepeatedMean::of_shares(&values(figure));
    let timed = |figure: &dyn Fn(&Time) -> f64| {
        let times: Option<Vec<f64>> = cells.iter().map(|cell| cell.time.as_ref().map(figure)).collect();
        times.map(|times| RepeatedMean::of(&times))
    };
    let at_most =
        |count: usize| share(&|cell| cell.histogram[..=count].iter().sum::<u64>() as f64 / cell.people as f64);
    SettingSummary {
        setting: setting.clone(),
        repetitions: cells.len(),
        people: cells.iter().map(|cell| cell.people).sum(),
        leakage: share(&|cell| cell.leakage),
        accuracy: share(&|cell| cell.accuracy),
        accuracy_lost: RepeatedMean::of(&values(&|cell| cell.accuracy_all - cell.accuracy)),
        flips: share(&|cell| cell.flips),
        out_of_budget: share(&|cell| cell.out_of_budget).mean,
        cumulative: (0..=setting.sensitive).map(at_most).collect(),
        seconds_fitting: timed(&|time| time.fitting),
        seconds_per_person: timed(&|time| time.deciding_one),
    }
}
