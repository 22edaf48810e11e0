//! An answer as it stands in a body.

use std::borrow::Cow;
use std::fmt;

use mindrel::schema::StatedAnswer;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// An answer: a number, true or false, or a text. It has no `Debug`.
pub(crate) struct Answer(pub StatedAnswer);

impl<'de> Deserialize<'de> for Answer {
    /// Looks at what is there once; trying one kind after the other would word an error for each that it is not.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnswerVisitor).map(Answer)
    }
}

struct AnswerVisitor;

impl Visitor<'_> for AnswerVisitor {
    type Value = StatedAnswer;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a number, true or false, or a text")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<StatedAnswer, E> {
        Ok(StatedAnswer::Boolean(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<StatedAnswer, E> {
        Ok(StatedAnswer::Number(value as f64))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<StatedAnswer, E> {
        Ok(StatedAnswer::Number(value as f64))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<StatedAnswer, E> {
        Ok(StatedAnswer::Number(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<StatedAnswer, E> {
        Ok(StatedAnswer::Text(value.to_owned()))
    }
}

impl PartialSchema for Answer {
    fn schema() -> RefOr<Schema> {
        let kind = |kind: Type| ObjectBuilder::new().schema_type(kind);
        let kinds = [Type::Boolean, Type::Number, Type::String].into_iter().map(kind);
        let all = kinds.fold(OneOfBuilder::new(), OneOfBuilder::item);
        all.description(Some("An answer: a number, true or false, or a text.")).into()
    }
}

impl ToSchema for Answer {
    fn name() -> Cow<'static, str> {
        "Answer".into()
    }
}
