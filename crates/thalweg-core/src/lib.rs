//! Exact flow fields on grids: costs, movement rules, cost-to-goal and directions.
//!
//! The life of a field: a [`cost::CostField`] says what ground costs; a [`movement::MovementProfile`] says who moves;
//! [`movement::Movement::compile`] turns both into one byte of legal exits per cell; [`integrate::integrate`] computes
//! the exact cost-to-goal of every cell; [`flow::extract`] turns that into directions that any number of agents read
//! in O(1).
//!
//! Everything here is a pure function of its inputs: no threads of its own, no clock, no files, no logging, no
//! randomness. Numbers are whole; the same input gives the same bits on every machine and for every engine.
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
pub mod route;
mod vectors;
pub mod workers;
