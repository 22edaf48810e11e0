//! XChaCha20-Poly1305 [draft-irtf-cfrg-xchacha-03, section 2].
//!
//! ```text
//! subkey = HChaCha20(key, nonce[..16])
//! XChaCha20-Poly1305(key, nonce, …) = ChaCha20-Poly1305(subkey, 0000 ‖ nonce[16..], …)      [RFC 8439]
//! ```
//!
//! Nonces are long enough that some of each can be drawn at random, for any number of tokens. ring's ChaCha20-Poly1305 is put behind RustCrypto's HChaCha20, since it
//! takes a fifth of the time of the whole in RustCrypto (docs/decisions/0017-what-a-step-costs.md), which the tests compare it with. The last
//! subkeys are kept, as most tokens are opened soon after they were sealed, and nonces that begin alike have the same one.

use std::cell::RefCell;

use chacha20::{R20, hchacha};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};

use super::nonce::{NONCE_BYTES, RUN_BYTES};

const TAG_BYTES: usize = 16;

/// So many subkeys are kept on each thread.
const KEPT: usize = 8;

/// A subkey, and what it was derived from. It has no `Debug`.
struct Subkey {
    key: [u8; 32],
    begins: [u8; RUN_BYTES],
    subkey: LessSafeKey,
}

thread_local! {
    static SUBKEYS: RefCell<Vec<Subkey>> = const { RefCell::new(Vec::new()) };
}

/// Encrypts in place; the tag vouches for the header as well.
pub(super) fn encrypt(
    key: &[u8; 32],
    nonce: &[u8; NONCE_BYTES],
    header: &[u8],
    contents: &mut [u8],
) -> [u8; TAG_BYTES] {
    let aad = Aad::from(header);
    let tag = with_subkey(key, nonce, |key, nonce| key.seal_in_place_separate_tag(nonce, aad, contents));
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
    let aad = Aad::from(header);
    let contents = with_subkey(key, nonce, |key, nonce| key.open_in_place(nonce, aad, contents_and_tag).ok());
    contents.map(|contents| &*contents)
}

/// Does something with the key and the nonce of the cipher within.
fn with_subkey<T>(key: &[u8; 32], nonce: &[u8; NONCE_BYTES], work: impl FnOnce(&LessSafeKey, Nonce) -> T) -> T {
    let (begins, ends) = nonce.split_first_chunk::<RUN_BYTES>().expect("a nonce is longer");
    let mut short = [0; 12];
    short[4..].copy_from_slice(ends);
    let nonce = Nonce::assume_unique_for_key(short);
    SUBKEYS.with_borrow_mut(|kept| {
        let known = kept.iter().rfind(|known| known.begins == *begins && known.key == *key);
        if let Some(known) = known {
            return work(&known.subkey, nonce);
        }
        if kept.len() == KEPT {
            kept.remove(0);
        }
        let subkey = derived(key, begins);
        let done = work(&subkey, nonce);
        kept.push(Subkey { key: *key, begins: *begins, subkey });
        done
    })
}

fn derived(key: &[u8; 32], begins: &[u8; RUN_BYTES]) -> LessSafeKey {
    let subkey = hchacha::<R20>(key.into(), begins.into());
    LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, subkey.as_ref()).expect("a key has this length"))
}

#[cfg(test)]
mod tests {
    use chacha20poly1305::XChaCha20Poly1305;
    use chacha20poly1305::aead::{AeadInOut, KeyInit};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// With a few keys and beginnings, so that some of the subkeys are those that were kept.
        #[test]
        fn it_is_the_cipher_others_have_under_this_name(
            key in (0..3_u8, any::<u8>()).prop_map(|(few, any)| if any < 128 { [few; 32] } else { [any; 32] }),
            nonce in (0..5_u8, any::<[u8; NONCE_BYTES]>()).prop_map(|(few, mut nonce)| {
                if nonce[0] < 128 {
                    nonce[..RUN_BYTES].fill(few);
                }
                nonce
            }),
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
