//! The certified test: can any value of what is open change the label?
//!
//! Every family refutes, bounds and branches in its own way, as a [`Prover`]: networks ([`network`]), tree ensembles
//! ([`trees`]), compositions of both and of sums ([`composition`]), and black boxes, of which nothing is proved
//! ([`runner`]). What they share is here: what is open, parts of its domain, budgets, and the search for smallest
//! core sets.

pub(crate) mod composition;
pub(crate) mod linear;
pub(crate) mod network;
pub(crate) mod possible;
pub(crate) mod runner;
pub(crate) mod smallest;
pub(crate) mod trees;

use crate::Label;
use crate::region::{OpenColumns, Region, RegionCut};
use crate::rules::Budget;

/// How the search for a proof that everybody in some part of the domain has a label ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Conclusion {
    /// No value of what is open gives another label.
    Core,
    /// Some value does: the witness.
    Open,
    /// Neither was found in time.
    OutOfBudget,
}

/// A part of the domain as a proof tells of it.
#[derive(Clone, Default)]
pub(crate) struct RecordedPart {
    /// Whether it is narrowed to what the rules between questions imply before it is looked at.
    pub narrowed: bool,
    /// The rivals that cannot win in it.
    pub beaten: Vec<RecordedBound>,
    /// How it is cut, if rivals are left; the two halves follow, the first with all that comes of it before the second.
    pub cut: Option<RegionCut>,
}

/// A rival that cannot win in a part.
#[derive(Clone)]
pub(crate) struct RecordedBound {
    /// By its place among the rivals.
    pub rival: usize,
    /// The margin over it is at least this.
    pub margin: f64,
    /// The units, by layer and place, bounded from below by themselves although they can be off.
    pub on: Vec<(usize, usize)>,
    /// How often the prices of a tree ensemble were set to raise the bound; zero if there are none.
    pub sweeps: u32,
}

/// What a family of classifiers does to test one person after the other. It owns what it knows of its model, and has
/// no `Debug`: it holds answers.
///
/// A *point* is a value for each open column, filled up with zeros to the width of what is [`open`](Prover::open).
pub(crate) trait Prover: Send {
    /// Takes on a person, by what they can still be.
    fn begin(&mut self, region: &Region);

    /// Another of the same model, without a person.
    fn anew(&self) -> Box<dyn Prover>;

    /// Whether it can prove anything.
    fn can_prove(&self) -> bool {
        true
    }

    /// Bounds on every score over the whole domain, rounded outwards.
    fn score_bounds(&mut self) -> Vec<(f64, f64)>;

    /// What is open of the person.
    fn open(&self) -> &OpenColumns;

    /// The point that has another label, once one was found.
    fn witness(&self) -> &[f64];

    /// The label the model gives with the open columns at a point.
    fn label_at(&mut self, point: &[f64]) -> Label;

    /// The same for a point of the domain, and faster where that can be.
    fn quick_label_at(&mut self, point: &[f64]) -> Label {
        self.label_at(point)
    }

    /// The labels of several points of the domain.
    fn quick_labels_at(&mut self, points: &[f64], n_points: usize, labels: &mut Vec<Label>) {
        let width = self.open().width;
        labels.clear();
        for place in 0..n_points {
            let label = self.quick_label_at(&points[place * width..(place + 1) * width]);
            labels.push(label);
        }
    }

    /// How many points are best looked at together: few where a look is cheap, since the first may settle what is
    /// asked.
    fn batch(&self) -> usize {
        16
    }

    /// The work of finding the label of a point.
    fn label_work(&self) -> u64;

    /// The work of looking at the whole domain once, as a test does first.
    fn look_work(&self) -> u64;

    /// Looks for another label from a start within a part of the domain, quickly; keeps what it finds.
    fn refute_within(&mut self, label: Label, start: &[f64], budget: &mut Budget, region: &Region) -> bool;

    /// Tests whether a label holds in a part of the domain, which is looked at once however little budget is left.
    fn test_within(&mut self, label: Label, budget: &mut Budget, region: &Region) -> Conclusion;

    /// Tests whether a label holds in a part of the domain, and returns every part of it that was looked at; `None` if
    /// the label is not proved. `start` is where a test before it started from.
    fn prove_within(
        &mut self,
        label: Label,
        start: &[f64],
        budget: &mut Budget,
        region: &Region,
    ) -> Option<Vec<RecordedPart>>;

    /// The same for everything that the person can still be.
    fn prove(&mut self, label: Label, start: &[f64], budget: &mut Budget) -> Option<Vec<RecordedPart>> {
        let whole = self.open().whole.clone();
        self.prove_within(label, start, budget, &whole)
    }

    /// Refutes, then tests, whether a label holds in a part of the domain; nothing is proved without a budget.
    fn settle_within(&mut self, label: Label, start: &[f64], budget: &mut Budget, region: &Region) -> Conclusion {
        let has_budget = !budget.is_used_up();
        if self.refute_within(label, start, budget, region) {
            Conclusion::Open
        } else if has_budget {
            self.test_within(label, budget, region)
        } else {
            Conclusion::OutOfBudget
        }
    }

    /// Refutes, then tests, whether a label holds in the whole domain.
    fn settle(&mut self, label: Label, start: &[f64], budget: &mut Budget) -> Conclusion {
        let whole = self.open().whole.clone();
        self.settle_within(label, start, budget, &whole)
    }

    /// The point whose open columns are a person's.
    fn point_of(&self, person: &[f64]) -> Vec<f64> {
        let open = self.open();
        let mut point: Vec<f64> = open.columns.iter().map(|&column| person[column]).collect();
        point.resize(open.width, 0.0);
        point
    }
}
