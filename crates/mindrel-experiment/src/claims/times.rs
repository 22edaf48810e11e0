//! Claims about time. Machines differ, so ratios count.

use super::{CheckedClaim, ClaimVerdict, largest, place};
use crate::design::BeliefKind;
use crate::summaries::{SettingSummary, Summaries};
use mindrel::Selector;
use mindrel_audit::Rule;

/// The paper's minutes of training and of inference, for Bayesian networks and for a Gaussian [TF23, Tables 1 and 2].
pub const PAPER_MINUTES: [(&str, [f64; 2], [f64; 2]); 4] = [
    ("bank", [204.0, 0.01], [40.0, 15.0]),
    ("adult", [375.0, 0.02], [254.0, 78.0]),
    ("credit", [125.0, 0.02], [220.0, 66.0]),
    ("insurance", [90.0, 0.01], [34.0, 9.0]),
];

/// Tables 1 and 2.
pub fn of_beliefs(found: &Summaries<'_>) -> Vec<CheckedClaim> {
    let row = |data_set: &str, kind: BeliefKind| {
        let same = |row: &&SettingSummary| row.setting.rule == Rule::Asking(Selector::FScore);
        let rows = found.filter(move |it| it.data_set == data_set && it.belief == kind);
        rows.into_iter().find(same).expect("the design has every belief").clone()
    };
    let data_sets = found.measured().design.data_sets;
    let ratios = |figure: &dyn Fn(&SettingSummary) -> f64| -> Vec<f64> {
        let ratio =
            |name: &&str| figure(&row(name, BeliefKind::BayesianPerSet)) / figure(&row(name, BeliefKind::Gaussian));
        data_sets.iter().map(ratio).collect()
    };
    let fitting = ratios(&|row| row.seconds_fitting.expect("it is timed").mean);
    let deciding = ratios(&|row| row.seconds_per_person.expect("it is timed").mean);
    let slower =
        |ratios: &[f64]| ClaimVerdict::by_parts(ratios.iter().filter(|&&ratio| ratio > 1.0).count(), ratios.len());
    vec![
        CheckedClaim {
            source: "paper, Table 1",
            claim: "Training 32 Bayesian networks takes 90 to 375 minutes, the Gaussian 0.01 to 0.02 (thousands of times less).",
            reading: "networks take longer to fit on every data set",
            verdict: slower(&fitting),
            finding: format!(
                "Networks, one for each set, take {} times as long to fit as the Gaussian.",
                span(&fitting)
            ),
        },
        CheckedClaim {
            source: "paper, Table 2",
            claim: "Deciding with Bayesian networks takes 2.7 to 3.8 times as long as with the Gaussian assumption.",
            reading: "networks take longer to decide with on every data set",
            verdict: slower(&deciding),
            finding: format!(
                "Deciding takes {} times as long: the Gaussian's closed forms are what is fast, networks are not slow.",
                span(&deciding)
            ),
        },
    ]
}

fn span(values: &[f64]) -> String {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    format!("{least:.0} to {most:.0}")
}

/// Figure 11.
pub fn of_decisions(found: &Summaries<'_>) -> Vec<CheckedClaim> {
    let seconds = |row: &SettingSummary| row.seconds_per_person.expect("it is timed").mean;
    let of = |selector: Selector| {
        let rows = found.filter(move |it| it.rule == Rule::Asking(selector) && it.sensitive >= 15);
        largest(rows, seconds)
    };
    let (published, closed, ours) = (of(Selector::FScoreMc), of(Selector::FScore), of(Selector::Decisive));
    vec![CheckedClaim {
        source: "paper, App. D",
        claim: "When |S| > 15, MinDRel with F-Score can take slightly more than 1 second to get the model prediction per user.",
        reading: "seconds a person with 15 and more sensitive features, the slowest setting",
        verdict: ClaimVerdict::of(seconds(published) > 1.0),
        finding: format!(
            "The published procedure, 100 draws a candidate, takes up to {:.2} ms here ({}); the f-score in closed form up to {:.1} µs, decisive \
             up to {:.1} µs.",
            1e3 * seconds(published),
            place(published),
            1e6 * seconds(closed),
            1e6 * seconds(ours),
        ),
    }]
}
