//! Reading tables of FlatBuffers: every place is checked before it is read.

use crate::ReadError;

/// A table: a place in the bytes, whose fields are found by their number.
#[derive(Clone, Copy)]
pub(super) struct FlatTable<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// A list of values of one size.
#[derive(Clone, Copy)]
pub(super) struct FlatList<'a> {
    bytes: &'a [u8],
    first: usize,
    /// How many there are.
    pub len: usize,
}

fn damaged() -> ReadError {
    ReadError::damaged("the model's tables", "they point to what is not there")
}

fn read<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N], ReadError> {
    let end = at.checked_add(N).ok_or_else(damaged)?;
    bytes.get(at..end).and_then(|slice| slice.try_into().ok()).ok_or_else(damaged)
}

/// Where an offset at a place leads.
fn follow(bytes: &[u8], at: usize) -> Result<usize, ReadError> {
    let offset = u32::from_le_bytes(read(bytes, at)?) as usize;
    at.checked_add(offset).filter(|place| *place < bytes.len()).ok_or_else(damaged)
}

impl<'a> FlatTable<'a> {
    /// The table that the bytes begin with.
    pub fn root(bytes: &'a [u8]) -> Result<Self, ReadError> {
        Ok(FlatTable { bytes, at: follow(bytes, 0)? })
    }

    /// Where a field is; `None` if it has its default value.
    fn find(&self, field: usize) -> Result<Option<usize>, ReadError> {
        let back = i64::from(i32::from_le_bytes(read(self.bytes, self.at)?));
        let fields = i64::try_from(self.at).ok().and_then(|at| usize::try_from(at - back).ok()).ok_or_else(damaged)?;
        let size = usize::from(u16::from_le_bytes(read(self.bytes, fields)?));
        let slot = 4 + 2 * field;
        if slot + 2 > size {
            return Ok(None);
        }
        let offset = usize::from(u16::from_le_bytes(read(self.bytes, fields + slot)?));
        Ok((offset > 0).then_some(self.at + offset))
    }

    pub fn integer(&self, field: usize, default: i32) -> Result<i32, ReadError> {
        self.find(field)?.map_or(Ok(default), |at| Ok(i32::from_le_bytes(read(self.bytes, at)?)))
    }

    pub fn byte(&self, field: usize) -> Result<u8, ReadError> {
        self.find(field)?.map_or(Ok(0), |at| Ok(read::<1>(self.bytes, at)?[0]))
    }

    pub fn double(&self, field: usize, default: f64) -> Result<f64, ReadError> {
        self.find(field)?.map_or(Ok(default), |at| Ok(f64::from_le_bytes(read(self.bytes, at)?)))
    }

    pub fn table(&self, field: usize) -> Result<Option<FlatTable<'a>>, ReadError> {
        let at = self.find(field)?.map(|at| follow(self.bytes, at)).transpose()?;
        Ok(at.map(|at| FlatTable { bytes: self.bytes, at }))
    }

    /// A list of values of some bytes each; empty if it is left out.
    pub fn list(&self, field: usize, size: usize) -> Result<FlatList<'a>, ReadError> {
        let Some(at) = self.find(field)? else { return Ok(FlatList { bytes: self.bytes, first: 0, len: 0 }) };
        let at = follow(self.bytes, at)?;
        let len = u32::from_le_bytes(read(self.bytes, at)?) as usize;
        let end = len.checked_mul(size).and_then(|length| length.checked_add(at + 4));
        if end.is_none_or(|end| end > self.bytes.len()) {
            return Err(damaged());
        }
        Ok(FlatList { bytes: self.bytes, first: at + 4, len })
    }

    pub fn text(&self, field: usize) -> Result<String, ReadError> {
        let list = self.list(field, 1)?;
        let text = self.bytes.get(list.first..list.first + list.len).ok_or_else(damaged)?;
        Ok(String::from_utf8_lossy(text).into_owned())
    }

    pub fn tables(&self, field: usize) -> Result<Vec<FlatTable<'a>>, ReadError> {
        let list = self.list(field, 4)?;
        let table = |place: usize| Ok(FlatTable { bytes: self.bytes, at: follow(self.bytes, list.first + 4 * place)? });
        (0..list.len).map(table).collect()
    }
}

impl FlatList<'_> {
    pub fn integers(&self) -> Result<Vec<i32>, ReadError> {
        (0..self.len).map(|place| Ok(i32::from_le_bytes(read(self.bytes, self.first + 4 * place)?))).collect()
    }

    pub fn singles(&self) -> Result<Vec<f32>, ReadError> {
        (0..self.len).map(|place| Ok(f32::from_le_bytes(read(self.bytes, self.first + 4 * place)?))).collect()
    }

    pub fn doubles(&self) -> Result<Vec<f64>, ReadError> {
        (0..self.len).map(|place| Ok(f64::from_le_bytes(read(self.bytes, self.first + 8 * place)?))).collect()
    }
}
