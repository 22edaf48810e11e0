//! The rules an audit compares.

use std::fmt;

use mindrel::Selector;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How it is decided what people reveal. Files contain its [name](Rule::name).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// One question at a time, chosen by a selector.
    Asking(Selector),
    /// Everyone reveals everything: the classifier as it is commonly used.
    All,
    /// Everyone reveals a smallest pure core set. Finding it takes all answers, so this is a bound, not a method.
    Optimal,
}

impl Rule {
    /// The rules that are not a way of asking, with which the others are compared.
    pub const BASELINES: [Rule; 2] = [Rule::All, Rule::Optimal];

    /// The rule with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let asking = Selector::ALL.into_iter().map(Rule::Asking);
        asking.chain(Rule::BASELINES).find(|rule| rule.name() == name)
    }

    /// Its name on the command line and in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Rule::Asking(selector) => selector.name(),
            Rule::All => "all",
            Rule::Optimal => "optimal",
        }
    }

    /// Whether it is a baseline.
    #[must_use]
    pub fn is_baseline(self) -> bool {
        !matches!(self, Rule::Asking(_))
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Rule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Rule::named(&name).ok_or_else(|| serde::de::Error::custom(format!("there is no rule `{name}`")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_found_by_its_name() {
        for rule in Selector::ALL.map(Rule::Asking).into_iter().chain(Rule::BASELINES) {
            assert_eq!(Rule::named(rule.name()), Some(rule));
        }
        assert_eq!(Rule::named("none"), None);
    }
}
