//! The writer of a ledger. Entries that arrive together are committed together.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};

use super::{Draft, LedgerError, LedgerStore, Recorded};

/// The most entries in one commit.
const MOST_AT_ONCE: usize = 1024;

/// The shortest time between two commits: entries that arrive meanwhile share the second. After a pause, an entry is
/// committed at once.
const BETWEEN_COMMITS: Duration = Duration::from_millis(1);

/// The number of entries in a block.
const IN_A_BLOCK: u64 = 64;

/// What the writer is asked to do, and where it sends the result.
enum WriterRequest {
    Record(Draft, oneshot::Sender<Result<Recorded, LedgerError>>),
    Check(oneshot::Sender<Result<(), LedgerError>>),
}

/// A handle to the writer of a ledger, which runs on its own thread until the handle is dropped.
#[derive(Debug)]
pub struct Ledger {
    requests: Option<mpsc::Sender<WriterRequest>>,
    writer: Option<JoinHandle<()>>,
    /// The number of the newest entry that the writer knows of.
    newest: Arc<AtomicU64>,
}

impl Ledger {
    /// Starts the writer of a store.
    ///
    /// # Panics
    /// When the operating system has no thread left.
    #[must_use]
    pub fn new(store: Box<dyn LedgerStore>) -> Self {
        let (requests, queue) = mpsc::channel(4 * MOST_AT_ONCE);
        let newest = Arc::new(AtomicU64::new(0));
        let known = Arc::clone(&newest);
        let writer = std::thread::Builder::new().name("ledger".to_owned()).spawn(move || write(store, queue, &known));
        Ledger { requests: Some(requests), writer: Some(writer.expect("the operating system has a thread")), newest }
    }

    /// Records the end of a session, and returns once the entry is durable.
    ///
    /// # Errors
    /// When it could not be stored. The decision must not be given then.
    pub async fn record(&self, draft: Draft) -> Result<Recorded, LedgerError> {
        let (reply, receipt) = oneshot::channel();
        self.send(WriterRequest::Record(draft, reply)).await?;
        receipt.await.map_err(|_| stopped())?
    }

    /// The block being filled, as far as this process knows: zero until it has written an entry.
    #[must_use]
    pub fn block(&self) -> u32 {
        (self.newest.load(Ordering::Relaxed) / IN_A_BLOCK) as u32
    }

    /// Checks that the ledger can be written.
    ///
    /// # Errors
    /// When it cannot.
    pub async fn check(&self) -> Result<(), LedgerError> {
        let (reply, answer) = oneshot::channel();
        self.send(WriterRequest::Check(reply)).await?;
        answer.await.map_err(|_| stopped())?
    }

    async fn send(&self, request: WriterRequest) -> Result<(), LedgerError> {
        let requests = self.requests.as_ref().expect("the writer runs while there is a handle");
        requests.send(request).await.map_err(|_| stopped())
    }
}

impl Drop for Ledger {
    /// Waits until the writer has finished.
    fn drop(&mut self) {
        self.requests = None;
        if let Some(writer) = self.writer.take() {
            drop(writer.join());
        }
    }
}

fn stopped() -> LedgerError {
    LedgerError::new("its writer has stopped")
}

fn write(mut store: Box<dyn LedgerStore>, mut queue: mpsc::Receiver<WriterRequest>, newest: &AtomicU64) {
    let mut requests = Vec::with_capacity(MOST_AT_ONCE);
    let mut next_commit = Instant::now();
    while queue.blocking_recv_many(&mut requests, MOST_AT_ONCE) > 0 {
        std::thread::sleep(next_commit.saturating_duration_since(Instant::now()));
        while requests.len() < MOST_AT_ONCE
            && let Ok(request) = queue.try_recv()
        {
            requests.push(request);
        }
        let (mut drafts, mut replies) = (Vec::new(), Vec::new());
        let mut checks = Vec::new();
        for request in requests.drain(..) {
            match request {
                WriterRequest::Record(draft, reply) => {
                    drafts.push(draft);
                    replies.push(reply);
                }
                WriterRequest::Check(reply) => checks.push(reply),
            }
        }
        next_commit = Instant::now() + BETWEEN_COMMITS;
        let result = store.append(&drafts);
        if let Err(error) = &result {
            tracing::error!(%error, "entries could not be stored");
        }
        // Sending fails if the client has gone away; the entry stays.
        for check in checks {
            drop(check.send(result.as_ref().map(drop).map_err(Clone::clone)));
        }
        match result {
            Ok(recorded) => {
                let last = recorded.iter().map(|recorded| recorded.receipt.entry).max();
                newest.fetch_max(last.unwrap_or(0), Ordering::Relaxed);
                recorded.into_iter().zip(replies).for_each(|(recorded, reply)| drop(reply.send(Ok(recorded))));
            }
            Err(error) => replies.into_iter().for_each(|reply| drop(reply.send(Err(error.clone())))),
        }
    }
}
