//! Scenes: a map, who moves on it, where to, and what happens meanwhile, as a TOML file.
//!
//! A [`SceneFile`] is what stands in the file; [`Scene`] only exists checked against its map. Reading the map is the
//! caller's business ([`MapSource`] says which one is wanted), because this crate opens no files.
//!
//! ```toml
//! format = 1                  # version of the scene format
//! name = "two rooms"
//! seed = 7                    # placement and speeds are drawn from it; default 0
//! duration_s = 30.0
//! tick_s = 0.05               # length of one tick; default 0.05
//!
//! [map]                       # exactly one of text, file, generate
//! text = """
//! ........
//! ...#....
//! ...#...G
//! """
//! cell_size = 1.0             # world units (metres) per cell; default 1
//!
//! [[profile]]                 # optional; a profile named "default" always exists
//! name = "walker"
//! neighbours = 8              # 4 or 8
//! corner = "both"             # both, one, always
//! charge = "depart"           # depart, arrive, mean
//! scale = "10/14"
//!
//! [[goal]]
//! name = "exit"
//! cells = [[7, 2]]            # or area = [x0, y0, x1, y1]; a moving goal: path = [[x, y], …], move_every_s, step_cells
//! bias = 0                    # starting cost in step units
//!
//! [[door]]
//! name = "gap"
//! area = [3, 0, 3, 0]         # both corners included
//!
//! [[one_way]]                 # cells that can be entered, or left, only one way
//! area = [3, 2, 3, 2]         # or cells = [[x, y], …]
//! enter_from = ["W"]          # straight steps may enter only from these sides; or close = ["W"]: these exits are closed
//!
//! [[portal]]                  # stairs, a lift, a chute: an extra edge
//! from = [0, 2]
//! to = [7, 0]
//! cost = 12                   # plain straight steps; default 0
//! both = false                # also the way back; default false
//!
//! [[group]]
//! name = "people"
//! count = 20
//! area = [0, 0, 2, 2]         # or cells = [[x, y], …], or mark = "A" (letters of a text map)
//! goals = ["exit"]
//! profile = "walker"          # default "default"
//! radius = 0.3                # world units; default 0.3
//! speed = [1.2, 1.5]          # world units per second: a number or a range; default 1.34
//! arrival = "rest"            # rest, leave; default rest
//! when_stale = "stop"         # stop, keep-old; default stop
//! steer = "directions"        # directions, headings; default directions
//!
//! [[event]]
//! at_tick = 40                # before this tick is stepped
//! close = "gap"               # or open = "gap", or cost = { area = [...], value = 9 }, or move_goal = { goal = "exit", to = [x, y] }
//!
//! [[event]]
//! at_tick = 120
//! open = "gap"
//!
//! [crowd]
//! avoidance = "separation"    # off, separation; default separation
//!
//! [output]
//! frame_every = 2             # ticks between frames of the animation and rows of trajectories; default 2
//! frames_max = 600            # longest animation; default 600
//! ```

mod checked;
mod edges;
mod error;
mod file;
mod steer;

pub use checked::{Door, Event, EventAction, GroupPlan, MovingGoal, Placement, Scene, SceneGoal, SceneMap};
pub use edges::SceneEdges;
pub use error::SceneError;
pub(crate) use error::one_line;
pub use file::{MapSource, SceneFile};
pub use steer::SteerBy;
