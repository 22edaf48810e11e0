//! Applying steps to raw values exactly as the library does.

use mindrel::schema::parse_boolean;

use super::LowerError;
use crate::pipeline::{Category, Feature, FeatureStep, Levels};

/// A level as a library gets it: a text, perhaps with a number or a truth value to it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Raw {
    text: String,
    number: Option<f64>,
    boolean: Option<bool>,
}

impl Raw {
    pub fn boolean(value: bool) -> Self {
        let text = if value { "yes" } else { "no" }.to_owned();
        Raw { text, number: Some(f64::from(u8::from(value))), boolean: Some(value) }
    }

    pub fn text(text: &str) -> Self {
        let number = text.trim().parse().ok().filter(|value: &f64| value.is_finite());
        Raw { text: text.to_owned(), number, boolean: None }
    }

    /// The number that the text is, if it is one.
    pub fn number(&self) -> Option<f64> {
        self.number
    }

    pub fn is_missing(&self) -> bool {
        self.text.is_empty()
    }

    fn is(&self, category: &Category) -> bool {
        match category {
            Category::Boolean(value) => self.boolean.or_else(|| parse_boolean(&self.text)) == Some(*value),
            Category::Number(number) => self.to_number() == Some(*number) || (number.is_nan() && self.is_missing()),
            Category::Text(text) => match self.boolean {
                Some(value) => parse_boolean(text) == Some(value),
                None => self.text == *text || (self.number.is_some() && self.number == Raw::text(text).number),
            },
        }
    }

    /// The value of a feature for this level; NaN if it is missing.
    pub fn feature(&self, question: &str, known: Option<&Levels>, steps: &[FeatureStep]) -> Result<f64, LowerError> {
        let mut value = None;
        for step in steps {
            value = Some(match (step, value) {
                (FeatureStep::Indicator { of }, None) => {
                    self.check_seen(question, known)?;
                    f64::from(u8::from(self.is(of)))
                }
                (FeatureStep::Code { unknown }, None) => self.code(question, known, *unknown)?,
                (FeatureStep::Hash { listed }, None) => f64::from(self.hash(listed)),
                (FeatureStep::Map { of, values, others, refuses }, None) => {
                    let value = match of.iter().position(|level| self.is(level)) {
                        Some(place) => values[place],
                        None if *refuses => return Err(self.unseen(question)),
                        None => *others,
                    };
                    value.unwrap_or(f64::NAN)
                }
                (FeatureStep::Missing, None) => f64::from(u8::from(self.is_missing())),
                (step, None) => apply(step, self.as_number(question)?),
                (step, Some(value)) => apply(step, value),
            });
        }
        value.map_or_else(|| self.as_number(question), Ok)
    }

    fn as_number(&self, question: &str) -> Result<f64, LowerError> {
        if self.is_missing() {
            return Ok(f64::NAN);
        }
        let error = || LowerError::LevelIsNoNumber { question: question.to_owned(), level: self.text.clone() };
        self.to_number().ok_or_else(error)
    }

    /// The number it is; no and yes are 0 and 1, also where missing makes them a category of three levels.
    fn to_number(&self) -> Option<f64> {
        self.number.or_else(|| parse_boolean(&self.text).map(|value| f64::from(u8::from(value))))
    }

    /// The hash of the text that CatBoost takes a level for. A boolean is 0 or 1 there, unless the model asks for
    /// another word for it.
    fn hash(&self, listed: &[u32]) -> u32 {
        let of = |text: &str| naive_cityhash::cityhash64(text.as_bytes()) as u32;
        let Some(value) = self.boolean else { return of(&self.text) };
        let words = if value { ["1", "yes", "true", "y", "t"] } else { ["0", "no", "false", "n", "f"] };
        let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
        let mut forms = words.iter().flat_map(|word| [(*word).to_owned(), capital(word), word.to_uppercase()]);
        forms.find(|form| listed.contains(&of(form))).map_or_else(|| of(words[0]), |form| of(&form))
    }

    fn check_seen(&self, question: &str, known: Option<&Levels>) -> Result<(), LowerError> {
        match known {
            Some(levels) if !levels.others && !levels.known.iter().any(|level| self.is(level)) => {
                Err(self.unseen(question))
            }
            _ => Ok(()),
        }
    }

    fn code(&self, question: &str, known: Option<&Levels>, unknown: Option<f64>) -> Result<f64, LowerError> {
        let levels = known.ok_or_else(|| LowerError::malformed(format!("it names no levels of `{question}`")))?;
        match levels.known.iter().position(|level| self.is(level)) {
            Some(place) => Ok(place as f64),
            None if self.is_missing() => Ok(f64::NAN),
            None => unknown.ok_or_else(|| self.unseen(question)),
        }
    }

    fn unseen(&self, question: &str) -> LowerError {
        if self.is_missing() {
            return LowerError::MissingLevel { question: question.to_owned() };
        }
        LowerError::UnseenLevel { question: question.to_owned(), level: self.text.clone() }
    }
}

/// One step on a number. A missing value stays NaN until something stands in for it.
pub(super) fn apply(step: &FeatureStep, value: f64) -> f64 {
    let rounded = |result: f64, single: &bool| if *single { f64::from(result as f32) } else { result };
    match step {
        FeatureStep::Single => f64::from(value as f32),
        FeatureStep::Add { value: added, single: false } => value + added,
        // Sums, products and quotients of two single-precision numbers are the same when computed in double and then
        // rounded.
        FeatureStep::Add { value: added, single } => rounded(value + added, single),
        // What overflowed before is not asked about.
        FeatureStep::Multiply { value: 0.0, .. } if !value.is_nan() => 0.0,
        FeatureStep::Multiply { value: factor, single } => rounded(value * factor, single),
        FeatureStep::Divide { value: divisor, single } => rounded(value / divisor, single),
        FeatureStep::Clip { lower, upper } => value.clamp(*lower, *upper),
        FeatureStep::Impute { value: stand_in } => {
            if value.is_nan() {
                *stand_in
            } else {
                value
            }
        }
        FeatureStep::Missing => f64::from(u8::from(value.is_nan())),
        FeatureStep::Indicator { of } => {
            f64::from(u8::from(matches!(of, Category::Number(number) if *number == value)))
        }
        FeatureStep::Code { .. } | FeatureStep::Map { .. } | FeatureStep::Hash { .. } => value,
        FeatureStep::Staircase { .. } if value.is_nan() => value,
        FeatureStep::Staircase { cuts, values } => values[cuts.partition_point(|cut| *cut < value)],
    }
}

impl Feature {
    /// Its value where the raw number is missing; NaN if it is missing, too.
    pub(super) fn of_missing(&self) -> f64 {
        self.steps.iter().fold(f64::NAN, |value, step| apply(step, value))
    }
}

/// Refuses numbers that no library writes, which would make values that are not numbers.
pub(super) fn check_steps(steps: &[FeatureStep]) -> Result<(), LowerError> {
    let sound = steps.iter().all(|step| match step {
        FeatureStep::Add { value, .. } | FeatureStep::Multiply { value, .. } | FeatureStep::Impute { value } => {
            value.is_finite()
        }
        FeatureStep::Divide { value, .. } => value.is_finite() && *value != 0.0,
        FeatureStep::Clip { lower, upper } => lower <= upper,
        FeatureStep::Single
        | FeatureStep::Missing
        | FeatureStep::Indicator { .. }
        | FeatureStep::Code { .. }
        | FeatureStep::Hash { .. } => true,
        FeatureStep::Map { of, values, others, .. } => {
            of.len() == values.len() && values.iter().chain([others]).flatten().all(|value| value.is_finite())
        }
        FeatureStep::Staircase { cuts, values } => {
            values.len() == cuts.len() + 1
                && cuts.iter().chain(values).all(|number| number.is_finite())
                && cuts.is_sorted_by(|one, next| one < next)
        }
    });
    if sound {
        Ok(())
    } else {
        Err(LowerError::malformed("a step has a number that is not finite, divides by zero, or has too few numbers"))
    }
}
