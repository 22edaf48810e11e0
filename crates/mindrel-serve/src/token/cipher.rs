//! XChaCha20-Poly1305 [draft-irtf-cfrg-xchacha-03, section 2].
//!
//! ```text
//! subkey = HChaCha20(key, nonce[..16])
//! XChaCha20-Poly1305(key, nonce, …) = ChaCha20-Poly1305(subkey, 0000 ‖ nonce[16..], …)      [RFC 8439]
//! ```
//!
//! Nonces are long enough to be drawn at random, any number of them. ring's ChaCha20-Poly1305 is put behind RustCrypto's HChaCha20, since it
//! takes a fifth of the time of the whole in RustCrypto (docs/decisions/0017-what-a-step-costs.md), which the tests compare it with.

use chacha20::{R20, hchacha};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};

pub(super) const NONCE_BYTES: usize = 24;
pub(super) const TAG_BYTES: usize = 16;

/// Encrypts in place; the tag vouches for the header as well.
pub(super) fn encrypt(
    key: &[u8; 32],
    nonce: &[u8; NONCE_BYTES],
    header: &[u8],
    contents: &mut [u8],
) -> [u8; TAG_BYTES] {
    let (key, nonce) = subkey(key, nonce);
    let tag = key.seal_in_place_separate_tag(nonce, Aad::from(header), contents);
    let tag = tag.expect("a session is far shorter than the cipher's limit");
    tag.as_ref().try_into().expect("a tag has this length")
}

/// Decrypts contents and the tag behind them in place; nothing where the tag does not vouch for them.
pub(super) fn decrypt<'a>(
    key: &[u8; 32],
    nonce: &[u8; NONCE_BYTES],
    header: &[u8],
    contents_and_tag: &'a mut [u8],
) -> Option<&'a [u8]> {
    let (key, nonce) = subkey(key, nonce);
    key.open_in_place(nonce, Aad::from(header), contents_and_tag).ok().map(|contents| &*contents)
}

fn subkey(key: &[u8; 32], nonce: &[u8; NONCE_BYTES]) -> (LessSafeKey, Nonce) {
    let (first, last) = nonce.split_first_chunk::<16>().expect("a nonce is longer");
    let subkey = hchacha::<R20>(key.into(), first.into());
    let mut short = [0; 12];
    short[4..].copy_from_slice(last);
    let subkey = UnboundKey::new(&CHACHA20_POLY1305, subkey.as_ref()).expect("a key has this length");
    (LessSafeKey::new(subkey), Nonce::assume_unique_for_key(short))
}

#[cfg(test)]
mod tests {
    use chacha20poly1305::XChaCha20Poly1305;
    use chacha20poly1305::aead::{AeadInOut, KeyInit};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_the_cipher_others_have_under_this_name(
            key: [u8; 32],
            nonce: [u8; NONCE_BYTES],
            header in prop::collection::vec(any::<u8>(), 0..20),
            contents in prop::collection::vec(any::<u8>(), 0..600),
        ) {
            let (mut ours, mut theirs) = (contents.clone(), contents.clone());
            let tag = encrypt(&key, &nonce, &header, &mut ours);
            let other = XChaCha20Poly1305::new(&key.into());
            let their_tag = other.encrypt_inout_detached(&nonce.into(), &header, theirs.as_mut_slice().into()).unwrap();
            prop_assert_eq!((&ours, &tag[..]), (&theirs, &their_tag[..]));
            ours.extend_from_slice(&tag);
            prop_assert_eq!(decrypt(&key, &nonce, &header, &mut ours), Some(&contents[..]));
        }
    }
}
