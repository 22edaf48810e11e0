//! Compositions: scores made of the scores of several models, as voting, stacking and calibration make them.

mod check;
mod error;
pub(crate) mod functions;
mod parts;
mod quadratic;

pub use error::CompositionError;
pub use parts::{ComposedValue, CompositionParts, PartModel};
pub use quadratic::QuadraticModel;

use serde::{Deserialize, Serialize};

use super::{Model, ModelError, label_of_scores};
use crate::Label;
use functions::{confidence, first_largest, share, sigmoid, single, softmax, table};

/// Functions of the scores of models over the same columns.
///
/// ```text
/// value_1, value_2, …   each a score of a model, or a function of earlier values
/// label = the class whose output is largest; of equals, the first in `tie_order`
/// ```
///
/// # Numerics
/// The label is what is computed, always in the same order and in double precision. A binary composition's score is the
/// second output less the first; where a score of zero means class 0, the smallest negative number is given in its
/// place. With more classes, a winner that is not the first of equals is given moved up by one number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "CompositionParts")]
pub struct Composition {
    n_columns: usize,
    models: Vec<PartModel>,
    values: Vec<ComposedValue>,
    outputs: Vec<usize>,
    tie_order: Vec<usize>,
    /// Which of them in the order of ties each class is.
    #[serde(skip_serializing)]
    rank: Vec<usize>,
}

impl Composition {
    /// A composition, once its parts are seen to be one.
    ///
    /// # Errors
    /// When counts, columns or operands do not fit, or a number is not finite or can become too large.
    pub fn new(parts: CompositionParts) -> Result<Self, ModelError> {
        check::check(&parts)?;
        let CompositionParts { n_columns, models, values, outputs, tie_order } = parts;
        let mut rank = vec![0; outputs.len()];
        tie_order.iter().enumerate().for_each(|(place, &class)| rank[class] = place);
        Ok(Composition { n_columns, models, values, outputs, tie_order, rank })
    }

    /// The models over the columns.
    #[must_use]
    pub fn models(&self) -> &[PartModel] {
        &self.models
    }

    /// The functions of their scores.
    #[must_use]
    pub fn values(&self) -> &[ComposedValue] {
        &self.values
    }

    /// The place of each class's value.
    #[must_use]
    pub fn outputs(&self) -> &[usize] {
        &self.outputs
    }

    /// Whether a label wins where its output equals a rival's.
    pub(crate) fn wins_ties(&self, label: Label, rival: Label) -> bool {
        self.rank[label.index()] < self.rank[rival.index()]
    }

    /// The label of some values.
    pub(crate) fn label_of(&self, values: &[f64]) -> Label {
        let mut best = self.tie_order[0];
        for &class in &self.tie_order[1..] {
            if values[self.outputs[class]] > values[self.outputs[best]] {
                best = class;
            }
        }
        Label::new(best)
    }

    /// Every value of one encoded person.
    pub(crate) fn values_into(&self, columns: &[f64], values: &mut Vec<f64>) {
        let scores: Vec<Vec<f64>> = self.models.iter().map(|part| scores_of(part.model(), columns)).collect();
        self.values_of_scores(&scores, values);
    }

    /// Every value, by the scores of the models.
    pub(crate) fn values_of_scores(&self, scores: &[Vec<f64>], values: &mut Vec<f64>) {
        values.clear();
        for value in &self.values {
            values.push(match value {
                ComposedValue::Score { model, score } => scores[*model][*score],
                value => self.function_of(value, values),
            });
        }
    }

    /// A value that is no score, by earlier ones.
    pub(crate) fn function_of(&self, value: &ComposedValue, values: &[f64]) -> f64 {
        let operands = |of: &[usize]| of.iter().map(|&place| values[place]).collect::<Vec<f64>>();
        match value {
            ComposedValue::Score { .. } => unreachable!("a score is not made of values"),
            ComposedValue::Sum { start, terms, divisor } => {
                terms.iter().fold(*start, |sum, (place, weight)| sum + weight * values[*place]) / divisor
            }
            ComposedValue::Sigmoid { of } => sigmoid(values[*of]),
            ComposedValue::Table { of, at, heights } => table(at, heights, values[*of]),
            ComposedValue::Softmax { of, class } => softmax(of.iter().map(|&place| values[place]), values[of[*class]]),
            ComposedValue::Share { of, class } => share(of.iter().map(|&place| values[place]), values[of[*class]]),
            ComposedValue::AtLeast { of, bound } => f64::from(u8::from(values[*of] >= *bound)),
            ComposedValue::Largest { of, class } => {
                f64::from(u8::from(first_largest(of.iter().map(|&place| values[place])) == *class))
            }
            ComposedValue::Confidence { of } => confidence(values[*of]),
            ComposedValue::Single { of } => single(values[*of]),
            ComposedValue::Trees { of, ensemble, score } => scores_of(ensemble, &operands(of))[*score],
        }
    }
}

fn scores_of(model: &dyn Model, columns: &[f64]) -> Vec<f64> {
    let mut scores = vec![0.0; model.n_scores()];
    model.scores(columns, &mut scores);
    scores
}

impl Model for Composition {
    fn n_columns(&self) -> usize {
        self.n_columns
    }

    fn n_scores(&self) -> usize {
        if self.outputs.len() == 2 { 1 } else { self.outputs.len() }
    }

    fn scores(&self, columns: &[f64], scores: &mut [f64]) {
        let mut values = Vec::with_capacity(self.values.len());
        self.values_into(columns, &mut values);
        let label = self.label_of(&values);
        if let [no, yes] = self.outputs[..] {
            let score = values[yes] - values[no];
            let is_marked = score >= 0.0 && label == Label::NEGATIVE;
            scores[0] = if is_marked { -f64::from_bits(1) } else { score };
            return;
        }
        scores.iter_mut().zip(&self.outputs).for_each(|(score, &output)| *score = values[output]);
        if label_of_scores(scores) != label {
            scores[label.index()] = scores[label.index()].next_up();
        }
    }

    fn label(&self, columns: &[f64]) -> Label {
        let mut values = Vec::with_capacity(self.values.len());
        self.values_into(columns, &mut values);
        self.label_of(&values)
    }
}

impl TryFrom<CompositionParts> for Composition {
    type Error = ModelError;

    fn try_from(parts: CompositionParts) -> Result<Self, ModelError> {
        Composition::new(parts)
    }
}
