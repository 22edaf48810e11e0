//! What some answers imply about the others.

use crate::belief::{Posterior, Predictive, level_probability};
use crate::plan::Plan;
use crate::schema::Domain;

/// What a plan's belief says of every sensitive question of a person, given the public ones and those revealed so far.
///
/// It serves one person after another and reuses its buffers. A *place* is a question's position in
/// [`Plan::sensitive`]. It has no `Debug`: it tells about answers.
pub struct Inference {
    plan: Plan,
    posterior: Posterior,
}

impl Inference {
    /// Under a plan; [`begin`](Inference::begin) gives it a person.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        Inference { plan: plan.clone(), posterior: Posterior::new(&plan.prepared().prior) }
    }

    /// Starts with a new person. Only the public columns are read.
    pub fn begin(&mut self, person: &[f64]) {
        self.posterior.begin(person);
    }

    /// Takes the answer to one question from its columns of the encoded person.
    pub fn reveal(&mut self, place: usize, person: &[f64]) {
        self.posterior.reveal(self.plan.prepared().questions.columns_of(place), person, false);
    }

    /// Takes what follows by the rules between questions from the public answers and some revealed ones, which were
    /// taken before.
    pub fn follow_rules(&mut self, person: &[f64], revealed: &[usize]) {
        let questions = &self.plan.prepared().questions;
        if questions.implications.is_empty() {
            return;
        }
        let region = questions.region_with(person, revealed);
        let implied = |place: &usize| !revealed.contains(place) && region.is_known(&questions.asked[*place].columns);
        for place in (0..questions.len()).filter(implied) {
            self.posterior.reveal(questions.columns_of(place), region.values(), false);
        }
    }

    /// The expected columns of a question; of a revealed one, its own.
    #[must_use]
    pub fn mean(&self, place: usize) -> &[f64] {
        &self.posterior.mean()[self.plan.prepared().questions.columns_of(place)]
    }

    /// The variances of its columns.
    #[must_use]
    pub fn variance(&self, place: usize) -> &[f64] {
        &self.posterior.variance()[self.plan.prepared().questions.columns_of(place)]
    }

    /// How many answers a question has to guess among: the levels of a one-hot category, or two. `None` for a number.
    #[must_use]
    pub fn n_levels(&self, place: usize) -> Option<usize> {
        match self.plan.prepared().questions.asked[place].domain {
            Domain::OneOf { levels } => Some(levels),
            Domain::Grid { points: 2 } => Some(2),
            Domain::Interval | Domain::Grid { .. } | Domain::OrMissing { .. } => None,
        }
    }

    /// The most likely answer, the first of equals, and its probability. `None` for a number.
    ///
    /// The probabilities of levels are their expected indicators, clipped at zero and normalised.
    #[must_use]
    pub fn best_guess(&self, place: usize) -> Option<(usize, f64)> {
        let domain = self.plan.prepared().questions.asked[place].domain;
        let probability = |level| level_probability(domain, self.mean(place), level);
        let likelier =
            |best: (usize, f64), level| if probability(level) > best.1 { (level, probability(level)) } else { best };
        let levels = self.n_levels(place)?;
        Some((1..levels).fold((0, probability(0)), likelier))
    }
}

/// What a plan's belief says of all sensitive columns, question after question, of a person of whom the public and some
/// sensitive questions are known, the latter by their places among the sensitive ones and in the order they were
/// revealed.
///
/// # Panics
/// When the person has another number of columns than the plan.
#[must_use]
pub fn predictive(plan: &Plan, person: &[f64], revealed: &[usize]) -> Predictive {
    assert_eq!(person.len(), plan.schema().n_columns(), "a person has one value for each column");
    let prepared = plan.prepared();
    let mut posterior = Posterior::new(&prepared.prior);
    posterior.begin(person);
    for &place in revealed {
        posterior.reveal(prepared.questions.columns_of(place), person, false);
    }
    let mut predictive = Predictive::default();
    predictive.set(&posterior, 0..prepared.questions.columns.len());
    predictive
}
