//! Entries in a PostgreSQL database, for several replicas.

use postgres::error::SqlState;
use postgres::{Client, NoTls, Row};

use super::{Draft, Entry, Kept, LedgerError, Store};

/// A ledger several replicas share. It has no `Debug`: its address may hold a password.
pub struct PostgresStore {
    address: String,
    client: Client,
}

impl PostgresStore {
    /// Connects to a database, and starts a ledger where there is none.
    ///
    /// # Errors
    /// When the database cannot be used.
    pub fn connect(address: &str) -> Result<Self, LedgerError> {
        Ok(PostgresStore { address: address.to_owned(), client: connect(address)? })
    }

    fn try_append(&mut self, drafts: &[Draft]) -> Result<Vec<Kept>, postgres::Error> {
        let mut transaction = self.client.transaction()?;
        // One replica at a time holds the head of the chain.
        let head = transaction.query_one("SELECT number, hash FROM mindrel_ledger_head FOR UPDATE", &[])?;
        let (mut number, mut hash) = (head.get::<_, i64>(0) as u64, bytes(&head, 1));
        let mut kept = Vec::with_capacity(drafts.len());
        let find = transaction.prepare("SELECT number, name, body, hash FROM mindrel_ledger WHERE name = $1")?;
        let insert =
            transaction.prepare("INSERT INTO mindrel_ledger (number, name, body, hash) VALUES ($1, $2, $3, $4)")?;
        for draft in drafts {
            if let Some(before) = transaction.query_opt(&find, &[&draft.name.as_slice()])? {
                kept.push(Kept { receipt: read(&before).receipt(), is_new: false });
                continue;
            }
            let entry = Entry::after(number + 1, &hash, draft);
            let columns: [&(dyn postgres::types::ToSql + Sync); 4] =
                [&(entry.number as i64), &entry.name.as_slice(), &entry.body, &entry.hash.as_slice()];
            transaction.execute(&insert, &columns)?;
            (number, hash) = (entry.number, entry.hash);
            kept.push(Kept { receipt: entry.receipt(), is_new: true });
        }
        transaction
            .execute("UPDATE mindrel_ledger_head SET number = $1, hash = $2", &[&(number as i64), &hash.as_slice()])?;
        transaction.commit()?;
        Ok(kept)
    }
}

impl Store for PostgresStore {
    /// A lost connection is made again, once: an entry that was kept after all is found by its name.
    fn append(&mut self, drafts: &[Draft]) -> Result<Vec<Kept>, LedgerError> {
        match self.try_append(drafts) {
            Ok(kept) => Ok(kept),
            Err(error) if is_lost(&self.client, &error) => {
                self.client = connect(&self.address)?;
                Ok(self.try_append(drafts)?)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn visit(&mut self, visit: &mut dyn FnMut(Entry)) -> Result<(), LedgerError> {
        let mut transaction = self.client.transaction()?;
        let all = "SELECT number, name, body, hash FROM mindrel_ledger ORDER BY number";
        let all = transaction.bind(all, &[])?;
        loop {
            let some = transaction.query_portal(&all, 1000)?;
            if some.is_empty() {
                return Ok(());
            }
            some.iter().for_each(|row| visit(read(row)));
        }
    }
}

fn connect(address: &str) -> Result<Client, LedgerError> {
    let mut client = Client::connect(address, NoTls)?;
    client.batch_execute("SET synchronous_commit = on")?;
    let tables = "
        CREATE TABLE IF NOT EXISTS mindrel_ledger (
            number BIGINT PRIMARY KEY CHECK (number > 0),
            name BYTEA NOT NULL UNIQUE,
            body TEXT NOT NULL,
            hash BYTEA NOT NULL
        );
        CREATE TABLE IF NOT EXISTS mindrel_ledger_head (
            single BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (single),
            number BIGINT NOT NULL,
            hash BYTEA NOT NULL
        );
        INSERT INTO mindrel_ledger_head (number, hash) VALUES (0, decode(repeat('00', 32), 'hex')) ON CONFLICT DO NOTHING";
    match client.batch_execute(tables) {
        // Two replicas that start at once may both find no table; the slower one then finds it made.
        Err(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => client.batch_execute(tables)?,
        other => other?,
    }
    Ok(client)
}

/// Whether the connection is gone, rather than the statement wrong.
fn is_lost(client: &Client, error: &postgres::Error) -> bool {
    let ended_by_server = [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::CANNOT_CONNECT_NOW];
    client.is_closed() || error.is_closed() || error.code().is_some_and(|code| ended_by_server.contains(code))
}

fn read(row: &Row) -> Entry {
    Entry { number: row.get::<_, i64>(0) as u64, name: bytes(row, 1), body: row.get(2), hash: bytes(row, 3) }
}

/// Thirty-two bytes; anything else is not ours, and shows as a broken chain.
fn bytes(row: &Row, place: usize) -> [u8; 32] {
    row.get::<_, &[u8]>(place).try_into().unwrap_or([0; 32])
}
