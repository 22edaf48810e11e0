//! Deciding about a table on all cores.

use std::ops::Range;

use mindrel::core_test::{Guarantee, TimeLimit};
use mindrel::model::{Classifier, Model, ProvedBy};
use mindrel::schema::{Domain, OutsidePolicy};
use mindrel::session::Walk;
use mindrel::{Plan, Schema};
use mindrel_audit::SideBySide;
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
/// How many people of a black box are decided about together, on one core.
const FEWEST_TOGETHER: usize = 64;
const MOST_TOGETHER: usize = 512;
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
    /// Whether an answer lies outside its domain, or the answers break a rule between questions.
    pub outside: Vec<bool>,
    /// How many sensitive questions were not asked because their answers followed from others.
    pub implied: Vec<u16>,
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
    let size = match plan.model().proved_by() {
        ProvedBy::Sums => QUICK_PEOPLE,
        ProvedBy::Search => SLOW_PEOPLE,
        ProvedBy::Nothing => n_rows.div_ceil(rayon::current_num_threads()).clamp(FEWEST_TOGETHER, MOST_TOGETHER),
    };
    let domains = Domains::new(plan);
    let walk = |plan: &Plan| {
        let mut walk = Walk::new(plan);
        limit.into_iter().for_each(|limit| walk.limit_time(limit));
        walk
    };
    let task = TableTask { domains: &domains, columns, progress };
    let rows_of = |part: usize| part * size..n_rows.min((part + 1) * size);
    let parts = (0..n_rows.div_ceil(size)).into_par_iter();
    let parts: Result<Vec<TableDecisions>, CellError> = if plan.model().proved_by() == ProvedBy::Nothing {
        parts.map(|part| task.decide_together(plan, &walk, rows_of(part))).collect()
    } else {
        parts.map_init(|| walk(plan), |walk, part| task.decide_part(walk, rows_of(part))).collect()
    };
    let mut all = TableDecisions::default();
    for part in parts? {
        all.append(part);
    }
    Ok(all)
}

/// What is decided about, and how far that is.
struct TableTask<'a, 'c> {
    domains: &'a Domains,
    columns: &'a AnswerColumns<'c>,
    progress: &'a Progress,
}

impl TableTask<'_, '_> {
    fn decide_part(&self, walk: &mut Walk, rows: Range<usize>) -> Result<TableDecisions, CellError> {
        let mut decisions = TableDecisions::default();
        let mut person = vec![0.0; walk.plan().schema().n_columns()];
        let n_rows = rows.len();
        for row in rows {
            self.decide_row(walk, row, &mut person, &mut decisions)?;
        }
        self.progress.advance(n_rows);
        Ok(decisions)
    }

    /// The same with a model that can only be run: few calls, each for many people.
    fn decide_together(
        &self,
        plan: &Plan,
        walk: &(dyn Fn(&Plan) -> Walk + Sync),
        rows: Range<usize>,
    ) -> Result<TableDecisions, CellError> {
        let together = SideBySide::new(std::slice::from_ref(plan)).expect("the model can only be run");
        let decide = |walk: &mut Walk, index: usize| {
            let mut decided = TableDecisions::default();
            let mut person = vec![0.0; walk.plan().schema().n_columns()];
            self.decide_row(walk, rows.start + index, &mut person, &mut decided)?;
            self.progress.advance(1);
            Ok(decided)
        };
        let decided = together.each(rows.len(), |plans| walk(&plans[0]), decide);
        let mut decisions = TableDecisions::default();
        for one in decided {
            decisions.append(one?);
        }
        Ok(decisions)
    }

    fn decide_row(
        &self,
        walk: &mut Walk,
        row: usize,
        person: &mut [f64],
        decisions: &mut TableDecisions,
    ) -> Result<(), CellError> {
        self.progress.go_on();
        self.columns.encode(row, person)?;
        let (n_sensitive, seed) = (walk.plan().sensitive().len(), walk.plan().rules().seed);
        let (label, guarantee) = walk.decide(person, seed);
        decisions.labels.push(label.index() as i64);
        let outside = self.domains.outside(person, walk);
        let rests_on = GUARANTEES.iter().position(|known| *known == guarantee);
        let rests_on = rests_on.filter(|_| guarantee == Guarantee::Complete || outside != Outside::Unaccepted);
        decisions.guarantees.push(rests_on.unwrap_or(GUARANTEES.len()) as u8);
        decisions.out_of_budget.push(walk.out_of_budget().len() as u32);
        decisions.outside.push(outside != Outside::Nothing);
        decisions.implied.push(walk.implied_places().len() as u16);
        let start = decisions.asked.len();
        decisions.asked.resize(start + n_sensitive, 0);
        for (turn, &place) in walk.revealed_places().iter().enumerate() {
            decisions.asked[start + place] = turn as u16 + 1;
        }
        Ok(())
    }
}

/// Which of a person's answers lie outside their domains, or break rules between questions.
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
    columns: Range<usize>,
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

    fn outside(&self, person: &[f64], walk: &Walk) -> Outside {
        let revealed = walk.revealed_places();
        let is_outside = |it: &&QuestionDomain| !it.domain.contains(&person[it.columns.clone()]);
        let is_accepted = |it: &QuestionDomain| it.accepts && it.place.is_none_or(|place| revealed.contains(&place));
        let placed = |outside: Outside, question: &QuestionDomain| match outside {
            Outside::Nothing | Outside::Accepted if is_accepted(question) => Outside::Accepted,
            _ => Outside::Unaccepted,
        };
        let by_domains = self.questions.iter().filter(is_outside).fold(Outside::Nothing, placed);
        // A walk that saw a rule broken went by none.
        let by_rules = |rule: usize| walk.breaks_rules() && accepts_rule(walk.plan().schema(), rule);
        walk.plan().broken_implications(person).fold(by_domains, |outside, rule| match outside {
            Outside::Nothing | Outside::Accepted if by_rules(rule) => Outside::Accepted,
            _ => Outside::Unaccepted,
        })
    }
}

/// Whether all questions of a rule accept what is outside.
fn accepts_rule(schema: &Schema, rule: usize) -> bool {
    let mut questions = schema.implications()[rule].questions().filter_map(|name| schema.find(name));
    questions.all(|id| schema.question(id).outside == OutsidePolicy::Accept)
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

/// What `Plan.decide` returns: labels, guarantees, tests out of budget, who is outside, how many questions were implied,
/// and when each question was asked.
pub type Arrays<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<u16>>,
    Bound<'py, PyArray2<u16>>,
);

impl TableDecisions {
    /// Adds the decisions about more people.
    fn append(&mut self, more: TableDecisions) {
        self.labels.extend(more.labels);
        self.guarantees.extend(more.guarantees);
        self.out_of_budget.extend(more.out_of_budget);
        self.outside.extend(more.outside);
        self.implied.extend(more.implied);
        self.asked.extend(more.asked);
    }

    /// The arrays, without copying.
    pub fn into_arrays(self, py: Python<'_>, n_sensitive: usize) -> PyResult<Arrays<'_>> {
        let n_rows = self.labels.len();
        let asked = self.asked.into_pyarray(py).reshape([n_rows, n_sensitive])?;
        Ok((
            self.labels.into_pyarray(py),
            self.guarantees.into_pyarray(py),
            self.out_of_budget.into_pyarray(py),
            self.outside.into_pyarray(py),
            self.implied.into_pyarray(py),
            asked,
        ))
    }
}
