//! Why a file is no model that can be brought in.

/// What is wrong with a model file, where, and what to do about it. Who knows the file's name puts it in front.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// None of the formats.
    #[error(
        "this is no model of a format that is known; give an ONNX file, XGBoost's JSON or UBJSON, or LightGBM's text"
    )]
    UnknownFormat,
    /// A file of a known format that ends too early, or is not what it says.
    #[error("{place}: {what}; the file is cut off or damaged, save the model again")]
    Damaged {
        /// Where in the file.
        place: String,
        /// What is wrong there.
        what: String,
    },
    /// Something the library can do and is not brought in.
    #[error("{place}: {what} is not brought in; {remedy}")]
    Unsupported {
        /// Where in the file.
        place: String,
        /// What it is.
        what: String,
        /// The way out.
        remedy: String,
    },
}

impl ReadError {
    pub(crate) fn damaged(place: impl Into<String>, what: impl Into<String>) -> Self {
        ReadError::Damaged { place: place.into(), what: what.into() }
    }

    pub(crate) fn unsupported(place: impl Into<String>, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        ReadError::Unsupported { place: place.into(), what: what.into(), remedy: remedy.into() }
    }
}
