//! "Can anyone get there at all?", and "would this wall seal the map?", by components.

use super::owner::Navigator;
use super::status::NavigatorError;
use crate::living_map::ProfileId;
use std::sync::Arc;
use thalweg_core::components::{Components, ComponentsError, CutReport};
use thalweg_core::grid::Cell;
use thalweg_core::movement::Movement;

/// Components with the movement they were made for, which stands for everything they depend on.
#[derive(Debug)]
pub(super) struct Reached {
    movement: Arc<Movement>,
    components: Components,
}

impl Reached {
    pub(super) fn current(&self, movement: &Arc<Movement>) -> Option<&Components> {
        Arc::ptr_eq(&self.movement, movement).then_some(&self.components)
    }
}

impl Navigator {
    /// The components of a profile on the map as it is now. Labelled anew if something has changed for the profile,
    /// O(cells); else O(1).
    ///
    /// # Errors
    /// [`NavigatorError::Map`] if the map has no such profile.
    pub fn components(&mut self, profile: ProfileId) -> Result<&Components, NavigatorError> {
        let movement = self.movement(profile)?;
        let state = self.profiles.entry(profile).or_default();
        let is_current = |reached: &Reached| reached.current(&movement).is_some();
        let current = state.reached.take().filter(is_current);
        let reached = current.unwrap_or_else(|| {
            self.stats.components_labelled += 1;
            Reached {
                components: Components::of(&movement),
                movement,
            }
        });
        Ok(&state.reached.insert(reached).components)
    }

    /// Whether somebody of a profile could get from one cell to another, on the map as it is now; false if either is off the
    /// map or blocked. Costs as [`Self::components`], then O(1) on maps where every edge has a way back.
    ///
    /// # Errors
    /// [`NavigatorError::Map`] if the map has no such profile.
    pub fn can_reach(&mut self, profile: ProfileId, from: Cell, to: Cell) -> Result<bool, NavigatorError> {
        let components = self.components(profile)?;
        let ends = components.grid().id(from).zip(components.grid().id(to));
        Ok(ends.is_some_and(|(from, to)| components.can_reach(from, to)))
    }

    /// What blocking these cells would cut off for a profile, before anything is built there
    /// ([`Components::would_cut_off`]). Nothing is changed.
    ///
    /// # Errors
    /// [`NavigatorError::Map`] if the map has no such profile.
    pub fn would_cut_off(&mut self, profile: ProfileId, cells: &[Cell]) -> Result<CutReport, NavigatorError> {
        let movement = self.movement(profile)?;
        let components = self.components(profile)?;
        match components.would_cut_off(&movement, cells) {
            Ok(report) => Ok(report),
            // They were made for this movement a line ago.
            Err(ComponentsError::Stale { .. } | _) => Ok(CutReport::default()),
        }
    }
}
