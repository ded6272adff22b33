//! One depth-first search with low points (Hopcroft and Tarjan 1973) for everything that is read from it: cut cells,
//! blocks and bridges. It has a stack of its own instead of recursion: a corridor through a whole map is as deep as the
//! map has cells.

use super::graph::{Graph, nodes};

/// A subtree of the search from which no edge leads past the node it hangs on. With that node, what is left of it when
/// smaller such subtrees have been taken out is a block: nothing in it comes apart when one node is taken away.
pub(super) struct Branch<'a> {
    /// The node it hangs on.
    pub(super) at: u32,
    /// The node above that one; `None` if `at` is where its tree begins.
    pub(super) parent: Option<u32>,
    /// The first node of the subtree.
    pub(super) child: u32,
    /// How many nodes the subtree has.
    pub(super) size: u32,
    /// The nodes of its block without `at`, `child` first. Every node but the first of a tree is in this list once.
    pub(super) members: &'a [u32],
}

/// What is told of a search, in the order in which it is known.
pub(super) enum Found<'a> {
    Branch(Branch<'a>),
    /// A tree has been searched; all branches since the one before it are its own.
    Tree {
        /// How many nodes it has.
        size: u32,
    },
}

/// A node on the way from the root.
struct Frame {
    node: u32,
    /// The least number of a node that an edge from its subtree leads to, or its own.
    low: u32,
    /// Its place among the nodes whose block is not closed.
    place: usize,
    /// Where its targets begin, of those not looked at yet.
    base: usize,
}

/// Searches a graph in which every edge has a way back, from its nodes in order.
///
/// O(nodes + edges); it holds 4 bytes a node and, on the longest way it goes, 28 more a node and 4 for each edge that leaves
/// it.
pub(super) fn search(graph: &impl Graph, mut tell: impl FnMut(Found<'_>)) {
    // When a node was entered, from 1; 0 before. Low points are asked for on the way alone, so they live there; and what
    // was entered since a node was is its subtree, so nobody counts it.
    let mut index = vec![0u32; graph.len()];
    let mut visited = 0;
    let mut pending = Vec::new();
    let mut frames: Vec<Frame> = Vec::new();
    // Nodes entered whose block is not closed.
    let mut open: Vec<u32> = Vec::new();
    for root in nodes(graph) {
        if index[root as usize] != 0 {
            continue;
        }
        let mut entering = Some(root);
        loop {
            if let Some(node) = entering.take() {
                visited += 1;
                index[node as usize] = visited;
                frames.push(Frame {
                    node,
                    low: visited,
                    place: open.len(),
                    base: pending.len(),
                });
                open.push(node);
                graph.targets(node, &mut pending);
            }
            let Some(frame) = frames.last_mut() else { break };
            if pending.len() > frame.base {
                let Some(next) = pending.pop() else { break };
                let entered = index[next as usize];
                if entered == 0 {
                    entering = Some(next);
                } else {
                    // The edge back to the parent counts too: it gives the parent's own number, which cuts as well. A
                    // bridge shows by its block of two nodes, since no edge is there twice.
                    frame.low = frame.low.min(entered);
                }
                continue;
            }
            let Frame { node, low, place, .. } = *frame;
            let size = visited + 1 - index[node as usize];
            frames.pop();
            let parent = frames.len().checked_sub(2).map(|second| frames[second].node);
            let Some(above) = frames.last_mut() else {
                open.clear();
                tell(Found::Tree { size });
                continue;
            };
            above.low = above.low.min(low);
            if low >= index[above.node as usize] {
                tell(Found::Branch(Branch {
                    at: above.node,
                    parent,
                    child: node,
                    size,
                    members: &open[place..],
                }));
                open.truncate(place);
            }
        }
    }
}
