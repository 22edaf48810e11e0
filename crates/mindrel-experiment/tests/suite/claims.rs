//! Verdicts: on made-up numbers of which the answer is known.

use mindrel_audit::Rule;
use mindrel_experiment::{
    BeliefKind, CheckedClaim, ClaimVerdict, Design, Measured, Measurement, Setting, Summaries, claims,
};

const FEATURES: usize = 16;

/// Figures of one setting, made up from rule, δ and repetition.
struct Made {
    leakage: f64,
    accuracy: f64,
}

fn cell(data_set: &str, sensitive: usize, rule: Rule, delta: f64, made: &Made) -> Measurement {
    let people = 1000;
    let setting = Setting { data_set: data_set.to_owned(), belief: BeliefKind::Gaussian, sensitive, rule, delta };
    // Everybody at one of two counts, so that the mean is about right.
    let mut histogram = vec![0; sensitive + 1];
    histogram[sensitive] = (people as f64 * made.leakage) as u64;
    histogram[0] = people - histogram[sensitive];
    let flips = if delta == 0.0 { 0.0 } else { 0.8 - made.accuracy };
    Measurement {
        setting,
        people,
        leakage: made.leakage,
        accuracy: made.accuracy,
        accuracy_all: 0.8,
        flips,
        out_of_budget: 0.0,
        histogram,
        time: None,
    }
}

fn measured(repetitions: usize, make: impl Fn(&str, f64) -> Made) -> Measured {
    let design = Design::named("linear").expect("it exists");
    let mut parts = Vec::new();
    for data_set in design.data_sets {
        for repetition in 0..repetitions {
            // The same for every rule, as the same split and S are.
            let luck = 0.02 * (repetition % 3) as f64;
            let mut cells = Vec::new();
            for size in design.sizes.of(FEATURES) {
                let mut add = |rule: Rule, delta: f64| {
                    let made = make(rule.name(), delta);
                    cells.push(cell(data_set, size, rule, delta, &Made { leakage: made.leakage + luck, ..made }));
                };
                add(Rule::All, 0.0);
                add(Rule::Optimal, 0.0);
                for selector in design.selectors {
                    design.deltas.iter().for_each(|&delta| add(Rule::Asking(*selector), delta));
                }
            }
            parts.push(cells);
        }
    }
    Measured { design, repetitions, people: None, parts }
}

fn verdict(measured: &Measured, words: &str) -> ClaimVerdict {
    let found = claims(&Summaries::of(measured));
    let claim: &CheckedClaim = found.iter().find(|claim| claim.claim.contains(words)).expect("the claim is checked");
    claim.verdict
}

const F_SCORE: &str = "outperforms the other versions";
const OURS: &str = "decisive asks for less";

/// Leakage by rule; δ > 0 halves it.
fn leaking(levels: [(&'static str, f64); 4]) -> impl Fn(&str, f64) -> Made {
    move |rule, delta| {
        let level = levels.iter().find(|(name, _)| *name == rule).map_or(0.1, |(_, level)| *level);
        Made { leakage: if delta == 0.0 { level } else { level / (2.0 + delta) }, accuracy: 0.8 }
    }
}

#[test]
fn the_f_score_holds_where_it_leaks_less_than_the_others() {
    let made = measured(5, leaking([("f-score", 0.3), ("importance", 0.4), ("random", 0.5), ("decisive", 0.2)]));
    assert_eq!(verdict(&made, F_SCORE), ClaimVerdict::Holds);
    assert_eq!(verdict(&made, OURS), ClaimVerdict::Holds);
    assert_eq!(verdict(&made, "at most 50 %"), ClaimVerdict::Holds);
    assert_eq!(verdict(&made, "An increase in δ"), ClaimVerdict::Holds);
}

#[test]
fn it_fails_where_it_leaks_more_and_holds_in_part_where_only_against_one() {
    let worse = measured(5, leaking([("f-score", 0.6), ("importance", 0.4), ("random", 0.5), ("decisive", 0.7)]));
    assert_eq!(verdict(&worse, F_SCORE), ClaimVerdict::Fails);
    assert_eq!(verdict(&worse, OURS), ClaimVerdict::Fails);
    assert_eq!(verdict(&worse, "at most 50 %"), ClaimVerdict::Fails);
    let between = measured(5, leaking([("f-score", 0.45), ("importance", 0.4), ("random", 0.5), ("decisive", 0.42)]));
    assert_eq!(verdict(&between, F_SCORE), ClaimVerdict::Partly);
    assert_eq!(verdict(&between, OURS), ClaimVerdict::Partly);
}

#[test]
fn nothing_is_said_from_one_repetition_or_without_a_difference() {
    let once = measured(1, leaking([("f-score", 0.3), ("importance", 0.4), ("random", 0.5), ("decisive", 0.2)]));
    assert_eq!(verdict(&once, F_SCORE), ClaimVerdict::Unclear);
    let alike = measured(5, leaking([("f-score", 0.3), ("importance", 0.3), ("random", 0.3), ("decisive", 0.3)]));
    assert_eq!(verdict(&alike, F_SCORE), ClaimVerdict::Unclear);
    assert_eq!(verdict(&alike, OURS), ClaimVerdict::Unclear);
}

#[test]
fn accuracy_that_is_lost_where_decisions_are_only_likely_counts() {
    let words = "equal or better accuracy";
    let rules = [("f-score", 0.3), ("importance", 0.4), ("random", 0.5), ("decisive", 0.2)];
    assert_eq!(verdict(&measured(5, leaking(rules)), words), ClaimVerdict::Holds);
    let lost = measured(5, |rule, delta| Made { accuracy: 0.8 - 0.1 * delta, ..leaking(rules)(rule, delta) });
    assert_eq!(verdict(&lost, words), ClaimVerdict::Partly);
}

/// Every rule has the same luck, so that differences are exact though levels scatter.
#[test]
fn rules_are_compared_repetition_by_repetition() {
    let made = measured(5, leaking([("f-score", 0.30), ("importance", 0.31), ("random", 0.5), ("decisive", 0.2)]));
    let found = Summaries::of(&made);
    let row =
        |rule: &str| found.filter(|it| it.rule.name() == rule && it.delta == 0.0).next().expect("it was made").clone();
    let (first, second) = (row("f-score"), row("importance"));
    let (low, high) = first.leakage.interval.expect("there are five");
    assert!(low < second.leakage.mean && second.leakage.mean < high, "the levels cannot be told apart");
    let saved = found.less_leakage(&first.setting, &second.setting);
    assert!((saved.mean - 0.01).abs() < 1e-12 && saved.is_above(0.009));
}
