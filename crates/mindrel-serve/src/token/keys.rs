//! The keys tokens are sealed with.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::random::random_bytes;

/// How much of a key's digest tells it from the others.
pub(super) const KEY_ID_BYTES: usize = 4;

/// One key. It has no `Debug`.
pub(super) struct Key {
    pub id: [u8; KEY_ID_BYTES],
    pub bytes: [u8; 32],
}

/// Some keys, the newest first. It has no `Debug`.
pub struct Keys {
    keys: Vec<Key>,
}

/// Why a text holds no keys. It never repeats any of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// A line is no key.
    #[error("line {line} is not a key: 32 bytes in base64; make one with `mindrel keys new FILE`")]
    Line {
        /// Counted from one.
        line: usize,
    },
    /// There are none.
    #[error("there is no key; make one with `mindrel keys new FILE`")]
    Empty,
}

impl Keys {
    /// Reads keys, one on each line in base64, the newest first; lines that start with `#` are left out.
    ///
    /// # Errors
    /// When a line is no key, or there are none.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let mut keys = Vec::new();
        for (line, text) in text.lines().enumerate() {
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let bytes = STANDARD.decode(text).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
            keys.push(Key::new(bytes.ok_or(KeyError::Line { line: line + 1 })?));
        }
        if keys.is_empty() { Err(KeyError::Empty) } else { Ok(Keys { keys }) }
    }

    /// A key of the moment, which no other process has.
    ///
    /// # Panics
    /// When the operating system has no random numbers.
    #[must_use]
    pub fn random() -> Self {
        Keys { keys: vec![Key::new(random_bytes())] }
    }

    /// A new key as it is written in a file.
    ///
    /// # Panics
    /// When the operating system has no random numbers.
    #[must_use]
    pub fn random_text() -> String {
        STANDARD.encode(random_bytes::<32>())
    }

    pub(super) fn newest(&self) -> &Key {
        &self.keys[0]
    }

    pub(super) fn find(&self, id: &[u8]) -> Option<&Key> {
        self.keys.iter().find(|key| key.id == id)
    }
}

impl Key {
    fn new(bytes: [u8; 32]) -> Self {
        let digest = Sha256::new().chain_update(b"mindrel key id").chain_update(bytes).finalize();
        Key { id: digest[..KEY_ID_BYTES].try_into().expect("a digest is longer"), bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_no_key_is_named_and_not_repeated() {
        let text = format!("# comment\n\n{}\nsecret-but-short\n", Keys::random_text());
        let error = Keys::parse(&text).err().unwrap();
        assert_eq!(error, KeyError::Line { line: 4 });
        assert!(!error.to_string().contains("secret"));
        assert_eq!(Keys::parse("# nothing\n").err(), Some(KeyError::Empty));
    }
}
