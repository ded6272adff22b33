//! Which component leads to which, where some edges have no way back.

use super::graph::{Graph, nodes};

/// Which component leads to which.
#[derive(Clone, Debug)]
pub(super) struct Condensation {
    /// Every edge leads from a higher rank to a lower one.
    ranks: Vec<u32>,
    /// Components that are joined by edges of any direction share this number.
    weak: Vec<u32>,
    /// Where the targets of each component begin; one more at the end.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Condensation {
    pub(super) fn of(graph: &impl Graph, labels: &[u32], ranks: Vec<u32>) -> Self {
        let mut edges = Vec::new();
        let mut next = Vec::new();
        for node in nodes(graph) {
            graph.targets(node, &mut next);
            let from = labels[node as usize];
            edges.extend(
                next.drain(..)
                    .map(|to| (from, labels[to as usize]))
                    .filter(|(from, to)| from != to),
            );
        }
        edges.sort_unstable();
        edges.dedup();
        let mut weak: Vec<u32> = (0u32..).take(ranks.len()).collect();
        let mut starts = vec![0u32; ranks.len() + 1];
        for &(from, to) in &edges {
            let (a, b) = (root_of(&mut weak, from), root_of(&mut weak, to));
            // The lower number stays, whatever the order of the edges.
            weak[a.max(b) as usize] = a.min(b);
            starts[from as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        for label in (0u32..).take(ranks.len()) {
            weak[label as usize] = root_of(&mut weak, label);
        }
        Self {
            ranks,
            weak,
            starts,
            targets: edges.into_iter().map(|(_, to)| to).collect(),
        }
    }

    /// The components that an edge leads to, in ascending order.
    pub(super) fn targets(&self, label: u32) -> &[u32] {
        let ends = self.starts.get(label as usize..).unwrap_or(&[]);
        let &[start, end, ..] = ends else { return &[] };
        self.targets.get(start as usize..end as usize).unwrap_or(&[])
    }

    pub(super) fn bytes(&self) -> usize {
        4 * (self.ranks.len() + self.weak.len() + self.starts.len() + self.targets.len())
    }

    /// Whether a way leads from one component to another one.
    pub(super) fn leads(&self, from: u32, to: u32) -> bool {
        let rank = |label: u32| self.ranks[label as usize];
        if rank(from) < rank(to) || self.weak[from as usize] != self.weak[to as usize] {
            return false;
        }
        let mut seen = vec![0u64; self.ranks.len().div_ceil(64)];
        let mut open = vec![from];
        while let Some(label) = open.pop() {
            for &next in self.targets(label) {
                if next == to {
                    return true;
                }
                let (word, bit) = (next as usize / 64, 1u64 << (next % 64));
                // Below the rank of `to` nothing leads there.
                if rank(next) > rank(to) && seen[word] & bit == 0 {
                    seen[word] |= bit;
                    open.push(next);
                }
            }
        }
        false
    }
}

/// The representative of a set, with the way to it halved.
pub(super) fn root_of(parents: &mut [u32], mut node: u32) -> u32 {
    while parents[node as usize] != node {
        let above = parents[parents[node as usize] as usize];
        parents[node as usize] = above;
        node = above;
    }
    node
}
