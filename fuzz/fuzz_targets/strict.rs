//! Strict crowds under any script: see [`thalweg_fuzz::strict`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| thalweg_fuzz::strict::run(data));
