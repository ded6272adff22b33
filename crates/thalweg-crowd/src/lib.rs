//! Crowds on flow fields: any number of agents, moved tick by tick, that never cross a wall.
//!
//! A [`Crowd`] owns where agents are and how they move; it owns no map. Every [`Crowd::step`] is handed the current
//! world and the current field of each group ([`GroupInput`]) and does, for every agent and in this order: position →
//! cell; is the field current; is there a direction; desired velocity; avoidance; integrate; **sweep**; move. A refused
//! step moves nothing and says why ([`Outcome`], [`Blocker`], and since which tick).
//!
//! Space is the map's: one unit is a cell, x to the right, y downward. Positions are fixed point
//! ([`MapPoint`](thalweg_core::grid::MapPoint)), velocities are cells per second, times are seconds.
//!
//! Everything is a pure function of its inputs: no threads of its own (a caller hands in
//! [`Workers`](thalweg_core::workers::Workers)), no clock, no randomness. Agents read only the state before the
//! (sub)step and write only their own; floating point is limited to `+ - * /` and square roots. So the same inputs give
//! the same [`StateHash`] for any number of threads, in debug and in release.
#![forbid(unsafe_code)]
#![warn(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss
)]

mod agent;
mod arrival;
mod change;
mod clearance;
mod crowd;
mod eject;
mod error;
mod fixed;
mod group;
mod guide;
mod hash;
mod kernel;
mod mate;
mod neighbours;
mod options;
pub mod orca;
mod outcome;
mod pinch;
mod plan;
mod report;
mod rest;
mod separation;
mod slots;
mod stage;
mod stages;
mod step;
pub mod strict;
mod sweep;
mod tiers;
mod tight;
mod walk;

pub use agent::{
    AgentId, AgentSpec, AgentView, Blocker, Departure, MAX_MASS, MAX_RADIUS, MAX_SPEED, MIN_MASS, MIN_RADIUS,
    MIN_SPEED,
};
pub use change::MAX_PUSH;
pub use crowd::Crowd;
pub use error::CrowdError;
pub use group::{ArrivalRule, GroupId, GroupInput, StalePolicy, Steering};
pub use hash::StateHash;
pub use options::{Avoidance, CrowdOptions, MAX_NEIGHBOURS};
pub use outcome::{Outcome, OutcomeCounts};
pub use report::StepReport;
pub use stage::{Stage, StageObserver};
pub use sweep::{Sweep, SweepStop, sweep};
pub use tiers::{TIERS, TierOptions};
