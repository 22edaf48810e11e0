//! Inferring what a question asks from the cells of its column.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde::{Deserialize, Serialize};

use super::left_out::is_date;
use super::{Encoding, Kind, MissingNumber, parse_boolean};

/// A column with more different texts than this is an identifier or free text, unless it is declared a category.
pub const MOST_LEVELS: usize = 1000;

/// The name of the level that stands for all rare ones.
pub const OTHER: &str = "other";

/// The kinds of questions, without what each can be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KindName {
    /// [`Kind::Number`].
    Number,
    /// [`Kind::Integer`].
    Integer,
    /// [`Kind::Boolean`].
    Boolean,
    /// [`Kind::Category`].
    Category,
}

/// What is known of a column beside its cells. What is `None` is inferred.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hints {
    /// The kind of the question.
    pub kind: Option<KindName>,
    /// The lower bound of a number.
    pub lower: Option<f64>,
    /// The upper bound of a number.
    pub upper: Option<f64>,
    /// What becomes of a missing number.
    pub missing: Option<MissingNumber>,
    /// What becomes of missing numbers when nothing else is said.
    pub holes: Holes,
    /// The levels of a category, all of them.
    pub levels: Option<Vec<String>>,
    /// Levels of a category beside those of the cells.
    pub more_levels: Vec<String>,
    /// Whether a missing cell of a category is replaced, so that it is no level of its own.
    pub replaces_missing: bool,
    /// How a category becomes columns.
    pub encoding: Encoding,
    /// Levels seen less often than this become one, [`OTHER`].
    pub rare: u64,
    /// Whether inferred bounds are rounded outwards, which hides anyone's exact value.
    pub round_bounds: bool,
}

/// What becomes of the missing numbers of a column that has some, where it is not declared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Holes {
    /// They are no answer: a row with one is refused.
    #[default]
    Refused,
    /// The mean of the others stands in for them.
    Mean,
    /// They are an answer of their own.
    Answer,
}

/// Why a column makes no question. Rows are those given to [`ColumnProfile`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum ColumnProblem {
    /// All its cells are alike.
    #[error("all rows have the same value, so there is nothing to ask; leave the column out, or declare its domain")]
    Constant,
    /// So many texts that it must be an identifier or free text.
    #[error(
        "it has more than {MOST_LEVELS} different texts; leave an identifier or free text out, or declare the column a \
         category"
    )]
    TooManyLevels,
    /// Levels that single people out.
    #[error("nearly every row has a value of its own, like a name or an identifier")]
    NamesRows,
    /// A text in a column of numbers.
    #[error("the cell is not a number, but most of the column is; fix the cell, or declare the column a category")]
    NotANumber { row: u64 },
    /// NaN or an infinity.
    #[error("the cell is not a finite number; leave it empty if the value is missing")]
    NotFinite { row: u64 },
}

impl ColumnProblem {
    /// The row of the cell at fault, if it is one cell.
    #[must_use]
    pub fn row(&self) -> Option<u64> {
        match self {
            ColumnProblem::NotANumber { row } | ColumnProblem::NotFinite { row } => Some(*row),
            ColumnProblem::Constant | ColumnProblem::TooManyLevels | ColumnProblem::NamesRows => None,
        }
    }
}

/// What the cells of one column have in common. Cells are shown to it one after the other.
#[derive(Debug, Clone)]
pub struct ColumnProfile {
    most_levels: usize,
    n_missing: u64,
    pub(super) n_numbers: u64,
    pub(super) n_texts: u64,
    pub(super) n_dates: u64,
    pub(super) whole: bool,
    pub(super) lower: f64,
    pub(super) upper: f64,
    sum: f64,
    /// How often each text was seen, as long as there are not too many.
    pub(super) texts: BTreeMap<String, u64>,
    too_many_texts: bool,
    /// How many cells had been seen when there were too many texts.
    pub(super) cells_tallied: Option<u64>,
    /// The numbers whose texts are among them, by their bits.
    numbers: HashSet<u64>,
    first_text: Option<u64>,
    first_not_finite: Option<u64>,
}

impl Default for ColumnProfile {
    fn default() -> Self {
        ColumnProfile::with_levels_up_to(MOST_LEVELS)
    }
}

impl ColumnProfile {
    /// A profile that tells this many different texts apart.
    #[must_use]
    pub fn with_levels_up_to(most_levels: usize) -> Self {
        ColumnProfile {
            most_levels,
            n_missing: 0,
            n_numbers: 0,
            n_texts: 0,
            n_dates: 0,
            whole: true,
            lower: f64::INFINITY,
            upper: f64::NEG_INFINITY,
            sum: 0.0,
            texts: BTreeMap::new(),
            too_many_texts: false,
            cells_tallied: None,
            numbers: HashSet::new(),
            first_text: None,
            first_not_finite: None,
        }
    }

    /// A cell as text; an empty one is missing.
    pub fn see(&mut self, text: &str, row: u64) {
        self.note(text);
        if text.is_empty() {
            self.n_missing += 1;
        } else if let Ok(value) = text.parse() {
            self.count(value, row);
        } else {
            self.first_text.get_or_insert(row);
            self.n_texts += 1;
            self.n_dates += u64::from(is_date(text));
        }
    }

    /// A cell that holds a number; NaN is a missing one.
    pub fn see_number(&mut self, value: f64, row: u64) {
        if value.is_nan() {
            self.note("");
            self.n_missing += 1;
            return;
        }
        // −0 has the text of 0.
        let value = value + 0.0;
        if !self.too_many_texts && self.numbers.insert(value.to_bits()) {
            self.note(&value.to_string());
        }
        self.count(value, row);
    }

    /// A cell that holds a level, even if it looks like a number.
    pub fn see_level(&mut self, level: &str, row: u64) {
        self.note(level);
        self.first_text.get_or_insert(row);
        self.n_texts += 1;
    }

    fn note(&mut self, text: &str) {
        if self.too_many_texts {
            return;
        }
        if let Some(count) = self.texts.get_mut(text) {
            *count += 1;
            return;
        }
        self.texts.insert(text.to_owned(), 1);
        self.too_many_texts = self.texts.len() > self.most_levels;
        self.cells_tallied = self.too_many_texts.then(|| self.n_cells() + 1);
    }

    fn count(&mut self, value: f64, row: u64) {
        self.n_numbers += 1;
        if !value.is_finite() {
            self.first_not_finite.get_or_insert(row);
            return;
        }
        self.whole &= value.fract() == 0.0;
        self.lower = self.lower.min(value);
        self.upper = self.upper.max(value);
        self.sum += value;
    }

    /// The row of the first infinite number.
    pub(super) fn first_not_finite(&self) -> Option<u64> {
        self.first_not_finite
    }

    /// The row of the first text.
    pub(super) fn first_text(&self) -> Option<u64> {
        self.first_text
    }

    /// Whether some cells are numbers and others texts, as codes are.
    #[must_use]
    pub fn is_mixed(&self) -> bool {
        self.n_numbers > 0 && self.n_texts > 0
    }

    /// How many cells it has seen.
    #[must_use]
    pub fn n_cells(&self) -> u64 {
        self.n_missing + self.n_numbers + self.n_texts
    }

    /// The different texts of a column of labels, without missing ones.
    ///
    /// # Errors
    /// When there are too many.
    pub fn classes(&self) -> Result<Vec<String>, ColumnProblem> {
        if self.too_many_texts {
            return Err(ColumnProblem::TooManyLevels);
        }
        Ok(self.texts.keys().filter(|text| !text.is_empty()).cloned().collect())
    }

    /// What a question about this column asks.
    ///
    /// A column of no and yes is boolean; of numbers, their range is the domain; otherwise the texts are levels, a
    /// missing cell being one of them. Hints take precedence.
    ///
    /// # Errors
    /// When the cells make no question.
    pub fn kind(&self, hints: &Hints) -> Result<Kind, ColumnProblem> {
        match hints.kind {
            Some(KindName::Boolean) => Ok(Kind::Boolean),
            Some(KindName::Category) => self.category(hints),
            Some(KindName::Number | KindName::Integer) => self.numeric(hints),
            None if hints.levels.is_some() => self.category(hints),
            None if hints.lower.is_some() || hints.upper.is_some() || hints.missing.is_some() => self.numeric(hints),
            None if self.texts.len() < 2 => Err(ColumnProblem::Constant),
            None if self.is_boolean() => Ok(Kind::Boolean),
            None if self.n_numbers > self.n_texts => self.numeric(hints),
            None => self.category(hints),
        }
    }

    /// What a column whose cells are all alike asks where a model takes it all the same: a number up to the next whole
    /// one, or a category of one level, to which one for all others [is to be added](Kind::add_other). Returns `None` for
    /// other columns.
    #[must_use]
    pub fn constant(&self, hints: &Hints) -> Option<Kind> {
        if self.n_texts > 0 {
            return (self.texts.len() == 1).then(|| self.category(hints).ok()).flatten();
        }
        let number = if self.n_numbers == 0 { 0.0 } else { self.lower };
        let hints = Hints { lower: Some(number), upper: Some(number.floor() + 1.0), ..hints.clone() };
        (self.n_numbers == 0 || self.lower == self.upper).then(|| self.numeric(&hints).ok()).flatten()
    }

    fn is_boolean(&self) -> bool {
        let mut found = self.texts.keys().map(|text| parse_boolean(text));
        match (found.next().flatten(), found.next().flatten(), found.next()) {
            (Some(first), Some(second), None) => first != second,
            _ => false,
        }
    }

    fn category(&self, hints: &Hints) -> Result<Kind, ColumnProblem> {
        let encoding = hints.encoding;
        if let Some(levels) = &hints.levels {
            return Ok(Kind::Category { levels: levels.clone(), encoding });
        }
        if self.too_many_texts {
            return Err(ColumnProblem::TooManyLevels);
        }
        let own = self.texts.iter().filter(|(text, _)| !(text.is_empty() && hints.replaces_missing));
        let common = own.filter(|(text, count)| is_common(text, **count, hints)).map(|(text, _)| text);
        let distinct: BTreeSet<&String> = common.chain(&hints.more_levels).collect();
        let mut levels: Vec<String> = distinct.into_iter().cloned().collect();
        let number =
            |level: &String| level.parse::<f64>().ok().or_else(|| level.is_empty().then_some(f64::NEG_INFINITY));
        if levels.iter().all(|level| number(level).is_some()) {
            // Levels that are all numbers are in the order of the numbers.
            levels
                .sort_by(|left, right| number(left).unwrap_or_default().total_cmp(&number(right).unwrap_or_default()));
        }
        if self.has_rare(hints) && !levels.iter().any(|level| level == OTHER) {
            levels.push(OTHER.to_owned());
        }
        Ok(Kind::Category { levels, encoding })
    }

    /// Whether some levels of a category are so rare that they become [`OTHER`].
    #[must_use]
    pub fn has_rare(&self, hints: &Hints) -> bool {
        let mut own = self.texts.iter().filter(|(text, _)| !(text.is_empty() && hints.replaces_missing));
        hints.levels.is_none() && own.any(|(text, count)| !is_common(text, *count, hints))
    }

    fn numeric(&self, hints: &Hints) -> Result<Kind, ColumnProblem> {
        if let Some(row) = self.first_text {
            return Err(ColumnProblem::NotANumber { row });
        }
        if let Some(row) = self.first_not_finite {
            return Err(ColumnProblem::NotFinite { row });
        }
        let mut missing = hints.missing;
        let (rounded_lower, rounded_upper) =
            if hints.round_bounds { round_outwards(self.lower, self.upper) } else { (self.lower, self.upper) };
        let stand_in = missing.and_then(MissingNumber::stand_in).unwrap_or(f64::NAN);
        let lower = hints.lower.unwrap_or(rounded_lower.min(stand_in));
        let upper = hints.upper.unwrap_or(rounded_upper.max(stand_in));
        let declared = hints.lower.is_some() || hints.upper.is_some();
        if (lower == upper && !declared) || !(lower.is_finite() && upper.is_finite()) {
            return Err(ColumnProblem::Constant);
        }
        let whole = self.whole && lower.fract() == 0.0 && upper.fract() == 0.0;
        let whole = hints.kind.map_or(whole, |kind| kind == KindName::Integer);
        if missing.is_none() && self.n_missing > 0 {
            missing = match hints.holes {
                Holes::Refused => None,
                Holes::Mean => Some(MissingNumber::StandIn(self.mean_within(lower, upper, whole, hints.round_bounds))),
                Holes::Answer => Some(MissingNumber::Answer),
            };
        }
        Ok(if whole { Kind::Integer { lower, upper, missing } } else { Kind::Number { lower, upper, missing } })
    }

    /// The mean, within the bounds, and where it is written for people a round number.
    fn mean_within(&self, lower: f64, upper: f64, whole: bool, is_rounded: bool) -> f64 {
        let mean = (self.sum / self.n_numbers as f64).clamp(lower, upper);
        match if is_rounded { round_step(lower, upper).map(|step| step / 10.0) } else { None } {
            Some(unit) if !whole => multiple((mean / unit).round(), unit).clamp(lower, upper),
            _ if whole => mean.round(),
            _ => mean,
        }
    }
}

/// Whether a level stays one of its own; a missing cell always does.
fn is_common(text: &str, count: u64, hints: &Hints) -> bool {
    text.is_empty() || count >= hints.rare
}

/// The nearest round numbers outside two bounds: multiples of a step of 1, 2 or 5 times a power of ten, at most a tenth
/// of their distance.
///
/// ```text
/// 17 … 90 → 15 … 90      0 … 99 999 → 0 … 100 000      1 … 12 → 1 … 12      0.031 … 0.977 → 0 … 1
/// ```
fn round_outwards(lower: f64, upper: f64) -> (f64, f64) {
    match round_step(lower, upper) {
        Some(step) => {
            (multiple((lower / step).floor(), step).min(lower), multiple((upper / step).ceil(), step).max(upper))
        }
        None => (lower, upper),
    }
}

/// The round numbers from one bound to another: multiples of the step by which inferred bounds are rounded outwards.
#[must_use]
pub fn round_numbers(lower: f64, upper: f64) -> Vec<f64> {
    let Some(step) = round_step(lower, upper) else { return Vec::new() };
    // The step is at least a fiftieth of the distance, so these are whole numbers that are not far apart.
    let (first, last) = ((lower / step).ceil(), (upper / step).floor());
    (0..=(last - first) as u32).map(|count| multiple(first + f64::from(count), step)).collect()
}

fn round_step(lower: f64, upper: f64) -> Option<f64> {
    let tenth = (upper - lower) / 10.0;
    if !(tenth.is_normal() && tenth > 0.0) {
        return None;
    }
    let power = 10f64.powf(tenth.log10().floor());
    [5.0, 2.0, 1.0].into_iter().map(|digit| digit * power).find(|step| *step <= tenth).or(Some(power))
}

/// A multiple of a step, as short as it can be written.
fn multiple(count: f64, step: f64) -> f64 {
    // The inverse of a fraction of a power of ten is exact where the fraction is not.
    if step >= 1.0 { count * step } else { count / (1.0 / step).round() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_texts(cells: &[&str]) -> ColumnProfile {
        let mut profile = ColumnProfile::default();
        cells.iter().zip(0..).for_each(|(cell, row)| profile.see(cell, row));
        profile
    }

    fn of_numbers(cells: &[f64]) -> ColumnProfile {
        let mut profile = ColumnProfile::default();
        cells.iter().zip(0..).for_each(|(cell, row)| profile.see_number(*cell, row));
        profile
    }

    fn levels(names: &[&str]) -> Kind {
        let levels = names.iter().map(|&name| name.to_owned()).collect();
        Kind::Category { levels, encoding: Encoding::Onehot }
    }

    #[test]
    fn numbers_and_their_texts_make_the_same_question() {
        let mean = Hints { holes: Holes::Mean, ..Hints::default() };
        for (texts, numbers) in [
            (["0", "1", "1"], [0.0, 1.0, 1.0]),
            (["2", "", "9"], [2.0, f64::NAN, 9.0]),
            (["0.5", "-3", ""], [0.5, -3.0, f64::NAN]),
            (["4", "4", "4"], [4.0; 3]),
            (["4", "inf", "5"], [4.0, f64::INFINITY, 5.0]),
        ] {
            assert_eq!(of_texts(&texts).kind(&mean), of_numbers(&numbers).kind(&mean), "{texts:?}");
        }
        let expected = Kind::Integer { lower: 2.0, upper: 9.0, missing: Some(MissingNumber::StandIn(6.0)) };
        assert_eq!(of_texts(&["2", "", "9"]).kind(&mean), Ok(expected));
    }

    #[test]
    fn the_mean_stands_in_for_missing_numbers_only_when_it_is_asked_to() {
        let profile = of_numbers(&[2.0, f64::NAN, 9.0]);
        let bounds = |missing| Kind::Integer { lower: 2.0, upper: 9.0, missing };
        let stand_in = |value| Some(MissingNumber::StandIn(value));
        assert_eq!(profile.kind(&Hints::default()), Ok(bounds(None)));
        assert_eq!(profile.kind(&Hints { missing: stand_in(3.0), ..Hints::default() }), Ok(bounds(stand_in(3.0))));
        let below = profile.kind(&Hints { missing: stand_in(0.5), ..Hints::default() });
        assert_eq!(below, Ok(Kind::Number { lower: 0.5, upper: 9.0, missing: stand_in(0.5) }));
    }

    #[test]
    fn levels_are_sorted_by_number_if_all_are_numbers_and_by_text_otherwise() {
        let category = Hints { kind: Some(KindName::Category), ..Hints::default() };
        assert_eq!(of_numbers(&[12.0, 6.0, f64::NAN, 0.5]).kind(&category), Ok(levels(&["", "0.5", "6", "12"])));
        assert_eq!(of_texts(&["b", "10", "", "9"]).kind(&category), Ok(levels(&["", "10", "9", "b"])));
        let filled = Hints { replaces_missing: true, more_levels: vec!["c".to_owned()], ..category };
        assert_eq!(of_texts(&["b", "a", ""]).kind(&filled), Ok(levels(&["a", "b", "c"])));
    }

    #[test]
    fn inferred_bounds_are_round_numbers_outside_those_seen() {
        for ((lower, upper), expected) in [
            ((17.0, 90.0), (15.0, 90.0)),
            ((0.0, 99_999.0), (0.0, 100_000.0)),
            ((1.0, 12.0), (1.0, 12.0)),
            ((0.0, 1.0), (0.0, 1.0)),
            ((0.031, 0.977), (0.0, 1.0)),
            ((-8019.0, 102_127.0), (-10_000.0, 110_000.0)),
            ((1e-320, 2e-320), (1e-320, 2e-320)),
        ] {
            assert_eq!(round_outwards(lower, upper), expected);
        }
    }

    #[test]
    fn the_round_numbers_between_bounds_are_those_that_bounds_are_rounded_to() {
        assert_eq!(round_numbers(17.0, 62.0), (9..=31).map(|count| f64::from(2 * count)).collect::<Vec<f64>>());
        assert_eq!(round_numbers(0.0, 1.0).len(), 11);
        assert_eq!(round_numbers(0.0, 1.0)[3], 0.3);
        assert!(round_numbers(1.0, 1.0).is_empty());
    }

    #[test]
    fn the_stand_in_of_rounded_bounds_is_round_too() {
        let rounded = Hints { holes: Holes::Mean, round_bounds: true, ..Hints::default() };
        let kind = of_texts(&["24932.11", "", "1200.4", "128000.7"]).kind(&rounded);
        assert_eq!(
            kind,
            Ok(Kind::Number { lower: 0.0, upper: 130_000.0, missing: Some(MissingNumber::StandIn(51_000.0)) })
        );
        let kind = of_texts(&["0.311", "", "0.9"]).kind(&rounded);
        assert_eq!(kind, Ok(Kind::Number { lower: 0.3, upper: 0.9, missing: Some(MissingNumber::StandIn(0.605)) }));
    }

    #[test]
    fn rare_levels_become_one() {
        let profile = of_texts(&["a", "a", "b", "c", "a", "b", "d", ""]);
        let rare = Hints { rare: 2, ..Hints::default() };
        assert_eq!(profile.kind(&rare), Ok(levels(&["", "a", "b", OTHER])));
        assert!(profile.has_rare(&rare) && !profile.has_rare(&Hints::default()));
    }

    #[test]
    fn a_cell_that_does_not_fit_is_named_by_its_row() {
        let problem = of_texts(&["1", "2", "x", "3"]).kind(&Hints::default()).unwrap_err();
        assert_eq!((problem.row(), problem), (Some(2), ColumnProblem::NotANumber { row: 2 }));
        let many: Vec<String> = (0..=MOST_LEVELS).map(|place| format!("t{place}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(of_texts(&many).kind(&Hints::default()), Err(ColumnProblem::TooManyLevels));
    }
}
