//! From a source to a file in the data folder: downloaded, converted, verified, and only then written.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use mindrel_io::output::{Readers, write_whole};

use crate::archive::{MOST_SOURCE_BYTES, members};
use crate::checksum::sha256;
use crate::download::download;
use crate::{Checksum, DataError, DataFolder, DataSet, DownloadProgress};

/// Where a set is taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchMethod<'a> {
    /// Its original public source.
    Source,
    /// A mirror that holds prepared files: `bank.csv` under this address.
    Mirror(&'a str),
    /// The source's archive, downloaded by hand, or the file in it.
    Archive(&'a Path),
}

/// What became of a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fetched {
    /// It was there already, and is right.
    Present(PathBuf),
    /// It was written.
    Written(PathBuf),
}

/// Puts a set into the folder, unless it is there.
///
/// What is downloaded is bounded in size and time, converted to the common form, and compared with the catalogued
/// checksum; only then is the file written, whole. With `force` it is fetched even if it is there, and another file
/// in its place is replaced.
///
/// # Errors
/// When it cannot be had or is not what is catalogued. The folder is then as it was.
pub fn fetch(
    set: &DataSet,
    folder: &DataFolder,
    way: FetchMethod<'_>,
    force: bool,
    progress: &mut dyn FnMut(DownloadProgress),
) -> Result<Fetched, DataError> {
    let path = folder.place(set);
    if !force && path.exists() {
        return match folder.checksum_state(set)? {
            Checksum::Right => Ok(Fetched::Present(path)),
            Checksum::Differs { found } => {
                Err(DataError::Occupied { name: set.name, path, expected: set.sha256, found })
            }
        };
    }
    let (what, content) = match way {
        FetchMethod::Source => {
            let archive = download(set, set.source.address, MOST_SOURCE_BYTES, progress)?;
            let what = format!("what {} holds", set.source.address);
            let content = convert(set, &what, archive)?;
            (what, content)
        }
        FetchMethod::Mirror(address) => {
            let address = format!("{}/{}", address.trim_end_matches('/'), set.file_name());
            let content = download(set, &address, set.bytes, progress)?;
            (address, content)
        }
        FetchMethod::Archive(file) => {
            let what = file.display().to_string();
            let content = read(set, file)?;
            let content = if sha256(&content) == set.sha256 { content } else { convert(set, &what, content)? };
            (what, content)
        }
    };
    verify(set, what, &content)?;
    write(set, folder, &path, &content)?;
    Ok(Fetched::Written(path))
}

fn read(set: &DataSet, file: &Path) -> Result<Vec<u8>, DataError> {
    let failed = |cause| DataError::Read { name: set.name, path: file.to_owned(), cause };
    let mut content = Vec::new();
    File::open(file).and_then(|file| file.take(MOST_SOURCE_BYTES + 1).read_to_end(&mut content)).map_err(failed)?;
    if content.len() as u64 > MOST_SOURCE_BYTES {
        let what = file.display().to_string();
        return Err(DataError::TooLarge { name: set.name, what, limit: MOST_SOURCE_BYTES });
    }
    Ok(content)
}

fn convert(set: &DataSet, what: &str, archive: Vec<u8>) -> Result<Vec<u8>, DataError> {
    let members = members(set, what, archive)?;
    set.source.layout.to_common_form(&members).map_err(|problem| DataError::Content {
        name: set.name,
        what: what.to_owned(),
        problem,
    })
}

fn verify(set: &DataSet, what: String, content: &[u8]) -> Result<(), DataError> {
    let found = sha256(content);
    if found == set.sha256 {
        return Ok(());
    }
    Err(DataError::Checksum {
        name: set.name,
        what,
        expected: set.sha256,
        expected_bytes: set.bytes,
        found,
        found_bytes: content.len() as u64,
    })
}

fn write(set: &DataSet, folder: &DataFolder, path: &Path, content: &[u8]) -> Result<(), DataError> {
    let failed = |path: &Path, cause| DataError::Write { name: set.name, path: path.to_owned(), cause };
    std::fs::create_dir_all(folder.path()).map_err(|cause| failed(folder.path(), cause))?;
    write_whole(path, content, Readers::Anyone).map_err(|error| match error {
        mindrel_io::Error::Write { cause, .. } => failed(path, cause),
        error => failed(path, std::io::Error::other(error.to_string())),
    })
}
