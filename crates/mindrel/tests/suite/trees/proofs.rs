//! Proofs and smallest core sets against every cell of an ensemble.

use super::*;

proptest! {
    #![proptest_config(cases(1500))]

    /// The certified test against everybody: core exactly where all cells have one label, exact ties, thresholds
    /// between the same points of a grid and columns of several questions in one split included.
    #[test]
    fn a_set_is_certified_exactly_when_every_cell_agrees(
        recipe in tree_recipe(2..=4, 1..=6),
        set in any::<usize>(),
        factor in prop::sample::select(vec![1.0, 1.0, 3.0]),
    ) {
        let mut case = recipe.build();
        let person: Vec<f64> = case.person().iter().map(|value| factor * value).collect();
        let revealed = few_enough(&case.plan, set);
        let common = label_in_every_cell(&case.plan, &person, &known_when_revealed(&case.plan, &revealed));
        match certify(&case.plan, &person, &revealed, Budget::of(GENEROUS)) {
            Verdict::Core(label) => prop_assert_eq!(common, Some(label)),
            Verdict::Open(_) => prop_assert_eq!(common, None),
            Verdict::OutOfBudget => prop_assert!(false, "out of budget on {MOST_CELLS} cells at most"),
        }
        for label in (0..recipe.n_classes).map(Label::new) {
            prop_assert_eq!(proves(&case.plan, &person, label, &revealed), common == Some(label));
            let proof = prove(&case.plan, &person, label, &revealed, Budget::of(GENEROUS));
            prop_assert_eq!(proof.is_some(), common == Some(label));
        }
    }

    /// The same at every step of a walk, with answers outside the domain, which are taken as they are, and declined
    /// ones, which can be anything.
    #[test]
    fn a_walk_stops_exactly_when_every_cell_agrees(
        recipe in tree_recipe(2..=4, 1..=6),
        selector in selector(),
        factor in prop::sample::select(vec![1.0, 1.0, 3.0]),
        declines in prop::collection::vec(prop::bool::weighted(0.3), 6),
    ) {
        let mut case = recipe.build();
        let plan = case.with(Rules { budget: GENEROUS, ..rules(0.0, selector) });
        let person: Vec<f64> = case.person().iter().map(|value| factor * value).collect();
        let mut walk = begun(&plan, &person, 1);
        for decline in declines {
            let known = known_questions(&walk);
            if n_cells(&plan, &known) <= MOST_CELLS {
                let common = label_in_every_cell(&plan, &person, &known);
                match walk.stage() {
                    Stage::Settled { label, .. } => prop_assert_eq!(common, Some(label)),
                    Stage::Asking { .. } | Stage::Exhausted => prop_assert_eq!(common, None),
                }
            }
            if decline { walk.decline() } else { walk.reveal(&person) }
        }
        prop_assert!(walk.out_of_budget().is_empty());
    }

    /// No set with fewer questions is core; every set was tried.
    #[test]
    fn the_smallest_core_set_is_the_smallest_of_all_sets(
        recipe in tree_recipe(2..=4, 1..=6),
        factor in prop::sample::select(vec![1.0, 1.0, 3.0]),
    ) {
        let mut case = recipe.build();
        let person: Vec<f64> = case.person().iter().map(|value| factor * value).collect();
        let label = case.plan.model().label(&person);
        let mut oracle = Oracle::new(&case.plan);
        let smallest = oracle.smallest_core_set(&person);
        prop_assert!(!oracle.ran_out_of_budget());
        prop_assert!(proves(&case.plan, &person, label, &smallest));
        let sets = 0..1usize << case.plan.sensitive().len();
        let fewer = sets.filter(|set| (set.count_ones() as usize) < smallest.len());
        for set in fewer {
            prop_assert!(!proves(&case.plan, &person, label, &places(&case.plan, set)), "{set:b}");
        }
    }
}

/// 100 votes of which 50 are for either class, whatever is open: class 0 wins, and that is seen at once.
#[test]
fn an_even_vote_is_proved_without_branching_where_the_tie_goes_to_the_label() {
    let vote = |left: usize| {
        let side = |class: usize| [f64::from(u8::from(class == 0)), f64::from(u8::from(class == 1))];
        let condition = mindrel::model::Condition::AtMost { column: 0, threshold: 0.0 };
        let nodes =
            vec![Node::Split { condition, left: 1, right: 2 }, Node::Leaf { value: 0 }, Node::Leaf { value: 2 }];
        Tree { class: None, nodes, values: [side(left), side(left)].concat() }
    };
    let ensemble = |positive_at_zero| {
        TreeEnsemble::new(TreeEnsembleParts {
            n_columns: 1,
            n_outputs: 2,
            start: vec![0.0; 2],
            trees: (0..100).map(|tree| vote(tree % 2)).collect(),
            combine: Combine::Mean,
            arithmetic: Arithmetic::Double,
            threshold: 0.0,
            positive_at_zero,
        })
        .unwrap()
    };
    for positive_at_zero in [false, true] {
        let plan = numbers(2, 1, 0).build().plan;
        let model = ensemble(positive_at_zero).into();
        let plan = Plan::try_from(PlanParts { model, ..plan.to_parts() }).unwrap();
        let expected = if positive_at_zero { Label::POSITIVE } else { Label::NEGATIVE };
        assert_eq!(certify(&plan, &[0.0], &[], Budget::of(1)), Verdict::Core(expected));
    }
}

/// Two trees that each give −1 on one side of a threshold and 2 on the other, the other way round: together 1
/// everywhere, although the least leaves add up to −2.
#[test]
fn prices_prove_in_one_part_what_the_least_leaves_do_not() {
    let step = |below: f64, above: f64| {
        let condition = mindrel::model::Condition::AtMost { column: 0, threshold: 0.0 };
        let nodes =
            vec![Node::Split { condition, left: 1, right: 2 }, Node::Leaf { value: 0 }, Node::Leaf { value: 1 }];
        Tree { class: None, nodes, values: vec![below, above] }
    };
    let ensemble = TreeEnsemble::new(TreeEnsembleParts {
        n_columns: 1,
        n_outputs: 1,
        start: vec![0.0],
        trees: vec![step(-1.0, 2.0), step(2.0, -1.0)],
        combine: Combine::Sum,
        arithmetic: Arithmetic::Double,
        threshold: 0.0,
        positive_at_zero: true,
    });
    let plan = numbers(2, 1, 0).build().plan;
    let plan = Plan::try_from(PlanParts { model: ensemble.unwrap().into(), ..plan.to_parts() }).unwrap();
    let proof = prove(&plan, &[0.0], Label::POSITIVE, &[], Budget::of(GENEROUS)).expect("it holds for everybody");
    let [part] = &proof.parts[..] else { panic!("no cut is needed") };
    let [beaten] = &part.beaten[..] else { panic!("there is one rival") };
    assert_eq!((beaten.margin, beaten.sweeps), (1.0, 1));
}

#[test]
fn a_test_without_budget_proves_nothing() {
    let recipe = Recipe { trees: Some(SIX_TREES), ..numbers(2, 4, 3) };
    let mut case = recipe.build();
    let person = case.person();
    let verdict = certify(&case.plan, &person, &[], Budget::of(0));
    assert!(!matches!(verdict, Verdict::Core(_)));
}

/// A boosted ensemble.
pub const SIX_TREES: Trees = Trees {
    n_trees: 6,
    depth: 4,
    leaves: Leaves::Boosted,
    combine: Combine::Sum,
    arithmetic: Arithmetic::Single,
    two_outputs: false,
    positive_at_zero: true,
};
