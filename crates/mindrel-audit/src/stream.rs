//! Streaming people through an audit on all cores.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use mindrel::{People, Plan};
use rayon::iter::{ParallelBridge, ParallelIterator};

use crate::report::AuditReport;
use crate::run::Run;
use crate::tally::Tally;

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
    let stopped = AtomicBool::new(false);
    let one_block = |block: Result<B, E>| {
        let start = Instant::now();
        let people = block.and_then(&decode).inspect_err(|_| stopped.store(true, Ordering::Relaxed))?;
        let mut tally = Tally::new(plan, runs);
        tally.nanoseconds_decoding = start.elapsed().as_nanos();
        tally.add(runs, plan, &people);
        Ok(tally)
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

type Outcome<E> = Result<Tally, (usize, E)>;

fn merge<E>(left: Outcome<E>, right: Outcome<E>) -> Outcome<E> {
    match (left, right) {
        (Ok(left), Ok(right)) => Ok(left.merge(right)),
        (Err(left), Err(right)) => Err(if left.0 <= right.0 { left } else { right }),
        (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
    }
}
