//! Downloads from a real server on this machine: what is written, and what is not.

use std::io::Write;

use crate::common::{
    COMMON, SOURCE, Shelf, closed_port, serve, serve_always, serve_file, small_archive, small_set, zipped,
};
use mindrel_data::{Checksum, FetchMethod, Fetched, fetch};

#[test]
fn a_set_is_downloaded_unpacked_converted_and_verified() {
    let (shelf, set) = (Shelf::new(), small_set(serve_file(small_archive())));
    let path = shelf.data().place(&set);
    assert_eq!(shelf.fetch(&set, FetchMethod::Source).expect("it is there"), Fetched::Written(path.clone()));
    assert_eq!(std::fs::read_to_string(&path).expect("it was written"), COMMON);
    assert_eq!(shelf.data().checksum_state(&set).expect("it is there"), Checksum::Right);
    assert_eq!(shelf.inventory().len(), 3, "two folders and the file, nothing else");
}

#[test]
fn progress_goes_from_nothing_to_all_of_it() {
    let (shelf, archive) = (Shelf::new(), small_archive());
    let set = small_set(serve_file(archive.clone()));
    let mut steps = Vec::new();
    fetch(&set, &shelf.data(), FetchMethod::Source, false, &mut |step| steps.push(step)).expect("it is there");
    assert!(steps.iter().all(|step| step.total == Some(archive.len() as u64)));
    assert!(steps.is_sorted_by_key(|step| step.received));
    assert_eq!(steps.first().map(|step| step.received), Some(0));
    assert_eq!(steps.last().map(|step| step.received), Some(archive.len() as u64));
}

#[test]
fn a_set_that_is_there_is_not_downloaded_again_unless_by_force() {
    let (shelf, set) = (Shelf::new(), small_set(closed_port()));
    let path = shelf.write("deep/data/small.csv", COMMON);
    assert_eq!(shelf.fetch(&set, FetchMethod::Source).expect("it is there"), Fetched::Present(path));
    shelf.cannot_fetch(&set, FetchMethod::Source, &["cannot be reached"]);
}

#[test]
fn another_file_of_that_name_is_kept_unless_by_force() {
    let (shelf, set) = (Shelf::new(), small_set(serve_file(small_archive())));
    let path = shelf.write("deep/data/small.csv", "my own");
    let error = shelf.fetch(&set, FetchMethod::Source).expect_err("it is another file").to_string();
    assert!(error.contains("is another file"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), "my own");
    let forced = fetch(&set, &shelf.data(), FetchMethod::Source, true, &mut |_| {});
    assert_eq!(forced.expect("it is replaced"), Fetched::Written(path.clone()));
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), COMMON);
}

#[test]
fn a_mirror_holds_prepared_files() {
    let shelf = Shelf::new();
    let mirror = serve(|path, connection| {
        let (status, body) = if path == "/data/small.csv" { ("200 OK", COMMON) } else { ("404 Not Found", "") };
        write!(connection, "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
    });
    let set = small_set(closed_port());
    shelf.cannot_fetch(&set, FetchMethod::Mirror(&mirror), &["404 Not Found"]);
    for address in [format!("{mirror}/data"), format!("{mirror}/data/")] {
        fetch(&set, &shelf.data(), FetchMethod::Mirror(&address), true, &mut |_| {}).expect("it is there");
        assert_eq!(shelf.data().checksum_state(&set).expect("it is there"), Checksum::Right);
    }
}

#[test]
fn a_wrong_checksum_names_both_and_writes_nothing() {
    let altered = SOURCE.replace("31", "32");
    let archive = zipped(&[("small.csv", altered.as_bytes())]);
    let found = crate::common::sha256(COMMON.replace("31", "32").as_bytes());
    let set = small_set(serve_file(archive));
    let parts = [set.sha256, &found, "Nothing was written"];
    Shelf::new().cannot_fetch(&set, FetchMethod::Source, &parts);

    let shelf = Shelf::new();
    shelf.write("deep/data/small.csv", "an earlier file");
    shelf.cannot_fetch(&set, FetchMethod::Source, &parts);
    shelf.cannot_fetch(&set, FetchMethod::Mirror(&serve_file("job,age,label\n")), &["not what is catalogued"]);
}

#[test]
fn a_body_that_is_cut_off_leaves_the_earlier_file_as_it_was() {
    let archive = small_archive();
    let (half, whole) = (archive[..archive.len() / 2].to_vec(), archive.len());
    let set = small_set(serve_always("200 OK", &format!("Content-Length: {whole}\r\n"), half));
    Shelf::new().cannot_fetch(&set, FetchMethod::Source, &["127.0.0.1", "cut off", "Try again"]);
    let shelf = Shelf::new();
    shelf.write("deep/data/small.csv", COMMON);
    shelf.cannot_fetch(&set, FetchMethod::Source, &["cut off"]);

    let chunked = "Transfer-Encoding: chunked\r\n";
    let set = small_set(serve_always("200 OK", chunked, *b"ff\r\nonly a little"));
    shelf.cannot_fetch(&set, FetchMethod::Source, &["cut off"]);
}

#[test]
fn an_answer_other_than_the_file_names_the_server() {
    for status in
        ["401 Unauthorized", "403 Forbidden", "404 Not Found", "500 Internal Server Error", "304 Not Modified"]
    {
        let set = small_set(serve_always(status, "Content-Length: 0\r\n", ""));
        let parts = [status, "127.0.0.1"];
        Shelf::new().cannot_fetch(&set, FetchMethod::Source, &parts);
    }
}

#[test]
fn an_answer_that_is_no_http_is_an_error() {
    for body in ["", "hello\r\n\r\n", "HTTP/1.1 999999\r\n\r\n"] {
        let answer = body.to_owned();
        let set = small_set(serve(move |_, connection| connection.write_all(answer.as_bytes())));
        Shelf::new().cannot_fetch(&set, FetchMethod::Source, &["cannot be reached", "127.0.0.1"]);
    }
}

/// Over HTTPS it is the library that follows redirects, and to HTTPS alone.
#[test]
fn a_server_on_this_machine_cannot_lead_elsewhere() {
    let target = serve_file(small_archive());
    for location in [format!("{target}/x"), "http://mirror.invalid/x".to_owned(), "/x".to_owned()] {
        let set = small_set(serve_always("302 Found", &format!("Location: {location}\r\n"), ""));
        Shelf::new().cannot_fetch(&set, FetchMethod::Source, &["302 Found"]);
    }
}

/// Were it not cut, this test would never end.
#[test]
fn an_endless_body_is_cut_at_the_limit() {
    let endless = || {
        serve(|_, connection| {
            connection.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")?;
            loop {
                connection.write_all(&[b'a'; 1 << 16])?;
            }
        })
    };
    let set = small_set(endless());
    Shelf::new().cannot_fetch(&set, FetchMethod::Source, &["more than 33554432 bytes"]);
    let limit = format!("more than {} bytes", COMMON.len());
    Shelf::new().cannot_fetch(&set, FetchMethod::Mirror(&endless()), &[&limit]);
}

#[test]
fn a_body_that_is_said_to_be_too_large_is_not_begun() {
    let set = small_set(serve_always("200 OK", "Content-Length: 99999999999\r\n", ""));
    Shelf::new().cannot_fetch(&set, FetchMethod::Source, &["more than 33554432 bytes"]);
}

#[test]
fn without_a_network_the_error_names_the_server() {
    let ways = ["cannot be reached", "network"];
    let set = small_set(closed_port());
    Shelf::new().cannot_fetch(&set, FetchMethod::Source, &ways);
    let set = small_set("https://server.invalid/small.zip".to_owned());
    Shelf::new().cannot_fetch(&set, FetchMethod::Source, &[&ways[..], &["server.invalid"]].concat());
}

#[test]
fn a_mirror_elsewhere_must_be_https() {
    let set = small_set(closed_port());
    for address in ["http://example.org", "ftp://example.org", "example.org/data", "", "http://127.0.0.1.example.org"] {
        Shelf::new().cannot_fetch(&set, FetchMethod::Mirror(address), &["is not used"]);
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let (shelf, set) = (Shelf::new(), small_set(serve_file(small_archive())));
    shelf.write("deep", "a file where the folder should be");
    shelf.cannot_fetch(&set, FetchMethod::Source, &["cannot be written"]);
}
