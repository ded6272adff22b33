//! Copying tiles into the field.

use super::map::{TileIndex, TileMap};
use super::packing::Packing;
use super::slots::{Slots, lock};
use super::tile::{IMPASSABLE, Values};
use super::visit::{Rules, TileSlot};
use super::{NONE, SIDE};
use crate::grid::CellId;
use crate::integrate::asked::Answers;
use crate::integrate::field::UNREACHABLE;
use crate::movement::Movement;
use crate::vectors::on_widest_vectors;
use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

/// The field by rows of tiles.
pub(super) struct Bands<'a> {
    bands: Vec<Mutex<Band<'a>>>,
    /// The first tile of each.
    firsts: Vec<TileIndex>,
    /// The next that is to be completed, by whoever takes it first.
    next: AtomicUsize,
}

/// The part of the field under one row of tiles.
pub(super) struct Band<'a> {
    width: usize,
    first_tile: TileIndex,
    values: &'a mut [u32],
    /// Empty unless goals are told apart.
    labels: &'a mut [u32],
    terrain: &'a [u8],
}

impl<'a> Bands<'a> {
    /// `labels` is empty, or as long as `values`.
    pub(super) fn new(
        map: &TileMap,
        movement: &'a Movement,
        mut values: &'a mut [u32],
        mut labels: &'a mut [u32],
    ) -> Self {
        let grid = movement.grid();
        let (mut bands, mut firsts_of_bands) = (Vec::new(), Vec::new());
        for layer in grid.layers() {
            let width = layer.width() as usize;
            let (of_layer, rest) = values.split_at_mut(layer.len());
            values = rest;
            let (mut labels_of_layer, rest) = labels.split_at_mut(layer.len().min(labels.len()));
            labels = rest;
            let terrain = movement.costs()[layer.range()].chunks(SIDE * width);
            let firsts = layer.range().step_by(SIDE * width);
            for ((values, terrain), first) in of_layer.chunks_mut(SIDE * width).zip(terrain).zip(firsts) {
                let (labels, rest) = labels_of_layer.split_at_mut(values.len().min(labels_of_layer.len()));
                labels_of_layer = rest;
                let first_tile = map.locate(grid, CellId::from_index(first)).0;
                firsts_of_bands.push(first_tile);
                bands.push(Mutex::new(Band {
                    width,
                    first_tile,
                    values,
                    labels,
                    terrain,
                }));
            }
        }
        Self {
            bands,
            firsts: firsts_of_bands,
            next: AtomicUsize::new(0),
        }
    }

    /// The band of a tile.
    pub(super) fn of(&self, tile: TileIndex) -> MutexGuard<'_, Band<'a>> {
        lock(&self.bands[self.firsts.partition_point(|&first| first <= tile) - 1])
    }

    /// Completes bands until none is left.
    pub(super) fn write(&self, tiles: &mut impl Slots<TileSlot>, rules: &Rules<'_>, answers: Answers) {
        while let Some(band) = self.bands.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let mut band = lock(band);
            on_widest_vectors(
                #[inline(always)]
                || {
                    let (run, packing) = (rules.run, rules.packing);
                    if answers != Answers::All {
                        let below = answers.below();
                        band.complete(tiles, run, packing, below, |value, terrain| {
                            Answers::value(below, value, terrain)
                        });
                    } else if packing.has_goals() {
                        band.complete(tiles, run, packing, u32::MAX, |value, _| value);
                    } else {
                        band.complete(tiles, run, Packing::COSTS, u32::MAX, |value, _| value);
                    }
                },
            );
        }
    }
}

impl Band<'_> {
    /// Writes a tile whose costs are final.
    pub(super) fn write_final(
        &mut self,
        tile: TileIndex,
        values: &Values,
        free: &[u32; SIDE],
        packing: Packing,
    ) {
        let column = (tile - self.first_tile) * SIDE;
        on_widest_vectors(
            #[inline(always)]
            || {
                let packing = if packing.has_goals() {
                    packing
                } else {
                    Packing::COSTS
                };
                self.write_tile(column, values, free, packing, |value, _| value);
            },
        );
    }

    /// Writes all tiles that have not been written; of those, what is not below a cost is answered as the others are.
    #[inline(always)]
    fn complete(
        &mut self,
        tiles: &mut impl Slots<TileSlot>,
        run: u64,
        packing: Packing,
        below: u32,
        answer: impl Fn(u32, u8) -> u32 + Copy,
    ) {
        // Stretches that nothing has reached are written row by row, which the processor foresees.
        let mut blank = 0..0;
        for (tile, column) in (self.first_tile..).zip((0..self.width).step_by(SIDE)) {
            let slot = tiles.hold(tile);
            let Some(tile) = slot.as_ref().filter(|tile| tile.run == run) else {
                blank.end = self.width.min(column + SIDE);
                continue;
            };
            self.write_blank(blank, answer);
            blank = column + SIDE..column + SIDE;
            match tile.values.as_deref() {
                Some(values) if !tile.is_written => {
                    self.write_tile(column, values, &tile.ground.free, packing, answer);
                }
                // Written before the end.
                _ => {
                    if packing.cost_of(tile.largest) >= below {
                        self.answer_again(column, answer);
                    }
                }
            }
        }
        self.write_blank(blank, answer);
    }

    /// Writes columns that nothing has reached.
    #[inline(always)]
    fn write_blank(&mut self, columns: Range<usize>, answer: impl Fn(u32, u8) -> u32 + Copy) {
        if columns.is_empty() {
            return;
        }
        let width = self.width;
        let lines = self.values.chunks_mut(width).zip(self.terrain.chunks(width));
        for (line, ground) in lines {
            let cells = line[columns.clone()].iter_mut().zip(&ground[columns.clone()]);
            for (value, &terrain) in cells {
                *value = answer(UNREACHABLE, terrain);
            }
        }
    }

    /// Writes one tile.
    #[inline(always)]
    fn write_tile(
        &mut self,
        column: usize,
        solved: &Values,
        free: &[u32; SIDE],
        packing: Packing,
        answer: impl Fn(u32, u8) -> u32 + Copy,
    ) {
        let width = self.width;
        for ((line, values), &free) in self.values.chunks_mut(width).zip(solved).zip(free) {
            let line = &mut line[column..];
            // Whole rows by themselves, so that their length is known.
            match line.first_chunk_mut::<SIDE>() {
                Some(line) => copy(line, values, free, packing, answer),
                None => copy(line, values, free, packing, answer),
            }
        }
        for (line, row) in self.labels.chunks_mut(width).zip(solved) {
            // What stands for cells without a cost means nothing.
            for (label, &value) in line[column..].iter_mut().zip(row) {
                *label = packing.goal_of(value);
            }
        }
    }

    /// Makes unknown what was written of a tile and is not to be answered.
    fn answer_again(&mut self, column: usize, answer: impl Fn(u32, u8) -> u32 + Copy) {
        let width = self.width;
        let lines = self.values.chunks_mut(width).zip(self.terrain.chunks(width));
        for (line, ground) in lines {
            let cells = line[column..].iter_mut().zip(&ground[column..]).take(SIDE);
            for (value, &terrain) in cells {
                *value = answer(*value, terrain);
            }
        }
    }
}

/// Copies a row of a tile as far as the field reaches. Which cells are passable is asked of the tile, which is at hand.
#[inline(always)]
fn copy(line: &mut [u32], row: &[u32; SIDE], free: u32, packing: Packing, answer: impl Fn(u32, u8) -> u32) {
    for ((cell, &value), lane) in line.iter_mut().zip(row).zip(0..) {
        let is_free = free >> lane & 1;
        // Both are looked at, for branches would keep vectors out.
        let has_none = (value == NONE) | (is_free == 0);
        let cost = packing.cost_of(value);
        let terrain = if is_free == 0 { IMPASSABLE } else { 0 };
        *cell = answer(if has_none { UNREACHABLE } else { cost }, terrain);
    }
}
