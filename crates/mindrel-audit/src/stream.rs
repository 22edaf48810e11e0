//! Auditing a stream of people on all cores.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use mindrel::core_test::Guarantee;
use mindrel::model::ProvedBy;
use mindrel::{Label, People, Plan};
use rayon::iter::{IntoParallelIterator, ParallelBridge, ParallelIterator};

use crate::cohort::{Cohort, Groups};
use crate::decisions::{CohortSlice, RunDecisions};
use crate::outcome::AuditOutcome;
use crate::rule::Rule;
use crate::run::Run;
use crate::small_groups::SMALLEST_GROUP;
use crate::tally::{Tally, full_labels};

/// How many people of a block one core takes at a time if each may take a while, as with networks.
const SLOW_PEOPLE: usize = 16;

/// The same if a model can only be run: the more, the fewer calls.
const RUN_PEOPLE: usize = 256;

/// How many people's decisions are kept in memory at a time.
const MOST_PEOPLE: usize = 4096;

/// How many blocks per core are processed at a time if rows are written in order.
const WAVE: usize = 8;

/// Audits a plan: decides about everyone under every run, and counts.
///
/// `blocks` are taken in order, one at a time; `decode` turns a block into people, on whichever core is free. Memory
/// holds a block or two per core, however long the table is.
///
/// # Errors
/// The first error in the order of the blocks.
pub fn audit<B, E>(
    plan: &Plan,
    runs: &[Run],
    blocks: impl Iterator<Item = Result<B, E>> + Send,
    decode: impl Fn(B) -> Result<People, E> + Sync,
) -> Result<AuditOutcome, E>
where
    B: Send,
    E: Send,
{
    Audit::new(plan, runs).run(blocks, decode)
}

/// An audit and its options.
#[derive(Clone, Copy)]
pub struct Audit<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) runs: &'a [Run],
    pub(crate) groups: Option<&'a Groups>,
    pub(crate) giveaway: bool,
    pub(crate) smallest_group: u64,
    decided: &'a (dyn Fn(usize) + Sync),
}

/// The result of one person in one run. It contains no answers, but which questions were needed says something about
/// them.
#[derive(Debug, Clone, PartialEq)]
pub struct PersonOutcome<'a> {
    /// The person's line in the table.
    pub line: u64,
    /// The index of the run.
    pub run: usize,
    /// The failure probability; with calibrated rules, that of the person's group.
    pub delta: f64,
    /// The revealed questions, by index in [`Plan::sensitive`] and in the order they were asked.
    pub revealed: &'a [usize],
    /// The decision.
    pub label: Label,
    /// What it rests on.
    pub guarantee: Guarantee,
    /// Whether it is the model's with everything revealed.
    pub agrees: bool,
    /// Whether it is correct; `None` if the table has no label.
    pub right: Option<bool>,
    /// Whether a test ran out of budget or time.
    pub out_of_budget: bool,
    /// The size of a smallest core set, if that baseline is among the runs.
    pub optimal: Option<usize>,
    /// The person's cell, if people are grouped.
    pub cell: Option<usize>,
}

/// Turns the results of some people into the text of their rows, on whichever core is free.
pub type Rows<'a> = dyn Fn(&[PersonOutcome<'_>]) -> Vec<u8> + Sync + 'a;

impl<'a> Audit<'a> {
    /// An audit of a plan under some runs.
    #[must_use]
    pub fn new(plan: &'a Plan, runs: &'a [Run]) -> Self {
        Audit { plan, runs, groups: None, giveaway: false, smallest_group: SMALLEST_GROUP, decided: &|_| () }
    }

    /// Also compares groups of people, who must then be given as a [`Cohort`] with their cells.
    #[must_use]
    pub fn by(self, groups: Option<&'a Groups>) -> Self {
        Audit { groups, ..self }
    }

    /// Whether to measure how well unasked answers could be inferred, which takes about as long as deciding.
    #[must_use]
    pub fn with_giveaway(self, giveaway: bool) -> Self {
        Audit { giveaway, ..self }
    }

    /// Merges groups and classes with fewer people, or leaves them out if together they still have fewer. The default
    /// is [`SMALLEST_GROUP`].
    #[must_use]
    pub fn with_smallest_group(self, smallest_group: u64) -> Self {
        Audit { smallest_group, ..self }
    }

    /// Calls `decided` with the number of decisions made since its last call; there is one for each person and run.
    #[must_use]
    pub fn telling(self, decided: &'a (dyn Fn(usize) + Sync)) -> Self {
        Audit { decided, ..self }
    }

    /// Decides about everyone under every run, and counts, as [`audit`] does.
    ///
    /// # Errors
    /// The first error in the order of the blocks.
    pub fn run<B, C, E>(
        &self,
        blocks: impl Iterator<Item = Result<B, E>> + Send,
        decode: impl Fn(B) -> Result<C, E> + Sync,
    ) -> Result<AuditOutcome, E>
    where
        B: Send,
        C: Into<Cohort>,
        E: Send,
    {
        let stopped = AtomicBool::new(false);
        let one_block = |block: Result<B, E>| {
            let counted = self.count(block, &decode, None);
            counted.map(|(tally, _)| tally).inspect_err(|_| stopped.store(true, Ordering::Relaxed))
        };
        let result = blocks
            .take_while(|_| !stopped.load(Ordering::Relaxed))
            .enumerate()
            .par_bridge()
            .map(|(place, block)| one_block(block).map_err(|error| (place, error)))
            .reduce(|| Ok(Tally::new(self)), merge);
        // Blocks are taken in order: when one fails, all those before it have been taken, so the earliest error is
        // found.
        match result {
            Ok(tally) => Ok(AuditOutcome::new(self, &tally)),
            Err((_, error)) => Err(error),
        }
    }

    /// The same, but also calls `write` with the rows of each person and run, in the order of the table and of the
    /// runs.
    ///
    /// A few blocks per core are decided together and then written, so that memory stays bounded.
    ///
    /// # Errors
    /// The first error in the order of the blocks, or of writing.
    pub fn run_writing<B, C, E>(
        &self,
        mut blocks: impl Iterator<Item = Result<B, E>>,
        decode: impl Fn(B) -> Result<C, E> + Sync,
        rows: &Rows<'_>,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<AuditOutcome, E>
    where
        B: Send,
        C: Into<Cohort>,
        E: Send,
    {
        let mut total = Tally::new(self);
        loop {
            let wave: Vec<Result<B, E>> = blocks.by_ref().take(WAVE * rayon::current_num_threads()).collect();
            if wave.is_empty() {
                return Ok(AuditOutcome::new(self, &total));
            }
            let counted: Vec<Result<(Tally, Vec<u8>), E>> =
                wave.into_par_iter().map(|block| self.count(block, &decode, Some(rows))).collect();
            for block in counted {
                let (tally, text) = block?;
                total = total.merge(tally);
                write(&text)?;
            }
        }
    }

    /// The index of the run with the smallest core sets, if there is one.
    pub(crate) fn optimum(&self) -> Option<usize> {
        self.runs.iter().position(|run| run.rule == Rule::Optimal)
    }

    fn count<B, C: Into<Cohort>, E>(
        &self,
        block: Result<B, E>,
        decode: &(impl Fn(B) -> Result<C, E> + Sync),
        rows: Option<&Rows<'_>>,
    ) -> Result<(Tally, Vec<u8>), E> {
        let start = Instant::now();
        let cohort: Cohort = block.and_then(decode)?.into();
        let nanoseconds_decoding = start.elapsed().as_nanos();
        let (tally, text) = self.decide(&cohort, rows);
        Ok((Tally { nanoseconds_decoding, ..tally }, text))
    }

    /// Decides about the people of a block: one after the other, or on idle cores too if each may take a while.
    fn decide(&self, cohort: &Cohort, rows: Option<&Rows<'_>>) -> (Tally, Vec<u8>) {
        let people = cohort.people().len();
        let proved_by = self.plan.model().proved_by();
        let is_slow = proved_by != ProvedBy::Sums;
        let size = match proved_by {
            ProvedBy::Sums => MOST_PEOPLE,
            ProvedBy::Nothing => RUN_PEOPLE,
            _ => SLOW_PEOPLE,
        };
        let part = |place: usize| {
            let part = CohortSlice { cohort, places: place * size..people.min((place + 1) * size) };
            self.decide_part(&part, rows)
        };
        let nobody = || (Tally::new(self), Vec::new());
        let both = |left: (Tally, Vec<u8>), right: (Tally, Vec<u8>)| {
            let (tally, mut text) = (left.0.merge(right.0), left.1);
            text.extend_from_slice(&right.1);
            (tally, text)
        };
        let places = 0..people.div_ceil(size);
        // Parts are merged in their order, also if several cores work on them.
        if is_slow {
            places.into_par_iter().map(part).reduce(nobody, both)
        } else {
            places.map(part).fold(nobody(), both)
        }
    }

    fn decide_part(&self, part: &CohortSlice<'_>, rows: Option<&Rows<'_>>) -> (Tally, Vec<u8>) {
        let labels = full_labels(self.plan, part);
        let decisions = self.runs.iter().map(|run| {
            let decisions = RunDecisions::of(run, part, &labels);
            (self.decided)(labels.len());
            decisions
        });
        let decisions: Vec<RunDecisions> = decisions.collect();
        let mut tally = Tally::new(self);
        tally.add(self, part, &labels, &decisions);
        let text = rows.map_or(Vec::new(), |rows| rows(&self.outcomes(part, &labels, &decisions)));
        (tally, text)
    }

    /// The results of everyone in a part, person after person.
    fn outcomes<'b>(
        &self,
        part: &CohortSlice<'_>,
        labels: &[Label],
        decisions: &'b [RunDecisions],
    ) -> Vec<PersonOutcome<'b>> {
        let optimum = self.optimum().map(|place| &decisions[place]);
        let mut outcomes = Vec::with_capacity(labels.len() * decisions.len());
        for (place, (person, cell)) in part.iter().zip(part.cells()).enumerate() {
            for (run, decisions) in decisions.iter().enumerate() {
                let (decided, revealed) = decisions.get(place);
                outcomes.push(PersonOutcome {
                    line: person.line,
                    run,
                    delta: decided.delta,
                    revealed,
                    label: decided.label,
                    guarantee: decided.guarantee,
                    agrees: decided.label == labels[place],
                    right: person.label.map(|label| label == decided.label),
                    out_of_budget: decided.tests_out_of_budget > 0,
                    optimal: optimum.map(|optimum| optimum.n_revealed(place)),
                    cell,
                });
            }
        }
        outcomes
    }
}

type BlockResult<E> = Result<Tally, (usize, E)>;

fn merge<E>(left: BlockResult<E>, right: BlockResult<E>) -> BlockResult<E> {
    match (left, right) {
        (Ok(left), Ok(right)) => Ok(left.merge(right)),
        (Err(left), Err(right)) => Err(if left.0 <= right.0 { left } else { right }),
        (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
    }
}
