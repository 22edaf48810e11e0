//! Black boxes: labels, as many at once as can be, and no proof of anything.

use super::budget::Budget;
use super::open::Open;
use super::region::Region;
use super::{Claim, Prover, RecordedPart, Verdict};
use crate::Label;
use crate::model::Model;
use crate::plan::Plan;

/// Points run together at most: enough that what one call costs no longer counts.
const MOST_TOGETHER: usize = 16_384;

/// Room for running one person after the other. It has no `Debug`: it holds answers.
#[derive(Default)]
pub(crate) struct BlackBoxRunner {
    open: Open,
    /// The person, with open columns at the point looked at last.
    person: Vec<f64>,
    people: Vec<f64>,
}

impl Prover for BlackBoxRunner {
    fn begin(&mut self, plan: &Plan, is_open: &dyn Fn(usize) -> bool, person: &[f64]) {
        self.open.set(&plan.prepared().asked, is_open, person);
        self.person.clear();
        self.person.extend_from_slice(person);
    }

    fn open(&self) -> &Open {
        &self.open
    }

    /// None is ever found.
    fn witness(&self) -> &[f64] {
        &[]
    }

    fn label_at(&mut self, plan: &Plan, point: &[f64]) -> Label {
        self.open.place(point, &mut self.person);
        plan.model().label(&self.person)
    }

    fn quick_labels_at(&mut self, plan: &Plan, points: &[f64], n_points: usize, labels: &mut Vec<Label>) {
        let width = self.open.width;
        self.people.clear();
        for place in 0..n_points {
            self.open.place(&points[place * width..(place + 1) * width], &mut self.person);
            self.people.extend_from_slice(&self.person);
        }
        *labels = plan.model().labels_of_many(&self.people);
    }

    fn batch(&self) -> usize {
        MOST_TOGETHER
    }

    fn refute_within(&mut self, _: &Claim<'_>, _: &[f64], _: &Region) -> bool {
        false
    }

    fn test_within(&mut self, _: &Claim<'_>, _: &Budget, _: &Region) -> Verdict {
        Verdict::OutOfBudget
    }

    fn prove(&mut self, _: &Claim<'_>, _: &Budget) -> Option<Vec<RecordedPart>> {
        None
    }
}
