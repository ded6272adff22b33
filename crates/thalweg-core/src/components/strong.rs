//! Strongly connected components by Tarjan's algorithm (1972), with a stack of its own instead of recursion: a corridor
//! through a whole map is as deep as the map has cells.

use super::graph::{Graph, nodes};

/// The label of a node that is not there.
pub(super) const NONE: u32 = u32::MAX;

/// Labels in the order in which Tarjan's algorithm closes components: every edge between two components leads from a
/// higher label to a lower one. Nodes that are not there get [`NONE`]. Also how many components there are.
///
/// O(nodes + edges); beside the labels it holds 8 bytes a node and, on the longest way it goes, 16 more a node and 4 for
/// each edge that leaves it.
pub(super) fn strong_components(graph: &impl Graph) -> (Vec<u32>, u32) {
    let mut search = Search {
        labels: vec![NONE; graph.len()],
        index: vec![0; graph.len()],
        low: vec![0; graph.len()],
        visited: 0,
        open: Vec::new(),
        frames: Vec::new(),
        pending: Vec::new(),
    };
    let mut count = 0;
    for root in nodes(graph) {
        if search.index[root as usize] == 0 {
            search.enter(graph, root);
            search.run(graph, &mut count);
        }
    }
    (search.labels, count)
}

struct Search {
    labels: Vec<u32>,
    /// When a node was entered, from 1; 0 before.
    index: Vec<u32>,
    low: Vec<u32>,
    visited: u32,
    /// Nodes entered whose component is not closed.
    open: Vec<u32>,
    /// The way from the root: a node, and where its part of `pending` begins.
    frames: Vec<(u32, usize)>,
    /// Targets not looked at yet, of all frames.
    pending: Vec<u32>,
}

impl Search {
    fn enter(&mut self, graph: &impl Graph, node: u32) {
        self.visited += 1;
        self.index[node as usize] = self.visited;
        self.low[node as usize] = self.visited;
        self.open.push(node);
        self.frames.push((node, self.pending.len()));
        graph.targets(node, &mut self.pending);
    }

    fn run(&mut self, graph: &impl Graph, count: &mut u32) {
        while let Some(&(node, base)) = self.frames.last() {
            let at = node as usize;
            if self.pending.len() > base {
                let Some(next) = self.pending.pop() else { break };
                if self.index[next as usize] == 0 {
                    self.enter(graph, next);
                } else if self.labels[next as usize] == NONE {
                    self.low[at] = self.low[at].min(self.index[next as usize]);
                }
                continue;
            }
            self.frames.pop();
            if self.low[at] == self.index[at] {
                while let Some(member) = self.open.pop() {
                    self.labels[member as usize] = *count;
                    if member == node {
                        break;
                    }
                }
                *count += 1;
            }
            if let Some(&(parent, _)) = self.frames.last() {
                let parent = parent as usize;
                self.low[parent] = self.low[parent].min(self.low[at]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::tests::Digraph;
    use super::*;

    #[test]
    fn nodes_share_a_label_exactly_if_each_reaches_the_other_and_edges_lead_to_lower_labels() {
        for seed in 0..2_000 {
            let graph = Digraph::random(seed);
            let reach = graph.closure();
            let (labels, count) = strong_components(&graph);
            for from in 0..graph.len() {
                assert_eq!(labels[from] == NONE, graph.gone[from], "seed {seed}");
                assert!(labels[from] == NONE || labels[from] < count, "seed {seed}");
                for to in 0..graph.len() {
                    if graph.gone[from] || graph.gone[to] {
                        continue;
                    }
                    let same = reach[from][to] && reach[to][from];
                    assert_eq!(labels[from] == labels[to], same, "seed {seed} {from} {to}");
                    assert!(
                        !reach[from][to] || labels[from] >= labels[to],
                        "seed {seed} {from} {to}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_ring_of_a_million_nodes_is_one_component_and_overflows_no_stack() {
        let len = 1_000_000u32;
        let graph = Digraph {
            targets: (0..len).map(|node| vec![(node + 1) % len]).collect(),
            gone: vec![false; len as usize],
        };
        let (labels, count) = strong_components(&graph);
        assert_eq!(count, 1);
        assert!(labels.iter().all(|&label| label == 0));
    }
}
