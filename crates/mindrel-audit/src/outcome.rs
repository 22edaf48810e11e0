//! What an audit found.

use std::collections::BTreeMap;

use mindrel::Plan;
use mindrel::core_test::{Estimate, Test};
use mindrel::plan::{Calibration, GroupThreshold};
use serde::Serialize;

use crate::agreement::{Agreement, FlipRate, PromisedAgreement};
use crate::burden::BurdenComparison;
use crate::decisions::question_costs;
use crate::giveaway::Giveaway;
use crate::regret::Regret;
use crate::rule::Rule;
use crate::run::Run;
use crate::small_groups::{TellableGroups, tellable};
use crate::stream::Audit;
use crate::tally::{RunTally, Tally};

/// What an audit found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditOutcome {
    /// How many people.
    pub people: u64,
    /// How many sensitive questions the plan has.
    pub questions: usize,
    /// The total cost of these questions; `None` if each costs 1, so that costs are numbers of questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_all: Option<f64>,
    /// Groups and classes with fewer people are merged or left out.
    pub smallest_group: u64,
    /// Accuracy of the model with everything revealed; `None` if the table has no labels.
    pub accuracy_all: Option<f64>,
    /// The fingerprint of the plan.
    pub plan: String,
    /// The rules between questions, if there are any, and how many people break each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleBreakers>,
    /// The time spent reading and encoding, in seconds, summed over the cores.
    pub seconds_reading: f64,
    /// One entry for each run.
    pub runs: Vec<RunOutcome>,
    /// The comparison of groups, if people are grouped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burden: Option<BurdenComparison>,
}

/// A rule between questions, and how many people break it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleBreakers {
    /// The rule, in words.
    pub rule: String,
    /// How many people break it. They are outside: no guarantee holds for them.
    pub people: u64,
}

/// What one run found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunOutcome {
    /// The name of the plan, if several are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The kind of belief the plan uses.
    pub belief: &'static str,
    /// The failure probability; of calibrated groups, the largest.
    pub delta: f64,
    /// The rule; `selector` in files.
    #[serde(rename = "selector")]
    pub rule: Rule,
    /// The test of core sets; `None` at δ > 0 and for `all`.
    pub test: Option<Test>,
    /// How the distribution of the scores of a non-linear model is computed; `None` if it is not.
    pub estimate: Option<Estimate>,
    /// Revealed sensitive questions / all sensitive questions, on average.
    pub leakage: f64,
    /// Revealed sensitive questions, on average.
    pub mean_asked: f64,
    /// Sensitive questions that were not asked because they followed from other answers, on average; `None` if there
    /// are no rules between questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_implied: Option<f64>,
    /// For each of these questions, the share of people for whom it followed.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub implied: BTreeMap<String, f64>,
    /// The mean cost of the revealed sensitive questions; `None` if each costs 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_cost: Option<f64>,
    /// For `optimal`, the mean cost of the cheapest sets that prove the decisions; `None` if each question costs 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_cost: Option<f64>,
    /// The share of correct decisions; `None` if the table has no labels.
    pub accuracy: Option<f64>,
    /// Share of decisions that differ from the model's with everything revealed.
    pub flips: f64,
    /// The same among people all of whose values lie within the declared domains.
    pub flips_inside_domain: f64,
    /// The same for each class, among people to whom the model with everything revealed assigns it. Small classes are
    /// left out.
    pub flips_by_class: BTreeMap<String, f64>,
    /// The flips of each class against the promise, if there is one. Small classes are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub promised_by_class: Vec<ClassFlips>,
    /// Share of people left without a decision.
    pub undecided: f64,
    /// Share of people with a value outside its declared domain, public or sensitive, for whom no guarantee holds.
    pub outside_domain: f64,
    /// Share of decisions that rest on a proof or on complete answers.
    pub certified: f64,
    /// Share of decisions that rest on samples, which prove nothing.
    pub sampled: f64,
    /// Share of people for whom a test ran out of budget or time, so that more may have been asked than necessary.
    pub undecided_budget: f64,
    /// The number of such tests, over all people; `None` for the baselines.
    pub tests_out_of_budget: Option<u64>,
    /// The share of decisions with each guarantee.
    pub guarantees: Guarantees,
    /// For each sensitive question, the share of people who were asked it.
    pub asked: BTreeMap<String, f64>,
    /// How many people were asked 0, 1, 2, … questions.
    pub histogram: Vec<u64>,
    /// Questions beyond the optimum, if that baseline is among the runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regret: Option<Regret>,
    /// How well unasked answers could be inferred, if that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub giveaway: Option<Giveaway>,
    /// At δ > 0: the agreement with the full model that the belief promises, against what was observed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibration: Option<PromisedAgreement>,
    /// With calibrated rules: the promised flips, against what was observed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibrated: Option<PromisedFlips>,
    /// The time spent deciding, in seconds, summed over the cores.
    pub seconds: f64,
}

/// Flips under calibrated rules, against what was promised.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PromisedFlips {
    /// The share of flips promised.
    pub promised: f64,
    /// The confidence of the promise, for all groups together.
    pub confidence: f64,
    /// How many people it was calibrated on.
    pub calibrated_on: u64,
    /// The question whose answers each have a threshold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Everybody together.
    #[serde(flatten)]
    pub everybody: FlipRate,
    /// Each group, or one group of everyone. Small groups come last, merged into one.
    pub groups: Vec<GroupFlips>,
    /// How many small groups are left out.
    pub groups_untold: usize,
}

/// Flips among the people to whom the model with everything revealed assigns one class.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassFlips {
    /// The class.
    pub class: String,
    /// Flips among its people.
    #[serde(flatten)]
    pub flips: FlipRate,
}

/// Flips in one group.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupFlips {
    /// The answer they share; `None` if the group is everyone, or merged small groups.
    pub level: Option<String>,
    /// How many small groups were merged into this one; 0 if it is a single group.
    pub merged: usize,
    /// Their threshold; of merged groups, the largest.
    pub delta: f64,
    /// Flips among them.
    #[serde(flatten)]
    pub flips: FlipRate,
}

/// The guarantees of the decisions, as shares of people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Guarantees {
    /// No open answer could change the label.
    pub proved: f64,
    /// No draw from the belief changed the label, which is not a proof.
    pub sampled: f64,
    /// Under the belief, the open answers change the label with probability at most δ.
    pub probable: f64,
    /// Every question was answered.
    pub complete: f64,
}

impl AuditOutcome {
    pub(crate) fn new(audit: &Audit<'_>, tally: &Tally) -> Self {
        let Audit { plan, runs, groups, smallest_group, .. } = *audit;
        let labelled = tally.labelled > 0 && tally.labelled == tally.people;
        AuditOutcome {
            people: tally.people,
            questions: plan.sensitive().len(),
            cost_all: question_costs(plan).map(|costs| costs.iter().sum()),
            smallest_group,
            accuracy_all: labelled.then(|| share(tally.correct_all, tally.people)),
            plan: plan.fingerprint().to_string(),
            rules: rule_breakers(plan, tally),
            seconds_reading: tally.nanoseconds_decoding as f64 * 1e-9,
            runs: runs
                .iter()
                .zip(&tally.runs)
                .map(|(run, counts)| RunOutcome::new(audit, run, counts, tally, labelled))
                .collect(),
            burden: groups.map(|groups| BurdenComparison::new(audit, groups, tally, labelled)),
        }
    }
}

impl RunOutcome {
    fn new(audit: &Audit<'_>, run: &Run, counts: &RunTally, tally: &Tally, labelled: bool) -> Self {
        let (plan, people) = (audit.plan, tally.people);
        let classes = ClassCounts::of(audit, counts, tally);
        let asked: u64 = counts.asked.iter().sum();
        let n_questions = plan.sensitive().len() as u64;
        let names = || plan.sensitive().iter().map(|&id| plan.schema().question(id).name.clone());
        let has_rules = !plan.schema().implications().is_empty();
        let implied = names().zip(&counts.implied).filter(|(_, count)| **count > 0);
        RunOutcome {
            name: run.name.clone(),
            belief: run.plan.belief().name(),
            delta: run.delta(),
            rule: run.rule(),
            test: run.test(),
            estimate: run.estimate(),
            leakage: share(asked, people * n_questions),
            mean_asked: share(asked, people),
            mean_implied: has_rules.then(|| share(counts.implied.iter().sum(), people)),
            implied: implied.map(|(name, &count)| (name, share(count, people))).collect(),
            mean_cost: question_costs(plan).map(|costs| mean_cost(&costs, &counts.asked, people)),
            least_cost: counts.least_cost.map(|sum| sum.value() / people as f64).filter(|_| people > 0),
            accuracy: labelled.then(|| share(counts.correct, people)),
            flips: share(counts.flips, people),
            flips_inside_domain: share(counts.flips_inside, people - counts.outside),
            flips_by_class: classes.shares(),
            promised_by_class: promised_flips(run).map_or(Vec::new(), |promised| classes.rates(promised)),
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
            asked: names().zip(&counts.asked).map(|(name, &count)| (name, share(count, people))).collect(),
            histogram: counts.histogram.clone(),
            regret: Regret::new(&counts.regret),
            giveaway: counts.giveaway.as_ref().map(|giveaway| Giveaway::new(plan, giveaway, audit.smallest_group)),
            calibration: calibration(run, counts, people),
            calibrated: run.calibration().map(|calibration| PromisedFlips::new(audit, calibration, counts)),
            seconds: counts.nanoseconds as f64 * 1e-9,
        }
    }
}

fn rule_breakers(plan: &Plan, tally: &Tally) -> Vec<RuleBreakers> {
    let rules = plan.schema().implications().iter().zip(&tally.rule_breakers);
    rules.map(|(rule, &people)| RuleBreakers { rule: rule.to_string(), people }).collect()
}

/// People and flips of each class that is not small.
struct ClassCounts(Vec<(String, [u64; 2])>);

impl ClassCounts {
    fn of(audit: &Audit<'_>, counts: &RunTally, tally: &Tally) -> Self {
        let classes = audit.plan.schema().target().classes.iter().cloned();
        let both = tally.by_class.iter().zip(&counts.flips_by_class).map(|(&people, &flips)| [people, flips]);
        ClassCounts(tellable(classes.zip(both), audit.smallest_group, |counts| counts[0], sum).told)
    }

    fn shares(&self) -> BTreeMap<String, f64> {
        self.0.iter().map(|(class, [people, flips])| (class.clone(), share(*flips, *people))).collect()
    }

    fn rates(&self, promised: f64) -> Vec<ClassFlips> {
        let rate = |(class, [people, flips]): &(String, [u64; 2])| ClassFlips {
            class: class.clone(),
            flips: FlipRate::new(*people, *flips, promised),
        };
        self.0.iter().map(rate).collect()
    }
}

fn sum(one: [u64; 2], other: [u64; 2]) -> [u64; 2] {
    [one[0] + other[0], one[1] + other[1]]
}

impl PromisedFlips {
    fn new(audit: &Audit<'_>, calibration: &Calibration, counts: &RunTally) -> Self {
        let rate = |[people, flipped]: [u64; 2]| FlipRate::new(people, flipped, calibration.flips);
        let total = counts.groups.iter().copied().fold([0; 2], sum);
        let each = calibration.groups.iter().zip(&counts.groups);
        let each =
            each.map(|(threshold, counts): (&GroupThreshold, _)| (threshold.level.clone(), (threshold.delta, *counts)));
        let both = |(delta, counts): (f64, _), (other, others)| (delta.max(other), sum(counts, others));
        let smallest = if calibration.by.is_some() { audit.smallest_group } else { 0 };
        let TellableGroups { told, merged, n_untold } = tellable(each, smallest, |(_, counts)| counts[0], both);
        let own = told.into_iter().map(|(level, group)| (level, 0, group));
        let merged = merged.into_iter().map(|(merged, group)| (None, merged, group));
        let group = |(level, merged, (delta, counts))| GroupFlips { level, merged, delta, flips: rate(counts) };
        PromisedFlips {
            promised: calibration.flips,
            confidence: calibration.confidence,
            calibrated_on: calibration.people(),
            by: calibration.by.clone(),
            everybody: rate(total),
            groups: own.chain(merged).map(group).collect(),
            groups_untold: n_untold,
        }
    }
}

/// Promised and observed agreement, if the belief promises any.
fn calibration(run: &Run, counts: &RunTally, people: u64) -> Option<PromisedAgreement> {
    let promises = matches!(run.rule(), Rule::Asking(_)) && !run.calibrated && run.delta() > 0.0;
    let promised = 1.0 - run.delta();
    promises.then(|| PromisedAgreement {
        promised,
        everybody: Agreement::new(people, people - counts.flips, promised),
        probable: Agreement::new(counts.probable, counts.probable - counts.probable_flips, promised),
    })
}

/// The largest share of flips that a run promises, if it makes a promise.
fn promised_flips(run: &Run) -> Option<f64> {
    let by_belief = matches!(run.rule(), Rule::Asking(_)) && run.delta() > 0.0;
    run.calibration().map(|calibration| calibration.flips).or_else(|| by_belief.then(|| run.delta()))
}

/// The mean cost per person, given how many people were asked each question.
fn mean_cost(costs: &[f64], asked: &[u64], people: u64) -> f64 {
    let cost: f64 = costs.iter().zip(asked).map(|(cost, &count)| cost * count as f64).sum();
    if people == 0 { 0.0 } else { cost / people as f64 }
}

/// A share; 0 if the whole is 0.
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
