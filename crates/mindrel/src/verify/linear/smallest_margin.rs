//! The smallest margin in rational numbers.

use num_bigint::BigInt;
use num_rational::Ratio;

use super::Linear;
use crate::Label;
use crate::model::Model;
use crate::schema::{Domain, QuestionId};

type Rational = Ratio<BigInt>;

impl Linear<'_> {
    /// A rival that some value of the open questions makes the label.
    pub fn rival_that_can_win(&self) -> Option<Label> {
        self.statement.rivals().find(|&rival| !self.beats(rival))
    }

    /// Whether the smallest margin over all rivals is this number, but for the rounding of a session's sums.
    pub fn has_smallest_margin(&self, stated: f64) -> bool {
        let Some(stated) = Ratio::from_float(stated) else { return false };
        let margins = self.statement.rivals().map(|rival| self.smallest_margin(rival));
        let smallest = margins.min().expect("there are two classes or more");
        let rounding = rational(self.model.rounding_bound(self.statement.largest()));
        let difference: Rational = stated - smallest;
        -rounding.clone() <= difference && difference <= rounding
    }

    /// The margin over a rival where the open questions lie worst: the sum of the smallest terms.
    fn smallest_margin(&self, rival: Label) -> Rational {
        let terms = self.statement.plan.schema().ids().map(|id| self.smallest_term(id, rival));
        terms.fold(self.intercept(rival), |sum, term| sum + term)
    }

    /// Whether the label beats a rival wherever the open questions lie.
    fn beats(&self, rival: Label) -> bool {
        let label = self.statement.label;
        let margin = self.smallest_margin(rival);
        let zero = rational(0.0);
        let ties_win = if self.model.n_scores() == 1 { label == Label::POSITIVE } else { label < rival };
        margin > zero || (ties_win && margin == zero)
    }

    /// The smallest value of one question's part of the margin; its only value if it is known.
    fn smallest_term(&self, id: QuestionId, rival: Label) -> Rational {
        let schema = self.statement.plan.schema();
        let columns = schema.columns(id);
        let weights: Vec<Rational> = columns.clone().map(|column| self.weight(column, rival)).collect();
        if self.statement.is_known(id) {
            let values = columns.map(|column| rational(self.statement.person[column]));
            return weights.into_iter().zip(values).map(|(weight, value)| weight * value).sum();
        }
        match schema.question(id).domain() {
            Domain::OneOf { .. } => weights.into_iter().min().expect("a category has levels"),
            Domain::Interval | Domain::Grid { .. } => std::cmp::min(weights[0].clone(), -weights[0].clone()),
            // At the numbers ±½, and where both columns are missing: 1 and −1.
            Domain::OrMissing { .. } => {
                let half = (weights[0].clone() + weights[1].clone()) / rational(2.0);
                let missing = weights[0].clone() - weights[1].clone();
                half.clone().min(-half).min(missing)
            }
        }
    }

    /// `w_label − w_rival` on a column; a binary model's class 0 has the weight zero.
    fn weight(&self, column: usize, rival: Label) -> Rational {
        self.difference(rival, |score| self.model.weights(score)[column])
    }

    fn intercept(&self, rival: Label) -> Rational {
        self.difference(rival, |score| self.model.intercept(score))
    }

    fn difference(&self, rival: Label, value: impl Fn(usize) -> f64) -> Rational {
        let (own, other) = self.statement.sides(rival, value);
        rational(own) - rational(other)
    }
}

fn rational(value: f64) -> Rational {
    Ratio::from_float(value).expect("plans and answers hold finite numbers")
}
