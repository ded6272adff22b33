//! A field that keeps directions, and cost-to-goal only along the seams of its tiles: at most 0.75 bytes a cell.
//!
//! What is not kept is found again exactly. The way a cell's direction begins leads through its tile, each step as dear as
//! the movement says, until it meets a seam, a goal or a portal, whose costs are kept; the sum is the cell's cost-to-goal.
//! That it is, is checked cell by cell when the field is made.
//!
//! Rejected: relaxing a tile anew from its rim, as if nothing but costs were kept. The directions are kept anyway, they hold
//! the answer of that search, and what a cell without a cost is (cut off, unreachable, not surveyed) no search could tell.

use super::packed::{GOAL, IMPASSABLE, PackedFlow, THROUGH, UNREACHABLE as NO_WAY};
use super::refill::RefilledTile;
use super::seams::{Seams, TILE};
use super::{FlowField, Guidance};
use crate::cost::CostVersion;
use crate::grid::{Cell, CellId, Direction, Grid, Layer};
use crate::integrate::{
    CostToGoal, GoalLabels, IntegrationField, Reach, Seed, UNKNOWN, UNREACHABLE, flood_labels,
};
use crate::movement::{Movement, MovementProfile, StepCosts};
use crate::workers::{Workers, for_each_part};
use thiserror::Error;

/// Why a field cannot be retained, or read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RetainError {
    /// The movement is of another map, profile or version of the costs than the field.
    #[error("the field was integrated over another map, profile or cost version than this movement")]
    ForeignMovement,
    /// The directions were not extracted from this field over this movement.
    #[error(
        "the direction of cell {cell} does not keep its cost-to-goal; extract directions from this field first"
    )]
    ForeignDirections {
        /// The first such cell in id order.
        cell: Cell,
    },
}

/// Directions of a whole map with the cost-to-goal along seams, from which that of every cell is found again.
///
/// For goals that are kept ready but rarely walked to, and for maps too large to keep four bytes a cell for every goal.
/// It holds half a byte a cell for directions and at most a quarter for costs; goal cells and portals taken come on top,
/// 12 bytes each.
///
/// Which of several goals wins is not kept cell by cell, nor are the exits that are as good as the direction;
/// [`RetainedCosts::restore`] gives a dense field back, from which both follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RetainedField {
    flow: PackedFlow,
    seams: Seams,
    profile: MovementProfile,
    cost_version: CostVersion,
    cost_unit: u32,
    /// As many goals as labels of this width can tell apart.
    goals: u32,
    sinks: Vec<Seed>,
    /// The cost-to-goal of every cell that takes a portal, in the order of the cells.
    through: Vec<u32>,
}

impl RetainedField {
    /// Retains a field. `flow` must have been extracted from `field`, and both over `movement`. O(cells).
    ///
    /// # Errors
    /// [`RetainError`] if they do not belong together.
    pub fn new(movement: &Movement, field: &IntegrationField, flow: &FlowField) -> Result<Self, RetainError> {
        let is_of_movement = field.grid() == movement.grid()
            && field.profile() == movement.profile()
            && field.cost_version() == movement.cost_version();
        if !is_of_movement {
            return Err(RetainError::ForeignMovement);
        }
        check_tight(movement, field, flow)?;
        let packed = PackedFlow::new(flow);
        let through = packed
            .portals()
            .iter()
            .map(|&(cell, _)| field.raw()[cell.index()]);
        Ok(Self {
            seams: Seams::of(field.grid(), field.raw()),
            profile: *field.profile(),
            cost_version: field.cost_version(),
            cost_unit: field.cost_unit(),
            goals: match field.labels() {
                GoalLabels::Single => 1,
                GoalLabels::U8(_) => 1 << 8,
                GoalLabels::U16(_) => 1 << 16,
                GoalLabels::U32(_) => u32::MAX,
            },
            sinks: field.sinks().to_vec(),
            through: through.collect(),
            flow: packed,
        })
    }

    /// The cells of the map.
    #[inline]
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        self.flow.grid()
    }

    /// The directions, which need no movement to be read.
    #[inline]
    #[must_use]
    pub const fn flow(&self) -> &PackedFlow {
        &self.flow
    }

    /// The profile the field was integrated for.
    #[must_use]
    pub const fn profile(&self) -> &MovementProfile {
        &self.profile
    }

    /// The version of the costs the field was integrated over.
    #[must_use]
    pub const fn cost_version(&self) -> CostVersion {
        self.cost_version
    }

    /// The cost of one straight step at cost 1.
    #[must_use]
    pub const fn cost_unit(&self) -> u32 {
        self.cost_unit
    }

    /// The goal cells whose starting cost is their cost-to-goal, in id order.
    #[must_use]
    pub fn sinks(&self) -> &[Seed] {
        &self.sinks
    }

    /// Bytes held, directions included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.flow.bytes()
            + self.seams.bytes()
            + self.sinks.len() * size_of::<Seed>()
            + self.through.len() * size_of::<u32>()
    }

    /// The costs of this field, for reading. The movement must be the one the field was made from: it prices the steps.
    ///
    /// One-way borders and portals have no version: that they are the same is the caller's to know.
    ///
    /// # Errors
    /// [`RetainError::ForeignMovement`] if map, profile or version of the costs differ.
    pub fn costs<'a>(&'a self, movement: &'a Movement) -> Result<RetainedCosts<'a>, RetainError> {
        let is_same = self.grid() == movement.grid()
            && self.profile == *movement.profile()
            && self.cost_version == movement.cost_version();
        if is_same {
            Ok(RetainedCosts {
                field: self,
                prices: Prices::of(movement),
            })
        } else {
            Err(RetainError::ForeignMovement)
        }
    }

    pub(super) const fn seams(&self) -> &Seams {
        &self.seams
    }

    /// The raw value of a cell whose cost is kept, or that has none; `None` where it follows from the next cell's.
    #[inline(always)]
    pub(super) fn kept(&self, layer: &Layer, at: (usize, usize), index: usize) -> Result<u32, Direction> {
        match self.seams.at(layer, at) {
            Some(value) => Ok(value),
            None => self.kept_beside_seams(index),
        }
    }

    /// As [`Self::kept`], for a cell that is not on a seam.
    #[inline(always)]
    pub(super) fn kept_beside_seams(&self, index: usize) -> Result<u32, Direction> {
        let code = self.flow.code(index);
        match Direction::from_index(code) {
            Some(direction) => Err(direction),
            None => Ok(self.kept_without_direction(index, code)),
        }
    }

    fn kept_without_direction(&self, index: usize, code: u8) -> u32 {
        let id = CellId::from_index(index);
        match code {
            THROUGH => self.flow.portal_position(id).map(|at| self.through[at]),
            GOAL => {
                let at = self.sinks.binary_search_by_key(&id, |seed| seed.cell).ok();
                at.map(|at| self.sinks[at].bias)
            }
            IMPASSABLE | NO_WAY => Some(UNREACHABLE),
            _ => None,
        }
        .unwrap_or(UNKNOWN)
    }
}

/// Checks what finding costs again rests on: every direction keeps the cost, and every cell without one says why.
fn check_tight(movement: &Movement, field: &IntegrationField, flow: &FlowField) -> Result<(), RetainError> {
    let prices = Prices::of(movement);
    let steps = movement.grid().id_steps();
    let values = field.raw();
    let foreign = |id| {
        Err(RetainError::ForeignDirections {
            cell: field.grid().cell(id),
        })
    };
    if flow.grid() != field.grid() {
        return foreign(CellId(0));
    }
    for id in field.grid().ids() {
        let value = values[id.index()];
        let is_right = match flow.guidance(id) {
            Guidance::Toward(direction) => {
                movement.exits(id).contains(direction) && {
                    let next = steps.onward(id, direction).index();
                    let step = prices.step(id.index(), next, direction);
                    value.checked_sub(step) == Some(values[next])
                }
            }
            Guidance::Goal | Guidance::Through(_) => field.cost(id).is_some(),
            Guidance::Impassable | Guidance::Unreachable => value == UNREACHABLE,
            Guidance::Unknown => value == UNKNOWN,
        };
        if !is_right {
            return foreign(id);
        }
    }
    Ok(())
}

/// What steps cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prices<'a> {
    movement: &'a Movement,
    costs: &'a [u8],
    has_charges: bool,
}

impl<'a> Prices<'a> {
    fn of(movement: &'a Movement) -> Self {
        Self {
            movement,
            costs: movement.costs(),
            has_charges: movement.has_edge_charges(),
        }
    }

    /// Whether steps cost something beside the charge of their cells.
    pub(super) const fn has_charges(&self) -> bool {
        self.has_charges
    }

    /// What the ground costs, cell by cell.
    pub(super) const fn costs(&self) -> &'a [u8] {
        self.costs
    }

    pub(super) const fn steps(&self) -> &'a StepCosts {
        self.movement.steps()
    }

    /// The cost of a legal step.
    #[inline(always)]
    pub(super) fn step(&self, from: usize, to: usize, direction: Direction) -> u32 {
        if self.has_charges {
            let cost = self.movement.step_cost(CellId::from_index(from), direction);
            return cost.unwrap_or(0);
        }
        let steps = self.movement.steps();
        steps.step(direction, self.costs[from], self.costs[to])
    }
}

/// The costs of a [`RetainedField`], read with the movement they were made from.
#[derive(Clone, Copy, Debug)]
pub struct RetainedCosts<'a> {
    pub(super) field: &'a RetainedField,
    pub(super) prices: Prices<'a>,
}

impl<'a> RetainedCosts<'a> {
    /// What is known about a cell, exactly as the dense field says it. It follows the cell's way to the next seam, which is
    /// ten steps in the open and never more than the cells of a tile.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn reach(&self, id: CellId) -> Reach {
        let layer = self.field.grid().layer_of(id);
        let (column, row) = self.field.grid().column_row_of(id);
        let mut at = (column as usize, row as usize);
        let mut index = id.index();
        let mut paid = 0u32;
        loop {
            match self.field.kept(layer, at, index) {
                // Whatever has a direction is reached, so nothing is paid on the way to a cell that is not.
                Ok(value) => return reach_of(value.saturating_add(paid)),
                Err(direction) => {
                    let next = step_from(layer, &mut at, index, direction);
                    paid += self.prices.step(index, next, direction);
                    index = next;
                }
            }
        }
    }

    /// The cost-to-goal of a cell, if reached.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn cost(&self, id: CellId) -> Option<CostToGoal> {
        self.reach(id).cost()
    }

    /// Finds the costs of the whole tile that holds a cell. A few microseconds.
    ///
    /// # Panics
    /// If the id is not of this grid.
    pub fn refill(&self, id: CellId, tile: &mut RefilledTile) {
        let layer = self.field.grid().layer_of(id);
        let (column, row) = self.field.grid().column_row_of(id);
        let first = |place: u32| place as usize / TILE * TILE;
        tile.fill(self, layer, (first(column), first(row)));
    }

    /// A reader that keeps the tile it was last asked about, for questions that come in flocks.
    #[must_use]
    pub fn cached(self) -> CachedCosts<'a> {
        CachedCosts {
            costs: self,
            tile: RefilledTile::new(),
        }
    }

    /// Writes the dense field into `out`, which is resized as needed: the one this was made from, in every bit, labels
    /// included.
    pub fn restore(&self, workers: &dyn Workers, out: &mut IntegrationField) {
        let RetainedField { flow, sinks, .. } = self.field;
        let grid = flow.grid();
        out.reset_for(self.prices.movement);
        for layer in grid.layers() {
            let width = layer.width() as usize;
            let bands = out.raw_mut()[layer.range()].chunks_mut(TILE * width).collect();
            for_each_part(workers, bands, |band, rows: &mut [u32]| {
                let mut tile = RefilledTile::new();
                for column in (0..width).step_by(TILE) {
                    tile.fill(self, layer, (column, band * TILE));
                    for (row, values) in rows.chunks_mut(width).zip(tile.rows()) {
                        row[column..column + values.len()].copy_from_slice(values);
                    }
                }
            });
        }
        let mut labels = Vec::new();
        if self.field.goals > 1 {
            labels.resize(grid.len(), u32::MAX);
            flood_labels(self.prices.movement, sinks, out.raw(), &mut labels);
        }
        out.set_goals(sinks, &labels, self.field.goals);
    }
}

/// [`RetainedCosts`] with a tile of costs.
#[derive(Clone, Debug)]
pub struct CachedCosts<'a> {
    costs: RetainedCosts<'a>,
    tile: RefilledTile,
}

impl CachedCosts<'_> {
    /// What is known about a cell. The first question in a tile costs a few microseconds, the next ones nanoseconds.
    ///
    /// # Panics
    /// If the id is not of this grid.
    pub fn reach(&mut self, id: CellId) -> Reach {
        if let Some(reach) = self.tile.reach(id) {
            return reach;
        }
        self.costs.refill(id, &mut self.tile);
        self.tile.reach(id).unwrap_or(Reach::Unknown)
    }
}

#[inline(always)]
pub(super) const fn reach_of(value: u32) -> Reach {
    match value {
        UNREACHABLE => Reach::Unreachable,
        UNKNOWN => Reach::Unknown,
        cost => Reach::Reached(CostToGoal(cost)),
    }
}

/// Moves a place by a legal step; gives the cell's index there.
#[inline(always)]
pub(super) fn step_from(layer: &Layer, at: &mut (usize, usize), index: usize, direction: Direction) -> usize {
    let (dx, dy) = direction.offset();
    let (dx, dy) = (dx as isize, dy as isize);
    *at = (at.0.wrapping_add_signed(dx), at.1.wrapping_add_signed(dy));
    index.wrapping_add_signed(dy * layer.width().cast_signed() as isize + dx)
}
