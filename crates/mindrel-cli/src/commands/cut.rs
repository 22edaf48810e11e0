//! Where a model decides for one class rather than another: a threshold, or what errors cost.

use anyhow::{bail, ensure};
use clap::Args;
use mindrel::schema::Target;

use super::numbers;

/// A threshold, or costs of errors.
#[derive(Debug, Args)]
pub struct CutArguments {
    /// Probability of the second class from which it is decided for, of two [default: the model's own, 0.5 for one
    /// trained here].
    #[arg(long, value_name = "PROBABILITY", value_parser = numbers::threshold, allow_hyphen_values = true)]
    threshold: Option<f64>,
    /// What it costs to decide otherwise about someone of each class, such as no=1,yes=5; decides for the class with
    /// which errors cost least on average.
    #[arg(
        long,
        value_name = "CLASS=COST,…",
        value_delimiter = ',',
        value_parser = class_and_cost,
        conflicts_with = "threshold"
    )]
    error_costs: Option<Vec<(String, f64)>>,
}

/// A class, and what it costs to decide otherwise about someone of it.
fn class_and_cost(text: &str) -> Result<(String, f64), String> {
    let found = text.rsplit_once('=').and_then(|(class, cost)| Some((class, cost.trim().parse().ok()?)));
    let found = found.filter(|(_, cost): &(&str, f64)| *cost > 0.0 && cost.is_finite());
    found
        .map(|(class, cost)| (class.trim().to_owned(), cost))
        .ok_or_else(|| "expected a class and a cost above 0, such as yes=5".to_owned())
}

impl CutArguments {
    /// The option that was given.
    pub fn option(&self) -> Option<&'static str> {
        match (self.threshold, &self.error_costs) {
            (Some(_), _) => Some("--threshold"),
            (None, Some(_)) => Some("--error-costs"),
            (None, None) => None,
        }
    }

    /// For each class, what it costs to decide otherwise about someone of it. A threshold `t` of two classes, of which
    /// `second` is the model's second, is a cost of `t` for the first and `1 − t` for the second.
    pub fn costs(&self, target: &Target, second: usize) -> anyhow::Result<Option<Vec<f64>>> {
        let n_classes = target.classes.len();
        if let Some(threshold) = self.threshold {
            ensure!(n_classes == 2, "--threshold is for two classes; the label has {n_classes}. Use --error-costs");
            let mut costs = vec![threshold; 2];
            costs[second] = 1.0 - threshold;
            return Ok(Some(costs));
        }
        self.error_costs.as_ref().map(|given| costs_of_classes(given, &target.classes)).transpose()
    }

    /// A line for the summary of a plan; empty if the model is not cut.
    pub fn summary(&self, target: &Target, second: usize) -> String {
        if let Some(threshold) = self.threshold {
            return format!("Threshold: “{}” from a probability of {threshold}\n", target.classes[second]);
        }
        let Some(given) = &self.error_costs else { return String::new() };
        let costs: Vec<String> = given.iter().map(|(class, cost)| format!("{cost} for “{class}”")).collect();
        format!("Errors:    cost {}\n", costs.join(", "))
    }
}

/// The cost of each class, in the order of the classes.
fn costs_of_classes(given: &[(String, f64)], classes: &[String]) -> anyhow::Result<Vec<f64>> {
    if let Some((class, _)) = given.iter().find(|(class, _)| !classes.contains(class)) {
        bail!("--error-costs: there is no class `{class}`; the classes are: {}", classes.join(", "));
    }
    let cost_of = |class: &String| {
        let mut found = given.iter().filter(|(named, _)| named == class);
        match (found.next(), found.next()) {
            (Some((_, cost)), None) => Ok(*cost),
            (Some(_), Some(_)) => bail!("--error-costs: the class `{class}` is given twice; give it once"),
            (None, _) => bail!("--error-costs: the class `{class}` has no cost; add {class}=1"),
        }
    };
    classes.iter().map(cost_of).collect()
}
