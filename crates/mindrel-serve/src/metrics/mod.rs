//! What is counted, for Prometheus: how many, how long, how many questions; never an answer.

mod shard;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use metrics::with_local_recorder;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use shard::Shard;

/// Upper ends of the ranges latencies are counted in, in seconds.
const LATENCIES: [f64; 12] = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0];
/// Upper ends of the ranges numbers of questions are counted in.
const QUESTIONS: [f64; 12] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0];

/// As many as threads that serve on a large machine; more threads share.
const SHARDS: usize = 64;

/// The counters of one service.
pub struct Metrics {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    shards: [Apart<Mutex<Shard>>; SHARDS],
}

/// On cache lines of its own.
#[derive(Default)]
#[repr(align(128))]
struct Apart<T>(T);

impl Metrics {
    /// Counters at zero.
    ///
    /// # Panics
    /// Never: the ranges are not empty.
    #[must_use]
    pub fn new() -> Self {
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &LATENCIES)
            .and_then(|builder| builder.set_buckets_for_metric(Matcher::Suffix("_questions".to_owned()), &QUESTIONS))
            .expect("the ranges are not empty")
            .build_recorder();
        let metrics =
            Metrics { handle: recorder.handle(), recorder, shards: std::array::from_fn(|_| Apart::default()) };
        metrics.describe();
        metrics
    }

    fn describe(&self) {
        with_local_recorder(&self.recorder, || {
            metrics::describe_counter!("mindrel_sessions_started_total", "Sessions started");
            metrics::describe_counter!("mindrel_decisions_total", "Sessions ended, by what the decision rests on");
            metrics::describe_histogram!("mindrel_decision_questions", "Questions answered per decision");
            metrics::describe_counter!("mindrel_requests_total", "Requests, by address and status");
            metrics::describe_histogram!("mindrel_request_seconds", "Time from a request's head to its reply");
        });
    }

    pub(crate) fn started(&self, plan: &str) {
        self.own_shard().started(&self.recorder, plan);
    }

    pub(crate) fn ended(&self, plan: &str, guarantee: &'static str, asked: usize) {
        self.own_shard().ended(&self.recorder, plan, guarantee, asked);
    }

    /// Whether it is time to [tidy](Metrics::tidy), as it is once in many requests of a thread: memory stays flat.
    pub(crate) fn served(&self, route: &str, status: u16, time: Duration) -> bool {
        self.own_shard().served(&self.recorder, route, status, time)
    }

    /// The shard of the thread that asks.
    fn own_shard(&self) -> MutexGuard<'_, Shard> {
        static THREADS: AtomicUsize = AtomicUsize::new(0);
        thread_local! {
            static OWN: usize = THREADS.fetch_add(1, Ordering::Relaxed);
        }
        locked(&self.shards[OWN.with(|own| own % SHARDS)])
    }

    /// All of it in Prometheus' text format.
    #[must_use]
    pub fn render(&self) -> String {
        self.shards.iter().for_each(|shard| locked(shard).pass_on());
        self.handle.render()
    }

    /// Sums up what has piled up since.
    pub fn tidy(&self) {
        self.handle.run_upkeep();
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Metrics::new()
    }
}

fn locked(shard: &Apart<Mutex<Shard>>) -> MutexGuard<'_, Shard> {
    shard.0.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn what_many_threads_counted_adds_up() {
        let metrics = Metrics::new();
        std::thread::scope(|scope| {
            for thread in 0..100_u16 {
                let metrics = &metrics;
                scope.spawn(move || {
                    metrics.started("loan");
                    (0..300).for_each(|_| {
                        metrics.served("/v1/plans", 200 + thread % 2, Duration::from_millis(2));
                    });
                    metrics.ended("loan", "proved", 3);
                });
            }
        });
        let text = metrics.render();
        let lines: BTreeSet<&str> = text.lines().collect();
        for line in [
            r#"mindrel_sessions_started_total{plan="loan"} 100"#,
            r#"mindrel_requests_total{route="/v1/plans",status="200"} 15000"#,
            r#"mindrel_requests_total{route="/v1/plans",status="201"} 15000"#,
            r#"mindrel_request_seconds_bucket{route="/v1/plans",le="0.003"} 30000"#,
            r#"mindrel_request_seconds_bucket{route="/v1/plans",le="0.001"} 0"#,
            r#"mindrel_decisions_total{plan="loan",guarantee="proved"} 100"#,
            r#"mindrel_decision_questions_bucket{plan="loan",le="3"} 100"#,
        ] {
            assert!(lines.contains(line), "{line} is not in\n{text}");
        }
        let again = metrics.render();
        assert_eq!(again.lines().collect::<BTreeSet<_>>(), lines, "something was counted twice");
    }
}
