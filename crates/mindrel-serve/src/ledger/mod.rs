//! The ledger: proof that little was asked, and nothing of what was answered.
//!
//! Every end of a session makes one entry: when, under which plan, which questions were asked and which declined, what the decision
//! rests on. Entries are chained,
//!
//! ```text
//! hash_n = SHA-256(hash_{n−1} ‖ body_n),    hash_0 = 0
//! ```
//!
//! so that a change or a removal within shows, and cutting entries off the end shows against any receipt given out for one of them.

mod entry;
mod postgres;
mod sqlite;
mod summary;
mod writer;

use std::fmt;

pub use entry::{Draft, Entry, Facts, Kept, Receipt};
pub use postgres::PostgresStore;
pub use sqlite::SqliteStore;
pub use summary::{PlanSummary, Summary, verify};
pub use writer::Ledger;

/// Where entries are kept.
pub trait Store: Send {
    /// Adds entries behind the last one, all or none, and returns once they survive a loss of power. A draft whose name is already there adds
    /// nothing; its receipt is that of the entry it made.
    ///
    /// # Errors
    /// When the entries could not be kept.
    fn append(&mut self, drafts: &[Draft]) -> Result<Vec<Kept>, LedgerError>;

    /// Shows all entries in order.
    ///
    /// # Errors
    /// When they cannot be read.
    fn visit(&mut self, visit: &mut dyn FnMut(Entry)) -> Result<(), LedgerError>;
}

/// Why the ledger cannot be used. It holds no answers, and so its errors hold none.
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
        // Its own words are "db error"; what the server said is behind them.
        match error.as_db_error() {
            Some(server) => LedgerError::new(server.message()),
            None => LedgerError::new(error),
        }
    }
}

/// Opens the store an address names: `sqlite:FILE` or `postgres://…`.
///
/// # Errors
/// When it cannot be opened, or the address is neither.
pub fn open(address: &str) -> Result<Box<dyn Store>, LedgerError> {
    if let Some(path) = address.strip_prefix("sqlite:") {
        return Ok(Box::new(SqliteStore::open(std::path::Path::new(path))?));
    }
    if address.starts_with("postgres://") || address.starts_with("postgresql://") {
        return Ok(Box::new(PostgresStore::connect(address)?));
    }
    Err(LedgerError::new("its address must be sqlite:FILE or postgres://USER@HOST/DATABASE"))
}
