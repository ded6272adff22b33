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

/// Searches a graph in which every edge has a way back, from its nodes in order.
///
/// O(nodes + edges); it holds 12 bytes a node and, on the longest way it goes, 28 more a node and 4 for
/// each edge that leaves it.
pub(super) fn search(graph: &impl Graph, mut tell: impl FnMut(Found<'_>)) {
    // When a node was entered, from 1; 0 before.
    let mut index = vec![0u32; graph.len()];
    let mut low = vec![0u32; graph.len()];
    let mut size = vec![1u32; graph.len()];
    let mut visited = 0;
    let mut pending = Vec::new();
    // The way from the root: a node, where its part of `pending` begins, and its place in `open`.
    let mut frames: Vec<(u32, usize, usize)> = Vec::new();
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
                low[node as usize] = visited;
                frames.push((node, pending.len(), open.len()));
                open.push(node);
                graph.targets(node, &mut pending);
            }
            let Some(&(node, base, place)) = frames.last() else {
                break;
            };
            let at = node as usize;
            if pending.len() > base {
                let Some(next) = pending.pop() else { break };
                if index[next as usize] == 0 {
                    entering = Some(next);
                } else {
                    // The edge back to the parent counts too: it gives the parent's own number, which cuts as well. A
                    // bridge shows by its block of two nodes, since no edge is there twice.
                    low[at] = low[at].min(index[next as usize]);
                }
                continue;
            }
            frames.pop();
            let Some(&(above, ..)) = frames.last() else {
                open.clear();
                tell(Found::Tree { size: size[at] });
                continue;
            };
            let up = above as usize;
            low[up] = low[up].min(low[at]);
            size[up] += size[at];
            if low[at] >= index[up] {
                tell(Found::Branch(Branch {
                    at: above,
                    parent: frames.len().checked_sub(2).map(|second| frames[second].0),
                    child: node,
                    size: size[at],
                    members: &open[place..],
                }));
                open.truncate(place);
            }
        }
    }
}
