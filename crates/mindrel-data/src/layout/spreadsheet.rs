//! Numbers in a binary Excel file.
//!
//! Reads only what a sheet of numbers needs: the records `NUMBER`, `RK` and `MULRK` [MS-XLS 2.4.180, 2.4.220, 2.4.175]
//! of one sheet in the stream `Workbook` of a compound file. No memory is reserved because the file says so: a file
//! that was tampered with is an error and takes no more memory than an intact one.

use std::io::{Cursor, Read};

use csv::Writer;

use crate::archive::MOST_SOURCE_BYTES;

const BOUND_SHEET: u16 = 0x0085;
const BEGIN: u16 = 0x0809;
const END: u16 = 0x000A;
const NUMBER: u16 = 0x0203;
const RK: u16 = 0x027E;
const MULTIPLE_RK: u16 = 0x00BD;

/// The rows of a sheet below `lines_above`, without their first cell.
pub(super) fn to_common_form(
    file: &[u8],
    sheet: &str,
    lines_above: usize,
    columns: &[&str],
) -> Result<Vec<u8>, String> {
    let stream = workbook(file)?;
    let start = sheet_start(&stream, sheet).ok_or_else(|| format!("there is no sheet `{sheet}` in it"))?;
    let rows = numbers(stream.get(start..).unwrap_or(&[]), 1 + columns.len())?;
    let mut writer = Writer::from_writer(Vec::new());
    let failed = |_| "the table cannot be written".to_owned();
    writer.write_record(columns).map_err(failed)?;
    for (place, row) in rows.iter().enumerate().skip(lines_above) {
        let cells: Option<Vec<String>> = row.iter().skip(1).map(|cell| in_digits((*cell)?)).collect();
        let cells = cells.filter(|cells| cells.len() == columns.len());
        let cells = cells.ok_or_else(|| format!("row {} of the sheet is not {} numbers", place + 1, columns.len()))?;
        writer.write_record(cells).map_err(failed)?;
    }
    writer.into_inner().map_err(|error| error.to_string())
}

/// A number as the common form writes it, unless it takes more digits than any of a set: 1e300 would take 301.
fn in_digits(number: f64) -> Option<String> {
    let digits = number.to_string();
    (number.is_finite() && digits.len() <= 24).then_some(digits)
}

fn workbook(file: &[u8]) -> Result<Vec<u8>, String> {
    let broken = |error: std::io::Error| format!("it cannot be read as an Excel file of the .xls kind ({error})");
    let mut compound = cfb::CompoundFile::open(Cursor::new(file)).map_err(broken)?;
    let stream = compound.open_stream("Workbook").map_err(broken)?;
    let mut content = Vec::new();
    stream.take(MOST_SOURCE_BYTES).read_to_end(&mut content).map_err(broken)?;
    Ok(content)
}

/// The records of a stream, kind and content, up to the first that is not whole.
fn records(mut stream: &[u8]) -> impl Iterator<Item = (u16, &[u8])> {
    std::iter::from_fn(move || {
        let kind = u16_at(stream, 0)?;
        let length = usize::from(u16_at(stream, 2)?);
        let content = stream.get(4..4 + length)?;
        stream = &stream[4 + length..];
        Some((kind, content))
    })
}

fn sheet_start(stream: &[u8], sheet: &str) -> Option<usize> {
    let name = |content: &[u8]| {
        let (length, is_wide) = (usize::from(*content.get(6)?), content.get(7)? & 1 == 1);
        let text = content.get(8..)?;
        if is_wide {
            let units: Vec<u16> =
                text.chunks_exact(2).take(length).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
            String::from_utf16(&units).ok()
        } else {
            Some(text.iter().take(length).map(|&byte| char::from(byte)).collect())
        }
    };
    let of_workbook = records(stream).take_while(|(kind, _)| *kind != END);
    let mut sheets = of_workbook.filter(|(kind, _)| *kind == BOUND_SHEET).map(|(_, content)| content);
    let found = sheets.find(|content| name(content).as_deref() == Some(sheet))?;
    usize::try_from(u32_at(found, 0)?).ok()
}

type SheetRow = Vec<Option<f64>>;

/// The numbers of the sheet that begins here, at most `n_columns` a row.
fn numbers(stream: &[u8], n_columns: usize) -> Result<Vec<SheetRow>, String> {
    let mut rows: Vec<SheetRow> = Vec::new();
    let mut put = |row: u16, column: usize, number: f64| {
        let row = usize::from(row);
        if column >= n_columns {
            return Err(format!("row {} of the sheet has more than {n_columns} cells", row + 1));
        }
        if rows.len() <= row {
            rows.resize(row + 1, SheetRow::new());
        }
        let row = &mut rows[row];
        if row.len() <= column {
            row.resize(column + 1, None);
        }
        row[column] = Some(number);
        Ok(())
    };
    let cut_off = || "the sheet is cut off".to_owned();
    // Charts are streams within the stream.
    let mut depth = 0_usize;
    for (kind, content) in records(stream) {
        let at = || Some((u16_at(content, 0)?, usize::from(u16_at(content, 2)?)));
        match kind {
            BEGIN => depth += 1,
            END if depth <= 1 => return Ok(rows),
            END => depth -= 1,
            NUMBER if depth == 1 => {
                let (row, column) = at().ok_or_else(cut_off)?;
                put(row, column, f64_at(content, 6).ok_or_else(cut_off)?)?;
            }
            RK if depth == 1 => {
                let (row, column) = at().ok_or_else(cut_off)?;
                put(row, column, rk(u32_at(content, 6).ok_or_else(cut_off)?))?;
            }
            MULTIPLE_RK if depth == 1 => {
                let (row, first) = at().ok_or_else(cut_off)?;
                // A format and a number for each cell, and at the end the last column once more.
                let cells = content[4..].chunks_exact(6);
                for (place, cell) in cells.enumerate() {
                    put(row, first + place, rk(u32_at(cell, 2).ok_or_else(cut_off)?))?;
                }
            }
            _ => {}
        }
    }
    Err(cut_off())
}

/// A number in 30 bits: an integer or the upper part of a float, perhaps in hundredths [MS-XLS 2.5.217].
fn rk(bits: u32) -> f64 {
    let number =
        if bits & 2 == 2 { f64::from(bits.cast_signed() >> 2) } else { f64::from_bits(u64::from(bits & !3) << 32) };
    if bits & 1 == 1 { number / 100.0 } else { number }
}

fn u16_at(bytes: &[u8], place: usize) -> Option<u16> {
    bytes.get(place..place + 2)?.try_into().ok().map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], place: usize) -> Option<u32> {
    bytes.get(place..place + 4)?.try_into().ok().map(u32::from_le_bytes)
}

fn f64_at(bytes: &[u8], place: usize) -> Option<f64> {
    bytes.get(place..place + 8)?.try_into().ok().map(f64::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The integers, hundredths and floats of the specification's own description.
    #[test]
    fn a_number_in_30_bits_is_an_integer_or_a_float_perhaps_in_hundredths() {
        assert_eq!(rk((123 << 2) | 2), 123.0);
        assert_eq!(rk((-5_i32 << 2).cast_unsigned() | 2), -5.0);
        assert_eq!(rk((150 << 2) | 3), 1.5);
        assert_eq!(rk(0x3FF0_0000), 1.0);
        assert_eq!(rk(0x3FF0_0001), 0.01);
    }

    fn record(kind: u16, content: &[u8]) -> Vec<u8> {
        let length = u16::try_from(content.len()).expect("a short record");
        [&kind.to_le_bytes(), &length.to_le_bytes(), content].concat()
    }

    #[test]
    fn a_cell_far_out_is_refused_and_a_sheet_without_end_is_cut_off() {
        let begin = record(BEGIN, &[0; 16]);
        let far = [&[0, 0, 0xFF, 0xFF, 0, 0][..], &1.0_f64.to_le_bytes()].concat();
        let error = numbers(&[begin.clone(), record(NUMBER, &far)].concat(), 3).expect_err("too wide");
        assert!(error.contains("more than 3 cells"), "{error}");
        for cut in [record(RK, &[0; 5]), record(NUMBER, &[]), record(MULTIPLE_RK, &[0; 3]), Vec::new()] {
            let error = numbers(&[begin.clone(), cut].concat(), 3).expect_err("cut off");
            assert!(error.contains("cut off"), "{error}");
        }
    }

    const INVENTED: &[u8] = include_bytes!("../../tests/fixtures/invented.xls");

    /// Every cut at a multiple of 7 and every byte changed in two ways: an error or a table, never a panic, nor the
    /// gigabytes that a cell far out would take up.
    #[test]
    fn a_broken_file_is_an_error() {
        let columns = ["LIMIT_BAL", "SEX", "AGE", "BILL_AMT1", "label"];
        let convert = |file: &[u8]| to_common_form(file, "Data", 2, &columns);
        let whole = convert(INVENTED).expect("it is whole");
        let cuts = (0..INVENTED.len()).step_by(7).map(|end| INVENTED[..end].to_vec());
        let changes = (0..INVENTED.len()).flat_map(|place| [0xFF, 0x04].map(|change| (place, change)));
        let changed = changes.map(|(place, change)| {
            let mut file = INVENTED.to_vec();
            file[place] ^= change;
            file
        });
        let outcomes: Vec<Result<Vec<u8>, String>> = cuts.chain(changed).map(|file| convert(&file)).collect();
        assert!(outcomes.iter().filter(|outcome| outcome.is_err()).count() > 1000);
        assert!(outcomes.iter().flatten().any(|table| *table != whole), "some changes are seen by the checksum alone");
        assert!(outcomes.iter().flatten().all(|table| table.len() < 2 * whole.len()));
    }
}
