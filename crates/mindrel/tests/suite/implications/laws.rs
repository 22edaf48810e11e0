//! Laws of every family and belief: tests, walks, certificates and smallest core sets go by possible people alone.

use super::*;
use mindrel::Label;
use mindrel::certificate::Certificate;
use mindrel::optimal::{Verdict, certify, smallest_core_set};
use mindrel::plan::Rules;
use mindrel::rules::{Budget, Guarantee};
use mindrel::session::{Next, Stage, Walk};
use mindrel::verify::verify;

/// Any family and belief over two to five questions with finitely many answers, and up to four rules.
fn ruled_case(recipe: Recipe, n_rules: usize) -> Option<(Case, Vec<f64>)> {
    let case = finite(recipe).build();
    let nothing = vec![false; case.plan.schema().questions().len()];
    n_people(case.plan.schema(), &nothing).filter(|count| *count <= MOST_PEOPLE)?;
    let mut case = with_rules(case, n_rules);
    let person = somebody(&mut case)?;
    Some((case, person))
}

fn known_places(plan: &Plan, set: usize) -> Vec<usize> {
    (0..plan.sensitive().len()).filter(|place| set >> place & 1 == 1).collect()
}

proptest! {
    #![proptest_config(cases(600))]

    /// The pure test says core exactly when all possible people agree: proofs are sound and complete.
    #[test]
    fn a_set_is_core_exactly_when_all_possible_people_agree(
        recipe in any_recipe(2..=3, 2..=5),
        n_rules in 1usize..=4,
        set in any::<usize>(),
    ) {
        let is_definite = recipe.is_definite();
        let Some((case, person)) = ruled_case(recipe, n_rules) else { return Ok(()) };
        let revealed = known_places(&case.plan, set);
        let people = possible_people(&case.plan, &person, &known_when_revealed(&case.plan, &revealed));
        let common = common_label(&case.plan, &people);
        match certify(&case.plan, &person, &revealed, Budget::of(GENEROUS)) {
            Verdict::Core(label) => prop_assert_eq!(common, Some(label)),
            Verdict::Open(witness) => {
                prop_assert_eq!(common, None);
                prop_assert!(!breaks_a_rule(case.plan.schema(), &witness.other), "a witness breaks a rule");
            }
            Verdict::OutOfBudget => prop_assert!(!is_definite, "out of budget on {MOST_PEOPLE} people at most"),
        }
    }

    /// At δ = 0 a walk stops exactly when all possible people agree, with the label of them all, and what it calls
    /// implied has one value among them.
    #[test]
    fn a_walk_stops_exactly_when_all_possible_people_agree(
        recipe in any_recipe(2..=3, 2..=5),
        n_rules in 1usize..=4,
        selector in selector(),
    ) {
        let is_definite = recipe.is_definite();
        let selector = affordable(selector, recipe.n_classes);
        let Some((case, person)) = ruled_case(recipe, n_rules) else { return Ok(()) };
        let plan = case.with(Rules { budget: GENEROUS, ..rules(0.0, selector) });
        let schema = plan.schema();
        let mut walk = Walk::new(&plan);
        walk.begin(&person, 3);
        loop {
            let people = possible_people(&plan, &person, &known_when_revealed(&plan, walk.revealed_places()));
            for &(place, _) in walk.implied_places() {
                let columns = schema.columns(plan.sensitive()[place]);
                prop_assert!(people.iter().all(|other| other[columns.clone()] == person[columns.clone()]));
            }
            let common = common_label(&plan, &people);
            match walk.stage() {
                Stage::Settled { label, guarantee } => {
                    prop_assert_eq!(common, Some(label));
                    prop_assert!(matches!(guarantee, Guarantee::Proved | Guarantee::Complete));
                    break;
                }
                Stage::Asking { .. } => prop_assert!(common.is_none() || !is_definite, "asked though all agree"),
                Stage::Exhausted => prop_assert!(false, "nothing was declined"),
            }
            walk.reveal(&person);
        }
        prop_assert!(!walk.breaks_rules());
    }

    /// Certificates of sessions verify, also with declined questions and at δ > 0; one that states another implied
    /// answer, or calls what is implied open, does not.
    #[test]
    fn certificates_of_what_was_implied_verify_and_edited_ones_do_not(
        recipe in any_recipe(2..=3, 2..=5),
        n_rules in 1usize..=4,
        delta in prop::sample::select(vec![0.0, 0.0, 0.1]),
        declines in prop::collection::vec(prop::bool::weighted(0.2), 8),
    ) {
        let Some((case, person)) = ruled_case(recipe, n_rules) else { return Ok(()) };
        let plan = case.with(rules(delta, mindrel::selector::Selector::Decisive));
        let schema = plan.schema();
        let answers: Vec<Answer> =
            schema.ids().map(|id| schema.question(id).decode(&person[schema.columns(id)])).collect();
        let session = ended(&plan, &answers, &declines);
        if let Next::Done(decision) = session.next() {
            let certificate = session.certificate().expect("a decision has one");
            let verified = verify(&plan, &certificate);
            prop_assert!(verified.is_ok(), "{verified:?} of {certificate:?} {:?}", schema.implications());
            prop_assert_eq!(verified.map(|verified| verified.label), Ok(decision.label));
            if !certificate.narrowed.is_empty() {
                let wider = Certificate { narrowed: Vec::new(), ..certificate.clone() };
                prop_assert!(verify(&plan, &wider).is_err(), "a wider region is stated");
            }
            if let Some(implied) = certificate.implied.first() {
                let mut open = Certificate { implied: certificate.implied[1..].to_vec(), ..certificate.clone() };
                open.never_asked.push(implied.question.clone());
                prop_assert!(verify(&plan, &open).is_err(), "what is implied is called open");
            }
        }
    }

    /// No set of fewer questions settles what a smallest core set settles.
    #[test]
    fn a_smallest_core_set_is_smallest_among_possible_people(
        recipe in any_recipe(2..=3, 2..=4),
        n_rules in 1usize..=4,
    ) {
        let is_definite = recipe.is_definite();
        let Some((case, person)) = ruled_case(recipe, n_rules) else { return Ok(()) };
        let plan = case.with(Rules { budget: GENEROUS, ..Rules::default() });
        let is_core = |set: usize| {
            let known = known_when_revealed(&plan, &known_places(&plan, set));
            common_label(&plan, &possible_people(&plan, &person, &known)).is_some()
        };
        let n_questions = plan.sensitive().len();
        let fewest = (0..1usize << n_questions).filter(|&set| is_core(set)).map(|set| set.count_ones() as usize).min();
        let found = smallest_core_set(&plan, &person);
        prop_assert!(found.len() == fewest.expect("everything is core") || !is_definite, "{found:?}, {fewest:?}");
        prop_assert!(is_core(found.iter().map(|place| 1 << place).sum()) || !is_definite);
    }

    /// A rule that somebody meets never makes the fewest answers that settle their decision more.
    #[test]
    fn a_true_rule_never_enlarges_a_smallest_core_set(recipe in any_recipe(2..=3, 2..=4), n_rules in 1usize..=4) {
        let is_definite = recipe.is_definite();
        let Some((case, person)) = ruled_case(recipe, n_rules) else { return Ok(()) };
        let plan = case.with(Rules { budget: GENEROUS, ..Rules::default() });
        let without = with(&plan, Vec::new()).expect("no rules can be followed");
        let (fewer, more) = (smallest_core_set(&plan, &person), smallest_core_set(&without, &person));
        prop_assert!(fewer.len() <= more.len() || !is_definite, "{fewer:?} with rules, {more:?} without");
    }

    /// Rules that everybody meets change nothing.
    #[test]
    fn a_plan_with_vacuous_rules_decides_as_one_without(
        recipe in any_recipe(2..=3, 2..=5),
        selector in selector(),
        delta in prop::sample::select(vec![0.0, 0.1]),
    ) {
        let selector = affordable(selector, recipe.n_classes);
        let mut case = recipe.build();
        let schema = case.plan.schema().clone();
        let everything = |question: &Question| match &question.kind {
            Kind::Boolean => None,
            Kind::Category { levels, .. } => Some(AnswerSet::Levels(levels.clone())),
            Kind::Number { lower, upper, missing } | Kind::Integer { lower, upper, missing } => {
                let missing = *missing == Some(mindrel::schema::MissingNumber::Answer);
                Some(AnswerSet::Numbers(NumberSet { missing, ..NumberSet::between(*lower, *upper) }))
            }
        };
        let mut sets =
            schema.questions().iter().filter_map(|question| Some((question.name.clone(), everything(question)?)));
        let (Some(when), Some(then)) = (sets.next(), sets.next()) else { return Ok(()) };
        let rule = Implication { when: [when].into(), then: [then].into() };
        let ruled = with(&case.plan, vec![rule]).expect("everybody meets it");
        let with_rule = ruled.with_rules(rules(delta, selector)).expect("the same rules");
        let without = case.with(rules(delta, selector));
        for _ in 0..3 {
            let person = case.person();
            let (mut one, mut other) = (Walk::new(&with_rule), Walk::new(&without));
            prop_assert_eq!(one.decide(&person, 7), other.decide(&person, 7));
            prop_assert_eq!(one.revealed_places(), other.revealed_places());
        }
    }

    /// Somebody who breaks a rule is decided all the same, with the model's own label at the end of all questions, and a
    /// walk that saw it says so.
    #[test]
    fn somebody_who_breaks_a_rule_is_decided_and_named(
        recipe in any_recipe(2..=3, 2..=4),
        n_rules in 1usize..=4,
    ) {
        let Some((mut case, _)) = ruled_case(recipe, n_rules) else { return Ok(()) };
        let schema = case.plan.schema().clone();
        let outsider = (0..50).map(|_| case.person()).find(|person| breaks_a_rule(&schema, person));
        let Some(person) = outsider else { return Ok(()) };
        let mut walk = Walk::new(&case.plan);
        let (label, _) = walk.decide(&person, 1);
        if walk.revealed_places().len() == case.plan.sensitive().len() {
            prop_assert_eq!(label, case.plan.model().label(&person));
            prop_assert!(walk.breaks_rules() && walk.implied_places().is_empty());
        }
        prop_assert!(label < Label::new(3));
    }
}

proptest! {
    #![proptest_config(cases(400))]

    /// Linear models over numbers of any kind: the exact test against the vertices of every piece that rules cut a
    /// number into, where a linear function has its extremes.
    #[test]
    fn a_linear_proof_about_numbers_is_complete(
        recipe in recipe(2..=3, 2..=4),
        n_rules in 1usize..=3,
        set in any::<usize>(),
    ) {
        let mut case = with_rules(recipe.build(), n_rules);
        let Some(person) = somebody(&mut case) else { return Ok(()) };
        let revealed = known_places(&case.plan, set);
        let known = known_when_revealed(&case.plan, &revealed);
        let Some(people) = vertex_people(&case.plan, &person, &known) else { return Ok(()) };
        let common = common_label(&case.plan, &people);
        match certify(&case.plan, &person, &revealed, Budget::of(GENEROUS)) {
            Verdict::Core(label) => prop_assert_eq!(common, Some(label)),
            Verdict::Open(_) => prop_assert_eq!(common, None),
            Verdict::OutOfBudget => {}
        }
    }
}

/// Possible people at the ends of all pieces.
fn vertex_people(plan: &Plan, person: &[f64], known: &[bool]) -> Option<Vec<Vec<f64>>> {
    let schema = plan.schema();
    let mut people = vec![person.to_vec()];
    for id in schema.ids().filter(|id| !known[id.index()]) {
        let question = schema.question(id);
        let values = all_values(question.domain()).unwrap_or_else(|| piece_ends(schema, question));
        if people.len() * values.len() > 20_000 {
            return None;
        }
        let columns = schema.columns(id);
        let with = |person: Vec<f64>| {
            let columns = columns.clone();
            values.clone().into_iter().map(move |value| {
                let mut other = person.clone();
                other[columns.clone()].copy_from_slice(&value);
                other
            })
        };
        people = people.into_iter().flat_map(with).collect();
    }
    people.retain(|person| !encoded_breaks(schema, person));
    Some(people)
}

/// The bounds of a number's sets with their neighbours, and the ends of its domain, as the columns have them.
fn piece_ends(schema: &Schema, question: &Question) -> Vec<Vec<f64>> {
    let (Kind::Number { lower, upper, missing } | Kind::Integer { lower, upper, missing }) = question.kind else {
        unreachable!("other kinds have finitely many answers")
    };
    let sets = schema.implications().iter().flat_map(|rule| rule.when.iter().chain(&rule.then));
    let bounds = sets.filter(|(name, _)| **name == question.name).flat_map(|(_, set)| match set {
        AnswerSet::Numbers(set) => [set.from, set.to, set.above, set.below],
        _ => [None; 4],
    });
    let half = if missing.is_some() { 0.5 } else { 1.0 };
    let column = |value: f64| half * (-1.0 + 2.0 * ((value - lower) / (upper - lower)));
    let ends = bounds.flatten().chain([lower, upper]).map(column);
    let mut values: Vec<f64> = ends.flat_map(|end| [end.next_down(), end, end.next_up()]).collect();
    values.retain(|value| value.abs() <= half);
    if missing.is_some() {
        return values.into_iter().map(|value| vec![value; 2]).chain([MISSING.to_vec()]).collect();
    }
    values.into_iter().map(|value| vec![value]).collect()
}

/// Whether columns break a rule, whose bounds are compared as the columns have them.
fn encoded_breaks(schema: &Schema, person: &[f64]) -> bool {
    let meets = |(name, set): (&String, &AnswerSet)| {
        let id = schema.find(name).expect("a rule names questions");
        let (question, columns) = (schema.question(id), &person[schema.columns(id)]);
        match (&question.kind, set) {
            (Kind::Number { lower, upper, missing }, AnswerSet::Numbers(set)) => {
                if missing.is_some() && columns[0] - columns[1] >= 1.0 {
                    return set.missing;
                }
                let half = if missing.is_some() { 0.5 } else { 1.0 };
                let column = |value: f64| half * (-1.0 + 2.0 * ((value - lower) / (upper - lower)));
                set.from.is_none_or(|from| column(from) <= columns[0])
                    && set.to.is_none_or(|to| columns[0] <= column(to))
                    && set.above.is_none_or(|above| column(above) < columns[0])
                    && set.below.is_none_or(|below| columns[0] < column(below))
            }
            _ => lies_in(question, &question.decode(columns), set),
        }
    };
    schema.implications().iter().any(|rule| rule.when.iter().all(meets) && !rule.then.iter().all(meets))
}
