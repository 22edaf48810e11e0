//! The distribution of the scores where the belief has several components: a mixture of normals.
//!
//! ```text
//! P(label) = Σ_k π_k P_k(label),     P_k as for one Gaussian
//! ```

use super::pairs::Pairs;
use super::probable::ScoreDistribution;
use crate::Label;
use crate::math::normal;
use crate::model::label_of_scores;

/// Expected scores, with a zero past the last, and their covariance, for each component.
#[derive(Default)]
pub(crate) struct MixedScores {
    n_scores: usize,
    weights: Vec<f64>,
    expected: Vec<f64>,
    covariance: Vec<f64>,
}

impl MixedScores {
    /// Forgets all components.
    pub fn clear(&mut self, n_scores: usize) {
        self.n_scores = n_scores;
        self.weights.clear();
        self.expected.clear();
        self.covariance.clear();
    }

    /// Adds a component: its expected scores, without the zero, and their covariance.
    pub fn push(&mut self, weight: f64, expected: impl Iterator<Item = f64>, covariance: impl Iterator<Item = f64>) {
        self.weights.push(weight);
        self.expected.extend(expected);
        self.expected.push(0.0);
        self.covariance.extend(covariance);
    }

    pub fn components(&self) -> impl Iterator<Item = (f64, ScoreDistribution<'_>)> {
        let expected = self.expected.chunks_exact(self.n_scores + 1);
        let covariance = self.covariance.chunks_exact(self.n_scores * self.n_scores);
        let distributions =
            expected.zip(covariance).map(|(expected, covariance)| ScoreDistribution { expected, covariance });
        self.weights.iter().copied().zip(distributions)
    }

    /// The probability of a label.
    pub fn probability(&self, labels: &Pairs, label: Label) -> f64 {
        let probabilities = self.components().map(|(weight, scores)| weight * scores.probability(labels, label));
        // Rounding keeps the weights from summing to one; what is certain in every component is certain.
        probabilities.sum::<f64>() / self.weights.iter().sum::<f64>()
    }

    /// The likeliest label, and its probability.
    pub fn likeliest(&self, labels: &Pairs) -> (Label, f64) {
        if labels.n_classes() == 2 {
            let positive = self.probability(labels, Label::POSITIVE);
            let negative = 1.0 - positive;
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
        for (weight, scores) in self.components() {
            let away = |score: usize| scores.expected[score] - expected[score];
            for (place, sum) in covariance.iter_mut().enumerate() {
                let between = away(place / self.n_scores) * away(place % self.n_scores);
                *sum += weight * (scores.covariance[place] + between);
            }
        }
        (expected, covariance)
    }
}
