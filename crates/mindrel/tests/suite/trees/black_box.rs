//! Black boxes: what they allow, what they refuse, and how they are run.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mindrel::belief::GaussianBelief;
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

/// A step tries people in few calls, and few people where the answer is clear.
#[test]
fn a_black_box_is_run_for_many_people_at_once() {
    let mut case = Recipe { trees: Some(proofs::SIX_TREES), ..numbers(2, 6, 1) }.build();
    let person = case.person();
    for (delta, most_calls, most_people) in [(0.0, 20, 60_000), (0.05, 8, 1024)] {
        let (plan, runtime) = boxed(&case, Rules { samples: 40_000, delta, ..sampled() });
        let mut walk = Walk::new(&plan);
        walk.decide(&person, 0);
        let n_steps = 1 + walk.n_revealed();
        let (calls, people) = (runtime.calls.load(Ordering::Relaxed), runtime.people.load(Ordering::Relaxed));
        assert!(calls <= most_calls * n_steps, "{calls} calls in {n_steps} steps");
        assert!(people <= most_people * n_steps, "{people} people in {n_steps} steps");
        assert!(people > 50 * calls, "{people} people in {calls} calls");
    }
}

/// A model that is sure of everybody but those near one corner of the domain.
#[derive(Debug)]
struct Cornered {
    corner: Vec<f64>,
    /// Whether its scores tell how near the corner is; else only labels.
    tells_how_near: bool,
}

impl Model for Cornered {
    fn n_columns(&self) -> usize {
        self.corner.len()
    }

    fn n_scores(&self) -> usize {
        1
    }

    fn scores(&self, columns: &[f64], scores: &mut [f64]) {
        let far: f64 = columns.iter().zip(&self.corner).map(|(value, corner)| (value - corner).abs()).sum();
        scores[0] = if self.tells_how_near { far - 0.5 } else { (far - 0.5).signum() };
    }
}

/// Of 20,000 draws from a narrow belief none came near the corner, and the decision was called settled.
#[test]
fn a_counterexample_in_a_corner_is_found_where_no_draw_comes() {
    for (n_questions, tells_how_near) in [(2, false), (3, false), (2, true), (6, true), (9, true)] {
        for seed in 0..5u64 {
            let corner: Vec<f64> =
                (0..n_questions).map(|column| if seed >> (column % 3) & 1 == 0 { -1.0 } else { 1.0 }).collect();
            let case = numbers(2, n_questions, seed).build();
            let model = Cornered { corner: corner.clone(), tells_how_near };
            let parts = parts_of(case.plan.model());
            let model = BlackBox::new(parts, Arc::new(model)).unwrap().into();
            let covariance = (0..n_questions * n_questions)
                .map(|place| if place % (n_questions + 1) == 0 { 1e-4 } else { 0.0 })
                .collect();
            let belief = GaussianBelief::new(vec![0.0; n_questions], covariance).unwrap().into();
            let rules = Rules { samples: 100, ..sampled() };
            let plan = Plan::try_from(PlanParts { model, belief, rules, ..case.plan.to_parts() }).unwrap();
            let mut walk = Walk::new(&plan);
            walk.begin(&corner, 0);
            assert!(matches!(walk.stage(), Stage::Asking { .. }), "{n_questions} {tells_how_near} {corner:?}");
            // Someone in the corner is decided about as the model does.
            let (label, guarantee) = walk.decide(&corner, 0);
            assert_eq!((label, guarantee), (Label::NEGATIVE, Guarantee::Complete));
        }
    }
}

/// A small domain is tried whole: no draw would have come to the one person who differs.
#[test]
fn a_small_domain_is_tried_whole() {
    let questions = vec![(Shape::OneHot(5), false), (Shape::OneHot(6), false), (Shape::Boolean, false)];
    let case = Recipe { questions, ..numbers(2, 3, 0) }.build();
    let n_columns = case.plan.schema().n_columns();
    let mut odd = vec![0.0; n_columns];
    for domain_start in [3, 5 + 4] {
        odd[domain_start] = 1.0;
    }
    odd[n_columns - 1] = 1.0;
    let model = Cornered { corner: odd.clone(), tells_how_near: false };
    let model = BlackBox::new(parts_of(case.plan.model()), Arc::new(model)).unwrap().into();
    let rules = Rules { samples: 1, ..sampled() };
    let plan = Plan::try_from(PlanParts { model, rules, ..case.plan.to_parts() }).unwrap();
    let mut walk = Walk::new(&plan);
    assert_eq!(walk.decide(&odd, 0), (Label::NEGATIVE, Guarantee::Complete));
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
    let usual = Rules::default_for(plan.model());
    assert!(
        usual.delta > 0.0 && plan.with_rules(usual).is_ok(),
        "at delta 0 all that is known is that nothing was found"
    );
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
