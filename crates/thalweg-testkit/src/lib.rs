//! What the tests and benchmarks of all crates share: map literals, scenes, random maps, an independent oracle and a
//! reader of case files. Not published; panics are its way of reporting.
#![forbid(unsafe_code)]

pub mod cases;
pub mod corpus;
pub mod literal;
pub mod oracle;
pub mod random_map;
pub mod solve;
pub mod symmetry;
pub mod threads;
