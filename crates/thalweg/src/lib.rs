//! Flow fields and crowds: one exact field per goal set and kind of agent steers any number of agents in O(1).
//!
//! This crate is the owner of things: bundles with versions, scenes, running simulations, and the threads that the
//! pure crates below are handed. [`core`] has the fields, [`crowd`] the agents.
//!
//! ```
//! use thalweg::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A room of 5 x 3 plain cells with a wall that leaves a gap in the south.
//! let mut costs = CostField::filled(Grid::new(5, 3)?, Cost::PLAIN);
//! costs.set_rect(Cell::new(2, 0), Cell::new(2, 1), Cost::IMPASSABLE)?;
//!
//! // Who moves, and where to.
//! let movement = Movement::compile(&costs, &MovementProfile::new());
//! let goals = GoalSet::from_cells([Cell::new(4, 0)]);
//! let field = FieldBundle::build(movement, &goals, &BuildOptions::new(), &mut BuildScratch::new(), &Serial)?;
//!
//! // Any number of agents read it in O(1).
//! let at = field.query(Cell::new(0, 0));
//! assert_eq!(at.direction(), Some(Direction::S));
//! // Round the wall by four straight steps of 10 and two diagonal ones of 14; a diagonal past the wall's corner would
//! // clip it and is not offered.
//! assert_eq!(at.cost(), Some(CostToGoal(68)));
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]
#![warn(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss
)]

pub use thalweg_core as core;
pub use thalweg_crowd as crowd;

pub mod bundle;
pub mod bundle_repair;
pub mod congestion;
pub mod crowd_view;
pub mod generate;
pub mod living_map;
pub mod mapf;
pub mod navigator;
pub mod plan_check;
#[cfg(feature = "parallel")]
pub mod pool;
pub mod publish;
mod random;
pub mod recorders;
pub mod recording;
pub mod saved;
pub mod scene;
pub mod simulation;
pub mod stuck;
mod sync;
pub mod version;

/// The README's example is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// What most programs need, in one import.
pub mod prelude {
    pub use crate::bundle::{BuildError, BuildOptions, BuildScratch, CellReport, FieldBundle};
    #[cfg(feature = "parallel")]
    pub use crate::pool::RayonWorkers;
    pub use crate::simulation::Simulation;
    pub use thalweg_core::cost::{Cost, CostField};
    pub use thalweg_core::flow::{FlowField, Guidance, HeadingOptions, Sample, sample};
    pub use thalweg_core::grid::{
        Cell, CellId, Direction, DirectionSet, Grid, MapPoint, WorldTransform, YAxis,
    };
    pub use thalweg_core::integrate::{
        BlockedGoals, CostToGoal, Engine, Goal, GoalSet, IntegrationField, Reach,
    };
    pub use thalweg_core::movement::{
        Charge, Connectivity, CornerRule, Movement, MovementProfile, StepScale,
    };
    pub use thalweg_core::workers::{Serial, Workers};
}
