//! Whether a plan of many agents is right: an independent judge, tick by tick.
//!
//! It reads compiled [movements](thalweg_core::movement::Movement), one for each size of body, and the cells of the plan, and
//! nothing else: it shares no code and no notion of a reservation with what makes plans. It is plain on purpose. Every tick
//! it writes down who covers which cell, and looks up what the rules forbid; that takes the cells that bodies cover, whatever
//! the map. Rejected: to compare what moves with what moves, pair by pair; it is shorter, and of no use for thousands.
//!
//! **Time.** The line of tick t shows the last cell that each agent has *reached*. A step of an agent with pace p that is in
//! the line of tick T for the first time began at T - p. From T - p + 1 to T - 1 its body holds the cells of both ends; at T
//! those of the new end. So a line can be judged only p - 1 lines later, and the check keeps as many lines as the
//! slowest agent has ticks.
//!
//! **Conflicts** ([`ConflictKind`]):
//! - two bodies hold one cell in one tick (*vertex*, or *footprint* if one of them is larger than a cell);
//! - two steps that overlap in time lead into each other's beginnings (*swap*), also by portals;
//! - two bodies take both diagonals of one block of 2 × 2 cells at once (*crossing*);
//! - somebody is on a side cell of a diagonal in any tick of it, both ends included (*squeeze*; single cells
//!   may where that is allowed, larger bodies never). For a square
//!   body the side cells are the two cells that its way sweeps beyond those of its ends. Two single cells that pass may have
//!   a side cell in common, larger bodies not;
//! - where following is forbidden, a step enters a cell that another leaves by a step in the same tick (*following*). Whoever
//!   left the run for good is not followed.
//!
//! The rest is the plan against the map and against itself: see the other kinds.
//!
//! ```
//! use thalweg::core::cost::{Cost, CostField};
//! use thalweg::core::grid::{Cell, Grid};
//! use thalweg::core::movement::{Movement, MovementProfile};
//! use thalweg::plan_check::{ConflictKind, PlanCheck, PlannedAgent, PlannedRun};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let costs = CostField::filled(Grid::new(2, 1)?, Cost::PLAIN);
//! let movement = Movement::compile(&costs, &MovementProfile::new());
//! let (west, east) = (Cell::new(0, 0), Cell::new(1, 0));
//! let run = PlannedRun {
//!     agents: vec![PlannedAgent::new().with_goal(east), PlannedAgent::new().with_goal(west)],
//!     ..PlannedRun::new()
//! };
//! let mut check = PlanCheck::new(&[&movement], run)?;
//! check.tick(&[Some(west), Some(east)])?;
//! check.tick(&[Some(east), Some(west)])?;
//! let verdict = check.finish();
//! assert_eq!(verdict.conflicts[0].kind, ConflictKind::Swap);
//! assert_eq!(verdict.conflicts[0].to_string(), "tick 1: agents 0 and 1 exchange their cells at (1,0)");
//! # Ok(())
//! # }
//! ```

mod bodies;
mod check;
mod conflict;
mod goals;
mod input;
mod moves;
mod planes;
mod verdict;

pub use check::PlanCheck;
pub use conflict::{CONFLICT_KINDS, Conflict, ConflictKind};
pub use input::{PlanCheckError, PlannedAgent, PlannedRun, PlannedTask};
pub use verdict::PlanVerdict;
