//! One person's belief under a copula: evenly spread people who agree with everything known.
//!
//! ```text
//! z_i = m + L ε_i,   m, L Lᵀ the open latent numbers given the known ones,   x_i = Q(z_i),   i = 1, …, N
//! ```
//!
//! All N are equally likely.

use std::ops::Range;

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::gaussian::{GaussianPosterior, GaussianPrior};
use crate::belief::copula::{POINTS, QuantileGuide, number_at, place_value};
use crate::belief::{CopulaBelief, Marginal};
use crate::math::normal;
use crate::math::reveal::{KNOWN_SHARE, factorise};
use crate::questionnaire::Questionnaire;
use crate::schema::{Encoding, MISSING};

/// The seed of the order of the draws, the same for every plan and person.
const SEED: u64 = 9;

/// The latent numbers once the public ones are known, before any value is.
#[derive(Debug)]
pub(crate) struct CopulaPrior {
    belief: CopulaBelief,
    /// The places of each sensitive question's columns among all sensitive columns.
    questions: Vec<Range<usize>>,
    /// Which questions they are, and which are public.
    sensitive: Vec<usize>,
    public: Vec<usize>,
    /// For each sensitive question.
    guides: Vec<QuantileGuide>,
    /// The sensitive questions as columns.
    latent: GaussianPrior,
    /// Draw after draw of one standard normal number, then of the next.
    normals: Vec<f64>,
    known_below: Vec<f64>,
}

impl CopulaPrior {
    pub fn new(belief: &CopulaBelief, questions: &Questionnaire) -> Self {
        let first_column = |places: &Range<usize>| questions.columns[places.start];
        let sensitive: Vec<usize> =
            questions.places.iter().map(|places| belief.question_of(first_column(places))).collect();
        let public: Vec<usize> = (0..belief.margins().len()).filter(|question| !sensitive.contains(question)).collect();
        let known_below = |&column: &usize| KNOWN_SHARE * belief.marginal(column).1.powi(2);
        CopulaPrior {
            questions: questions.places.clone(),
            guides: sensitive.iter().map(|&question| QuantileGuide::new(belief.margins()[question].breaks())).collect(),
            latent: GaussianPrior::new(belief.correlation(), &sensitive, &public, &[]),
            normals: normals(sensitive.len()),
            known_below: questions.columns.iter().map(known_below).collect(),
            belief: belief.clone(),
            sensitive,
            public,
        }
    }

    pub fn known_below(&self) -> &[f64] {
        &self.known_below
    }
}

/// Draws of each standard normal number: evenly spread, in a random order of its own from a fixed seed.
///
/// A Latin hypercube. In a lattice along roots of primes two coordinates can be dependent: with 512 points along √2 and
/// √3 the share in a strip was off by up to 0.09, along √5 and √7 by 0.23; random points are off by 0.07.
fn normals(dimension: usize) -> Vec<f64> {
    let mut random = Pcg64Mcg::seed_from_u64(SEED);
    let mut normals = Vec::with_capacity(dimension * POINTS);
    for _ in 0..dimension {
        let start = normals.len();
        normals.extend((0..POINTS).map(|rank| normal::quantile((rank as f64 + 0.5) / POINTS as f64)));
        for last in (1..POINTS).rev() {
            normals.swap(start + last, start + (random.next_u64() % (last as u64 + 1)) as usize);
        }
    }
    normals
}

/// One person's posterior. It has no `Debug`, because it depends on answers.
#[derive(Clone)]
pub(crate) struct CopulaPosterior {
    latent: GaussianPosterior,
    /// The normal score of each question of the schema; of use where it is known.
    scores: Vec<f64>,
    /// Whether each sensitive question is revealed.
    revealed: Vec<bool>,
    /// The number of draws, or one if nothing is open.
    n_points: usize,
    /// Point after point.
    points: Vec<f64>,
    mean: Vec<f64>,
    variance: Vec<f64>,
    /// The open questions, the factor of their latent covariance, row after row, and their latent numbers in every
    /// draw.
    open: Vec<usize>,
    factor: Vec<f64>,
    drawn: Vec<f64>,
}

impl CopulaPosterior {
    pub fn new(prior: &CopulaPrior) -> Self {
        let n_columns = prior.known_below.len();
        CopulaPosterior {
            latent: GaussianPosterior::new(&prior.latent),
            scores: vec![0.0; prior.belief.margins().len()],
            revealed: vec![false; prior.sensitive.len()],
            n_points: 1,
            points: vec![0.0; n_columns],
            mean: vec![0.0; n_columns],
            variance: vec![0.0; n_columns],
            open: Vec::new(),
            factor: Vec::new(),
            drawn: vec![0.0; POINTS],
        }
    }

    pub fn begin(&mut self, prior: &CopulaPrior, person: &[f64]) {
        for &question in &prior.public {
            self.scores[question] = prior.belief.score(question, person);
        }
        self.latent.begin(&prior.latent, &self.scores);
        self.revealed.fill(false);
        self.draw(prior);
    }

    pub fn reveal(&mut self, prior: &CopulaPrior, places: Range<usize>, person: &[f64]) {
        let place = prior.questions.iter().position(|question| *question == places);
        let place = place.expect("the columns of one question are revealed together");
        let question = prior.sensitive[place];
        self.scores[question] = prior.belief.score(question, person);
        self.latent.reveal(&prior.latent, place..place + 1, &self.scores, false);
        self.revealed[place] = true;
        self.mean[places].copy_from_slice(&person[prior.belief.columns()[question].clone()]);
        self.draw(prior);
    }

    /// Draws the open questions, given the known ones.
    fn draw(&mut self, prior: &CopulaPrior) {
        self.open.clear();
        self.open.extend((0..self.revealed.len()).filter(|&place| !self.revealed[place]));
        self.n_points = if self.open.is_empty() { 1 } else { POINTS };
        for &place in &self.open {
            self.mean[prior.questions[place].clone()].fill(0.0);
        }
        self.variance.fill(0.0);
        // Known columns are at their values, open ones at zero until they are written.
        self.points.clear();
        (0..self.n_points).for_each(|_| self.points.extend_from_slice(&self.mean));
        let (open, latent) = (&self.open, &self.latent);
        let covariance = |row: usize, column: usize| latent.covariance(&prior.latent, open[row], open[column]);
        factorise(open.len(), covariance, |column| prior.latent.known_below()[open[column]], &mut self.factor);
        for row in 0..self.open.len() {
            self.draw_latent(prior, row);
            self.write(prior, self.open[row]);
        }
    }

    /// The latent numbers of one open question in all draws.
    fn draw_latent(&mut self, prior: &CopulaPrior, row: usize) {
        let size = self.open.len();
        self.drawn.fill(self.latent.mean()[self.open[row]]);
        for (source, normals) in prior.normals.chunks_exact(POINTS).enumerate().take(row + 1) {
            let share = self.factor[row * size + source];
            self.drawn.iter_mut().zip(normals).for_each(|(sum, normal)| *sum += share * normal);
        }
    }

    /// Writes the answers to one question that its latent numbers stand for, and their mean and variance.
    fn write(&mut self, prior: &CopulaPrior, place: usize) {
        let guide = &prior.guides[place];
        let columns = prior.questions[place].clone();
        match &prior.belief.margins()[prior.sensitive[place]] {
            Marginal::Number { scores, values, missing_below: Some(missing_below) } => {
                let value = |latent: f64| number_at(scores, values, guide.count_up_to(scores, latent), latent);
                let latent = self.drawn.clone();
                for (column, missing) in columns.zip(MISSING) {
                    let answers = latent.iter().map(|&at| if at < *missing_below { missing } else { value(at) });
                    self.drawn.iter_mut().zip(answers).for_each(|(drawn, answer)| *drawn = answer);
                    self.write_column(column);
                }
            }
            Marginal::Number { scores, values, missing_below: None } => {
                let value = |latent: f64| number_at(scores, values, guide.count_up_to(scores, latent), latent);
                self.drawn.iter_mut().for_each(|drawn| *drawn = value(*drawn));
                self.write_column(columns.start);
            }
            Marginal::Levels { encoding: Encoding::Ordinal, order, thresholds } => {
                let value = |latent: f64| place_value(order, guide.count_up_to(thresholds, latent));
                self.drawn.iter_mut().for_each(|drawn| *drawn = value(*drawn));
                self.write_column(columns.start);
            }
            Marginal::Levels { encoding: Encoding::Onehot, order, thresholds } => {
                let n_columns = self.mean.len();
                for (latent, point) in self.drawn.iter().zip(self.points.chunks_exact_mut(n_columns)) {
                    let column = columns.start + order[guide.count_up_to(thresholds, *latent)];
                    point[column] = 1.0;
                    self.mean[column] += 1.0 / POINTS as f64;
                }
                columns.for_each(|column| self.variance[column] = self.mean[column] * (1.0 - self.mean[column]));
            }
        }
    }

    /// Writes one column of every point, with its mean and variance.
    fn write_column(&mut self, column: usize) {
        for (value, point) in self.drawn.iter().zip(self.points.chunks_exact_mut(self.mean.len())) {
            point[column] = *value;
        }
        let mean = self.drawn.iter().sum::<f64>() / POINTS as f64;
        let squares = self.drawn.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
        self.mean[column] = mean;
        self.variance[column] = squares / POINTS as f64;
    }

    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    pub fn variance(&self) -> &[f64] {
        &self.variance
    }

    pub fn points(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        let n_columns = self.mean.len();
        (0..self.n_points).map(move |index| &self.points[index * n_columns..(index + 1) * n_columns])
    }

    /// The covariance of two columns of one question.
    pub fn covariance_within(&self, left: usize, right: usize) -> f64 {
        if left == right {
            return self.variance[left];
        }
        let products = self.points().map(|point| point[left] * point[right]).sum::<f64>();
        products / self.points().len() as f64 - self.mean[left] * self.mean[right]
    }
}
