//! Files that are read whole, up to a limit.

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;

use crate::{Error, Result};

/// The longest file that is written by hand or speaks of one person: a schema, answers, a receipt.
pub const LONGEST_TEXT: u64 = 64 << 20;

/// The longest plan, model or certificate: large forests take hundreds of megabytes.
pub const LONGEST_PLAN: u64 = 4 << 30;

/// Reads a file, or what a pipe holds. A device such as `/dev/zero`, which may have no end, is refused.
///
/// # Errors
/// When it cannot be read, is a folder or a device, or is longer than the limit, in bytes.
pub fn read_whole(path: &Path, longest: u64) -> Result<Vec<u8>> {
    let failed = |cause| Error::Read { path: path.to_owned(), cause };
    let file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(failed(std::io::Error::other("it is a folder")));
    }
    if is_device(&metadata) {
        return Err(Error::Device { path: path.to_owned() });
    }
    let too_long = || Error::TooLong { path: path.to_owned(), megabytes: longest >> 20 };
    if metadata.len() > longest {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    file.take(longest + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > longest { Err(too_long()) } else { Ok(bytes) }
}

/// Reads a text of at most [`LONGEST_TEXT`].
///
/// # Errors
/// As [`read_whole`], and when it is not UTF-8.
pub fn read_text(path: &Path) -> Result<String> {
    let not_text = |_| std::io::Error::new(std::io::ErrorKind::InvalidData, "it is not UTF-8 text");
    let text = String::from_utf8(read_whole(path, LONGEST_TEXT)?);
    text.map_err(not_text).map_err(|cause| Error::Read { path: path.to_owned(), cause })
}

#[cfg(unix)]
fn is_device(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.file_type().is_char_device() || metadata.file_type().is_block_device()
}

#[cfg(not(unix))]
fn is_device(metadata: &Metadata) -> bool {
    !metadata.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(read_whole(&path, 5).unwrap(), b"12345");
        assert!(matches!(read_whole(&path, 4), Err(Error::TooLong { .. })));
        assert!(matches!(read_whole(folder.path(), 5), Err(Error::Read { .. })));
        assert!(matches!(read_whole(&folder.path().join("none"), 5), Err(Error::Read { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_refused_at_once() {
        assert!(matches!(read_whole(Path::new("/dev/zero"), u64::MAX - 1), Err(Error::Device { .. })));
    }
}
