//! The belief about one person, brought up to what they have revealed.

use super::KnownSoFar;
use crate::belief::Posterior;
use crate::core_test::certified::possible::mend;
use crate::plan::Plan;
use crate::questionnaire::Questionnaire;
use crate::region::open::OpenColumns;

/// A posterior that follows the answers. It has no `Debug`: it tells about them.
pub(super) struct Followed {
    pub posterior: Posterior,
    /// How many of the revealed questions `posterior` includes; `None` before the public ones are in.
    n_followed: Option<usize>,
}

impl Followed {
    pub fn new(plan: &Plan) -> Self {
        Followed { posterior: Posterior::new(&plan.prepared().prior), n_followed: None }
    }

    /// Says that the next person begins.
    pub fn forget(&mut self) {
        self.n_followed = None;
    }

    /// Includes everything that is revealed.
    pub fn catch_up(&mut self, standing: &KnownSoFar<'_>, questions: &Questionnaire) {
        let n_followed = self.n_followed.unwrap_or_else(|| {
            self.posterior.begin(standing.person());
            0
        });
        for &place in &standing.known[n_followed..] {
            self.posterior.reveal(questions.columns_of(place), standing.person(), false);
        }
        self.n_followed = Some(standing.known.len());
    }

    /// Writes the open columns of the expected person, brought into the domain.
    pub fn expect(&self, questions: &Questionnaire, open: &OpenColumns, expected: &mut Vec<f64>) {
        let (mean, places) = (self.posterior.mean(), &questions.place_of_column);
        expected.clear();
        expected.extend(open.columns.iter().map(|&column| mean[places[column]]));
        expected.resize(open.width, 0.0);
        open.bring_in(expected);
        mend(open, &open.whole, expected);
    }
}
