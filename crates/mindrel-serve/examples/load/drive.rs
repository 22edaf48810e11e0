//! Many clients at once.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::Failure;
use crate::client::Connection;

/// What one run found.
pub struct Found {
    pub steps: usize,
    pub seconds: f64,
    pub sessions: usize,
    /// Of every request, where there was a pace.
    pub latencies: Vec<Duration>,
}

impl Found {
    pub fn per_second(&self) -> f64 {
        self.steps as f64 / self.seconds
    }
}

/// No more than so many requests a second, by all clients together.
struct Pace {
    per_second: f64,
    started: Instant,
    taken: AtomicUsize,
}

impl Pace {
    fn wait(&self) {
        let due = Duration::from_secs_f64(self.taken.fetch_add(1, Ordering::Relaxed) as f64 / self.per_second);
        std::thread::sleep(due.saturating_sub(self.started.elapsed()));
    }
}

/// One client, on a connection of its own.
pub struct Client<'a> {
    connection: Connection,
    pace: Option<&'a Pace>,
    latencies: Vec<Duration>,
}

impl Client<'_> {
    /// Sends a body when the pace allows it, and returns that of the reply.
    pub fn post(&mut self, path: &str, body: &[u8]) -> std::io::Result<&[u8]> {
        let Some(pace) = self.pace else { return self.connection.post(path, body) };
        pace.wait();
        let started = Instant::now();
        let reply = self.connection.post(path, body)?;
        self.latencies.push(started.elapsed());
        Ok(reply)
    }
}

/// Has so many clients do `work`, which returns how many steps it took, while there is time and there are not enough sessions; with a pace, no
/// more than so many steps a second.
pub fn drive(
    address: SocketAddr,
    connections: usize,
    goes_on: impl Fn(Duration, usize) -> bool + Sync,
    pace: Option<f64>,
    work: impl Fn(&mut Client<'_>) -> Result<usize, Failure> + Sync,
) -> Found {
    let (started, sessions) = (Instant::now(), AtomicUsize::new(0));
    let pace = pace.map(|per_second| Pace { per_second, started, taken: AtomicUsize::new(0) });
    let run = || {
        let connection = Connection::new(address).expect("a connection");
        let mut client = Client { connection, pace: pace.as_ref(), latencies: Vec::new() };
        let mut steps = 0;
        while goes_on(started.elapsed(), sessions.load(Ordering::Relaxed)) {
            steps += work(&mut client).expect("a served step");
            sessions.fetch_add(1, Ordering::Relaxed);
        }
        (steps, client.latencies)
    };
    let results: Vec<(usize, Vec<Duration>)> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..connections).map(|_| scope.spawn(run)).collect();
        clients.into_iter().map(|client| client.join().expect("a client")).collect()
    });
    Found {
        steps: results.iter().map(|(steps, _)| steps).sum(),
        seconds: started.elapsed().as_secs_f64(),
        sessions: sessions.into_inner(),
        latencies: results.into_iter().flat_map(|(_, all)| all).collect(),
    }
}
