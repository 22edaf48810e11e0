//! Which rules a schema takes, and what it says of others.

use super::*;
use mindrel::belief::GaussianBelief;
use mindrel::model::LinearModel;
use mindrel::plan::{PlanError, Rules};
use mindrel::schema::{Encoding, ImplicationProblem, SchemaError, Target, Visibility};

fn schema() -> Schema {
    let ordered =
        Kind::Category { levels: ["low", "middle", "high"].map(str::to_owned).to_vec(), encoding: Encoding::Ordinal };
    let questions = vec![
        Question::number("age", 0.0, 99.0),
        Question::category("status", ["single", "married", "widowed"]),
        Question::boolean("phone"),
        Question::new("class", Visibility::Sensitive, ordered),
    ];
    Schema::new(Target::new("loan", "Granted?", ["no", "yes"]), questions).expect("a sound schema")
}

fn rule(text: &str) -> Implication {
    serde_json::from_str(text).expect("a rule")
}

fn problem(text: &str) -> ImplicationProblem {
    match schema().with_implications(vec![rule(text)]) {
        Err(SchemaError::Implication { number: 1, problem }) => problem,
        other => panic!("{other:?} of {text}"),
    }
}

#[test]
fn a_rule_that_does_not_fit_its_questions_is_refused_by_name() {
    use ImplicationProblem::*;
    let name = |name: &str| name.to_owned();
    let cases = [
        (r#"{"when":{"wage":{"from":1}},"then":{"phone":true}}"#, UnknownQuestion { question: name("wage") }),
        (r#"{"when":{"age":["old"]},"then":{"phone":true}}"#, OtherKind { question: name("age") }),
        (
            r#"{"when":{"status":["gone"]},"then":{"phone":true}}"#,
            UnknownLevel { question: name("status"), level: name("gone") },
        ),
        (r#"{"when":{"age":{"from":100}},"then":{"phone":true}}"#, NoAnswer { question: name("age") }),
        (r#"{"when":{"age":{"above":5,"below":5}},"then":{"phone":true}}"#, NoAnswer { question: name("age") }),
        (r#"{"when":{"class":["low","high"]},"then":{"phone":true}}"#, Gap { question: name("class") }),
        (r#"{"when":{"age":{"missing":true}},"then":{"phone":true}}"#, NeverMissing { question: name("age") }),
        (r#"{"when":{},"then":{"phone":true}}"#, Empty),
    ];
    for (text, expected) in cases {
        assert_eq!(problem(text), expected, "{text}");
    }
}

fn plan(rules: Vec<Implication>) -> Result<Plan, PlanError> {
    let schema = schema().with_implications(rules).expect("rules that fit their questions");
    let n_columns = schema.n_columns();
    let covariance = (0..n_columns * n_columns).map(|entry| if entry % (n_columns + 1) == 0 { 0.2 } else { 0.0 });
    let belief = GaussianBelief::new(vec![0.0; n_columns], covariance.collect()).expect("a sound belief");
    let model = LinearModel::new(n_columns, vec![1.0; n_columns], vec![0.0]).expect("finite weights");
    Plan::new(schema, model, belief, Rules::default())
}

#[test]
fn rules_that_leave_a_level_to_nobody_make_no_plan() {
    let child = rule(r#"{"when":{"age":{"below":18}},"then":{"status":["single"]}}"#);
    let adult = rule(r#"{"when":{"age":{"from":18}},"then":{"status":["single","married"]}}"#);
    assert!(plan(vec![child.clone()]).is_ok());
    let Err(PlanError::Implications(SchemaError::Implication { number, problem })) = plan(vec![child, adult]) else {
        panic!("nobody is widowed")
    };
    let expected = ImplicationProblem::ImpossibleLevel { question: "status".into(), level: "widowed".into() };
    assert_eq!(problem, expected);
    assert!((1..=2).contains(&number));
}

#[test]
fn rules_that_nobody_can_meet_make_no_plan() {
    let yes = rule(r#"{"when":{"age":{"from":0}},"then":{"phone":true}}"#);
    let no = rule(r#"{"when":{"age":{"from":0}},"then":{"phone":false}}"#);
    let Err(PlanError::Implications(SchemaError::Implication { number: 2, problem })) = plan(vec![yes, no]) else {
        panic!("a contradiction")
    };
    assert_eq!(problem, ImplicationProblem::Contradiction { question: "phone".into() });
}

#[test]
fn a_rule_is_part_of_the_plan_and_of_its_fingerprint() {
    let child = rule(r#"{"when":{"age":{"below":18}},"then":{"status":["single"]}}"#);
    let (without, with) = (plan(Vec::new()).expect("sound"), plan(vec![child.clone()]).expect("sound"));
    assert_ne!(without.fingerprint(), with.fingerprint());
    let text = serde_json::to_string(&with.to_parts()).expect("plain data");
    let read: PlanParts = serde_json::from_str(&text).expect("what was written");
    assert_eq!(read.schema.implications(), [child]);
    assert_eq!(Plan::try_from(read).expect("the same plan").fingerprint(), with.fingerprint());
    assert!(!serde_json::to_string(&without.to_parts()).expect("plain data").contains("implications"));
}

#[test]
fn a_rule_reads_as_a_sentence() {
    let text = r#"{"when":{"age":{"below":18},"phone":false},"then":{"status":["single","widowed"]}}"#;
    let expected = "if age is below 18 and phone is no, then status is \"single\" or \"widowed\"";
    assert_eq!(rule(text).to_string(), expected);
}
