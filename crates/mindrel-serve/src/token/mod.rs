//! Sealed tokens: the state of a session travels with the client, encrypted, authenticated and with an expiry time.
//!
//! ```text
//! token = base64url(version ‖ key id ‖ nonce ‖ XChaCha20-Poly1305(expiry ‖ contents))
//! ```
//!
//! Version and key id are authenticated as well. The service stores nothing of a session: any replica with the same
//! keys serves any step, and no answer is ever at rest.
//!
//! Each nonce is 24 fresh bytes from the operating system. Nothing about nonces is kept in memory, so that a process
//! that was copied (a restored machine image, a fork) cannot repeat one.

mod keys;

pub use keys::{KeyError, Keys};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::XChaCha20Poly1305;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};

use keys::KEY_ID_BYTES;

/// The token format. Tokens of another version are refused as foreign.
const VERSION: u8 = 4;
const HEADER_BYTES: usize = 1 + KEY_ID_BYTES;
const NONCE_BYTES: usize = 24;
const EXPIRY_BYTES: usize = 8;
/// No session needs a longer token; longer ones are refused unread.
pub const LONGEST_TOKEN: usize = 48 * 1024;

/// Why a token is refused. It says nothing about the contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Not sealed with any of the keys, or changed since.
    #[error("the token was not issued by this service, or it was changed; start a new session")]
    Foreign,
    /// Too old.
    #[error("the token has expired; start a new session")]
    Expired,
}

/// Seals and opens tokens. It has no `Debug` because it holds keys.
pub struct Sealer {
    keys: Keys,
}

impl Sealer {
    /// Seals with the newest of the keys and opens with any of them.
    #[must_use]
    pub fn new(keys: Keys) -> Self {
        Sealer { keys }
    }

    /// Seals contents in a token that expires after a time in seconds since 1970.
    ///
    /// # Panics
    /// When the operating system has no random numbers.
    #[must_use]
    pub fn seal(&self, contents: &[u8], expires: u64) -> String {
        let key = self.keys.newest();
        let nonce: [u8; NONCE_BYTES] = random_bytes();
        let mut token = vec![VERSION];
        token.extend_from_slice(&key.id);
        let inside = [&expires.to_le_bytes()[..], contents].concat();
        let cipher = XChaCha20Poly1305::new((&*key.bytes).into());
        let sealed = cipher.encrypt(&nonce.into(), Payload { msg: &inside, aad: &token });
        token.extend_from_slice(&nonce);
        token.extend_from_slice(&sealed.expect("a session is far shorter than the cipher's limit"));
        URL_SAFE_NO_PAD.encode(token)
    }

    /// Returns the contents of a token that was sealed here and has not expired at `now`, in seconds since 1970.
    ///
    /// # Errors
    /// When the token is not ours, was changed, or has expired.
    pub fn open(&self, token: &str, now: u64) -> Result<Vec<u8>, TokenError> {
        let inside = self.decrypt(token).ok_or(TokenError::Foreign)?;
        let (expires, contents) = inside.split_first_chunk::<EXPIRY_BYTES>().ok_or(TokenError::Foreign)?;
        if u64::from_le_bytes(*expires) < now { Err(TokenError::Expired) } else { Ok(contents.to_vec()) }
    }

    /// Returns `None` for a token that is not ours.
    fn decrypt(&self, token: &str) -> Option<Vec<u8>> {
        if token.len() > LONGEST_TOKEN {
            return None;
        }
        let token = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (header, rest) = token.split_first_chunk::<HEADER_BYTES>()?;
        let (nonce, sealed) = rest.split_first_chunk::<NONCE_BYTES>()?;
        let (version, key_id) = header.split_first()?;
        if *version != VERSION {
            return None;
        }
        let cipher = XChaCha20Poly1305::new((&*self.keys.find(key_id)?.bytes).into());
        cipher.decrypt(nonce.into(), Payload { msg: sealed, aad: header }).ok()
    }
}

/// Random bytes from the operating system.
///
/// # Panics
/// When the operating system has none.
pub(crate) fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system has random numbers");
    bytes
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const CONTENTS: &[u8] = b"the answers so far";

    fn sealer() -> Sealer {
        Sealer::new(Keys::random())
    }

    #[test]
    fn what_was_sealed_is_opened_until_it_expires() {
        let sealer = sealer();
        let token = sealer.seal(CONTENTS, 100);
        assert_eq!(sealer.open(&token, 100).as_deref(), Ok(CONTENTS));
        assert_eq!(sealer.open(&token, 101), Err(TokenError::Expired));
    }

    #[test]
    fn a_token_with_any_bit_changed_is_foreign() {
        let sealer = sealer();
        let token = URL_SAFE_NO_PAD.decode(sealer.seal(CONTENTS, 100)).unwrap();
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
    fn a_token_of_another_service_or_format_is_foreign() {
        let token = sealer().seal(CONTENTS, 100);
        assert_eq!(sealer().open(&token, 0), Err(TokenError::Foreign));
        assert_eq!(sealer().open("not base64 ✗", 0), Err(TokenError::Foreign));
        assert_eq!(sealer().open(&"A".repeat(LONGEST_TOKEN + 1), 0), Err(TokenError::Foreign));
    }

    /// A token exactly as the format before this one made it, sealed with a key that is known here.
    #[test]
    fn a_token_of_the_format_before_is_foreign() {
        let keys = Keys::parse(&Keys::random_text()).unwrap();
        let (id, nonce) = (keys.newest().id, random_bytes::<NONCE_BYTES>());
        let cipher = XChaCha20Poly1305::new((&*keys.newest().bytes).into());
        let header = [&[3], &id[..]].concat();
        let inside = [&100_u64.to_le_bytes()[..], CONTENTS].concat();
        let sealed = cipher.encrypt(&nonce.into(), Payload { msg: &inside, aad: &header }).unwrap();
        let token = URL_SAFE_NO_PAD.encode([&header, &nonce[..], &sealed].concat());
        assert_eq!(Sealer::new(keys).open(&token, 0), Err(TokenError::Foreign));
    }

    #[test]
    fn nothing_of_the_contents_can_be_read_from_a_token() {
        let bytes = URL_SAFE_NO_PAD.decode(sealer().seal(CONTENTS, 100)).unwrap();
        assert!(!bytes.windows(4).any(|part| CONTENTS.windows(4).any(|word| word == part)));
    }

    /// Replicas, restored machine images and forks hold the same keys and the same memory. Whatever they seal, on
    /// whichever thread, no nonce is repeated, nor any third of one: nonces are drawn whole, not counted from a common
    /// start. Two of 40,000 times 8 random bytes are equal by chance once in 2·10¹⁰ runs.
    #[test]
    fn copies_of_a_service_never_repeat_a_nonce() {
        let text = Keys::random_text();
        let copies: Vec<Sealer> = (0..4).map(|_| Sealer::new(Keys::parse(&text).unwrap())).collect();
        let nonces_of = |sealer: &Sealer| -> Vec<Vec<u8>> {
            let tokens = (0..10_000).map(|_| URL_SAFE_NO_PAD.decode(sealer.seal(CONTENTS, 100)).unwrap());
            tokens.map(|token| token[HEADER_BYTES..HEADER_BYTES + NONCE_BYTES].to_vec()).collect()
        };
        let nonces: Vec<Vec<u8>> = std::thread::scope(|scope| {
            let copies: Vec<_> = copies.iter().map(|copy| scope.spawn(|| nonces_of(copy))).collect();
            copies.into_iter().flat_map(|copy| copy.join().unwrap()).collect()
        });
        for third in 0..3 {
            let parts: HashSet<&[u8]> = nonces.iter().map(|nonce| &nonce[8 * third..8 * (third + 1)]).collect();
            assert_eq!(parts.len(), nonces.len());
        }
    }

    /// A rotated-in key seals from then on; tokens of the one before still open, until it is retired.
    #[test]
    fn tokens_outlive_the_rotation_of_keys_until_theirs_is_retired() {
        let old = Keys::random_text();
        let new = Keys::random_text();
        let sealer = |text: &str| Sealer::new(Keys::parse(text).unwrap());
        let token = sealer(&old).seal(CONTENTS, 100);
        let rotated = sealer(&format!("# newest first\n{new}\n{old}\n"));
        assert!(rotated.open(&token, 0).is_ok());
        let fresh = rotated.seal(CONTENTS, 100);
        assert!(sealer(&new).open(&fresh, 0).is_ok());
        assert_eq!(sealer(&new).open(&token, 0), Err(TokenError::Foreign));
    }
}
