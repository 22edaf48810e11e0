//! Laws of what is said about a plan before anybody is asked.

use crate::common::*;
use mindrel::belief::GaussianBelief;
use mindrel::inspect::{AskedOf, Basis, Inspection, QuestionNode};
use mindrel::model::{LinearModel, Model};
use mindrel::schema::{Question, Schema, Visibility};
use mindrel::session::{Answers, Next, Walk};
use mindrel::{Plan, Rules, Selector, Session};
use proptest::prelude::*;

/// How many people try each plan.
const PEOPLE: usize = 25;

fn look(plan: &Plan, depth: usize) -> Inspection {
    Inspection::of(plan, &Answers::new(), depth).expect("expected public values are valid")
}

/// A binary linear plan under some rules, with independent columns; a number named `known` is public.
fn linear(questions: Vec<Question>, weights: Vec<f64>, intercept: f64, rules: Rules) -> Plan {
    let n_columns = weights.len();
    let schema = Schema::new(target(2), questions).expect("a sound schema");
    let model = LinearModel::new(n_columns, weights, vec![intercept]).expect("finite weights");
    let diagonal = (0..n_columns * n_columns).map(|place| if place.is_multiple_of(n_columns + 1) { 0.3 } else { 0.0 });
    let belief = GaussianBelief::new(vec![0.0; n_columns], diagonal.collect()).expect("a sound belief");
    Plan::new(schema, model, belief, rules).expect("a sound plan")
}

fn booleans(count: usize) -> Vec<Question> {
    (0..count).map(|place| Question::boolean(format!("q{place}"))).collect()
}

proptest! {
    #![proptest_config(cases(160))]

    /// Linear plans and networks, any belief, two to four classes, any selector, δ = 0 and above; seeds differ from the
    /// plan's own.
    #[test]
    fn nobody_is_asked_more_than_at_most_nor_what_nobody_is_asked(
        recipe in any_recipe(2..=4, 1..=6),
        selector in selector(),
        delta in prop::sample::select(vec![0.0, 0.0, 0.05, 0.3]),
    ) {
        let mut case = recipe.build();
        let plan = case.with(rules(delta, affordable(selector, recipe.n_classes)));
        hold_to_the_bounds(&mut case, &plan)?;
    }

    /// Sparse weights and equal levels: where there is something to claim.
    #[test]
    fn claims_about_linear_plans_hold(
        recipe in recipe(2..=3, 1..=7),
        selector in prop::sample::select(vec![Selector::Decisive, Selector::Importance, Selector::ImportanceLogistic]),
        weights in prop::sample::select(vec![Weights::Sparse, Weights::Dyadic, Weights::Mixed]),
        delta in prop::sample::select(vec![0.0, 0.0, 0.1]),
    ) {
        let mut case = Recipe { weights, ..recipe }.build();
        let plan = case.with(rules(delta, selector));
        hold_to_the_bounds(&mut case, &plan)?;
    }

    #[test]
    fn the_tree_is_what_sessions_ask(recipe in any_recipe(2..=3, 1..=5), depth in 1usize..=3) {
        let case = recipe.build();
        let inspection = look(&case.plan, depth);
        let mut texts: Vec<(String, String)> =
            inspection.public.iter().map(|value| (value.question.clone(), value.value.clone())).collect();
        let n_public = texts.len();
        follow(&case.plan, &inspection.tree, &mut texts, n_public)?;
    }

    #[test]
    fn an_inspection_comes_back_from_json_and_is_always_the_same(recipe in any_recipe(2..=3, 1..=5)) {
        let case = recipe.build();
        let inspection = look(&case.plan, 2);
        let text = serde_json::to_string(&inspection).expect("plain data");
        let back: Inspection = serde_json::from_str(&text).expect("what was written can be read");
        prop_assert!(back == inspection, "{text}");
        prop_assert_eq!(look(&case.plan, 2), inspection);
    }
}

/// Random people are asked no more than is claimed, and nothing that nobody is asked; what never matters changes no
/// label.
fn hold_to_the_bounds(case: &mut Case, plan: &Plan) -> Result<(), TestCaseError> {
    let inspection = look(plan, 1);
    let most = inspection.most_asked;
    prop_assert!(most.reached <= most.at_most && most.at_most <= plan.sensitive().len(), "{most:?}");
    let needs: Vec<_> = inspection.questions.iter().filter_map(|facts| facts.need).collect();
    let mut walk = Walk::new(plan);
    for seed in 0..PEOPLE {
        let person = case.person();
        walk.decide(&person, seed as u64);
        prop_assert!(walk.n_revealed() <= most.at_most, "{} of {most:?}", walk.n_revealed());
        for &place in walk.revealed_places() {
            prop_assert!(needs[place].asked_of != AskedOf::Nobody, "{place} is asked");
        }
        for (place, &id) in plan.sensitive().iter().enumerate().filter(|(place, _)| needs[*place].never_matters) {
            let mut other = person.clone();
            let columns = plan.schema().columns(id);
            other[columns.clone()].copy_from_slice(&case.person()[columns]);
            prop_assert_eq!(plan.model().label(&other), plan.model().label(&person), "{} matters", place);
        }
    }
    Ok(())
}

/// What a session asks next after some answers, or decides.
fn step_after(plan: &Plan, texts: &[(String, String)], n_public: usize) -> String {
    let pairs = |texts: &[(String, String)]| -> Answers {
        let pairs = texts.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        Answers::parse(plan, pairs).expect("shown answers can be read")
    };
    let mut session = Session::start(plan, &pairs(&texts[..n_public])).expect("public values");
    let given = pairs(texts);
    for (name, _) in &texts[n_public..] {
        let id = plan.schema().find(name).expect("a question");
        session.answer(id, given.get(id).expect("it was given").clone()).expect("it is asked");
    }
    match session.next() {
        Next::Ask { question, .. } => plan.schema().question(question).name.clone(),
        Next::Done(decision) => plan.schema().class(decision.label).to_owned(),
        Next::Undecided(_) => unreachable!("nothing was declined"),
    }
}

/// What a node of the tree says comes next.
fn heading(node: &QuestionNode) -> String {
    match node {
        QuestionNode::Ask { question, .. } | QuestionNode::More { question } => question.clone(),
        QuestionNode::Settled { class, .. } => class.clone(),
    }
}

/// Answers what the tree says a session asks, down to every leaf.
fn follow(
    plan: &Plan,
    node: &QuestionNode,
    texts: &mut Vec<(String, String)>,
    n_public: usize,
) -> Result<(), TestCaseError> {
    let pairs = |texts: &[(String, String)]| -> Answers {
        let pairs = texts.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        Answers::parse(plan, pairs).expect("shown answers can be read")
    };
    let mut session = Session::start(plan, &pairs(&texts[..n_public])).expect("public values");
    let given = pairs(texts);
    for (name, _) in &texts[n_public..] {
        let id = plan.schema().find(name).expect("a question");
        let answer = given.get(id).expect("it was given").clone();
        prop_assert!(session.answer(id, answer).is_ok(), "{} is asked", name);
    }
    let name = |id| plan.schema().question(id).name.clone();
    match (session.next(), node) {
        (Next::Ask { question, .. }, QuestionNode::More { question: shown }) => prop_assert_eq!(&name(question), shown),
        (Next::Done(decision), QuestionNode::Settled { class, guarantee, asked }) => {
            let found = (plan.schema().class(decision.label), decision.guarantee, decision.n_revealed);
            prop_assert_eq!(found, (class.as_str(), *guarantee, *asked));
        }
        (Next::Ask { question, .. }, QuestionNode::Ask { question: shown, branches, .. }) => {
            prop_assert_eq!(&name(question), shown);
            prop_assert!(!branches.is_empty());
            for branch in branches {
                texts.push((shown.clone(), branch.answer.clone()));
                follow(plan, &branch.then, texts, n_public)?;
                texts.pop();
                for end in branch.range.iter().flat_map(|range| [range.lower, range.upper]) {
                    texts.push((shown.clone(), end.to_string()));
                    let step = step_after(plan, texts, n_public);
                    texts.pop();
                    prop_assert_eq!(step, heading(&branch.then), "at the end {} of a range", end);
                }
            }
        }
        (next, node) => prop_assert!(false, "{:?} is not {:?}", next, node),
    }
    Ok(())
}

#[test]
fn of_numbers_somebody_is_asked_all_that_weigh() {
    let numbers = (0..5).map(|place| Question::number(format!("q{place}"), 0.0, 9.0)).collect();
    let plan = linear(numbers, vec![1.0, -0.4, 0.0, 0.01, 2.0], 0.3, Rules::default());
    let most = look(&plan, 1).most_asked;
    assert_eq!((most.at_most, most.is_exact(), most.basis), (4, true, Basis::Sums));
}

/// 10 outweighs 1 + 1: once the first is known, the others cannot turn the label. A public number makes people
/// uncountable.
#[test]
fn small_answers_behind_a_large_one_are_never_reached_by_importance() {
    let mut questions = booleans(3);
    questions.push(Question::number("known", 0.0, 1.0).public());
    let weights = vec![1.0, 10.0, 1.0, 0.5];
    let importance = Rules { selector: Selector::Importance, ..Rules::default() };
    let inspection = look(&linear(questions.clone(), weights.clone(), 0.0, importance), 1);
    assert_eq!((inspection.most_asked.at_most, inspection.most_asked.is_exact()), (1, true));
    let asked_of: Vec<AskedOf> = inspection.questions[..3].iter().map(|facts| facts.need.unwrap().asked_of).collect();
    assert_eq!(asked_of, [AskedOf::Nobody, AskedOf::Somebody, AskedOf::Nobody]);
    let never: Vec<bool> = inspection.questions[..3].iter().map(|facts| facts.need.unwrap().never_matters).collect();
    assert_eq!(never, [true, false, true]);
    let any_order = Rules { selector: Selector::Random, ..Rules::default() };
    assert_eq!(look(&linear(questions, weights, 0.0, any_order), 1).most_asked.at_most, 3);
}

#[test]
fn where_everybody_can_be_counted_the_bound_is_exact_for_any_order() {
    let inspection = look(&linear(booleans(3), vec![1.0, 10.0, 1.0], 0.0, Rules::default()), 1);
    let most = inspection.most_asked;
    assert_eq!((most.at_most, most.reached, most.basis), (1, 1, Basis::Everybody));
}

#[test]
fn a_label_that_is_the_same_for_everybody_needs_no_question() {
    for selector in Selector::ALL {
        let plan = linear(booleans(3), vec![1.0, 1.0, 1.0], 4.0, rules(0.0, selector));
        let inspection = look(&plan, 1);
        assert_eq!(inspection.most_asked.at_most, 0);
        assert!(matches!(inspection.tree, QuestionNode::Settled { asked: 0, .. }));
        assert!(inspection.typical_person.steps.is_empty());
    }
}

/// Indicators that are expected to sum to 2.7 instead of one, as a belief from private moments may have them, would
/// make a category whose levels all weigh the same look like the most progress.
#[test]
fn decisive_does_not_ask_what_moves_nothing_whatever_the_belief_expects() {
    let mut questions: Vec<Question> = (0..3).map(|place| Question::number(format!("q{place}"), 0.0, 1.0)).collect();
    questions.push(Question::category("idle", ["a", "b", "c"]));
    let schema = Schema::new(target(2), questions).expect("a sound schema");
    let model = LinearModel::new(6, vec![0.5, 0.5, 0.5, 0.7, 0.7, 0.7], vec![-0.7]).expect("finite weights");
    let spread = |place: usize| if place.is_multiple_of(7) { 0.2 } else { 0.0 };
    let mean = vec![0.0, 0.0, 0.0, 0.9, 0.9, 0.9];
    let belief = GaussianBelief::new(mean, (0..36).map(spread).collect()).expect("a sound belief");
    let plan = Plan::new(schema, model, belief, Rules::default()).expect("a sound plan");
    let session = Session::start(&plan, &Answers::new()).expect("nothing is public");
    let Next::Ask { question, .. } = session.next() else { panic!("the label is open") };
    assert_eq!(plan.schema().question(question).name, "q0");
    let most = look(&plan, 1).most_asked;
    assert_eq!((most.at_most, most.is_exact()), (3, true));
}

#[test]
fn given_public_values_are_used_and_named_and_others_are_expected_ones() {
    let mut questions = booleans(2);
    questions.push(Question::number("known", 0.0, 100.0).public());
    questions.push(Question::category("place", ["north", "south"]).public());
    let plan = linear(questions, vec![1.0, 0.5, 0.1, 0.0, 0.2], 0.0, Rules::default());
    let given = Answers::parse(&plan, [("known", "20")]).expect("a number");
    let inspection = Inspection::of(&plan, &given, 1).expect("sound values");
    let values: Vec<(&str, bool)> = inspection.public.iter().map(|value| (value.value.as_str(), value.given)).collect();
    assert_eq!(values, [("20", true), ("north", false)]);
    let sensitive = Answers::parse(&plan, [("q0", "yes")]).expect("a boolean");
    assert!(Inspection::of(&plan, &sensitive, 1).is_err());
    assert_eq!(inspection.questions[2].question.visibility, Visibility::Public);
    assert!(inspection.questions[2].need.is_none());
}
