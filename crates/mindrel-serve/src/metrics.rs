//! Counters and histograms for Prometheus. None of them depends on an answer.

use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// The upper bounds of the latency buckets, in seconds.
const LATENCIES: [f64; 12] = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0];
/// The upper bounds of the buckets for numbers of questions.
const QUESTIONS: [f64; 12] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0];

/// Names of labels and their values.
type Labels<const N: usize> = [(&'static str, String); N];

/// The metrics of one service.
pub struct Metrics {
    registry: Registry,
    sessions_started: Family<Labels<1>, Counter>,
    decisions: Family<Labels<2>, Counter>,
    decision_questions: Family<Labels<1>, Histogram>,
    requests: Family<Labels<2>, Counter>,
    request_seconds: Family<Labels<1>, Histogram>,
}

impl Metrics {
    /// Counters at zero.
    #[must_use]
    pub fn new() -> Self {
        let metrics = Metrics {
            registry: Registry::with_prefix("mindrel"),
            sessions_started: Family::default(),
            decisions: Family::default(),
            decision_questions: Family::new_with_constructor(|| Histogram::new(QUESTIONS)),
            requests: Family::default(),
            request_seconds: Family::new_with_constructor(|| Histogram::new(LATENCIES)),
        };
        metrics.registered()
    }

    fn registered(mut self) -> Self {
        let registry = &mut self.registry;
        registry.register("sessions_started", "Sessions started", self.sessions_started.clone());
        registry.register("decisions", "Sessions ended, by the guarantee of the decision", self.decisions.clone());
        registry.register("decision_questions", "Questions answered per decision", self.decision_questions.clone());
        registry.register("requests", "Requests, by route and status", self.requests.clone());
        registry.register("request_seconds", "Time from a request's head to its reply", self.request_seconds.clone());
        self
    }

    pub(crate) fn session_started(&self, plan: &str) {
        self.sessions_started.get_or_create(&[("plan", plan.to_owned())]).inc();
    }

    pub(crate) fn session_ended(&self, plan: &str, guarantee: &str, n_asked: usize) {
        let labels = [("plan", plan.to_owned()), ("guarantee", guarantee.to_owned())];
        self.decisions.get_or_create(&labels).inc();
        let [plan, _] = labels;
        self.decision_questions.get_or_create(&[plan]).observe(n_asked as f64);
    }

    pub(crate) fn request_served(&self, route: &str, status: u16, time: Duration) {
        let labels = [("route", route.to_owned()), ("status", status.to_string())];
        self.requests.get_or_create(&labels).inc();
        let [route, _] = labels;
        self.request_seconds.get_or_create(&[route]).observe(time.as_secs_f64());
    }

    /// All metrics in the text format of OpenMetrics, which Prometheus reads.
    ///
    /// # Panics
    /// Never: writing to memory cannot fail.
    #[must_use]
    pub fn render(&self) -> String {
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("writing to memory cannot fail");
        text
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
            r#"mindrel_request_seconds_bucket{le="0.003",route="/v1/plans"} 30000"#,
            r#"mindrel_request_seconds_bucket{le="0.001",route="/v1/plans"} 0"#,
            r#"mindrel_decisions_total{plan="loan",guarantee="proved"} 100"#,
            r#"mindrel_decision_questions_bucket{le="3.0",plan="loan"} 100"#,
        ] {
            assert!(lines.contains(line), "{line} is not in\n{text}");
        }
        let again = metrics.render();
        assert_eq!(again.lines().collect::<BTreeSet<_>>(), lines, "something was counted twice");
    }
}
