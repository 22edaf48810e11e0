//! A small audit with everything in it: a few hundred invented people, a plan with set weights, and names to be chosen.

use std::convert::Infallible;

use mindrel::belief::GaussianBelief;
use mindrel::model::LinearModel;
use mindrel::plan::{PlanParts, Training};
use mindrel::schema::{Question, Target};
use mindrel::{Label, People, Plan, Rules, Schema, Selector};
use mindrel_audit::{Audit, AuditOutcome, Cohort, GroupColumn, Groups, Run};
use mindrel_report::ReportFacts;

/// The checksum of the table the plan was fitted on.
pub const TRAINING_TABLE: &str = "7fd109e63e35d551b6d7f9ab0fc7fa91bb3dd70c647e86be32659e0f271fd82c";

/// What is called what; none of it may change anything else about the page.
#[derive(Debug, Clone)]
pub struct Names {
    pub prompt: String,
    pub classes: [String; 2],
    pub questions: [String; 5],
    pub column: String,
    pub levels: [String; 3],
}

impl Default for Names {
    fn default() -> Self {
        Names {
            prompt: "Will this loan be repaid?".into(),
            classes: ["bad", "good"].map(String::from),
            questions: ["Amount", "Income", "Debt", "Owner", "Shoes"].map(String::from),
            column: "region".into(),
            levels: ["north", "south", "far east"].map(String::from),
        }
    }
}

/// What is audited.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    pub labels: bool,
    pub groups: bool,
    pub giveaway: bool,
    /// δ of the chosen run, which comes first.
    pub delta: f64,
    pub baselines: bool,
}

impl Wanted {
    pub const EVERYTHING: Wanted = Wanted { labels: true, groups: true, giveaway: true, delta: 0.05, baselines: true };
    pub const LITTLE: Wanted = Wanted { labels: false, groups: false, giveaway: false, delta: 0.0, baselines: false };
}

pub fn about() -> ReportFacts {
    ReportFacts {
        version: "0.1.0".into(),
        command: "mindrel audit loan.plan people.csv --report audit.html".into(),
        when: "2023-11-14 22:13 UTC".into(),
        plan: "loan.plan".into(),
        table: "people.csv".into(),
        digest: Some("ab".repeat(32)),
        ..ReportFacts::default()
    }
}

/// A linear plan over five questions, the first public; the last weighs nothing.
pub fn plan(names: &Names) -> Plan {
    let [amount, income, debt, owner, shoes] = &names.questions;
    let questions = vec![
        Question::number(amount, -1.0, 1.0).public(),
        Question::number(income, -1.0, 1.0),
        Question::number(debt, -1.0, 1.0),
        Question::boolean(owner),
        Question::number(shoes, -1.0, 1.0),
    ];
    let target = Target::new("outcome", names.prompt.clone(), names.classes.to_vec());
    let schema = Schema::new(target, questions).expect("a schema");
    let model = LinearModel::new(5, vec![1.0, 0.75, -0.5, 0.25, 0.0], vec![-0.125]).expect("a model");
    let mut covariance = vec![0.0; 25];
    for column in 0..5 {
        covariance[column * 6] = 0.25;
    }
    // Those who ask for more earn more, and owe more.
    for (one, other) in [(0, 1), (1, 2)] {
        covariance[one * 5 + other] = 0.125;
        covariance[other * 5 + one] = 0.125;
    }
    let belief = GaussianBelief::new(vec![0.0, 0.0, 0.0, 0.5, 0.0], covariance).expect("a belief");
    let training = Training { rows: 700, holdout: 0.3, seed: 1, table: TRAINING_TABLE.into(), private_moments: None };
    let parts = PlanParts {
        training: Some(training),
        ..Plan::new(schema, model, belief, Rules::default()).expect("a plan").to_parts()
    };
    Plan::try_from(parts).expect("a plan")
}

pub fn report(plan: &Plan, names: &Names, wanted: Wanted) -> AuditOutcome {
    let rules = |delta, selector| Rules { delta, selector, ..*plan.rules() };
    let run = |delta, selector| Run::asking(plan, rules(delta, selector)).expect("rules a linear plan can follow");
    let mut runs = vec![run(wanted.delta, Selector::Decisive)];
    if wanted.baselines {
        runs.extend([0.0, 0.01, 0.1].map(|delta| run(delta, Selector::Decisive)));
        runs.extend([Selector::FScore, Selector::Importance].map(|selector| run(wanted.delta, selector)));
        runs.extend([Run::all(plan), Run::optimal(plan)]);
    }
    let column = GroupColumn { name: names.column.clone(), levels: names.levels.to_vec() };
    let groups = wanted.groups.then(|| Groups::new(vec![column]));
    let audit = Audit::new(plan, &runs).by(groups.as_ref()).with_giveaway(wanted.giveaway);
    let cohort = || Ok::<Cohort, Infallible>(cohort(wanted));
    audit.run(std::iter::once(cohort()), Ok).expect("nothing is read")
}

/// Four hundred people on a grid of their own; the third group has twelve.
fn cohort(wanted: Wanted) -> Cohort {
    let mut people = People::new(5);
    let mut cells = Vec::new();
    for person in 0..400_u32 {
        let part =
            |factor: u32, modulus: u32| f64::from(person * factor % modulus) / f64::from(modulus - 1) * 2.0 - 1.0;
        let amount = part(37, 101);
        let income = (amount + part(53, 97)) / 2.0;
        let debt = (income + part(29, 89)) / 2.0;
        let owner = f64::from(person * 7 % 5 / 2);
        people.push(u64::from(person) + 2).copy_from_slice(&[amount, income, debt, owner.min(1.0), part(11, 13)]);
        let good = amount + 0.75 * income - 0.5 * debt + 0.25 * owner - 0.125 + 0.3 * part(17, 19) >= 0.0;
        people.set_label(wanted.labels.then(|| Label::new(usize::from(good))));
        cells.push(if person < 12 { 2 } else { u32::from(income + 0.5 * part(5, 7) > 0.0) });
    }
    if wanted.groups { Cohort::new(people, cells) } else { Cohort::from(people) }
}
