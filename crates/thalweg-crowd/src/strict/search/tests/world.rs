//! Graphs with agents on their cells, and two ways to decide a tick.

use crate::strict::search::{Configurations, Successor};
use std::collections::{BTreeSet, VecDeque};

/// How a tick is decided where choices are not fixed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Resolver {
    /// Priority inheritance with backtracking, plain.
    Inheritance,
    /// Bad on purpose: only the first agent may choose, and takes the first choice that is legal; all others stay.
    OnlyFirst,
    /// Worse: makes nothing until everybody's choice is fixed, and never says why.
    OnlyFixed,
}

/// Agents on a directed graph. A configuration is the cell of each. A tick takes an agent along an edge or leaves it where
/// it is; no two on one cell, no two that exchange cells.
#[derive(Clone, Debug)]
pub(super) struct World {
    pub(super) edges: Vec<Vec<u16>>,
    pub(super) goals: Vec<u16>,
    pub(super) resolver: Resolver,
    pub(super) calls: u64,
    /// Of each agent, ticks from each cell to its goal.
    ticks: Vec<Vec<u32>>,
    /// Who is on each cell now, and who will be.
    now: Vec<u16>,
    then: Vec<u16>,
    chosen: Vec<u16>,
}

const NOBODY: u16 = u16::MAX;

impl World {
    pub(super) fn new(edges: &[Vec<u16>], goals: &[u16], resolver: Resolver) -> Self {
        let ticks = goals.iter().map(|&goal| ticks_to(edges, goal)).collect();
        Self {
            edges: edges.to_vec(),
            goals: goals.to_vec(),
            resolver,
            calls: 0,
            ticks,
            now: vec![NOBODY; edges.len()],
            then: vec![NOBODY; edges.len()],
            chosen: vec![NOBODY; goals.len()],
        }
    }

    /// Where a choice leads: the edges in their order, then staying.
    pub(super) fn target(&self, cell: u16, choice: u32) -> u16 {
        let edges = &self.edges[cell as usize];
        edges.get(choice as usize).copied().unwrap_or(cell)
    }

    /// Whether one legal tick leads from one configuration to another, told without the rest of this file.
    pub(super) fn is_tick(&self, from: &[u16], to: &[u16]) -> bool {
        let walks = |(from, to): (&u16, &u16)| from == to || self.edges[*from as usize].contains(to);
        let different: BTreeSet<&u16> = to.iter().collect();
        from.len() == to.len()
            && from.iter().zip(to).all(walks)
            && different.len() == to.len()
            && (0..to.len()).all(|one| (0..one).all(|other| (from[one], from[other]) != (to[other], to[one])))
    }

    /// Fails unless a way begins at `start`, ends with everybody at its goal, and has only legal ticks.
    pub(super) fn check(&self, start: &[u16], way: &[Vec<u16>]) {
        assert_eq!(way.first().map(Vec::as_slice), Some(start));
        assert_eq!(way.last(), Some(&self.goals));
        for tick in way.windows(2) {
            assert!(self.is_tick(&tick[0], &tick[1]), "no legal tick: {tick:?}");
        }
    }

    /// Takes a cell for an agent, if nobody else does and nobody comes the other way.
    fn take(&mut self, at: &[u16], agent: usize, cell: u16) -> bool {
        let other = self.now[cell as usize];
        let swaps = other != NOBODY && self.chosen[other as usize] == at[agent] && other as usize != agent;
        if self.then[cell as usize] != NOBODY || swaps {
            return false;
        }
        self.then[cell as usize] = agent as u16;
        self.chosen[agent] = cell;
        true
    }

    /// Decides for an agent, and for whoever stands where it wants to go.
    fn inherit(&mut self, at: &[u16], agent: usize) -> bool {
        let mut cells = self.edges[at[agent] as usize].clone();
        cells.push(at[agent]);
        cells.sort_by_key(|&cell| self.ticks[agent][cell as usize]);
        for cell in cells {
            if !self.take(at, agent, cell) {
                continue;
            }
            let other = self.now[cell as usize];
            let is_open = other == NOBODY || self.chosen[other as usize] != NOBODY;
            if is_open || self.inherit(at, other as usize) {
                return true;
            }
            // Whoever was pushed in vain has taken the cell back.
            self.chosen[agent] = NOBODY;
        }
        // It stays; who pushed it must look elsewhere.
        self.then[at[agent] as usize] = agent as u16;
        self.chosen[agent] = at[agent];
        false
    }

    fn decide(&mut self, at: &[u16], order: &[u32], fixed: &[(u32, u32)]) -> Successor<Vec<u16>> {
        for (place, &(agent, choice)) in fixed.iter().enumerate() {
            let target = self.target(at[agent as usize], choice);
            if !self.take(at, agent as usize, target) {
                return match self.resolver {
                    Resolver::OnlyFixed => Successor::NotMade,
                    _ => Successor::Impossible { fixed: place + 1 },
                };
            }
        }
        if self.resolver == Resolver::OnlyFixed && fixed.len() < order.len() {
            return Successor::NotMade;
        }
        for (place, &agent) in order.iter().enumerate() {
            let agent = agent as usize;
            if self.chosen[agent] != NOBODY {
                continue;
            }
            let is_made = match self.resolver {
                Resolver::Inheritance => self.inherit(at, agent),
                _ if place == 0 => {
                    let count = self.choices(&at.to_vec(), agent) as u32;
                    let mut targets = (0..count).map(|choice| self.target(at[agent], choice));
                    let free = targets.find(|&cell| self.now[cell as usize] == NOBODY);
                    self.take(at, agent, free.unwrap_or(at[agent]))
                }
                _ => self.take(at, agent, at[agent]),
            };
            if !is_made {
                return Successor::NotMade;
            }
        }
        Successor::Made(self.chosen.clone())
    }
}

impl Configurations for World {
    type Configuration = Vec<u16>;

    fn agents(&self) -> usize {
        self.goals.len()
    }

    fn choices(&self, at: &Vec<u16>, agent: usize) -> usize {
        self.edges[at[agent] as usize].len() + 1
    }

    #[inline(never)]
    fn successor(&mut self, at: &Vec<u16>, order: &[u32], fixed: &[(u32, u32)]) -> Successor<Vec<u16>> {
        assert!(
            order.len() == at.len()
                && fixed
                    .iter()
                    .zip(order)
                    .all(|(&(agent, _), &first)| agent == first)
        );
        self.calls += 1;
        for (agent, &cell) in at.iter().enumerate() {
            self.now[cell as usize] = agent as u16;
        }
        let made = self.decide(at, order, fixed);
        for (agent, &cell) in at.iter().enumerate() {
            self.now[cell as usize] = NOBODY;
            if self.chosen[agent] != NOBODY {
                self.then[self.chosen[agent] as usize] = NOBODY;
            }
            self.chosen[agent] = NOBODY;
        }
        made
    }

    fn is_at_goal(&self, at: &Vec<u16>, agent: usize) -> bool {
        at[agent] == self.goals[agent]
    }

    fn cost_to_goal(&self, at: &Vec<u16>, agent: usize) -> u32 {
        self.ticks[agent][at[agent] as usize]
    }

    fn is_goal(&self, at: &Vec<u16>) -> bool {
        *at == self.goals
    }

    fn least_ticks(&self, at: &Vec<u16>, agent: usize) -> u32 {
        self.ticks[agent][at[agent] as usize]
    }
}

/// Ticks from each cell to `goal` on an empty graph.
fn ticks_to(edges: &[Vec<u16>], goal: u16) -> Vec<u32> {
    let mut entries = vec![Vec::new(); edges.len()];
    for (from, targets) in (0u16..).zip(edges) {
        for &to in targets {
            entries[to as usize].push(from);
        }
    }
    let mut ticks = vec![u32::MAX; edges.len()];
    ticks[goal as usize] = 0;
    let mut queue = VecDeque::from([goal]);
    while let Some(cell) = queue.pop_front() {
        for &before in &entries[cell as usize] {
            if ticks[before as usize] == u32::MAX {
                ticks[before as usize] = ticks[cell as usize] + 1;
                queue.push_back(before);
            }
        }
    }
    ticks
}

/// A picture as a graph: `#` is wall, everything else a cell, joined to the four around it. Cells are numbered row by row;
/// `places` finds letters.
pub(super) struct Picture {
    pub(super) edges: Vec<Vec<u16>>,
    letters: Vec<char>,
}

impl Picture {
    pub(super) fn new(rows: &[&str]) -> Self {
        let rows: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
        let width = rows.first().map_or(0, Vec::len);
        let mut numbers = vec![vec![NOBODY; width]; rows.len()];
        let mut letters = Vec::new();
        for (row, line) in rows.iter().enumerate() {
            for (column, &letter) in line.iter().enumerate().filter(|(_, letter)| **letter != '#') {
                numbers[row][column] = letters.len() as u16;
                letters.push(letter);
            }
        }
        let mut edges = vec![Vec::new(); letters.len()];
        for row in 0..rows.len() {
            for column in 0..width {
                let cell = numbers[row][column];
                if cell == NOBODY {
                    continue;
                }
                for (across, down) in [(0isize, -1isize), (1, 0), (0, 1), (-1, 0)] {
                    let around = row
                        .checked_add_signed(down)
                        .zip(column.checked_add_signed(across))
                        .and_then(|(row, column)| numbers.get(row)?.get(column))
                        .filter(|&&next| next != NOBODY);
                    edges[cell as usize].extend(around);
                }
            }
        }
        Self { edges, letters }
    }

    /// The cells of the letters, in their order.
    pub(super) fn places(&self, letters: &str) -> Vec<u16> {
        let place = |letter: char| self.letters.iter().position(|other| *other == letter);
        letters
            .chars()
            .map(|letter| place(letter).expect("the letter is in the picture") as u16)
            .collect()
    }
}

/// All configurations that can be reached from `start`, with the fewest ticks to each, by breadth-first search that tries
/// every choice of everybody.
pub(super) fn reachable(world: &World, start: &[u16]) -> Vec<(Vec<u16>, u32)> {
    let mut seen = BTreeSet::from([start.to_vec()]);
    let mut found = vec![(start.to_vec(), 0)];
    let mut at = 0;
    while at < found.len() {
        let (from, ticks) = found[at].clone();
        at += 1;
        let mut digits = vec![0u32; from.len()];
        loop {
            let to: Vec<u16> = digits
                .iter()
                .zip(&from)
                .map(|(&choice, &cell)| world.target(cell, choice))
                .collect();
            if world.is_tick(&from, &to) && seen.insert(to.clone()) {
                found.push((to, ticks + 1));
            }
            let count = |agent: usize| world.edges[from[agent] as usize].len() as u32;
            let Some(agent) = (0..from.len()).rfind(|&agent| digits[agent] < count(agent)) else {
                break;
            };
            digits[agent] += 1;
            digits[agent + 1..].fill(0);
        }
    }
    found
}
