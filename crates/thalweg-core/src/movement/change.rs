//! What is different between two movements of one profile on one map.

use super::directed::Directed;
use super::portals::{PortalEdge, Portals};
use super::{Charge, Movement};
use crate::cost::each_bit_difference;
use crate::grid::{CellId, DirectionSet};
use crate::shared_cells::SharedCells;
use thiserror::Error;

/// Two movements that have nothing to do with each other.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("only movements of one profile on one map can be compared")]
#[non_exhaustive]
pub struct OtherMovement;

/// The cells for which something is different between two movements: an edge that leaves, what it costs, whether a body may
/// be there, whether the cell is known. Exactly these; a cell that only edges lead to is none of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct MovementChange {
    /// The cells in id order, each once.
    pub cells: Vec<CellId>,
}

impl MovementChange {
    /// Whether the movements are the same.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }
}

impl Movement {
    /// [`Self::change_since`], unless more than `at_most` cells differ, or the costs of a sixteenth of that: then `None`, before
    /// all of them have been looked at. For who would rebuild then.
    ///
    /// # Errors
    /// [`OtherMovement`].
    pub fn few_changes_since(
        &self,
        before: &Self,
        at_most: usize,
    ) -> Result<Option<MovementChange>, OtherMovement> {
        if self.grid != before.grid || self.profile != before.profile {
            return Err(OtherMovement);
        }
        // A cell that turns into a wall or back changes the edges of those around it too, and what then changes behind them is
        // many times that.
        let few = at_most / 16;
        if self.costs.most_differences(&before.costs) > few {
            let mut differing = 0usize;
            self.costs.for_each_difference(&before.costs, |_| differing += 1);
            if differing > few {
                return Ok(None);
            }
        }
        let change = self.change_since(before)?;
        Ok((change.cells.len() <= at_most).then_some(change))
    }

    /// What is different from an earlier movement of the same profile and map, or a later one. It takes the time of what is
    /// different if one was made from the other by [`Self::recompile`], in however many steps, and a pass over the map if
    /// not.
    ///
    /// # Errors
    /// [`OtherMovement`].
    pub fn change_since(&self, before: &Self) -> Result<MovementChange, OtherMovement> {
        if self.grid != before.grid || self.profile != before.profile {
            return Err(OtherMovement);
        }
        let mut compare = Comparison {
            before,
            after: self,
            cells: Vec::new(),
        };
        compare.exits();
        compare.costs();
        compare.extras();
        compare.portals();
        each_bit_difference(before.unknown.as_ref(), self.unknown.as_ref(), |at| {
            compare.cells.push(CellId::from_index(at));
        });
        let mut cells = compare.cells;
        cells.sort_unstable();
        cells.dedup();
        Ok(MovementChange { cells })
    }
}

impl Movement {
    /// The cells whose exits, cost or ground differ from those of an earlier movement of the same profile and map, or a later
    /// one; in id order, each once.
    ///
    /// Sight lines look at these. It is neither more nor less than [`Self::change_since`] tells: where steps are charged for
    /// the cell entered, a dearer cell changes the edges of those around it and none of its own; and under a body that may
    /// not stand there anyway, more ground may close.
    ///
    /// # Errors
    /// [`OtherMovement`].
    pub fn ground_change_since(&self, before: &Self) -> Result<Vec<CellId>, OtherMovement> {
        if self.grid != before.grid || self.profile != before.profile {
            return Err(OtherMovement);
        }
        let mut cells = Vec::new();
        let mut add = |at| cells.push(CellId::from_index(at));
        self.exits.for_each_difference(&before.exits, &mut add);
        self.costs.for_each_difference(&before.costs, &mut add);
        if let (Some(ours), Some(theirs)) = (&self.ground, &before.ground) {
            ours.costs.for_each_difference(&theirs.costs, &mut add);
        }
        cells.sort_unstable();
        cells.dedup();
        Ok(cells)
    }

    /// Bytes that this movement holds and another one does not, pages that both share left out.
    #[must_use]
    pub fn bytes_beside(&self, other: &Self) -> usize {
        fn beside<T: Copy + PartialEq>(
            ours: Option<&SharedCells<T>>,
            theirs: Option<&SharedCells<T>>,
        ) -> usize {
            ours.map_or(0, |ours| match theirs {
                Some(theirs) => ours.bytes_beside(theirs),
                None => ours.bytes(),
            })
        }
        let (ours, theirs) = (self.directed.as_deref(), other.directed.as_deref());
        beside(Some(&self.costs), Some(&other.costs))
            + beside(self.unknown.as_ref(), other.unknown.as_ref())
            + beside(Some(&self.exits), Some(&other.exits))
            + beside(
                self.ground.as_ref().map(|ground| &ground.costs),
                other.ground.as_ref().map(|ground| &ground.costs),
            )
            + ours.map_or(0, |ours| {
                let open = theirs.and_then(|theirs| theirs.open.as_ref());
                beside(Some(&ours.entries), theirs.map(|theirs| &theirs.entries))
                    + beside(Some(&ours.extra), theirs.map(|theirs| &theirs.extra))
                    + beside(ours.open.as_ref(), open)
            })
    }
}

/// What steps cost beside their cells, if anything does.
fn extra_of(movement: &Movement) -> Option<&SharedCells<[u8; 8]>> {
    let directed = movement.directed.as_deref();
    directed
        .map(|directed| &directed.extra)
        .filter(|extra| !extra.is_empty())
}

struct Comparison<'a> {
    before: &'a Movement,
    after: &'a Movement,
    cells: Vec<CellId>,
}

impl Comparison<'_> {
    fn exits(&mut self) {
        let cells = &mut self.cells;
        self.before
            .exits
            .for_each_difference(&self.after.exits, |at| cells.push(CellId::from_index(at)));
    }

    fn costs(&mut self) {
        let mut changed = Vec::new();
        self.before
            .costs
            .for_each_difference(&self.after.costs, |at| changed.push(CellId::from_index(at)));
        let charge = self.after.profile.charge;
        for id in changed {
            if self.before.is_passable(id) != self.after.is_passable(id) {
                self.cells.push(id);
            }
            if charge != Charge::Arrive {
                self.look_at(id);
            }
            if charge != Charge::Depart {
                // Those that step in; who does so only now, or no longer, has other exits.
                for direction in self.after.entries(id) {
                    if let Some(from) = self.after.grid.neighbour(id, direction.opposite()) {
                        self.look_at(from);
                    }
                }
            }
        }
    }

    /// Adds a cell if a step that leaves it in both movements costs something else.
    fn look_at(&mut self, id: CellId) {
        let exits = self.before.exits(id).bits() & self.after.exits(id).bits();
        let differs = DirectionSet::from_bits(exits)
            .iter()
            .any(|direction| self.before.step_cost(id, direction) != self.after.step_cost(id, direction));
        if differs {
            self.cells.push(id);
        }
    }

    fn extras(&mut self) {
        let (before, after) = (extra_of(self.before), extra_of(self.after));
        let mut changed = Vec::new();
        match (before, after) {
            (Some(before), Some(after)) => {
                before.for_each_difference(after, |at| changed.push(CellId::from_index(at)));
            }
            (Some(_), None) | (None, Some(_)) => changed.extend(self.after.grid.ids()),
            (None, None) => {}
        }
        for id in changed {
            self.look_at(id);
        }
    }

    fn portals(&mut self) {
        let (before, after) = (self.before.directed.as_deref(), self.after.directed.as_deref());
        if let (Some(before), Some(after)) = (before, after)
            && std::sync::Arc::ptr_eq(&before.portals, &after.portals)
        {
            return;
        }
        let leaving = |directed: Option<&'_ Directed>| -> Vec<PortalEdge> {
            directed.map_or(Vec::new(), |directed| directed.portals.leaving.clone())
        };
        let (before, after) = (leaving(before), leaving(after));
        let mut ends: Vec<CellId> = before.iter().chain(&after).map(|portal| portal.here).collect();
        ends.sort_unstable();
        ends.dedup();
        ends.retain(|&end| Portals::at(&before, end) != Portals::at(&after, end));
        self.cells.append(&mut ends);
    }
}
