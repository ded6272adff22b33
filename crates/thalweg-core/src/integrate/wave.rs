//! The one relaxation that every engine runs: backwards over entries, charging forward edges.

use super::MAX_COST_TO_GOAL;
use crate::grid::{CellId, Direction, DirectionSet};
use crate::movement::{ChargeRule, Movement, entries_from_exits};
use core::marker::PhantomData;

/// What an engine reads while it runs.
pub(super) struct Terrain<'a, C> {
    pub(super) exits: &'a [DirectionSet],
    pub(super) costs: &'a [u8],
    pub(super) lengths: &'a [u32; 8],
    /// What a step in each direction adds to an id.
    pub(super) offsets: [i32; 8],
    /// No cost above this is written; relaxations beyond it are dropped.
    pub(super) limit: u32,
    /// Up to here, this not included, no step can lead beyond the limit.
    pub(super) fast_below: u32,
    /// What a straight and what a diagonal step costs if all passable cells cost the same; else not used.
    pub(super) flat_steps: [u32; 2],
    pub(super) charge: PhantomData<C>,
}

impl<'a, C> Terrain<'a, C> {
    /// The terrain of a plain movement.
    pub(super) fn of(movement: &'a Movement, limit: u32) -> Self {
        let flat_cost = movement.uniform_cost();
        Self {
            exits: movement.all_exits(),
            costs: movement.costs(),
            lengths: movement.steps().lengths(),
            // Maps of several layers are never plain, see `Movement::is_plain`.
            offsets: movement.grid().layers()[0].id_offsets(),
            limit,
            fast_below: (limit + 1).saturating_sub(movement.largest_step()),
            flat_steps: [Direction::N, Direction::NE].map(|direction| {
                let cost = flat_cost.unwrap_or(0);
                movement.steps().step(direction, cost, cost)
            }),
            charge: PhantomData,
        }
    }
}

/// What an engine writes: cost-to-goal and, if several goals compete, the winning goal.
pub(super) struct Best<'a> {
    pub(super) costs: &'a mut [u32],
    /// Empty unless labels are kept.
    pub(super) labels: &'a mut [u32],
}

impl Best<'_> {
    /// Writes a cost and a goal if they are better than what stands there: a lower cost, or the same with a lower
    /// goal index. Returns whether something was written.
    #[inline(always)]
    pub(super) fn improve<const LABELS: bool>(&mut self, cell: u32, cost: u32, goal: u32) -> bool {
        let index = cell as usize;
        let old = self.costs[index];
        let better = cost < old || (LABELS && cost == old && goal < self.labels[index]);
        if better {
            self.costs[index] = cost;
            if LABELS {
                self.labels[index] = goal;
            }
        }
        better
    }
}

/// A graph that an engine can relax backwards.
pub(super) trait Relax {
    /// No cost above this is written; relaxations beyond it are dropped.
    fn limit(&self) -> u32;

    /// Relaxes every edge that leads into `cell`, whose cost is `cost`: calls `push(neighbour, its new cost, whether
    /// the step is diagonal)` for each neighbour that got better.
    fn relax_into<const LABELS: bool>(
        &self,
        cell: u32,
        cost: u32,
        best: &mut Best<'_>,
        push: impl FnMut(u32, u32, bool),
    );
}

impl<C: ChargeRule> Relax for Terrain<'_, C> {
    fn limit(&self) -> u32 {
        self.limit
    }

    #[inline(always)]
    fn relax_into<const LABELS: bool>(
        &self,
        cell: u32,
        cost: u32,
        best: &mut Best<'_>,
        mut push: impl FnMut(u32, u32, bool),
    ) {
        let here = cell as usize;
        let goal = if LABELS { best.labels[here] } else { 0 };
        let entered = self.costs[here];
        let mut entries = entries_from_exits(self.exits[here]).bits();
        while entries != 0 {
            let direction = entries.trailing_zeros() as usize & 7;
            entries &= entries - 1;
            // The neighbour from which a step in this direction enters the cell.
            let from = cell.wrapping_add_signed(-self.offsets[direction]);
            let step = C::step(self.lengths[direction], self.costs[from as usize], entered);
            // A sum beyond 32 bits saturates above every limit and is dropped like any other cost beyond the limit;
            // whether that lost anything is decided once, at the end.
            let sum = cost.saturating_add(step);
            if sum <= self.limit && best.improve::<LABELS>(from, sum, goal) {
                push(from, sum, direction >= 4);
            }
        }
    }
}

/// Every edge of a movement, portals and one-way borders included; not compiled for speed.
pub(super) struct Edges<'a> {
    pub(super) movement: &'a Movement,
    pub(super) limit: u32,
}

impl Relax for Edges<'_> {
    fn limit(&self) -> u32 {
        self.limit
    }

    #[inline]
    fn relax_into<const LABELS: bool>(
        &self,
        cell: u32,
        cost: u32,
        best: &mut Best<'_>,
        mut push: impl FnMut(u32, u32, bool),
    ) {
        let goal = if LABELS { best.labels[cell as usize] } else { 0 };
        for edge in self.movement.edges_into(CellId(cell)) {
            let sum = cost.saturating_add(edge.cost);
            if sum <= self.limit && best.improve::<LABELS>(edge.other.0, sum, goal) {
                push(edge.other.0, sum, false);
            }
        }
    }
}

impl<C: ChargeRule> Terrain<'_, C> {
    /// As [`Self::relax_into`], compiled for speed: writes each neighbour that got better to the front of `straight` or
    /// `diagonal`, by the step that leads there, and returns how many it wrote to each.
    /// `FLAT` promises that all passable cells cost the same, `OPEN` that hardly a cell lacks an exit.
    ///
    /// Nothing in here branches on the map: which neighbours get better cannot be predicted, and one missed branch costs
    /// as much as half the neighbours. So every neighbour's cost is written, mostly as it stood, and every neighbour is
    /// put on a list, mostly to be overwritten by the next. What lies beyond a wall, a corner or a side of the map (there,
    /// whatever cell stands in the array) is told apart by the mask of entries alone. Cells in the first and the last
    /// row, and those from which a step might lead beyond the limit, go the plain way.
    ///
    /// Rejected: comparing all eight without branches and then visiting the bits that got better. Open ground took 0.8
    /// times as long, but broken ground 1.5 times.
    #[inline(always)]
    pub(super) fn relax_near<const LABELS: bool, const FLAT: bool, const OPEN: bool>(
        &self,
        cell: u32,
        cost: u32,
        best: &mut Best<'_>,
        [straight, diagonal]: [&mut [u32; 4]; 2],
    ) -> [usize; 2] {
        let (here, row) = (cell as usize, self.offsets[2].unsigned_abs() as usize);
        let (mut straights, mut diagonals) = (0, 0);
        if here <= row || here + row + 1 >= self.exits.len() || cost >= self.fast_below {
            self.relax_into::<LABELS>(cell, cost, best, |from, _, is_diagonal| {
                if is_diagonal {
                    diagonal[diagonals] = from;
                    diagonals += 1;
                } else {
                    straight[straights] = from;
                    straights += 1;
                }
            });
            return [straights, diagonals];
        }
        if OPEN && FLAT && !LABELS && self.exits[here] == DirectionSet::ALL {
            // In the open, which neighbours get better repeats from cell to cell, so branches are foreseen and most
            // neighbours need not be written.
            let [straight_sum, diagonal_sum] = self.flat_steps.map(|step| cost + step);
            #[expect(clippy::cast_possible_truncation, reason = "ids fit 32 bits")]
            let id_of = |index: usize| index as u32;
            let around: [(usize, bool); 8] = [
                (here - row, false),
                (here + 1, false),
                (here + row, false),
                (here - 1, false),
                (here - row + 1, true),
                (here + row + 1, true),
                (here + row - 1, true),
                (here - row - 1, true),
            ];
            for (from, is_diagonal) in around {
                let sum = if is_diagonal { diagonal_sum } else { straight_sum };
                if sum < best.costs[from] {
                    best.costs[from] = sum;
                    if is_diagonal {
                        diagonal[diagonals & 3] = id_of(from);
                        diagonals += 1;
                    } else {
                        straight[straights & 3] = id_of(from);
                        straights += 1;
                    }
                }
            }
            return [straights, diagonals];
        }
        let goal = if LABELS { best.labels[here] } else { 0 };
        let entered = if FLAT { 0 } else { self.costs[here] };
        let blocked = &BLOCKED[usize::from(entries_from_exits(self.exits[here]).bits())];
        const BEYOND: &str = "there is a full row above and below";
        let mut no_labels = [0; 3];
        // Macros, because a loop over directions is not unrolled and took three times as long, and a struct for a row
        // is not taken apart and took a tenth more.
        macro_rules! pull {
            ($costs:ident, $labels:ident, $left:ident, $place:literal, $direction:ident, $list:ident, $len:ident) => {{
                const DIRECTION: Direction = Direction::$direction;
                const KIND: usize = DIRECTION.is_diagonal() as usize;
                let step = if FLAT {
                    self.flat_steps[KIND]
                } else {
                    C::step(self.lengths[4 * KIND], $left[$place], entered)
                };
                let blocked = blocked[DIRECTION.index()];
                // Wraps only for walls, which cost more than any cell, and those are blocked.
                let sum = cost.wrapping_add(step) | blocked;
                let old = $costs[$place];
                let mut is_better = sum < old;
                if LABELS {
                    let label = &mut $labels[$place];
                    is_better |= (sum == old) & (goal < *label) & (blocked == 0);
                    *label = if is_better { goal } else { *label };
                }
                $costs[$place] = old.min(sum);
                // Each list has a place for each of its four directions.
                $list[$len & 3] = cell.wrapping_add_signed(-self.offsets[DIRECTION.index()]);
                $len += usize::from(is_better);
            }};
        }
        macro_rules! row {
            ($first:expr, $($place:literal $direction:ident $list:ident $len:ident),+) => {
                let first = $first;
                let costs: &mut [u32; 3] = best.costs[first..].first_chunk_mut().expect(BEYOND);
                let labels: &mut [u32; 3] = if LABELS {
                    best.labels[first..].first_chunk_mut().expect(BEYOND)
                } else {
                    &mut no_labels
                };
                let left = if FLAT {
                    [0; 3]
                } else {
                    *self.costs[first..].first_chunk().expect(BEYOND)
                };
                $(pull!(costs, labels, left, $place, $direction, $list, $len);)+
            };
        }
        row!(here - row - 1, 0 SE diagonal diagonals, 1 S straight straights, 2 SW diagonal diagonals);
        row!(here - 1, 0 E straight straights, 2 W straight straights);
        row!(here + row - 1, 0 NE diagonal diagonals, 1 N straight straights, 2 NW diagonal diagonals);
        [straights, diagonals]
    }
}

/// By mask of entries and direction: what a sum is or-ed with, so that where no step enters it is above every cost.
static BLOCKED: [[u32; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut entries = 0;
    while entries < 256 {
        let mut direction = 0;
        while direction < 8 {
            if entries >> direction & 1 == 0 {
                table[entries][direction] = u32::MAX;
            }
            direction += 1;
        }
        entries += 1;
    }
    table
};

const _: () = assert!(
    MAX_COST_TO_GOAL < u32::MAX,
    "a saturated sum must lie beyond every limit"
);
