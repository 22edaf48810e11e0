//! Proofs about compositions against everybody there can be, and where they must be tight.

use mindrel::core_test::Budget;
use mindrel::model::{
    ComposedValue, Composition, CompositionParts, LinearModel, Model, ModelError, PartModel, QuadraticModel,
};
use mindrel::optimal::{Verdict, certify};
use mindrel::plan::{Plan, PlanParts};
use mindrel::proof::prove;

use super::*;

const GENEROUS: u64 = 200_000_000;

/// People that are looked at one by one, at most.
const MOST_PEOPLE: usize = 2000;

fn finite_recipe() -> impl Strategy<Value = Recipe> {
    composed_recipe(2..=4, 1..=5).prop_map(|mut recipe| {
        for (shape, _) in &mut recipe.questions {
            if *shape == Shape::Number {
                *shape = Shape::Integer;
            }
        }
        recipe
    })
}

proptest! {
    #![proptest_config(cases(600))]

    /// The certified test against everybody: core exactly where all have one label, exact ties included.
    #[test]
    fn a_set_is_certified_exactly_when_everybody_agrees(recipe in finite_recipe(), set in any::<usize>()) {
        let mut case = recipe.build();
        let person = case.person();
        let mut revealed: Vec<usize> = (0..case.plan.sensitive().len()).filter(|place| set >> place & 1 == 1).collect();
        let known = |revealed: &[usize]| known_when_revealed(&case.plan, revealed);
        while n_people(case.plan.schema(), &known(&revealed)).is_none_or(|count| count > MOST_PEOPLE) {
            let next = (0..case.plan.sensitive().len()).find(|place| !revealed.contains(place));
            revealed.push(next.expect("some are left"));
        }
        let common = label_of_everybody(&case.plan, &person, &known(&revealed));
        match certify(&case.plan, &person, &revealed, Budget::of(GENEROUS)) {
            Verdict::Core(label) => prop_assert_eq!(common, Some(label)),
            Verdict::Open(_) => prop_assert_eq!(common, None),
            Verdict::OutOfBudget => prop_assert!(false, "out of budget on {MOST_PEOPLE} people at most"),
        }
        for label in (0..recipe.n_classes).map(Label::new) {
            let proof = prove(&case.plan, &person, label, &revealed, Budget::of(GENEROUS));
            prop_assert_eq!(proof.is_some(), common == Some(label));
        }
    }
}

/// A plan over numbers from −1 to 1.
fn plan_of(composition: Composition, n_classes: usize, n_questions: usize) -> Plan {
    let plan = numbers(n_classes, n_questions, 0).build().plan;
    Plan::try_from(PlanParts { model: composition.into(), ..plan.to_parts() }).expect("a sound plan")
}

fn linear(weights: &[f64], intercept: f64) -> PartModel {
    PartModel::Linear(LinearModel::new(weights.len(), weights.to_vec(), vec![intercept]).expect("finite"))
}

fn score(model: usize) -> ComposedValue {
    ComposedValue::Score { model, score: 0 }
}

fn sum(terms: &[(usize, f64)]) -> ComposedValue {
    ComposedValue::Sum { start: 0.0, terms: terms.to_vec(), divisor: 1.0 }
}

fn n_parts(plan: &Plan, label: Label) -> Option<usize> {
    let person = vec![0.0; plan.schema().n_columns()];
    prove(plan, &person, label, &[], Budget::of(GENEROUS)).map(|proof| proof.parts.len())
}

/// Two linear models that disagree about every column cancel: their sum is one linear model, whose bound is exact,
/// although each of them can be anything.
#[test]
fn linear_parts_are_added_up_before_they_are_bounded() {
    let parts = CompositionParts {
        n_columns: 3,
        models: vec![linear(&[5.0, -4.0, 3.0], 0.25), linear(&[-5.0, 4.0, -3.0], 0.25)],
        values: vec![sum(&[]), score(0), score(1), sum(&[(1, 1.0), (2, 1.0)])],
        outputs: vec![0, 3],
        tie_order: vec![0, 1],
    };
    let plan = plan_of(Composition::new(parts).unwrap(), 2, 3);
    assert_eq!(n_parts(&plan, Label::POSITIVE), Some(1));
    assert_eq!(n_parts(&plan, Label::NEGATIVE), None);
}

/// `σ(s) + σ(0.5 − s) > 0.99` for every `s`: by ranges it would take many parts, by lines a few.
#[test]
fn lines_keep_the_parts_of_a_soft_vote_together() {
    let sigmoid = |of: usize| ComposedValue::Sigmoid { of };
    let parts = CompositionParts {
        n_columns: 2,
        models: vec![linear(&[1.0, 1.0], 0.0), linear(&[-1.0, -1.0], 0.5)],
        values: vec![
            score(0),
            score(1),
            sigmoid(0),
            sigmoid(1),
            sum(&[(2, 1.0), (3, 1.0)]),
            ComposedValue::Sum { start: 0.99, terms: Vec::new(), divisor: 1.0 },
        ],
        outputs: vec![5, 4],
        tie_order: vec![0, 1],
    };
    let plan = plan_of(Composition::new(parts).unwrap(), 2, 2);
    let parts = n_parts(&plan, Label::POSITIVE).expect("it holds for everybody");
    assert!(parts < 40, "{parts} parts");
}

/// Gaussian naive Bayes: a difference of quadratics is least where one of them turns, inside the domain.
#[test]
fn the_least_of_a_difference_of_quadratics_is_found_inside() {
    let model = |floor: f64| {
        let quadratic = QuadraticModel::new(2, vec![-1.0, 0.5], vec![1.0, 1.0], vec![floor]).unwrap();
        let parts = CompositionParts {
            n_columns: 2,
            models: vec![PartModel::Quadratic(quadratic)],
            values: vec![sum(&[]), score(0)],
            outputs: vec![0, 1],
            tie_order: vec![0, 1],
        };
        plan_of(Composition::new(parts).unwrap(), 2, 2)
    };
    // x² − x + y² + y / 2 is least at (1/2, −1/4): −1/4 − 1/16.
    let least = 0.3125;
    assert_eq!(n_parts(&model(least + 1e-6), Label::POSITIVE), Some(1));
    assert_eq!(n_parts(&model(least - 1e-6), Label::POSITIVE), None);
}

/// Two of three votes are certain: who wins is seen at once, and an even vote goes to the class that wins ties.
#[test]
fn votes_are_counted_exactly() {
    let vote = |of: usize| ComposedValue::AtLeast { of, bound: 0.0 };
    let plan = |n_certain: usize, tie_order: Vec<usize>| {
        let certain = linear(&[0.25, 0.25], 1.0);
        let open = linear(&[1.0, 0.0], 0.0);
        let parts = CompositionParts {
            n_columns: 2,
            models: vec![certain, open],
            values: vec![
                score(0),
                score(1),
                vote(0),
                vote(1),
                sum(&[(2, n_certain as f64), (3, 1.0)]),
                ComposedValue::Sum { start: 1.0, terms: vec![(3, -1.0)], divisor: 1.0 },
            ],
            outputs: vec![5, 4],
            tie_order,
        };
        plan_of(Composition::new(parts).unwrap(), 2, 2)
    };
    assert_eq!(n_parts(&plan(2, vec![0, 1]), Label::POSITIVE), Some(1));
    assert_eq!(n_parts(&plan(1, vec![1, 0]), Label::POSITIVE), Some(1));
    assert_eq!(n_parts(&plan(1, vec![0, 1]), Label::POSITIVE), None);
}

#[test]
fn the_order_of_ties_decides_between_equal_outputs() {
    let even = |tie_order: Vec<usize>| {
        let parts = CompositionParts {
            n_columns: 1,
            models: vec![linear(&[1.0], 0.0)],
            values: vec![score(0), sum(&[]), sum(&[(0, 0.0)])],
            outputs: vec![1, 2, 1],
            tie_order,
        };
        Composition::new(parts).unwrap()
    };
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
        let model = even(order.to_vec());
        assert_eq!(model.label(&[0.5]).index(), order[0]);
        let mut scores = [0.0; 3];
        model.scores(&[0.5], &mut scores);
        assert_eq!(mindrel::model::label_of_scores(&scores).index(), order[0]);
    }
}

#[test]
fn parts_that_do_not_fit_together_are_refused() {
    let sound = || CompositionParts {
        n_columns: 1,
        models: vec![linear(&[1.0], 0.0)],
        values: vec![score(0), sum(&[(0, 1.0)])],
        outputs: vec![0, 1],
        tie_order: vec![0, 1],
    };
    let refused = |change: &dyn Fn(&mut CompositionParts)| {
        let mut parts = sound();
        change(&mut parts);
        matches!(Composition::new(parts), Err(ModelError::Composition(_)))
    };
    assert!(Composition::new(sound()).is_ok());
    let table =
        |at: &[f64], heights: &[f64]| ComposedValue::Table { of: 0, at: at.to_vec(), heights: heights.to_vec() };
    let changes: [&dyn Fn(&mut CompositionParts); 13] = [
        &|parts| parts.models.clear(),
        &|parts| parts.n_columns = 2,
        &|parts| parts.outputs = vec![0],
        &|parts| parts.outputs = vec![0, 9],
        &|parts| parts.tie_order = vec![0, 0],
        &|parts| parts.values[0] = ComposedValue::Score { model: 1, score: 0 },
        &|parts| parts.values[0] = ComposedValue::Score { model: 0, score: 1 },
        &|parts| parts.values[1] = sum(&[(1, 1.0)]),
        &|parts| parts.values[1] = ComposedValue::Sum { start: f64::NAN, terms: Vec::new(), divisor: 1.0 },
        &|parts| parts.values[1] = ComposedValue::Sum { start: 0.0, terms: Vec::new(), divisor: 0.0 },
        &|parts| parts.values[1] = table(&[0.0, 0.0], &[0.0, 1.0]),
        &|parts| parts.values[1] = table(&[0.0, 1.0], &[1.0, 0.0]),
        &|parts| parts.values[1] = ComposedValue::Share { of: vec![0], class: 0 },
    ];
    for (place, change) in changes.iter().enumerate() {
        assert!(refused(change), "change {place}");
    }
}
