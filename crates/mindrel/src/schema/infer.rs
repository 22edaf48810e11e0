//! Inferring what a question asks from the cells of its column.

use std::collections::{BTreeSet, HashSet};

use serde::{Deserialize, Serialize};

use super::{Encoding, Kind, parse_boolean};

/// A column with more different texts than this is an identifier or free text, unless it is declared a category.
pub const MOST_LEVELS: usize = 1000;

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
    /// What stands in for a missing number.
    pub missing: Option<f64>,
    /// Whether the mean stands in for missing numbers when nothing else does.
    pub mean_for_missing: bool,
    /// The levels of a category, all of them.
    pub levels: Option<Vec<String>>,
    /// Levels of a category beside those of the cells.
    pub more_levels: Vec<String>,
    /// Whether a missing cell of a category is replaced, so that it is no level of its own.
    pub replaces_missing: bool,
    /// How a category becomes columns.
    pub encoding: Encoding,
}

/// Why a column makes no question. Rows are those given to [`ColumnProfile`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ColumnProblem {
    /// All its cells are alike.
    #[error("all rows have the same value, so there is nothing to ask; leave the column out, or declare its domain")]
    Constant,
    /// So many texts that it must be an identifier or free text.
    #[error(
        "it has more than {MOST_LEVELS} different texts; leave an identifier or free text out, or declare the column a category"
    )]
    TooManyLevels,
    /// A text in a column of numbers.
    #[error("the cell is not a number, but most of the column is; fix the cell, or declare the column a category")]
    NotANumber {
        /// The row.
        row: u64,
    },
    /// NaN or an infinity.
    #[error("the cell is not a finite number; leave it empty if the value is missing")]
    NotFinite {
        /// The row.
        row: u64,
    },
}

impl ColumnProblem {
    /// The row of the cell at fault, if it is one cell.
    #[must_use]
    pub fn row(&self) -> Option<u64> {
        match self {
            ColumnProblem::NotANumber { row } | ColumnProblem::NotFinite { row } => Some(*row),
            ColumnProblem::Constant | ColumnProblem::TooManyLevels => None,
        }
    }
}

/// What the cells of one column have in common. Cells are shown to it one after the other.
#[derive(Debug, Clone)]
pub struct ColumnProfile {
    most_levels: usize,
    n_missing: u64,
    n_numbers: u64,
    n_texts: u64,
    whole: bool,
    lower: f64,
    upper: f64,
    sum: f64,
    /// Different texts, as long as there are not too many.
    texts: BTreeSet<String>,
    too_many_texts: bool,
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
            whole: true,
            lower: f64::INFINITY,
            upper: f64::NEG_INFINITY,
            sum: 0.0,
            texts: BTreeSet::new(),
            too_many_texts: false,
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
        }
    }

    /// A cell that holds a number; NaN is a missing one.
    pub fn see_number(&mut self, value: f64, row: u64) {
        if value.is_nan() {
            self.note("");
            self.n_missing += 1;
            return;
        }
        // Zero has one text, whatever its sign.
        let value = value + 0.0;
        if !self.too_many_texts && self.numbers.insert(value.to_bits()) {
            self.note(&value.to_string());
        }
        self.count(value, row);
    }

    /// A cell that holds a level, whatever it looks like.
    pub fn see_level(&mut self, level: &str, row: u64) {
        self.note(level);
        self.first_text.get_or_insert(row);
        self.n_texts += 1;
    }

    fn note(&mut self, text: &str) {
        if !self.too_many_texts && !self.texts.contains(text) {
            self.texts.insert(text.to_owned());
            self.too_many_texts = self.texts.len() > self.most_levels;
        }
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
        Ok(self.texts.iter().filter(|text| !text.is_empty()).cloned().collect())
    }

    /// What a question about this column asks.
    ///
    /// A column of no and yes is boolean; of numbers, their range is the domain; otherwise the texts are levels, a missing cell being
    /// one of them. Hints take precedence.
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

    fn is_boolean(&self) -> bool {
        let mut found = self.texts.iter().map(|text| parse_boolean(text));
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
        let own = self.texts.iter().filter(|text| !(text.is_empty() && hints.replaces_missing));
        let distinct: BTreeSet<&String> = own.chain(&hints.more_levels).collect();
        let mut levels: Vec<String> = distinct.into_iter().cloned().collect();
        let number =
            |level: &String| level.parse::<f64>().ok().or_else(|| level.is_empty().then_some(f64::NEG_INFINITY));
        if levels.iter().all(|level| number(level).is_some()) {
            // Levels that are all numbers are in the order of the numbers.
            levels
                .sort_by(|left, right| number(left).unwrap_or_default().total_cmp(&number(right).unwrap_or_default()));
        }
        Ok(Kind::Category { levels, encoding })
    }

    fn numeric(&self, hints: &Hints) -> Result<Kind, ColumnProblem> {
        if let Some(row) = self.first_text {
            return Err(ColumnProblem::NotANumber { row });
        }
        if let Some(row) = self.first_not_finite {
            return Err(ColumnProblem::NotFinite { row });
        }
        let mut missing = hints.missing;
        let stand_in = missing.unwrap_or(f64::NAN);
        let lower = hints.lower.unwrap_or(self.lower.min(stand_in));
        let upper = hints.upper.unwrap_or(self.upper.max(stand_in));
        let declared = hints.lower.is_some() || hints.upper.is_some();
        if (lower == upper && !declared) || !(lower.is_finite() && upper.is_finite()) {
            return Err(ColumnProblem::Constant);
        }
        let whole = self.whole && lower.fract() == 0.0 && upper.fract() == 0.0;
        let whole = hints.kind.map_or(whole, |kind| kind == KindName::Integer);
        if hints.mean_for_missing && missing.is_none() && self.n_missing > 0 {
            let mean = (self.sum / self.n_numbers as f64).clamp(lower, upper);
            missing = Some(if whole { mean.round() } else { mean });
        }
        Ok(if whole { Kind::Integer { lower, upper, missing } } else { Kind::Number { lower, upper, missing } })
    }
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
        let mean = Hints { mean_for_missing: true, ..Hints::default() };
        for (texts, numbers) in [
            (["0", "1", "1"], [0.0, 1.0, 1.0]),
            (["2", "", "9"], [2.0, f64::NAN, 9.0]),
            (["0.5", "-3", ""], [0.5, -3.0, f64::NAN]),
            (["4", "4", "4"], [4.0; 3]),
            (["4", "inf", "5"], [4.0, f64::INFINITY, 5.0]),
        ] {
            assert_eq!(of_texts(&texts).kind(&mean), of_numbers(&numbers).kind(&mean), "{texts:?}");
        }
        let expected = Kind::Integer { lower: 2.0, upper: 9.0, missing: Some(6.0) };
        assert_eq!(of_texts(&["2", "", "9"]).kind(&mean), Ok(expected));
    }

    #[test]
    fn the_mean_stands_in_for_missing_numbers_only_when_it_is_asked_to() {
        let profile = of_numbers(&[2.0, f64::NAN, 9.0]);
        let bounds = |missing| Kind::Integer { lower: 2.0, upper: 9.0, missing };
        assert_eq!(profile.kind(&Hints::default()), Ok(bounds(None)));
        assert_eq!(profile.kind(&Hints { missing: Some(3.0), ..Hints::default() }), Ok(bounds(Some(3.0))));
        let below = profile.kind(&Hints { missing: Some(0.5), ..Hints::default() });
        assert_eq!(below, Ok(Kind::Number { lower: 0.5, upper: 9.0, missing: Some(0.5) }));
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
    fn a_cell_that_does_not_fit_is_named_by_its_row() {
        let problem = of_texts(&["1", "2", "x", "3"]).kind(&Hints::default()).unwrap_err();
        assert_eq!((problem.row(), problem), (Some(2), ColumnProblem::NotANumber { row: 2 }));
        let many: Vec<String> = (0..=MOST_LEVELS).map(|place| format!("t{place}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(of_texts(&many).kind(&Hints::default()), Err(ColumnProblem::TooManyLevels));
    }
}
