//! Ways that are kept beside headings, so that a repair can begin where the last pass ended.

use super::HeadingOptions;
use super::look::{ReadWays, Way};
use super::seen::SeenBox;
use crate::grid::{LayerIndex, MapPoint};
use crate::movement::{Movement, MovementProfile};
use crate::shared_cells::SharedCells;

/// A [`Way`] in 16 bytes: its point is on the layer of its cell.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct KeptWay {
    x: i32,
    y: i32,
    pub(super) via: u32,
    /// The bits of the length, so that ways are compared bit for bit.
    rest: u32,
}

impl KeptWay {
    pub(super) const fn of(way: Way) -> Self {
        Self {
            x: way.point.x,
            y: way.point.y,
            via: way.via,
            rest: way.rest.to_bits(),
        }
    }
}

/// What a repair of headings begins with; 20 bytes a cell, shared page by page between generations.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) options: HeadingOptions,
    pub(super) profile: MovementProfile,
    /// Edge charges anywhere on the map are a reason to look nowhere, for all cells.
    pub(super) has_edge_charges: bool,
    pub(super) ways: SharedCells<KeptWay>,
    pub(super) seen: SharedCells<SeenBox>,
}

impl Kept {
    /// Nothing yet.
    pub(super) fn new(options: &HeadingOptions, movement: &Movement) -> Self {
        Self {
            options: *options,
            profile: *movement.profile(),
            has_edge_charges: movement.has_edge_charges(),
            ways: SharedCells::default(),
            seen: SharedCells::default(),
        }
    }

    /// Takes over what the ways are made with.
    pub(super) fn belong_to(&mut self, options: &HeadingOptions, movement: &Movement) {
        self.options = *options;
        self.profile = *movement.profile();
        self.has_edge_charges = movement.has_edge_charges();
    }

    /// Whether ways made now would be made in the same manner.
    pub(super) fn serves(&self, options: &HeadingOptions, movement: &Movement) -> bool {
        self.options == *options
            && self.profile == *movement.profile()
            && self.has_edge_charges == movement.has_edge_charges()
            && self.ways.len() == movement.grid().len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.ways.bytes() + self.seen.bytes()
    }
}

/// The kept ways as a cell of one layer reads them.
pub(super) struct KeptWays<'a> {
    pub(super) ways: &'a SharedCells<KeptWay>,
    pub(super) layer: LayerIndex,
}

impl ReadWays for KeptWays<'_> {
    fn way(&self, cell: u32) -> Way {
        let way = self.ways.get(cell as usize);
        Way {
            point: MapPoint::new(way.x, way.y).on(self.layer),
            via: way.via,
            rest: f32::from_bits(way.rest),
        }
    }
}
