//! The options for rules that `ask`, `audit`, `inspect` and `calibrate` share.

use std::time::Duration;

use clap::Args;
use mindrel::core_test::{Estimate, Test};
use mindrel::plan::PlanError;
use mindrel::{Plan, Rules, Selector};

use super::numbers;

/// The options that conflict with `--calibrated`: calibrated rules are followed exactly.
pub const NOT_CALIBRATED: [&str; 9] =
    ["delta", "selector", "test", "samples", "estimate", "budget", "deadline", "draws", "seed"];

/// How decisions are tested and questions drawn; an option that is not given keeps the plan's value.
#[derive(Debug, Args)]
pub struct RuleArguments {
    /// Number of draws for the sampled test [default: the plan's, usually 100000, or 5000 for a black box].
    #[arg(long, value_name = "N", value_parser = numbers::draws, allow_hyphen_values = true)]
    samples: Option<usize>,
    /// How to estimate the probability of a decision of a non-linear model: qmc (draws through the model) or, for
    /// networks, taylor (linearised) [default: qmc].
    #[arg(long)]
    estimate: Option<Estimate>,
    /// Work that one step may take, in elementary operations: proving the decision and choosing
    /// a question [default: 100000000, at most a quarter of a second].
    #[arg(long, value_name = "OPERATIONS", value_parser = numbers::budget, allow_hyphen_values = true)]
    budget: Option<u64>,
    /// Time that one step may take, as a last resort; results then depend on the machine [default: no limit].
    #[arg(long, value_name = "MILLISECONDS", value_parser = numbers::deadline, allow_hyphen_values = true)]
    deadline: Option<u64>,
    /// Draws for each candidate question of f-score-mc [default: 100].
    #[arg(long, value_name = "T", value_parser = numbers::draws, allow_hyphen_values = true)]
    draws: Option<usize>,
    /// Seed for random, f-score-mc, the sampled test and samples of a table [default: 0].
    #[arg(long)]
    seed: Option<u64>,
}

/// The rules that one person is asked by; an option that is not given keeps the plan's value.
#[derive(Debug, Args)]
pub struct SessionRules {
    /// Accepted chance that unasked answers would change the decision; 0 asks until it is proved [default: the plan's].
    #[arg(long, allow_hyphen_values = true)]
    delta: Option<f64>,
    /// Rule that chooses the next question: decisive, f-score, f-score-mc, importance, importance-logistic or random
    /// [default: the plan's].
    #[arg(long)]
    selector: Option<Selector>,
    /// How to test at delta 0 that no unknown answer can change the decision: certified (a proof) or, for models that
    /// are not linear, sampled (no proof) [default: the plan's].
    #[arg(long)]
    test: Option<Test>,
    #[command(flatten)]
    others: RuleArguments,
}

impl SessionRules {
    /// The plan under these rules.
    pub fn applied_to(&self, plan: &Plan) -> Result<Plan, PlanError> {
        let own = *plan.rules();
        plan.with_rules(Rules {
            delta: self.delta.unwrap_or(own.delta),
            selector: self.selector.unwrap_or(own.selector),
            test: self.test.unwrap_or(own.test),
            ..self.others.over(&own)
        })
    }

    /// The time limit of each step.
    pub fn each_step(&self) -> Option<Duration> {
        self.others.each_step()
    }
}

impl RuleArguments {
    /// The plan's rules, overridden by the options given.
    pub fn over(&self, own: &Rules) -> Rules {
        Rules {
            samples: self.samples.unwrap_or(own.samples),
            estimate: self.estimate.unwrap_or(own.estimate),
            budget: self.budget.unwrap_or(own.budget),
            draws: self.draws.unwrap_or(own.draws),
            seed: self.seed.unwrap_or(own.seed),
            ..*own
        }
    }

    /// The seed for drawing people.
    pub fn sampling_seed(&self) -> u64 {
        self.seed.unwrap_or_default()
    }

    /// The time limit of each step.
    pub fn each_step(&self) -> Option<Duration> {
        self.deadline.map(Duration::from_millis)
    }
}
