//! The ledger: proof of how little was asked, without the answers.
//!
//! Each end of a session makes one entry: the time, the plan, the questions asked and declined, and the decision's
//! guarantee. Entries are chained,
//!
//! ```text
//! hash_n = SHA-256(hash_{n−1} ‖ body_n),    hash_0 = 0
//! ```
//!
//! so that any change or removal can be detected. Removing the last entries is detected with a receipt of one of them.

mod entry;
mod postgres;
mod sqlite;
mod summary;
mod writer;

use std::fmt;

pub use entry::{Draft, EntryFacts, LedgerEntry, Receipt, Recorded};
pub use postgres::PostgresStore;
pub use sqlite::SqliteStore;
pub use summary::{LedgerSummary, PlanSummary, verify};
pub use writer::Ledger;

/// Where entries are stored.
pub trait LedgerStore: Send {
    /// Appends entries, all or none, and returns once they are durable. A draft whose name is already in the ledger
    /// adds nothing and gets the receipt of the entry with this name.
    ///
    /// # Errors
    /// When the entries could not be stored.
    fn append(&mut self, drafts: &[Draft]) -> Result<Vec<Recorded>, LedgerError>;

    /// Calls `visit` with all entries in order.
    ///
    /// # Errors
    /// When they cannot be read.
    fn visit(&mut self, visit: &mut dyn FnMut(LedgerEntry)) -> Result<(), LedgerError>;
}

/// Why the ledger cannot be used. The ledger holds no answers, so its errors hold none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerError {
    what: String,
}

impl LedgerError {
    pub(crate) fn new(what: impl fmt::Display) -> Self {
        LedgerError { what: what.to_string() }
    }
}

impl fmt::Display for LedgerError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the ledger cannot be used: {}", self.what)
    }
}

impl std::error::Error for LedgerError {}

impl From<rusqlite::Error> for LedgerError {
    fn from(error: rusqlite::Error) -> Self {
        LedgerError::new(error)
    }
}

impl From<::postgres::Error> for LedgerError {
    fn from(error: ::postgres::Error) -> Self {
        // The client's own message is just "db error".
        match error.as_db_error() {
            Some(server) => LedgerError::new(server.message()),
            None => LedgerError::new(error),
        }
    }
}

/// Opens the store with an address, `sqlite:FILE` or `postgres://…`.
///
/// # Errors
/// When it cannot be opened, or the address is neither of these.
pub fn open(address: &str) -> Result<Box<dyn LedgerStore>, LedgerError> {
    if let Some(path) = address.strip_prefix("sqlite:") {
        return Ok(Box::new(SqliteStore::open(std::path::Path::new(path))?));
    }
    if address.starts_with("postgres://") || address.starts_with("postgresql://") {
        return Ok(Box::new(PostgresStore::connect(address)?));
    }
    Err(LedgerError::new("its address must be sqlite:FILE or postgres://USER@HOST/DATABASE"))
}
