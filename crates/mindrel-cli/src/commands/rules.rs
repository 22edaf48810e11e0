//! The rules that `ask`, `audit` and `calibrate` share, as options.

use std::time::Duration;

use clap::Args;
use mindrel::Rules;
use mindrel::core_test::Estimate;

use super::numbers;

/// The options that `--calibrated` leaves no room for: calibrated rules are followed exactly.
pub const NOT_CALIBRATED: [&str; 9] =
    ["delta", "selector", "test", "samples", "estimate", "budget", "deadline", "draws", "seed"];

/// How sets are tested and questions drawn; what is not given stays as the plan has it.
#[derive(Debug, Args)]
pub struct RuleArguments {
    /// Draws that the sampled test takes [default: 100000].
    #[arg(long, value_name = "N", value_parser = numbers::draws, allow_hyphen_values = true)]
    samples: Option<usize>,
    /// How probable a decision is where the model is not linear: qmc (draws put through it) or, of networks, taylor (as if it were linear) [default:
    /// qmc].
    #[arg(long)]
    estimate: Option<Estimate>,
    /// Branches that each certified test may look at where the model is not linear; past that, one more question is asked [default: 100000].
    #[arg(long, value_name = "BRANCHES", value_parser = numbers::budget, allow_hyphen_values = true)]
    budget: Option<u64>,
    /// Time that each certified test may take where the model is not linear; past that, one more question is asked [default: no limit].
    #[arg(long, value_name = "MILLISECONDS", value_parser = numbers::deadline, allow_hyphen_values = true)]
    deadline: Option<u64>,
    /// Draws for each candidate of f-score-mc [default: 100].
    #[arg(long, value_name = "T", value_parser = numbers::draws, allow_hyphen_values = true)]
    draws: Option<usize>,
    /// Seed of random, f-score-mc and the sampled test [default: 0].
    #[arg(long)]
    seed: Option<u64>,
}

impl RuleArguments {
    /// A plan's own rules with what was given in their place.
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

    /// How long each test may look for a proof.
    pub fn each_test(&self) -> Option<Duration> {
        self.deadline.map(Duration::from_millis)
    }
}
