//! Segments anywhere: see [`thalweg_fuzz::sweep`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| thalweg_fuzz::sweep::run(data));
