//! The documents tell the truth about where things are.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Everything between single backticks.
fn code_spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// `crates/…` alone is a path; `crates/…::name` also names a test in it.
fn check_span(document: &str, span: &str) -> Result<(), String> {
    let (path, test) = span.split_once("::").map_or((span, None), |(path, test)| (path, Some(test)));
    let place = root().join(path);
    if !place.exists() {
        return Err(format!("{document}: `{path}` does not exist"));
    }
    match test {
        Some(test) if !read(&place).contains(&format!("fn {test}(")) => {
            Err(format!("{document}: `{path}` has no test `{test}`"))
        }
        _ => Ok(()),
    }
}

fn is_place(span: &&str) -> bool {
    ["crates/", "docs/", "scripts/"].iter().any(|start| span.starts_with(start))
}

#[test]
fn every_path_and_test_the_documents_name_exists() {
    let documents = [
        "docs/paper-map.md",
        "docs/architecture.md",
        "docs/speed.md",
        "docs/leakage.md",
        "docs/formats.md",
        "docs/calibration.md",
        "docs/data.md",
        "docs/results.md",
        "docs/beliefs.md",
        "docs/import.md",
        "docs/python.md",
        "docs/service.md",
        "docs/equal-burden.md",
        "docs/audit-report.md",
        "README.md",
    ];
    let mut found = 0;
    for document in documents {
        for span in code_spans(&read(&root().join(document))).filter(is_place) {
            let span = span.split_whitespace().next().expect("a place has a name");
            check_span(document, span).unwrap_or_else(|problem| panic!("{problem}"));
            found += 1;
        }
    }
    assert!(found > 50, "only {found} places were found: the documents have changed their form");
}

#[test]
fn a_path_or_a_test_that_does_not_exist_is_noticed() {
    let here = "crates/mindrel-testing/tests/suite/documents.rs";
    assert!(check_span("a document", here).is_ok());
    assert!(check_span("a document", &format!("{here}::a_path_or_a_test_that_does_not_exist_is_noticed")).is_ok());
    assert!(check_span("a document", &format!("{here}::no_such_test")).is_err());
    assert!(check_span("a document", "crates/mindrel/src/no_such_file.rs").is_err());
}

/// Every row of the map has as many cells as its table's header, so that no test slips into the wrong column.
#[test]
fn the_paper_map_has_whole_rows() {
    let map = read(&root().join("docs/paper-map.md"));
    let mut width = None;
    for line in map.lines() {
        let cells = line.replace("\\|", "").matches('|').count();
        match width {
            _ if cells == 0 => width = None,
            None => width = Some(cells),
            Some(width) => assert_eq!(cells, width, "{line}"),
        }
    }
}

/// Links between the documents lead somewhere.
#[test]
fn links_between_documents_lead_somewhere() {
    let pages = pages().into_iter().map(|page| format!("docs/{page}"));
    for document in ["README.md", "CONTRIBUTING.md"].map(str::to_owned).into_iter().chain(pages) {
        let path = root().join(&document);
        let folder = path.parent().expect("a document lies in a folder");
        for target in read(&path).split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            let leads_somewhere = target.starts_with("http") || folder.join(target).exists();
            assert!(leads_somewhere, "{document} links to {target}");
        }
    }
}

/// The index names every page, so that each can be found.
#[test]
fn the_index_names_every_page() {
    let index = read(&root().join("docs/README.md"));
    for page in pages().into_iter().filter(|page| page != "README.md") {
        assert!(index.contains(&format!("]({page})")), "docs/README.md does not name {page}");
    }
}

/// The pages in docs/, without the design decisions.
fn pages() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("docs")).expect("there are documents");
    let names = entries.map(|entry| entry.expect("it can be listed").file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".md")).collect()
}
