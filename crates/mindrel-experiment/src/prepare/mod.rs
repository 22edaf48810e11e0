//! From a table of the evaluation to the features the paper counts.

mod levels;
mod recipe;

use std::path::Path;

use mindrel::schema::Encoding;
use mindrel::{People, Schema};
use mindrel_io::table::{InferOptions, LabelColumn, Roles, Table, Unfit, infer};

pub use recipe::{RECIPES, Recipe};

/// A table, encoded.
#[derive(Debug, Clone)]
pub struct PreparedTable {
    /// How it was done.
    pub recipe: &'static Recipe,
    /// The features; every one a sensitive question until S is drawn.
    pub schema: Schema,
    /// Everybody.
    pub people: People,
    /// The SHA-256 of the table, in hexadecimal.
    pub digest: String,
}

impl PreparedTable {
    /// Reads and encodes a table.
    ///
    /// # Errors
    /// When it cannot be read or is not the table it should be.
    pub fn read(path: &Path, recipe: &'static Recipe) -> mindrel_io::Result<Self> {
        let table = Table::at(path)?;
        let ignore = recipe.left_out.iter().map(|&column| column.to_owned()).collect();
        let roles = Roles { ignore, ..Roles::default() };
        let options =
            InferOptions { encoding: Encoding::Ordinal, roles, round_bounds: false, ..InferOptions::of("label") };
        let schema = infer(&table, &options, |_| true)?.schema;
        let (people, _) = table.people(&schema, LabelColumn::Required, Unfit::Refuse, |_| ())?;
        let (schema, people) = if recipe.by_level { levels::split(&schema, &people) } else { (schema, people) };
        Ok(PreparedTable { recipe, schema, people, digest: table.digest()? })
    }

    /// How many features there are.
    #[must_use]
    pub fn n_features(&self) -> usize {
        self.schema.questions().len()
    }
}
