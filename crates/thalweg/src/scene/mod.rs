//! Scenes: a map, who moves on it, where to, and what happens meanwhile, as a TOML file.
//!
//! A [`SceneFile`] is what stands in the file; [`Scene`] only exists checked against its map. Reading the map is the
//! caller's business ([`MapSource`] says which one is wanted, [`SceneFile::wanted_files`] which others), because this crate
//! opens no files.
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
//! # Floors: a text or a text file may have several layers and links between them. Wherever a cell, an area or a point is
//! # written below, one more number is its layer: [x, y, layer], [x0, y0, x1, y1, layer]; without it, layer 0.
//!
//! [terrain]                   # optional: what the ground is, apart from what it costs whom
//! text = """
//! ........
//! ..~#....
//! ..~#....
//! """                         # or file = "classes.csv" (.txt, .csv, .png, .npy); without either, the map's own
//!                             # of several layers: lines of = between them, or file = ["low.txt", "high.txt"], one for each
//! classes = { land = ".", water = "~", wall = "#" }   # a name for letters, or for a number or numbers of a file
//! colours = { water = "#9cc3dc" }                     # in pictures; optional
//!
//! [heights]                   # optional: one number per cell, in the unit of cell_size
//! rows = [[0, 0, 0, 0, 0, 1, 2, 2], [0, 0, 0, 0, 0, 1, 2, 2], [0, 0, 0, 0, 0, 0, 0, 0]]   # or file = "heights.csv"
//!                             # of several layers: the rows of one after the other, or file = ["low.asc", "high.asc"]
//! nodata = -9999              # cells of this height have none; optional
//!
//! [[profile]]                 # optional; a profile named "default" always exists
//! name = "walker"
//! neighbours = 8              # 4 or 8
//! corner = "both"             # both, one, always
//! charge = "depart"           # depart, arrive, mean
//! scale = "10/14"
//! footprint = "disc:0.4"      # point, square:N, rectangle:WxH (cells), disc:R (radius in world units); default point
//! classes = { land = 1, water = "impassable", wall = 20 }   # what terrain costs it; default the map's own costs
//! other_classes = "impassable"                              # all classes not named
//! unknown = "blocked"         # or a cost: passed on sight; default blocked
//! slopes = [[0.3, 0], [0.6, 3], [1.0, 8]]   # below this slope add this; steeper is impassable. Or "ignore"
//! slopes_down = [[1.0, 0]]    # for steps to lower ground; default as slopes
//! steep = "edge"              # what is too steep closes the step (edge) or its cells (cell); default edge
//! turn_cost = 5               # step units per 45 degrees, or five numbers for 0 to 180; for turn fields
//! cost_limit = 5000           # cells beyond this cost-to-goal stay unknown; default none
//!
//! [[goal]]
//! name = "exit"
//! cells = [[7, 2]]            # or area = [x0, y0, x1, y1]; a moving goal: path = [[x, y], …], move_every_s, step_cells
//! bias = 0                    # starting cost in step units
//!
//! [[door]]
//! name = "gap"
//! area = [3, 0, 3, 0]         # both corners included
//! open_ticks = [[0, 400], [500, 600]]   # open from the first of two ticks to before the second; default always
//!
//! [[overlay]]                 # a stamp over the ground, put and taken away in any order
//! name = "barricade"
//! area = [4, 0, 5, 2]         # or disc = { centre = [4.5, 1.0], radius = 1.5 }, polygon = [[x, y], …] with holes = [[[x, y], …], …],
//!                             # rows = [[5, -1], …] or file = "stamp.csv", both with at = [x, y]
//! effect = "block"            # block; add or set, with value = 0 to 254 (set: 255 is impassable)
//! standing = false            # whether it lies there from the start; default false
//!
//! [[patrol]]                  # somebody in the way, for time fields only
//! name = "guard"
//! path = [[0, 2], [1, 2], [2, 2]]
//! from_tick = 0               # default 0
//! ticks_per_cell = 10         # default 1
//! rounds = 3                  # default 1
//!
//! [time_field]                # how time counts in thalweg field --channel time; all optional
//! step_ticks = 15             # ticks of a step; or units_per_tick = 10: a tick for every so many step units
//! wait_cost = 1               # step units for waiting a tick, or "never"
//! horizon = 1000              # ticks that follow the timetable
//!
//! [[one_way]]                 # cells that can be entered, or left, only one way
//! area = [3, 2, 3, 2]         # or cells = [[x, y], …]
//! enter_from = ["W"]          # straight steps may enter only from these sides; or close = ["W"]: these exits are closed
//!
//! [[portal]]                  # stairs, a lift, a chute: an extra edge, also between layers
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
//! radius = 0.3                # world units; default that of the profile's footprint, of a point 0.3
//! speed = [1.2, 1.5]          # world units per second: a number or a range; default 1.34
//! arrival = "rest"            # rest, leave; default rest
//! when_stale = "stop"         # while its field is in the making: stop, keep-old, single-path; default stop
//! steer = "directions"        # directions, headings; default directions
//!
//! [[source]]                  # agents of a group that enter while it runs; whoever finds no room waits outside
//! group = "people"
//! area = [0, 0, 0, 2]         # default the place of the group
//! rate = 0.5                  # one after the other, so many a second, with from_s, until_s, count; or schedule = [[seconds, how many], …]
//! from_s = 2.0                # default 0
//! until_s = 12.0              # default to the end
//! count = 4                   # no more than so many; default no limit
//!
//! [[waiting_zone]]            # whoever comes in waits there until it is released
//! name = "before the gap"
//! area = [1, 0, 2, 0]
//! groups = ["people"]         # default all
//! from_tick = 0               # default 0
//! until_tick = 30             # default until an event releases it
//!
//! [[count_line]]              # counts who passes; points in cells: the cell (x, y) goes from x to x + 1
//! name = "gate"
//! from = [4, 0]               # forward is to the left hand of the way from here
//! to = [4, 3]                 # to here, as the map is drawn: eastward
//! window_s = 2.0              # flows are told for windows of this length; default 1
//!
//! [[measure_area]]            # density and speed
//! name = "west"
//! area = [0, 0, 2, 2]         # cells, both corners included; or polygon = [[x, y], …] in points
//! along = [1, 0]              # also the component of speeds in this direction; optional
//! width = 3.0                 # also density × speed along × this width, in world units; optional
//!
//! [congestion]                # crowding as a cost: fields then say steps plus the price of crowding; absent: it costs nothing
//! interval_s = 1.0            # counted so often; default 1
//! threshold = 0.5             # from this density on, in agents per square world unit; default 0.5
//! price = 2.0                 # added to a cell's cost for every one above it; default 2
//! most = 20                   # at most so much; default 20
//! radius_cells = 1            # how far one counts, 0 to 8 (a tent); default 1
//! quantum = 1                 # prices are multiples of it; default 1
//! hysteresis = 0.25           # of a quantum, 0 to 0.5; default 0.25
//! cells_per_update = 4096     # no more cells change at a time; default 4096
//!
//! [[event]]
//! at_tick = 40                # before this tick is stepped
//! close = "gap"               # or open = "gap", put = "barricade", take = "barricade", hold or release = "before the gap",
//!                             # cost = { area = [...], value = 9 }, or move_goal = { goal = "exit", to = [x, y] }
//!
//! [[event]]
//! at_tick = 120
//! open = "gap"
//!
//! [fields]
//! work_per_tick = 2000        # make fields over many ticks, so many units of work each; default all before the tick
//!
//! [crowd]
//! avoidance = "separation"    # off, separation, velocity-obstacles; default separation
//! time_gap = 0.5              # seconds that agents keep from who walks before them the same way; default 0.1
//!
//! [output]
//! frame_every = 2             # ticks between frames of the animation and rows of trajectories; default 2
//! frames_max = 600            # longest animation; default 600
//! ```
//!
//! With a table `[strict]` in place of `[crowd]` agents go from cell to cell, and every step is reserved before it is made:
//!
//! ```toml
//! [strict]
//! following = true            # a cell may be entered in the tick in which another leaves it; default true
//! squeezing = false           # a body of one cell may step diagonally past others at its sides; default false
//! horizon = 64                # how far ahead reservations may reach, in ticks; default 64
//! replan_after = 32           # after so many refused ticks a new way is asked for, once; default 32
//! search_after = 24           # after so many ticks in which nobody of a stuck group got nearer, ways out are searched; default 24
//! search_budget = 100000      # how much is searched in a tick, in agent-steps; 0 for no searches; default 100000
//! ```
//!
//! Speeds become whole ticks a step ([`pace`]). `[crowd]`, `[congestion]`, headings, single paths and discs are errors there.

mod check;
mod edges;
mod error;
mod file;
mod ground;
mod ground_tables;
mod inputs;
mod places;
mod plan;
mod record_tables;
mod records;
mod source;
mod steer;
mod strict;
mod timetable;
mod waiting;

pub use edges::SceneEdges;
pub use error::SceneError;
pub(crate) use error::one_line;
pub use file::{MapSource, SceneFile};
pub use ground::{GroundError, LyingOverlays, SceneGround};
pub use inputs::{FileContent, FilePurpose, HeightFile, HeightScale, SceneInputs, WantedFile};
pub use plan::{
    Door, Event, EventAction, GroupPlan, MAX_AGENTS, MovingGoal, Patrol, Placement, Scene, SceneGoal,
    SceneMap, SceneOverlay, SceneProfile, SceneTerrain, TimePlan,
};
pub use records::{CongestionPlan, CountLinePlan};
pub use source::{Inflow, SourcePlan};
pub use steer::SteerBy;
pub(crate) use strict::places;
pub use strict::{NoRoom, StrictPlan, pace};
pub use timetable::SceneTimes;
pub use waiting::WaitingZone;
