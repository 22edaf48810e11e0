//! What a session never does: ask twice, ask what is public, let a refusal decide, or show what a person said.

use crate::common::*;
use mindrel::belief::{BeliefError, GaussianBelief};
use mindrel::core_test::Guarantee;
use mindrel::model::{LinearModel, Model, ModelError};
use mindrel::optimal::proves;
use mindrel::plan::{Plan, Rules};
use mindrel::schema::{Answer, AnswerError, Kind, Placement, Question, QuestionId, Schema, Visibility};
use mindrel::selector::Selector;
use mindrel::session::{Answers, Next, PastStep, Session, Stage, Walk};
use mindrel::{Label, People};
use proptest::prelude::*;

/// What a person does with the questions of a session, in order; the last one goes on for ever.
type Declines = Vec<bool>;

fn declines() -> impl Strategy<Value = Declines> {
    prop::collection::vec(prop::bool::weighted(0.3), 8)
}

fn delta() -> impl Strategy<Value = f64> {
    prop::sample::select(vec![0.0, 0.01, 0.1, 0.3])
}

/// Runs a session to its end; returns what was asked, in order.
fn run(session: &mut Session, answers: &[Answer], declines: &[bool]) -> Vec<QuestionId> {
    let mut asked = Vec::new();
    while let Next::Ask { question, .. } = session.next() {
        if declines[asked.len() % declines.len()] {
            session.decline(question).expect("it is being asked");
        } else {
            let answer = answers[question.index()].clone();
            session.answer(question, answer).expect("an answer of its kind");
        }
        asked.push(question);
    }
    asked
}

/// The label at every vertex of what a session does not know.
fn label_whatever_is_open(session: &Session, answers: &[Answer]) -> Option<Label> {
    let plan = session.plan();
    let known: Vec<bool> = plan.schema().ids().map(|id| session.answers().get(id).is_some()).collect();
    label_of_all_vertices(plan, &encode(plan.schema(), answers), &known)
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn a_session_asks_each_sensitive_question_at_most_once_and_nothing_else(
        recipe in recipe(2..=4, 1..=6),
        selector in selector(),
        delta in delta(),
        declines in declines(),
    ) {
        let mut case = recipe.build();
        let plan = case.with(rules(delta, selector));
        let answers = case.answers();
        let mut session = start(&plan, &answers);
        let asked = run(&mut session, &answers, &declines);
        for (place, id) in asked.iter().enumerate() {
            prop_assert_eq!(plan.schema().question(*id).visibility, Visibility::Sensitive);
            prop_assert!(!asked[..place].contains(id), "{id:?} was asked twice");
        }
        let accounted = session.revealed().count() + session.declined().len() + session.never_asked().count();
        prop_assert_eq!(accounted, plan.sensitive().len());
        prop_assert_eq!(session.revealed().count() + session.declined().len(), asked.len());
        prop_assert!(session.never_asked().all(|id| !asked.contains(&id)));
    }

    /// What is asserted as proved holds for every value of what was declined or never asked; what cannot be, is not
    /// asserted.
    #[test]
    fn a_proof_holds_whatever_the_declined_and_open_answers_are(
        recipe in recipe(2..=4, 1..=6),
        selector in selector(),
        delta in delta(),
        declines in declines(),
    ) {
        let mut case = recipe.build();
        let plan = case.with(rules(delta, selector));
        let answers = case.answers();
        let mut session = start(&plan, &answers);
        run(&mut session, &answers, &declines);
        let common = label_whatever_is_open(&session, &answers);
        match session.next() {
            Next::Ask { .. } => prop_assert!(false, "the session has ended"),
            Next::Done(decision) => {
                prop_assert_eq!(decision.n_revealed, session.revealed().count());
                match decision.guarantee {
                    Guarantee::Complete | Guarantee::Proved => prop_assert_eq!(common, Some(decision.label)),
                    Guarantee::Sampled => prop_assert!(false, "nothing is sampled unless the rules say so"),
                    Guarantee::Probable => {
                        prop_assert!(delta > 0.0 && common.is_none());
                        let outlook = session.outlook();
                        prop_assert_eq!(outlook.label, decision.label);
                        prop_assert!(outlook.probability >= 1.0 - delta);
                    }
                }
                prop_assert!(session.certificate().is_some());
            }
            Next::Undecided(outlook) => {
                prop_assert_eq!(common, None);
                prop_assert!(!session.declined().is_empty());
                prop_assert!((0.0..=1.0).contains(&outlook.probability));
                prop_assert!(session.certificate().is_none());
            }
        }
    }

    #[test]
    fn who_declines_everything_is_undecided_unless_nothing_had_to_be_asked(
        recipe in recipe(2..=4, 1..=6),
        selector in selector(),
    ) {
        let mut case = recipe.build();
        let plan = case.with(rules(0.0, selector));
        let answers = case.answers();
        let mut session = start(&plan, &answers);
        let settled_at_once = matches!(session.next(), Next::Done(_));
        let asked = run(&mut session, &answers, &[true]);
        match session.next() {
            Next::Done(_) => prop_assert!(settled_at_once && asked.is_empty()),
            next => {
                prop_assert!(matches!(next, Next::Undecided(_)));
                prop_assert!(!asked.is_empty());
            }
        }
    }

    /// Once what was declined keeps every label from being proved, asking on would only collect answers that cannot
    /// help.
    #[test]
    fn a_session_ends_early_only_if_no_answer_to_the_rest_could_prove_anything(
        recipe in recipe(2..=3, 2..=5),
        selector in selector(),
        declines in declines(),
    ) {
        let mut case = recipe.build();
        let plan = case.with(rules(0.0, selector));
        let answers = case.answers();
        let mut session = start(&plan, &answers);
        run(&mut session, &answers, &declines);
        let rest: Vec<QuestionId> = session.never_asked().collect();
        if !matches!(session.next(), Next::Undecided(_)) || rest.is_empty() {
            return Ok(());
        }
        let declined = |id: &QuestionId| session.declined().contains(id);
        let revealed: Vec<usize> =
            plan.sensitive().iter().enumerate().filter(|(_, id)| !declined(id)).map(|(place, _)| place).collect();
        let mut person = encode(plan.schema(), &answers);
        let combinations: usize = rest.iter().map(|&id| plan.schema().question(id).domain().n_vertices()).product();
        for mut combination in 0..combinations {
            for &id in &rest {
                let domain = plan.schema().question(id).domain();
                let vertex = combination % domain.n_vertices();
                combination /= domain.n_vertices();
                for (place, column) in plan.schema().columns(id).enumerate() {
                    person[column] = domain.vertex_value(vertex, place);
                }
            }
            for label in 0..plan.schema().target().classes.len() {
                prop_assert!(!proves(&plan, &person, Label::new(label), &revealed));
            }
        }
    }

    #[test]
    fn the_same_answers_bring_the_same_questions(
        recipe in recipe(2..=4, 1..=6),
        selector in selector(),
        delta in delta(),
        declines in declines(),
    ) {
        let mut case = recipe.build();
        let answers = case.answers();
        let plan = case.with(rules(delta, selector));
        let (mut first, mut second) = (start(&plan, &answers), start(&plan, &answers));
        let asked = run(&mut first, &answers, &declines);
        prop_assert_eq!(&asked, &run(&mut second, &answers, &declines));
        prop_assert_eq!(first.next(), second.next());
        // A plan made anew, and a session on the same thread after others, are no different.
        let again = recipe.build().with(rules(delta, selector));
        let mut third = start(&again, &answers);
        prop_assert_eq!(&asked, &run(&mut third, &answers, &declines));
        prop_assert_eq!(first.next(), third.next());
    }

    /// For every family, belief and selector: only the last step is worked out for some of them.
    #[test]
    fn a_session_taken_up_stands_where_it_was_left(
        recipe in any_recipe(2..=3, 1..=6),
        selector in selector(),
        delta in delta(),
        declines in declines(),
    ) {
        let mut case = recipe.build();
        let answers = case.answers();
        let plan = case.with(Rules { budget: 500_000, ..rules(delta, selector) });
        let mut session = start(&plan, &answers);
        let public = session.answers().clone();
        let mut steps: Vec<PastStep> = Vec::new();
        loop {
            let taken_up = Session::resume(&plan, public.clone(), &steps, None).expect("what was answered before");
            prop_assert_eq!(session.next(), taken_up.next());
            prop_assert_eq!(session.outlook(), taken_up.outlook());
            let now = |step: &&usize| **step == steps.len();
            prop_assert_eq!(session.out_of_budget().iter().find(now), taken_up.out_of_budget().first());
            prop_assert!(session.certificate() == taken_up.certificate());
            let Next::Ask { question, .. } = session.next() else { break };
            let answer = (!declines[steps.len() % declines.len()]).then(|| answers[question.index()].clone());
            match &answer {
                Some(answer) => drop(session.answer(question, answer.clone()).expect("an answer of its kind")),
                None => session.decline(question).expect("it is being asked"),
            }
            steps.push((question, answer));
        }
        // What is put twice, or is public, was never asked.
        if let Some(first) = steps.first().cloned() {
            steps.push(first);
            prop_assert!(Session::resume(&plan, public.clone(), &steps, None).is_err());
        }
        let known = public.questions().next();
        if let Some(question) = known {
            prop_assert!(Session::resume(&plan, public, &[(question, None)], None).is_err());
        }
    }

    #[test]
    fn an_answer_to_a_question_that_is_not_asked_is_an_error_and_changes_nothing(
        recipe in recipe(2..=4, 2..=6),
        selector in selector(),
        declines in declines(),
    ) {
        let mut case = recipe.build();
        let answers = case.answers();
        let plan = case.with(rules(0.0, selector));
        let mut session = start(&plan, &answers);
        let mut steps = 0;
        loop {
            let before = session.next();
            let asked = match &before {
                Next::Ask { question, .. } => Some(*question),
                _ => None,
            };
            let known = session.answers().clone();
            for id in plan.schema().ids().filter(|id| Some(*id) != asked) {
                let name = plan.schema().question(id).name.clone();
                let error = Err(AnswerError::NotAsked { question: name.clone() });
                prop_assert_eq!(session.answer(id, answers[id.index()].clone()), error);
                prop_assert_eq!(session.decline(id), Err(AnswerError::NotAsked { question: name }));
            }
            prop_assert_eq!(session.next(), before);
            prop_assert_eq!(session.answers(), &known);
            let Some(question) = asked else { break };
            if declines[steps % declines.len()] {
                session.decline(question).unwrap();
            } else {
                session.answer(question, answers[question.index()].clone()).unwrap();
            }
            steps += 1;
        }
    }

    /// An answer of the wrong kind is refused, and the question stays asked.
    #[test]
    fn an_answer_of_another_kind_is_an_error_and_changes_nothing(recipe in recipe(2..=3, 1..=5)) {
        let mut case = recipe.build();
        let answers = case.answers();
        let mut session = start(&case.plan, &answers);
        while let Next::Ask { question, .. } = session.next() {
            let before = session.next();
            let wrong = match case.plan.schema().question(question).kind {
                Kind::Number { .. } | Kind::Integer { .. } => {
                    vec![Answer::Boolean(true), Answer::Level(0), Answer::Number(f64::NAN), Answer::Number(f64::INFINITY)]
                }
                Kind::Boolean => vec![Answer::Number(1.0), Answer::Level(1)],
                Kind::Category { .. } => vec![Answer::Number(1.0), Answer::Boolean(true), Answer::Level(99)],
            };
            for answer in wrong {
                prop_assert!(session.answer(question, answer).is_err());
                prop_assert_eq!(session.next(), before.clone());
                prop_assert!(session.answers().get(question).is_none());
            }
            session.answer(question, answers[question.index()].clone()).unwrap();
        }
    }

    /// Sessions on answers and walks on encoded columns are the same thing.
    #[test]
    fn a_session_and_a_walk_ask_the_same(
        recipe in recipe(2..=4, 1..=6),
        selector in selector(),
        delta in delta(),
    ) {
        let mut case = recipe.build();
        let answers = case.answers();
        let plan = case.with(rules(delta, selector));
        let mut session = start(&plan, &answers);
        let asked = run(&mut session, &answers, &[false]);
        let mut walk = Walk::new(&plan);
        let (label, guarantee) = walk.decide(&encode(plan.schema(), &answers), plan.rules().seed);
        prop_assert_eq!(walk.revealed().collect::<Vec<_>>(), asked);
        let Next::Done(decision) = session.next() else { return Err(TestCaseError::fail("nothing was declined")) };
        prop_assert_eq!((decision.label, decision.guarantee), (label, guarantee));
    }

    #[test]
    fn public_questions_must_be_answered_and_sensitive_ones_must_not(recipe in recipe(2..=3, 1..=6)) {
        let mut case = recipe.build();
        let answers = case.answers();
        let public = public_answers(&case.plan, &answers);
        for id in case.plan.schema().ids() {
            let mut changed = Answers::new();
            for other in public.questions().filter(|other| *other != id) {
                changed.insert(other, answers[other.index()].clone());
            }
            let question = case.plan.schema().question(id).name.clone();
            let expected = if case.plan.schema().question(id).visibility == Visibility::Public {
                AnswerError::PublicMissing { question }
            } else {
                changed.insert(id, answers[id.index()].clone());
                AnswerError::NotPublic { question }
            };
            prop_assert_eq!(Session::start(&case.plan, &changed).err(), Some(expected));
        }
    }
}

/// A duplicate of a column, on another scale, tells exactly as much as the column itself; which of the two is asked
/// first is decided by rounding. It must not depend on who walked the shared paths before: here people who were asked
/// in other orders, by the Monte Carlo selector with a single draw.
#[test]
fn exact_ties_between_questions_are_broken_the_same_way_whoever_came_before() {
    for seed in 0..100 {
        let case = numbers(2, 6, seed).build();
        let mut people = case.sample.clone();
        for person in &mut people {
            person[5] = 0.3 * person[3];
        }
        let plan = || {
            let (schema, model) = (case.plan.schema().clone(), case.plan.model().clone());
            Plan::new(schema, model, moments(&people), rules(0.0, Selector::FScore)).unwrap()
        };
        let (fresh, used) = (plan(), plan());
        let drawing = Rules { draws: 1, ..rules(0.0, Selector::FScoreMc) };
        let drawing = used.with_rules(drawing).unwrap();
        for (other, person) in people.iter().enumerate().take(30) {
            Walk::new(&drawing).decide(person, other as u64);
        }
        for person in &people[..5] {
            let asked = questions_asked(&fresh, person, 0);
            assert_eq!(asked, questions_asked(&used, person, 0), "seed {seed}");
        }
    }
}

/// Answers are taken back one by one, and given again; the session is as if nothing had been.
fn there_and_back(plan: &Plan, answers: &[Answer], declines: &[bool]) -> Result<(), TestCaseError> {
    let mut session = start(plan, answers);
    let before = (session.next(), session.outlook());
    let asked = run(&mut session, answers, declines);
    let end = (session.next(), session.certificate(), session.out_of_budget().to_vec());
    for n_left in (0..asked.len()).rev() {
        prop_assert!(session.back());
        let Next::Ask { question, .. } = session.next() else { panic!("it was asked before") };
        prop_assert_eq!(question, asked[n_left]);
        prop_assert_eq!(session.revealed().count() + session.declined().len(), n_left);
    }
    prop_assert!(!session.back());
    prop_assert_eq!((session.next(), session.outlook()), before);
    prop_assert_eq!(run(&mut session, answers, declines), asked);
    prop_assert_eq!((session.next(), session.certificate(), session.out_of_budget().to_vec()), end);
    Ok(())
}

proptest! {
    #[test]
    fn taking_answers_back_undoes_them(
        recipe in recipe(2..=3, 1..=6),
        selector in prop::sample::select(vec![Selector::Decisive, Selector::FScore, Selector::Random]),
        delta in delta(),
        declines in declines(),
    ) {
        let mut case = recipe.build();
        let answers = case.answers();
        there_and_back(&case.with(rules(delta, selector)), &answers, &declines)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A budget of one part runs out often.
    #[test]
    fn taking_answers_of_a_network_back_undoes_them(
        recipe in network_recipe(2..=3, 2..=5),
        budget in prop::sample::select(vec![1, 100_000]),
        declines in declines(),
    ) {
        let mut case = recipe.build();
        let answers = case.answers();
        let plan = case.with(Rules { budget, ..rules(0.0, Selector::Decisive) });
        there_and_back(&plan, &answers, &declines)?;
    }
}

/// A plan that asks for the age, and settles 150 years without the income.
fn plan_with_age(age: Question) -> Plan {
    let schema = Schema::new(target(2), vec![age, Question::number("income", 0.0, 10.0)]).unwrap();
    let model = LinearModel::new(2, vec![1.0, 0.25], vec![0.0]).unwrap();
    let belief = moments(&[vec![-0.5, 0.2], vec![0.1, -0.4], vec![0.9, 0.3]]);
    Plan::new(schema, model, belief, rules(0.0, Selector::Importance)).unwrap()
}

fn outside_age() -> AnswerError {
    AnswerError::Outside { question: "age".to_owned(), choices: "0 to 100".to_owned() }
}

#[test]
fn a_value_outside_its_domain_is_refused_and_its_question_is_still_asked() {
    let plan = plan_with_age(Question::number("age", 0.0, 100.0));
    let mut session = start(&plan, &[]);
    let (age, before) = (QuestionId::new(0), session.next());
    for value in [150.0, -1e9, 100.000_001] {
        assert_eq!(session.answer(age, Answer::Number(value)), Err(outside_age()));
        assert_eq!((session.next(), session.answers().questions().count()), (before.clone(), 0));
        let steps = [(age, Some(Answer::Number(value)))];
        assert_eq!(Session::resume(&plan, Answers::new(), &steps, None).err(), Some(outside_age()));
    }
    assert_eq!(session.answer(age, Answer::Number(100.0)), Ok(Placement::Inside));
}

#[test]
fn a_public_value_outside_its_domain_starts_no_session() {
    let plan = plan_with_age(Question::number("age", 0.0, 100.0).public());
    let public = |value| Answers::parse(&plan, [("age", value)]).unwrap();
    assert_eq!(Session::start(&plan, &public("-1000000000")).err(), Some(outside_age()));
    assert_eq!(Session::resume(&plan, public("101"), &[], None).err(), Some(outside_age()));
    assert!(Session::start(&plan, &public("0")).is_ok());
}

/// What is not written down leaves the fingerprint of plans made before it alone.
#[test]
fn accepting_values_outside_is_part_of_the_plan_only_where_it_is_said() {
    let written = |age| serde_json::to_string(&plan_with_age(age).to_parts()).unwrap();
    let age = || Question::number("age", 0.0, 100.0);
    assert!(!written(age()).contains("outside"));
    assert!(written(age().accepting_outside()).contains("\"outside\":\"accept\""));
    let fingerprints = [age(), age().accepting_outside()].map(|age| plan_with_age(age).fingerprint());
    assert_ne!(fingerprints[0], fingerprints[1]);
}

#[test]
fn a_value_outside_its_domain_is_taken_as_it_is_where_the_question_accepts_it() {
    let plan = plan_with_age(Question::number("age", 0.0, 100.0).accepting_outside());
    let mut session = start(&plan, &[]);
    let age = QuestionId::new(0);
    assert_eq!(session.answer(age, Answer::Number(150.0)), Ok(Placement::Outside));
    // 2 − 0.25 > 0 wherever the income lies.
    let Next::Done(decision) = session.next() else { panic!("2 ± 0.25 is settled") };
    assert_eq!((decision.label, decision.guarantee), (Label::POSITIVE, Guarantee::Proved));
    assert_eq!(plan.model().label(&[2.0, -1.0]), Label::POSITIVE);
}

/// A number nobody writes by chance, in the forms it could show itself in.
const SENTINEL: f64 = 7_318_264.906_25;
const SENTINEL_TRACES: [&str; 3] = ["7318264", "7.318264", "318264"];
/// A level nobody writes by chance.
const SENTINEL_LEVEL: &str = "quixotic";

fn assert_silent(what: &str, shown: &str) {
    for trace in SENTINEL_TRACES.iter().chain([&SENTINEL_LEVEL]) {
        assert!(!shown.contains(trace), "{what} shows an answer: {shown}");
    }
}

#[test]
fn no_debug_output_and_no_error_shows_what_a_person_said() {
    let questions = vec![
        Question::number("income", 0.0, 1e7),
        Question::category("home", ["own", SENTINEL_LEVEL]),
        Question::number("spare", -1.0, 1.0),
    ];
    let schema = Schema::new(target(2), questions).unwrap();
    let model = LinearModel::new(4, vec![1.0, 0.5, -0.5, 9.0], vec![0.0]).unwrap();
    let belief = moments(&[vec![-0.5, 0.0, 1.0, 0.5], vec![0.1, 1.0, 0.0, -0.25], vec![0.7, 0.0, 1.0, 0.1]]);
    let plan = Plan::new(schema.clone(), model, belief, rules(0.0, Selector::Random)).unwrap();
    let answers = [Answer::Number(SENTINEL), Answer::Level(1), Answer::Number(0.875)];
    let mut session = start(&plan, &answers);
    while let Next::Ask { question, .. } = session.next() {
        // The wrong answers leave their value in no error either.
        let wrong = [Answer::Number(SENTINEL), Answer::Level(1), Answer::Level(7_318_264), Answer::Boolean(true)];
        for answer in wrong {
            let shown = format!("{:?} {answer:?}", session_error(&session, question, answer.clone()));
            assert_silent("an error", &shown);
        }
        session.answer(question, answers[question.index()].clone()).unwrap();
        assert_silent("a session", &format!("{session:?} {session:#?}"));
    }
    // The plan itself lists the levels, so a session must not show the plan.
    assert_silent("a session", &format!("{session:?}"));
    let certificate = session.certificate().expect("settled");
    assert_silent("a certificate", &format!("{certificate:?} {certificate:#?}"));
    assert_silent("answers", &format!("{:?} {:#?}", session.answers(), session.answers()));
    assert_silent("an answer", &format!("{:?}", answers));
    let encoded = encode(&schema, &answers);
    let walk = begun(&plan, &encoded, 0);
    assert_silent("a walk", &format!("{walk:?} {walk:#?}"));
    let mut people = People::new(1);
    people.push(1)[0] = SENTINEL;
    assert_silent("people", &format!("{people:?} {:?}", people.person(0)));
    for (name, text) in
        [("income", "7318264.90625 euros"), ("income", "quixotic"), ("home", "quixotic!"), ("spare", "quixotic")]
    {
        let error = Answers::parse(&plan, [(name, text)]).unwrap_err();
        let shown = format!("{error:?}");
        // The levels to choose from are the schema's, not the person's; nothing else may come from the text.
        let shown = if name == "home" { shown.replace("own / quixotic", "") } else { shown };
        assert_silent("a parse error", &shown);
    }
}

/// What a session says to an answer to another question than the one asked.
fn session_error(session: &Session, asked: QuestionId, answer: Answer) -> Option<AnswerError> {
    let plan = session.plan();
    let mut other = Session::start(plan, &Answers::new()).ok()?;
    let wrong = plan.schema().ids().find(|id| *id != asked)?;
    let not_asked = other.answer(wrong, answer.clone()).err();
    let mut row = vec![0.0; plan.schema().n_columns()];
    let _ = plan.schema().encode(asked, &answer, &mut row).map_err(|error| assert_silent_error(&error));
    not_asked
}

/// The levels a question offers are the schema's own words and may be named.
fn assert_silent_error(error: &AnswerError) {
    let shown = format!("{error:?} {error}").replace("own / quixotic", "");
    assert_silent("an error", &shown);
}

/// A plan that has nothing to ask decides at once, by the model.
#[test]
fn a_plan_without_sensitive_questions_is_complete_at_once() {
    let schema = Schema::new(target(2), vec![Question::number("x", -1.0, 1.0).public()]).unwrap();
    let model = LinearModel::new(1, vec![1.0], vec![0.0]).unwrap();
    let plan = Plan::new(schema, model, moments(&[vec![-1.0], vec![1.0]]), Rules::default()).unwrap();
    let session = start(&plan, &[Answer::Number(-0.5)]);
    let Next::Done(decision) = session.next() else { panic!("nothing to ask") };
    assert_eq!((decision.label, decision.guarantee), (Label::NEGATIVE, Guarantee::Complete));
}

/// Sums of such numbers overflow or become NaN, and once made a false proof, a probability of NaN or a panic.
#[test]
fn numbers_beyond_all_bounds_are_refused_before_anything_is_asked() {
    assert!(matches!(LinearModel::new(1, vec![1e70], vec![0.0]), Err(ModelError::TooLarge)));
    assert!(matches!(GaussianBelief::new(vec![0.0], vec![1e70]), Err(BeliefError::NotFinite)));
    let question = Question::number("income", 0.0, 1.0);
    let too_large = question.encode(&Answer::Number(1e308), &mut [0.0]);
    assert!(matches!(too_large, Err(AnswerError::TooLarge { .. })), "{too_large:?}");
}

/// Products of subnormal numbers lose all their digits; a plain sum of them once proved the wrong label.
#[test]
fn weights_that_underflow_prove_nothing() {
    let tiny = f64::from_bits(1);
    let questions = (0..3).map(|index| Question::number(format!("q{index}"), -1.0, 1.0).public());
    let questions = questions.chain([Question::number("open", -1.0, 1.0)]).collect();
    let schema = Schema::new(target(2), questions).expect("the questions are sound");
    let model = LinearModel::new(4, vec![tiny, tiny, tiny, 0.0], vec![-tiny]).expect("finite");
    let belief = GaussianBelief::new(vec![0.0; 4], vec![0.0; 16]).expect("it is a covariance");
    let plan = Plan::new(schema, model, belief, Rules::default()).expect("the parts fit");
    let mut walk = Walk::new(&plan);
    walk.begin(&[0.4, 0.4, 0.4, 0.0], 0);
    assert!(matches!(walk.stage(), Stage::Asking { .. }), "{:?}", walk.stage());
}

#[test]
fn a_question_of_another_plan_is_an_error_and_no_panic() {
    let mut case = numbers(2, 3, 1).build();
    let answers = case.answers();
    let mut session = start(&case.plan, &answers);
    assert!(session.answer(QuestionId::new(99), Answer::Number(0.0)).is_err());
    assert!(session.decline(QuestionId::new(99)).is_err());
    let mut foreign = Answers::new();
    foreign.insert(QuestionId::new(99), Answer::Number(0.0));
    assert!(Session::start(&case.plan, &foreign).is_err());
    assert_eq!(Question::boolean("owner").show(&Answer::Level(7)), "");
}
