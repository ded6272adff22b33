//! What slopes do to steps: an extra charge per cell and direction, or a closed edge.

use super::field::check_same_grid;
use super::store::CellStore;
use super::{CostFieldError, DirtyRegion, HeightMap, SlopeBands, SlopeCost};
use crate::grid::{CellId, DIRECTIONS, Direction, DirectionSet, Grid};
use crate::shared_cells::SharedCells;
use core::f64::consts::SQRT_2;
use core::fmt;

/// What a step too steep for a body closes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Steepness {
    /// That edge, in that direction of travel. The cell can still be entered from where it is less steep.
    #[default]
    BlocksEdge,
    /// Also both cells the edge joins: [`HeightMap::costs_over`] makes them impassable. All eight edges of a cell are
    /// looked at, whatever neighbourhood a profile has: the ground is what is too steep.
    BlocksCell,
}

/// What a step is to or from a cell of unknown height.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum UnknownSlope {
    /// Closed.
    #[default]
    Closed,
    /// No extra charge: for profiles that pass unknown ground at an assumed cost.
    Level,
}

/// How steps over a height map are charged and closed: one table uphill, one downhill.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SlopeRule {
    up: SlopeBands,
    down: SlopeBands,
    steepness: Steepness,
    unknown: UnknownSlope,
}

impl SlopeRule {
    /// One table for both directions of travel; the default is [`SlopeBands::default`].
    #[must_use]
    pub fn new(bands: SlopeBands) -> Self {
        Self {
            down: bands.clone(),
            up: bands,
            ..Self::default()
        }
    }

    /// The rule with another table for steps to lower ground. Level steps are read in the uphill table.
    #[must_use]
    pub fn with_down(mut self, bands: SlopeBands) -> Self {
        self.down = bands;
        self
    }

    /// The rule with another answer to what a step too steep closes; default the edge.
    #[must_use]
    pub const fn with_steepness(mut self, steepness: Steepness) -> Self {
        self.steepness = steepness;
        self
    }

    /// The rule with another answer to what steps to and from unknown heights are; default closed.
    #[must_use]
    pub const fn with_unknown(mut self, unknown: UnknownSlope) -> Self {
        self.unknown = unknown;
        self
    }

    /// The table of steps to higher or level ground.
    #[must_use]
    pub const fn up(&self) -> &SlopeBands {
        &self.up
    }

    /// The table of steps to lower ground.
    #[must_use]
    pub const fn down(&self) -> &SlopeBands {
        &self.down
    }

    /// What a step too steep closes.
    #[must_use]
    pub const fn steepness(&self) -> Steepness {
        self.steepness
    }

    /// What steps to and from unknown heights are.
    #[must_use]
    pub const fn unknown(&self) -> UnknownSlope {
        self.unknown
    }

    /// The slope's answer for a step between two known heights. `run` is the step's length, in the heights' unit.
    fn between(&self, from: f32, to: f32, run: f64) -> SlopeCost {
        let rise = f64::from(to) - f64::from(from);
        let bands = if rise < 0.0 { &self.down } else { &self.up };
        // The only slope refused is NaN or negative, which finite heights over a positive run are not.
        bands
            .extra_cost(rise.abs() / run)
            .unwrap_or(SlopeCost::Impassable)
    }

    /// What is stored for a cell: one byte per direction.
    fn charges(&self, heights: &HeightMap, id: CellId) -> [u8; 8] {
        let here = heights.height(id);
        DIRECTIONS.map(|direction| {
            let Some(next) = heights.grid().neighbour(id, direction) else {
                return CLOSED;
            };
            match (here, heights.height(next)) {
                (Some(from), Some(to)) => match self.between(from, to, run_of(heights, direction)) {
                    SlopeCost::Extra(extra) => extra,
                    SlopeCost::Impassable => CLOSED,
                },
                _ if self.unknown == UnknownSlope::Level => 0,
                _ => CLOSED,
            }
        })
    }

    /// Whether an edge of the cell is too steep in either direction of travel.
    pub(super) fn is_steep(&self, heights: &HeightMap, id: CellId) -> bool {
        let Some(here) = heights.height(id) else {
            return false;
        };
        DIRECTIONS.into_iter().any(|direction| {
            let there = heights
                .grid()
                .neighbour(id, direction)
                .and_then(|next| heights.height(next));
            there.is_some_and(|there| {
                let run = run_of(heights, direction);
                [(here, there), (there, here)]
                    .iter()
                    .any(|&(from, to)| self.between(from, to, run) == SlopeCost::Impassable)
            })
        })
    }
}

/// What a slope does to one directed step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EdgeCharge {
    /// Adds this much, 0 to 254, to the charge of the step.
    Extra(u8),
    /// The step cannot be taken.
    Closed,
}

/// Counts the updates that changed edge charges. Monotonic within one value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct EdgeVersion(pub u64);

/// Stored where an edge is closed.
const CLOSED: u8 = 255;

/// An extra charge, or none at all, for every cell and direction of travel. Eight bytes per cell.
///
/// For whoever compiles a movement profile:
/// - **Charge.** The extra is added to the charge of that directed step before it is multiplied by the step's length:
///   `length × (charge + extra)`, doubled with the rest under the mean charge. The sum is not cut at 254, so a charge
///   may reach 508; bucket counts must follow.
/// - **Closed.** Each edge, diagonals included, is judged by its own slope alone. A closed straight edge is a one-way
///   border like any other: where the corner rule wants both (or one) of the sides of a diagonal free, it wants both
///   (or one) of its two-step detours open, all four steps counted ([`Self::open_detours`]). That is not done here,
///   because the corner rule belongs to the profile. Rejected: leaving diagonals to their own slope; a body would
///   brush past the side of a cliff that it may not climb, where a wall of the same shape stops it.
/// - **Off the map** every edge is closed.
#[derive(Clone, PartialEq)]
pub struct EdgeCharges {
    rule: SlopeRule,
    store: CellStore<[u8; 8]>,
}

impl EdgeCharges {
    /// The charges of a height map under a rule. O(cells).
    #[must_use]
    pub fn new(heights: &HeightMap, rule: SlopeRule) -> Self {
        let store = CellStore::from_fn(heights.grid().clone(), [CLOSED; 8], |id| {
            rule.charges(heights, id)
        });
        Self { rule, store }
    }

    /// Brings the charges up to date after the heights of a region changed: its cells and their neighbours.
    /// O(cells of the region).
    ///
    /// # Errors
    /// [`CostFieldError::OtherGrid`]; nothing is changed then.
    pub fn update(&mut self, heights: &HeightMap, region: DirtyRegion) -> Result<(), CostFieldError> {
        check_same_grid(self.grid(), heights.grid())?;
        for id in region.expanded(1, heights.grid()).ids(heights.grid()) {
            let charges = self.rule.charges(heights, id);
            self.store.write(id, Some(charges));
        }
        Ok(())
    }

    /// The rectangle of cells.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        self.store.grid()
    }

    /// The rule the charges follow.
    #[must_use]
    pub const fn rule(&self) -> &SlopeRule {
        &self.rule
    }

    /// Raised by every update that changed something.
    #[must_use]
    pub const fn version(&self) -> EdgeVersion {
        EdgeVersion(self.store.version())
    }

    /// The region of the cells whose outgoing edges changed since the last call, which is forgotten.
    pub fn take_dirty(&mut self) -> Vec<DirtyRegion> {
        self.store.take_dirty()
    }

    /// What slopes do to the step that leaves the cell in a direction.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn extra(&self, id: CellId, direction: Direction) -> EdgeCharge {
        match self.store.shared_values().get(id.index())[direction.index()] {
            CLOSED => EdgeCharge::Closed,
            extra => EdgeCharge::Extra(extra),
        }
    }

    /// The steps that leave the cell and that no slope closes.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn open(&self, id: CellId) -> DirectionSet {
        DIRECTIONS
            .into_iter()
            .filter(|&direction| self.extra(id, direction) != EdgeCharge::Closed)
            .collect()
    }

    /// How many of the two detours by straight steps round a diagonal no slope closes, 0 to 2; always 2 for a straight
    /// direction, which has no corner.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn open_detours(&self, id: CellId, direction: Direction) -> u32 {
        let Some((vertical, horizontal)) = direction.sides() else {
            return 2;
        };
        let is_open = |first: Direction, second: Direction| {
            self.extra(id, first) != EdgeCharge::Closed
                && self
                    .grid()
                    .neighbour(id, first)
                    .is_some_and(|side| self.extra(side, second) != EdgeCharge::Closed)
        };
        u32::from(is_open(vertical, horizontal)) + u32::from(is_open(horizontal, vertical))
    }

    /// The raw charges as a snapshot to share.
    pub(crate) const fn shared(&self) -> &SharedCells<[u8; 8]> {
        self.store.shared_values()
    }

    /// The raw charges of every cell in id order, each in direction order; 255 is a closed edge.
    #[must_use]
    pub fn charges(&self) -> &[[u8; 8]] {
        self.store.values()
    }

    /// The largest extra of an open edge: what a compile step must add to its largest charge.
    #[must_use]
    pub fn largest_extra(&self) -> u8 {
        let extras = self.charges().iter().flatten().copied();
        extras.filter(|&extra| extra != CLOSED).max().unwrap_or(0)
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.shared().bytes()
    }
}

impl fmt::Debug for EdgeCharges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EdgeCharges")
            .field("grid", self.grid())
            .field("rule", &self.rule)
            .field("version", &self.version())
            .finish_non_exhaustive()
    }
}

/// The length of a step in the unit of the heights. IEEE multiplication, so the same on every machine.
fn run_of(heights: &HeightMap, direction: Direction) -> f64 {
    let cells = if direction.is_diagonal() { SQRT_2 } else { 1.0 };
    heights.cell_size() * cells
}
