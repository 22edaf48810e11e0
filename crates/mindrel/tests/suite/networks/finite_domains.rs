//! Proofs against everybody there is, where they can be counted.

use super::*;

/// Networks over questions with finitely many answers.
fn finite_recipe() -> impl Strategy<Value = Recipe> {
    network_recipe(2..=4, 1..=6).prop_map(|mut recipe| {
        for (shape, _) in &mut recipe.questions {
            *shape = match *shape {
                Shape::Number => Shape::Integer,
                Shape::NumberOrMissing => Shape::IntegerOrMissing,
                finite => finite,
            };
        }
        recipe
    })
}

/// A set of places, grown until few enough people agree in them.
fn few_enough(plan: &Plan, set: usize) -> Vec<usize> {
    let mut revealed = places(plan, set);
    while n_people(plan.schema(), &known_when_revealed(plan, &revealed)).is_none_or(|count| count > MOST_PEOPLE) {
        let next = (0..plan.sensitive().len()).find(|place| !revealed.contains(place));
        revealed.push(next.expect("what is revealed completely has one value"));
    }
    revealed
}

proptest! {
    #![proptest_config(cases(400))]

    /// The certified test against everybody: core exactly where all have one label, exact ties and all sizes of weights
    /// included.
    #[test]
    fn a_set_is_certified_exactly_when_everybody_agrees(recipe in finite_recipe(), set in any::<usize>()) {
        let mut case = recipe.build();
        let person = case.person();
        let revealed = few_enough(&case.plan, set);
        let common = label_of_everybody(&case.plan, &person, &known_when_revealed(&case.plan, &revealed));
        match certify(&case.plan, &person, &revealed, Budget::of(GENEROUS)) {
            Verdict::Core(label) => prop_assert_eq!(common, Some(label)),
            Verdict::Open(_) => prop_assert_eq!(common, None),
            Verdict::OutOfBudget => prop_assert!(false, "out of budget on {MOST_PEOPLE} people at most"),
        }
        for label in (0..recipe.n_classes).map(Label::new) {
            prop_assert_eq!(proves(&case.plan, &person, label, &revealed), common == Some(label));
        }
    }

    /// The same at every step of a walk, with answers outside the domain, which are taken as they are, and declined
    /// ones, which can be anything.
    #[test]
    fn a_walk_stops_exactly_when_everybody_agrees(
        recipe in finite_recipe(),
        selector in selector(),
        factor in prop::sample::select(vec![1.0, 1.0, 3.0, 1e6]),
        declines in prop::collection::vec(prop::bool::weighted(0.3), 6),
    ) {
        let mut case = recipe.build();
        let plan = case.with(Rules { budget: GENEROUS, ..rules(0.0, selector) });
        let person: Vec<f64> = case.person().iter().map(|value| factor * value).collect();
        let mut walk = begun(&plan, &person, 1);
        for decline in declines {
            let known = known_questions(&walk);
            if n_people(plan.schema(), &known).is_some_and(|count| count <= MOST_PEOPLE) {
                let common = label_of_everybody(&plan, &person, &known);
                match walk.stage() {
                    Stage::Settled { label, .. } => prop_assert_eq!(common, Some(label)),
                    Stage::Asking { .. } | Stage::Exhausted => prop_assert_eq!(common, None),
                }
            }
            if decline { walk.decline() } else { walk.reveal(&person) }
        }
        prop_assert!(walk.out_of_budget().is_empty());
    }
}

/// The middle of a grid is nobody: |x| − 1/2 is positive for no and for yes, and negative in between.
#[test]
fn nobody_is_halfway_between_no_and_yes() {
    let questions = vec![Question::boolean("x")];
    let fold = Layer::new(1, vec![1.0, -1.0], vec![0.0, 0.0]).unwrap();
    let network = Network::new(vec![fold, Layer::new(2, vec![1.0, 1.0], vec![-0.5]).unwrap()]).unwrap();
    let plan = plan_of(questions, network);
    assert_eq!(certify(&plan, &[1.0], &[], Budget::of(100_000)), Verdict::Core(Label::POSITIVE));
    assert!(smallest_core_set(&plan, &[1.0]).is_empty());
}
