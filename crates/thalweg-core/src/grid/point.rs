//! Positions between cells, in fixed point, so that sweeps and hashes are exact.

use super::{Cell, CellId, Grid, LayerIndex};
use core::fmt;

/// Subcell units in one cell: positions are whole multiples of 1/65,536 of a cell.
pub const SUBCELLS: i32 = 1 << 16;

/// The longest grid side, in cells, on which every position has a [`MapPoint`].
pub const MAX_POINT_SIDE: u32 = 32_767;

/// A position on a layer of a map in fixed point: 1/65,536 of a cell, counted from the north-west corner of the first cell
/// of that layer, x to the right, y downward.
///
/// Rejected: `f32` map coordinates. Their step grows with the distance from the origin (1/1,024 of a cell at column
/// 8,192), so slow agents stand still there and a shifted map gives other results; fixed point has one step
/// everywhere, and segments between two points cross cell borders at exactly comparable places.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct MapPoint {
    /// Subcells to the right of the layer's west border.
    pub x: i32,
    /// Subcells below the layer's north border.
    pub y: i32,
    /// The layer (floor) the point lies on.
    pub layer: LayerIndex,
}

impl MapPoint {
    /// The point of layer 0 with these subcell coordinates.
    #[inline]
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y, layer: 0 }
    }

    /// The point with these coordinates on the same layer.
    #[inline]
    #[must_use]
    pub const fn at(self, x: i32, y: i32) -> Self {
        Self { x, y, ..self }
    }

    /// The point with these coordinates on another layer.
    #[inline]
    #[must_use]
    pub const fn on(self, layer: LayerIndex) -> Self {
        Self { layer, ..self }
    }

    /// The point of layer 0 with map coordinates in cells, or `None` if they are not finite or beyond ±32,767 cells.
    ///
    /// Coordinates are rounded down, so that the point is in the cell that holds the coordinates: rounding to the
    /// nearest would carry what lies within 2^-17 of a border into the next cell, perhaps a wall.
    #[must_use]
    pub fn from_map(map: [f64; 2]) -> Option<Self> {
        let one = |value: f64| -> Option<i32> {
            let subcells = (value * f64::from(SUBCELLS)).floor();
            let limit = f64::from(MAX_POINT_SIDE) * f64::from(SUBCELLS);
            #[expect(clippy::cast_possible_truncation, reason = "the range was just checked")]
            (subcells.is_finite() && subcells.abs() <= limit).then_some(subcells as i32)
        };
        Some(Self::new(one(map[0])?, one(map[1])?))
    }

    /// Map coordinates in cells from the layer's north-west corner; exact.
    #[must_use]
    pub fn to_map(self) -> [f64; 2] {
        [
            f64::from(self.x) / f64::from(SUBCELLS),
            f64::from(self.y) / f64::from(SUBCELLS),
        ]
    }

    /// The centre of a column and row of layer 0, each below [`MAX_POINT_SIDE`].
    ///
    /// # Panics
    /// If a side is beyond [`MAX_POINT_SIDE`].
    #[must_use]
    pub fn centre_of(column: u32, row: u32) -> Self {
        let one = |cells: u32| -> i32 {
            assert!(
                cells < MAX_POINT_SIDE,
                "column or row {cells} is beyond the {MAX_POINT_SIDE} cells of a map point"
            );
            #[expect(clippy::cast_possible_wrap, reason = "checked to be below 32,767")]
            (cells as i32 * SUBCELLS + SUBCELLS / 2)
        };
        Self::new(one(column), one(row))
    }

    /// Column and row of the cell that holds the point (floor: a border belongs to the cell east or south of it).
    /// They may lie outside the layer.
    #[inline]
    #[must_use]
    pub const fn column_row(self) -> (i32, i32) {
        (self.x >> 16, self.y >> 16)
    }

    /// The id of the cell that holds the point, or `None` outside the grid.
    #[inline]
    #[must_use]
    pub fn cell_id(self, grid: &Grid) -> Option<CellId> {
        let (column, row) = self.column_row();
        grid.layer(self.layer)?
            .id_at(u32::try_from(column).ok()?, u32::try_from(row).ok()?)
    }

    /// The centre of a cell of the grid, or `None` if the cell is off the grid or beyond [`MAX_POINT_SIDE`].
    #[must_use]
    pub fn centre_of_cell(grid: &Grid, cell: Cell) -> Option<Self> {
        let (column, row) = grid.column_row(cell)?;
        (column < MAX_POINT_SIDE && row < MAX_POINT_SIDE).then(|| Self::centre_of(column, row).on(cell.layer))
    }

    /// The centre of the cell of an id.
    ///
    /// # Panics
    /// If the id is not of this grid, or its column or row is beyond [`MAX_POINT_SIDE`].
    #[must_use]
    pub fn centre_of_id(grid: &Grid, id: CellId) -> Self {
        let (column, row) = grid.column_row_of(id);
        Self::centre_of(column, row).on(grid.layer_of(id).index())
    }
}

impl fmt::Debug for MapPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y] = self.to_map();
        if self.layer == 0 {
            write!(f, "({x}, {y})")
        } else {
            write!(f, "({x}, {y}, layer {})", self.layer)
        }
    }
}
