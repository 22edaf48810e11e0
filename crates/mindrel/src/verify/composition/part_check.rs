//! What is checked in each part of a proof about a composition.

use super::Composed;
use super::margin::PartView;
use super::scores::{KnownModel, PartScores};
use super::values::range_of;
use crate::Label;
use crate::model::{ComposedValue, Model};
use crate::proof::{Beaten, Proof};
use crate::verify::Refutation;
use crate::verify::interval::Interval;
use crate::verify::network::Ties;
use crate::verify::part::{Between, OpenQuestions};
use crate::verify::proof_walk::{PartChecker, Pending, walk};

/// What bounds are worked out from.
struct CompositionChecker<'a> {
    composed: &'a Composed<'a>,
    open: OpenQuestions<'a>,
    models: Vec<KnownModel>,
}

impl Composed<'_> {
    /// The smallest margin that a proof states, if it states one and holds.
    pub fn smallest_margin_of(&self, proof: &Proof) -> Result<Option<f64>, Refutation> {
        let open = OpenQuestions::new(self.statement, Between::Next);
        let known = |model| KnownModel::new(model, self.statement, &open);
        let models = self.composition.models().iter().map(known).collect();
        let checker = CompositionChecker { composed: self, open, models };
        walk(&checker, self.statement, &checker.open, proof)
    }
}

impl PartChecker for CompositionChecker<'_> {
    /// As long as a bound does not hold, other lines are tried for units of networks that are as often on as off.
    fn strike(&self, here: &Pending, beaten: &[Beaten], part: usize) -> Result<Vec<Label>, Refutation> {
        let mut ties = Ties::new();
        loop {
            let left = self.strike_with(here, beaten, part, &mut ties);
            match ties.another() {
                Some(other) if left.is_err() => ties = other,
                _ => return left,
            }
        }
    }

    /// A part that is not cut has no rivals left, or is a single point, which is simply evaluated.
    fn check_end(&self, here: &Pending, part: usize) -> Result<(), Refutation> {
        let Some(&rival) = here.rivals.first() else { return Ok(()) };
        let statement = self.composed.statement;
        let has_label = |point: Vec<f64>| {
            let mut person = statement.person.to_vec();
            self.open.columns.iter().zip(&point).for_each(|(&column, &value)| person[column] = value);
            self.composed.composition.label(&person) == statement.label
        };
        let holds = here.part.point().is_some_and(has_label);
        holds.then_some(()).ok_or_else(|| Refutation::NotBeaten { part, rival: statement.class(rival) })
    }
}

impl CompositionChecker<'_> {
    fn strike_with(
        &self,
        here: &Pending,
        beaten: &[Beaten],
        part: usize,
        ties: &mut Ties,
    ) -> Result<Vec<Label>, Refutation> {
        let (statement, composition) = (self.composed.statement, self.composed.composition);
        let scores: Vec<PartScores> =
            self.models.iter().map(|model| model.scores(statement, &self.open, &here.part, ties)).collect();
        let mut ranges: Vec<Interval> = Vec::new();
        for value in composition.values() {
            let range = match value {
                ComposedValue::Score { model, score } => scores[*model].ranges[*score],
                _ => {
                    let view = self.view(here, &ranges, &scores);
                    range_of(composition, value, &ranges, |own, rival| view.lead(own, rival))
                }
            };
            ranges.push(range);
        }
        let view = self.view(here, &ranges, &scores);
        let mut rivals = here.rivals.clone();
        for stated in beaten {
            let is_meant = |rival: &Label| statement.class(*rival) == stated.class;
            let is_plain = stated.margin.is_finite() && stated.on.is_empty() && stated.sweeps == 0;
            let place = rivals.iter().position(is_meant).filter(|_| is_plain);
            let rival = rivals.swap_remove(place.ok_or(Refutation::BadBound { part })?);
            let outputs = composition.outputs();
            let margin = view.least(outputs[statement.label.index()], outputs[rival.index()]);
            if !(margin > 0.0 || (margin == 0.0 && composition.wins_ties(statement.label, rival))) {
                return Err(Refutation::NotBeaten { part, rival: statement.class(rival) });
            }
            if stated.margin > margin {
                return Err(Refutation::MarginTooLarge { part, rival: statement.class(rival) });
            }
        }
        Ok(rivals)
    }

    fn view<'a>(&'a self, here: &'a Pending, ranges: &'a [Interval], scores: &'a [PartScores]) -> PartView<'a> {
        PartView {
            values: self.composed.composition.values(),
            ranges,
            models: &self.models,
            scores,
            open: &self.open,
            part: &here.part,
        }
    }
}
