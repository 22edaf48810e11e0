//! Delimited text.

use csv::{ByteRecord, ReaderBuilder, Trim, Writer};

/// Text with a header line: leaves the identifier out and puts the label last.
pub(super) fn with_header(
    text: &[u8],
    delimiter: u8,
    identifier: Option<&str>,
    label: &str,
) -> Result<Vec<u8>, String> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let mut reader = ReaderBuilder::new().delimiter(delimiter).from_reader(text);
    let header = reader.byte_headers().map_err(in_words)?.clone();
    let place = |column: &str| {
        let found = header.iter().position(|name| name == column.as_bytes());
        found.ok_or_else(|| format!("there is no column `{column}` in it, so it is another table"))
    };
    let label = place(label)?;
    let left_out = identifier.map(place).transpose()?;
    let kept: Vec<usize> = (0..header.len()).filter(|&place| place != label && Some(place) != left_out).collect();

    let mut writer = Writer::from_writer(Vec::new());
    let names = kept.iter().map(|&place| &header[place]).chain([&b"label"[..]]);
    writer.write_record(names).map_err(in_words)?;
    let mut record = ByteRecord::new();
    while reader.read_byte_record(&mut record).map_err(in_words)? {
        writer.write_record(kept.iter().chain([&label]).map(|&place| &record[place])).map_err(in_words)?;
    }
    writer.into_inner().map_err(|error| error.to_string())
}

/// The files of [`SourceLayout::Census`](super::Layout::Census), one after the other.
pub(super) fn census(files: &[Vec<u8>], columns: &[&str]) -> Result<Vec<u8>, String> {
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(columns).map_err(in_words)?;
    for text in files {
        let mut reader = ReaderBuilder::new();
        let reader = reader.has_headers(false).flexible(true).trim(Trim::All).comment(Some(b'|')).quoting(false);
        for record in reader.from_reader(&text[..]).into_byte_records() {
            let record = record.map_err(in_words)?;
            if record.len() != columns.len() {
                return Err(format!("a row has {} cells, not {}", record.len(), columns.len()));
            }
            let is_last = |place| place + 1 == columns.len();
            let cells = record.iter().enumerate().map(|(place, cell)| common_cell(cell, is_last(place)));
            writer.write_record(cells).map_err(in_words)?;
        }
    }
    writer.into_inner().map_err(|error| error.to_string())
}

fn common_cell(cell: &[u8], is_label: bool) -> &[u8] {
    match cell {
        b"?" => b"",
        cell if is_label => cell.strip_suffix(b".").unwrap_or(cell),
        cell => cell,
    }
}

/// What is wrong with a table, without any of its cells.
fn in_words(error: csv::Error) -> String {
    let line = error.position().map_or_else(String::new, |position| format!(" in line {}", position.line()));
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("the row{line} has {len} cells, not {expected_len}")
        }
        _ => format!("the table cannot be read{line}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(result: Result<Vec<u8>, String>) -> String {
        String::from_utf8(result.expect("a table")).expect("UTF-8")
    }

    #[test]
    fn the_identifier_goes_the_label_comes_last_and_quotes_go_where_they_can() {
        let source = b"\xEF\xBB\xBF\"ID\";\"y\";\"job\"\r\n7;\"no\";\"a;b\"\r\n8;\"yes\";\"c,d\"\r\n";
        assert_eq!(text(with_header(source, b';', Some("ID"), "y")), "job,label\na;b,no\n\"c,d\",yes\n");
    }

    #[test]
    fn a_census_loses_blanks_comments_question_marks_and_full_stops() {
        let files =
            [b"39, State-gov, <=50K\n50, ?, >50K\n\n".to_vec(), b"|1x3 Cross validator\n25, x.y., <=50K.\n\n".to_vec()];
        let common = census(&files, &["age", "work", "label"]);
        assert_eq!(text(common), "age,work,label\n39,State-gov,<=50K\n50,,>50K\n25,x.y.,<=50K\n");
    }

    #[test]
    fn a_table_of_another_form_is_an_error_that_shows_no_cell() {
        let cases: [(&[u8], &str); 5] = [
            (b"", "no column `y`"),
            (b"a,b\n1,2\n", "no column `y`"),
            (b"a,y\n1,2\nsecret\n", "line 3 has 1 cells, not 2"),
            (b"a,y\n\"secret", "1 cells"),
            (b"\xFF\xFE\0\0", "no column"),
        ];
        for (table, part) in cases {
            let error = with_header(table, b',', None, "y").expect_err("no table");
            assert!(error.contains(part) && !error.contains("secret"), "{error}");
        }
        assert!(census(&[b"1, 2\n".to_vec()], &["a"]).is_err());
    }
}
