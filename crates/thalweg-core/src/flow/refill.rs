//! The costs of one tile of a retained field, found again.

use super::packed;
use super::retained::{RetainedCosts, RetainedField, reach_of};
use super::seams::TILE;
use crate::grid::{CellId, DIRECTIONS, Direction, Layer};
use crate::integrate::{Reach, UNKNOWN, UNREACHABLE};
use crate::movement::{ArriveCharge, Charge, ChargeRule, DepartCharge, MeanCharge};

/// Cells of a line of the buffers: those of a tile, and the one on the seam beyond.
const LINE: usize = TILE + 1;

/// Stands for a direction once the cost of a cell is known; above all codes that have a meaning.
const KNOWN: u8 = 0xf;

/// What a step in each direction adds to a place in the buffers.
const OFFSETS: [isize; 8] = {
    let mut offsets = [0; 8];
    let mut at = 0;
    while at < 8 {
        let (dx, dy) = DIRECTIONS[at].offset();
        offsets[at] = dy as isize * LINE.cast_signed() + dx as isize;
        at += 1;
    }
    offsets
};

/// The costs-to-goal of the cells of one tile, 32 × 32 or what the map's sides leave of it. Its buffers are reused from tile
/// to tile.
#[derive(Clone, Debug)]
pub struct RefilledTile {
    /// Line by line, [`LINE`] in each, as are the next two.
    values: Vec<u32>,
    /// The directions of cells whose cost is not known yet.
    codes: Vec<u8>,
    /// What the ground costs.
    ground: Vec<u8>,
    across: usize,
    down: usize,
    /// The id of its first cell, and the cells of a row of its layer.
    first: usize,
    row_len: usize,
    /// Cells on the way to one whose cost is known, with the direction each is left in.
    way: Vec<(usize, Direction)>,
}

impl Default for RefilledTile {
    fn default() -> Self {
        Self::new()
    }
}

impl RefilledTile {
    /// A tile without cells.
    #[must_use]
    pub fn new() -> Self {
        Self {
            values: vec![0; LINE * LINE],
            codes: vec![0; LINE * LINE],
            ground: vec![0; LINE * LINE],
            across: 0,
            down: 0,
            first: 0,
            row_len: 1,
            way: Vec::new(),
        }
    }

    /// What is known about a cell, or `None` if it is not in this tile.
    #[inline]
    #[must_use]
    pub fn reach(&self, id: CellId) -> Option<Reach> {
        let beyond = id.index().checked_sub(self.first)?;
        let (column, row) = (beyond % self.row_len, beyond / self.row_len);
        (column < self.across && row < self.down).then(|| reach_of(self.values[row * LINE + column]))
    }

    /// The ids of its cells, row by row.
    pub fn ids(&self) -> impl Iterator<Item = CellId> + use<> {
        let Self {
            first,
            row_len,
            across,
            down,
            ..
        } = *self;
        (0..down).flat_map(move |row| {
            (0..across).map(move |column| CellId::from_index(first + row * row_len + column))
        })
    }

    /// The raw values, row by row.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[u32]> {
        self.values
            .chunks(LINE)
            .map(|row| &row[..self.across])
            .take(self.down)
    }

    /// Finds the costs of the tile whose first cell is at a column and row of a layer.
    ///
    /// Each way is followed only until it meets a cell that is known by now, so every cell is visited once.
    pub(super) fn fill(&mut self, costs: &RetainedCosts<'_>, layer: &Layer, at: (usize, usize)) {
        let width = layer.width() as usize;
        self.row_len = width;
        self.first = layer.range().start + at.1 * width + at.0;
        self.across = (width - at.0).min(TILE);
        self.down = (layer.height() as usize - at.1).min(TILE);
        self.read_codes(costs.field);
        self.read_seams(costs.field, layer, at);
        let (prices, first) = (costs.prices, self.first);
        let index_of = |place: usize| first + place / LINE * width + place % LINE;
        if prices.has_charges() {
            self.follow_all(|from, to, direction| prices.step(index_of(from), index_of(to), direction));
            return;
        }
        // With the seams beyond, as far as the map reaches.
        let line = (width - at.0).min(LINE);
        for (row, ground) in self.ground.chunks_mut(LINE).enumerate() {
            if at.1 + row < layer.height() as usize {
                ground[..line].copy_from_slice(&prices.costs()[first + row * width..][..line]);
            }
        }
        let ground = core::mem::take(&mut self.ground);
        let (steps, ends) = (prices.steps(), |from: usize, to: usize| {
            (ground[from], ground[to])
        });
        let lengths = steps.lengths();
        match steps.charge() {
            Charge::Depart => self.follow_all(by_charge::<DepartCharge>(lengths, ends)),
            Charge::Arrive => self.follow_all(by_charge::<ArriveCharge>(lengths, ends)),
            Charge::Mean => self.follow_all(by_charge::<MeanCharge>(lengths, ends)),
        }
        self.ground = ground;
    }

    /// Unpacks the directions, and says of cells without one what is known of them.
    fn read_codes(&mut self, field: &RetainedField) {
        for row in 0..self.down {
            let line = row * LINE..row * LINE + self.across;
            let first = self.first + row * self.row_len;
            let codes = &mut self.codes[line.clone()];
            field.flow().codes_from(first, codes);
            let mut is_rare = false;
            for (value, &code) in self.values[line.clone()].iter_mut().zip(&*codes) {
                *value = if code == packed::UNKNOWN {
                    UNKNOWN
                } else {
                    UNREACHABLE
                };
                is_rare |= (code == packed::THROUGH) | (code == packed::GOAL);
            }
            if is_rare {
                for (column, place) in line.enumerate() {
                    if let Ok(value) = field.kept_beside_seams(first + column) {
                        self.values[place] = value;
                    }
                }
            }
        }
    }

    /// Takes over the seams that the tile begins with, and those beyond its last row and column.
    fn read_seams(&mut self, field: &RetainedField, layer: &Layer, (column, row): (usize, usize)) {
        for line in [0, TILE] {
            if let Some(seam) = field.seams().row(layer, row + line) {
                let seam = &seam[column..(column + LINE).min(seam.len())];
                let places = line * LINE..line * LINE + seam.len();
                self.values[places.clone()].copy_from_slice(seam);
                self.codes[places].fill(KNOWN);
            }
        }
        for line in [0, TILE] {
            if let Some(seam) = field.seams().column(layer, column + line) {
                let seam = &seam[row..(row + LINE).min(seam.len())];
                for (at, &value) in seam.iter().enumerate() {
                    self.values[at * LINE + line] = value;
                    self.codes[at * LINE + line] = KNOWN;
                }
            }
        }
    }

    /// Finds the cost of every cell that has a direction.
    #[inline(always)]
    fn follow_all(&mut self, step: impl Fn(usize, usize, Direction) -> u32) {
        for row in 0..self.down {
            for start in row * LINE..row * LINE + self.across {
                let mut place = start;
                self.way.clear();
                // A way leaves the tile only onto a seam, where its cells are known.
                while let Some(direction) = Direction::from_index(self.codes[place]) {
                    self.way.push((place, direction));
                    place = place.wrapping_add_signed(OFFSETS[direction.index()]);
                }
                let mut value = self.values[place];
                while let Some((from, direction)) = self.way.pop() {
                    value = value.saturating_add(step(from, place, direction));
                    self.values[from] = value;
                    self.codes[from] = KNOWN;
                    place = from;
                }
            }
        }
    }
}

/// What a step costs, by the costs of its ends.
#[inline(always)]
fn by_charge<C: ChargeRule>(
    lengths: &[u32; 8],
    ends: impl Fn(usize, usize) -> (u8, u8),
) -> impl Fn(usize, usize, Direction) -> u32 {
    move |from, to, direction| {
        let (left, entered) = ends(from, to);
        C::step(lengths[direction.index()], left, entered)
    }
}
