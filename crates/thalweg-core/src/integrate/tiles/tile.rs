//! What a tile holds: its costs-to-goal, the ground under it, and what it knows of the cells around it.

use super::relax::Pricing;
use super::{NONE, SIDE};
use crate::grid::Layer;
use crate::movement::{Charge, Movement};
use fearless_simd::{Simd, SimdBase, SimdMask, u8x32};

/// The cells of a halo column: one more at both ends, the corners.
pub(super) const COLUMN: usize = SIDE + 2;

/// The costs-to-goal of the cells around a tile, as far as they were told.
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
}

/// Rows that have something to do, a bit each.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Work {
    /// The row above was lowered.
    pub(super) up: u32,
    /// The row below was lowered.
    pub(super) down: u32,
    /// A cell beside the tile, or one of the row's own, was lowered from outside.
    pub(super) side: u32,
}

impl Work {
    /// A cell of this row was lowered: it spreads along the row, and the rows beside it pull.
    pub(super) const fn of_row(row: usize) -> Self {
        let bit = 1u32 << row;
        Self {
            up: bit << 1,
            down: bit >> 1,
            side: bit,
        }
    }

    pub(super) const fn join(self, other: Self) -> Self {
        Self {
            up: self.up | other.up,
            down: self.down | other.down,
            side: self.side | other.side,
        }
    }
}

/// The rules of a tile, from the movement.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    /// The exits of each row, direction by direction: bit `column` of `exits[row][direction]`.
    pub(super) exits: [[u32; 8]; SIDE],
    /// Cost bytes, with the row above first and the row below last; what a wall costs means nothing.
    pub(super) costs: [[u8; SIDE]; COLUMN],
    /// The cost bytes beside the rows of `costs`.
    pub(super) west: [u8; COLUMN],
    pub(super) east: [u8; COLUMN],
    pub(super) pricing: Pricing,
    /// Whether corridors fill the tile, so that whole rows are mostly idle.
    pub(super) is_maze: bool,
}

/// At most so many exits per passable cell make a maze. Corridors one cell wide have two, rooms have six to eight.
pub(in crate::integrate) const MAZE_EXITS: u32 = 3;

impl Ground {
    pub(super) const EMPTY: Self = Self {
        exits: [[0; 8]; SIDE],
        costs: [[255; SIDE]; COLUMN],
        west: [255; COLUMN],
        east: [255; COLUMN],
        pricing: Pricing::Flat(1),
        is_maze: false,
    };

    /// Reads the rules of the tile whose first cell is at a column and row of a layer.
    #[inline(always)]
    pub(super) fn read(
        &mut self,
        movement: &Movement,
        layer: &Layer,
        at: (u32, u32),
        exit_masks: impl Fn(&[u8; SIDE]) -> [u32; 8],
    ) {
        let width = layer.width() as usize;
        let (column, row) = (at.0 as usize, at.1 as usize);
        let across = (width - column).min(SIDE);
        let down = (layer.height() as usize - row).min(SIDE);
        let exits = &movement.all_exits()[layer.range()];
        let costs = &movement.costs()[layer.range()];
        let mut open = 0;
        self.exits = [[0; 8]; SIDE];
        for (y, masks) in self.exits[..down].iter_mut().enumerate() {
            let first = (row + y) * width + column;
            let mut bytes = [0u8; SIDE];
            match exits[first..].first_chunk::<SIDE>() {
                Some(whole) if across == SIDE => {
                    for (byte, set) in bytes.iter_mut().zip(whole) {
                        *byte = set.bits();
                    }
                }
                _ => {
                    for (byte, set) in bytes.iter_mut().zip(&exits[first..first + across]) {
                        *byte = set.bits();
                    }
                }
            }
            *masks = exit_masks(&bytes);
            open += masks.iter().map(|mask| mask.count_ones()).sum::<u32>();
        }
        self.costs = [[255; SIDE]; COLUMN];
        self.west = [255; COLUMN];
        self.east = [255; COLUMN];
        // The least and the largest cost of passable cells, column by column, so that vectors do it.
        let (mut least, mut largest, mut free) = ([255u8; SIDE], [0u8; SIDE], [0u8; SIDE]);
        for y in 0..COLUMN {
            // The rows above and below the tile are part of it as far as the layer reaches.
            let Some(of_layer) = (row + y).checked_sub(1).filter(|&y| y < layer.height() as usize) else {
                continue;
            };
            let line = &costs[of_layer * width..(of_layer + 1) * width];
            let here = &mut self.costs[y];
            match line[column..].first_chunk::<SIDE>() {
                Some(whole) => *here = *whole,
                None => here[..across].copy_from_slice(&line[column..]),
            }
            if column > 0 {
                self.west[y] = line[column - 1];
            }
            if let Some(&east) = line.get(column + SIDE) {
                self.east[y] = east;
            }
            let is_inside = u8::from((1..=down).contains(&y));
            for x in 0..SIDE {
                let cost = here[x];
                let is_free = u8::from(cost != 255);
                least[x] = least[x].min(cost);
                largest[x] = largest[x].max(cost & 0u8.wrapping_sub(is_free));
                free[x] += is_free & is_inside;
            }
        }
        let beside = self.west.iter().chain(&self.east);
        let (mut cheapest, mut dearest) = (255u8, 0u8);
        for &cost in least.iter().chain(beside.clone()) {
            cheapest = cheapest.min(cost);
        }
        for &cost in largest.iter().chain(beside) {
            dearest = dearest.max(if cost == 255 { 0 } else { cost });
        }
        let passable: u32 = free.iter().map(|&count| u32::from(count)).sum();
        // Where nothing is passable any charge will do.
        let is_flat = cheapest >= dearest;
        let charge = u32::from(dearest);
        self.pricing = match movement.steps().charge() {
            Charge::Mean if is_flat => Pricing::Flat(2 * charge),
            _ if is_flat => Pricing::Flat(charge),
            Charge::Depart => Pricing::Depart,
            Charge::Arrive => Pricing::Arrive,
            Charge::Mean => Pricing::Mean,
        };
        self.is_maze = open <= MAZE_EXITS * passable;
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

/// The exits of a row, one byte per cell, turned into one mask per direction.
#[inline(always)]
pub(super) fn exit_masks_by_vectors<V: Simd>(simd: V, bytes: &[u8; SIDE]) -> [u32; 8] {
    let bytes = u8x32::from_slice(simd, bytes);
    core::array::from_fn(|direction| {
        let bit = u8x32::splat(simd, 1 << direction);
        u32::try_from((bytes & bit).simd_eq(bit).to_bitmask() & 0xffff_ffff).unwrap_or(0)
    })
}

/// The same without vectors: eight cells at a time as a square of 8 × 8 bits that is mirrored (Warren, Hacker's Delight,
/// 7-3).
pub(super) fn exit_masks(bytes: &[u8; SIDE]) -> [u32; 8] {
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

/// A tile that is being worked.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    pub(super) values: [[u32; SIDE]; SIDE],
    pub(super) ground: Ground,
    /// In which run its contents were made; others are of an earlier one and mean nothing.
    pub(super) run: u64,
}

impl Tile {
    pub(super) fn new() -> Box<Self> {
        Box::new(Self {
            values: [[NONE; SIDE]; SIDE],
            ground: Ground::EMPTY,
            run: 0,
        })
    }
}
