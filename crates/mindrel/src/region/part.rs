//! Some of what one question can be, as its columns have it.

use std::fmt;
use std::ops::Range;

use super::Region;
use crate::schema::{Answer, AnswerSet, Domain, HALF, Kind, MISSING, NumberSet, Question, is_missing, parse_boolean};

/// Some of the answers to a question, as its columns have them. Its `Debug` shows none of them: what rules leave of a
/// person's question is one, too.
#[derive(Clone, PartialEq)]
pub(crate) enum QuestionPart {
    /// The numbers from one to another.
    Numbers(f64, f64),
    /// The numbers from one to another, and whether a missing one is among them.
    OrMissing(Option<(f64, f64)>, bool),
    /// The levels that are marked.
    Levels(Vec<bool>),
}

impl fmt::Debug for QuestionPart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("QuestionPart(…)")
    }
}

impl QuestionPart {
    /// The part that a checked set of answers is.
    pub fn new(question: &Question, set: &AnswerSet) -> Self {
        match (&question.kind, set) {
            (Kind::Boolean, AnswerSet::Boolean(value)) => of_booleans([*value].into_iter()),
            (Kind::Boolean, AnswerSet::Levels(levels)) => {
                of_booleans(levels.iter().filter_map(|level| parse_boolean(level)))
            }
            (Kind::Category { levels, .. }, AnswerSet::Levels(chosen)) => {
                let marked: Vec<bool> = levels.iter().map(|level| chosen.contains(level)).collect();
                if let Domain::OneOf { .. } = question.domain() {
                    return QuestionPart::Levels(marked);
                }
                let first = marked.iter().position(|marked| *marked).unwrap_or(0);
                let last = marked.iter().rposition(|marked| *marked).unwrap_or(0);
                QuestionPart::Numbers(
                    column_of(question, Answer::Level(first)),
                    column_of(question, Answer::Level(last)),
                )
            }
            (_, AnswerSet::Numbers(set)) => of_numbers(question, set),
            _ => unreachable!("the sets of a schema's rules were checked against its questions"),
        }
    }

    /// Whether everything that a question can be in a region belongs to the part.
    pub fn covers(&self, region: &Region, columns: &Range<usize>) -> bool {
        let column = columns.start;
        match self {
            QuestionPart::Numbers(low, high) => *low <= region.lower[column] && region.upper[column] <= *high,
            QuestionPart::OrMissing(numbers, missing) => {
                let possible = region.numbers(columns);
                let within = |(low, high): (f64, f64)| numbers.is_some_and(|(from, to)| from <= low && high <= to);
                possible.numbers.is_none_or(within) && (*missing || !possible.missing)
            }
            QuestionPart::Levels(marked) => {
                columns.clone().zip(marked).all(|(column, marked)| *marked || !region.allows(column))
            }
        }
    }

    /// Whether nothing that a question can be in a region belongs to the part.
    pub fn misses(&self, region: &Region, columns: &Range<usize>) -> bool {
        let column = columns.start;
        match self {
            QuestionPart::Numbers(low, high) => *high < region.lower[column] || region.upper[column] < *low,
            QuestionPart::OrMissing(numbers, missing) => {
                let possible = region.numbers(columns);
                let meets = |(low, high): (f64, f64)| numbers.is_some_and(|(from, to)| from <= high && low <= to);
                !(possible.numbers.is_some_and(meets) || (*missing && possible.missing))
            }
            QuestionPart::Levels(marked) => {
                columns.clone().zip(marked).all(|(column, marked)| !(*marked && region.allows(column)))
            }
        }
    }

    /// Whether the columns of an answer belong to the part.
    pub fn contains(&self, columns: &[f64]) -> bool {
        match self {
            QuestionPart::Numbers(low, high) => (*low..=*high).contains(&columns[0]),
            QuestionPart::OrMissing(_, missing) if is_missing(columns) => *missing,
            QuestionPart::OrMissing(numbers, _) => {
                numbers.is_some_and(|(low, high)| (low..=high).contains(&columns[0]))
            }
            QuestionPart::Levels(marked) => columns.iter().zip(marked).any(|(value, marked)| *marked && *value >= 0.5),
        }
    }

    /// Narrows a region to the part, which it meets; whether that changed it.
    pub fn keep(&self, region: &mut Region, columns: &Range<usize>) -> bool {
        if self.covers(region, columns) {
            return false;
        }
        match self {
            QuestionPart::Numbers(low, high) => {
                let column = columns.start;
                region.lower[column] = region.lower[column].max(*low);
                region.upper[column] = region.upper[column].min(*high);
            }
            QuestionPart::OrMissing(numbers, missing) => {
                let mut possible = region.numbers(columns);
                possible.numbers = match (possible.numbers, numbers) {
                    (Some((low, high)), Some((from, to))) if from.max(low) <= to.min(high) => {
                        Some((from.max(low), to.min(high)))
                    }
                    _ => None,
                };
                possible.missing &= missing;
                region.set_numbers(columns, possible);
            }
            QuestionPart::Levels(marked) => {
                columns.clone().zip(marked).filter(|(_, marked)| !**marked).for_each(|(column, _)| {
                    region.upper[column] = 0.0;
                });
                region.settle_levels(columns);
            }
        }
        true
    }

    /// Narrows a region, which the part does not cover, to what lies outside of the part as far as an interval can say
    /// so; whether that changed it.
    pub fn exclude(&self, region: &mut Region, domain: Domain, columns: &Range<usize>) -> bool {
        let column = columns.start;
        match self {
            QuestionPart::Numbers(low, high) => {
                let range = (region.lower[column], region.upper[column]);
                let Some(left) = outside(domain, range, (*low, *high)) else { return false };
                (region.lower[column], region.upper[column]) = left;
                left != range
            }
            QuestionPart::OrMissing(numbers, missing) => {
                let before = region.numbers(columns);
                let mut left = before;
                left.missing &= !missing;
                left.numbers = match (before.numbers, *numbers) {
                    (Some(range), Some(part)) if part.0 <= range.0 && range.1 <= part.1 => None,
                    (Some(range), Some(part)) => Some(outside(domain, range, part).unwrap_or(range)),
                    (range, _) => range,
                };
                region.set_numbers(columns, left);
                left != before
            }
            QuestionPart::Levels(marked) => {
                let others = QuestionPart::Levels(marked.iter().map(|marked| !marked).collect());
                others.keep(region, columns)
            }
        }
    }

    /// Where a number's range is cut so that one side has more to do with the part: below it, else above it. `None` if
    /// the range does not leave the part.
    pub fn ends_within(&self, domain: Domain, (lower, upper): (f64, f64)) -> Option<(f64, f64)> {
        let part = match self {
            QuestionPart::Numbers(low, high) | QuestionPart::OrMissing(Some((low, high)), _) => Some((*low, *high)),
            QuestionPart::OrMissing(None, _) | QuestionPart::Levels(_) => None,
        };
        let (low, high) = part?;
        let numbers = domain.numbers().expect("only numbers have ranges");
        if lower < low && low <= upper {
            Some((numbers.beside(low.next_down()).0, low))
        } else if lower <= high && high < upper {
            Some((high, numbers.beside(high).1))
        } else {
            None
        }
    }
}

/// What is left of a range outside of a part that it is not within; `None` if that is no single range, or the same.
fn outside(domain: Domain, (lower, upper): (f64, f64), (low, high): (f64, f64)) -> Option<(f64, f64)> {
    let numbers = domain.numbers().expect("only numbers have ranges");
    if low <= lower && lower <= high {
        Some((numbers.beside(high).1, upper))
    } else if low <= upper && upper <= high {
        Some((lower, numbers.beside(low.next_down()).0))
    } else {
        None
    }
}

/// The first column of an encoded answer.
fn column_of(question: &Question, answer: Answer) -> f64 {
    let mut columns = vec![0.0; question.n_columns()];
    question.encode(&answer, &mut columns).expect("the answer is one of the question's");
    columns[0]
}

fn of_booleans(values: impl Iterator<Item = bool>) -> QuestionPart {
    let columns = values.map(|value| if value { 1.0 } else { -1.0 });
    let (low, high) = columns
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), column: f64| (low.min(column), high.max(column)));
    QuestionPart::Numbers(low, high)
}

/// Bounds as the columns have them: a bound that is itself left out is moved by one number, or on a grid to the next
/// point. Where nothing bounds a side, what lies outside of the domain belongs to the part.
fn of_numbers(question: &Question, set: &NumberSet) -> QuestionPart {
    let scale = if question.has_missing_point() { HALF } else { 1.0 };
    let column = |value: f64| scale * question.scaled(value).expect("only numbers have bounds");
    let is_whole = question.domain().numbers().is_some_and(|numbers| numbers.is_grid());
    let low = match (set.from, set.above) {
        (from, Some(above)) if is_whole => column((above.floor() + 1.0).max(from.map_or(f64::MIN, f64::ceil))),
        (from, Some(above)) => column(above).next_up().max(from.map_or(f64::NEG_INFINITY, column)),
        (Some(from), None) => column(if is_whole { from.ceil() } else { from }),
        (None, None) => f64::NEG_INFINITY,
    };
    let high = match (set.to, set.below) {
        (to, Some(below)) if is_whole => column((below.ceil() - 1.0).min(to.map_or(f64::MAX, f64::floor))),
        (to, Some(below)) => column(below).next_down().min(to.map_or(f64::INFINITY, column)),
        (Some(to), None) => column(if is_whole { to.floor() } else { to }),
        (None, None) => f64::INFINITY,
    };
    if question.has_missing_point() {
        // The columns of a missing number lie above all numbers and below them.
        let numbers = set.has_numbers().then(|| (low.max(MISSING[1].next_up()), high.min(MISSING[0].next_down())));
        return QuestionPart::OrMissing(numbers, set.missing);
    }
    QuestionPart::Numbers(low, high)
}
