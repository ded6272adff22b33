//! The fixpoints and components behind [`WaitGraph::outlook`](super::WaitGraph::outlook).

use super::{Outlook, WaitGraph, Waits, WaitsFor, short};

/// Of no set.
const NONE: u32 = u32::MAX;

/// What is known of an agent while knots are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Free,
    Held,
}

pub(super) struct Knots<'a> {
    graph: &'a WaitGraph,
    /// The agent of each alternative.
    owners: Vec<u32>,
    /// Where the alternatives that each agent blocks begin; one more at the end.
    starts: Vec<u32>,
    /// The alternatives that agents block, once for each time they do.
    blocked: Vec<u32>,
    states: Vec<State>,
    /// Whether an alternative will never be free, because of somebody held.
    is_dead: Vec<bool>,
    /// The set that an agent is of, while sets are taken apart.
    sets: Vec<u32>,
    /// How many of its set block an alternative.
    counts: Vec<u32>,
    /// Sets are numbered in the order in which they are made.
    last_set: u32,
    /// When an agent was entered in the search of its set, from 1; 0 before, and [`NONE`] once its component is closed.
    index: Vec<u32>,
    low: Vec<u32>,
}

impl<'a> Knots<'a> {
    pub(super) fn new(graph: &'a WaitGraph) -> Self {
        let agents = short(graph.len());
        let mut owners = vec![NONE; graph.alternatives.len()];
        let mut starts = vec![0; graph.len() + 1];
        for agent in 0..agents {
            for alternative in graph.alternatives_of(agent) {
                owners[alternative as usize] = agent;
                for other in blockers(graph, alternative, agent) {
                    starts[other as usize + 1] += 1;
                }
            }
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut places = starts.clone();
        let mut blocked = vec![NONE; starts[graph.len()] as usize];
        for (alternative, &owner) in (0..).zip(&owners) {
            for other in blockers(graph, alternative, owner) {
                let place = &mut places[other as usize];
                blocked[*place as usize] = alternative;
                *place += 1;
            }
        }
        Self {
            graph,
            states: vec![State::Open; graph.len()],
            is_dead: vec![false; owners.len()],
            sets: vec![NONE; graph.len()],
            counts: vec![0; owners.len()],
            owners,
            starts,
            blocked,
            last_set: 0,
            index: vec![0; graph.len()],
            low: vec![0; graph.len()],
        }
    }

    pub(super) fn outlook(mut self) -> Outlook {
        self.hold();
        self.free();
        let open: Vec<u32> = (0..short(self.graph.len()))
            .filter(|&agent| self.states[agent as usize] == State::Open)
            .collect();
        let mut found = Vec::new();
        let mut sets = vec![open];
        while let Some(set) = sets.pop() {
            let set = self.closed(set);
            let mut parts = self.components(&set);
            match &mut parts[..] {
                // All of it hangs together, and every alternative is blocked from within.
                [part] if part.len() == set.len() => {
                    part.sort_unstable();
                    found.push(core::mem::take(part));
                }
                _ => sets.extend(parts.into_iter().filter(|part| part.len() > 1)),
            }
        }
        found.sort_unstable();
        self.told(&found)
    }

    fn alternatives_blocked_by(&self, agent: u32) -> core::ops::Range<usize> {
        self.starts[agent as usize] as usize..self.starts[agent as usize + 1] as usize
    }

    /// Finds who is held: every alternative is dead, and an alternative is dead if somebody held blocks it.
    fn hold(&mut self) {
        let mut left: Vec<u32> = (0..short(self.graph.len()))
            .map(|agent| {
                let range = self.graph.alternatives_of(agent);
                range.end - range.start
            })
            .collect();
        let mut open = Vec::new();
        for alternative in 0..short(self.owners.len()) {
            if self.graph.blockers_of(alternative).contains(&WaitsFor::Held) {
                self.is_dead[alternative as usize] = true;
                left[self.owners[alternative as usize] as usize] -= 1;
            }
        }
        open.extend(
            (0..)
                .zip(&left)
                .filter(|&(_, &left)| left == 0)
                .map(|(agent, _)| agent),
        );
        while let Some(agent) = open.pop() {
            self.states[agent as usize] = State::Held;
            for place in self.alternatives_blocked_by(agent) {
                let alternative = self.blocked[place] as usize;
                if !core::mem::replace(&mut self.is_dead[alternative], true) {
                    let owner = self.owners[alternative];
                    left[owner as usize] -= 1;
                    if left[owner as usize] == 0 {
                        open.push(owner);
                    }
                }
            }
        }
    }

    /// Finds who is free: all who block one of its alternatives are.
    fn free(&mut self) {
        let mut missing = vec![0u32; self.owners.len()];
        for &alternative in &self.blocked {
            missing[alternative as usize] += 1;
        }
        let mut open: Vec<u32> = (0..short(self.owners.len()))
            .filter(|&alternative| missing[alternative as usize] == 0)
            .collect();
        while let Some(alternative) = open.pop() {
            let agent = self.owners[alternative as usize];
            if self.is_dead[alternative as usize] || self.states[agent as usize] == State::Free {
                continue;
            }
            self.states[agent as usize] = State::Free;
            for place in self.alternatives_blocked_by(agent) {
                let alternative = self.blocked[place];
                missing[alternative as usize] -= 1;
                if missing[alternative as usize] == 0 {
                    open.push(alternative);
                }
            }
        }
    }

    /// The greatest part of a set of which every member has each of its alternatives blocked by another member.
    fn closed(&mut self, mut set: Vec<u32>) -> Vec<u32> {
        self.last_set += 1;
        let own = self.last_set;
        for &agent in &set {
            self.sets[agent as usize] = own;
        }
        let mut open = Vec::new();
        for &agent in &set {
            for alternative in self.graph.alternatives_of(agent) {
                let of_set = blockers(self.graph, alternative, agent)
                    .filter(|&other| self.sets[other as usize] == own)
                    .count();
                self.counts[alternative as usize] = short(of_set);
                if of_set == 0 && !self.is_dead[alternative as usize] {
                    open.push(agent);
                }
            }
        }
        while let Some(agent) = open.pop() {
            if core::mem::replace(&mut self.sets[agent as usize], NONE) != own {
                continue;
            }
            for place in self.alternatives_blocked_by(agent) {
                let alternative = self.blocked[place] as usize;
                let owner = self.owners[alternative];
                if self.sets[owner as usize] == own {
                    self.counts[alternative] -= 1;
                    if self.counts[alternative] == 0 && !self.is_dead[alternative] {
                        open.push(owner);
                    }
                }
            }
        }
        set.retain(|&agent| self.sets[agent as usize] == own);
        set
    }

    /// The other members of an agent's set that it waits for.
    fn waits_for(&self, agent: u32, out: &mut Vec<u32>) {
        for alternative in self.graph.alternatives_of(agent) {
            if !self.is_dead[alternative as usize] {
                let others = blockers(self.graph, alternative, agent);
                out.extend(others.filter(|&other| self.sets[other as usize] == self.sets[agent as usize]));
            }
        }
    }

    /// The strongly connected components of a set, by Tarjan's algorithm (1972) with a stack of its own.
    fn components(&mut self, set: &[u32]) -> Vec<Vec<u32>> {
        // Sets are many and small in the end; a list of all agents for each would make this quadratic.
        let (mut index, mut low) = (core::mem::take(&mut self.index), core::mem::take(&mut self.low));
        for &agent in set {
            index[agent as usize] = 0;
        }
        let mut visited = 0;
        let mut way: Vec<(u32, usize)> = Vec::new();
        let (mut members, mut pending) = (Vec::new(), Vec::new());
        let mut parts = Vec::new();
        for &root in set {
            let mut entering = (index[root as usize] == 0).then_some(root);
            loop {
                if let Some(agent) = entering.take() {
                    visited += 1;
                    index[agent as usize] = visited;
                    low[agent as usize] = visited;
                    members.push(agent);
                    way.push((agent, pending.len()));
                    self.waits_for(agent, &mut pending);
                }
                let Some(&(agent, base)) = way.last() else { break };
                let at = agent as usize;
                if let Some(next) = (pending.len() > base).then(|| pending.pop()).flatten() {
                    match index[next as usize] {
                        0 => entering = Some(next),
                        NONE => {}
                        entered => low[at] = low[at].min(entered),
                    }
                    continue;
                }
                way.pop();
                if let Some(&(above, _)) = way.last() {
                    low[above as usize] = low[above as usize].min(low[at]);
                }
                if low[at] == index[at] {
                    let first = members.iter().rposition(|&member| member == agent).unwrap_or(0);
                    let part = members.split_off(first);
                    for &member in &part {
                        index[member as usize] = NONE;
                    }
                    parts.push(part);
                }
            }
        }
        (self.index, self.low) = (index, low);
        parts
    }

    fn told(&self, knots: &[Vec<u32>]) -> Outlook {
        let mut outlook = Outlook {
            waits: self
                .states
                .iter()
                .map(|state| match state {
                    State::Free => Waits::Free,
                    State::Held | State::Open => Waits::BehindHeld,
                })
                .collect(),
            ..Outlook::default()
        };
        for (knot, members) in (0..).zip(knots) {
            outlook.starts.push(short(outlook.members.len()));
            outlook.members.extend(members);
            for &member in members {
                outlook.waits[member as usize] = Waits::Knot(knot);
            }
        }
        // Who is stuck and held by nobody waits for a knot: going on to who blocks it, one comes to no end, so round.
        let mut is_behind = vec![false; self.graph.len()];
        for (knot, members) in (0..).zip(knots) {
            let mut open = members.clone();
            while let Some(agent) = open.pop() {
                for place in self.alternatives_blocked_by(agent) {
                    let alternative = self.blocked[place] as usize;
                    let owner = self.owners[alternative] as usize;
                    let is_open = self.states[owner] == State::Open && !is_behind[owner];
                    let is_member = matches!(outlook.waits[owner], Waits::Knot(_));
                    if is_open && !is_member && !self.is_dead[alternative] {
                        is_behind[owner] = true;
                        outlook.waits[owner] = Waits::BehindKnot(knot);
                        open.push(self.owners[alternative]);
                    }
                }
            }
        }
        outlook
    }
}

/// The stalled agents that block an alternative of `agent`.
fn blockers(graph: &WaitGraph, alternative: u32, agent: u32) -> impl Iterator<Item = u32> + '_ {
    let len = short(graph.len());
    graph
        .blockers_of(alternative)
        .iter()
        .filter_map(move |&blocker| match blocker {
            WaitsFor::Stalled(other) if other != agent && other < len => Some(other),
            _ => None,
        })
}
