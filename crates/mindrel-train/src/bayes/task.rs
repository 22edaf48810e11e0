//! What a network reads and what it is to predict, for whatever is revealed.

use std::ops::Range;

use rand_pcg::Pcg64Mcg;

use crate::TrainError;
use crate::mlp::order::below;

/// A network's inputs and targets, and the questions on which it depends what of them is seen.
pub(super) struct Task {
    inputs: Vec<TaskInput>,
    targets: Vec<TaskTarget>,
    n_questions: usize,
}

/// An input shows a value if its question is revealed, and zero otherwise.
struct TaskInput {
    /// A column, or nothing for the constant 1 of an indicator.
    column: Option<usize>,
    question: usize,
}

/// A target is to be predicted if its question is not revealed.
pub(super) struct TaskTarget {
    pub(super) column: usize,
    pub(super) question: usize,
}

/// Which questions are revealed, and at the end of the list what is always known and what never is.
pub(super) struct Revealed {
    is_revealed: Vec<bool>,
    order: Vec<usize>,
}

impl Task {
    /// The open columns from the known ones.
    pub(super) fn of_set(n_columns: usize, known: &[usize], open: &[usize]) -> Result<Self, TrainError> {
        check_columns(n_columns, known.iter().chain(open).copied())?;
        let inputs = known.iter().map(|&column| TaskInput { column: Some(column), question: always(0) }).collect();
        let targets = open.iter().map(|&column| TaskTarget { column, question: never(0) }).collect();
        Task { inputs, targets, n_questions: 0 }.checked()
    }

    /// All columns and an indicator for each question, to the columns of those that are not revealed.
    pub(super) fn of_all_sets(
        n_columns: usize,
        always_known: &[usize],
        questions: &[Range<usize>],
    ) -> Result<Self, TrainError> {
        check_columns(n_columns, always_known.iter().copied().chain(questions.iter().cloned().flatten()))?;
        let n_questions = questions.len();
        let question_of = |column: usize| match questions.iter().position(|columns| columns.contains(&column)) {
            Some(question) => Ok(question),
            None if always_known.contains(&column) => Ok(always(n_questions)),
            None => Err(TrainError::ColumnLeftOut { column }),
        };
        let input = |column: usize| Ok(TaskInput { column: Some(column), question: question_of(column)? });
        let mut inputs = (0..n_columns).map(input).collect::<Result<Vec<TaskInput>, TrainError>>()?;
        inputs.extend((0..n_questions).map(|question| TaskInput { column: None, question }));
        let columns = |(question, columns): (usize, &Range<usize>)| {
            columns.clone().map(move |column| TaskTarget { column, question }).collect::<Vec<TaskTarget>>()
        };
        let targets = questions.iter().enumerate().flat_map(columns).collect();
        Task { inputs, targets, n_questions }.checked()
    }

    fn checked(self) -> Result<Self, TrainError> {
        if self.targets.is_empty() { Err(TrainError::NothingOpen) } else { Ok(self) }
    }

    pub(super) fn n_inputs(&self) -> usize {
        self.inputs.len()
    }

    pub(super) fn n_targets(&self) -> usize {
        self.targets.len()
    }

    pub(super) fn targets(&self) -> &[TaskTarget] {
        &self.targets
    }

    /// Nothing revealed but what always is.
    pub(super) fn nothing_revealed(&self) -> Revealed {
        let mut is_revealed = vec![false; self.n_questions + 2];
        is_revealed[always(self.n_questions)] = true;
        Revealed { is_revealed, order: (0..self.n_questions).collect() }
    }

    /// The inputs of a row.
    pub(super) fn inputs<'a>(&'a self, row: &'a [f64], revealed: &'a Revealed) -> impl Iterator<Item = f64> + 'a {
        self.inputs.iter().map(|input| match input.column {
            _ if !revealed.is(input.question) => 0.0,
            Some(column) => row[column],
            None => 1.0,
        })
    }
}

impl Revealed {
    pub(super) fn is(&self, question: usize) -> bool {
        self.is_revealed[question]
    }

    /// Reveals a random set of questions: first its size, every one below that of all questions as likely as any other,
    /// then its members. With all of them revealed, nothing would be left to learn.
    pub(super) fn draw(&mut self, random: &mut Pcg64Mcg) {
        let n_questions = self.order.len();
        if n_questions == 0 {
            return;
        }
        let size = below(n_questions, random);
        for place in 0..size {
            self.order.swap(place, place + below(n_questions - place, random));
        }
        for (place, &question) in self.order.iter().enumerate() {
            self.is_revealed[question] = place < size;
        }
    }
}

fn always(n_questions: usize) -> usize {
    n_questions
}

fn never(n_questions: usize) -> usize {
    n_questions + 1
}

fn check_columns(n_columns: usize, columns: impl Iterator<Item = usize>) -> Result<(), TrainError> {
    let mut seen = vec![false; n_columns];
    for column in columns {
        match seen.get_mut(column) {
            None => return Err(TrainError::NoSuchColumn { column, n_columns }),
            Some(true) => return Err(TrainError::ColumnTwice { column }),
            Some(seen) => *seen = true,
        }
    }
    Ok(())
}
