//! Running experiments: every trial that is not finished yet, on all cores.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use mindrel_train::FitError;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::design::Design;
use crate::measurement::Measurement;
use crate::prepare::PreparedTable;
use crate::repetition::{Repetition, measure};
use crate::store::{TrialKey, TrialStore};

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExperimentSettings {
    /// What every draw follows from.
    pub seed: u64,
    /// How often everything is repeated; `None` means as each experiment says.
    pub repetitions: Option<usize>,
    /// How many test people at most; `None` means as each experiment says.
    pub people: Option<usize>,
}

/// What one experiment measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// The experiment.
    pub design: &'static Design,
    /// How often it was repeated.
    pub repetitions: usize,
    /// How many test people at most.
    pub people: Option<usize>,
    /// Each repetition on each data set: first by data set, then by repetition.
    pub parts: Vec<Vec<Measurement>>,
}

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExperimentProgress<'a> {
    /// What was worked on last: experiment and data set.
    pub last: (&'a str, &'a str),
    /// Trials finished in this run.
    pub done: u64,
    /// All trials of this run, without those that were finished before.
    pub whole: u64,
}

/// Why a run ended early. Trials finished before are kept.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum RunError {
    /// A trial could not be measured.
    #[error("experiment {experiment} on {data_set}, repetition {repetition}: {cause}")]
    Measure {
        experiment: &'static str,
        data_set: &'static str,
        /// The repetition, from one.
        repetition: usize,
        cause: FitError,
    },
    /// A trial could not be written.
    #[error(transparent)]
    TrialStore(#[from] mindrel_io::Error),
}

/// One repetition of one experiment on one data set.
struct Trial<'a> {
    design: &'static Design,
    data: &'a PreparedTable,
    repetition: Repetition,
}

impl Trial<'_> {
    fn key(&self) -> TrialKey {
        TrialKey {
            experiment: self.design.name.to_owned(),
            data_set: self.data.recipe.name.to_owned(),
            table: self.data.digest.clone(),
            repetition: self.repetition.place,
            seed: self.repetition.seed,
            people: self.repetition.people,
        }
    }
}

/// Runs experiments on prepared tables, by name; trials that the store has are read from it.
///
/// Trials run in parallel. Timed ones come last, one after the other, with the machine to themselves.
///
/// # Errors
/// When a part cannot be measured or kept.
///
/// # Panics
/// When a table is missing that an experiment needs.
pub fn run(
    designs: &[&'static Design],
    tables: &BTreeMap<&'static str, PreparedTable>,
    settings: &ExperimentSettings,
    store: &TrialStore,
    progress: &(dyn Fn(ExperimentProgress<'_>) + Sync),
) -> Result<Vec<Measured>, RunError> {
    let parts: Vec<Trial<'_>> = designs.iter().flat_map(|design| parts_of(design, tables, settings)).collect();
    let (open, _): (Vec<&Trial<'_>>, Vec<&Trial<'_>>) =
        parts.iter().partition(|part| store.find(&part.key()).is_none());
    let (whole, done) = (open.len() as u64, AtomicU64::new(0));
    let one = |part: &&Trial<'_>| -> Result<(), RunError> {
        let last = (part.design.name, part.data.recipe.name);
        progress(ExperimentProgress { last, done: done.load(Ordering::Relaxed), whole });
        let cells = measure(part.design, part.data, &part.repetition).map_err(|cause| RunError::Measure {
            experiment: part.design.name,
            data_set: part.data.recipe.name,
            repetition: part.repetition.place + 1,
            cause,
        })?;
        store.keep(part.key(), &cells)?;
        progress(ExperimentProgress { last, done: done.fetch_add(1, Ordering::Relaxed) + 1, whole });
        Ok(())
    };
    let (timed, others): (Vec<&Trial<'_>>, Vec<&Trial<'_>>) = open.into_iter().partition(|part| part.design.timed);
    others.par_iter().try_for_each(one)?;
    timed.iter().try_for_each(one)?;
    Ok(designs.iter().map(|design| gather(design, &parts, settings, store)).collect())
}

fn parts_of<'a>(
    design: &'static Design,
    tables: &'a BTreeMap<&'static str, PreparedTable>,
    settings: &ExperimentSettings,
) -> Vec<Trial<'a>> {
    let people = design.people(settings.people);
    let part = |place: usize, data: &'a PreparedTable| Trial {
        design,
        data,
        repetition: Repetition { place, seed: settings.seed, people },
    };
    let tables = design.data_sets.iter().map(|name| &tables[name]);
    tables.flat_map(|data| (0..design.repetitions(settings.repetitions)).map(move |place| part(place, data))).collect()
}

fn gather(design: &'static Design, parts: &[Trial<'_>], settings: &ExperimentSettings, store: &TrialStore) -> Measured {
    let own = parts.iter().filter(|part| part.design == design);
    Measured {
        design,
        repetitions: design.repetitions(settings.repetitions),
        people: design.people(settings.people),
        parts: own.map(|part| store.find(&part.key()).expect("every part was just kept")).collect(),
    }
}
