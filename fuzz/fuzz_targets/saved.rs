//! Saved maps and bundles from any bytes: see [`thalweg_fuzz::saved`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| thalweg_fuzz::saved::run(data));
