//! What people are shown in place of names that only the table uses.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

/// Words for people: what is shown in place of a level or a class, such as “less than 0” for `A11`. Files,
/// certificates and requests keep the name, and a name without words is shown as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Wording {
    by_name: BTreeMap<String, String>,
}

impl Wording {
    /// Whether every name is shown as it is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// The words for a name, if it has any of its own.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.by_name.get(name).map(String::as_str)
    }

    /// What is shown for a name.
    #[must_use]
    pub fn of<'a>(&'a self, name: &'a str) -> &'a str {
        self.get(name).unwrap_or(name)
    }

    /// Whether the words belong to these names, and no two of all names and words can be taken for each other.
    pub(super) fn fits(&self, names: &[String]) -> bool {
        let mut seen = HashSet::new();
        self.by_name.iter().all(|(name, words)| {
            let is_other = !names.contains(words) || name == words;
            names.contains(name) && !words.trim().is_empty() && is_other && seen.insert(words)
        })
    }
}

impl<N: Into<String>, W: Into<String>> FromIterator<(N, W)> for Wording {
    fn from_iter<I: IntoIterator<Item = (N, W)>>(words: I) -> Self {
        Wording { by_name: words.into_iter().map(|(name, words)| (name.into(), words.into())).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::Wording;

    #[test]
    fn words_fit_where_nobody_can_mistake_them() {
        let names = ["a".to_owned(), "b".to_owned(), String::new()];
        let fits = |words: &[(&str, &str)]| words.iter().copied().collect::<Wording>().fits(&names);
        assert!(fits(&[]) && fits(&[("a", "one"), ("b", "two"), ("", "none")]) && fits(&[("a", "a")]));
        for wrong in [&[("a", "b")][..], &[("a", "one"), ("b", "one")], &[("c", "three")], &[("a", " ")], &[("b", "")]]
        {
            assert!(!fits(wrong), "{wrong:?}");
        }
    }
}
