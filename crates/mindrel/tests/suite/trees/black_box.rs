//! Black boxes: what they allow, what they refuse, and how they are run.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mindrel::core_test::{Estimate, Test};
use mindrel::model::{BlackBox, BlackBoxParts, Classifier, ModelError};
use mindrel::optimal::smallest_core_set;
use mindrel::verify::verify;

use super::*;

/// A model that counts its calls.
#[derive(Debug)]
struct Counted {
    inside: Classifier,
    calls: AtomicUsize,
    people: AtomicUsize,
}

impl Model for Counted {
    fn n_columns(&self) -> usize {
        self.inside.n_columns()
    }

    fn n_scores(&self) -> usize {
        self.inside.n_scores()
    }

    fn scores(&self, columns: &[f64], scores: &mut [f64]) {
        self.scores_of_many(columns, scores);
    }

    fn scores_of_many(&self, people: &[f64], scores: &mut [f64]) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.people.fetch_add(people.len() / self.n_columns(), Ordering::Relaxed);
        self.inside.scores_of_many(people, scores);
    }
}

fn parts_of(model: &Classifier) -> BlackBoxParts {
    let (n_columns, n_scores) = (model.n_columns(), model.n_scores());
    BlackBoxParts { format: "test".into(), n_columns, n_scores, payload: "what it is".into() }
}

/// The case's model as a black box, under some rules.
fn boxed(case: &Case, rules: Rules) -> (Plan, Arc<Counted>) {
    let inside = case.plan.model().clone();
    let parts = parts_of(&inside);
    let runtime = Arc::new(Counted { inside, calls: AtomicUsize::new(0), people: AtomicUsize::new(0) });
    let model = BlackBox::new(parts, runtime.clone()).unwrap().into();
    (Plan::try_from(PlanParts { model, rules, ..case.plan.to_parts() }).unwrap(), runtime)
}

fn sampled() -> Rules {
    Rules { test: Test::Sampled, samples: 2000, ..rules(0.0, Selector::Decisive) }
}

proptest! {
    #![proptest_config(cases(60))]

    /// Under any belief, selector and δ a walk ends with a label, never with a proof, and its certificate holds.
    #[test]
    fn a_black_box_is_decided_about_and_nothing_is_ever_proved(
        recipe in any_recipe(2..=4, 1..=5),
        selector in prop::sample::select(vec![Selector::Decisive, Selector::FScore, Selector::FScoreMc, Selector::Random]),
        delta in prop::sample::select(vec![0.0, 0.05, 0.25]),
    ) {
        let mut case = recipe.build();
        let (plan, _) = boxed(&case, Rules { delta, selector, samples: 500, ..sampled() });
        let answers = case.answers();
        let session = ended(&plan, &answers, &[false]);
        let Next::Done(decision) = session.next() else { panic!("nothing is declined") };
        prop_assert_ne!(decision.guarantee, Guarantee::Proved);
        let certificate = session.certificate().expect("a decision has a certificate");
        let verified = verify(&plan, &certificate);
        prop_assert!(verified.is_ok(), "{:?}", verified);
        let person = encode(plan.schema(), &answers);
        let everything: Vec<usize> = (0..plan.sensitive().len()).collect();
        prop_assert_eq!(smallest_core_set(&plan, &person), everything);
        if !plan.sensitive().is_empty() {
            prop_assert_eq!(certify(&plan, &person, &[], Budget::of(GENEROUS)), Verdict::OutOfBudget);
        }
    }
}

/// One call chooses a question among all, and a test takes few.
#[test]
fn a_black_box_is_run_for_many_people_at_once() {
    let mut case = Recipe { trees: Some(proofs::SIX_TREES), ..numbers(2, 6, 1) }.build();
    let (plan, runtime) = boxed(&case, Rules { samples: 40_000, ..sampled() });
    let person = case.person();
    let mut walk = Walk::new(&plan);
    let n_steps = 1 + {
        walk.decide(&person, 0);
        walk.n_revealed()
    };
    let (calls, people) = (runtime.calls.load(Ordering::Relaxed), runtime.people.load(Ordering::Relaxed));
    // At each step the expected person, the question, and the samples in at most four calls.
    assert!(calls <= 6 * n_steps, "{calls} calls in {n_steps} steps");
    assert!(people > 100 * calls, "{people} people in {calls} calls");
}

#[test]
fn what_a_black_box_cannot_do_is_refused_with_the_way_out() {
    let case = numbers(2, 3, 0).build();
    let (plan, _) = boxed(&case, sampled());
    let refusal = |rules: Rules| plan.with_rules(rules).unwrap_err();
    let certified = refusal(Rules::default());
    assert_eq!(certified, PlanError::NothingCertified);
    assert!(
        certified.to_string().contains("nothing can be certified")
            && certified.to_string().contains("the sampled test")
    );
    assert!(plan.with_rules(Rules::with_delta(0.05)).is_ok());
    assert!(plan.with_rules(Rules::default_for(plan.model())).is_ok());
    assert_eq!(refusal(Rules { selector: Selector::Importance, ..sampled() }), PlanError::NoImportance);
    let taylor = refusal(Rules { estimate: Estimate::Taylor, ..sampled() });
    assert!(matches!(taylor, PlanError::NoGradients { family } if family.contains("black box")));
    let trees = Recipe { trees: Some(proofs::SIX_TREES), ..numbers(2, 3, 0) }.build().plan;
    let taylor = trees.with_rules(Rules { estimate: Estimate::Taylor, ..Rules::default() }).unwrap_err();
    assert!(taylor.to_string().contains("ensemble of 6 trees"));
}

#[test]
fn a_black_box_read_back_runs_only_with_a_runtime() {
    let case = numbers(2, 3, 0).build();
    let (plan, runtime) = boxed(&case, sampled());
    let written = serde_json::to_string(&plan.to_parts()).unwrap();
    assert!(written.contains("\"black-box\"") && written.contains("what it is"));
    let parts: PlanParts = serde_json::from_str(&written).unwrap();
    let refused = Plan::try_from(parts.clone()).unwrap_err();
    assert_eq!(refused, PlanError::NoRuntime { format: "test".into() });
    let Classifier::BlackBox(black_box) = parts.model.clone() else { panic!("it is a black box") };
    let model = black_box.clone().with_runtime(runtime).unwrap().into();
    let again = Plan::try_from(PlanParts { model, ..parts }).unwrap();
    assert_eq!(again.fingerprint(), plan.fingerprint());
    let other: Arc<dyn Model> = Arc::new(numbers(2, 4, 0).build().plan.model().clone());
    assert!(matches!(black_box.with_runtime(other), Err(ModelError::Runtime { .. })));
}

#[test]
fn a_black_box_shows_nothing_of_its_payload() {
    let case = numbers(2, 3, 0).build();
    let (plan, _) = boxed(&case, sampled());
    assert!(!format!("{:?}", plan.model()).contains("what it is"));
}
