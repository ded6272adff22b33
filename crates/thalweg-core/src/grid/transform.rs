//! World positions and cells: floor, never truncation; half-open cells; outside and not-a-number are values.

use super::{Cell, Grid, Layer, LayerIndex};
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
    /// The map has not so many layers.
    #[error("layer {layer} was asked for, but the map has {layers} layer(s), counted from 0")]
    NoLayer {
        /// The layer asked for.
        layer: LayerIndex,
        /// Layers of the map.
        layers: usize,
    },
}

/// Turns world positions into cells and back.
///
/// One transform serves all layers of a map: cells of two layers with the same x and y lie at the same place in the
/// world, one above the other, wherever the layers begin. Which layer a position is on is not told by the position.
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
    /// A transform for grids whose layer 0 has its smallest-world-coordinate corner at `origin`
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

    /// Map coordinates of a world position on a layer: cells from the north-west corner of that layer, y downward.
    ///
    /// The result is rounded to 64 bits: within some 1e-15 of a cell border (relative to the distance from the origin)
    /// it may lie on the border although [`Self::cell_at`], which is exact there, names the cell before it.
    ///
    /// # Errors
    /// [`PositionError::NotFinite`] or [`PositionError::NoLayer`]; a position outside the layer is *not* an error here.
    pub fn map_from_world(
        &self,
        grid: &Grid,
        layer: LayerIndex,
        world: [f64; 2],
    ) -> Result<[f64; 2], PositionError> {
        if !(world[0].is_finite() && world[1].is_finite()) {
            return Err(PositionError::NotFinite(world[0], world[1]));
        }
        let [low_x, low_y] = low_corner(grid, layer_of(grid, layer)?, self.y_axis);
        let x = (world[0] - self.origin[0]) / self.cell_size - low_x;
        let up = (world[1] - self.origin[1]) / self.cell_size - low_y;
        let y = match self.y_axis {
            YAxis::Down => up,
            YAxis::Up => f64::from(layer_of(grid, layer)?.height()) - up,
        };
        Ok([x, y])
    }

    /// World position of map coordinates on a layer (the inverse of [`Self::map_from_world`]).
    ///
    /// # Errors
    /// [`PositionError::NoLayer`].
    pub fn world_from_map(
        &self,
        grid: &Grid,
        layer: LayerIndex,
        map: [f64; 2],
    ) -> Result<[f64; 2], PositionError> {
        let layer = layer_of(grid, layer)?;
        let [low_x, low_y] = low_corner(grid, layer, self.y_axis);
        let up = match self.y_axis {
            YAxis::Down => map[1],
            YAxis::Up => f64::from(layer.height()) - map[1],
        };
        Ok([
            self.origin[0] + (low_x + map[0]) * self.cell_size,
            self.origin[1] + (low_y + up) * self.cell_size,
        ])
    }

    /// The cell of a layer that holds a world position. Cells are half-open in world axes: the smaller edge belongs to
    /// the cell, the larger one to its neighbour.
    ///
    /// # Errors
    /// [`PositionError`] for positions outside the layer, for NaN or infinite coordinates, for a layer that is not there.
    pub fn cell_at(&self, grid: &Grid, layer: LayerIndex, world: [f64; 2]) -> Result<Cell, PositionError> {
        if !(world[0].is_finite() && world[1].is_finite()) {
            return Err(PositionError::NotFinite(world[0], world[1]));
        }
        let layer = layer_of(grid, layer)?;
        let low = low_corner(grid, layer, self.y_axis);
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
            // Whole numbers below 2^33 on both sides: exact.
            let steps = steps - low[axis];
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
        let column = along(0, layer.width())?;
        let from_small = along(1, layer.height())?;
        let row = match self.y_axis {
            YAxis::Down => from_small,
            YAxis::Up => layer.height() - 1 - from_small,
        };
        let id = layer.id_at(column, row).ok_or(outside)?;
        Ok(grid.cell(id))
    }

    /// The world position of a cell's centre.
    ///
    /// # Errors
    /// [`PositionError::Outside`] with the centre the cell would have, if it is not on its layer;
    /// [`PositionError::NoLayer`].
    pub fn centre_of(&self, grid: &Grid, cell: Cell) -> Result<[f64; 2], PositionError> {
        let first = layer_of(grid, cell.layer)?.first_cell();
        let map = [
            f64::from(cell.x) - f64::from(first.x) + 0.5,
            f64::from(cell.y) - f64::from(first.y) + 0.5,
        ];
        let world = self.world_from_map(grid, cell.layer, map)?;
        if grid.contains(cell) {
            Ok(world)
        } else {
            Err(PositionError::Outside(world[0], world[1]))
        }
    }
}

fn layer_of(grid: &Grid, layer: LayerIndex) -> Result<&Layer, PositionError> {
    grid.layer(layer).ok_or(PositionError::NoLayer {
        layer,
        layers: grid.layers().len(),
    })
}

/// Where the corner of a layer with the smallest world coordinates lies, in cells from that of layer 0. Whole numbers.
fn low_corner(grid: &Grid, layer: &Layer, y_axis: YAxis) -> [f64; 2] {
    let (zero, own) = (grid.first_cell(), layer.first_cell());
    let x = f64::from(own.x) - f64::from(zero.x);
    let down = f64::from(own.y) - f64::from(zero.y);
    let y = match y_axis {
        YAxis::Down => down,
        YAxis::Up => f64::from(grid.height()) - f64::from(layer.height()) - down,
    };
    [x, y]
}
