//! Single ways: one start, one goal, no field.
//!
//! A field answers for every cell and any number of agents; where one agent asks once, a search that stops at it is
//! cheaper. It reads the same [`Movement`](crate::movement::Movement) and gives the same costs and, where no step is
//! free, the same cells.

mod astar;
mod queue;

pub use astar::{FoundRoute, RouteError, RouteOptions, find_route, find_route_to_goals};
pub use queue::RouteScratch;
