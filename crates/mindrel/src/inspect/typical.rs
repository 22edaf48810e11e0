//! Answers nobody gave: what the belief expects, as a valid answer to a question.

use crate::belief::{PerhapsMissing, Predictive};
use crate::math::normal;
use crate::schema::{Answer, Domain, HALF, Kind, Question, is_missing};

/// The quantiles that stand for low, middle and high.
pub(super) const QUANTILES: [f64; 3] = [0.1, 0.5, 0.9];

/// How many levels of a category are shown, at most.
const MOST_LEVELS: usize = 4;

/// Halvings of the domain until neighbouring doubles, or nearly so, are left.
const HALVINGS: usize = 60;

/// The valid answer nearest to some encoded columns: within the bounds, whole where it must be, the likeliest level.
///
/// A number is given to three digits of the width of its domain: nobody is expected to the cent.
pub(super) fn answer_at(question: &Question, columns: &[f64]) -> Answer {
    match (question.decode(columns), &question.kind) {
        (Answer::Number(value), Kind::Number { lower, upper, .. }) => {
            Answer::Number(rounded(value.clamp(*lower, *upper), upper - lower).clamp(*lower, *upper))
        }
        (Answer::Number(value), Kind::Integer { lower, upper, .. }) => {
            Answer::Number(value.round().clamp(*lower, *upper))
        }
        (answer, _) => answer,
    }
}

/// A few typical answers, in order, and how many others a category has.
///
/// Of a number those at its 10 %, 50 % and 90 % quantiles, and that it is missing, if that is an answer; of a category
/// its likeliest levels, else no and yes.
pub(super) fn few_answers(question: &Question, belief: &ColumnBelief<'_>) -> (Vec<Answer>, usize) {
    match &question.kind {
        Kind::Boolean => (vec![Answer::Boolean(false), Answer::Boolean(true)], 0),
        Kind::Category { levels, .. } if levels.len() <= MOST_LEVELS => {
            ((0..levels.len()).map(Answer::Level).collect(), 0)
        }
        Kind::Category { levels, .. } if question.n_columns() == 1 => {
            let answers = quantile_answers(question, belief);
            let others = levels.len() - answers.len();
            (answers, others)
        }
        Kind::Category { levels, .. } => {
            let mean = belief.mean();
            let mut likeliest: Vec<usize> = (0..levels.len()).collect();
            // A stable sort: of equals the first level comes first.
            likeliest.sort_by(|left, right| mean[*right].total_cmp(&mean[*left]));
            likeliest.truncate(MOST_LEVELS - 1);
            likeliest.sort_unstable();
            let others = levels.len() - likeliest.len();
            (likeliest.into_iter().map(Answer::Level).collect(), others)
        }
        Kind::Number { .. } | Kind::Integer { .. } => (quantile_answers(question, belief), 0),
    }
}

fn quantile_answers(question: &Question, belief: &ColumnBelief<'_>) -> Vec<Answer> {
    let quantile = |&share: &f64| match question.domain() {
        Domain::OrMissing { .. } => answer_at(question, &[belief.quantile_if_not_missing(share); 2]),
        _ => answer_at(question, &[belief.quantile(share)]),
    };
    let mut answers: Vec<Answer> = QUANTILES.iter().map(quantile).collect();
    answers.dedup();
    answers.extend(matches!(question.domain(), Domain::OrMissing { .. }).then_some(Answer::Missing));
    answers
}

/// What is believed of the columns of one question.
pub(super) struct ColumnBelief<'a> {
    pub predictive: &'a Predictive,
    /// The places of its columns among all that are believed in.
    pub columns: std::ops::Range<usize>,
}

impl ColumnBelief<'_> {
    /// The expected columns.
    pub fn mean(&self) -> Vec<f64> {
        self.predictive.mean()[self.columns.clone()].to_vec()
    }

    /// The place in [−1, 1] below which the first column lies with a probability; what is believed beyond counts as
    /// at its ends.
    ///
    /// ```text
    /// inf { x : P(x_q ≤ x) ≥ share }
    /// ```
    pub fn quantile(&self, share: f64) -> f64 {
        let (mut low, mut high) = (-1.0, 1.0);
        if self.below(low) >= share {
            return low;
        }
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if self.below(middle) >= share { high = middle } else { low = middle }
        }
        high
    }

    /// The same of a number that may be missing and is not, as each of its columns has it: of equally likely points
    /// among them, else by moments.
    fn quantile_if_not_missing(&self, share: f64) -> f64 {
        let (column, size) = (self.columns.start, self.predictive.n_columns());
        if let Some(points) = self.predictive.points() {
            let mut numbers: Vec<f64> =
                points.filter(|point| !is_missing(&point[self.columns.clone()])).map(|point| point[column]).collect();
            numbers.sort_unstable_by(f64::total_cmp);
            let place = (share * numbers.len() as f64) as usize;
            return numbers.get(place.min(numbers.len().saturating_sub(1))).copied().unwrap_or(0.0);
        }
        let believed = PerhapsMissing::new(&self.mean(), self.predictive.covariance()[column * size + column]);
        (believed.mean + believed.variance.sqrt() * normal::quantile(share)).clamp(-HALF, HALF)
    }

    fn below(&self, value: f64) -> f64 {
        let (column, size) = (self.columns.start, self.predictive.n_columns());
        if let Some(points) = self.predictive.points() {
            let n_points = points.len() as f64;
            return points.filter(|point| point[column] <= value).count() as f64 / n_points;
        }
        let (mean, variance) = (self.predictive.mean()[column], self.predictive.covariance()[column * size + column]);
        let reached = f64::from(u8::from(mean <= value));
        if variance > 0.0 { normal::cdf((value - mean) / variance.sqrt()) } else { reached }
    }
}

/// A value to three digits of a width.
pub(super) fn rounded(value: f64, width: f64) -> f64 {
    let digits = 2 - libm::log10(width).floor() as i32;
    match usize::try_from(digits) {
        // By way of text: a product of powers of ten would leave digits behind.
        Ok(decimals) => format!("{value:.decimals$}").parse().unwrap_or(value),
        Err(_) => {
            let step = 10f64.powi(-digits);
            (value / step).round() * step
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_given_to_three_digits_of_its_domain_and_never_leaves_it() {
        let amount = Question::number("amount", 0.0, 4850.0);
        assert!(answer_at(&amount, &[-0.3]) == Answer::Number(1700.0));
        let share = Question::number("share", 0.0, 0.3);
        assert!(answer_at(&share, &[1.0]) == Answer::Number(0.3));
        assert!(answer_at(&share, &[7.0]) == Answer::Number(0.3));
    }
}
