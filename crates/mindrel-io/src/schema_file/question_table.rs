//! A question of a schema file.

use mindrel::schema::{Encoding, Kind, KindName, OutsidePolicy, Question, Visibility};
use serde::{Deserialize, Serialize};

use super::entries::{MissingEntry, NameEntry, Number};
use super::name_of_several;

/// A `[[question]]`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct QuestionTable {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    column: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    columns: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    kind: KindName,
    sensitive: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lower: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    upper: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    missing: Option<MissingEntry>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    levels: Option<Vec<NameEntry>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    other: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    encoding: Option<Encoding>,
    #[serde(default)]
    prompt: String,
    #[serde(default)]
    help: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cost: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outside: Option<OutsidePolicy>,
}

impl QuestionTable {
    /// The name of the question: that of its column, or one of its own where there are several.
    pub fn name(&self) -> String {
        let own = self.name.as_ref().or(self.column.as_ref());
        own.cloned().unwrap_or_else(|| name_of_several(&self.columns))
    }

    /// A question as a table; its encoding is left out where it is the default.
    pub fn of(question: &Question, default_encoding: Encoding) -> Self {
        let (kind, bounds, missing, levels, encoding) = match &question.kind {
            Kind::Number { lower, upper, missing } => (KindName::Number, Some((*lower, *upper)), *missing, None, None),
            Kind::Integer { lower, upper, missing } => {
                (KindName::Integer, Some((*lower, *upper)), *missing, None, None)
            }
            Kind::Boolean => (KindName::Boolean, None, None, None, None),
            Kind::Category { levels, encoding } => {
                let own = (*encoding != default_encoding).then_some(*encoding);
                (KindName::Category, None, None, Some(NameEntry::list(levels, &question.words)), own)
            }
        };
        let has_own_name = !question.together.is_empty() && question.name != name_of_several(&question.together);
        QuestionTable {
            column: question.together.is_empty().then(|| question.name.clone()),
            name: has_own_name.then(|| question.name.clone()),
            columns: question.together.clone(),
            kind,
            sensitive: question.visibility == Visibility::Sensitive,
            lower: bounds.map(|(lower, _)| Number::new(lower)),
            upper: bounds.map(|(_, upper)| Number::new(upper)),
            missing: missing.map(MissingEntry::new),
            other: question.other.and_then(|place| question.levels()?.get(place).cloned()),
            levels,
            encoding,
            prompt: question.prompt.clone(),
            help: question.help.clone(),
            cost: (question.cost != 1.0).then(|| Number::new(question.cost)),
            outside: (question.outside != OutsidePolicy::default()).then_some(question.outside),
        }
    }

    /// The question; what is wrong with it as an error.
    pub fn into_question(self, default_encoding: Encoding) -> Result<Question, &'static str> {
        let name = self.name();
        match (&self.column, &self.name) {
            (Some(_), None) if self.columns.is_empty() => {}
            (None, _) if !self.columns.is_empty() => {}
            _ => return Err("give it either a `column`, or several `columns` and possibly a `name`"),
        }
        let numeric = matches!(self.kind, KindName::Number | KindName::Integer);
        let of_numbers = self.lower.is_some() || self.upper.is_some() || self.missing.is_some();
        if !numeric && (of_numbers || self.outside.is_some()) {
            return Err("only numbers and integers have `lower`, `upper`, `missing` and `outside`");
        }
        let of_levels = self.levels.is_some() || self.encoding.is_some() || self.other.is_some();
        if self.kind != KindName::Category && of_levels {
            return Err("only categories have `levels`, `other` and `encoding`");
        }
        let bound =
            |bound: Option<Number>| bound.map(Number::value).ok_or("numbers and integers need `lower` and `upper`");
        let missing = self.missing.map(MissingEntry::value);
        let (levels, words) = self.levels.map(NameEntry::split).unzip();
        let kind = match self.kind {
            KindName::Number => Kind::Number { lower: bound(self.lower)?, upper: bound(self.upper)?, missing },
            KindName::Integer => Kind::Integer { lower: bound(self.lower)?, upper: bound(self.upper)?, missing },
            KindName::Boolean => Kind::Boolean,
            KindName::Category => Kind::Category {
                levels: levels.ok_or("categories need `levels`")?,
                encoding: self.encoding.unwrap_or(default_encoding),
            },
        };
        let visibility = if self.sensitive { Visibility::Sensitive } else { Visibility::Public };
        let mut question = Question::new(name, visibility, kind);
        question.together = self.columns;
        if !self.prompt.is_empty() {
            question.prompt = self.prompt;
        }
        if let (Some(other), Kind::Category { levels, .. }) = (&self.other, &question.kind) {
            let place = levels.iter().position(|level| level == other);
            question.other = Some(place.ok_or("`other` must be one of its `levels`")?);
        }
        question.help = self.help;
        question.cost = self.cost.map_or(1.0, Number::value);
        question.outside = self.outside.unwrap_or_default();
        question.words = words.unwrap_or_default();
        Ok(question)
    }
}
