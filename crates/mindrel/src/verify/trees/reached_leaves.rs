//! The leaves of a tree that somebody in a part of the domain can end in.

use crate::model::{Condition, Node, Tree};
use crate::verify::Statement;
use crate::verify::part::{DomainPart, MISSING, OpenQuestions, Possible};

/// What can become of a column.
enum PossibleColumn<'a> {
    Known(f64),
    Between(f64, f64),
    /// The levels of its question, and which of them it stands for.
    Level(&'a [bool], usize),
}

/// A part of the domain, column by column.
pub(in crate::verify) struct ReachedLeaves<'a> {
    columns: Vec<PossibleColumn<'a>>,
    /// The open question of each column, counted from one; zero where it is known.
    questions: Vec<usize>,
}

impl<'a> ReachedLeaves<'a> {
    pub fn new(statement: &Statement<'_>, open: &OpenQuestions<'_>, part: &'a DomainPart) -> Self {
        let mut columns: Vec<PossibleColumn<'a>> =
            statement.person.iter().map(|&value| PossibleColumn::Known(value)).collect();
        let mut questions = vec![0; columns.len()];
        for (place, (possible, (_, range))) in part.0.iter().zip(&open.questions).enumerate() {
            for (level, &column) in open.columns[range.clone()].iter().enumerate() {
                questions[column] = place + 1;
                columns[column] = match possible {
                    Possible::Between(low, high) => PossibleColumn::Between(*low, *high),
                    Possible::OrMissing(numbers, missing) => {
                        let numbers = numbers.iter().flat_map(|&(low, high)| [low, high]);
                        let values = || numbers.clone().chain(missing.then_some(MISSING[level]));
                        PossibleColumn::Between(
                            values().fold(f64::INFINITY, f64::min),
                            values().fold(f64::NEG_INFINITY, f64::max),
                        )
                    }
                    Possible::Levels(levels) => PossibleColumn::Level(levels, level),
                };
            }
        }
        ReachedLeaves { columns, questions }
    }

    /// The places of the first values of all leaves that can be reached.
    pub fn leaves(&self, tree: &Tree) -> Vec<usize> {
        let mut leaves = Vec::new();
        let mut pending = vec![0];
        while let Some(node) = pending.pop() {
            match &tree.nodes[node] {
                Node::Leaf { value } => leaves.push(*value),
                Node::Split { condition, left, right } => {
                    let (goes_left, goes_right) = self.ways(condition);
                    pending.extend(goes_left.then_some(*left));
                    pending.extend(goes_right.then_some(*right));
                }
            }
        }
        leaves
    }

    /// Whether somebody can go left at a split, and whether somebody can go right.
    pub fn ways(&self, condition: &Condition) -> (bool, bool) {
        match condition {
            Condition::AtMost { column, threshold } => {
                let values = self.extremes(*column);
                (values.0 <= *threshold, values.1 > *threshold)
            }
            Condition::Missing { column } => match (&self.columns[*column], &self.columns[*column + 1]) {
                (PossibleColumn::Known(first), PossibleColumn::Known(second)) => {
                    (first - second >= 1.0, first - second < 1.0)
                }
                // Open columns are those of a number that may be missing, which has 1 in the first where it is.
                _ => (self.extremes(*column).1 == MISSING[0], self.extremes(*column).0 < MISSING[0]),
            },
            Condition::AnyOf { columns } => {
                let can_be_so = columns.iter().any(|&column| self.extremes(column).1 >= 0.5);
                (can_be_so, columns.iter().all(|&column| self.can_be_avoided(column, columns)))
            }
        }
    }

    /// The least and the most a column can be.
    fn extremes(&self, column: usize) -> (f64, f64) {
        match self.columns[column] {
            PossibleColumn::Known(value) => (value, value),
            PossibleColumn::Between(low, high) => (low, high),
            PossibleColumn::Level(levels, own) => {
                let another = levels.iter().enumerate().any(|(level, possible)| *possible && level != own);
                (f64::from(u8::from(!another)), f64::from(u8::from(levels[own])))
            }
        }
    }

    /// Whether the question of a column can be such that none of its columns among some is at least one half.
    fn can_be_avoided(&self, column: usize, among: &[usize]) -> bool {
        let PossibleColumn::Level(levels, own) = self.columns[column] else {
            return self.extremes(column).0 < 0.5;
        };
        let start = column - own;
        let question = self.questions[column];
        let is_named = |level: usize| among.contains(&(start + level)) && self.questions[start + level] == question;
        levels.iter().enumerate().any(|(level, possible)| *possible && !is_named(level))
    }
}
