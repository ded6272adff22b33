//! Cells that would cut their component on their own: articulation points, read from one depth-first search.

use super::depth_first::{Found, search};
use super::graph::Graph;
use super::two_way::TwoWay;
use crate::grid::CellId;
use crate::movement::Movement;

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
        let graph = TwoWay::of(movement);
        graph.is_exact().then(|| Self::of_graph(&graph, labels, sizes))
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
    let mut branches = Vec::new();
    search(graph, |found| {
        if let Found::Branch(branch) = found {
            branches.push(Branch {
                at: branch.at,
                parent: branch.parent,
                child: branch.child,
                size: branch.size,
            });
        }
    });
    branches
}
