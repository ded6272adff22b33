//! What a tile has to tell the tiles around it.

use super::lowered::Lowered;
use super::tile::{COLUMN, Halo, Values};
use super::{NONE, SIDE};

const LAST: usize = SIDE - 1;

/// The rims of a tile after a visit, and which of their cells are news to the cells outside: those that were lowered and lie
/// at least the cheapest step below one of the three cells they touch there. The others can lower nothing.
#[derive(Debug)]
pub(super) struct News {
    pub(super) north: Rim,
    pub(super) south: Rim,
    pub(super) west: Rim,
    pub(super) east: Rim,
    /// The corner cells that are news to the tile across the corner: north-west, north-east, south-west, south-east.
    pub(super) corners: [Option<u32>; 4],
}

/// One side of a tile.
#[derive(Debug)]
pub(super) struct Rim {
    /// Whether any of its cells was lowered.
    pub(super) is_lowered: bool,
    pub(super) values: [u32; SIDE],
    /// A bit for each cell that is news.
    pub(super) cells: u32,
    /// The least cost that is news; [`NONE`] without any.
    pub(super) least: u32,
}

impl Rim {
    const SILENT: Self = Self {
        is_lowered: false,
        values: [NONE; SIDE],
        cells: 0,
        least: NONE,
    };

    /// `beside` is the line of cells outside; those across the corners are of other tiles.
    #[inline(always)]
    fn new(values: [u32; SIDE], lowered: u32, beside: &[u32; SIDE], least_step: u32) -> Self {
        let mut line = [0; COLUMN];
        line[1..=SIDE].copy_from_slice(beside);
        let (mut cells, mut least) = (0, NONE);
        for (index, &value) in values.iter().enumerate() {
            let highest = line[index].max(line[index + 1]).max(line[index + 2]);
            let counts = (lowered >> index & 1 != 0) & (value + least_step < highest);
            cells |= u32::from(counts) << index;
            least = least.min(if counts { value } else { NONE });
        }
        Self {
            is_lowered: true,
            values,
            cells,
            least,
        }
    }
}

impl News {
    #[inline(always)]
    pub(super) fn of(values: &Values, halo: &Halo, lowered: &Lowered, least_step: u32) -> Self {
        let row = |row: usize, lanes: u32, beside: &[u32; SIDE]| {
            if lanes == 0 {
                return Rim::SILENT;
            }
            Rim::new(values[row], lanes, beside, least_step)
        };
        let column = |column: usize, rows: u32, beside: &[u32; COLUMN]| {
            if rows == 0 {
                return Rim::SILENT;
            }
            let mut cells = [0; SIDE];
            for (cell, row) in cells.iter_mut().zip(values) {
                *cell = row[column];
            }
            let beside = beside[1..].first_chunk().unwrap_or(&[0; SIDE]);
            Rim::new(cells, rows, beside, least_step)
        };
        let corner = |row: usize, column: usize, beyond: u32| {
            let lanes = if row == 0 { lowered.north } else { lowered.south };
            let value = values[row][column];
            (lanes >> column & 1 != 0 && value + least_step < beyond).then_some(value)
        };
        Self {
            north: row(0, lowered.north, &halo.north),
            south: row(LAST, lowered.south, &halo.south),
            west: column(0, lowered.west, &halo.west),
            east: column(LAST, lowered.east, &halo.east),
            corners: [
                corner(0, 0, halo.west[0]),
                corner(0, LAST, halo.east[0]),
                corner(LAST, 0, halo.west[SIDE + 1]),
                corner(LAST, LAST, halo.east[SIDE + 1]),
            ],
        }
    }
}
