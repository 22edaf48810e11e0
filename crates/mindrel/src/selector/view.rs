//! What a selector may look at: the known values through what they imply, and nothing else.

use crate::Label;
use crate::belief::{Known, Posterior, QuestionEffect, level_probability};
use crate::core_test::exact::Margins;
use crate::core_test::probable::ScoreDistribution;
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
    /// The belief about the sensitive columns.
    pub posterior: &'a Posterior,
    /// Row of a score: what each sensitive question is expected to contribute.
    pub expected_contributions: &'a [f64],
    /// Expected scores, then a zero.
    pub expected: &'a [f64],
    pub known: &'a Known,
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

    /// What revealing a question would do to the scores.
    pub fn effect(&self, question: usize) -> &'a QuestionEffect {
        self.tables.paths.effects(self.known)[question].as_ref().expect("an open question has an effect")
    }

    /// The distribution of the scores now.
    pub fn scores(&self) -> ScoreDistribution<'a> {
        ScoreDistribution { expected: self.expected, covariance: self.posterior.score_covariance() }
    }

    /// The probability of a level of a question.
    pub fn level_probability(&self, question: usize, level: usize) -> f64 {
        let mean = &self.posterior.mean()[self.prepared.columns(question)];
        level_probability(self.prepared.asked[question].domain, mean, level)
    }
}
