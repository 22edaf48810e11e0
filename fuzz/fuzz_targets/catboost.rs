#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;
use mindrel_import::catboost;

fuzz_target!(|bytes: &[u8]| {
    for read in [catboost::read_json(bytes), catboost::read_blob(bytes)] {
        if let Ok(pipeline) = read {
            common::lower_it(&pipeline);
        }
    }
});
