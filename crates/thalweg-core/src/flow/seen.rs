//! What of the ground was looked at while the way of a cell was found.
//!
//! A repair asks of every cell whether an edit may concern it. So each keeps the box around all the cells that its sight
//! lines crossed: four bytes. Rejected: no box, and looking anew from all cells within the range of sight, some 17,000 of
//! them for one door. Rejected: the lines themselves. There are up to a dozen, and most edits touch no box at all.

use crate::grid::{Direction, MapPoint};

/// What a look writes down of the cells its lines cross; nothing, where no repair is to come.
pub(super) trait Seen {
    /// What is counted along one line.
    type Line: Default;

    /// What a look sees that looks so many cells to every side, whatever its lines are.
    fn around(cells: u32) -> Self;

    /// A line reads the cell beyond a border, whether or not it goes on.
    fn cross(line: &mut Self::Line, direction: Direction);

    /// A line is done that began at `from`; `own` is in the cell that looks.
    fn add(&mut self, own: MapPoint, from: MapPoint, line: &Self::Line);
}

impl Seen for () {
    type Line = ();

    fn around(_cells: u32) -> Self {}

    fn cross(_line: &mut Self::Line, _direction: Direction) {}

    fn add(&mut self, _own: MapPoint, _from: MapPoint, _line: &Self::Line) {}
}

/// Stored where something farther off than it, in cells, was looked at.
pub(super) const FAR: u8 = u8::MAX;

/// The box around the cells that were looked at, as distances from the own cell. What stands beside them is looked at too:
/// exits at a refused border, the cells around its corners.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct SeenBox {
    west: u8,
    east: u8,
    north: u8,
    south: u8,
}

/// Borders crossed along either axis.
#[derive(Clone, Copy, Default)]
pub(super) struct Crossed {
    columns: i32,
    rows: i32,
}

impl Seen for SeenBox {
    type Line = Crossed;

    fn around(cells: u32) -> Self {
        let far = u8::try_from(cells).unwrap_or(FAR);
        Self {
            west: far,
            east: far,
            north: far,
            south: far,
        }
    }

    #[inline(always)]
    fn cross(line: &mut Crossed, direction: Direction) {
        let (dx, dy) = direction.offset();
        line.columns += dx;
        line.rows += dy;
    }

    #[inline(always)]
    fn add(&mut self, own: MapPoint, from: MapPoint, line: &Crossed) {
        let (own, from) = (own.column_row(), from.column_row());
        // A line never turns back along an axis, so that its ends span the box.
        let (dx, dy) = (from.0 - own.0, from.1 - own.1);
        for (x, y) in [(dx, dy), (dx + line.columns, dy + line.rows)] {
            self.west = self.west.max(cut(-x));
            self.east = self.east.max(cut(x));
            self.north = self.north.max(cut(-y));
            self.south = self.south.max(cut(y));
        }
    }
}

/// A distance in a byte; what lies on the other side counts as nothing.
#[inline(always)]
fn cut(distance: i32) -> u8 {
    u8::try_from(distance.max(0)).unwrap_or(FAR)
}

/// Cells of a layer, all borders included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub(super) columns: (u32, u32),
    pub(super) rows: (u32, u32),
}

impl SeenBox {
    /// Whether any cell of an area was looked at, or stands beside one that was, by the cell with this column and row.
    #[inline(always)]
    pub(super) fn meets(self, (column, row): (u32, u32), area: &Area) -> bool {
        let within = |at: u32, (low, high): (u32, u32), before: u8, after: u8| {
            // All terms stay below 2^31, for a side has at most 2^30 cells.
            (before == FAR || at <= high + u32::from(before) + 1)
                && (after == FAR || at + u32::from(after) + 1 >= low)
        };
        within(column, area.columns, self.west, self.east) && within(row, area.rows, self.north, self.south)
    }
}
