//! Rows to train on, to choose by, and to report on.

use mindrel::People;
use mindrel::plan::Training;

/// What sets the seed of the second cut apart from that of the first.
const SECOND_CUT: u64 = 0x005e_ed0f_5ec0_4d00;

/// People in three parts.
#[derive(Debug, Clone)]
pub struct Split {
    /// To train on: those that `fit` with the same share and seed trains on.
    pub kept: People,
    /// To choose by: half of the others.
    pub validation: People,
    /// To report on: the other half.
    pub test: People,
    /// The split with its number of rows filled in.
    pub training: Training,
}

impl Split {
    /// Every row decides for itself, by its line; of each held-out part at most so many, from all over, are looked at.
    #[must_use]
    pub fn new(people: &People, training: &Training, most: Option<usize>) -> Self {
        let kept = people.filter(|person| !training.is_held_out(person.line));
        let second = Training { seed: training.seed ^ SECOND_CUT, holdout: 0.5, ..training.clone() };
        let part = |for_test: bool| {
            let held_out = people
                .filter(|person| training.is_held_out(person.line) && second.is_held_out(person.line) == for_test);
            most.map_or_else(|| held_out.clone(), |most| held_out.spread(most))
        };
        let training = Training { rows: kept.len(), ..training.clone() };
        Split { validation: part(false), test: part(true), kept, training }
    }
}
