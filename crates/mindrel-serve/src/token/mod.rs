//! Sealed tokens: what a session knows travels with the client, encrypted, authenticated and expiring.
//!
//! ```text
//! token = base64url( version ‖ key id ‖ nonce ‖ XChaCha20-Poly1305(contents, with version ‖ key id) )
//! ```
//!
//! The service keeps nothing of a session, so that any replica with the same keys serves any step, and nothing said is at rest.

mod keys;

pub(crate) use keys::random_bytes;
pub use keys::{KeyError, Keys};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{AeadInOut, KeyInit};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

use keys::KEY_ID_BYTES;

/// The layout of tokens; a change of what is inside is a new one.
const VERSION: u8 = 1;
const NONCE_BYTES: usize = 24;
const TAG_BYTES: usize = 16;
const HEADER_BYTES: usize = 1 + KEY_ID_BYTES;
/// No session needs a longer one; longer texts are not looked at.
pub const LONGEST_TOKEN: usize = 48 * 1024;

/// Why a token is not taken. It says nothing of what is inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Not sealed by any of the keys, or changed since.
    #[error("the token was not made by this service, or was changed; start again")]
    Foreign,
    /// Too old.
    #[error("the token has expired; start again")]
    Expired,
}

/// Seals and opens tokens. It has no `Debug`: it holds keys.
pub struct Sealer {
    keys: Keys,
}

impl Sealer {
    /// Seals with the newest of some keys and opens with all of them.
    #[must_use]
    pub fn new(keys: Keys) -> Self {
        Sealer { keys }
    }

    /// The sealed form of some contents, good until a time in seconds since 1970.
    ///
    /// # Panics
    /// When the operating system has no random numbers.
    #[must_use]
    pub fn seal(&self, contents: &[u8], expires: u64) -> String {
        let key = self.keys.newest();
        let mut token = Vec::with_capacity(HEADER_BYTES + NONCE_BYTES + 8 + contents.len() + TAG_BYTES);
        token.push(VERSION);
        token.extend_from_slice(&key.id);
        token.resize(HEADER_BYTES + NONCE_BYTES, 0);
        getrandom::fill(&mut token[HEADER_BYTES..]).expect("the operating system has random numbers");
        token.extend_from_slice(&expires.to_le_bytes());
        token.extend_from_slice(contents);
        let (head, inside) = token.split_at_mut(HEADER_BYTES + NONCE_BYTES);
        let (header, nonce) = head.split_at(HEADER_BYTES);
        let tag = cipher(&key.bytes)
            .encrypt_inout_detached(&nonce_of(nonce), header, inside.into())
            .expect("a session is far shorter than the cipher's limit");
        token.extend_from_slice(&tag);
        URL_SAFE_NO_PAD.encode(token)
    }

    /// What was sealed, if it was sealed here and is not older than `now` in seconds since 1970.
    ///
    /// # Errors
    /// When the token is not ours, was changed, or has expired.
    pub fn open(&self, token: &str, now: u64) -> Result<Vec<u8>, TokenError> {
        if token.len() > LONGEST_TOKEN {
            return Err(TokenError::Foreign);
        }
        let mut token = URL_SAFE_NO_PAD.decode(token).map_err(|_| TokenError::Foreign)?;
        let least = HEADER_BYTES + NONCE_BYTES + 8 + TAG_BYTES;
        if token.len() < least || token[0] != VERSION {
            return Err(TokenError::Foreign);
        }
        let tag = token.split_off(token.len() - TAG_BYTES);
        let (head, inside) = token.split_at_mut(HEADER_BYTES + NONCE_BYTES);
        let (header, nonce) = head.split_at(HEADER_BYTES);
        let key = self.keys.find(&header[1..]).ok_or(TokenError::Foreign)?;
        let tag = tag.as_slice().try_into().expect("split off at this length");
        cipher(&key.bytes)
            .decrypt_inout_detached(&nonce_of(nonce), header, (&mut *inside).into(), &tag)
            .map_err(|_| TokenError::Foreign)?;
        let expires = u64::from_le_bytes(inside[..8].try_into().expect("eight bytes"));
        if expires < now {
            return Err(TokenError::Expired);
        }
        Ok(inside[8..].to_vec())
    }
}

fn cipher(key: &[u8; 32]) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new(key.into())
}

fn nonce_of(bytes: &[u8]) -> XNonce {
    bytes.try_into().expect("a nonce has this length")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealer() -> Sealer {
        Sealer::new(Keys::random())
    }

    #[test]
    fn what_was_sealed_is_opened_until_it_expires() {
        let sealer = sealer();
        let token = sealer.seal(b"what was said", 100);
        assert_eq!(sealer.open(&token, 100).as_deref(), Ok(b"what was said".as_slice()));
        assert_eq!(sealer.open(&token, 101), Err(TokenError::Expired));
    }

    #[test]
    fn a_token_with_any_bit_changed_is_foreign() {
        let sealer = sealer();
        let token = URL_SAFE_NO_PAD.decode(sealer.seal(b"what was said", 100)).unwrap();
        for place in 0..token.len() * 8 {
            let mut changed = token.clone();
            changed[place / 8] ^= 1 << (place % 8);
            assert_eq!(sealer.open(&URL_SAFE_NO_PAD.encode(changed), 0), Err(TokenError::Foreign));
        }
        for length in 0..token.len() {
            assert_eq!(sealer.open(&URL_SAFE_NO_PAD.encode(&token[..length]), 0), Err(TokenError::Foreign));
        }
    }

    #[test]
    fn a_token_of_another_service_is_foreign() {
        let token = sealer().seal(b"what was said", 100);
        assert_eq!(sealer().open(&token, 0), Err(TokenError::Foreign));
        assert_eq!(sealer().open("not base64 ✗", 0), Err(TokenError::Foreign));
        assert_eq!(sealer().open(&"A".repeat(LONGEST_TOKEN + 1), 0), Err(TokenError::Foreign));
    }

    #[test]
    fn nothing_of_what_is_inside_can_be_read_and_no_two_tokens_are_alike() {
        let sealer = sealer();
        let (first, second) = (sealer.seal(b"what was said", 100), sealer.seal(b"what was said", 100));
        assert_ne!(first, second);
        let bytes = URL_SAFE_NO_PAD.decode(first).unwrap();
        assert!(!bytes.windows(4).any(|part| b"what was said".windows(4).any(|said| said == part)));
    }

    /// A key that is rotated in seals from then on; tokens of the one before are still opened, until it is taken out.
    #[test]
    fn tokens_outlive_the_rotation_of_keys_until_theirs_is_taken_out() {
        let old = Keys::random_text();
        let new = Keys::random_text();
        let sealer = |text: &str| Sealer::new(Keys::parse(text).unwrap());
        let token = sealer(&old).seal(b"said", 100);
        let rotated = sealer(&format!("# newest first\n{new}\n{old}\n"));
        assert!(rotated.open(&token, 0).is_ok());
        let fresh = rotated.seal(b"said", 100);
        assert!(sealer(&new).open(&fresh, 0).is_ok());
        assert_eq!(sealer(&new).open(&token, 0), Err(TokenError::Foreign));
    }
}
