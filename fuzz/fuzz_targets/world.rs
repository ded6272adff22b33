//! Worlds of everything at once and any edits: see [`thalweg_fuzz::world`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| thalweg_fuzz::world::run(data));
