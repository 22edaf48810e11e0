//! Files that are not finished, and their removal if the process ends first.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::NamedTempFile;

use super::Readers;

/// How the name of a temporary file begins and ends.
const PREFIX: &str = ".mindrel-";
const SUFFIX: &str = ".part";

/// The temporary files of this process.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A temporary file. Dropped before it has its name, it is removed.
#[derive(Debug)]
pub(super) struct UnfinishedFile {
    pub writer: BufWriter<NamedTempFile>,
    _entry: UnfinishedEntry,
}

/// The entry of a file among the temporary ones.
#[derive(Debug)]
struct UnfinishedEntry(PathBuf);

impl Drop for UnfinishedEntry {
    fn drop(&mut self) {
        if let Ok(mut unfinished) = UNFINISHED.lock() {
            unfinished.remove(&self.0);
        }
    }
}

/// Removes all temporary files of this process, which is about to end: no file can be begun or finished from then on.
pub fn remove_unfinished() {
    if let Ok(unfinished) = UNFINISHED.lock() {
        for path in unfinished.iter() {
            drop(std::fs::remove_file(path));
        }
        std::mem::forget(unfinished);
    }
}

impl UnfinishedFile {
    /// A file in a folder, from which files left behind by a process that was killed are removed.
    pub fn create(folder: &Path, readers: Readers) -> std::io::Result<Self> {
        remove_stale(folder);
        let mut unfinished =
            UNFINISHED.lock().map_err(|_| std::io::Error::other("a thread that wrote a file failed"))?;
        let file = locked(folder, readers)?;
        let path = file.path().to_owned();
        unfinished.insert(path.clone());
        Ok(UnfinishedFile { writer: BufWriter::new(file), _entry: UnfinishedEntry(path) })
    }

    /// Gives it its name, once everything is on disk.
    pub fn persist(self, path: &Path) -> std::io::Result<()> {
        let file = self.writer.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        if let Ok(before) = std::fs::metadata(path) {
            file.as_file().set_permissions(before.permissions())?;
        }
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    }
}

/// A new temporary file under a lock, which tells other processes that it is in use.
fn locked(folder: &Path, readers: Readers) -> std::io::Result<NamedTempFile> {
    loop {
        let file = temporary(folder, readers)?;
        // Some file systems have no locks; there, no file counts as stale.
        let is_locked = file.as_file().lock().is_ok();
        // Another process may have removed it as stale before it was locked.
        if !is_locked || file.path().exists() {
            return Ok(file);
        }
    }
}

fn temporary(folder: &Path, readers: Readers) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(match readers {
            Readers::Anyone => 0o666,
            Readers::Owner => 0o600,
        }));
    }
    #[cfg(not(unix))]
    let _ = readers;
    builder.prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder)
}

/// Removes temporary files that nobody has locked: their process was killed.
///
/// The lock taken here is held until the file is gone. A file that was made but not locked yet then waits for it, and
/// is made anew.
fn remove_stale(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let is_ours = |name: &str| name.starts_with(PREFIX) && name.ends_with(SUFFIX);
    let ours = entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(is_ours));
    for path in ours.map(|entry| entry.path()) {
        let Ok(file) = File::open(&path) else { continue };
        if file.try_lock().is_ok() {
            drop(std::fs::remove_file(&path));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left_behind_is_removed_and_what_is_in_use_is_not() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let stale = folder.path().join(".mindrel-killed.part");
        std::fs::write(&stale, "half a table").expect("the folder may be written to");
        std::fs::write(folder.path().join(".mindrel-notes"), "not ours").expect("the folder may be written to");
        let first = UnfinishedFile::create(folder.path(), Readers::Owner).expect("a file");
        assert!(!stale.exists());
        let second = UnfinishedFile::create(folder.path(), Readers::Owner).expect("a file");
        let files = || std::fs::read_dir(folder.path()).expect("the folder can be read").count();
        assert_eq!(files(), 3, "both are in use, and the notes stay");
        first.persist(&folder.path().join("first")).expect("it gets its name");
        drop(second);
        assert_eq!(files(), 2);
    }

    #[test]
    fn threads_that_write_to_one_folder_do_not_remove_each_others_files() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let write = |thread: usize| {
            for round in 0..200 {
                let file = UnfinishedFile::create(folder.path(), Readers::Owner).expect("a file");
                file.persist(&folder.path().join(format!("{thread}-{round}"))).expect("it is still there");
            }
        };
        std::thread::scope(|scope| (0..8).for_each(|thread| drop(scope.spawn(move || write(thread)))));
        assert_eq!(std::fs::read_dir(folder.path()).expect("the folder can be read").count(), 8 * 200);
    }
}
