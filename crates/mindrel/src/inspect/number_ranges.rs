//! Ranges of a number whose answers all lead to the same next step.

use std::collections::BTreeMap;

use super::path::{Asking, Standing};
use super::question_tree::AnswerRange;
use super::typical::rounded;
use crate::Label;
use crate::model::ProvedBy;
use crate::plan::Plan;
use crate::rules::Guarantee;
use crate::schema::{Answer, AnswerError, Kind, Question, QuestionId};
use crate::session::Answers;

/// More ranges are counted, not shown.
const MOST_RANGES: usize = 5;

/// The places between the ends of the domain that are tried before ranges are narrowed down.
const TRIED: usize = 8;

/// For a model whose tests take long, ranges are narrowed down to this share of the domain.
const COARSE: usize = 32;

/// What a number can be, to three digits of the width of its domain; a whole number exactly.
pub(super) struct NumberGrid {
    lower: f64,
    upper: f64,
    step: f64,
    is_whole: bool,
    last: usize,
}

impl NumberGrid {
    /// The grid of a question whose answers are numbers.
    pub fn of(question: &Question) -> Option<Self> {
        let (lower, upper, is_whole) = match question.kind {
            Kind::Number { lower, upper, .. } => (lower, upper, false),
            Kind::Integer { lower, upper, .. } => (lower, upper, true),
            Kind::Boolean | Kind::Category { .. } => return None,
        };
        let step = if is_whole { 1.0 } else { 10f64.powi(libm::log10(upper - lower).floor() as i32 - 2) };
        Some(NumberGrid { lower, upper, step, is_whole, last: ((upper - lower) / step).ceil() as usize })
    }

    fn value(&self, place: usize) -> f64 {
        if place == 0 || place == self.last {
            return if place == 0 { self.lower } else { self.upper };
        }
        let value = self.lower + place as f64 * self.step;
        let value = if self.is_whole { value } else { rounded(value, self.upper - self.lower) };
        value.clamp(self.lower, self.upper)
    }

    /// The place nearest to a value.
    fn place(&self, value: f64) -> usize {
        (((value - self.lower) / self.step).round().max(0.0) as usize).min(self.last)
    }
}

/// What happens next.
#[derive(Debug, Clone, Copy, PartialEq)]
enum NextStep {
    Asked(QuestionId),
    Settled(Label, Guarantee),
}

/// A typical answer, and the range it stands for.
type Ranged = (Answer, Option<AnswerRange>);

/// What is known about the answers to one question, after some others were given.
struct TriedAnswers<'a> {
    plan: &'a Plan,
    public: &'a Answers,
    given: &'a [Answer],
    grid: &'a NumberGrid,
    /// Where each place of the grid leads, as far as it was tried.
    steps: BTreeMap<usize, NextStep>,
}

/// The ranges of a number after some answers, in order, and how many are not among them.
///
/// The ends of the domain, the `typical` answers and a few places between are tried, and where two neighbours lead to
/// different steps, borders between them are found by halving. A range between two places that lead to the same step
/// can be missed.
pub(super) fn number_ranges(
    plan: &Plan,
    public: &Answers,
    given: &[Answer],
    grid: &NumberGrid,
    typical: &[Answer],
) -> Result<(Vec<Ranged>, usize), AnswerError> {
    let numbers = typical.iter().filter(|answer| **answer != Answer::Missing);
    let typical: Vec<usize> = numbers.map(|answer| grid.place(answer.code())).collect();
    let is_quick = plan.model().proved_by() == ProvedBy::Sums;
    let between = if is_quick { (1..TRIED).map(|part| part * grid.last / TRIED).collect() } else { vec![] };
    let mut places: Vec<usize> = [0, grid.last].into_iter().chain(typical.iter().copied()).chain(between).collect();
    places.sort_unstable();
    places.dedup();
    let mut tried = TriedAnswers { plan, public, given, grid, steps: BTreeMap::new() };
    let finest = if is_quick { 1 } else { (grid.last / COARSE).max(1) };
    for pair in places.windows(2) {
        tried.find_borders(pair[0], pair[1], finest)?;
    }
    let middle = typical.get(typical.len() / 2).copied().unwrap_or(grid.last / 2);
    let tried: Vec<(usize, NextStep)> = tried.steps.into_iter().collect();
    let ranges: Vec<&[(usize, NextStep)]> = tried.chunk_by(|(_, step), (_, next)| step == next).collect();
    let others = ranges.len().saturating_sub(MOST_RANGES);
    let shown = ranges.into_iter().take(MOST_RANGES).map(|range| ranged(grid, range, middle)).collect();
    Ok((shown, others))
}

/// The range of some places that lead to the same step; the one nearest to the `middle` stands for all.
fn ranged(grid: &NumberGrid, tried: &[(usize, NextStep)], middle: usize) -> Ranged {
    let places = || tried.iter().map(|(place, _)| *place);
    let (first, last) = (tried[0].0, tried[tried.len() - 1].0);
    let typical = places().min_by_key(|place| place.abs_diff(middle)).unwrap_or(first);
    let range = AnswerRange {
        lower: grid.value(first),
        upper: grid.value(last),
        from_first: first == 0,
        to_last: last == grid.last,
    };
    (Answer::Number(grid.value(typical)), Some(range))
}

impl TriedAnswers<'_> {
    /// Tries places between two until neighbours that lead to different steps are at most `finest` apart.
    fn find_borders(&mut self, from: usize, to: usize, finest: usize) -> Result<(), AnswerError> {
        if self.step_at(from)? == self.step_at(to)? || to - from <= finest {
            return Ok(());
        }
        let middle = usize::midpoint(from, to);
        self.find_borders(from, middle, finest)?;
        self.find_borders(middle, to, finest)
    }

    fn step_at(&mut self, place: usize) -> Result<NextStep, AnswerError> {
        if let Some(step) = self.steps.get(&place) {
            return Ok(*step);
        }
        let mut asking = Asking::start(self.plan, self.public)?;
        for answer in self.given.iter().cloned().chain([Answer::Number(self.grid.value(place))]) {
            asking.answer(answer)?;
        }
        let step = match asking.next() {
            Standing::Asked(question, _) => NextStep::Asked(question),
            Standing::Settled(decision) => NextStep::Settled(decision.label, decision.guarantee),
        };
        self.steps.insert(place, step);
        Ok(step)
    }
}
