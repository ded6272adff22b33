//! Strict mode: nobody ever shares a place, and everybody gets on who can.
#![allow(dead_code, reason = "each part of the tests uses its own part of the world")]

mod conflicts;
mod crossed;
mod determinism;
mod found;
mod lanes;
mod orders;
mod parking;
mod puzzles;
mod rescue;
mod reservations;
mod resolver;
mod rules;
mod truth;
mod world;
