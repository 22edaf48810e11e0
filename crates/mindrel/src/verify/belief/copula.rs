//! People who agree with everything known, drawn under a copula by the direct formula.

use super::gaussian::condition;
use super::{Estimated, Statement, draws_tolerance};
use crate::belief::{COPULA_POINTS, CopulaBelief};
use crate::math::spread::Spread;

/// Evenly spread draws; sixteen times as many as a session takes.
const DRAWS: usize = 16 * COPULA_POINTS;

/// People who agree with everything known. It has no `Debug`: they tell about answers.
pub(in crate::verify) struct DrawnPeople {
    pub people: Vec<Vec<f64>>,
}

impl DrawnPeople {
    /// The share of those drawn of whom something is true, as an estimate of a session's.
    pub fn share(&self, is_so: impl Fn(&[f64]) -> bool) -> Estimated {
        let probability = self.people.iter().filter(|person| is_so(person)).count() as f64 / self.people.len() as f64;
        Estimated { probability, tolerance: draws_tolerance(probability, COPULA_POINTS) }
    }
}

impl Statement<'_> {
    /// Draws of the open questions, given the normal scores of the known ones:
    ///
    /// ```text
    /// z_U ~ N(R_UK R_KK⁺ z_K,  R_UU − R_UK R_KK⁺ R_KU),   x_q = Q_q(z_q)
    /// ```
    pub(super) fn drawn(&self, belief: &CopulaBelief) -> DrawnPeople {
        let schema = self.plan.schema();
        let known: Vec<usize> = self.known.iter().map(|id| id.index()).collect();
        let mut scores = vec![0.0; schema.questions().len()];
        for &id in self.known {
            scores[id.index()] = belief.margins()[id.index()].score(&self.person[schema.columns(id)]);
        }
        let open = self.open().map(|id| id.index()).collect();
        let latent = condition(belief.correlation(), &known, open, &scores);
        let root = latent.square_root();
        let spread = Spread::with(latent.columns.len(), DRAWS);
        let person = |index: usize| {
            let mut person = self.person.to_vec();
            for ((id, mean), row) in self.open().zip(&latent.mean).zip(&root) {
                let moved: f64 = row.iter().zip(spread.point(index)).map(|(share, normal)| share * normal).sum();
                belief.margins()[id.index()].write(mean + moved, &mut person[schema.columns(id)]);
            }
            person
        };
        DrawnPeople { people: (0..DRAWS).map(person).collect() }
    }
}
