//! What parts the cells of a line.

use std::fmt;
use std::str::FromStr;

/// What parts the cells of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Delimiter {
    /// `,`
    #[default]
    Comma,
    /// `;`
    Semicolon,
    /// A tab.
    Tab,
    /// `|`
    Bar,
}

/// How many lines are compared.
const LINES: usize = 50;

impl Delimiter {
    /// All, the most usual first.
    pub const ALL: [Delimiter; 4] = [Delimiter::Comma, Delimiter::Semicolon, Delimiter::Tab, Delimiter::Bar];

    /// The byte itself.
    #[must_use]
    pub fn byte(self) -> u8 {
        match self {
            Delimiter::Comma => b',',
            Delimiter::Semicolon => b';',
            Delimiter::Tab => b'\t',
            Delimiter::Bar => b'|',
        }
    }

    /// What most likely parts the cells of a table that starts like this: it parts the header into the most cells, and
    /// the lines after it into as many.
    pub(super) fn of_table(start: &[u8]) -> Delimiter {
        let score = |delimiter: &Delimiter| {
            let counts = cells_of_lines(start, *delimiter);
            let header = counts.first().copied().unwrap_or(0);
            let agree = counts.iter().filter(|count| **count == header).count();
            (header > 1, agree == counts.len(), header)
        };
        // Of equals, the last is the maximum.
        Delimiter::ALL.into_iter().rev().max_by_key(score).unwrap_or_default()
    }

    /// What a line before the header names, `sep=;`, as spreadsheets write it, and how many bytes that line has.
    pub(super) fn named_first(start: &[u8]) -> Option<(Delimiter, usize)> {
        let length = 1 + start.iter().position(|byte| *byte == b'\n')?;
        let line = start[..length].trim_ascii_end();
        // The delimiter itself may be white space.
        let byte = *start.strip_prefix(b"sep=")?.first()?;
        let delimiter = Delimiter::ALL.into_iter().find(|delimiter| delimiter.byte() == byte)?;
        (line.len() <= b"sep=;".len()).then_some((delimiter, length))
    }
}

/// How many cells each of the first lines has.
fn cells_of_lines(start: &[u8], delimiter: Delimiter) -> Vec<usize> {
    let mut reader = super::blocks::reader(start, delimiter);
    let mut record = csv::ByteRecord::new();
    let mut counts = Vec::new();
    while counts.len() < LINES && reader.read_byte_record(&mut record).unwrap_or(false) {
        counts.push(record.len());
    }
    // The last line may be cut off.
    if counts.len() > 1 && counts.len() < LINES && !start.ends_with(b"\n") {
        counts.pop();
    }
    counts
}

impl FromStr for Delimiter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "," | "comma" => Ok(Delimiter::Comma),
            ";" | "semicolon" => Ok(Delimiter::Semicolon),
            "\t" | "\\t" | "tab" => Ok(Delimiter::Tab),
            "|" | "bar" => Ok(Delimiter::Bar),
            _ => Err("choose comma, semicolon, tab or bar".to_owned()),
        }
    }
}

impl fmt::Display for Delimiter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Delimiter::Comma => "comma",
            Delimiter::Semicolon => "semicolon",
            Delimiter::Tab => "tab",
            Delimiter::Bar => "bar",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delimiter_is_the_one_that_parts_every_line_alike() {
        for (text, expected) in [
            ("a,b,c\n1,2,3\n", Delimiter::Comma),
            ("a;b;c\n1,5;2,5;3\n4;5,5;6\n7;8;9\n", Delimiter::Semicolon),
            ("name\tprice, in euros\nx\t1,5\ny\t2\n", Delimiter::Tab),
            ("a|b\n1|2;3;4\n2|1\n", Delimiter::Bar),
            ("\"a;b\",c\n1,2\n", Delimiter::Comma),
            ("alone\n1\n2\n", Delimiter::Comma),
            ("a;b", Delimiter::Semicolon),
        ] {
            assert_eq!(Delimiter::of_table(text.as_bytes()), expected, "{text}");
        }
    }
}
