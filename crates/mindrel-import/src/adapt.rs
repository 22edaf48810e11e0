//! Adapting a schema inferred from a table to what a model knows of its columns.

use mindrel::Schema;
use mindrel::schema::{Encoding, Kind, MissingNumber, Question, SchemaError, Target};

use crate::LowerError;
use crate::lower::{match_inputs, order_of_classes};
use crate::pipeline::{Feature, Levels, Pipeline};

/// Why a schema cannot be adapted to a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AdaptError {
    /// The model does not fit the schema.
    #[error(transparent)]
    Lower(#[from] LowerError),
    /// What the model says makes no schema.
    #[error(transparent)]
    Schema(#[from] SchemaError),
}

/// Corrects a proposed schema by what the model knows: which numbers are categories, whether it takes levels it never
/// saw, what replaces missing numbers, and the order of the classes.
///
/// A level the model never saw stays a level; lowering refuses it if the model depends on it.
///
/// # Errors
/// When the model's columns or classes are not the schema's.
pub fn adapt(pipeline: &Pipeline, schema: &Schema) -> Result<Schema, AdaptError> {
    let ids = match_inputs(&pipeline.inputs, schema)?;
    let mut questions = schema.questions().to_vec();
    for (place, (input, id)) in pipeline.inputs.iter().zip(&ids).enumerate() {
        let Question { kind, other, .. } = &mut questions[id.index()];
        if let (Some(levels), Kind::Number { .. } | Kind::Integer { .. }) = (&input.levels, &*kind) {
            *kind = category(levels, kind);
        } else if input.levels.as_ref().is_some_and(|levels| levels.others) && other.is_none() {
            *other = kind.add_other();
        }
        let mut features = pipeline.all_features().filter(|feature| feature.input == place);
        let stand_in = pipeline.all_features().filter(|feature| feature.input == place).find_map(Feature::stand_in);
        let tells_missing =
            pipeline.all_features().filter(|feature| feature.input == place).any(Feature::tells_missing);
        let replaced = stand_in.filter(|_| !tells_missing).and_then(|stand_in| kind.missing_as(stand_in));
        if let Kind::Number { missing, .. } | Kind::Integer { missing, .. } = kind {
            if replaced.is_some() {
                *missing = replaced;
            } else if missing.is_some() && (tells_missing || features.any(|feature| pipeline.takes_missing(feature))) {
                *missing = Some(MissingNumber::Answer);
            }
        }
    }
    let order = order_of_classes(pipeline, schema)?;
    let target = schema.target();
    let classes = order.places().iter().map(|place| target.classes[*place].clone()).collect();
    Ok(Schema::new(Target { classes, ..target.clone() }, questions)?)
}

/// More whole numbers than this are not listed as levels.
const MOST_LISTED: f64 = 1000.0;

/// A category of the levels a model knows, and a level for missing answers if there are any. A model that takes others
/// too also gets all whole numbers between the bounds.
fn category(levels: &Levels, kind: &Kind) -> Kind {
    let has_missing = matches!(kind, Kind::Number { missing: Some(_), .. } | Kind::Integer { missing: Some(_), .. });
    let mut names: Vec<String> = levels.known.iter().map(ToString::to_string).collect();
    if let (true, Kind::Integer { lower, upper, .. }) = (levels.others, kind)
        && upper - lower < MOST_LISTED
    {
        let more = (0..=(upper - lower) as usize).map(|step| (lower + step as f64).to_string());
        names.extend(more.filter(|name| !levels.known.iter().any(|level| level.to_string() == *name)));
    }
    if has_missing && !names.iter().any(String::is_empty) {
        names.insert(0, String::new());
    }
    Kind::Category { levels: names, encoding: Encoding::Onehot }
}
