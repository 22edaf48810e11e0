//! Universal Binary JSON, as XGBoost writes it.

use serde_json::{Map, Number, Value};

use crate::ReadError;

/// XGBoost nests seven levels deep; what is nested deeper than this is not a model.
const MOST_DEPTH: usize = 32;

/// Reads a whole file of UBJSON.
///
/// Every element takes at least a byte, so the result is at most a constant times as large as the file.
///
/// # Errors
/// When the file is truncated or is not UBJSON.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, ReadError> {
    let mut reader = Reader { bytes, at: 0 };
    let marker = reader.marker()?;
    reader.value(marker, 0)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn damaged(&self, what: &str) -> ReadError {
        ReadError::damaged(format!("byte {}", self.at), what)
    }

    fn take(&mut self, count: usize) -> Result<&[u8], ReadError> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or_else(|| self.damaged("the file ends here"))?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ReadError> {
        Ok(self.take(N)?.try_into().expect("as many as were taken"))
    }

    /// The next marker; `N` is padding.
    fn marker(&mut self) -> Result<u8, ReadError> {
        loop {
            let [marker] = self.array()?;
            if marker != b'N' {
                return Ok(marker);
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn value(&mut self, marker: u8, depth: usize) -> Result<Value, ReadError> {
        if depth > MOST_DEPTH {
            return Err(self.damaged("it is nested too deep"));
        }
        Ok(match marker {
            b'{' => self.object(depth)?,
            b'[' => self.list(depth)?,
            b'S' => Value::String(self.text()?),
            b'C' => Value::String(char::from(self.array::<1>()?[0]).to_string()),
            b'Z' => Value::Null,
            b'T' => Value::Bool(true),
            b'F' => Value::Bool(false),
            b'd' => number(f64::from(f32::from_be_bytes(self.array()?))),
            b'D' => number(f64::from_be_bytes(self.array()?)),
            _ => Value::Number(self.integer(marker)?.into()),
        })
    }

    fn integer(&mut self, marker: u8) -> Result<i64, ReadError> {
        Ok(match marker {
            b'i' => i64::from(i8::from_be_bytes(self.array()?)),
            b'U' => i64::from(u8::from_be_bytes(self.array()?)),
            b'I' => i64::from(i16::from_be_bytes(self.array()?)),
            b'l' => i64::from(i32::from_be_bytes(self.array()?)),
            b'L' => i64::from_be_bytes(self.array()?),
            _ => return Err(self.damaged("there is no value of this kind")),
        })
    }

    /// A count, which cannot be larger than what is left of the file.
    fn count(&mut self) -> Result<usize, ReadError> {
        let marker = self.marker()?;
        let count = usize::try_from(self.integer(marker)?).ok();
        let left = self.bytes.len() - self.at;
        count.filter(|count| *count <= left).ok_or_else(|| self.damaged("more is promised than the file holds"))
    }

    fn text(&mut self) -> Result<String, ReadError> {
        let length = self.count()?;
        let bytes = self.take(length)?.to_vec();
        String::from_utf8(bytes).map_err(|_| self.damaged("a text is not UTF-8"))
    }

    /// The kind and the number of all elements, if they are declared in advance.
    fn head(&mut self) -> Result<(Option<u8>, Option<usize>), ReadError> {
        let mut kind = None;
        if self.peek() == Some(b'$') {
            self.at += 1;
            kind = Some(self.marker()?);
            // These take no room of their own, so that a short file could hold any number of them.
            if matches!(kind, Some(b'Z' | b'T' | b'F')) || self.peek() != Some(b'#') {
                return Err(self.damaged("a list does not say how long it is"));
            }
        }
        if self.peek() == Some(b'#') {
            self.at += 1;
            return Ok((kind, Some(self.count()?)));
        }
        Ok((kind, None))
    }

    fn list(&mut self, depth: usize) -> Result<Value, ReadError> {
        let (kind, count) = self.head()?;
        let mut values = Vec::new();
        while count.map_or_else(|| self.peek() != Some(b']'), |count| values.len() < count) {
            let marker = kind.map_or_else(|| self.marker(), Ok)?;
            values.push(self.value(marker, depth + 1)?);
        }
        if count.is_none() {
            self.at += 1;
        }
        Ok(Value::Array(values))
    }

    fn object(&mut self, depth: usize) -> Result<Value, ReadError> {
        let (kind, count) = self.head()?;
        let (mut values, mut n_read) = (Map::new(), 0);
        while count.map_or_else(|| self.peek() != Some(b'}'), |count| n_read < count) {
            let name = self.text()?;
            let marker = kind.map_or_else(|| self.marker(), Ok)?;
            values.insert(name, self.value(marker, depth + 1)?);
            n_read += 1;
        }
        if count.is_none() {
            self.at += 1;
        }
        Ok(Value::Object(values))
    }
}

/// What is not finite has no number in JSON, and no place in a model.
fn number(value: f64) -> Value {
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}
