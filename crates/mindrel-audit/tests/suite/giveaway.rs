//! What hidden answers give away, on people drawn from a known distribution.

use mindrel::belief::GaussianBelief;
use mindrel::model::LinearModel;
use mindrel::schema::{Question, Target};
use mindrel::{People, Plan, Rules, Schema, Selector};
use mindrel_audit::{Audit, Giveaway, Inferred, Run};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

/// The standard deviation of every column: few lie outside of [−1, 1].
const DEVIATION: f64 = 0.25;

const PEOPLE: usize = 40_000;

/// The share of explained variance of 40,000 Gaussian people has a standard error below 0.005; six of them are allowed.
const TOLERANCE: f64 = 0.03;

/// Three numbers, the first of which decides alone; the second has a correlation with it, the third is by itself.
fn plan(correlation: f64, public: bool) -> Plan {
    let question = |column: usize| Question::number(format!("column {column}"), -1.0, 1.0);
    let first = if public { question(0).public() } else { question(0) };
    let target = Target::new("label", "", ["no", "yes"]);
    let schema = Schema::new(target, vec![first, question(1), question(2)]).expect("the questions are sound");
    let model = LinearModel::new(3, vec![1.0, 0.0, 0.0], vec![0.0]).expect("the weights are finite");
    let covariance = [1.0, correlation, 0.0, correlation, 1.0, 0.0, 0.0, 0.0, 1.0].map(|it| it * DEVIATION * DEVIATION);
    let belief = GaussianBelief::new(vec![0.0; 3], covariance.to_vec()).expect("a covariance");
    Plan::new(schema, model, belief, Rules::default()).expect("the parts fit")
}

fn people(correlation: f64) -> People {
    let mut random = Pcg64Mcg::seed_from_u64(5);
    let mut people = People::new(3);
    for line in 0..PEOPLE {
        let mut normal = || -> f64 { StandardNormal.sample(&mut random) };
        let (first, own, third) = (normal(), normal(), normal());
        let second = correlation * first + (1.0 - correlation * correlation).sqrt() * own;
        people.push(line as u64).copy_from_slice(&[first, second, third].map(|it| it * DEVIATION));
    }
    people
}

fn giveaway(plan: &Plan, people: &People) -> Giveaway {
    let rules = Rules { selector: Selector::Importance, ..Rules::default() };
    let runs = [Run::asking(plan, rules).expect("sound rules")];
    let blocks = std::iter::once(Ok::<_, ()>(people.clone()));
    let report = Audit::new(plan, &runs).with_giveaway(true).run(blocks, Ok).expect("nothing can fail");
    report.runs[0].giveaway.clone().expect("it was looked at")
}

/// Believed, measured, and explained before and after, of a number.
fn figures(report: &Giveaway, name: &str) -> [f64; 4] {
    let question = report.questions.iter().find(|question| question.question == name).expect("a question");
    match question.inferred {
        Inferred::Number { believed, measured, variance_explained } => {
            let explained = variance_explained.expect("people vary");
            [believed.expect("people vary"), measured.expect("people vary"), explained.before, explained.after]
        }
        Inferred::Choice { .. } => panic!("{name} is a number"),
    }
}

/// Asked the first column, an answer with correlation ρ to it has the share ρ² of its variance explained, and
/// nothing beforehand.
#[test]
fn an_answer_gives_away_the_square_of_the_correlation() {
    for correlation in [0.0, 0.3, 0.8, -0.95] {
        let report = giveaway(&plan(correlation, false), &people(correlation));
        let asked = report.questions.iter().find(|it| it.question == "column 0").expect("a question");
        assert_eq!(asked.people, 0, "the first column settles the label and is always asked");
        let expected = correlation * correlation;
        let [believed, measured, before, after] = figures(&report, "column 1");
        assert!((believed - expected).abs() < 1e-9, "in closed form: {believed}");
        assert!((measured - expected).abs() < TOLERANCE && (after - expected).abs() < TOLERANCE);
        assert!(before.abs() < TOLERANCE, "{before}");
        for nothing in figures(&report, "column 2") {
            assert!(nothing.abs() < TOLERANCE, "what is independent gives nothing away: {nothing}");
        }
        let overall = report.variance_explained.expect("numbers were hidden");
        assert!((overall.after - expected / 2.0).abs() < TOLERANCE, "the mean of two questions: {}", overall.after);
        assert_eq!((report.hidden_numbers, report.hidden_choices), (2 * PEOPLE as u64, 0));
    }
}

/// The same column public: all is explained before any question, and the answers add nothing.
#[test]
fn what_is_public_is_not_laid_to_the_answers() {
    let report = giveaway(&plan(0.8, true), &people(0.8));
    let [believed, measured, before, after] = figures(&report, "column 1");
    assert_eq!((believed, measured), (0.0, 0.0));
    assert!((before - 0.64).abs() < TOLERANCE && before == after);
}
