//! A type name means one thing in the whole workspace.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Every source file of the workspace, without tests, benches and examples.
fn sources() -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<PathBuf> = entries(&crates).into_iter().map(|folder| folder.join("src")).collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in entries(&folder) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|extension| extension == "rs") {
                files.push(entry);
            }
        }
    }
    files
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    read.map(|entry| entry.expect("a folder can be listed").path()).collect()
}

/// The name that a line defines: `pub(crate) struct Name<T> {` defines `Name`.
fn defined(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
    if !["struct", "enum", "trait", "union"].contains(&words.next()?) {
        return None;
    }
    words.next()?.split(|letter: char| !letter.is_alphanumeric()).next().filter(|name| !name.is_empty())
}

#[test]
fn no_type_name_has_two_meanings() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in sources() {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for name in text.lines().filter_map(defined) {
            places.entry(name.to_owned()).or_default().push(file.display().to_string());
        }
    }
    assert!(places.len() > 300, "only {} types were found: they are written in another way", places.len());
    places.retain(|_, files| files.len() > 1);
    assert!(places.is_empty(), "defined more than once: {places:#?}");
}

#[test]
fn definitions_are_recognised() {
    assert_eq!(defined("pub struct Plan {"), Some("Plan"));
    assert_eq!(defined("    pub(crate) enum Part<'a> {"), Some("Part"));
    assert_eq!(defined("trait Prover: Send {"), Some("Prover"));
    assert_eq!(defined("let plan = struct_of(plan);"), None);
    assert_eq!(defined("/// struct of arrays"), None);
}
