//! What a person meets: what follows is not asked, what contradicts is refused.

use super::*;
use mindrel::belief::GaussianBelief;
use mindrel::model::LinearModel;
use mindrel::plan::Rules;
use mindrel::schema::{AnswerError, Target};
use mindrel::selector::Selector;
use mindrel::session::{Answers, Next, Status};
use mindrel::{Label, Session};

fn sets<const N: usize>(sets: [(&str, AnswerSet); N]) -> std::collections::BTreeMap<String, AnswerSet> {
    sets.into_iter().map(|(name, set)| (name.to_owned(), set)).collect()
}

fn levels<const N: usize>(levels: [&str; N]) -> AnswerSet {
    AnswerSet::Levels(levels.map(str::to_owned).to_vec())
}

/// Whoever was never called before has no days since, and no outcome.
fn campaign(outside: bool) -> Plan {
    let mut days = Question::number("days", -1.0, 99.0);
    if outside {
        days = days.accepting_outside();
    }
    let questions =
        vec![Question::category("outcome", ["unknown", "failure", "success"]), days, Question::boolean("loan")];
    let schema = Schema::new(Target::new("deposit", "Will they?", ["no", "yes"]), questions).expect("a sound schema");
    let never = AnswerSet::Numbers(NumberSet::between(-1.0, -1.0));
    let some = AnswerSet::Numbers(NumberSet { from: Some(0.0), ..NumberSet::default() });
    let rules = vec![
        Implication { when: sets([("outcome", levels(["unknown"]))]), then: sets([("days", never)]) },
        Implication { when: sets([("outcome", levels(["failure", "success"]))]), then: sets([("days", some)]) },
    ];
    let schema = schema.with_implications(rules).expect("sound rules");
    // In order of importance: outcome, days, loan.
    let model = LinearModel::new(5, vec![4.0, -4.0, 3.0, 2.5, 2.0], vec![0.5]).expect("finite weights");
    let belief = GaussianBelief::new(vec![0.0; 5], diagonal(5)).expect("a sound belief");
    let rules = Rules { selector: Selector::Importance, ..Rules::default() };
    Plan::new(schema, model, belief, rules).expect("a sound plan")
}

fn diagonal(size: usize) -> Vec<f64> {
    (0..size * size).map(|entry| if entry % (size + 1) == 0 { 0.2 } else { 0.0 }).collect()
}

fn asked(session: &Session) -> Option<String> {
    let Next::Ask { question, .. } = session.next() else { return None };
    Some(session.plan().schema().question(question).name.clone())
}

#[test]
fn what_follows_from_an_answer_is_known_and_never_asked() {
    let plan = campaign(false);
    let mut session = Session::start(&plan, &Answers::new()).expect("nothing is public");
    assert_eq!(asked(&session).as_deref(), Some("outcome"));
    let id = plan.schema().find("outcome").expect("it is a question");
    session.answer(id, Answer::Level(0)).expect("a level");
    let implied: Vec<_> = session.implied().collect();
    assert_eq!(implied.len(), 1);
    let days = plan.schema().find("days").expect("it is a question");
    assert!(implied[0].question == days && implied[0].answer == Answer::Number(-1.0));
    assert_eq!(implied[0].follows_from, [id]);
    assert_eq!(session.status()[1], Status::Implied);
    assert_ne!(asked(&session).as_deref(), Some("days"));
    assert!(session.never_asked().all(|open| open != days));
}

#[test]
fn declining_the_premise_keeps_what_follows_from_it_open() {
    let plan = campaign(false);
    let mut session = Session::start(&plan, &Answers::new()).expect("nothing is public");
    session.decline(plan.schema().find("outcome").expect("it is a question")).expect("it is being asked");
    assert_eq!(session.implied().count(), 0);
    assert_eq!(asked(&session).as_deref(), Some("days"));
}

#[test]
fn going_back_takes_back_what_followed() {
    let plan = campaign(false);
    let mut session = Session::start(&plan, &Answers::new()).expect("nothing is public");
    let id = plan.schema().find("outcome").expect("it is a question");
    session.answer(id, Answer::Level(0)).expect("a level");
    assert!(session.back());
    assert_eq!((session.implied().count(), asked(&session).as_deref()), (0, Some("outcome")));
}

/// The person who once was called and has never been: the error names the questions, and no answer.
#[test]
fn an_answer_against_a_rule_is_refused_and_asked_again() {
    let plan = campaign(false);
    let mut session = Session::start(&plan, &Answers::new()).expect("nothing is public");
    let (outcome, days) = (plan.schema().find("outcome").expect("one"), plan.schema().find("days").expect("one"));
    session.answer(outcome, Answer::Level(2)).expect("a level");
    assert_eq!(asked(&session).as_deref(), Some("days"));
    let refused = session.answer(days, Answer::Number(-1.0)).expect_err("it contradicts the outcome");
    assert!(matches!(&refused, AnswerError::AgainstRule { others, .. } if *others == ["outcome"]), "{refused}");
    assert!(!refused.to_string().contains("success") && !refused.to_string().contains("-1"), "{refused}");
    assert_eq!(asked(&session).as_deref(), Some("days"));
    session.answer(days, Answer::Number(3.0)).expect("a possible answer");
    assert!(!session.breaks_rules());
}

/// A chain of questions: whoever says "a" to one cannot say "d" to the next. More than 4,096 combinations of pieces are
/// left.
#[test]
fn a_group_with_too_many_cells_is_bounded_by_single_rules_and_says_so() {
    let names: Vec<String> = (0..11).map(|place| format!("question {place}")).collect();
    let questions = names.iter().map(|name| Question::category(name, ["a", "b", "c", "d"])).collect();
    let schema = Schema::new(Target::new("class", "Which?", ["no", "yes"]), questions).expect("a sound schema");
    let rules = names.windows(2).map(|pair| Implication {
        when: [(pair[0].clone(), levels(["a"]))].into(),
        then: [(pair[1].clone(), levels(["a", "b", "c"]))].into(),
    });
    let schema = schema.with_implications(rules.collect()).expect("sound rules");
    let weights = (0..44).map(|column| f64::from(column * 7 % 11) - 5.0).collect();
    let model = LinearModel::new(44, weights, vec![3.5]).expect("finite weights");
    let belief = GaussianBelief::new(vec![0.25; 44], diagonal(44)).expect("a sound belief");
    let plan = Plan::new(schema, model, belief, Rules::default()).expect("a sound plan");
    assert_eq!(plan.relaxed().len(), 11);
    let inspection = mindrel::inspect::Inspection::of(&plan, &Answers::new(), 1).expect("nothing is public");
    assert!(inspection.guarantees[0].rests_on.contains("too many rules join question 0"), "{inspection:?}");
    let mut session = Session::start(&plan, &Answers::new()).expect("nothing is public");
    while let Next::Ask { question, .. } = session.next() {
        session.answer(question, Answer::Level(question.index() % 3)).expect("a level that breaks no rule");
    }
    let certificate = session.certificate().expect("it is decided");
    let verified = mindrel::verify::verify(&plan, &certificate).expect("by single rules as well");
    let person: Vec<f64> =
        (0..11).flat_map(|place| (0..4).map(move |level| f64::from(u8::from(level == place % 3)))).collect();
    assert_eq!(verified.label, plan.model().label(&person));
}

#[test]
fn where_outside_is_accepted_rules_say_nothing_of_somebody_who_breaks_one() {
    let plan = campaign(true);
    let mut session = Session::start(&plan, &Answers::new()).expect("nothing is public");
    let (outcome, days) = (plan.schema().find("outcome").expect("one"), plan.schema().find("days").expect("one"));
    session.answer(outcome, Answer::Level(2)).expect("a level");
    session.answer(days, Answer::Number(-1.0)).expect("whatever is outside is accepted");
    assert!(session.breaks_rules() && session.implied().count() == 0);
    while let Next::Ask { question, .. } = session.next() {
        session.answer(question, Answer::Boolean(true)).expect("yes");
    }
    let certificate = session.certificate().expect("it is decided");
    assert!(mindrel::verify::verify(&plan, &certificate).is_ok());
    assert_eq!(mindrel::verify::verify(&plan, &certificate).map(|verified| verified.label), Ok(Label::POSITIVE));
}

#[test]
fn a_session_is_resumed_where_it_stood_and_not_where_it_could_not() {
    let plan = campaign(false);
    let (outcome, days) = (plan.schema().find("outcome").expect("one"), plan.schema().find("days").expect("one"));
    let resumed = |plan: &Plan, steps: &[(mindrel::schema::QuestionId, Option<Answer>)]| {
        Session::resume(plan, Answers::new(), steps, None)
    };
    let never = (outcome, Some(Answer::Level(0)));
    let session = resumed(&plan, std::slice::from_ref(&never)).expect("this was asked");
    assert_eq!(session.implied().map(|implied| implied.question).collect::<Vec<_>>(), [days]);
    let not_asked = |refused| matches!(refused, Err(AnswerError::NotAsked { question }) if question == "days");
    for answer in [Some(Answer::Number(-1.0)), Some(Answer::Number(3.0)), None] {
        assert!(not_asked(resumed(&plan, &[never.clone(), (days, answer)]).map(|_| ())), "it followed");
    }
    let once = [(outcome, Some(Answer::Level(2))), (days, Some(Answer::Number(-1.0)))];
    let refused = resumed(&plan, &once).map(|_| ()).expect_err("it contradicts the outcome");
    assert!(matches!(&refused, AnswerError::AgainstRule { question, others }
        if question == "days" && *others == ["outcome"]));
    let accepting = campaign(true);
    assert!(resumed(&accepting, &once).expect("days may be anything").breaks_rules());
}

/// A rule may have several consequences, and what follows from one may imply another.
#[test]
fn what_follows_names_the_answers_it_follows_from_and_nothing_else() {
    let names = ["called", "outcome", "days", "previous"];
    let questions = vec![
        Question::boolean("called").public(),
        Question::category("outcome", ["unknown", "failure", "success"]),
        Question::number("days", -1.0, 99.0),
        Question::number("previous", 0.0, 100_000.0),
    ];
    let schema = Schema::new(Target::new("deposit", "Will they?", ["no", "yes"]), questions).expect("a sound schema");
    let number = |value| AnswerSet::Numbers(NumberSet::between(value, value));
    let some = AnswerSet::Levels(vec!["failure".to_owned(), "success".to_owned()]);
    let rules = vec![
        Implication { when: sets([("called", AnswerSet::Boolean(true))]), then: sets([("outcome", some.clone())]) },
        Implication { when: sets([("outcome", some)]), then: sets([("days", number(7.0))]) },
        Implication {
            when: sets([("outcome", levels(["unknown"]))]),
            then: sets([("days", number(-1.0)), ("previous", number(30_000.1))]),
        },
    ];
    let schema = schema.with_implications(rules).expect("sound rules");
    let model = LinearModel::new(6, vec![1.0, 2.0, -2.0, 2.0, 1.5, 1.0], vec![0.0]).expect("finite weights");
    let belief = GaussianBelief::new(vec![0.0; 6], diagonal(6)).expect("a sound belief");
    let rules = Rules { selector: Selector::Importance, ..Rules::default() };
    let plan = Plan::new(schema, model, belief, rules).expect("a sound plan");
    let told = |session: &Session| -> Vec<(String, Vec<String>)> {
        let name = |id: &mindrel::schema::QuestionId| plan.schema().question(*id).name.clone();
        let implied = session.implied();
        implied.map(|it| (name(&it.question), it.follows_from.iter().map(name).collect())).collect()
    };
    let started = |called: &str| {
        let public = Answers::parse(&plan, [("called", called)]).expect("yes or no");
        Session::start(&plan, &public).expect("public values")
    };
    let from = |implied: &str, premise: &str| (implied.to_owned(), vec![premise.to_owned()]);
    assert_eq!(told(&started("yes")), [from("days", "called")], "the outcome between them is not known");
    let mut session = started("no");
    assert_eq!(asked(&session).as_deref(), Some(names[1]));
    session.answer(plan.schema().find("outcome").expect("one"), Answer::Level(0)).expect("a level");
    assert_eq!(told(&session), [from("days", "outcome"), from("previous", "outcome")]);
    let previous = session.implied().nth(1).expect("two").answer;
    assert_eq!(previous, Answer::Number(30_000.1), "in the digits of the rule");
}

#[test]
fn public_answers_against_a_rule_are_refused_before_anybody_is_asked() {
    let questions = vec![
        Question::number("age", 0.0, 120.0).public(),
        Question::boolean("married").public(),
        Question::number("income", 0.0, 9.0),
    ];
    let schema = Schema::new(Target::new("y", "y?", ["no", "yes"]), questions).expect("a sound schema");
    let young = AnswerSet::Numbers(NumberSet { below: Some(18.0), ..NumberSet::default() });
    let rule = Implication { when: sets([("age", young)]), then: sets([("married", AnswerSet::Boolean(false))]) };
    let schema = schema.with_implications(vec![rule]).expect("a sound rule");
    let model = LinearModel::new(3, vec![1.0; 3], vec![0.0]).expect("finite weights");
    let belief = GaussianBelief::new(vec![0.0; 3], diagonal(3)).expect("a sound belief");
    let plan = Plan::new(schema, model, belief, Rules::default()).expect("a sound plan");
    let public = |pairs: &[(&str, &str)]| Answers::parse(&plan, pairs.iter().copied()).expect("public answers");
    let both = public(&[("age", "17"), ("married", "yes")]);
    let refused = Session::start(&plan, &both).map(|_| ()).expect_err("nobody is");
    assert!(matches!(&refused, AnswerError::AgainstRule { question, others }
        if question == "married" && *others == ["age"]));
    assert_eq!(Session::check_public(&plan, &both), Err(refused));
    assert_eq!(Session::check_public(&plan, &public(&[("age", "17")])), Ok(()), "the other is still to be asked");
    assert!(Session::start(&plan, &public(&[("age", "18"), ("married", "yes")])).is_ok());
}
