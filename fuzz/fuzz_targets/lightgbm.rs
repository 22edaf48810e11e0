#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;
use mindrel_import::lightgbm;

fuzz_target!(|bytes: &[u8]| {
    let read = lightgbm::read_text(bytes);
    if let Ok(pipeline) = read {
        common::lower_it(&pipeline);
    }
});
