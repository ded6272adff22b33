//! World positions and cells: floor, never truncation; half-open cells; outside and not-a-number are values.

use super::{Cell, Grid};
use thiserror::Error;

/// Which way the world's y axis points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum YAxis {
    /// World y grows with cell y (images, Tiled, most 2-D engines).
    #[default]
    Down,
    /// World y grows against cell y (most 3-D engines, mathematics).
    Up,
}

/// Why a transform cannot be made.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TransformError {
    /// The cell size is not a positive finite number.
    #[error("cell size {0} is not a positive finite number")]
    CellSize(f64),
    /// The origin is not finite.
    #[error("transform origin ({0}, {1}) is not finite")]
    Origin(f64, f64),
}

/// Why a world position has no cell.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// The position lies on no layer of the map.
    #[error("world position ({0}, {1}) lies outside the map")]
    Outside(f64, f64),
    /// A coordinate is NaN or infinite.
    #[error("world position ({0}, {1}) is not finite")]
    NotFinite(f64, f64),
}

/// Turns world positions into cells and back.
///
/// Arithmetic is 64-bit: in 32 bits, -1e-7 + 8 rounds to 8 and lands one cell too far.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WorldTransform {
    origin: [f64; 2],
    cell_size: f64,
    y_axis: YAxis,
}

impl Default for WorldTransform {
    /// One world unit per cell, the first cell's corner at the origin, y downward.
    fn default() -> Self {
        Self {
            origin: [0.0, 0.0],
            cell_size: 1.0,
            y_axis: YAxis::Down,
        }
    }
}

impl WorldTransform {
    /// A transform for grids whose first cell has its smallest-world-coordinate corner at `origin`
    /// (with [`YAxis::Up`] that corner belongs to the *last* row, the one with the smallest world y).
    ///
    /// `cell_size` is the side of a cell in world units.
    ///
    /// # Errors
    /// [`TransformError`] if the size is not positive and finite or the origin is not finite.
    pub fn new(origin: [f64; 2], cell_size: f64, y_axis: YAxis) -> Result<Self, TransformError> {
        if !(cell_size.is_finite() && cell_size > 0.0) {
            return Err(TransformError::CellSize(cell_size));
        }
        if !(origin[0].is_finite() && origin[1].is_finite()) {
            return Err(TransformError::Origin(origin[0], origin[1]));
        }
        Ok(Self {
            origin,
            cell_size,
            y_axis,
        })
    }

    /// The side of a cell in world units.
    #[must_use]
    pub const fn cell_size(&self) -> f64 {
        self.cell_size
    }

    /// The world position of the corner with the smallest coordinates.
    #[must_use]
    pub const fn origin(&self) -> [f64; 2] {
        self.origin
    }

    /// Which way world y points.
    #[must_use]
    pub const fn y_axis(&self) -> YAxis {
        self.y_axis
    }

    /// Map coordinates of a world position: cells from the north-west corner of the grid, y downward.
    ///
    /// The result is rounded to 64 bits: within some 1e-15 of a cell border (relative to the distance from the origin)
    /// it may lie on the border although [`Self::cell_at`], which is exact there, names the cell before it.
    ///
    /// # Errors
    /// [`PositionError::NotFinite`]; a position outside the grid is *not* an error here.
    pub fn map_from_world(&self, grid: &Grid, world: [f64; 2]) -> Result<[f64; 2], PositionError> {
        if !(world[0].is_finite() && world[1].is_finite()) {
            return Err(PositionError::NotFinite(world[0], world[1]));
        }
        let x = (world[0] - self.origin[0]) / self.cell_size;
        let up = (world[1] - self.origin[1]) / self.cell_size;
        let y = match self.y_axis {
            YAxis::Down => up,
            YAxis::Up => f64::from(grid.height()) - up,
        };
        Ok([x, y])
    }

    /// World position of map coordinates (the inverse of [`Self::map_from_world`]).
    #[must_use]
    pub fn world_from_map(&self, grid: &Grid, map: [f64; 2]) -> [f64; 2] {
        let up = match self.y_axis {
            YAxis::Down => map[1],
            YAxis::Up => f64::from(grid.height()) - map[1],
        };
        [
            self.origin[0] + map[0] * self.cell_size,
            self.origin[1] + up * self.cell_size,
        ]
    }

    /// The cell that holds a world position. Cells are half-open in world axes: the smaller edge belongs to the cell,
    /// the larger one to its neighbour.
    ///
    /// # Errors
    /// [`PositionError`] for positions outside the grid and for NaN or infinite coordinates.
    pub fn cell_at(&self, grid: &Grid, world: [f64; 2]) -> Result<Cell, PositionError> {
        if !(world[0].is_finite() && world[1].is_finite()) {
            return Err(PositionError::NotFinite(world[0], world[1]));
        }
        let outside = PositionError::Outside(world[0], world[1]);
        let along = |axis: usize, len: u32| -> Result<u32, PositionError> {
            let edge = |steps: f64| self.origin[axis] + steps * self.cell_size;
            let mut steps = ((world[axis] - self.origin[axis]) / self.cell_size).floor();
            // The difference and the quotient are rounded; a position a hair below an edge must stay below it.
            if edge(steps) > world[axis] {
                steps -= 1.0;
            } else if edge(steps + 1.0) <= world[axis] {
                steps += 1.0;
            }
            if !(steps >= 0.0 && steps < f64::from(len)) {
                return Err(outside);
            }
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "the value is whole and was just checked to lie in 0..len"
            )]
            Ok(steps as u32)
        };
        let column = along(0, grid.width())?;
        let from_small = along(1, grid.height())?;
        let row = match self.y_axis {
            YAxis::Down => from_small,
            YAxis::Up => grid.height() - 1 - from_small,
        };
        let id = grid.id_at(column, row).ok_or(outside)?;
        Ok(grid.cell(id))
    }

    /// The world position of a cell's centre.
    ///
    /// # Errors
    /// [`PositionError::Outside`] with the centre the cell would have, if it is not on the grid.
    pub fn centre_of(&self, grid: &Grid, cell: Cell) -> Result<[f64; 2], PositionError> {
        let first = grid.first_cell();
        let map = [
            f64::from(cell.x) - f64::from(first.x) + 0.5,
            f64::from(cell.y) - f64::from(first.y) + 0.5,
        ];
        let world = self.world_from_map(grid, map);
        if grid.contains(cell) {
            Ok(world)
        } else {
            Err(PositionError::Outside(world[0], world[1]))
        }
    }
}
