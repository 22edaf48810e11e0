//! Files that are either written whole or not at all.

use std::io::Write;
use std::path::Path;

use crate::{Error, Result};

/// Who may read a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Whoever the process's own mask lets.
    Anyone,
    /// Its owner alone: it holds what a person said.
    Owner,
}

/// Writes a file by way of a temporary one beside it, which takes its name only once everything is on disk.
///
/// A file that was there before keeps its permissions. Something that is not an ordinary file, such as a pipe, is written to
/// directly.
///
/// # Errors
/// When the file cannot be written; what was there before is then unchanged.
pub fn write_whole(path: &Path, content: &[u8], readers: Readers) -> Result<()> {
    write_or_fail(path, content, readers).map_err(|cause| Error::Write { path: path.to_owned(), cause })
}

/// Checks that a file can be written, before the work that leads up to it.
///
/// # Errors
/// When it cannot, or when it is one of the `inputs` of that work, which would be lost.
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
    tempfile::NamedTempFile::new_in(folder(path)).map(drop).map_err(|error| failed(error.kind().into()))
}

fn is_same_file(left: &Path, right: &Path) -> bool {
    let canonical = |path: &Path| path.is_file().then(|| path.canonicalize().ok()).flatten();
    canonical(left).is_some_and(|left| Some(left) == canonical(right))
}

fn write_or_fail(path: &Path, content: &[u8], readers: Readers) -> std::io::Result<()> {
    if path.exists() && !path.is_file() {
        return std::fs::OpenOptions::new().write(true).open(path)?.write_all(content);
    }
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
    let mut file = builder.prefix(".mindrel-").tempfile_in(folder(path))?;
    file.write_all(content)?;
    if let Ok(before) = std::fs::metadata(path) {
        file.as_file().set_permissions(before.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}
