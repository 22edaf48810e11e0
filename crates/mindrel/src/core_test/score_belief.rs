//! The distribution of the scores under any belief: one normal distribution, or equally likely points.
//!
//! Of N points, P(label) is the share that has the label, at most 1 − ½/N: points that all agree make nothing certain.
//! One point is a person of whom everything is known.

use std::slice::ChunksExact;

use super::pairs::Pairs;
use super::probable::ScoreDistribution;
use crate::Label;
use crate::math::normal;
use crate::model::{label_of_scores, n_classes};

/// A normal distribution of the scores, or the scores of equally likely points. It has no `Debug`: it tells about
/// answers.
#[derive(Default)]
pub(crate) struct ScoreBelief {
    n_scores: usize,
    is_points: bool,
    /// The expected scores and a zero past the last; of points, the scores of one after the other, each with such a
    /// zero.
    scores: Vec<f64>,
    /// Row after row; empty for points.
    covariance: Vec<f64>,
    /// How many points have each label; empty for a normal distribution.
    counts: Vec<u32>,
}

impl ScoreBelief {
    /// A normal distribution, from its expected scores and their covariance, row after row.
    pub fn set_normal(&mut self, expected: impl Iterator<Item = f64>, covariance: impl Iterator<Item = f64>) {
        self.is_points = false;
        self.counts.clear();
        self.scores.clear();
        self.scores.extend(expected);
        self.n_scores = self.scores.len();
        self.scores.push(0.0);
        self.covariance.clear();
        self.covariance.extend(covariance);
    }

    /// No points yet.
    pub fn begin_points(&mut self, n_scores: usize) {
        self.is_points = true;
        self.n_scores = n_scores;
        self.scores.clear();
        self.covariance.clear();
        self.counts.clear();
        self.counts.resize(n_classes(n_scores), 0);
    }

    /// Adds a point by its scores.
    pub fn push_point(&mut self, scores: impl Iterator<Item = f64>) {
        let start = self.scores.len();
        self.scores.extend(scores);
        self.counts[label_of_scores(&self.scores[start..]).index()] += 1;
        self.scores.push(0.0);
    }

    /// The normal distribution; `None` for points.
    pub fn normal(&self) -> Option<ScoreDistribution<'_>> {
        let distribution = ScoreDistribution { expected: &self.scores, covariance: &self.covariance };
        (!self.is_points).then_some(distribution)
    }

    /// The scores of every point, each with a zero past the last.
    pub fn points(&self) -> ChunksExact<'_, f64> {
        self.scores.chunks_exact(self.n_scores + 1)
    }

    fn n_points(&self) -> f64 {
        self.points().len() as f64
    }

    /// The share of points that have a label.
    fn share(&self, label: Label) -> f64 {
        f64::from(self.counts[label.index()]) / self.n_points()
    }

    /// The most that a share of points can make of a probability.
    fn most(&self) -> f64 {
        if self.is_points && self.n_points() > 1.0 { 1.0 - 0.5 / self.n_points() } else { 1.0 }
    }

    /// The probability of a label.
    pub fn probability(&self, labels: &Pairs, label: Label) -> f64 {
        match self.normal() {
            Some(scores) => scores.probability(labels, label),
            None => self.share(label).min(self.most()),
        }
    }

    /// The likeliest label, and its probability.
    pub fn likeliest(&self, labels: &Pairs) -> (Label, f64) {
        if labels.n_classes() == 2 {
            let positive = self.probability(labels, Label::POSITIVE);
            let negative = (1.0 - positive).min(self.most());
            return if positive >= negative { (Label::POSITIVE, positive) } else { (Label::NEGATIVE, negative) };
        }
        super::prediction::likeliest(labels, |label| self.probability(labels, label))
    }

    /// The label that alone can have a probability above one half, and whether it has at least `threshold`.
    ///
    /// Where two scores are expected to be equal but for rounding, up to `slack`, rounding alone may say which is
    /// larger: a normal distribution then settles nothing, and such a point does not count.
    pub fn settle(&self, labels: &Pairs, threshold: f64, slack: f64) -> (Label, bool) {
        if let Some(scores) = self.normal() {
            let label = label_of_scores(&scores.expected[..self.n_scores]);
            let is_clear = labels.of(label).iter().all(|pair| pair.margin(scores.expected) > slack);
            return (label, is_clear && scores.reaches(labels, label, threshold));
        }
        let (label, probability) = self.likeliest(labels);
        if probability < threshold {
            return (label, false);
        }
        let is_clear = |scores: &&[f64]| labels.of(label).iter().all(|pair| pair.margin(scores).abs() > slack);
        let has_label = |scores: &&[f64]| label_of_scores(&scores[..self.n_scores]) == label;
        let count = self.points().filter(|scores| is_clear(scores) && has_label(scores)).count();
        (label, (count as f64 / self.n_points()).min(self.most()) >= threshold)
    }

    /// The entropy of the label, in nats.
    pub fn entropy(&self, labels: &Pairs) -> f64 {
        if labels.n_classes() == 2 {
            return normal::binary_entropy(self.probability(labels, Label::POSITIVE));
        }
        let mut probabilities = vec![0.0; labels.n_classes()];
        match self.normal() {
            Some(scores) => scores.probabilities(labels, &mut probabilities),
            None => {
                let labels = probabilities.iter_mut().enumerate();
                labels.for_each(|(label, share)| *share = self.share(Label::new(label)));
            }
        }
        normal::entropy(&probabilities)
    }
}
