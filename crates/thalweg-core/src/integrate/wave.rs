//! The one relaxation that every engine runs: backwards over entries, charging forward edges.

use super::MAX_COST_TO_GOAL;
use crate::grid::DirectionSet;
use crate::movement::{ChargeRule, entries_from_exits};
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
    pub(super) charge: PhantomData<C>,
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

impl<C: ChargeRule> Terrain<'_, C> {
    /// Relaxes every edge that leads into `cell`, whose cost is `cost`: calls `push(neighbour, its new cost)` for each
    /// neighbour that got better.
    #[inline(always)]
    pub(super) fn relax_into<const LABELS: bool>(
        &self,
        cell: u32,
        cost: u32,
        best: &mut Best<'_>,
        mut push: impl FnMut(u32, u32),
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
                push(from, sum);
            }
        }
    }
}

const _: () = assert!(
    MAX_COST_TO_GOAL < u32::MAX,
    "a saturated sum must lie beyond every limit"
);
