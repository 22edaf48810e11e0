//! The distribution of the scores where the belief has several components: a mixture of normals, or of points.
//!
//! ```text
//! P(label) = Σ_k π_k P_k(label),     P_k as for one Gaussian
//! ```
//!
//! Of N points, P(label) is the share that has the label, at most 1 − ½/N: points that all agree make nothing certain. One point is
//! a person of whom everything is known.

use super::pairs::Pairs;
use super::probable::ScoreDistribution;
use crate::Label;
use crate::math::normal;
use crate::model::{label_of_scores, n_classes};

/// Expected scores, with a zero past the last, and their covariance, for each component.
#[derive(Default)]
pub(crate) struct MixedScores {
    n_scores: usize,
    /// Whether every component is a point of the same weight.
    is_points: bool,
    weights: Vec<f64>,
    expected: Vec<f64>,
    /// Component after component; of points, the zeros of one.
    covariance: Vec<f64>,
    /// How many points have each label.
    counts: Vec<u32>,
}

impl MixedScores {
    /// Forgets all components.
    pub fn clear(&mut self, n_scores: usize, is_points: bool) {
        self.n_scores = n_scores;
        self.is_points = is_points;
        self.weights.clear();
        self.expected.clear();
        self.covariance.clear();
        self.counts.clear();
        if is_points {
            self.covariance.resize(n_scores * n_scores, 0.0);
            self.counts.resize(n_classes(n_scores), 0);
        }
    }

    /// Adds a component: its expected scores, without the zero, and their covariance; of a point, none.
    pub fn push(&mut self, weight: f64, expected: impl Iterator<Item = f64>, covariance: impl Iterator<Item = f64>) {
        self.weights.push(weight);
        self.expected.extend(expected);
        self.expected.push(0.0);
        self.covariance.extend(covariance);
        if self.is_points {
            let label = self.label_of(&self.expected[self.expected.len() - 1 - self.n_scores..]);
            self.counts[label.index()] += 1;
        }
    }

    pub fn components(&self) -> impl Iterator<Item = (f64, ScoreDistribution<'_>)> {
        let size = self.n_scores * self.n_scores;
        let distribution = move |(component, expected)| {
            let component: usize = if self.is_points { 0 } else { component };
            ScoreDistribution { expected, covariance: &self.covariance[component * size..(component + 1) * size] }
        };
        let expected = self.expected.chunks_exact(self.n_scores + 1);
        self.weights.iter().copied().zip(expected.enumerate().map(distribution))
    }

    /// The label of some scores with a zero past the last.
    fn label_of(&self, scores: &[f64]) -> Label {
        label_of_scores(&scores[..self.n_scores])
    }

    /// The share of points that have a label.
    fn share(&self, label: Label) -> f64 {
        f64::from(self.counts[label.index()]) / self.weights.len() as f64
    }

    /// The most that a share of points can make of a probability.
    fn most(&self) -> f64 {
        if self.is_points && self.weights.len() > 1 { 1.0 - 0.5 / self.weights.len() as f64 } else { 1.0 }
    }

    /// The probability of a label.
    pub fn probability(&self, labels: &Pairs, label: Label) -> f64 {
        if self.is_points {
            return self.share(label).min(self.most());
        }
        let probabilities = self.components().map(|(weight, scores)| weight * scores.probability(labels, label));
        // Rounding keeps the weights from summing to one; what is certain in every component is certain.
        probabilities.sum::<f64>() / self.weights.iter().sum::<f64>()
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
    /// A component in which two scores are expected to be equal but for rounding, up to `slack`, does not count: if it leaves them no
    /// variance, rounding alone says which of them is larger, with probability one.
    pub fn settle(&self, labels: &Pairs, threshold: f64, slack: f64) -> (Label, bool) {
        if let [_] = self.weights[..] {
            let (_, scores) = self.components().next().expect("there is a component");
            let label = label_of_scores(&scores.expected[..self.n_scores]);
            let is_clear = labels.of(label).iter().all(|pair| pair.margin(scores.expected) > slack);
            return (label, is_clear && scores.reaches(labels, label, threshold));
        }
        let (label, probability) = self.likeliest(labels);
        if probability < threshold {
            return (label, false);
        }
        let is_clear = |scores: &ScoreDistribution<'_>| {
            labels.of(label).iter().all(|pair| pair.margin(scores.expected).abs() > slack)
        };
        if self.is_points {
            let count = self
                .components()
                .filter(|(_, scores)| is_clear(scores) && self.label_of(scores.expected) == label)
                .count();
            return (label, (count as f64 / self.weights.len() as f64).min(self.most()) >= threshold);
        }
        let clear = self.components().filter(|(_, scores)| is_clear(scores));
        let floors = clear.map(|(weight, scores)| weight * scores.probability_floor(labels, label));
        (label, floors.sum::<f64>() / self.weights.iter().sum::<f64>() >= threshold)
    }

    /// The entropy of the label, in nats.
    pub fn entropy(&self, labels: &Pairs) -> f64 {
        if labels.n_classes() == 2 {
            return normal::binary_entropy(self.probability(labels, Label::POSITIVE));
        }
        let mut total = vec![0.0; labels.n_classes()];
        if self.is_points {
            total.iter_mut().enumerate().for_each(|(label, share)| *share = self.share(Label::new(label)));
            return normal::entropy(&total);
        }
        let mut probabilities = vec![0.0; labels.n_classes()];
        for (weight, scores) in self.components() {
            scores.probabilities(labels, &mut probabilities);
            total.iter_mut().zip(&probabilities).for_each(|(sum, probability)| *sum += weight * probability);
        }
        normal::entropy(&total)
    }

    /// The expected scores of the whole, with a zero past the last, and their covariance.
    pub fn moments(&self) -> (Vec<f64>, Vec<f64>) {
        let mut expected = vec![0.0; self.n_scores + 1];
        let mut covariance = vec![0.0; self.n_scores * self.n_scores];
        for (weight, scores) in self.components() {
            expected.iter_mut().zip(scores.expected).for_each(|(sum, own)| *sum += weight * own);
        }
        if self.is_points {
            self.add_spread(&expected, &mut covariance);
            return (expected, covariance);
        }
        for (weight, scores) in self.components() {
            let away = |score: usize| scores.expected[score] - expected[score];
            for (place, sum) in covariance.iter_mut().enumerate() {
                let between = away(place / self.n_scores) * away(place % self.n_scores);
                *sum += weight * (scores.covariance[place] + between);
            }
        }
        (expected, covariance)
    }

    /// Adds the covariance of points about their mean, row after row.
    fn add_spread(&self, mean: &[f64], covariance: &mut [f64]) {
        let n_scores = self.n_scores;
        for point in self.expected.chunks_exact(n_scores + 1) {
            for (left, row) in covariance.chunks_exact_mut(n_scores).enumerate() {
                let away = (point[left] - mean[left]) / self.weights.len() as f64;
                row.iter_mut().zip(point).zip(mean).for_each(|((sum, value), mean)| *sum += away * (value - mean));
            }
        }
    }
}
