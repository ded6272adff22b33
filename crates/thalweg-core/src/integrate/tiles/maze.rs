//! Relaxation of a tile full of corridors, cell by cell: there whole rows would move one cell at a time.

use super::lowered::Lowered;
use super::prices::Prices;
use super::tile::{Ground, Halo, Work};
use super::{NONE, SIDE};
use crate::grid::DIRECTIONS;

/// Cells of a tile.
const CELLS: usize = SIDE * SIDE;

/// Cells that wait to be expanded, first come first served, each at most once.
///
/// First come first served bounds the work to the number of cells times the steps of the longest way (Bellman and Ford);
/// in corridors, where few ways compete, nearly every cell is expanded once.
#[derive(Debug)]
pub(super) struct Waiting {
    ring: [u16; CELLS],
    first: usize,
    len: usize,
    is_in: [u32; SIDE],
}

impl Default for Waiting {
    fn default() -> Self {
        Self {
            ring: [0; CELLS],
            first: 0,
            len: 0,
            is_in: [0; SIDE],
        }
    }
}

impl Waiting {
    #[inline]
    pub(super) fn push(&mut self, column: usize, row: usize) {
        let bit = 1u32 << column;
        if self.is_in[row] & bit != 0 {
            return;
        }
        self.is_in[row] |= bit;
        self.ring[(self.first + self.len) % CELLS] = super::solve::pack((column, row));
        self.len += 1;
    }

    #[inline]
    fn pop(&mut self) -> Option<(usize, usize)> {
        self.len = self.len.checked_sub(1)?;
        let cell = usize::from(self.ring[self.first % CELLS]) % CELLS;
        self.first = (self.first + 1) % CELLS;
        let (column, row) = (cell % SIDE, cell / SIDE);
        self.is_in[row] &= !(1 << column);
        Some((column, row))
    }
}

/// Relaxes a tile until nothing in it can be lowered. Cells of it that were lowered from outside wait already.
pub(super) fn relax(
    values: &mut [[u32; SIDE]; SIDE],
    ground: &Ground,
    halo: &Halo,
    work: Work,
    prices: &Prices,
    waiting: &mut Waiting,
) -> Lowered {
    let mut lowered = Lowered::default();
    let mut pull_all = |row: usize, mut columns: u32, waiting: &mut Waiting| {
        while columns != 0 {
            let column = columns.trailing_zeros() as usize % SIDE;
            columns &= columns - 1;
            pull(values, ground, halo, (column, row), prices, &mut lowered, waiting);
        }
    };
    // Only cells at the rim see the halo; what was lowered inside waits already.
    if work.up & 1 != 0 {
        pull_all(0, u32::MAX, waiting);
    }
    if work.down >> (SIDE - 1) != 0 {
        pull_all(SIDE - 1, u32::MAX, waiting);
    }
    let mut rows = work.beside | work.beside << 1 | work.beside >> 1;
    while rows != 0 {
        let row = rows.trailing_zeros() as usize % SIDE;
        rows &= rows - 1;
        pull_all(row, 1 | 1 << (SIDE - 1), waiting);
    }
    while let Some(cell) = waiting.pop() {
        expand(values, ground, cell, prices, &mut lowered, waiting);
    }
    lowered
}

/// Lowers one cell to the least of its exits.
#[inline]
fn pull(
    values: &mut [[u32; SIDE]; SIDE],
    ground: &Ground,
    halo: &Halo,
    (column, row): (usize, usize),
    prices: &Prices,
    lowered: &mut Lowered,
    waiting: &mut Waiting,
) {
    let mut best = values[row][column];
    for direction in DIRECTIONS {
        if ground.exits[row][direction.index()] >> column & 1 == 0 {
            continue;
        }
        let (dx, dy) = direction.offset();
        let (x, y) = (
            column.checked_add_signed(dx as isize),
            row.checked_add_signed(dy as isize),
        );
        let ahead = match (x, y) {
            (Some(x), Some(y)) if x < SIDE && y < SIDE => values[y][x],
            (Some(x), None) if x < SIDE => halo.north[x],
            (Some(x), Some(_)) if x < SIDE => halo.south[x],
            // Columns of the halo begin with the row above.
            (None, _) => halo.west[(row + 1).wrapping_add_signed(dy as isize)],
            _ => halo.east[(row + 1).wrapping_add_signed(dy as isize)],
        };
        let length = if direction.is_diagonal() {
            prices.diagonal
        } else {
            prices.straight
        };
        let sum = ahead.saturating_add(length * ground.charge((column, row), (dx, dy)));
        best = best.min(sum);
    }
    if best < values[row][column] {
        write(values, (column, row), best, prices, lowered, waiting);
    }
}

/// Offers the cost of a cell to the cells of the tile that can step into it.
#[inline]
fn expand(
    values: &mut [[u32; SIDE]; SIDE],
    ground: &Ground,
    (column, row): (usize, usize),
    prices: &Prices,
    lowered: &mut Lowered,
    waiting: &mut Waiting,
) {
    lowered.relaxed += 1;
    let cost = values[row][column];
    for direction in DIRECTIONS {
        let (dx, dy) = direction.offset();
        let from = (
            column.wrapping_add_signed(-dx as isize),
            row.wrapping_add_signed(-dy as isize),
        );
        if from.0 >= SIDE || from.1 >= SIDE || ground.exits[from.1][direction.index()] >> from.0 & 1 == 0 {
            continue;
        }
        let length = if direction.is_diagonal() {
            prices.diagonal
        } else {
            prices.straight
        };
        let sum = cost.saturating_add(length * ground.charge(from, (dx, dy)));
        if sum < values[from.1][from.0] {
            write(values, from, sum, prices, lowered, waiting);
        }
    }
}

#[inline]
fn write(
    values: &mut [[u32; SIDE]; SIDE],
    (column, row): (usize, usize),
    cost: u32,
    prices: &Prices,
    lowered: &mut Lowered,
    waiting: &mut Waiting,
) {
    if cost > prices.limit {
        lowered.dropped |= cost < NONE;
        return;
    }
    values[row][column] = cost;
    lowered.note(row, 1 << column);
    waiting.push(column, row);
}
