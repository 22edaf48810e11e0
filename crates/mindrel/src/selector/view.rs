//! What a selector may look at: the known values through what they imply, and nothing else.

use crate::Label;
use crate::belief::{GaussianPosterior, Known, Posterior, QuestionEffect, level_probability};
use crate::core_test::exact::Margins;
use crate::core_test::probable::ScoreDistribution;
use crate::core_test::score_belief::ScoreBelief;
use crate::math::normal;
use crate::model::label_of_scores;
use crate::plan::{LinearTables, Prepared};

/// The state of a session as selectors see it.
pub(crate) struct View<'a> {
    pub prepared: &'a Prepared,
    pub tables: &'a LinearTables,
    pub delta: f64,
    /// For each sensitive question, whether it may be asked: neither revealed nor declined.
    pub askable: &'a [bool],
    /// Smallest margin of every pair over the domain.
    pub worst: &'a [f64],
    /// Row of a score: what each sensitive question is expected to contribute.
    pub expected_contributions: &'a [f64],
    /// Expected scores, then a zero.
    pub expected: &'a [f64],
    pub belief: Believed<'a>,
}

/// The belief about the sensitive columns.
#[derive(Clone, Copy)]
pub(crate) enum Believed<'a> {
    /// One Gaussian, and what is common to everyone of whom the same questions are known.
    Gaussian { posterior: &'a GaussianPosterior, known: &'a Known },
    /// Any other belief: a normal distribution whose covariance depends on the answers, or points.
    General {
        posterior: &'a Posterior,
        scores: &'a ScoreBelief,
        /// The encoded person; only known columns are filled in.
        known: &'a [f64],
        public_scores: &'a [f64],
    },
}

impl<'a> Believed<'a> {
    /// Expected values of the sensitive columns.
    pub fn mean(self) -> &'a [f64] {
        match self {
            Believed::Gaussian { posterior, .. } => posterior.mean(),
            Believed::General { posterior, .. } => posterior.mean(),
        }
    }

    /// The probability that a column lies between two bounds; none below a share that is not worth working out.
    pub fn between(self, column: usize, lower: f64, upper: f64, least: NegligibleBelow) -> f64 {
        match self {
            Believed::Gaussian { posterior, .. } => {
                normal_between(posterior.mean()[column], posterior.variance()[column], lower, upper, Some(least))
            }
            Believed::General { posterior, .. } => {
                let Some(points) = posterior.points() else {
                    return normal_between(posterior.mean()[column], posterior.variance()[column], lower, upper, None);
                };
                let n_points = points.len() as f64;
                points.filter(|point| lower <= point[column] && point[column] <= upper).count() as f64 / n_points
            }
        }
    }
}

/// The standard normal quantile of a probability that is as good as none.
#[derive(Clone, Copy)]
pub(crate) struct NegligibleBelow(pub f64);

/// The probability that a normal number lies between two bounds.
fn normal_between(mean: f64, variance: f64, lower: f64, upper: f64, least: Option<NegligibleBelow>) -> f64 {
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

impl<'a> View<'a> {
    pub fn n_scores(&self) -> usize {
        self.tables.n_scores()
    }

    pub fn margins(&self) -> &'a Margins {
        &self.tables.margins
    }

    /// The questions that may be asked, in order.
    pub fn open(&self) -> impl Iterator<Item = usize> + '_ {
        super::open(self.askable)
    }

    /// The open question with the largest value, the first of equals.
    pub fn best(&self, value: impl FnMut(usize) -> f64) -> usize {
        super::best_of(self.askable, value)
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
        margins.pairs()[place].difference(self.n_scores(), contribution) - margins.worst(place, question)
    }

    /// The probability of a level of a question.
    pub fn level_probability(&self, question: usize, level: usize) -> f64 {
        let mean = &self.belief.mean()[self.prepared.columns(question)];
        level_probability(self.prepared.asked[question].domain, mean, level)
    }
}

/// A view whose belief is one Gaussian: what questions would tell is the same for everyone of whom the same ones are known.
pub(crate) struct GaussianView<'a> {
    pub view: &'a View<'a>,
    pub posterior: &'a GaussianPosterior,
    pub known: &'a Known,
}

impl<'a> GaussianView<'a> {
    /// What revealing a question would do to the scores.
    pub fn effect(&self, question: usize) -> &'a QuestionEffect {
        self.view.tables.paths().effects(self.known)[question].as_ref().expect("an open question has an effect")
    }

    /// `v_q`: how much of the only score's variance a question explains.
    pub fn explained_variance(&self, question: usize) -> f64 {
        self.view.tables.paths().explained(self.known)[question]
    }

    /// The distribution of the scores now.
    pub fn scores(&self) -> ScoreDistribution<'a> {
        ScoreDistribution { expected: self.view.expected, covariance: self.posterior.score_covariance() }
    }
}
