//! Certificates: true ones are accepted, and no false one is.

use crate::common::*;
use mindrel::Label;
use mindrel::belief::GaussianBelief;
use mindrel::certificate::{Certificate, Stated};
use mindrel::core_test::Guarantee;
use mindrel::model::{LinearModel, Model};
use mindrel::optimal::proves;
use mindrel::plan::{Plan, Rules};
use mindrel::schema::StatedAnswer;
use mindrel::schema::{Answer, Question, QuestionId, Schema, Visibility};
use mindrel::selector::Selector;
use mindrel::session::{Answers, Next, Session};
use mindrel::verify::{Refutation, VerifyError, verify};
use proptest::prelude::*;

/// Two ways of working out a probability differ by rounding for up to four classes, and by the lattice's error for more
/// (`verify` allows 5e-4); a stated probability further off than this is false.
const PROBABILITY_EDIT: f64 = 0.01;

fn rules_of(delta: f64, selector: Selector) -> Rules {
    rules(delta, selector)
}

/// A number three times as far out, and further; everything else as it is.
fn moved_outside(answer: Answer) -> Answer {
    match answer {
        Answer::Number(value) => Answer::Number(3.0 * value + 20.0),
        other => other,
    }
}

fn certificate(plan: &Plan, answers: &[Answer], declines: &[bool]) -> Option<Certificate> {
    ended(plan, answers, declines).certificate()
}

/// What a certificate says is known, read back: the encoded person and which questions are known.
fn stated_person(plan: &Plan, certificate: &Certificate) -> Option<(Vec<f64>, Vec<bool>)> {
    let schema = plan.schema();
    let mut person = vec![0.0; schema.n_columns()];
    let mut known = vec![false; schema.questions().len()];
    for stated in certificate.public.iter().chain(&certificate.revealed) {
        let id = schema.find(&stated.question)?;
        let answer = schema.question(id).accept(&stated.answer).ok()?;
        schema.encode(id, &answer, &mut person).ok()?;
        known[id.index()] = true;
    }
    Some((person, known))
}

/// Whether everything a certificate says is true, found out without `verify`: the statement about the label by all
/// vertices or by the direct formula's probability, the questions by asking them again on a plan made anew.
fn is_true(fresh: &Plan, certificate: &Certificate) -> bool {
    let Some((person, known)) = stated_person(fresh, certificate) else { return false };
    let schema = fresh.schema();
    let Some(label) = schema.target().classes.iter().position(|class| *class == certificate.label) else {
        return false;
    };
    let label = Label::new(label);
    let common = label_of_all_vertices(fresh, &person, &known);
    let holds = match certificate.guarantee {
        Guarantee::Complete => known.iter().all(|known| *known) && common == Some(label),
        Guarantee::Proved => common == Some(label),
        Guarantee::Sampled => false,
        Guarantee::Probable => true,
    };
    let rules = certificate.rules;
    let Ok(plan) = fresh.with_rules(rules) else { return false };
    holds && certificate.plan == plan.fingerprint().to_string() && asked_as_stated(&plan, certificate)
}

/// Whether the plan, put the same questions to a person who answers and declines as stated, ends in the same
/// certificate.
fn asked_as_stated(plan: &Plan, stated: &Certificate) -> bool {
    let schema = plan.schema();
    let mut answers = vec![None; schema.questions().len()];
    for stated in stated.public.iter().chain(&stated.revealed) {
        let id = schema.find(&stated.question).expect("read before");
        answers[id.index()] = schema.question(id).accept(&stated.answer).ok();
    }
    let mut public = Answers::new();
    for id in schema.ids_with(Visibility::Public) {
        let Some(answer) = answers[id.index()].clone() else { return false };
        public.insert(id, answer);
    }
    let Ok(mut session) = Session::start(plan, &public) else { return false };
    while let Next::Ask { question, .. } = session.next() {
        if stated.declined.contains(&schema.question(question).name) {
            session.decline(question).expect("it is being asked");
        } else if let Some(answer) = answers[question.index()].clone() {
            session.answer(question, answer).expect("read by the question");
        } else {
            return false;
        }
    }
    let Some(made) = session.certificate() else { return false };
    let close = |left: Option<f64>, right: Option<f64>| match (left, right) {
        (Some(left), Some(right)) => (left - right).abs() <= PROBABILITY_EDIT,
        (left, right) => left.is_none() && right.is_none(),
    };
    close(made.probability, stated.probability)
        && close(made.worst_margin, stated.worst_margin)
        && Certificate { probability: None, worst_margin: None, ..made }
            == Certificate { probability: None, worst_margin: None, ..stated.clone() }
}

/// One thing changed in a certificate.
#[derive(Debug, Clone, Copy)]
enum Mutation {
    OtherLabel(usize),
    OtherAnswer(usize),
    OtherPublicAnswer(usize),
    RevealedWasNeverAsked(usize),
    RevealedWasDeclined(usize),
    DeclinedWasNeverAsked(usize),
    NeverAskedWasDeclined(usize),
    NeverAskedWasRevealed(usize),
    QuestionLeftOut(usize),
    QuestionTwice(usize),
    OrderReversed,
    ProbabilityUp,
    ProbabilityDown,
    ProbabilityDropped,
    MarginEdited,
    MarginDropped,
    LowerDelta,
    HigherDelta,
    OtherPlan,
    OtherSelector(usize),
    OtherSeed,
    OtherGuarantee(usize),
    OtherVersion,
}

fn mutation() -> impl Strategy<Value = Mutation> {
    use Mutation::*;
    let place = 0usize..6;
    prop_oneof![
        place.clone().prop_map(OtherLabel),
        place.clone().prop_map(OtherAnswer),
        place.clone().prop_map(OtherPublicAnswer),
        place.clone().prop_map(RevealedWasNeverAsked),
        place.clone().prop_map(RevealedWasDeclined),
        place.clone().prop_map(DeclinedWasNeverAsked),
        place.clone().prop_map(NeverAskedWasDeclined),
        place.clone().prop_map(NeverAskedWasRevealed),
        place.clone().prop_map(QuestionLeftOut),
        place.clone().prop_map(QuestionTwice),
        Just(OrderReversed),
        Just(ProbabilityUp),
        Just(ProbabilityDown),
        Just(ProbabilityDropped),
        Just(MarginEdited),
        Just(MarginDropped),
        Just(LowerDelta),
        Just(HigherDelta),
        Just(OtherPlan),
        place.clone().prop_map(OtherSelector),
        Just(OtherSeed),
        place.prop_map(OtherGuarantee),
        Just(OtherVersion),
    ]
}

/// The certificate with one thing changed; nothing where there is nothing to change.
fn mutate(plan: &Plan, certificate: &Certificate, mutation: Mutation, other: &[Answer]) -> Option<Certificate> {
    let schema = plan.schema();
    let mut changed = certificate.clone();
    let pick = |place: usize, count: usize| (count > 0).then(|| place % count);
    let restate = |question: &str| {
        let id = schema.find(question).expect("the certificate names questions");
        stated(schema, id, &other[id.index()])
    };
    match mutation {
        Mutation::OtherLabel(place) => {
            changed.label = schema.target().classes[pick(place, schema.target().classes.len())?].clone()
        }
        Mutation::OtherAnswer(place) => {
            let place = pick(place, changed.revealed.len())?;
            changed.revealed[place] = restate(&changed.revealed[place].question);
        }
        Mutation::OtherPublicAnswer(place) => {
            let place = pick(place, changed.public.len())?;
            changed.public[place] = restate(&changed.public[place].question);
        }
        Mutation::RevealedWasNeverAsked(place) => {
            let removed = changed.revealed.remove(pick(place, changed.revealed.len())?);
            changed.never_asked.push(removed.question);
        }
        Mutation::RevealedWasDeclined(place) => {
            let removed = changed.revealed.remove(pick(place, changed.revealed.len())?);
            changed.declined.push(removed.question);
        }
        Mutation::DeclinedWasNeverAsked(place) => {
            let removed = changed.declined.remove(pick(place, changed.declined.len())?);
            changed.never_asked.push(removed);
        }
        Mutation::NeverAskedWasDeclined(place) => {
            let removed = changed.never_asked.remove(pick(place, changed.never_asked.len())?);
            changed.declined.push(removed);
        }
        Mutation::NeverAskedWasRevealed(place) => {
            let removed = changed.never_asked.remove(pick(place, changed.never_asked.len())?);
            changed.revealed.push(restate(&removed));
        }
        Mutation::QuestionLeftOut(place) => {
            changed.never_asked.remove(pick(place, changed.never_asked.len())?);
        }
        Mutation::QuestionTwice(place) => {
            let twice = changed.revealed[pick(place, changed.revealed.len())?].clone();
            changed.revealed.push(twice);
        }
        Mutation::OrderReversed => changed.revealed.reverse(),
        Mutation::ProbabilityUp => changed.probability = Some(changed.probability? + 2.0 * PROBABILITY_EDIT),
        Mutation::ProbabilityDown => changed.probability = Some(changed.probability? - 2.0 * PROBABILITY_EDIT),
        Mutation::ProbabilityDropped => changed.probability = changed.probability?.lt(&0.0).then_some(0.0),
        Mutation::MarginEdited => changed.worst_margin = Some(changed.worst_margin? + 0.5),
        Mutation::MarginDropped => changed.worst_margin = changed.worst_margin?.is_nan().then_some(0.0),
        Mutation::LowerDelta => changed.rules.delta *= 0.1,
        Mutation::HigherDelta => changed.rules.delta = 0.49,
        Mutation::OtherPlan => changed.plan = changed.plan.replace(['0', '1', '2', '3'], "f"),
        Mutation::OtherSelector(place) => changed.rules.selector = Selector::ALL[pick(place, Selector::ALL.len())?],
        Mutation::OtherSeed => changed.rules.seed += 1,
        Mutation::OtherGuarantee(place) => {
            changed.guarantee = [Guarantee::Complete, Guarantee::Proved, Guarantee::Probable][place % 3];
        }
        Mutation::OtherVersion => changed.version += 1,
    }
    (changed != *certificate).then_some(changed)
}

fn stated(schema: &Schema, id: QuestionId, answer: &Answer) -> Stated {
    let question = schema.question(id);
    let answer = match answer {
        Answer::Number(value) => StatedAnswer::Number(*value),
        Answer::Boolean(value) => StatedAnswer::Boolean(*value),
        level => StatedAnswer::Text(question.show(level)),
    };
    Stated { question: question.name.clone(), answer }
}

fn delta() -> impl Strategy<Value = f64> {
    prop::sample::select(vec![0.0, 0.02, 0.1, 0.3])
}

fn declines() -> impl Strategy<Value = Vec<bool>> {
    prop::collection::vec(prop::bool::weighted(0.15), 8)
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn the_certificate_of_a_session_is_accepted(
        recipe in recipe(2..=4, 1..=6),
        selector in selector(),
        delta in delta(),
        declines in declines(),
    ) {
        let mut case = recipe.build();
        let answers = case.answers();
        let plan = case.with(rules_of(delta, selector));
        let session = ended(&plan, &answers, &declines);
        let Some(certificate) = session.certificate() else { return Ok(()) };
        // The one who checks has the plan from a file, not the memory of the one who asked.
        let verified = verify(&recipe.build().plan, &certificate);
        prop_assert!(verified.is_ok(), "{verified:?}");
        let verified = verified.unwrap();
        let Next::Done(decision) = session.next() else { return Err(TestCaseError::fail("certified but not done")) };
        prop_assert_eq!(verified.label, decision.label);
        prop_assert_eq!(verified.guarantee, decision.guarantee);
        prop_assert_eq!(verified.n_revealed, decision.n_revealed);
        let written = serde_json::to_string(&certificate).unwrap();
        prop_assert!(serde_json::from_str::<Certificate>(&written).is_ok());
    }

    /// Levels that nobody had in the sample, and samples smaller than the number of columns: the belief is singular,
    /// and a person may lie outside its support. Both ways of conditioning must still agree.
    #[test]
    fn the_certificate_of_somebody_the_belief_cannot_imagine_is_accepted(
        recipe in recipe(2..=3, 2..=6),
        selector in selector(),
        delta in prop::sample::select(vec![0.05, 0.2, 0.4]),
        people in 2usize..9,
    ) {
        // Weights of one size: with others, a margin's variance may be next to nothing beside another's, and whether it
        // then counts as none hangs on its last digit.
        let weights = match recipe.weights {
            Weights::Tiny | Weights::Huge | Weights::Mixed => Weights::Normal,
            other => other,
        };
        let recipe = Recipe { sample: people, weights, ..recipe };
        let mut case = recipe.build();
        let answers = case.answers();
        let plan = case.with(rules_of(delta, selector));
        let certificate = certificate(&plan, &answers, &[false]).expect("nothing was declined");
        let verified = verify(&recipe.build().plan, &certificate);
        prop_assert!(verified.is_ok(), "{verified:?}");
    }

    #[test]
    fn the_certificate_of_answers_outside_their_domain_is_accepted(
        recipe in recipe(2..=3, 1..=5),
        selector in selector(),
        delta in delta(),
    ) {
        let mut case = recipe.build().accepting_outside();
        let answers: Vec<Answer> = case.answers().into_iter().map(moved_outside).collect();
        let plan = case.with(rules_of(delta, selector));
        let certificate = certificate(&plan, &answers, &[false]).expect("nothing was declined");
        let verified = verify(&recipe.build().accepting_outside().plan, &certificate);
        prop_assert!(verified.is_ok(), "{verified:?}");
        // Under a plan that takes no such answers, nobody can have been given this certificate.
        let refusing = recipe.build().plan;
        let claimed = Certificate { plan: refusing.fingerprint().to_string(), ..certificate };
        let stated = claimed.public.iter().chain(&claimed.revealed);
        let outside = stated.filter(|stated| matches!(stated.answer, StatedAnswer::Number(_))).count();
        match verify(&refusing, &claimed) {
            Ok(_) => prop_assert_eq!(outside, 0),
            Err(error) => {
                prop_assert!(matches!(error, VerifyError::Refuted(Refutation::OutsideDomain { .. })), "{error:?}");
            }
        }
    }

    /// Some changes leave a certificate true, such as another seed where nothing is drawn; then it may be accepted.
    #[test]
    fn a_changed_certificate_is_accepted_only_if_it_is_still_true(
        recipe in recipe(2..=3, 2..=6),
        selector in selector(),
        delta in delta(),
        declines in declines(),
        mutations in prop::collection::vec(mutation(), 6),
    ) {
        let mut case = recipe.clone().build();
        let (answers, other) = (case.answers(), case.answers());
        let plan = case.with(rules_of(delta, selector));
        let Some(certificate) = certificate(&plan, &answers, &declines) else { return Ok(()) };
        let fresh = recipe.build().plan;
        prop_assert!(is_true(&fresh, &certificate));
        for mutation in mutations {
            let Some(changed) = mutate(&plan, &certificate, mutation, &other) else { continue };
            if verify(&plan, &changed).is_ok() {
                prop_assert!(is_true(&fresh, &changed), "{mutation:?} makes {certificate:?} false: {changed:?}");
            }
        }
    }

    /// The other direction, where the truth is known beforehand: these changes always make a certificate false.
    #[test]
    fn changes_that_make_a_certificate_false_are_all_refused(
        recipe in recipe(2..=3, 2..=6),
        selector in selector(),
        delta in delta(),
    ) {
        let mut case = recipe.build();
        let (answers, other) = (case.answers(), case.answers());
        let plan = case.with(rules_of(delta, selector));
        let certificate = certificate(&plan, &answers, &[false]).expect("nothing was declined");
        let mut always = vec![
            Mutation::OtherPlan,
            Mutation::ProbabilityUp,
            Mutation::ProbabilityDown,
            Mutation::ProbabilityDropped,
            Mutation::MarginEdited,
            Mutation::MarginDropped,
            Mutation::OtherVersion,
            Mutation::OtherGuarantee(0),
            Mutation::OtherGuarantee(1),
            Mutation::OtherGuarantee(2),
            Mutation::OtherLabel(0),
            Mutation::OtherLabel(1),
        ];
        always.extend((0..6).flat_map(|place| {
            [
                Mutation::RevealedWasNeverAsked(place),
                Mutation::NeverAskedWasDeclined(place),
                Mutation::NeverAskedWasRevealed(place),
                Mutation::QuestionLeftOut(place),
                Mutation::QuestionTwice(place),
            ]
        }));
        for mutation in always {
            let Some(changed) = mutate(&plan, &certificate, mutation, &other) else { continue };
            prop_assert!(verify(&plan, &changed).is_err(), "{mutation:?} of {certificate:?} is accepted");
        }
    }
}

proptest! {
    #![proptest_config(cases(8))]

    /// Five classes: probabilities on two different lattices, which must agree within what `verify` allows.
    #[test]
    fn the_certificate_of_five_classes_is_accepted(recipe in recipe(5..=5, 2..=5), delta in delta()) {
        let mut case = recipe.build();
        let answers = case.answers();
        let plan = case.with(rules_of(delta, Selector::Decisive));
        let certificate = certificate(&plan, &answers, &[false]).expect("nothing was declined");
        let verified = verify(&plan, &certificate);
        prop_assert!(verified.is_ok(), "{verified:?}");
    }
}

/// Two sensitive numbers with weights 1 and 0.25, and a public one: all of it small enough to check by hand.
fn small_plan(delta: f64, selector: Selector) -> Plan {
    let questions = vec![
        Question::number("known", -1.0, 1.0).public(),
        Question::number("large", -1.0, 1.0),
        Question::number("small", -1.0, 1.0),
    ];
    let schema = Schema::new(target(2), questions).unwrap();
    let model = LinearModel::new(3, vec![0.5, 1.0, 0.25], vec![0.0]).unwrap();
    let people = [vec![0.5, -0.5, 0.1], vec![-0.5, 0.25, 0.3], vec![0.1, 0.75, -0.9], vec![-0.2, -0.1, 0.4]];
    Plan::new(schema, model, moments(&people), rules(delta, selector)).unwrap()
}

/// 0.5 · 0.1 + 0.9 − 0.25 > 0: `large` settles it. With −0.1 instead of 0.9 it does not.
#[test]
fn an_answer_that_would_not_settle_the_decision_is_refused() {
    let plan = small_plan(0.0, Selector::Importance);
    let answers = [Answer::Number(0.1), Answer::Number(0.9), Answer::Number(-1.0)];
    let mut certificate = certificate(&plan, &answers, &[false]).unwrap();
    assert_eq!(certificate.guarantee, Guarantee::Proved);
    assert!(verify(&plan, &certificate).is_ok());
    assert!((certificate.worst_margin.unwrap() - 0.7).abs() < 1e-15);
    assert!(proves(&plan, &encode(plan.schema(), &answers), Label::POSITIVE, &[0]));
    certificate.revealed[0].answer = StatedAnswer::Number(-0.1);
    assert!(matches!(verify(&plan, &certificate), Err(VerifyError::Refuted(_))));
}

/// `random` asked `small` first; `importance` would not have asked it.
#[test]
fn a_certificate_that_names_a_selector_of_another_order_is_refused() {
    let answers = [Answer::Number(0.1), Answer::Number(0.9), Answer::Number(0.2)];
    let random = (0..50).find_map(|seed| {
        let rules = Rules { seed, ..rules(0.0, Selector::Random) };
        let plan = small_plan(0.0, Selector::Random).with_rules(rules).unwrap();
        let certificate = certificate(&plan, &answers, &[false]).unwrap();
        (certificate.revealed[0].question == "small").then_some(certificate)
    });
    let mut certificate = random.expect("one of fifty draws starts with the other question");
    let plan = small_plan(0.0, Selector::Random);
    assert!(verify(&plan, &certificate).is_ok());
    certificate.rules.selector = Selector::Importance;
    assert!(matches!(verify(&plan, &certificate), Err(VerifyError::Refuted(_))));
}

/// P = Φ(m/σ) is some number between 1 − δ and 1; a tenth of what is missing to one is not promised by it.
#[test]
fn a_delta_below_what_holds_is_refused() {
    let plan = small_plan(0.3, Selector::Importance);
    let answers = [Answer::Number(0.7), Answer::Number(-0.2), Answer::Number(0.5)];
    let mut certificate = certificate(&plan, &answers, &[false]).unwrap();
    assert_eq!(certificate.guarantee, Guarantee::Probable);
    let missing = 1.0 - certificate.probability.unwrap();
    certificate.rules.delta = missing + 1e-6;
    assert!(verify(&plan, &certificate).is_ok());
    for false_delta in [missing - 1e-6, missing / 10.0, 0.0] {
        certificate.rules.delta = false_delta;
        assert!(verify(&plan, &certificate).is_err(), "delta {false_delta}");
    }
}

/// Two numbers that are believed always equal, less each other: zero for sure. Rounding of the mean of the second,
/// given the first, once settled which label that is, with probability one, and `verify` rounded to the other.
#[test]
fn scores_that_only_rounding_tells_apart_are_not_promised() {
    let questions = vec![Question::number("one", -1.0, 1.0), Question::number("other", -1.0, 1.0)];
    let schema = Schema::new(target(2), questions).unwrap();
    let model = LinearModel::new(2, vec![1.0, -1.0], vec![0.0]).unwrap();
    let belief = GaussianBelief::new(vec![0.1; 2], vec![0.3; 4]).unwrap();
    let plan = Plan::new(schema, model, belief, rules(0.05, Selector::Importance)).unwrap();
    for step in -9..=9 {
        let answers = [Answer::Number(f64::from(step) / 10.0), Answer::Number(0.4)];
        let certificate = certificate(&plan, &answers, &[false]).unwrap();
        assert_eq!(certificate.guarantee, Guarantee::Complete, "{step} tenths");
        assert!(verify(&plan, &certificate).is_ok());
    }
}

/// A level may be written with spaces around it; the certificate must find it again.
#[test]
fn levels_are_read_back_as_they_were_written() {
    let schema = Schema::new(target(2), vec![Question::category("home", [" own", "rent ", ""])]).unwrap();
    let model = LinearModel::new(3, vec![1.0, -1.0, 1.0], vec![0.0]).unwrap();
    let belief = moments(&[vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 0.0], vec![0.0, 0.0, 1.0]]);
    let plan = Plan::new(schema, model, belief, Rules::default()).unwrap();
    for level in 0..3 {
        let certificate = certificate(&plan, &[Answer::Level(level)], &[false]).unwrap();
        assert_eq!(verify(&plan, &certificate).map(|verified| verified.n_revealed), Ok(1), "level {level}");
    }
}

/// A whole number is asked for; half a one is either refused when it is given, or certified like any other answer.
#[test]
fn an_answer_a_session_accepts_is_one_its_certificate_can_state() {
    let kind = mindrel::schema::Kind::Integer { lower: 0.0, upper: 4.0, missing: None };
    let schema = Schema::new(target(2), vec![Question::new("children", Visibility::Sensitive, kind)]).unwrap();
    let model = LinearModel::new(1, vec![1.0], vec![0.0]).unwrap();
    let plan = Plan::new(schema, model, moments(&[vec![-1.0], vec![0.5]]), Rules::default()).unwrap();
    let mut session = start(&plan, &[]);
    if session.answer(QuestionId::new(0), Answer::Number(2.5)).is_ok() {
        let certificate = session.certificate().expect("everything is revealed");
        assert!(verify(&plan, &certificate).is_ok(), "accepted but not certifiable");
    }
    assert_eq!(plan.model().label(&[0.25]), Label::POSITIVE);
}
