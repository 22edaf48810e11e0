//! Laws of everything there is several of: models, selectors, tests, rules, kinds of question, domains.

use std::ops::RangeInclusive;

use crate::common::*;
use mindrel::core_test::{Budget, Estimate, Guarantee, Test};
use mindrel::inference::Inference;
use mindrel::model::{Arithmetic, Classifier, Model, label_of_scores};
use mindrel::optimal::{Verdict, certify, score_bounds};
use mindrel::plan::{Fingerprint, Plan, PlanError, PlanParts, Rules};
use mindrel::selector::Selector;
use mindrel::session::Walk;
use proptest::prelude::*;

/// What any model is tried with: up to four classes, since entropies of five would take a second for each question.
const CLASSES: RangeInclusive<usize> = 2..=4;

/// Work enough for every proof about the networks here whose scores are not closer than their own rounding error.
const LARGE_BUDGET: u64 = 4_000_000_000;

/// Work after which a proof that may not exist is given up: equal scores cannot be told apart over an interval.
const SMALL_BUDGET: u64 = 1_000_000;

/// People a settled label is tried on in every walk.
const TRIED: usize = 200;

fn budget(recipe: &Recipe) -> u64 {
    if recipe.is_definite() { LARGE_BUDGET } else { SMALL_BUDGET }
}

/// Rules for any model; linear ones are not tested by samples.
fn rules_for(recipe: &Recipe, delta: f64, selector: Selector, test: Test) -> Rules {
    let test = if recipe.is_linear() { Test::Certified } else { test };
    Rules { budget: budget(recipe), samples: 300, test, ..rules(delta, selector) }
}

fn test() -> impl Strategy<Value = Test> {
    prop::sample::select(vec![Test::Certified, Test::Sampled])
}

fn estimate() -> impl Strategy<Value = Estimate> {
    prop::sample::select(vec![Estimate::Qmc, Estimate::Taylor])
}

/// Some places of the sensitive questions, by the bits of a number.
fn places(plan: &Plan, set: usize) -> Vec<usize> {
    (0..plan.sensitive().len()).filter(|place| set >> place & 1 == 1).collect()
}

fn scores(model: &impl Model, person: &[f64]) -> Vec<f64> {
    let mut scores = vec![0.0; model.n_scores()];
    model.scores(person, &mut scores);
    scores
}

fn delta() -> impl Strategy<Value = f64> {
    prop::sample::select(vec![0.0, 0.001, 0.05, 0.25, 0.45])
}

proptest! {
    #![proptest_config(cases(300))]

    /// Bounds contain the scores of everybody: at vertices, on grids and in between, and with known answers outside the
    /// domain too.
    #[test]
    fn bounds_contain_the_scores_of_everybody(recipe in any_recipe(CLASSES, 1..=6), set in any::<usize>(), outside in any::<bool>()) {
        let mut case = recipe.build();
        let mut person = case.person();
        if outside {
            person.iter_mut().for_each(|value| *value *= 3.0);
        }
        let revealed = places(&case.plan, set);
        let bounds = score_bounds(&case.plan, &person, &revealed);
        prop_assert_eq!(bounds.len(), case.plan.model().n_scores());
        let known = known_when_revealed(&case.plan, &revealed);
        for _ in 0..TRIED {
            let other = case.anybody(&person, &known);
            for ((lower, upper), score) in bounds.iter().zip(scores(case.plan.model(), &other)) {
                prop_assert!((*lower..=*upper).contains(&score), "{score:e} is not from {lower:e} to {upper:e}");
            }
        }
    }

    /// The two people of a refutation can exist, agree in everything known, and have different labels.
    #[test]
    fn a_refutation_shows_two_people_with_different_labels(recipe in any_recipe(CLASSES, 1..=6), set in any::<usize>()) {
        let mut case = recipe.build();
        let person = case.person();
        let revealed = places(&case.plan, set);
        if let Verdict::Open(witness) = certify(&case.plan, &person, &revealed, Budget::of(budget(&recipe))) {
            let (schema, model) = (case.plan.schema(), case.plan.model());
            prop_assert_ne!(model.label(&witness.person), model.label(&witness.other));
            let known = known_when_revealed(&case.plan, &revealed);
            for (id, columns) in schema.ids().map(|id| (id, schema.columns(id))) {
                for one in [&witness.person, &witness.other] {
                    if known[id.index()] {
                        prop_assert_eq!(&one[columns.clone()], &person[columns.clone()]);
                    } else {
                        prop_assert!(can_be(schema.question(id).domain(), &one[columns.clone()]));
                    }
                }
            }
        }
    }

    /// Whoever is known completely has the model's own label, whatever the budget.
    #[test]
    fn revealing_everything_is_core_with_the_models_own_label(recipe in any_recipe(CLASSES, 1..=6), outside in any::<bool>()) {
        let mut case = recipe.build();
        let factor = if outside { 3.0 } else { 1.0 };
        let person: Vec<f64> = case.person().iter().map(|value| factor * value).collect();
        let everything = places(&case.plan, usize::MAX);
        let label = case.plan.model().label(&person);
        prop_assert_eq!(certify(&case.plan, &person, &everything, Budget::of(1)), Verdict::Core(label));
    }

    /// Once everything is known, or where nothing is to be asked, the outlook is the label and certain.
    #[test]
    fn nothing_is_uncertain_once_everything_is_known(
        recipe in any_recipe(CLASSES, 1..=4),
        estimate in estimate(),
        all_public in any::<bool>(),
    ) {
        let mut recipe = Recipe { weights: Weights::Normal, ..recipe };
        recipe.questions.iter_mut().for_each(|(_, public)| *public |= all_public);
        let mut case = recipe.build();
        let person = case.person();
        let plan = case.with(Rules { estimate: recipe.estimate(estimate), ..rules(0.05, Selector::Random) });
        let mut walk = Walk::new(&plan);
        let (label, guarantee) = walk.decide(&person, 0);
        if guarantee == Guarantee::Complete {
            prop_assert_eq!(walk.outlook(), (label, 1.0));
        }
    }

    /// Knowing more never unsettles a label. Every test ends with a verdict, but for networks whose scores are equal or
    /// closer than rounding.
    #[test]
    fn a_superset_of_a_core_set_is_core(recipe in any_recipe(CLASSES, 1..=6), set in any::<usize>(), more in any::<usize>()) {
        let mut case = recipe.build();
        let person = case.person();
        let budget = Budget::of(budget(&recipe));
        let verdict = |set: usize| certify(&case.plan, &person, &places(&case.plan, set), budget);
        let (some, rest) = (verdict(set), verdict(set | more));
        if recipe.is_definite() {
            prop_assert!(some != Verdict::OutOfBudget && rest != Verdict::OutOfBudget);
        }
        if let Verdict::Core(label) = some {
            prop_assert!(rest == Verdict::Core(label) || rest == Verdict::OutOfBudget);
        }
    }

    /// Every selector under every δ and every test ends settled; a proof or a complete answer sheet gives the model's
    /// own label, a proof that of everybody with the same answers; only δ > 0 settles for a probability, and only the
    /// sampled test for samples.
    #[test]
    fn every_walk_ends_with_a_label_that_holds(
        recipe in any_recipe(CLASSES, 1..=6),
        selector in selector(),
        delta in delta(),
        test in test(),
        estimate in estimate(),
    ) {
        let mut case = recipe.build();
        let person = case.person();
        let rules = Rules { estimate: recipe.estimate(estimate), ..rules_for(&recipe, delta, selector, test) };
        let mut walk = Walk::new(&case.with(rules));
        let (label, guarantee) = walk.decide(&person, 0);
        match guarantee {
            Guarantee::Complete => prop_assert_eq!(walk.n_revealed(), case.plan.sensitive().len()),
            Guarantee::Proved => prop_assert!(walk.n_revealed() < case.plan.sensitive().len()),
            Guarantee::Sampled => prop_assert!(delta == 0.0 && rules.test == Test::Sampled),
            Guarantee::Probable => prop_assert!(delta > 0.0),
        }
        if matches!(guarantee, Guarantee::Complete | Guarantee::Proved) {
            prop_assert_eq!(label, case.plan.model().label(&person));
            let known = known_questions(&walk);
            prop_assert_eq!(case.contradiction(&person, &known, label, TRIED), None);
        }
        if delta == 0.0 && rules.test == Test::Certified {
            prop_assert!(matches!(guarantee, Guarantee::Complete | Guarantee::Proved));
            prop_assert!(walk.out_of_budget().is_empty() || !recipe.is_definite());
        }
    }

    /// Five classes, whose probabilities are worked out on a lattice: the selectors that need none.
    #[test]
    fn every_walk_of_five_classes_ends_with_a_label_that_holds(recipe in any_recipe(5..=5, 1..=5), selector in selector()) {
        let mut case = recipe.build();
        let person = case.person();
        let rules = rules_for(&recipe, 0.0, affordable(selector, 5), Test::Certified);
        prop_assert_eq!(Walk::new(&case.with(rules)).decide(&person, 0).0, case.plan.model().label(&person));
    }

    /// Where the order of the questions does not depend on δ, a larger δ never asks for more.
    #[test]
    fn a_larger_delta_never_asks_for_more_of_the_same_order(
        recipe in any_recipe(CLASSES, 1..=6),
        selector in prop::sample::select(vec![Selector::Importance, Selector::Random, Selector::FScore]),
    ) {
        let selector = if recipe.n_classes > 2 && selector == Selector::FScore { Selector::Random } else { selector };
        let mut case = recipe.build();
        let person = case.person();
        let rules = |delta: f64| rules_for(&recipe, delta, selector, Test::Certified);
        let asked = |delta: f64| questions_asked(&case.with(rules(delta)), &person, 4);
        let proof = asked(0.0);
        let mut fewest = proof.len();
        for delta in [0.001, 0.05, 0.25, 0.45] {
            let asked = asked(delta);
            prop_assert!(asked.len() <= fewest, "{} questions at delta {delta}, {fewest} before", asked.len());
            prop_assert_eq!(&asked[..], &proof[..asked.len()]);
            fewest = asked.len();
        }
    }

    /// What was worked out for one person's order of questions is used for the next only as far as theirs is the same.
    #[test]
    fn an_inference_used_again_is_as_good_as_new(
        recipe in any_recipe(CLASSES, 1..=6),
        orders in prop::collection::vec(prop::collection::vec(any::<prop::sample::Index>(), 0..6), 1..6),
    ) {
        let mut case = recipe.build();
        let mut used = Inference::new(&case.plan);
        for order in orders {
            let person = case.person();
            let mut new = Inference::new(&case.plan);
            let mut open: Vec<usize> = (0..case.plan.sensitive().len()).collect();
            [&mut used, &mut new].into_iter().for_each(|inference| inference.begin(&person));
            for index in order {
                if open.is_empty() {
                    break;
                }
                let place = open.remove(index.index(open.len()));
                [&mut used, &mut new].into_iter().for_each(|inference| inference.reveal(place, &person));
                for place in 0..case.plan.sensitive().len() {
                    prop_assert_eq!(used.mean(place), new.mean(place));
                    prop_assert_eq!(used.variance(place), new.variance(place));
                }
            }
        }
    }

    /// A walk keeps the room it has and nothing else: it decides about the next person as a new one would.
    #[test]
    fn a_walk_used_again_is_as_good_as_new(
        recipe in any_recipe(CLASSES, 1..=6),
        selector in selector(),
        delta in delta(),
        test in test(),
    ) {
        let mut case = recipe.build();
        let plan = case.with(rules_for(&recipe, delta, selector, test));
        let mut used = Walk::new(&plan);
        for seed in 0..4 {
            let person = case.person();
            let mut new = Walk::new(&plan);
            prop_assert_eq!(used.decide(&person, seed), new.decide(&person, seed));
            prop_assert_eq!(used.revealed_places(), new.revealed_places());
            prop_assert_eq!(used.outlook(), new.outlook());
            prop_assert_eq!(used.out_of_budget(), new.out_of_budget());
            // Leave it in the middle of somebody else.
            used.begin(&case.person(), 0);
            used.decline();
            used.reveal(&case.person());
        }
    }

    /// What is drawn is drawn from the seed, and from nothing else.
    #[test]
    fn the_same_seed_asks_the_same_questions(
        recipe in any_recipe(CLASSES, 1..=6),
        selector in selector(),
        delta in delta(),
        test in test(),
        seed in any::<u64>(),
    ) {
        let mut case = recipe.build();
        let person = case.person();
        let rules = rules_for(&recipe, delta, selector, test);
        // A plan read back from its parts is another plan with the same numbers.
        let again = Plan::try_from(case.plan.to_parts()).unwrap().with_rules(rules).unwrap();
        prop_assert_eq!(questions_asked(&case.with(rules), &person, seed), questions_asked(&again, &person, seed));
    }

    /// An answer is encoded into its domain, and read back from how it is shown.
    #[test]
    fn answers_lie_in_their_domain_and_read_back(recipe in recipe(2..=2, 1..=6)) {
        let mut case = recipe.build();
        let (answers, schema) = (case.answers(), case.plan.schema());
        let person = encode(schema, &answers);
        for (id, answer) in schema.ids().zip(&answers) {
            let question = schema.question(id);
            prop_assert!(question.domain().contains(&person[schema.columns(id)]));
            let shown = mindrel::schema::StatedAnswer::Text(question.show(answer));
            prop_assert_eq!(question.accept(&shown), Ok(answer.clone()));
            prop_assert_eq!(question.domain().n_columns(), question.n_columns());
        }
    }

    /// The vertices of a domain lie in it, and every linear function has its extremes there.
    #[test]
    fn every_domain_lies_between_its_vertices(recipe in recipe(2..=2, 1..=6)) {
        let mut case = recipe.build();
        let (person, schema, model) = (case.person(), case.plan.schema(), linear(&case.plan));
        for id in schema.ids() {
            let (domain, columns) = (schema.question(id).domain(), schema.columns(id));
            let weights = &model.weights(0)[columns.clone()];
            let at = |vertex: usize| -> Vec<f64> {
                (0..domain.n_columns()).map(|column| domain.vertex_value(vertex, column)).collect()
            };
            let dot = |values: &[f64]| weights.iter().zip(values).map(|(weight, value)| weight * value).sum::<f64>();
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for vertex in 0..domain.n_vertices() {
                prop_assert!(domain.contains(&at(vertex)));
                prop_assert_eq!(domain.at_vertex(vertex, weights), dot(&at(vertex)));
                (low, high) = (low.min(dot(&at(vertex))), high.max(dot(&at(vertex))));
            }
            prop_assert!((low..=high).contains(&dot(&person[columns])));
        }
    }

    /// The label is that of the scores, wherever their rounding leaves no doubt; a network's always is.
    #[test]
    fn every_models_label_is_that_of_its_scores(recipe in any_recipe(2..=5, 1..=6)) {
        let mut case = recipe.build();
        let person = case.person();
        let (label, of_scores) = (case.plan.model().label(&person), label_of_scores(&scores(case.plan.model(), &person)));
        let clear = case.plan.model().linear().is_none_or(|model| {
            rivals(model, label).iter().all(|rival| {
                let (weights, intercept) = margin(model, label, *rival);
                let lead = intercept + weights.iter().zip(&person).map(|(weight, value)| weight * value).sum::<f64>();
                lead.abs() > 2.0 * model.rounding_bound(1.0)
            })
        });
        if clear {
            prop_assert_eq!(label, of_scores);
        }
    }

    /// To the last bit: a person's decision does not depend on who else is decided about.
    #[test]
    fn the_scores_of_many_are_those_of_each(recipe in any_recipe(2..=5, 1..=6), count in 0usize..6) {
        let mut case = recipe.build();
        let people: Vec<Vec<f64>> = (0..count).map(|_| case.person()).collect();
        let model = case.plan.model();
        let mut many = vec![0.0; count * model.n_scores()];
        model.scores_of_many(&people.concat(), &mut many);
        let each: Vec<f64> = people.iter().flat_map(|person| scores(model, person)).collect();
        prop_assert_eq!(many, each);
    }

    #[test]
    fn a_classifier_reads_back_as_it_was_written(recipe in any_recipe(2..=5, 1..=6)) {
        let mut case = recipe.build();
        let written = serde_json::to_string(case.plan.model()).unwrap();
        let read: Classifier = serde_json::from_str(&written).unwrap();
        prop_assert_eq!(&read, case.plan.model());
        let person = case.person();
        prop_assert_eq!(scores(&read, &person), scores(case.plan.model(), &person));
    }

    /// The next larger floating point number anywhere in the model is another plan.
    #[test]
    fn a_fingerprint_tells_a_weight_that_changed_in_its_last_digit(mut recipe in any_recipe(CLASSES, 1..=5), place in any::<usize>()) {
        // Leaves of single precision have no such digit, and steps of a table that change alone may fall.
        recipe.trees.iter_mut().for_each(|trees| trees.arithmetic = Arithmetic::Double);
        recipe.composed.iter_mut().for_each(|composed| {
            composed.trees.arithmetic = Arithmetic::Double;
            if composed.way == Composing::Calibrated {
                composed.way = Composing::SoftVote;
            }
        });
        let case = recipe.build();
        let mut written = serde_json::to_value(case.plan.model()).unwrap();
        let mut numbers = Vec::new();
        collect_floats(&mut written, &mut numbers);
        let changed = place % numbers.len();
        let before = numbers[changed].as_f64().unwrap();
        *numbers[changed] = serde_json::json!(before.next_up());
        let model: Classifier = serde_json::from_value(written).unwrap();
        let other = Plan::try_from(PlanParts { model, ..case.plan.to_parts() }).unwrap();
        prop_assert_ne!(other.fingerprint(), case.plan.fingerprint());
    }

    /// A plan is its parts: the same parts have the same fingerprint, other rules in force do not change it, and any
    /// other number does.
    #[test]
    fn a_fingerprint_tells_plans_apart(recipe in any_recipe(CLASSES, 1..=5), delta in delta()) {
        let case = recipe.build();
        let parts = case.plan.to_parts();
        let again = Plan::try_from(parts.clone()).unwrap();
        prop_assert_eq!(again.fingerprint(), case.plan.fingerprint());
        prop_assert_eq!(Fingerprint::of(&parts), case.plan.fingerprint());
        prop_assert_eq!(case.with(rules(delta, Selector::Random)).fingerprint(), case.plan.fingerprint());
        let other = PlanParts { rules: Rules::with_delta(0.125), ..parts };
        prop_assert_ne!(Plan::try_from(other).unwrap().fingerprint(), case.plan.fingerprint());
        let reseeded = Recipe { seed: recipe.seed.wrapping_add(1), ..recipe }.build();
        prop_assert_ne!(reseeded.plan.fingerprint(), case.plan.fingerprint());
    }
}

/// Draws among which a certified label must have no counterexample.
const DRAWS: usize = 100_000;

proptest! {
    #![proptest_config(cases(40))]

    /// Certified sets against 10⁵ people each: those where a walk stopped, which are core, and any others.
    #[test]
    fn nobody_contradicts_a_certified_core_set(
        recipe in any_recipe(CLASSES, 2..=6),
        selector in prop::sample::select(vec![Selector::Decisive, Selector::Importance, Selector::Random]),
        more in any::<usize>(),
    ) {
        let mut case = recipe.build();
        let person = case.person();
        let mut walk = Walk::new(&case.with(rules_for(&recipe, 0.0, selector, Test::Certified)));
        let (settled, guarantee) = walk.decide(&person, recipe.seed);
        let budget = Budget::of(budget(&recipe));
        for set in [walk.revealed_places().to_vec(), places(&case.plan, more)] {
            let verdict = certify(&case.plan, &person, &set, budget);
            if set == walk.revealed_places() && guarantee == Guarantee::Proved {
                prop_assert_eq!(&verdict, &Verdict::Core(settled));
            }
            let Verdict::Core(label) = verdict else { continue };
            let known = known_when_revealed(&case.plan, &set);
            prop_assert_eq!(case.contradiction(&person, &known, label, DRAWS), None);
        }
    }
}

/// All numbers of a written model that may have digits after the point.
fn collect_floats<'a>(written: &'a mut serde_json::Value, floats: &mut Vec<&'a mut serde_json::Value>) {
    match written {
        serde_json::Value::Array(values) => values.iter_mut().for_each(|value| collect_floats(value, floats)),
        serde_json::Value::Object(fields) => fields.values_mut().for_each(|value| collect_floats(value, floats)),
        serde_json::Value::Number(number) if number.is_f64() => floats.push(written),
        _ => {}
    }
}

#[test]
fn every_selector_is_found_by_its_name() {
    for selector in Selector::ALL {
        assert_eq!(selector.name().parse(), Ok(selector));
        assert_eq!(selector.to_string(), selector.name());
        assert_eq!(serde_json::to_string(&selector).unwrap(), format!("\"{}\"", selector.name()));
    }
    assert!("entropy".parse::<Selector>().is_err());
}

#[test]
fn rules_that_cannot_be_followed_are_refused() {
    let plan = numbers(2, 2, 0).build().plan;
    for delta in [-0.1, 0.5, 1.0, f64::NAN, f64::INFINITY] {
        let refused = plan.with_rules(Rules::with_delta(delta));
        assert!(matches!(refused, Err(PlanError::Rules(_))), "delta {delta}");
    }
    for draws in [0, 1_000_001] {
        assert!(plan.with_rules(Rules { draws, ..Rules::default() }).is_err(), "{draws} draws");
    }
}

#[test]
fn parts_that_are_not_made_for_each_other_are_refused() {
    let (two, three) = (numbers(2, 2, 0).build().plan, numbers(2, 3, 0).build().plan);
    let four_classes = numbers(4, 2, 0).build().plan;
    let mixed = |schema: &Plan, model: &Plan, belief: &Plan| {
        let (schema, model) = (schema.schema().clone(), model.model().clone());
        Plan::new(schema, model, belief.belief().clone(), Rules::default())
    };
    assert!(matches!(mixed(&two, &three, &two), Err(PlanError::Columns { .. })));
    assert!(matches!(mixed(&two, &two, &three), Err(PlanError::Columns { .. })));
    assert!(matches!(mixed(&two, &four_classes, &two), Err(PlanError::Classes { .. })));
    assert!(mixed(&two, &two, &two).is_ok());
}
