//! A run of the tile engine: by one worker or several, until nothing waits, enough is known, or somebody ends it.

use super::exchange::{Inbox, PortalEnd, list_portals};
use super::map::{TileIndex, TileMap};
use super::output::Bands;
use super::packing::Packing;
use super::prices::Prices;
use super::queue::Desks;
use super::slots::{Alone, Shared, Slots, lock};
use super::tile::{Tile, Values};
use super::visit::{Counts, Hand, Rules, TileSlot};
use super::wanted::Wanted;
use super::{NONE, SIDE};
use crate::grid::Direction;
use crate::integrate::asked::Answers;
use crate::integrate::{IntegrateStats, RunOptions, Seed, Watch};
use crate::movement::{Movement, SameGround};
use crate::vectors::Level;
use core::cmp::Reverse;
use core::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// After this many visits per tile of the map the engine gives up. Open maps need two to four, mazes up to fifty (which `integrate` does not give to it).
const VISITS_PER_TILE: u64 = 400;

/// Cells of a tile.
const CELLS: u64 = (SIDE * SIDE) as u64;

/// Visits of a worker between two looks at everything else: who watches, what is asked for, whether to give up.
const LOOK_EVERY: u64 = 8;
/// A worker helps another that is behind by more than so many of its own visits.
const FALL_BACK: usize = 16;

/// The smallest map, in cells, on which tiles are written as soon as they are final. There the costs of all tiles leave every
/// cache before the end, and memory is what takes the time: 1.1 to 1.3 times as fast at 2048 × 2048. On smaller maps writing
/// row of tiles by row of tiles, at the end, is as much faster, because the processor foresees it.
///
/// Where debugging checks are on, small maps are written so as well, which is how tests get there.
const EARLY_FROM: usize = if cfg!(debug_assertions) { 1 << 10 } else { 1 << 21 };

/// How much spare room a worker takes at once.
const SPARE_AT_ONCE: usize = 16;

/// Looks between two words to who watches.
const WATCHED_EVERY: u64 = 4;

/// Tiles and what waits for them, reused from run to run.
#[derive(Debug, Default)]
pub(in crate::integrate) struct TileScratch {
    map: TileMap,
    tiles: Vec<Mutex<TileSlot>>,
    inboxes: Vec<Mutex<Inbox>>,
    /// In order of the tile they lead to.
    portals: Vec<PortalEnd>,
    desks: Desks,
    run: u64,
    /// The ground that tiles have read, and in which run the first of them did. Fields for several goals on one map, which is
    /// the usual case, read it once.
    ground: Option<SameGround>,
    ground_since: u64,
    /// Room for the costs of tiles that no tile holds.
    spare: Mutex<Vec<Box<Values>>>,
}

/// What a run is to find out.
#[derive(Clone, Copy, Debug)]
pub(in crate::integrate) struct Task<'a> {
    pub(in crate::integrate) movement: &'a Movement,
    pub(in crate::integrate) seeds: &'a [Seed],
    pub(in crate::integrate) limit: u32,
    pub(in crate::integrate) level: Option<Level>,
    pub(in crate::integrate) packing: Packing,
}

/// What a run came to.
pub(in crate::integrate) enum Outcome {
    /// Every cell of the field was written.
    Done {
        stats: IntegrateStats,
        answers: Answers,
        /// Whether a cost beyond the limit was dropped anywhere, be it that a cheaper way was found later.
        dropped: bool,
    },
    /// Another engine is the better choice; nothing was written.
    GaveUp,
    /// By who watches; nothing was written.
    Cancelled,
}

/// Integrates with tiles into `values`, of which every one is written, and the winning goals into `labels` if the packing has
/// any; what stands there for cells without a cost means nothing.
///
/// It gives up if a cost exceeds what the packing holds (2^30 without goals) although the limit is beyond, or if tiles were visited so often that another engine is
/// the better choice. It never gives another answer than the others.
pub(in crate::integrate) fn run(
    task: &Task<'_>,
    options: &RunOptions<'_>,
    scratch: &mut TileScratch,
    values: &mut [u32],
    labels: &mut [u32],
) -> Outcome {
    let Task {
        movement,
        seeds,
        limit,
        packing,
        ..
    } = *task;
    let workers = scratch.begin(movement, packing, options.workers.threads());
    let TileScratch {
        map,
        tiles,
        inboxes,
        portals,
        desks,
        run,
        ground_since,
        spare,
        ..
    } = scratch;
    let rules = Rules::of(task, map, portals, (*run, *ground_since));
    let wanted = options
        .asked
        .map(|asked| Wanted::new(&asked, movement, map, packing));
    let bands = Bands::new(map, movement, values, labels);
    let watched = Watched {
        rules: &rules,
        watch: options.watch,
        looked_at: wanted.as_ref().map_or_else(Vec::new, Wanted::tiles),
        wanted: wanted.map(Mutex::new),
        bands: &bands,
        spare,
        limit_is_ours: limit > packing.largest(),
        verdict: AtomicU8::new(GO_ON),
        totals: Totals::default(),
    };
    // Seeds.
    let mut dropped = false;
    for seed in seeds {
        if seed.bias > packing.cost_of(rules.prices.limit) {
            dropped = true;
            continue;
        }
        let goal = if packing.has_goals() { seed.goal } else { 0 };
        let cost = packing.pack(seed.bias, goal);
        let (tile, cell) = map.locate(movement.grid(), seed.cell);
        if (Alone(inboxes).hold(tile).of_run(*run)).offer(pack(cell), cost) {
            desks.seed((cost, tile));
        }
    }
    watched.totals.dropped.store(dropped, Ordering::Relaxed);
    if dropped && watched.limit_is_ours {
        return Outcome::GaveUp;
    }
    let answered = OnceLock::new();
    if workers == 1 {
        let (mut tiles, mut inboxes) = (Alone(tiles), Alone(inboxes));
        watched.work_alone(desks, &mut tiles, &mut inboxes);
        watched.write_out(&mut tiles, &answered);
    } else {
        options.workers.run(workers, &|me| {
            let (mut tiles, mut inboxes) = (Shared(tiles), Shared(inboxes));
            watched.work_together(me, desks, &mut tiles, &mut inboxes);
            watched.write_out(&mut tiles, &answered);
        });
    }
    let Totals {
        visits,
        relaxed,
        dropped,
        ..
    } = watched.totals;
    match watched.verdict.into_inner() {
        GIVE_UP => Outcome::GaveUp,
        CANCEL => Outcome::Cancelled,
        _ => Outcome::Done {
            stats: IntegrateStats {
                tiles: visits.into_inner(),
                expanded: relaxed.into_inner(),
                ..IntegrateStats::default()
            },
            answers: answered.into_inner().unwrap_or(Answers::All),
            dropped: dropped.into_inner(),
        },
    }
}

impl<'a> Rules<'a> {
    /// For a task, in a run with a ground that holds since another.
    pub(super) fn of(
        task: &Task<'a>,
        map: &'a TileMap,
        portals: &'a [PortalEnd],
        (run, ground_since): (u64, u64),
    ) -> Self {
        let Task {
            movement,
            limit,
            level,
            packing,
            ..
        } = *task;
        let lengths = movement.steps().lengths();
        Self {
            movement,
            map,
            portals,
            run,
            ground_since,
            level,
            prices: Prices {
                straight: packing.cost(lengths[Direction::N.index()]),
                diagonal: packing.cost(lengths[Direction::NE.index()]),
                limit: packing.last_of(packing.cost(limit.min(packing.largest()))),
            },
            packing,
            writes_early: movement.grid().len() >= EARLY_FROM,
        }
    }
}

/// The bytes that tiles of a map, what waits for them and the queues take if all of them are worked.
pub(in crate::integrate) fn memory(movement: &Movement) -> u64 {
    let mut map = TileMap::default();
    map.reset(movement.grid());
    let of_tile = size_of::<Tile>()
        + size_of::<Values>()
        + size_of::<Mutex<TileSlot>>()
        + size_of::<Mutex<Inbox>>()
        + 2 * size_of::<u64>();
    let portals: usize = movement
        .portal_cells()
        .map(|cell| movement.portals_of(cell).count())
        .sum();
    // Lists of portals and of what they offer have just grown.
    (map.len() * of_tile + portals * (3 * size_of::<PortalEnd>() + 64)) as u64
}

impl TileScratch {
    /// Makes room for a map; what earlier runs left becomes meaningless. Returns how many workers there is work for.
    fn begin(&mut self, movement: &Movement, packing: Packing, threads: usize) -> usize {
        self.run += 1;
        let ground = Some(movement.same_ground());
        if self.ground != ground {
            self.ground = ground;
            self.ground_since = self.run;
        }
        self.map.reset(movement.grid());
        let tiles = self.map.len();
        self.tiles.resize_with(tiles, Mutex::default);
        self.inboxes.resize_with(tiles, || Mutex::new(Inbox::new()));
        list_portals(&self.map, movement, packing, &mut self.portals);
        let workers = threads.clamp(1, tiles);
        self.desks.reset(workers, &self.map);
        workers
    }
}

/// The column and row of a cell in its tile as one number.
#[expect(clippy::cast_possible_truncation, reason = "below 1,024")]
pub(super) const fn pack((column, row): (usize, usize)) -> u16 {
    (row * SIDE + column) as u16
}

/// Verdicts on a run.
const GO_ON: u8 = 0;
/// All that is asked for is known.
const ENOUGH: u8 = 1;
const GIVE_UP: u8 = 2;
const CANCEL: u8 = 3;

/// What all workers did, added to now and then.
#[derive(Debug, Default)]
struct Totals {
    visits: AtomicU64,
    fresh: AtomicU64,
    relaxed: AtomicU64,
    dropped: AtomicBool,
}

/// A run and all that may end it before nothing waits.
struct Watched<'a> {
    rules: &'a Rules<'a>,
    watch: Option<&'a dyn Watch>,
    wanted: Option<Mutex<Wanted>>,
    /// The tiles with cells that are asked for, in order: they are not written before the end.
    looked_at: Vec<TileIndex>,
    bands: &'a Bands<'a>,
    spare: &'a Mutex<Vec<Box<Values>>>,
    /// Whether the limit is that of the engine and not of the caller: then a cost beyond it is a reason to give up.
    limit_is_ours: bool,
    verdict: AtomicU8,
    totals: Totals,
}

/// Sends the other workers home if a visit panics: they would wait for its end for ever.
struct Alarm<'a>(&'a AtomicU8, &'a Desks);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        self.0.fetch_max(GIVE_UP, Ordering::SeqCst);
        self.1.wake();
    }
}

impl Watched<'_> {
    fn is_over(&self) -> bool {
        self.verdict.load(Ordering::SeqCst) != GO_ON
    }

    fn work_alone(&self, desks: &mut Desks, tiles: &mut Alone<'_, TileSlot>, inboxes: &mut Alone<'_, Inbox>) {
        let queue = desks.only();
        let mut hand = Hand::default();
        while let Some((key, tile)) = queue.pop() {
            self.rules.visit(tile, key, tiles.hold(tile), inboxes, &mut hand);
            for told in hand.told.drain(..) {
                queue.push(told);
            }
            // What is told later is no cheaper than what is next.
            self.write_ripe(&mut hand, tiles, key);
            if hand.is_to_look(LOOK_EVERY) {
                self.look(&mut hand, tiles, || key);
                if self.is_over() {
                    break;
                }
            }
        }
        self.put_down(&mut hand);
    }

    /// Writes the tiles whose costs are final, and keeps their room for others: so the costs of the tiles at the front of the
    /// wave, which are few, stay in the cache, and those behind it are written while they are there.
    #[inline]
    fn write_ripe(&self, hand: &mut Hand, tiles: &mut impl Slots<TileSlot>, final_up_to: u32) {
        while let Some(&Reverse((largest, tile))) = hand.ripe.peek()
            && largest <= final_up_to
        {
            hand.ripe.pop();
            // The band first, as in `Bands::write`, or two workers could wait for each other.
            let mut band = self.bands.of(tile);
            // Who completes the bands may have answered this one.
            if self.is_over() {
                return;
            }
            // A worker that is at it lowers nothing any more; it will be written at the end.
            let Some(mut slot) = tiles.try_hold(tile) else {
                continue;
            };
            let Some(ripe) = slot.as_mut() else { continue };
            // If it was lowered since, another entry stands for it.
            let is_wanted = || self.looked_at.binary_search(&tile).is_ok();
            if ripe.largest != largest || is_wanted() {
                continue;
            }
            if let Some(values) = ripe.values.take() {
                band.write_final(tile, &values, &ripe.ground.free, self.rules.packing);
                ripe.is_written = true;
                hand.spare.push(values);
            }
        }
        if hand.spare.is_empty() {
            let mut spare = lock(self.spare);
            let kept = spare.len().saturating_sub(SPARE_AT_ONCE);
            hand.spare.extend(spare.drain(kept..));
        }
    }

    /// The end of a worker's work.
    fn put_down(&self, hand: &mut Hand) {
        self.add(&mut hand.counts);
        lock(self.spare).append(&mut hand.spare);
    }

    /// The loop of one of several workers: takes the most urgent of its tiles until no tile is left and nobody can add one.
    /// Workers do not wait for each other to begin, so it ends also where a pool runs its tasks one after the other.
    fn work_together(
        &self,
        me: usize,
        desks: &Desks,
        tiles: &mut Shared<'_, TileSlot>,
        inboxes: &mut Shared<'_, Inbox>,
    ) {
        let alarm = Alarm(&self.verdict, desks);
        let mut hand = Hand::default();
        desks.arrive(me);
        let mut past = [0; FALL_BACK];
        let mut turn = 0;
        while !self.is_over() {
            let own = desks.next(me, &mut hand.told);
            // Who is ahead of another by many visits works in vain: what the other has still to do will lower it again. So it
            // helps out.
            let below = own.map_or(NONE, |_| past[turn % FALL_BACK]);
            let others = desks.take_of_others(me, below);
            let mut has_helped = false;
            if let Some((owner, (key, tile))) = others {
                if let Some(mut slot) = tiles.try_hold(tile) {
                    if let Some(own) = own {
                        desks.put(me, own);
                    }
                    self.rules.visit(tile, key, &mut slot, inboxes, &mut hand);
                    has_helped = true;
                } else {
                    // Its owner is at it.
                    desks.put(owner, (key, tile));
                }
            }
            if !has_helped {
                if let Some((key, tile)) = own {
                    past[turn % FALL_BACK] = key;
                    turn += 1;
                    self.rules
                        .visit(tile, key, &mut tiles.hold(tile), inboxes, &mut hand);
                } else if others.is_none() && !desks.rest(me, || self.is_over()) {
                    break;
                }
            }
            if hand.is_to_look(LOOK_EVERY) {
                let final_up_to = desks.least();
                self.look(&mut hand, tiles, || final_up_to);
                self.write_ripe(&mut hand, tiles, final_up_to);
            }
        }
        self.put_down(&mut hand);
        if self.is_over() {
            desks.wake();
        }
        core::mem::forget(alarm);
    }

    /// Looks at what may end the run; `final_up_to` tells up to which cost all is final.
    #[inline(never)]
    fn look(&self, hand: &mut Hand, tiles: &mut impl Slots<TileSlot>, final_up_to: impl Fn() -> u32) {
        let gives_up = hand.counts.dropped && self.limit_is_ours;
        let visits = self.add(&mut hand.counts);
        let verdict = if gives_up || visits > VISITS_PER_TILE * self.rules.map.len() as u64 {
            GIVE_UP
        } else if self.is_known(tiles, final_up_to) {
            ENOUGH
        } else {
            GO_ON
        };
        hand.looks += 1;
        let cancels = || {
            let of = self.rules.movement.grid().len() as u64;
            let done = (self.totals.fresh.load(Ordering::Relaxed) * CELLS).min(of);
            let watch = self.watch.filter(|_| hand.looks % WATCHED_EVERY == 1);
            watch.is_some_and(|watch| watch.progress(done, of).is_break())
        };
        let verdict = if cancels() { CANCEL } else { verdict };
        if verdict != GO_ON {
            self.verdict.fetch_max(verdict, Ordering::SeqCst);
        }
    }

    fn is_known(&self, tiles: &mut impl Slots<TileSlot>, final_up_to: impl Fn() -> u32) -> bool {
        let Some(wanted) = &self.wanted else { return false };
        // Whoever has it looks for all.
        let Ok(mut wanted) = wanted.try_lock() else {
            return false;
        };
        wanted.are_known(tiles, self.rules.run, final_up_to())
    }

    /// Adds to the totals what a worker did since it last did so. Returns the visits of all.
    fn add(&self, counts: &mut Counts) -> u64 {
        let Counts {
            visits,
            fresh,
            relaxed,
            dropped,
            ..
        } = core::mem::take(counts);
        self.totals.fresh.fetch_add(fresh, Ordering::Relaxed);
        self.totals.relaxed.fetch_add(relaxed, Ordering::Relaxed);
        if dropped {
            self.totals.dropped.store(true, Ordering::Relaxed);
            if self.limit_is_ours {
                self.verdict.fetch_max(GIVE_UP, Ordering::SeqCst);
            }
        }
        self.totals.visits.fetch_add(visits, Ordering::Relaxed) + visits
    }

    /// Writes the field, together with whoever else gets here, unless the run came to nothing.
    fn write_out(&self, tiles: &mut impl Slots<TileSlot>, answered: &OnceLock<Answers>) {
        if self.verdict.load(Ordering::SeqCst) > ENOUGH {
            return;
        }
        let answers = *answered.get_or_init(|| match &self.wanted {
            Some(wanted) => {
                let wanted = wanted.lock().unwrap_or_else(PoisonError::into_inner);
                wanted.answers(tiles, self.rules.run)
            }
            None => Answers::All,
        });
        self.bands.write(tiles, self.rules, answers);
    }
}
