//! A model file of any of the formats.

use std::fmt;

use crate::pipeline::Pipeline;
use crate::{ReadError, catboost, lightgbm, onnx, xgboost};

/// The formats that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// ONNX.
    Onnx,
    /// XGBoost's JSON.
    XgboostJson,
    /// XGBoost's UBJSON.
    XgboostUbjson,
    /// LightGBM's text.
    Lightgbm,
    /// CatBoost's JSON.
    CatboostJson,
    /// CatBoost's binary format.
    CatboostBlob,
}

/// What the documents of CatBoost begin with.
const CATBOOST: [&[u8]; 4] = [b"\"features_info\"", b"\"ctr_data\"", b"\"model_info\"", b"\"oblivious_trees\""];

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Format::Onnx => "ONNX",
            Format::XgboostJson => "XGBoost, JSON",
            Format::XgboostUbjson => "XGBoost, UBJSON",
            Format::Lightgbm => "LightGBM, text",
            Format::CatboostJson => "CatBoost, JSON",
            Format::CatboostBlob => "CatBoost, binary",
        })
    }
}

impl Format {
    /// The format of a file, by how it begins.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let text = bytes.trim_ascii_start();
        match (text, bytes) {
            (_, [b'C', b'B', b'M', b'1', ..]) => Some(Format::CatboostBlob),
            ([b'{', rest @ ..], _) if CATBOOST.iter().any(|key| rest.trim_ascii_start().starts_with(key)) => {
                Some(Format::CatboostJson)
            }
            ([b'{', rest @ ..], _) => match rest.trim_ascii_start().first() {
                Some(b'"' | b'}') | None => Some(Format::XgboostJson),
                Some(_) => Some(Format::XgboostUbjson),
            },
            (text, _) if text.starts_with(b"tree\n") || text.starts_with(b"tree\r\n") => Some(Format::Lightgbm),
            // The tags of the fields a file of ONNX can begin with.
            (_, [0x08 | 0x12 | 0x1a | 0x22 | 0x28 | 0x32 | 0x3a | 0x42, ..]) => Some(Format::Onnx),
            _ => None,
        }
    }
}

/// Reads a model file. Its format is recognised by how it begins.
///
/// # Errors
/// When the format is unknown, or the file is damaged or holds something that is not supported.
///
/// # Numerics
/// The result is at most a constant times as large as the file: sizes are checked before memory is reserved for them.
pub fn read(bytes: &[u8]) -> Result<(Format, Pipeline), ReadError> {
    let format = Format::of(bytes).ok_or(ReadError::UnknownFormat)?;
    let pipeline = match format {
        Format::Onnx => onnx::read(bytes),
        Format::XgboostJson => xgboost::read_json(bytes),
        Format::XgboostUbjson => xgboost::read_ubjson(bytes),
        Format::Lightgbm => lightgbm::read_text(bytes),
        Format::CatboostJson => catboost::read_json(bytes),
        Format::CatboostBlob => catboost::read_blob(bytes),
    };
    Ok((format, pipeline?))
}
