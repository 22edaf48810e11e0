//! The answers to one question, divided into cells.

use std::collections::HashMap;

use mindrel::schema::{Answer, AnswerSet, Encoding, Kind, MissingNumber, NumberSet, Question};

use super::cell_set::AnswerCellSet;

/// A number with more values than this is measured rather than one of a few codes or counts.
const MOST_CODES: usize = 32;

/// One question's answers in cells, with the number of rows in each.
#[derive(Debug)]
pub(super) struct DividedQuestion {
    cells: CellKind,
    /// How many rows have an answer in each cell.
    pub counts: Vec<u64>,
}

#[derive(Debug)]
enum CellKind {
    Boolean,
    Levels { levels: Vec<String>, places: HashMap<String, usize>, has_order: bool },
    Numbers(NumberCells),
}

/// CellKind of numbers: with cuts c_0 < c_1 < …, they are
///
/// ```text
/// (−∞, c_0), {c_0}, (c_0, c_1), {c_1}, …, (c_last, ∞)
/// ```
///
/// and, where a missing number is an answer, one more.
#[derive(Debug)]
struct NumberCells {
    cuts: Vec<AnswerCut>,
    lower: f64,
    upper: f64,
    is_whole: bool,
    has_missing: bool,
}

/// A number at which cells are cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AnswerCut {
    pub value: f64,
    /// Whether a bound here gives away nobody's answer.
    pub is_round: bool,
}

impl DividedQuestion {
    /// The cells of a question; `cuts` are those of numbers, in order.
    pub fn new(question: &Question, cuts: Vec<AnswerCut>) -> Self {
        let cells = match &question.kind {
            Kind::Boolean => CellKind::Boolean,
            Kind::Category { levels, encoding } => CellKind::Levels {
                levels: levels.clone(),
                places: levels.iter().cloned().zip(0..).collect(),
                has_order: *encoding == Encoding::Ordinal,
            },
            Kind::Number { lower, upper, missing } | Kind::Integer { lower, upper, missing } => {
                let has_fraction =
                    |missing: &MissingNumber| missing.stand_in().is_some_and(|value| value.fract() != 0.0);
                CellKind::Numbers(NumberCells {
                    cuts,
                    lower: *lower,
                    upper: *upper,
                    is_whole: matches!(question.kind, Kind::Integer { .. })
                        && !missing.as_ref().is_some_and(has_fraction),
                    has_missing: *missing == Some(MissingNumber::Answer),
                })
            }
        };
        let mut question = DividedQuestion { cells, counts: Vec::new() };
        question.counts = vec![0; question.n_in_order() + usize::from(question.missing().is_some())];
        question
    }

    pub fn n_cells(&self) -> usize {
        self.counts.len()
    }

    /// The cell of a level, by its name.
    pub fn cell_of_level(&self, text: &str) -> Option<usize> {
        match &self.cells {
            CellKind::Levels { places, .. } => places.get(text).copied(),
            CellKind::Boolean | CellKind::Numbers(_) => None,
        }
    }

    /// The cell of an answer; `None` for a number outside the bounds.
    pub fn cell_of(&self, answer: &Answer) -> Option<usize> {
        match (answer, &self.cells) {
            (Answer::Number(value), CellKind::Numbers(numbers)) => numbers.cell_of(*value),
            (Answer::Missing, _) => self.missing(),
            (Answer::Boolean(value), _) => Some(usize::from(*value)),
            (Answer::Level(level), _) => Some(*level),
            (Answer::Number(_), _) => None,
        }
    }

    /// The cells in which there is somebody.
    pub fn seen(&self) -> AnswerCellSet {
        AnswerCellSet::of(self.n_cells(), (0..self.n_cells()).filter(|&cell| self.counts[cell] > 0))
    }

    /// How many cells have somebody in them.
    pub fn n_seen(&self) -> usize {
        self.counts.iter().filter(|count| **count > 0).count()
    }

    /// How many rows have an answer in one of these cells.
    pub fn n_rows(&self, cells: &AnswerCellSet) -> u64 {
        cells.cells().map(|cell| self.counts[cell]).sum()
    }

    /// How many people are in its cells.
    pub fn n_people(&self) -> u64 {
        self.counts.iter().sum()
    }

    pub fn is_number(&self) -> bool {
        matches!(self.cells, CellKind::Numbers(_))
    }

    /// Whether it is a number of which people have many different values.
    pub fn is_measured(&self) -> bool {
        let is_between = |cell: usize| cell.is_multiple_of(2) && Some(cell) != self.missing();
        let seen = self.seen();
        self.is_number() && (seen.len() > MOST_CODES || seen.cells().any(is_between))
    }

    /// Whether a set of answers must leave no gap.
    pub fn has_order(&self) -> bool {
        match self.cells {
            CellKind::Boolean => false,
            CellKind::Levels { has_order, .. } => has_order,
            CellKind::Numbers(_) => true,
        }
    }

    /// The cell of missing numbers.
    pub fn missing(&self) -> Option<usize> {
        match &self.cells {
            CellKind::Numbers(numbers) if numbers.has_missing => Some(self.n_in_order()),
            _ => None,
        }
    }

    /// How many cells there are beside that of missing numbers.
    fn n_in_order(&self) -> usize {
        match &self.cells {
            CellKind::Boolean => 2,
            CellKind::Levels { levels, .. } => levels.len(),
            CellKind::Numbers(numbers) => 2 * numbers.cuts.len() + 1,
        }
    }

    /// The first and the last cell of a set, beside that of missing numbers.
    pub fn ends(&self, cells: &AnswerCellSet) -> Option<(usize, usize)> {
        let mut in_order = cells.cells().filter(|&cell| Some(cell) != self.missing());
        let first = in_order.next()?;
        Some((first, in_order.next_back().unwrap_or(first)))
    }

    /// The cells from one to another, and those of missing numbers if a set has them.
    pub fn span(&self, first: usize, last: usize, with_missing_of: &AnswerCellSet) -> AnswerCellSet {
        let missing = self.missing().filter(|&missing| with_missing_of.contains(missing));
        AnswerCellSet::of(self.n_cells(), (first..=last).chain(missing))
    }

    /// The smallest set without a gap around a set, where sets must have none.
    pub fn without_gaps(&self, cells: AnswerCellSet) -> AnswerCellSet {
        match self.ends(&cells) {
            Some((first, last)) if self.has_order() => self.span(first, last, &cells),
            _ => cells,
        }
    }

    /// The first cell from which on there is a bound that gives nobody's answer away, going down from `cell`.
    pub fn round_down(&self, cell: usize) -> usize {
        (0..=cell).rev().find(|&cell| self.is_round(cell)).unwrap_or(0)
    }

    /// The last cell up to which there is such a bound, going up from `cell`.
    pub fn round_up(&self, cell: usize) -> usize {
        (cell..self.n_in_order()).find(|&cell| self.is_round(cell + 1)).unwrap_or(self.n_in_order() - 1)
    }

    /// The first cell from which on there is such a bound, going up from `cell`.
    pub fn round_up_from(&self, cell: usize) -> usize {
        (cell..self.n_in_order()).find(|&cell| self.is_round(cell)).unwrap_or(self.n_in_order())
    }

    /// The last cell up to which there is such a bound, going down from `cell`.
    pub fn round_down_to(&self, cell: usize) -> Option<usize> {
        (0..=cell).rev().find(|&cell| self.is_round(cell + 1))
    }

    /// Whether a bound between this cell and the one before gives nobody's answer away.
    fn is_round(&self, cell: usize) -> bool {
        let CellKind::Numbers(numbers) = &self.cells else { return true };
        let is_round_point = |cell: usize| cell % 2 == 1 && numbers.cuts.get(cell / 2).is_some_and(|cut| cut.is_round);
        cell == 0 || cell == self.n_in_order() || is_round_point(cell) || is_round_point(cell - 1)
    }

    /// Whether a set is one answer.
    pub fn is_one_answer(&self, cells: &AnswerCellSet) -> bool {
        let is_point = |cell: usize| !matches!(self.cells, CellKind::Numbers(_)) || cell % 2 == 1;
        match self.ends(cells) {
            Some((first, last)) => cells.len() == 1 && first == last && is_point(first),
            None => true,
        }
    }

    /// ln of how many sets there are like this one: of as many levels, times how many sizes there are; or without a gap.
    pub fn ln_alike(&self, cells: &AnswerCellSet) -> f64 {
        let n_seen = self.n_seen() as f64;
        if self.has_order() {
            return (n_seen * (n_seen + 1.0) / 2.0).ln();
        }
        let n_chosen = self.seen().cells().filter(|&cell| cells.contains(cell)).count();
        let of_one_size = (0..n_chosen).map(|place| ((n_seen - place as f64) / (place as f64 + 1.0)).ln());
        n_seen.ln() + of_one_size.sum::<f64>()
    }

    /// How many names or numbers it takes to write a set down.
    pub fn n_words(&self, cells: &AnswerCellSet) -> usize {
        match self.answers(cells) {
            AnswerSet::Boolean(_) => 1,
            AnswerSet::Levels(levels) => levels.len(),
            AnswerSet::Numbers(set) if set.from.is_some() && set.from == set.to => 1,
            AnswerSet::Numbers(set) => {
                let bounds = [set.from, set.to, set.above, set.below].into_iter().flatten().count();
                bounds + usize::from(set.missing)
            }
        }
    }

    /// A set of cells as a schema has it; sets of numbers leave no gap.
    ///
    /// A bound beyond which there is nobody is left out.
    pub fn answers(&self, cells: &AnswerCellSet) -> AnswerSet {
        match &self.cells {
            CellKind::Boolean => AnswerSet::Boolean(cells.contains(1)),
            CellKind::Levels { levels, .. } => {
                AnswerSet::Levels(cells.cells().map(|level| levels[level].clone()).collect())
            }
            CellKind::Numbers(numbers) => {
                let missing = self.missing().is_some_and(|missing| cells.contains(missing));
                let set = self.ends(cells).map(|ends| numbers.between(ends, &self.counts)).unwrap_or_default();
                AnswerSet::Numbers(NumberSet { missing, ..set })
            }
        }
    }
}

impl NumberCells {
    fn cell_of(&self, value: f64) -> Option<usize> {
        if !(self.lower..=self.upper).contains(&value) {
            return None;
        }
        let below = self.cuts.partition_point(|cut| cut.value < value);
        let is_cut = self.cuts.get(below).is_some_and(|cut| cut.value == value);
        Some(2 * below + usize::from(is_cut))
    }

    /// The numbers from one cell to another.
    fn between(&self, (first, last): (usize, usize), counts: &[u64]) -> NumberSet {
        let in_order = &counts[..=2 * self.cuts.len()];
        let is_seen = |counts: &[u64]| counts.iter().any(|count| *count > 0);
        let is_point = first == last && first % 2 == 1;
        let mut set = NumberSet::default();
        if is_point || is_seen(&in_order[..first]) {
            match self.cut_at(first) {
                Ok(value) => set.from = Some(value),
                Err(next) => match self.cuts[next - 1].value {
                    cut if self.is_whole && !is_rounder(cut) => set.from = Some(cut + 1.0),
                    cut => set.above = Some(cut),
                },
            }
        }
        if is_point || is_seen(&in_order[last + 1..]) {
            match self.cut_at(last) {
                Ok(value) => set.to = Some(value),
                Err(next) => match self.cuts[next].value {
                    cut if self.is_whole && !is_rounder(cut) => set.to = Some(cut - 1.0),
                    cut => set.below = Some(cut),
                },
            }
        }
        if set.has_numbers() { set } else { NumberSet::between(self.lower, self.upper) }
    }

    /// The number that is a cell, or the place of the first cut above the cell.
    fn cut_at(&self, cell: usize) -> Result<f64, usize> {
        if cell % 2 == 1 { Ok(self.cuts[cell / 2].value) } else { Err(cell / 2) }
    }
}

/// Whether "below 110000" reads better than "109999 or less".
fn is_rounder(cut: f64) -> bool {
    cut != 0.0 && cut % 10.0 == 0.0
}
