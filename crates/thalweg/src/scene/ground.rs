//! The ground of a scene: a living map with the scene's profiles, and which of its overlays lie there.

use super::{Scene, SceneProfile};
use crate::living_map::{LivingMap, LivingMapError, ProfileId, ProfileSpec};
use thalweg_core::cost::{CostField, StampId};
use thalweg_core::grid::Grid;
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
    lying: LyingOverlays,
}

/// Which overlays of a scene lie on its map; kept beside the map, whoever owns that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LyingOverlays(Vec<Option<StampId>>);

impl LyingOverlays {
    /// Whether an overlay lies on the map.
    #[must_use]
    pub fn is_lying(&self, overlay: usize) -> bool {
        self.0.get(overlay).is_some_and(Option::is_some)
    }

    /// Puts an overlay down, unless it lies there.
    pub(crate) fn put(
        &mut self,
        map: &mut LivingMap,
        scene: &Scene,
        overlay: usize,
    ) -> Result<(), GroundError> {
        if self.0[overlay].is_none() {
            self.0[overlay] = Some(map.put(scene.overlays[overlay].stamp.clone())?);
        }
        Ok(())
    }

    /// Takes an overlay away, if it lies there.
    pub(crate) fn take(&mut self, map: &mut LivingMap, overlay: usize) -> Result<(), GroundError> {
        if let Some(stamp) = self.0[overlay].take() {
            map.take(stamp)?;
        }
        Ok(())
    }
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
            lying: LyingOverlays(vec![None; scene.overlays.len()]),
        };
        for index in (0..scene.overlays.len()).filter(|&index| lies(index)) {
            ground.lying.put(&mut ground.map, scene, index)?;
        }
        for profile in &scene.profiles {
            // In the order of their indices: see `profile_id`.
            let added = ground.map.add_profile(spec_of(scene, profile));
            added.map_err(|source| GroundError::Profile {
                profile: profile.name.clone(),
                source: Box::new(source),
            })?;
        }
        Ok(ground)
    }

    /// The map, for who will own it, and which overlays lie on it.
    #[must_use]
    pub fn into_parts(self) -> (LivingMap, LyingOverlays) {
        (self.map, self.lying)
    }

    /// What the map of a scene calls the profile of this index.
    #[must_use]
    pub fn profile_id(profile: usize) -> ProfileId {
        // No map has more profiles than ids.
        ProfileId(u32::try_from(profile).unwrap_or(u32::MAX))
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
        self.map.profile_costs(Self::profile_id(profile))
    }

    /// Compiles a profile of the scene over the ground as it is.
    ///
    /// # Errors
    /// [`EdgeRuleError`]; a checked scene has none.
    ///
    /// # Panics
    /// If there is no such profile.
    pub fn compile(&self, profile: usize) -> Result<Movement, EdgeRuleError> {
        self.map.compile(Self::profile_id(profile))
    }

    /// Whether an overlay lies on the map.
    #[must_use]
    pub fn is_lying(&self, overlay: usize) -> bool {
        self.lying.is_lying(overlay)
    }
}

/// A table of classes means nothing on a map without terrain: the map's own costs hold then.
fn spec_of(scene: &Scene, profile: &SceneProfile) -> ProfileSpec {
    let mut spec = ProfileSpec::new(profile.movement).with_unknown(profile.unknown);
    spec.classes = profile.classes.clone().filter(|_| scene.terrain.is_some());
    spec.slopes.clone_from(&profile.slopes);
    spec
}
