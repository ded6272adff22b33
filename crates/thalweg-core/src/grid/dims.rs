//! The cells that a map covers: one layer, or several.

use super::{Cell, CellId, Direction, Layer, LayerIndex};
use core::fmt;
use std::sync::Arc;
use thiserror::Error;

/// The largest number of cells a grid may have: 2^30, four times the 16,384 × 16,384 the engine is built for.
///
/// It keeps dense ids in 32 bits with room for the expanded states that turn costs need.
pub const MAX_CELLS: u32 = 1 << 30;

/// The largest number of layers a grid may have.
pub const MAX_LAYERS: usize = LayerIndex::MAX as usize + 1;

/// Why a grid cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GridError {
    /// A side is zero.
    #[error("a map needs at least one cell, but {width} x {height} was asked for")]
    Empty {
        /// Cells in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// More cells than [`MAX_CELLS`].
    #[error("a map of {width} x {height} has {} cells, above the limit of {MAX_CELLS}", u64::from(*width) * u64::from(*height))]
    TooLarge {
        /// Cells in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// The last cell's coordinate does not fit 32 bits.
    #[error(
        "a map of {width} x {height} that begins at cell ({first_x},{first_y}) ends beyond the largest cell coordinate {}",
        i32::MAX
    )]
    OriginTooFar {
        /// Cells in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Column of the first cell.
        first_x: i32,
        /// Row of the first cell.
        first_y: i32,
    },
    /// The layers have more cells together than [`MAX_CELLS`].
    #[error("{layers} layers have {cells} cells together, above the limit of {MAX_CELLS}")]
    TooManyCells {
        /// Layers given.
        layers: usize,
        /// Their cells.
        cells: u64,
    },
    /// No layer, or more than an index can name.
    #[error("a map has 1 to {MAX_LAYERS} layers, but {got} were given")]
    Layers {
        /// Layers given.
        got: usize,
    },
    /// A row count and cell count that do not agree, when per-cell data is attached to a grid.
    #[error("{got} values were given for {grid}, which needs {}", grid.len())]
    WrongLength {
        /// The map.
        grid: Grid,
        /// Values given.
        got: usize,
    },
}

/// The cells of a map: one or more layers (floors), each a rectangle with its own size and first cell.
///
/// This type is the only place that knows how ids are laid out: layer after layer, each row by row. Cells of different
/// layers are never neighbours; only portals join them.
///
/// Cloning is cheap. What concerns "the" rectangle ([`Self::width`], [`Self::height`], [`Self::first_cell`],
/// [`Self::id_at`]) is of layer 0, for the many maps that have no other; what works on any map asks [`Self::layers`].
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Grid {
    /// Kept beside the others so that maps of one layer are read without another look into memory.
    first: Layer,
    /// All layers, if there are several.
    all: Option<Arc<[Layer]>>,
    len: u32,
}

impl Grid {
    /// A grid of one layer whose first cell is (0,0).
    ///
    /// # Errors
    /// [`GridError::Empty`] or [`GridError::TooLarge`].
    pub fn new(width: u32, height: u32) -> Result<Self, GridError> {
        Self::with_first_cell(width, height, Cell::new(0, 0))
    }

    /// A grid of one layer whose north-west cell is `first`; the layer of that cell is taken as 0.
    ///
    /// # Errors
    /// [`GridError`] if a side is zero, there are too many cells, or a coordinate leaves `i32`.
    pub fn with_first_cell(width: u32, height: u32, first: Cell) -> Result<Self, GridError> {
        let first = Layer::alone(width, height, first)?;
        Ok(Self {
            first,
            all: None,
            len: width * height,
        })
    }

    /// A grid of several layers, from grids whose layers follow each other: the first of the second grid comes after the
    /// last of the first one. Sizes and first cells stay as they are.
    ///
    /// # Errors
    /// [`GridError::Layers`] without a grid or with more layers than [`MAX_LAYERS`], [`GridError::TooManyCells`].
    pub fn stacked<'a>(grids: impl IntoIterator<Item = &'a Self>) -> Result<Self, GridError> {
        let flat: Vec<&Layer> = grids.into_iter().flat_map(Self::layers).collect();
        let wrong_count = GridError::Layers { got: flat.len() };
        let mut next: u64 = 0;
        let mut all = Vec::with_capacity(flat.len());
        for (index, layer) in flat.iter().enumerate() {
            let index = LayerIndex::try_from(index).map_err(|_| wrong_count.clone())?;
            // Below MAX_CELLS as long as it is used: the sum is checked below.
            let first_id = u32::try_from(next).unwrap_or(u32::MAX);
            all.push(layer.placed(index, first_id));
            next += layer.len() as u64;
        }
        let len = u32::try_from(next).ok().filter(|&len| len <= MAX_CELLS);
        let len = len.ok_or(GridError::TooManyCells {
            layers: flat.len(),
            cells: next,
        })?;
        let first = *all.first().ok_or(wrong_count)?;
        Ok(Self {
            first,
            all: (all.len() > 1).then(|| all.into()),
            len,
        })
    }

    /// The layers, in order.
    #[inline]
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        self.all.as_deref().unwrap_or(core::slice::from_ref(&self.first))
    }

    /// A layer, or `None` if there are not so many.
    #[inline]
    #[must_use]
    pub fn layer(&self, index: LayerIndex) -> Option<&Layer> {
        self.layers().get(usize::from(index))
    }

    /// The layer that holds an id.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn layer_of(&self, id: CellId) -> &Layer {
        assert!(
            id.index() < self.len(),
            "cell id {} is not of a grid of {} cells",
            id.0,
            self.len()
        );
        match &self.all {
            None => &self.first,
            Some(all) => &all[all.partition_point(|layer| layer.range().end <= id.index())],
        }
    }

    /// Cells in a row of layer 0.
    #[inline]
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.first.width()
    }

    /// Rows of layer 0.
    #[inline]
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.first.height()
    }

    /// The longest side of any layer.
    #[must_use]
    pub fn longest_side(&self) -> u32 {
        let sides = self
            .layers()
            .iter()
            .map(|layer| layer.width().max(layer.height()));
        sides.max().unwrap_or(0)
    }

    /// Number of cells over all layers.
    #[inline]
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a grid is never empty")]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// The north-west cell of layer 0.
    #[inline]
    #[must_use]
    pub const fn first_cell(&self) -> Cell {
        self.first.first_cell()
    }

    /// Column and row of a cell counted from the first cell of its layer, or `None` outside the grid.
    #[inline]
    #[must_use]
    pub fn column_row(&self, cell: Cell) -> Option<(u32, u32)> {
        self.layer(cell.layer)?.column_row(cell)
    }

    /// The dense id of a cell, or `None` outside the grid.
    #[inline]
    #[must_use]
    pub fn id(&self, cell: Cell) -> Option<CellId> {
        let layer = self.layer(cell.layer)?;
        let (column, row) = layer.column_row(cell)?;
        layer.id_at(column, row)
    }

    /// The id of column `column` and row `row` of layer 0, counted from its first cell, or `None` outside.
    #[inline]
    #[must_use]
    pub const fn id_at(&self, column: u32, row: u32) -> Option<CellId> {
        self.first.id_at(column, row)
    }

    /// The cell of a dense id.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn cell(&self, id: CellId) -> Cell {
        let layer = self.layer_of(id);
        let (column, row) = layer.column_row_of(id);
        layer.cell_at(column, row)
    }

    /// Column and row of a dense id, counted from the first cell of its layer.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn column_row_of(&self, id: CellId) -> (u32, u32) {
        self.layer_of(id).column_row_of(id)
    }

    /// Whether the cell lies on the grid.
    #[inline]
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        self.column_row(cell).is_some()
    }

    /// The neighbour in a direction, or `None` beyond the border of its layer.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn neighbour(&self, id: CellId, direction: Direction) -> Option<CellId> {
        self.layer_of(id).neighbour(id, direction)
    }

    /// The steps in ids that directions make, for passes that go along legal steps.
    #[inline]
    pub(crate) fn id_steps(&self) -> IdSteps<'_> {
        IdSteps {
            first: self.first.id_offsets(),
            others: self.all.as_deref().unwrap_or(&[]),
        }
    }

    /// All ids in order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = CellId> + use<> {
        (0..self.len).map(CellId)
    }
}

/// The step in ids that each direction makes, which depends on the row length of the layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IdSteps<'a> {
    first: [i32; 8],
    /// All layers, if there are several.
    others: &'a [Layer],
}

impl IdSteps<'_> {
    /// The id that a legal step from a cell leads to.
    #[inline(always)]
    pub(crate) fn onward(&self, from: CellId, direction: Direction) -> CellId {
        CellId(from.0.wrapping_add_signed(self.offset(from, direction)))
    }

    /// The id that a legal step into a cell comes from. A step never leaves its layer, so the layer is the same.
    #[inline(always)]
    pub(crate) fn back(&self, to: CellId, direction: Direction) -> CellId {
        CellId(to.0.wrapping_add_signed(-self.offset(to, direction)))
    }

    #[inline(always)]
    fn offset(&self, id: CellId, direction: Direction) -> i32 {
        if self.others.is_empty() {
            self.first[direction.index()]
        } else {
            self.offset_on_layer(id, direction)
        }
    }

    #[cold]
    fn offset_on_layer(&self, id: CellId, direction: Direction) -> i32 {
        let at = self
            .others
            .partition_point(|layer| layer.range().end <= id.index());
        self.others
            .get(at)
            .map_or(0, |layer| layer.id_offsets()[direction.index()])
    }
}

impl fmt::Display for Grid {
    /// In words, for errors: `the map of 8 x 8 cells that begins at (0,0)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rest = self.layers().len() - 1;
        match rest {
            0 => write!(
                f,
                "the map of {} x {} cells that begins at {}",
                self.width(),
                self.height(),
                self.first_cell()
            ),
            _ => {
                write!(f, "the map of {} layers (", rest + 1)?;
                for layer in self.layers().iter().take(MAX_TOLD) {
                    let comma = if layer.index() == 0 { "" } else { ", " };
                    let first = layer.first_cell();
                    write!(
                        f,
                        "{comma}{} x {} from ({},{})",
                        layer.width(),
                        layer.height(),
                        first.x,
                        first.y
                    )?;
                }
                f.write_str(if rest >= MAX_TOLD { ", …)" } else { ")" })
            }
        }
    }
}

/// Layers that an error tells of one by one.
const MAX_TOLD: usize = 4;

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
