//! Repair: the field of a map after an edit, from the field before it, in time that goes with what changed.
//!
//! The result is bit for bit that of a rebuild: cost-to-goal, states, goal labels, arrival cells, successor masks. That can be
//! had because the cost-to-goal is a unique least fixpoint: whatever is put right in whatever order, it ends there.
//!
//! The method is that of Ramalingam and Reps ("An incremental algorithm for a generalization of the shortest-path problem",
//! 1996), for a batch of edits at once, on pairs (cost-to-goal, goal index) compared one after the other:
//! 1. **Raise.** A cell whose edges changed, or that lost a goal, is looked at: it keeps its value if some edge is still tight,
//!    `step + D[next] = D[cell]`, with a neighbour that keeps its own. If none is, it loses its value, and the cells whose tight
//!    edges lead there are looked at. So a cell is reset only if *every* best way it had is gone; following one parent per cell
//!    instead resets five to twenty-five times as many where ways tie. Nothing is lowered before all of these are found, or
//!    stale low values would feed each other. Edges that cost nothing keep nobody's value: two cells joined by free edges
//!    would vouch for each other for ever. What is reset without need on free ground is found again in the next step.
//! 2. **Lower.** Dijkstra's algorithm over the reset cells, from the cells around them that kept their value, and from the
//!    cells whose edges became cheaper or opened and the goals that were added.
//! 3. **Directions** of the cells that changed, of those whose edges did, and of those that an edge leads from to a changed one.
//!
//! What may change is unbounded (a door beside the goal changes half a map), and settling a cell here costs more than in a
//! rebuild, which goes tile by tile in vectors. So the work is counted, and beyond a limit the repair is given up for a
//! rebuild ([`Rebuild::TooMuchWork`]). The count depends on the input alone, never on a clock.
//!
//! Fields are shared page by page between generations ([`crate::shared_cells`]): readers of the old field keep it whole.

mod edges;
mod goals;
mod job;

pub use job::{Rebuild, Repair, RepairInput, RepairOptions, RepairScratch, RepairStats, Repaired, repair};
