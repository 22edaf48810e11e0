//! A look for another label from some person on: question by question, the answer that is worst for the label, all
//! others kept.
//!
//! With all other answers known, the margin is a step function of one answer, the sum of a step function for each tree.
//! The lowest step is taken. Every move lowers the margin, so the walk ends where no single answer lowers it further. A
//! move costs a few ways down each tree, however many answers the question tells apart.

use std::ops::Range;

use super::bounds::Contest;
use super::branch::numbers_beside;
use super::residual::{Look, Residual, ResidualLayout};
use super::{NODE_WORK, TYPICAL_DEPTH};
use crate::region::Region;
use crate::region::open::OpenColumns;
use crate::rules::Budget;
use crate::schema::MISSING;

/// Where a walk is made, and against which rival.
pub(super) struct DescentPlace<'a> {
    pub contest: Contest<'a>,
    pub layout: &'a ResidualLayout,
    pub open: &'a OpenColumns,
    pub region: &'a Region,
    pub residual: &'a Residual,
}

/// Buffers for one walk. It has no `Debug`: it tells of answers.
#[derive(Default)]
pub(super) struct Descent {
    /// By how much the margin changes, in units, where a number begins to be at least so much.
    steps: Vec<(f64, i64)>,
    /// Nodes to be looked at, and from where to where the number leads to each.
    pending: Vec<(u32, f64, f64)>,
}

impl Descent {
    /// Moves the answer of one question of a point to where the margin is least; whether that is lower than before.
    pub fn move_question(
        &mut self,
        place: &DescentPlace<'_>,
        question: usize,
        point: &mut [f64],
        budget: &mut Budget,
    ) -> bool {
        let columns = place.open.questions[question].columns.clone();
        if columns.start < place.open.n_numbers {
            self.move_number(place, columns, point, budget)
        } else {
            place.move_category(columns, point, budget)
        }
    }

    fn move_number(
        &mut self,
        place: &DescentPlace<'_>,
        columns: Range<usize>,
        point: &mut [f64],
        budget: &mut Budget,
    ) -> bool {
        if columns.len() == 2 {
            return self.move_number_or_missing(place, columns, point, budget);
        }
        let column = columns.start;
        let (lower, upper) = (place.region.lower[column], place.region.upper[column]);
        let (here, best) = self.lowest(place, columns, (lower, upper), point, budget);
        let is_lower = best.0 < here;
        if is_lower {
            point[column] = best.1;
        }
        is_lower
    }

    fn move_number_or_missing(
        &mut self,
        place: &DescentPlace<'_>,
        columns: Range<usize>,
        point: &mut [f64],
        budget: &mut Budget,
    ) -> bool {
        let possible = place.region.numbers(&columns);
        let own: [f64; 2] = [point[columns.start], point[columns.start + 1]];
        let here = place.margin_at(point, budget);
        let mut best = (here, own);
        if possible.missing && own != MISSING {
            point[columns.clone()].copy_from_slice(&MISSING);
            let margin = place.margin_at(point, budget);
            if margin < best.0 {
                best = (margin, MISSING);
            }
        }
        if let Some(numbers) = possible.numbers {
            let (_, (margin, value)) = self.lowest(place, columns.clone(), numbers, point, budget);
            if margin < best.0 {
                best = (margin, [value; 2]);
            }
        }
        point[columns].copy_from_slice(&best.1);
        best.0 < here
    }

    /// The margin, in units, where a number is as in a point, and the least with the number it is met at first, among
    /// those from one to another.
    fn lowest(
        &mut self,
        place: &DescentPlace<'_>,
        columns: Range<usize>,
        numbers: (f64, f64),
        point: &[f64],
        budget: &mut Budget,
    ) -> (i64, (i64, f64)) {
        self.steps.clear();
        for tree in 0..place.residual.n_trees() {
            self.add_steps(place, tree, &columns, numbers, point, budget);
        }
        self.steps.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        let own = point[columns.start];
        let (mut margin, mut here, mut best) = (0, 0, (i64::MAX, own));
        for same in self.steps.chunk_by(|one, other| one.0 == other.0) {
            margin += same.iter().map(|(_, change)| change).sum::<i64>();
            if same[0].0 <= own {
                here = margin;
            }
            if margin < best.0 {
                best = (margin, same[0].0);
            }
        }
        (here, best)
    }

    /// The steps of one tree.
    fn add_steps(
        &mut self,
        place: &DescentPlace<'_>,
        tree: usize,
        columns: &Range<usize>,
        (lower, upper): (f64, f64),
        point: &[f64],
        budget: &mut Budget,
    ) {
        self.pending.push((place.residual.starts[tree], lower, upper));
        let mut n_looks = 0;
        while let Some((mut node, from, mut to)) = self.pending.pop() {
            loop {
                n_looks += 1;
                let here = &place.residual.nodes[node as usize];
                if here.look == Look::Leaf {
                    let gain = place.contest.leaf_units(tree, here);
                    self.steps.push((from, gain));
                    if to < upper {
                        self.steps.push((numbers_beside(place.layout, place.open, columns.start, to).1, -gain));
                    }
                    break;
                }
                let goes_left = match place.layout.threshold_on(here, columns, point) {
                    None => place.layout.goes_left(here, point),
                    Some((threshold, lower_is_left)) if to <= threshold => lower_is_left,
                    Some((threshold, lower_is_left)) if threshold < from => !lower_is_left,
                    Some((threshold, lower_is_left)) => {
                        let (low, high) = numbers_beside(place.layout, place.open, columns.start, threshold);
                        let upper_side = if lower_is_left { here.right } else { node + 1 };
                        self.pending.push((upper_side, high, to));
                        to = low;
                        lower_is_left
                    }
                };
                node = if goes_left { node + 1 } else { here.right };
            }
        }
        budget.spend(NODE_WORK * n_looks);
    }
}

impl DescentPlace<'_> {
    fn move_category(&self, columns: Range<usize>, point: &mut [f64], budget: &mut Budget) -> bool {
        let choose = |level: usize, point: &mut [f64]| {
            columns.clone().for_each(|column| point[column] = f64::from(u8::from(column == level)));
        };
        let own = columns.clone().find(|&column| point[column] == 1.0).expect("a point has a level");
        let mut best = (self.margin_at(point, budget), own);
        let here = best.0;
        for level in columns.clone().filter(|&level| level != own && self.region.allows(level)) {
            choose(level, point);
            let margin = self.margin_at(point, budget);
            if margin < best.0 {
                best = (margin, level);
            }
        }
        choose(best.1, point);
        best.0 < here
    }

    /// The margin at a point, in units, but for what it starts from.
    fn margin_at(&self, point: &[f64], budget: &mut Budget) -> i64 {
        budget.spend(NODE_WORK * TYPICAL_DEPTH * self.residual.n_trees() as u64);
        let gain = |tree| self.contest.leaf_units(tree, self.layout.leaf_node(self.residual, tree, point));
        (0..self.residual.n_trees()).map(gain).sum()
    }
}
