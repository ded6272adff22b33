//! A map as nodes and edges, so that the algorithms here can be tested on graphs that no map has yet.

use crate::grid::CellId;
use crate::movement::Movement;
use crate::movement::without::edge_survives;

/// A directed graph over the nodes `0..len`.
pub(super) trait Graph {
    /// One past the largest node.
    fn len(&self) -> usize;
    /// Whether the node is there.
    fn has(&self, node: u32) -> bool;
    /// Appends the ends of the edges that leave a node.
    fn targets(&self, node: u32, out: &mut Vec<u32>);
    /// Appends the beginnings of the edges that enter a node.
    fn sources(&self, node: u32, out: &mut Vec<u32>);
}

impl Graph for Movement {
    fn len(&self) -> usize {
        self.grid().len()
    }

    fn has(&self, node: u32) -> bool {
        self.is_passable(CellId(node))
    }

    fn targets(&self, node: u32, out: &mut Vec<u32>) {
        out.extend(self.edges_from(CellId(node)).map(|edge| edge.other.0));
    }

    fn sources(&self, node: u32, out: &mut Vec<u32>) {
        out.extend(self.edges_into(CellId(node)).map(|edge| edge.other.0));
    }
}

/// A movement with more cells blocked.
pub(super) struct Without<'a> {
    pub(super) movement: &'a Movement,
    /// In ascending order.
    pub(super) blocked: &'a [u32],
}

impl Without<'_> {
    fn is_blocked(&self, cell: CellId) -> bool {
        self.blocked.binary_search(&cell.0).is_ok()
    }
}

impl Graph for Without<'_> {
    fn len(&self) -> usize {
        self.movement.grid().len()
    }

    fn has(&self, node: u32) -> bool {
        self.movement.has(node) && !self.is_blocked(CellId(node))
    }

    fn targets(&self, node: u32, out: &mut Vec<u32>) {
        let from = CellId(node);
        let edges = self.movement.edges_from(from);
        out.extend(
            edges
                .filter(|edge| edge_survives(self.movement, from, edge, |cell| self.is_blocked(cell)))
                .map(|edge| edge.other.0),
        );
    }

    fn sources(&self, node: u32, out: &mut Vec<u32>) {
        let to = CellId(node);
        for edge in self.movement.edges_into(to) {
            let from = edge.other;
            let forward = crate::movement::Edge { other: to, ..edge };
            if edge_survives(self.movement, from, &forward, |cell| self.is_blocked(cell)) {
                out.push(from.0);
            }
        }
    }
}

/// The nodes of a graph that carry one label, with the edges between them.
pub(super) struct Restricted<'a, G> {
    pub(super) graph: &'a G,
    pub(super) labels: &'a [u32],
    pub(super) label: u32,
}

impl<G: Graph> Graph for Restricted<'_, G> {
    fn len(&self) -> usize {
        self.graph.len()
    }

    fn has(&self, node: u32) -> bool {
        self.labels[node as usize] == self.label && self.graph.has(node)
    }

    fn targets(&self, node: u32, out: &mut Vec<u32>) {
        let before = out.len();
        self.graph.targets(node, out);
        let kept = out.split_off(before);
        out.extend(kept.into_iter().filter(|&next| self.has(next)));
    }

    fn sources(&self, node: u32, out: &mut Vec<u32>) {
        let before = out.len();
        self.graph.sources(node, out);
        let kept = out.split_off(before);
        out.extend(kept.into_iter().filter(|&next| self.has(next)));
    }
}

/// Whether every edge has a way back.
pub(super) fn is_symmetric(graph: &impl Graph) -> bool {
    let (mut out, mut back) = (Vec::new(), Vec::new());
    nodes(graph).all(|node| {
        out.clear();
        back.clear();
        graph.targets(node, &mut out);
        graph.sources(node, &mut back);
        // A handful of ends: looking each up is cheaper than sorting both.
        out.iter().all(|end| back.contains(end)) && back.iter().all(|end| out.contains(end))
    })
}

/// The nodes that are there, in order.
pub(super) fn nodes(graph: &impl Graph) -> impl Iterator<Item = u32> + '_ {
    // Grids are limited to 2^30 cells.
    let end = u32::try_from(graph.len()).unwrap_or(u32::MAX);
    (0..end).filter(|&node| graph.has(node))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use thalweg_testkit::random_map::SplitMix64;

    /// Any directed graph; a node may be taken away.
    #[derive(Clone)]
    pub(crate) struct Digraph {
        pub(crate) targets: Vec<Vec<u32>>,
        pub(crate) gone: Vec<bool>,
    }

    impl Digraph {
        /// Sparse enough that reachability is seldom complete.
        pub(crate) fn random(seed: u64) -> Self {
            let mut random = SplitMix64::new(seed);
            let nodes = 1 + random.below(14);
            let mut targets = vec![Vec::new(); nodes as usize];
            for _ in 0..random.below(3 * nodes) {
                let (from, to) = (random.below(nodes), random.below(nodes));
                targets[from as usize].push(to);
            }
            let gone = (0..nodes).map(|_| random.percent(10)).collect();
            Self { targets, gone }
        }

        pub(crate) fn without(&self, nodes: &[u32]) -> Self {
            let mut graph = self.clone();
            for &node in nodes {
                graph.gone[node as usize] = true;
            }
            graph
        }

        /// Which node reaches which, by Warshall's closure.
        pub(crate) fn closure(&self) -> Vec<Vec<bool>> {
            let len = self.targets.len();
            let mut reach = vec![vec![false; len]; len];
            for (node, row) in reach.iter_mut().enumerate() {
                row[node] = !self.gone[node];
                for &to in &self.targets[node] {
                    row[to as usize] |= !self.gone[node] && !self.gone[to as usize];
                }
            }
            for middle in 0..len {
                for from in 0..len {
                    for to in 0..len {
                        reach[from][to] |= reach[from][middle] && reach[middle][to];
                    }
                }
            }
            reach
        }
    }

    impl Graph for Digraph {
        fn len(&self) -> usize {
            self.targets.len()
        }

        fn has(&self, node: u32) -> bool {
            !self.gone[node as usize]
        }

        fn targets(&self, node: u32, out: &mut Vec<u32>) {
            out.extend(
                self.targets[node as usize]
                    .iter()
                    .filter(|&&to| self.has(node) && self.has(to)),
            );
        }

        fn sources(&self, node: u32, out: &mut Vec<u32>) {
            for (from, targets) in (0u32..).zip(&self.targets) {
                if self.has(node) && self.has(from) && targets.contains(&node) {
                    out.push(from);
                }
            }
        }
    }

    #[test]
    fn a_graph_is_symmetric_exactly_if_its_edges_come_in_pairs() {
        for seed in 0..300 {
            let graph = Digraph::random(seed);
            let has = |from: u32, to: u32| {
                let mut out = Vec::new();
                graph.targets(from, &mut out);
                out.contains(&to)
            };
            let end = u32::try_from(graph.len()).unwrap();
            let expected = (0..end).all(|a| (0..end).all(|b| has(a, b) == has(b, a)));
            assert_eq!(is_symmetric(&graph), expected, "seed {seed}");
        }
    }
}
