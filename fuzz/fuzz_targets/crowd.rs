//! Crowds under any script: see [`thalweg_fuzz::crowd`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| thalweg_fuzz::crowd::run(data));
