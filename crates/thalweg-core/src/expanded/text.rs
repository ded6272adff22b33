//! Expanded fields as text, one slice at a time, for failing tests.

use super::{IncomingState, TimeField, TurnField};
use crate::grid::{CellId, Direction, Grid};
use crate::integrate::Reach;

/// Cost-to-goal of all cells for one incoming direction, as a table: `-` unreachable, `?` unknown.
#[must_use]
pub fn print_turns(field: &TurnField, incoming: Option<Direction>) -> String {
    table(field.grid(), |cell| field.reach(IncomingState { cell, incoming }))
}

/// Cost-to-goal of all cells at one tick, as a table: `-` unreachable or closed, `?` unknown.
#[must_use]
pub fn print_tick(field: &TimeField, tick: u32) -> String {
    table(field.grid(), |cell| field.reach(cell, tick))
}

fn table(grid: &Grid, reach: impl Fn(CellId) -> Reach) -> String {
    let text = |id| match reach(id) {
        Reach::Reached(cost) => cost.to_string(),
        Reach::Unreachable => "-".to_owned(),
        Reach::Unknown => "?".to_owned(),
    };
    let texts: Vec<String> = grid.ids().map(text).collect();
    let wide = texts.iter().map(String::len).max().unwrap_or(1);
    let mut out = String::new();
    for layer in grid.layers() {
        if layer.index() > 0 {
            out.push('\n');
        }
        for row in texts[layer.range()].chunks(layer.width() as usize) {
            let cells: Vec<String> = row.iter().map(|text| format!("{text:>wide$}")).collect();
            out.push_str(&cells.join(" "));
            out.push('\n');
        }
    }
    out
}
