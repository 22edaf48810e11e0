//! The keys that seal tokens.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::random_bytes;

/// How many bytes of a key's digest identify it.
pub(super) const KEY_ID_BYTES: usize = 4;

/// One key, wiped from memory when it is dropped. It has no `Debug`.
pub(super) struct SealingKey {
    pub id: [u8; KEY_ID_BYTES],
    pub bytes: Zeroizing<[u8; 32]>,
}

/// One or more keys, the newest first. It has no `Debug`.
pub struct Keys {
    keys: Vec<SealingKey>,
}

/// Why a text is not a list of keys. It never quotes the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// A line is not a key.
    #[error("line {line} is not a key, which is 32 bytes in base64")]
    Line {
        /// Counted from one.
        line: usize,
    },
    /// There is no key.
    #[error("there is no key in it")]
    Empty,
}

impl Keys {
    /// Reads keys in base64, one on each line, the newest first. Empty lines and lines that start with `#` are ignored.
    ///
    /// # Errors
    /// When a line is not a key, or there is no key.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let mut keys = Vec::new();
        for (line, text) in text.lines().enumerate() {
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let decoded = Zeroizing::new(STANDARD.decode(text).unwrap_or_default());
            let bytes = decoded.as_slice().try_into().map_err(|_| KeyError::Line { line: line + 1 })?;
            keys.push(SealingKey::new(Zeroizing::new(bytes)));
        }
        if keys.is_empty() { Err(KeyError::Empty) } else { Ok(Keys { keys }) }
    }

    /// A temporary key that no other process has.
    ///
    /// # Panics
    /// When the operating system has no random numbers.
    #[must_use]
    pub fn random() -> Self {
        Keys { keys: vec![SealingKey::new(Zeroizing::new(random_bytes()))] }
    }

    /// A new key as a line of a key file.
    ///
    /// # Panics
    /// When the operating system has no random numbers.
    #[must_use]
    pub fn random_text() -> String {
        STANDARD.encode(Zeroizing::new(random_bytes::<32>()))
    }

    pub(super) fn newest(&self) -> &SealingKey {
        &self.keys[0]
    }

    pub(super) fn find(&self, id: &[u8]) -> Option<&SealingKey> {
        self.keys.iter().find(|key| key.id == id)
    }
}

impl SealingKey {
    fn new(bytes: Zeroizing<[u8; 32]>) -> Self {
        let digest = Sha256::new().chain_update(b"mindrel key id").chain_update(*bytes).finalize();
        SealingKey { id: digest[..KEY_ID_BYTES].try_into().expect("a digest is longer"), bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_not_a_key_is_named_and_not_quoted() {
        let text = format!("# comment\n\n{}\nsecret-but-short\n", Keys::random_text());
        let error = Keys::parse(&text).err().unwrap();
        assert_eq!(error, KeyError::Line { line: 4 });
        assert!(!error.to_string().contains("secret"));
        assert_eq!(Keys::parse("# nothing\n").err(), Some(KeyError::Empty));
    }
}
