//! The smallest margin in rational numbers.

use num_bigint::BigInt;
use num_rational::Ratio;

use super::Linear;
use crate::Label;
use crate::model::Model;
use crate::schema::QuestionId;
use crate::verify::Facts;
use crate::verify::implied::{AllPossible, groups, narrowed, undecided};
use crate::verify::part::Possible;

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
        let statement = self.statement;
        let Facts { possible, rules } = statement.facts;
        let relaxed = statement.plan.relaxed();
        let known = statement.known.iter().map(|&id| self.smallest_term(id, &possible[id.index()], rival));
        let mut margin = known.fold(self.intercept(rival), |sum, term| sum + term);
        let open: Vec<QuestionId> = statement.open().collect();
        for group in groups(rules, &open) {
            let alone = || self.sum_of_terms(&group, possible, rival);
            let is_relaxed = group.iter().any(|id| relaxed.contains(id));
            let together = if is_relaxed { None } else { self.smallest_sum(&group, possible.clone(), rival) };
            margin += together.unwrap_or_else(alone);
        }
        margin
    }

    /// The smallest sum of the terms of some questions over possible people, by cases: wherever a rule may be met or
    /// broken, one of its claims is taken to hold and not to hold. Returns `None` if nobody is possible.
    fn smallest_sum(&self, group: &[QuestionId], possible: AllPossible, rival: Label) -> Option<Rational> {
        let possible = narrowed(&self.statement.facts.rules, possible)?;
        let Some(claim) = undecided(&self.statement.facts.rules, &possible, group) else {
            return Some(self.sum_of_terms(group, &possible, rival));
        };
        let here = &possible[claim.question];
        let cases = std::iter::once(claim.among(here)).chain(claim.outside(here)).flatten();
        let least = cases.filter_map(|case| {
            let mut possible = possible.clone();
            possible[claim.question] = case;
            self.smallest_sum(group, possible, rival)
        });
        least.min()
    }

    fn sum_of_terms(&self, group: &[QuestionId], possible: &AllPossible, rival: Label) -> Rational {
        let terms = group.iter().map(|&id| self.smallest_term(id, &possible[id.index()], rival));
        terms.fold(rational(0.0), |sum, term| sum + term)
    }

    /// Whether the label beats a rival wherever the open questions lie.
    fn beats(&self, rival: Label) -> bool {
        let label = self.statement.label;
        let margin = self.smallest_margin(rival);
        let zero = rational(0.0);
        let ties_win = if self.model.n_scores() == 1 { label == Label::POSITIVE } else { label < rival };
        margin > zero || (ties_win && margin == zero)
    }

    /// The smallest value of one question's part of the margin over what it can be; its only value if it is known.
    fn smallest_term(&self, id: QuestionId, possible: &Possible, rival: Label) -> Rational {
        let schema = self.statement.plan.schema();
        let columns = schema.columns(id);
        let weights: Vec<Rational> = columns.clone().map(|column| self.weight(column, rival)).collect();
        if self.statement.is_known(id) {
            let values = columns.map(|column| rational(self.statement.person[column]));
            return weights.into_iter().zip(values).map(|(weight, value)| weight * value).sum();
        }
        let ends = |weight: Rational, (low, high): (f64, f64)| [low, high].map(|end| weight.clone() * rational(end));
        let values: Vec<Rational> = match possible {
            Possible::Levels(levels) => {
                let terms = weights.into_iter().zip(levels).filter(|(_, level)| **level);
                terms.map(|(weight, _)| weight).collect()
            }
            Possible::Between(low, high) => ends(weights[0].clone(), (*low, *high)).to_vec(),
            // Where it is missing, the columns are 1 and −1.
            Possible::OrMissing(numbers, missing) => {
                let both = weights[0].clone() + weights[1].clone();
                let numbers = numbers.iter().flat_map(|&range| ends(both.clone(), range));
                numbers.chain(missing.then(|| weights[0].clone() - weights[1].clone())).collect()
            }
        };
        values.into_iter().min().expect("something is possible")
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
