//! Claims about how many answers people give.

use super::{CheckedClaim, ClaimVerdict, percent};
use crate::summaries::{SettingSummary, Summaries};
use mindrel::Selector;
use mindrel_audit::Rule;

/// Figure 2: the smallest pure core sets.
pub fn smallest(found: &Summaries<'_>) -> Vec<CheckedClaim> {
    let rows: Vec<&SettingSummary> = found.filter(|it| it.rule == Rule::Optimal).collect();
    let shares = |at_most: usize| {
        let one = |row: &&SettingSummary| {
            let share = percent(row.cumulative[at_most.min(row.setting.sensitive)].mean);
            format!("{share} with |S| = {}", row.setting.sensitive)
        };
        rows.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let reaching = |at_most: usize, share: f64| rows.iter().filter(|row| row.cumulative[at_most].mean >= share).count();
    vec![
        CheckedClaim {
            source: "paper, §3",
            claim: "Many individuals need to disclose no additional information to attain accurate predictions.",
            reading: "many: at least a quarter; the paper does not say how many features are sensitive, so three sizes are shown",
            verdict: ClaimVerdict::by_parts(reaching(0, 0.25), rows.len()),
            finding: format!("Nothing has to be revealed by {}.", shares(0)),
        },
        CheckedClaim {
            source: "paper, §3",
            claim: "Most individuals can achieve accurate predictions by disclosing only ≤ 2 sensitive features.",
            reading: "most: more than half",
            verdict: ClaimVerdict::by_parts(reaching(2, 0.5), rows.len()),
            finding: format!("Two answers or fewer prove the decision for {}.", shares(2)),
        },
    ]
}

/// Figure 4: core sets by failure probability.
pub fn by_delta(found: &Summaries<'_>) -> Vec<CheckedClaim> {
    let rows: Vec<&SettingSummary> = found.filter(|it| it.rule == Rule::Asking(Selector::FScore)).collect();
    let proved = rows.iter().find(|row| row.setting.delta == 0.0).expect("the design has δ = 0");
    let ours = found
        .filter(|it| it.rule == Rule::Asking(Selector::Decisive) && it.delta == 0.0)
        .next()
        .expect("the design has it");
    let everything = |row: &SettingSummary| 1.0 - row.cumulative[row.setting.sensitive - 1].mean;
    let likely: Vec<&&SettingSummary> = rows.iter().filter(|row| row.setting.delta > 0.0).collect();
    let few = |row: &SettingSummary| row.cumulative[1].mean;
    let list = likely.iter().map(|row| format!("{} at δ = {}", percent(few(row)), row.setting.delta));
    vec![
        CheckedClaim {
            source: "paper, §5.3",
            claim: "For each test sample, MinDRel identifies core feature sets that are significantly smaller than the total sensitive \
                    feature set size |S| = 7.",
            reading: "nobody gives all 7 answers at δ = 0",
            verdict: if everything(proved) == 0.0 { ClaimVerdict::Holds } else { ClaimVerdict::Partly },
            finding: format!(
                "At δ = 0 people give {:.1} of 7 answers on average by the f-score, and {} give all 7; by decisive it is {:.1}, and {}.",
                7.0 * proved.leakage.mean,
                percent(everything(proved)),
                7.0 * ours.leakage.mean,
                percent(everything(ours)),
            ),
        },
        CheckedClaim {
            source: "paper, §5.3",
            claim: "When δ > 0, it discovers core feature sets smaller than 2 for the majority of users.",
            reading: "more than half give at most one answer",
            verdict: ClaimVerdict::by_parts(likely.iter().filter(|row| few(row) > 0.5).count(), likely.len()),
            finding: format!("At most one answer is given by {}.", list.collect::<Vec<_>>().join(", ")),
        },
    ]
}
