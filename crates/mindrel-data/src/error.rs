//! What can go wrong on the way to a data set.

use std::path::PathBuf;

use crate::catalogue;

/// Why a data set is not available. Names the set and the place; what to do about it depends on who asked.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A name that is not in the catalogue.
    #[error("there is no data set `{name}`. There are: {}.", names())]
    UnknownSet {
        /// The name.
        name: String,
    },
    /// A file that is not there.
    #[error(
        "{name}: there is no {}.",
        path.display()
    )]
    Missing {
        /// The set.
        name: &'static str,
        /// Where it should be.
        path: PathBuf,
    },
    /// A file that cannot be read.
    #[error("{name}: {} cannot be read ({cause}). Check the path and its permissions.", path.display())]
    Read {
        /// The set.
        name: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// A folder or file that cannot be made.
    #[error(
        "{name}: {} cannot be written ({cause}).",
        path.display()
    )]
    Write {
        /// The set.
        name: &'static str,
        /// The folder or file.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// Another file in the place of the set's own.
    #[error(
        "{name}: {} is another file: its sha256 is {found}, not {expected}.",
        path.display()
    )]
    Occupied {
        /// The set.
        name: &'static str,
        /// The file.
        path: PathBuf,
        /// The catalogued checksum.
        expected: &'static str,
        /// Its checksum.
        found: String,
    },
    /// An address that is not loaded from.
    #[error("{name}: `{address}` is not used: {reason}.")]
    Address {
        /// The set.
        name: &'static str,
        /// The address.
        address: String,
        /// Why, and what would be.
        reason: &'static str,
    },
    /// No connection, or one that broke.
    #[error("{name}: {host} cannot be reached ({cause}). Try again with a network connection.")]
    Unreachable {
        /// The set.
        name: &'static str,
        /// The server.
        host: String,
        /// Why.
        cause: String,
    },
    /// An answer other than the file.
    #[error("{name}: {host} answers with {status}.")]
    Status {
        /// The set.
        name: &'static str,
        /// The server.
        host: String,
        /// Its answer: `404 Not Found`.
        status: String,
    },
    /// A download that ends too early.
    #[error("{name}: the download from {host} was cut off after {received} bytes ({cause}). Try again.")]
    CutOff {
        /// The set.
        name: &'static str,
        /// The server.
        host: String,
        /// What came.
        received: u64,
        /// Why.
        cause: String,
    },
    /// More than there should be.
    #[error("{name}: {what} has more than {limit} bytes and was not read to its end. It is not what is catalogued.")]
    TooLarge {
        /// The set.
        name: &'static str,
        /// What is too large.
        what: String,
        /// How much is read.
        limit: u64,
    },
    /// An archive that is broken or is another one.
    #[error("{name}: {what}: {problem}.")]
    Content {
        /// The set.
        name: &'static str,
        /// The archive or file.
        what: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A file that is not the one catalogued.
    #[error(
        "{name}: {what} is not what is catalogued: sha256 {found} ({found_bytes} bytes), expected {expected} \
         ({expected_bytes} bytes). Nothing was written. The source may have changed, or the file was altered on its way."
    )]
    Checksum {
        /// The set.
        name: &'static str,
        /// What was looked at.
        what: String,
        /// The catalogued checksum.
        expected: &'static str,
        /// The catalogued size.
        expected_bytes: u64,
        /// The checksum found.
        found: String,
        /// The size found.
        found_bytes: u64,
    },
}

fn names() -> String {
    catalogue().iter().map(|set| set.name).collect::<Vec<&str>>().join(", ")
}
