//! One entry.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

/// What is to be recorded about the end of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Identifies this end of this session.
    pub name: [u8; 32],
    /// What is recorded.
    pub facts: EntryFacts,
}

/// What an entry records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntryFacts {
    /// The time, in seconds since 1970.
    pub time: u64,
    /// The plan's fingerprint.
    pub plan: String,
    /// How many sensitive questions the plan has.
    pub questions: usize,
    /// The questions that were answered, in the plan's order: the order they were asked in could reveal answers.
    pub asked: Vec<String>,
    /// The questions that were declined, in the plan's order.
    pub declined: Vec<String>,
    /// The decision's guarantee, or `undecided`.
    pub guarantee: String,
    /// The failure probability of the session.
    pub delta: f64,
}

/// An entry as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerEntry {
    /// Its place, counted from one.
    pub number: u64,
    /// The draft's name.
    pub name: [u8; 32],
    /// What is hashed: number, name and facts as JSON.
    pub body: String,
    /// The hash of the chain up to here.
    pub hash: [u8; 32],
}

/// Proof that an entry was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Receipt {
    /// The entry's place in the ledger.
    pub entry: u64,
    /// The hash of the ledger up to this entry, in hexadecimal.
    pub hash: String,
}

/// The entry of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// The receipt of the entry.
    pub receipt: Receipt,
    /// Whether the entry is new, rather than made by an earlier draft of the same name.
    pub is_new: bool,
}

/// The JSON of an entry.
#[derive(Serialize, Deserialize)]
struct EntryBody {
    number: u64,
    name: String,
    #[serde(flatten)]
    facts: EntryFacts,
}

impl LedgerEntry {
    /// The entry that a draft makes after another one.
    ///
    /// # Panics
    /// Never: a body is plain data with finite numbers.
    #[must_use]
    pub fn after(number: u64, previous: &[u8; 32], draft: &Draft) -> Self {
        let body = EntryBody { number, name: hex::encode(draft.name), facts: draft.facts.clone() };
        let body = serde_json::to_string(&body).expect("plain data with finite numbers");
        let hash = chained(previous, &body);
        LedgerEntry { number, name: draft.name, body, hash }
    }

    /// What it records. Returns `None` if the body is malformed or contradicts the entry's number or name.
    #[must_use]
    pub fn facts(&self) -> Option<EntryFacts> {
        let body: EntryBody = serde_json::from_str(&self.body).ok()?;
        (body.number == self.number && body.name == hex::encode(self.name)).then_some(body.facts)
    }

    /// Whether its hash is that of its body after another entry.
    #[must_use]
    pub fn follows(&self, previous: &[u8; 32]) -> bool {
        self.hash == chained(previous, &self.body)
    }

    /// Its receipt.
    #[must_use]
    pub fn receipt(&self) -> Receipt {
        Receipt { entry: self.number, hash: hex::encode(self.hash) }
    }
}

/// `SHA-256(previous ‖ body)`.
fn chained(previous: &[u8; 32], body: &str) -> [u8; 32] {
    Sha256::new().chain_update(previous).chain_update(body).finalize().into()
}
