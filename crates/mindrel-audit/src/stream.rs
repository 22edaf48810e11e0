//! Streaming people through an audit on all cores.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use mindrel::{People, Plan};
use rayon::iter::{IntoParallelIterator, ParallelBridge, ParallelIterator};

use crate::report::AuditReport;
use crate::run::Run;
use crate::tally::{Part, Tally};

/// How many people of a block one core takes at a time where each may take a while, as with networks.
const SLOW_PEOPLE: usize = 16;

/// Audits a plan: decides about everybody under every run and counts.
///
/// `blocks` are handed out in order, one at a time; `decode` turns a block into people, on whichever core is free. Memory
/// stays at a block or two for each core, however long the table is.
///
/// # Errors
/// The first error in the order of the blocks, wherever it was met first.
pub fn audit<B, E>(
    plan: &Plan,
    runs: &[Run],
    blocks: impl Iterator<Item = Result<B, E>> + Send,
    decode: impl Fn(B) -> Result<People, E> + Sync,
) -> Result<AuditReport, E>
where
    B: Send,
    E: Send,
{
    audit_telling(plan, runs, blocks, decode, &|_| ())
}

/// The same, telling `decided` how many decisions were made, a few at a time; there is one for each person and run.
///
/// # Errors
/// As [`audit`].
pub fn audit_telling<B, E>(
    plan: &Plan,
    runs: &[Run],
    blocks: impl Iterator<Item = Result<B, E>> + Send,
    decode: impl Fn(B) -> Result<People, E> + Sync,
    decided: &(dyn Fn(usize) + Sync),
) -> Result<AuditReport, E>
where
    B: Send,
    E: Send,
{
    let stopped = AtomicBool::new(false);
    let one_block = |block: Result<B, E>| {
        let start = Instant::now();
        let people = block.and_then(&decode).inspect_err(|_| stopped.store(true, Ordering::Relaxed))?;
        let nanoseconds_decoding = start.elapsed().as_nanos();
        let tally = decide(plan, runs, &people, decided);
        Ok(Tally { nanoseconds_decoding, ..tally })
    };
    let result = blocks
        .take_while(|_| !stopped.load(Ordering::Relaxed))
        .enumerate()
        .par_bridge()
        .map(|(place, block)| one_block(block).map_err(|error| (place, error)))
        .reduce(|| Ok(Tally::new(plan, runs)), merge);
    // Blocks are handed out in order: by the time one fails, those before it are under way, and the earliest error wins.
    match result {
        Ok(tally) => Ok(AuditReport::new(plan, runs, &tally)),
        Err((_, error)) => Err(error),
    }
}

/// Decides about the people of a block: at once, or shared among idle cores where each may take a while.
fn decide(plan: &Plan, runs: &[Run], people: &People, decided: &(dyn Fn(usize) + Sync)) -> Tally {
    let size = if plan.model().network().is_some() { SLOW_PEOPLE } else { people.len().max(1) };
    let part = |start: usize| {
        let mut tally = Tally::new(plan, runs);
        let places = start..people.len().min(start + size);
        tally.add(runs, plan, &Part { people, places }, decided);
        tally
    };
    let starts = (0..people.len().div_ceil(size)).into_par_iter();
    starts.map(|place| part(place * size)).reduce(|| Tally::new(plan, runs), Tally::merge)
}

type Outcome<E> = Result<Tally, (usize, E)>;

fn merge<E>(left: Outcome<E>, right: Outcome<E>) -> Outcome<E> {
    match (left, right) {
        (Ok(left), Ok(right)) => Ok(left.merge(right)),
        (Err(left), Err(right)) => Err(if left.0 <= right.0 { left } else { right }),
        (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
    }
}
