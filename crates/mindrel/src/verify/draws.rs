//! The probability of a label by draws, of any model that can be run.

use super::Statement;
use super::belief::{Believed, Conditional, Estimated, draws_tolerance};
use super::part::{MISSING, Possible};
use crate::belief::COPULA_POINTS;
use crate::math::spread::Spread;
use crate::model::Model;
use crate::schema::{Domain, QuestionId};

/// Evenly spread draws; sixteen times as many as a session takes.
const DRAWS: usize = 16_384;

/// Evenly spread draws of a session.
const DRAWS_OF_SESSION: usize = 1024;

/// Moves an answer of the domain to the nearest that is possible; of a category, to the first level.
fn bring_to(possible: &Possible, values: &mut [f64]) {
    match possible {
        Possible::Between(low, high) => values[0] = values[0].clamp(*low, *high),
        Possible::OrMissing(_, true) if values == MISSING => {}
        Possible::OrMissing(Some((low, high)), _) => {
            let value = values[0].clamp(*low, *high);
            values.fill(value);
        }
        Possible::OrMissing(None, _) => values.copy_from_slice(&MISSING),
        Possible::Levels(levels) => {
            let is_possible = values.iter().zip(levels).any(|(value, level)| *value == 1.0 && *level);
            let first = levels.iter().position(|level| *level).unwrap_or(0);
            if !is_possible {
                values.fill(0.0);
                values[first] = 1.0;
            }
        }
    }
}

impl Statement<'_> {
    /// The share of people drawn from the belief, brought into the domain, who have the label.
    pub fn share_of_draws(&self) -> Estimated {
        let (people, n_draws) = match self.believed() {
            Believed::Normal(rest) => (self.draw(&rest), DRAWS_OF_SESSION),
            Believed::Drawn(drawn) => (drawn.people.concat(), COPULA_POINTS),
        };
        let mut people = people;
        people
            .chunks_exact_mut(self.person.len())
            .for_each(|person| self.open().for_each(|id| self.bring_in(id, person)));
        let labels = self.plan.model().labels_of_many(&people);
        let probability = labels.iter().filter(|label| **label == self.label).count() as f64 / labels.len() as f64;
        Estimated { probability, tolerance: draws_tolerance(probability, n_draws) }
    }

    /// Evenly spread people, one after the other.
    fn draw(&self, rest: &Conditional) -> Vec<f64> {
        let root = rest.square_root();
        let spread = Spread::with(rest.columns.len(), DRAWS);
        let mut people = Vec::with_capacity(spread.len() * self.person.len());
        for index in 0..spread.len() {
            let normals = spread.point(index);
            let moved =
                root.iter().map(|row| row.iter().zip(normals).map(|(share, normal)| share * normal).sum::<f64>());
            let values: Vec<f64> = rest.mean.iter().zip(moved).map(|(mean, moved)| mean + moved).collect();
            people.extend(self.person_at(rest, &values));
        }
        people
    }

    /// The person, with the open columns at some values.
    pub(super) fn person_at(&self, rest: &Conditional, values: &[f64]) -> Vec<f64> {
        let mut person = self.person.to_vec();
        rest.columns.iter().zip(values).for_each(|(&column, &value)| person[column] = value);
        person
    }

    /// Moves a drawn answer to the nearest that is possible; of a category, the level with the largest indicator.
    fn bring_in(&self, id: QuestionId, person: &mut [f64]) {
        let schema = self.plan.schema();
        let values = &mut person[schema.columns(id)];
        match schema.question(id).domain() {
            Domain::Interval => values[0] = values[0].clamp(-1.0, 1.0),
            Domain::Grid { points } => {
                let last = (points - 1) as f64;
                let index = ((values[0].clamp(-1.0, 1.0) + 1.0) / 2.0 * last).round();
                values[0] = -1.0 + 2.0 * (index / last);
            }
            Domain::OrMissing { .. } if values[0] - values[1] >= 1.0 => values.copy_from_slice(&[1.0, -1.0]),
            Domain::OrMissing { points } => {
                let number = (values[0] + values[1]).clamp(-1.0, 1.0);
                let of_grid = |points: usize| {
                    let last = (points - 1) as f64;
                    -1.0 + 2.0 * (((number + 1.0) / 2.0 * last).round() / last)
                };
                values.fill(points.map_or(number, of_grid) / 2.0);
            }
            Domain::OneOf { .. } => {
                let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let level = values.iter().position(|value| *value == largest).unwrap_or(0);
                values.fill(0.0);
                values[level] = 1.0;
            }
        }
        bring_to(&self.facts.possible[id.index()], values);
    }
}
