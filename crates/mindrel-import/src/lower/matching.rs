//! Which question each input of a model is.

use mindrel::Schema;
use mindrel::schema::{Kind, MissingNumber, Question, QuestionId};

use super::LowerError;
use super::raw_level::{Raw, check_steps};
use crate::pipeline::{Feature, FeatureStep, Levels, Pipeline, RawInput};

/// The question of each input: by name, or by place where the model has no names.
///
/// Names are compared as they are, then with everything but letters and digits replaced by `_`, as some libraries do.
///
/// # Errors
/// When there is no question for an input.
pub fn match_inputs(inputs: &[RawInput], schema: &Schema) -> Result<Vec<QuestionId>, LowerError> {
    if inputs.iter().all(|input| input.name.is_none()) {
        if inputs.len() != schema.questions().len() {
            return Err(LowerError::InputCount { inputs: inputs.len(), questions: schema.questions().len() });
        }
        return Ok(schema.ids().collect());
    }
    let mut taken = vec![false; schema.questions().len()];
    inputs
        .iter()
        .map(|input| {
            let name = input.name.as_deref().unwrap_or_default();
            let id = find(schema, name).ok_or_else(|| unknown(schema, name))?;
            if std::mem::replace(&mut taken[id.index()], true) {
                return Err(LowerError::InputTwice { input: name.to_owned() });
            }
            Ok(id)
        })
        .collect()
}

fn find(schema: &Schema, name: &str) -> Option<QuestionId> {
    schema.find(name).or_else(|| {
        let mut alike = schema.ids().filter(|&id| plain(&schema.question(id).name) == plain(name));
        alike.next().filter(|_| alike.next().is_none())
    })
}

fn plain(name: &str) -> String {
    name.chars().map(|character| if character.is_alphanumeric() { character } else { '_' }).collect()
}

fn unknown(schema: &Schema, name: &str) -> LowerError {
    let known: Vec<&str> = schema.questions().iter().map(|question| question.name.as_str()).collect();
    LowerError::UnknownInput { input: name.to_owned(), known: known.join(", ") }
}

/// A pipeline and the question of each of its inputs, both checked.
pub(super) struct Matched<'a> {
    pub pipeline: &'a Pipeline,
    pub schema: &'a Schema,
    questions: Vec<QuestionId>,
}

impl<'a> Matched<'a> {
    pub fn new(pipeline: &'a Pipeline, schema: &'a Schema) -> Result<Self, LowerError> {
        let questions = match_inputs(&pipeline.inputs, schema)?;
        for feature in &pipeline.features {
            if feature.input >= pipeline.inputs.len() {
                return Err(LowerError::malformed("a feature is made of a column that it does not have"));
            }
            check_steps(&feature.steps)?;
            check_stand_in(schema.question(questions[feature.input]), feature)?;
        }
        Ok(Matched { pipeline, schema, questions })
    }

    /// The question a feature is made of.
    pub fn id(&self, feature: &Feature) -> QuestionId {
        self.questions[feature.input]
    }

    pub fn question(&self, feature: &Feature) -> &'a Question {
        self.schema.question(self.id(feature))
    }

    /// The value of a feature for each level of its question, NaN for a missing one. Returns `None` for a number.
    pub fn level_values(&self, feature: &Feature) -> Result<Option<Vec<f64>>, LowerError> {
        let question = self.question(feature);
        let Some(mut levels) = raw_levels(question) else { return Ok(None) };
        let known = self.pipeline.inputs[feature.input].levels.as_ref();
        if let (Some(other), Some(known)) = (question.other, known) {
            levels[other] = raw_other(&levels, other, known);
        }
        levels
            .iter()
            .map(|level| level.feature(&question.name, known, &feature.steps))
            .collect::<Result<_, _>>()
            .map(Some)
    }
}

/// The level that stands for all that are not listed, as a library sees it.
fn raw_other(levels: &[Raw], other: usize, known: &Levels) -> Raw {
    if let (false, [only]) = (known.others, &known.known[..]) {
        // The model takes no other text in this column, so nothing depends on it.
        return Raw::text(&only.to_string());
    }
    // Where all others are numbers, another number.
    let listed = levels.iter().enumerate().filter(|(place, _)| *place != other).map(|(_, level)| level.clone());
    let numbers = listed.chain(known.known.iter().map(|level| Raw::text(&level.to_string())));
    let largest = numbers
        .filter(|level| !level.is_missing())
        .try_fold(f64::NEG_INFINITY, |largest, level| Some(largest.max(level.number()?)));
    match largest {
        Some(largest) if largest.is_finite() && levels[other].number().is_none() => {
            Raw::text(&(largest.floor() + 1.0).to_string())
        }
        _ => levels[other].clone(),
    }
}

/// The levels of a question, as a library sees them. Returns `None` for a number.
fn raw_levels(question: &Question) -> Option<Vec<Raw>> {
    match &question.kind {
        Kind::Boolean => Some([false, true].map(Raw::boolean).to_vec()),
        Kind::Category { levels, .. } => Some(levels.iter().map(|level| Raw::text(level)).collect()),
        Kind::Number { .. } | Kind::Integer { .. } => None,
    }
}

fn check_stand_in(question: &Question, feature: &Feature) -> Result<(), LowerError> {
    let (Kind::Number { missing: Some(missing), .. } | Kind::Integer { missing: Some(missing), .. }) = question.kind
    else {
        return Ok(());
    };
    match feature.stand_in() {
        _ if missing != MissingNumber::Answer && feature.tells_missing() => {
            Err(LowerError::MissingDirection { question: question.name.clone() })
        }
        Some(stand_in) if missing.stand_in().is_some_and(|missing| stand_in != missing) => {
            Err(LowerError::StandIn { question: question.name.clone() })
        }
        _ => Ok(()),
    }
}

impl Feature {
    /// The number that replaces a missing value of the raw column; `None` unless that happens before anything else.
    #[must_use]
    pub fn stand_in(&self) -> Option<f64> {
        let before = self
            .steps
            .iter()
            .take_while(|step| matches!(step, FeatureStep::Impute { .. } | FeatureStep::Single))
            .collect::<Vec<_>>();
        before.iter().find_map(|step| if let FeatureStep::Impute { value } = step { Some(*value) } else { None })
    }
}
