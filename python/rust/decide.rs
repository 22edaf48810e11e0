//! Deciding about a table on all cores.

use mindrel::core_test::Guarantee;
use mindrel::model::{Classifier, Model, ProvedBy};
use mindrel::session::Walk;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use crate::answer_columns::{AnswerColumns, CellError};

/// How many people one core takes at a time if each takes microseconds.
const QUICK_PEOPLE: usize = 1024;
/// The same if each may take a while.
const SLOW_PEOPLE: usize = 16;
/// How many people a black box scores at once.
const SCORED_TOGETHER: usize = 65_536;

/// The decisions about a table, with one entry per person.
#[derive(Default)]
pub struct TableDecisions {
    /// The labels.
    pub labels: Vec<i64>,
    /// The guarantees, by index in [`GUARANTEES`].
    pub guarantees: Vec<u8>,
    /// How many tests ran out of budget.
    pub out_of_budget: Vec<u32>,
    /// When each sensitive question was asked, counted from 1, or 0 for never; person after person.
    pub asked: Vec<u16>,
}

/// The guarantees in the order of their indices.
pub const GUARANTEES: [Guarantee; 4] =
    [Guarantee::Complete, Guarantee::Proved, Guarantee::Sampled, Guarantee::Probable];

/// Decides about everyone as a session with the plan's seed would.
pub fn decide(plan: &mindrel::Plan, columns: &AnswerColumns<'_>) -> Result<TableDecisions, CellError> {
    let n_rows = columns.n_rows();
    let size = if is_quick(plan.model()) { QUICK_PEOPLE } else { SLOW_PEOPLE };
    let parts: Result<Vec<TableDecisions>, CellError> = (0..n_rows.div_ceil(size))
        .into_par_iter()
        .map_init(
            || Walk::new(plan),
            |walk, part| decide_part(walk, columns, part * size..n_rows.min((part + 1) * size)),
        )
        .collect();
    let mut all = TableDecisions::default();
    for part in parts? {
        all.labels.extend(part.labels);
        all.guarantees.extend(part.guarantees);
        all.out_of_budget.extend(part.out_of_budget);
        all.asked.extend(part.asked);
    }
    Ok(all)
}

fn decide_part(
    walk: &mut Walk,
    columns: &AnswerColumns<'_>,
    rows: std::ops::Range<usize>,
) -> Result<TableDecisions, CellError> {
    let (n_sensitive, seed) = (walk.plan().sensitive().len(), walk.plan().rules().seed);
    let mut person = vec![0.0; walk.plan().schema().n_columns()];
    let mut decisions = TableDecisions::default();
    for row in rows {
        columns.encode(row, &mut person)?;
        let (label, guarantee) = walk.decide(&person, seed);
        decisions.labels.push(label.index() as i64);
        let place = GUARANTEES.iter().position(|known| *known == guarantee);
        decisions.guarantees.push(place.expect("all guarantees are listed") as u8);
        decisions.out_of_budget.push(walk.out_of_budget().len() as u32);
        let start = decisions.asked.len();
        decisions.asked.resize(start + n_sensitive, 0);
        for (turn, &place) in walk.revealed_places().iter().enumerate() {
            decisions.asked[start + place] = turn as u16 + 1;
        }
    }
    Ok(decisions)
}

/// The model's scores with everything revealed, person after person.
pub fn scores(model: &Classifier, columns: &AnswerColumns<'_>) -> Result<Vec<f64>, CellError> {
    let (n_columns, n_scores) = (model.n_columns(), model.n_scores());
    let is_black_box = model.proved_by() == ProvedBy::Nothing;
    let size = if is_black_box { SCORED_TOGETHER } else { QUICK_PEOPLE };
    let mut scores = vec![0.0; columns.n_rows() * n_scores];
    scores.par_chunks_mut(size * n_scores).enumerate().try_for_each(|(part, scores)| {
        let mut people = vec![0.0; scores.len() / n_scores * n_columns];
        for (row, person) in people.chunks_exact_mut(n_columns).enumerate() {
            columns.encode(part * size + row, person)?;
        }
        model.scores_of_many(&people, scores);
        Ok(())
    })?;
    Ok(scores)
}

fn is_quick(model: &Classifier) -> bool {
    model.proved_by() == ProvedBy::Sums
}

/// What `Plan.decide` returns: labels, guarantees, tests out of budget, and when each question was asked.
pub type Arrays<'py> =
    (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u8>>, Bound<'py, PyArray1<u32>>, Bound<'py, PyArray2<u16>>);

impl TableDecisions {
    /// The arrays, without copying.
    pub fn into_arrays(self, py: Python<'_>, n_sensitive: usize) -> PyResult<Arrays<'_>> {
        let n_rows = self.labels.len();
        let asked = self.asked.into_pyarray(py).reshape([n_rows, n_sensitive])?;
        Ok((self.labels.into_pyarray(py), self.guarantees.into_pyarray(py), self.out_of_budget.into_pyarray(py), asked))
    }
}
