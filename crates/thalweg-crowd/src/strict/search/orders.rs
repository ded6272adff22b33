//! Who decides first at which node.
//!
//! The papers give every agent of every node a number: it grows by one from node to node while the agent is not at its
//! goal, and falls to its start value, which is below one, at the goal; agents are sorted by it. The same order comes from
//! the parent's without numbers and without sorting: those who are not at their goals as they stood, then those who are,
//! as at the root. Whoever left its goal in this tick then stands behind all who never were there, as with numbers.

use super::Configurations;
use super::fold::number_after;

/// Orders of agents, each known once as long as child follows parent.
#[derive(Clone, Debug)]
pub(super) struct Orders {
    agents: usize,
    /// One order after the other.
    flat: Vec<u32>,
    /// How many of each order, from its first, are not at their goals.
    waiting: Vec<usize>,
    /// All agents, farthest first, then by number.
    at_root: Vec<u32>,
    /// Of the configuration looked at last: who is at its goal.
    is_at_goal: Vec<bool>,
    /// The order made last; kept for its room.
    made: Vec<u32>,
}

impl Orders {
    /// Only the order by distance; node orders come with [`follow`](Self::follow).
    pub(super) fn new<W: Configurations>(world: &W, root: &W::Configuration) -> Self {
        let agents = world.agents();
        let mut at_root: Vec<u32> = (0u32..).take(agents).collect();
        at_root.sort_by_key(|&agent| core::cmp::Reverse(world.cost_to_goal(root, agent as usize)));
        Self {
            agents,
            flat: Vec::new(),
            waiting: Vec::new(),
            at_root,
            is_at_goal: vec![false; agents],
            made: Vec::with_capacity(agents),
        }
    }

    pub(super) const fn agents(&self) -> usize {
        self.agents
    }

    pub(super) fn get(&self, order: u32) -> &[u32] {
        &self.flat[order as usize * self.agents..][..self.agents]
    }

    /// Who is not at its goal, and who is.
    fn parts(&self, order: u32) -> (&[u32], &[u32]) {
        self.get(order).split_at(self.waiting[order as usize])
    }

    /// The order at a configuration, whose parent has the order `parent` (none: it is the root).
    pub(super) fn follow<W: Configurations>(
        &mut self,
        world: &W,
        at: &W::Configuration,
        parent: Option<u32>,
    ) -> u32 {
        for (agent, is_at_goal) in self.is_at_goal.iter_mut().enumerate() {
            *is_at_goal = world.is_at_goal(at, agent);
        }
        // Nobody came or left: that is most ticks of a small group, and then nothing new is kept.
        if let Some(parent) = parent {
            let (waiting, resting) = self.parts(parent);
            let is_at_goal = |&agent: &u32| self.is_at_goal[agent as usize];
            if !waiting.iter().any(is_at_goal) && resting.iter().all(is_at_goal) {
                return parent;
            }
        }
        let mut made = core::mem::take(&mut self.made);
        made.resize(self.agents + 1, 0);
        // Written whether it counts or not, and written over if not: a branch would be guessed wrong again and again.
        let mut waiting = 0;
        for &agent in parent.map_or(&self.at_root[..], |parent| self.get(parent)) {
            made[waiting] = agent;
            waiting += usize::from(!self.is_at_goal[agent as usize]);
        }
        let mut all = waiting;
        for &agent in &self.at_root {
            made[all] = agent;
            all += usize::from(self.is_at_goal[agent as usize]);
        }
        made.truncate(self.agents);
        self.flat.extend_from_slice(&made);
        self.waiting.push(waiting);
        let order = number_after(self.waiting.len() - 1);
        self.made = made;
        order
    }

    /// How many agents are not at their goals before the tick or after it, if `order` is that of the configuration before
    /// and [`follow`](Self::follow) was just asked for the one after.
    pub(super) fn agents_on_the_way(&self, order: u32) -> u64 {
        let (waiting, resting) = self.parts(order);
        let left = resting.iter().filter(|&&agent| !self.is_at_goal[agent as usize]);
        (waiting.len() + left.count()) as u64
    }

    /// The same for any configuration after the tick.
    pub(super) fn agents_on_the_way_to<W: Configurations>(
        &self,
        order: u32,
        world: &W,
        to: &W::Configuration,
    ) -> u64 {
        let (waiting, resting) = self.parts(order);
        let left = resting
            .iter()
            .filter(|&&agent| !world.is_at_goal(to, agent as usize));
        (waiting.len() + left.count()) as u64
    }
}
