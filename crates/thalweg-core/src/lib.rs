//! Exact flow fields on grids: costs, movement rules, cost-to-goal and directions.
//!
//! The life of a field: a [`cost::CostField`] says what ground costs; a [`movement::MovementProfile`] says who moves;
//! [`movement::Movement::compile`] turns both into one byte of legal exits per cell; [`integrate::integrate`] computes
//! the exact cost-to-goal of every cell; [`flow::extract`] turns that into directions that any number of agents read
//! in O(1).
//!
//! Everything here is a pure function of its inputs: no threads of its own, no clock, no files, no logging, no
//! randomness. Numbers are whole; the same input gives the same bits on every machine and for every engine.
//!
//! # Features
//! - `vectors` (default): the tile engine, batches and directions use the vector instructions of the processor, picked at run
//!   time. They come from `fearless_simd`, which owns all `unsafe` of them; the crates of this project forbid it. Without the
//!   feature that dependency is not compiled, and the same bits come out cell by cell, more slowly: the tile engine works if
//!   it is asked for by name but [`integrate::Engine::Auto`] does not pick it, batches are worked set by set, and of
//!   [`integrate::Vectors`] only `Best` and `Plain` are available. Every crate that depends on this one passes the feature on;
//!   to leave it out, each of them has to be taken with `default-features = false`.
#![forbid(unsafe_code)]
#![warn(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss
)]

pub mod check;
pub mod components;
pub mod cost;
pub mod debug;
pub mod expanded;
pub mod flow;
pub mod grid;
pub mod integrate;
pub mod memory;
pub mod movement;
pub mod repair;
pub mod route;
pub mod shared_cells;
mod vectors;
pub mod workers;
