//! Map readers on any bytes: see [`thalweg_fuzz::readers`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| thalweg_fuzz::readers::run(data));
