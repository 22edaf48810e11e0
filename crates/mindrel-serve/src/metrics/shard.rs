//! What one thread has counted, apart from the others: counters that all threads add to would travel between processors with every request.

use std::time::Duration;

use metrics::{Counter, Histogram, Recorder, counter, histogram, with_local_recorder};

/// So many requests are passed on together.
const TOGETHER: usize = 256;
/// Requests between two rounds of tidying.
const TIDY_EVERY: u64 = 4096;

/// Counts of one thread. Requests wait here to be passed on.
#[derive(Default)]
pub(super) struct Shard {
    requests: u64,
    routes: Vec<Route>,
    plans: Vec<Plan>,
}

struct Route {
    name: String,
    seconds: Histogram,
    /// Not passed on yet.
    waiting: Vec<f64>,
    /// By status; the numbers are not passed on yet.
    requests: Vec<(u16, Counter, u64)>,
}

struct Plan {
    name: String,
    started: Counter,
    questions: Histogram,
    /// By what decisions rest on.
    ended: Vec<(&'static str, Counter)>,
}

impl Shard {
    /// Whether it is time to tidy.
    pub fn served(&mut self, recorder: &dyn Recorder, route: &str, status: u16, time: Duration) -> bool {
        let route = found_or_made(&mut self.routes, |known| known.name == route, || Route::new(recorder, route));
        route.waiting.push(time.as_secs_f64());
        let Route { name, requests, .. } = route;
        let (.., count) =
            found_or_made(requests, |known| known.0 == status, || (status, requests_of(recorder, name, status), 0));
        *count += 1;
        if route.waiting.len() == TOGETHER {
            route.pass_on();
        }
        self.requests += 1;
        self.requests.is_multiple_of(TIDY_EVERY)
    }

    pub fn started(&mut self, recorder: &dyn Recorder, plan: &str) {
        self.plan(recorder, plan).started.increment(1);
    }

    pub fn ended(&mut self, recorder: &dyn Recorder, plan: &str, guarantee: &'static str, asked: usize) {
        let Plan { name, questions, ended, .. } = self.plan(recorder, plan);
        questions.record(asked as f64);
        let counter = || (guarantee, decisions_of(recorder, name, guarantee));
        found_or_made(ended, |known| known.0 == guarantee, counter).1.increment(1);
    }

    /// Hands all that waits to the counters it is for.
    pub fn pass_on(&mut self) {
        self.routes.iter_mut().for_each(Route::pass_on);
    }

    fn plan(&mut self, recorder: &dyn Recorder, name: &str) -> &mut Plan {
        found_or_made(&mut self.plans, |known| known.name == name, || Plan::new(recorder, name))
    }
}

impl Route {
    fn new(recorder: &dyn Recorder, name: &str) -> Self {
        let seconds =
            with_local_recorder(recorder, || histogram!("mindrel_request_seconds", "route" => name.to_owned()));
        Route { name: name.to_owned(), seconds, waiting: Vec::with_capacity(TOGETHER), requests: Vec::new() }
    }

    fn pass_on(&mut self) {
        self.waiting.drain(..).for_each(|seconds| self.seconds.record(seconds));
        self.requests.iter_mut().for_each(|(_, counter, count)| counter.increment(std::mem::take(count)));
    }
}

impl Plan {
    fn new(recorder: &dyn Recorder, name: &str) -> Self {
        with_local_recorder(recorder, || Plan {
            name: name.to_owned(),
            started: counter!("mindrel_sessions_started_total", "plan" => name.to_owned()),
            questions: histogram!("mindrel_decision_questions", "plan" => name.to_owned()),
            ended: Vec::new(),
        })
    }
}

fn requests_of(recorder: &dyn Recorder, route: &str, status: u16) -> Counter {
    let labels = [("route", route.to_owned()), ("status", status.to_string())];
    with_local_recorder(recorder, || counter!("mindrel_requests_total", &labels))
}

fn decisions_of(recorder: &dyn Recorder, plan: &str, guarantee: &'static str) -> Counter {
    let labels = [("plan", plan.to_owned()), ("guarantee", guarantee.to_owned())];
    with_local_recorder(recorder, || counter!("mindrel_decisions_total", &labels))
}

/// One of a few, and if there is none such, a new one.
fn found_or_made<T>(all: &mut Vec<T>, is_it: impl FnMut(&T) -> bool, make: impl FnOnce() -> T) -> &mut T {
    let place = all.iter().position(is_it).unwrap_or_else(|| {
        all.push(make());
        all.len() - 1
    });
    &mut all[place]
}
