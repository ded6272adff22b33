//! Which cells can be reached from a cell, by one flood over legal exits.

use crate::grid::{Cell, CellId, Grid};
use crate::movement::Movement;

/// The set of cells that can be reached from one cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reachable {
    words: Vec<u64>,
    len: usize,
}

impl Reachable {
    fn empty(grid: &Grid) -> Self {
        Self {
            words: vec![0; grid.len().div_ceil(64)],
            len: 0,
        }
    }

    /// Whether the cell is in the set.
    ///
    /// # Panics
    /// If the id is not of the grid.
    #[must_use]
    pub fn contains(&self, id: CellId) -> bool {
        self.words[id.index() / 64] & (1 << (id.index() % 64)) != 0
    }

    /// How many cells are in the set.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether no cell is in the set (the start was blocked).
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn insert(&mut self, id: CellId) -> bool {
        let (word, bit) = (id.index() / 64, 1u64 << (id.index() % 64));
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        self.len += usize::from(new);
        new
    }
}

/// The cells that a body on `from` can reach, `from` included; empty if `from` is blocked. O(cells).
///
/// # Panics
/// If the id is not of this grid.
#[must_use]
pub fn reachable_from(movement: &Movement, from: CellId) -> Reachable {
    let mut reached = Reachable::empty(movement.grid());
    if !movement.is_passable(from) {
        return reached;
    }
    reached.insert(from);
    let mut open = vec![from];
    while let Some(id) = open.pop() {
        for edge in movement.edges_from(id) {
            if reached.insert(edge.other) {
                open.push(edge.other);
            }
        }
    }
    reached
}

/// Of the cells that `from` can reach, the one nearest to `target` by straight distance between cell centres, on
/// its own layer if one can be reached there; among equals the first in id order. `None` if `from` is blocked. `target` may be anywhere, also off the map.
///
/// Travel cost plays no part: mud around a walled goal must not change which side of the wall is "near".
///
/// # Panics
/// If `from` is not of this grid.
#[must_use]
pub fn nearest_reachable(movement: &Movement, from: CellId, target: Cell) -> Option<CellId> {
    let reached = reachable_from(movement, from);
    nearest(movement.grid(), target, |id| reached.contains(id))
}

/// The passable cell nearest to `target` by straight distance between centres; among equals the first in id order.
pub(super) fn nearest_passable(movement: &Movement, target: Cell) -> Option<CellId> {
    nearest(movement.grid(), target, |id| movement.is_passable(id))
}

fn nearest(grid: &Grid, target: Cell, usable: impl Fn(CellId) -> bool) -> Option<CellId> {
    grid.ids().filter(|&id| usable(id)).min_by_key(|&id| {
        let cell = grid.cell(id);
        let (dx, dy) = (
            i128::from(cell.x) - i128::from(target.x),
            i128::from(cell.y) - i128::from(target.y),
        );
        // Another floor is no place beside a wall: only if the target's own has nothing.
        (cell.layer.abs_diff(target.layer), dx * dx + dy * dy, id)
    })
}
