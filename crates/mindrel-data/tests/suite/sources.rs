//! Every source, rebuilt from the prepared file, zipped and served, becomes the catalogued file again.
//!
//! The sources themselves are not in the repository. Where a published checksum or size of a source file is known, what
//! is rebuilt has it, so that the conversion is checked on the publisher's own bytes.

use std::path::Path;

use crate::common::{Shelf, serve_file, sha256, zipped};
use mindrel_data::{Checksum, DataFolder, DataSet, DataSource, FetchMethod};

/// A prepared file, read and verified; nothing where the evaluation data are missing.
fn prepared(test: &str, name: &str) -> Option<(DataSet, Vec<Vec<String>>)> {
    let folder = mindrel_testing::data_folder(test)?;
    let set = DataSet::named(name).expect("a set").clone();
    let folder = DataFolder::find(Some(&folder));
    assert_eq!(folder.checksum_state(&set).expect("it is there"), Checksum::Right);
    let table = std::fs::read_to_string(folder.file(&set).expect("it is there")).expect("it is text");
    let rows: Vec<Vec<String>> = table.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect();
    assert_eq!((rows.len() - 1, rows[0].len() - 1), (set.rows, set.features));
    let mut classes: Vec<&String> = rows[1..].iter().map(|row| &row[set.features]).collect();
    classes.sort_unstable();
    classes.dedup();
    assert_eq!(classes.len(), set.classes);
    Some((set, rows))
}

/// Fetches the set from an archive of these files.
fn becomes_the_catalogued_file(set: &DataSet, files: &[(&str, &[u8])]) {
    let mut archive = zipped(files);
    if let Some(inner) = set.source.inner {
        archive = zipped(&[(inner, &archive)]);
    }
    let source = DataSource { address: serve_file(archive).leak(), ..set.source.clone() };
    let set = DataSet { source, ..set.clone() };
    let shelf = Shelf::new();
    shelf.fetch(&set, FetchMethod::Source).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(shelf.data().checksum_state(&set).expect("it was written"), Checksum::Right);
    let size = std::fs::metadata(shelf.data().place(&set)).expect("it was written").len();
    assert_eq!(size, set.bytes);
    assert!(Path::new(&shelf.data().place(&set)).ends_with(set.file_name()));
}

fn lines(rows: impl Iterator<Item = String>) -> String {
    rows.map(|row| row + "\n").collect()
}

/// Semicolons, and quotes around every name and text.
#[test]
fn bank_full_csv_in_an_archive_in_the_archive() {
    let Some((set, mut rows)) = prepared("bank_full_csv_in_an_archive_in_the_archive", "bank") else {
        return;
    };
    rows[0][16] = "y".to_owned();
    let cell = |cell: &String| if cell.parse::<i64>().is_ok() { cell.clone() } else { format!("\"{cell}\"") };
    let source = lines(rows.iter().map(|row| row.iter().map(cell).collect::<Vec<String>>().join(";")));
    assert_eq!(source.len(), 4_610_348);
    // The checksum under which the UCI file is widely known.
    assert_eq!(sha256(source.as_bytes()), "d1513ec63b385506f7cfce9f2c5caa9fe99e7ba4e8c3fa264b3aaf0f849ed32d");
    becomes_the_catalogued_file(&set, &[("bank.csv", b"a part of it"), ("bank-full.csv", source.as_bytes())]);
}

#[test]
fn adult_data_and_then_adult_test() {
    let Some((set, rows)) = prepared("adult_data_and_then_adult_test", "adult") else {
        return;
    };
    let cell = |cell: &String| if cell.is_empty() { "?".to_owned() } else { cell.clone() };
    let line = |row: &Vec<String>| row.iter().map(cell).collect::<Vec<String>>().join(", ");
    let (training, test) = rows[1..].split_at(32_561);
    let training = lines(training.iter().map(line)) + "\n";
    let test = "|1x3 Cross validator\n".to_owned() + &lines(test.iter().map(|row| line(row) + ".")) + "\n";
    // The checksums under which the UCI files are widely known.
    assert_eq!(sha256(training.as_bytes()), "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d");
    assert_eq!(sha256(test.as_bytes()), "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05");
    let files: [(&str, &[u8]); 3] =
        [("Index", b"an index"), ("adult.test", test.as_bytes()), ("adult.data", training.as_bytes())];
    becomes_the_catalogued_file(&set, &files);
}

/// The table with an identifier in front and the label's own name.
fn with_identifier(rows: &[Vec<String>], label: &str, identifier: impl Fn(usize) -> String) -> String {
    let header = format!("ID,{},{label}", rows[0][..rows[0].len() - 1].join(","));
    let rows = rows[1..].iter().enumerate().map(|(place, row)| format!("{},{}", identifier(place), row.join(",")));
    lines([header].into_iter().chain(rows))
}

#[test]
fn insurance_with_its_identifier() {
    let Some((set, rows)) = prepared("insurance_with_its_identifier", "insurance") else {
        return;
    };
    let source = with_identifier(&rows, "OUTCOME", |place| (place * 7919 % 1_000_000).to_string());
    becomes_the_catalogued_file(&set, &[("Car_Insurance_Claim.csv", source.as_bytes())]);
}

#[test]
fn customer_with_its_identifier_beside_the_part_without_labels() {
    let Some((set, rows)) = prepared("customer_with_its_identifier_beside_the_part_without_labels", "customer") else {
        return;
    };
    let source = with_identifier(&rows, "Segmentation", |place| (100_000 + place).to_string());
    // The size of the published file, whose identifiers have six digits too.
    assert_eq!(source.len(), 425_369);
    becomes_the_catalogued_file(&set, &[("test.csv", b"ID\n1\n"), ("train.csv", source.as_bytes())]);
}

/// Whatever line ends the publisher uses.
#[test]
fn fetal_with_its_own_name_for_the_label() {
    let Some((set, mut rows)) = prepared("fetal_with_its_own_name_for_the_label", "fetal") else {
        return;
    };
    rows[0][21] = "fetal_health".to_owned();
    let source = lines(rows.iter().map(|row| row.join(",")));
    becomes_the_catalogued_file(&set, &[("fetal_health.csv", source.as_bytes())]);
    becomes_the_catalogued_file(&set, &[("fetal_health.csv", source.replace('\n', "\r\n").as_bytes())]);
}

/// The table as text only: its spreadsheet is too large to make here. `docs/data.md` says how it was checked.
#[test]
fn credit_is_the_table_that_is_catalogued() {
    prepared("credit_is_the_table_that_is_catalogued", "credit");
}
