//! The cells of a body around its anchor, and those that each step enters and passes, as steps of ids.

use thalweg_core::grid::{CellId, DIRECTIONS, Direction, Grid};
use thalweg_core::movement::Footprint;

/// How a body moves in a tick: the number of a direction, or one of these.
pub(super) const STAY: u8 = 8;
/// Through a portal.
pub(super) const PORTAL: u8 = 9;

/// A footprint on the layers of one grid.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// Whether it covers its anchor and nothing else.
    pub(super) is_single: bool,
    layers: Vec<OnLayer>,
}

/// Steps of ids from an anchor; they depend on the length of a layer's rows.
#[derive(Clone, Debug)]
struct OnLayer {
    all: Vec<i32>,
    /// By direction: covered after the step and not before.
    entered: [Vec<i32>; 8],
    /// By direction: swept by the step and covered at neither end; empty for straight ones.
    passed: [Vec<i32>; 8],
}

impl Shape {
    pub(super) fn new(grid: &Grid, footprint: &Footprint) -> Self {
        let offsets: Vec<(i32, i32)> = footprint.covered_offsets().collect();
        let moved = |by: (i32, i32)| -> Vec<(i32, i32)> {
            offsets.iter().map(|&(dx, dy)| (dx + by.0, dy + by.1)).collect()
        };
        let layers = grid.layers().iter().map(|layer| {
            // Rows are at most 2^30 cells.
            let width = layer.width().cast_signed();
            let steps = |cells: &[(i32, i32)]| {
                cells
                    .iter()
                    .map(|&(dx, dy)| dy * width + dx)
                    .collect::<Vec<i32>>()
            };
            let entered = DIRECTIONS.map(|direction| {
                let mut cells = moved(direction.offset());
                cells.retain(|cell| !offsets.contains(cell));
                steps(&cells)
            });
            let passed = DIRECTIONS.map(|direction| {
                let Some((a, b)) = Direction::sides(direction) else {
                    return Vec::new();
                };
                // A body with extent sweeps what it covers from the anchors at both sides of a diagonal.
                let after = moved(direction.offset());
                let mut cells = moved(a.offset());
                cells.extend(moved(b.offset()));
                cells.sort_unstable();
                cells.dedup();
                cells.retain(|cell| !offsets.contains(cell) && !after.contains(cell));
                steps(&cells)
            });
            OnLayer {
                all: steps(&offsets),
                entered,
                passed,
            }
        });
        Self {
            is_single: offsets.len() == 1,
            layers: layers.collect(),
        }
    }

    /// The cells of the body with its anchor there. The anchor must be a free one, so that all of them are on the map.
    pub(super) fn cells(&self, layer: u16, anchor: u32) -> impl Iterator<Item = usize> + '_ {
        self.layers[usize::from(layer)]
            .all
            .iter()
            .map(move |&step| anchor.wrapping_add_signed(step) as usize)
    }

    /// Cells that a step enters.
    pub(super) fn entered(&self, layer: u16, anchor: u32, kind: u8) -> impl Iterator<Item = usize> + '_ {
        self.layers[usize::from(layer)].entered[usize::from(kind)]
            .iter()
            .map(move |&step| anchor.wrapping_add_signed(step) as usize)
    }

    /// Cells that a step passes; none for straight steps, portals and staying.
    pub(super) fn passed(&self, layer: u16, anchor: u32, kind: u8) -> impl Iterator<Item = usize> + '_ {
        let steps: &[i32] = if kind < STAY {
            &self.layers[usize::from(layer)].passed[usize::from(kind)]
        } else {
            &[]
        };
        steps
            .iter()
            .map(move |&step| anchor.wrapping_add_signed(step) as usize)
    }

    pub(super) fn cell_ids(&self, layer: u16, anchor: u32) -> Vec<CellId> {
        self.cells(layer, anchor).map(CellId::from_index).collect()
    }
}
