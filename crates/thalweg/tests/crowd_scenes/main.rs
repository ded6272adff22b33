//! How crowds behave in the scenes of the project: what holds in every scene at every tick length, what each scene says
//! it expects, rest, and whether directions of travel are alike.
//!
//! `THALWEG_LONG=1` runs longer; `--nocapture` prints what was measured.

#![expect(
    clippy::print_stdout,
    reason = "what is measured is part of what these tests are for"
)]

mod expectations;
mod laws;
mod load;
mod openings;
mod replica;
mod rest;
mod strict;
mod symmetry;
mod travel;

/// Whether longer runs were asked for.
fn is_long() -> bool {
    std::env::var_os("THALWEG_LONG").is_some()
}
