//! When cells and edges are closed.

use crate::grid::{Cell, CellId, DIRECTIONS, Direction, Grid};
use crate::movement::Movement;
use std::collections::BTreeMap;
use thiserror::Error;

/// Why a timetable cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TimetableError {
    /// A span of no ticks.
    #[error("the span of ticks {from} to {to} at cell {cell} is empty; its end must be above its beginning")]
    EmptySpan {
        /// The cell.
        cell: Cell,
        /// First tick.
        from: u32,
        /// One past the last tick.
        to: u32,
    },
    /// A cell is not on the map.
    #[error("cell {cell} lies outside {grid}")]
    Outside {
        /// The cell.
        cell: Cell,
        /// The map.
        grid: Grid,
    },
}

/// A span of ticks, half-open: `[from, to)`. [`u32::MAX`] as the end stands for ever.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TickSpan {
    /// First tick.
    pub from: u32,
    /// One past the last tick.
    pub to: u32,
}

impl TickSpan {
    /// The span `[from, to)`.
    #[must_use]
    pub const fn new(from: u32, to: u32) -> Self {
        Self { from, to }
    }
}

/// When cells and edges are closed, on top of what is blocked for good. What is not named is always open.
///
/// Tick `t` is the span of time from moment `t` to moment `t + 1`. Closing a cell works like a wall that comes and goes:
/// the corner rule of the profile asks about it, too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timetable {
    grid: Grid,
    /// Closed spans, in order, not touching each other.
    cells: BTreeMap<CellId, Vec<TickSpan>>,
    edges: BTreeMap<(CellId, CellId), Vec<TickSpan>>,
}

impl Timetable {
    /// A timetable on which everything is always open.
    #[must_use]
    pub const fn new(grid: Grid) -> Self {
        Self {
            grid,
            cells: BTreeMap::new(),
            edges: BTreeMap::new(),
        }
    }

    /// Closes a cell for a span, besides the spans it is closed for already: something stands there.
    ///
    /// # Errors
    /// [`TimetableError`]; nothing is changed then.
    pub fn close_cell(&mut self, cell: Cell, span: TickSpan) -> Result<(), TimetableError> {
        let id = self.id(cell)?;
        check_span(cell, span)?;
        add(self.cells.entry(id).or_default(), span);
        Ok(())
    }

    /// Closes a cell in all ticks but those of the given spans: a door. Spans it is closed for already stay closed.
    ///
    /// # Errors
    /// [`TimetableError`]; nothing is changed then.
    pub fn open_cell_only(&mut self, cell: Cell, spans: &[TickSpan]) -> Result<(), TimetableError> {
        let id = self.id(cell)?;
        let closed = gaps(cell, spans)?;
        let entry = self.cells.entry(id).or_default();
        closed.into_iter().for_each(|span| add(entry, span));
        Ok(())
    }

    /// Closes one cell per tick, from `first_tick` on: a patrol that walks over these cells.
    ///
    /// # Errors
    /// [`TimetableError`]; nothing is changed then.
    pub fn add_patrol(&mut self, first_tick: u32, cells: &[Cell]) -> Result<(), TimetableError> {
        let mut spans = Vec::new();
        for (tick, &cell) in (first_tick..).zip(cells) {
            let span = TickSpan::new(tick, tick.saturating_add(1));
            check_span(cell, span)?;
            spans.push((self.id(cell)?, span));
        }
        for (id, span) in spans {
            add(self.cells.entry(id).or_default(), span);
        }
        Ok(())
    }

    /// Closes every edge that leads from one cell to another for a span; the way back stays open. An edge that the movement
    /// does not have may be named and closes nothing.
    ///
    /// # Errors
    /// [`TimetableError`]; nothing is changed then.
    pub fn close_edge(&mut self, from: Cell, to: Cell, span: TickSpan) -> Result<(), TimetableError> {
        let key = (self.id(from)?, self.id(to)?);
        check_span(from, span)?;
        add(self.edges.entry(key).or_default(), span);
        Ok(())
    }

    /// Closes every edge that leads from one cell to another in all ticks but those of the given spans.
    ///
    /// # Errors
    /// [`TimetableError`]; nothing is changed then.
    pub fn open_edge_only(&mut self, from: Cell, to: Cell, spans: &[TickSpan]) -> Result<(), TimetableError> {
        let key = (self.id(from)?, self.id(to)?);
        let closed = gaps(from, spans)?;
        let entry = self.edges.entry(key).or_default();
        closed.into_iter().for_each(|span| add(entry, span));
        Ok(())
    }

    /// Whether the timetable leaves a cell open in a tick; it may still be impassable for good. O(log entries).
    #[must_use]
    pub fn is_cell_open(&self, id: CellId, tick: u32) -> bool {
        !holds(self.cells.get(&id), tick)
    }

    /// Whether the timetable leaves the edges from one cell to another open in a tick. O(log entries).
    #[must_use]
    pub fn is_edge_open(&self, from: CellId, to: CellId, tick: u32) -> bool {
        !holds(self.edges.get(&(from, to)), tick)
    }

    /// The rectangle of cells.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The cells with an entry, in id order.
    pub fn cells(&self) -> impl Iterator<Item = CellId> + '_ {
        self.cells.keys().copied()
    }

    /// The pairs of cells whose edges have an entry, in id order.
    pub fn edges(&self) -> impl Iterator<Item = (CellId, CellId)> + '_ {
        self.edges.keys().copied()
    }

    /// What it closes for a body with extent: every anchor from which the body covers a closed cell, and every step that
    /// would carry a cell it covers over a closed edge. `None` for points, for which it is the same. An edge between cells
    /// that are no neighbours can only be a portal's, which joins anchors.
    pub(super) fn for_body_of(&self, movement: &Movement) -> Option<Self> {
        if movement.profile().footprint.is_point() {
            return None;
        }
        let grid = movement.grid();
        let mut dilated = Self::new(self.grid.clone());
        for (&id, spans) in &self.cells {
            for anchor in movement.anchors_covering([grid.cell(id)]) {
                let entry = dilated.cells.entry(anchor).or_default();
                spans.iter().for_each(|&span| add(entry, span));
            }
        }
        for (&(from, to), spans) in &self.edges {
            let mut close = |from, to| {
                let entry = dilated.edges.entry((from, to)).or_default();
                spans.iter().for_each(|&span| add(entry, span));
            };
            let is_step = |&direction: &Direction| grid.neighbour(from, direction) == Some(to);
            match DIRECTIONS.into_iter().find(is_step) {
                None => close(from, to),
                Some(direction) => {
                    for anchor in movement.anchors_covering([grid.cell(from)]) {
                        if let Some(next) = grid.neighbour(anchor, direction) {
                            close(anchor, next);
                        }
                    }
                }
            }
        }
        Some(dilated)
    }

    fn id(&self, cell: Cell) -> Result<CellId, TimetableError> {
        self.grid.id(cell).ok_or(TimetableError::Outside {
            cell,
            grid: self.grid.clone(),
        })
    }
}

fn check_span(cell: Cell, span: TickSpan) -> Result<(), TimetableError> {
    if span.from < span.to {
        return Ok(());
    }
    Err(TimetableError::EmptySpan {
        cell,
        from: span.from,
        to: span.to,
    })
}

/// Adds a span to spans in order, joining those it meets.
fn add(spans: &mut Vec<TickSpan>, span: TickSpan) {
    let start = spans.partition_point(|old| old.to < span.from);
    let end = spans.partition_point(|old| old.from <= span.to);
    let met = &spans[start..end];
    let joined = TickSpan {
        from: met.first().map_or(span.from, |old| old.from.min(span.from)),
        to: met.last().map_or(span.to, |old| old.to.max(span.to)),
    };
    spans.splice(start..end, [joined]);
}

/// What lies between spans, from tick 0 to the end of time.
fn gaps(cell: Cell, spans: &[TickSpan]) -> Result<Vec<TickSpan>, TimetableError> {
    let mut open = Vec::new();
    for &span in spans {
        check_span(cell, span)?;
        add(&mut open, span);
    }
    let mut closed = Vec::new();
    let mut from = 0;
    for span in open {
        if from < span.from {
            closed.push(TickSpan::new(from, span.from));
        }
        from = span.to;
    }
    if from < u32::MAX {
        closed.push(TickSpan::new(from, u32::MAX));
    }
    Ok(closed)
}

fn holds(spans: Option<&Vec<TickSpan>>, tick: u32) -> bool {
    spans.is_some_and(|spans| {
        let place = spans.partition_point(|span| span.to <= tick);
        spans.get(place).is_some_and(|span| span.from <= tick)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use thalweg_testkit::random_map::SplitMix64;

    #[test]
    fn spans_in_any_order_close_exactly_the_ticks_they_hold() {
        for seed in 0..300 {
            let mut random = SplitMix64::new(seed);
            let grid = Grid::new(1, 1).unwrap();
            let mut table = Timetable::new(grid);
            let cell = Cell::new(0, 0);
            let mut closed = [false; 40];
            for _ in 0..random.below(6) {
                let from = random.below(30);
                let span = TickSpan::new(from, from + 1 + random.below(8));
                if random.percent(30) {
                    let from = random.below(30);
                    let other = TickSpan::new(from, from + 1 + random.below(20));
                    table.open_cell_only(cell, &[span, other]).unwrap();
                    for (tick, closed) in (0u32..).zip(&mut closed) {
                        let inside = |span: TickSpan| (span.from..span.to).contains(&tick);
                        *closed |= !inside(span) && !inside(other);
                    }
                } else {
                    table.close_cell(cell, span).unwrap();
                    closed[span.from as usize..span.to as usize].fill(true);
                }
            }
            for (tick, closed) in (0u32..).zip(closed) {
                assert_eq!(
                    table.is_cell_open(CellId(0), tick),
                    !closed,
                    "seed {seed} tick {tick}"
                );
            }
        }
    }

    #[test]
    fn empty_spans_and_cells_off_the_map_change_nothing() {
        let grid = Grid::new(2, 1).unwrap();
        let mut table = Timetable::new(grid.clone());
        let (inside, outside) = (Cell::new(1, 0), Cell::new(2, 0));
        assert!(matches!(
            table.close_cell(inside, TickSpan::new(3, 3)),
            Err(TimetableError::EmptySpan { from: 3, to: 3, .. })
        ));
        assert!(matches!(
            table.close_edge(inside, outside, TickSpan::new(0, 1)),
            Err(TimetableError::Outside { .. })
        ));
        assert!(table.add_patrol(4, &[inside, outside]).is_err());
        assert_eq!(table, Timetable::new(grid));
    }
}
