//! One entry.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

/// What is to be recorded of the end of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// Told apart from every other end of a session by this.
    pub name: [u8; 32],
    /// What is recorded, as it stands in the entry's body: one text is handed to the writer, not one for each question.
    facts: String,
}

/// What an entry says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facts<'a> {
    /// When, in seconds since 1970.
    pub time: u64,
    /// The plan's fingerprint.
    pub plan: Cow<'a, str>,
    /// How many sensitive questions the plan has.
    pub questions: usize,
    /// The questions that were answered, in the plan's order: the order they were asked in could tell of answers.
    pub asked: Vec<Cow<'a, str>>,
    /// The questions that were declined, in the plan's order.
    pub declined: Vec<Cow<'a, str>>,
    /// What the decision rests on; `undecided` where there is none.
    pub guarantee: Cow<'a, str>,
    /// The failure probability that was followed.
    pub delta: f64,
}

/// An entry as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its place, counted from one.
    pub number: u64,
    /// The draft's name.
    pub name: [u8; 32],
    /// What is hashed: number, name and facts as JSON.
    pub body: String,
    /// The hash of the chain up to here.
    pub hash: [u8; 32],
}

/// What shows that an entry was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Receipt {
    /// The entry's place in the ledger.
    pub entry: u64,
    /// The hash of the ledger up to this entry, in hexadecimal.
    pub hash: String,
}

/// What came of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The receipt of its entry.
    pub receipt: Receipt,
    /// Whether the entry was made now, rather than by an earlier draft of the same name.
    pub is_new: bool,
}

/// What stands in a body.
#[derive(Deserialize)]
struct Body {
    number: u64,
    name: String,
    #[serde(flatten)]
    facts: Facts<'static>,
}

impl Draft {
    /// Facts to be recorded under a name.
    ///
    /// # Panics
    /// Never: facts are plain data with finite numbers.
    #[must_use]
    pub fn new(name: [u8; 32], facts: &Facts<'_>) -> Self {
        Draft { name, facts: serde_json::to_string(facts).expect("plain data with finite numbers") }
    }
}

impl Entry {
    /// The entry a draft makes behind another.
    #[must_use]
    pub fn after(number: u64, previous: &[u8; 32], draft: &Draft) -> Self {
        let (name, facts) = (hexadecimal(&draft.name), &draft.facts[1..]);
        let body = format!(r#"{{"number":{number},"name":"{name}",{facts}"#);
        let hash = chained(previous, &body);
        Entry { number, name: draft.name, body, hash }
    }

    /// What it says, if its body is one and agrees with its number and name.
    #[must_use]
    pub fn facts(&self) -> Option<Facts<'static>> {
        let body: Body = serde_json::from_str(&self.body).ok()?;
        (body.number == self.number && body.name == hexadecimal(&self.name)).then_some(body.facts)
    }

    /// Whether its hash is that of its body behind another entry.
    #[must_use]
    pub fn follows(&self, previous: &[u8; 32]) -> bool {
        self.hash == chained(previous, &self.body)
    }

    /// What shows that it was made.
    #[must_use]
    pub fn receipt(&self) -> Receipt {
        Receipt { entry: self.number, hash: hexadecimal(&self.hash) }
    }
}

/// `SHA-256(previous ‖ body)`.
fn chained(previous: &[u8; 32], body: &str) -> [u8; 32] {
    Sha256::new().chain_update(previous).chain_update(body).finalize().into()
}

/// Bytes as hexadecimal digits.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let mut text = String::with_capacity(2 * bytes.len());
    text.extend(digits.map(|digit| char::from(DIGITS[usize::from(digit)])));
    text
}
