//! Entries in a PostgreSQL database, for several replicas.

use postgres::error::SqlState;
use postgres::{Client, NoTls, Row};

use super::{Draft, LedgerEntry, LedgerError, LedgerStore, Recorded};

/// A ledger that several replicas share. It has no `Debug` because its address may hold a password.
pub struct PostgresStore {
    address: String,
    client: Client,
}

impl PostgresStore {
    /// Connects to a database, and creates the ledger if there is none.
    ///
    /// # Errors
    /// When the database cannot be used.
    pub fn connect(address: &str) -> Result<Self, LedgerError> {
        Ok(PostgresStore { address: address.to_owned(), client: connect(address)? })
    }

    fn try_append(&mut self, drafts: &[Draft]) -> Result<Vec<Recorded>, postgres::Error> {
        let mut transaction = self.client.transaction()?;
        // The lock admits one replica at a time.
        let head = transaction.query_one("SELECT number, hash FROM mindrel_ledger_head FOR UPDATE", &[])?;
        let (mut number, mut hash) = (head.get::<_, i64>(0) as u64, bytes(&head, 1));
        let mut recorded = Vec::with_capacity(drafts.len());
        let find = transaction.prepare("SELECT number, name, body, hash FROM mindrel_ledger WHERE name = $1")?;
        let insert =
            transaction.prepare("INSERT INTO mindrel_ledger (number, name, body, hash) VALUES ($1, $2, $3, $4)")?;
        for draft in drafts {
            if let Some(before) = transaction.query_opt(&find, &[&draft.name.as_slice()])? {
                recorded.push(Recorded { receipt: read(&before).receipt(), is_new: false });
                continue;
            }
            let entry = LedgerEntry::after(number + 1, &hash, draft);
            let columns: [&(dyn postgres::types::ToSql + Sync); 4] =
                [&(entry.number as i64), &entry.name.as_slice(), &entry.body, &entry.hash.as_slice()];
            transaction.execute(&insert, &columns)?;
            (number, hash) = (entry.number, entry.hash);
            recorded.push(Recorded { receipt: entry.receipt(), is_new: true });
        }
        transaction
            .execute("UPDATE mindrel_ledger_head SET number = $1, hash = $2", &[&(number as i64), &hash.as_slice()])?;
        transaction.commit()?;
        Ok(recorded)
    }
}

impl LedgerStore for PostgresStore {
    /// Reconnects once if the connection is lost. An entry that was stored before it was lost is found by its name.
    fn append(&mut self, drafts: &[Draft]) -> Result<Vec<Recorded>, LedgerError> {
        match self.try_append(drafts) {
            Ok(recorded) => Ok(recorded),
            Err(error) if is_lost(&self.client, &error) => {
                self.client = connect(&self.address)?;
                Ok(self.try_append(drafts)?)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn visit(&mut self, visit: &mut dyn FnMut(LedgerEntry)) -> Result<(), LedgerError> {
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
        INSERT INTO mindrel_ledger_head (number, hash) VALUES (0, decode(repeat('00', 32), 'hex'))
            ON CONFLICT DO NOTHING";
    match client.batch_execute(tables) {
        // Two replicas that start at the same time may both find no table; the slower one then fails once.
        Err(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => client.batch_execute(tables)?,
        other => other?,
    }
    Ok(client)
}

/// Whether the connection was lost, rather than the statement wrong.
fn is_lost(client: &Client, error: &postgres::Error) -> bool {
    let ended_by_server = [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::CANNOT_CONNECT_NOW];
    client.is_closed() || error.is_closed() || error.code().is_some_and(|code| ended_by_server.contains(code))
}

fn read(row: &Row) -> LedgerEntry {
    LedgerEntry { number: row.get::<_, i64>(0) as u64, name: bytes(row, 1), body: row.get(2), hash: bytes(row, 3) }
}

/// Thirty-two bytes. Anything else was not written here, and shows as a broken chain.
fn bytes(row: &Row, place: usize) -> [u8; 32] {
    row.get::<_, &[u8]>(place).try_into().unwrap_or([0; 32])
}
