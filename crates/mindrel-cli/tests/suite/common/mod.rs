//! What these tests share: a folder to run the program in, small tables, and what a refusal looks like.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// A cell or an answer that must turn up in no message.
pub const SENTINEL: &str = "987654.25";

/// The public answers that go with [`loan_answers`].
pub const LOAN_PUBLIC: &str = "Time=60,Amount=1000,Price=2000";

/// A folder of its own, in which the program runs; files are known by their names.
pub struct Desk {
    folder: TempDir,
}

/// How a run ended.
#[derive(Debug)]
pub struct Outcome {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Desk {
    pub fn new() -> Self {
        Desk { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    /// A folder with `loan.plan`, fitted on the embedded loan applications.
    pub fn with_loan_plan() -> Self {
        static PLAN: OnceLock<Vec<u8>> = OnceLock::new();
        let plan = PLAN.get_or_init(|| {
            let desk = Desk::new();
            desk.copy_loan_data();
            desk.run(["fit", "loan.csv", "--label", "label", "--schema", "loan.toml", "-o", "loan.plan"]).succeeded();
            std::fs::read(desk.path("loan.plan")).expect("the plan was written")
        });
        let desk = Desk::new();
        desk.write("loan.plan", plan);
        desk
    }

    /// A folder with `people.csv`, 300 people of `n_classes` classes, and `people.plan`, in which age is public.
    pub fn with_people_plan(n_classes: usize) -> Self {
        let desk = Desk::new();
        desk.write("people.csv", people(n_classes, 300).to_text());
        desk.run(["fit", "people.csv", "--label", "outcome", "--public", "age", "-o", "people.plan"]).succeeded();
        desk
    }

    /// Puts `loan.csv` and `loan.toml` here.
    pub fn copy_loan_data(&self) {
        self.write("loan.csv", include_bytes!("../../../data/loan.csv"));
        self.write("loan.toml", include_bytes!("../../../data/loan.toml"));
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).expect("the folder may be written to");
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Everything here: names, hidden ones too, and contents.
    pub fn inventory(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        files_under(self.folder.path())
    }

    /// The program, ready to run here.
    pub fn command<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = mindrel();
        command.current_dir(self.folder.path()).args(arguments);
        command
    }

    /// Runs the program here, with nothing on its standard input.
    pub fn run<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Outcome {
        Outcome::of(&mut self.command(arguments))
    }

    /// Runs the program here and types these lines.
    pub fn run_typing<'a>(&self, arguments: impl IntoIterator<Item = &'a str>, lines: &[&str]) -> Outcome {
        Outcome::of(self.command(arguments).write_stdin(lines.join("\n") + "\n"))
    }

    /// Runs the program on bad input: it must say all of `parts`, and leave everything here as it was.
    pub fn refuses<'a>(&self, arguments: impl IntoIterator<Item = &'a str>, parts: &[&str]) -> Outcome {
        let before = self.inventory();
        let outcome = self.run(arguments).refused(parts);
        assert!(self.inventory() == before, "files were made or changed by a run that failed:\n{}", outcome.err);
        outcome
    }
}

/// The program, without any settings of the one who runs the tests.
pub fn mindrel() -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("mindrel");
    command.env_remove("NO_COLOR").env_remove("RAYON_NUM_THREADS").env_remove("MINDREL_DATA");
    command
}

impl Outcome {
    pub fn of(command: &mut Command) -> Self {
        let output = command.output().expect("the program starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program writes UTF-8");
        let outcome = Outcome {
            code: output.status.code().expect("the program ends by itself"),
            out: text(output.stdout),
            err: text(output.stderr),
        };
        assert!(!outcome.err.contains("panicked"), "{}", outcome.err);
        outcome
    }

    pub fn succeeded(self) -> Self {
        assert_eq!(self.code, 0, "it should succeed:\n{}\n{}", self.out, self.err);
        self
    }

    /// The session of `ask` ended without a decision.
    pub fn undecided(self) -> Self {
        assert_eq!(self.code, 3, "it should be undecided:\n{}\n{}", self.out, self.err);
        self
    }

    /// The session of `ask` was stopped.
    pub fn stopped(self) -> Self {
        assert_eq!(self.code, 4, "it should be stopped:\n{}\n{}", self.out, self.err);
        self
    }

    /// Bad input: exit code 2, these words on standard error, said once, and the sentinel nowhere.
    pub fn refused(self, parts: &[&str]) -> Self {
        assert_eq!(self.code, 2, "it should refuse:\n{}\n{}", self.out, self.err);
        for part in parts {
            assert!(self.err.contains(part), "{part:?} is missing from:\n{}", self.err);
        }
        assert!(self.err.starts_with("error: "), "{}", self.err);
        self.keeps_quiet_about(SENTINEL)
    }

    /// An answer or a cell is shown nowhere.
    pub fn keeps_quiet_about(self, value: &str) -> Self {
        assert!(!self.out.contains(value) && !self.err.contains(value), "{value} is in:\n{}\n{}", self.out, self.err);
        self
    }

    /// Standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }

    /// The sensitive questions as they were put, in order: `1  How old are you?   18 to 68` is one.
    pub fn questions(&self) -> Vec<String> {
        let question = |line: &str| {
            let (number, rest) = line.split_once("  ")?;
            number.parse::<usize>().ok()?;
            Some(rest.split("   ").next().unwrap_or(rest).to_owned())
        };
        self.out.lines().filter_map(question).collect()
    }
}

fn files_under(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            found.extend(files_under(&path));
            found.insert(path, None);
        } else {
            let content = std::fs::read(&path).expect("the file can be read");
            found.insert(path, Some(content));
        }
    }
    found
}

/// A table, to be written in more than one way.
#[derive(Clone)]
pub struct Rows {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Rows {
    /// The table as text, with quotes only where they are needed.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for row in std::iter::once(&self.header).chain(&self.rows) {
            let cells: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
            writeln!(text, "{}", cells.join(",")).expect("writing to a string");
        }
        text
    }

    /// The same table with these of its columns, in this order.
    pub fn with_columns(&self, names: &[&str]) -> Rows {
        let places: Vec<usize> = names
            .iter()
            .map(|name| self.header.iter().position(|column| column == name).expect("a column of the table"))
            .collect();
        let pick = |row: &Vec<String>| places.iter().map(|&place| row[place].clone()).collect();
        Rows { header: pick(&self.header), rows: self.rows.iter().map(pick).collect() }
    }

    /// The same table with another column in front.
    pub fn with_extra(&self, name: &str, cell: impl Fn(usize) -> String) -> Rows {
        let mut extended = self.clone();
        extended.header.insert(0, name.to_owned());
        for (place, row) in extended.rows.iter_mut().enumerate() {
            row.insert(0, cell(place));
        }
        extended
    }
}

fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

/// People of `n_classes` classes: age (integer), income (number, sometimes missing), visits (integer), member (no or
/// yes) and region (category, sometimes missing, with levels that need quotes). Always the same.
pub fn people(n_classes: usize, n_rows: usize) -> Rows {
    let regions = ["", "north", "south, by the sea", "the \"far\" east", "two\nlines"];
    let mut state = 20_231_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let header = ["age", "income", "visits", "member", "region", "outcome"].map(str::to_owned).to_vec();
    let person = |_| {
        let (age, income, visits) = (18 + draw(60), 100 + draw(900), draw(21));
        let (member, region, luck) = (draw(2), draw(regions.len() as u64), draw(30));
        let score = age / 6 + income / 30 + 2 * visits + 12 * member + 4 * region + luck;
        let class = (score.saturating_sub(20) * n_classes as u64 / 110).min(n_classes as u64 - 1);
        let income = if draw(12) == 0 { String::new() } else { format!("{}.{}", income / 10, income % 10) };
        let member = ["no", "yes"][member as usize].to_owned();
        let region = regions[region as usize].to_owned();
        vec![age.to_string(), income, visits.to_string(), member, region, format!("class-{class}")]
    };
    Rows { header, rows: (0..n_rows).map(person).collect() }
}

/// The answers of somebody who asks for a loan, all of them; at delta 0 some need not be asked.
pub fn loan_answers() -> Value {
    serde_json::json!({
        "Time": 60, "Amount": 1000, "Price": 2000,
        "Seniority": 5, "Home": "rent", "Age": 30, "Marital": "single", "Records": false, "Job": "fixed",
        "Expenses": 40, "Income": 200, "Assets": 0, "Debt": 0,
    })
}
