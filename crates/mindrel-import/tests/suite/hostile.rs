//! Files that are truncated, changed or malicious: an error or a model, never a panic, and no more memory than
//! warranted.

use crate::common::{FILES, model, schema};
use mindrel_import::{lower, read};
use proptest::prelude::*;

/// Reads bytes, and puts what comes of them onto a schema.
fn swallow(bytes: &[u8]) {
    if let Ok((_, pipeline)) = read(bytes) {
        for n_columns in [3, 4] {
            for n_classes in [2, 3] {
                // Refused or not, it must come back.
                let _ = lower(&pipeline, &schema(n_columns, n_classes));
            }
        }
    }
}

#[test]
fn a_file_cut_off_anywhere_is_an_error_or_a_model() {
    for name in FILES {
        let bytes = model(name);
        let step = (bytes.len() / 400).max(1);
        (0..bytes.len()).step_by(step).for_each(|end| swallow(&bytes[..end]));
    }
}

/// Most of a file is needed: cut in the middle, none is taken for whole.
#[test]
fn half_a_file_is_refused() {
    for name in FILES {
        let bytes = model(name);
        assert!(read(&bytes[..bytes.len() / 2]).is_err(), "{name}");
    }
}

proptest! {
    #[test]
    fn a_changed_file_is_an_error_or_a_model(
        name in prop::sample::select(FILES.to_vec()),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = model(name);
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        swallow(&bytes);
    }

    /// Digits stay digits, so that the files stay readable and their numbers and places go wrong.
    #[test]
    fn a_file_with_other_numbers_is_an_error_or_a_model(
        name in prop::sample::select(FILES.iter().filter(|name| ![".onnx", ".ubj", ".cbm"].iter().any(|binary| name.ends_with(binary))).copied().collect::<Vec<_>>()),
        changes in prop::collection::vec((any::<prop::sample::Index>(), b'0'..=b'9'), 1..20),
    ) {
        let mut bytes = model(name);
        let digits: Vec<usize> = (0..bytes.len()).filter(|place| bytes[*place].is_ascii_digit()).collect();
        for (place, digit) in changes {
            bytes[digits[place.index(digits.len())]] = digit;
        }
        swallow(&bytes);
    }

    #[test]
    fn any_bytes_are_an_error_or_a_model(start in prop::sample::select(vec!["{", "{L", "tree\n", "\x08"]), bytes: Vec<u8>) {
        swallow(&[start.as_bytes(), &bytes].concat());
    }
}

/// A list that says it is longer than the file, and one of elements that take no room.
#[test]
fn ubjson_that_promises_more_than_it_holds_is_refused_at_once() {
    let long = [b"{L\0\0\0\0\0\0\0\x01a[$d#L".as_slice(), &i64::MAX.to_be_bytes()].concat();
    let empty = [b"{L\0\0\0\0\0\0\0\x01a[$Z#L".as_slice(), &1_000_000_000_000i64.to_be_bytes()].concat();
    let deep = [b"{L\0\0\0\0\0\0\0\x01a".as_slice(), &[b'['; 100_000]].concat();
    for bytes in [long, empty, deep] {
        assert!(read(&bytes).is_err());
    }
}

#[test]
fn json_nested_without_end_is_refused() {
    let deep = [b"{\"learner\":".as_slice(), &[b'['; 100_000]].concat();
    assert!(read(&deep).is_err());
}
