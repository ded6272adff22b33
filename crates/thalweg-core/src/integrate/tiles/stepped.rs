//! A run of the tile engine by one worker that rests between two visits, and makes and writes tiles a few at a time.
//!
//! All that a run needs to go on is in the tiles, their inboxes and the queue; so it may rest after any visit, and where it
//! rests does not change what comes next. It gives up much sooner than a run in one go: who has a budget wants to know what
//! is left.

use super::exchange::{Inbox, PortalEnd, list_portals};
use super::map::TileMap;
use super::output::Bands;
use super::queue::Queue;
use super::slots::{Alone, Slots};
use super::solve::{Task, pack};
use super::visit::{Hand, NEW_TILE, Rules, TileSlot, VISIT};
use crate::integrate::IntegrateStats;
use crate::movement::Movement;
use std::sync::Mutex;

/// Tiles that are made or written at a time.
const AT_ONCE: usize = 16;
/// What making a tile and its inbox takes, and what writing one does, in units of work.
const MAKE: u64 = 64;
const WRITE: u64 = 256;

/// After this many visits per tile of the map it gives up. Open maps need two to four, rooms and rough ground up to ten.
const VISITS_PER_TILE: u64 = 24;

/// Every run has tiles of its own.
const RUN: u64 = 1;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Stage {
    #[default]
    Make,
    Seed,
    Visit,
    Write,
    Finished,
}

/// How a run in steps stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::integrate) enum Standing {
    Rests,
    /// Every reached cell was written.
    Done,
    /// Another engine is the better choice; nothing was written.
    GaveUp,
}

/// The state of a run in steps.
#[derive(Debug, Default)]
pub(in crate::integrate) struct SteppedTiles {
    map: TileMap,
    tiles: Vec<Mutex<TileSlot>>,
    inboxes: Vec<Mutex<Inbox>>,
    portals: Vec<PortalEnd>,
    queue: Queue,
    hand: Hand,
    stage: Stage,
    at: usize,
    /// Work of making and writing, and of goal cells.
    beside: u64,
    /// Whether a cost beyond the limit was dropped anywhere.
    pub(in crate::integrate) dropped: bool,
}

impl SteppedTiles {
    /// Asks for room. O(portals), and sorts them.
    pub(in crate::integrate) fn begin(task: &Task<'_>) -> Self {
        let mut begun = Self::default();
        begun.map.reset(task.movement.grid());
        begun.tiles.reserve_exact(begun.map.len());
        begun.inboxes.reserve_exact(begun.map.len());
        list_portals(&begun.map, task.movement, task.packing, &mut begun.portals);
        begun
    }

    /// What has been done, in units of work.
    pub(in crate::integrate) const fn work(&self) -> u64 {
        self.beside + self.hand.counts.work
    }

    pub(in crate::integrate) fn stats(&self) -> IntegrateStats {
        IntegrateStats {
            tiles: self.hand.counts.visits,
            expanded: self.hand.counts.relaxed,
            ..IntegrateStats::default()
        }
    }

    /// Goes on until its work has come to `until`. The arrays are filled with what stands for unreached cells; they are
    /// written at the end only. The task is always the same.
    pub(in crate::integrate) fn advance(
        &mut self,
        task: &Task<'_>,
        values: &mut [u32],
        labels: &mut [u32],
        until: u64,
    ) -> Standing {
        while self.work() < until {
            match self.stage {
                Stage::Make => self.make(),
                Stage::Seed => self.seed(task),
                Stage::Visit => {
                    if self.visit(task, until) {
                        return Standing::GaveUp;
                    }
                }
                Stage::Write => self.write(task, values, labels),
                Stage::Finished => return Standing::Done,
            }
        }
        Standing::Rests
    }

    fn enter(&mut self, stage: Stage) {
        self.stage = stage;
        self.at = 0;
    }

    fn make(&mut self) {
        let end = self.map.len().min(self.at + AT_ONCE);
        self.tiles.resize_with(end, Mutex::default);
        self.inboxes.resize_with(end, || Mutex::new(Inbox::new()));
        self.beside += MAKE * (end - self.at) as u64;
        self.at = end;
        if end == self.map.len() {
            self.enter(Stage::Seed);
        }
    }

    fn seed(&mut self, task: &Task<'_>) {
        let Task {
            movement,
            seeds,
            limit,
            packing,
            ..
        } = *task;
        self.beside += 1;
        let Some(seed) = seeds.get(self.at) else {
            self.enter(Stage::Visit);
            return;
        };
        self.at += 1;
        if seed.bias > limit.min(packing.largest()) {
            self.dropped = true;
            return;
        }
        let goal = if packing.has_goals() { seed.goal } else { 0 };
        let cost = packing.pack(seed.bias, goal);
        let (tile, cell) = self.map.locate(movement.grid(), seed.cell);
        let mut inboxes = Alone(&mut self.inboxes);
        if inboxes.hold(tile).of_run(RUN).offer(pack(cell), cost) {
            self.queue.push((cost, tile));
        }
    }

    /// Visits tiles until enough has been done. Returns whether to give up.
    fn visit(&mut self, task: &Task<'_>, until: u64) -> bool {
        let rules = Rules {
            writes_early: false,
            ..Rules::of(task, &self.map, &self.portals, (RUN, RUN))
        };
        let (mut tiles, mut inboxes) = (Alone(&mut self.tiles), Alone(&mut self.inboxes));
        let most = VISITS_PER_TILE * self.map.len() as u64;
        let limit_is_ours = task.limit > task.packing.largest();
        while self.beside + self.hand.counts.work < until {
            let Some((key, tile)) = self.queue.pop() else {
                self.enter(Stage::Write);
                break;
            };
            // An entry that stands for nothing any more counts as well.
            self.beside += 1;
            rules.visit(tile, key, tiles.hold(tile), &mut inboxes, &mut self.hand);
            for told in self.hand.told.drain(..) {
                self.queue.push(told);
            }
            self.dropped |= self.hand.counts.dropped;
            if self.dropped && limit_is_ours || self.hand.counts.visits > most {
                return true;
            }
        }
        self.dropped && limit_is_ours
    }

    fn write(&mut self, task: &Task<'_>, values: &mut [u32], labels: &mut [u32]) {
        let end = self.map.len().min(self.at + AT_ONCE);
        let bands = Bands::new(&self.map, task.movement, values, labels);
        for tile in self.at..end {
            // Its memory goes at once: all of it at the end would be felt.
            let Some(done) = Alone(&mut self.tiles).hold(tile).take() else {
                continue;
            };
            if let Some(values) = &done.values {
                bands
                    .of(tile)
                    .write_final(tile, values, &done.ground.free, task.packing);
            }
        }
        self.beside += WRITE * (end - self.at) as u64;
        self.at = end;
        if end == self.map.len() {
            self.enter(Stage::Finished);
        }
    }

    /// The most work of a run on a map, but for its goal cells and what tiles need that wind more than most.
    pub(in crate::integrate) fn most_work(movement: &Movement) -> u64 {
        let mut map = TileMap::default();
        map.reset(movement.grid());
        let tiles = map.len() as u64;
        tiles.saturating_mul(MAKE + WRITE + NEW_TILE + VISITS_PER_TILE * (VISIT + LARGEST_VISIT))
    }

    /// About what a run comes to.
    pub(in crate::integrate) fn expected_work(movement: &Movement) -> u64 {
        let mut map = TileMap::default();
        map.reset(movement.grid());
        map.len() as u64 * (MAKE + WRITE + NEW_TILE + 3 * (VISIT + USUAL_VISIT))
    }
}

/// What relaxing a tile takes at most, and what it takes on most maps, as far as maps have shown.
pub(in crate::integrate) const LARGEST_VISIT: u64 = 1 << 15;
const USUAL_VISIT: u64 = 400;
