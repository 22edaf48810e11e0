//! One person's belief about the sensitive columns, revealed column by column without touching a matrix.
//!
//! With `f_1, …, f_r` the columns revealed so far contribute to the covariance, a Cholesky factorisation grown one
//! column at a time in the order of the reveals:
//!
//! ```text
//! Cov(X | known) = Σ − Σ_i f_i f_iᵀ,     f_new = (Σ_·j − Σ_i f_i f_ij) / √Var(x_j | known)
//! mean ← mean + f_new (x_j − mean_j) / √Var(x_j | known),     variance ← variance − f_new²
//! ```
//!
//! This is [TF23, Prop. 3] again. A reveal costs O(r n) within the nearest cache; looking up a shared matrix for the
//! set of known questions is slower (docs/decisions/0002-posterior-by-factors.md).
//!
//! Factors depend on which columns were revealed in which order, and on no value. Those of the last person are reused
//! as long as the next one is asked the same: then a reveal costs O(n).

use std::ops::Range;

use crate::belief::GaussianBelief;
use crate::math::reveal::Symmetric;
use crate::math::vector::dot;

/// The sensitive columns once the public ones are known, before any value is.
#[derive(Debug)]
pub(crate) struct GaussianPrior {
    /// How long rows are: the number of sensitive columns, filled up with zeros to whole [`LANES`].
    width: usize,
    /// Sensitive columns of the encoded person, question after question.
    columns: Vec<usize>,
    public_columns: Vec<usize>,
    public_mean: Vec<f64>,
    /// Row `j`: how the sensitive columns answer to the surprise in the `j`-th public column.
    public_gain: Vec<f64>,
    /// Mean of the sensitive columns when every public column is at its mean.
    mean: Vec<f64>,
    covariance: Symmetric,
    /// Its rows, one after the other.
    rows: Vec<f64>,
    variance: Vec<f64>,
    known_below: Vec<f64>,
    /// Row of a score: its weights on the sensitive columns.
    weights: Vec<Vec<f64>>,
    /// Covariance of the scores, row after row [TF23, Eq. (6)].
    score_covariance: Vec<f64>,
}

impl GaussianPrior {
    pub fn new(belief: &GaussianBelief, columns: &[usize], public_columns: &[usize], weights: &[Vec<f64>]) -> Self {
        let mut covariance = belief.covariance().clone();
        let gains = covariance.reveal_all(public_columns, belief.known_below());
        let pick =
            |values: &[f64], columns: &[usize]| columns.iter().map(|&column| values[column]).collect::<Vec<f64>>();
        let covariance = covariance.select(columns);
        let width = columns.len().next_multiple_of(LANES);
        let filled = |mut row: Vec<f64>| {
            row.resize(width, 0.0);
            row
        };
        let variance = (0..columns.len()).map(|place| covariance.at(place, place)).collect();
        GaussianPrior {
            width,
            rows: (0..columns.len()).flat_map(|place| filled(covariance.row(place).to_vec())).collect(),
            public_mean: pick(belief.mean(), public_columns),
            public_gain: gains.iter().flat_map(|gain| filled(pick(gain, columns))).collect(),
            mean: filled(pick(belief.mean(), columns)),
            variance: filled(variance),
            known_below: pick(belief.known_below(), columns),
            score_covariance: score_covariance(covariance.entries(), weights),
            covariance,
            columns: columns.to_vec(),
            public_columns: public_columns.to_vec(),
            weights: weights.to_vec(),
        }
    }

    pub fn covariance(&self) -> &Symmetric {
        &self.covariance
    }

    pub fn known_below(&self) -> &[f64] {
        &self.known_below
    }
}

/// One person's posterior. It has no `Debug`, because its mean depends on answers.
pub(crate) struct GaussianPosterior {
    mean: Vec<f64>,
    variance: Vec<f64>,
    /// Row after row, `f_1` to `f_r`, and behind them what the person before leaves.
    factors: Vec<f64>,
    /// Columns in the order of their reveals, followed by those of the previous person, each with the variance it had.
    /// `None` if it was already determined: then it has no factor.
    order: Vec<(usize, Option<f64>)>,
    /// How many of `order` are this person's.
    n_revealed: usize,
    /// How many of `factors` are numbers of this person's.
    own: usize,
    score_covariance: Vec<f64>,
    /// Scratch space: one number per score.
    moves: Vec<f64>,
    /// Whether each column is revealed.
    revealed: Vec<bool>,
}

/// By hand, so that looking one answer ahead again and again allocates nothing.
impl Clone for GaussianPosterior {
    fn clone(&self) -> Self {
        GaussianPosterior {
            mean: self.mean.clone(),
            variance: self.variance.clone(),
            factors: self.factors[..self.own].to_vec(),
            order: self.order[..self.n_revealed].to_vec(),
            n_revealed: self.n_revealed,
            own: self.own,
            score_covariance: self.score_covariance.clone(),
            moves: self.moves.clone(),
            revealed: self.revealed.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.mean.clone_from(&source.mean);
        self.variance.clone_from(&source.variance);
        self.factors.clear();
        self.factors.extend_from_slice(source.factors());
        self.order.clear();
        self.order.extend_from_slice(&source.order[..source.n_revealed]);
        self.n_revealed = source.n_revealed;
        self.own = source.own;
        self.score_covariance.clone_from(&source.score_covariance);
        self.moves.clone_from(&source.moves);
        self.revealed.clone_from(&source.revealed);
    }
}

/// Below this share of its initial value, a score's variance is mostly rounding, and is recomputed.
const CANCELLED: f64 = 1e-6;

impl GaussianPosterior {
    pub fn new(prior: &GaussianPrior) -> Self {
        GaussianPosterior {
            mean: prior.mean.clone(),
            variance: prior.variance.clone(),
            factors: Vec::with_capacity(prior.width * prior.columns.len()),
            order: Vec::with_capacity(prior.columns.len()),
            n_revealed: 0,
            own: 0,
            score_covariance: prior.score_covariance.clone(),
            moves: vec![0.0; prior.weights.len()],
            revealed: vec![false; prior.columns.len()],
        }
    }

    /// Starts with a new person, whose public columns are known.
    pub fn begin(&mut self, prior: &GaussianPrior, person: &[f64]) {
        self.n_revealed = 0;
        self.own = 0;
        self.revealed.fill(false);
        self.variance.copy_from_slice(&prior.variance);
        self.score_covariance.copy_from_slice(&prior.score_covariance);
        self.mean.copy_from_slice(&prior.mean);
        let rows = prior.public_gain.chunks_exact(prior.width.max(1));
        for ((&column, expected), gain) in prior.public_columns.iter().zip(&prior.public_mean).zip(rows) {
            add_scaled(&mut self.mean, gain, person[column] - expected);
        }
    }

    /// Reveals some sensitive columns, by their places, at the values of an encoded person.
    ///
    /// The covariance of the scores follows only `with_scores`.
    pub fn reveal(&mut self, prior: &GaussianPrior, places: Range<usize>, person: &[f64], with_scores: bool) {
        for place in places {
            let value = person[prior.columns[place]];
            let tells_something = self.reveal_one(prior, place, value - self.mean[place]);
            if tells_something && with_scores {
                self.reveal_scores(prior);
            }
            self.mean[place] = value;
            self.variance[place] = 0.0;
            self.revealed[place] = true;
        }
        let n_scores = self.moves.len();
        let cancelled = |score: usize| {
            let place = score * n_scores + score;
            self.score_covariance[place] < CANCELLED * prior.score_covariance[place]
        };
        if with_scores && (0..n_scores).any(cancelled) {
            self.work_out_scores(prior);
        }
    }

    /// Returns whether there was anything to learn from the value.
    fn reveal_one(&mut self, prior: &GaussianPrior, place: usize, surprise: f64) -> bool {
        let variance = match self.order.get(self.n_revealed) {
            Some(&(before, variance)) if before == place => variance,
            _ => self.factorise(prior, place),
        };
        self.n_revealed += 1;
        // Otherwise already determined by what is known, as the last indicator of a category always is.
        let Some(variance) = variance else { return false };
        let surprise = surprise * variance.sqrt().recip();
        let factor = &self.factors[self.own..self.own + prior.width];
        for ((entry, mean), variance) in factor.iter().zip(&mut self.mean).zip(&mut self.variance) {
            *mean += entry * surprise;
            *variance = (*variance - entry * entry).max(0.0);
        }
        self.own += prior.width;
        true
    }

    /// Appends the factor of a column and returns its variance; `None`, without a factor, if that is negligible.
    fn factorise(&mut self, prior: &GaussianPrior, place: usize) -> Option<f64> {
        let width = prior.width;
        self.order.truncate(self.n_revealed);
        self.factors.truncate(self.own);
        self.factors.extend_from_slice(&prior.rows[place * width..(place + 1) * width]);
        let (earlier, factor) = self.factors.split_at_mut(self.own);
        for row in earlier.chunks_exact(width) {
            add_scaled(factor, row, -row[place]);
        }
        let variance = (factor[place] > prior.known_below[place]).then_some(factor[place]);
        if let Some(variance) = variance {
            let scale = variance.sqrt().recip();
            factor.iter_mut().for_each(|entry| *entry *= scale);
        }
        self.order.push((place, variance));
        variance
    }

    /// This person's, row after row.
    fn factors(&self) -> &[f64] {
        &self.factors[..self.own]
    }

    /// Takes what the newest factor explains off the covariance of the scores.
    fn reveal_scores(&mut self, prior: &GaussianPrior) {
        let factor = &self.factors[self.own - self.mean.len()..self.own];
        for (moved, weights) in self.moves.iter_mut().zip(&prior.weights) {
            *moved = dot(factor, weights);
        }
        let n_scores = self.moves.len();
        for (place, covariance) in self.score_covariance.iter_mut().enumerate() {
            *covariance -= self.moves[place / n_scores] * self.moves[place % n_scores];
        }
    }

    /// The covariance of the scores from the open columns alone, so that revealed ones, however heavy, leave no
    /// rounding behind:
    ///
    /// ```text
    /// w_Uᵀ (Σ_UU − Σ_i f_iU f_iUᵀ) w_U
    /// ```
    fn work_out_scores(&mut self, prior: &GaussianPrior) {
        let open = |weights: &Vec<f64>| -> Vec<f64> {
            weights.iter().zip(&self.revealed).map(|(weight, revealed)| if *revealed { 0.0 } else { *weight }).collect()
        };
        let weights: Vec<Vec<f64>> = prior.weights.iter().map(open).collect();
        self.score_covariance = score_covariance(prior.covariance.entries(), &weights);
        let n_scores = weights.len();
        for factor in self.factors[..self.own].chunks_exact(self.mean.len().max(1)) {
            let moves: Vec<f64> = weights.iter().map(|weights| dot(factor, weights)).collect();
            for (place, covariance) in self.score_covariance.iter_mut().enumerate() {
                *covariance -= moves[place / n_scores] * moves[place % n_scores];
            }
        }
    }

    /// Expected values of the sensitive columns.
    pub fn mean(&self) -> &[f64] {
        &self.mean[..self.revealed.len()]
    }

    /// Their variances.
    pub fn variance(&self) -> &[f64] {
        &self.variance[..self.revealed.len()]
    }

    /// The covariance of two sensitive columns, by their places.
    pub fn covariance(&self, prior: &GaussianPrior, left: usize, right: usize) -> f64 {
        let explained = self.factors().chunks_exact(prior.width.max(1)).map(|factor| factor[left] * factor[right]);
        prior.rows[left * prior.width + right] - explained.sum::<f64>()
    }

    /// Covariance of the scores, row after row.
    pub fn score_covariance(&self) -> &[f64] {
        &self.score_covariance
    }

    /// Adds the covariance of a score with every sensitive column.
    pub fn add_score_covariances(&self, prior: &GaussianPrior, score: usize, target: &mut [f64]) {
        let (weights, width) = (&prior.weights[score], prior.width.max(1));
        let n_columns = target.len();
        for (row, own) in prior.rows.chunks_exact(width).zip(weights) {
            target.iter_mut().zip(row).for_each(|(sum, entry)| *sum += own * entry);
        }
        for factor in self.factors().chunks_exact(width) {
            let share = dot(&factor[..n_columns], weights);
            target.iter_mut().zip(factor).for_each(|(sum, entry)| *sum -= share * entry);
        }
    }
}

/// `W Σ Wᵀ`: the covariance of the scores [TF23, Eq. (6)], from that of the columns, row after row.
pub(in crate::belief) fn score_covariance(covariance: &[f64], weights: &[Vec<f64>]) -> Vec<f64> {
    let mut result = Vec::with_capacity(weights.len() * weights.len());
    let rows = covariance.chunks_exact(covariance.len().isqrt().max(1));
    for left in weights {
        let product: Vec<f64> = rows.clone().map(|row| dot(row, left)).collect();
        result.extend(weights.iter().map(|right| dot(&product, right)));
    }
    result
}

/// Rows are worked through this many numbers at a time, in vector registers.
const LANES: usize = 4;

/// `target += factor · row`, for rows of whole [`LANES`].
fn add_scaled(target: &mut [f64], row: &[f64], factor: f64) {
    for (values, shares) in target.chunks_exact_mut(LANES).zip(row.chunks_exact(LANES)) {
        for lane in 0..LANES {
            values[lane] += shares[lane] * factor;
        }
    }
}
