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

/// Of the cells (anchors) that `from` can reach, the one nearest to `target` by straight distance between cell centres (from
/// the middle of a body with extent), on its own layer if one can be reached there; among equals the first in id order.
/// `None` if `from` is blocked. `target` may be anywhere, also off the map.
///
/// Travel cost plays no part: mud around a walled goal must not change which side of the wall is "near".
///
/// # Panics
/// If `from` is not of this grid.
#[must_use]
pub fn nearest_reachable(movement: &Movement, from: CellId, target: Cell) -> Option<CellId> {
    let reached = reachable_from(movement, from);
    nearest(movement, target, |id| reached.contains(id))
}

/// The passable cell nearest to `target` by straight distance between centres; among equals the first in id order.
pub(super) fn nearest_passable(movement: &Movement, target: Cell) -> Option<CellId> {
    nearest(movement, target, |id| movement.is_passable(id))
}

fn nearest(movement: &Movement, target: Cell, usable: impl Fn(CellId) -> bool) -> Option<CellId> {
    let grid = movement.grid();
    // From the middle of the body, or a mirrored map would have another answer.
    let (middle_x, middle_y) = movement.profile().footprint.middle();
    let halves =
        |from: i32, middle: u32, to: i32| 2 * (i128::from(from) - i128::from(to)) + i128::from(middle);
    grid.ids().filter(|&id| usable(id)).min_by_key(|&id| {
        let cell = grid.cell(id);
        let (dx, dy) = (
            halves(cell.x, middle_x, target.x),
            halves(cell.y, middle_y, target.y),
        );
        // Another floor is no place beside a wall: only if the target's own has nothing.
        (cell.layer.abs_diff(target.layer), dx * dx + dy * dy, id)
    })
}
