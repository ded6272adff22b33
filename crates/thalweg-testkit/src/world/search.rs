//! A textbook search against the edges, and what it says about every anchor.

use super::{Listed, Rules};
use crate::body::Under;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use thalweg_core::integrate::{CostToGoal, MAX_COST_TO_GOAL, Reach};

/// Least cost and, among the goals that give it, the lowest index.
pub type Answer = Option<(u64, u32)>;

/// Edges by the node they enter.
pub(super) struct Against {
    first: Vec<usize>,
    edges: Vec<(usize, u64)>,
}

impl Against {
    pub(super) fn new(nodes: usize, edges: &[(usize, usize, u64)]) -> Self {
        let mut first = vec![0; nodes + 1];
        for edge in edges {
            first[edge.1 + 1] += 1;
        }
        for node in 0..nodes {
            first[node + 1] += first[node];
        }
        let mut place = first.clone();
        let mut sorted = vec![(0, 0); edges.len()];
        for &(from, to, cost) in edges {
            sorted[place[to]] = (from, cost);
            place[to] += 1;
        }
        Self { first, edges: sorted }
    }

    /// Dijkstra's algorithm over `(cost, goal)`, from `(node, cost, goal)`.
    pub(super) fn search(&self, starts: impl IntoIterator<Item = (usize, u64, u32)>) -> Vec<Answer> {
        let mut best: Vec<Answer> = vec![None; self.first.len() - 1];
        let mut queue: BinaryHeap<Reverse<(u64, u32, usize)>> = BinaryHeap::new();
        queue.extend(
            starts
                .into_iter()
                .map(|(node, cost, goal)| Reverse((cost, goal, node))),
        );
        while let Some(Reverse((cost, goal, node))) = queue.pop() {
            if best[node].is_some() {
                continue;
            }
            best[node] = Some((cost, goal));
            for &(from, step) in &self.edges[self.first[node]..self.first[node + 1]] {
                if best[from].is_none() {
                    queue.push(Reverse((cost + step, goal, from)));
                }
            }
        }
        best
    }

    /// Which nodes lead to a node.
    pub(super) fn leading_to(&self, node: usize) -> Vec<bool> {
        let mut leads = vec![false; self.first.len() - 1];
        leads[node] = true;
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            for &(from, _) in &self.edges[self.first[node]..self.first[node + 1]] {
                if !leads[from] {
                    leads[from] = true;
                    open.push(from);
                }
            }
        }
        leads
    }
}

/// What a field of the world must say.
#[derive(Clone, Debug)]
pub struct Truth<'a> {
    /// The rules it follows from.
    pub rules: &'a Rules<'a>,
    /// Every edge, by the anchor it leaves.
    pub edges: Vec<Listed>,
    /// Where the waves start.
    pub starts: Vec<(usize, u64, u32)>,
    /// Cost and goal without a limit.
    pub best: Vec<Answer>,
    /// The edges of an anchor are `edges[first[anchor]..first[anchor + 1]]`.
    first: Vec<usize>,
    /// Fewest free steps to an anchor with a paid way down or a goal.
    hops: Vec<Option<u32>>,
}

impl<'a> Truth<'a> {
    /// Solves a world.
    #[must_use]
    pub fn new(rules: &'a Rules<'a>) -> Self {
        let anchors = rules.under.len();
        let edges = rules.edges(&rules.no_walls());
        let starts = rules.starts();
        let best = against(anchors, &edges).search(starts.iter().copied());
        let mut first = vec![0; anchors + 1];
        for edge in &edges {
            first[edge.from + 1] += 1;
        }
        for anchor in 0..anchors {
            first[anchor + 1] += first[anchor];
        }
        let mut truth = Self {
            rules,
            edges,
            starts,
            best,
            first,
            hops: vec![None; anchors],
        };
        truth.count_hops();
        truth
    }

    fn count_hops(&mut self) {
        let anchors = self.best.len();
        let mut open: VecDeque<usize> = (0..anchors)
            .filter(|&anchor| self.is_goal(anchor) || self.keeping(anchor).any(|edge| edge.cost > 0))
            .collect();
        for &anchor in &open {
            self.hops[anchor] = Some(0);
        }
        // A free edge keeps the cost, so only those that lead to equal cost count.
        let mut free_into: Vec<Vec<usize>> = vec![Vec::new(); anchors];
        for anchor in 0..anchors {
            for edge in self.keeping(anchor).filter(|edge| edge.cost == 0) {
                free_into[edge.to].push(anchor);
            }
        }
        while let Some(anchor) = open.pop_front() {
            for &from in &free_into[anchor] {
                if self.hops[from].is_none() {
                    self.hops[from] = self.hops[anchor].map(|hops| hops + 1);
                    open.push_back(from);
                }
            }
        }
    }

    /// The edges of an anchor.
    #[must_use]
    pub fn edges_from(&self, anchor: usize) -> &[Listed] {
        &self.edges[self.first[anchor]..self.first[anchor + 1]]
    }

    /// The edges that keep the least cost.
    pub(super) fn keeping(&self, anchor: usize) -> impl Iterator<Item = Listed> + '_ {
        let own = self.best[anchor].map(|best| best.0);
        let edges = self.edges_from(anchor).iter().copied();
        edges.filter(move |edge| {
            let through = self.best[edge.to].map(|best| best.0 + edge.cost);
            through.is_some() && through == own
        })
    }

    /// Whether one has arrived: a goal is here and no other is better.
    #[must_use]
    pub fn is_goal(&self, anchor: usize) -> bool {
        let own = self.best[anchor].map(|best| best.0);
        self.starts
            .iter()
            .any(|start| start.0 == anchor && Some(start.1) == own)
    }

    /// The edges that keep the cost and lead on: they are paid for, or lower the number of free steps that are left.
    #[must_use]
    pub fn successors(&self, anchor: usize) -> Vec<Listed> {
        if self.is_goal(anchor) || self.reach(anchor).cost().is_none() {
            return Vec::new();
        }
        self.keeping(anchor)
            .filter(|edge| edge.cost > 0 || self.hops[edge.to] < self.hops[anchor])
            .collect()
    }

    /// The least cost of every anchor to one of the given ones.
    #[must_use]
    pub fn costs_to(&self, goals: &[usize]) -> Vec<Option<u64>> {
        let starts = goals.iter().map(|&goal| (goal, 0, 0));
        let best = against(self.best.len(), &self.edges).search(starts);
        best.into_iter().map(|best| best.map(|best| best.0)).collect()
    }

    /// Whether a cost does not fit although no limit was asked for; then the first anchor whose cost does not although that of
    /// an anchor it leads to does.
    #[must_use]
    pub fn overflow(&self) -> Option<usize> {
        let fits =
            |anchor: usize| self.best[anchor].is_some_and(|best| best.0 <= u64::from(MAX_COST_TO_GOAL));
        let lost = |&anchor: &usize| {
            self.best[anchor].is_some()
                && !fits(anchor)
                && self.edges_from(anchor).iter().any(|edge| fits(edge.to))
        };
        (0..self.best.len())
            .find(lost)
            .filter(|_| self.rules.world.limit.is_none())
    }

    fn limit(&self) -> u64 {
        u64::from(
            self.rules
                .world
                .limit
                .unwrap_or(MAX_COST_TO_GOAL)
                .min(MAX_COST_TO_GOAL),
        )
    }

    /// Whether the limit cut anything off.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.best.iter().flatten().any(|best| best.0 > self.limit())
    }

    /// What must be known about an anchor.
    #[must_use]
    pub fn reach(&self, anchor: usize) -> Reach {
        match (self.rules.under(anchor), self.best[anchor]) {
            (Under::Unknown, _) => Reach::Unknown,
            (Under::Wall, _) => Reach::Unreachable,
            (Under::Free(_), Some((cost, _))) if cost <= self.limit() => {
                Reach::Reached(CostToGoal(u32::try_from(cost).expect("within the limit")))
            }
            _ if self.is_cut() => Reach::Unknown,
            _ => Reach::Unreachable,
        }
    }
}

pub(super) fn against(anchors: usize, edges: &[Listed]) -> Against {
    let plain: Vec<_> = edges.iter().map(|edge| (edge.from, edge.to, edge.cost)).collect();
    Against::new(anchors, &plain)
}
