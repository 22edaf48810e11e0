//! Numbers that stand in the file.

use rten_onnx::onnx::{DataLocation, DataType, TensorProto};

use crate::ReadError;

/// A constant of the graph.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tensor {
    pub dims: Vec<usize>,
    pub values: Vec<f64>,
    /// Whether its numbers are of single precision.
    pub single: bool,
}

impl Tensor {
    pub fn read(tensor: &TensorProto) -> Result<Self, ReadError> {
        let name = format!("tensor \"{}\"", tensor.name.as_deref().unwrap_or_default());
        if tensor.data_location == Some(DataLocation::EXTERNAL) {
            let remedy = "save the model in one file";
            return Err(ReadError::unsupported(name, "data in another file", remedy));
        }
        let data_type = tensor.data_type.unwrap_or(DataType::FLOAT);
        let raw = tensor.raw_data.as_ref().map(|raw| raw.borrow());
        let values = match (&raw, data_type) {
            (Some(raw), DataType::FLOAT) => numbers(raw, |bytes| f64::from(f32::from_le_bytes(bytes))),
            (Some(raw), DataType::DOUBLE) => numbers(raw, f64::from_le_bytes),
            (Some(raw), DataType::INT64) => numbers(raw, |bytes| i64::from_le_bytes(bytes) as f64),
            (Some(raw), DataType::INT32) => numbers(raw, |bytes| f64::from(i32::from_le_bytes(bytes))),
            (Some(raw), DataType::UINT8 | DataType::BOOL) => raw.iter().map(|byte| f64::from(*byte)).collect(),
            (None, DataType::FLOAT) => tensor.float_data.iter().map(|value| f64::from(*value)).collect(),
            (None, DataType::DOUBLE) => tensor.double_data.clone(),
            (None, DataType::INT64) => tensor.int64_data.iter().map(|value| *value as f64).collect(),
            (None, DataType::INT32 | DataType::UINT8 | DataType::BOOL) => {
                tensor.int32_data.iter().map(|value| f64::from(*value)).collect()
            }
            // Texts and rarer numbers have no place in what is brought in; who needs them finds nothing.
            _ => return Ok(Tensor { dims: Vec::new(), values: Vec::new(), single: false }),
        };
        let dims: Option<Vec<usize>> = tensor.dims.iter().map(|dim| usize::try_from(*dim).ok()).collect();
        let count = dims.as_ref().and_then(|dims| dims.iter().try_fold(1usize, |count, dim| count.checked_mul(*dim)));
        match dims.filter(|_| count == Some(values.len())) {
            Some(dims) => Ok(Tensor { dims, values, single: data_type == DataType::FLOAT }),
            None => Err(ReadError::damaged(name, "its numbers do not fill its shape")),
        }
    }

    /// One number for each of `count` columns. Returns `None` unless it holds one number or `count` of them.
    pub fn spread(&self, count: usize) -> Option<Vec<f64>> {
        let columns = self.dims.last().copied().unwrap_or(1);
        match self.values.len() {
            1 => Some(vec![self.values[0]; count]),
            length if length == count && columns == count => Some(self.values.clone()),
            _ => None,
        }
    }

    /// Its rows and columns. Returns `None` unless it has two dimensions.
    pub fn matrix(&self) -> Option<(usize, usize)> {
        match self.dims[..] {
            [rows, columns] => Some((rows, columns)),
            _ => None,
        }
    }
}

fn numbers<const N: usize>(raw: &[u8], number: impl Fn([u8; N]) -> f64) -> Vec<f64> {
    raw.chunks_exact(N).map(|bytes| number(bytes.try_into().expect("so many were taken"))).collect()
}
