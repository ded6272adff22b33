//! The second stage: cheaper ways, after one was found.
//!
//! Every tick between two known configurations is remembered. Where a new one makes the way to a configuration cheaper,
//! the saving is passed on to all that were reached through it, cheapest first (Dijkstra's algorithm over known ticks).
//! Configurations that cannot lead to less than the best way so far, by a lower bound, are not asked any more. If none is
//! left that could, the way is the best there is: with all agents' choices tried everywhere else, all ticks are known.

use super::nodes::Edge;
use super::{Configurations, Search, Status};
use core::cmp::Reverse;
use core::fmt::Debug;
use core::hash::Hash;
use std::collections::BinaryHeap;

/// What a way costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Measure {
    /// Its ticks: the time until everybody is there (makespan).
    Ticks,
    /// The ticks in which an agent is not at its goal before or after, summed over agents. It is the sum of arrival times
    /// where nobody leaves its goal again; who does pays for the time away only.
    AgentTicks,
}

impl Measure {
    /// The cost of a tick in which so many agents are on the way.
    pub(super) const fn of_tick(self, on_the_way: u64) -> u64 {
        match self {
            Self::Ticks => 1,
            Self::AgentTicks => on_the_way,
        }
    }

    /// What is still to pay from a configuration on, at least.
    pub(super) fn bound<W: Configurations>(self, world: &W, at: &W::Configuration) -> u64 {
        let least = (0..world.agents()).map(|agent| u64::from(world.least_ticks(at, agent)));
        match self {
            Self::Ticks => least.max().unwrap_or(0),
            Self::AgentTicks => least.sum(),
        }
    }
}

/// What came of improving.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Improvement {
    /// There is more to try.
    Running,
    /// No way is cheaper than the one that [`Search::answer`] gives.
    Best,
    /// There is nothing more to try, but for want of room something was forgotten ([`Limits`](super::Limits)) or nothing was found at all.
    Unproved,
}

impl<C: Clone + Eq + Hash + Debug> Search<C> {
    /// Goes on for so many agent-steps more to find a cheaper way, as [`advance`](Self::advance) does to find one; what it
    /// finds is in [`answer`](Self::answer). [`Limits::agent_steps`](super::Limits::agent_steps) is for the first way and
    /// does not count here.
    pub(crate) fn improve<W: Configurations<Configuration = C>>(
        &mut self,
        world: &mut W,
        agent_steps: u64,
    ) -> Improvement {
        if self.status() != Status::Found {
            return Improvement::Unproved;
        }
        self.allowance = self.allowance.saturating_add(agent_steps);
        loop {
            let best = self.cost().unwrap_or(u64::MAX);
            while let Some(top) = self.stack.top() {
                let node = self.nodes.get(top);
                if !node.constraints.is_done() && node.cost.saturating_add(node.bound) < best {
                    break;
                }
                self.stack.remove(top);
            }
            if self.stack.top().is_none() {
                return if self.has_forgotten || !self.edges.is_whole() {
                    Improvement::Unproved
                } else {
                    Improvement::Best
                };
            }
            if !self.pay() {
                return Improvement::Running;
            }
            self.has_forgotten |= !self.visit(world);
        }
    }

    /// What the cheapest known way to a goal costs, by [`Limits::measure`](super::Limits::measure).
    pub(crate) fn cost(&self) -> Option<u64> {
        self.goal.map(|goal| self.nodes.get(goal).cost)
    }

    /// Notes a tick between two known configurations, and what becomes cheaper by it.
    pub(super) fn link<W: Configurations<Configuration = C>>(&mut self, world: &W, from: u32, to: u32) {
        if !self.edges.are_wanted() || from == to {
            return;
        }
        let order = self.nodes.get(from).order;
        let on_the_way = self
            .orders
            .agents_on_the_way_to(order, world, self.nodes.configuration(to));
        let cost = self.limits.measure.of_tick(on_the_way);
        self.edges.add(from, to, cost);
        let mut queue = BinaryHeap::new();
        self.lower(from, to, cost, &mut queue);
        while let Some(Reverse((cost, node))) = queue.pop() {
            if cost > self.nodes.get(node).cost {
                continue;
            }
            let mut edge = self.edges.latest_from(node);
            while let Some(Edge { to, cost, next, .. }) = self.edges.get(edge) {
                self.lower(node, to, cost, &mut queue);
                edge = next;
            }
        }
    }

    /// Goes to `to` by way of `from` if that is cheaper than what is known.
    fn lower(&mut self, from: u32, to: u32, tick: u64, queue: &mut BinaryHeap<Reverse<(u64, u32)>>) {
        let cost = self.nodes.get(from).cost + tick;
        let node = self.nodes.get_mut(to);
        if cost >= node.cost {
            return;
        }
        (node.parent, node.cost) = (from, cost);
        let (is_goal, least, is_done) = (node.is_goal, cost + node.bound, node.constraints.is_done());
        queue.push(Reverse((cost, to)));
        if is_goal {
            self.note_goal(to);
        }
        // It may have been put aside as too dear.
        if !is_done && self.cost().is_some_and(|best| least < best) {
            self.stack.put_on_top(to);
        }
    }

    /// A goal's cost is known or became lower.
    pub(super) fn note_goal(&mut self, node: u32) {
        if self.cost().is_none_or(|best| self.nodes.get(node).cost < best) {
            self.goal = Some(node);
        }
    }
}
