//! What can go wrong on the way to a data set.

use std::path::PathBuf;

use crate::catalogue;

/// Why a data set is not available. Names the set and the place; what to do about it depends on who asked.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum DataError {
    /// A name that is not in the catalogue.
    #[error("there is no data set `{name}`. There are: {}.", names())]
    UnknownSet { name: String },
    /// A file that is not there.
    #[error(
        "{name}: there is no {}.",
        path.display()
    )]
    Missing { name: &'static str, path: PathBuf },
    /// A file that cannot be read.
    #[error("{name}: {} cannot be read ({cause}). Check the path and its permissions.", path.display())]
    Read { name: &'static str, path: PathBuf, cause: std::io::Error },
    /// A folder or file that cannot be made.
    #[error(
        "{name}: {} cannot be written ({cause}).",
        path.display()
    )]
    Write { name: &'static str, path: PathBuf, cause: std::io::Error },
    /// Another file in the place of the set's own.
    #[error(
        "{name}: {} is another file: its sha256 is {found}, not {expected}.",
        path.display()
    )]
    Occupied { name: &'static str, path: PathBuf, expected: &'static str, found: String },
    /// An address that is not loaded from.
    #[error("{name}: `{address}` is not used: {reason}.")]
    Address { name: &'static str, address: String, reason: &'static str },
    /// No connection, or one that broke.
    #[error("{name}: {host} cannot be reached ({cause}). Try again with a network connection.")]
    Unreachable { name: &'static str, host: String, cause: String },
    /// An answer other than the file.
    #[error("{name}: {host} answers with {status}.")]
    Status {
        name: &'static str,
        host: String,
        /// Its answer: `404 Not Found`.
        status: String,
    },
    /// A download that ends too early.
    #[error("{name}: the download from {host} was cut off after {received} bytes ({cause}). Try again.")]
    CutOff { name: &'static str, host: String, received: u64, cause: String },
    /// More than there should be.
    #[error("{name}: {what} has more than {limit} bytes and was not read to its end. It is not what is catalogued.")]
    TooLarge { name: &'static str, what: String, limit: u64 },
    /// An archive that is broken or is another one.
    #[error("{name}: {what}: {problem}.")]
    Content { name: &'static str, what: String, problem: String },
    /// A file that is not the one catalogued.
    #[error(
        "{name}: {what} is not what is catalogued: sha256 {found} ({found_bytes} bytes), expected {expected} \
         ({expected_bytes} bytes). Nothing was written. The source may have changed, or the file was altered on its way."
    )]
    Checksum {
        name: &'static str,
        what: String,
        expected: &'static str,
        expected_bytes: u64,
        found: String,
        found_bytes: u64,
    },
}

fn names() -> String {
    catalogue().iter().map(|set| set.name).collect::<Vec<&str>>().join(", ")
}
