//! Archives downloaded by hand, and such as nobody should trust.

use crate::common::{COMMON, SOURCE, Shelf, closed_port, serve_file, sha256, small_archive, small_set, zipped};
use mindrel_data::{Checksum, DataSet, DataSource, FetchMethod, SourceLayout};

const INVENTED: &[u8] = include_bytes!("../fixtures/invented.xls");
const INVENTED_COMMON: &str =
    "LIMIT_BAL,SEX,AGE,BILL_AMT1,label\n50000,1,30,-1200,0\n1234567890,2,41,0,1\n70000,2,55,12.5,0\n0,1,22,-3,1\n";

/// A set in the layout of UCI 350, with invented rows.
fn invented_set() -> DataSet {
    DataSet {
        name: "invented",
        bytes: INVENTED_COMMON.len() as u64,
        sha256: sha256(INVENTED_COMMON.as_bytes()).leak(),
        source: DataSource {
            address: "https://server.invalid/invented.zip",
            inner: None,
            members: &["invented.xls"],
            layout: SourceLayout::Spreadsheet {
                sheet: "Data",
                lines_above: 2,
                columns: &["LIMIT_BAL", "SEX", "AGE", "BILL_AMT1", "label"],
            },
        },
        ..DataSet::named("credit").expect("a set").clone()
    }
}

#[test]
fn an_archive_downloaded_by_hand_will_do_and_so_will_what_is_in_it() {
    let set = small_set(closed_port());
    let inner = zipped(&[("small.csv", SOURCE.as_bytes())]);
    for content in [small_archive(), inner, SOURCE.as_bytes().to_vec(), COMMON.as_bytes().to_vec()] {
        let shelf = Shelf::new();
        let file = shelf.write("downloads/archive", content);
        shelf.fetch(&set, FetchMethod::Archive(&file)).expect("it is whole");
        assert_eq!(shelf.data().checksum_state(&set).expect("it is there"), Checksum::Right);
    }
}

#[test]
fn a_spreadsheet_becomes_the_common_form() {
    let set = invented_set();
    for content in [INVENTED.to_vec(), zipped(&[("invented.xls", INVENTED)])] {
        let shelf = Shelf::new();
        let file = shelf.write("downloads/archive", content);
        shelf.fetch(&set, FetchMethod::Archive(&file)).expect("it is whole");
        assert_eq!(std::fs::read_to_string(shelf.data().place(&set)).expect("it was written"), INVENTED_COMMON);
    }
}

#[test]
fn an_archive_that_is_missing_or_a_folder_cannot_be_read() {
    let (shelf, set) = (Shelf::new(), small_set(closed_port()));
    let file = shelf.write("downloads/archive", "");
    shelf.cannot_fetch(&set, FetchMethod::Archive(&file.with_file_name("absent")), &["absent", "cannot be read"]);
    shelf.cannot_fetch(
        &set,
        FetchMethod::Archive(file.parent().expect("its folder")),
        &["downloads", "cannot be read"],
    );
}

#[test]
fn an_archive_without_the_file_is_another_archive() {
    let set = small_set(serve_file(zipped(&[("readme.txt", b"read me")])));
    Shelf::new().cannot_fetch(&set, FetchMethod::Source, &["no `small.csv` in it"]);
    let empty_inner = zipped(&[("inner.zip", &zipped(&[]))]);
    Shelf::new().cannot_fetch(&small_set(serve_file(empty_inner)), FetchMethod::Source, &["no `small.csv` in it"]);
}

#[test]
fn a_login_page_instead_of_an_archive_is_another_table() {
    let set = small_set(serve_file("<!doctype html><title>Sign in</title>"));
    Shelf::new().cannot_fetch(&set, FetchMethod::Source, &["no column `y`"]);
}

/// Every third cut of the archive, and every byte of it changed: an error or the right file, never a panic.
#[test]
fn a_broken_archive_is_an_error() {
    let (whole, set) = (small_archive(), small_set(closed_port()));
    let cuts = (0..whole.len()).step_by(3).map(|end| whole[..end].to_vec());
    let changes = (0..whole.len()).map(|place| changed(&whole, place, 0x55));
    let shelf = Shelf::new();
    for content in cuts.chain(changes) {
        let file = shelf.write("downloads/archive.zip", content);
        let _ = shelf.fetch(&set, FetchMethod::Archive(&file));
        if shelf.data().place(&set).exists() {
            assert_eq!(shelf.data().checksum_state(&set).expect("it is there"), Checksum::Right);
            std::fs::remove_file(shelf.data().place(&set)).expect("it is ours");
        }
    }
}

fn changed(whole: &[u8], place: usize, change: u8) -> Vec<u8> {
    let mut content = whole.to_vec();
    content[place] ^= change;
    content
}

/// 40 MiB of nothing in some 40 KiB.
#[test]
fn an_archive_that_unpacks_to_far_more_than_it_should_is_cut() {
    let bomb = zipped(&[("small.csv", &vec![b'\n'; 40 << 20])]);
    assert!(bomb.len() < 100_000);
    let set = small_set(serve_file(bomb));
    Shelf::new().cannot_fetch(&set, FetchMethod::Source, &["`small.csv` in", "more than 33554432 bytes"]);
}

#[test]
fn tables_that_are_none_are_errors() {
    let set = small_set(closed_port());
    let tables: [&[u8]; 6] =
        [b"\0", b"ID;job;y;age\n\xFF\xFF;;;;;;;", b"\"\"\"\"\"", b"y;y;ID;ID\n", b"ID;y\n\"1", b"\n\n\n\r\r"];
    for table in tables {
        let shelf = Shelf::new();
        let file = shelf.write("downloads/small.csv", table);
        shelf.cannot_fetch(&set, FetchMethod::Archive(&file), &["small.csv"]);
    }
}
