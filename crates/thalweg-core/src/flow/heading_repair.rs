//! Headings after a repair of their field: bit for bit those of a pass over the map, in time that goes with what changed.
//!
//! The way of a cell is a function of what it reads, so that it is made anew wherever something that was read may differ:
//!
//! 1. **Its own directions**, and the exact cost-to-goal of the cells that the first two crossings of its lines enter and of
//!    the cells beside it. What differs of these is refreshed, so that every cell within two of a refreshed one is asked
//!    whether it looked there ([`SeenBox`]).
//! 2. **Exits and costs along its lines.** A line goes over at most `sight` borders, and then, from a corner near its end,
//!    over as many again; beside a line the exits at a refused border and the cells around its corners are read, which are
//!    no more than one cell off. So every cell that far from a changed one is asked. The extent of a body looks at ground
//!    within a fixed distance instead, which its box begins with; such bodies turn at no corners.
//! 3. **The ways of its successors, and of the cells that follow by `via`** as far as they are seen. A cell is flagged if its
//!    way differs or the cell it has by `via` is flagged; the cells of which a flagged one is a successor are made anew. That
//!    is enough: `via` is a successor, or was read as the `via` of one, so that whatever reads a way that differs has a
//!    successor that is flagged. It is hardly more than is needed, for lengths add up along `via`: what is upstream by it
//!    differs in nearly every case.
//!
//! All of it in the order of (cost-to-goal, hops): a cell's successors, and so all that it reads, are done before it.
//! Rejected: a repair that leaves the lengths upstream alone and only looks at headings. Which of two ways is the shorter is
//! a matter of bits where they are about as long.

use super::channels::{ChannelRepair, ChannelStats};
use super::heading::offset_to;
use super::kept::{Kept, KeptWay, KeptWays};
use super::look::{Look, Way};
use super::seen::{Area, FAR, SeenBox};
use super::upstream::{Stream, Upstream};
use super::{HeadingError, HeadingField, HeadingOptions, HeadingScratch, look_ahead};
use crate::grid::{CellId, Grid, Layer, LayerIndex, MAX_POINT_SIDE, MapPoint};
use crate::shared_cells::SharedCells;

/// Repairs headings after the field they belong to was repaired. `headings` are those of the field before, made with the
/// same options, ways kept ([`HeadingOptions::keeps_ways`]); a clone of them is written page by page.
///
/// Where that does not pay, or nothing was kept, headings are made as [`look_ahead`] makes them; the result is the same.
///
/// # Errors
/// [`HeadingError::MapTooLong`].
///
/// # Panics
/// If the grids of movement, field and flow differ.
pub fn repair_headings(
    input: &ChannelRepair<'_>,
    options: &HeadingOptions,
    scratch: &mut HeadingScratch,
    headings: &mut HeadingField,
) -> Result<ChannelStats, HeadingError> {
    let ChannelRepair {
        movement,
        field,
        flow,
        ..
    } = *input;
    let grid = movement.grid();
    assert!(
        grid == field.grid() && grid == flow.grid(),
        "headings need the movement of the field"
    );
    let mut stats = ChannelStats::default();
    let may_repair = headings.grid == *grid
        && grid.longest_side() <= MAX_POINT_SIDE
        && options.keeps_ways
        && headings
            .kept
            .as_ref()
            .is_some_and(|kept| kept.serves(options, movement));
    if may_repair
        && let Some(kept) = &mut headings.kept
        && remake(
            input,
            options,
            &mut scratch.order.upstream,
            kept,
            &mut headings.offsets,
            &mut stats,
        )
    {
        return Ok(stats);
    }
    stats.rebuilt = true;
    look_ahead(movement, field, flow, options, scratch, headings)?;
    Ok(stats)
}

/// Makes anew what may differ; tells whether it went to the end.
fn remake(
    input: &ChannelRepair<'_>,
    options: &HeadingOptions,
    queue: &mut Upstream,
    kept: &mut Kept,
    offsets: &mut SharedCells<[i16; 2]>,
    stats: &mut ChannelStats,
) -> bool {
    let (movement, flow) = (input.movement, input.flow);
    let grid = movement.grid();
    let (stream, limit) = (input.stream(), input.limit());
    queue.restart(grid.len());
    if !ask_around_changed(input, options, &kept.seen, queue, limit)
        || !ask_around_refreshed(input, &kept.seen, queue, limit)
    {
        return false;
    }
    let look = Look::new(movement, input.field, flow, options);
    while let Some(cell) = queue.pop() {
        if queue.work > limit {
            return false;
        }
        stats.remade += 1;
        let at = cell as usize;
        let centre = MapPoint::centre_of_id(grid, CellId(cell));
        let (way, offset, seen) = if flow.guidance(CellId(cell)).leads_on_or_arrives() {
            let ways = KeptWays {
                ways: &kept.ways,
                layer: centre.layer,
            };
            let (way, seen) = look.way::<SeenBox>(CellId(cell), &ways);
            (way, offset_to(centre, way.point), seen)
        } else {
            (Way::default(), [0; 2], SeenBox::default())
        };
        let way = KeptWay::of(way);
        if seen != kept.seen.get(at) {
            kept.seen.set(at, seen);
        }
        let differs = way != kept.ways.get(at);
        if differs {
            stats.changed += 1;
            kept.ways.set(at, way);
            if offset != offsets.get(at) {
                offsets.set(at, offset);
            }
        }
        if differs || queue.is_flagged(way.via) {
            queue.flag(cell);
            stream.each_predecessor(cell, |from, _| queue.push(&stream, from));
        }
    }
    true
}

/// Cells within so many of a refreshed one are asked: two crossings of a line are compared by cost-to-goal.
const BESIDE: u32 = 2;

fn ask_around_refreshed(
    input: &ChannelRepair<'_>,
    seen: &SharedCells<SeenBox>,
    queue: &mut Upstream,
    limit: u64,
) -> bool {
    let grid = input.movement.grid();
    let stream = input.stream();
    for &id in input.refreshed {
        let layer = grid.layer_of(id);
        let (column, row) = grid.column_row_of(id);
        queue.push(&stream, id.0);
        let area = Area {
            columns: (column, column),
            rows: (row, row),
        };
        ask(layer, &area, BESIDE, seen, &stream, queue);
        if queue.marked_len() as u64 > limit {
            return false;
        }
    }
    true
}

/// The side of the squares in which changed cells are put together: all that changed in one counts as the box around it.
const BLOCK: u32 = 32;

/// Asking so many cells takes as long as making one anew.
const ASKED: u64 = 64;

fn ask_around_changed(
    input: &ChannelRepair<'_>,
    options: &HeadingOptions,
    seen: &SharedCells<SeenBox>,
    queue: &mut Upstream,
    limit: u64,
) -> bool {
    let grid = input.movement.grid();
    if input.changed.len() as u64 > limit {
        return false;
    }
    let mut changed: Vec<(Place, (u32, u32))> = input.changed.iter().map(|&id| place_of(grid, id)).collect();
    changed.sort_unstable();
    // Up to the end of a line, round a corner there, and on as far again.
    let reach = options.sight.max(1).saturating_mul(2).saturating_add(1);
    let stream = input.stream();
    for block in changed.chunk_by(|one, other| one.0 == other.0) {
        let ((index, ..), first) = block[0];
        let mut area = Area {
            columns: (first.0, first.0),
            rows: (first.1, first.1),
        };
        for &(_, (column, row)) in block {
            area.columns = (area.columns.0.min(column), area.columns.1.max(column));
            area.rows = (area.rows.0.min(row), area.rows.1.max(row));
        }
        let Some(layer) = grid.layer(index) else { continue };
        // A box says how far it reaches up to here; beyond, it may reach anywhere.
        let around = reach.max(super::extent::looked_after(input.movement)) + 1;
        let around = if around < u32::from(FAR) { around } else { u32::MAX };
        queue.work += ask(layer, &area, around, seen, &stream, queue) / ASKED;
        if queue.work > limit || queue.marked_len() as u64 > limit {
            return false;
        }
    }
    true
}

/// A layer and a square of it.
type Place = (LayerIndex, u32, u32);

fn place_of(grid: &Grid, id: CellId) -> (Place, (u32, u32)) {
    let (column, row) = grid.column_row_of(id);
    let layer = grid.layer_of(id).index();
    ((layer, row / BLOCK, column / BLOCK), (column, row))
}

/// Lets every cell come that looked at an area, of those within a distance from it; returns how many were asked.
fn ask(
    layer: &Layer,
    area: &Area,
    around: u32,
    seen: &SharedCells<SeenBox>,
    stream: &Stream<'_>,
    queue: &mut Upstream,
) -> u64 {
    let part = |(low, high): (u32, u32), side: u32| {
        low.saturating_sub(around)..high.saturating_add(around).saturating_add(1).min(side)
    };
    let (columns, rows) = (part(area.columns, layer.width()), part(area.rows, layer.height()));
    let first = layer.range().start;
    let width = layer.width() as usize;
    for row in rows.clone() {
        let of_row = first + row as usize * width;
        let cells = of_row + columns.start as usize..of_row + columns.end as usize;
        for (at, boxes) in seen.slices(cells) {
            for (id, sees) in (at..).zip(boxes) {
                #[expect(clippy::cast_possible_truncation, reason = "a column of the layer")]
                let column = (id - of_row) as u32;
                if sees.meets((column, row), area) {
                    queue.push(stream, CellId::from_index(id).0);
                }
            }
        }
    }
    u64::from(columns.end - columns.start) * u64::from(rows.end - rows.start)
}
