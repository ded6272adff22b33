//! Directions alone, in half a byte a cell: for fields that are kept, not walked by many.

use super::{FlowField, Guidance};
use crate::grid::{CellId, Direction, Grid};
use crate::movement::PortalIndex;
use core::fmt;

/// The direction of every cell in four bits, or why it has none.
///
/// It answers [`Self::guidance`] and [`Self::direction`] as the [`FlowField`] it was made from does, in O(1), and keeps
/// nothing of the other exits that are as good: who wants a choice keeps the flow field (1.25 bytes a cell).
///
/// Rejected: three bits for the direction and a list of the cells that have none. Walls are a third of many maps.
#[derive(Clone, PartialEq, Eq)]
pub struct PackedFlow {
    grid: Grid,
    /// Two cells a byte, the first one in the lower half.
    codes: Vec<u8>,
    /// The portal of every cell that takes one, in order of cells.
    portals: Vec<(CellId, PortalIndex)>,
}

/// What four bits say. Below [`THROUGH`] they are the index of a direction.
pub(super) const THROUGH: u8 = 8;
pub(super) const GOAL: u8 = 9;
pub(super) const IMPASSABLE: u8 = 10;
pub(super) const UNREACHABLE: u8 = 11;
pub(super) const UNKNOWN: u8 = 12;

impl PackedFlow {
    /// The directions of a flow field. O(cells).
    #[must_use]
    pub fn new(flow: &FlowField) -> Self {
        let mut portals = Vec::new();
        let mut code = |id: CellId| match flow.guidance(id) {
            Guidance::Toward(direction) => direction as u8,
            Guidance::Through(portal) => {
                portals.push((id, portal));
                THROUGH
            }
            Guidance::Goal => GOAL,
            Guidance::Impassable => IMPASSABLE,
            Guidance::Unreachable => UNREACHABLE,
            Guidance::Unknown => UNKNOWN,
        };
        let cells = flow.grid().len();
        let mut codes = Vec::with_capacity(cells.div_ceil(2));
        let mut ids = flow.grid().ids();
        while let Some(even) = ids.next() {
            let low = code(even);
            codes.push(low | ids.next().map_or(0, &mut code) << 4);
        }
        portals.shrink_to_fit();
        Self {
            grid: flow.grid().clone(),
            codes,
            portals,
        }
    }

    /// The cells of the map.
    #[inline]
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// What the field says at a cell. O(1), and where a portal is taken O(log portals).
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn guidance(&self, id: CellId) -> Guidance {
        let code = self.checked_code(id);
        if let Some(direction) = Direction::from_index(code) {
            return Guidance::Toward(direction);
        }
        match code {
            THROUGH => match self.portal_position(id) {
                Some(position) => Guidance::Through(self.portals[position].1),
                None => Guidance::Unknown,
            },
            GOAL => Guidance::Goal,
            IMPASSABLE => Guidance::Impassable,
            UNREACHABLE => Guidance::Unreachable,
            _ => Guidance::Unknown,
        }
    }

    /// The direction to take from a cell, if there is one. O(1).
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn direction(&self, id: CellId) -> Option<Direction> {
        Direction::from_index(self.checked_code(id))
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.codes.len() + self.portals.len() * size_of::<(CellId, PortalIndex)>()
    }

    /// The four bits of a cell of this grid.
    #[inline(always)]
    pub(super) fn code(&self, index: usize) -> u8 {
        self.codes[index / 2] >> (4 * (index % 2)) & 0xf
    }

    /// The four bits of up to as many cells as `out` has, from one on; those beyond the last cell mean nothing.
    pub(super) fn codes_from(&self, first: usize, out: &mut [u8]) {
        let odd = first % 2;
        let bytes = &self.codes[first / 2..];
        if odd == 1 {
            out[0] = bytes[0] >> 4;
        }
        for (pair, &byte) in out[odd..].chunks_mut(2).zip(&bytes[odd..]) {
            pair[0] = byte & 0xf;
            if let Some(second) = pair.get_mut(1) {
                *second = byte >> 4;
            }
        }
    }

    /// As [`Self::code`], for ids from outside: the last byte may have a half that is no cell.
    #[inline]
    fn checked_code(&self, id: CellId) -> u8 {
        assert!(
            id.index() < self.grid.len(),
            "cell id {} is not of {}",
            id.0,
            self.grid
        );
        self.code(id.index())
    }

    /// The cells that take a portal, in order.
    pub(super) fn portals(&self) -> &[(CellId, PortalIndex)] {
        &self.portals
    }

    /// Where a cell stands among those that take a portal.
    pub(super) fn portal_position(&self, id: CellId) -> Option<usize> {
        self.portals.binary_search_by_key(&id, |&(cell, _)| cell).ok()
    }
}

impl fmt::Debug for PackedFlow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PackedFlow")
            .field("grid", &self.grid)
            .finish_non_exhaustive()
    }
}
