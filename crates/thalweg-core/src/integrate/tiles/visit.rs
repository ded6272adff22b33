//! One visit of a tile: take what waits for it, relax it, tell the tiles around it.

use super::exchange::{Inbox, PortalEnd, Post, Told};
use super::lowered::Lowered;
use super::map::{Place, TileIndex, TileMap};
use super::maze::{self, Waiting};
use super::news::News;
use super::packing::Packing;
use super::prices::Prices;
use super::slots::Slots;
use super::tile::{Halo, PlainBits, RowBits, Tile, Values, Work, largest};
use super::{NONE, SIDE};
use crate::movement::Movement;
use crate::vectors::Level;
use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// A tile, made when first touched.
pub(super) type TileSlot = Option<Box<Tile>>;

/// What a visit takes beside relaxing, and what it takes more if the tile is new, in units of work.
pub(super) const VISIT: u64 = 64;
pub(super) const NEW_TILE: u64 = 256;

/// What does not change during a run.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) movement: &'a Movement,
    pub(super) map: &'a TileMap,
    pub(super) portals: &'a [PortalEnd],
    pub(super) run: u64,
    /// Since which run the ground of tiles holds.
    pub(super) ground_since: u64,
    pub(super) level: Option<Level>,
    pub(super) prices: Prices,
    pub(super) packing: Packing,
    /// Whether tiles are written as soon as they are final.
    pub(super) writes_early: bool,
}

/// What one worker uses from visit to visit.
#[derive(Debug)]
pub(super) struct Hand {
    waiting: Waiting,
    offers: Vec<(u16, u32)>,
    halo: Halo,
    /// Tiles that have news since it was last emptied.
    pub(super) told: Vec<Told>,
    pub(super) counts: Counts,
    /// How often it looked up from its work.
    pub(super) looks: u64,
    /// Room for the costs of tiles, from tiles that have been written. The last is the first to be used again, since it is
    /// in the cache.
    pub(super) spare: Vec<Box<Values>>,
    /// Tiles that are final once all costs up to their largest are, which comes first.
    pub(super) ripe: BinaryHeap<Reverse<Told>>,
}

impl Hand {
    /// Whether it has made so many visits since it last looked up.
    #[inline]
    pub(super) const fn is_to_look(&self, every: u64) -> bool {
        self.counts.visits >= every
    }
}

/// What one worker did.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Counts {
    pub(super) visits: u64,
    /// Visits of tiles that were new in this run.
    pub(super) fresh: u64,
    pub(super) relaxed: u64,
    /// Whether a cost beyond the limit was dropped.
    pub(super) dropped: bool,
    /// What that took, in [units of work](crate::integrate::SteppedIntegration#units-of-work).
    pub(super) work: u64,
}

impl Default for Hand {
    fn default() -> Self {
        Self {
            waiting: Waiting::default(),
            offers: Vec::new(),
            halo: Halo::UNKNOWN,
            told: Vec::new(),
            counts: Counts::default(),
            looks: 0,
            spare: Vec::new(),
            ripe: BinaryHeap::new(),
        }
    }
}

/// What a visit has to do beside the work on rows.
pub(super) struct Job<'a> {
    place: &'a Place<'a>,
    is_new: bool,
    offers: &'a [(u16, u32)],
    pub(super) halo: &'a Halo,
}

impl Rules<'_> {
    /// Works a tile that the caller holds, unless what it was queued for has been done meanwhile.
    pub(super) fn visit(
        &self,
        index: TileIndex,
        key: u32,
        slot: &mut TileSlot,
        inboxes: &mut impl Slots<Inbox>,
        hand: &mut Hand,
    ) {
        let tile = slot.get_or_insert_with(Tile::new);
        let is_new = tile.run != self.run;
        let place = self.map.place(index);
        let work = {
            let mut held = inboxes.hold(index);
            let inbox = held.of_run(self.run);
            if inbox.key != key {
                return;
            }
            inbox.key = NONE;
            if is_new {
                inbox.halo.close(|dx, dy| place.beside(dx, dy).is_none());
            }
            hand.offers.clear();
            core::mem::swap(&mut hand.offers, &mut inbox.offers);
            // A copy, so that the tiles around can tell their news while this one is worked.
            hand.halo.clone_from(&inbox.halo);
            core::mem::take(&mut inbox.work)
        };
        if !is_new && tile.is_written {
            // It was told something that is no news to it.
            return;
        }
        if is_new {
            tile.is_written = false;
        }
        let job = Job {
            place: &place,
            is_new,
            offers: &hand.offers,
            halo: &hand.halo,
        };
        tile.run = self.run;
        let mut values = tile
            .values
            .take()
            .or_else(|| hand.spare.pop())
            .unwrap_or_else(|| Box::new([[NONE; SIDE]; SIDE]));
        let (lowered, news) = self.work_tile(tile, &mut values, &job, work, &mut hand.waiting);
        let counts = &mut hand.counts;
        counts.visits += 1;
        counts.fresh += u64::from(job.is_new);
        counts.relaxed += u64::from(lowered.relaxed);
        counts.dropped |= lowered.dropped;
        // Measured: a row of cells in vectors takes about as long as one cell by itself.
        let is_by_cells = self.level.is_none() || tile.ground.is_maze;
        let relaxed = u64::from(lowered.relaxed);
        counts.work += VISIT + if job.is_new { NEW_TILE } else { 0 };
        counts.work += if is_by_cells { 8 * relaxed } else { relaxed / 4 };
        if let Some(news) = news {
            let mut post = Post {
                inboxes,
                run: self.run,
                told: &mut hand.told,
            };
            post.tell(&place, &news);
            if !self.portals.is_empty() {
                counts.dropped |=
                    post.tell_portals(self.portals, index, &values, lowered.rows, self.prices.limit);
            }
            if self.writes_early && tile.largest != NONE {
                hand.ripe.push(Reverse((tile.largest, index)));
            }
        }
        tile.values = Some(values);
    }

    /// Works a tile with the vectors of the run, or cell by cell.
    fn work_tile(
        &self,
        tile: &mut Tile,
        values: &mut Values,
        job: &Job<'_>,
        work: Work,
        waiting: &mut Waiting,
    ) -> (Lowered, Option<News>) {
        let level = self.level;
        match level {
            #[cfg(feature = "vectors")]
            Some(level) => self.work_at_level(level, tile, values, job, work, waiting),
            None => self.work_by_cells(tile, values, job, work, waiting),
        }
    }

    /// Works a tile cell by cell.
    pub(super) fn work_by_cells(
        &self,
        tile: &mut Tile,
        values: &mut Values,
        job: &Job<'_>,
        work: Work,
        waiting: &mut Waiting,
    ) -> (Lowered, Option<News>) {
        let (mut lowered, work) = self.prepare(tile, values, job, work, waiting, &PlainBits);
        lowered.join(&self.work_cells(tile, values, job.halo, work, waiting));
        let news = self.news(tile, values, job, &lowered);
        (lowered, news)
    }

    pub(super) fn work_cells(
        &self,
        tile: &Tile,
        values: &mut Values,
        halo: &Halo,
        work: Work,
        waiting: &mut Waiting,
    ) -> Lowered {
        maze::relax(values, &tile.ground, halo, work, &self.prices, waiting)
    }

    /// What a tile has to tell, if anything was lowered.
    #[inline(always)]
    pub(super) fn news(
        &self,
        tile: &mut Tile,
        values: &Values,
        job: &Job<'_>,
        lowered: &Lowered,
    ) -> Option<News> {
        if lowered.rows == 0 {
            return None;
        }
        tile.largest = largest(values);
        let least_step = tile.ground.least_charge * self.prices.straight;
        Some(News::of(values, job.halo, lowered, least_step))
    }

    /// Fills a tile that is new in this run and takes in what its cells are offered; where cells are worked one by one, those
    /// are where the work begins.
    #[inline(always)]
    pub(super) fn prepare<B: RowBits>(
        &self,
        tile: &mut Tile,
        values: &mut Values,
        job: &Job<'_>,
        mut work: Work,
        waiting: &mut Waiting,
        bits: &B,
    ) -> (Lowered, Work) {
        if job.is_new {
            let Tile {
                ground, ground_since, ..
            } = &mut *tile;
            if *ground_since != self.ground_since {
                *ground_since = self.ground_since;
                ground.read(self.movement, job.place.layer, job.place.at, bits);
            }
            for (row, &free) in values.iter_mut().zip(&ground.free) {
                *row = bits.unreached(free);
            }
            tile.largest = NONE;
        }
        let mut lowered = Lowered::default();
        for &(cell, cost) in job.offers {
            let (column, row) = (usize::from(cell) % SIDE, usize::from(cell) / SIDE % SIDE);
            if cost < values[row][column] {
                values[row][column] = cost;
                lowered.note(row, 1 << column);
                work.own |= 1 << row;
                if B::BY_CELLS || tile.ground.is_maze {
                    waiting.push(column, row);
                }
            }
        }
        (lowered, work)
    }
}
