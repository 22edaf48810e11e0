//! Where the bytes of a table come from.

use std::fs::File;
use std::io::{BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::read::MultiGzDecoder;

use crate::{Error, Result};

/// The first bytes of a file compressed by gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The first bytes of Parquet and Arrow files.
const PARQUET: &[u8] = b"PAR1";
const ARROW: &[u8] = b"ARROW1";

/// What errors call it.
pub(super) const STANDARD_INPUT: &str = "standard input";

/// The most that is read from standard input or a pipe.
const MOST_IN_MEMORY: u64 = 4 << 30;

#[derive(Debug, Clone)]
pub(super) enum Source {
    File(PathBuf),
    Memory(Arc<[u8]>),
}

impl Source {
    /// A file, or the bytes of standard input or a pipe.
    pub(super) fn at(path: &Path) -> Result<Self> {
        let failed = |cause| Error::Read { path: path.to_owned(), cause };
        if path == Path::new("-") {
            return whole(Path::new(STANDARD_INPUT), std::io::stdin().lock());
        }
        let kind = std::fs::metadata(path).map_err(failed)?.file_type();
        if kind.is_file() {
            return Ok(Source::File(path.to_owned()));
        }
        if kind.is_dir() {
            return Err(failed(std::io::Error::other("it is a folder")));
        }
        if is_pipe(kind) {
            return whole(path, File::open(path).map_err(failed)?);
        }
        Err(Error::Device { path: path.to_owned() })
    }

    /// The size of its text, if that is known; a compressed file does not tell.
    pub(super) fn size(&self) -> Option<u64> {
        match self {
            _ if !matches!(self.start(), Ok(Start::Text)) => None,
            Source::File(path) => std::fs::metadata(path).ok().map(|data| data.len()),
            Source::Memory(bytes) => Some(bytes.len() as u64),
        }
    }

    /// Its bytes as they are.
    pub(super) fn bytes(&self) -> Result<Box<dyn Read + Send>> {
        match self {
            Source::File(path) => Ok(Box::new(File::open(path).map_err(|cause| self.failed(cause))?)),
            Source::Memory(bytes) => Ok(Box::new(Cursor::new(Arc::clone(bytes)))),
        }
    }

    /// Its text: decompressed, and that of other files' rows.
    pub(super) fn text(&self) -> Result<Box<dyn Read + Send>> {
        match self.start()? {
            Start::Gzip => Ok(Box::new(MultiGzDecoder::new(BufReader::new(self.bytes()?)))),
            #[cfg(feature = "parquet")]
            start @ (Start::Parquet | Start::Arrow) => self.rows(&start),
            _ => self.bytes(),
        }
    }

    #[cfg(feature = "parquet")]
    fn rows(&self, start: &Start) -> Result<Box<dyn Read + Send>> {
        use super::arrow_file::{arrow_text, parquet_text};
        let file = || if let Source::File(path) = self { File::open(path).map(Some) } else { Ok(None) };
        let bytes = || if let Source::Memory(bytes) = self { bytes.to_vec() } else { Vec::new() };
        let text = match (file().map_err(|cause| self.failed(cause))?, start) {
            (Some(file), Start::Parquet) => parquet_text(file),
            (Some(file), _) => arrow_text(BufReader::new(file)),
            (None, Start::Parquet) => parquet_text(bytes::Bytes::from(bytes())),
            (None, _) => arrow_text(Cursor::new(bytes())),
        };
        text.map_err(|cause| self.failed(cause))
    }

    fn start(&self) -> Result<Start> {
        let mut start = Vec::new();
        let read = self.bytes()?.take(ARROW.len() as u64).read_to_end(&mut start);
        read.map_err(|cause| self.failed(cause))?;
        Ok(match start {
            start if start.starts_with(&GZIP) => Start::Gzip,
            start if start.starts_with(PARQUET) => Start::Parquet,
            start if start.starts_with(ARROW) => Start::Arrow,
            _ => Start::Text,
        })
    }

    fn failed(&self, cause: std::io::Error) -> Error {
        let path = if let Source::File(path) = self { path.clone() } else { PathBuf::from(STANDARD_INPUT) };
        Error::Read { path, cause }
    }
}

/// What a file is, by its first bytes.
enum Start {
    Gzip,
    Parquet,
    Arrow,
    Text,
}

fn whole(path: &Path, input: impl Read) -> Result<Source> {
    let failed = |cause| Error::Read { path: path.to_owned(), cause };
    let mut bytes = Vec::new();
    input.take(MOST_IN_MEMORY + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MOST_IN_MEMORY {
        return Err(failed(std::io::Error::other("it has more than 4 GiB; save it as a file")));
    }
    Ok(Source::Memory(bytes.into()))
}

#[cfg(unix)]
fn is_pipe(kind: std::fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_fifo() || kind.is_socket()
}

#[cfg(not(unix))]
fn is_pipe(_: std::fs::FileType) -> bool {
    false
}
