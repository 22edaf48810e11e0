//! A model as `save_model` writes it to a `.cbm` file.

use serde_json::Value;

use super::ensemble::{CatBoostColumn, CatBoostModel, CatBoostSplit, oblivious, refuse_statistics};
use super::flat_table::FlatTable;
use super::json::{as_number, classes, loss};
use crate::ReadError;
use crate::pipeline::{Pipeline, RawTree};

/// The numbers of the fields of CatBoost's tables.
mod field {
    pub const TREES: usize = 1;
    pub const INFO: usize = 2;
    pub const N_OUTPUTS: usize = 0;
    pub const SPLITS: usize = 1;
    pub const SIZES: usize = 2;
    pub const STARTS: usize = 3;
    pub const CATEGORIES: usize = 4;
    pub const FLOATS: usize = 5;
    pub const ONE_HOT: usize = 6;
    pub const STATISTICS: usize = 7;
    pub const LEAVES: usize = 8;
    pub const STEPS: usize = 10;
    pub const TEXTS: usize = 12;
    pub const ESTIMATED: usize = 13;
    pub const SCALE: usize = 14;
    pub const BIAS: usize = 15;
    pub const BIASES: usize = 16;
}

/// Reads a `.cbm` file: four letters, the size of the model's tables, and the tables.
///
/// # Errors
/// When the file is damaged, or holds something that is not supported.
pub fn read_blob(bytes: &[u8]) -> Result<Pipeline, ReadError> {
    let damaged = |what: &str| ReadError::damaged("the beginning of the file", what);
    let size = bytes.get(4..8).and_then(|size| size.try_into().ok()).map(u32::from_le_bytes);
    let size = size.ok_or_else(|| damaged("it ends here"))? as usize;
    let core = bytes.get(8..).and_then(|rest| rest.get(..size)).ok_or_else(|| damaged("it is shorter than it says"))?;
    let root = FlatTable::root(core)?;
    let model = root.table(field::TREES)?.ok_or_else(|| damaged("it has no trees"))?;
    let info = Info::read(&root)?;
    refuse_what_is_not_known(&model)?;
    let columns = columns(&model)?;
    let n_outputs =
        usize::try_from(model.integer(field::N_OUTPUTS, 0)?).ok().filter(|count| (1..=10_000).contains(count));
    let n_outputs = n_outputs.ok_or_else(|| damaged("the number of its outputs is not that of a model"))?;
    let trees = trees(&model, &columns, n_outputs)?;
    let biases = model.list(field::BIASES, 8)?.doubles()?;
    let bias = if biases.is_empty() { vec![model.double(field::BIAS, 0.0)?] } else { biases };
    let model = CatBoostModel {
        columns,
        trees,
        n_outputs,
        scale: model.double(field::SCALE, 1.0)?,
        bias,
        classes: classes(info.find("class_params").as_ref()),
        loss: info.find("params").as_ref().map(loss).unwrap_or_default(),
        probability: info.find("binclass_probability_threshold").as_ref().and_then(as_number),
    };
    model.into_pipeline()
}

fn refuse_what_is_not_known(model: &FlatTable<'_>) -> Result<(), ReadError> {
    if model.list(field::STATISTICS, 4)?.len > 0 {
        return Err(refuse_statistics("the model's splits"));
    }
    if model.list(field::TEXTS, 4)?.len > 0 || model.list(field::ESTIMATED, 4)?.len > 0 {
        let what = "a column of texts or embeddings";
        return Err(ReadError::unsupported("the model's columns", what, "train on numbers and categories"));
    }
    if model.list(field::STEPS, 4)?.len > 0 {
        let what = "a tree that is not symmetric in the binary format";
        return Err(ReadError::unsupported("the model's trees", what, "save the model with format=\"json\""));
    }
    Ok(())
}

/// What the file says beside the trees, as JSON by name.
struct Info(Vec<(String, String)>);

impl Info {
    fn read(root: &FlatTable<'_>) -> Result<Self, ReadError> {
        let entries = root.tables(field::INFO)?;
        Ok(Info(entries.iter().map(|entry| Ok((entry.text(0)?, entry.text(1)?))).collect::<Result<_, ReadError>>()?))
    }

    fn find(&self, name: &str) -> Option<Value> {
        let (_, text) = self.0.iter().find(|(key, _)| key == name)?;
        serde_json::from_str(text).ok()
    }
}

/// Numbers first, then categories, each in their own order.
fn columns(model: &FlatTable<'_>) -> Result<Vec<CatBoostColumn>, ReadError> {
    let place = |table: &FlatTable<'_>, field: usize| {
        let place = usize::try_from(table.integer(field, -1)?).ok();
        place.ok_or_else(|| ReadError::damaged("the model's columns", "a column has no place"))
    };
    let floats = model.tables(field::FLOATS)?;
    let number = |table: &FlatTable<'_>| {
        let missing_is_above = table.byte(5)? == 2;
        Ok(CatBoostColumn { place: place(table, 2)?, name: table.text(4)?, is_category: false, missing_is_above })
    };
    let categories = model.tables(field::CATEGORIES)?;
    let category = |table: &FlatTable<'_>| {
        let name = table.text(2)?;
        Ok(CatBoostColumn { place: place(table, 1)?, name, is_category: true, missing_is_above: false })
    };
    floats.iter().map(number).chain(categories.iter().map(category)).collect()
}

/// All splits that trees name by their number: the borders of numbers, then the levels of categories.
fn splits(model: &FlatTable<'_>, columns: &[CatBoostColumn]) -> Result<Vec<CatBoostSplit>, ReadError> {
    let mut found = Vec::new();
    for (column, table) in model.tables(field::FLOATS)?.iter().enumerate() {
        let borders = table.list(3, 4)?.singles()?;
        found.extend(borders.into_iter().map(|border| CatBoostSplit::Above { column, border: f64::from(border) }));
    }
    let n_floats = columns.iter().filter(|column| !column.is_category).count();
    for table in model.tables(field::ONE_HOT)? {
        let index = usize::try_from(table.integer(0, -1)?).unwrap_or(usize::MAX);
        let column = n_floats.saturating_add(index);
        // The bits of a hash, written as a number with a sign.
        let levels = table.list(1, 4)?.integers()?;
        found.extend(levels.into_iter().map(|level| CatBoostSplit::Is { column, level: level as u32 }));
    }
    Ok(found)
}

fn trees(model: &FlatTable<'_>, columns: &[CatBoostColumn], n_outputs: usize) -> Result<Vec<RawTree>, ReadError> {
    let damaged = |what: &str| ReadError::damaged("the model's trees", what);
    let splits = splits(model, columns)?;
    let named = model.list(field::SPLITS, 4)?.integers()?;
    let (sizes, starts) = (model.list(field::SIZES, 4)?.integers()?, model.list(field::STARTS, 4)?.integers()?);
    let leaves = model.list(field::LEAVES, 8)?.doubles()?;
    if sizes.is_empty() || sizes.len() != starts.len() {
        return Err(damaged("there are none, or they have no places"));
    }
    let mut used = 0usize;
    let mut tree = |(size, start): (&i32, &i32)| {
        let (size, start) = (usize::try_from(*size).ok()?, usize::try_from(*start).ok()?);
        let named = named.get(start..start.checked_add(size)?)?;
        let split = |place: &i32| splits.get(usize::try_from(*place).ok()?).copied();
        let own = named.iter().map(split).collect::<Option<Vec<_>>>()?;
        let n_leaves = 1usize.checked_shl(u32::try_from(size).ok()?)?.checked_mul(n_outputs)?;
        let values = leaves.get(used..used.checked_add(n_leaves)?)?;
        used += n_leaves;
        oblivious(columns, &own, values, n_outputs)
    };
    let read: Option<Vec<RawTree>> = sizes.iter().zip(&starts).map(&mut tree).collect();
    read.ok_or_else(|| damaged("their splits and leaves do not fit together"))
}
