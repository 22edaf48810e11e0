//! Counters and histograms for Prometheus. None of them depends on an answer.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use metrics::{counter, describe_counter, describe_histogram, histogram, with_local_recorder};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};

/// The upper bounds of the latency buckets, in seconds.
const LATENCIES: [f64; 12] = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0];
/// The upper bounds of the buckets for numbers of questions.
const QUESTIONS: [f64; 12] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0];
/// Observations that nobody has read are summed up after this many requests, so that memory stays flat.
const UPKEEP_EVERY: u64 = 4096;

/// The metrics of one service.
pub struct Metrics {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    requests: AtomicU64,
}

impl Metrics {
    /// Counters at zero.
    ///
    /// # Panics
    /// Never: the lists of buckets are not empty.
    #[must_use]
    pub fn new() -> Self {
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &LATENCIES)
            .and_then(|builder| builder.set_buckets_for_metric(Matcher::Suffix("_questions".to_owned()), &QUESTIONS))
            .expect("the lists of buckets are not empty")
            .build_recorder();
        with_local_recorder(&recorder, || {
            describe_counter!("mindrel_sessions_started_total", "Sessions started");
            describe_counter!("mindrel_decisions_total", "Sessions ended, by the guarantee of the decision");
            describe_histogram!("mindrel_decision_questions", "Questions answered per decision");
            describe_counter!("mindrel_requests_total", "Requests, by route and status");
            describe_histogram!("mindrel_request_seconds", "Time from a request's head to its reply");
        });
        Metrics { handle: recorder.handle(), recorder, requests: AtomicU64::new(0) }
    }

    pub(crate) fn session_started(&self, plan: &str) {
        with_local_recorder(&self.recorder, || {
            counter!("mindrel_sessions_started_total", "plan" => plan.to_owned()).increment(1);
        });
    }

    pub(crate) fn session_ended(&self, plan: &str, guarantee: &str, n_asked: usize) {
        let labels = [("plan", plan.to_owned()), ("guarantee", guarantee.to_owned())];
        with_local_recorder(&self.recorder, || {
            counter!("mindrel_decisions_total", &labels).increment(1);
            histogram!("mindrel_decision_questions", "plan" => plan.to_owned()).record(n_asked as f64);
        });
    }

    pub(crate) fn request_served(&self, route: &str, status: u16, time: Duration) {
        let labels = [("route", route.to_owned()), ("status", status.to_string())];
        with_local_recorder(&self.recorder, || {
            counter!("mindrel_requests_total", &labels).increment(1);
            histogram!("mindrel_request_seconds", "route" => route.to_owned()).record(time.as_secs_f64());
        });
        if self.requests.fetch_add(1, Ordering::Relaxed) % UPKEEP_EVERY == UPKEEP_EVERY - 1 {
            self.handle.run_upkeep();
        }
    }

    /// All metrics in Prometheus' text format.
    #[must_use]
    pub fn render(&self) -> String {
        self.handle.render()
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Metrics::new()
    }
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
                    metrics.session_started("loan");
                    (0..300).for_each(|_| {
                        metrics.request_served("/v1/plans", 200 + thread % 2, Duration::from_millis(2));
                    });
                    metrics.session_ended("loan", "proved", 3);
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
