//! Why a model file cannot be imported.

/// What is wrong with a model file, where, and what to do about it. The caller adds the file's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum ReadError {
    /// Not one of the known formats.
    #[error(
        "this is not a model file of a known format; give an ONNX file, XGBoost's JSON or UBJSON, \
         LightGBM's text, or CatBoost's JSON or cbm"
    )]
    UnknownFormat,
    /// A file of a known format that ends too early, or is not what it says.
    #[error("{place}: {what}; the file is truncated or damaged; save the model again")]
    Damaged { place: String, what: String },
    /// Something that the library can do but that cannot be imported.
    #[error("{place}: {what} is not supported; {remedy}")]
    Unsupported { place: String, what: String, remedy: String },
}

impl ReadError {
    pub(crate) fn damaged(place: impl Into<String>, what: impl Into<String>) -> Self {
        ReadError::Damaged { place: place.into(), what: what.into() }
    }

    pub(crate) fn unsupported(place: impl Into<String>, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        ReadError::Unsupported { place: place.into(), what: what.into(), remedy: remedy.into() }
    }
}
