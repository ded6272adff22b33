//! What compiling a movement takes.

use super::portals::PortalEdge;
use super::stencil::Stencil;
use super::{EdgeInputs, EdgeRules, MovementProfile};
use crate::cost::CostField;
use crate::grid::Layer;
use crate::memory::{MemoryEstimate, MemoryPart};

/// The bytes that compiling takes at its peak; the costs themselves, which a movement shares, are not counted.
///
/// A point on a map of one layer takes a byte a cell. Borders and portals make it three, and a body with extent a
/// few, with edge charges some sixteen more; a point shares the charges.
#[must_use]
pub fn estimate_memory(
    costs: &CostField,
    edges: &EdgeInputs<'_>,
    profile: &MovementProfile,
) -> MemoryEstimate {
    let grid = costs.grid();
    let cells = grid.len() as u64;
    let several = u64::from(grid.layers().len() > 1);
    let body = u64::from(!profile.footprint.is_point() && !Stencil::covered(&profile.footprint).is_single());
    let unknown_bits = if costs.unknown_len() > 0 {
        8 * cells.div_ceil(64)
    } else {
        0
    };
    let has_unknown = u64::from(unknown_bits > 0);
    let largest_layer = grid.layers().iter().map(Layer::len).max().unwrap_or(0) as u64;
    // Costs of anchors, the maxima of a layer beside those of the map, and the same again for what is unknown.
    let placing =
        body * (cells + largest_layer).max(has_unknown * (3 * cells + largest_layer + unknown_bits));
    let placed = body * (cells + unknown_bits);
    // A list of rows, and three of them.
    let rows = |layer: &Layer| 16 * u64::from(layer.height()) + 3 * (u64::from(layer.width()) + 2);
    let rows = grid.layers().iter().map(rows).max().unwrap_or(0);
    let exits = placed + (1 + several) * cells;
    // Besides, spans of the body.
    let mut peak = placing.max(exits + rows) + 4096;
    if !edges.is_empty() {
        let charges = if edges.charges.is_some() { 8 * cells } else { 0 };
        let portals = edges.rules.map_or(0, EdgeRules::portals_len) as u64;
        let of_body = body * (cells + charges);
        let dilating = exits + of_body + body * (2 * cells + largest_layer);
        // Straight exits, entries, and portals by both of their ends and in lists that have just grown; points share the charges.
        let joining = exits + of_body + 2 * cells + 6 * portals * size_of::<PortalEdge>() as u64;
        peak = peak.max(dilating + 4096).max(joining + 4096);
    }
    MemoryEstimate::new().with(MemoryPart::Movement, peak)
}
