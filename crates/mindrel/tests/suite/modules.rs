//! The modules of the core use each other only as docs/architecture.md draws it, and never in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Which top-level modules each uses.
type Arrows = BTreeMap<String, BTreeSet<String>>;

const HEADING: &str = "## Modules of the core";

#[test]
fn the_modules_use_each_other_as_drawn() {
    let (drawn, used) = (drawn(), used());
    let modules: Vec<&String> = drawn.keys().collect();
    assert_eq!(modules, used.keys().collect::<Vec<_>>(), "the drawing lists every top-level module, and no other");
    for (module, uses) in &used {
        let missing: Vec<_> = uses.difference(&drawn[module]).collect();
        assert!(missing.is_empty(), "`{module}` uses {missing:?}, which docs/architecture.md does not allow");
        let idle: Vec<_> = drawn[module].difference(uses).collect();
        assert!(idle.is_empty(), "docs/architecture.md lets `{module}` use {idle:?}, which it does not; remove them");
    }
}

/// Takes away, again and again, modules that use only modules taken away before; in a circle nothing could be.
#[test]
fn the_drawing_has_no_circle() {
    let mut left = drawn();
    while !left.is_empty() {
        let is_free = |uses: &BTreeSet<String>| uses.iter().all(|used| !left.contains_key(used));
        let free: Vec<String> = left.iter().filter(|(_, uses)| is_free(uses)).map(|(name, _)| name.clone()).collect();
        assert!(!free.is_empty(), "these modules use each other in a circle: {:?}", left.keys());
        free.iter().for_each(|module| drop(left.remove(module)));
    }
}

/// The lines of the drawing: `| `module` | what is in it | `used`, `used` |`.
fn drawn() -> Arrows {
    let page = root().join("../../docs/architecture.md");
    let text = fs::read_to_string(page).expect("the architecture is written down");
    let (_, section) = text.split_once(HEADING).expect("it has a section on modules");
    let section = section.split("\n## ").next().expect("a section has a start");
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        (names(cells[0])[0].clone(), names(cells[2]).into_iter().collect())
    })
    .collect()
}

/// What the sources use, by every path that leaves its own top-level module.
fn used() -> Arrows {
    let source = root().join("src");
    let library = fs::read_to_string(source.join("lib.rs")).expect("the core has a front page");
    let exported = exported(&library);
    let modules: BTreeSet<String> = declared(&library).collect();
    let mut arrows: Arrows = modules.iter().map(|module| (module.clone(), BTreeSet::new())).collect();
    for file in files(&source) {
        let inside = file.strip_prefix(&source).expect("it is a source").with_extension("");
        let mut path: Vec<&str> = inside.iter().map(|part| part.to_str().expect("names are plain")).collect();
        path.retain(|part| *part != "mod");
        let Some(&module) = path.first().filter(|module| modules.contains(**module)) else { continue };
        let text = code(&fs::read_to_string(&file).expect("sources are text"));
        for name in roots(&text, path.len()) {
            // Inside a test module `super` is the module tested, so what it names may be no module.
            let target = exported.get(&name).cloned().unwrap_or(name);
            if target != module && modules.contains(&target) {
                arrows.get_mut(module).expect("it is a module").insert(target);
            }
        }
    }
    arrows
}

/// The names that follow `crate::`, or as many `super::` as lead from a module this deep to the root of the crate.
fn roots(text: &str, depth: usize) -> Vec<String> {
    let mut found = Vec::new();
    let up = "super::".repeat(depth);
    for start in ["crate::", &up] {
        for (place, _) in text.match_indices(start) {
            let before = text[..place].chars().next_back();
            let is_whole = before.is_none_or(|letter| !letter.is_alphanumeric() && !"_:$".contains(letter));
            if is_whole {
                found.extend(first_names(&text[place + start.len()..]));
            }
        }
    }
    found
}

/// The first name of a path, or those of each path in braces.
fn first_names(path: &str) -> Vec<String> {
    let name =
        |path: &str| -> String { path.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
    let Some(list) = path.strip_prefix('{') else { return vec![name(path)] };
    let (mut depth, mut names, mut start) = (0usize, Vec::new(), 0);
    for (place, letter) in list.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                names.push(name(&list[start..place]));
                start = place + 1;
                if letter == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names.into_iter().filter(|name| !name.is_empty()).collect()
}

/// The text without comments: a link in a doc comment is no import.
fn code(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// The modules the front page declares.
fn declared(library: &str) -> impl Iterator<Item = String> + '_ {
    let name = |line: &str| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        Some(line.strip_prefix("mod ")?.strip_suffix(';')?.to_owned())
    };
    library.lines().filter_map(name)
}

/// The module behind each name that the front page exports.
fn exported(library: &str) -> BTreeMap<String, String> {
    let lines = library.lines().filter_map(|line| line.strip_prefix("pub use ")?.strip_suffix(';')?.split_once("::"));
    lines
        .flat_map(|(module, names)| {
            let names = names.trim_matches(['{', '}']).split(',').map(|name| name.trim().to_owned());
            names.map(move |name| (name, module.to_owned()))
        })
        .collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("it can be read").path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    let sources = files.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    sources.chain(folders.iter().flat_map(|folder| self::files(folder))).collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn imports_are_found_however_they_are_written() {
    let text = "use crate::{plan::{Plan, Rules}, Label};\nlet x = crate::math::LARGEST;\nuse super::super::rules::Test; use super::x;";
    assert_eq!(roots(&code(text), 2), ["plan", "Label", "math", "rules"]);
    assert!(roots(&code("/// [`Plan`](crate::plan::Plan)"), 1).is_empty());
}
