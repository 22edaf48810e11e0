//! A small table with three classes, made up, for which any recipe that leaves nothing out will do.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use mindrel_experiment::{
    Design, ExperimentProgress, ExperimentSettings, Measured, PreparedTable, Recipe, TrialStore, run,
};

/// The experiment that is run on it.
pub const EXPERIMENT: &str = "multiclass-linear";

/// People whose class depends on four of six columns and some noise.
fn table(rows: usize, salt: usize) -> String {
    let mut text = String::from("a,b,c,d,e,f,label\n");
    for row in 0..rows {
        let value = |column: usize| ((row * (37 + 2 * column) + salt * 11 + column * 101) % 97) as f64 / 97.0;
        let score = 2.0 * value(0) - 1.5 * value(1) + value(2) * value(3) + 0.2 * value(5);
        let class = if score < 0.2 {
            "low"
        } else if score < 0.9 {
            "middle"
        } else {
            "high"
        };
        let cells: Vec<String> = (0..6).map(|column| format!("{:.3}", value(column))).collect();
        writeln!(text, "{},{class}", cells.join(",")).expect("memory takes everything");
    }
    text
}

/// Both data sets of the experiment, prepared.
pub fn tables(folder: &Path) -> BTreeMap<&'static str, PreparedTable> {
    let design = Design::named(EXPERIMENT).expect("it exists");
    let prepare = |(salt, name): (usize, &&'static str)| {
        let path = folder.join(format!("{name}.csv"));
        std::fs::write(&path, table(240, salt)).expect("the folder is there");
        (*name, PreparedTable::read(&path, Recipe::of(name)).expect("the table is sound"))
    };
    design.data_sets.iter().enumerate().map(prepare).collect()
}

/// Few repetitions on few people.
pub fn settings() -> ExperimentSettings {
    ExperimentSettings { seed: 7, repetitions: Some(3), people: Some(40) }
}

/// Runs it, and says how much work there was.
pub fn run_small(
    tables: &BTreeMap<&'static str, PreparedTable>,
    settings: &ExperimentSettings,
    folder: &Path,
) -> (Measured, u64) {
    let work = std::sync::atomic::AtomicU64::new(0);
    let tell = |progress: ExperimentProgress<'_>| work.store(progress.whole, std::sync::atomic::Ordering::Relaxed);
    let store = TrialStore::open(folder).expect("the folder can be made");
    let designs = [Design::named(EXPERIMENT).expect("it exists")];
    let measured = run(&designs, tables, settings, &store, &tell).expect("the table can be learned from");
    (measured.into_iter().next().expect("one experiment was run"), work.into_inner())
}
