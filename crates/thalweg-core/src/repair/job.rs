//! The repair itself, in phases that can be left and taken up again.

use super::edges::{Edges, WithEdges, with_edges};
use super::goals::{best_seed, each_difference};
use crate::flow::{FlowField, FlowScratch, extract, refresh_cell, refresh_patches, refresh_portals};
use crate::grid::{CellId, Grid};
use crate::integrate::{
    IntegrateOptions, IntegrationField, MAX_COST_TO_GOAL, ResolvedGoals, UNKNOWN, UNREACHABLE, settle_again,
};
use crate::movement::Movement;
use crate::workers::Serial;
use core::cmp::Reverse;
use std::collections::BinaryHeap;
use thiserror::Error;

/// Why a field has to be rebuilt. None of it is a fault: the rebuild gives the field, or the reason why there is none.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Rebuild {
    /// More would change than a repair is worth.
    #[error("the repair comes to {work} cells, and a rebuild is cheaper beyond {limit}")]
    TooMuchWork {
        /// Cells looked at, some several times.
        work: u64,
        /// The limit.
        limit: u64,
    },
    /// A cost does not fit any more.
    #[error("the cost-to-goal of a cell of {grid} goes beyond {MAX_COST_TO_GOAL}")]
    CostOverflow {
        /// The map.
        grid: Grid,
    },
    /// The field is of another map than the movement.
    #[error("the field is of {field}, but the movement is of {movement}")]
    OtherMap {
        /// The map of the field.
        field: Grid,
        /// The map of the movement.
        movement: Grid,
    },
}

/// What a field was made from and what has changed since.
#[derive(Clone, Copy, Debug)]
pub struct RepairInput<'a> {
    /// The field as it was, integrated over the whole map (not for cells asked for), with the cost limit of the options.
    pub field: &'a IntegrationField,
    /// Its directions.
    pub flow: &'a FlowField,
    /// The goals it was made for.
    pub goals_before: &'a ResolvedGoals,
    /// The movement as it is now, of the same map and profile.
    pub movement: &'a Movement,
    /// Every cell whose outgoing edges (with their costs), passability or surveyed state differ from the movement of the
    /// field, in any order; more do no harm.
    pub changed: &'a [CellId],
    /// The goals as they are now.
    pub goals: &'a ResolvedGoals,
}

/// How to repair.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct RepairOptions {
    /// The cost limit of the field, as in [`IntegrateOptions::cost_limit`].
    pub cost_limit: Option<u32>,
    /// How many cells may be looked at before the repair is given up, some counted several times; default
    /// [`RepairOptions::work_worth`] of the map.
    pub work_limit: Option<u64>,
}

impl RepairOptions {
    /// Default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The options with another cost limit.
    #[must_use]
    pub const fn with_cost_limit(mut self, limit: Option<u32>) -> Self {
        self.cost_limit = limit;
        self
    }

    /// The options with a limit of cells to look at. `u64::MAX` never gives up.
    #[must_use]
    pub const fn with_work_limit(mut self, cells: u64) -> Self {
        self.work_limit = Some(cells);
        self
    }

    /// How many cells are worth looking at on a map of so many cells: what takes about a quarter of the time of a rebuild
    /// by the fastest engine (measured, `benches/README.md`).
    #[must_use]
    pub const fn work_worth(cells: usize) -> u64 {
        (cells as u64 / 64).saturating_add(256)
    }
}

/// What a repair did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct RepairStats {
    /// Cells looked at, each time counted.
    pub work: u64,
    /// Cells that lost their value at first.
    pub reset: u64,
    /// Cells whose cost-to-goal, state or goal differs in the end.
    pub changed: u64,
    /// Cells whose directions were made anew.
    pub directions: u64,
}

/// A repaired field.
#[derive(Debug)]
pub struct Repaired {
    /// Cost-to-goal, states, labels.
    pub field: IntegrationField,
    /// Directions.
    pub flow: FlowField,
    /// What was done.
    pub stats: RepairStats,
}

/// Buffers that repairs reuse. One byte per cell, and what a repair touches.
#[derive(Debug, Default)]
pub struct RepairScratch {
    /// What has been done with a cell; all 0 between repairs.
    marks: Vec<u8>,
    /// Cells whose value was written, with what stood there.
    written: Vec<Written>,
    /// Cells to look at in the raise, or whose directions are to be made anew.
    open: Vec<u32>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    flow: FlowScratch,
}

impl RepairScratch {
    /// Empty buffers; they grow on first use.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The cells whose directions the last repair made anew: all whose cost-to-goal, state, goal, edges or directions may
    /// differ. In no order that means anything.
    pub fn refreshed(&self) -> impl Iterator<Item = CellId> + '_ {
        self.open.iter().map(|&cell| CellId(cell))
    }
}

#[derive(Clone, Copy, Debug)]
struct Written {
    cell: u32,
    value: u32,
    label: u32,
}

/// The value of the cell was written.
const WRITTEN: u8 = 1;
/// The cell waits to be looked at.
const OPEN: u8 = 2;
/// The cell is on the list of directions.
const LISTED: u8 = 4;

/// Directions are extracted anew where free ground that has to be looked at is more than one cell in so many of the map: a
/// cell takes about five times as long here.
const FREE_PATCH: usize = 8;

/// Cost and label of a cell that has none.
const NONE: u64 = u64::MAX;

/// Cost and label as one number: the order of the pairs is that of the numbers.
#[inline(always)]
const fn key(value: u32, label: u32) -> u64 {
    (value as u64) << 32 | label as u64
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// The place among the open cells.
    Raise(usize),
    /// The place among the written cells and the changed ones.
    Seek(usize),
    Lower,
    Settle,
    List(usize),
    Directions(usize),
    Done,
}

/// A repair under way. Owns what it makes; the inputs are handed in at every call and must be the same ones.
#[derive(Debug)]
pub struct Repair {
    field: IntegrationField,
    flow: FlowField,
    scratch: RepairScratch,
    phase: Phase,
    stats: RepairStats,
    limit: u32,
    /// Whether the caller set the limit: then ways beyond it are unknown, not too long.
    is_limited: bool,
    /// Whether several goals compete, before or after.
    has_labels: bool,
    work_limit: u64,
    /// How many cells it will look at in any case. Told by the first step and not at the beginning, which would lose the
    /// buffers.
    least: u64,
    overflow: bool,
}

/// [`Repair`] in one go.
///
/// # Errors
/// [`Rebuild`]; the field is as it was.
pub fn repair(
    input: &RepairInput<'_>,
    options: &RepairOptions,
    scratch: &mut RepairScratch,
) -> Result<Repaired, Rebuild> {
    let mut repair = Repair::begin(input, options, core::mem::take(scratch))?;
    let done = repair.advance(input, u64::MAX);
    let (repaired, used) = repair.end();
    *scratch = used;
    done.map(|_| repaired)
}

impl Repair {
    /// Begins a repair; nothing is looked at yet.
    ///
    /// # Errors
    /// [`Rebuild::OtherMap`].
    pub fn begin(
        input: &RepairInput<'_>,
        options: &RepairOptions,
        mut scratch: RepairScratch,
    ) -> Result<Self, Rebuild> {
        let grid = input.movement.grid();
        if input.field.grid() != grid || input.flow.grid() != grid {
            return Err(Rebuild::OtherMap {
                field: input.field.grid().clone(),
                movement: grid.clone(),
            });
        }
        scratch.clear();
        scratch.marks.resize(grid.len(), 0);
        let mut field = input.field.clone();
        let counts = [input.goals_before.goal_count(), input.goals.goal_count()];
        let goals = counts[0].max(counts[1]);
        *field.labels_mut() = field.labels().for_goals(goals, grid.len());
        scratch.open.extend(input.changed.iter().map(|cell| cell.0));
        let (before, after) = (input.goals_before.seeds(), input.goals.seeds());
        let mut kept = before.len();
        each_difference(before, after, |seed, is_new| {
            if !is_new {
                kept -= 1;
                scratch.open.push(seed.cell.0);
            }
        });
        let work_limit = options
            .work_limit
            .unwrap_or_else(|| RepairOptions::work_worth(grid.len()));
        // Without one of its goals left every cell of the field loses its value.
        let least = if kept == 0 { grid.len() } else { scratch.open.len() } as u64;
        Ok(Self {
            field,
            flow: input.flow.clone(),
            scratch,
            phase: Phase::Raise(0),
            stats: RepairStats::default(),
            limit: options
                .cost_limit
                .unwrap_or(MAX_COST_TO_GOAL)
                .min(MAX_COST_TO_GOAL),
            is_limited: options.cost_limit.is_some(),
            has_labels: goals > 1,
            work_limit,
            least,
            overflow: false,
        })
    }

    /// Goes on for about `budget` cells looked at; tells whether the repair is done. Where steps are free, or a cost limit is
    /// given, one call may take as long as a pass over the map.
    ///
    /// # Errors
    /// [`Rebuild`]; then the repair is over.
    pub fn advance(&mut self, input: &RepairInput<'_>, budget: u64) -> Result<bool, Rebuild> {
        if self.least > self.work_limit {
            return Err(Rebuild::TooMuchWork {
                work: self.least,
                limit: self.work_limit,
            });
        }
        let until = self.stats.work.saturating_add(budget);
        with_edges(
            input.movement,
            Advance {
                repair: self,
                input,
                until,
            },
        )
    }

    /// How many cells it has looked at.
    #[must_use]
    pub const fn work(&self) -> u64 {
        self.stats.work
    }

    /// The field, whole if [`Self::advance`] said so, and the buffers.
    #[must_use]
    pub fn end(self) -> (Repaired, RepairScratch) {
        let repaired = Repaired {
            field: self.field,
            flow: self.flow,
            stats: self.stats,
        };
        (repaired, self.scratch)
    }
}

impl RepairScratch {
    /// Forgets the last repair, in time that goes with what it touched.
    fn clear(&mut self) {
        for cell in self
            .open
            .drain(..)
            .chain(self.written.drain(..).map(|old| old.cell))
        {
            self.marks[cell as usize] = 0;
        }
        self.heap.clear();
    }
}

struct Advance<'a> {
    repair: &'a mut Repair,
    input: &'a RepairInput<'a>,
    until: u64,
}

impl WithEdges for Advance<'_> {
    type Output = Result<bool, Rebuild>;

    fn run<E: Edges>(self, edges: &E) -> Self::Output {
        let Self { repair, input, until } = self;
        loop {
            let is_over = match repair.phase {
                Phase::Raise(from) if repair.has_labels => repair.raise::<_, true>(edges, input, from, until),
                Phase::Raise(from) => repair.raise::<_, false>(edges, input, from, until),
                Phase::Seek(from) if repair.has_labels => repair.seek::<_, true>(edges, input, from, until),
                Phase::Seek(from) => repair.seek::<_, false>(edges, input, from, until),
                Phase::Lower if repair.has_labels => repair.lower::<_, true>(edges, until),
                Phase::Lower => repair.lower::<_, false>(edges, until),
                Phase::Settle => repair.settle(input)?,
                Phase::List(from) => repair.list(edges, input, from, until),
                Phase::Directions(from) => repair.directions(input, from, until),
                Phase::Done => return Ok(true),
            };
            if repair.overflow {
                return Err(Rebuild::CostOverflow {
                    grid: input.movement.grid().clone(),
                });
            }
            if repair.stats.work > repair.work_limit {
                return Err(Rebuild::TooMuchWork {
                    work: repair.stats.work,
                    limit: repair.work_limit,
                });
            }
            if !is_over {
                return Ok(false);
            }
        }
    }
}

impl Repair {
    fn label<const LABELS: bool>(&self, cell: u32) -> u32 {
        if LABELS {
            self.field.labels().raw_at(cell as usize)
        } else {
            0
        }
    }

    fn key<const LABELS: bool>(&self, cell: u32) -> u64 {
        match self.field.raw_at(cell as usize) {
            value if value > MAX_COST_TO_GOAL => NONE,
            value => key(value, self.label::<LABELS>(cell)),
        }
    }

    /// Writes a cell, and keeps what stood there before the repair.
    fn write<const LABELS: bool>(&mut self, cell: u32, to: u64) {
        let at = cell as usize;
        if self.scratch.marks[at] & WRITTEN == 0 {
            self.scratch.marks[at] |= WRITTEN;
            self.scratch.written.push(Written {
                cell,
                value: self.field.raw_at(at),
                label: self.label::<LABELS>(cell),
            });
        }
        #[expect(clippy::cast_possible_truncation, reason = "the two halves of a key")]
        let (value, label) = if to == NONE {
            (UNREACHABLE, 0)
        } else {
            ((to >> 32) as u32, to as u32)
        };
        self.field.set_raw(at, value);
        if LABELS {
            self.field.labels_mut().set_raw(at, label);
        }
    }

    /// Whether the phase goes on, by the work that is allowed.
    fn may_go_on(&self, until: u64) -> bool {
        self.stats.work < until && self.stats.work <= self.work_limit
    }

    /// Takes the value from every cell that has lost all its best ways.
    ///
    /// In any order: a cell that is looked at too early keeps its value for now, and is looked at again when the neighbour
    /// that vouched for it loses its own. First come, first served makes that rare: the loss spreads as the waves did.
    fn raise<E: Edges, const LABELS: bool>(
        &mut self,
        edges: &E,
        input: &RepairInput<'_>,
        from: usize,
        until: u64,
    ) -> bool {
        let mut at = from;
        while let Some(&cell) = self.scratch.open.get(at) {
            at += 1;
            self.scratch.marks[cell as usize] &= !OPEN;
            self.stats.work += 1;
            let own = self.key::<LABELS>(cell);
            let keeps = own == NONE
                || edges.any_from(cell, |next, cost| {
                    // Nothing that has no cost adds up to one that has.
                    cost > 0 && self.key::<LABELS>(next).wrapping_add(key(cost, 0)) == own
                })
                || best_seed(input.goals.seeds(), cell).is_some_and(|seed| key(seed.bias, seed.goal) == own);
            if !keeps {
                self.write::<LABELS>(cell, NONE);
                self.stats.reset += 1;
                edges.each_into(cell, |from, cost| {
                    // Those that have no cost are above every sum.
                    let mark = self.scratch.marks[from as usize];
                    if mark & OPEN == 0 && self.key::<LABELS>(from) == own.saturating_add(key(cost, 0)) {
                        self.scratch.marks[from as usize] |= OPEN;
                        self.scratch.open.push(from);
                    }
                });
            }
            if !self.may_go_on(until) {
                self.phase = Phase::Raise(at);
                return false;
            }
        }
        self.scratch.open.clear();
        self.phase = Phase::Seek(0);
        true
    }

    /// Gives the reset cells, those whose edges changed and the new goals the best value that those around them offer.
    fn seek<E: Edges, const LABELS: bool>(
        &mut self,
        edges: &E,
        input: &RepairInput<'_>,
        from: usize,
        until: u64,
    ) -> bool {
        let seeds = input.goals.seeds();
        let reset = usize::try_from(self.stats.reset).unwrap_or(usize::MAX);
        let mut at = from;
        loop {
            let cell = if at < reset {
                self.scratch.written[at].cell
            } else if let Some(cell) = input.changed.get(at - reset) {
                cell.0
            } else {
                break;
            };
            self.stats.work += 1;
            at += 1;
            let mut best = best_seed(seeds, cell)
                .filter(|seed| seed.bias <= self.limit)
                .map_or(NONE, |seed| key(seed.bias, seed.goal));
            let mut over = false;
            edges.any_from(cell, |next, cost| {
                let value = self.field.raw_at(next as usize);
                if value <= MAX_COST_TO_GOAL {
                    let sum = value.saturating_add(cost);
                    if sum <= self.limit {
                        best = best.min(key(sum, self.label::<LABELS>(next)));
                    } else {
                        over = true;
                    }
                }
                false
            });
            self.offer::<LABELS>(cell, best);
            // Only if nothing else reaches the cell is a way beyond the limit a way lost; the pass that settles finds out.
            self.overflow |= over && best == NONE && !self.is_limited;
            if !self.may_go_on(until) {
                self.phase = Phase::Seek(at);
                return false;
            }
        }
        each_difference(input.goals_before.seeds(), seeds, |seed, is_new| {
            if is_new && seed.bias <= self.limit {
                self.offer::<LABELS>(seed.cell.0, key(seed.bias, seed.goal));
            }
        });
        self.phase = Phase::Lower;
        true
    }

    fn offer<const LABELS: bool>(&mut self, cell: u32, value: u64) {
        if value < self.key::<LABELS>(cell) {
            self.write::<LABELS>(cell, value);
            self.scratch.heap.push(Reverse((value, cell)));
        }
    }

    /// Dijkstra's algorithm from what was offered.
    fn lower<E: Edges, const LABELS: bool>(&mut self, edges: &E, until: u64) -> bool {
        while let Some(Reverse((value, cell))) = self.scratch.heap.pop() {
            if value != self.key::<LABELS>(cell) {
                continue;
            }
            self.stats.work += 1;
            let limit = u64::from(self.limit);
            let mut over = false;
            edges.each_into(cell, |from, cost| {
                let sum = value.saturating_add(key(cost, 0));
                if sum >> 32 <= limit {
                    self.offer::<LABELS>(from, sum);
                } else if self.key::<LABELS>(from) == NONE {
                    over = true;
                }
            });
            // Without a cost limit nothing may be lost, whatever else reaches the cell: a rebuild says whether it is.
            self.overflow |= over && !self.is_limited;
            if !self.may_go_on(until) {
                return false;
            }
        }
        self.phase = Phase::Settle;
        true
    }

    /// Says what cells without a cost are, and whose field it is now.
    fn settle(&mut self, input: &RepairInput<'_>) -> Result<bool, Rebuild> {
        let movement = input.movement;
        let without = self.scratch.written.iter().map(|old| CellId(old.cell));
        for id in without.chain(input.changed.iter().copied()) {
            if self.field.raw_at(id.index()) > MAX_COST_TO_GOAL {
                let value = if movement.is_known(id) {
                    UNREACHABLE
                } else {
                    UNKNOWN
                };
                if self.field.raw_at(id.index()) != value {
                    self.field.set_raw(id.index(), value);
                }
            }
        }
        if self.is_limited {
            // Whether cells beyond the limit are unknown or unreachable is one answer for the whole map.
            let options = IntegrateOptions::new().with_cost_limit(self.limit);
            settle_again(movement, input.goals, &options, &mut self.field).map_err(|_| {
                Rebuild::CostOverflow {
                    grid: movement.grid().clone(),
                }
            })?;
            let (now, before) = (self.field.shared_values(), input.field.shared_values());
            let (marks, written) = (&mut self.scratch.marks, &mut self.scratch.written);
            now.for_each_difference(before, |at| {
                if marks[at] & WRITTEN == 0 {
                    marks[at] |= WRITTEN;
                    written.push(Written {
                        cell: CellId::from_index(at).0,
                        value: before.get(at),
                        label: input.field.labels().raw_at(at),
                    });
                }
            });
        }
        let goals = input.goals.goal_count();
        let cells = movement.grid().len();
        *self.field.labels_mut() = self.field.labels().for_goals(goals, cells);
        self.field.belong_to(movement, input.goals);
        self.phase = Phase::List(0);
        Ok(true)
    }

    fn add_to_list(&mut self, cell: u32) {
        let mark = &mut self.scratch.marks[cell as usize];
        if *mark & LISTED == 0 {
            *mark |= LISTED;
            self.scratch.open.push(cell);
        }
    }

    /// Finds the cells whose directions may differ.
    fn list<E: Edges>(&mut self, edges: &E, input: &RepairInput<'_>, from: usize, until: u64) -> bool {
        if from == 0 {
            for &cell in input.changed {
                self.add_to_list(cell.0);
            }
            let (before, after) = (input.field.sinks(), self.field.sinks().to_vec());
            each_difference(before, &after, |seed, _| self.add_to_list(seed.cell.0));
        }
        for at in from..self.scratch.written.len() {
            let old = self.scratch.written[at];
            let cell = old.cell as usize;
            self.stats.work += 1;
            let value = self.field.raw_at(cell);
            if value != old.value {
                self.stats.changed += 1;
                self.add_to_list(old.cell);
                edges.each_into(old.cell, |from, _| self.add_to_list(from));
            } else if self.field.labels().raw_at(cell) != old.label {
                self.stats.changed += 1;
            }
            if !self.may_go_on(until) {
                self.phase = Phase::List(at + 1);
                return false;
            }
        }
        self.phase = Phase::Directions(0);
        true
    }

    fn directions(&mut self, input: &RepairInput<'_>, from: usize, until: u64) -> bool {
        let movement = input.movement;
        if movement.has_zero_steps() {
            self.free_directions(movement);
            self.phase = Phase::Done;
            return true;
        }
        for at in from..self.scratch.open.len() {
            self.stats.work += 1;
            self.stats.directions += 1;
            let cell = CellId(self.scratch.open[at]);
            refresh_cell(movement, &self.field, cell, &mut self.flow);
            if !self.may_go_on(until) && at + 1 < self.scratch.open.len() {
                self.phase = Phase::Directions(at + 1);
                return false;
            }
        }
        refresh_portals(movement, &self.field, &mut self.flow);
        self.phase = Phase::Done;
        true
    }

    /// Directions where steps may be free: how many free steps a cell is from a paid one is a matter of the whole patch of
    /// free ground it lies in.
    fn free_directions(&mut self, movement: &Movement) {
        let RepairScratch {
            marks, open, flow, ..
        } = &mut self.scratch;
        let cells = movement.grid().len();
        let most = open.len().max(cells / FREE_PATCH + 256);
        let patches = refresh_patches(
            movement,
            &self.field,
            (marks, LISTED),
            open,
            most,
            flow,
            &mut self.flow,
        );
        if let Some(looked_at) = patches {
            self.stats.work += looked_at as u64;
            self.stats.directions += looked_at as u64;
            return;
        }
        let before = self.flow.clone();
        extract(movement, &self.field, &Serial, flow, &mut self.flow);
        self.stats.directions += cells as u64;
        let mut differ = Vec::new();
        before.for_each_difference(&self.flow, |cell| differ.push(cell.0));
        differ.into_iter().for_each(|cell| self.add_to_list(cell));
    }
}
