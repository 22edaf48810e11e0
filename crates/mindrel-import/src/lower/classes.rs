//! Which class of a schema each class of a model is.

use mindrel::Schema;
use mindrel::schema::parse_boolean;

use super::LowerError;
use crate::pipeline::{DenseLayer, Pipeline};

/// The class of the schema that each class of a model is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassOrder(Vec<usize>);

impl ClassOrder {
    /// The schema's own order.
    pub(super) fn same(n_classes: usize) -> Self {
        ClassOrder((0..n_classes).collect())
    }

    /// Whether the model has the classes in the schema's order.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.0.iter().enumerate().all(|(place, class)| place == *class)
    }

    /// Of two classes, whether the model's positive one is the schema's negative one.
    #[must_use]
    pub fn is_flipped(&self) -> bool {
        self.0 == [1, 0]
    }

    /// The places of the schema's classes, in the model's order.
    #[must_use]
    pub fn places(&self) -> &[usize] {
        &self.0
    }

    /// The last layer with its units in the schema's order, or with the other sign.
    pub(super) fn of_layer(&self, layer: DenseLayer) -> DenseLayer {
        if layer.biases.len() == 1 && self.is_flipped() {
            let negated = |values: Vec<f64>| values.into_iter().map(|value| -value).collect::<Vec<f64>>();
            return DenseLayer {
                weights: layer.weights.into_iter().map(negated).collect(),
                biases: negated(layer.biases),
            };
        }
        if layer.biases.len() != self.0.len() || layer.weights.len() != self.0.len() {
            return layer;
        }
        let mut ordered = layer.clone();
        for (unit, class) in self.0.iter().enumerate() {
            ordered.weights[*class].clone_from(&layer.weights[unit]);
            ordered.biases[*class] = layer.biases[unit];
        }
        ordered
    }
}

/// Which class of the schema each class of the model is.
///
/// Classes are matched by name if the model has names; otherwise they are the schema's in sorted order, numbers by
/// value, as in the libraries.
///
/// # Errors
/// When the classes are not the same.
pub fn order_of_classes(pipeline: &Pipeline, schema: &Schema) -> Result<ClassOrder, LowerError> {
    order_of(pipeline.classes.as_deref(), pipeline.predictor.n_scores(), schema)
}

/// The same for a model of which only the number of scores is known, and perhaps the names of its classes.
///
/// # Errors
/// As [`order_of_classes`].
pub fn order_of(names: Option<&[String]>, n_scores: usize, schema: &Schema) -> Result<ClassOrder, LowerError> {
    let classes = &schema.target().classes;
    if n_scores.max(2) != classes.len() {
        return Err(LowerError::ClassCount { model: n_scores.max(2), schema: classes.len() });
    }
    let Some(names) = names else { return Ok(ClassOrder(sorted(classes))) };
    let places: Vec<usize> =
        names.iter().filter_map(|name| classes.iter().position(|class| is_same_class(class, name))).collect();
    let mut distinct = places.clone();
    distinct.sort_unstable();
    distinct.dedup();
    if names.len() != classes.len() || distinct.len() != classes.len() {
        return Err(LowerError::Classes { model: names.join(", "), schema: classes.join(", ") });
    }
    Ok(ClassOrder(places))
}

fn is_same_class(class: &str, name: &str) -> bool {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let numbers = number(class).zip(number(name)).is_some_and(|(left, right)| left == right);
    let words = parse_boolean(class).zip(parse_boolean(name)).is_some_and(|(left, right)| left == right);
    class == name || numbers || words
}

fn sorted(classes: &[String]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..classes.len()).collect();
    let numbers: Option<Vec<f64>> = classes.iter().map(|class| class.trim().parse().ok()).collect();
    match numbers {
        Some(numbers) => places.sort_by(|left, right| numbers[*left].total_cmp(&numbers[*right])),
        None => places.sort_by(|left, right| classes[*left].cmp(&classes[*right])),
    }
    places
}
