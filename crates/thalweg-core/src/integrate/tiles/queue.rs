//! Which tile is next: one queue per worker, and what workers do when theirs is empty.
//!
//! A tile is 6 KiB that a processor core has in its own cache after a visit, so a tile has an owner, the worker that visits
//! it again and again; only who has nothing to do takes a tile of another. (One queue for all had every other visit fetch
//! the tile from the other core: two threads used 1.8 times the processor time of one and finished no sooner.) Owners are
//! dealt out in a pattern of small squares, so that wherever the wave is, all have work.

use super::NONE;
use super::exchange::Told;
use super::map::{TileIndex, TileMap};
use super::slots::lock;
use core::cmp::Reverse;
use core::hint::spin_loop;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::collections::BinaryHeap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Tiles in order of the least cost that waits for them, with entries that have become dearer than that left in.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// Cost and tile, as one number each.
    tiles: BinaryHeap<Reverse<u64>>,
}

impl Queue {
    pub(super) fn clear(&mut self) {
        self.tiles.clear();
    }

    #[inline]
    pub(super) fn push(&mut self, (key, tile): Told) {
        // Tiles are fewer than cells, whose ids fit 32 bits.
        self.tiles.push(Reverse(u64::from(key) << 32 | tile as u64));
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<Told> {
        self.tiles.pop().map(|Reverse(entry)| Self::told(entry))
    }

    /// The least cost that waits; [`NONE`] if none does.
    fn least(&self) -> u32 {
        self.tiles
            .peek()
            .map_or(NONE, |&Reverse(entry)| Self::told(entry).0)
    }

    #[expect(clippy::cast_possible_truncation, reason = "two halves of 32 bits")]
    const fn told(entry: u64) -> Told {
        ((entry >> 32) as u32, entry as u32 as usize)
    }
}

/// Whether a worker is at its desk.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Presence {
    /// Its task has not begun, and may never begin before others end: its tiles are for who comes by.
    #[default]
    Absent,
    /// It looks out for tiles.
    Idle,
    Busy,
}

/// What a worker has to do.
#[derive(Debug, Default)]
struct Tray {
    queue: Queue,
    /// The cost for which the tile in hand was queued; [`NONE`] without one. It stays until all that the visit told is in
    /// queues, so that at any time everything that waits is at least as dear as the least of queues and hands.
    in_hand: Option<u32>,
    presence: Presence,
}

/// The place of one worker. Aligned so that no two share a cache line (or a pair of them, which processors fetch together).
#[derive(Debug)]
#[repr(align(128))]
struct Desk {
    tray: Mutex<Tray>,
    /// The least cost that waits in the queue, [`NONE`] if it is empty, for others to look at without the lock.
    least: AtomicU32,
    /// Whether somebody made the worker busy while it was idle. It may find that what it was called for has been taken by
    /// another; but it counts as busy until it has looked.
    is_called: AtomicBool,
}

impl Desk {
    fn new() -> Self {
        Self {
            tray: Mutex::default(),
            least: AtomicU32::new(NONE),
            is_called: AtomicBool::new(false),
        }
    }

    fn is_empty(&self) -> bool {
        self.least.load(Ordering::SeqCst) == NONE
    }

    /// To be called with the tray locked whenever its queue has changed.
    fn publish(&self, tray: &Tray) {
        self.least.store(tray.queue.least(), Ordering::SeqCst);
    }
}

/// The desks of all workers of a run.
#[derive(Debug, Default)]
pub(super) struct Desks {
    desks: Vec<Desk>,
    /// The owner of each tile.
    owners: Vec<u16>,
    /// Workers that are present and not idle. Once it is zero, all queues are empty and nobody has a tile in hand: a
    /// worker goes idle only after it found every queue empty, and only busy workers push.
    busy: AtomicUsize,
    /// Workers that sleep because they found nothing for a while.
    asleep: AtomicUsize,
    bed: Mutex<()>,
    alarm: Condvar,
}

/// How often an idle worker looks around before it sleeps: some 20 microseconds, which is what it costs to be woken.
const LOOKS: u32 = 500;

/// The side of the squares of tiles with one owner, in tiles.
const OWNED: u32 = 8;

impl Desks {
    /// Empties as many desks as there are workers, of whom the first own the tiles if there are very many.
    pub(super) fn reset(&mut self, workers: usize, map: &TileMap) {
        self.desks.resize_with(workers, Desk::new);
        for desk in &mut self.desks {
            let tray = desk.tray.get_mut().unwrap_or_else(PoisonError::into_inner);
            tray.queue.clear();
            tray.in_hand = None;
            tray.presence = Presence::Absent;
            *desk.least.get_mut() = NONE;
        }
        *self.busy.get_mut() = 0;
        *self.asleep.get_mut() = 0;
        self.owners.clear();
        if workers > 1 {
            let owners = u32::from(u16::try_from(workers).unwrap_or(u16::MAX));
            self.owners.extend((0..map.len()).map(|tile| {
                let (column, row) = map.column_row(tile);
                u16::try_from((column / OWNED + 3 * (row / OWNED)) % owners).unwrap_or(0)
            }));
        }
    }

    /// The queue of a worker that is the only one.
    pub(super) fn only(&mut self) -> &mut Queue {
        let tray = self.desks[0].tray.get_mut();
        &mut tray.unwrap_or_else(PoisonError::into_inner).queue
    }

    fn owner(&self, tile: TileIndex) -> usize {
        self.owners.get(tile).map_or(0, |&owner| usize::from(owner))
    }

    fn tray(&self, worker: usize) -> MutexGuard<'_, Tray> {
        lock(&self.desks[worker].tray)
    }

    /// Takes part from now on.
    pub(super) fn arrive(&self, me: usize) {
        self.busy.fetch_add(1, Ordering::SeqCst);
        self.tray(me).presence = Presence::Busy;
    }

    /// Puts what the last visit told into the queues of the owners, and takes the next tile of one's own.
    pub(super) fn next(&self, me: usize, told: &mut Vec<Told>) -> Option<Told> {
        told.retain(|&entry| {
            let owner = self.owner(entry.1);
            if owner != me {
                self.put(owner, entry);
            }
            owner == me
        });
        let mut tray = self.tray(me);
        for entry in told.drain(..) {
            tray.queue.push(entry);
        }
        let next = tray.queue.pop();
        tray.in_hand = next.map(|(key, _)| key);
        let has_more = !tray.queue.tiles.is_empty();
        self.desks[me].publish(&tray);
        drop(tray);
        if has_more {
            self.wake();
        }
        next
    }

    /// Puts a tile into the queue of a worker, and calls it if it is idle.
    pub(super) fn put(&self, worker: usize, entry: Told) {
        let desk = &self.desks[worker];
        let mut tray = lock(&desk.tray);
        tray.queue.push(entry);
        let calls = tray.presence == Presence::Idle;
        if calls {
            tray.presence = Presence::Busy;
            self.busy.fetch_add(1, Ordering::SeqCst);
            desk.is_called.store(true, Ordering::SeqCst);
        }
        desk.publish(&tray);
        drop(tray);
        // Counted as busy, it must not sleep on, even if what it was called for is taken by another: nobody would end.
        if calls {
            self.wake();
        }
    }

    /// Puts a tile into the queue of its owner, before anybody works.
    pub(super) fn seed(&self, entry: Told) {
        self.put(self.owner(entry.1), entry);
    }

    /// Takes a tile from another worker who has one below a cost, and says from whom.
    pub(super) fn take_of_others(&self, me: usize, below: u32) -> Option<(usize, Told)> {
        let workers = self.desks.len();
        (1..workers).map(|step| (me + step) % workers).find_map(|other| {
            if self.desks[other].least.load(Ordering::SeqCst) >= below {
                return None;
            }
            // Always in one order, or two workers could wait for each other's.
            let (mut first, mut second) = (self.tray(me.min(other)), self.tray(me.max(other)));
            let (mine, theirs) = if me < other {
                (&mut *first, &mut *second)
            } else {
                (&mut *second, &mut *first)
            };
            let entry = theirs.queue.pop()?;
            self.desks[other].publish(theirs);
            mine.in_hand = Some(mine.in_hand.map_or(entry.0, |key| key.min(entry.0)));
            Some((other, entry))
        })
    }

    /// Waits until there may be something to do; `false` once there never will be, or `is_over` says so.
    pub(super) fn rest(&self, me: usize, is_over: impl Fn() -> bool) -> bool {
        {
            let mut tray = self.tray(me);
            if !tray.queue.tiles.is_empty() {
                return true;
            }
            tray.in_hand = None;
            tray.presence = Presence::Idle;
            self.desks[me].is_called.store(false, Ordering::SeqCst);
            if self.busy.fetch_sub(1, Ordering::SeqCst) == 1 {
                drop(tray);
                self.wake();
                return false;
            }
        }
        let is_quiet = || {
            let is_called = self.desks[me].is_called.load(Ordering::SeqCst);
            !is_called && self.desks.iter().all(|desk| desk.is_empty())
        };
        let ends = || is_over() || self.busy.load(Ordering::SeqCst) == 0;
        loop {
            for _ in 0..LOOKS {
                if ends() {
                    return false;
                }
                if !is_quiet() {
                    let mut tray = self.tray(me);
                    if tray.presence == Presence::Idle {
                        tray.presence = Presence::Busy;
                        self.busy.fetch_add(1, Ordering::SeqCst);
                    }
                    return true;
                }
                spin_loop();
            }
            let mut bed = lock(&self.bed);
            self.asleep.fetch_add(1, Ordering::SeqCst);
            // Whoever changes anything does so before it looks whether somebody sleeps: it is seen here, or there.
            while is_quiet() && !ends() {
                bed = self.alarm.wait(bed).unwrap_or_else(PoisonError::into_inner);
            }
            self.asleep.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// Wakes all who sleep.
    #[inline]
    pub(super) fn wake(&self) {
        if self.asleep.load(Ordering::SeqCst) > 0 {
            drop(lock(&self.bed));
            self.alarm.notify_all();
        }
    }

    /// The least cost that waits anywhere or is in a hand: all costs up to it are final.
    pub(super) fn least(&self) -> u32 {
        // All locks at once: what moves from one desk to another would be missed between two looks.
        let trays: Vec<_> = self.desks.iter().map(|desk| lock(&desk.tray)).collect();
        let keys = trays
            .iter()
            .flat_map(|tray| [tray.queue.least(), tray.in_hand.unwrap_or(NONE)]);
        keys.min().unwrap_or(NONE)
    }
}
