//! What a visit of a tile lowered.

use super::SIDE;

/// Which cells at the rims of a tile a visit lowered, a bit per row or column, and what it could not write.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Lowered {
    pub(super) north: u32,
    pub(super) south: u32,
    pub(super) west: u32,
    pub(super) east: u32,
    /// Rows of which any cell was lowered.
    pub(super) rows: u32,
    /// Whether a cost beyond the limit was dropped.
    pub(super) dropped: bool,
    /// Cells that were relaxed, a cell each time.
    pub(super) relaxed: u32,
}

impl Lowered {
    /// Adds what another lowered.
    #[inline(always)]
    pub(super) const fn join(&mut self, other: &Self) {
        self.north |= other.north;
        self.south |= other.south;
        self.west |= other.west;
        self.east |= other.east;
        self.rows |= other.rows;
        self.dropped |= other.dropped;
        self.relaxed += other.relaxed;
    }

    /// Takes note of the lanes of a row.
    #[inline(always)]
    pub(super) const fn note(&mut self, row: usize, lanes: u32) {
        self.rows |= 1 << row;
        self.west |= (lanes & 1) << row;
        self.east |= (lanes >> (SIDE - 1)) << row;
        if row == 0 {
            self.north |= lanes;
        }
        if row == SIDE - 1 {
            self.south |= lanes;
        }
    }
}
