//! Comma-separated tables: a header line, then one person a line.
//!
//! A table is read in [blocks](Blocks) of whole rows, so it needs little memory and its blocks can be
//! [decoded](Decoder) on all cores. [`infer`] looks at a whole table and proposes a schema.

mod blocks;
mod decode;
mod groups;
mod infer;
mod quartiles;

pub use blocks::{Block, Blocks};
pub use decode::{Decoder, LabelColumn, OutsidePolicy};
pub use groups::{Grouping, MISSING, MOST_GROUPS};
pub use infer::{InferOptions, Roles, infer};

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use mindrel::{People, Schema};
use sha2::{Digest, Sha256};

use crate::{Error, Result};

/// Where a table comes from: a file, or bytes that are part of the program.
#[derive(Debug, Clone)]
pub enum Table {
    /// A file.
    File(PathBuf),
    /// Bytes with a name for messages.
    Embedded {
        /// What messages call it.
        name: &'static str,
        /// The text.
        bytes: &'static [u8],
    },
}

impl Table {
    /// A table in a file.
    #[must_use]
    pub fn file(path: impl AsRef<Path>) -> Self {
        Table::File(path.as_ref().to_owned())
    }

    /// What messages call it.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Table::File(path) => path.display().to_string(),
            Table::Embedded { name, .. } => (*name).to_owned(),
        }
    }

    /// Its size in bytes, if it is known.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        match self {
            Table::File(path) => std::fs::metadata(path).ok().map(|data| data.len()),
            Table::Embedded { bytes, .. } => Some(bytes.len() as u64),
        }
    }

    /// Opens it and reads the header.
    ///
    /// # Errors
    /// When it cannot be read, is empty, or names a column twice.
    pub fn open(&self) -> Result<Blocks> {
        Blocks::open(self.name(), self.input()?)
    }

    /// Reads and encodes everybody; `read` is called with the size of each block that is done.
    ///
    /// # Errors
    /// When it cannot be read, or does not fit the schema.
    pub fn people(
        &self,
        schema: &Schema,
        label: LabelColumn,
        outside: OutsidePolicy,
        mut read: impl FnMut(usize),
    ) -> Result<People> {
        let mut blocks = self.open()?;
        let decoder = Decoder::new(&blocks, schema, label, outside)?;
        let mut people = People::new(schema.n_columns());
        for block in &mut blocks {
            let block = block?;
            people.append(&decoder.decode(&block)?);
            read(block.size());
        }
        Ok(people)
    }

    /// The SHA-256 of its bytes, in hexadecimal.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn digest(&self) -> Result<String> {
        let mut hash = Sha256::new();
        let mut input = self.input()?;
        let mut buffer = vec![0; 1 << 16];
        loop {
            let failed = |cause| Error::Read { path: self.name().into(), cause };
            match input.read(&mut buffer).map_err(failed)? {
                0 => break,
                count => hash.update(&buffer[..count]),
            }
        }
        Ok(hex::encode(hash.finalize()))
    }

    fn input(&self) -> Result<Box<dyn Read + Send>> {
        match self {
            Table::File(path) => {
                let failed = |cause| Error::Read { path: path.clone(), cause };
                let file = File::open(path).map_err(failed)?;
                if file.metadata().map_err(failed)?.is_dir() {
                    return Err(failed(std::io::Error::other("it is a folder")));
                }
                Ok(Box::new(file))
            }
            Table::Embedded { bytes, .. } => Ok(Box::new(Cursor::new(*bytes))),
        }
    }

    /// An error about a column that is not there.
    pub(crate) fn unknown_column(name: &str, column: &str, header: &[String]) -> Error {
        Error::UnknownColumn { table: name.to_owned(), column: column.to_owned(), known: header.join(", ") }
    }
}
