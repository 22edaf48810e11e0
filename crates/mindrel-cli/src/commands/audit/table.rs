//! Reading a table of people for an audit, and writing their rows.

use anyhow::{anyhow, bail, ensure};
use mindrel::Plan;
use mindrel::plan::Training;
use mindrel_audit::{AuditOutcome, Cohort, GroupColumn, Groups, Run};
use mindrel_io::output::{Readers, WholeFile};
use mindrel_io::table::{Block, Decoder, Grouping, LabelColumn, RowSample, SkippedRows, Table, Unfit};
use mindrel_io::{Error, GroupProblem};

use super::AuditArguments;
use super::people::PeopleRows;
use crate::commands::tables::tell_skipped;
use crate::terminal::progress::DecisionBar;

/// The options that may leave nobody to audit.
const NARROWING: &str = "--limit, --first and --held-out";

/// Which rows of a table are audited.
struct AuditedRows<'a> {
    /// Those held out when the plan was fitted, if only they are.
    held_out: Option<&'a Training>,
    /// Those drawn at random, if only some are.
    sample: Option<RowSample>,
    /// The last line, if only the first people are.
    last: u64,
}

impl AuditedRows<'_> {
    fn include(&self, line: u64) -> bool {
        let is_held_out = self.held_out.is_none_or(|training| training.is_held_out(line));
        line <= self.last && is_held_out && self.sample.is_none_or(|sample| sample.takes(line))
    }
}

impl AuditArguments {
    /// Decides about everybody in the table, and writes a row for each if that is asked for. Tells also which rows were
    /// skipped.
    pub(super) fn audit(&self, plan: &Plan, runs: &[Run]) -> anyhow::Result<(AuditOutcome, Vec<SkippedRows>)> {
        let table = self.reading.table(&self.table)?;
        let rows = self.audited_rows(plan, table)?;
        let grouping = self.grouping(plan, table, &rows)?;
        let groups = grouping.as_ref().map(groups_of);
        let blocks = table.open()?;
        let decoder = Decoder::new(&blocks, plan.schema(), LabelColumn::Optional, Unfit::Skip)?;
        let progress = DecisionBar::new(runs.len(), table.size(), self.limit.or(self.first));
        let decode = |block: Block| {
            let people = decoder.decode_kept(&block, |line| rows.include(line))?;
            progress.read(block.size(), people.len());
            match &grouping {
                Some(grouping) => {
                    let cells = grouping.cells(&block, &people)?;
                    Ok(Cohort::new(people, cells))
                }
                None => Ok(Cohort::from(people)),
            }
        };
        let decided = |decisions| progress.decided(decisions);
        let audit = mindrel_audit::Audit::new(plan, runs).by(groups.as_ref()).telling(&decided);
        let audit = audit.with_giveaway(self.giveaway).with_smallest_group(self.smallest_group);
        let written = PeopleRows::new(plan, runs, groups.as_ref());
        let blocks = blocks.take_while(|block| block.as_ref().map_or(true, |block| block.first_line() <= rows.last));
        let result = self.run_and_write(&audit, blocks, decode, &written);
        progress.finish();
        let (report, file) = result?;
        let skipped = decoder.skipped();
        tell_skipped(&skipped);
        ensure!(report.people > 0, "{}: there is no one to audit; check {NARROWING}", table.name());
        if let Some(file) = file {
            file.finish()?;
        }
        Ok((report, skipped))
    }

    /// Runs an audit; the file with everybody's rows is still to be finished.
    fn run_and_write(
        &self,
        audit: &mindrel_audit::Audit<'_>,
        blocks: impl Iterator<Item = mindrel_io::Result<Block>> + Send,
        decode: impl Fn(Block) -> mindrel_io::Result<Cohort> + Sync,
        rows: &PeopleRows<'_>,
    ) -> mindrel_io::Result<(AuditOutcome, Option<WholeFile>)> {
        let Some(path) = &self.people_csv else {
            return Ok((audit.run(blocks, decode)?, None));
        };
        // What was asked of whom, and what was decided about them, is for those who asked for it.
        let mut file = WholeFile::create(path, Readers::Owner)?;
        file.write(&rows.header())?;
        let report = audit.run_writing(blocks, decode, &|outcomes| rows.rows(outcomes), |text| file.write(text))?;
        Ok((report, Some(file)))
    }

    /// The groups that the columns of `--by` make of the people who are audited.
    fn grouping(&self, plan: &Plan, table: &Table, rows: &AuditedRows<'_>) -> anyhow::Result<Option<Grouping>> {
        if self.by.is_empty() {
            return Ok(None);
        }
        ensure!(self.by.len() <= 2, "--by takes one or two columns; use separate audits for more");
        ensure!(
            self.by.len() == 1 || self.by[0] != self.by[1],
            "--by names column \"{}\" twice; name it once",
            self.by[0]
        );
        let grouping = Grouping::survey(table, plan.schema(), &self.by, |line| rows.include(line));
        grouping.map(Some).map_err(|error| match &error {
            Error::Groups { problem: GroupProblem::Nobody, .. } => anyhow!("{error} Check {NARROWING}."),
            _ => error.into(),
        })
    }

    /// The rows that `--held-out`, `--limit` and `--first` leave.
    fn audited_rows<'a>(&self, plan: &'a Plan, table: &Table) -> anyhow::Result<AuditedRows<'a>> {
        let held_out = self.held_out_rows(plan, table)?;
        let kept = |line| held_out.is_none_or(|training| training.is_held_out(line));
        let draw = |limit| RowSample::draw(table, limit, self.rules.sampling_seed(), kept);
        let sample = self.limit.map(draw).transpose()?;
        let last = self.first.map_or(Ok(u64::MAX), |first| last_line(table, plan, first, kept))?;
        Ok(AuditedRows { held_out, sample, last })
    }

    fn held_out_rows<'a>(&self, plan: &'a Plan, table: &Table) -> anyhow::Result<Option<&'a Training>> {
        if !self.held_out {
            return Ok(None);
        }
        let Some(training) = plan.training().filter(|training| training.holdout > 0.0) else {
            bail!("the plan was fitted without --holdout, so no rows were held out; leave out --held-out");
        };
        ensure!(
            table.digest()? == training.table,
            "{}: this is not the table the plan was fitted on, so it has no held-out rows; leave out --held-out",
            table.name()
        );
        Ok(Some(training))
    }
}

fn groups_of(grouping: &Grouping) -> Groups {
    let column = |(name, levels): (&str, &[String])| GroupColumn { name: name.to_owned(), levels: levels.to_vec() };
    Groups::new(grouping.columns().map(column).collect())
}

/// The line of the last of the first people whom the plan can read.
fn last_line(table: &Table, plan: &Plan, first: usize, kept: impl Fn(u64) -> bool) -> mindrel_io::Result<u64> {
    let blocks = table.open()?;
    let decoder = Decoder::new(&blocks, plan.schema(), LabelColumn::Optional, Unfit::Skip)?;
    let mut lines = Vec::new();
    for block in blocks {
        if lines.len() >= first {
            break;
        }
        lines.extend(decoder.decode_kept(&block?, &kept)?.iter().map(|person| person.line));
    }
    lines.truncate(first);
    Ok(if lines.len() < first { u64::MAX } else { lines.last().copied().unwrap_or(0) })
}
