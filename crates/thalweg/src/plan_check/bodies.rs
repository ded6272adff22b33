//! Bodies as the cells they cover, and what lies between two of them.

use thalweg_core::grid::{Cell, CellId, Direction, Grid};
use thalweg_core::movement::{EdgeKind, Movement};

/// A square body on its anchor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Body {
    pub(super) anchor: Cell,
    pub(super) side: u8,
}

impl Body {
    /// The ids of the cells it covers that are on the map.
    pub(super) fn cells<'a>(self, grid: &'a Grid) -> impl Iterator<Item = CellId> + 'a {
        let side = i32::from(self.side);
        let at = self.anchor;
        (0..side)
            .flat_map(move |dy| (0..side).map(move |dx| (dx, dy)))
            .filter_map(move |(dx, dy)| {
                let (x, y) = (at.x.checked_add(dx)?, at.y.checked_add(dy)?);
                grid.id(Cell::on(at.layer, x, y))
            })
    }

    /// Whether it covers a cell.
    pub(super) fn covers(self, cell: Cell) -> bool {
        let within = |here: i32, there: i32| {
            let offset = i64::from(there) - i64::from(here);
            (0..i64::from(self.side)).contains(&offset)
        };
        self.anchor.layer == cell.layer && within(self.anchor.x, cell.x) && within(self.anchor.y, cell.y)
    }

    /// Whether two bodies cover a cell both.
    pub(super) fn meets(self, other: Self) -> bool {
        let apart = |here: i32, side: u8, there: i32, other_side: u8| {
            let offset = i64::from(there) - i64::from(here);
            offset >= i64::from(side) || -offset >= i64::from(other_side)
        };
        let (a, b) = (self.anchor, other.anchor);
        a.layer == b.layer
            && !apart(a.x, self.side, b.x, other.side)
            && !apart(a.y, self.side, b.y, other.side)
    }
}

/// How a movement leads from one anchor to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// A straight step or a portal: it sweeps nothing beyond its ends that others could be in.
    Direct,
    /// A diagonal step.
    Diagonal(Direction),
}

/// How one gets from one anchor to another, if at all. Where a portal joins what a diagonal joins too, it is taken for the
/// portal: the plan does not say, and the portal forbids less.
pub(super) fn way(movement: &Movement, from: CellId, to: CellId) -> Option<Way> {
    let grid = movement.grid();
    let (a, b) = (grid.cell(from), grid.cell(to));
    if a.layer == b.layer {
        let offset = (b.x.checked_sub(a.x)?, b.y.checked_sub(a.y)?);
        if let Some(direction) = Direction::from_offset(offset.0, offset.1)
            .filter(|&direction| movement.exits(from).contains(direction))
        {
            if !direction.is_diagonal() || has_portal(movement, from, to) {
                return Some(Way::Direct);
            }
            return Some(Way::Diagonal(direction));
        }
    }
    has_portal(movement, from, to).then_some(Way::Direct)
}

fn has_portal(movement: &Movement, from: CellId, to: CellId) -> bool {
    // Most maps have none, and then nobody need look.
    !movement.is_plain()
        && movement
            .edges_from(from)
            .any(|edge| edge.other == to && matches!(edge.kind, EdgeKind::Portal(_)))
}

/// The two cells that a diagonal step of a square body sweeps beyond those of its ends: the corners of the square around
/// both ends that neither of them covers. For a single cell these are its two side cells.
pub(super) fn side_cells(from: Cell, direction: Direction, side: u8) -> [Cell; 2] {
    let (dx, dy) = direction.offset();
    let side = i32::from(side);
    // The square around both ends is one cell longer; its anchor is the lesser of both.
    let (left, top) = (from.x + dx.min(0), from.y + dy.min(0));
    let (right, bottom) = (left + side, top + side);
    let corners = if dx == dy {
        // From north-west to south-east or back: the other two corners.
        [(right, top), (left, bottom)]
    } else {
        [(left, top), (right, bottom)]
    };
    corners.map(|(x, y)| Cell::on(from.layer, x, y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use thalweg_core::grid::DIRECTIONS;

    /// Listed from what the words say: cells of the square around both ends that neither end covers.
    #[test]
    fn side_cells_are_what_the_square_around_both_ends_has_beyond_them() {
        for side in 1..=4u8 {
            for direction in DIRECTIONS.into_iter().filter(|direction| direction.is_diagonal()) {
                let from = Cell::on(2, 10, 20);
                let (dx, dy) = direction.offset();
                let to = Cell::on(2, from.x + dx, from.y + dy);
                let ends = [from, to].map(|anchor| Body { anchor, side });
                let mut listed = Vec::new();
                for y in from.y.min(to.y)..from.y.max(to.y) + i32::from(side) {
                    for x in from.x.min(to.x)..from.x.max(to.x) + i32::from(side) {
                        let cell = Cell::on(2, x, y);
                        if !ends.iter().any(|body| body.covers(cell)) {
                            listed.push(cell);
                        }
                    }
                }
                let mut sides = side_cells(from, direction, side).to_vec();
                sides.sort_unstable_by_key(|cell| (cell.y, cell.x));
                assert_eq!(sides, listed, "{direction} of {side}");
            }
        }
    }

    #[test]
    fn bodies_meet_where_one_covers_a_cell_of_the_other() {
        let grid = Grid::new(8, 8).expect("a small grid");
        let body = |x, y, side| Body {
            anchor: Cell::new(x, y),
            side,
        };
        for (x, y) in (0..6).flat_map(|y| (0..6).map(move |x| (x, y))) {
            for (one, two) in [(1, 1), (1, 3), (2, 3), (3, 2)] {
                let (one, two) = (body(3, 3, one), body(x, y, two));
                let shared = two.cells(&grid).any(|id| one.covers(grid.cell(id)));
                assert_eq!(one.meets(two), shared, "{one:?} {two:?}");
            }
        }
    }
}
