//! What a tile holds: its costs-to-goal, the ground under it, and what it knows of the cells around it.

use super::prices::Pricing;
use super::{NONE, SIDE};
use crate::grid::Layer;
use crate::movement::{Charge, Movement};

/// The cells of a halo column: one more at both ends, the corners.
pub(super) const COLUMN: usize = SIDE + 2;

/// The costs-to-goal of the cells around a tile, as far as they were told. Cells beyond the layer count as impassable.
#[derive(Clone, Debug)]
pub(super) struct Halo {
    pub(super) north: [u32; SIDE],
    pub(super) south: [u32; SIDE],
    /// From the row above the tile to the row below it.
    pub(super) west: [u32; COLUMN],
    pub(super) east: [u32; COLUMN],
}

impl Halo {
    pub(super) const UNKNOWN: Self = Self {
        north: [NONE; SIDE],
        south: [NONE; SIDE],
        west: [NONE; COLUMN],
        east: [NONE; COLUMN],
    };

    /// Makes the cells impassable where no tile lies in that direction.
    pub(super) fn close(&mut self, is_outside: impl Fn(isize, isize) -> bool) {
        if is_outside(0, -1) {
            self.north = [0; SIDE];
        }
        if is_outside(0, 1) {
            self.south = [0; SIDE];
        }
        if is_outside(-1, 0) {
            self.west[1..=SIDE].fill(0);
        }
        if is_outside(1, 0) {
            self.east[1..=SIDE].fill(0);
        }
        for (dy, at) in [(-1, 0), (1, SIDE + 1)] {
            if is_outside(-1, dy) {
                self.west[at] = 0;
            }
            if is_outside(1, dy) {
                self.east[at] = 0;
            }
        }
    }
}

/// Rows that have something to do, a bit each.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Work {
    /// The row above was lowered.
    pub(super) up: u32,
    /// The row below was lowered.
    pub(super) down: u32,
    /// A cell of the row was lowered from outside.
    pub(super) own: u32,
    /// The cell beside the row in the tile to the west or east was lowered; the corners count as beside the first and the
    /// last row.
    pub(super) beside: u32,
}

impl Work {
    pub(super) const fn join(self, other: Self) -> Self {
        Self {
            up: self.up | other.up,
            down: self.down | other.down,
            own: self.own | other.own,
            beside: self.beside | other.beside,
        }
    }
}

/// The cost byte of cells that nobody can enter.
pub(super) const IMPASSABLE: u8 = 255;

/// The rules of a tile, from the movement.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    /// The exits of each row, direction by direction: bit `column` of `exits[row][direction]`.
    pub(super) exits: [[u32; 8]; SIDE],
    /// The passable cells of each row.
    pub(super) free: [u32; SIDE],
    /// Cost bytes, with the row above first and the row below last; what a wall costs means nothing.
    pub(super) costs: [[u8; SIDE]; COLUMN],
    /// The exits of the first and of the last column, direction by direction: bit `row`.
    pub(super) rim_exits: [[u32; 8]; 2],
    /// The cost bytes beside the rows of `costs`.
    pub(super) west: [u8; COLUMN],
    pub(super) east: [u8; COLUMN],
    pub(super) pricing: Pricing,
    /// No step of a cell in the tile or beside it is charged less, in units of length.
    pub(super) least_charge: u32,
    /// Whether corridors fill the tile, so that whole rows are mostly idle.
    pub(super) is_maze: bool,
}

/// At most so many exits per passable cell make a maze. Corridors one cell wide have two, rooms have six to eight.
pub(in crate::integrate) const MAZE_EXITS: u32 = 3;

impl Ground {
    pub(super) const EMPTY: Self = Self {
        exits: [[0; 8]; SIDE],
        free: [0; SIDE],
        costs: [[255; SIDE]; COLUMN],
        rim_exits: [[0; 8]; 2],
        west: [255; COLUMN],
        east: [255; COLUMN],
        pricing: Pricing::Flat(1),
        least_charge: 0,
        is_maze: false,
    };

    /// Reads the rules of the tile whose first cell is at a column and row of a layer.
    #[inline(always)]
    pub(super) fn read(&mut self, movement: &Movement, layer: &Layer, at: (u32, u32), bits: &impl RowBits) {
        let width = layer.width() as usize;
        let (column, row) = (at.0 as usize, at.1 as usize);
        let down = (layer.height() as usize - row).min(SIDE);
        let exits = &movement.all_exits()[layer.range()];
        let costs = &movement.costs()[layer.range()];
        let (mut open, mut passable) = (0, 0);
        let mut rims = [[0u8; 2]; SIDE];
        for (y, rim) in rims.iter_mut().enumerate() {
            let (mut bytes, mut ground) = ([0u8; SIDE], [IMPASSABLE; SIDE]);
            if y < down {
                let line = (row + y) * width;
                let here = line + column..line + width;
                match exits[here.clone()].first_chunk::<SIDE>() {
                    Some(whole) => {
                        for (byte, set) in bytes.iter_mut().zip(whole) {
                            *byte = set.bits();
                        }
                    }
                    None => {
                        for (byte, set) in bytes.iter_mut().zip(&exits[here.clone()]) {
                            *byte = set.bits();
                        }
                    }
                }
                match costs[here.clone()].first_chunk::<SIDE>() {
                    Some(whole) => ground = *whole,
                    None => ground[..here.len()].copy_from_slice(&costs[here]),
                }
            }
            self.exits[y] = bits.exits(&bytes);
            *rim = [bytes[0], bytes[SIDE - 1]];
            self.costs[y + 1] = ground;
            for eight in bytes.chunks_exact(8) {
                open += u64::from_le_bytes(eight.try_into().unwrap_or([0; 8])).count_ones();
            }
            let free = !bits.impassable(&ground);
            passable += free.count_ones();
            self.free[y] = free;
        }
        self.rim_exits = [0, 1].map(
            #[inline(always)]
            |rim| bits.exits(&rims.map(|rims| rims[rim])),
        );
        self.is_maze = open <= MAZE_EXITS * passable;
        let (least, largest) = match movement.uniform_cost() {
            // What lies beside the tile is never asked for.
            Some(cost) => (cost, cost),
            None => {
                self.read_beside(layer, costs, (column, row));
                self.cost_range()
            }
        };
        let charge = u32::from(largest);
        let steps = movement.steps();
        // Where nothing is passable any charge will do.
        let is_flat = least >= largest;
        self.pricing = match steps.charge() {
            Charge::Mean if is_flat => Pricing::Flat(2 * charge),
            _ if is_flat => Pricing::Flat(charge),
            Charge::Depart => Pricing::Depart,
            Charge::Arrive => Pricing::Arrive,
            Charge::Mean => Pricing::Mean,
        };
        self.least_charge = match steps.charge() {
            Charge::Mean => 2 * u32::from(least),
            Charge::Depart | Charge::Arrive => u32::from(least),
        };
    }

    /// Reads the cost bytes of the cells around the tile.
    #[inline(always)]
    fn read_beside(&mut self, layer: &Layer, costs: &[u8], (column, row): (usize, usize)) {
        let (width, height) = (layer.width() as usize, layer.height() as usize);
        for (line, y) in [(0, row.checked_sub(1)), (COLUMN - 1, Some(row + SIDE))] {
            self.costs[line] = [IMPASSABLE; SIDE];
            if let Some(y) = y.filter(|&y| y < height) {
                let from = &costs[y * width..(y + 1) * width][column..];
                let across = from.len().min(SIDE);
                self.costs[line][..across].copy_from_slice(&from[..across]);
            }
        }
        self.west = [IMPASSABLE; COLUMN];
        self.east = [IMPASSABLE; COLUMN];
        let first = row.saturating_sub(1);
        let lines = first..(row + SIDE + 1).min(height);
        let at = 1 - (row - first);
        if let Some(west) = column.checked_sub(1) {
            for (cost, y) in self.west[at..].iter_mut().zip(lines.clone()) {
                *cost = costs[y * width + west];
            }
        }
        if column + SIDE < width {
            for (cost, y) in self.east[at..].iter_mut().zip(lines) {
                *cost = costs[y * width + column + SIDE];
            }
        }
    }

    /// The least and the largest cost of passable cells in the tile and around it; (255, 0) without any.
    #[inline(always)]
    fn cost_range(&self) -> (u8, u8) {
        // Column by column, and with walls wrapped around to 0 for the largest, so that vectors do it.
        let (mut least, mut above) = ([u8::MAX; SIDE], [0u8; SIDE]);
        let lines = self.costs.iter().map(|line| &line[..]).chain([
            &self.west[..SIDE],
            &self.west[2..],
            &self.east[..SIDE],
            &self.east[2..],
        ]);
        for line in lines {
            for ((least, above), &cost) in least.iter_mut().zip(&mut above).zip(line) {
                *least = (*least).min(cost);
                *above = (*above).max(cost.wrapping_add(1));
            }
        }
        let least = least.iter().fold(u8::MAX, |least, &cost| least.min(cost));
        let above = above.iter().fold(0, |above, &cost| above.max(cost));
        (least, above.saturating_sub(1))
    }

    /// The charge of a step from a cell to the one beside it in a direction, in units of length; the other may lie in the
    /// halo. For the few cells that are worked one by one.
    #[inline]
    pub(super) fn charge(&self, (column, row): (usize, usize), (dx, dy): (i32, i32)) -> u32 {
        let cost = |dx: i32, dy: i32| -> u32 {
            // Rows and columns of `costs` are counted from the halo; a step leaves the tile by one at most.
            let y = (row + 1).wrapping_add_signed(dy as isize);
            match column.checked_add_signed(dx as isize) {
                Some(x) if x < SIDE => u32::from(self.costs[y][x]),
                Some(_) => u32::from(self.east[y]),
                None => u32::from(self.west[y]),
            }
        };
        match self.pricing {
            Pricing::Flat(charge) => charge,
            Pricing::Depart => cost(0, 0),
            Pricing::Arrive => cost(dx, dy),
            Pricing::Mean => cost(0, 0) + cost(dx, dy),
        }
    }
}

/// Turns the bytes of a row of cells into bits, and bits into a row.
pub(super) trait RowBits {
    /// Whether tiles are then worked cell by cell.
    const BY_CELLS: bool;

    /// Costs-to-goal of a row that nothing has reached, by its passable cells.
    fn unreached(&self, free: u32) -> [u32; SIDE];

    /// The exits of the cells, turned into one mask per direction.
    fn exits(&self, bytes: &[u8; SIDE]) -> [u32; 8];

    /// The cells whose cost byte says that nobody can enter.
    fn impassable(&self, costs: &[u8; SIDE]) -> u32;
}

/// Without vectors.
pub(super) struct PlainBits;

impl RowBits for PlainBits {
    const BY_CELLS: bool = true;

    fn unreached(&self, free: u32) -> [u32; SIDE] {
        core::array::from_fn(|column| if free >> column & 1 == 0 { 0 } else { NONE })
    }

    /// Eight cells at a time as a square of 8 × 8 bits that is mirrored (Warren, Hacker's Delight, 7-3).
    fn exits(&self, bytes: &[u8; SIDE]) -> [u32; 8] {
        let mut masks = [0; 8];
        for (eight, shift) in bytes.chunks_exact(8).zip([0, 8, 16, 24]) {
            let mut bits = u64::from_le_bytes(eight.try_into().unwrap_or([0; 8]));
            for (step, mask) in [
                (7, 0x00aa_00aa_00aa_00aa),
                (14, 0x0000_cccc_0000_cccc),
                (28, 0x0000_0000_f0f0_f0f0),
            ] {
                let swapped: u64 = (bits ^ (bits >> step)) & mask;
                bits ^= swapped ^ (swapped << step);
            }
            for (mask, byte) in masks.iter_mut().zip(bits.to_le_bytes()) {
                *mask |= u32::from(byte) << shift;
            }
        }
        masks
    }

    fn impassable(&self, costs: &[u8; SIDE]) -> u32 {
        let bits = costs.iter().enumerate();
        bits.fold(0, |mask, (column, &cost)| {
            mask | u32::from(cost == IMPASSABLE) << column
        })
    }
}

/// The costs-to-goal of a tile. Impassable cells hold 0: nothing is pulled from them, and they never look as if they could be
/// lowered.
pub(super) type Values = [[u32; SIDE]; SIDE];

/// A tile that has been worked.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    /// Its costs, between its first visit and the moment when they are written to the field for good.
    pub(super) values: Option<Box<Values>>,
    pub(super) ground: Ground,
    /// In which run its costs were made; others are of an earlier one and mean nothing.
    pub(super) run: u64,
    /// Since which run the ground holds.
    pub(super) ground_since: u64,
    /// The largest of its costs; [`NONE`] as long as a passable cell has none.
    pub(super) largest: u32,
    /// Whether its costs are final and have been written.
    pub(super) is_written: bool,
}

impl Tile {
    pub(super) fn new() -> Box<Self> {
        Box::new(Self {
            values: None,
            ground: Ground::EMPTY,
            run: 0,
            ground_since: 0,
            largest: NONE,
            is_written: false,
        })
    }
}

/// The largest cost of a tile.
#[inline(always)]
pub(super) fn largest(values: &Values) -> u32 {
    // Column by column, so that vectors do it.
    let mut columns = [0; SIDE];
    for row in values {
        for (column, &value) in columns.iter_mut().zip(row) {
            *column = value.max(*column);
        }
    }
    columns.into_iter().fold(0, u32::max)
}
