//! The owner of a map that changes: its costs, terrain classes, heights, stamps, one-way borders and portals, and what
//! each profile makes of them.
//!
//! **What a profile pays** on a cell is told in one place (`paid.rs`): the costs of its terrain classes or the map's own,
//! whatever was written over either; heights over that; stamps over that; last, what unknown ground is assumed to be. So a
//! stamp blocks everybody, and what is given back to the map is what each profile had there.
//!
//! **Every edit** goes through [`LivingMap`], which brings the costs of all profiles up to date at once, cell by cell of
//! what was edited, and raises the versions of what really changed. Rejected: lending the parts out as `&mut CostField` and
//! the like; whoever forgot to say so afterwards would leave fields that no longer belong to the map.
//!
//! It knows movement rules, no goals and no fields.

mod edge_edits;
mod edits;
mod error;
mod kind;
mod paid;
mod spec;

pub use error::LivingMapError;
pub use spec::{ProfileId, ProfileSpec};

use crate::version::{BundleVersions, MapVersion, OverlayVersion, ProfileVersion};
use core::fmt;
use kind::Kind;
use paid::Ground;
use std::sync::Arc;
use thalweg_core::cost::{CostField, DirtyRegion, HeightMap, Overlays, TerrainMap};
use thalweg_core::grid::Grid;
use thalweg_core::movement::{EdgeRuleError, EdgeRules, Movement, MovementChange};

/// A profile as its id names it. Profiles of equal specs are of one kind.
#[derive(Clone, Copy, Debug)]
struct Profile {
    kind: usize,
    version: ProfileVersion,
}

/// A map that changes, and the profiles that move on it.
///
/// ```
/// use thalweg::living_map::{LivingMap, ProfileSpec};
/// use thalweg::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut map = LivingMap::new(CostField::filled(Grid::new(8, 5)?, Cost::PLAIN));
/// let walker = map.add_profile(ProfileSpec::new(MovementProfile::new()))?;
/// let open = map.versions(walker);
///
/// // A wall goes up: the map and what the walker pays have changed.
/// map.set_rect(Cell::new(3, 0), Cell::new(3, 3), Cost::IMPASSABLE)?;
/// assert!(map.versions(walker).map > open.map);
/// assert!(map.versions(walker).cost > open.cost);
///
/// // Writing what is there is no change.
/// let walled = map.versions(walker);
/// map.set(Cell::new(3, 0), Cost::IMPASSABLE)?;
/// assert_eq!(map.versions(walker), walled);
///
/// // It comes down again, and the rules of the walker are those of the first day.
/// map.restore_rect(Cell::new(3, 0), Cell::new(3, 3))?;
/// let movement = map.movement(walker)?;
/// assert!(movement.is_passable(map.grid().id(Cell::new(3, 2)).ok_or("on the map")?));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct LivingMap {
    ground: Ground,
    /// The map's own costs with stamps over them, whatever profiles make of the map.
    costs: CostField,
    rules: EdgeRules,
    kinds: Vec<Kind>,
    profiles: Vec<Profile>,
    /// Changes of the map that no version of its parts tells: of cells written over, and of parts that were replaced.
    other_changes: u64,
}

impl LivingMap {
    /// A map of these costs, which are what [`Self::restore_rect`] gives back; without terrain, heights, stamps, borders,
    /// portals and profiles.
    #[must_use]
    pub fn new(costs: CostField) -> Self {
        Self {
            rules: EdgeRules::new(costs.grid().clone()),
            ground: Ground::new(costs.clone()),
            costs,
            kinds: Vec::new(),
            profiles: Vec::new(),
            other_changes: 0,
        }
    }

    /// The map with terrain classes, for profiles that have a table for them. O(cells) per profile.
    ///
    /// # Errors
    /// [`LivingMapError::Costs`] if the classes are of another grid, [`LivingMapError::Terrain`] if a profile has no cost
    /// for one of them.
    pub fn with_terrain(mut self, terrain: TerrainMap) -> Result<Self, LivingMapError> {
        self.check_grid(terrain.grid())?;
        for kind in &self.kinds {
            if let Some(table) = &kind.spec().classes {
                paid::check_classes(&terrain, table)?;
            }
        }
        if let Some(old) = self.ground.terrain.replace(terrain) {
            self.other_changes += old.version().0;
        }
        Ok(self.replaced())
    }

    /// The map with heights, for profiles that have a slope rule. O(cells) per profile.
    ///
    /// # Errors
    /// [`LivingMapError::Costs`] if the heights are of another grid.
    pub fn with_heights(mut self, heights: HeightMap) -> Result<Self, LivingMapError> {
        self.check_grid(heights.grid())?;
        if let Some(old) = self.ground.heights.replace(heights) {
            self.other_changes += old.version().0;
        }
        for kind in &mut self.kinds {
            kind.replace_charges(self.ground.heights.as_ref());
        }
        Ok(self.replaced())
    }

    /// The map with these one-way borders and portals in place of those it had.
    ///
    /// # Errors
    /// [`LivingMapError::Edges`] if they are of another grid, or a portal priced in steps is too dear for a profile.
    pub fn with_edge_rules(mut self, rules: EdgeRules) -> Result<Self, LivingMapError> {
        if rules.grid() != self.grid() {
            return Err(EdgeRuleError::ForeignMap {
                rules: rules.grid().clone(),
                costs: self.grid().clone(),
            }
            .into());
        }
        for kind in &self.kinds {
            rules.check_portals(&kind.spec().movement)?;
        }
        let old = core::mem::replace(&mut self.rules, rules);
        self.other_changes += old.version().0;
        for kind in &mut self.kinds {
            kind.rules_replaced(old.version());
        }
        self.other_changes += 1;
        Ok(self)
    }

    /// After a part of the map was replaced: what profiles pay is made again, at higher versions.
    fn replaced(mut self) -> Self {
        self.other_changes += 1;
        for kind in &mut self.kinds {
            for id in self.ground.own.grid().ids() {
                kind.refresh(&self.ground, id);
            }
        }
        self
    }

    fn check_grid(&self, other: &Grid) -> Result<(), LivingMapError> {
        if other == self.grid() {
            return Ok(());
        }
        Err(thalweg_core::cost::CostFieldError::OtherGrid {
            grid: self.grid().clone(),
            other: other.clone(),
        }
        .into())
    }

    /// The cells of the map.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        self.ground.own.grid()
    }

    /// The map's own costs with stamps over them, whatever profiles make of the map.
    #[must_use]
    pub const fn costs(&self) -> &CostField {
        &self.costs
    }

    /// The map's own costs, without stamps.
    #[must_use]
    pub const fn own_costs(&self) -> &CostField {
        &self.ground.own
    }

    /// The terrain classes, if it has any.
    #[must_use]
    pub const fn terrain(&self) -> Option<&TerrainMap> {
        self.ground.terrain.as_ref()
    }

    /// The heights, if it has any.
    #[must_use]
    pub const fn heights(&self) -> Option<&HeightMap> {
        self.ground.heights.as_ref()
    }

    /// The stamps that lie on it.
    #[must_use]
    pub const fn overlays(&self) -> &Overlays {
        &self.ground.overlays
    }

    /// Its one-way borders and portals.
    #[must_use]
    pub const fn edge_rules(&self) -> &EdgeRules {
        &self.rules
    }

    /// Raised by every change of the base: costs, terrain classes, heights, one-way borders, portals.
    #[must_use]
    pub fn map_version(&self) -> MapVersion {
        // Rejected: a counter that every edit raises by hand. The sum of what the parts count themselves rises exactly if
        // one of them has changed, and no edit can forget it.
        let terrain = self.terrain().map_or(0, |terrain| terrain.version().0);
        let heights = self.heights().map_or(0, |heights| heights.version().0);
        let own = self.ground.own.version().0;
        MapVersion(own + terrain + heights + self.rules.version().0 + self.other_changes)
    }

    /// Raised whenever a stamp is put down or taken away.
    #[must_use]
    pub const fn overlay_version(&self) -> OverlayVersion {
        OverlayVersion(self.ground.overlays.version().0)
    }

    /// Adds a kind of agent. O(cells), unless the map's own costs hold for it or there is a profile of the same spec.
    ///
    /// # Errors
    /// [`LivingMapError::NoTerrain`] if it has a table of classes and the map has none, [`LivingMapError::Terrain`] if a
    /// class is not in its table, [`LivingMapError::Edges`] if a portal priced in steps is too dear at its step scale.
    pub fn add_profile(&mut self, spec: ProfileSpec) -> Result<ProfileId, LivingMapError> {
        let id = u32::try_from(self.profiles.len()).map_err(|_| LivingMapError::TooManyProfiles)?;
        let kind = self.kind_of(spec)?;
        self.profiles.push(Profile {
            kind,
            version: ProfileVersion(0),
        });
        Ok(ProfileId(id))
    }

    /// Changes what a profile is; its version rises if it is another. Costs as [`Self::add_profile`].
    ///
    /// # Errors
    /// As [`Self::add_profile`], and [`LivingMapError::NoProfile`]; nothing is changed then.
    pub fn change_profile(&mut self, id: ProfileId, spec: ProfileSpec) -> Result<(), LivingMapError> {
        let profile = *self.profile(id)?;
        if *self.kinds[profile.kind].spec() == spec {
            return Ok(());
        }
        let kind = self.kind_of(spec)?;
        self.profiles[id.0 as usize] = Profile {
            kind,
            version: profile.version.next(),
        };
        // A kind that nobody is of any more would be kept up to date for nobody; its place is for another.
        if self.profiles.iter().all(|other| other.kind != profile.kind) {
            let last = self.kinds.len() - 1;
            self.kinds.swap_remove(profile.kind);
            for other in self.profiles.iter_mut().filter(|other| other.kind == last) {
                other.kind = profile.kind;
            }
        }
        Ok(())
    }

    fn kind_of(&mut self, spec: ProfileSpec) -> Result<usize, LivingMapError> {
        if let Some(kind) = self.kinds.iter().position(|kind| *kind.spec() == spec) {
            return Ok(kind);
        }
        self.rules.check_portals(&spec.movement)?;
        let charges = self
            .kinds
            .iter()
            .find(|kind| kind.spec().slopes == spec.slopes)
            .and_then(Kind::charges)
            .cloned();
        self.kinds.push(Kind::new(&self.ground, spec, charges)?);
        Ok(self.kinds.len() - 1)
    }

    /// How many profiles there are; their ids are those up to it.
    #[must_use]
    pub const fn profiles_len(&self) -> usize {
        self.profiles.len()
    }

    /// What a profile is.
    ///
    /// # Panics
    /// If the id is of another map.
    #[must_use]
    pub fn spec(&self, id: ProfileId) -> &ProfileSpec {
        self.kind(id).spec()
    }

    /// What a profile pays: everything but edges.
    ///
    /// # Panics
    /// If the id is of another map.
    #[must_use]
    pub fn profile_costs(&self, id: ProfileId) -> &CostField {
        self.kind(id).costs()
    }

    /// The versions that a field for this profile belongs to if it is built now; those of the goal and of the field itself
    /// are 0, they are not the map's.
    ///
    /// The cost version tells of everything that [`Self::movement`] is compiled from. It rises with changes that reach the
    /// profile's costs or edges, and stays with others: a price under a stamp that blocks, a class that costs the same.
    ///
    /// # Panics
    /// If the id is of another map.
    #[must_use]
    pub fn versions(&self, id: ProfileId) -> BundleVersions {
        BundleVersions {
            map: self.map_version(),
            overlay: self.overlay_version(),
            profile: self.profiles[id.0 as usize].version,
            cost: self.kind(id).version(&self.rules),
            ..BundleVersions::default()
        }
    }

    /// The compiled rules of a profile, brought up to date first, in time that goes with what changed since it was last
    /// asked for ([`Movement::recompile`]). The same `Arc` comes back while nothing has changed for the profile, and
    /// profiles of equal specs share it.
    ///
    /// # Errors
    /// [`LivingMapError::NoProfile`].
    pub fn movement(&mut self, id: ProfileId) -> Result<Arc<Movement>, LivingMapError> {
        let kind = self.profile(id)?.kind;
        Ok(self.kinds[kind].movement(&self.rules)?)
    }

    /// The rules of a profile as [`Self::movement`] gives them, and the cells that are different from a movement of this
    /// profile that somebody has kept: what a field made over `since` is repaired by.
    ///
    /// # Errors
    /// [`LivingMapError::NoProfile`], or [`LivingMapError::OtherMovement`] if the movement is of another map or of what the
    /// profile was before [`Self::change_profile`].
    pub fn movement_change(
        &mut self,
        id: ProfileId,
        since: &Movement,
    ) -> Result<(Arc<Movement>, MovementChange), LivingMapError> {
        let movement = self.movement(id)?;
        let change = movement.change_since(since)?;
        Ok((movement, change))
    }

    /// The rules of a profile compiled from the start, whatever was compiled before. O(cells). For who has the map only to
    /// read; [`Self::movement`] is for who asks again and again.
    ///
    /// # Errors
    /// [`EdgeRuleError`]; the edits have refused everything that would be one.
    ///
    /// # Panics
    /// If the id is of another map.
    pub fn compile(&self, id: ProfileId) -> Result<Movement, EdgeRuleError> {
        self.kind(id).compile(&self.rules)
    }

    fn kind(&self, id: ProfileId) -> &Kind {
        &self.kinds[self.profiles[id.0 as usize].kind]
    }

    fn profile(&self, id: ProfileId) -> Result<&Profile, LivingMapError> {
        self.profiles
            .get(id.0 as usize)
            .ok_or(LivingMapError::NoProfile { profile: id })
    }

    /// Brings all costs of a region up to date, where the base or stamps have been written to.
    fn refresh(&mut self, region: DirtyRegion) {
        for id in region.ids(&self.grid().clone()) {
            self.costs.write(id, self.ground.own_with_stamps(id));
            for kind in &mut self.kinds {
                kind.refresh(&self.ground, id);
            }
        }
    }
}

impl fmt::Debug for LivingMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LivingMap")
            .field("grid", self.grid())
            .field("map", &self.map_version())
            .field("overlay", &self.overlay_version())
            .field("profiles", &self.profiles.len())
            .finish_non_exhaustive()
    }
}
