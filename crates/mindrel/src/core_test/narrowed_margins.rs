//! The smallest margins of a linear model over possible people, where rules join questions.
//!
//! ```text
//! margin(x) = known part + Σ_{q open, by itself} c_q + Σ_{groups} Σ_{q in the group} c_q
//! smallest  = known part + Σ min c_q                 + Σ_{groups} min over the possible cells of Σ min over the piece of c_q
//! ```
//!
//! A group's questions are bounded together, cell by cell ([`joined_questions`](super::joined_questions)), so that the
//! smallest margin is exact. Where no cell is possible, the answers break a rule that no single rule shows, and its
//! rules say nothing: every combination of pieces counts.

use std::cmp::Ordering;

use super::exact_margins::{add_point, least_point};
use super::joined_questions::{JoinedQuestions, QuestionGroup, vertices};
use super::linear_tables::LinearTables;
use super::pairs::Pair;
use crate::math::exact_sum::ExactSum;
use crate::math::vector::dot;
use crate::model::Model;
use crate::region::{Asked, Region};

/// What questions can contribute to the margins of one person. It has no `Debug`: it tells about answers.
#[derive(Default)]
pub(crate) struct NarrowedMargins {
    n_questions: usize,
    /// Row of a pair: what the contribution of each question must exceed to raise the margin, on average where that
    /// depends on the answer, and by how much an answer can raise it at most.
    smallest: Vec<f64>,
    width: Vec<f64>,
    groups: Vec<GroupMargins>,
}

/// What the questions of a group can contribute together.
#[derive(Default)]
struct GroupMargins {
    /// The cells that break no rule, the public answers being known.
    possible: Vec<usize>,
    /// For each pair, the smallest and the largest sum.
    least: Vec<f64>,
    most: Vec<f64>,
    /// For each pair, by how much an answer to each question can raise the smallest sum at most.
    alone: Vec<Vec<f64>>,
    /// For each pair, question and piece: the smallest sum of the others where the question lies in the piece. Infinite
    /// if it cannot.
    of_others: Vec<Vec<Vec<f64>>>,
}

impl NarrowedMargins {
    /// Starts with a person of whom the public columns are known, and writes the smallest margins.
    pub fn begin(&mut self, tables: &LinearTables, region: &Region, public_scores: &[f64], worst: &mut [f64]) {
        let (pairs, n_questions) = (tables.margins.pairs(), tables.questions.len());
        self.n_questions = n_questions;
        self.smallest.clear();
        self.smallest.resize(pairs.len() * n_questions, 0.0);
        self.width.clear();
        self.width.resize(pairs.len() * n_questions, 0.0);
        self.groups.clear();
        for (margin, pair) in worst.iter_mut().zip(pairs) {
            *margin = pair.margin(public_scores);
        }
        for group in &tables.joined.groups {
            let mut margins = GroupMargins::default();
            group.possible_cells(region, &mut margins.possible);
            margins.least.resize(pairs.len(), 0.0);
            self.groups.push(margins);
        }
        let all: Vec<usize> = (0..n_questions).collect();
        self.narrow(tables, region, &all, worst);
    }

    /// Takes note that some questions are narrower in a region than before, and brings the smallest margins up to that.
    pub fn narrow(&mut self, tables: &LinearTables, region: &Region, places: &[usize], worst: &mut [f64]) {
        let joined = &tables.joined;
        let mut has_changed = vec![false; joined.groups.len()];
        for &place in places {
            match joined.group_of.get(place).copied().flatten() {
                Some((group, _)) => has_changed[group] = true,
                None => self.narrow_one(tables, region, place, worst),
            }
        }
        for place in (0..has_changed.len()).filter(|&place| has_changed[place]) {
            let margins = &mut self.groups[place];
            let before = std::mem::take(&mut margins.least);
            margins.set(tables, &joined.groups[place], region);
            for (pair, worst) in worst.iter_mut().enumerate() {
                *worst += margins.least[pair] - before[pair];
                for (index, &question) in joined.groups[place].questions.iter().enumerate() {
                    self.width[pair * self.n_questions + question] = margins.alone[pair][index];
                }
            }
        }
    }

    fn narrow_one(&mut self, tables: &LinearTables, region: &Region, place: usize, worst: &mut [f64]) {
        let points = vertices(&tables.questions.asked[place], None, region);
        for (pair, worst) in worst.iter_mut().enumerate() {
            let values = points.iter().map(|point| contribution(tables, &tables.margins.pairs()[pair], place, point));
            let (least, most) = extremes(values);
            let entry = pair * self.n_questions + place;
            *worst += least - self.smallest[entry];
            (self.smallest[entry], self.width[entry]) = (least, most - least);
        }
    }

    /// Works out what the questions of groups must exceed on average: an answer in a piece leaves the group's other
    /// questions the smallest sum they can then have. `probability` is that of a piece.
    pub fn expect(&mut self, tables: &LinearTables, probability: impl Fn(usize, usize) -> f64) {
        for (group, margins) in tables.joined.groups.iter().zip(&self.groups) {
            for (index, &question) in group.questions.iter().enumerate() {
                let shares: Vec<f64> =
                    (0..group.pieces[index].len()).map(|piece| probability(question, piece)).collect();
                for (pair, of_others) in margins.of_others.iter().enumerate() {
                    let possible = shares.iter().zip(&of_others[index]).filter(|(_, rest)| rest.is_finite());
                    let (total, sum) =
                        possible.fold((0.0, 0.0), |(total, sum), (share, rest)| (total + share, sum + share * rest));
                    let rest = if total > 0.0 { sum / total } else { least_of(&of_others[index]) };
                    self.smallest[pair * self.n_questions + question] = margins.least[pair] - rest;
                }
            }
        }
    }

    /// The row of a pair: what each question's contribution must exceed to raise the margin, on average.
    pub fn smallest_row(&self, pair: usize) -> &[f64] {
        &self.smallest[pair * self.n_questions..(pair + 1) * self.n_questions]
    }

    /// How much all answers to some questions together can raise the margin of a pair at most.
    pub fn reach(&self, joined: &JoinedQuestions, pair: usize, questions: &[bool]) -> f64 {
        let is_alone = |place: &usize| questions[*place] && joined.group_of.get(*place).is_none_or(Option::is_none);
        let alone: f64 = (0..questions.len()).filter(is_alone).map(|place| self.width_row(pair)[place]).sum();
        let is_met = |group: &QuestionGroup| group.questions.iter().any(|&place| questions[place]);
        let met = joined.groups.iter().zip(&self.groups).filter(|(group, _)| is_met(group));
        alone + met.map(|(_, margins)| margins.most[pair] - margins.least[pair]).sum::<f64>()
    }

    /// Whether an answer to a question, perhaps with others that rules join to it, can raise the margin of a pair.
    pub fn can_move(&self, joined: &JoinedQuestions, pair: usize, question: usize) -> bool {
        match joined.group_of.get(question).copied().flatten() {
            Some((group, _)) => self.groups[group].most[pair] > self.groups[group].least[pair],
            None => self.width_row(pair)[question] > 0.0,
        }
    }

    /// The row of a pair: how much revealing each question can add.
    pub fn width_row(&self, pair: usize) -> &[f64] {
        &self.width[pair * self.n_questions..(pair + 1) * self.n_questions]
    }

    /// What the contribution of a question must exceed to raise the margin of a pair, if its answer lies in a piece;
    /// infinite if it cannot.
    pub fn smallest_in(&self, joined: &JoinedQuestions, pair: usize, question: usize, piece: usize) -> f64 {
        match joined.group_of[question] {
            Some((group, index)) => {
                let margins = &self.groups[group];
                margins.least[pair] - margins.of_others[pair][index][piece]
            }
            None => self.smallest_row(pair)[question],
        }
    }
}

impl GroupMargins {
    /// Bounds the sums over the possible cells of a region.
    fn set(&mut self, tables: &LinearTables, group: &QuestionGroup, region: &Region) {
        let points = points_of(tables, group, region);
        let n_pairs = tables.margins.pairs().len();
        let is_left = |cell: &[u16]| cell.iter().zip(&points).all(|(&piece, of)| !of[usize::from(piece)].is_empty());
        let left: Vec<&[u16]> =
            self.possible.iter().map(|&place| group.cell(place)).filter(|cell| is_left(cell)).collect();
        self.least.clear();
        self.most.clear();
        self.alone.clear();
        self.of_others.clear();
        for pair in tables.margins.pairs().iter().take(n_pairs) {
            let ranges: Vec<Vec<(f64, f64)>> = group
                .questions
                .iter()
                .zip(&points)
                .map(|(&question, of)| {
                    let value = |point: &Vec<f64>| contribution(tables, pair, question, point);
                    of.iter().map(|points| extremes(points.iter().map(value))).collect()
                })
                .collect();
            self.set_pair(&left, &ranges);
        }
    }

    /// The same for one pair: `ranges` are the extremes of each piece of each question.
    fn set_pair(&mut self, left: &[&[u16]], ranges: &[Vec<(f64, f64)>]) {
        let mut of_others: Vec<Vec<f64>> = ranges.iter().map(|pieces| vec![f64::INFINITY; pieces.len()]).collect();
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for cell in left {
            let range = |(question, &piece): (usize, &u16)| ranges[question][usize::from(piece)];
            let lows = cell.iter().enumerate().map(range);
            let (low, high) = lows.fold((0.0, 0.0), |(low, high), range| (low + range.0, high + range.1));
            (least, most) = (least.min(low), most.max(high));
            for (question, &piece) in cell.iter().enumerate() {
                let rest = &mut of_others[question][usize::from(piece)];
                *rest = rest.min(low - ranges[question][usize::from(piece)].0);
            }
        }
        if left.is_empty() {
            let of_question = |pieces: &Vec<(f64, f64)>| {
                extremes(pieces.iter().filter(|range| range.0 <= range.1).flat_map(|range| [range.0, range.1]))
            };
            let each: Vec<(f64, f64)> = ranges.iter().map(of_question).collect();
            (least, most) = each.iter().fold((0.0, 0.0), |(low, high), range| (low + range.0, high + range.1));
            for (question, rest) in of_others.iter_mut().enumerate() {
                rest.fill(least - each[question].0);
            }
        }
        let highest = |(question, pieces): (usize, &Vec<(f64, f64)>)| {
            let sums = pieces.iter().zip(&of_others[question]).filter(|(_, rest)| rest.is_finite());
            sums.map(|(range, rest)| range.1 + rest).fold(least, f64::max) - least
        };
        self.alone.push(ranges.iter().enumerate().map(highest).collect());
        self.least.push(least);
        self.most.push(most);
        self.of_others.push(of_others);
    }
}

/// The vertices of every piece of every question of a group, in a region.
fn points_of(tables: &LinearTables, group: &QuestionGroup, region: &Region) -> Vec<Vec<Vec<Vec<f64>>>> {
    let of_question = |(&question, pieces): (&usize, &Vec<_>)| {
        pieces.iter().map(|piece| vertices(&tables.questions.asked[question], Some(piece), region)).collect()
    };
    group.questions.iter().zip(&group.pieces).map(of_question).collect()
}

/// What a question contributes to a margin with its columns at a point.
fn contribution(tables: &LinearTables, pair: &Pair, question: usize, point: &[f64]) -> f64 {
    let columns = tables.questions.columns_of(question);
    pair.difference(tables.n_scores(), |score| dot(&tables.weights[score][columns.clone()], point))
}

pub(crate) fn extremes(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

fn least_of(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Somebody in a region for whom the margin of a pair is smallest, and its sign, both without rounding; `None` where
/// numbers over- or underflow. `possible` are the cells of each group that break no rule.
pub(crate) fn least_person(tables: &LinearTables, pair: &Pair, region: &Region) -> Option<(Vec<f64>, Ordering)> {
    let LinearTables { model, questions, joined, .. } = tables;
    let mut person = region.values().to_vec();
    let mut possible = Vec::new();
    for (place, question) in questions.asked.iter().enumerate() {
        if joined.group_of.get(place).is_none_or(Option::is_none) {
            let points = vertices(question, None, region);
            person[question.columns.clone()].copy_from_slice(least_point(model, pair, question, &points)?);
        }
    }
    for group in &joined.groups {
        group.possible_cells(region, &mut possible);
        set_least_cell(tables, pair, group, &possible, region, &mut person)?;
    }
    let sign = exact_margin(tables, pair, &person).sign()?;
    Some((person, sign))
}

/// Writes the answers to a group's questions at which the margin is smallest.
fn set_least_cell(
    tables: &LinearTables,
    pair: &Pair,
    group: &QuestionGroup,
    possible: &[usize],
    region: &Region,
    person: &mut [f64],
) -> Option<()> {
    let asked: Vec<&Asked> = group.questions.iter().map(|&question| &tables.questions.asked[question]).collect();
    let points = points_of(tables, group, region);
    let mut least: Vec<Vec<Option<&[f64]>>> = Vec::new();
    for (question, pieces) in asked.iter().zip(&points) {
        let mut of_pieces = Vec::new();
        for points in pieces {
            let is_left = !points.is_empty();
            of_pieces.push(if is_left { Some(least_point(&tables.model, pair, question, points)?) } else { None });
        }
        least.push(of_pieces);
    }
    let of_cell = |cell: &[u16]| -> Option<Vec<&[f64]>> {
        cell.iter().zip(&least).map(|(&piece, of_pieces)| of_pieces[usize::from(piece)]).collect()
    };
    let mut cells = possible.iter().filter_map(|&place| of_cell(group.cell(place)));
    let mut best = match cells.next() {
        Some(first) => first,
        None => {
            let anywhere = |(question, of_pieces): (&&Asked, &Vec<Option<&[f64]>>)| {
                let points: Vec<Vec<f64>> = of_pieces.iter().flatten().map(|point| point.to_vec()).collect();
                least_point(&tables.model, pair, question, &points).map(<[f64]>::to_vec)
            };
            let points: Option<Vec<Vec<f64>>> = asked.iter().zip(&least).map(anywhere).collect();
            for (question, point) in asked.iter().zip(points?) {
                person[question.columns.clone()].copy_from_slice(&point);
            }
            return Some(());
        }
    };
    for cell in cells {
        let mut difference = ExactSum::new();
        for ((question, point), best) in asked.iter().zip(&cell).zip(&best) {
            add_point(&mut difference, &tables.model, pair, question, point, 1.0);
            add_point(&mut difference, &tables.model, pair, question, best, -1.0);
        }
        if difference.sign()?.is_lt() {
            best = cell;
        }
    }
    for (question, point) in asked.iter().zip(best) {
        person[question.columns.clone()].copy_from_slice(point);
    }
    Some(())
}

/// The margin of a person, without rounding.
fn exact_margin(tables: &LinearTables, pair: &Pair, person: &[f64]) -> ExactSum {
    let model = &tables.model;
    let mut sum = ExactSum::new();
    for (score, sign) in [(pair.plus, 1.0), (pair.minus, -1.0)] {
        if score < model.n_scores() {
            sum.add(sign * model.intercept(score));
            for (weight, value) in model.weights(score).iter().zip(person) {
                sum.add_product(sign * weight, *value);
            }
        }
    }
    sum
}
