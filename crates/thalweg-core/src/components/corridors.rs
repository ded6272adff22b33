//! Corridors: chains of cells where bodies cannot pass each other, with what lies beyond their ends.

use super::blocks::Blocks;
use super::graph::{Graph, nodes};
use super::strong::NONE;
use super::two_way::TwoWay;
use crate::grid::CellId;

/// The number of a corridor: `0..blocks.corridors().len()`, in the order of the first cell of each in id order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub struct CorridorIndex(pub u32);

/// How a corridor ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CorridorKind {
    /// It leads from one mouth to another, and there is no other way between them.
    Through,
    /// It has one mouth: who goes in comes out where they went in.
    DeadEnd,
    /// It has no mouth: all cells connected with it are its own, a path ([`Blocks::is_path`]).
    Whole,
}

/// A maximal chain of cells that have at most two neighbours, every edge at them a bridge, and no one-way edge.
///
/// Two bodies in it never change their order, whoever moves when; one may leave it only for a mouth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Corridor<'a> {
    /// Its cells from end to end, each a neighbour of the next. A dead end begins at its mouth; any other begins at the
    /// end with the lower id, and if it is a single cell, at the mouth with the lower id.
    pub cells: &'a [CellId],
    /// The cell outside it beyond the first cell and beyond the last one, `None` where it is closed.
    pub mouths: [Option<CellId>; 2],
    /// How many cells lie beyond each end, its mouth among them; 0 where it is closed. All of them hang on the corridor:
    /// a body beyond one end gets to the other side by this corridor alone.
    pub room: [u32; 2],
    /// Whether a diagonal step that counts as no edge touches one of its cells or passes one
    /// ([`CornerRule::OneFree`](crate::movement::CornerRule::OneFree) at a bend or beside a mouth). Where bodies may
    /// step diagonally past others, they can change their order there.
    pub has_shortcut: bool,
}

impl Corridor<'_> {
    /// How it ends.
    #[must_use]
    pub const fn kind(&self) -> CorridorKind {
        match self.mouths {
            [Some(_), Some(_)] => CorridorKind::Through,
            [None, None] => CorridorKind::Whole,
            _ => CorridorKind::DeadEnd,
        }
    }
}

/// What a corridor is but for its cells.
#[derive(Clone, Copy, Debug)]
struct Ends {
    /// Where its cells begin.
    start: u32,
    mouths: [Option<CellId>; 2],
    room: [u32; 2],
    has_shortcut: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Corridors {
    /// The cells of all corridors, one after the other.
    cells: Vec<CellId>,
    /// The corridor of each of them.
    owners: Vec<u32>,
    ends: Vec<Ends>,
    /// The place of each cell of the map in `cells`, or [`NONE`].
    places: Vec<u32>,
}

impl Corridors {
    pub(super) fn all(&self) -> impl ExactSizeIterator<Item = Corridor<'_>> {
        (0..self.ends.len()).map(|index| self.corridor(index))
    }

    pub(super) fn get(&self, index: CorridorIndex) -> Option<Corridor<'_>> {
        let index = index.0 as usize;
        (index < self.ends.len()).then(|| self.corridor(index))
    }

    fn corridor(&self, index: usize) -> Corridor<'_> {
        let Ends {
            start,
            mouths,
            room,
            has_shortcut,
        } = self.ends[index];
        let end = self
            .ends
            .get(index + 1)
            .map_or(self.cells.len(), |next| next.start as usize);
        Corridor {
            cells: &self.cells[start as usize..end],
            mouths,
            room,
            has_shortcut,
        }
    }

    #[inline]
    pub(super) fn at(&self, cell: CellId) -> Option<(CorridorIndex, usize)> {
        let place = self.places[cell.index()];
        if place == NONE {
            return None;
        }
        let owner = self.owners[place as usize];
        let position = place - self.ends[owner as usize].start;
        Some((CorridorIndex(owner), position as usize))
    }

    pub(super) fn bytes(&self) -> usize {
        4 * (self.cells.len() + self.owners.len() + self.places.len()) + size_of::<Ends>() * self.ends.len()
    }
}

/// What the search of a map leaves for its corridors.
pub(super) struct Walk {
    /// How many cells hang on the bridge above a cell, itself among them; 0 if no bridge is above it.
    pub(super) below: Vec<u32>,
    /// Of each tree of the search: one past its last block, and how many cells it has.
    pub(super) trees: Vec<(u32, u32)>,
}

impl Walk {
    pub(super) fn new(len: usize) -> Self {
        Self {
            below: vec![0; len],
            trees: Vec::new(),
        }
    }

    pub(super) fn corridors(&self, graph: &TwoWay<'_>, blocks: &Blocks) -> Corridors {
        let mut found = Corridors {
            places: vec![NONE; graph.len()],
            ..Corridors::default()
        };
        let mut chain = Vec::new();
        for node in nodes(graph) {
            if found.places[node as usize] != NONE || !is_inner(graph, blocks, node) {
                continue;
            }
            let mut ends = chain_through(graph, blocks, node, &mut chain);
            turn_round(&mut chain, &mut ends);
            let room = |cell: u32, end: Option<u32>| end.map_or(0, |mouth| self.beyond(blocks, cell, mouth));
            let room = [room(chain[0], ends[0]), room(chain[chain.len() - 1], ends[1])];
            let start = u32::try_from(found.cells.len()).unwrap_or(NONE);
            let owner = u32::try_from(found.ends.len()).unwrap_or(NONE);
            found.ends.push(Ends {
                start,
                mouths: ends.map(|end| end.map(CellId)),
                room,
                has_shortcut: has_shortcut(graph, &chain, ends),
            });
            for (place, &cell) in (start..).zip(&chain) {
                found.places[cell as usize] = place;
                found.cells.push(CellId(cell));
                found.owners.push(owner);
            }
        }
        found
    }

    /// How many cells lie on the side of `mouth` of the bridge between it and `cell`.
    fn beyond(&self, blocks: &Blocks, cell: u32, mouth: u32) -> u32 {
        let block = blocks.home(cell);
        if !blocks.hangs_on(block, mouth) {
            // The search came from the corridor, so the mouth hangs on it.
            return self.below[mouth as usize];
        }
        let tree = self.trees.partition_point(|&(end, _)| end <= block);
        let whole = self.trees.get(tree).map_or(0, |&(_, size)| size);
        whole.saturating_sub(self.below[cell as usize])
    }
}

/// Whether a cell is of a corridor.
fn is_inner(graph: &TwoWay<'_>, blocks: &Blocks, node: u32) -> bool {
    let cell = CellId(node);
    if blocks.degree(cell) > 2 || blocks.has_one_way(cell) {
        return false;
    }
    let mut ends = Vec::with_capacity(2);
    graph.targets(node, &mut ends);
    ends.iter().all(|&end| blocks.is_bridge(cell, CellId(end)))
}

/// Puts the corridor that a cell is of into `chain`, and says what is beyond its first and its last cell.
fn chain_through(graph: &TwoWay<'_>, blocks: &Blocks, node: u32, chain: &mut Vec<u32>) -> [Option<u32>; 2] {
    chain.clear();
    chain.push(node);
    let mut next = Vec::with_capacity(2);
    let mut ends = [None, None];
    // Where the last cell of the chain is not to go on to.
    let mut before = None;
    for round in 0..2 {
        while let Some(&last) = chain.last() {
            next.clear();
            graph.targets(last, &mut next);
            // Bridges are on no cycle, so a chain never meets itself.
            ends[round] = next.iter().copied().find(|&onward| Some(onward) != before);
            match ends[round] {
                Some(onward) if is_inner(graph, blocks, onward) => chain.push(onward),
                _ => break,
            }
            before = Some(last);
        }
        // The second round begins at the first cell again, which then is the last one, and goes the other way.
        chain.reverse();
        before = chain
            .len()
            .checked_sub(2)
            .map_or(ends[0], |place| Some(chain[place]));
    }
    // By now it has been turned round twice.
    ends.swap(0, 1);
    ends
}

/// Puts a chain into the order that [`Corridor::cells`] promises.
fn turn_round(chain: &mut [u32], ends: &mut [Option<u32>; 2]) {
    let ids = (chain[0], chain[chain.len() - 1]);
    let is_turned = match ends {
        [None, Some(_)] => true,
        [Some(_), None] => false,
        [first, second] => ids.0 > ids.1 || ids.0 == ids.1 && first > second,
    };
    if is_turned {
        chain.reverse();
        ends.swap(0, 1);
    }
}

fn has_shortcut(graph: &TwoWay<'_>, chain: &[u32], ends: [Option<u32>; 2]) -> bool {
    let leads = |from: u32, to: u32| graph.replaced_diagonals(CellId(from)).any(|end| end.0 == to);
    let touches = |&cell: &u32| graph.replaced_diagonals(CellId(cell)).next().is_some();
    // A diagonal past a longer chain begins or ends on it.
    let passes = || matches!((chain, ends), ([_], [Some(a), Some(b)]) if leads(a, b));
    chain.iter().any(touches) || passes()
}
