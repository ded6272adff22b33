//! What a map adds to, and takes from, the steps of its grid: one-way borders and portals.

use crate::cost::EdgeCharges;
use crate::grid::{Cell, CellId, Direction, DirectionSet, Grid};
use core::fmt;
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
    /// Too many portals.
    #[error("a map has at most {} portals", u32::MAX)]
    TooManyPortals,
    /// The rules or edge charges and the costs are of different maps.
    #[error("the edge rules are of {rules}, the costs of {costs}")]
    ForeignMap {
        /// The rules' map.
        rules: Grid,
        /// The costs' map.
        costs: Grid,
    },
}

/// The place of a portal in the order in which portals were added; it breaks ties after all grid steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub struct PortalIndex(pub u32);

impl fmt::Display for PortalIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "portal {}", self.0)
    }
}

/// An extra directed edge: stairs, a lift, a chute, a teleporter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Portal {
    /// Where it begins.
    pub from: CellId,
    /// Where it leads.
    pub to: CellId,
    /// What it costs, in step units, whatever the cells at its ends cost; 0 is legal.
    pub cost: u32,
}

/// One-way borders and portals of one map.
///
/// They belong to the map, not to a profile: every profile compiled with them obeys them. A portal whose end is blocked
/// for a profile is not offered to it.
#[derive(Clone, PartialEq, Eq)]
pub struct EdgeRules {
    grid: Grid,
    /// Exits that are taken away from a cell, whatever the profile says.
    closed: Vec<DirectionSet>,
    portals: Vec<Portal>,
}

impl EdgeRules {
    /// No rules: every step may be taken both ways, and there are no portals.
    #[must_use]
    pub fn new(grid: Grid) -> Self {
        Self {
            closed: vec![DirectionSet::EMPTY; grid.len()],
            grid,
            portals: Vec::new(),
        }
    }

    /// The map they belong to.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Closes a step in one direction; the way back stays as it is. A straight border that is closed closes the
    /// diagonals that need it, by the profile's corner rule.
    ///
    /// # Errors
    /// [`EdgeRuleError::Outside`].
    pub fn close_exit(&mut self, cell: Cell, direction: Direction) -> Result<(), EdgeRuleError> {
        let id = self.id(cell)?;
        self.closed[id.index()] = self.closed[id.index()].with(direction);
        Ok(())
    }

    /// Opens a step that was closed.
    ///
    /// # Errors
    /// [`EdgeRuleError::Outside`].
    pub fn open_exit(&mut self, cell: Cell, direction: Direction) -> Result<(), EdgeRuleError> {
        let id = self.id(cell)?;
        self.closed[id.index()] = self.closed[id.index()].without(direction);
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
                let closed = &mut self.closed[neighbour.index()];
                *closed = if sides.contains(side) {
                    closed.without(side.opposite())
                } else {
                    closed.with(side.opposite())
                };
            }
        }
        Ok(())
    }

    /// Adds a portal in one direction.
    ///
    /// # Errors
    /// [`EdgeRuleError`], see its variants.
    pub fn add_portal(&mut self, from: Cell, to: Cell, cost: u32) -> Result<PortalIndex, EdgeRuleError> {
        let (from_id, to_id) = (self.id(from)?, self.id(to)?);
        if cost > MAX_PORTAL_COST {
            return Err(EdgeRuleError::PortalCost { from, to, cost });
        }
        if from_id == to_id {
            return Err(EdgeRuleError::PortalToItself { cell: from });
        }
        let index = u32::try_from(self.portals.len()).map_err(|_| EdgeRuleError::TooManyPortals)?;
        self.portals.push(Portal {
            from: from_id,
            to: to_id,
            cost,
        });
        Ok(PortalIndex(index))
    }

    /// The portals in the order in which they were added.
    #[must_use]
    pub fn portals(&self) -> &[Portal] {
        &self.portals
    }

    /// The exits taken away from a cell.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn closed(&self, id: CellId) -> DirectionSet {
        self.closed[id.index()]
    }

    /// Whether there is nothing in them.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.portals.is_empty() && self.closed.iter().all(|closed| closed.is_empty())
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

    /// The directions that are not closed at a cell.
    pub(super) fn open(&self, id: CellId) -> DirectionSet {
        let closed = self.rules.map_or(DirectionSet::EMPTY, |rules| rules.closed(id));
        let open = self.charges.map_or(DirectionSet::ALL, |charges| charges.open(id));
        DirectionSet::from_bits(open.bits() & !closed.bits())
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
        let closed: u32 = self.closed.iter().map(|closed| closed.len()).sum();
        f.debug_struct("EdgeRules")
            .field("grid", &self.grid)
            .field("closed", &closed)
            .field("portals", &self.portals)
            .finish()
    }
}
