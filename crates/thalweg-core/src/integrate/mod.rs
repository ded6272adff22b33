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
//! - [`Engine::Layers`]: breadth-first layers where all passable cells cost the same.

mod batch;
mod buckets;
mod engine;
mod far_buckets;
mod field;
mod goals;
mod heap;
mod labels;
mod layers;
mod reachable;
mod scratch;
mod status;
mod tiles;
mod vectors;
mod wave;

pub use batch::{
    BatchError, BatchFailure, BatchMethod, BatchOptions, BatchScratch, BatchStats, LANES, integrate_batch,
};
pub use engine::{Engine, IntegrateError, IntegrateOptions, IntegrateStats, integrate, integrate_on};
pub use field::{CostToGoal, IntegrationField, MAX_COST_TO_GOAL, Reach};
pub(crate) use field::{UNKNOWN, UNREACHABLE};
pub use goals::{BlockedGoals, Goal, GoalError, GoalMeeting, GoalReport, GoalSet, ResolvedGoals, Seed};
pub use labels::GoalLabels;
pub use reachable::{Reachable, nearest_reachable, reachable_from};
pub use scratch::IntegrateScratch;
pub use status::{RouteStatus, route_status};
pub use vectors::Vectors;
