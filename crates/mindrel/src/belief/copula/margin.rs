//! One question under a copula: what its answer is as a function of a standard normal number.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::belief::BeliefError;
use crate::math::{LARGEST, normal};
use crate::schema::{Domain, Encoding, MISSING, is_missing};

/// The largest normal score; one person in 16 000 lies beyond.
pub const SCORE_LIMIT: f64 = 4.0;

/// How many evenly spread probabilities the moments of a number are computed from.
const QUANTILES: usize = 256;

/// The distribution of one question's answers, as a function of a latent standard normal number.
///
/// Its `Debug` tells sizes only: the values are those of people.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Marginal {
    /// A number: the quantile function, linear between knots.
    ///
    /// ```text
    /// Q(z) = the encoded value at z;   Q(scores_i) = values_i, and constant before the first knot and past the last
    /// ```
    ///
    /// A value that many people have is a flat step: two knots with the same value. A gap is a jump: two knots
    /// with the same score.
    Number {
        /// Where the knots are on the line of the latent number, rising.
        scores: Vec<f64>,
        /// The encoded value at each, rising.
        values: Vec<f64>,
        /// For a number that may be missing, where on the line of the latent number the missing ones end: all below.
        /// The values are then those of each of its columns.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        missing_below: Option<f64>,
    },
    /// A category: its levels side by side on the line of the latent number.
    Levels {
        /// How a level becomes columns.
        encoding: Encoding,
        /// The levels from left to right.
        order: Vec<usize>,
        /// Where each ends and the next begins, rising; a level that nobody has is as wide as nothing.
        thresholds: Vec<f64>,
    },
}

impl Marginal {
    pub(super) fn check(&self, question: usize) -> Result<(), BeliefError> {
        let (breaks, is_sound) = match self {
            Marginal::Number { scores, values, missing_below } => {
                let in_range = values.iter().all(|value| value.abs() <= LARGEST);
                let is_between = missing_below.is_none_or(|score| score.abs() <= SCORE_LIMIT);
                let is_sound = values.len() == scores.len() && in_range && is_between && values.is_sorted();
                (scores, !scores.is_empty() && is_sound)
            }
            Marginal::Levels { order, thresholds, .. } => {
                let is_permutation = (0..order.len()).all(|level| order.contains(&level));
                (thresholds, order.len() >= 2 && is_permutation && thresholds.len() + 1 == order.len())
            }
        };
        let in_range = breaks.iter().all(|score| score.abs() <= SCORE_LIMIT) && breaks.is_sorted();
        if is_sound && in_range { Ok(()) } else { Err(BeliefError::Margin { question }) }
    }

    /// How many columns the answer takes.
    #[must_use]
    pub fn n_columns(&self) -> usize {
        match self {
            Marginal::Levels { encoding: Encoding::Onehot, order, .. } => order.len(),
            Marginal::Number { missing_below: Some(_), .. } => 2,
            Marginal::Levels { encoding: Encoding::Ordinal, .. } | Marginal::Number { .. } => 1,
        }
    }

    /// Whether these can be the answers of a question with this domain.
    pub(super) fn fits(&self, domain: Domain) -> bool {
        match (self, domain) {
            (Marginal::Number { missing_below: None, .. }, Domain::Interval | Domain::Grid { .. }) => true,
            (Marginal::Number { missing_below: Some(_), .. }, Domain::OrMissing { .. }) => true,
            (Marginal::Levels { encoding: Encoding::Onehot, order, .. }, Domain::OneOf { levels }) => {
                order.len() == levels
            }
            (Marginal::Levels { encoding: Encoding::Ordinal, order, .. }, Domain::Grid { points }) => {
                order.len() == points
            }
            _ => false,
        }
    }

    /// The normal score of an encoded answer: that of the middle of the ranks of those who gave it.
    ///
    /// ```text
    /// Φ⁻¹( ½ (P(X < x) + P(X ≤ x)) )
    /// ```
    ///
    /// It is finite and at most [`SCORE_LIMIT`] in size, whatever the answer; what lies outside all that was observed
    /// has the score of the outermost knot.
    #[must_use]
    pub fn score(&self, answer: &[f64]) -> f64 {
        match self {
            Marginal::Number { missing_below: Some(score), .. } if is_missing(answer) => {
                between(f64::NEG_INFINITY, *score)
            }
            Marginal::Number { scores, values, .. } => {
                let value = answer[0];
                let below = values.partition_point(|other| *other < value);
                let up_to = values.partition_point(|other| *other <= value);
                if below < up_to {
                    return between(scores[below], scores[up_to - 1]);
                }
                let last = scores.len() - 1;
                if below == 0 || below > last {
                    return scores[below.min(last)];
                }
                let share = (value - values[below - 1]) / (values[below] - values[below - 1]);
                scores[below - 1] + share * (scores[below] - scores[below - 1])
            }
            Marginal::Levels { encoding, order, thresholds } => {
                let level = encoding.level_of(order.len(), answer);
                let place = order.iter().position(|other| *other == level).expect("the order has every level");
                let lower = if place == 0 { f64::NEG_INFINITY } else { thresholds[place - 1] };
                between(lower, thresholds.get(place).copied().unwrap_or(f64::INFINITY))
            }
        }
    }

    /// Writes the encoded answer of a latent number.
    ///
    /// # Panics
    /// When there is another number of columns.
    pub fn write(&self, latent: f64, answer: &mut [f64]) {
        assert_eq!(answer.len(), self.n_columns(), "an answer has its own number of columns");
        let breaks = self.breaks().partition_point(|score| *score <= latent);
        match self {
            Marginal::Number { missing_below: Some(score), .. } if latent < *score => answer.copy_from_slice(&MISSING),
            Marginal::Number { scores, values, .. } => answer.fill(number_at(scores, values, breaks, latent)),
            Marginal::Levels { encoding: Encoding::Onehot, order, .. } => {
                answer.fill(0.0);
                answer[order[breaks]] = 1.0;
            }
            Marginal::Levels { encoding: Encoding::Ordinal, order, .. } => answer[0] = place_value(order, breaks),
        }
    }

    /// Where the function changes: knots or thresholds.
    pub(crate) fn breaks(&self) -> &[f64] {
        match self {
            Marginal::Number { scores, .. } => scores,
            Marginal::Levels { thresholds, .. } => thresholds,
        }
    }

    /// Mean and standard deviation of one of the columns.
    pub(super) fn moments(&self, column: usize) -> (f64, f64) {
        let mut answer = vec![0.0; self.n_columns()];
        let (mut sum, mut squares) = (0.0, 0.0);
        for index in 0..QUANTILES {
            self.write(normal::quantile((index as f64 + 0.5) / QUANTILES as f64), &mut answer);
            sum += answer[column];
            squares += answer[column] * answer[column];
        }
        let mean = sum / QUANTILES as f64;
        (mean, (squares / QUANTILES as f64 - mean * mean).max(0.0).sqrt())
    }
}

/// The value of a number at a latent number with `knots` knots at or below it.
#[inline]
pub(crate) fn number_at(scores: &[f64], values: &[f64], knots: usize, latent: f64) -> f64 {
    if knots == 0 {
        return values[0];
    }
    if knots == scores.len() {
        return values[knots - 1];
    }
    let share = (latent - scores[knots - 1]) / (scores[knots] - scores[knots - 1]);
    values[knots - 1] + share * (values[knots] - values[knots - 1])
}

/// The column value of the level above `thresholds` thresholds.
#[inline]
pub(crate) fn place_value(order: &[usize], thresholds: usize) -> f64 {
    -1.0 + 2.0 * (order[thresholds] as f64 / (order.len() - 1) as f64)
}

/// The normal score in the middle, by probability, of an interval of normal scores.
fn between(lower: f64, upper: f64) -> f64 {
    if lower == upper {
        return lower;
    }
    // The tail further from one keeps its digits.
    let middle = if lower + upper <= 0.0 {
        normal::quantile(f64::midpoint(normal::cdf(lower), normal::cdf(upper)))
    } else {
        -normal::quantile(f64::midpoint(normal::cdf(-lower), normal::cdf(-upper)))
    };
    middle.clamp(-SCORE_LIMIT, SCORE_LIMIT)
}

impl fmt::Debug for Marginal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Marginal::Number { scores, .. } => {
                formatter.debug_struct("Number").field("n_knots", &scores.len()).finish()
            }
            Marginal::Levels { encoding, order, .. } => {
                formatter.debug_struct("Levels").field("encoding", encoding).field("n_levels", &order.len()).finish()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half at −1, a quarter between −0.5 and 0.5, a quarter at 1.
    fn heaped() -> Marginal {
        let [half, three_quarters] = [normal::quantile(0.5), normal::quantile(0.75)];
        Marginal::Number {
            scores: vec![-SCORE_LIMIT, half, half, three_quarters, three_quarters, SCORE_LIMIT],
            values: vec![-1.0, -1.0, -0.5, 0.5, 1.0, 1.0],
            missing_below: None,
        }
    }

    fn category(encoding: Encoding) -> Marginal {
        let thresholds = vec![normal::quantile(0.2), normal::quantile(0.2), normal::quantile(0.7)];
        Marginal::Levels { encoding, order: vec![2, 1, 0, 3], thresholds }
    }

    #[test]
    fn the_score_is_that_of_the_middle_of_the_ranks() {
        // The outermost knots lie at ±4, not at infinity: 1.6e-5 of a probability.
        assert!((normal::cdf(heaped().score(&[-1.0])) - 0.25).abs() < 2e-5);
        assert!((normal::cdf(heaped().score(&[1.0])) - 0.875).abs() < 2e-5);
        assert_eq!(heaped().score(&[-0.5]), 0.0);
        assert_eq!(heaped().score(&[-0.75]), 0.0);
        let middle = |level: usize| {
            let mut answer = [0.0; 4];
            answer[level] = 1.0;
            normal::cdf(category(Encoding::Onehot).score(&answer))
        };
        for (level, share) in [(2, 0.1), (1, 0.2), (0, 0.45), (3, 0.85)] {
            assert!((middle(level) - share).abs() < 1e-12, "level {level}");
            let ordinal = category(Encoding::Ordinal).score(&[-1.0 + 2.0 * level as f64 / 3.0]);
            assert!((normal::cdf(ordinal) - share).abs() < 1e-12, "level {level}");
        }
    }

    #[test]
    fn an_answer_has_the_score_that_gives_it_back() {
        for value in [-1.0, -0.4, 0.0, 0.3, 1.0] {
            let mut answer = [0.0];
            heaped().write(heaped().score(&[value]), &mut answer);
            assert!((answer[0] - value).abs() < 1e-12, "{value}");
        }
        // Level 1 is as wide as nothing: nobody has it.
        for level in [2, 0, 3] {
            let margin = category(Encoding::Ordinal);
            let answer = [-1.0 + 2.0 * (level as f64 / 3.0)];
            let mut again = [0.0];
            margin.write(margin.score(&answer), &mut again);
            assert_eq!(answer, again);
        }
    }

    #[test]
    fn scores_and_values_rise_together_and_are_finite_everywhere() {
        let margin = heaped();
        let numbers: Vec<f64> = (-300..=300).map(|step| f64::from(step) / 100.0).collect();
        let scores: Vec<f64> = numbers.iter().map(|number| margin.score(&[*number])).collect();
        assert!(scores.is_sorted() && scores.iter().all(|score| score.abs() <= SCORE_LIMIT));
        let value = |latent: &f64| {
            let mut answer = [0.0];
            margin.write(*latent, &mut answer);
            answer[0]
        };
        assert!(numbers.iter().map(value).is_sorted());
        for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
            assert!(margin.score(&[odd]).is_finite() && value(&odd).is_finite());
            assert!(category(Encoding::Ordinal).score(&[odd]).is_finite());
            assert!(category(Encoding::Onehot).score(&[odd; 4]).is_finite());
        }
    }

    /// A fifth are missing; of the others half are at −0.25 and half at 0.25.
    #[test]
    fn missing_numbers_lie_below_all_others_on_the_line() {
        let [fifth, middle] = [normal::quantile(0.2), normal::quantile(0.6)];
        let margin = Marginal::Number {
            scores: vec![fifth, middle, middle, SCORE_LIMIT],
            values: vec![-0.25, -0.25, 0.25, 0.25],
            missing_below: Some(fifth),
        };
        assert!(margin.fits(Domain::OrMissing { points: None }) && !margin.fits(Domain::Interval));
        for (answer, share) in [([1.0, -1.0], 0.1), ([-0.25; 2], 0.4), ([0.25; 2], 0.8)] {
            assert!((normal::cdf(margin.score(&answer)) - share).abs() < 2e-5);
            let mut again = [0.0; 2];
            margin.write(margin.score(&answer), &mut again);
            assert_eq!(again, answer);
        }
        let moments = [margin.moments(0), margin.moments(1)];
        assert!((moments[0].0 - 0.2).abs() < 0.01 && (moments[1].0 + 0.2).abs() < 0.01, "{moments:?}");
    }

    #[test]
    fn the_moments_are_those_of_the_answers() {
        let (mean, deviation) = heaped().moments(0);
        assert!((mean + 0.25).abs() < 0.01, "{mean}");
        assert!((deviation - (0.75f64 + 0.25 / 12.0 - 0.0625).sqrt()).abs() < 0.01, "{deviation}");
        let (mean, deviation) = category(Encoding::Onehot).moments(0);
        assert!((mean - 0.5).abs() < 0.01 && (deviation - 0.5).abs() < 0.01);
    }

    #[test]
    fn a_margins_debug_tells_no_value() {
        assert_eq!(format!("{:?}", heaped()), "Number { n_knots: 6 }");
    }
}
