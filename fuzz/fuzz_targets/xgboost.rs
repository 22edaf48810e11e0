#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;
use mindrel_import::xgboost;

fuzz_target!(|bytes: &[u8]| {
    // The first byte says which of the two it is.
    let Some((kind, bytes)) = bytes.split_first() else { return };
    let read = if kind % 2 == 0 { xgboost::read_json(bytes) } else { xgboost::read_ubjson(bytes) };
    if let Ok(pipeline) = read {
        common::lower_it(&pipeline);
    }
});
