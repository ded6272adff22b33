//! Inputs from outside, recordings of runs, and replays.

mod compared;
mod damage;
mod inputs;
mod kit;
mod random;
mod replayed;
mod round_trip;
