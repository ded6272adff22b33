//! Cost-to-goal: the least sum of step costs from every cell to the nearest goal, in exact whole numbers.
//!
//! The wave runs backwards from the goals over forward edges, so that an edge u → v of cost 7 gives
//! `D[u] ≤ D[v] + 7` whatever v → u costs. The result is the unique least fixpoint of that relation; every engine ends
//! in the same bits. This module knows no directions.
//!
//! Engines, all behind [`integrate`]:
//! - [`Engine::Heap`]: Dijkstra's algorithm with a binary heap, the oracle of all others, forever;
//! - [`Engine::Buckets`]: Dial's circular buckets, as wide as the largest power of two not above the smallest positive
//!   edge (the caliber argument: a whole bucket is then final at once), with a bitmap that skips empty buckets;
//! - [`Engine::Layers`]: breadth-first layers where all passable cells cost the same;
//! - [`Engine::Tiles`]: tiles of 32 × 32 cells relaxed to their fixpoints with vectors, in the order of what waits at their
//!   rims, on one thread or several;
//! - [`Engine::Corridors`]: corridors followed from one choice to the next, for mazes.
//!
//! [`SteppedIntegration`] spreads tiles or buckets over many calls, each of which has a budget of work, and ends in the same
//! bits.

mod asked;
mod batch;
mod buckets;
mod corridors;
mod engine;
mod error;
mod far_buckets;
mod field;
mod goals;
mod heap;
mod labels;
mod layers;
mod memory;
mod parts;
mod reachable;
mod run_options;
mod sample;
mod scratch;
mod status;
mod stepped;
mod tiles;
mod unreached;
mod wave;

pub use crate::vectors::{VectorWork, Vectors};
pub use asked::Asked;
pub use batch::{
    BatchError, BatchFailure, BatchMethod, BatchOptions, BatchScratch, BatchStats, LANES, integrate_batch,
};
pub use engine::{Engine, IntegrateOptions, IntegrateStats, integrate, integrate_on, integrate_with};
pub use error::IntegrateError;
pub use field::{CostToGoal, IntegrationField, MAX_COST_TO_GOAL, Reach};
pub(crate) use field::{UNKNOWN, UNREACHABLE};
pub use goals::{BlockedGoals, Goal, GoalError, GoalMeeting, GoalReport, GoalSet, ResolvedGoals, Seed};
pub use labels::GoalLabels;
pub(crate) use labels::flood_labels;
pub use memory::{IntegrateEstimate, estimate_memory};
pub use parts::FieldPartsError;
pub use reachable::{Reachable, nearest_reachable, reachable_from};
pub use run_options::{RunOptions, Watch};
pub use scratch::IntegrateScratch;
pub use status::{RouteStatus, route_status};
pub(crate) use stepped::LOOK_AT_EDGES;
pub use stepped::{Progress, SteppedIntegration};
pub(crate) use unreached::settle_again;
