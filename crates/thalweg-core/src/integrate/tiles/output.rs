//! Copying tiles into the field.

use super::map::{TileIndex, TileMap};
use super::packing::Packing;
use super::slots::{Slots, lock};
use super::tile::IMPASSABLE;
use super::visit::{Rules, TileSlot};
use super::{NONE, SIDE};
use crate::grid::CellId;
use crate::integrate::asked::Answers;
use crate::integrate::field::UNREACHABLE;
use crate::movement::Movement;
use crate::vectors::on_widest_vectors;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

/// Rows of tiles of the field that are still to be written, each by whoever takes it first.
pub(super) struct Bands<'a> {
    bands: Vec<Mutex<Option<Band<'a>>>>,
    next: AtomicUsize,
}

/// The part of the field under one row of tiles.
struct Band<'a> {
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
        let mut bands = Vec::new();
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
                bands.push(Mutex::new(Some(Band {
                    width,
                    first_tile: map.locate(grid, CellId::from_index(first)).0,
                    values,
                    labels,
                    terrain,
                })));
            }
        }
        Self {
            bands,
            next: AtomicUsize::new(0),
        }
    }

    /// Writes bands until none is left.
    pub(super) fn write(&self, tiles: &mut impl Slots<TileSlot>, rules: &Rules<'_>, answers: Answers) {
        while let Some(band) = self.bands.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let Some(band) = lock(band).take() else { continue };
            on_widest_vectors(
                #[inline(always)]
                || {
                    let packing = rules.packing;
                    if answers == Answers::All && !packing.has_goals() {
                        band.write(tiles, rules.run, Packing::COSTS, |value, _| value);
                    } else {
                        let below = answers.below();
                        band.write(tiles, rules.run, packing, |value, terrain| {
                            Answers::value(below, value, terrain)
                        });
                    }
                },
            );
        }
    }
}

impl Band<'_> {
    #[inline(always)]
    fn write(
        self,
        tiles: &mut impl Slots<TileSlot>,
        run: u64,
        packing: Packing,
        answer: impl Fn(u32, u8) -> u32 + Copy,
    ) {
        let Self {
            width,
            first_tile,
            values,
            labels,
            terrain,
        } = self;
        for (tile, column) in (first_tile..).zip((0..width).step_by(SIDE)) {
            let slot = tiles.hold(tile);
            let solved = slot.as_ref().filter(|tile| tile.run == run);
            let lines = values.chunks_mut(width).zip(terrain.chunks(width));
            for (row, (line, ground)) in lines.enumerate() {
                let (line, ground) = (&mut line[column..], &ground[column..]);
                // Whole rows by themselves, so that their length is known.
                match (line.first_chunk_mut::<SIDE>(), ground.first_chunk::<SIDE>()) {
                    (Some(line), Some(ground)) => match solved {
                        Some(solved) => copy(line, &solved.values[row], ground, packing, answer),
                        None => copy(line, &[NONE; SIDE], ground, packing, answer),
                    },
                    _ => match solved {
                        Some(solved) => copy(line, &solved.values[row], ground, packing, answer),
                        None => copy(line, &[NONE; SIDE], ground, packing, answer),
                    },
                }
            }
            if let Some(solved) = solved {
                for (line, row) in labels.chunks_mut(width).zip(&solved.values) {
                    // What stands for cells without a cost means nothing.
                    for (label, &value) in line[column..].iter_mut().zip(row) {
                        *label = packing.goal_of(value);
                    }
                }
            }
        }
    }
}

/// Copies a row of a tile as far as the field reaches.
#[inline(always)]
fn copy(
    line: &mut [u32],
    row: &[u32; SIDE],
    ground: &[u8],
    packing: Packing,
    answer: impl Fn(u32, u8) -> u32,
) {
    for ((cell, &value), &terrain) in line.iter_mut().zip(row).zip(ground) {
        // Both are looked at, for branches would keep vectors out.
        let has_none = (value == NONE) | (terrain == IMPASSABLE);
        let cost = packing.cost_of(value);
        *cell = answer(if has_none { UNREACHABLE } else { cost }, terrain);
    }
}
