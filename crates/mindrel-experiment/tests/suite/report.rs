//! The report: everything is there, in every form, and needs nothing else.

use crate::common::{run_small, settings, tables};
use mindrel_experiment::{
    DataSetLine, ExperimentFacts, Measured, PreparedTable, Summaries, claims, figures, page, publish,
};

fn about<'a>(tables: impl Iterator<Item = &'a PreparedTable>) -> ExperimentFacts {
    let tables = tables.map(|table| DataSetLine::new(table, false)).collect();
    ExperimentFacts { command: "mindrel experiment <all> & more".to_owned(), seed: 7, version: "0.0.0", tables }
}

fn small(folder: &std::path::Path) -> (Measured, ExperimentFacts) {
    let tables = tables(folder);
    let (measured, _) = run_small(&tables, &settings(), &folder.join("parts"));
    (measured, about(tables.values()))
}

#[test]
fn the_page_needs_no_network_and_escapes_what_it_shows() {
    let folder = tempfile::tempdir().expect("there is room");
    let (measured, about) = small(folder.path());
    let page = page(&about, &[Summaries::of(&measured)]);
    for outside in ["src=\"http", "href=\"http", "url(", "@import", "<script", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("mindrel experiment &#60;all&#62; &#38; more") || page.contains("&lt;all&gt; &amp; more"));
    assert!(page.contains("not that of the catalogue"));
}

#[test]
fn every_plot_is_on_the_page_and_in_three_files_and_every_setting_in_two() {
    let folder = tempfile::tempdir().expect("there is room");
    let (measured, about) = small(folder.path());
    let found = Summaries::of(&measured);
    let out = folder.path().join("out");
    let path = publish(&out, &about, std::slice::from_ref(&found)).expect("it can be written");
    let page = std::fs::read_to_string(path).expect("it is there");
    for named in figures(&found) {
        assert!(page.contains(&named.figure.title));
        let file = |ending: &str| std::fs::read(out.join("figures").join(format!("{}.{ending}", named.name)));
        assert!(file("svg").expect("it is there").starts_with(b"<svg"));
        let numbers = file("csv").expect("it is there");
        let n_rows = csv::Reader::from_reader(numbers.as_slice()).records().count();
        assert_eq!(n_rows, named.figure.rows().len());
        let json: serde_json::Value = serde_json::from_slice(&file("json").expect("it is there")).expect("it is JSON");
        assert_eq!(json["title"], named.figure.title);
    }
    for claim in claims(&found) {
        assert!(page.contains(&claim.verdict.to_string()));
    }
    let results = std::fs::read(out.join("results/multiclass-linear.csv")).expect("it is there");
    assert_eq!(csv::Reader::from_reader(results.as_slice()).records().count(), found.rows().len());
    let results = std::fs::read(out.join("results/multiclass-linear.json")).expect("it is there");
    let json: serde_json::Value = serde_json::from_slice(&results).expect("it is JSON");
    assert_eq!(json["settings"].as_array().map(Vec::len), Some(found.rows().len()));
}
