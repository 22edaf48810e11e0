//! So many bytes, in one piece: serde would take an array one by one.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

pub(super) fn serialize<S: Serializer, const N: usize>(bytes: &[u8; N], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>, const N: usize>(deserializer: D) -> Result<[u8; N], D::Error> {
    let bytes = <&[u8]>::deserialize(deserializer)?;
    bytes.try_into().map_err(|_| D::Error::invalid_length(bytes.len(), &"another number of bytes"))
}
