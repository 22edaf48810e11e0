//! Fits a logistic regression to a table and prints how long that took: `logistic_speed TABLE.csv`.
//!
//! Text columns become one 0/1 column for each level, numbers are scaled to [−1, 1], and the last column is the class.
//! Cells hold no quotes. `scripts/bench/logistic.py` runs this beside scikit-learn.

use std::collections::BTreeSet;
use std::time::Instant;

use mindrel_train::TrainingSet;
use mindrel_train::logistic::{self, LogisticOptions};

#[expect(clippy::print_stdout, reason = "an example prints what it finds")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a table")?;
    let set = encode(&std::fs::read_to_string(path)?)?;
    let start = Instant::now();
    let fit = logistic::fit(&set, &LogisticOptions::default(), &mut |_| ())?;
    let seconds = start.elapsed().as_secs_f64();
    println!("{} rows, {} columns, {} classes", set.n_rows(), set.n_columns(), set.n_classes());
    println!("{} iterations, objective {:.9}, {seconds:.3} s", fit.n_iterations, fit.objective);
    if let Some(warning) = fit.warning {
        println!("warning: {warning}");
    }
    Ok(())
}

fn encode(table: &str) -> Result<TrainingSet, Box<dyn std::error::Error>> {
    let lines: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let last = lines.first().ok_or("the table has no rows")?.len() - 1;
    let cells = |index: usize| lines.iter().map(move |line| line[index]);
    let levels = |index: usize| cells(index).collect::<BTreeSet<&str>>().into_iter().collect::<Vec<&str>>();
    let columns: Vec<Column<'_>> = (0..last)
        .map(|index| match cells(index).map(str::parse).collect::<Result<Vec<f64>, _>>() {
            Ok(numbers) => {
                let lower = numbers.iter().copied().fold(f64::INFINITY, f64::min);
                Column::Number { lower, upper: numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max) }
            }
            Err(_) => Column::Category { levels: levels(index) },
        })
        .collect();
    let mut rows = Vec::new();
    for line in &lines {
        for (cell, column) in line.iter().zip(&columns) {
            match column {
                Column::Number { lower, upper } => {
                    rows.push(-1.0 + 2.0 * (cell.parse::<f64>()? - lower) / (upper - lower))
                }
                Column::Category { levels } => {
                    rows.extend(levels.iter().map(|level| f64::from(u8::from(level == cell))))
                }
            }
        }
    }
    let classes = levels(last);
    let labels = cells(last).map(|cell| classes.binary_search(&cell).expect("a level")).collect();
    let n_columns = rows.len() / lines.len();
    Ok(TrainingSet::new(rows, n_columns, labels, classes.len())?)
}

/// How a column is encoded.
enum Column<'a> {
    Number { lower: f64, upper: f64 },
    Category { levels: Vec<&'a str> },
}
