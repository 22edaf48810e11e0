//! What a plan takes for a calibration, and what it makes of one.

use mindrel::belief::GaussianBelief;
use mindrel::core_test::Test;
use mindrel::model::LinearModel;
use mindrel::plan::{Calibration, CalibrationError, Evidence, GroupThreshold, PlanError, PlanParts};
use mindrel::schema::{Encoding, Kind, Question, Target, Visibility};
use mindrel::session::{Answers, Next, PastStep};
use mindrel::{Plan, Rules, Schema, Session};

/// A public yes or no, a public category of either encoding, a public number, and two sensitive numbers.
fn plan(encoding: Encoding) -> Plan {
    let levels = ["", "north", "south"].map(str::to_owned).to_vec();
    let region = Question::new("region", Visibility::Public, Kind::Category { levels, encoding });
    let questions = vec![
        Question::boolean("member").public(),
        region,
        Question::number("age", 18.0, 80.0).public(),
        Question::boolean("ill"),
        Question::number("income", 0.0, 10.0),
    ];
    let target = Target::new("loan", "Loan?", ["no", "yes"]);
    let schema = Schema::new(target, questions).expect("sound questions");
    let n_columns = schema.n_columns();
    let weights = (0..n_columns).map(|column| 0.5 - column as f64).collect();
    let model = LinearModel::new(n_columns, weights, vec![0.3]).expect("a sound model");
    let diagonal = |place: usize| if place.is_multiple_of(n_columns + 1) { 0.2 } else { 0.0 };
    let belief = GaussianBelief::new(vec![0.0; n_columns], (0..n_columns * n_columns).map(diagonal).collect());
    Plan::new(schema, model, belief.expect("a sound belief"), Rules::default()).expect("they fit together")
}

fn group(level: Option<&str>, delta: f64) -> GroupThreshold {
    let evidence = if delta > 0.0 { Evidence::Table { flips: 1, upper: 0.009 } } else { Evidence::Proof };
    GroupThreshold { level: level.map(str::to_owned), people: Some(500), delta, evidence }
}

fn calibration(by: Option<&str>, groups: Vec<GroupThreshold>) -> Calibration {
    let table = "0123".to_owned();
    Calibration { flips: 0.01, confidence: 0.95, table, by: by.map(str::to_owned), rules: Rules::default(), groups }
}

fn by_region() -> Calibration {
    let groups = vec![group(Some(""), 0.0), group(Some("north"), 0.2), group(Some("south"), 0.1)];
    calibration(Some("region"), groups)
}

#[test]
fn the_threshold_is_that_of_the_persons_group() {
    for encoding in [Encoding::Onehot, Encoding::Ordinal] {
        let plan = plan(encoding);
        assert_eq!(plan.calibrated_rules(&vec![0.0; plan.schema().n_columns()]), None, "not calibrated");
        let calibrated = plan.with_calibration(by_region()).expect("it fits");
        let id = plan.schema().find("region").expect("a question");
        for (level, delta) in [("", 0.0), ("north", 0.2), ("south", 0.1)] {
            let mut person = vec![0.0; plan.schema().n_columns()];
            let answer = plan.schema().question(id).parse(level).expect("a level");
            plan.schema().encode(id, &answer, &mut person).expect("a level");
            assert_eq!(calibrated.calibrated_rules(&person).map(|rules| rules.delta), Some(delta));
        }
        let nowhere = vec![0.5; plan.schema().n_columns()];
        assert_eq!(calibrated.calibrated_rules(&nowhere).map(|rules| rules.delta), Some(0.0), "of no group: a proof");
    }
}

/// With the group's threshold and with its promise.
#[test]
fn a_calibrated_session_taken_up_stands_where_it_was_left() {
    let plan = plan(Encoding::Onehot).with_calibration(by_region()).expect("it fits");
    for region in ["", "north", "south"] {
        let public = Answers::parse(&plan, [("member", "yes"), ("region", region), ("age", "40")]).expect("answers");
        let mut session = Session::start_calibrated(&plan, &public).expect("a calibrated plan");
        let mut steps: Vec<PastStep> = Vec::new();
        loop {
            let taken_up =
                Session::resume_calibrated(&plan, public.clone(), &steps, None).expect("what was answered before");
            assert_eq!((session.next(), session.outlook()), (taken_up.next(), taken_up.outlook()));
            assert_eq!(session.plan().rules(), taken_up.plan().rules());
            assert!(session.certificate() == taken_up.certificate());
            let Next::Ask { question, .. } = session.next() else { break };
            let text = if plan.schema().question(question).name == "ill" { "no" } else { "4.5" };
            let answer = plan.schema().question(question).parse(text).expect("an answer");
            session.answer(question, answer.clone()).expect("it is being asked");
            steps.push((question, Some(answer)));
        }
        assert!(session.promise().is_some());
    }
    let uncalibrated = self::plan(Encoding::Onehot);
    assert!(Session::resume_calibrated(&uncalibrated, Answers::new(), &[], None).is_err());
}

#[test]
fn a_calibrated_plan_is_another_plan_and_is_written_and_read_whole() {
    let plan = plan(Encoding::Onehot);
    let calibrated = plan.with_calibration(by_region()).expect("it fits");
    assert_ne!(calibrated.fingerprint(), plan.fingerprint());
    let written = serde_json::to_string(&calibrated.to_parts()).expect("plain data");
    let read = Plan::try_from(serde_json::from_str::<PlanParts>(&written).expect("as written")).expect("as sound");
    assert_eq!((read.fingerprint(), read.calibration()), (calibrated.fingerprint(), calibrated.calibration()));
    assert!(!serde_json::to_string(&plan.to_parts()).expect("plain data").contains("calibration"));
}

/// Each edit of a sound calibration, and what is said about it.
#[test]
fn what_is_no_calibration_of_the_plan_is_refused() {
    let plan = plan(Encoding::Onehot);
    let by_member = vec![group(Some("no"), 0.1), group(Some("yes"), 0.0)];
    for sound in [calibration(None, vec![group(None, 0.3)]), by_region(), calibration(Some("member"), by_member)] {
        plan.with_calibration(sound).expect("it fits");
    }
    let refused = |calibration: Calibration| match plan.with_calibration(calibration) {
        Err(PlanError::Calibration(error)) => error,
        other => panic!("{other:?}"),
    };
    for flips in [0.0, 1.0, -0.1, f64::NAN] {
        assert!(matches!(refused(Calibration { flips, ..by_region() }), CalibrationError::Flips { .. }));
    }
    for confidence in [0.4, 1.0, f64::NAN] {
        assert!(matches!(refused(Calibration { confidence, ..by_region() }), CalibrationError::Confidence { .. }));
    }
    for question in ["age", "ill", "income", "loan", "nothing"] {
        let error = refused(Calibration { by: Some(question.to_owned()), ..by_region() });
        let choices = ": member, region".to_owned();
        assert_eq!(error, CalibrationError::By { question: question.to_owned(), choices });
    }
    let mut fewer = by_region();
    fewer.groups.pop();
    let mut swapped = by_region();
    swapped.groups.swap(0, 1);
    let nobody = calibration(None, Vec::new());
    for other_groups in [fewer, swapped, nobody, calibration(None, by_region().groups)] {
        assert_eq!(refused(other_groups), CalibrationError::Groups);
    }
    let edits: [fn(&mut GroupThreshold); 4] = [
        |group| group.delta = 0.0,
        |group| group.evidence = Evidence::Proof,
        |group| group.evidence = Evidence::Table { flips: 1, upper: 0.011 },
        |group| group.evidence = Evidence::Table { flips: 501, upper: 0.009 },
    ];
    for edit in edits {
        let mut edited = by_region();
        edit(&mut edited.groups[1]);
        assert_eq!(refused(edited), CalibrationError::Threshold { group: 2 });
    }
    for rules in [Rules::with_delta(0.1), Rules { test: Test::Sampled, ..Rules::default() }] {
        assert_eq!(refused(Calibration { rules, ..by_region() }), CalibrationError::Rules);
    }
    let mut too_loose = by_region();
    too_loose.groups[1].delta = 0.5;
    assert!(matches!(plan.with_calibration(too_loose), Err(PlanError::Rules(_))));
}
