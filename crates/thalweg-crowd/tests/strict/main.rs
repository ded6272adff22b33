//! Strict mode: nobody ever shares a place, and everybody gets on who can.
#![allow(dead_code, reason = "each part of the tests uses its own part of the world")]

mod lanes;
mod rescue;
mod reservations;
mod truth;
mod resolver;
mod world;
