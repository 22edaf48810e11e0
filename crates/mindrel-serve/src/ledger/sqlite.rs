//! Entries in one SQLite file.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::{Draft, LedgerEntry, LedgerError, LedgerStore, Recorded};

/// A ledger in a file. Several processes on one machine may share it.
#[derive(Debug)]
pub struct SqliteStore {
    connection: Connection,
}

impl SqliteStore {
    /// Opens a ledger, or creates one if there is none.
    ///
    /// # Errors
    /// When the file cannot be used, or is not a ledger.
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(10))?;
        // Every commit is on the disk before it is acknowledged.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.execute_batch(
            "CREATE TABLE IF NOT EXISTS mindrel_ledger (
                number INTEGER PRIMARY KEY CHECK (number > 0),
                name BLOB NOT NULL UNIQUE,
                body TEXT NOT NULL,
                hash BLOB NOT NULL
            ) STRICT",
        )?;
        Ok(SqliteStore { connection })
    }
}

impl LedgerStore for SqliteStore {
    fn append(&mut self, drafts: &[Draft]) -> Result<Vec<Recorded>, LedgerError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut recorded = Vec::with_capacity(drafts.len());
        {
            let mut last = transaction
                .prepare_cached("SELECT number, hash FROM mindrel_ledger ORDER BY number DESC LIMIT 1")?
                .query_row([], |row| Ok((row.get::<_, i64>(0)? as u64, row.get::<_, [u8; 32]>(1)?)))
                .optional()?
                .unwrap_or((0, [0; 32]));
            let mut find =
                transaction.prepare_cached("SELECT number, name, body, hash FROM mindrel_ledger WHERE name = ?1")?;
            let mut insert = transaction.prepare_cached(
                "INSERT INTO mindrel_ledger (number, name, body, hash) VALUES (?1, ?2, ?3, ?4) \
                 ON CONFLICT (name) DO NOTHING",
            )?;
            for draft in drafts {
                let entry = LedgerEntry::after(last.0 + 1, &last.1, draft);
                if insert.execute(params![entry.number as i64, entry.name, entry.body, entry.hash])? == 0 {
                    let before = find.query_row(params![draft.name], read)?;
                    recorded.push(Recorded { receipt: before.receipt(), is_new: false });
                    continue;
                }
                last = (entry.number, entry.hash);
                recorded.push(Recorded { receipt: entry.receipt(), is_new: true });
            }
        }
        transaction.commit()?;
        Ok(recorded)
    }

    fn visit(&mut self, visit: &mut dyn FnMut(LedgerEntry)) -> Result<(), LedgerError> {
        let mut all = self.connection.prepare("SELECT number, name, body, hash FROM mindrel_ledger ORDER BY number")?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            visit(read(row)?);
        }
        Ok(())
    }
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<LedgerEntry> {
    Ok(LedgerEntry { number: row.get::<_, i64>(0)? as u64, name: row.get(1)?, body: row.get(2)?, hash: row.get(3)? })
}
