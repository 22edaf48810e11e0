//! Reading the fields of a model document, with their paths for error messages.

use serde_json::Value;

use crate::ReadError;

/// A value and its path.
#[derive(Debug, Clone)]
pub(crate) struct ModelField<'a> {
    pub value: &'a Value,
    pub place: String,
}

impl<'a> ModelField<'a> {
    pub fn root(value: &'a Value) -> Self {
        ModelField { value, place: String::new() }
    }

    pub fn find(&self, name: &str) -> Option<ModelField<'a>> {
        let place = if self.place.is_empty() { name.to_owned() } else { format!("{}.{name}", self.place) };
        self.value.get(name).map(|value| ModelField { value, place })
    }

    pub fn get(&self, name: &str) -> Result<ModelField<'a>, ReadError> {
        self.find(name).ok_or_else(|| ReadError::damaged(&self.place, format!("`{name}` is missing")))
    }

    pub fn damaged(&self, what: &str) -> ReadError {
        ReadError::damaged(&self.place, what)
    }

    pub fn text(&self) -> Result<&'a str, ReadError> {
        self.value.as_str().ok_or_else(|| self.damaged("it is no text"))
    }

    pub fn items(&self) -> Result<Vec<ModelField<'a>>, ReadError> {
        let items = self.value.as_array().ok_or_else(|| self.damaged("it is no list"))?;
        let item = |(place, value)| ModelField { value, place: format!("{}[{place}]", self.place) };
        Ok(items.iter().enumerate().map(item).collect())
    }

    /// A list of numbers, rounded to single precision as XGBoost has them.
    pub fn singles(&self) -> Result<Vec<f64>, ReadError> {
        let items = self.value.as_array().ok_or_else(|| self.damaged("it is no list"))?;
        let single =
            |value: &Value| value.as_f64().map(|value| f64::from(value as f32)).filter(|value| value.is_finite());
        items.iter().map(single).collect::<Option<_>>().ok_or_else(|| self.damaged("a number is none, or not finite"))
    }

    /// A list of whole numbers; true counts as 1.
    pub fn integers(&self) -> Result<Vec<i64>, ReadError> {
        let items = self.value.as_array().ok_or_else(|| self.damaged("it is no list"))?;
        let integer = |value: &Value| value.as_i64().or_else(|| value.as_bool().map(i64::from));
        items.iter().map(integer).collect::<Option<_>>().ok_or_else(|| self.damaged("a whole number is none"))
    }

    /// A number written as a text, as parameters are.
    pub fn count(&self) -> Result<usize, ReadError> {
        let written = self.value.as_str().and_then(|text| text.parse().ok());
        let count = written.or_else(|| self.value.as_u64().and_then(|count| usize::try_from(count).ok()));
        count.ok_or_else(|| self.damaged("it is no whole number"))
    }
}
