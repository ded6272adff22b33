//! What holds when one cell or one edge is taken away: the block-cut tree of the passable cells, and the corridors in it.

use super::corridors::{Corridor, CorridorIndex, Corridors, Walk};
use super::depth_first::{Found, search};
use super::graph::{Graph, nodes};
use super::strong::NONE;
use super::two_way::TwoWay;
use crate::cost::CostVersion;
use crate::grid::{CellId, Grid};
use crate::movement::{Movement, MovementProfile};
use core::fmt;

/// The number of a block: `0..blocks.len()`. The same map gives the same numbers, but they mean no order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub struct BlockId(pub u32);

/// What a block is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BlockKind {
    /// One edge that is on no cycle: without it its two cells fall apart.
    Bridge,
    /// Three cells or more, any two of which lie on a cycle together: without any one of them the others hold together.
    Cycle,
}

/// Degree of a cell, in the low bits of its mark.
const DEGREE: u8 = 0x0f;
const CUT: u8 = 0x10;
const ONE_WAY: u8 = 0x20;

/// The blocks of a map: which cells and edges others depend on, for one version of a map and one profile. For bodies with
/// extent cells are anchors.
///
/// # Which edges count
/// Two cells are *neighbours* here if a step or a portal joins them that has a way back of its own kind. Edges without a
/// way back (one-way borders, one-way portals) do not count, so with them cells that are one component of
/// [`Components`](super::Components) may be several here, and a bridge may have a way round in one direction;
/// [`Self::has_one_way`] names the cells they touch.
///
/// Under [`CornerRule::BothFree`](crate::movement::CornerRule::BothFree) and
/// [`OneFree`](crate::movement::CornerRule::OneFree) a diagonal that two straight steps replace does not count either: it
/// joins nothing that they do not join, and a body on the cell between takes it away. So a bend of one cell's width stays
/// a corridor although `OneFree` allows the diagonal across it ([`Corridor::has_shortcut`]).
///
/// # Memory and time
/// 9 bytes a cell, 12 a block and 8 for each cell of a corridor; O(cells + edges). It is made anew after an edit: which
/// blocks an edit joins or takes apart is as hard to tell as to search them again.
#[derive(Clone)]
pub struct Blocks {
    grid: Grid,
    profile: MovementProfile,
    cost_version: CostVersion,
    /// The block between a cell and the one above it in the search; [`NONE`] for the first of a tree.
    homes: Vec<u32>,
    /// The cell of each block that the others hang on: it is of the block, but its home is another one.
    heads: Vec<u32>,
    /// How many cells each block has.
    sizes: Vec<u32>,
    /// The blocks by head, then by number.
    by_head: Vec<u32>,
    /// Degree and flags of each cell.
    marks: Vec<u8>,
    corridors: Corridors,
}

impl Blocks {
    /// Searches a map.
    #[must_use]
    pub fn of(movement: &Movement) -> Self {
        let graph = TwoWay::of(movement);
        let mut blocks = Self {
            grid: movement.grid().clone(),
            profile: *movement.profile(),
            cost_version: movement.cost_version(),
            homes: vec![NONE; graph.len()],
            heads: Vec::new(),
            sizes: Vec::new(),
            by_head: Vec::new(),
            marks: vec![0; graph.len()],
            corridors: Corridors::default(),
        };
        let walk = blocks.search(&graph);
        blocks.mark(&graph);
        blocks.corridors = walk.corridors(&graph, &blocks);
        blocks
    }

    fn search(&mut self, graph: &TwoWay<'_>) -> Walk {
        let mut walk = Walk::new(graph.len());
        search(graph, |found| {
            let next = u32::try_from(self.heads.len()).unwrap_or(NONE);
            match found {
                Found::Branch(branch) => {
                    for &member in branch.members {
                        self.homes[member as usize] = next;
                    }
                    if branch.members.len() == 1 {
                        walk.below[branch.child as usize] = branch.size;
                    }
                    self.heads.push(branch.at);
                    // A block has at most as many cells as the map.
                    self.sizes
                        .push(u32::try_from(branch.members.len() + 1).unwrap_or(NONE));
                }
                Found::Tree { size } => walk.trees.push((next, size)),
            }
        });
        self.by_head = (0u32..).take(self.heads.len()).collect();
        self.by_head
            .sort_unstable_by_key(|&block| (self.heads[block as usize], block));
        walk
    }

    fn mark(&mut self, graph: &TwoWay<'_>) {
        let mut ends = Vec::new();
        for node in nodes(graph) {
            ends.clear();
            graph.targets(node, &mut ends);
            let one_way = if graph.has_one_way(CellId(node)) {
                ONE_WAY
            } else {
                0
            };
            self.marks[node as usize] = u8::try_from(ends.len()).unwrap_or(DEGREE).min(DEGREE) | one_way;
        }
        for group in self
            .by_head
            .chunk_by(|&a, &b| self.heads[a as usize] == self.heads[b as usize])
        {
            let head = self.heads[group[0] as usize] as usize;
            if group.len() > 1 || self.homes[head] != NONE {
                self.marks[head] |= CUT;
            }
        }
    }

    /// Whether these blocks were made for this movement: the same rectangle, profile and cost version.
    #[must_use]
    pub fn is_current(&self, movement: &Movement) -> bool {
        self.grid == *movement.grid()
            && self.profile == *movement.profile()
            && self.cost_version == movement.cost_version()
    }

    /// The rectangle of cells.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The version of the costs they were made for.
    #[must_use]
    pub const fn cost_version(&self) -> CostVersion {
        self.cost_version
    }

    /// How many blocks there are; 0 if no two cells are neighbours.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether no two cells are neighbours.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// How many neighbours a cell has, 0 for one where no body may be; 15 stands for 15 and more, which needs portals.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn degree(&self, cell: CellId) -> u32 {
        u32::from(self.marks[cell.index()] & DEGREE)
    }

    /// Whether the other cells connected with this one fall apart when a body stays on it.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn is_cut(&self, cell: CellId) -> bool {
        self.marks[cell.index()] & CUT != 0
    }

    /// Whether an edge without a way back leaves or enters the cell.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn has_one_way(&self, cell: CellId) -> bool {
        self.marks[cell.index()] & ONE_WAY != 0
    }

    /// What a block is; `None` for a number that is not of these blocks.
    #[must_use]
    pub fn kind(&self, block: BlockId) -> Option<BlockKind> {
        self.sizes.get(block.0 as usize).map(|&size| {
            if size == 2 {
                BlockKind::Bridge
            } else {
                BlockKind::Cycle
            }
        })
    }

    /// How many cells a block has, cut cells among them; 0 for a number that is not of these blocks.
    #[must_use]
    pub fn size(&self, block: BlockId) -> usize {
        self.sizes.get(block.0 as usize).map_or(0, |&size| size as usize)
    }

    /// The block that holds both of two different cells: for neighbours, that of the edge between them. At most one does.
    ///
    /// # Panics
    /// If an id is not of this grid.
    #[inline]
    #[must_use]
    pub fn block_of(&self, a: CellId, b: CellId) -> Option<BlockId> {
        let (home, other) = (self.homes[a.index()], self.homes[b.index()]);
        if a == b {
            return None;
        }
        let hangs_on = |block: u32, cell: CellId| block != NONE && self.heads[block as usize] == cell.0;
        if home == other && home != NONE || hangs_on(home, b) {
            Some(BlockId(home))
        } else if hangs_on(other, a) {
            Some(BlockId(other))
        } else {
            None
        }
    }

    /// Whether two cells are the ends of a bridge.
    ///
    /// # Panics
    /// If an id is not of this grid.
    #[inline]
    #[must_use]
    pub fn is_bridge(&self, a: CellId, b: CellId) -> bool {
        self.block_of(a, b)
            .is_some_and(|block| self.sizes[block.0 as usize] == 2)
    }

    /// The blocks a cell is of: none if it has no neighbours, one if it is no cut cell, else two or more.
    ///
    /// # Panics
    /// If the id is not of this grid.
    pub fn blocks_at(&self, cell: CellId) -> impl Iterator<Item = BlockId> + '_ {
        let home = self.homes[cell.index()];
        let first = self
            .by_head
            .partition_point(|&block| self.heads[block as usize] < cell.0);
        let hanging = self.by_head[first..]
            .iter()
            .take_while(move |&&block| self.heads[block as usize] == cell.0);
        (home != NONE)
            .then_some(home)
            .into_iter()
            .chain(hanging.copied())
            .map(BlockId)
    }

    /// How many blocks are bridges. Where none is, every pair of neighbours lies on a cycle.
    #[must_use]
    pub fn bridges(&self) -> usize {
        self.sizes.iter().filter(|&&size| size == 2).count()
    }

    /// Every corridor, in the order of its first cell in id order.
    pub fn corridors(&self) -> impl ExactSizeIterator<Item = Corridor<'_>> {
        self.corridors.all()
    }

    /// One corridor; `None` for a number that is not of these blocks.
    #[must_use]
    pub fn corridor(&self, index: CorridorIndex) -> Option<Corridor<'_>> {
        self.corridors.get(index)
    }

    /// The corridor that a cell is of, and its place in [`Corridor::cells`]. O(1).
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn corridor_at(&self, cell: CellId) -> Option<(CorridorIndex, usize)> {
        self.corridors.at(cell)
    }

    /// Whether the cells connected with this one are a single path: none of them has three neighbours or more, there is
    /// no cycle, and no one-way edge touches them. Then they are one [`Corridor`] without mouths. False where no body may
    /// be.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn is_path(&self, cell: CellId) -> bool {
        self.corridor_at(cell)
            .and_then(|(index, _)| self.corridor(index))
            .is_some_and(|corridor| corridor.mouths == [None, None])
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        4 * (self.homes.len() + self.heads.len() + self.sizes.len() + self.by_head.len())
            + self.marks.len()
            + self.corridors.bytes()
    }

    /// The block above a cell in the search.
    pub(super) fn home(&self, cell: u32) -> u32 {
        self.homes[cell as usize]
    }

    /// Whether the cell that the rest of a block hangs on is this one.
    pub(super) fn hangs_on(&self, block: u32, cell: u32) -> bool {
        self.heads.get(block as usize) == Some(&cell)
    }
}

impl fmt::Debug for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Blocks")
            .field("grid", &self.grid)
            .field("cost_version", &self.cost_version)
            .field("len", &self.len())
            .field("corridors", &self.corridors.all().len())
            .finish_non_exhaustive()
    }
}
