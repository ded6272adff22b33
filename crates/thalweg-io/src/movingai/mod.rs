//! The files of the MovingAI benchmarks: maps and scenarios.
//!
//! The format is that of N. Sturtevant, "Benchmarks for Grid-Based Pathfinding", 2012.

mod map;
mod scenario;

pub use map::{read_movingai_map, read_movingai_map_file};
pub use scenario::{Scenario, ScenarioLine, read_scenario, read_scenario_file};
