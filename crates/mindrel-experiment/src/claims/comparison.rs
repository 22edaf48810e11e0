//! Claims about the rules of choosing questions, next to each other.

use super::{CheckedClaim, ClaimVerdict, OURS, largest, leakage_range, percent, place, points, setting};
use crate::summaries::{SettingSummary, Summaries};
use mindrel::Selector;
use mindrel_audit::Rule;

/// Figures 5 and 7.
pub fn linear(found: &Summaries<'_>) -> Vec<CheckedClaim> {
    vec![
        accuracy_is_kept(found),
        leakage_falls_with_delta(found),
        f_score_leaks_least(found, "paper, §5.3"),
        at_most_half(found),
        a_tenth_costs_little(
            found,
            "paper, App. D",
            "By choosing δ = 0.1, only minimal accuracy is sacrificed (at most 0.002 %), while the data leakage can be reduced to as low as \
             5 % of the total number of sensitive attributes.",
            0.00002,
        ),
        decisive_leaks_less(found),
    ]
}

/// Figure 10.
pub fn large(found: &Summaries<'_>) -> Vec<CheckedClaim> {
    vec![
        f_score_leaks_least(found, "paper, §5.3 (“analogous trends”)"),
        leakage_falls_with_delta(found),
        decisive_leaks_less(found),
        close_to_the_optimum(found),
    ]
}

/// Figure 12.
pub fn multiclass(found: &Summaries<'_>) -> Vec<CheckedClaim> {
    vec![
        reduces_leakage(
            found,
            "The figures clearly show the benefits of MinDRel in reducing data leakage while maintaining a comparable accuracy to the \
             baseline models.",
        ),
        f_score_leaks_least(found, "implied by the figure"),
        decisive_leaks_less(found),
    ]
}

fn f_score<'a>(found: &'a Summaries<'_>) -> impl Iterator<Item = &'a SettingSummary> + Clone {
    found.filter(|it| it.rule == Rule::Asking(Selector::FScore))
}

fn accuracy_is_kept(found: &Summaries<'_>) -> CheckedClaim {
    let flips = largest(f_score(found).filter(|row| row.setting.delta == 0.0), |row| row.flips.mean);
    let exact = flips.flips.mean == 0.0;
    let likely = || f_score(found).filter(|row| row.setting.delta > 0.0);
    let worse = likely().filter(|row| row.accuracy_lost.is_above(0.0)).count();
    let worst = largest(likely(), |row| row.accuracy_lost.mean);
    CheckedClaim {
        source: "paper, §5.3",
        claim: "MinDRel achieves equal or better accuracy than the optimal mechanism and baseline that utilizes all features.",
        reading: "at δ = 0 no decision differs; at δ > 0 accuracy is not lower (95 % interval)",
        verdict: if exact && worse == 0 {
            ClaimVerdict::Holds
        } else if exact {
            ClaimVerdict::Partly
        } else {
            ClaimVerdict::Fails
        },
        finding: format!(
            "At δ = 0 {}. At δ > 0 accuracy is lower in {worse} of {} settings, at most by {} ({}, δ = {}).",
            if exact { "no decision differs from the full model's, which is proved" } else { "some decisions differ" },
            likely().count(),
            points(worst.accuracy_lost.mean),
            place(worst),
            worst.setting.delta,
        ),
    }
}

pub(super) fn leakage_falls_with_delta(found: &Summaries<'_>) -> CheckedClaim {
    let design = found.measured().design;
    let (mut steps, mut rises) = (0, 0);
    for &data_set in design.data_sets {
        for size in found.sizes(data_set) {
            for selector in design.selectors {
                for pair in design.deltas.windows(2) {
                    let at = |delta| setting(data_set, size, Rule::Asking(*selector), delta);
                    steps += 1;
                    rises += usize::from(found.less_leakage(&at(pair[1]), &at(pair[0])).mean < 0.0);
                }
            }
        }
    }
    CheckedClaim {
        source: "paper, §5.3",
        claim: "An increase in δ aids in safeguarding data minimization, as evidenced by the drop in relative data leakage.",
        reading: "mean leakage never rises from one δ to the next, for any rule, data set and |S|",
        verdict: if rises == 0 { ClaimVerdict::Holds } else { ClaimVerdict::Partly },
        finding: format!("It rises in {rises} of {steps} steps."),
    }
}

/// Wins and losses of one rule against another over data sets and sizes.
#[derive(Default)]
struct Score {
    less: usize,
    more: usize,
    all: usize,
}

impl Score {
    fn told(&self, rival: &str) -> String {
        format!("{rival}: less in {}, more in {} of {}", self.less, self.more, self.all)
    }

    /// Whether the first leaks less: in most settings and more in none.
    fn verdict(&self) -> ClaimVerdict {
        match (self.less, self.more) {
            (less, 0) if 2 * less > self.all => ClaimVerdict::Holds,
            (_, 0) => ClaimVerdict::Unclear,
            (less, more) if more > less => ClaimVerdict::Fails,
            _ => ClaimVerdict::Partly,
        }
    }
}

/// Of several comparisons together.
fn together(scores: impl Iterator<Item = ClaimVerdict>) -> ClaimVerdict {
    let verdicts: Vec<ClaimVerdict> = scores.collect();
    let all = |wanted| verdicts.iter().all(|&verdict| verdict == wanted);
    let any = |wanted| verdicts.contains(&wanted);
    match () {
        () if all(ClaimVerdict::Holds) => ClaimVerdict::Holds,
        () if all(ClaimVerdict::Unclear) => ClaimVerdict::Unclear,
        () if any(ClaimVerdict::Holds) || any(ClaimVerdict::Partly) => ClaimVerdict::Partly,
        () => ClaimVerdict::Fails,
    }
}

fn score(found: &Summaries<'_>, first: Selector, second: Selector, at: impl Fn(f64) -> bool) -> Score {
    let design = found.measured().design;
    let mut score = Score::default();
    for &data_set in design.data_sets {
        for size in found.sizes(data_set) {
            for &delta in design.deltas.iter().filter(|&&delta| at(delta)) {
                let rule = |selector| setting(data_set, size, Rule::Asking(selector), delta);
                let saved = found.less_leakage(&rule(first), &rule(second));
                score.all += 1;
                score.less += usize::from(saved.is_above(0.0));
                score.more += usize::from(saved.is_below(0.0));
            }
        }
    }
    score
}

/// The paper's importance, whichever it is for this model.
fn importance(found: &Summaries<'_>) -> Selector {
    let mut selectors = found.measured().design.selectors.iter().copied();
    let is_importance = |selector: &Selector| matches!(selector, Selector::Importance | Selector::ImportanceLogistic);
    selectors.find(is_importance).expect("every comparison has it")
}

pub(super) fn f_score_leaks_least(found: &Summaries<'_>, source: &'static str) -> CheckedClaim {
    let against = |rival: Selector, at: fn(f64) -> bool| score(found, Selector::FScore, rival, at);
    let zero: fn(f64) -> bool = |delta| delta == 0.0;
    let above: fn(f64) -> bool = |delta| delta > 0.0;
    let scores = [
        ("importance at δ = 0", against(importance(found), zero)),
        ("random at δ = 0", against(Selector::Random, zero)),
        ("importance at δ > 0", against(importance(found), above)),
        ("random at δ > 0", against(Selector::Random, above)),
    ];
    let told = scores.iter().map(|(name, it)| it.told(name));
    CheckedClaim {
        source,
        claim: "The proposed scoring function outperforms the other versions in terms of data leakage minimization.",
        reading: "the f-score leaks less in most settings and more in none (95 % intervals of differences)",
        verdict: together(scores.iter().map(|(_, it)| it.verdict())),
        finding: format!("The f-score leaks, next to {}.", told.collect::<Vec<_>>().join("; ")),
    }
}

fn at_most_half(found: &Summaries<'_>) -> CheckedClaim {
    let proved = || f_score(found).filter(|row| row.setting.delta == 0.0);
    let most = largest(proved(), |row| row.leakage.mean);
    let over = proved().filter(|row| row.leakage.mean > 0.5).count();
    let ours = found.filter(|it| it.rule == Rule::Asking(Selector::Decisive) && it.delta == 0.0);
    let ours = largest(ours, |row| row.leakage.mean);
    CheckedClaim {
        source: "paper, App. D",
        claim: "With different choices of |S|, MinDRel (with δ = 0) requires the revelation of at most 50 % of sensitive information.",
        reading: "mean leakage of the f-score at δ = 0",
        verdict: ClaimVerdict::by_parts(proved().count() - over, proved().count()),
        finding: format!(
            "Over one half in {over} of {} settings; at most {} ({}). By decisive at most {} ({}).",
            proved().count(),
            percent(most.leakage.mean),
            place(most),
            percent(ours.leakage.mean),
            place(ours),
        ),
    }
}

pub(super) fn a_tenth_costs_little(
    found: &Summaries<'_>,
    source: &'static str,
    claim: &'static str,
    allowed: f64,
) -> CheckedClaim {
    let rows = || f_score(found).filter(|row| row.setting.delta == 0.1);
    let worst = largest(rows(), |row| row.accuracy_lost.mean);
    let parts = [worst.accuracy_lost.mean <= allowed, rows().any(|row| row.leakage.mean <= 0.05)];
    CheckedClaim {
        source,
        claim,
        reading: "of the f-score at δ = 0.1: the most accuracy lost in any setting, and the least leakage",
        verdict: ClaimVerdict::by_parts(parts.iter().filter(|&&holds| holds).count(), parts.len()),
        finding: format!(
            "Accuracy falls by up to {} ({}); leakage is {}.",
            points(worst.accuracy_lost.mean),
            place(worst),
            leakage_range(rows()),
        ),
    }
}

pub(super) fn reduces_leakage(found: &Summaries<'_>, claim: &'static str) -> CheckedClaim {
    let proved = || f_score(found).filter(|row| row.setting.delta == 0.0);
    let exact = proved().all(|row| row.flips.mean == 0.0);
    CheckedClaim {
        source: "paper, App. D",
        claim,
        reading: "at δ = 0 by the f-score: less than everything is revealed, and accuracy is at most 2 points lower",
        verdict: ClaimVerdict::of(proved().all(|row| row.leakage.mean < 1.0 && row.accuracy_lost.mean <= 0.02)),
        finding: format!(
            "At δ = 0 people reveal {}; {}.",
            leakage_range(proved()),
            if exact { "no decision differs from the full model's" } else { "some decisions differ" },
        ),
    }
}

pub(super) fn decisive_leaks_less(found: &Summaries<'_>) -> CheckedClaim {
    let zero = |delta: f64| delta == 0.0;
    let rivals = [Selector::FScore, importance(found), Selector::Random];
    let scores: Vec<Score> = rivals.iter().map(|&rival| score(found, Selector::Decisive, rival, zero)).collect();
    let names = ["f-score", "importance", "random"];
    let told = names.iter().zip(&scores).map(|(name, it)| it.told(name));
    CheckedClaim {
        source: OURS,
        claim: "Where decisions are proved, decisive asks for less than the published rules.",
        reading: "at δ = 0 it leaks less in most settings and more in none (95 % intervals of differences)",
        verdict: together(scores.iter().map(Score::verdict)),
        finding: format!("Decisive leaks, next to {}.", told.collect::<Vec<_>>().join("; ")),
    }
}

fn close_to_the_optimum(found: &Summaries<'_>) -> CheckedClaim {
    let mut ratios: Vec<(f64, &SettingSummary)> = found
        .filter(|it| it.rule == Rule::Asking(Selector::Decisive) && it.delta == 0.0)
        .map(|row| {
            let optimum = setting(&row.setting.data_set, row.setting.sensitive, Rule::Optimal, 0.0);
            let optimum = found.filter(|it| *it == optimum).next().expect("the design has the optimum");
            (row.leakage.mean / optimum.leakage.mean.max(f64::MIN_POSITIVE) - 1.0, row)
        })
        .collect();
    ratios.sort_by(|left, right| left.0.total_cmp(&right.0));
    let (last, first) = (ratios.last().expect("the design has decisive"), ratios.first().expect("as well"));
    CheckedClaim {
        source: OURS,
        claim: "The smallest core sets can be computed for any |S|, and decisive stays close to them.",
        reading: "within a quarter of the optimum's leakage, which sees every answer before it chooses",
        verdict: ClaimVerdict::by_parts(ratios.iter().filter(|(ratio, _)| *ratio <= 0.25).count(), ratios.len()),
        finding: format!(
            "Decisive asks for {} ({}) to {} ({}) more than the optimum.",
            percent(first.0),
            place(first.1),
            percent(last.0),
            place(last.1),
        ),
    }
}
