//! The ground of a scene as it is now: the map's own costs, what each profile makes of them, and the overlays on top.

use super::check::cells_between;
use super::{Scene, SceneProfile};
use thalweg_core::cost::{
    Cost, CostField, CostFieldError, EdgeCharges, OverlayError, Overlays, StampId, TerrainError,
};
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::movement::{EdgeRuleError, Movement};

/// Why the ground of a scene cannot be made; a checked scene has no such errors.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GroundError {
    /// A class that a profile has no cost for.
    #[error("profile `{profile}`: {source}")]
    Terrain {
        /// Name of the profile.
        profile: String,
        /// What the core says.
        source: Box<TerrainError>,
    },
    /// An overlay that does not fit the map.
    #[error(transparent)]
    Overlay(#[from] OverlayError),
    /// The map, the heights or the terrain are of different sizes.
    #[error(transparent)]
    Sizes(Box<CostFieldError>),
}

impl From<CostFieldError> for GroundError {
    fn from(error: CostFieldError) -> Self {
        Self::Sizes(Box::new(error))
    }
}

/// What one profile pays.
#[derive(Clone, Debug)]
struct ProfileGround {
    /// What doors give back.
    original: CostField,
    /// By map or terrain class, doors and cost events included.
    base: CostField,
    /// With heights, overlays and assumed ground: what movement is compiled from.
    costs: CostField,
    charges: Option<EdgeCharges>,
    /// Whether `costs` are always `base`.
    is_plain: bool,
}

/// The ground of a scene, written by its events.
///
/// Per profile the costs are made in this order: the map's own or those of the terrain classes, with doors and cost events
/// written into them; heights over that; overlays over that; last, what unknown ground is assumed to be. So a barricade
/// blocks everybody, and a door that opens gives back what each profile had there.
#[derive(Clone, Debug)]
pub struct SceneGround {
    map: ProfileGround,
    profiles: Vec<ProfileGround>,
    overlays: Overlays,
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
        let plain_map = scene.overlays.is_empty();
        let mut ground = Self {
            map: ProfileGround::new(scene.costs.clone(), None, plain_map),
            profiles: Vec::new(),
            overlays: Overlays::new(scene.costs.grid().to_owned()),
            lying: vec![None; scene.overlays.len()],
        };
        for profile in &scene.profiles {
            ground.profiles.push(of_profile(scene, profile)?);
        }
        for index in 0..scene.overlays.len() {
            if lies(index) {
                ground.lying[index] = Some(ground.overlays.put(scene.overlays[index].stamp.clone())?);
            }
        }
        ground.refresh(scene)?;
        Ok(ground)
    }

    /// The rectangle of cells.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        self.map.base.grid()
    }

    /// The map's own costs with overlays over them, whatever profiles make of the map.
    #[must_use]
    pub const fn costs(&self) -> &CostField {
        &self.map.costs
    }

    /// What a profile pays: everything but edges.
    ///
    /// # Panics
    /// If there is no such profile.
    #[must_use]
    pub fn profile_costs(&self, profile: usize) -> &CostField {
        &self.profiles[profile].costs
    }

    /// Raised by every change that reaches somebody's costs.
    #[must_use]
    pub fn version(&self) -> u64 {
        let of_profiles: u64 = self.profiles.iter().map(|ground| ground.costs.version().0).sum();
        of_profiles + self.map.costs.version().0
    }

    /// Compiles a profile of the scene over the ground as it is.
    ///
    /// # Errors
    /// [`EdgeRuleError`]; a checked scene has none.
    ///
    /// # Panics
    /// If there is no such profile.
    pub fn compile(&self, scene: &Scene, profile: usize) -> Result<Movement, EdgeRuleError> {
        let ground = &self.profiles[profile];
        scene.edges.compile(
            &ground.costs,
            ground.charges.as_ref(),
            &scene.profiles[profile].movement,
        )
    }

    /// Whether an overlay lies on the map.
    #[must_use]
    pub fn is_lying(&self, overlay: usize) -> bool {
        self.lying.get(overlay).is_some_and(Option::is_some)
    }

    /// Writes a cost to every cell of a rectangle, for everybody. Corners off the map change nothing: a checked scene has
    /// none.
    pub(crate) fn set_rect(&mut self, (a, b): (Cell, Cell), cost: Cost) {
        for ground in self.all() {
            let _on_map = ground.base.set_rect(a, b, cost);
        }
    }

    /// Gives every cell of a rectangle the cost back that it had at the start.
    pub(crate) fn restore_rect(&mut self, (a, b): (Cell, Cell)) {
        for ground in self.all() {
            restore(&mut ground.base, &ground.original, a, b);
        }
    }

    /// Puts an overlay down, unless it lies there.
    pub(crate) fn put(&mut self, scene: &Scene, overlay: usize) {
        if self.lying[overlay].is_none() {
            // The scene is checked: its stamps fit the map.
            self.lying[overlay] = self.overlays.put(scene.overlays[overlay].stamp.clone()).ok();
        }
    }

    /// Takes an overlay away, if it lies there.
    pub(crate) fn take(&mut self, overlay: usize) {
        if let Some(stamp) = self.lying[overlay].take() {
            let _lay_there = self.overlays.take(stamp);
        }
    }

    /// Brings all costs up to date after writes.
    ///
    /// Everything is made again, O(cells) per profile. Rejected for now: following the dirty regions; the fields are
    /// rebuilt after a change anyway, which costs far more.
    pub(crate) fn refresh(&mut self, scene: &Scene) -> Result<(), GroundError> {
        self.map.refresh(None, scene, &self.overlays)?;
        for (ground, profile) in self.profiles.iter_mut().zip(&scene.profiles) {
            ground.refresh(Some(profile), scene, &self.overlays)?;
        }
        Ok(())
    }

    fn all(&mut self) -> impl Iterator<Item = &mut ProfileGround> {
        core::iter::once(&mut self.map).chain(&mut self.profiles)
    }
}

fn of_profile(scene: &Scene, profile: &SceneProfile) -> Result<ProfileGround, GroundError> {
    let base = match (&profile.classes, &scene.terrain) {
        (Some(table), Some(terrain)) => terrain.map.costs(table).map_err(|source| GroundError::Terrain {
            profile: profile.name.clone(),
            source: Box::new(source),
        })?,
        _ => scene.costs.clone(),
    };
    let charges = match (&profile.slopes, &scene.heights) {
        (Some(rule), Some(heights)) => Some(EdgeCharges::new(heights, rule.clone())),
        _ => None,
    };
    let is_plain = scene.overlays.is_empty() && charges.is_none() && profile.unknown == Default::default();
    Ok(ProfileGround::new(base, charges, is_plain))
}

impl ProfileGround {
    fn new(base: CostField, charges: Option<EdgeCharges>, is_plain: bool) -> Self {
        Self {
            original: base.clone(),
            costs: base.clone(),
            base,
            charges,
            is_plain,
        }
    }

    fn refresh(
        &mut self,
        profile: Option<&SceneProfile>,
        scene: &Scene,
        overlays: &Overlays,
    ) -> Result<(), GroundError> {
        if self.is_plain {
            // Copy-on-write: nothing is copied, and the version goes on rising.
            self.costs = self.base.clone();
            return Ok(());
        }
        let mut costs = self.base.clone();
        let slopes = profile.and_then(|profile| profile.slopes.as_ref());
        if let (Some(rule), Some(heights)) = (slopes, &scene.heights) {
            costs = heights.costs_over(&costs, rule)?;
        }
        if !overlays.is_empty() {
            costs = overlays.compose(&costs)?;
        }
        if let Some(profile) = profile {
            costs = costs.with_unknown_ground(profile.unknown);
        }
        // Written into the old costs, so that their version tells whether anything changed.
        self.costs.copy_from(&costs)?;
        Ok(())
    }
}

/// Gives every cell of a rectangle the cost it has in `original`.
fn restore(costs: &mut CostField, original: &CostField, a: Cell, b: Cell) {
    for cell in cells_between(a, b) {
        let Some(id) = original.grid().id(cell) else {
            continue;
        };
        let _on_map = match original.get(id) {
            Some(cost) => costs.set(cell, cost),
            None => costs.set_unknown(cell),
        };
    }
}
