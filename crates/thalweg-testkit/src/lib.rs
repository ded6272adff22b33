//! What the tests and benchmarks of all crates share: map literals, scenes, random maps, an independent oracle and a
//! reader of case files. Not published; panics are its way of reporting.
//!
//! Sweeps over random maps are short in an ordinary test run; `THALWEG_LONG=1 cargo test -p thalweg-core --release --test
//! oracle -- --nocapture` draws twenty times as many. Case and data files are looked for at `$THALWEG_CASES` and
//! `$THALWEG_DATA` (see [`cases::cases_file`]); a test that does not find its file says so and passes.
#![forbid(unsafe_code)]

pub mod any_angle;
pub mod body;
pub mod cases;
pub mod corpus;
pub mod expanded;
pub mod joint;
pub mod literal;
pub mod oracle;
pub mod random_map;
pub mod solve;
pub mod symmetry;
pub mod threads;
pub mod walker;
pub mod world;
