//! What a selector may look at: the known values through what they imply, and nothing else.

use std::ops::Range;

use rand_pcg::Pcg64Mcg;

use super::{Importance, Reason, choose_blindly, decisive_linear, gain_per_cost};
use crate::Label;
use crate::belief::{PerhapsMissing, level_probability};
use crate::core_test::exact_margins::Margins;
use crate::core_test::linear_tables::LinearTables;
use crate::core_test::narrowed_margins::NarrowedMargins;
use crate::math::normal;
use crate::model::label_of_scores;
use crate::questionnaire::Questionnaire;
use crate::region::part::QuestionPart;
use crate::rules::{Budget, Rules, Selector};

/// The state of a session with a linear model as selectors see it.
pub(crate) struct LinearView<'a, B> {
    pub tables: &'a LinearTables,
    pub importance: &'a Importance,
    pub delta: f64,
    /// For each sensitive question, whether it may be asked: neither revealed nor declined.
    pub askable: &'a [bool],
    /// Smallest margin of every pair over everything the person can still be.
    pub worst: &'a [f64],
    /// What each question can still contribute, where rules between questions can narrow that.
    pub narrowed: Option<&'a NarrowedMargins>,
    /// Row of a score: what each sensitive question is expected to contribute.
    pub expected_contributions: &'a [f64],
    /// Expected scores, then a zero.
    pub expected: &'a [f64],
    /// What is believed of the sensitive columns.
    pub belief: B,
}

/// What the kinds of beliefs about the sensitive columns do differently.
pub(crate) trait LinearBelief: Sized {
    /// Expected values of the sensitive columns.
    fn mean(&self) -> &[f64];

    /// The probability that a column lies between two bounds; none below a share that is not worth working out.
    fn between(&self, column: usize, lower: f64, upper: f64, least: NegligibleBelow) -> f64;

    /// The probability that a number which may be missing is not and lies between two bounds, as each of its columns
    /// has it, and the probability that it is missing.
    fn between_or_missing(&self, columns: Range<usize>, lower: f64, upper: f64) -> (f64, f64);

    /// The question that explains most of what still puts the likely label at risk.
    fn most_explaining(view: &LinearView<'_, Self>) -> usize;

    /// The question of the least expected entropy [TF23, Eqs (2)-(3)].
    fn least_entropy(view: &LinearView<'_, Self>, budget: &mut Budget) -> usize;

    /// The same by random draws, `draws` for each question [TF23, Eq. (4)].
    fn least_entropy_by_draws(
        view: &LinearView<'_, Self>,
        draws: usize,
        budget: &mut Budget,
        random: &mut Pcg64Mcg,
    ) -> usize;
}

/// The standard normal quantile of a probability that counts as zero.
#[derive(Clone, Copy)]
pub(crate) struct NegligibleBelow(pub f64);

/// The probability that a normal number lies between two bounds.
pub(crate) fn normal_between(mean: f64, variance: f64, lower: f64, upper: f64, least: Option<NegligibleBelow>) -> f64 {
    if variance <= 0.0 {
        return f64::from(u8::from(lower <= mean && mean <= upper));
    }
    let scale = variance.sqrt().recip();
    let (above, below) = ((mean - lower) * scale, (upper - mean) * scale);
    let is_negligible = least.is_some_and(|NegligibleBelow(quantile)| above.min(below) < quantile);
    if above.is_nan() || below.is_nan() || is_negligible {
        0.0
    } else if below == f64::INFINITY {
        normal::cdf(above)
    } else if above == f64::INFINITY {
        normal::cdf(below)
    } else {
        (normal::cdf(below) - normal::cdf(-above)).max(0.0)
    }
}

/// The same of a number that may be missing and is not, and the probability that it is, from the moments of its
/// columns.
pub(super) fn normal_between_or_missing(mean: &[f64], variance: f64, lower: f64, upper: f64) -> (f64, f64) {
    let PerhapsMissing { missing, mean, variance } = PerhapsMissing::new(mean, variance);
    ((1.0 - missing) * normal_between(mean, variance, lower, upper, None), missing)
}

impl<'a, B: LinearBelief> LinearView<'a, B> {
    /// Chooses among the open questions, of which there is at least one.
    pub fn choose(&self, rules: &Rules, budget: &mut Budget, random: &mut Pcg64Mcg) -> (usize, Reason) {
        match rules.selector {
            Selector::Decisive => decisive_linear::choose(self),
            Selector::FScore => (B::least_entropy(self, budget), Reason::Tells),
            Selector::FScoreMc => (B::least_entropy_by_draws(self, rules.draws, budget, random), Reason::Tells),
            blind => choose_blindly(blind, self.importance, self.questions(), self.askable, random),
        }
    }

    pub fn questions(&self) -> &'a Questionnaire {
        &self.tables.questions
    }

    pub fn n_scores(&self) -> usize {
        self.tables.n_scores()
    }

    pub fn margins(&self) -> &'a Margins {
        &self.tables.margins
    }

    /// The open question with the largest value, the first of equals.
    pub fn best(&self, value: impl FnMut(usize) -> f64) -> usize {
        super::best_of(self.askable, value)
    }

    /// The question that lowers the entropy most for its cost, the first of equals, of those that are compared within
    /// the budget: the most important come first. `entropy` is what is expected once a question is known.
    pub fn least_expected_entropy(
        &self,
        now: f64,
        budget: &mut Budget,
        mut entropy: impl FnMut(usize, &mut Budget) -> f64,
    ) -> usize {
        let per_cost = &self.questions().per_cost;
        // Whatever they cost, so that random draws for a question do not change with its cost.
        let importance = &self.importance.of_model;
        let mut questions: Vec<usize> = super::open(self.askable).collect();
        questions.sort_by(|one, other| importance[*other].total_cmp(&importance[*one]));
        let mut gains = vec![f64::NEG_INFINITY; self.askable.len()];
        for question in questions {
            gains[question] = gain_per_cost(now - entropy(question, budget), per_cost[question]);
            if budget.is_used_up() {
                break;
            }
        }
        self.best(|question| gains[question])
    }

    /// The label of the expected scores.
    pub fn likely(&self) -> Label {
        label_of_scores(&self.expected[..self.n_scores()])
    }

    /// How far a margin's worst case moves when a question takes its expected value.
    pub fn expected_gain(&self, place: usize, question: usize) -> f64 {
        let n_questions = self.askable.len();
        let margins = self.margins();
        let contribution = |score: usize| self.expected_contributions[score * n_questions + question];
        margins.pairs()[place].difference(self.n_scores(), contribution) - self.smallest_row(place)[question]
    }

    /// The row of a pair: what each question's contribution must exceed to raise the margin, on average where that
    /// depends on the answer.
    pub fn smallest_row(&self, pair: usize) -> &'a [f64] {
        self.narrowed.map_or(self.margins().worst_row(pair), |narrowed| narrowed.smallest_row(pair))
    }

    /// The row of a pair: how much revealing each question can add to the margin at most.
    pub fn width_row(&self, pair: usize) -> &'a [f64] {
        self.narrowed.map_or(self.margins().width_row(pair), |narrowed| narrowed.width_row(pair))
    }

    /// Whether revealing a question can add anything to any margin.
    pub fn can_move(&self, question: usize) -> bool {
        (0..self.margins().pairs().len()).any(|pair| match self.narrowed {
            Some(narrowed) => narrowed.can_move(&self.tables.joined, pair, question),
            None => self.width_row(pair)[question] > 0.0,
        })
    }

    /// The pieces that rules cut a question into; `None` if they do not join it to others.
    pub fn pieces(&self, question: usize) -> Option<&'a [QuestionPart]> {
        let (group, index) = self.tables.joined.group_of.get(question).copied().flatten()?;
        Some(&self.tables.joined.groups[group].pieces[index])
    }

    /// What the contribution of a question must exceed to raise the margin of a pair, if its answer lies in a piece.
    pub fn smallest_in(&self, pair: usize, question: usize, piece: Option<usize>) -> f64 {
        match (self.narrowed, piece) {
            (Some(narrowed), Some(piece)) => narrowed.smallest_in(&self.tables.joined, pair, question, piece),
            _ => self.smallest_row(pair)[question],
        }
    }

    /// The probability of a level of a question.
    pub fn level_probability(&self, question: usize, level: usize) -> f64 {
        let mean = &self.belief.mean()[self.questions().columns_of(question)];
        level_probability(self.questions().asked[question].domain, mean, level)
    }
}
