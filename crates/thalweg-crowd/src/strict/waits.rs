//! Who waits for whom, and the knots that nobody in them can leave.
//!
//! A stalled agent would take *any* of its alternatives (OR); an alternative is free when *all* who block it have gone
//! (AND: a body of several cells enters several at once). So a cycle of waits is not yet a deadlock: a *knot* is, a set of
//! agents each of whose alternatives is blocked by another one of the set (Holt 1972 for OR alone). Calling every cycle a
//! deadlock was rejected: in a crowd most cycles open by themselves, because somebody in them has another way.
//!
//! This module knows no cells and no ticks. Where *following* is allowed, a rotation is a move and not a knot; to this
//! module it would look like one, so the caller makes such moves first and asks about who is still stalled. An agent that
//! will never move again is an obstacle as good as a wall: an alternative that it blocks does not count as one.

mod knots;
#[cfg(test)]
mod tests;

use knots::Knots;

/// Who blocks an alternative.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum WaitsFor {
    /// A stalled agent, by its number in the graph. A number that no agent has, and the number of the agent that waits,
    /// block nothing.
    Stalled(u32),
    /// Somebody that is not stalled: it will go.
    Moving,
    /// Somebody that will never go.
    Held,
}

/// What becomes of a stalled agent if nobody from outside does anything.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Waits {
    /// One of its alternatives can become free.
    Free,
    /// It is a member of this knot.
    Knot(u32),
    /// It is of no knot and waits for the members of one; if for several, this is the first one that it waits for without
    /// waiting through another one.
    BehindKnot(u32),
    /// It has no alternative, or each is blocked by somebody that will never go: one that is held, or that is behind one.
    BehindHeld,
}

/// Who waits for whom: agents by number, each with its alternatives, each with who blocks it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct WaitGraph {
    /// Where the alternatives of each agent begin.
    agents: Vec<u32>,
    /// Where the blockers of each alternative begin.
    alternatives: Vec<u32>,
    blockers: Vec<WaitsFor>,
}

impl WaitGraph {
    /// A graph without agents.
    #[cfg(test)]
    #[must_use]
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Takes all agents away and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.agents.clear();
        self.alternatives.clear();
        self.blockers.clear();
    }

    /// Adds an agent without alternatives, numbered from 0.
    pub(crate) fn add_agent(&mut self) -> u32 {
        let number = short(self.agents.len());
        self.agents.push(short(self.alternatives.len()));
        number
    }

    /// Adds an alternative to the agent that was added last; without one nothing happens. If nobody blocks it, it is free.
    pub(crate) fn add_alternative(&mut self, blockers: impl IntoIterator<Item = WaitsFor>) {
        if !self.agents.is_empty() {
            self.alternatives.push(short(self.blockers.len()));
            self.blockers.extend(blockers);
        }
    }

    /// How many agents there are.
    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.agents.len()
    }

    /// What becomes of everybody. The same graph gives the same answer; the order of alternatives and of blockers does not
    /// matter.
    ///
    /// Time and memory are linear in agents and blockers for who is free and who is held. Each time what is left falls
    /// apart, its parts are gone through once more; a chain of knots that hang on each other takes one such time in all.
    #[must_use]
    pub(crate) fn outlook(&self) -> Outlook {
        Knots::new(self).outlook()
    }

    /// The numbers of an agent's alternatives.
    fn alternatives_of(&self, agent: u32) -> core::ops::Range<u32> {
        range(&self.agents, agent, self.alternatives.len())
    }

    /// Who blocks an alternative.
    fn blockers_of(&self, alternative: u32) -> &[WaitsFor] {
        let range = range(&self.alternatives, alternative, self.blockers.len());
        &self.blockers[range.start as usize..range.end as usize]
    }
}

/// What becomes of the agents of a graph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Outlook {
    waits: Vec<Waits>,
    /// Where the members of each knot begin.
    starts: Vec<u32>,
    members: Vec<u32>,
}

impl Outlook {
    /// What becomes of each agent, by number.
    #[must_use]
    pub(crate) fn waits(&self) -> &[Waits] {
        &self.waits
    }

    /// How many knots there are.
    #[must_use]
    pub(crate) fn knots(&self) -> usize {
        self.starts.len()
    }

    /// The members of a knot in ascending order, two or more; empty for a number that no knot has. Knots are numbered by
    /// their least members.
    #[must_use]
    pub(crate) fn members(&self, knot: u32) -> &[u32] {
        if knot as usize >= self.starts.len() {
            return &[];
        }
        let range = range(&self.starts, knot, self.members.len());
        &self.members[range.start as usize..range.end as usize]
    }
}

/// The part of a list that belongs to a number, given where all parts begin and the length of the list.
fn range(starts: &[u32], number: u32, len: usize) -> core::ops::Range<u32> {
    let end = starts.get(number as usize + 1).copied();
    starts[number as usize]..end.unwrap_or_else(|| short(len))
}

/// Lists here are of stalled agents and what is beside them: far fewer than 2^32.
fn short(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
