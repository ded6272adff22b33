//! Cells that would cut their component on their own: articulation points, by one depth-first search with low points
//! (Hopcroft and Tarjan 1973), with a stack of its own instead of recursion.
//!
//! Blocking a cell is more than taking a node out of the graph: it also takes away diagonals that pass it. But under
//! [`CornerRule::BothFree`] and [`CornerRule::OneFree`] a diagonal is legal only beside a side cell that makes the same
//! way in two straight steps, and if that cell is blocked the diagonal was not to be counted on. So the graph of straight
//! steps connects what all steps connect, before and after, and in it blocking *is* taking a node out. Under
//! [`CornerRule::Always`] no diagonal depends on its sides, and the whole graph serves.

use super::graph::{Graph, nodes};
use crate::grid::{CellId, Direction};
use crate::movement::without::{has_detour, travel_direction};
use crate::movement::{CornerRule, Movement};

/// Every cell that would cut its component, with the pieces it would leave.
#[derive(Clone, Debug)]
pub(super) struct CutPoints {
    /// In id order.
    cells: Vec<u32>,
    /// Where the pieces of each cell begin; one more at the end.
    starts: Vec<u32>,
    /// A cell of the piece and how many it has.
    pieces: Vec<(u32, u32)>,
}

impl CutPoints {
    /// `None` if a diagonal has no way round in straight steps although its rule asks for one: then straight steps do not
    /// tell the whole truth, and sets must be answered by floods.
    pub(super) fn of(movement: &Movement, labels: &[u32], sizes: &[u32]) -> Option<Self> {
        let skeleton = Skeleton {
            movement,
            keep_diagonals: movement.profile().corner_rule_in_force() == CornerRule::Always,
        };
        let is_exact = skeleton.keep_diagonals
            || movement.grid().ids().all(|id| {
                movement
                    .exits(id)
                    .iter()
                    .filter_map(Direction::sides)
                    .all(|(a, b)| has_detour(movement, id, a, b) || has_detour(movement, id, b, a))
            });
        is_exact.then(|| Self::of_graph(&skeleton, labels, sizes))
    }

    /// For a graph in which every edge has a way back.
    fn of_graph(graph: &impl Graph, labels: &[u32], sizes: &[u32]) -> Self {
        let mut branches = branches_of(graph);
        branches.sort_unstable_by_key(|branch| (branch.at, branch.child));
        let mut points = Self {
            cells: Vec::new(),
            starts: vec![0],
            pieces: Vec::new(),
        };
        for group in branches.chunk_by(|a, b| a.at == b.at) {
            let Branch { at, parent, .. } = group[0];
            let whole = sizes[labels[at as usize] as usize];
            let below: u32 = group.iter().map(|branch| branch.size).sum();
            let rest = parent.map(|parent| (parent, whole.saturating_sub(1).saturating_sub(below)));
            let before = points.pieces.len();
            points
                .pieces
                .extend(group.iter().map(|branch| (branch.child, branch.size)));
            points.pieces.extend(rest);
            if points.pieces.len() - before < 2 {
                points.pieces.truncate(before);
                continue;
            }
            points.cells.push(at);
            points
                .starts
                .push(u32::try_from(points.pieces.len()).unwrap_or(u32::MAX));
        }
        points
    }

    /// The pieces that blocking the cell would leave of its component; empty if it would not cut it.
    pub(super) fn pieces(&self, cell: CellId) -> &[(u32, u32)] {
        let Ok(place) = self.cells.binary_search(&cell.0) else {
            return &[];
        };
        &self.pieces[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    pub(super) fn bytes(&self) -> usize {
        4 * (self.cells.len() + self.starts.len()) + 8 * self.pieces.len()
    }
}

/// A subtree of the search from which no edge leads past the node it hangs on.
struct Branch {
    at: u32,
    parent: Option<u32>,
    child: u32,
    size: u32,
}

fn branches_of(graph: &impl Graph) -> Vec<Branch> {
    // When a node was entered, from 1; 0 before.
    let mut index = vec![0u32; graph.len()];
    let mut low = vec![0u32; graph.len()];
    let mut size = vec![1u32; graph.len()];
    let mut visited = 0;
    let mut branches = Vec::new();
    let mut pending = Vec::new();
    let mut frames: Vec<(u32, usize)> = Vec::new();
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
                frames.push((node, pending.len()));
                graph.targets(node, &mut pending);
            }
            let Some(&(node, base)) = frames.last() else { break };
            let at = node as usize;
            if pending.len() > base {
                let Some(next) = pending.pop() else { break };
                if index[next as usize] == 0 {
                    entering = Some(next);
                } else {
                    // The edge back to the parent counts too: it gives the parent's own number, which cuts as well.
                    low[at] = low[at].min(index[next as usize]);
                }
                continue;
            }
            frames.pop();
            let Some(&(above, _)) = frames.last() else {
                continue;
            };
            let up = above as usize;
            low[up] = low[up].min(low[at]);
            size[up] += size[at];
            if low[at] >= index[up] {
                branches.push(Branch {
                    at: above,
                    parent: frames.len().checked_sub(2).map(|place| frames[place].0),
                    child: node,
                    size: size[at],
                });
            }
        }
    }
    branches
}

/// The edges that decide what is connected; see the head of this file.
struct Skeleton<'a> {
    movement: &'a Movement,
    keep_diagonals: bool,
}

impl Skeleton<'_> {
    fn ends<'a>(
        &'a self,
        edges: impl Iterator<Item = crate::movement::Edge> + 'a,
    ) -> impl Iterator<Item = u32> + 'a {
        edges
            .filter(|edge| {
                self.keep_diagonals || !travel_direction(edge.kind).is_some_and(Direction::is_diagonal)
            })
            .map(|edge| edge.other.0)
    }
}

impl Graph for Skeleton<'_> {
    fn len(&self) -> usize {
        self.movement.grid().len()
    }

    fn has(&self, node: u32) -> bool {
        self.movement.is_passable(CellId(node))
    }

    fn targets(&self, node: u32, out: &mut Vec<u32>) {
        out.extend(self.ends(self.movement.edges_from(CellId(node))));
    }

    fn sources(&self, node: u32, out: &mut Vec<u32>) {
        out.extend(self.ends(self.movement.edges_into(CellId(node))));
    }
}
