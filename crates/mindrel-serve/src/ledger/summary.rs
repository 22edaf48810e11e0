//! Checking a ledger and summing it up.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{LedgerEntry, LedgerError, LedgerStore, Receipt};

/// What a ledger records in total.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct LedgerSummary {
    /// The number of entries.
    pub entries: u64,
    /// The hash of the last entry in hexadecimal, or `None` if there are no entries.
    pub head: Option<String>,
    /// What is wrong with the first bad entry, or `None` if the chain is intact.
    pub broken: Option<String>,
    /// By the plan's fingerprint.
    pub plans: BTreeMap<String, PlanSummary>,
}

/// What a ledger records about one plan.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct PlanSummary {
    /// Ends of sessions.
    pub entries: u64,
    /// The number of sensitive questions in the plan.
    pub questions: usize,
    /// Questions answered, in total.
    pub asked: u64,
    /// Questions declined, in total.
    pub declined: u64,
    /// The number of entries by guarantee.
    pub guarantees: BTreeMap<String, u64>,
    /// How often each question was answered.
    pub by_question: BTreeMap<String, u64>,
    /// The earliest and the latest time, in seconds since 1970.
    pub times: Option<(u64, u64)>,
}

/// Reads a whole ledger, checks its chain and the `receipts` that were given for it, and sums it up.
///
/// # Errors
/// When it cannot be read. A broken chain is not an error: it is what [`LedgerSummary::broken`] says.
pub fn verify(store: &mut dyn LedgerStore, receipts: &[Receipt]) -> Result<LedgerSummary, LedgerError> {
    let mut summary = LedgerSummary::default();
    let mut previous = [0; 32];
    let mut missing: Vec<&Receipt> = receipts.iter().collect();
    store.visit(&mut |entry| {
        summary.entries += 1;
        if summary.broken.is_none() {
            summary.broken = summary.take(&entry, &previous);
        }
        missing.retain(|receipt| **receipt != entry.receipt());
        previous = entry.hash;
    })?;
    summary.head = (summary.entries > 0).then(|| hex::encode(previous));
    if let (None, Some(receipt)) = (&summary.broken, missing.first()) {
        summary.broken =
            Some(format!("entry {} is missing or is not the one the receipt was given for", receipt.entry));
    }
    Ok(summary)
}

impl LedgerSummary {
    /// Adds an entry. Returns what is wrong with it, if anything is.
    fn take(&mut self, entry: &LedgerEntry, previous: &[u8; 32]) -> Option<String> {
        let expected = self.entries;
        if entry.number != expected {
            return Some(format!("entry {expected} is missing"));
        }
        if !entry.follows(previous) {
            return Some(format!("entry {expected} or one before it was changed"));
        }
        let Some(facts) = entry.facts() else {
            return Some(format!("entry {expected} is not in the format of this ledger"));
        };
        let plan = self.plans.entry(facts.plan).or_default();
        plan.entries += 1;
        plan.questions = facts.questions;
        plan.asked += facts.asked.len() as u64;
        plan.declined += facts.declined.len() as u64;
        *plan.guarantees.entry(facts.guarantee).or_default() += 1;
        for question in facts.asked {
            *plan.by_question.entry(question).or_default() += 1;
        }
        let (first, last) = plan.times.unwrap_or((facts.time, facts.time));
        plan.times = Some((first.min(facts.time), last.max(facts.time)));
        None
    }
}
