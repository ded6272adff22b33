//! Which tile is worked when, by one thread or several, and what tiles tell each other.

use super::map::{Place, TileIndex, TileMap};
use super::maze::{self, Waiting};
use super::news::{News, Rim};
use super::relax::{Lowered, Prices, relax};
use super::tile::{self, Halo, Tile, Work};
use super::{LARGEST, NONE, SIDE};
use crate::grid::{CellId, Direction};
use crate::integrate::{IntegrateStats, Seed};
use crate::movement::Movement;
use crate::workers::{Workers, for_each_part};
use core::cmp::Reverse;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use fearless_simd::{Level, Simd};
use std::collections::BinaryHeap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// After this many visits per tile of the map the engine gives up. Open maps need two to four, mazes up to fifty (which `integrate` does not give to it).
const VISITS_PER_TILE: u64 = 400;

/// What waits for a tile.
#[derive(Debug)]
struct Inbox {
    /// In which run it was last written to.
    run: u64,
    halo: Halo,
    work: Work,
    /// Cells of the tile that are offered a cost from outside the row of tiles: seeds, and near ends of portals.
    offers: Vec<(u16, u32)>,
    /// The least cost that waits; [`NONE`] if the tile is in no queue.
    key: u32,
}

impl Inbox {
    fn new() -> Self {
        Self {
            run: 0,
            halo: Halo::UNKNOWN,
            work: Work::default(),
            offers: Vec::new(),
            key: NONE,
        }
    }
}

/// The end of a portal that a tile has to watch.
#[derive(Clone, Copy, Debug)]
struct PortalEnd {
    to: TileIndex,
    to_cell: (usize, usize),
    from: TileIndex,
    from_cell: u16,
    cost: u32,
}

/// Tiles and what waits for them, reused from run to run.
#[derive(Debug, Default)]
pub(in crate::integrate) struct TileScratch {
    map: TileMap,
    /// Made when first touched.
    tiles: Vec<Mutex<Option<Box<Tile>>>>,
    inboxes: Vec<Mutex<Inbox>>,
    /// In order of the tile they lead to.
    portals: Vec<PortalEnd>,
    run: u64,
}

/// Tiles in order of the least cost that waits for them, with entries that have become dearer than that left in.
#[derive(Debug, Default)]
struct Queue {
    tiles: BinaryHeap<Reverse<(u32, TileIndex)>>,
    /// Workers that have a tile in hand, which may still lower others.
    active: usize,
    /// Workers that wait for one.
    waiting: usize,
}

/// Integrates with tiles into `values`, which hold the unreached value everywhere.
///
/// Returns `None`, with `values` untouched, if it gives up: a cost exceeds 2^30 although the limit is beyond, or tiles
/// were visited so often that another engine is the better choice. It never gives another answer than the others.
pub(in crate::integrate) fn run(
    movement: &Movement,
    seeds: &[Seed],
    limit: u32,
    level: Option<Level>,
    workers: &dyn Workers,
    scratch: &mut TileScratch,
    values: &mut [u32],
) -> Option<IntegrateStats> {
    scratch.begin(movement);
    let lengths = movement.steps().lengths();
    let solver = Solver {
        scratch,
        movement,
        level,
        prices: Prices {
            straight: lengths[Direction::N.index()],
            diagonal: lengths[Direction::NE.index()],
            limit: limit.min(LARGEST),
        },
        limit_is_ours: limit > LARGEST,
        gave_up: AtomicBool::new(false),
        visits: AtomicU64::new(0),
        relaxed: AtomicU64::new(0),
        queue: Mutex::new(Queue::default()),
        news: Condvar::new(),
    };
    solver.seed(seeds);
    let tasks = workers.threads().clamp(1, solver.scratch.map.len());
    if tasks == 1 {
        solver.work_alone();
    } else {
        workers.run(tasks, &|_| solver.work_together());
    }
    if solver.gave_up.load(Ordering::Relaxed) {
        return None;
    }
    solver.write_out(workers, values);
    Some(IntegrateStats {
        tiles: solver.visits.load(Ordering::Relaxed),
        expanded: solver.relaxed.load(Ordering::Relaxed),
        ..IntegrateStats::default()
    })
}

/// The bytes that tiles of a map, what waits for them and the queue take if all of them are worked.
pub(in crate::integrate) fn memory(movement: &Movement) -> u64 {
    let mut map = TileMap::default();
    map.reset(movement.grid());
    let of_tile = size_of::<Tile>()
        + size_of::<Mutex<Option<Box<Tile>>>>()
        + size_of::<Mutex<Inbox>>()
        + 2 * size_of::<Reverse<(u32, TileIndex)>>();
    let portals: usize = movement
        .portal_cells()
        .map(|cell| movement.portals_of(cell).count())
        .sum();
    // Lists of portals and of what they offer have just grown.
    (map.len() * of_tile + portals * (3 * size_of::<PortalEnd>() + 64)) as u64
}

impl TileScratch {
    /// Makes room for a map; what earlier runs left becomes meaningless.
    fn begin(&mut self, movement: &Movement) {
        let grid = movement.grid();
        self.run += 1;
        self.map.reset(grid);
        let tiles = self.map.len();
        self.tiles.resize_with(tiles, Mutex::default);
        self.inboxes.resize_with(tiles, || Mutex::new(Inbox::new()));
        self.portals.clear();
        for from in movement.portal_cells() {
            for portal in movement.portals_of(from) {
                let (to, to_cell) = self.map.locate(grid, portal.other);
                let (tile, cell) = self.map.locate(grid, from);
                self.portals.push(PortalEnd {
                    to,
                    to_cell,
                    from: tile,
                    from_cell: pack(cell),
                    cost: portal.cost,
                });
            }
        }
        self.portals.sort_by_key(|portal| portal.to);
    }
}

/// The column and row of a cell in its tile as one number.
#[expect(clippy::cast_possible_truncation, reason = "below 1,024")]
pub(super) const fn pack((column, row): (usize, usize)) -> u16 {
    (row * SIDE + column) as u16
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A worker that panicked passes the panic on through the pool; what it left is not read again.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Solver<'a> {
    scratch: &'a TileScratch,
    movement: &'a Movement,
    level: Option<Level>,
    prices: Prices,
    /// Whether the limit is that of the engine and not of the caller: then a cost beyond it is a reason to give up.
    limit_is_ours: bool,
    gave_up: AtomicBool,
    visits: AtomicU64,
    relaxed: AtomicU64,
    queue: Mutex<Queue>,
    /// Told when workers that wait have something to look at.
    news: Condvar,
}

/// Sends the other workers home if a visit panics: they would wait for its end for ever.
struct Alarm<'a> {
    solver: &'a Solver<'a>,
    is_off: bool,
}

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if !self.is_off {
            self.solver.gave_up.store(true, Ordering::Relaxed);
            self.solver.news.notify_all();
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

/// What one worker uses from visit to visit.
#[derive(Debug, Default)]
struct Hand {
    waiting: Waiting,
    offers: Vec<(u16, u32)>,
    /// Tiles that have news, with the least cost of it.
    told: Vec<(u32, TileIndex)>,
}

impl Solver<'_> {
    fn seed(&self, seeds: &[Seed]) {
        let mut queue = lock(&self.queue);
        for seed in seeds {
            if seed.bias > self.prices.limit {
                if self.limit_is_ours {
                    self.gave_up.store(true, Ordering::Relaxed);
                }
                continue;
            }
            let (tile, cell) = self.scratch.map.locate(self.movement.grid(), seed.cell);
            if self.offer(tile, pack(cell), seed.bias) {
                queue.tiles.push(Reverse((seed.bias, tile)));
            }
        }
    }

    /// Offers a cost to a cell of a tile. Returns whether the tile has to be queued for it.
    fn offer(&self, tile: TileIndex, cell: u16, cost: u32) -> bool {
        let mut inbox = self.inbox(tile);
        inbox.offers.push((cell, cost));
        let is_first = cost < inbox.key;
        inbox.key = inbox.key.min(cost);
        is_first
    }

    fn inbox(&self, tile: TileIndex) -> MutexGuard<'_, Inbox> {
        let mut inbox = lock(&self.scratch.inboxes[tile]);
        if inbox.run != self.scratch.run {
            inbox.run = self.scratch.run;
            inbox.halo = Halo::UNKNOWN;
            inbox.work = Work::default();
            inbox.offers.clear();
            inbox.key = NONE;
        }
        inbox
    }

    fn work_alone(&self) {
        let mut queue = core::mem::take(&mut *lock(&self.queue));
        let mut hand = Hand::default();
        while let Some(Reverse((key, tile))) = queue.tiles.pop() {
            self.visit(tile, key, &mut hand);
            queue.tiles.extend(hand.told.drain(..).map(Reverse));
            if self.gave_up.load(Ordering::Relaxed) {
                return;
            }
        }
    }

    /// The loop of one of several workers: takes the most urgent tile until none is left and nobody can add one. Workers do
    /// not wait for each other to begin, so it ends also where a pool runs its tasks one after the other.
    fn work_together(&self) {
        let mut hand = Hand::default();
        let mut queue = lock(&self.queue);
        loop {
            match queue.tiles.pop() {
                Some(Reverse((key, tile))) => {
                    queue.active += 1;
                    drop(queue);
                    let mut alarm = Alarm {
                        solver: self,
                        is_off: false,
                    };
                    self.visit(tile, key, &mut hand);
                    alarm.is_off = true;
                    queue = lock(&self.queue);
                    queue.active -= 1;
                    queue.tiles.extend(hand.told.drain(..).map(Reverse));
                    if queue.waiting > 0 && (queue.tiles.len() > 1 || queue.active == 0) {
                        self.news.notify_all();
                    }
                }
                None if queue.active == 0 => return,
                None => {
                    // Somebody has a tile in hand that may lower others.
                    queue.waiting += 1;
                    queue = self.news.wait(queue).unwrap_or_else(PoisonError::into_inner);
                    queue.waiting -= 1;
                }
            }
            if self.gave_up.load(Ordering::Relaxed) {
                self.news.notify_all();
                return;
            }
        }
    }

    /// Works a tile, unless what it was queued for has been done meanwhile.
    fn visit(&self, index: TileIndex, key: u32, hand: &mut Hand) {
        let mut guard = lock(&self.scratch.tiles[index]);
        let tile = guard.get_or_insert_with(Tile::new);
        // Held while the tile is worked: its neighbours may have to wait to tell it something, but it waits for nobody.
        let mut inbox = self.inbox(index);
        if inbox.key != key {
            return;
        }
        inbox.key = NONE;
        hand.offers.clear();
        core::mem::swap(&mut hand.offers, &mut inbox.offers);
        let work = core::mem::take(&mut inbox.work);
        let visits = self.visits.fetch_add(1, Ordering::Relaxed);
        if visits > VISITS_PER_TILE * self.scratch.map.len() as u64 {
            self.gave_up.store(true, Ordering::Relaxed);
            return;
        }
        let place = self.scratch.map.place(index);
        let job = Job {
            place: &place,
            is_new: tile.run != self.scratch.run,
            offers: &hand.offers,
            halo: &inbox.halo,
        };
        tile.run = self.scratch.run;
        let (lowered, news) = self.work_tile(tile, &job, work, &mut hand.waiting);
        drop(inbox);
        self.relaxed
            .fetch_add(u64::from(lowered.relaxed), Ordering::Relaxed);
        if lowered.dropped && self.limit_is_ours {
            self.gave_up.store(true, Ordering::Relaxed);
        }
        if let Some(news) = news {
            self.tell(&place, &news, &mut hand.told);
            self.tell_portals(index, tile, &lowered, &mut hand.told);
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
        let (mut lowered, work) = self.prepare(tile, job, work, waiting, true, tile::exit_masks);
        lowered.join(&self.work_cells(tile, job.halo, work, waiting));
        let news = (lowered.rows != 0).then(|| News::of(&tile.values, job.halo, &lowered));
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
        let (mut lowered, work) = self.prepare(
            tile,
            job,
            work,
            waiting,
            false,
            #[inline(always)]
            |bytes| tile::exit_masks_by_vectors(simd, bytes),
        );
        let more = if tile.ground.is_maze {
            self.work_cells(tile, job.halo, work, waiting)
        } else {
            relax(simd, &mut tile.values, &tile.ground, job.halo, work, &self.prices)
        };
        lowered.join(&more);
        let news = (lowered.rows != 0).then(
            #[inline(always)]
            || News::of(&tile.values, job.halo, &lowered),
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
        exit_masks: impl Fn(&[u8; SIDE]) -> [u32; 8],
    ) -> (Lowered, Work) {
        if job.is_new {
            tile.values = [[NONE; SIDE]; SIDE];
            tile.ground
                .read(self.movement, job.place.layer, job.place.at, exit_masks);
        }
        let mut lowered = Lowered::default();
        for &(cell, cost) in job.offers {
            let (column, row) = (usize::from(cell) % SIDE, usize::from(cell) / SIDE % SIDE);
            if cost < tile.values[row][column] {
                tile.values[row][column] = cost;
                lowered.note(row, 1 << column);
                work = work.join(Work::of_row(row));
                if by_cells || tile.ground.is_maze {
                    waiting.push(column, row);
                }
            }
        }
        (lowered, work)
    }

    /// Tells the tiles around a tile what it lowered.
    fn tell(&self, place: &Place<'_>, news: &News, told: &mut Vec<(u32, TileIndex)>) {
        const LAST: usize = SIDE - 1;
        let pulls_up = Work {
            up: 1,
            ..Work::default()
        };
        let pulls_down = Work {
            down: 1 << LAST,
            ..Work::default()
        };
        let beside = |rim: &Rim| Work {
            up: rim.cells << 1,
            down: rim.cells >> 1,
            side: rim.cells,
        };
        let News {
            north,
            south,
            west,
            east,
            corners,
        } = news;
        let mut pass = |rim: &Rim, dx, dy, work, write: fn(&mut Halo, &[u32; SIDE])| {
            if rim.is_lowered
                && let Some(to) = place.beside(dx, dy)
            {
                self.pass(to, rim.least, work, told, |halo| write(halo, &rim.values));
            }
        };
        pass(north, 0, -1, pulls_down, |halo, row| halo.south = *row);
        pass(south, 0, 1, pulls_up, |halo, row| halo.north = *row);
        pass(west, -1, 0, beside(west), |halo, column| {
            halo.east[1..=SIDE].copy_from_slice(column);
        });
        pass(east, 1, 0, beside(east), |halo, column| {
            halo.west[1..=SIDE].copy_from_slice(column);
        });
        let across = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
        for (&corner, (dx, dy)) in corners.iter().zip(across) {
            let (Some(value), Some(to)) = (corner, place.beside(dx, dy)) else {
                continue;
            };
            let work = if dy < 0 { pulls_down } else { pulls_up };
            self.pass(to, value, work, told, |halo| {
                let into = if dx < 0 { &mut halo.east } else { &mut halo.west };
                into[if dy < 0 { SIDE + 1 } else { 0 }] = value;
            });
        }
    }

    /// Offers what a tile lowered at the far ends of portals to their near ends.
    fn tell_portals(
        &self,
        index: TileIndex,
        tile: &Tile,
        lowered: &Lowered,
        told: &mut Vec<(u32, TileIndex)>,
    ) {
        let portals = &self.scratch.portals;
        let first = portals.partition_point(|portal| portal.to < index);
        for portal in portals[first..].iter().take_while(|portal| portal.to == index) {
            let (column, row) = portal.to_cell;
            let value = tile.values[row][column];
            if lowered.rows >> row & 1 == 0 || value == NONE {
                continue;
            }
            let sum = value.saturating_add(portal.cost);
            if sum > self.prices.limit {
                if self.limit_is_ours {
                    self.gave_up.store(true, Ordering::Relaxed);
                }
            } else if self.offer(portal.from, portal.from_cell, sum) {
                told.push((sum, portal.from));
            }
        }
    }

    /// Writes into the halo of a tile, and queues the tile if there is news in it.
    fn pass(
        &self,
        to: TileIndex,
        news: u32,
        work: Work,
        told: &mut Vec<(u32, TileIndex)>,
        write: impl FnOnce(&mut Halo),
    ) {
        let mut inbox = self.inbox(to);
        write(&mut inbox.halo);
        if news != NONE {
            inbox.work = inbox.work.join(work);
            if news < inbox.key {
                inbox.key = news;
                told.push((news, to));
            }
        }
    }

    /// Copies tiles into the field, row of tiles by row of tiles.
    fn write_out(&self, workers: &dyn Workers, values: &mut [u32]) {
        let grid = self.movement.grid();
        for layer in grid.layers() {
            let width = layer.width() as usize;
            let first = CellId::from_index(layer.range().start);
            let bands: Vec<_> = values[layer.range()].chunks_mut(SIDE * width).collect();
            for_each_part(workers, bands, |band, out| {
                let first = CellId::from_index(first.index() + band * SIDE * width);
                let (mut tile, _) = self.scratch.map.locate(grid, first);
                for column in (0..width).step_by(SIDE) {
                    if let Some(solved) = &*lock(&self.scratch.tiles[tile])
                        && solved.run == self.scratch.run
                    {
                        let across = (width - column).min(SIDE);
                        for (line, row) in out.chunks_mut(width).zip(&solved.values) {
                            for (cell, &value) in line[column..column + across].iter_mut().zip(row) {
                                *cell = if value == NONE { *cell } else { value };
                            }
                        }
                    }
                    tile += 1;
                }
            });
        }
    }
}
