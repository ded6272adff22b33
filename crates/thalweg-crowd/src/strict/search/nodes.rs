//! The configurations that are known, in which order they are asked, and the ticks between them.

use super::constraints::Constraints;
use super::fold::{NONE, Table, hash_of, number_after};
use core::hash::Hash;

/// What is known of a configuration besides itself.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The node before it on the cheapest known way from the root; [`NONE`] for the root.
    pub(super) parent: u32,
    /// In [`Orders`](super::orders::Orders).
    pub(super) order: u32,
    /// Cost of that way.
    pub(super) cost: u64,
    /// Lower bound of the cost from here to a goal.
    pub(super) bound: u64,
    pub(super) is_goal: bool,
    pub(super) constraints: Constraints,
}

/// Known configurations, each once, numbered in the order in which they were found.
#[derive(Clone, Debug)]
pub(super) struct Nodes<C> {
    configurations: Vec<C>,
    nodes: Vec<Node>,
    table: Table,
}

impl<C: Eq + Hash> Nodes<C> {
    pub(super) fn new() -> Self {
        Self {
            configurations: Vec::new(),
            nodes: Vec::new(),
            table: Table::default(),
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn configuration(&self, node: u32) -> &C {
        &self.configurations[node as usize]
    }

    pub(super) fn get(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    pub(super) fn get_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    /// A configuration, and what is known of it.
    pub(super) fn parts(&mut self, node: u32) -> (&C, &mut Node) {
        (
            &self.configurations[node as usize],
            &mut self.nodes[node as usize],
        )
    }

    /// The hash by which [`find`](Self::find) and [`add`](Self::add) know a configuration.
    pub(super) fn hash(configuration: &C) -> u32 {
        hash_of(configuration)
    }

    pub(super) fn find(&self, hash: u32, configuration: &C) -> Option<u32> {
        self.table
            .find(hash, |node| self.configurations[node as usize] == *configuration)
    }

    /// A node for a configuration that has none.
    pub(super) fn add(&mut self, hash: u32, configuration: C, node: Node) -> u32 {
        let number = number_after(self.nodes.len());
        self.table.insert(hash, number);
        self.configurations.push(configuration);
        self.nodes.push(node);
        number
    }

    /// From the root to a node.
    pub(super) fn way_to(&self, node: u32) -> Vec<C>
    where
        C: Clone,
    {
        let mut way = Vec::new();
        let mut at = node;
        while at != NONE {
            way.push(self.configuration(at).clone());
            at = self.get(at).parent;
        }
        way.reverse();
        way
    }
}

/// A stack that holds each node at most once.
///
/// The papers push a configuration that is found again once more. Only its upper place ever counts, because it leaves that
/// place only when it is done; so it is moved here, and the stack needs no more room than there are nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Stack {
    /// Below and above each node; a node points at itself where it is not on the stack.
    links: Vec<(u32, u32)>,
    /// One more than the node on top, 0 if there is none.
    top: u32,
}

impl Stack {
    pub(super) fn top(&self) -> Option<u32> {
        self.top.checked_sub(1)
    }

    /// Moves or puts a node on top. `node` is known or one more than the last one known.
    pub(super) fn put_on_top(&mut self, node: u32) {
        if self.top() == Some(node) {
            return;
        }
        if node as usize == self.links.len() {
            self.links.push((node, node));
        }
        self.remove(node);
        let below = self.top().unwrap_or(NONE);
        if let Some((_, above)) = self.links.get_mut(below as usize) {
            *above = node;
        }
        self.links[node as usize] = (below, NONE);
        self.top = node + 1;
    }

    /// Takes a node off, wherever it is.
    pub(super) fn remove(&mut self, node: u32) {
        let (below, above) = self.links[node as usize];
        if below == node {
            return;
        }
        if let Some((_, over)) = self.links.get_mut(below as usize) {
            *over = above;
        }
        match self.links.get_mut(above as usize) {
            Some((under, _)) => *under = below,
            // `below + 1` of nothing is 0.
            None => self.top = below.wrapping_add(1),
        }
        self.links[node as usize] = (node, node);
    }
}

/// A tick from one node to another, and the next one known from the same node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    from: u32,
    pub(super) to: u32,
    pub(super) cost: u64,
    pub(super) next: u32,
}

/// Ticks that are known, each once.
#[derive(Clone, Debug)]
pub(super) struct Edges {
    edges: Vec<Edge>,
    /// The latest edge from each node.
    latest: Vec<u32>,
    table: Table,
    limit: usize,
    /// Whether all that were found are here.
    is_whole: bool,
}

impl Edges {
    /// No more than `limit` are kept.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            edges: Vec::new(),
            latest: Vec::new(),
            table: Table::default(),
            limit: limit.min(NONE as usize),
            is_whole: true,
        }
    }

    /// Whether any are kept.
    pub(super) const fn are_wanted(&self) -> bool {
        self.limit > 0
    }

    /// Whether all that were found are kept.
    pub(super) const fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Notes a tick. What is known already, and what goes nowhere, takes no room.
    pub(super) fn add(&mut self, from: u32, to: u32, cost: u64) {
        if from == to {
            return;
        }
        let hash = hash_of(&(u64::from(from) << 32 | u64::from(to)));
        let is_it = |edge: u32| (self.edges[edge as usize].from, self.edges[edge as usize].to) == (from, to);
        if self.limit > 0 && self.table.find(hash, is_it).is_some() {
            return;
        }
        if self.edges.len() >= self.limit {
            self.is_whole = false;
            return;
        }
        let number = number_after(self.edges.len());
        self.table.insert(hash, number);
        if from as usize >= self.latest.len() {
            self.latest.resize(from as usize + 1, NONE);
        }
        let next = core::mem::replace(&mut self.latest[from as usize], number);
        self.edges.push(Edge { from, to, cost, next });
    }

    /// The number of the tick from a node that was noted last; the others follow by [`Edge::next`].
    pub(super) fn latest_from(&self, node: u32) -> u32 {
        self.latest.get(node as usize).copied().unwrap_or(NONE)
    }

    /// A tick by its number.
    pub(super) fn get(&self, edge: u32) -> Option<Edge> {
        self.edges.get(edge as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::{Edges, Stack};

    #[test]
    fn a_node_is_on_the_stack_once_and_where_it_was_put_last() {
        let mut stack = Stack::default();
        assert_eq!(stack.top(), None);
        for node in 0..4 {
            stack.put_on_top(node);
        }
        for node in [1, 1, 0, 3] {
            stack.put_on_top(node);
        }
        stack.remove(0);
        stack.remove(0);
        let mut came = Vec::new();
        while let Some(node) = stack.top() {
            came.push(node);
            stack.remove(node);
        }
        assert_eq!(came, [3, 1, 2]);
        stack.put_on_top(2);
        assert_eq!(stack.top(), Some(2), "who was taken off may come again");
    }

    #[test]
    fn edges_are_known_once_up_to_the_limit() {
        let mut edges = Edges::new(2);
        for (from, to) in [(0, 1), (0, 1), (3, 3), (0, 2)] {
            edges.add(from, to, 5);
        }
        let from = |edges: &Edges, node: u32| {
            let next = |edge: &super::Edge| edges.get(edge.next);
            core::iter::successors(edges.get(edges.latest_from(node)), next)
                .map(|edge| edge.to)
                .collect::<Vec<_>>()
        };
        assert!(edges.is_whole());
        assert_eq!(from(&edges, 0), [2, 1]);
        assert_eq!(from(&edges, 1).len() + from(&edges, 9).len(), 0);
        edges.add(1, 0, 5);
        assert!(!edges.is_whole());
        assert_eq!(from(&edges, 1).len(), 0);
    }
}
