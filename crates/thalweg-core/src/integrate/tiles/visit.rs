//! One visit of a tile: take what waits for it, relax it, tell the tiles around it.

use super::exchange::{Inbox, PortalEnd, Post, Told};
use super::map::{Place, TileIndex, TileMap};
use super::maze::{self, Waiting};
use super::news::News;
use super::packing::Packing;
use super::relax::{Lowered, Prices, relax};
use super::slots::Slots;
use super::tile::{Halo, PlainBits, RowBits, Tile, VectorBits, Work};
use super::{NONE, SIDE};
use crate::movement::Movement;
use fearless_simd::{Level, Simd};

/// A tile, made when first touched.
pub(super) type TileSlot = Option<Box<Tile>>;

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
        }
    }
}

/// What a visit has to do beside the work on rows.
struct Job<'a> {
    place: &'a Place<'a>,
    is_new: bool,
    offers: &'a [(u16, u32)],
    halo: &'a Halo,
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
        let job = Job {
            place: &place,
            is_new,
            offers: &hand.offers,
            halo: &hand.halo,
        };
        tile.run = self.run;
        let (lowered, news) = self.work_tile(tile, &job, work, &mut hand.waiting);
        let counts = &mut hand.counts;
        counts.visits += 1;
        counts.fresh += u64::from(job.is_new);
        counts.relaxed += u64::from(lowered.relaxed);
        counts.dropped |= lowered.dropped;
        if let Some(news) = news {
            let mut post = Post {
                inboxes,
                run: self.run,
                told: &mut hand.told,
            };
            post.tell(&place, &news);
            if !self.portals.is_empty() {
                counts.dropped |=
                    post.tell_portals(self.portals, index, tile, lowered.rows, self.prices.limit);
            }
        }
    }

    /// Works a tile with the vectors of the run, or cell by cell.
    ///
    /// Only AVX2 and AVX-512 get code of their own on x86: with four lanes rows gain nothing over single cells.
    fn work_tile(
        &self,
        tile: &mut Tile,
        job: &Job<'_>,
        work: Work,
        waiting: &mut Waiting,
    ) -> (Lowered, Option<News>) {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        if let Some(level) = self.level {
            if let Some(simd) = level.as_avx512() {
                return simd.vectorize(
                    #[inline(always)]
                    || self.work_rows(simd, tile, job, work, waiting),
                );
            }
            if let Some(simd) = level.as_avx2() {
                return simd.vectorize(
                    #[inline(always)]
                    || self.work_rows(simd, tile, job, work, waiting),
                );
            }
        }
        #[cfg(target_arch = "aarch64")]
        if let Some(simd) = self.level.and_then(Level::as_neon) {
            return simd.vectorize(
                #[inline(always)]
                || self.work_rows(simd, tile, job, work, waiting),
            );
        }
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        if let Some(simd) = self.level.and_then(Level::as_wasm_simd128) {
            return simd.vectorize(
                #[inline(always)]
                || self.work_rows(simd, tile, job, work, waiting),
            );
        }
        let (mut lowered, work) = self.prepare(tile, job, work, waiting, true, &PlainBits);
        lowered.join(&self.work_cells(tile, job.halo, work, waiting));
        let news = (lowered.rows != 0).then(|| News::of(tile, job.halo, &lowered, &self.prices));
        (lowered, news)
    }

    #[inline(always)]
    fn work_rows<V: Simd>(
        &self,
        simd: V,
        tile: &mut Tile,
        job: &Job<'_>,
        work: Work,
        waiting: &mut Waiting,
    ) -> (Lowered, Option<News>) {
        let (mut lowered, work) = self.prepare(tile, job, work, waiting, false, &VectorBits(simd));
        let more = if tile.ground.is_maze {
            self.work_cells(tile, job.halo, work, waiting)
        } else {
            relax(simd, &mut tile.values, &tile.ground, job.halo, work, &self.prices)
        };
        lowered.join(&more);
        let news = (lowered.rows != 0).then(
            #[inline(always)]
            || News::of(tile, job.halo, &lowered, &self.prices),
        );
        (lowered, news)
    }

    fn work_cells(&self, tile: &mut Tile, halo: &Halo, work: Work, waiting: &mut Waiting) -> Lowered {
        let Tile { values, ground, .. } = tile;
        maze::relax(values, ground, halo, work, &self.prices, waiting)
    }

    /// Fills a tile that is new in this run and takes in what its cells are offered; where cells are worked one by one, those
    /// are where the work begins.
    #[inline(always)]
    fn prepare(
        &self,
        tile: &mut Tile,
        job: &Job<'_>,
        mut work: Work,
        waiting: &mut Waiting,
        by_cells: bool,
        bits: &impl RowBits,
    ) -> (Lowered, Work) {
        if job.is_new {
            let Tile {
                values,
                ground,
                ground_since,
                ..
            } = &mut *tile;
            if *ground_since != self.ground_since {
                *ground_since = self.ground_since;
                ground.read(self.movement, job.place.layer, job.place.at, bits);
            }
            for (row, &free) in values.iter_mut().zip(&ground.free) {
                *row = bits.unreached(free);
            }
        }
        let mut lowered = Lowered::default();
        for &(cell, cost) in job.offers {
            let (column, row) = (usize::from(cell) % SIDE, usize::from(cell) / SIDE % SIDE);
            if cost < tile.values[row][column] {
                tile.values[row][column] = cost;
                lowered.note(row, 1 << column);
                work.own |= 1 << row;
                if by_cells || tile.ground.is_maze {
                    waiting.push(column, row);
                }
            }
        }
        (lowered, work)
    }
}
