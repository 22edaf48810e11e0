//! Finished trials, kept in files so that nothing is measured twice.

use std::fs;
use std::path::{Path, PathBuf};

use mindrel_io::output::{Readers, write_whole};
use serde::{Deserialize, Serialize};

use crate::measurement::Measurement;

/// Raised whenever the same key would lead to other numbers than before.
const PROTOCOL: u32 = 1;

/// Everything that a trial's numbers depend on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialKey {
    /// The experiment.
    pub experiment: String,
    /// The data set.
    pub data_set: String,
    /// The SHA-256 of its table.
    pub table: String,
    /// Which repetition.
    pub repetition: usize,
    /// The seed of the whole.
    pub seed: u64,
    /// How many test people at most; `None` means everyone.
    pub people: Option<usize>,
}

/// One repetition of one experiment on one data set, as it is written.
#[derive(Serialize, Deserialize)]
struct StoredTrial {
    protocol: u32,
    #[serde(flatten)]
    key: TrialKey,
    cells: Vec<Measurement>,
}

/// The folder of finished trials.
#[derive(Debug, Clone)]
pub struct TrialStore {
    folder: PathBuf,
}

impl TrialStore {
    /// Opens a folder of parts, and makes it if need be.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn open(folder: &Path) -> mindrel_io::Result<Self> {
        make_folder(folder)?;
        Ok(TrialStore { folder: folder.to_owned() })
    }

    /// What was measured under a key; `None` if it was not, or if the file belongs to another key or is damaged.
    #[must_use]
    pub fn find(&self, key: &TrialKey) -> Option<Vec<Measurement>> {
        let text = fs::read(self.path(key)).ok()?;
        let part: StoredTrial = serde_json::from_slice(&text).ok()?;
        (part.protocol == PROTOCOL && part.key == *key).then_some(part.cells)
    }

    /// Keeps what was measured. The file is there whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&self, key: TrialKey, cells: &[Measurement]) -> mindrel_io::Result<()> {
        let path = self.path(&key);
        let part = StoredTrial { protocol: PROTOCOL, key, cells: cells.to_vec() };
        let text = serde_json::to_vec(&part).expect("cells are plain numbers and names");
        make_folder(path.parent().expect("a part lies in a folder"))?;
        write_whole(&path, &text, Readers::Anyone)
    }

    fn path(&self, key: &TrialKey) -> PathBuf {
        let people = key.people.map_or("all".to_owned(), |people| people.to_string());
        let file = format!("{}-seed{}-people-{people}-{:03}.json", key.data_set, key.seed, key.repetition);
        self.folder.join(&key.experiment).join(file)
    }
}

/// Makes a folder and those it lies in, unless they are there.
pub(crate) fn make_folder(path: &Path) -> mindrel_io::Result<()> {
    fs::create_dir_all(path).map_err(|cause| mindrel_io::Error::Write { path: path.to_owned(), cause })
}
