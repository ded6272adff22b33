//! The ground of a scene as it is now: a living map with the scene's profiles, written by its events.

use super::{Scene, SceneProfile};
use crate::living_map::{LivingMap, LivingMapError, ProfileId, ProfileSpec};
use thalweg_core::cost::{Cost, CostField, StampId};
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::movement::{EdgeRuleError, Movement};

/// Why the ground of a scene cannot be made or changed; a checked scene has no such errors.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GroundError {
    /// A profile that does not fit the map, as one with a class it has no cost for.
    #[error("profile `{profile}`: {source}")]
    Profile {
        /// Name of the profile.
        profile: String,
        /// What the map says.
        source: Box<LivingMapError>,
    },
    /// An overlay, a door, or heights or terrain that do not fit the map.
    #[error(transparent)]
    Map(Box<LivingMapError>),
}

impl<E: Into<LivingMapError>> From<E> for GroundError {
    fn from(error: E) -> Self {
        Self::Map(Box::new(error.into()))
    }
}

/// The ground of a scene: its [`LivingMap`], and which of its overlays lie there.
///
/// A barricade blocks everybody, and a door that opens gives back what each profile had there.
#[derive(Clone, Debug)]
pub struct SceneGround {
    map: LivingMap,
    profiles: Vec<ProfileId>,
    lying: Vec<Option<StampId>>,
}

impl SceneGround {
    /// The ground at the start of a scene, standing overlays included.
    ///
    /// # Errors
    /// [`GroundError`], for scenes that were not checked.
    pub fn new(scene: &Scene) -> Result<Self, GroundError> {
        Self::with_overlays(scene, |index| scene.overlays[index].standing)
    }

    /// The ground of a scene with these overlays on it.
    pub(super) fn with_overlays(scene: &Scene, lies: impl Fn(usize) -> bool) -> Result<Self, GroundError> {
        let mut map = LivingMap::new(scene.costs.clone());
        if let Some(terrain) = &scene.terrain {
            map = map.with_terrain(terrain.map.clone())?;
        }
        if let Some(heights) = &scene.heights {
            map = map.with_heights(heights.clone())?;
        }
        let mut ground = Self {
            map: map.with_edge_rules(scene.edges.rules(scene.costs.grid())?)?,
            profiles: Vec::new(),
            lying: vec![None; scene.overlays.len()],
        };
        for index in (0..scene.overlays.len()).filter(|&index| lies(index)) {
            ground.put(scene, index)?;
        }
        for profile in &scene.profiles {
            let id = ground.map.add_profile(spec_of(scene, profile));
            let id = id.map_err(|source| GroundError::Profile {
                profile: profile.name.clone(),
                source: Box::new(source),
            })?;
            ground.profiles.push(id);
        }
        Ok(ground)
    }

    /// The map, with all its profiles.
    #[must_use]
    pub const fn map(&self) -> &LivingMap {
        &self.map
    }

    /// The rectangle of cells.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        self.map.grid()
    }

    /// The map's own costs with overlays over them, whatever profiles make of the map.
    #[must_use]
    pub const fn costs(&self) -> &CostField {
        self.map.costs()
    }

    /// What a profile pays: everything but edges.
    ///
    /// # Panics
    /// If there is no such profile.
    #[must_use]
    pub fn profile_costs(&self, profile: usize) -> &CostField {
        self.map.profile_costs(self.profiles[profile])
    }

    /// Raised by every change that reaches somebody's costs.
    #[must_use]
    pub fn version(&self) -> u64 {
        let of_profiles: u64 = self.profiles.iter().map(|&id| self.map.versions(id).cost.0).sum();
        of_profiles + self.costs().version().0
    }

    /// Compiles a profile of the scene over the ground as it is.
    ///
    /// # Errors
    /// [`EdgeRuleError`]; a checked scene has none.
    ///
    /// # Panics
    /// If there is no such profile.
    pub fn compile(&self, profile: usize) -> Result<Movement, EdgeRuleError> {
        self.map.compile(self.profiles[profile])
    }

    /// Whether an overlay lies on the map.
    #[must_use]
    pub fn is_lying(&self, overlay: usize) -> bool {
        self.lying.get(overlay).is_some_and(Option::is_some)
    }

    /// Writes a cost to every cell of a rectangle, for everybody.
    pub(crate) fn set_rect(&mut self, (a, b): (Cell, Cell), cost: Cost) -> Result<(), GroundError> {
        Ok(self.map.set_rect(a, b, cost)?)
    }

    /// Gives every cell of a rectangle the cost back that it had at the start.
    pub(crate) fn restore_rect(&mut self, (a, b): (Cell, Cell)) -> Result<(), GroundError> {
        Ok(self.map.restore_rect(a, b)?)
    }

    /// Puts an overlay down, unless it lies there.
    pub(crate) fn put(&mut self, scene: &Scene, overlay: usize) -> Result<(), GroundError> {
        if self.lying[overlay].is_none() {
            self.lying[overlay] = Some(self.map.put(scene.overlays[overlay].stamp.clone())?);
        }
        Ok(())
    }

    /// Takes an overlay away, if it lies there.
    pub(crate) fn take(&mut self, overlay: usize) -> Result<(), GroundError> {
        if let Some(stamp) = self.lying[overlay].take() {
            self.map.take(stamp)?;
        }
        Ok(())
    }
}

/// A table of classes means nothing on a map without terrain: the map's own costs hold then.
fn spec_of(scene: &Scene, profile: &SceneProfile) -> ProfileSpec {
    let mut spec = ProfileSpec::new(profile.movement).with_unknown(profile.unknown);
    spec.classes = profile.classes.clone().filter(|_| scene.terrain.is_some());
    spec.slopes.clone_from(&profile.slopes);
    spec
}
