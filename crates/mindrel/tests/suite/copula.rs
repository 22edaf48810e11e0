//! Copulas: margins that are none are refused, what is known is kept, and what is promised is only as much as points
//! can show.

use crate::common::*;
use mindrel::belief::{BeliefError, CopulaBelief, GaussianBelief, Marginal};
use mindrel::core_test::{Estimate, Guarantee};
use mindrel::inference::predictive;
use mindrel::model::LinearModel;
use mindrel::plan::{Plan, PlanError, PlanParts, Rules};
use mindrel::schema::{Encoding, Question};
use mindrel::selector::Selector;
use mindrel::session::Walk;
use mindrel::verify::verify;
use mindrel::{Label, Schema};
use proptest::prelude::*;

fn copula(recipe: &Recipe) -> Case {
    Recipe { belief: Beliefs::Copula, weights: Weights::Normal, ..recipe.clone() }.build()
}

/// Uniform on [−1, 1].
fn uniform() -> Marginal {
    number_margin((0..=100).map(|step| f64::from(step) / 50.0 - 1.0).collect())
}

fn independent(size: usize) -> GaussianBelief {
    let entry = |place: usize| f64::from(u8::from(place / size == place % size));
    GaussianBelief::new(vec![0.0; size], (0..size * size).map(entry).collect()).expect("the identity")
}

proptest! {
    #![proptest_config(cases(100))]

    /// Drawn answers are answers: levels are levels, and numbers lie between those observed.
    #[test]
    fn every_point_lies_in_the_domain(recipe in any_recipe(2..=3, 1..=6), set in any::<usize>()) {
        let mut case = copula(&recipe);
        let person = case.person();
        let revealed: Vec<usize> = (0..case.plan.sensitive().len()).filter(|place| set >> place & 1 == 1).collect();
        let believed = predictive(&case.plan, &person, &revealed);
        for point in believed.points().expect("a copula is made of points") {
            let mut start = 0;
            for &id in case.plan.sensitive() {
                let width = case.plan.schema().columns(id).len();
                let answer = &point[start..start + width];
                prop_assert!(case.plan.schema().question(id).domain().contains(answer));
                start += width;
            }
        }
    }

    /// With nothing known, the points have the moments of the margins: within five standard errors of as many random
    /// draws of the widest answers there are.
    #[test]
    fn the_points_have_the_margins_of_the_belief(recipe in recipe(2..=2, 1..=5)) {
        let mut case = copula(&Recipe { questions: recipe.questions.iter().map(|(shape, _)| (*shape, false)).collect(), ..recipe });
        let person = case.person();
        let believed = predictive(&case.plan, &person, &[]);
        let (mean, covariance, size) = (believed.mean(), believed.covariance(), believed.n_columns());
        for column in 0..size {
            let (expected, deviation) = case.plan.belief().marginal(column);
            prop_assert!((mean[column] - expected).abs() <= 0.22, "mean {} and {}", mean[column], expected);
            let own = covariance[column * size + column].max(0.0).sqrt();
            prop_assert!((own - deviation).abs() <= 0.22, "deviation {} and {}", own, deviation);
        }
    }

    /// The same person is decided in the same way, to the last bit, by a used and by a new walk.
    #[test]
    fn decisions_under_a_copula_repeat(recipe in any_recipe(2..=4, 1..=5), selector in selector()) {
        let mut case = copula(&recipe);
        let (person, other) = (case.person(), case.person());
        let plan = case.with(rules(0.1, selector));
        let mut used = Walk::new(&plan);
        used.decide(&other, 3);
        let (again, first) = (used.decide(&person, 3), Walk::new(&plan).decide(&person, 3));
        prop_assert_eq!(again, first);
        prop_assert_eq!(used.outlook(), {
            let mut fresh = Walk::new(&plan);
            fresh.decide(&person, 3);
            fresh.outlook()
        });
    }

    /// A certificate with another probability, another label or without an answer does not hold.
    #[test]
    fn a_tampered_certificate_is_refused(recipe in any_recipe(2..=3, 2..=5), taylor in any::<bool>()) {
        let mut case = copula(&recipe);
        let answers = case.answers();
        let estimate = if taylor { Estimate::Taylor } else { Estimate::Qmc };
        let estimate = recipe.estimate(estimate);
        let plan = case.with(Rules { estimate, ..rules(0.1, Selector::Decisive) });
        let certificate = ended(&plan, &answers, &[false]).certificate().expect("nothing was declined");
        prop_assert!(verify(&plan, &certificate).is_ok());
        if certificate.guarantee != Guarantee::Probable {
            return Ok(());
        }
        let mut doubtful = certificate.clone();
        doubtful.probability = Some(0.75);
        prop_assert!(verify(&plan, &doubtful).is_err());
        let mut contrary = certificate.clone();
        let classes = &plan.schema().target().classes;
        contrary.label = classes.iter().find(|class| **class != certificate.label).expect("two classes").clone();
        prop_assert!(verify(&plan, &contrary).is_err());
        let mut shorter = certificate.clone();
        if let Some(stated) = shorter.revealed.pop() {
            shorter.never_asked.push(stated.question);
            prop_assert!(verify(&plan, &shorter).is_err());
        }
    }
}

/// A score that is above zero for all but one person in a million: all points agree, and nothing is certain.
#[test]
fn points_that_all_agree_make_nothing_certain() {
    let target = target(2);
    let schema = Schema::new(target, vec![Question::number("one", -1.0, 1.0)]).expect("sound");
    let steps = Marginal::Number { scores: vec![-4.0, 4.0], values: vec![-1.0, 1.0], missing_below: None };
    let belief = CopulaBelief::new(vec![steps], independent(1)).expect("sound");
    let model = LinearModel::new(1, vec![1.0], vec![0.95]).expect("sound");
    let plan = Plan::new(schema, model, belief, rules(0.01, Selector::Decisive)).expect("sound");
    let decide = |delta: f64| {
        let plan = plan.with_rules(rules(delta, Selector::Decisive)).expect("sound rules");
        let mut walk = Walk::new(&plan);
        let (label, guarantee) = walk.decide(&[0.5], 0);
        assert_eq!(label, Label::POSITIVE);
        (guarantee, walk.outlook().1)
    };
    assert_eq!(decide(0.01), (Guarantee::Probable, 1.0 - 0.5 / 512.0));
    // So small a risk cannot be told by 512 points; with the answer there is none.
    assert_eq!(decide(0.0005), (Guarantee::Complete, 1.0));
}

/// An income with a long tail: a Gaussian thinks that many earn less than nothing.
#[test]
fn a_copula_keeps_a_long_tail_on_one_side() {
    let schema = Schema::new(target(2), vec![Question::number("income", 0.0, 100.0)]).expect("sound");
    let tail: Vec<f64> = (0..1000).map(|index| 0.02 * (f64::from(index) / 1000.0 * 4.0).exp() - 1.0).collect();
    let gaussian = moments(&tail.iter().map(|value| vec![*value]).collect::<Vec<_>>());
    let copula = CopulaBelief::new(vec![number_margin(tail)], independent(1)).expect("sound");
    // Positive where the income is above −0.985: everybody's is.
    let model = LinearModel::new(1, vec![1.0], vec![0.985]).expect("sound");
    let outlook = |belief: mindrel::belief::Belief| {
        let plan = Plan::new(schema.clone(), model.clone(), belief, rules(0.01, Selector::Decisive)).expect("sound");
        let mut walk = Walk::new(&plan);
        walk.begin(&[0.0], 0);
        walk.outlook().1
    };
    assert!(outlook(gaussian.into()) < 0.85);
    assert!(outlook(copula.into()) > 0.99);
}

#[test]
fn copulas_that_are_none_are_refused() {
    let margins = |count: usize| vec![uniform(); count];
    assert_eq!(CopulaBelief::new(margins(1), independent(2)), Err(BeliefError::Margins { latent: 2, found: 1 }));
    for (mean, variance) in [(0.1, 1.0), (0.0, 2.0), (0.0, 0.0)] {
        let latent = GaussianBelief::new(vec![mean], vec![variance]).expect("a Gaussian");
        assert_eq!(CopulaBelief::new(margins(1), latent), Err(BeliefError::NotStandard));
    }
    let number = |scores: &[f64], values: &[f64]| Marginal::Number {
        scores: scores.to_vec(),
        values: values.to_vec(),
        missing_below: None,
    };
    let levels = |order: &[usize], thresholds: &[f64]| Marginal::Levels {
        encoding: Encoding::Onehot,
        order: order.to_vec(),
        thresholds: thresholds.to_vec(),
    };
    let unsound = [
        number(&[], &[]),
        number(&[0.0], &[0.0, 1.0]),
        number(&[0.0, 1.0], &[1.0, 0.0]),
        number(&[1.0, 0.0], &[0.0, 1.0]),
        number(&[0.0, 9.0], &[0.0, 1.0]),
        number(&[0.0, f64::NAN], &[0.0, 1.0]),
        number(&[0.0, 1.0], &[0.0, f64::INFINITY]),
        levels(&[0], &[]),
        levels(&[0, 1], &[]),
        levels(&[0, 0], &[0.0]),
        levels(&[0, 2], &[0.0]),
        levels(&[0, 1, 2], &[1.0, 0.0]),
        levels(&[0, 1], &[f64::NAN]),
    ];
    for margin in unsound {
        let written = format!("{margin:?}");
        let refused = CopulaBelief::new(vec![uniform(), margin], independent(2));
        assert_eq!(refused, Err(BeliefError::Margin { question: 1 }), "{written}");
    }
    assert!(CopulaBelief::new(vec![uniform(), levels(&[2, 0, 1], &[0.0, 0.0])], independent(2)).is_ok());
}

/// As many columns, but of other questions: two numbers are no category of two levels.
#[test]
fn margins_of_other_questions_are_refused() {
    let schema = Schema::new(target(2), vec![Question::category("home", ["rent", "own"])]).expect("sound");
    let model = LinearModel::new(2, vec![1.0, -1.0], vec![0.0]).expect("sound");
    let belief = CopulaBelief::new(vec![uniform(), uniform()], independent(2)).expect("sound");
    let refused = Plan::new(schema.clone(), model.clone(), belief, Rules::default());
    assert_eq!(refused.unwrap_err(), PlanError::Margins);
    let levels = Marginal::Levels { encoding: Encoding::Onehot, order: vec![1, 0], thresholds: vec![0.3] };
    let belief = CopulaBelief::new(vec![levels], independent(1)).expect("sound");
    assert!(Plan::new(schema, model, belief, Rules::default()).is_ok());
}

/// Neither the written form of a belief in messages nor a posterior shows what people said.
#[test]
fn the_debug_of_a_plan_with_a_copula_shows_no_values() {
    let plan = Recipe { belief: Beliefs::Copula, ..numbers(2, 1, 3) }.build().plan;
    let Some(Marginal::Number { values, .. }) = (match plan.belief() {
        mindrel::belief::Belief::Copula(belief) => belief.margins().first(),
        _ => None,
    }) else {
        panic!("a number");
    };
    let shown = format!("{plan:?}");
    assert!(values.iter().all(|value| !shown.contains(&value.to_string())));
}

/// Other sensitive questions need no other copula.
#[test]
fn a_copula_serves_any_choice_of_sensitive_questions() {
    let case = Recipe { belief: Beliefs::Copula, ..numbers(2, 3, 7) }.build();
    let mut parts = case.plan.to_parts();
    let mut questions = parts.schema.questions().to_vec();
    questions[1].visibility = mindrel::schema::Visibility::Public;
    parts.schema = Schema::new(parts.schema.target().clone(), questions).expect("sound");
    assert!(Plan::try_from(PlanParts { rules: rules(0.1, Selector::FScore), ..parts }).is_ok());
}
