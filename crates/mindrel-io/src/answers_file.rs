//! Answers given beforehand, for scripts: a JSON object from question to answer, `null` for one that is declined.

use std::collections::BTreeMap;
use std::path::Path;

use mindrel::schema::StatedAnswer;

use crate::input::{LONGEST_TEXT, read_whole};
use crate::json::where_it_fails;
use crate::{Error, Result};

/// Answers by the names of their questions; `None` for a declined one. Its `Debug` shows no value.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StatedAnswers(BTreeMap<String, Option<StatedAnswer>>);

impl StatedAnswers {
    /// Reads the file.
    ///
    /// # Errors
    /// When the file is missing or holds anything but numbers, texts, booleans and nulls by name.
    pub fn read(path: &Path) -> Result<Self> {
        let text = read_whole(path, LONGEST_TEXT)?;
        let parsed = serde_json::from_slice(&text).map_err(|error| Error::Malformed {
            path: path.to_owned(),
            what: "answers file, a JSON object from question to answer",
            problem: where_it_fails(&error),
        })?;
        Ok(StatedAnswers(parsed))
    }

    /// The names of its questions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The answer to a question, `Some(None)` if it is declined, `None` if the file does not have it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Option<&StatedAnswer>> {
        self.0.get(name).map(Option::as_ref)
    }
}
