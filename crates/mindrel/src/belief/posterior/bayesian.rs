//! One person's belief under Bayesian neural networks: the moments of what they predict, anew with each answer.

use std::ops::Range;

use super::score_covariance;
use crate::belief::{BayesianBelief, RegressorRoom, Regressors};
use crate::math::reveal::KNOWN_SHARE;
use crate::math::vector::dot;
use crate::questionnaire::Questionnaire;

/// The networks and where each reads and predicts.
#[derive(Debug)]
pub(crate) struct BayesianPrior {
    belief: BayesianBelief,
    questions: Vec<Range<usize>>,
    /// Sensitive columns of the encoded person, question after question.
    columns: Vec<usize>,
    public_columns: Vec<usize>,
    /// Row of a score: its weights on the sensitive columns.
    weights: Vec<Vec<f64>>,
    known_below: Vec<f64>,
}

impl BayesianPrior {
    pub fn new(belief: &BayesianBelief, questions: &Questionnaire, weights: &[Vec<f64>]) -> Self {
        let known_below = |&column: &usize| KNOWN_SHARE * belief.scale()[column] * belief.scale()[column];
        BayesianPrior {
            known_below: questions.columns.iter().map(known_below).collect(),
            belief: belief.clone(),
            questions: questions.places.clone(),
            columns: questions.columns.clone(),
            public_columns: questions.public_columns.clone(),
            weights: weights.to_vec(),
        }
    }

    pub fn known_below(&self) -> &[f64] {
        &self.known_below
    }

    /// A column's value in standard units.
    fn standard(&self, column: usize, person: &[f64]) -> f64 {
        (person[column] - self.belief.centre()[column]) / self.belief.scale()[column]
    }
}

/// One person's posterior. It has no `Debug`, because it depends on answers.
#[derive(Clone)]
pub(crate) struct BayesianPosterior {
    /// Every column in standard units, zero where open, then for each sensitive question whether it is known.
    known: Vec<f64>,
    inputs: Vec<f64>,
    targets: Vec<usize>,
    room: RegressorRoom,
    mean: Vec<f64>,
    variance: Vec<f64>,
    /// Row after row; zero for known columns.
    covariance: Vec<f64>,
    score_covariance: Vec<f64>,
}

impl BayesianPosterior {
    pub fn new(prior: &BayesianPrior) -> Self {
        let n_columns = prior.columns.len();
        BayesianPosterior {
            known: vec![0.0; prior.belief.n_columns() + prior.questions.len()],
            inputs: Vec::new(),
            targets: Vec::new(),
            room: RegressorRoom::default(),
            mean: vec![0.0; n_columns],
            variance: vec![0.0; n_columns],
            covariance: vec![0.0; n_columns * n_columns],
            score_covariance: Vec::new(),
        }
    }

    pub fn begin(&mut self, prior: &BayesianPrior, person: &[f64]) {
        self.known.fill(0.0);
        for &column in &prior.public_columns {
            self.known[column] = prior.standard(column, person);
        }
        self.predict(prior);
    }

    pub fn reveal(&mut self, prior: &BayesianPrior, places: Range<usize>, person: &[f64]) {
        let question = prior.questions.iter().position(|question| *question == places);
        let question = question.expect("the columns of one question are revealed together");
        for place in places {
            let column = prior.columns[place];
            self.known[column] = prior.standard(column, person);
            self.mean[place] = person[column];
        }
        self.known[prior.belief.n_columns() + question] = 1.0;
        self.predict(prior);
    }

    /// Mean and covariance of the open columns, given the known ones.
    fn predict(&mut self, prior: &BayesianPrior) {
        self.variance.fill(0.0);
        self.covariance.fill(0.0);
        let is_known = &self.known[prior.belief.n_columns()..];
        let questions = prior.questions.iter().zip(is_known);
        let open: Vec<usize> =
            questions.filter(|(_, known)| **known == 0.0).flat_map(|(places, _)| places.clone()).collect();
        if !open.is_empty() {
            self.run(prior, &open);
            let scale = |place: usize| prior.belief.scale()[prior.columns[place]];
            let n_columns = self.mean.len();
            for (row, &place) in open.iter().enumerate() {
                let column = prior.columns[place];
                self.mean[place] = prior.belief.centre()[column] + scale(place) * self.room.mean()[row];
                let covariances = &self.room.covariance()[row * open.len()..(row + 1) * open.len()];
                for (&other, covariance) in open.iter().zip(covariances) {
                    self.covariance[place * n_columns + other] = covariance * scale(place) * scale(other);
                }
                self.variance[place] = self.covariance[place * n_columns + place];
            }
        }
        self.score_covariance = score_covariance(&self.covariance, &prior.weights);
    }

    /// Leaves the prediction of the network for these open columns in `room`.
    fn run(&mut self, prior: &BayesianPrior, open: &[usize]) {
        self.targets.clear();
        match prior.belief.regressors() {
            Regressors::Amortised(regressor) => {
                self.targets.extend_from_slice(open);
                regressor.predict(&self.known, &self.targets, &mut self.room);
            }
            Regressors::PerSet(regressors) => {
                self.targets.extend(0..open.len());
                let (values, is_known) = self.known.split_at(prior.belief.n_columns());
                self.inputs.clear();
                self.inputs.extend(prior.public_columns.iter().map(|&column| values[column]));
                let mut set = 0;
                for (question, places) in prior.questions.iter().enumerate() {
                    if is_known[question] == 1.0 {
                        set |= 1 << question;
                        self.inputs.extend(prior.columns[places.clone()].iter().map(|&column| values[column]));
                    }
                }
                regressors[set].predict(&self.inputs, &self.targets, &mut self.room);
            }
        }
    }

    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    pub fn variance(&self) -> &[f64] {
        &self.variance
    }

    pub fn covariance(&self, left: usize, right: usize) -> f64 {
        self.covariance[left * self.mean.len() + right]
    }

    pub fn score_covariance(&self) -> &[f64] {
        &self.score_covariance
    }

    pub fn add_score_covariances(&self, prior: &BayesianPrior, score: usize, target: &mut [f64]) {
        let rows = self.covariance.chunks_exact(self.mean.len().max(1));
        target.iter_mut().zip(rows).for_each(|(sum, row)| *sum += dot(row, &prior.weights[score]));
    }
}
