//! What is checked in each part of a proof about a network.

use super::Rectified;
use super::bound::{FoldedLayers, LayerSums};
use super::lines::Ties;
use crate::Label;
use crate::model::Model;
use crate::proof::{Beaten, Proof};
use crate::verify::Refutation;
use crate::verify::part::{Between, DomainPart, OpenQuestions};
use crate::verify::proof_walk::{PartChecker, Pending, walk};

/// By how much a stated margin may exceed the one worked out here, as a share of it.
///
/// A prover takes slightly wider bounds than needed, to be safe from rounding, so that its margins are normally the
/// smaller ones; but a line through wider bounds, higher within them, may be lower beyond, where a linear bound can
/// reach. In 114 000 bounds of random networks of up to three hidden layers none was larger than here with the same
/// lines, and the nearest was smaller by 7e-14 of it.
const TOLERANCE: f64 = 1e-9;

/// What bounds are worked out from.
struct NetworkChecker<'a> {
    rectified: &'a Rectified<'a>,
    open: OpenQuestions<'a>,
    folded: FoldedLayers,
    /// What a margin must exceed, so that scores computed with rounding show it.
    rounding: f64,
}

impl Rectified<'_> {
    /// Walks through a proof: every part must follow from the cuts, and have every rival beaten in it, above it or
    /// below it. The smallest margin stated, if there is one.
    pub fn smallest_margin_of(&self, proof: &Proof) -> Result<Option<f64>, Refutation> {
        let open = OpenQuestions::new(self.statement, Between::Shared);
        let folded = FoldedLayers::new(self.network, self.statement.person, &open);
        let rounding = self.network.rounding_bound(self.statement.largest());
        let checker = NetworkChecker { rectified: self, open, folded, rounding };
        walk(&checker, self.statement, &checker.open, proof)
    }
}

impl PartChecker for NetworkChecker<'_> {
    /// The rivals that are left in a part; as long as a bound does not hold, other lines are tried for units that are
    /// tied.
    fn strike(&self, here: &Pending, beaten: &[Beaten], part: usize) -> Result<Vec<Label>, Refutation> {
        let mut ties = Ties::new();
        loop {
            let sums = self.folded.sums(&self.open, &here.part, &mut ties);
            let left = self.strike_with(here, &sums, beaten, part);
            match ties.another() {
                Some(other) if left.is_err() => ties = other,
                _ => return left,
            }
        }
    }

    /// A part that is not cut has no rivals left, or is a single point, which is simply evaluated.
    fn check_end(&self, here: &Pending, part: usize) -> Result<(), Refutation> {
        let Some(&rival) = here.rivals.first() else { return Ok(()) };
        let statement = self.rectified.statement;
        let has_label = |point: Vec<f64>| {
            let mut person = statement.person.to_vec();
            self.open.columns.iter().zip(&point).for_each(|(&column, &value)| person[column] = value);
            self.rectified.network.label(&person) == statement.label
        };
        let holds = here.part.point().is_some_and(has_label);
        holds.then_some(()).ok_or_else(|| Refutation::NotBeaten { part, rival: self.rectified.statement.class(rival) })
    }
}

impl NetworkChecker<'_> {
    fn strike_with(
        &self,
        here: &Pending,
        sums: &LayerSums,
        beaten: &[Beaten],
        part: usize,
    ) -> Result<Vec<Label>, Refutation> {
        let mut rivals = here.rivals.clone();
        for stated in beaten {
            let is_meant = |rival: &Label| self.rectified.statement.class(*rival) == stated.class;
            let place = rivals.iter().position(is_meant);
            let rival = rivals.swap_remove(place.ok_or(Refutation::BadBound { part })?);
            let margin = self.margin(&here.part, sums, rival, stated).ok_or(Refutation::BadBound { part })?;
            if margin.is_nan() || margin <= self.rounding {
                return Err(Refutation::NotBeaten { part, rival: self.rectified.statement.class(rival) });
            }
            if stated.margin > margin + TOLERANCE * margin {
                return Err(Refutation::MarginTooLarge { part, rival: self.rectified.statement.class(rival) });
            }
        }
        Ok(rivals)
    }

    /// What the margin over a rival is at least in a part; `None` if the bound names units that do not exist.
    fn margin(&self, part: &DomainPart, sums: &LayerSums, rival: Label, stated: &Beaten) -> Option<f64> {
        let lines = sums.lines(&stated.on)?;
        let statement = self.rectified.statement;
        let n_scores = self.rectified.network.n_scores();
        let factor = |score: usize| {
            let (own, other) = statement.sides(rival, |other| f64::from(u8::from(other == score)));
            (score, own - other)
        };
        let combination: Vec<(usize, f64)> = (0..n_scores).map(factor).collect();
        Some(self.folded.least_of_scores(&self.open, part, &combination, &lines))
    }
}
