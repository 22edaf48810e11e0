//! Sealed tokens: what a session knows travels with the client, encrypted, authenticated and expiring.
//!
//! ```text
//! token = base64url( version ‖ key id ‖ nonce ‖ XChaCha20-Poly1305(contents, with version ‖ key id) )
//! ```
//!
//! The service keeps nothing of a session, so that any replica with the same keys serves any step, and nothing said is at rest.

mod cipher;
mod keys;
mod letters;
mod nonce;
mod random;

pub use keys::{KeyError, Keys};
pub(crate) use random::random_bytes;

use base64::Engine;

use keys::KEY_ID_BYTES;
use letters::{Letters, letters};
use nonce::{NONCE_BYTES, nonce};

/// The layout of tokens; a change of what is inside is a new one.
const VERSION: u8 = 3;
const HEADER_BYTES: usize = 1 + KEY_ID_BYTES;
const EXPIRY_BYTES: usize = 8;
/// Few tokens are longer.
const USUAL_BYTES: usize = 512;
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
    letters: Letters,
}

impl Sealer {
    /// Seals with the newest of some keys and opens with all of them.
    #[must_use]
    pub fn new(keys: Keys) -> Self {
        Sealer { keys, letters: letters() }
    }

    /// The sealed form of what `write` puts behind what is there, good until a time in seconds since 1970.
    ///
    /// # Panics
    /// When the operating system has no random numbers.
    #[must_use]
    pub fn seal(&self, expires: u64, write: impl FnOnce(Vec<u8>) -> Vec<u8>) -> String {
        let (key, nonce) = (self.keys.newest(), nonce());
        let mut token = Vec::with_capacity(USUAL_BYTES);
        token.push(VERSION);
        token.extend_from_slice(&key.id);
        token.extend_from_slice(&nonce);
        token.extend_from_slice(&expires.to_le_bytes());
        let mut token = write(token);
        let (head, inside) = token.split_at_mut(HEADER_BYTES + NONCE_BYTES);
        let tag = cipher::encrypt(&key.bytes, &nonce, &head[..HEADER_BYTES], inside);
        token.extend_from_slice(&tag);
        self.letters.encode(token)
    }

    /// Reads what was sealed, if it was sealed here and is not older than `now` in seconds since 1970.
    ///
    /// # Errors
    /// When the token is not ours, was changed, or has expired.
    pub fn open<T>(&self, token: &str, now: u64, read: impl FnOnce(&[u8]) -> T) -> Result<T, TokenError> {
        if token.len() > LONGEST_TOKEN {
            return Err(TokenError::Foreign);
        }
        let mut token = self.letters.decode(token).map_err(|_| TokenError::Foreign)?;
        let (header, rest) = token.split_first_chunk_mut::<HEADER_BYTES>().ok_or(TokenError::Foreign)?;
        let (nonce, sealed) = rest.split_first_chunk_mut::<NONCE_BYTES>().ok_or(TokenError::Foreign)?;
        if header[0] != VERSION {
            return Err(TokenError::Foreign);
        }
        let key = self.keys.find(&header[1..]).ok_or(TokenError::Foreign)?;
        let inside = cipher::decrypt(&key.bytes, nonce, header, sealed).ok_or(TokenError::Foreign)?;
        let (expires, contents) = inside.split_first_chunk::<EXPIRY_BYTES>().ok_or(TokenError::Foreign)?;
        if u64::from_le_bytes(*expires) < now {
            return Err(TokenError::Expired);
        }
        Ok(read(contents))
    }
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    use super::*;

    fn sealer() -> Sealer {
        Sealer::new(Keys::random())
    }

    fn seal(sealer: &Sealer, contents: &[u8]) -> String {
        sealer.seal(100, |mut token| {
            token.extend_from_slice(contents);
            token
        })
    }

    fn open(sealer: &Sealer, token: &str, now: u64) -> Result<Vec<u8>, TokenError> {
        sealer.open(token, now, <[u8]>::to_vec)
    }

    #[test]
    fn what_was_sealed_is_opened_until_it_expires() {
        let sealer = sealer();
        let token = seal(&sealer, b"what was said");
        assert_eq!(open(&sealer, &token, 100).as_deref(), Ok(b"what was said".as_slice()));
        assert_eq!(open(&sealer, &token, 101), Err(TokenError::Expired));
    }

    #[test]
    fn a_token_with_any_bit_changed_is_foreign() {
        let sealer = sealer();
        let token = URL_SAFE_NO_PAD.decode(seal(&sealer, b"what was said")).unwrap();
        for place in 0..token.len() * 8 {
            let mut changed = token.clone();
            changed[place / 8] ^= 1 << (place % 8);
            assert_eq!(open(&sealer, &URL_SAFE_NO_PAD.encode(changed), 0), Err(TokenError::Foreign));
        }
        for length in 0..token.len() {
            assert_eq!(open(&sealer, &URL_SAFE_NO_PAD.encode(&token[..length]), 0), Err(TokenError::Foreign));
        }
    }

    #[test]
    fn a_token_of_another_service_is_foreign() {
        let token = seal(&sealer(), b"what was said");
        assert_eq!(open(&sealer(), &token, 0), Err(TokenError::Foreign));
        assert_eq!(open(&sealer(), "not base64 ✗", 0), Err(TokenError::Foreign));
        assert_eq!(open(&sealer(), &"A".repeat(LONGEST_TOKEN + 1), 0), Err(TokenError::Foreign));
    }

    #[test]
    fn nothing_of_what_is_inside_can_be_read_and_no_two_tokens_are_alike() {
        let sealer = sealer();
        let (first, second) = (seal(&sealer, b"what was said"), seal(&sealer, b"what was said"));
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
        let token = seal(&sealer(&old), b"said");
        let rotated = sealer(&format!("# newest first\n{new}\n{old}\n"));
        assert!(open(&rotated, &token, 0).is_ok());
        let fresh = seal(&rotated, b"said");
        assert!(open(&sealer(&new), &fresh, 0).is_ok());
        assert_eq!(open(&sealer(&new), &token, 0), Err(TokenError::Foreign));
    }
}
