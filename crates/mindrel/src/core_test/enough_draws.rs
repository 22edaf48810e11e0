//! How many draws tell whether a label is likely enough, when each of them is dear to look at.
//!
//! ```text
//! N draws, K of them with another label.  Is K ≤ k₀ = ⌊δ N⌋?
//! After n of them, taken in a random order, k with another label:
//!
//!   yes   if  P(X ≤ k | K = k₀ + 1) ≤ α,       X ~ hypergeometric(N, K, n)
//!   no    if  P(X ≥ k | K = k₀)     ≤ α
//!   both exactly once n = N
//! ```
//!
//! Looks are taken at a few n, and α is the chance of a wrong answer shared out among those before the last, so that
//! the answer differs from that of looking at all draws with a probability of at most [`CHANCE`], over the order
//! (docs/decisions/0023-black-boxes.md).

use std::ops::ControlFlow;

/// How probable it may be that draws that were not looked at would have changed the answer, either way.
pub(crate) const CHANCE: f64 = 1e-3;

/// After how many draws to look, before all of them were.
const LOOKS: [usize; 7] = [FIRST_LOOK, 192, 256, 384, 512, 640, 768];

/// The first look is taken after as many draws as choosing a question needs anyway.
pub(crate) const FIRST_LOOK: usize = 96;

/// After how many draws with how many of another label it is told whether a label is likely enough.
#[derive(Default)]
pub(crate) struct EnoughDraws {
    looks: Vec<DrawLook>,
}

/// What is concluded after some draws.
#[derive(Debug, Clone, Copy)]
struct DrawLook {
    n_draws: usize,
    /// The label is likely enough if no more than this many have another, if that can be told.
    yes_up_to: Option<usize>,
    /// It is not if at least this many have.
    no_from: usize,
}

impl EnoughDraws {
    /// For a probability of another label up to δ, as judged by `n_all` draws.
    pub fn new(delta: f64, n_all: usize) -> Self {
        let most = (delta * n_all as f64).floor() as usize;
        let before: Vec<usize> = LOOKS.into_iter().filter(|&n_draws| n_draws < n_all).collect();
        let each = CHANCE / before.len().max(1) as f64;
        let urn = |marked: usize| Urn { n_all, marked, ln_factorials: ln_factorials(n_all) };
        let (too_many, just_enough) = (urn((most + 1).min(n_all)), urn(most));
        let look = |n_draws: usize| DrawLook {
            n_draws,
            yes_up_to: too_many.most_below(n_draws, each),
            no_from: just_enough.least_above(n_draws, each),
        };
        let all = DrawLook { n_draws: n_all, yes_up_to: Some(most), no_from: most + 1 };
        EnoughDraws { looks: before.into_iter().map(look).chain([all]).collect() }
    }

    /// Whether a label is likely enough; `n_others` says how many of the first draws have another.
    pub fn is_likely(&self, mut n_others: impl FnMut(usize) -> usize) -> bool {
        let answer = self.looks.iter().try_for_each(|look| look.conclude(n_others(look.n_draws)));
        answer.break_value().expect("the last look concludes")
    }
}

impl DrawLook {
    fn conclude(&self, n_others: usize) -> ControlFlow<bool> {
        if self.yes_up_to.is_some_and(|most| n_others <= most) {
            ControlFlow::Break(true)
        } else if n_others >= self.no_from {
            ControlFlow::Break(false)
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// `n_all` draws of which some are marked.
struct Urn {
    n_all: usize,
    marked: usize,
    ln_factorials: Vec<f64>,
}

impl Urn {
    /// `P(X = count)` when `n_draws` are taken.
    fn probability(&self, n_draws: usize, count: usize) -> f64 {
        let unmarked = self.n_all - self.marked;
        if count > self.marked || count > n_draws || n_draws - count > unmarked {
            return 0.0;
        }
        let chosen = self.ln_choose(self.marked, count) + self.ln_choose(unmarked, n_draws - count);
        (chosen - self.ln_choose(self.n_all, n_draws)).exp()
    }

    fn ln_choose(&self, n: usize, k: usize) -> f64 {
        self.ln_factorials[n] - self.ln_factorials[k] - self.ln_factorials[n - k]
    }

    /// The largest count so that `P(X ≤ count)` is no more than `chance`, if there is one.
    fn most_below(&self, n_draws: usize, chance: f64) -> Option<usize> {
        let mut sum = 0.0;
        let counts = (0..=n_draws).take_while(|&count| {
            sum += self.probability(n_draws, count);
            sum <= chance
        });
        counts.last()
    }

    /// The smallest count so that `P(X ≥ count)` is no more than `chance`; more than all if there is none.
    fn least_above(&self, n_draws: usize, chance: f64) -> usize {
        let mut sum = 0.0;
        let counts = (0..=n_draws).rev().take_while(|&count| {
            sum += self.probability(n_draws, count);
            sum <= chance
        });
        counts.last().unwrap_or(n_draws + 1)
    }
}

/// `ln i!` for every i up to `most`.
fn ln_factorials(most: usize) -> Vec<f64> {
    let mut sum = 0.0;
    let logarithms = (1..=most).map(|i| {
        sum += (i as f64).ln();
        sum
    });
    std::iter::once(0.0).chain(logarithms).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: usize = 1024;
    const DELTAS: [f64; 6] = [0.001, 0.01, 0.05, 0.1, 0.25, 0.45];
    /// Sums of some thousand rounded probabilities.
    const ROUNDING: f64 = 1e-9;

    /// The probability, over the order, that the answer is yes when `marked` of all draws have another label: exactly,
    /// by following how many were seen from look to look.
    fn chance_of_yes(enough: &EnoughDraws, marked: usize) -> f64 {
        let (mut seen, mut n_seen, mut yes) = (vec![1.0], 0, 0.0);
        for look in &enough.looks {
            let mut next = vec![0.0; look.n_draws + 1];
            for (count, &chance) in seen.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
                let n_all = N - n_seen;
                let urn = Urn { n_all, marked: marked - count, ln_factorials: ln_factorials(n_all) };
                for more in 0..=look.n_draws - n_seen {
                    next[count + more] += chance * urn.probability(look.n_draws - n_seen, more);
                }
            }
            for (count, chance) in next.iter_mut().enumerate() {
                if let ControlFlow::Break(is_yes) = look.conclude(count) {
                    yes += if is_yes { *chance } else { 0.0 };
                    *chance = 0.0;
                }
            }
            (seen, n_seen) = (next, look.n_draws);
        }
        yes
    }

    /// No luck is involved: the probabilities are computed.
    #[test]
    fn looking_at_fewer_draws_changes_the_answer_with_at_most_the_stated_chance() {
        for delta in DELTAS {
            let enough = EnoughDraws::new(delta, N);
            let most = (delta * N as f64).floor() as usize;
            for marked in [most + 1, most + 2, most + most / 4 + 5] {
                assert!(chance_of_yes(&enough, marked) <= CHANCE + ROUNDING, "{delta}: {marked} are too many");
            }
            for marked in [most, most - most / 4, most.saturating_sub(1)] {
                assert!(chance_of_yes(&enough, marked) >= 1.0 - CHANCE - ROUNDING, "{delta}: {marked} are few enough");
            }
        }
    }

    #[test]
    fn what_is_clear_takes_few_draws() {
        let enough = EnoughDraws::new(0.05, N);
        let n_looked_at = |share: f64| {
            let mut last = 0;
            let is_likely = enough.is_likely(|n_draws| {
                last = n_draws;
                (share * n_draws as f64).round() as usize
            });
            (is_likely, last)
        };
        assert_eq!(n_looked_at(0.0), (true, 192));
        assert_eq!(n_looked_at(0.3), (false, FIRST_LOOK));
        assert_eq!(n_looked_at(0.05), (true, N));
        assert_eq!(n_looked_at(0.051), (false, N));
    }

    #[test]
    fn a_few_draws_are_all_looked_at() {
        for n_all in [1, 20, FIRST_LOOK] {
            let enough = EnoughDraws::new(0.25, n_all);
            for others in 0..=n_all {
                assert_eq!(enough.is_likely(|_| others), others <= n_all / 4, "{others} of {n_all}");
            }
        }
    }
}
