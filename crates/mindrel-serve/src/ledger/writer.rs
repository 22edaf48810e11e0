//! The one writer of a ledger: entries that arrive together are kept together.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};

use super::{Draft, Kept, LedgerError, Store};

/// How many entries are kept in one go at most.
const MOST_AT_ONCE: usize = 1024;

/// From one commit to the next, at least: what arrives meanwhile shares the second. After a pause an entry is kept at once.
const BETWEEN_COMMITS: Duration = Duration::from_millis(1);

/// So many entries make a block.
const IN_A_BLOCK: u64 = 64;

type Reply = oneshot::Sender<Result<Kept, LedgerError>>;

enum Order {
    Record(Draft, Reply),
    Check(oneshot::Sender<Result<(), LedgerError>>),
}

/// A handle to the writer of a ledger, which runs on a thread of its own until all handles are gone.
#[derive(Debug)]
pub struct Ledger {
    orders: Option<mpsc::Sender<Order>>,
    writer: Option<JoinHandle<()>>,
    /// The number of the newest entry the writer knows of.
    newest: Arc<AtomicU64>,
}

impl Ledger {
    /// Starts the writer of a store.
    ///
    /// # Panics
    /// When the operating system has no thread left.
    #[must_use]
    pub fn new(store: Box<dyn Store>) -> Self {
        let (orders, queue) = mpsc::channel(4 * MOST_AT_ONCE);
        let newest = Arc::new(AtomicU64::new(0));
        let known = Arc::clone(&newest);
        let writer = std::thread::Builder::new().name("ledger".to_owned()).spawn(move || write(store, queue, &known));
        Ledger { orders: Some(orders), writer: Some(writer.expect("the operating system has a thread")), newest }
    }

    /// Records the end of a session, and returns once the entry is durable.
    ///
    /// # Errors
    /// When it could not be kept; then nothing was decided as far as anybody knows.
    pub async fn record(&self, draft: Draft) -> Result<Kept, LedgerError> {
        let (reply, receipt) = oneshot::channel();
        self.order(Order::Record(draft, reply)).await?;
        receipt.await.map_err(|_| stopped())?
    }

    /// The block that is being filled, as far as this process knows: zero until it has written an entry.
    #[must_use]
    pub fn block(&self) -> u32 {
        (self.newest.load(Ordering::Relaxed) / IN_A_BLOCK) as u32
    }

    /// Whether the ledger can be written now.
    ///
    /// # Errors
    /// When it cannot.
    pub async fn check(&self) -> Result<(), LedgerError> {
        let (reply, answer) = oneshot::channel();
        self.order(Order::Check(reply)).await?;
        answer.await.map_err(|_| stopped())?
    }

    async fn order(&self, order: Order) -> Result<(), LedgerError> {
        let orders = self.orders.as_ref().expect("the writer runs while there is a handle");
        orders.send(order).await.map_err(|_| stopped())
    }
}

impl Drop for Ledger {
    /// Lets the writer finish what it was given.
    fn drop(&mut self) {
        self.orders = None;
        if let Some(writer) = self.writer.take() {
            drop(writer.join());
        }
    }
}

fn stopped() -> LedgerError {
    LedgerError::new("its writer has stopped")
}

fn write(mut store: Box<dyn Store>, mut queue: mpsc::Receiver<Order>, newest: &AtomicU64) {
    let mut orders = Vec::with_capacity(MOST_AT_ONCE);
    let mut next_commit = Instant::now();
    while queue.blocking_recv_many(&mut orders, MOST_AT_ONCE) > 0 {
        std::thread::sleep(next_commit.saturating_duration_since(Instant::now()));
        while orders.len() < MOST_AT_ONCE
            && let Ok(order) = queue.try_recv()
        {
            orders.push(order);
        }
        let (mut drafts, mut replies) = (Vec::with_capacity(orders.len()), Vec::with_capacity(orders.len()));
        let mut checks = Vec::new();
        for order in orders.drain(..) {
            match order {
                Order::Record(draft, reply) => {
                    drafts.push(draft);
                    replies.push(reply);
                }
                Order::Check(reply) => checks.push(reply),
            }
        }
        next_commit = Instant::now() + BETWEEN_COMMITS;
        let result = store.append(&drafts);
        if let Err(error) = &result {
            tracing::error!(%error, "entries could not be kept");
        }
        // Whoever does not wait any more has gone away; the entry stays.
        for check in checks {
            drop(check.send(result.as_ref().map(drop).map_err(Clone::clone)));
        }
        match result {
            Ok(kept) => {
                let last = kept.iter().map(|kept| kept.receipt.entry).max();
                newest.fetch_max(last.unwrap_or(0), Ordering::Relaxed);
                kept.into_iter().zip(replies).for_each(|(kept, reply)| drop(reply.send(Ok(kept))));
            }
            Err(error) => replies.into_iter().for_each(|reply| drop(reply.send(Err(error.clone())))),
        }
    }
}
