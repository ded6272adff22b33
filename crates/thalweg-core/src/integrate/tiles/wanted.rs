//! The cells that are asked for, by tiles, and whether they are known yet.

use super::map::{TileIndex, TileMap};
use super::packing::Packing;
use super::slots::Slots;
use super::visit::TileSlot;
use super::{LARGEST, NONE, SIDE};
use crate::grid::CellId;
use crate::integrate::asked::{Answers, Asked};
use crate::movement::Movement;

/// Asked passable cells of one row of a tile.
#[derive(Clone, Copy, Debug)]
struct Row {
    tile: TileIndex,
    row: usize,
    columns: u32,
}

/// The asked cells that are not known to be final, and what the others came to.
#[derive(Debug)]
pub(super) struct Wanted {
    /// Those that are not final yet, last first.
    rows: Vec<Row>,
    /// Of the cells that are, by packed costs.
    answers: Answers,
    /// Below this cost no look is worth it: a cell that is asked for costs that much now.
    not_before: u32,
    packing: Packing,
    /// The tiles with cells that are asked for, in order.
    tiles: Vec<TileIndex>,
}

impl Wanted {
    pub(super) fn new(asked: &Asked<'_>, movement: &Movement, map: &TileMap, packing: Packing) -> Self {
        let mut rows: Vec<Row> = Vec::new();
        for run in asked.runs() {
            let mut first = run.start;
            while first < run.end {
                let (tile, (column, row)) = map.locate(movement.grid(), CellId::from_index(first));
                let width = movement.grid().layer_of(CellId::from_index(first)).width() as usize;
                let of_layer = movement.grid().column_row_of(CellId::from_index(first)).0 as usize;
                let end = run.end.min(first + (SIDE - column).min(width - of_layer));
                let mut columns = 0;
                for (bit, &cost) in (column..).zip(&movement.costs()[first..end]) {
                    columns |= u32::from(cost != 255) << bit;
                }
                first = end;
                match rows.last_mut() {
                    _ if columns == 0 => {}
                    Some(last) if (last.tile, last.row) == (tile, row) => last.columns |= columns,
                    _ => rows.push(Row { tile, row, columns }),
                }
            }
        }
        let mut tiles: Vec<_> = rows.iter().map(|row| row.tile).collect();
        tiles.sort_unstable();
        tiles.dedup();
        Self {
            rows,
            tiles,
            answers: Answers::Nothing,
            not_before: 0,
            packing,
        }
    }

    /// The tiles whose costs are looked at, in order.
    pub(super) fn tiles(&self) -> Vec<TileIndex> {
        self.tiles.clone()
    }

    /// Whether all cells that are to be answered are final, once all costs up to `final_up_to` are.
    pub(super) fn are_known(&mut self, tiles: &mut impl Slots<TileSlot>, run: u64, final_up_to: u32) -> bool {
        if final_up_to < self.not_before {
            return false;
        }
        while let Some(&Row { tile, row, columns }) = self.rows.last() {
            // A worker that is at the tile may lower it yet.
            let Some(slot) = tiles.try_hold(tile) else {
                return false;
            };
            let Some(largest) = largest(&slot, run, row, columns) else {
                return false;
            };
            let largest = self.packing.last_of(largest);
            if largest > final_up_to {
                self.not_before = largest;
                return false;
            }
            self.answers = self.answers.and(largest);
            self.rows.pop();
        }
        // Steps may cost nothing, so what waits at a cost may make others of the same cost.
        match self.answers {
            Answers::UpTo(cost) => cost < final_up_to,
            _ => true,
        }
    }

    /// Up to which cost the field answers, when nobody works any more.
    pub(super) fn answers(&self, tiles: &mut impl Slots<TileSlot>, run: u64) -> Answers {
        let mut answers = self.answers;
        for &Row { tile, row, columns } in &self.rows {
            answers = match largest(&tiles.hold(tile), run, row, columns) {
                Some(largest) => answers.and(largest),
                None => return Answers::All,
            };
        }
        self.packing.answers_of(answers)
    }
}

/// The largest cost of some cells of a row; `None` if one has none.
fn largest(slot: &TileSlot, run: u64, row: usize, columns: u32) -> Option<u32> {
    let tile = slot.as_ref().filter(|tile| tile.run == run)?;
    let cells = tile.values.as_ref()?[row].iter().enumerate();
    let asked = cells.map(|(column, &value)| if columns >> column & 1 != 0 { value } else { 0 });
    let largest = asked.max().unwrap_or(NONE);
    (largest <= LARGEST).then_some(largest)
}
