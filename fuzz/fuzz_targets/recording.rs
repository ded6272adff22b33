//! Recordings from any bytes: see [`thalweg_fuzz::recording`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| thalweg_fuzz::recording::run(data));
