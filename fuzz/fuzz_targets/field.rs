//! Fields under any configuration and any edits: see [`thalweg_fuzz::field`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| thalweg_fuzz::field::run(data));
