//! Columns that make no question worth asking.

use super::{ColumnProfile, Hints, parse_boolean};

/// How many different texts a profile should tell apart for [`ColumnProfile::left_out`] to recognise identifiers.
pub const MOST_TALLIED: usize = 100_000;

/// A category of more levels is no question for a person.
const MOST_CHOICES: usize = 300;

/// Texts of which more than half are different are names or free text, if there are more than this.
const FEW_TEXTS: usize = 20;

/// Whole numbers that count the rows are told from measurements by chance if there are more than this.
const FEW_ROWS: u64 = 9;

/// This many whole numbers, nearly all different, are identifiers.
const MANY_NUMBERS: u64 = 5000;

/// Fewer are identifiers if none is smaller than this and all have as many digits.
const LARGE_NUMBER: f64 = 1e6;

/// Why a column is left out of a proposed schema, with the remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum LeftOut {
    /// Its header cell is empty, as that of a row number often is.
    #[error("it has no name; if it is more than a row number, name it in the header")]
    Unnamed,
    /// No row has a value.
    #[error("every cell is missing")]
    Empty,
    /// All its cells are alike.
    #[error("every row has the same value, so there is nothing to ask")]
    Constant,
    /// A number that singles people out.
    #[error(
        "nearly every row has a number of its own, like an identifier; if it is a measurement, declare it a number in \
         the schema file"
    )]
    NumberedRows,
    /// A text that singles people out.
    #[error(
        "nearly every row has a text of its own, like a name or an identifier; to ask it anyway, list its levels in the \
         schema file"
    )]
    NamedRows,
    /// Numbers with commas or signs, which are read as texts.
    #[error("its numbers are written with commas or signs; write 1.5 for 1,5 and 1000 for $1,000")]
    OtherNotation,
    /// Measurements with a text among them.
    #[error(
        "most of its cells are numbers, nearly all different, but line {line} holds a text; if such texts mean that a \
         cell is missing, say so, or list its levels in the schema file"
    )]
    MostlyNumbers { line: u64 },
    /// A date or a time.
    #[error("it holds dates; turn them into numbers, such as an age in years")]
    Dates,
    /// More levels than a person can choose from.
    #[error("it has {levels} different texts; group the rare ones")]
    TooManyLevels { levels: usize },
    /// More levels than are counted.
    #[error("it has more than {MOST_TALLIED} different texts, like an identifier or free text")]
    Uncounted,
    /// A number that is not finite.
    #[error("line {line} holds an infinite number; leave the cell empty if the value is missing")]
    NotFinite { line: u64 },
}

impl ColumnProfile {
    /// Why this column should not become a question, if it should not.
    ///
    /// A category is judged by the levels that are left once rare ones are [grouped](Hints::rare).
    #[must_use]
    pub fn left_out(&self, name: &str, hints: &Hints) -> Option<LeftOut> {
        let different = self.texts.keys().filter(|text| !text.is_empty()).count();
        let filled = self.n_numbers + self.n_texts;
        if name.is_empty() || name.starts_with("Unnamed:") {
            Some(LeftOut::Unnamed)
        } else if filled == 0 {
            Some(LeftOut::Empty)
        } else if self.texts.len() == 1 || (self.n_texts == 0 && self.lower == self.upper) {
            Some(LeftOut::Constant)
        } else if self.n_dates * 10 >= filled * 9 {
            Some(LeftOut::Dates)
        } else if self.n_texts == 0 {
            self.first_not_finite()
                .map(|line| LeftOut::NotFinite { line })
                .or_else(|| self.numbers_rows(name, different).then_some(LeftOut::NumberedRows))
        } else {
            let reason = self.has_too_many_texts(different, hints);
            reason.map(|reason| self.unless_numbers(reason))
        }
    }

    /// Why its texts make no category.
    fn has_too_many_texts(&self, different: usize, hints: &Hints) -> Option<LeftOut> {
        if self.names_rows() {
            Some(LeftOut::NamedRows)
        } else if different >= MOST_TALLIED {
            Some(LeftOut::Uncounted)
        } else {
            let levels = self.texts.values().filter(|count| **count >= hints.rare).count();
            (levels > MOST_CHOICES).then_some(LeftOut::TooManyLevels { levels })
        }
    }

    /// Whether its texts would name people if they were levels, however few rows there are: all but a tenth of the
    /// known ones are different, or more than half if there are many. No and yes name nobody.
    #[must_use]
    pub fn names_rows(&self) -> bool {
        let texts = || self.texts.keys().filter(|text| !text.is_empty());
        let different = texts().count();
        let filled = self.n_numbers + self.n_texts;
        let nearly_all = different as u64 * 10 >= filled * 9;
        let most_of_many = different > FEW_TEXTS && different as u64 * 2 > filled;
        (nearly_all || most_of_many) && texts().any(|text| parse_boolean(text).is_none())
    }

    /// A reason to leave out texts, or a better one if nearly all of them are numbers or would be.
    fn unless_numbers(&self, reason: LeftOut) -> LeftOut {
        match (reason, self.first_text()) {
            (LeftOut::NamedRows, Some(line)) if self.n_numbers > self.n_texts => LeftOut::MostlyNumbers { line },
            _ if self.holds_other_notation() => LeftOut::OtherNotation,
            _ => reason,
        }
    }

    /// Whether nearly all its texts would be numbers without commas and signs.
    fn holds_other_notation(&self) -> bool {
        let texts = || self.texts.keys().filter(|text| !text.is_empty());
        texts().filter(|text| is_number_as_people_write(text)).count() * 10 >= texts().count() * 9
    }

    /// Whether whole numbers count or name the rows: most are different and they are called an identifier; or nearly
    /// all are, and they are consecutive, large and of as many digits, or too many to be different by chance. Few
    /// numbers count the rows only if they leave none out.
    fn numbers_rows(&self, name: &str, different: usize) -> bool {
        let tallied = self.cells_tallied.unwrap_or(self.n_numbers) as f64;
        let different = different as f64;
        let span = self.upper - self.lower;
        let is_short = self.n_numbers <= FEW_TEXTS as u64;
        let consecutive = if is_short {
            self.n_numbers > FEW_ROWS && span < self.n_numbers as f64
        } else {
            span < 2.0 * self.n_numbers as f64
        };
        let digits = |number: f64| number.abs().log10().floor();
        let codes = !is_short && self.lower >= LARGE_NUMBER && digits(self.lower) == digits(self.upper);
        let numbered = different >= 0.99 * tallied && (consecutive || codes || self.n_numbers >= MANY_NUMBERS);
        let named = different > 0.5 * tallied && names_an_identifier(name);
        self.whole && (numbered || named)
    }
}

fn names_an_identifier(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let ends_with_word = ["_id", "-id", " id", ".id", "_nbr", "_no", "number"].iter().any(|end| lower.ends_with(end));
    ["id", "key", "uuid", "guid", "index"].contains(&lower.as_str())
        || ends_with_word
        || name.ends_with("ID")
        || name.ends_with("Id")
}

/// Whether a text is a number, or one with commas or signs: `1,5`, `1.234,50`, `$1,000`, `45 %`.
fn is_number_as_people_write(text: &str) -> bool {
    let digits = text.trim_matches(|end: char| "+-$€£% ".contains(end));
    let has_shape = !digits.is_empty() && digits.chars().all(|digit| digit.is_ascii_digit() || ",. ".contains(digit));
    text.parse::<f64>().is_ok() || (has_shape && text.contains([',', '$', '€', '£', '%']))
}

/// Whether a text is a date, with or without a time: `2024-02-29`, `29.02.2024`, `2/29/2024 13:05`.
pub(super) fn is_date(text: &str) -> bool {
    let day = text.split(['T', ' ']).next().unwrap_or_default();
    let parts: Vec<&str> = day.split(['-', '/', '.']).collect();
    let number = |part: &&str, most: u32| part.parse::<u32>().is_ok_and(|number| (1..=most).contains(&number));
    let [first, second, third] = &parts[..] else { return false };
    let (year, others) = if first.len() == 4 { (first, [second, third]) } else { (third, [first, second]) };
    let is_year = year.len() == 4 && number(year, 9999);
    is_year
        && others.iter().all(|part| part.len() <= 2 && number(part, 31))
        && others.iter().any(|part| number(part, 12))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(cells: impl IntoIterator<Item = String>) -> ColumnProfile {
        let mut profile = ColumnProfile::with_levels_up_to(MOST_TALLIED);
        cells.into_iter().zip(0..).for_each(|(cell, row)| profile.see(&cell, row));
        profile
    }

    fn reason(name: &str, cells: impl IntoIterator<Item = String>) -> Option<LeftOut> {
        profile(cells).left_out(name, &Hints::default())
    }

    #[test]
    fn what_singles_people_out_or_says_nothing_is_left_out() {
        let rows = || 0..400_u32;
        assert_eq!(reason("", rows().map(|row| (row % 7).to_string())), Some(LeftOut::Unnamed));
        assert_eq!(reason("note", rows().map(|_| String::new())), Some(LeftOut::Empty));
        assert_eq!(reason("country", rows().map(|_| "NL".to_owned())), Some(LeftOut::Constant));
        assert_eq!(reason("row", rows().map(|row| (1000 + row).to_string())), Some(LeftOut::NumberedRows));
        assert_eq!(reason("customerID", rows().map(|row| (row * 99_991).to_string())), Some(LeftOut::NumberedRows));
        let random = |row: u32| 1_000_000 + row.wrapping_mul(2_654_435_761) % 9_000_000;
        assert_eq!(reason("account", rows().map(|row| random(row).to_string())), Some(LeftOut::NumberedRows));
        let visits = rows().map(|row| random(row - row % 5 / 3).to_string());
        assert_eq!(reason("patient_nbr", visits), Some(LeftOut::NumberedRows), "some come twice");
        assert_eq!(reason("name", rows().map(|row| format!("n{row}"))), Some(LeftOut::NamedRows));
        assert_eq!(
            reason("born", rows().map(|row| format!("19{:02}-01-{:02}", row % 90, row % 28 + 1))),
            Some(LeftOut::Dates)
        );
        let code = |row: u32| match row % 3 {
            0 => (row % 401).to_string(),
            1 => format!("V{}", row % 311),
            _ => "250".to_owned(),
        };
        let codes = || (0..4000).map(code);
        assert!(matches!(reason("diagnosis", codes()), Some(LeftOut::TooManyLevels { levels: 300.. })));
        assert_eq!(profile(codes()).left_out("diagnosis", &Hints { rare: 20, ..Hints::default() }), None);
    }

    /// A column of amounts is no column of names, whatever the notation.
    #[test]
    fn numbers_with_commas_or_signs_are_told_from_names() {
        let rows = || 0..400_u32;
        assert_eq!(reason("weight", rows().map(|row| format!("{},{}", row, row % 7))), Some(LeftOut::OtherNotation));
        assert_eq!(reason("debt", rows().map(|row| format!("${}", row * 31))), Some(LeftOut::OtherNotation));
        assert_eq!(reason("income", rows().map(|row| format!("{row}.100,50 €"))), Some(LeftOut::OtherNotation));
        let weighed = rows().map(|row| if row == 7 { "unknown".to_owned() } else { format!("{row}.5") });
        assert_eq!(reason("weight", weighed), Some(LeftOut::MostlyNumbers { line: 7 }));
        assert_eq!(reason("address", rows().map(|row| format!("10.0.0.{row}"))), Some(LeftOut::NamedRows));
        assert_eq!(reason("phone", rows().map(|row| format!("030 {row}-1"))), Some(LeftOut::NamedRows));
    }

    /// The texts of a long column are not all tallied.
    #[test]
    fn an_identifier_of_a_long_table_is_recognised() {
        let rows = 0..250_000_u64;
        let scattered = rows.clone().map(|row| (row * 7919 % 1_000_003).to_string());
        assert_eq!(reason("place", scattered), Some(LeftOut::NumberedRows));
        assert_eq!(reason("height", rows.map(|row| (row % 90_001).to_string())), None);
    }

    #[test]
    fn measurements_and_counts_are_kept_even_if_all_differ() {
        assert_eq!(reason("weight", (0..400).map(|row| (f64::from(row) / 7.0).to_string())), None);
        assert_eq!(reason("income", (0..400_u32).map(|row| (row * 997 % 90_001).to_string())), None);
        assert_eq!(reason("age", (0..400).map(|row| (row % 60).to_string())), None);
        assert_eq!(reason("town", (0..16).map(|row| format!("t{}", row % 14))), None);
    }

    /// Names in a table of a few people became the levels of a category.
    #[test]
    fn an_identifier_is_recognised_in_tables_of_every_length() {
        for rows in [2_u32, 3, 5, 9, 10, 12, 21, 500] {
            let names = (0..rows).map(|row| format!("n{row}"));
            assert_eq!(reason("name", names), Some(LeftOut::NamedRows), "{rows} rows");
            let with_holes = (0..rows * 2).map(|row| if row % 2 == 0 { format!("n{row}") } else { String::new() });
            assert_eq!(reason("name", with_holes), Some(LeftOut::NamedRows), "{rows} of {} rows", rows * 2);
            let numbers = (0..rows).map(|row| (row * 17 + 3).to_string());
            assert_eq!(reason("patient_id", numbers), Some(LeftOut::NumberedRows), "{rows} rows");
        }
        assert_eq!(reason("guardian", ["", "Ann", ""].map(str::to_owned)), Some(LeftOut::NamedRows), "one is known");
        assert_eq!(reason("name", (0..16).map(|row| format!("n{}", row % 15))), Some(LeftOut::NamedRows), "one twice");
        assert_eq!(reason("row", (0..12).map(|row| (12 - row).to_string())), Some(LeftOut::NumberedRows), "12 to 1");
    }

    #[test]
    fn what_people_share_is_kept_in_short_tables() {
        assert_eq!(reason("grade", ["low", "high", "low"].map(str::to_owned)), None);
        assert_eq!(reason("employed", ["yes", "no"].map(str::to_owned)), None);
        assert_eq!(reason("employed", ["true", "", "false"].map(str::to_owned)), None);
        assert_eq!(reason("age", ["31", "44", "27", "63"].map(str::to_owned)), None);
        assert_eq!(reason("age", (0..12).map(|row| (31 + row * 2).to_string())), None);
    }

    #[test]
    fn dates_are_told_from_other_texts_with_points_and_dashes() {
        assert!(["2024-02-29", "29.02.2024", "2/29/2024 13:05", "1999-12-31T23:59:59Z"].into_iter().all(is_date));
        assert!(
            ["", "1.2", "192.168.0.1", "250.83", "12-34-56", "a-b-2020", "2020-99-01"]
                .into_iter()
                .all(|text| !is_date(text))
        );
    }
}
