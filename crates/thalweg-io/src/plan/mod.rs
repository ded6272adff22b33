//! Plans of many agents, tick by tick: the text form of the LaCAM family of planners and of its visualizer.
//!
//! ```text
//! agents=2                          header lines, in any order
//! map_file=random-32-32-20.map
//! solver=…
//! solved=1
//! soc=7                             sum of costs
//! makespan=4
//! starts=(5,16),(21,29),
//! goals=(31,24),(24,22),
//! solution=                         then one line per tick, from 0
//! 0:(5,16),(21,29),
//! 1:(5,17),(21,28),
//! ```
//!
//! Keys that are not known are kept and mean nothing. These are ours, all of them optional; what holds without them is what
//! planners for points on four-connected grids assume:
//!
//! | key | means | without it |
//! | --- | --- | --- |
//! | `neighbours=4` or `8` | which steps there are | 4 |
//! | `corner=both`, `one`, `always` | when a diagonal may pass walls | both |
//! | `following=1` or `0` | whether a cell may be entered in the tick in which another leaves it | 1 |
//! | `squeezing=1` or `0` | whether a diagonal of a single cell may pass a body on one of its side cells | 0 |
//! | `bodies=1,2,…` | side of each agent's square body, in cells; its cell is the north-west one | all 1 |
//! | `paces=1,3,…` | ticks that a step of each agent takes | all 1 |
//! | `tasks=agent@from:(x,y)@reached` | a task of a lifelong run, one a line, in the order in which they were given; without `@reached` it was not | none |
//! | `left=agent@tick,…` | agents that left at their goal: last seen in this tick, `-` in all later lines | none |
//!
//! A cell is `(x,y)` or `(x,y,layer)`. The line of a tick shows the last cell that each agent has **reached**: with a pace of
//! 3, a step that is in the line of tick 9 for the first time began at tick 6.
//!
//! What a run knows only at its end stands in the header all the same, because other programs take every line after
//! `solution=` for a tick: [`PlanWriter`] lets the ticks wait in a temporary file. The reader also takes `soc=`, `makespan=`,
//! `solved=` and unknown keys after the solution. [`PlanReader`] and [`PlanWriter`] hold one tick at a time.

mod cells;
mod head;
mod read;
mod tasks;
mod write;

pub use head::{PlanHead, PlanRules, PlanTask};
pub use read::{MAX_PLAN_LINE_BYTES, Plan, PlanReader, read_plan, read_plan_file};
pub use tasks::{TaskLine, read_task_list, read_task_list_file};
pub use write::{PlanWriter, write_plan};
