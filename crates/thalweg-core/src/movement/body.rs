//! What ground is to a body: the dearest cell it covers, for every anchor.
//!
//! Once costs are those of anchors everything after them is as it is for points: exits, waves, directions and components
//! never learn how large a body is. The ground itself is kept beside, because between anchors a body is somewhere else
//! (`swept.rs`) and because goals, borders and new walls lie on the ground.

use super::directed::{CLOSED, GroundEdges};
use super::stencil::{Stencil, merged};
use super::{CornerRule, Footprint, Movement, MovementProfile};
use crate::cost::CostField;
use crate::grid::{Cell, CellId, DIRECTIONS, DirectionSet, Grid};
use crate::shared_cells::SharedCells;

/// Costs of anchors, with what they came from.
pub(super) struct Placed {
    pub(super) costs: SharedCells<u8>,
    pub(super) unknown: Option<SharedCells<u64>>,
    /// `None` where the body covers one cell: then they are the same.
    pub(super) ground: Option<Ground>,
}

/// What lies under the anchors.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    pub(super) costs: SharedCells<u8>,
    pub(super) unknown: Option<SharedCells<u64>>,
}

/// [`Stencil::maxima`] layer by layer.
fn maxima(grid: &Grid, stencil: &Stencil, values: &[u8], outside: u8) -> Vec<u8> {
    let mut out = Vec::with_capacity(values.len());
    for layer in grid.layers() {
        let values = &values[layer.range()];
        out.append(&mut stencil.maxima(values, layer.width() as usize, outside));
    }
    out
}

impl Placed {
    /// A point takes the costs as they are, without a pass over the map.
    pub(super) fn of(costs: &CostField, footprint: &Footprint) -> Self {
        let (bytes, unknown) = (costs.shared_bytes().clone(), costs.shared_unknown());
        let stencil = if footprint.is_point() {
            None
        } else {
            Some(Stencil::covered(footprint)).filter(|stencil| !stencil.is_single())
        };
        let Some(stencil) = stencil else {
            return Self {
                costs: bytes,
                unknown,
                ground: None,
            };
        };
        let grid = costs.grid();
        let placed = maxima(grid, &stencil, bytes.flat(), 255);
        Self {
            costs: SharedCells::new(placed),
            unknown: unknown
                .as_ref()
                .and_then(|unknown| unknown_anchors(grid, &stencil, bytes.flat(), unknown.flat())),
            ground: Some(Ground {
                costs: bytes,
                unknown,
            }),
        }
    }
}

/// An anchor is unknown if the body would cover unknown ground and no wall: with a wall under it the answer is known,
/// whatever the rest turns out to be.
fn unknown_anchors(
    grid: &Grid,
    stencil: &Stencil,
    costs: &[u8],
    unknown: &[u64],
) -> Option<SharedCells<u64>> {
    const UNKNOWN: u8 = 1;
    const WALL: u8 = 2;
    let kinds: Vec<u8> = costs
        .iter()
        .enumerate()
        .map(|(index, &cost)| match cost {
            255 if unknown[index / 64] & (1 << (index % 64)) != 0 => UNKNOWN,
            255 => WALL,
            _ => 0,
        })
        .collect();
    let mut words = vec![0u64; costs.len().div_ceil(64)];
    let mut any = false;
    for (index, kind) in maxima(grid, stencil, &kinds, WALL).into_iter().enumerate() {
        if kind == UNKNOWN {
            words[index / 64] |= 1 << (index % 64);
            any = true;
        }
    }
    any.then(|| SharedCells::new(words))
}

/// What edges are to a body: closed where they are for any cell it covers, and as dear as the dearest of them.
pub(super) struct BodyEdges {
    pub(super) open: Vec<DirectionSet>,
    /// Empty without charges.
    pub(super) extra: Vec<[u8; 8]>,
}

impl BodyEdges {
    /// `None` where the edges of the cells serve as they are.
    pub(super) fn of(edges: &GroundEdges, grid: &Grid, footprint: &Footprint) -> Option<Self> {
        let stencil = Stencil::covered(footprint);
        if stencil.is_single() {
            return None;
        }
        let mut open = vec![DirectionSet::EMPTY; grid.len()];
        let mut extra = vec![[0u8; 8]; if edges.charges.is_some() { grid.len() } else { 0 }];
        for direction in DIRECTIONS {
            let plane: Vec<u8> = (0..grid.len())
                .map(|index| edges.charge(index, direction))
                .collect();
            // Off the map there is no ground to move on; that is a matter of costs.
            for (index, value) in maxima(grid, &stencil, &plane, 0).into_iter().enumerate() {
                if value != CLOSED {
                    open[index] = open[index].with(direction);
                }
                if let Some(extra) = extra.get_mut(index) {
                    extra[direction.index()] = value;
                }
            }
        }
        Some(Self { open, extra })
    }
}

impl MovementProfile {
    /// The corner rule that holds: the profile's own for points, [`CornerRule::BothFree`] for every body with extent.
    ///
    /// On a diagonal a body sweeps beyond the cells of its two ends. A rectangle sweeps exactly what its two side anchors
    /// cover. A disc from (0,0) to (1,1) is nearest to the squares at (1 + m, -m) and (-m, 1 + m) in the middle of its way,
    /// where they are m · √2 away, and to all others at one of its ends: the distance to a square falls and rises again
    /// along the diagonal, symmetrically, with its least where the diagonal passes the square's middle, which is between
    /// the ends for these alone. If m · √2 is below the radius, so is (m - 1/2) · √2, the distance of that square from
    /// the side anchor at (1,0) or (0,1), or from its very cell for m = 0. So both sides free is enough for every body, and
    /// no square needs a test of its own.
    ///
    /// Straight steps need no more than their ends: along a row the squares that come nearer between two anchors than at
    /// both would have to lie between their columns, and there are none.
    #[must_use]
    pub const fn corner_rule_in_force(&self) -> CornerRule {
        if self.footprint.is_point() {
            self.corner_rule
        } else {
            CornerRule::BothFree
        }
    }
}

impl Movement {
    /// Cost bytes of the ground, one per cell in id order; 255 where it is impassable or unknown. For points the same as
    /// [`Movement::costs`], which tells what an anchor on the cell pays. As there, ask for one cell by
    /// [`Self::ground_cost`].
    #[inline]
    #[must_use]
    pub fn ground_costs(&self) -> &[u8] {
        match self.ground() {
            None => self.costs(),
            Some(ground) => ground.costs.flat(),
        }
    }

    /// The cost byte of the ground of a cell.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn ground_cost(&self, id: CellId) -> u8 {
        match self.ground() {
            None => self.cost(id),
            Some(ground) => ground.costs.get(id.index()),
        }
    }

    /// Whether the ground of the cell has been surveyed. [`Movement::is_known`] tells it of an anchor, which is unknown
    /// where the body would cover unknown ground and no wall.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn is_ground_known(&self, id: CellId) -> bool {
        match self.ground() {
            None => self.is_known(id),
            Some(ground) => {
                assert!(
                    id.index() < ground.costs.len(),
                    "cell id {} is not of this map",
                    id.0
                );
                ground
                    .unknown
                    .as_ref()
                    .is_none_or(|words| words.get(id.index() / 64) & (1 << (id.index() % 64)) == 0)
            }
        }
    }

    /// The free anchors at which the body has reached a goal on this cell ([`Footprint::meets`]), in id order. Empty if the
    /// cell is off the map or blocked, or if the body has no room there.
    #[must_use]
    pub fn anchors_meeting(&self, cell: Cell) -> Vec<CellId> {
        self.anchors_at(&self.goal_meeting(), [cell]).collect()
    }

    /// The anchors that meet a goal, seen from its cell.
    pub(crate) fn goal_meeting(&self) -> Stencil {
        Stencil::met(&self.profile().footprint).reflected()
    }

    /// The free anchors at which the body covers one of these cells, in id order.
    pub(crate) fn anchors_covering(&self, cells: impl IntoIterator<Item = Cell>) -> Vec<CellId> {
        let stencil = Stencil::covered(&self.profile().footprint).reflected();
        self.anchors_at(&stencil, cells).collect()
    }

    /// Whether a free anchor is among those that a stencil names for a cell.
    pub(crate) fn has_anchor_at(&self, stencil: &Stencil, cell: Cell) -> bool {
        stencil
            .around(self.grid(), cell)
            .any(|run| run.into_iter().any(|id| self.is_passable(CellId(id))))
    }

    /// The free anchors that a stencil names for any of these cells, each once, in id order.
    pub(crate) fn anchors_at(
        &self,
        stencil: &Stencil,
        cells: impl IntoIterator<Item = Cell>,
    ) -> impl Iterator<Item = CellId> + '_ {
        let mut runs = Vec::new();
        for cell in cells {
            runs.extend(stencil.around(self.grid(), cell));
        }
        merged(runs).filter(|&anchor| self.is_passable(anchor))
    }

    /// The same movement under a footprint that it was not compiled for: what validators must catch.
    #[cfg(test)]
    pub(crate) fn claiming(mut self, footprint: Footprint) -> Self {
        self.profile_mut().footprint = footprint;
        self
    }
}
