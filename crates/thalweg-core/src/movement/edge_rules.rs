//! What a map adds to, and takes from, the steps of its grid: one-way borders and portals.

use super::MovementProfile;
use crate::cost::EdgeCharges;
use crate::grid::{Cell, CellId, Direction, DirectionSet, Grid};
use crate::shared_cells::SharedCells;
use core::fmt;
use std::sync::Arc;
use thiserror::Error;

/// The largest cost of a portal, in step units: 2^30, so that a portal and a long way still fit a cost-to-goal.
pub const MAX_PORTAL_COST: u32 = 1 << 30;

/// Why an edge rule is refused; nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EdgeRuleError {
    /// A cell is not on the map.
    #[error("cell {cell} lies outside {grid}")]
    Outside {
        /// The cell.
        cell: Cell,
        /// The map.
        grid: Grid,
    },
    /// A portal costs too much.
    #[error("a portal from {from} to {to} costs {cost}, above the limit of {MAX_PORTAL_COST}")]
    PortalCost {
        /// Where it begins.
        from: Cell,
        /// Where it leads.
        to: Cell,
        /// The cost asked for.
        cost: u32,
    },
    /// A portal leads to where it begins.
    #[error("a portal at {cell} leads to itself")]
    PortalToItself {
        /// The cell.
        cell: Cell,
    },
    /// Too many portals, those that were taken away included.
    #[error("a map has at most {} portals", u32::MAX)]
    TooManyPortals,
    /// There is no portal of this index, or it was taken away.
    #[error("there is no {portal}")]
    NoPortal {
        /// The index asked for.
        portal: PortalIndex,
    },
    /// The rules or edge charges and the costs are of different maps.
    #[error("the edge rules are of {rules}, the costs of {costs}")]
    ForeignMap {
        /// The rules' map.
        rules: Grid,
        /// The costs' map.
        costs: Grid,
    },
}

/// The place of a portal in the order in which portals were added; it breaks ties after all grid steps. It is never given
/// to another portal, also after its own was taken away.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub struct PortalIndex(pub u32);

impl fmt::Display for PortalIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "portal {}", self.0)
    }
}

/// What a portal costs, whatever the cells at its ends cost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PortalCost {
    /// So many step units, the same number for every profile, 0 to [`MAX_PORTAL_COST`].
    Units(u32),
    /// As much as so many straight steps between cells of cost 1, whatever the step scale of a profile.
    Steps(u32),
}

impl PortalCost {
    /// The cost in step units of a profile. Above [`MAX_PORTAL_COST`] the portal cannot be compiled for it.
    #[must_use]
    pub const fn units(self, profile: &MovementProfile) -> u32 {
        match self {
            Self::Units(units) => units,
            Self::Steps(steps) => steps.saturating_mul(profile.cost_unit()),
        }
    }
}

/// An extra directed edge: stairs, a lift, a chute, a teleporter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Portal {
    /// Where it begins.
    pub from: CellId,
    /// Where it leads.
    pub to: CellId,
    /// What it costs; 0 is legal.
    pub cost: PortalCost,
}

/// Counts the changes of edge rules. Monotonic within one value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct RuleVersion(pub u64);

/// One-way borders and portals of one map.
///
/// They belong to the map, not to a profile: every profile compiled with them obeys them. A portal whose end is blocked
/// for a profile is not offered to it. Every change raises the version, and only what really changes something is one.
#[derive(Clone)]
pub struct EdgeRules {
    grid: Grid,
    /// Exits that are taken away from a cell, whatever the profile says; `None` until the first one is.
    closed: Option<SharedCells<DirectionSet>>,
    /// How many exits are closed.
    closed_len: usize,
    /// By index; `None` once a portal is taken away.
    portals: Arc<Vec<Option<Portal>>>,
    portals_len: usize,
    version: RuleVersion,
}

/// The same rules, whatever happened before.
impl PartialEq for EdgeRules {
    fn eq(&self, other: &Self) -> bool {
        self.grid == other.grid
            && self.grid.ids().all(|id| self.closed(id) == other.closed(id))
            && self.portals().eq(other.portals())
    }
}

impl Eq for EdgeRules {}

impl EdgeRules {
    /// No rules: every step may be taken both ways, and there are no portals.
    #[must_use]
    pub fn new(grid: Grid) -> Self {
        Self {
            closed: None,
            closed_len: 0,
            grid,
            portals: Arc::default(),
            portals_len: 0,
            version: RuleVersion(0),
        }
    }

    /// The map they belong to.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Raised by everything that changed a rule.
    #[must_use]
    pub const fn version(&self) -> RuleVersion {
        self.version
    }

    /// Closes a step in one direction; the way back stays as it is. A straight border that is closed closes the
    /// diagonals that need it, by the profile's corner rule.
    ///
    /// # Errors
    /// [`EdgeRuleError::Outside`].
    pub fn close_exit(&mut self, cell: Cell, direction: Direction) -> Result<(), EdgeRuleError> {
        let id = self.id(cell)?;
        self.write(id, self.closed(id).with(direction));
        Ok(())
    }

    /// Opens a step that was closed.
    ///
    /// # Errors
    /// [`EdgeRuleError::Outside`].
    pub fn open_exit(&mut self, cell: Cell, direction: Direction) -> Result<(), EdgeRuleError> {
        let id = self.id(cell)?;
        self.write(id, self.closed(id).without(direction));
        Ok(())
    }

    /// Lets a cell be entered by straight steps only from the named sides: `N` means from the cell above it. Sides that
    /// are diagonals mean nothing here; diagonal steps follow from the straight ones by the corner rule.
    ///
    /// # Errors
    /// [`EdgeRuleError::Outside`].
    pub fn only_enter_from(&mut self, cell: Cell, sides: DirectionSet) -> Result<(), EdgeRuleError> {
        let id = self.id(cell)?;
        for side in DirectionSet::STRAIGHT {
            // The cell on this side steps in the opposite direction to come in.
            if let Some(neighbour) = self.grid.neighbour(id, side) {
                let closed = self.closed(neighbour);
                let closed = if sides.contains(side) {
                    closed.without(side.opposite())
                } else {
                    closed.with(side.opposite())
                };
                self.write(neighbour, closed);
            }
        }
        Ok(())
    }

    /// The one door of one-way borders.
    fn write(&mut self, id: CellId, closed: DirectionSet) {
        let before = self.closed(id);
        if before == closed {
            return;
        }
        let cells = self.grid.len();
        let all = self
            .closed
            .get_or_insert_with(|| SharedCells::filled(cells, DirectionSet::EMPTY));
        all.set(id.index(), closed);
        self.closed_len = self.closed_len + closed.len() as usize - before.len() as usize;
        self.version.0 += 1;
    }

    /// Adds a portal in one direction at a cost in step units.
    ///
    /// # Errors
    /// [`EdgeRuleError`], see its variants.
    pub fn add_portal(&mut self, from: Cell, to: Cell, cost: u32) -> Result<PortalIndex, EdgeRuleError> {
        self.add_priced_portal(from, to, PortalCost::Units(cost))
    }

    /// Adds a portal in one direction.
    ///
    /// # Errors
    /// [`EdgeRuleError`], see its variants. What a portal priced in steps costs a profile is only known, and may only be
    /// refused, when that is compiled.
    pub fn add_priced_portal(
        &mut self,
        from: Cell,
        to: Cell,
        cost: PortalCost,
    ) -> Result<PortalIndex, EdgeRuleError> {
        let (from_id, to_id) = (self.id(from)?, self.id(to)?);
        if let PortalCost::Units(cost) = cost
            && cost > MAX_PORTAL_COST
        {
            return Err(EdgeRuleError::PortalCost { from, to, cost });
        }
        if from_id == to_id {
            return Err(EdgeRuleError::PortalToItself { cell: from });
        }
        let index = u32::try_from(self.portals.len()).map_err(|_| EdgeRuleError::TooManyPortals)?;
        Arc::make_mut(&mut self.portals).push(Some(Portal {
            from: from_id,
            to: to_id,
            cost,
        }));
        self.portals_len += 1;
        self.version.0 += 1;
        Ok(PortalIndex(index))
    }

    /// Takes a portal away and gives it back. The indices of the others stay, and its own is never used again.
    ///
    /// # Errors
    /// [`EdgeRuleError::NoPortal`].
    pub fn remove_portal(&mut self, portal: PortalIndex) -> Result<Portal, EdgeRuleError> {
        let taken = self.portal(portal).ok_or(EdgeRuleError::NoPortal { portal })?;
        Arc::make_mut(&mut self.portals)[portal.0 as usize] = None;
        self.portals_len -= 1;
        self.version.0 += 1;
        Ok(taken)
    }

    /// The portal of an index, while there is one.
    #[must_use]
    pub fn portal(&self, index: PortalIndex) -> Option<Portal> {
        self.portals.get(index.0 as usize).copied().flatten()
    }

    /// The portals in the order in which they were added.
    pub fn portals(&self) -> impl Iterator<Item = (PortalIndex, Portal)> + '_ {
        (0u32..)
            .zip(self.portals.iter())
            .filter_map(|(index, portal)| Some((PortalIndex(index), (*portal)?)))
    }

    /// How many portals there are.
    #[must_use]
    pub const fn portals_len(&self) -> usize {
        self.portals_len
    }

    /// Refuses rules with a portal that is too dear for a profile, which one priced in steps may be.
    ///
    /// # Errors
    /// [`EdgeRuleError::PortalCost`], naming the first.
    pub fn check_portals(&self, profile: &MovementProfile) -> Result<(), EdgeRuleError> {
        let too_dear = self
            .portals()
            .map(|(_, portal)| (portal, portal.cost.units(profile)))
            .find(|&(_, cost)| cost > MAX_PORTAL_COST);
        too_dear.map_or(Ok(()), |(portal, cost)| {
            Err(EdgeRuleError::PortalCost {
                from: self.grid.cell(portal.from),
                to: self.grid.cell(portal.to),
                cost,
            })
        })
    }

    /// The exits taken away from a cell.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn closed(&self, id: CellId) -> DirectionSet {
        assert!(
            id.index() < self.grid.len(),
            "cell id {} is not of this map",
            id.0
        );
        self.closed
            .as_ref()
            .map_or(DirectionSet::EMPTY, |closed| closed.get(id.index()))
    }

    /// The exits taken away from all cells, if there ever were some.
    pub(super) const fn all_closed(&self) -> Option<&SharedCells<DirectionSet>> {
        self.closed.as_ref()
    }

    /// The portals by index, as one value to compare.
    pub(super) const fn shared_portals(&self) -> &Arc<Vec<Option<Portal>>> {
        &self.portals
    }

    /// Whether there is nothing in them.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.portals_len == 0 && self.closed_len == 0
    }

    fn id(&self, cell: Cell) -> Result<CellId, EdgeRuleError> {
        self.grid.id(cell).ok_or(EdgeRuleError::Outside {
            cell,
            grid: self.grid.clone(),
        })
    }
}

/// Everything about edges that a profile is compiled with, beside the costs of cells.
#[derive(Clone, Copy, Debug, Default)]
pub struct EdgeInputs<'a> {
    /// One-way borders and portals.
    pub rules: Option<&'a EdgeRules>,
    /// What steps cost beside the charge of their cells, and which are too steep.
    pub charges: Option<&'a EdgeCharges>,
}

impl EdgeInputs<'_> {
    /// Whether they change nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_none_or(EdgeRules::is_empty) && self.charges.is_none()
    }

    /// The grids they are of.
    pub(super) fn grids(&self) -> impl Iterator<Item = &Grid> {
        self.rules
            .map(EdgeRules::grid)
            .into_iter()
            .chain(self.charges.map(EdgeCharges::grid))
    }
}

impl fmt::Debug for EdgeRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EdgeRules")
            .field("grid", &self.grid)
            .field("closed", &self.closed_len)
            .field("portals", &self.portals_len)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}
