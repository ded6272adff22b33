//! Where agents wait.

use thalweg_core::grid::Cell;

/// A rectangle of cells in which agents wait while it is on: whoever comes in stops, and goes on when the zone is released.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaitingZone {
    /// Its name.
    pub name: String,
    /// Two opposite corners, both included.
    pub corners: (Cell, Cell),
    /// Indices of the groups whose agents wait in it.
    pub groups: Vec<usize>,
}

impl WaitingZone {
    /// Whether a cell is in it.
    #[must_use]
    pub fn holds(&self, cell: Cell) -> bool {
        let (a, b) = self.corners;
        let within = |a: i32, b: i32, at: i32| a.min(b) <= at && at <= a.max(b);
        cell.layer == a.layer && within(a.x, b.x, cell.x) && within(a.y, b.y, cell.y)
    }
}
