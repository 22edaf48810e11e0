//! Whether a ledger is whole, and what it says all in all.

use std::collections::BTreeMap;

use super::entry::hexadecimal;
use super::{Entry, LedgerError, Receipt, Store};

/// What a ledger says all in all.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summary {
    /// How many entries.
    pub entries: u64,
    /// The hash of the last one, in hexadecimal; nothing where there are none.
    pub head: Option<String>,
    /// What is wrong with the first entry that is not as it was written.
    pub broken: Option<String>,
    /// By the plan's fingerprint.
    pub plans: BTreeMap<String, PlanSummary>,
}

/// What a ledger says of one plan.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanSummary {
    /// Ends of sessions.
    pub entries: u64,
    /// Sensitive questions the plan has.
    pub questions: usize,
    /// Questions that were answered, in all.
    pub asked: u64,
    /// Questions that were declined, in all.
    pub declined: u64,
    /// How many rest on what.
    pub guarantees: BTreeMap<String, u64>,
    /// How often each question was answered.
    pub by_question: BTreeMap<String, u64>,
    /// The first and the last time, in seconds since 1970.
    pub times: Option<(u64, u64)>,
}

/// Reads a whole ledger, checks its chain and sums it up; `receipts` must be of entries in it.
///
/// # Errors
/// When it cannot be read. A broken chain is no error: it is what [`Summary::broken`] says.
pub fn verify(store: &mut dyn Store, receipts: &[Receipt]) -> Result<Summary, LedgerError> {
    let mut summary = Summary::default();
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
    summary.head = (summary.entries > 0).then(|| hexadecimal(&previous));
    if let (None, Some(receipt)) = (&summary.broken, missing.first()) {
        summary.broken = Some(format!("entry {} is not the one a receipt was given for", receipt.entry));
    }
    Ok(summary)
}

impl Summary {
    /// Adds an entry; what is wrong with it, if anything is.
    fn take(&mut self, entry: &Entry, previous: &[u8; 32]) -> Option<String> {
        let expected = self.entries;
        if entry.number != expected {
            return Some(format!("entry {expected} is missing"));
        }
        if !entry.follows(previous) {
            return Some(format!("entry {expected} was changed, or one before it"));
        }
        let Some(facts) = entry.facts() else {
            return Some(format!("entry {expected} is not one of ours"));
        };
        let plan = self.plans.entry(facts.plan.into_owned()).or_default();
        plan.entries += 1;
        plan.questions = facts.questions;
        plan.asked += facts.asked.len() as u64;
        plan.declined += facts.declined.len() as u64;
        *plan.guarantees.entry(facts.guarantee.into_owned()).or_default() += 1;
        for question in facts.asked {
            *plan.by_question.entry(question.into_owned()).or_default() += 1;
        }
        let (first, last) = plan.times.unwrap_or((facts.time, facts.time));
        plan.times = Some((first.min(facts.time), last.max(facts.time)));
        None
    }
}
