//! Where numbers are cut into cells: at round numbers, and at numbers that many people share.

use std::collections::HashMap;

use mindrel::Schema;
use mindrel::schema::{Answer, Kind, Question, QuestionId, round_numbers};

use super::SUPPORT;
use super::divided_question::{AnswerCut, DividedQuestion};
use super::rows::for_each_row;
use crate::Result;
use crate::table::Table;
use crate::table::quartiles::NumberSample;

/// Numbers that more people than one in this many share are found, whatever the order of the rows.
const MOST_TALLIED: usize = 1024;

/// The most numbers that are cuts because people share them.
const MOST_SHARED: usize = 48;

/// Quantiles are those of a sample of this size.
const MOST_DRAWN: usize = 2048;

/// The first `most` questions with their cells. Reads the table if there are numbers among them.
pub(super) fn divided(
    table: &Table,
    schema: &Schema,
    most: usize,
    kept: impl Fn(u64) -> bool,
) -> Result<Vec<DividedQuestion>> {
    let questions = &schema.questions()[..schema.questions().len().min(most)];
    let is_number = |question: &Question| matches!(question.kind, Kind::Number { .. } | Kind::Integer { .. });
    let numbers: Vec<usize> = (0..questions.len()).filter(|&place| is_number(&questions[place])).collect();
    let mut surveys: HashMap<usize, CutSurvey> = numbers.iter().map(|&place| (place, CutSurvey::default())).collect();
    if !numbers.is_empty() {
        for_each_row(table, schema, &numbers, kept, |line, texts| {
            for (place, text) in numbers.iter().zip(texts) {
                if let Ok(Answer::Number(value)) = schema.parse_cell(QuestionId::new(*place), text) {
                    surveys.get_mut(place).expect("every number has a survey").add(value, line);
                }
            }
        })?;
    }
    let cuts = |place: usize| surveys.remove(&place).map(|survey| survey.cuts(&questions[place])).unwrap_or_default();
    let cuts: Vec<Vec<AnswerCut>> = (0..questions.len()).map(cuts).collect();
    Ok(questions.iter().zip(cuts).map(|(question, cuts)| DividedQuestion::new(question, cuts)).collect())
}

/// What is known of a column of numbers.
struct CutSurvey {
    tally: HashMap<u64, u64>,
    sample: NumberSample,
}

impl Default for CutSurvey {
    fn default() -> Self {
        CutSurvey { tally: HashMap::new(), sample: NumberSample::of_up_to(MOST_DRAWN) }
    }
}

impl CutSurvey {
    /// Counts a number, as Misra and Gries do: counts are too low rather than too high.
    fn add(&mut self, value: f64, line: u64) {
        self.sample.add(value, line);
        // −0 is 0.
        let bits = (value + 0.0).to_bits();
        if let Some(count) = self.tally.get_mut(&bits) {
            *count += 1;
        } else if self.tally.len() < MOST_TALLIED {
            self.tally.insert(bits, 1);
        } else {
            self.tally.retain(|_, count| {
                *count -= 1;
                *count > 0
            });
        }
    }

    /// The numbers shared by [`SUPPORT`] people and more, and the round numbers over the whole range, over its inner
    /// nine tenths and over its inner half, which are finer where there are many people.
    fn cuts(self, question: &Question) -> Vec<AnswerCut> {
        let (Kind::Number { lower, upper, .. } | Kind::Integer { lower, upper, .. }) = question.kind else {
            unreachable!("only numbers are surveyed")
        };
        let mut shared: Vec<(u64, f64)> = self.tally.into_iter().map(|(bits, n)| (n, f64::from_bits(bits))).collect();
        shared.retain(|(count, _)| *count >= SUPPORT);
        shared.sort_by(|left, right| right.0.cmp(&left.0).then(left.1.total_cmp(&right.1)));
        let quantiles = self.sample.quantiles(20);
        let quantile = |place: usize| quantiles.get(place).copied().unwrap_or(lower);
        let is_answer = |value: &f64| value.fract() == 0.0 || !matches!(question.kind, Kind::Integer { .. });
        let round = [(lower, upper), (quantile(0), quantile(18)), (quantile(4), quantile(14))]
            .into_iter()
            .flat_map(|(lower, upper)| round_numbers(lower, upper))
            .filter(is_answer)
            .map(|value| AnswerCut { value, is_round: true });
        let shared = shared.into_iter().take(MOST_SHARED).map(|(_, value)| AnswerCut { value, is_round: false });
        let mut cuts: Vec<AnswerCut> = round.chain(shared.filter(|cut| is_answer(&cut.value))).collect();
        // Of equal ones, the first is round if any is.
        cuts.sort_by(|left, right| left.value.total_cmp(&right.value).then(right.is_round.cmp(&left.is_round)));
        cuts.dedup_by(|later, first| later.value == first.value);
        cuts
    }
}
