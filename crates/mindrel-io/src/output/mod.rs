//! Files that are either written whole or not at all.

mod unfinished;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::{Error, Result};

use unfinished::UnfinishedFile;
pub use unfinished::remove_unfinished;

/// Who may read a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Everyone whom the process's umask allows.
    Anyone,
    /// Its owner alone: it holds answers.
    Owner,
}

/// Writes a temporary file in the same folder and renames it once everything is on disk.
///
/// A file that was there before keeps its permissions. Something that is not an ordinary file, such as a pipe, is
/// written to directly.
///
/// # Errors
/// When the file cannot be written; what was there before is then unchanged.
pub fn write_whole(path: &Path, content: &[u8], readers: Readers) -> Result<()> {
    let mut file = WholeFile::create(path, readers)?;
    file.write(content)?;
    file.finish()
}

/// The same for content that does not fit in memory: it is written part by part, and the file exists only once it is
/// finished.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    target: Destination,
}

/// What is written to.
#[derive(Debug)]
enum Destination {
    Temporary(UnfinishedFile),
    /// Something that is not an ordinary file.
    Direct(BufWriter<File>),
}

impl WholeFile {
    /// Begins a file. Dropped unfinished, it leaves nothing behind.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn create(path: &Path, readers: Readers) -> Result<Self> {
        let target = if path.exists() && !path.is_file() {
            File::options().write(true).open(path).map(|file| Destination::Direct(BufWriter::new(file)))
        } else {
            UnfinishedFile::create(folder(path), readers).map(Destination::Temporary)
        };
        let target = target.map_err(|cause| Error::Write { path: path.to_owned(), cause })?;
        Ok(WholeFile { path: path.to_owned(), target })
    }

    /// Writes more content.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&mut self, content: &[u8]) -> Result<()> {
        let written = match &mut self.target {
            Destination::Temporary(file) => file.writer.write_all(content),
            Destination::Direct(file) => file.write_all(content),
        };
        written.map_err(|cause| Error::Write { path: self.path.clone(), cause })
    }

    /// Gives the file its name, once everything is on disk.
    ///
    /// # Errors
    /// When it cannot be written; what was there before is then unchanged.
    pub fn finish(self) -> Result<()> {
        let WholeFile { path, target } = self;
        let finished = match target {
            Destination::Temporary(file) => file.persist(&path),
            Destination::Direct(mut file) => file.flush(),
        };
        finished.map_err(|cause| Error::Write { path, cause })
    }
}

/// Checks that a file can be written, before the work of producing it.
///
/// # Errors
/// When it cannot be written, or when it is one of the `inputs` and would be overwritten.
pub fn check_writable(path: &Path, inputs: &[&Path]) -> Result<()> {
    if inputs.iter().any(|input| is_same_file(path, input)) {
        return Err(Error::Overwrites { path: path.to_owned() });
    }
    let failed = |cause| Error::Write { path: path.to_owned(), cause };
    if path.is_dir() {
        return Err(failed(std::io::Error::other("it is a folder")));
    }
    if path.exists() && !path.is_file() {
        return Ok(());
    }
    // The kind alone: the whole error would name the temporary file.
    NamedTempFile::new_in(folder(path)).map(drop).map_err(|error| failed(error.kind().into()))
}

fn is_same_file(left: &Path, right: &Path) -> bool {
    let canonical = |path: &Path| path.is_file().then(|| path.canonicalize().ok()).flatten();
    canonical(left).is_some_and(|left| Some(left) == canonical(right))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}
