//! Prints what a plan's classifier says of everybody in a table: the line, the class, and the scores.
//!
//! ```text
//! cargo run -p mindrel-import --example scores -- PLAN TABLE.csv > scores.csv
//! ```
//!
//! The tests that compare imported models with the originals read this.
#![allow(clippy::print_stdout)]

use std::path::Path;

use mindrel::model::Model;
use mindrel_io::plan_file;
use mindrel_io::table::{LabelColumn, Table, Unfit};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, plan, table] = &arguments[..] else { return Err("give a plan and a table".into()) };
    let plan = plan_file::read(Path::new(plan))?;
    let (people, _) = Table::at(table)?.people(plan.schema(), LabelColumn::Optional, Unfit::Skip, |_| ())?;
    let mut scores = vec![0.0; plan.model().n_scores()];
    for person in people.iter() {
        plan.model().scores(person.columns, &mut scores);
        let class = plan.schema().class(plan.model().label(person.columns));
        let scores: Vec<String> = scores.iter().map(f64::to_string).collect();
        println!("{},{class},{}", person.line, scores.join(","));
    }
    Ok(())
}
