//! Tables of text: a header line, then one person a line, cells parted by commas, semicolons, tabs or bars.
//!
//! A table is read in [blocks](Blocks) of whole rows, so it needs little memory and its blocks can be
//! [decoded](Decoder) on all cores. [`infer`] looks at a whole table and proposes a schema.

#[cfg(feature = "parquet")]
mod arrow_file;
mod blocks;
mod cells;
mod check;
mod decode;
mod delimiter;
mod file_kind;
mod found_rules;
mod groups;
mod infer;
mod quartiles;
mod row_sample;
mod source;

pub use blocks::{Block, Blocks};
pub use check::{Misfit, check};
pub use decode::{Decoder, LabelColumn, SkippedRows, Unfit};
pub use delimiter::Delimiter;
pub use found_rules::{FoundRule, FoundRules, SUPPORT, find_rules};
pub use groups::{Grouping, MISSING, MOST_GROUPS};
pub use infer::{InferOptions, InferredSchema, LeftOutColumn, Roles, infer};
pub use row_sample::RowSample;

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use mindrel::{People, Schema};
use sha2::{Digest, Sha256};

use crate::{Error, Result};
use source::Source;

/// A table: a file, or bytes in memory.
#[derive(Debug, Clone)]
pub struct Table {
    name: String,
    source: Source,
    delimiter: Option<Delimiter>,
}

impl Table {
    /// The table at a path. Standard input (`-`) and pipes are read into memory at once, since a table is read more
    /// than once.
    ///
    /// # Errors
    /// When it cannot be read, or is not a file.
    pub fn at(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let name = if path == Path::new("-") { source::STANDARD_INPUT.to_owned() } else { path.display().to_string() };
        Ok(Table { source: Source::at(path)?, name, delimiter: None })
    }

    /// A table that is part of the program, with a name for messages.
    #[must_use]
    pub fn embedded(name: &str, bytes: &[u8]) -> Self {
        Table { name: name.to_owned(), source: Source::Memory(Arc::from(bytes)), delimiter: None }
    }

    /// The same table, its cells parted by this instead of what its first lines suggest.
    #[must_use]
    pub fn with_delimiter(self, delimiter: Option<Delimiter>) -> Self {
        Table { delimiter, ..self }
    }

    /// What messages call it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The size of its text in bytes, if that is known before it is read.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        self.source.size()
    }

    /// Opens it and reads the header.
    ///
    /// # Errors
    /// When it cannot be read, is not a table, is empty, or names a column twice.
    pub fn open(&self) -> Result<Blocks> {
        Blocks::open(self.name.clone(), self.source.text()?, self.delimiter)
    }

    /// Reads and encodes everybody who fits; `read` is called with the size of each block that is done.
    ///
    /// # Errors
    /// When it cannot be read, or does not fit the schema and that is [refused](Unfit).
    pub fn people(
        &self,
        schema: &Schema,
        label: LabelColumn,
        unfit: Unfit,
        mut read: impl FnMut(usize),
    ) -> Result<(People, Vec<SkippedRows>)> {
        let mut blocks = self.open()?;
        let decoder = Decoder::new(&blocks, schema, label, unfit)?;
        let mut people = People::new(schema.n_columns());
        for block in &mut blocks {
            let block = block?;
            people.append(&decoder.decode(&block)?);
            read(block.size());
        }
        Ok((people, decoder.skipped()))
    }

    /// The SHA-256 of its bytes, in hexadecimal.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn digest(&self) -> Result<String> {
        let mut hash = Sha256::new();
        let mut input = self.source.bytes()?;
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

    /// An error about a column that is not there.
    pub(crate) fn unknown_column(name: &str, column: &str, header: &[String]) -> Error {
        Error::UnknownColumn { table: name.to_owned(), column: column.to_owned(), known: header.join(", ") }
    }
}
