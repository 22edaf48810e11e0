//! A table as a sequence of blocks of whole rows.

use std::collections::HashSet;
use std::io::{Cursor, Read};

use super::{Delimiter, file_kind};
use crate::{Error, Result};

/// How much is read at a time: much more than a row, but little enough for a short table to keep all cores busy.
const BLOCK: usize = 1 << 16;

/// A longer row means that a quote is never closed.
const LONGEST_ROW: usize = 64 << 20;

/// Some whole rows of a table, not yet parsed.
#[derive(Debug)]
pub struct Block {
    pub(crate) bytes: Vec<u8>,
    /// The line of the file at which the block begins.
    pub(crate) first_line: u64,
    pub(crate) delimiter: Delimiter,
}

impl Block {
    /// The line of the file at which it begins.
    #[must_use]
    pub fn first_line(&self) -> u64 {
        self.first_line
    }

    /// How many bytes of the file it holds.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }
}

/// Reads a table block by block. A row ends at a line end outside quotes.
pub struct Blocks {
    name: String,
    header: Vec<String>,
    delimiter: Delimiter,
    input: Box<dyn Read + Send>,
    /// What was read past the last whole row.
    rest: Vec<u8>,
    line: u64,
    ended: bool,
}

impl Blocks {
    /// A table whose cells are parted by a delimiter, or by the one that its first lines suggest.
    pub(super) fn open(name: String, mut input: Box<dyn Read + Send>, delimiter: Option<Delimiter>) -> Result<Self> {
        let mut start = Vec::new();
        let read = input.by_ref().take(BLOCK as u64).read_to_end(&mut start);
        read.map_err(|cause| Error::Read { path: name.clone().into(), cause })?;
        if let Some(other) = file_kind::recognise(&start) {
            return Err(Error::NotATable { table: name, kind: other.kind, remedy: other.remedy });
        }
        if start.starts_with(b"\xef\xbb\xbf") {
            start.drain(..3);
        }
        let named = Delimiter::named_first(&start);
        if let Some((_, length)) = named {
            start.drain(..length);
        }
        let delimiter = delimiter.or(named.map(|(named, _)| named)).unwrap_or_else(|| Delimiter::of_table(&start));
        let input: Box<dyn Read + Send> = Box::new(Cursor::new(start).chain(input));
        let mut blocks = Blocks { name, header: Vec::new(), delimiter, input, rest: Vec::new(), line: 1, ended: false };
        let mut start = blocks.next_bytes()?.unwrap_or_default();
        let mut reader = reader(&start, delimiter);
        let mut record = csv::ByteRecord::new();
        let found = reader.read_byte_record(&mut record).unwrap_or(false);
        let length = usize::try_from(reader.position().byte()).expect("a block fits in memory");
        let empty = || Error::EmptyTable { table: blocks.name.clone() };
        if !found || record.iter().all(<[u8]>::is_empty) {
            return Err(empty());
        }
        let names = csv::StringRecord::from_byte_record(record)
            .map_err(|_| Error::NotUtf8 { table: blocks.name.clone(), line: 1 })?;
        let header: Vec<String> = names.iter().map(|column| column.trim().to_owned()).collect();
        let mut seen = HashSet::new();
        if let Some(column) = header.iter().find(|column| !column.is_empty() && !seen.insert(column.as_str())) {
            return Err(Error::DuplicateColumn { table: blocks.name.clone(), column: column.clone() });
        }
        if start[..length].ends_with(b"\r") && !start[length..].starts_with(b"\n") {
            return Err(Error::LineEnds { table: blocks.name.clone() });
        }
        blocks.line = 1 + u64::from(named.is_some()) + count_lines(&start[..length]);
        let mut rows = start.split_off(length);
        if rows.iter().all(u8::is_ascii_whitespace) && blocks.rest.iter().all(u8::is_ascii_whitespace) && blocks.ended {
            return Err(empty());
        }
        rows.append(&mut blocks.rest);
        blocks.rest = rows;
        blocks.header = header;
        Ok(blocks)
    }

    /// The names of the columns.
    #[must_use]
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// What messages call the table.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The place of a column.
    ///
    /// # Errors
    /// When there is no such column.
    pub fn column(&self, name: &str) -> Result<usize> {
        let place = self.header.iter().position(|column| column == name);
        place.ok_or_else(|| super::Table::unknown_column(&self.name, name, &self.header))
    }

    /// Bytes up to the end of a row: at least a block's worth, unless the table ends.
    fn next_bytes(&mut self) -> Result<Option<Vec<u8>>> {
        let mut bytes = std::mem::take(&mut self.rest);
        let mut wanted = BLOCK;
        while !self.ended {
            let missing = wanted.saturating_sub(bytes.len()) as u64;
            let read = self.input.by_ref().take(missing).read_to_end(&mut bytes);
            let read = read.map_err(|cause| Error::Read { path: self.name.clone().into(), cause })?;
            self.ended = missing > 0 && (read as u64) < missing;
            if let Some(end) = last_row_end(&bytes, self.delimiter) {
                self.rest = bytes.split_off(end);
                return Ok(Some(bytes));
            }
            if bytes.len() > LONGEST_ROW {
                return Err(Error::LongRow { table: self.name.clone(), line: self.line });
            }
            // One row fills the whole block, or more: read on until it ends, twice as much each time.
            wanted = 2 * bytes.len().max(BLOCK);
        }
        // The last row may lack its line end.
        if let Some(end) = last_row_end(&bytes, self.delimiter).filter(|end| *end < bytes.len()) {
            self.rest = bytes.split_off(end);
        }
        Ok((!bytes.is_empty()).then_some(bytes))
    }
}

impl Iterator for Blocks {
    type Item = Result<Block>;

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.next_bytes().transpose()?;
        Some(bytes.map(|bytes| {
            let first_line = self.line;
            self.line += count_lines(&bytes);
            Block { bytes, first_line, delimiter: self.delimiter }
        }))
    }
}

/// A reader of rows whose cells are parted by a delimiter.
pub(super) fn reader(bytes: &[u8], delimiter: Delimiter) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter.byte()).from_reader(bytes)
}

/// Where the last whole row ends: behind the last line end outside quotes.
///
/// A block begins outside quotes. As for the reader, a quote opens a cell only where the cell begins, a doubled one
/// stands for itself, and one amid unquoted text (`5" pipe`) is text.
fn last_row_end(bytes: &[u8], delimiter: Delimiter) -> Option<usize> {
    if memchr::memchr(b'"', bytes).is_none() {
        return memchr::memrchr(b'\n', bytes).map(|place| place + 1);
    }
    let (mut quoted, mut closed, mut end) = (false, None, None);
    for place in memchr::memchr2_iter(b'"', b'\n', bytes) {
        let before = place.checked_sub(1);
        if bytes[place] == b'\n' {
            end = if quoted { end } else { Some(place + 1) };
        } else if quoted {
            (quoted, closed) = (false, Some(place));
        } else {
            let begins_cell =
                before.is_none_or(|before| matches!(bytes[before], b'\n' | b'\r') || bytes[before] == delimiter.byte());
            quoted = begins_cell || before == closed;
        }
    }
    end
}

fn count_lines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Delimiter, last_row_end, reader};

    fn records(bytes: &[u8]) -> Vec<csv::ByteRecord> {
        let records =
            reader(bytes, Delimiter::Comma).into_byte_records().map(|record| record.expect("bytes in memory"));
        records.collect()
    }

    proptest! {
        /// Quotes may stand anywhere: opening, closing, doubled, or astray in the middle of a cell.
        #[test]
        fn a_table_cut_where_a_row_ends_has_the_same_rows(text in "[a,\"\n\r]{0,40}") {
            let whole = text.as_bytes();
            let end = last_row_end(whole, Delimiter::Comma).unwrap_or(0);
            let mut parts = records(&whole[..end]);
            parts.extend(records(&whole[end..]));
            prop_assert_eq!(parts, records(whole));
        }
    }

    #[test]
    fn a_stray_quote_does_not_hide_the_end_of_its_row() {
        assert_eq!(last_row_end(b"5\" pipe,1\n7,2\n", Delimiter::Comma), Some(14));
        assert_eq!(last_row_end(b"\"a\"\"\n\",1\n\"x\n", Delimiter::Comma), Some(9));
    }
}
