//! What is counted, for Prometheus: how many, how long, how many questions; never an answer.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use metrics::{Counter, Histogram, Recorder, counter, histogram, with_local_recorder};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};

/// Upper ends of the ranges latencies are counted in, in seconds.
const LATENCIES: [f64; 12] = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0];
/// Upper ends of the ranges numbers of questions are counted in.
const QUESTIONS: [f64; 12] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0];

/// The counters of one service.
pub struct Metrics {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    routes: RwLock<HashMap<String, RouteCounters>>,
}

/// The counters of one route.
struct RouteCounters {
    /// By status.
    requests: HashMap<u16, Counter>,
    seconds: Histogram,
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
        let metrics = Metrics { handle: recorder.handle(), recorder, routes: RwLock::default() };
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

    pub(crate) fn ended(&self, plan: &str, guarantee: String, asked: usize) {
        with_local_recorder(&self.recorder, || {
            let labels = [("plan", plan.to_owned()), ("guarantee", guarantee)];
            counter!("mindrel_decisions_total", &labels).increment(1);
            histogram!("mindrel_decision_questions", "plan" => plan.to_owned()).record(asked as f64);
        });
    }

    /// Counts a request. Every request is, so its counters are looked up by name once only.
    pub(crate) fn served(&self, route: &str, status: u16, time: Duration) {
        let known = self.routes.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(counters) = known.get(route)
            && let Some(requests) = counters.requests.get(&status)
        {
            requests.increment(1);
            counters.seconds.record(time.as_secs_f64());
            return;
        }
        drop(known);
        self.get_to_know(route, status);
        self.served(route, status, time);
    }

    fn get_to_know(&self, route: &str, status: u16) {
        let mut known = self.routes.write().unwrap_or_else(PoisonError::into_inner);
        with_local_recorder(&self.recorder, || {
            let counters = known.entry(route.to_owned()).or_insert_with(|| RouteCounters {
                requests: HashMap::new(),
                seconds: histogram!("mindrel_request_seconds", "route" => route.to_owned()),
            });
            let labels = [("route", route.to_owned()), ("status", status.to_string())];
            counters.requests.insert(status, counter!("mindrel_requests_total", &labels));
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
