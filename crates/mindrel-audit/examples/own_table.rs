//! From a table to an audit in code: read, train, audit.
//!
//! Reads the loan applications that ship with the command line, takes the loan's own facts as public and the rest as
//! sensitive, and prints how many questions our rule and the paper's ask at δ = 0 and δ = 0.05.
//!
//! Run with `cargo run --release --example own_table -p mindrel-audit`.

use std::path::Path;

use mindrel::{People, Rules, Selector};
use mindrel_audit::{Run, audit};
use mindrel_io::table::{Decoder, InferOptions, LabelColumn, Roles, Table, Unfit, infer};
use mindrel_train::logistic::LogisticOptions;
use mindrel_train::{Believer, Learner, fit_plan};

#[expect(clippy::print_stdout, reason = "an example prints what it finds")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let table = Table::at(Path::new(env!("CARGO_MANIFEST_DIR")).join("../mindrel-cli/data/loan.csv"))?;
    let public = ["Time", "Amount", "Price"].map(str::to_owned).to_vec();
    let roles = Roles { public: Some(public), ..Roles::default() };
    let schema = infer(&table, &InferOptions { roles, ..InferOptions::of("label") }, |_| true)?.schema;

    let mut blocks = table.open()?;
    let decoder = Decoder::new(&blocks, &schema, LabelColumn::Required, Unfit::Refuse)?;
    let mut people = People::new(schema.n_columns());
    for block in &mut blocks {
        people.append(&decoder.decode(&block?)?);
    }
    let learner = Learner::Logistic(LogisticOptions::default());
    let plan = fit_plan(&schema, &people, &learner, &Believer::Gaussian, None, &mut |_| ())?;

    let mut runs = Vec::new();
    for delta in [0.0, 0.05] {
        for selector in [Selector::Decisive, Selector::FScore] {
            runs.push(Run::asking(&plan, Rules { delta, selector, ..Rules::default() })?);
        }
    }
    let report = audit(&plan, &runs, table.open()?, |block| decoder.decode(&block))?;
    for run in &report.runs {
        println!("delta {:<4} {:<8} asks {:.2} of {} questions", run.delta, run.rule, run.mean_asked, report.questions);
    }
    Ok(())
}
