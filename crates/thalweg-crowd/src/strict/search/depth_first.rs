//! The high level: one successor at a time, depth first.

use super::constraints::Constraints;
use super::fold::NONE;
use super::nodes::{Edges, Node, Nodes, Stack};
use super::orders::Orders;
use super::{Answer, Configurations, Limit, Limits, Status, Successor};
use core::fmt::Debug;
use core::hash::Hash;

/// Every so many calls the root goes on top, if the call found what was known.
///
/// A search in depth that has taken a wrong turn early tries all that can be done after it first. From the root it takes
/// another way, through nodes that have gone on with their constraints. The papers do this with a small chance each time;
/// a fixed interval needs no seed. Of 54 crowded maps of up to 32 × 32 cells and 300 agents, with 3 million agent-steps
/// each, 19 stay unsolved if it never happens, 18 with every 16th call, 13 or 14 with every 64th to 512th, 16 with every
/// 1024th.
const RESTART: u64 = 256;

/// A search that can rest after every successor. It belongs to one root in one world: whoever changes the world, or lets
/// agents move another way, starts a new one.
#[derive(Clone, Debug)]
pub(crate) struct Search<C> {
    pub(super) limits: Limits,
    pub(super) nodes: Nodes<C>,
    /// Nodes that are not done, the next to be asked on top.
    pub(super) stack: Stack,
    pub(super) orders: Orders,
    pub(super) edges: Edges,
    status: Status,
    /// The goal with the cheapest known way.
    pub(super) goal: Option<u32>,
    nearest: u32,
    least_sum: u64,
    calls: u64,
    /// Whether there was no room for a configuration while improving.
    pub(super) has_forgotten: bool,
    /// Agent-steps that were given and are not spent.
    pub(super) allowance: u64,
    /// The fixed choices of one call; kept for its room.
    fixed: Vec<(u32, u32)>,
}

impl<C: Clone + Eq + Hash + Debug> Search<C> {
    /// A search from `root` that has done nothing yet. If the root is a goal it has ended.
    pub(crate) fn new<W: Configurations<Configuration = C>>(world: &W, root: C, limits: Limits) -> Self {
        let mut search = Self {
            limits,
            nodes: Nodes::new(),
            stack: Stack::default(),
            orders: Orders::new(world, &root),
            edges: Edges::new(limits.edges),
            status: Status::Running,
            goal: None,
            nearest: 0,
            least_sum: u64::MAX,
            calls: 0,
            has_forgotten: false,
            allowance: 0,
            fixed: Vec::new(),
        };
        let hash = Nodes::hash(&root);
        search.add(world, hash, root, None);
        search.settle(true);
        search
    }

    /// Goes on for so many agent-steps more, and what was left of earlier ones. A call of the resolver costs as many as
    /// there are agents; one that is not covered waits for the next slice. So after slices of a given sum the search is in
    /// the same state whatever they were.
    pub(crate) fn advance<W: Configurations<Configuration = C>>(
        &mut self,
        world: &mut W,
        agent_steps: u64,
    ) -> Status {
        self.allowance = self.allowance.saturating_add(agent_steps);
        while self.status == Status::Running && self.pay() {
            let had_room = self.visit(world);
            self.settle(had_room);
        }
        if self.status != Status::Running {
            // What is left was for this search; improving has an allowance of its own.
            self.allowance = 0;
        }
        self.status
    }

    /// How far it is.
    pub(crate) const fn status(&self) -> Status {
        self.status
    }

    /// What it says; `None` while it is running.
    pub(crate) fn answer(&self) -> Option<Answer<C>> {
        match self.status {
            Status::Running => None,
            Status::Found => self.goal.map(|goal| Answer::Found(self.nodes.way_to(goal))),
            Status::Exhausted => Some(Answer::Exhausted),
            Status::OutOfBudget(limit) => Some(Answer::OutOfBudget {
                nearest: self.nearest(),
                limit,
            }),
        }
    }

    /// The way to the configuration with the least sum of costs-to-goal seen so far, the first of them.
    pub(crate) fn nearest(&self) -> Vec<C> {
        self.nodes.way_to(self.nearest)
    }

    /// Agent-steps spent so far.
    pub(crate) fn spent(&self) -> u64 {
        self.calls.saturating_mul(self.price())
    }

    /// Configurations known so far.
    #[cfg(test)]
    pub(crate) const fn known(&self) -> usize {
        self.nodes.len()
    }

    /// Agent-steps of one call.
    fn price(&self) -> u64 {
        self.orders.agents().max(1) as u64
    }

    /// Takes the price of a call from what was given, if it is there.
    pub(super) fn pay(&mut self) -> bool {
        let rest = self.allowance.checked_sub(self.price());
        self.allowance = rest.unwrap_or(self.allowance);
        rest.is_some()
    }

    /// Asks the node on top for one successor more. `false` if there is one that is new, and no room for it.
    pub(super) fn visit<W: Configurations<Configuration = C>>(&mut self, world: &mut W) -> bool {
        let Some(top) = self.stack.top() else { return true };
        self.calls += 1;
        let (at, node) = self.nodes.parts(top);
        let order = self.orders.get(node.order);
        let count = |agent: u32| world.choices(at, agent as usize);
        node.constraints.write(top, order, count, &mut self.fixed);
        let successor = world.successor(at, order, &self.fixed);
        let choices = |place: usize| world.choices(at, order[place] as usize);
        let next = match successor {
            Successor::Impossible { fixed: 0 } => {
                node.constraints.give_up();
                return true;
            }
            Successor::Impossible { fixed } => {
                let kept = fixed.min(self.fixed.len());
                node.constraints.go_on(kept, order.len(), choices);
                return true;
            }
            Successor::NotMade => {
                node.constraints.go_on(self.fixed.len(), order.len(), choices);
                return true;
            }
            Successor::Made(next) => {
                node.constraints.go_on(self.fixed.len(), order.len(), choices);
                next
            }
        };
        let hash = Nodes::hash(&next);
        if let Some(known) = self.nodes.find(hash, &next) {
            if !self.nodes.get(known).constraints.is_done() {
                self.stack.put_on_top(known);
            }
            if self.calls.is_multiple_of(RESTART) && !self.nodes.get(0).constraints.is_done() {
                self.stack.put_on_top(0);
            }
            self.link(world, top, known);
            return true;
        }
        // A goal is what all the room is for; one node more does no harm.
        let has_room =
            self.nodes.len() < self.limits.nodes.clamp(1, NONE as usize - 2) || world.is_goal(&next);
        if has_room {
            self.add(world, hash, next, Some(top));
        }
        has_room
    }

    /// A node for a configuration found for the first time, and it goes on top.
    fn add<W: Configurations<Configuration = C>>(
        &mut self,
        world: &W,
        hash: u32,
        configuration: C,
        parent: Option<u32>,
    ) {
        let before = parent.map(|parent| (self.nodes.get(parent).order, self.nodes.get(parent).cost));
        let order = self
            .orders
            .follow(world, &configuration, before.map(|(order, _)| order));
        let tick = before.map_or(0, |(order, _)| {
            self.limits.measure.of_tick(self.orders.agents_on_the_way(order))
        });
        let sum = sum_of_costs(world, &configuration);
        let node = Node {
            parent: parent.unwrap_or(NONE),
            order,
            cost: before.map_or(0, |(_, cost)| cost) + tick,
            bound: if self.edges.are_wanted() {
                self.limits.measure.bound(world, &configuration)
            } else {
                0
            },
            is_goal: world.is_goal(&configuration),
            constraints: Constraints::default(),
        };
        let is_goal = node.is_goal;
        let number = self.nodes.add(hash, configuration, node);
        self.stack.put_on_top(number);
        if let Some(parent) = parent {
            self.edges.add(parent, number, tick);
        }
        if sum < self.least_sum {
            (self.least_sum, self.nearest) = (sum, number);
        }
        if is_goal {
            self.note_goal(number);
        }
    }

    /// Takes off what is done and says how far the search is.
    fn settle(&mut self, had_room: bool) {
        while let Some(top) = self.stack.top()
            && self.nodes.get(top).constraints.is_done()
        {
            self.stack.remove(top);
        }
        self.status = if self.goal.is_some() {
            Status::Found
        } else if !had_room {
            Status::OutOfBudget(Limit::Nodes)
        } else if self.stack.top().is_none() {
            Status::Exhausted
        } else if self.spent().saturating_add(self.price()) > self.limits.agent_steps {
            Status::OutOfBudget(Limit::AgentSteps)
        } else {
            Status::Running
        };
    }
}

fn sum_of_costs<W: Configurations>(world: &W, at: &W::Configuration) -> u64 {
    (0..world.agents())
        .map(|agent| u64::from(world.cost_to_goal(at, agent)))
        .sum()
}
