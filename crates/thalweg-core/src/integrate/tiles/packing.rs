//! Costs and winning goals in one number, so that tiles find both at once.
//!
//! Costs are shifted up and the goal's index stands below them: the least number is the least cost and, among equal costs,
//! the lowest index, which is what the label of a cell means. Steps are shifted as well and so carry the index along.

use super::tile::IMPASSABLE;
use super::{LARGEST, NONE, SIDE_U32};
use crate::grid::Direction;
use crate::integrate::asked::Answers;
use crate::movement::Movement;

/// How many bits below a cost are the goal's.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::integrate) struct Packing {
    bits: u32,
}

impl Packing {
    /// For costs alone.
    pub(in crate::integrate) const COSTS: Self = Self { bits: 0 };

    /// For so many goals; `None` if the steps of a row would no longer fit beside the largest cost. Walls count: the running
    /// sums of a row pass over them.
    pub(in crate::integrate) fn for_goals(goals: u32, movement: &Movement) -> Option<Self> {
        let bits = goals.saturating_sub(1).checked_ilog2().map_or(0, |bit| bit + 1);
        let step = |direction| u64::from(movement.steps().step(direction, IMPASSABLE, IMPASSABLE));
        let row = u64::from(SIDE_U32) * step(Direction::N);
        let dearest = row.max(step(Direction::NE));
        let fits = bits < 24 && dearest << bits < u64::from(NONE - LARGEST);
        fits.then_some(Self { bits })
    }

    /// Whether there are goals to tell apart.
    pub(super) const fn has_goals(self) -> bool {
        self.bits > 0
    }

    /// The largest cost that fits.
    pub(super) const fn largest(self) -> u32 {
        LARGEST >> self.bits
    }

    /// A cost, or the length of a step, without a goal.
    pub(super) const fn cost(self, cost: u32) -> u32 {
        cost << self.bits
    }

    pub(super) const fn pack(self, cost: u32, goal: u32) -> u32 {
        cost << self.bits | goal
    }

    /// The largest number with the same cost.
    pub(super) const fn last_of(self, number: u32) -> u32 {
        number | ((1 << self.bits) - 1)
    }

    #[inline(always)]
    pub(super) const fn cost_of(self, number: u32) -> u32 {
        number >> self.bits
    }

    #[inline(always)]
    pub(super) const fn goal_of(self, number: u32) -> u32 {
        number & ((1 << self.bits) - 1)
    }

    /// Answers up to a number as answers up to its cost.
    pub(super) const fn answers_of(self, answers: Answers) -> Answers {
        match answers {
            Answers::UpTo(number) => Answers::UpTo(self.cost_of(number)),
            other => other,
        }
    }
}
