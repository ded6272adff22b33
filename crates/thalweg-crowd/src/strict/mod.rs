//! Strict mode: moves from cell to cell that are reserved before they are made.

pub mod lane;
pub mod waits;
