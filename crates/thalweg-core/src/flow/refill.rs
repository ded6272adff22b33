//! The costs of one tile of a retained field, found again.

use super::retained::{RetainedCosts, reach_of, step_from};
use super::seams::TILE;
use crate::grid::{CellId, Layer};
use crate::integrate::Reach;

/// The costs-to-goal of the cells of one tile, 32 × 32 or what the map's sides leave of it. Its buffers are reused from tile
/// to tile.
#[derive(Clone, Debug)]
pub struct RefilledTile {
    /// Row by row, [`TILE`] a row.
    values: Vec<u32>,
    across: usize,
    down: usize,
    /// The id of its first cell, and the cells of a row of its layer.
    first: usize,
    row_len: usize,
    /// Cells on the way to one whose cost is known, with the cost of the step that leaves each.
    way: Vec<(u16, u32)>,
}

impl Default for RefilledTile {
    fn default() -> Self {
        Self::new()
    }
}

impl RefilledTile {
    /// A tile without cells.
    #[must_use]
    pub fn new() -> Self {
        Self {
            values: vec![0; TILE * TILE],
            across: 0,
            down: 0,
            first: 0,
            row_len: 1,
            way: Vec::new(),
        }
    }

    /// What is known about a cell, or `None` if it is not in this tile.
    #[inline]
    #[must_use]
    pub fn reach(&self, id: CellId) -> Option<Reach> {
        let beyond = id.index().checked_sub(self.first)?;
        let (column, row) = (beyond % self.row_len, beyond / self.row_len);
        (column < self.across && row < self.down).then(|| reach_of(self.values[row * TILE + column]))
    }

    /// The ids of its cells, row by row.
    pub fn ids(&self) -> impl Iterator<Item = CellId> + use<> {
        let Self {
            first,
            row_len,
            across,
            down,
            ..
        } = *self;
        (0..down).flat_map(move |row| {
            (0..across).map(move |column| CellId::from_index(first + row * row_len + column))
        })
    }

    /// The raw values, row by row.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[u32]> {
        self.values
            .chunks(TILE)
            .map(|row| &row[..self.across])
            .take(self.down)
    }

    /// Finds the costs of the tile whose first cell is at a column and row of a layer.
    ///
    /// Each way is followed only until it meets a cell that is known by now, so every cell is visited once.
    pub(super) fn fill(&mut self, costs: &RetainedCosts<'_>, layer: &Layer, at: (usize, usize)) {
        let width = layer.width() as usize;
        self.row_len = width;
        self.first = layer.range().start + at.1 * width + at.0;
        self.across = (width - at.0).min(TILE);
        self.down = (layer.height() as usize - at.1).min(TILE);
        let mut known = [0u32; TILE];
        for row in 0..self.down {
            for column in 0..self.across {
                if known[row] >> column & 1 == 0 {
                    self.follow(costs, layer, at, (column, row), &mut known);
                }
            }
        }
    }

    /// Finds the costs of a cell and of those on its way.
    #[inline(always)]
    fn follow(
        &mut self,
        costs: &RetainedCosts<'_>,
        layer: &Layer,
        tile_at: (usize, usize),
        (column, row): (usize, usize),
        known: &mut [u32; TILE],
    ) {
        let mut at = (tile_at.0 + column, tile_at.1 + row);
        let mut index = self.first + row * self.row_len + column;
        self.way.clear();
        let mut value = loop {
            // Beyond the tile these wrap around to large numbers.
            let (column, row) = (at.0.wrapping_sub(tile_at.0), at.1.wrapping_sub(tile_at.1));
            let is_inside = column < self.across && row < self.down;
            let place = row * TILE + column;
            if is_inside && known[row] >> column & 1 != 0 {
                break self.values[place];
            }
            match costs.field.kept(layer, at, index) {
                Ok(value) => {
                    if is_inside {
                        self.values[place] = value;
                        known[row] |= 1 << column;
                    }
                    break value;
                }
                Err(direction) => {
                    let next = step_from(layer, &mut at, index, direction);
                    let step = costs.prices.step(index, next, direction);
                    // A way leaves the tile only onto a seam, so its cells lie inside.
                    #[expect(clippy::cast_possible_truncation, reason = "a tile has 1,024 cells")]
                    self.way.push((place as u16, step));
                    index = next;
                }
            }
        };
        while let Some((place, step)) = self.way.pop() {
            let place = usize::from(place);
            value = value.saturating_add(step);
            self.values[place] = value;
            known[place / TILE] |= 1 << (place % TILE);
        }
    }
}
