//! One entry.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

/// What is to be recorded of the end of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Told apart from every other end of a session by this.
    pub name: [u8; 32],
    /// What is recorded.
    pub facts: Facts,
}

/// What an entry says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// When, in seconds since 1970.
    pub time: u64,
    /// The plan's fingerprint.
    pub plan: String,
    /// How many sensitive questions the plan has.
    pub questions: usize,
    /// The questions that were answered, in the plan's order: the order they were asked in could tell of answers.
    pub asked: Vec<String>,
    /// The questions that were declined, in the plan's order.
    pub declined: Vec<String>,
    /// What the decision rests on; `undecided` where there is none.
    pub guarantee: String,
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
#[derive(Serialize, Deserialize)]
struct Body<F> {
    number: u64,
    name: String,
    #[serde(flatten)]
    facts: F,
}

impl Entry {
    /// The entry a draft makes behind another.
    ///
    /// # Panics
    /// Never: facts are plain data with finite numbers.
    #[must_use]
    pub fn after(number: u64, previous: &[u8; 32], draft: &Draft) -> Self {
        let body = Body { number, name: hexadecimal(&draft.name), facts: &draft.facts };
        let body = serde_json::to_string(&body).expect("plain data with finite numbers");
        let hash = chained(previous, &body);
        Entry { number, name: draft.name, body, hash }
    }

    /// What it says, if its body is one and agrees with its number and name.
    #[must_use]
    pub fn facts(&self) -> Option<Facts> {
        let body: Body<Facts> = serde_json::from_str(&self.body).ok()?;
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
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a text has room");
        text
    })
}
