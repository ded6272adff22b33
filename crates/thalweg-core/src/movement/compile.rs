//! Compiles a profile and a cost field into one byte of legal exits per cell.

use super::body::{Ground, Placed};
use super::directed::{self, Directed};
use super::portals::{PortalEdge, Portals};
use super::range::CostRange;
use super::{
    Charge, Connectivity, CornerRule, Edge, EdgeInputs, EdgeKind, EdgeRuleError, EdgeRules, MovementProfile,
    StepCosts,
};
use crate::cost::{CostField, CostVersion};
use crate::grid::{CellId, Direction, DirectionSet, Grid};
use crate::shared_cells::{Flattening, PAGE, Place, SharedCells};
use crate::vectors::on_widest_vectors;
use core::fmt;
use std::sync::Arc;

/// The rules of one profile on one map, compiled: an exits mask per cell and the price of every legal step.
///
/// It is a snapshot: later writes to the cost field do not reach it ([`Self::cost_version`] tells which one it is).
#[derive(Clone)]
pub struct Movement {
    pub(super) grid: Grid,
    pub(super) profile: MovementProfile,
    pub(super) cost_version: CostVersion,
    pub(super) costs: SharedCells<u8>,
    pub(super) unknown: Option<SharedCells<u64>>,
    /// Only for bodies that cover more than one cell.
    pub(super) ground: Option<Ground>,
    pub(super) exits: SharedCells<DirectionSet>,
    pub(super) steps: StepCosts,
    pub(super) range: CostRange,
    /// Only where edge rules make the graph directed or add portals, and on maps of several layers; the engines are faster
    /// without.
    pub(super) directed: Option<Arc<Directed>>,
}

/// Tells whether two movements have the same exits, costs and step lengths, by where these are kept. It keeps none of them
/// alive, and what has been freed is never taken for something new.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SameGround {
    exits: Place<DirectionSet>,
    costs: Place<u8>,
    steps: StepCosts,
    is_plain: bool,
}

/// The costs and exits of a movement, put together page by page, see [`Movement::flatten`].
#[derive(Debug, Default)]
pub(crate) struct FlatGround {
    costs: Flattening<u8>,
    exits: Flattening<DirectionSet>,
}

impl Movement {
    /// Compiles a profile for a cost field. O(cells), and for bodies times the rows they cover.
    #[must_use]
    pub fn compile(costs: &CostField, profile: &MovementProfile) -> Self {
        let grid = costs.grid();
        let placed = Placed::of(costs, &profile.footprint);
        let exits = exits_of(grid, placed.costs.flat(), profile);
        // The fast engines know one row length.
        let several = grid.layers().len() > 1;
        let directed = several.then(|| {
            let none = EdgeInputs::default();
            Arc::new(Directed::new(
                &none,
                grid,
                placed.costs.flat(),
                &exits,
                None,
                profile,
            ))
        });
        Self {
            grid: grid.clone(),
            profile: *profile,
            cost_version: costs.version(),
            exits: SharedCells::new(exits),
            steps: StepCosts::of(profile),
            range: CostRange::of(&placed.costs),
            costs: placed.costs,
            unknown: placed.unknown,
            ground: placed.ground,
            directed,
        }
    }

    /// Compiles a profile for a cost field with one-way borders and portals. O(cells).
    ///
    /// # Errors
    /// [`EdgeRuleError::ForeignMap`] if the rules are of another map, [`EdgeRuleError::PortalCost`] if a portal priced in
    /// steps is too dear at the profile's scale.
    pub fn compile_with(
        costs: &CostField,
        rules: &EdgeRules,
        profile: &MovementProfile,
    ) -> Result<Self, EdgeRuleError> {
        let edges = EdgeInputs {
            rules: Some(rules),
            charges: None,
        };
        Self::compile_edges(costs, &edges, profile)
    }

    /// Compiles a profile for a cost field with one-way borders, portals and edge charges. O(cells).
    ///
    /// An edge charge is added to the charge of the cells before the length: a step costs length × (charge + extra), in
    /// doubled units under [`Charge::Mean`]. Uphill may cost more than downhill. A step that is too steep is closed like
    /// a one-way border.
    ///
    /// **Bodies** with extent take a step only where it is open for every cell they cover, and pay the largest extra charge
    /// among these; diagonals follow from the straight steps of anchors as those of points do. A portal joins two anchors:
    /// it can be used by a body that can stand on both, and does not ask what else the body covers there.
    ///
    /// # Errors
    /// [`EdgeRuleError::ForeignMap`] if the rules or the charges are of another map, [`EdgeRuleError::PortalCost`] if a
    /// portal priced in steps is too dear at the profile's scale.
    pub fn compile_edges(
        costs: &CostField,
        edges: &EdgeInputs<'_>,
        profile: &MovementProfile,
    ) -> Result<Self, EdgeRuleError> {
        let grid = costs.grid();
        if let Some(foreign) = edges.grids().find(|&other| other != grid) {
            return Err(EdgeRuleError::ForeignMap {
                rules: foreign.clone(),
                costs: grid.clone(),
            });
        }
        if let Some(rules) = edges.rules {
            rules.check_portals(profile)?;
        }
        let mut movement = Self::compile(costs, profile);
        if !edges.is_empty() {
            let exits = movement.exits.resize(grid.len(), DirectionSet::EMPTY);
            let directed = directed::apply(edges, grid, movement.costs.flat(), profile, exits);
            movement.directed = Some(Arc::new(directed));
        }
        Ok(movement)
    }

    /// Puts the next page of costs or exits together. Once it returns `true`, [`Self::costs`] and [`Self::all_exits`] cost
    /// nothing.
    pub(crate) fn flatten(&self, ground: &mut FlatGround) -> bool {
        ground.costs.advance(&self.costs) && ground.exits.advance(&self.exits)
    }

    /// How many calls of [`Self::flatten`] it takes, the last one left out.
    pub(crate) fn pages_to_flatten(&self) -> usize {
        let pages = self.grid.len().div_ceil(PAGE);
        pages * (usize::from(!self.costs.is_flat()) + usize::from(!self.exits.is_flat()))
    }

    /// What to compare in order to know whether what was derived from exits, costs and step lengths still holds.
    pub(crate) fn same_ground(&self) -> SameGround {
        SameGround {
            exits: self.exits.place(),
            costs: self.costs.place(),
            steps: self.steps,
            is_plain: self.is_plain(),
        }
    }

    /// Whether steps cost something beside the charge of their cells.
    #[must_use]
    pub fn has_edge_charges(&self) -> bool {
        self.directed
            .as_ref()
            .is_some_and(|directed| !directed.extra.is_empty())
    }

    /// What a step of `length` units costs for an extra charge.
    fn extra_cost(&self, direction: Direction, extra: u8) -> u32 {
        let doubled = if self.steps.charge() == Charge::Mean { 2 } else { 1 };
        self.steps.lengths()[direction.index()] * u32::from(extra) * doubled
    }

    /// Whether the map has one layer, every step may be taken both ways and there are no portals: then entries mirror exits.
    #[inline]
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        self.directed.is_none()
    }

    /// The portals that leave a cell, in order of their index.
    #[inline]
    pub(super) fn portals_from(&self, id: CellId) -> &[PortalEdge] {
        self.directed
            .as_ref()
            .map_or(&[], |directed| Portals::at(&directed.portals.leaving, id))
    }

    /// The portals that leave a cell, as edges, in order of their index.
    pub(crate) fn portals_of(&self, id: CellId) -> impl Iterator<Item = Edge> + '_ {
        self.portals_from(id).iter().map(|portal| Edge {
            kind: EdgeKind::Portal(portal.index),
            other: portal.other,
            cost: portal.cost,
        })
    }

    /// The portals that enter a cell, in order of their index.
    #[inline]
    pub(super) fn portals_into(&self, id: CellId) -> &[PortalEdge] {
        self.directed
            .as_ref()
            .map_or(&[], |directed| Portals::at(&directed.portals.entering, id))
    }

    /// The cells that a portal leaves, each once, in id order.
    pub(crate) fn portal_cells(&self) -> impl Iterator<Item = CellId> + '_ {
        self.portal_cells_from(CellId(0))
    }

    /// Those of them whose id is not below another.
    pub(crate) fn portal_cells_from(&self, first: CellId) -> impl Iterator<Item = CellId> + '_ {
        let leaving = self
            .directed
            .as_ref()
            .map_or(&[][..], |directed| &directed.portals.leaving);
        leaving[leaving.partition_point(|portal| portal.here < first)..]
            .chunk_by(|a, b| a.here == b.here)
            .map(|portals| portals[0].here)
    }

    /// The rectangle of cells.
    #[inline]
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The profile it was compiled from.
    #[must_use]
    pub const fn profile(&self) -> &MovementProfile {
        &self.profile
    }

    /// The version of the cost field it was compiled from.
    #[must_use]
    pub const fn cost_version(&self) -> CostVersion {
        self.cost_version
    }

    /// Cost bytes, one per cell in id order; 255 where no body may be (impassable or unknown). For bodies with extent that
    /// of an anchor on the cell: the dearest cell the body would cover.
    ///
    /// For passes over the whole map: on a movement that was made from another one the first call puts the slice together.
    /// Ask for one cell by [`Self::cost`].
    #[inline]
    #[must_use]
    pub fn costs(&self) -> &[u8] {
        self.costs.flat()
    }

    /// The cost byte of a cell, see [`Self::costs`].
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn cost(&self, id: CellId) -> u8 {
        self.costs.get(id.index())
    }

    #[cfg(test)]
    pub(super) const fn profile_mut(&mut self) -> &mut MovementProfile {
        &mut self.profile
    }

    /// What lies under the anchors, if it differs from them.
    #[inline]
    pub(super) const fn ground(&self) -> Option<&Ground> {
        self.ground.as_ref()
    }

    /// Step lengths and charge.
    #[inline]
    #[must_use]
    pub const fn steps(&self) -> &StepCosts {
        &self.steps
    }

    /// The legal exits of every cell, in id order. For passes over the whole map, as [`Self::costs`].
    #[inline]
    #[must_use]
    pub fn all_exits(&self) -> &[DirectionSet] {
        self.exits.flat()
    }

    /// The legal steps that leave a cell.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn exits(&self, id: CellId) -> DirectionSet {
        self.exits.get(id.index())
    }

    /// The legal steps that enter a cell, named by their direction of travel: if it holds E, the western neighbour may
    /// step east into the cell.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn entries(&self, id: CellId) -> DirectionSet {
        match &self.directed {
            None => entries_from_exits(self.exits.get(id.index())),
            Some(directed) => directed.entries.get(id.index()),
        }
    }

    /// Whether a body may be on the cell (its anchor, if it has extent): all it covers is known and not impassable.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn is_passable(&self, id: CellId) -> bool {
        self.costs.get(id.index()) != 255
    }

    /// Whether the cell has been surveyed; for bodies with extent: whether a wall or nothing unknown is under an anchor on it.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn is_known(&self, id: CellId) -> bool {
        assert!(
            id.index() < self.costs.len(),
            "cell id {} is not of this map",
            id.0
        );
        self.unknown
            .as_ref()
            .is_none_or(|words| words.get(id.index() / 64) & (1 << (id.index() % 64)) == 0)
    }

    /// Whether any cell is unknown, or was before somebody found out.
    #[must_use]
    pub const fn has_unknown(&self) -> bool {
        self.unknown.is_some()
    }

    /// The cell a legal step leads to, or `None` if the step is not legal.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn step_target(&self, from: CellId, direction: Direction) -> Option<CellId> {
        if self.exits(from).contains(direction) {
            self.grid.neighbour(from, direction)
        } else {
            None
        }
    }

    /// The cost of a legal step, or `None` if the step is not legal.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn step_cost(&self, from: CellId, direction: Direction) -> Option<u32> {
        let to = self.step_target(from, direction)?;
        Some(self.legal_step_cost(from, direction, to))
    }

    /// The cost of a step that is known to be legal and where it leads.
    #[inline]
    pub(crate) fn legal_step_cost(&self, from: CellId, direction: Direction, to: CellId) -> u32 {
        let plain = self.steps.step(direction, self.cost(from), self.cost(to));
        let extra = self
            .directed
            .as_ref()
            .and_then(|directed| directed.extra.try_get(from.index()));
        plain + extra.map_or(0, |extra| self.extra_cost(direction, extra[direction.index()]))
    }

    /// The one cost that all passable cells share, if they do, it is not 0 and there are neither portals nor one-way
    /// borders; then every step of one length costs the same.
    #[must_use]
    pub fn uniform_cost(&self) -> Option<u8> {
        let range = &self.range;
        (self.is_plain() && !range.has_zero && range.smallest_positive == range.largest)
            .then_some(range.largest)
            .flatten()
    }

    /// Whether all passable cells cost the same, whatever edges there are.
    pub(crate) fn has_one_cost(&self) -> bool {
        self.range.smallest_positive.is_none()
            || !self.range.has_zero && self.range.smallest_positive == self.range.largest
    }

    /// Whether some edge may cost nothing.
    #[must_use]
    pub fn has_zero_steps(&self) -> bool {
        self.range.has_zero
            || self
                .directed
                .as_ref()
                .is_some_and(|directed| directed.portals.has_free)
    }

    /// An upper bound of every edge cost on this map, portals included, at least 1.
    #[must_use]
    pub fn largest_edge(&self) -> u32 {
        let portals = self
            .directed
            .as_ref()
            .map_or(0, |directed| directed.portals.dearest);
        portals.max(self.largest_step())
    }

    /// An upper bound of every step cost on this map, at least 1; attained on maps where the dearest cells adjoin.
    #[must_use]
    pub fn largest_step(&self) -> u32 {
        let largest = self.range.largest.unwrap_or(0);
        let direction = match self.profile.connectivity {
            Connectivity::Four => Direction::N,
            Connectivity::Eight => Direction::NE,
        };
        let extra = self
            .directed
            .as_ref()
            .map_or(0, |directed| directed.largest_extra);
        (self.steps.step(direction, largest, largest) + self.extra_cost(direction, extra)).max(1)
    }

    /// A lower bound of every step cost that is not 0, at least 1.
    #[must_use]
    pub fn smallest_positive_step(&self) -> u32 {
        if self.has_edge_charges() {
            // A free cell with a charged edge may cost as little as one plain step.
            return self.steps.lengths()[Direction::N.index()];
        }
        let smallest = self.range.smallest_positive.unwrap_or(1);
        // With a free cell beside it, the mean charge of the cheapest cell counts once instead of twice.
        let other = if self.range.has_zero { 0 } else { smallest };
        let (a, b) = (
            self.steps.step(Direction::N, smallest, other),
            self.steps.step(Direction::N, other, smallest),
        );
        match (a, b) {
            (0, b) => b.max(1),
            (a, 0) => a,
            (a, b) => a.min(b),
        }
    }
}

impl fmt::Debug for Movement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Movement")
            .field("grid", &self.grid)
            .field("profile", &self.profile)
            .field("cost_version", &self.cost_version)
            .finish_non_exhaustive()
    }
}

/// On maps without one-way borders a step may be taken exactly if its way back may: entry in a direction is exit in
/// the opposite one. Opposites are two places on within each four of the bit order.
#[inline(always)]
pub(crate) const fn entries_from_exits(exits: DirectionSet) -> DirectionSet {
    let bits = exits.bits();
    DirectionSet::from_bits(((bits & 0x33) << 2) | ((bits & 0xcc) >> 2))
}

/// Row-wise and free of branches, so that the compiler turns it into byte vectors: each row reads three rows of
/// "free" flags that are one cell longer at both ends, which makes the outside of the map a wall without a test.
fn exits_of(grid: &Grid, costs: &[u8], profile: &MovementProfile) -> Vec<DirectionSet> {
    let mut exits = vec![DirectionSet::EMPTY; costs.len()];
    for layer in grid.layers() {
        let (costs, exits) = (&costs[layer.range()], &mut exits[layer.range()]);
        on_widest_vectors(
            #[inline(always)]
            || layer_exits(layer.width() as usize, costs, profile, exits),
        );
    }
    exits
}

#[inline(always)]
fn layer_exits(width: usize, costs: &[u8], profile: &MovementProfile, exits: &mut [DirectionSet]) {
    let mut above = vec![0u8; width + 2];
    let mut here = vec![0u8; width + 2];
    let mut below = vec![0u8; width + 2];
    let rows: Vec<&[u8]> = costs.chunks_exact(width).collect();
    if let Some(first) = rows.first() {
        free_row(first, &mut here[1..]);
    }
    for (y, out) in exits.chunks_exact_mut(width).enumerate() {
        match rows.get(y + 1) {
            Some(next) => free_row(next, &mut below[1..]),
            None => below.fill(0),
        }
        match (profile.connectivity, profile.corner_rule_in_force()) {
            (Connectivity::Four, _) => row_exits(out, &above, &here, &below, |_, _, _| 0),
            (_, CornerRule::BothFree) => row_exits(out, &above, &here, &below, |far, a, b| far & a & b),
            (_, CornerRule::OneFree) => row_exits(out, &above, &here, &below, |far, a, b| far & (a | b)),
            (_, CornerRule::Always) => row_exits(out, &above, &here, &below, |far, _, _| far),
        }
        core::mem::swap(&mut above, &mut here);
        core::mem::swap(&mut here, &mut below);
    }
}

#[inline(always)]
fn free_row(row: &[u8], out: &mut [u8]) {
    for (free, &cost) in out.iter_mut().zip(row) {
        *free = u8::from(cost != 255);
    }
}

#[inline(always)]
fn row_exits(
    out: &mut [DirectionSet],
    above: &[u8],
    here: &[u8],
    below: &[u8],
    diagonal: impl Fn(u8, u8, u8) -> u8,
) {
    let width = out.len();
    let (above, here, below) = (&above[..width + 2], &here[..width + 2], &below[..width + 2]);
    for x in 0..width {
        let (n, e, s, w) = (above[x + 1], here[x + 2], below[x + 1], here[x]);
        let bits = n
            | e << 1
            | s << 2
            | w << 3
            | diagonal(above[x + 2], n, e) << 4
            | diagonal(below[x + 2], s, e) << 5
            | diagonal(below[x], s, w) << 6
            | diagonal(above[x], n, w) << 7;
        // 0 - 1 is all ones: a free cell keeps its bits, a blocked one has none.
        out[x] = DirectionSet::from_bits(bits & 0u8.wrapping_sub(here[x + 1]));
    }
}
