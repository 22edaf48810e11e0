//! Options of the networks that `fit` trains.

use clap::{Args, ValueEnum};
use mindrel_train::mlp::MlpOptions;

use crate::commands::numbers;

/// How a network is trained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RecipeName {
    /// Adam with weight decay and early stopping on a tenth of the rows.
    Default,
    /// Plain gradient descent to the last epoch, as in the paper.
    Paper,
}

/// Options of a network, for `--model mlp`.
#[derive(Debug, Args)]
pub struct NetworkArguments {
    /// Number of units in each hidden layer of a network [default: 10,10].
    #[arg(long, value_name = "UNITS", value_delimiter = ',', value_parser = numbers::units, allow_hyphen_values = true)]
    hidden: Option<Vec<usize>>,
    /// Maximum number of training epochs of a network [default: 200, or 300 with --recipe paper].
    #[arg(long, value_name = "N", value_parser = numbers::epochs, allow_hyphen_values = true)]
    epochs: Option<usize>,
    /// Learning rate of a network [default: 0.003, or 0.001 with --recipe paper].
    #[arg(long, value_name = "RATE", value_parser = numbers::learning_rate, allow_hyphen_values = true)]
    learning_rate: Option<f64>,
    /// How to train a network [default: default].
    #[arg(long, value_enum)]
    recipe: Option<RecipeName>,
}

impl NetworkArguments {
    /// The first option that was given.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            ("--hidden", self.hidden.is_some()),
            ("--epochs", self.epochs.is_some()),
            ("--learning-rate", self.learning_rate.is_some()),
            ("--recipe", self.recipe.is_some()),
        ];
        given.into_iter().find_map(|(option, given)| given.then_some(option))
    }

    pub fn options(&self, seed: u64) -> MlpOptions {
        let recipe = match self.recipe {
            None | Some(RecipeName::Default) => MlpOptions::default(),
            Some(RecipeName::Paper) => MlpOptions::paper(),
        };
        MlpOptions {
            hidden: self.hidden.clone().unwrap_or(recipe.hidden),
            epochs: self.epochs.unwrap_or(recipe.epochs),
            learning_rate: self.learning_rate.unwrap_or(recipe.learning_rate),
            seed,
            ..recipe
        }
    }
}
