//! Scene files of any text: see [`thalweg_fuzz::scene`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| thalweg_fuzz::scene::run(data));
