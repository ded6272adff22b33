//! Where cells lie, by the sizes of the floors alone.

use thalweg_core::grid::{Cell, Direction};

/// The directions in the order of the contract with what they add to column and row: N, E, S, W, NE, SE, SW, NW.
pub const STEPS: [(Direction, i64, i64); 8] = [
    (Direction::N, 0, -1),
    (Direction::E, 1, 0),
    (Direction::S, 0, 1),
    (Direction::W, -1, 0),
    (Direction::NE, 1, -1),
    (Direction::SE, 1, 1),
    (Direction::SW, -1, 1),
    (Direction::NW, -1, -1),
];

/// The place of a direction in [`STEPS`].
pub(super) fn step_index(direction: Direction) -> usize {
    STEPS
        .iter()
        .position(|step| step.0 == direction)
        .expect("one of eight")
}

/// The parts of a diagonal: along the columns, along the rows; `None` for straight steps.
pub(super) const fn parts(step: usize) -> Option<(usize, usize)> {
    match step {
        4 => Some((0, 1)),
        5 => Some((2, 1)),
        6 => Some((2, 3)),
        7 => Some((0, 3)),
        _ => None,
    }
}

/// A floor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Floor {
    /// The place of its first cell in id order.
    pub first_id: usize,
    /// Cells in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The name of its first cell.
    pub first: (i32, i32),
}

/// The floors of a map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Floors(pub(super) Vec<Floor>);

impl Floors {
    /// How many floors there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The floors in order.
    #[must_use]
    pub fn all(&self) -> &[Floor] {
        &self.0
    }

    /// How many cells there are.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a map is never empty")]
    pub fn len(&self) -> usize {
        self.0.iter().map(|floor| floor.width * floor.height).sum()
    }

    /// Floor, column and row of a cell.
    ///
    /// # Panics
    /// If it is not on the map.
    #[must_use]
    pub fn place(&self, id: usize) -> (usize, i64, i64) {
        let last = self
            .0
            .iter()
            .rposition(|floor| floor.first_id <= id)
            .expect("floors begin at 0");
        let floor = &self.0[last];
        let rest = id - floor.first_id;
        assert!(rest < floor.width * floor.height, "cell {id} is not on the map");
        let signed = |number: usize| i64::try_from(number).expect("a small map");
        (last, signed(rest % floor.width), signed(rest / floor.width))
    }

    /// The cell in a column and row of a floor.
    #[must_use]
    pub fn at(&self, floor: usize, column: i64, row: i64) -> Option<usize> {
        let floor = self.0.get(floor)?;
        let (column, row) = (usize::try_from(column).ok()?, usize::try_from(row).ok()?);
        (column < floor.width && row < floor.height).then_some(floor.first_id + row * floor.width + column)
    }

    /// The cell so many columns and rows from another.
    #[must_use]
    pub fn beside(&self, id: usize, dx: i64, dy: i64) -> Option<usize> {
        let (floor, column, row) = self.place(id);
        self.at(floor, column + dx, row + dy)
    }

    /// The neighbour by a step of [`STEPS`].
    #[must_use]
    pub fn step(&self, id: usize, step: usize) -> Option<usize> {
        self.beside(id, STEPS[step].1, STEPS[step].2)
    }

    /// The name of a cell.
    ///
    /// # Panics
    /// If it is not on the map.
    #[must_use]
    pub fn cell(&self, id: usize) -> Cell {
        let (floor, column, row) = self.place(id);
        let first = self.0[floor].first;
        let name = |first: i32, offset: i64| i32::try_from(i64::from(first) + offset).expect("a small map");
        let layer = u16::try_from(floor).expect("few floors");
        Cell::on(layer, name(first.0, column), name(first.1, row))
    }

    /// The cell of a name.
    #[must_use]
    pub fn id(&self, cell: Cell) -> Option<usize> {
        let floor = self.0.get(usize::from(cell.layer))?;
        let (x, y) = (i64::from(cell.x), i64::from(cell.y));
        let (first_x, first_y) = (i64::from(floor.first.0), i64::from(floor.first.1));
        self.at(usize::from(cell.layer), x - first_x, y - first_y)
    }
}
