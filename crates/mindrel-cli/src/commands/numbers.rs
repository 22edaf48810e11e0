//! Numbers on the command line, checked before any file is read.

use std::str::FromStr;

/// Draws: of the sampled test, or for each candidate of f-score-mc.
pub fn draws(text: &str) -> Result<usize, String> {
    at_least_one(text, "omit it to use the default")
}

/// Elementary operations of a step.
pub fn budget(text: &str) -> Result<u64, String> {
    at_least_one(text, "omit it to use the default")
}

/// Milliseconds of a step.
pub fn deadline(text: &str) -> Result<u64, String> {
    at_least_one(text, "omit it for no limit")
}

/// Iterations of a logistic regression.
pub fn iterations(text: &str) -> Result<usize, String> {
    at_least_one(text, "omit it to use the default")
}

/// Epochs of training.
pub fn epochs(text: &str) -> Result<usize, String> {
    at_least_one(text, "omit it to use the recipe's own")
}

/// Units of a hidden layer.
pub fn units(text: &str) -> Result<usize, String> {
    at_least_one(text, "10,10 makes two layers of ten units")
}

/// Repetitions of an experiment.
pub fn repetitions(text: &str) -> Result<usize, String> {
    at_least_one(text, "omit it to use each experiment's own")
}

/// People of an experiment.
pub fn people(text: &str) -> Result<usize, String> {
    at_least_one(text, "omit it to use each experiment's own")
}

/// Threads to work on.
pub fn threads(text: &str) -> Result<usize, String> {
    at_least_one(text, "omit it to use all cores")
}

/// Questions on a path of the tree.
pub fn depth(text: &str) -> Result<usize, String> {
    let depth = text.trim().parse().ok().filter(|depth| (1..=MOST_DEPTH).contains(depth));
    depth.ok_or_else(|| format!("expected a whole number from 1 to {MOST_DEPTH}; 3 fits on a page"))
}

/// Deeper trees have more leaves than anyone would read.
const MOST_DEPTH: usize = 6;

/// The probability of a class from which it is decided for.
pub fn threshold(text: &str) -> Result<f64, String> {
    let threshold = text.trim().parse().ok().filter(|value: &f64| *value > 0.0 && *value < 1.0);
    threshold.ok_or_else(|| "expected a probability between 0 and 1, such as 0.3".to_owned())
}

/// Share of rows held out, which may be none.
pub fn holdout(text: &str) -> Result<f64, String> {
    let share = text.trim().parse().ok().filter(|share| (0.0..1.0).contains(share));
    share.ok_or_else(|| "expected a share of at least 0 and below 1; 0.3 holds out 30 % of the rows".to_owned())
}

/// How far the accuracy may fall behind.
pub fn within(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(share) if (0.0..1.0).contains(&share) => Ok(share),
        _ => {
            Err("expected a number of at least 0 and below 1; 0.005 is half a percentage point of accuracy".to_owned())
        }
    }
}

/// The share of rows held out: half of them to choose on, half to report on.
pub fn held_out_for_choice(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => {
            Err("expected a number above 0 and below 1; 0.4 keeps 20 % for choosing and 20 % for reporting".to_owned())
        }
    }
}

/// The share of decisions that may differ.
pub fn flips(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("expected a number above 0 and below 1; 0.01 is one in a hundred".to_owned()),
    }
}

/// The confidence of a promise.
pub fn confidence(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(share) if (0.5..1.0).contains(&share) => Ok(share),
        _ => Err("expected a number of at least 0.5 and below 1; 0.95 is usual".to_owned()),
    }
}

/// Learning rate; training diverges above 10.
pub fn learning_rate(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(rate) if (f64::MIN_POSITIVE..=10.0).contains(&rate) => Ok(rate),
        _ => Err("expected a number above 0 and at most 10; omit it to use the recipe's own".to_owned()),
    }
}

fn at_least_one<T: FromStr + PartialOrd + From<u8>>(text: &str, advice: &str) -> Result<T, String> {
    let number = text.trim().parse::<T>().ok().filter(|number| *number >= T::from(1));
    number.ok_or_else(|| format!("expected a whole number of at least 1; {advice}"))
}
