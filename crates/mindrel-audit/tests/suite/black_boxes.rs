//! Models that can only be run: side by side everyone is asked what they are asked alone, in far fewer calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mindrel::belief::GaussianBelief;
use mindrel::core_test::Guarantee;
use mindrel::model::{BlackBox, BlackBoxParts, Model};
use mindrel::plan::{CalibrationError, PlanError};
use mindrel::session::Walk;
use mindrel::{Label, People, Plan, Rules};
use mindrel_audit::{Audit, CalibrationOptions, Run, SideBySide, calibrate};
use mindrel_testing::generated;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

const COLUMNS: usize = 7;
const PEOPLE: usize = 150;

/// A sum that bends, and how often it was run.
#[derive(Debug, Default)]
struct Bent {
    calls: AtomicUsize,
}

impl Model for Bent {
    fn n_columns(&self) -> usize {
        COLUMNS
    }

    fn n_scores(&self) -> usize {
        1
    }

    fn scores(&self, columns: &[f64], scores: &mut [f64]) {
        self.scores_of_many(columns, scores);
    }

    fn scores_of_many(&self, people: &[f64], scores: &mut [f64]) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        for (row, score) in people.chunks_exact(COLUMNS).zip(scores) {
            *score = row[0] + 2.0 * row[1] * row[2] + (row[3] + row[4]).abs() - 0.3 * row[5] - 0.2;
        }
    }
}

fn plan(rules: Rules) -> (Plan, Arc<Bent>) {
    let runtime = Arc::new(Bent::default());
    let parts = BlackBoxParts { format: "test".into(), n_columns: COLUMNS, n_scores: 1, payload: String::new() };
    let model = BlackBox::new(parts, Arc::clone(&runtime) as Arc<dyn Model>).expect("a sound model");
    let entry = |row: usize, column: usize| 0.1 * 0.5f64.powi(row.abs_diff(column) as i32);
    let covariance = (0..COLUMNS).flat_map(|row| (0..COLUMNS).map(move |column| entry(row, column))).collect();
    let belief = GaussianBelief::new(vec![0.0; COLUMNS], covariance).expect("a sound belief");
    (Plan::new(generated::numbers(COLUMNS, 1), model, belief, rules).expect("they fit together"), runtime)
}

fn people() -> People {
    generated::people(COLUMNS, PEOPLE, &mut Pcg64Mcg::seed_from_u64(7))
}

type Asked = (Label, Guarantee, Vec<usize>);

fn ask(walk: &mut Walk, people: &People, place: usize) -> Asked {
    let (label, guarantee) = walk.decide(people.person(place).columns, 3);
    (label, guarantee, walk.revealed_places().to_vec())
}

#[test]
fn side_by_side_everyone_is_asked_what_they_are_asked_alone_in_fewer_calls() {
    let people = people();
    for delta in [0.0, 0.05, 0.2] {
        let (plan, runtime) = plan(Rules { delta, samples: 500, ..Rules::of_black_boxes() });
        let mut walk = Walk::new(&plan);
        let alone: Vec<Asked> = (0..PEOPLE).map(|place| ask(&mut walk, &people, place)).collect();
        let calls_alone = runtime.calls.swap(0, Ordering::Relaxed);
        let together = SideBySide::new(std::slice::from_ref(&plan)).expect("it can only be run");
        let begin = |plans: &[Plan]| Walk::new(&plans[0]);
        let together = together.each(PEOPLE, begin, |walk, place| ask(walk, &people, place));
        let calls_together = runtime.calls.load(Ordering::Relaxed);
        assert!(alone == together, "delta {delta}: somebody was asked something else");
        assert!(20 * calls_together < calls_alone, "{calls_together} calls together, {calls_alone} alone");
    }
}

#[test]
fn an_audit_counts_the_same_on_any_number_of_threads() {
    let (plan, _) = plan(Rules { samples: 500, ..Rules::of_black_boxes() });
    let runs = [0.0, 0.05]
        .map(|delta| Run::asking(&plan, Rules { delta, ..*plan.rules() }).expect("rules that can be followed"));
    let on = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads");
        let blocks = [Ok::<People, std::convert::Infallible>(people())].into_iter();
        let outcome = pool.install(|| Audit::new(&plan, &runs).run(blocks, Ok)).expect("nothing fails");
        outcome.runs.iter().map(|run| (run.flips, run.mean_asked, run.sampled)).collect::<Vec<_>>()
    };
    let (one, three) = (on(1), on(3));
    assert_eq!(one, three);
    assert!(one[0].2 > 0.0, "somebody is decided about because no counterexample was found");
}

/// A walk whose person is not there ends in a panic, which must not leave the others waiting.
#[test]
fn a_walk_that_panics_does_not_keep_the_others_waiting() {
    let people = people();
    let (plan, _) = plan(Rules::of_black_boxes());
    let together = SideBySide::new(&[plan]).expect("it can only be run");
    let ask = |walk: &mut Walk, place: usize| {
        assert_ne!(place, 5, "this one fails");
        ask(walk, &people, place)
    };
    let each = || together.each(20, |plans| Walk::new(&plans[0]), ask);
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(each)).is_err());
}

/// Nothing could be proved where no threshold passes, so there is no promise to make.
#[test]
fn a_black_box_is_calibrated_unless_its_promise_would_need_proofs() {
    let (plan, _) = plan(Rules::of_black_boxes());
    let promise = |flips: f64| CalibrationOptions {
        flips,
        confidence: 0.9,
        by: None,
        rules: *plan.rules(),
        table: "0".repeat(64),
        stopped_by: None,
    };
    let calibration = calibrate(&plan, &people(), &promise(0.2), &|_| ()).expect("a threshold passes");
    assert!(calibration.groups[0].delta > 0.0);
    assert!(plan.with_calibration(calibration).is_ok());
    let refused = calibrate(&plan, &people(), &promise(0.001), &|_| ()).unwrap_err();
    assert_eq!(refused, PlanError::Calibration(CalibrationError::NothingToFallBackOn));
}
