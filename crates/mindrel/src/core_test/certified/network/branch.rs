//! Where to cut a part of the domain that no bound settles.

use super::NetworkProver;
use super::folded::FoldedNetwork;
use crate::region::{Region, RegionCut};

impl NetworkProver {
    /// The question whose halving promises to tighten the bound most.
    ///
    /// Each rectified unit on whose both sides the part lies costs the bound at most |coefficient| · (gap between the
    /// unit and its line); that is shared among the questions by how far each moves the unit.
    pub(super) fn choose_cut(&mut self, region: &Region) -> Option<RegionCut> {
        let n_questions = self.open.questions.len();
        self.usefulness.clear();
        self.usefulness.resize(n_questions, 0.0);
        for (units, coefficients) in self.bounds.layers.iter().zip(&self.worst.on_units) {
            for (unit, &coefficient) in coefficients.iter().enumerate() {
                let (lower, upper) = (units.lower[unit], units.upper[unit]);
                if coefficient == 0.0 || lower >= 0.0 || upper <= 0.0 {
                    continue;
                }
                let gap = if coefficient > 0.0 { upper.min(-lower) } else { units.intercept[unit] };
                let row = &units.sensitivity[unit * self.open.width..(unit + 1) * self.open.width];
                let moves = |question: usize| moves(&self.open, region, row, question);
                let total: f64 = (0..n_questions).map(moves).sum();
                if total > 0.0 {
                    for question in 0..n_questions {
                        self.usefulness[question] += coefficient.abs() * gap * moves(question) / total;
                    }
                }
            }
        }
        let candidates = (0..n_questions).filter(|&question| !region.is_settled(&self.open.questions[question]));
        let best = candidates.max_by(|&left, &right| self.usefulness[left].total_cmp(&self.usefulness[right]))?;
        self.cut(region, best)
    }

    fn cut(&self, region: &Region, question: usize) -> Option<RegionCut> {
        let columns = self.open.questions[question].columns.clone();
        if columns.start < self.open.n_numbers {
            return region.halve(&self.open, question);
        }
        let start = columns.start;
        let mut possible: Vec<usize> = columns.filter(|&column| region.allows(column)).collect();
        possible.sort_by(|&left, &right| {
            self.worst.coefficients[left].total_cmp(&self.worst.coefficients[right]).then(left.cmp(&right))
        });
        let mut first: Vec<usize> = possible[..possible.len() / 2].iter().map(|column| column - start).collect();
        first.sort_unstable();
        Some(RegionCut::Levels { question, first })
    }
}

/// How far a question can move a linear function over a region.
fn moves(open: &FoldedNetwork, region: &Region, row: &[f64], question: usize) -> f64 {
    let columns = open.questions[question].columns.clone();
    if columns.start < open.n_plain {
        return row[columns.start].abs() * (region.upper[columns.start] - region.lower[columns.start]);
    }
    if columns.start < open.n_numbers {
        let (low, high) = region.numbers(&columns).extremes(&row[columns]);
        return high - low;
    }
    let possible = columns.filter(|&column| region.allows(column));
    let (low, high) = possible
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), column| (low.min(row[column]), high.max(row[column])));
    if high > low { high - low } else { 0.0 }
}
