//! Deciding about a table on all cores.

use mindrel::Plan;
use mindrel::core_test::{Guarantee, TimeLimit};
use mindrel::model::{Classifier, Model, ProvedBy};
use mindrel::schema::{Domain, OutsidePolicy};
use mindrel::session::Walk;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use crate::answer_columns::{AnswerColumns, CellError};
use crate::work::Progress;

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
    /// What they rest on, by index in [`GUARANTEES`], or past its end for nothing.
    pub guarantees: Vec<u8>,
    /// How many tests ran out of budget.
    pub out_of_budget: Vec<u32>,
    /// Whether an answer lies outside its domain.
    pub outside: Vec<bool>,
    /// When each sensitive question was asked, counted from 1, or 0 for never; person after person.
    pub asked: Vec<u16>,
}

/// The guarantees in the order of their indices.
pub const GUARANTEES: [Guarantee; 4] =
    [Guarantee::Complete, Guarantee::Proved, Guarantee::Sampled, Guarantee::Probable];

/// The name of the guarantee of someone with an answer outside its domain, whom no proof is about.
pub const NO_GUARANTEE: &str = "none";

/// Decides about everyone as a session with the plan's seed would.
pub fn decide(
    plan: &Plan,
    columns: &AnswerColumns<'_>,
    limit: Option<TimeLimit>,
    progress: &Progress,
) -> Result<TableDecisions, CellError> {
    let n_rows = columns.n_rows();
    progress.expect(n_rows);
    let size = if is_quick(plan.model()) { QUICK_PEOPLE } else { SLOW_PEOPLE };
    let domains = Domains::new(plan);
    let walk = || {
        let mut walk = Walk::new(plan);
        limit.into_iter().for_each(|limit| walk.limit_time(limit));
        walk
    };
    let parts: Result<Vec<TableDecisions>, CellError> = (0..n_rows.div_ceil(size))
        .into_par_iter()
        .map_init(walk, |walk, part| {
            let rows = part * size..n_rows.min((part + 1) * size);
            decide_part(walk, &domains, columns, rows, progress)
        })
        .collect();
    let mut all = TableDecisions::default();
    for part in parts? {
        all.labels.extend(part.labels);
        all.guarantees.extend(part.guarantees);
        all.out_of_budget.extend(part.out_of_budget);
        all.outside.extend(part.outside);
        all.asked.extend(part.asked);
    }
    Ok(all)
}

fn decide_part(
    walk: &mut Walk,
    domains: &Domains,
    columns: &AnswerColumns<'_>,
    rows: std::ops::Range<usize>,
    progress: &Progress,
) -> Result<TableDecisions, CellError> {
    let (n_sensitive, seed) = (walk.plan().sensitive().len(), walk.plan().rules().seed);
    let mut person = vec![0.0; walk.plan().schema().n_columns()];
    let mut decisions = TableDecisions::default();
    let n_rows = rows.len();
    for row in rows {
        progress.go_on();
        columns.encode(row, &mut person)?;
        let (label, guarantee) = walk.decide(&person, seed);
        decisions.labels.push(label.index() as i64);
        let outside = domains.outside(&person, walk.revealed_places());
        let rests_on = GUARANTEES.iter().position(|known| *known == guarantee);
        let rests_on = rests_on.filter(|_| guarantee == Guarantee::Complete || outside != Outside::Unaccepted);
        decisions.guarantees.push(rests_on.unwrap_or(GUARANTEES.len()) as u8);
        decisions.out_of_budget.push(walk.out_of_budget().len() as u32);
        decisions.outside.push(outside != Outside::Nothing);
        let start = decisions.asked.len();
        decisions.asked.resize(start + n_sensitive, 0);
        for (turn, &place) in walk.revealed_places().iter().enumerate() {
            decisions.asked[start + place] = turn as u16 + 1;
        }
    }
    progress.advance(n_rows);
    Ok(decisions)
}

/// Which of a person's answers lie outside their domains.
#[derive(Clone, Copy, PartialEq)]
enum Outside {
    Nothing,
    /// Only answers that are known, to questions that accept such answers: a proof is about what is still open.
    Accepted,
    Unaccepted,
}

/// The domains of all questions.
struct Domains {
    questions: Vec<QuestionDomain>,
}

struct QuestionDomain {
    columns: std::ops::Range<usize>,
    domain: Domain,
    accepts: bool,
    /// The question's place among the sensitive ones.
    place: Option<usize>,
}

impl Domains {
    fn new(plan: &Plan) -> Self {
        let schema = plan.schema();
        let questions = schema.ids().map(|id| QuestionDomain {
            columns: schema.columns(id),
            domain: schema.question(id).domain(),
            accepts: schema.question(id).outside == OutsidePolicy::Accept,
            place: plan.sensitive().iter().position(|other| *other == id),
        });
        Domains { questions: questions.collect() }
    }

    fn outside(&self, person: &[f64], revealed: &[usize]) -> Outside {
        let is_outside = |it: &&QuestionDomain| !it.domain.contains(&person[it.columns.clone()]);
        let is_accepted = |it: &QuestionDomain| it.accepts && it.place.is_none_or(|place| revealed.contains(&place));
        let placed = |outside: Outside, question: &QuestionDomain| match outside {
            Outside::Nothing | Outside::Accepted if is_accepted(question) => Outside::Accepted,
            _ => Outside::Unaccepted,
        };
        self.questions.iter().filter(is_outside).fold(Outside::Nothing, placed)
    }
}

/// The model's scores with everything revealed, person after person.
pub fn scores(model: &Classifier, columns: &AnswerColumns<'_>, progress: &Progress) -> Result<Vec<f64>, CellError> {
    let (n_columns, n_scores) = (model.n_columns(), model.n_scores());
    let is_black_box = model.proved_by() == ProvedBy::Nothing;
    let size = if is_black_box { SCORED_TOGETHER } else { QUICK_PEOPLE };
    let mut scores = vec![0.0; columns.n_rows() * n_scores];
    progress.expect(columns.n_rows());
    scores.par_chunks_mut(size * n_scores).enumerate().try_for_each(|(part, scores)| {
        let mut people = vec![0.0; scores.len() / n_scores * n_columns];
        for (row, person) in people.chunks_exact_mut(n_columns).enumerate() {
            columns.encode(part * size + row, person)?;
        }
        model.scores_of_many(&people, scores);
        progress.advance(scores.len() / n_scores);
        Ok(())
    })?;
    Ok(scores)
}

/// Whether each person takes microseconds.
pub fn is_quick(model: &Classifier) -> bool {
    model.proved_by() == ProvedBy::Sums
}

/// What `Plan.decide` returns: labels, guarantees, tests out of budget, whether an answer lies outside its domain, and
/// when each question was asked.
pub type Arrays<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray2<u16>>,
);

impl TableDecisions {
    /// The arrays, without copying.
    pub fn into_arrays(self, py: Python<'_>, n_sensitive: usize) -> PyResult<Arrays<'_>> {
        let n_rows = self.labels.len();
        let asked = self.asked.into_pyarray(py).reshape([n_rows, n_sensitive])?;
        Ok((
            self.labels.into_pyarray(py),
            self.guarantees.into_pyarray(py),
            self.out_of_budget.into_pyarray(py),
            self.outside.into_pyarray(py),
            asked,
        ))
    }
}
