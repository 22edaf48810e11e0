//! What an audit found.

use std::collections::BTreeMap;

use mindrel::Plan;
use mindrel::core_test::{Estimate, Test};
use mindrel::plan::{Calibration, GroupThreshold};
use serde::Serialize;

use crate::agreement::{Agreement, FlipRate, PromisedAgreement};
use crate::burden::BurdenComparison;
use crate::giveaway::Giveaway;
use crate::regret::Regret;
use crate::rule::Rule;
use crate::run::Run;
use crate::stream::Audit;
use crate::tally::{RunTally, Tally};

/// What an audit found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditOutcome {
    /// How many people.
    pub people: u64,
    /// How many sensitive questions the plan has.
    pub questions: usize,
    /// Accuracy of the model with everything revealed; `None` if the table has no labels.
    pub accuracy_all: Option<f64>,
    /// The fingerprint of the plan.
    pub plan: String,
    /// Seconds spent reading and encoding, added up over the cores.
    pub seconds_reading: f64,
    /// One entry for each setting.
    pub runs: Vec<RunOutcome>,
    /// If people are grouped: whether some groups are asked more than others, or decided about less well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burden: Option<BurdenComparison>,
}

/// What one setting led to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunOutcome {
    /// What tells it from a run of another plan, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The kind of belief the plan uses.
    pub belief: &'static str,
    /// The failure probability; of calibrated groups, the largest.
    pub delta: f64,
    /// The rule; `selector` in files.
    #[serde(rename = "selector")]
    pub rule: Rule,
    /// How sets are tested: by proof or by samples. `None` at δ > 0 and for `all`.
    pub test: Option<Test>,
    /// How the distribution of a network's scores is worked out, where it is.
    pub estimate: Option<Estimate>,
    /// Revealed sensitive questions / all sensitive questions, on average.
    pub leakage: f64,
    /// Revealed sensitive questions, on average.
    pub mean_asked: f64,
    /// Share of decisions that are right; `None` if the table has no labels.
    pub accuracy: Option<f64>,
    /// Share of decisions that differ from the model's with everything revealed.
    pub flips: f64,
    /// The same among people whose unrevealed values lie within the declared domains.
    pub flips_inside_domain: f64,
    /// The same for each class, among those to whom the model with everything revealed gives it.
    pub flips_by_class: BTreeMap<String, f64>,
    /// Share of people left without a decision.
    pub undecided: f64,
    /// Share of people with an unrevealed value outside its declared domain, of whom no guarantee speaks.
    pub outside_domain: f64,
    /// Share of decisions that rest on a proof or on complete answers.
    pub certified: f64,
    /// Share of decisions that rest on samples, which prove nothing.
    pub sampled: f64,
    /// Share of people for whom some test ran out of budget or time, so that more may have been asked than needed.
    pub undecided_budget: f64,
    /// How many tests did, of everybody together; `None` for the baselines.
    pub tests_out_of_budget: Option<u64>,
    /// Share of decisions that are proved, sampled, probable, or rest on everything.
    pub guarantees: Guarantees,
    /// For each sensitive question, the share of people who were asked it.
    pub asked: BTreeMap<String, f64>,
    /// How many people were asked 0, 1, 2, … questions.
    pub histogram: Vec<u64>,
    /// Questions more than the optimum, where that baseline is among the runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regret: Option<Regret>,
    /// How well what was not asked could still be inferred, where that is looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub giveaway: Option<Giveaway>,
    /// At δ > 0 by the plan's belief: whether as many decisions agree with the full model's as it promises.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibration: Option<PromisedAgreement>,
    /// By calibrated rules: whether as few are flipped as they promise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibrated: Option<PromisedFlips>,
    /// Seconds spent deciding, added up over the cores.
    pub seconds: f64,
}

/// Flips under calibrated rules, against what was promised.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PromisedFlips {
    /// The share of flips promised.
    pub promised: f64,
    /// How sure the promise is, for all groups together.
    pub confidence: f64,
    /// How many people it was calibrated on.
    pub calibrated_on: u64,
    /// The question whose answers have a threshold each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Everybody together.
    #[serde(flatten)]
    pub everybody: FlipRate,
    /// Each group; one where the groups are everybody.
    pub groups: Vec<GroupFlips>,
}

/// Flips in one group.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupFlips {
    /// The answer they share; `None` if the group is everyone.
    pub level: Option<String>,
    /// Their threshold.
    pub delta: f64,
    /// Flips among them.
    #[serde(flatten)]
    pub flips: FlipRate,
}

/// What decisions rest on, as shares of people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Guarantees {
    /// No open value could change the label.
    pub proved: f64,
    /// No draw from the belief changed it: no proof.
    pub sampled: f64,
    /// An open value changes it with probability at most δ, under the belief.
    pub probable: f64,
    /// Everything was revealed.
    pub complete: f64,
}

impl AuditOutcome {
    pub(crate) fn new(audit: &Audit<'_>, tally: &Tally) -> Self {
        let Audit { plan, runs, groups, .. } = *audit;
        let labelled = tally.labelled > 0 && tally.labelled == tally.people;
        AuditOutcome {
            people: tally.people,
            questions: plan.sensitive().len(),
            accuracy_all: labelled.then(|| share(tally.correct_all, tally.people)),
            plan: plan.fingerprint().to_string(),
            seconds_reading: tally.nanoseconds_decoding as f64 * 1e-9,
            runs: runs
                .iter()
                .zip(&tally.runs)
                .map(|(run, counts)| RunOutcome::new(plan, run, counts, tally, labelled))
                .collect(),
            burden: groups.map(|groups| BurdenComparison::new(groups, runs, tally, labelled)),
        }
    }
}

impl RunOutcome {
    fn new(plan: &Plan, run: &Run, counts: &RunTally, tally: &Tally, labelled: bool) -> Self {
        let people = tally.people;
        let asked: u64 = counts.asked.iter().sum();
        let n_questions = plan.sensitive().len() as u64;
        let names = plan.sensitive().iter().map(|&id| plan.schema().question(id).name.clone());
        RunOutcome {
            name: run.name.clone(),
            belief: run.plan.belief().name(),
            delta: run.delta(),
            rule: run.rule(),
            test: run.test(),
            estimate: run.estimate(),
            leakage: share(asked, people * n_questions),
            mean_asked: share(asked, people),
            accuracy: labelled.then(|| share(counts.correct, people)),
            flips: share(counts.flips, people),
            flips_inside_domain: share(counts.flips_inside, people - counts.outside),
            flips_by_class: plan
                .schema()
                .target()
                .classes
                .iter()
                .zip(counts.flips_by_class.iter().zip(&tally.by_class))
                .map(|(class, (&flips, &people))| (class.clone(), share(flips, people)))
                .collect(),
            // Nobody declines in an audit, so every walk ends with a decision.
            undecided: 0.0,
            outside_domain: share(counts.outside, people),
            certified: share(counts.proved + counts.complete, people),
            sampled: share(counts.sampled, people),
            undecided_budget: share(counts.out_of_budget, people),
            tests_out_of_budget: matches!(run.rule(), Rule::Asking(_)).then_some(counts.tests_out_of_budget),
            guarantees: Guarantees {
                proved: share(counts.proved, people),
                sampled: share(counts.sampled, people),
                probable: share(counts.probable, people),
                complete: share(counts.complete, people),
            },
            asked: names.zip(&counts.asked).map(|(name, &count)| (name, share(count, people))).collect(),
            histogram: counts.histogram.clone(),
            regret: Regret::new(&counts.regret),
            giveaway: counts.giveaway.as_ref().map(|giveaway| Giveaway::new(plan, giveaway)),
            calibration: calibration(run, counts, people),
            calibrated: run.calibration().map(|calibration| PromisedFlips::new(calibration, counts)),
            seconds: counts.nanoseconds as f64 * 1e-9,
        }
    }
}

impl PromisedFlips {
    fn new(calibration: &Calibration, counts: &RunTally) -> Self {
        let rate = |[people, flipped]: [u64; 2]| FlipRate::new(people, flipped, calibration.flips);
        let total = counts.groups.iter().fold([0; 2], |sum, group| [sum[0] + group[0], sum[1] + group[1]]);
        let group = |(threshold, counts): (&GroupThreshold, &[u64; 2])| GroupFlips {
            level: threshold.level.clone(),
            delta: threshold.delta,
            flips: rate(*counts),
        };
        PromisedFlips {
            promised: calibration.flips,
            confidence: calibration.confidence,
            calibrated_on: calibration.people(),
            by: calibration.by.clone(),
            everybody: rate(total),
            groups: calibration.groups.iter().zip(&counts.groups).map(group).collect(),
        }
    }
}

/// Promised and observed agreement, where the belief promises some.
fn calibration(run: &Run, counts: &RunTally, people: u64) -> Option<PromisedAgreement> {
    let promises = matches!(run.rule(), Rule::Asking(_)) && !run.calibrated && run.delta() > 0.0;
    let promised = 1.0 - run.delta();
    promises.then(|| PromisedAgreement {
        promised,
        everybody: Agreement::new(people, people - counts.flips, promised),
        probable: Agreement::new(counts.probable, counts.probable - counts.probable_flips, promised),
    })
}

/// A share; zero of nothing is zero.
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
