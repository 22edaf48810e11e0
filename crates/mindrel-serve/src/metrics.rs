//! What is counted, for Prometheus: how many, how long, how many questions; never an answer.

use std::time::Duration;

use metrics::{Recorder, counter, histogram, with_local_recorder};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};

use crate::ledger::Facts;

/// Upper ends of the ranges latencies are counted in, in seconds.
const LATENCIES: [f64; 12] = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0];
/// Upper ends of the ranges numbers of questions are counted in.
const QUESTIONS: [f64; 12] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0];

/// The counters of one service.
pub struct Metrics {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
}

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
        let metrics = Metrics { handle: recorder.handle(), recorder };
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
        let _: &dyn Recorder = &self.recorder;
    }

    pub(crate) fn started(&self, plan: &str) {
        with_local_recorder(&self.recorder, || {
            counter!("mindrel_sessions_started_total", "plan" => plan.to_owned()).increment(1);
        });
    }

    pub(crate) fn ended(&self, plan: &str, facts: &Facts) {
        with_local_recorder(&self.recorder, || {
            let labels = [("plan", plan.to_owned()), ("guarantee", facts.guarantee.clone())];
            counter!("mindrel_decisions_total", &labels).increment(1);
            histogram!("mindrel_decision_questions", "plan" => plan.to_owned()).record(facts.asked.len() as f64);
        });
    }

    pub(crate) fn served(&self, route: &str, status: u16, time: Duration) {
        with_local_recorder(&self.recorder, || {
            let labels = [("route", route.to_owned()), ("status", status.to_string())];
            counter!("mindrel_requests_total", &labels).increment(1);
            histogram!("mindrel_request_seconds", "route" => route.to_owned()).record(time.as_secs_f64());
        });
    }

    /// All of it in Prometheus' text format.
    #[must_use]
    pub fn render(&self) -> String {
        self.handle.render()
    }

    /// Sums up what has piled up since; to be called every few seconds, so that memory stays flat.
    pub fn tidy(&self) {
        self.handle.run_upkeep();
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Metrics::new()
    }
}
