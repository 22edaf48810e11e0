#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;
use mindrel_import::onnx;

fuzz_target!(|bytes: &[u8]| {
    let read = onnx::read(bytes);
    if let Ok(pipeline) = read {
        common::lower_it(&pipeline);
    }
});
