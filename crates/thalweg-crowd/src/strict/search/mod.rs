//! The slow path: a search over **configurations**, for a group that makes no progress step by step.
//!
//! A configuration says where every agent of the group is, and how far on its way. A resolver that decides one tick looks
//! at one configuration only, so there are knots it can turn in for ever. This search remembers which configurations it
//! has seen and can make every agent choose otherwise; so it finds a way wherever there is one, and can prove that there
//! is none. It follows the ideas of LaCAM (Okumura: "LaCAM: Search-Based Algorithm for Quick Multi-Agent Pathfinding",
//! AAAI 2023, and "Improving LaCAM for Scalable Eventually Optimal MAPF", IJCAI 2023).
//!
//! - **High level**: a depth-first search over configurations, each known once. The node on top is asked for one more
//!   successor at a time. A new configuration goes on top, one found again is put on top again.
//! - **Low level**: which successor? Each node goes through a tree of **constraints** ([`constraints`]): first the
//!   resolver decides alone, then with the choice of one agent fixed, then of two, to the point where all are fixed.
//!   A node is done when its tree is; then all its legal successors are known, whatever the resolver is like. That is
//!   why [`Answer::Exhausted`] is a proof.
//! - **Order**: at the root those far from their goals come first. From node to node who is not at its goal keeps its
//!   place among the others who are not, and who is at its goal falls to the end ([`orders`]).
//!
//! Now and then the root goes on top again ([`depth_first`]), so that a wrong turn taken early does not cost all that can
//! be done after it. The papers draw lots for that; here it is a fixed interval, without a seed.
//!
//! Everything is a function of the inputs: no clock, no randomness, no order of a hash table. Work is counted in
//! **agent-steps**, calls of the resolver times agents. The search rests between two calls, so it can be spread over ticks
//! ([`Search::advance`]), and what comes out does not depend on the slices.
//!
//! The first way found is seldom short. [`polish`](polish::polish) takes out what is plainly not needed; [`Search::improve`] goes on
//! searching for cheaper ways, to the best one if the budget lasts.

mod constraints;
mod depth_first;
mod fold;
pub(crate) mod improve;
mod nodes;
mod orders;
pub(crate) mod polish;
#[cfg(test)]
mod tests;

use core::fmt::Debug;
use core::hash::Hash;
pub(crate) use depth_first::Search;
use improve::Measure;

/// What the search is over: a group of agents, and who makes its next configurations.
pub(crate) trait Configurations {
    /// Where everybody is, and how far on its way who needs several ticks for a step. Equal ones must hash alike; two
    /// that differ in what may come next must differ.
    type Configuration: Clone + Eq + Hash + Debug;

    /// How many agents there are. Their numbers are `0..agents()`.
    fn agents(&self) -> usize;

    /// How many choices an agent has in the next tick, staying included: 1 for one that cannot choose (held, under way).
    /// Choices are numbered `0..choices`; the numbers say nothing of which is better. Only the configuration may
    /// decide how many there are.
    fn choices(&self, at: &Self::Configuration, agent: usize) -> usize;

    /// A legal next configuration in which each agent of `fixed` makes its choice, as (agent, choice). Who is not fixed is
    /// decided in `order` (all agents, most urgent first); `fixed` are always the first of `order`.
    ///
    /// It need not be clever, and may fail where there is one ([`Successor::NotMade`]), but if all agents are fixed and
    /// their choices go together it must make that very configuration. The same arguments must give the same answer.
    fn successor(
        &mut self,
        at: &Self::Configuration,
        order: &[u32],
        fixed: &[(u32, u32)],
    ) -> Successor<Self::Configuration>;

    /// Whether an agent is at its goal.
    fn is_at_goal(&self, at: &Self::Configuration, agent: usize) -> bool;

    /// Cost-to-goal of an agent, in any unit; `u32::MAX` if it has none. It orders agents at the root and tells which
    /// configuration is nearest when the budget ends; no answer depends on its being exact.
    fn cost_to_goal(&self, at: &Self::Configuration, agent: usize) -> u32;

    /// Whether this is what is searched for. Often: all agents are at their goals.
    fn is_goal(&self, at: &Self::Configuration) -> bool;

    /// A lower bound of the ticks that an agent still needs, whoever is in its way. Only [`Search::improve`] reads it, and
    /// its claim of the best way rests on it: never too much. The default is right for everybody and weak.
    fn least_ticks(&self, at: &Self::Configuration, agent: usize) -> u32 {
        u32::from(!self.is_at_goal(at, agent))
    }
}

/// What came of asking for a successor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Successor<C> {
    /// The next configuration.
    Made(C),
    /// None was found with these choices fixed; there may be one all the same.
    NotMade,
    /// The first so many of the fixed choices cannot be made in one tick, whatever the others do: two of them want one
    /// cell, say. All sets that begin with them are left out; that is what makes proofs short. 0: nobody can do anything,
    /// not even stay.
    Impossible {
        /// How many of the fixed choices, from the first, are enough for that. At most all that were fixed.
        fixed: usize,
    },
}

/// How much a search may take in all. It ends with [`Answer::OutOfBudget`] at the first of them that is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Limits {
    /// Calls of [`Configurations::successor`] times agents (a group of none counts as one).
    pub(crate) agent_steps: u64,
    /// Configurations that are kept. Each takes a configuration, about 100 bytes, the digits of its constraints (4 bytes
    /// per fixed agent; few are ever fixed where agents are many) and, if somebody came to its goal or left it, an order
    /// of 4 bytes per agent. At least 1; no more than 2^32 - 2 are kept.
    pub(crate) nodes: usize,
    /// Ticks from one known configuration to another that are remembered for [`Search::improve`], about 40 bytes each. With
    /// fewer than are found the search is as complete as ever, but improving may miss the best way and will say so.
    pub(crate) edges: usize,
    /// What a cheaper way is.
    pub(crate) measure: Measure,
}

/// Which limit ended a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Limit {
    /// [`Limits::agent_steps`].
    AgentSteps,
    /// [`Limits::nodes`].
    Nodes,
}

/// How far a search is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// There is more to do.
    Running,
    /// A way to a goal is known.
    Found,
    /// No sequence of ticks leads to a goal.
    Exhausted,
    /// A limit was reached first.
    OutOfBudget(Limit),
}

/// What a search that has ended says. A way begins with the root; each configuration follows from the one before it in one
/// tick.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Answer<C> {
    /// A way to a goal.
    Found(Vec<C>),
    /// Proved: no sequence of legal ticks leads to a goal.
    Exhausted,
    /// Not known. The way leads to the configuration with the least sum of costs-to-goal that was seen, the first of them.
    OutOfBudget {
        /// The way to it; the root alone if nothing nearer was seen.
        nearest: Vec<C>,
        /// Which limit it was.
        limit: Limit,
    },
}
