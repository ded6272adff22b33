//! One random world for every subject: floors, costs, unknown ground, stamps, slopes, borders, portals, bodies, goals,
//! limits, turns and timetables, drawn from a seed or from the bytes of a fuzzer by the same code.
//!
//! A [`World`] is plain data. [`Product`] builds the core's values from it and [`Rules`] lists every edge from the words
//! of the contract; the two share no code that knows which cells are neighbours, what a body covers, what a slope does
//! or what lies under a stamp. [`Checker`] holds one against the other.

mod check;
mod check_field;
mod check_graph;
mod check_parts;
mod check_states;
mod check_ways;
mod draw;
mod draws;
mod edit;
mod ground;
mod place;
mod product;
mod rules;
mod search;
mod timed;
mod turned;

pub use check::{Checker, Counts, Depth};
pub use draws::Draw;
pub use edit::Edit;
pub use place::{Floor, Floors, STEPS};
pub use product::Product;
pub use rules::{Listed, Rules};
pub use search::{Answer, Truth};

use thalweg_core::grid::{Cell, Direction, DirectionSet};
use thalweg_core::movement::MovementProfile;

/// A world as plain data; cells are named by their place in id order where nothing else is said.
#[derive(Clone, Debug)]
pub struct World {
    /// Floors of their own sizes and origins.
    pub floors: Floors,
    /// Cost per cell, 255 for walls; `None` where it is unknown.
    pub base: Vec<Option<u8>>,
    /// Heights and what slopes do.
    pub hills: Option<Hills>,
    /// Stamps in the order in which they were laid down.
    pub stamps: Vec<Laid>,
    /// What unknown ground is taken for.
    pub assumed: Option<u8>,
    /// One-way borders in the order in which they were put.
    pub borders: Vec<Border>,
    /// Portals by index: from, to, cost; `None` where one was taken away.
    pub portals: Vec<Option<(usize, usize, u32)>>,
    /// Who moves.
    pub profile: MovementProfile,
    /// Goals; cells may lie off the map.
    pub goals: Vec<(Vec<Cell>, u32)>,
    /// Whether a body must have its anchor on the goal.
    pub by_anchor: bool,
    /// Cost limit of the field.
    pub limit: Option<u32>,
    /// Costs of turns by eighths.
    pub turns: Option<[u32; 5]>,
    /// What is closed when.
    pub times: Option<Times>,
}

/// Heights and what slopes do.
#[derive(Clone, Debug)]
pub struct Hills {
    /// Height per cell, if it is known.
    pub heights: Vec<Option<f32>>,
    /// Side of a cell in the unit of the heights.
    pub cell_size: f64,
    /// Bands `(below, extra)` uphill.
    pub up: Vec<(f64, u8)>,
    /// Bands downhill.
    pub down: Vec<(f64, u8)>,
    /// Whether what is too steep blocks the cells too.
    pub blocks_cells: bool,
    /// Whether steps to and from unknown heights are level.
    pub unknown_is_level: bool,
}

/// What a stamp covers: cells of one layer whose centre the shape holds.
#[derive(Clone, Debug)]
pub enum Shape {
    /// From corner to corner, both included.
    Rect(Cell, Cell),
    /// The layer, the centre in quarter cells from the corner of the floor, and the radius in eighths of a cell.
    Disc(u16, (i32, i32), u32),
    /// The north-west cell, sides, and which cells count.
    Image(Cell, (u32, u32), Vec<bool>),
}

/// What a stamp does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// A wall.
    Block,
    /// Dearer ground.
    Add(u8),
    /// Ground of this cost.
    Set(u8),
}

/// A stamp that lies on the map, or that did.
#[derive(Clone, Debug)]
pub struct Laid {
    /// What it covers.
    pub shape: Shape,
    /// What it does.
    pub effect: Effect,
    /// Whether it was taken away again.
    pub taken: bool,
}

/// One rule about borders.
#[derive(Clone, Copy, Debug)]
pub enum Border {
    /// The step that leaves the cell this way is closed.
    Close(usize, Direction),
    /// The step is open again.
    Open(usize, Direction),
    /// The cell is entered by straight steps from these sides alone.
    OnlyFrom(usize, DirectionSet),
}

/// A span of ticks, half-open.
pub type Span = (u32, u32);

/// What is closed when.
#[derive(Clone, Debug)]
pub enum Timed {
    /// A cell is closed in a span.
    Cell(usize, Span),
    /// A cell is open in a span only.
    CellOnly(usize, Span),
    /// Who walks closes one cell per tick.
    Patrol(u32, Vec<usize>),
    /// What leads from one cell to another is closed in a span.
    Edge(usize, usize, Span),
    /// What leads from one cell to another is open in a span only.
    EdgeOnly(usize, usize, Span),
}

/// A timetable and how time counts.
#[derive(Clone, Debug)]
pub struct Times {
    /// The entries.
    pub entries: Vec<Timed>,
    /// Where the timetable ends.
    pub horizon: u32,
    /// What waiting a tick costs, if one may wait.
    pub wait: Option<u32>,
    /// Ticks of a step: so many, or one for every started so many units of its cost.
    pub ticks: (bool, u32),
    /// Whether the cell entered must be open during the whole move.
    pub on_both: bool,
    /// Whether the map is open beyond the horizon; else time ends there.
    pub goes_on: bool,
}

impl Times {
    /// The ticks of an edge of this cost.
    #[must_use]
    pub fn ticks_of(&self, cost: u64) -> u32 {
        match self.ticks {
            (true, ticks) => ticks,
            (false, units) => u32::try_from(cost.div_ceil(u64::from(units)))
                .expect("a small world")
                .max(1),
        }
    }
}

impl World {
    /// What is special about the world, by name.
    #[must_use]
    pub fn features(&self) -> Vec<&'static str> {
        let ground = self.ground();
        let several_costs = {
            let mut seen = ground.iter().flatten().filter(|&&cost| cost != 255);
            let first = seen.next();
            seen.any(|cost| Some(cost) != first)
        };
        let floor_of = |id: usize| self.floors.place(id).0;
        let is_point = self.profile.footprint.is_point();
        let all = [
            ("several floors", self.floors.count() > 1),
            ("three floors", self.floors.count() > 2),
            ("several costs", several_costs),
            ("zero costs", ground.contains(&Some(0))),
            ("unknown ground", self.base.contains(&None)),
            (
                "assumed ground",
                self.base.contains(&None) && self.assumed.is_some(),
            ),
            ("one-way borders", !self.borders.is_empty()),
            ("portals", !self.portals.is_empty()),
            (
                "free portals",
                self.portals.iter().flatten().any(|portal| portal.2 == 0),
            ),
            (
                "portals between floors",
                self.portals
                    .iter()
                    .flatten()
                    .any(|portal| floor_of(portal.0) != floor_of(portal.1)),
            ),
            ("slopes", self.hills.is_some()),
            (
                "steep cells",
                self.hills.as_ref().is_some_and(|hills| hills.blocks_cells),
            ),
            ("stamps", !self.stamps.is_empty()),
            ("bodies", !is_point),
            ("bodies and borders", !is_point && !self.borders.is_empty()),
            ("bodies and slopes", !is_point && self.hills.is_some()),
            ("several goals", self.goals.len() > 1),
            ("areas", self.goals.iter().any(|goal| goal.0.len() > 1)),
            ("biases", self.goals.iter().any(|goal| goal.1 > 0)),
            ("cost limits", self.limit.is_some()),
            ("turn costs", self.turns.is_some()),
            ("timetables", self.times.is_some()),
            ("timetables of bodies", self.times.is_some() && !is_point),
        ];
        all.into_iter()
            .filter(|feature| feature.1)
            .map(|feature| feature.0)
            .collect()
    }
}
