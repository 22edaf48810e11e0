//! A row for each person and run.

use std::io::Write;

use mindrel::Plan;
use mindrel_audit::{Groups, PersonOutcome, Run};

/// The columns before those of the groups.
const HEADER: [&str; 13] = [
    "line",
    "run",
    "plan",
    "rule",
    "delta",
    "asked",
    "questions",
    "decision",
    "guarantee",
    "agrees",
    "right",
    "out_of_budget",
    "optimal",
];

/// Writes what became of people as rows of a table. It holds no answers, only the groups of `--by`.
pub struct PeopleRows<'a> {
    plan: &'a Plan,
    runs: &'a [Run],
    groups: Option<&'a Groups>,
    /// The names of the sensitive questions.
    names: Vec<String>,
}

impl<'a> PeopleRows<'a> {
    pub fn new(plan: &'a Plan, runs: &'a [Run], groups: Option<&'a Groups>) -> Self {
        let name = |id| escaped(&plan.schema().question(id).name);
        PeopleRows { plan, runs, groups, names: plan.sensitive().iter().map(|&id| name(id)).collect() }
    }

    /// The header line.
    pub fn header(&self) -> Vec<u8> {
        let columns = self.groups.map_or(&[][..], Groups::columns);
        let groups = columns.iter().map(|column| format!("group:{}", column.name));
        rows(|writer| writer.write_record(HEADER.map(str::to_owned).into_iter().chain(groups)))
    }

    /// The rows of some people.
    pub fn rows(&self, outcomes: &[PersonOutcome<'_>]) -> Vec<u8> {
        rows(|writer| outcomes.iter().try_for_each(|outcome| self.row(outcome, writer)))
    }

    fn row(&self, outcome: &PersonOutcome<'_>, writer: &mut csv::Writer<impl Write>) -> csv::Result<()> {
        let run = &self.runs[outcome.run];
        let questions: Vec<&str> = outcome.revealed.iter().map(|&place| self.names[place].as_str()).collect();
        writer.write_field(outcome.line.to_string())?;
        writer.write_field(outcome.run.to_string())?;
        writer.write_field(run.name().unwrap_or_default())?;
        writer.write_field(run.rule().to_string())?;
        writer.write_field(outcome.delta.to_string())?;
        writer.write_field(outcome.revealed.len().to_string())?;
        writer.write_field(questions.join(";"))?;
        writer.write_field(self.plan.schema().class(outcome.label))?;
        writer.write_field(outcome.guarantee.name())?;
        writer.write_field(outcome.agrees.to_string())?;
        writer.write_field(outcome.right.map(|right| right.to_string()).unwrap_or_default())?;
        writer.write_field(outcome.out_of_budget.to_string())?;
        writer.write_field(outcome.optimal.map(|size| size.to_string()).unwrap_or_default())?;
        if let (Some(groups), Some(cell)) = (self.groups, outcome.cell) {
            groups.levels(cell).try_for_each(|level| writer.write_field(level))?;
        }
        writer.write_record(None::<&[u8]>)
    }
}

/// A name that may stand between others parted by `;`.
fn escaped(name: &str) -> String {
    name.replace('\\', r"\\").replace(';', r"\;")
}

fn rows(write: impl FnOnce(&mut csv::Writer<Vec<u8>>) -> csv::Result<()>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    write(&mut writer).expect("memory can be written to");
    writer.into_inner().expect("memory can be written to")
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn a_name_with_a_semicolon_is_told_from_two_names() {
        assert_eq!(escaped(r"a;b\c"), r"a\;b\\c");
    }
}
