//! Edit scripts: see [`thalweg_fuzz::repair`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| thalweg_fuzz::repair::run(data));
