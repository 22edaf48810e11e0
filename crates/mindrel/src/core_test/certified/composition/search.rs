//! The search for a person with another label: from some point, one answer at a time for the worse.

use super::CompositionProver;
use crate::Label;
use crate::model::ComposedValue;
use crate::model::functions::{sigmoid, softmax};
use crate::region::Region;
use crate::rules::Budget;
use crate::schema::{Domain, MISSING};

/// Thresholds of trees that are tried of each number in one round.
const THRESHOLDS: usize = 5;

/// Rounds over all questions from one start.
const MOST_ROUNDS: usize = 6;

impl CompositionProver {
    /// Whether a walk from a start arrives at another label, which is kept.
    pub(super) fn search(&mut self, label: Label, start: &[f64], budget: &mut Budget, region: &Region) -> bool {
        let mut point = start.to_vec();
        point.resize(self.open.width, 0.0);
        region.bring_in(&self.open, &mut point);
        if self.try_point(label, &point, budget) {
            return true;
        }
        let n_classes = self.tables.model.outputs().len();
        let rivals = (0..n_classes).map(Label::new).filter(|rival| *rival != label);
        for rival in rivals.collect::<Vec<Label>>() {
            let mut walked = point.clone();
            if self.walk(label, rival, &mut walked, budget, region) {
                return true;
            }
            if budget.is_used_up() {
                return false;
            }
        }
        false
    }

    /// Walks on for the worse while there is any.
    fn walk(&mut self, label: Label, rival: Label, point: &mut [f64], budget: &mut Budget, region: &Region) -> bool {
        let mut lowest = self.soft_margin(label, rival, point);
        for round in 0..MOST_ROUNDS {
            let before = lowest;
            for place in 0..self.open.questions.len() {
                if region.is_settled(&self.open.questions[place]) {
                    continue;
                }
                let columns = self.open.questions[place].columns.clone();
                let mut best = point[columns.clone()].to_vec();
                for choice in self.choices(place, round, region) {
                    point[columns.clone()].copy_from_slice(&choice);
                    if self.try_point(label, point, budget) {
                        return true;
                    }
                    let margin = self.soft_margin_of_last(label, rival);
                    if margin < lowest {
                        lowest = margin;
                        best = choice;
                    }
                }
                point[columns].copy_from_slice(&best);
                if budget.is_used_up() {
                    return false;
                }
            }
            if lowest >= before {
                return false;
            }
        }
        false
    }

    /// Answers to try to a question.
    fn choices(&self, place: usize, round: usize, region: &Region) -> Vec<Vec<f64>> {
        let question = &self.open.questions[place];
        let columns = question.columns.clone();
        if let Domain::OneOf { .. } = question.domain {
            let possible = columns.clone().filter(|&column| region.allows(column));
            let choice =
                |level: usize| columns.clone().map(|column| f64::from(u8::from(column == level))).collect::<Vec<f64>>();
            return possible.map(choice).collect();
        }
        let column = columns.start;
        let (mut bounds, mut missing) = (Some((region.lower[column], region.upper[column])), None);
        if let Domain::OrMissing { .. } = question.domain {
            let possible = region.numbers(&columns);
            (bounds, missing) = (possible.numbers, possible.missing.then(|| MISSING.to_vec()));
        }
        let Some((lower, upper)) = bounds else { return missing.into_iter().collect() };
        let mut values = vec![lower, upper];
        let thresholds = &self.thresholds[column];
        let (from, to) =
            (thresholds.partition_point(|value| *value < lower), thresholds.partition_point(|value| *value < upper));
        let inside = &thresholds[from..to.max(from)];
        let mut more: Vec<f64> = if inside.is_empty() {
            vec![f64::midpoint(lower, upper)]
        } else {
            let step = inside.len().div_ceil(THRESHOLDS).max(1);
            inside.iter().skip(round % step).step_by(step).copied().collect()
        };
        // To the nearest point of a grid.
        for value in &mut more {
            let mut answer = vec![*value; columns.len()];
            question.domain.bring_in(&mut answer);
            *value = answer[0].clamp(lower, upper);
        }
        values.append(&mut more);
        values.into_iter().map(|value| vec![value; columns.len()]).chain(missing).collect()
    }

    /// Works out all values at a point; whether its label is another, and then keeps it.
    pub(super) fn try_point(&mut self, label: Label, point: &[f64], budget: &mut Budget) -> bool {
        budget.spend(self.run_work);
        self.set_values_at(point);
        if self.tables.model.label_of(&self.values) == label {
            return false;
        }
        self.witness.clear();
        self.witness.extend_from_slice(point);
        true
    }

    fn soft_margin(&mut self, label: Label, rival: Label, point: &[f64]) -> f64 {
        self.set_values_at(point);
        self.soft_margin_of_last(label, rival)
    }

    /// By how much a label is ahead of a rival, with votes counted by how sure they are, so that there are no steps
    /// to get stuck on.
    fn soft_margin_of_last(&mut self, label: Label, rival: Label) -> f64 {
        let model = &self.tables.model;
        let (own, other) = (model.outputs()[label.index()], model.outputs()[rival.index()]);
        if !self.has_steps {
            return self.values[own] - self.values[other];
        }
        let mut soft: Vec<f64> = Vec::with_capacity(self.values.len());
        for (place, value) in model.values().iter().enumerate() {
            soft.push(match value {
                ComposedValue::Score { .. } => self.values[place],
                ComposedValue::AtLeast { of, bound } => sigmoid((soft[*of] - bound) / self.softness[*of]),
                ComposedValue::Largest { of, class } => {
                    let widest = of.iter().map(|&place| self.softness[place]).fold(f64::MIN_POSITIVE, f64::max);
                    softmax(of.iter().map(|&place| soft[place] / widest), soft[of[*class]] / widest)
                }
                value => model.function_of(value, &soft),
            });
        }
        soft[own] - soft[other] + 1e-3 * (self.values[own] - self.values[other])
    }
}
