//! Walks of many people side by side, so that a model that can only be run is run in few large calls.
//!
//! A walk asks its model for the scores of some rows and waits for them. Here each walk has a thread of its own, and
//! the rows of all of them are run in one call as soon as every walk waits. Each person's walk is the one they would
//! have alone: only the number of calls changes.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::{fmt, thread};

use mindrel::Plan;
use mindrel::model::{BlackBox, Classifier, Model};

/// Walks that wait for the same call at most.
const MOST_WALKS: usize = 128;

/// Rows in one call at most.
const MOST_ROWS: usize = 65_536;

/// What a walk needs is on its stack only while it computes; most of it is on the heap.
const STACK_BYTES: usize = 1 << 20;

/// Plans whose black box is run for many walks at once.
pub struct SideBySide {
    plans: Vec<Plan>,
    gathering: Arc<Gathering>,
}

impl SideBySide {
    /// The same plans, under which people can be decided about side by side; `None` unless their model, which they have
    /// in common, can only be run.
    #[must_use]
    pub fn new(plans: &[Plan]) -> Option<Self> {
        let Classifier::BlackBox(model) = plans.first()?.model() else { return None };
        let gathering = Arc::new(Gathering::of(model.clone()));
        let runtime: Arc<dyn Model> = Arc::clone(&gathering) as Arc<dyn Model>;
        let gathered =
            |plan: &Plan| plan.with_runtime(Arc::clone(&runtime)).expect("it has the same columns and scores");
        Some(SideBySide { plans: plans.iter().map(gathered).collect(), gathering })
    }

    /// Does something with everyone, who are numbered, and returns the results in their order. `begin` makes, of the
    /// plans, what one thread reuses from person to person.
    pub fn each<W, T: Send>(
        self,
        n_people: usize,
        begin: impl Fn(&[Plan]) -> W + Sync,
        each: impl Fn(&mut W, usize) -> T + Sync,
    ) -> Vec<T> {
        let next = AtomicUsize::new(0);
        let results: Vec<Mutex<Option<T>>> = (0..n_people).map(|_| Mutex::new(None)).collect();
        let walk = || {
            let mut reused = begin(&self.plans);
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(slot) = results.get(place) else { break };
                let result = each(&mut reused, place);
                *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
            }
        };
        let panics = thread::scope(|scope| {
            let mut threads = Vec::new();
            for _ in 0..n_people.min(MOST_WALKS) {
                self.gathering.enter();
                let walking = Walking(&self.gathering);
                let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, || {
                    let _walking = walking;
                    walk();
                });
                let Ok(thread) = thread else { break };
                threads.push(thread);
            }
            self.gathering.conduct();
            threads.into_iter().filter_map(|thread| thread.join().err()).collect::<Vec<_>>()
        });
        // A walk is also ended by a panic when its work is stopped.
        if let Some(panic) = panics.into_iter().next() {
            resume_unwind(panic);
        }
        // Where no thread could be started, everyone is left; rows are then run as they come.
        walk();
        let result = |slot: Mutex<Option<T>>| slot.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.into_iter().map(|slot| result(slot).expect("everyone was taken")).collect()
    }
}

/// A walk that takes part, until it is dropped.
struct Walking<'a>(&'a Gathering);

impl Drop for Walking<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// A thread that runs what walks ask for, until it is dropped.
struct Conducting<'a>(&'a Gathering);

impl Drop for Conducting<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.is_over = true;
        self.0.was_run.notify_all();
    }
}

/// A model that collects the rows it is asked for, and has them run together. Its `Debug` leaves them out: they hold
/// answers.
struct Gathering {
    model: BlackBox,
    state: Mutex<State>,
    /// All walks wait, or none is left.
    complete: Condvar,
    /// The rows of the walks that waited were run.
    was_run: Condvar,
}

#[derive(Default)]
struct State {
    n_walking: usize,
    n_waiting: usize,
    rows: Vec<f64>,
    /// Of the last rows that were run. They are kept until every walk has asked again, so until each has taken its own.
    scores: Vec<f64>,
    n_calls: usize,
    /// Nobody collects rows any more; each walk has its own run.
    is_over: bool,
}

impl Gathering {
    fn of(model: BlackBox) -> Self {
        Gathering { model, state: Mutex::default(), complete: Condvar::new(), was_run: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self) {
        self.state().n_walking += 1;
    }

    fn leave(&self) {
        self.state().n_walking -= 1;
        self.complete.notify_one();
    }

    /// Runs the rows of all walks, again and again, until no walk is left. One thread does so: libraries keep pools of
    /// threads for each that calls them.
    fn conduct(&self) {
        // Dropped after the lock, also if the model panics.
        let _conducting = Conducting(self);
        let mut state = self.state();
        loop {
            let is_incomplete = |state: &mut State| state.n_waiting < state.n_walking;
            state = self.complete.wait_while(state, is_incomplete).unwrap_or_else(PoisonError::into_inner);
            if state.n_walking == 0 {
                return;
            }
            let rows = std::mem::take(&mut state.rows);
            let (n_columns, n_scores) = (self.model.n_columns(), self.model.n_scores());
            state.scores.resize(rows.len() / n_columns * n_scores, 0.0);
            for (rows, scores) in rows.chunks(MOST_ROWS * n_columns).zip(state.scores.chunks_mut(MOST_ROWS * n_scores))
            {
                self.model.scores_of_many(rows, scores);
            }
            state.rows = rows;
            state.rows.clear();
            state.n_waiting = 0;
            state.n_calls += 1;
            self.was_run.notify_all();
        }
    }
}

impl Model for Gathering {
    fn n_columns(&self) -> usize {
        self.model.n_columns()
    }

    fn n_scores(&self) -> usize {
        self.model.n_scores()
    }

    fn scores(&self, columns: &[f64], scores: &mut [f64]) {
        self.scores_of_many(columns, scores);
    }

    fn scores_of_many(&self, people: &[f64], scores: &mut [f64]) {
        let mut state = self.state();
        if !state.is_over {
            let first = state.rows.len() / self.n_columns() * self.n_scores();
            state.rows.extend_from_slice(people);
            state.n_waiting += 1;
            if state.n_waiting == state.n_walking {
                self.complete.notify_one();
            }
            let this_call = state.n_calls;
            let is_waiting = |state: &mut State| state.n_calls == this_call && !state.is_over;
            state = self.was_run.wait_while(state, is_waiting).unwrap_or_else(PoisonError::into_inner);
            if state.n_calls > this_call {
                return scores.copy_from_slice(&state.scores[first..first + scores.len()]);
            }
        }
        drop(state);
        self.model.scores_of_many(people, scores);
    }
}

impl fmt::Debug for Gathering {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Gathering").field("model", &self.model).finish_non_exhaustive()
    }
}
