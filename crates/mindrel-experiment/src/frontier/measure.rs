//! How right a model is, and what it needs to know.

use mindrel::schema::QuestionId;
use mindrel::session::Walk;
use mindrel::{People, Schema};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use super::Candidate;
use super::candidates::without_columns;
use mindrel_audit::CONFIDENCE;
use mindrel_audit::binomial::interval;

/// How many people one core takes at a time.
const CHUNK: usize = 32;

/// What some people were asked, and how many were decided about rightly.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// How many people.
    pub people: u64,
    /// The share decided about rightly.
    pub accuracy: f64,
    /// What that share is at least, with 95 % confidence for both ends together.
    pub lower: f64,
    /// What it is at most.
    pub upper: f64,
    /// Sensitive questions asked of a person at δ = 0, on average.
    pub mean_asked: f64,
    /// Their share of all sensitive questions of the schema, those left out among them.
    pub share_asked: f64,
    /// Share of people for whom some proof ran out of budget, so that more may have been asked than needed.
    pub out_of_budget: f64,
}

/// Decides about everybody by a candidate; also says of each whether that was right.
pub(super) fn measure(candidate: &Candidate, schema: &Schema, people: &People) -> (Measure, Vec<bool>) {
    let left_out: Vec<QuestionId> = candidate.left_out.iter().filter_map(|name| schema.find(name)).collect();
    let people = &without_columns(schema, people, &left_out);
    let chunks = (0..people.len().div_ceil(CHUNK)).into_par_iter();
    let decide = |chunk: usize| {
        let mut walk = Walk::new(&candidate.plan);
        let places = chunk * CHUNK..people.len().min((chunk + 1) * CHUNK);
        let one = |place| {
            let person = people.person(place);
            let (label, _) = walk.decide(person.columns, candidate.plan.rules().seed);
            (person.label == Some(label), walk.n_revealed() as u64, u64::from(!walk.out_of_budget().is_empty()))
        };
        places.map(one).collect::<Vec<_>>()
    };
    let decided: Vec<Vec<(bool, u64, u64)>> = chunks.map(decide).collect();
    let decided: Vec<(bool, u64, u64)> = decided.into_iter().flatten().collect();
    let n_people = decided.len() as u64;
    let right: Vec<bool> = decided.iter().map(|one| one.0).collect();
    let n_right = right.iter().filter(|right| **right).count() as u64;
    let share = |count: u64| count as f64 / n_people.max(1) as f64;
    let (lower, upper) = interval(n_right, n_people, CONFIDENCE);
    let mean_asked = share(decided.iter().map(|one| one.1).sum());
    let n_questions = candidate.plan.sensitive().len() + left_out.len();
    let measure = Measure {
        people: n_people,
        accuracy: share(n_right),
        lower,
        upper,
        mean_asked,
        share_asked: mean_asked / n_questions.max(1) as f64,
        out_of_budget: share(decided.iter().map(|one| one.2).sum()),
    };
    (measure, right)
}
