//! The ledger: entries are durable, chained and made once, in a file and in a database.

use std::path::Path;

use crate::common::postgres::Server;
use mindrel_serve::ledger::{
    Draft, EntryFacts, Ledger, LedgerStore, PostgresStore, Receipt, Recorded, SqliteStore, verify,
};

fn draft(name: u8) -> Draft {
    let facts = EntryFacts {
        time: 1_700_000_000 + u64::from(name),
        plan: "sha256:00".into(),
        questions: 10,
        asked: vec!["income".into()],
        declined: Vec::new(),
        guarantee: "proved".into(),
        delta: 0.0,
    };
    Draft { name: [name; 32], facts }
}

fn drafts(names: impl IntoIterator<Item = u8>) -> Vec<Draft> {
    names.into_iter().map(draft).collect()
}

/// What every store must do, whatever keeps it.
fn keeps_the_laws(open: &dyn Fn() -> Box<dyn LedgerStore>) {
    let mut store = open();
    let first = store.append(&drafts([1, 2, 3])).unwrap();
    let numbers =
        |all: &[Recorded]| all.iter().map(|recorded| (recorded.receipt.entry, recorded.is_new)).collect::<Vec<_>>();
    assert_eq!(numbers(&first), [(1, true), (2, true), (3, true)]);
    // The same end again, alone, among others, and twice at once.
    let again = store.append(&drafts([4, 2, 5, 5])).unwrap();
    assert_eq!(numbers(&again), [(4, true), (2, false), (5, true), (5, false)]);
    assert_eq!(again[1].receipt, first[1].receipt);
    assert_eq!(store.append(&[]).unwrap(), []);
    // Another handle sees and follows it.
    let mut other = open();
    assert_eq!(numbers(&other.append(&drafts([6])).unwrap()), [(6, true)]);
    let receipts: Vec<Receipt> = first.iter().chain(&again).map(|kept| kept.receipt.clone()).collect();
    let summary = verify(&mut *store, &receipts).unwrap();
    assert_eq!((summary.entries, summary.broken), (6, None));
    let plan = &summary.plans["sha256:00"];
    assert_eq!((plan.entries, plan.asked, plan.guarantees["proved"]), (6, 6, 6));
    // A receipt of an entry that is not there shows.
    let lost = Receipt { entry: 7, ..receipts[0].clone() };
    assert!(verify(&mut *store, &[lost]).unwrap().broken.unwrap().contains("entry 7"));
}

/// Several writers at once make one chain without a gap.
fn keeps_one_chain_under_many_writers(open: &(dyn Fn() -> Box<dyn LedgerStore> + Sync)) {
    std::thread::scope(|scope| {
        for writer in 0..4u8 {
            scope.spawn(move || {
                let mut store = open();
                for batch in 0..5u8 {
                    let names = (0..8).map(|name| 10 + writer * 40 + batch * 8 + name);
                    store.append(&drafts(names)).unwrap();
                }
            });
        }
    });
    let summary = verify(&mut *open(), &[]).unwrap();
    assert_eq!((summary.entries, summary.broken), (6 + 160, None));
}

fn sqlite(path: &Path) -> Box<dyn LedgerStore> {
    Box::new(SqliteStore::open(path).unwrap())
}

#[test]
fn a_file_keeps_the_laws() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    keeps_the_laws(&|| sqlite(&path));
    keeps_one_chain_under_many_writers(&|| sqlite(&path));
}

#[test]
fn a_database_keeps_the_laws() {
    let Some(server) = Server::start("a_database_keeps_the_laws") else { return };
    let address = server.address();
    let open = || -> Box<dyn LedgerStore> { Box::new(PostgresStore::connect(&address).unwrap()) };
    keeps_the_laws(&open);
    keeps_one_chain_under_many_writers(&open);
}

#[test]
fn a_database_that_crashed_and_came_back_has_every_entry_and_takes_more() {
    let Some(server) = Server::start("a_database_that_crashed_and_came_back") else { return };
    let mut store = PostgresStore::connect(&server.address()).unwrap();
    let kept = store.append(&drafts([1, 2])).unwrap();
    server.crash();
    assert!(store.append(&drafts([3])).is_err());
    server.start_again();
    let more = store.append(&drafts([3, 2])).unwrap();
    assert_eq!((more[0].receipt.entry, more[0].is_new), (3, true));
    assert_eq!(more[1].receipt, kept[1].receipt);
    assert_eq!(verify(&mut store, &[]).unwrap().broken, None);
}

/// Whatever is changed or taken out by hand shows, and cutting off the end shows against a receipt.
#[test]
fn what_is_changed_or_removed_by_hand_shows() {
    let tampered = |statement: &str, receipts: bool| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.db");
        let kept = sqlite(&path).append(&drafts([1, 2, 3, 4])).unwrap();
        rusqlite::Connection::open(&path).unwrap().execute_batch(statement).unwrap();
        let receipts: Vec<Receipt> = if receipts { vec![kept[3].receipt.clone()] } else { Vec::new() };
        verify(&mut *sqlite(&path), &receipts).unwrap().broken
    };
    assert_eq!(tampered("", true), None);
    let change = "UPDATE mindrel_ledger SET body = replace(body, 'income', 'health') WHERE number = 2";
    assert!(tampered(change, false).unwrap().contains("entry 2"));
    assert!(tampered("DELETE FROM mindrel_ledger WHERE number = 2", false).unwrap().contains("entry 2"));
    assert!(
        tampered("UPDATE mindrel_ledger SET name = zeroblob(32) WHERE number = 3", false).unwrap().contains("entry 3")
    );
    let moved =
        "DELETE FROM mindrel_ledger WHERE number = 2; UPDATE mindrel_ledger SET number = number - 1 WHERE number > 2";
    assert!(tampered(moved, false).is_some());
    let cut = "DELETE FROM mindrel_ledger WHERE number = 4";
    assert_eq!(tampered(cut, false), None);
    assert!(tampered(cut, true).unwrap().contains("entry 4"));
}

/// Records that arrive together are kept together, and every one gets its own receipt.
#[tokio::test(flavor = "multi_thread")]
async fn a_writer_gives_everybody_their_own_receipt() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    let ledger = std::sync::Arc::new(Ledger::new(sqlite(&path)));
    let tasks: Vec<_> = (0..200u8)
        .map(|name| {
            let ledger = std::sync::Arc::clone(&ledger);
            tokio::spawn(async move { (name, ledger.record(draft(name)).await.unwrap().receipt) })
        })
        .collect();
    let mut receipts = Vec::new();
    for task in tasks {
        receipts.push(task.await.unwrap());
    }
    ledger.check().await.unwrap();
    drop(ledger);
    let mut names = std::collections::BTreeMap::new();
    sqlite(&path).visit(&mut |entry| names.extend([(entry.number, entry.name[0])])).unwrap();
    assert!(receipts.iter().all(|(name, receipt)| names[&receipt.entry] == *name));
    assert_eq!(names.len(), 200);
}

/// Ledgers are kept for years: what is hashed must stay the same text, byte for byte.
#[test]
fn a_body_is_the_text_it_always_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = sqlite(&folder.path().join("ledger.db"));
    let recorded = store.append(&drafts([1])).unwrap();
    let name = "01".repeat(32);
    let body = [
        &format!(r#"{{"number":1,"name":"{name}","time":1700000001,"plan":"sha256:00","questions":10,"#),
        r#""asked":["income"],"declined":[],"guarantee":"proved","delta":0.0}"#,
    ]
    .concat();
    store.visit(&mut |entry| assert_eq!(entry.body, body)).unwrap();
    // SHA-256 of 32 zero bytes and the body, by Python's hashlib.
    assert_eq!(recorded[0].receipt.hash, "8d5504f3a1e7b9eb0cc2e285b934b0463cb4e167a34b493bf09f7075ade7417c");
}

#[test]
fn an_address_that_is_no_ledger_is_refused_with_the_way_out() {
    let error = mindrel_serve::ledger::open("mysql://somewhere").err().unwrap().to_string();
    assert!(error.contains("sqlite:FILE"), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    std::fs::write(&path, "not a database, but long enough to look like one if nobody checks".repeat(40)).unwrap();
    assert!(mindrel_serve::ledger::open(&format!("sqlite:{}", path.display())).is_err());
}
