//! How one integration is carried out: by which threads, for which cells, watched by whom.

use super::asked::Asked;
use crate::movement::Movement;
use crate::workers::{Serial, Workers};
use core::fmt;
use core::ops::ControlFlow;

/// Somebody who watches a long integration and may end it.
pub trait Watch: Sync {
    /// Told now and then, every few ten thousand cells, by whichever worker is at it: about `done` of `of` cells have been
    /// reached. `done` never exceeds `of`, may end below it (walls are never reached), and with several workers may come
    /// out of order.
    ///
    /// [`ControlFlow::Break`] ends the integration with [`IntegrateError::Cancelled`](super::IntegrateError::Cancelled),
    /// soon but not at once. The answers of an integration that ends by itself do not depend on who watches.
    fn progress(&self, done: u64, of: u64) -> ControlFlow<()>;
}

/// What an integration is given beside its inputs; nothing in it changes a cell that is answered.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct RunOptions<'a> {
    /// The threads to run on; default none but the caller's. Only the tile engine uses more than one.
    pub workers: &'a dyn Workers,
    /// The cells that are asked for; default all.
    ///
    /// Let L be the largest cost-to-goal of all asked passable cells. The field then answers exactly the cells whose
    /// cost-to-goal is at most L, with the same costs, goals and (extracted from them) directions as the whole field; every
    /// other passable cell is unknown, also one from which no way leads to a goal. Walls are told as ever. If an asked
    /// passable cell has no cost (it cannot reach a goal, or not within the cost limit), that takes a whole integration to
    /// find out, and the whole field is the answer; leave such cells out where [`components`](crate::components) tell. If
    /// no passable cell is asked
    /// for, none is answered.
    ///
    /// So the answered cells do not depend on the engine, the vectors or the threads, and the cheapest ways of an answered
    /// cell lead over answered cells only.
    pub asked: Option<Asked<'a>>,
    /// Who is told how far it is, and may end it; default nobody.
    pub watch: Option<&'a dyn Watch>,
}

impl<'a> RunOptions<'a> {
    /// Default options: on the caller's thread, the whole field, unwatched.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            workers: &Serial,
            asked: None,
            watch: None,
        }
    }

    /// The options with a pool of threads.
    #[must_use]
    pub const fn with_workers(mut self, workers: &'a dyn Workers) -> Self {
        self.workers = workers;
        self
    }

    /// The options with the cells that are asked for.
    #[must_use]
    pub const fn with_asked(mut self, asked: Asked<'a>) -> Self {
        self.asked = Some(asked);
        self
    }

    /// The options with somebody who watches.
    #[must_use]
    pub const fn with_watch(mut self, watch: &'a dyn Watch) -> Self {
        self.watch = Some(watch);
        self
    }
}

impl Default for RunOptions<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for RunOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunOptions")
            .field("threads", &self.workers.threads())
            .field("asked", &self.asked)
            .field("is_watched", &self.watch.is_some())
            .finish()
    }
}

/// Cells between two looks at who watches.
const WATCHED_EVERY: u64 = 1 << 15;

/// Whether an engine that settles cells in order of their cost goes on.
pub(super) struct Pace<'a> {
    movement: &'a Movement,
    watch: Option<&'a dyn Watch>,
    /// The runs of asked cells that may not be settled yet, last first.
    waiting: Vec<core::ops::Range<usize>>,
    /// Whether cells are asked for at all.
    is_asked: bool,
    next_look: u64,
    is_idle: bool,
    pub(super) is_cancelled: bool,
}

impl<'a> Pace<'a> {
    pub(super) fn new(movement: &'a Movement, run: &RunOptions<'a>) -> Self {
        let waiting = run.asked.map_or_else(Vec::new, |asked| asked.runs().collect());
        Self {
            movement,
            watch: run.watch,
            waiting,
            is_asked: run.asked.is_some(),
            next_look: 0,
            is_idle: run.asked.is_none() && run.watch.is_none(),
            is_cancelled: false,
        }
    }

    /// Whether to go on, once every cost below `next` is final; `expanded` cells have been so far.
    #[inline(always)]
    pub(super) fn goes_on(&mut self, next: u32, costs: &[u32], expanded: u64) -> bool {
        self.is_idle || self.looks(next, costs, expanded)
    }

    #[inline(never)]
    fn looks(&mut self, next: u32, costs: &[u32], expanded: u64) -> bool {
        if let Some(watch) = self.watch
            && expanded >= self.next_look
        {
            self.next_look = expanded + WATCHED_EVERY;
            let of = costs.len() as u64;
            if watch.progress(expanded.min(of), of).is_break() {
                self.is_cancelled = true;
                return false;
            }
        }
        if !self.is_asked {
            return true;
        }
        // Settled cells are passed over once and for all.
        while let Some(run) = self.waiting.last_mut() {
            let is_open = |&cell: &usize| self.movement.costs()[cell] != 255 && costs[cell] >= next;
            if let Some(cell) = run.clone().find(is_open) {
                run.start = cell;
                return true;
            }
            self.waiting.pop();
        }
        // All that were asked for cost less than `next`: so do all cells that are to be answered.
        false
    }
}
