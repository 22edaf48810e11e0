//! The files in an archive, unpacked within bounds.

use std::borrow::Cow;
use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::{DataError, DataSet};

/// The most that is read of an archive, and of each file in it: several times the largest source.
pub(crate) const MOST_SOURCE_BYTES: u64 = 32 << 20;

/// The files of a set's source, in order.
///
/// An archive that somebody unpacked by hand will do as well: the inner archive alone, or the one file of the set.
pub(crate) fn members(set: &DataSet, what: &str, content: Vec<u8>) -> Result<Vec<Vec<u8>>, DataError> {
    let unpacking = Unpacking { set, what };
    if set.source.members.len() == 1 && !content.starts_with(b"PK") && !what.ends_with(".zip") {
        return Ok(vec![content]);
    }
    let mut archive = unpacking.open(content)?;
    if let Some(inner) = set.source.inner
        && let Some(content) = unpacking.find(&mut archive, inner)?
    {
        archive = unpacking.open(content)?;
    }
    let take = |member: &&str| {
        let missing = || unpacking.problem(format!("there is no `{member}` in it, so it is another archive"));
        unpacking.find(&mut archive, member)?.ok_or_else(missing)
    };
    set.source.members.iter().map(take).collect()
}

struct Unpacking<'a> {
    set: &'a DataSet,
    what: &'a str,
}

type Archive = ZipArchive<Cursor<Vec<u8>>>;

impl Unpacking<'_> {
    fn open(&self, content: Vec<u8>) -> Result<Archive, DataError> {
        ZipArchive::new(Cursor::new(content)).map_err(|error| self.broken(&error))
    }

    /// The content of a file, in whatever folder of the archive it is.
    fn find(&self, archive: &mut Archive, member: &str) -> Result<Option<Vec<u8>>, DataError> {
        let mut paths = archive.file_names().flatten();
        let found = paths.find(|path| path.rsplit('/').next() == Some(member)).map(Cow::into_owned);
        drop(paths);
        let Some(path) = found else {
            return Ok(None);
        };
        let file = archive.by_name(&path).map_err(|error| self.broken(&error))?;
        let mut content = Vec::new();
        // Whatever size the archive states: a few bytes can unpack to any number.
        let read = file.take(MOST_SOURCE_BYTES + 1).read_to_end(&mut content);
        read.map_err(|error| self.problem(format!("`{member}` in it cannot be unpacked ({error})")))?;
        if content.len() as u64 > MOST_SOURCE_BYTES {
            return Err(DataError::TooLarge {
                name: self.set.name,
                what: format!("`{member}` in {}", self.what),
                limit: MOST_SOURCE_BYTES,
            });
        }
        Ok(Some(content))
    }

    fn broken(&self, error: &ZipError) -> DataError {
        self.problem(format!("it cannot be unpacked as a zip archive ({error})"))
    }

    fn problem(&self, problem: String) -> DataError {
        DataError::Content { name: self.set.name, what: self.what.to_owned(), problem }
    }
}
