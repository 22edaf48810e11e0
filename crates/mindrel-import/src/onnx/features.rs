//! Operators on features: scalers, encoders and what moves columns about.

use super::graph_value::{Element, Features};
use super::node::GraphNode;
use super::tensor::Tensor;
use crate::pipeline::{Category, FeatureStep, Levels, RawInput};

/// More indicator columns than any encoder makes.
const MOST_INDICATORS: usize = 100_000;

/// What an operator does with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FeatureArithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl Features {
    fn is_single(&self) -> bool {
        self.element == Element::Single
    }

    /// Appends a step to each column. Returns `None` if a column has no such step.
    fn then(&self, mut step: impl FnMut(usize) -> Option<FeatureStep>) -> Option<Features> {
        let mut result = self.clone();
        for (place, column) in result.columns.iter_mut().enumerate() {
            column.steps.push(step(place)?);
        }
        Some(result)
    }

    /// `x + c` and the like, column by column.
    pub fn arithmetic(&self, operation: FeatureArithmetic, constants: &Tensor) -> Option<Features> {
        if matches!(self.element, Element::Text | Element::Integer) {
            return None;
        }
        let (values, single) = (constants.spread(self.columns.len())?, self.is_single());
        self.then(|place| {
            let value = values[place];
            Some(match operation {
                FeatureArithmetic::Add => FeatureStep::Add { value, single },
                FeatureArithmetic::Subtract => FeatureStep::Add { value: -value, single },
                FeatureArithmetic::Multiply => FeatureStep::Multiply { value, single },
                FeatureArithmetic::Divide => FeatureStep::Divide { value, single },
            })
        })
    }

    /// `(x − offset) · scale`.
    pub fn scaler(&self, node: &GraphNode<'_>) -> Option<Features> {
        let floats = |name: &str| {
            let values = node.floats(name);
            Tensor { dims: vec![values.len()], values, single: true }
        };
        let features = self.as_single()?;
        features
            .arithmetic(FeatureArithmetic::Subtract, &floats("offset"))?
            .arithmetic(FeatureArithmetic::Multiply, &floats("scale"))
    }

    /// The same as numbers of single precision.
    pub fn as_single(&self) -> Option<Features> {
        self.cast(1)
    }

    /// Another kind of number, by the number ONNX has for it.
    pub fn cast(&self, to: i64) -> Option<Features> {
        let kind = |element: Element| Features { element, ..self.clone() };
        match (self.element, to) {
            (Element::Single, 1) | (Element::Integer, 6 | 7) | (Element::Text, 8) | (Element::Double, 11) => {
                Some(self.clone())
            }
            (Element::Double | Element::Integer, 1) => {
                Some(Features { element: Element::Single, ..self.then(|_| Some(FeatureStep::Single))? })
            }
            (Element::Single | Element::Integer, 11) => Some(kind(Element::Double)),
            _ => None,
        }
    }

    pub fn imputer(&self, node: &GraphNode<'_>) -> Option<Features> {
        let values = node.floats("imputed_value_floats");
        if !node.float("replaced_value_float").unwrap_or(0.0).is_nan() {
            return None;
        }
        let values = Tensor { dims: vec![values.len()], values, single: true }.spread(self.columns.len())?;
        self.then(|place| Some(FeatureStep::Impute { value: values[place] }))
    }

    pub fn clip(&self, lower: Option<f64>, upper: Option<f64>) -> Option<Features> {
        if matches!(self.element, Element::Text | Element::Integer) {
            return None;
        }
        let (lower, upper) = (lower.unwrap_or(f64::NEG_INFINITY), upper.unwrap_or(f64::INFINITY));
        (lower <= upper).then_some(())?;
        self.then(|_| Some(FeatureStep::Clip { lower, upper }))
    }

    /// One indicator for each level of each column; the levels become known of the inputs.
    pub fn one_hot(&self, node: &GraphNode<'_>, inputs: &mut [RawInput]) -> Option<Features> {
        let texts = node.texts("cats_strings").iter().cloned().map(Category::Text);
        let numbers = node.integers("cats_int64s").iter().map(|number| Category::Number(*number as f64));
        let known: Vec<Category> = if self.element == Element::Text { texts.collect() } else { numbers.collect() };
        let others = node.integer("zeros").unwrap_or(1) != 0;
        (known.len().checked_mul(self.columns.len())? <= MOST_INDICATORS).then_some(())?;
        let mut columns = Vec::new();
        for column in &self.columns {
            learn_levels(inputs, column.input, Levels { known: known.clone(), others })?;
            for level in &known {
                let mut indicator = column.clone();
                // A rounding, which changes nothing about whole numbers, would hide that this is a category.
                indicator.steps.retain(|step| *step != FeatureStep::Single);
                indicator.steps.push(FeatureStep::Indicator { of: level.clone() });
                columns.push(indicator);
            }
        }
        (!columns.is_empty()).then_some(Features { columns, element: Element::Single })
    }

    /// A level's place in a list.
    pub fn label_encoder(&self, node: &GraphNode<'_>, inputs: &mut [RawInput]) -> Option<Features> {
        let [column] = &self.columns[..] else { return None };
        let (known, unknown) = encoded_levels(node)?;
        learn_levels(inputs, column.input, Levels { known, others: unknown.is_some() })?;
        let integer = !node.integers("values_int64s").is_empty() || !node.texts("classes_strings").is_empty();
        let element = if integer { Element::Integer } else { Element::Single };
        let coded = self.then(|_| Some(FeatureStep::Code { unknown }))?;
        Some(Features { element, ..coded })
    }

    pub fn gather(&self, places: &Tensor) -> Option<Features> {
        let place = |place: &f64| self.columns.get(*place as usize).filter(|_| *place >= 0.0).cloned();
        let columns: Option<Vec<_>> = places.values.iter().map(place).collect();
        Some(Features { columns: columns.filter(|columns| !columns.is_empty())?, element: self.element })
    }
}

/// The levels in the order of their codes, which must be 0, 1, 2, …, and the code of other levels, if any.
fn encoded_levels(node: &GraphNode<'_>) -> Option<(Vec<Category>, Option<f64>)> {
    let classes = node.texts("classes_strings");
    if !classes.is_empty() {
        return Some((classes.iter().cloned().map(Category::Text).collect(), None));
    }
    let texts = node.texts("keys_strings").iter().cloned().map(Category::Text);
    let numbers = node.integers("keys_int64s").iter().map(|key| Category::Number(*key as f64));
    let floats = node.floats("keys_floats").into_iter().map(Category::Number);
    let keys: Vec<Category> = texts.chain(numbers).chain(floats).collect();
    let integers = node.integers("values_int64s").iter().map(|value| *value as f64);
    let values: Vec<f64> = integers.chain(node.floats("values_floats")).collect();
    let mut levels: Vec<(f64, Category)> = values.iter().copied().zip(keys.iter().cloned()).collect();
    levels.sort_by(|left, right| left.0.total_cmp(&right.0));
    let in_order = levels.iter().enumerate().all(|(place, level)| place as f64 == level.0);
    (values.len() == keys.len() && in_order && !keys.is_empty()).then_some(())?;
    let default = node.integer("default_int64").map(|code| code as f64).or(node.float("default_float").map(f64::from));
    Some((levels.into_iter().map(|level| level.1).collect(), default))
}

/// An input has one list of levels.
fn learn_levels(inputs: &mut [RawInput], input: usize, levels: Levels) -> Option<()> {
    let place = &mut inputs.get_mut(input)?.levels;
    if place.as_ref().is_some_and(|known| *known != levels) {
        return None;
    }
    *place = Some(levels);
    Some(())
}
