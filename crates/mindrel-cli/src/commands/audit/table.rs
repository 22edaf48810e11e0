//! Reading a table of people for an audit, and writing their rows.

use anyhow::{anyhow, bail, ensure};
use mindrel::Plan;
use mindrel::plan::Training;
use mindrel_audit::{AuditOutcome, Cohort, GroupColumn, Groups, Run};
use mindrel_io::output::{Readers, WholeFile};
use mindrel_io::table::{Block, Decoder, Grouping, LabelColumn, RowSample, Table, Unfit};
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
}

impl AuditedRows<'_> {
    fn include(&self, line: u64) -> bool {
        let is_held_out = self.held_out.is_none_or(|training| training.is_held_out(line));
        is_held_out && self.sample.is_none_or(|sample| sample.takes(line))
    }
}

impl AuditArguments {
    /// Decides about everybody in the table, and writes a row for each if that is asked for.
    pub(super) fn audit(&self, plan: &Plan, runs: &[Run]) -> anyhow::Result<AuditOutcome> {
        let table = self.reading.table(&self.table)?;
        let rows = self.audited_rows(plan, table)?;
        let grouping = self.grouping(plan, table, &rows)?;
        let groups = grouping.as_ref().map(groups_of);
        let blocks = table.open()?;
        let decoder = Decoder::new(&blocks, plan.schema(), LabelColumn::Optional, Unfit::Skip)?;
        let progress = DecisionBar::new(runs.len(), table.size(), self.limit.or(self.first));
        let decode = |block: Block| {
            let people = decoder.decode(&block)?.filter(|person| rows.include(person.line));
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
        let result = match self.first {
            None => self.run_and_write(&audit, blocks, decode, &written),
            Some(first) => {
                let cohorts = first_people(blocks.map(|block| decode(block?)), first);
                self.run_and_write(&audit, cohorts, Ok, &written)
            }
        };
        progress.finish();
        let (report, file) = result?;
        tell_skipped(&decoder.skipped());
        ensure!(report.people > 0, "{}: there is no one to audit; check {NARROWING}", table.name());
        if let Some(file) = file {
            file.finish()?;
        }
        Ok(report)
    }

    /// Runs an audit; the file with everybody's rows is still to be finished.
    fn run_and_write<B: Send>(
        &self,
        audit: &mindrel_audit::Audit<'_>,
        blocks: impl Iterator<Item = mindrel_io::Result<B>> + Send,
        decode: impl Fn(B) -> mindrel_io::Result<Cohort> + Sync,
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
        let first = self.first.unwrap_or(usize::MAX);
        let grouping = Grouping::survey(table, plan.schema(), &self.by, first, |line| rows.include(line));
        grouping.map(Some).map_err(|error| match &error {
            Error::Groups { problem: GroupProblem::Nobody, .. } => anyhow!("{error} Check {NARROWING}."),
            _ => error.into(),
        })
    }

    /// The rows that `--held-out` and `--limit` leave.
    fn audited_rows<'a>(&self, plan: &'a Plan, table: &Table) -> anyhow::Result<AuditedRows<'a>> {
        let held_out = self.held_out_rows(plan, table)?;
        let Some(limit) = self.limit else {
            return Ok(AuditedRows { held_out, sample: None });
        };
        let kept = |line| held_out.is_none_or(|training| training.is_held_out(line));
        let sample = RowSample::draw(table, limit, self.rules.sampling_seed(), kept)?;
        Ok(AuditedRows { held_out, sample: Some(sample) })
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

/// The first people of a table, block by block.
fn first_people<E>(
    blocks: impl Iterator<Item = Result<Cohort, E>>,
    limit: usize,
) -> impl Iterator<Item = Result<Cohort, E>> {
    let mut left = limit;
    blocks.map_while(move |cohort| {
        if left == 0 {
            return None;
        }
        let mut cohort = match cohort {
            Ok(cohort) => cohort,
            Err(error) => return Some(Err(error)),
        };
        cohort.truncate(left);
        left -= cohort.people().len();
        Some(Ok(cohort))
    })
}
