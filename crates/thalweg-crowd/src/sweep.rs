//! The exact sweep: which part of a straight segment a centre may walk. It lives in the core, where sight lines need it
//! too; the crowd reads it under this name.

pub use thalweg_core::movement::{Sweep, SweepStop, sweep};
