//! What each leaf of a tree needs of the open questions, within a part of the domain.
//!
//! Thresholds cut a number into *cells*; the levels of a category are cells by themselves. A leaf is reached from some
//! cells of each question. A split on several questions at once, or on a number as a member of a set, narrows nothing
//! down.

use std::collections::HashMap;

use super::joined_trees::{JoinedNode, JoinedTree};
use super::reached_leaves::ReachedLeaves;
use crate::model::Condition;
use crate::schema::Domain;
use crate::verify::part::{DomainPart, OpenQuestions, Possible};

/// A tree that tells more cells of a number apart has no prices on it, and neither has one that tells more levels of a
/// category apart, the others counted as one.
const MOST_NUMBER_CELLS: usize = 1 << 16;
const MOST_LEVEL_CELLS: usize = 32;

/// Some cells of a question.
#[derive(Clone)]
pub(super) enum NeededCells {
    /// From the first to the last, and none if the last comes before the first.
    Between(usize, usize),
    /// The levels marked.
    Levels(Vec<bool>),
}

/// A leaf that somebody in the part can end in.
pub(super) struct LeafInPart {
    /// The place of its first value.
    pub value: usize,
    /// What it needs of each question, in the order of [`TreeInPart::questions`].
    pub cells: Vec<NeededCells>,
}

/// A tree within a part.
pub(super) struct TreeInPart {
    /// The questions it has prices on.
    pub questions: Vec<usize>,
    pub leaves: Vec<LeafInPart>,
}

/// All trees within a part.
pub(super) struct LeavesInPart {
    pub trees: Vec<TreeInPart>,
    /// How many cells each open question has.
    pub n_cells: Vec<usize>,
}

/// A split as it cuts one question: up to the end of a cell, or some levels.
enum QuestionCut {
    UpTo(usize, f64),
    Levels(usize, Vec<usize>),
}

/// What walks through trees need.
struct PartWalk<'a> {
    open: &'a OpenQuestions<'a>,
    part: &'a DomainPart,
    reach: &'a ReachedLeaves<'a>,
    /// The question of each open column, and which of its columns it is.
    question_of: HashMap<usize, (usize, usize)>,
    /// The ends of the cells of each number but the last, in order.
    ends: Vec<Vec<f64>>,
}

impl LeavesInPart {
    /// Trees that move no margin in question have no prices.
    pub fn new(
        joined: &[JoinedTree<'_>],
        open: &OpenQuestions<'_>,
        part: &DomainPart,
        reach: &ReachedLeaves<'_>,
        moves_margin: impl Fn(usize) -> bool,
    ) -> Self {
        let mut question_of = HashMap::new();
        for (question, (_, columns)) in open.questions.iter().enumerate() {
            let levels = open.columns[columns.clone()].iter().enumerate();
            question_of.extend(levels.map(|(level, &column)| (column, (question, level))));
        }
        let mut walk = PartWalk { open, part, reach, question_of, ends: vec![Vec::new(); open.questions.len()] };
        let cuts = |(place, tree)| if moves_margin(place) { walk.cuts(tree) } else { Vec::new() };
        let cuts: Vec<Vec<QuestionCut>> = joined.iter().enumerate().map(cuts).collect();
        for cut in cuts.iter().flatten() {
            if let QuestionCut::UpTo(question, end) = cut {
                walk.ends[*question].push(*end);
            }
        }
        walk.ends.iter_mut().for_each(|ends| {
            ends.sort_unstable_by(f64::total_cmp);
            ends.dedup();
        });
        let n_cells = (0..open.questions.len()).map(|question| walk.n_cells(question)).collect();
        let tree = |(tree, cuts): (&JoinedTree<'_>, &Vec<QuestionCut>)| walk.tree(tree, cuts);
        LeavesInPart { trees: joined.iter().zip(&cuts).map(tree).collect(), n_cells }
    }
}

impl PartWalk<'_> {
    /// How a tree cuts the questions.
    fn cuts(&self, tree: &JoinedTree<'_>) -> Vec<QuestionCut> {
        let mut cuts = Vec::new();
        let mut pending = vec![tree.root()];
        while let Some(place) = pending.pop() {
            let JoinedNode::Split(condition, left, right) = tree.node(place) else { continue };
            let (goes_left, goes_right) = self.reach.ways(condition);
            pending.extend(goes_left.then_some(left));
            pending.extend(goes_right.then_some(right));
            if goes_left && goes_right {
                cuts.extend(self.cut(condition));
            }
        }
        cuts
    }

    /// What a split that can go both ways tells apart, if it is one question.
    fn cut(&self, condition: &Condition) -> Option<QuestionCut> {
        match condition {
            Condition::AtMost { column, threshold } => {
                let (question, level) = *self.question_of.get(column)?;
                Some(match self.open.domain(self.open.questions[question].0) {
                    Domain::OneOf { .. } => QuestionCut::Levels(question, vec![level]),
                    Domain::Interval => QuestionCut::UpTo(question, *threshold),
                    Domain::Grid { points } => QuestionCut::UpTo(question, last_up_to(*threshold, points)),
                })
            }
            Condition::AnyOf { columns } => {
                let open: Vec<(usize, usize)> =
                    columns.iter().filter_map(|column| self.question_of.get(column).copied()).collect();
                let question = open.first()?.0;
                let Possible::Levels(possible) = &self.part.0[question] else { return None };
                if open.iter().any(|(other, _)| *other != question) {
                    return None;
                }
                let levels = open.iter().map(|(_, level)| *level).filter(|&level| possible[level]).collect();
                Some(QuestionCut::Levels(question, levels))
            }
        }
    }

    fn n_cells(&self, question: usize) -> usize {
        match &self.part.0[question] {
            Possible::Between(..) => self.ends[question].len() + 1,
            Possible::Levels(possible) => possible.len(),
        }
    }

    /// Whether a tree that cuts a question in these ways has prices on it.
    fn has_prices(&self, question: usize, cuts: &[QuestionCut]) -> bool {
        let (mut ends, mut levels) = (Vec::new(), Vec::new());
        for cut in cuts {
            match cut {
                QuestionCut::UpTo(other, end) if *other == question => ends.push(end.to_bits()),
                QuestionCut::Levels(other, some) if *other == question => levels.extend(some),
                _ => {}
            }
        }
        let n_different = |values: &mut Vec<u64>| {
            values.sort_unstable();
            values.dedup();
            values.len()
        };
        let n_ends = n_different(&mut ends);
        let n_levels = n_different(&mut levels.iter().map(|&level: &usize| level as u64).collect());
        match &self.part.0[question] {
            Possible::Between(..) => n_ends > 0 && n_ends < MOST_NUMBER_CELLS,
            Possible::Levels(possible) => {
                let has_others = possible.iter().filter(|level| **level).count() > n_levels;
                n_levels > 0 && n_levels + usize::from(has_others) <= MOST_LEVEL_CELLS
            }
        }
    }

    fn tree(&self, tree: &JoinedTree<'_>, cuts: &[QuestionCut]) -> TreeInPart {
        let questions: Vec<usize> =
            (0..self.part.0.len()).filter(|&question| self.has_prices(question, cuts)).collect();
        let whole = |question: &usize| match &self.part.0[*question] {
            Possible::Between(..) => NeededCells::Between(0, self.n_cells(*question) - 1),
            Possible::Levels(possible) => NeededCells::Levels(possible.clone()),
        };
        let mut leaves = Vec::new();
        let mut pending = vec![(tree.root(), questions.iter().map(whole).collect::<Vec<NeededCells>>())];
        while let Some((place, cells)) = pending.pop() {
            match tree.node(place) {
                JoinedNode::Leaf(value) if cells.iter().all(NeededCells::is_some) => {
                    leaves.push(LeafInPart { value, cells })
                }
                JoinedNode::Leaf(_) => {}
                JoinedNode::Split(condition, left, right) => {
                    let (goes_left, goes_right) = self.reach.ways(condition);
                    let (mut one, mut other) = (cells.clone(), cells);
                    if goes_left && goes_right {
                        self.narrow(condition, &questions, &mut one, &mut other);
                    }
                    pending.extend(goes_left.then_some((left, one)));
                    pending.extend(goes_right.then_some((right, other)));
                }
            }
        }
        TreeInPart { questions, leaves }
    }

    /// Keeps the cells that go left in the one, and those that go right in the other.
    fn narrow(&self, condition: &Condition, questions: &[usize], one: &mut [NeededCells], other: &mut [NeededCells]) {
        let Some(cut) = self.cut(condition) else { return };
        let (QuestionCut::UpTo(question, _) | QuestionCut::Levels(question, _)) = cut;
        let Some(index) = questions.iter().position(|other| *other == question) else { return };
        match (&cut, &mut one[index], &mut other[index]) {
            (QuestionCut::UpTo(_, end), NeededCells::Between(_, last), NeededCells::Between(first, _)) => {
                let cell = self.ends[question].partition_point(|other| other < end);
                *last = (*last).min(cell);
                *first = (*first).max(cell + 1);
            }
            (QuestionCut::Levels(_, named), NeededCells::Levels(one), NeededCells::Levels(other)) => {
                // Trees are left where an indicator is at most a threshold below 1: where the level is not the one.
                let is_named_left = matches!(condition, Condition::AnyOf { .. });
                for level in 0..one.len() {
                    let goes_left = named.contains(&level) == is_named_left;
                    one[level] &= goes_left;
                    other[level] &= !goes_left;
                }
            }
            _ => {}
        }
    }
}

impl NeededCells {
    fn is_some(&self) -> bool {
        match self {
            NeededCells::Between(first, last) => first <= last,
            NeededCells::Levels(levels) => levels.contains(&true),
        }
    }
}

/// The last point of a grid up to a threshold, by its place.
fn last_up_to(threshold: f64, points: usize) -> f64 {
    let is_up_to = |place: usize| -1.0 + 2.0 * (place as f64 / (points - 1) as f64) <= threshold;
    let (mut below, mut above) = (0, points - 1);
    while above - below > 1 {
        let middle = usize::midpoint(below, above);
        if is_up_to(middle) {
            below = middle;
        } else {
            above = middle;
        }
    }
    below as f64
}
