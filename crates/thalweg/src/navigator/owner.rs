//! The navigator itself: what is asked of it, and what it knows.

use super::cache::{Cache, Wanted};
use super::field::Field;
use super::handle::{FieldHandle, Lookup, Slots};
use super::job::Inbox;
use super::options::NavigatorOptions;
use super::reach::Reached;
use super::reader::FieldReader;
use super::stats::NavigatorStats;
use super::status::{FieldStatus, NavigatorError, Progress};
use crate::bundle::{BuildOptions, BuildScratch};
use crate::living_map::{LivingMap, LivingMapError, ProfileId};
use crate::version::{BundleVersions, CostVersion, MapVersion, OverlayVersion, ProfileVersion};
use core::fmt;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use thalweg_core::integrate::{BlockedGoals, GoalSet};
use thalweg_core::movement::Movement;
use thalweg_core::route::RouteScratch;

/// What is known of a profile that fields were asked for.
#[derive(Debug, Default)]
pub(super) struct ProfileState {
    /// The movement seen last, and what it was compiled from.
    pub(super) movement: Option<(ProfileVersion, CostVersion, Arc<Movement>)>,
    pub(super) reached: Option<Reached>,
}

/// The owner of a map and of the fields on it. See the [module](super) for what it promises.
///
/// ```
/// use thalweg::living_map::{LivingMap, ProfileSpec};
/// use thalweg::navigator::{FieldStatus, Navigator, NavigatorOptions};
/// use thalweg::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let map = LivingMap::new(CostField::filled(Grid::new(9, 5)?, Cost::PLAIN));
/// let mut navigator = Navigator::new(map, NavigatorOptions::new());
/// let walker = navigator.map_mut().add_profile(ProfileSpec::new(MovementProfile::new()))?;
///
/// // Asked for as often as you like, it is one field.
/// let gate = navigator.request(walker, GoalSet::from_cells([Cell::new(8, 2)]))?;
/// assert_eq!(navigator.request(walker, GoalSet::from_cells([Cell::new(8, 2)]))?, gate);
/// navigator.update(&Serial);
///
/// // A reader may live on any thread.
/// let mut reader = navigator.reader(gate)?;
/// assert_eq!(reader.latest()?.bundle().query(Cell::new(3, 2)).direction(), Some(Direction::E));
///
/// // The map changes: the field says that it is stale, and is right again after the next update.
/// navigator.map_mut().set_rect(Cell::new(4, 0), Cell::new(4, 3), Cost::IMPASSABLE)?;
/// assert!(matches!(navigator.status(gate)?, FieldStatus::Stale { .. }));
/// navigator.update(&Serial);
/// assert!(navigator.status(gate)?.is_ready());
/// assert_eq!(reader.latest()?.bundle().query(Cell::new(3, 2)).direction(), Some(Direction::S));
/// # Ok(())
/// # }
/// ```
pub struct Navigator {
    pub(super) map: LivingMap,
    pub(super) options: NavigatorOptions,
    pub(super) profiles: BTreeMap<ProfileId, ProfileState>,
    pub(super) fields: Slots<Field>,
    /// Places of fields by profile and fingerprint of the goals.
    pub(super) by_goals: BTreeMap<(ProfileId, u64), Vec<u32>>,
    /// Fields that wait, or are partly made: the front one is worked on.
    pub(super) queue: VecDeque<u32>,
    /// Counts fields that were asked for or made.
    pub(super) turns: u64,
    pub(super) cache: Cache,
    pub(super) inbox: Arc<Inbox>,
    pub(super) next_ticket: u64,
    pub(super) scratch: BuildScratch,
    pub(super) route: RouteScratch,
    /// Versions at the last update, to count what was edited since.
    pub(super) seen: (MapVersion, OverlayVersion),
    pub(super) stats: NavigatorStats,
}

impl Navigator {
    /// A navigator of a map.
    #[must_use]
    pub fn new(map: LivingMap, options: NavigatorOptions) -> Self {
        Self {
            seen: (map.map_version(), map.overlay_version()),
            map,
            cache: Cache::new(options.cache_bytes),
            options,
            profiles: BTreeMap::new(),
            fields: Slots::new(),
            by_goals: BTreeMap::new(),
            queue: VecDeque::new(),
            turns: 0,
            inbox: Arc::default(),
            next_ticket: 0,
            scratch: BuildScratch::new(),
            route: RouteScratch::new(),
            stats: NavigatorStats::default(),
        }
    }

    /// The map.
    #[must_use]
    pub const fn map(&self) -> &LivingMap {
        &self.map
    }

    /// The map, to edit it and to add profiles. Every edit raises the versions of what it changes, and by these the
    /// navigator knows: there is nothing to announce.
    ///
    /// It must stay the same map. One that is put in its place has versions of its own, which say nothing about the fields
    /// that there are; for another map make another navigator.
    #[must_use]
    pub const fn map_mut(&mut self) -> &mut LivingMap {
        &mut self.map
    }

    /// The options.
    #[must_use]
    pub const fn options(&self) -> &NavigatorOptions {
        &self.options
    }

    /// Changes how many bytes of bundles are kept for goals that come back, from now on.
    pub fn set_cache_bytes(&mut self, bytes: usize) {
        self.options.cache_bytes = bytes;
        self.cache.set_limit(bytes);
    }

    /// Asks for the field of these goals for this profile. The same request is the same field, however often it comes: it
    /// restarts nothing, and is not counted, so one [release](Self::release) ends the field for all who asked.
    ///
    /// Goals that cannot be used are no error here: the field then [fails](FieldStatus::Failed), and is tried again when
    /// the costs of its profile change.
    ///
    /// # Errors
    /// [`NavigatorError::Map`] if the map has no such profile, [`NavigatorError::ForeignCell`] if the policy for blocked goals
    /// names a cell that is not on it.
    pub fn request(&mut self, profile: ProfileId, goals: GoalSet) -> Result<FieldHandle, NavigatorError> {
        let build = self.options.build;
        self.request_with(profile, goals, build)
    }

    /// [`Self::request`] with options of its own. Requests with other options are other fields.
    ///
    /// # Errors
    /// As [`Self::request`].
    pub fn request_with(
        &mut self,
        profile: ProfileId,
        goals: GoalSet,
        build: BuildOptions,
    ) -> Result<FieldHandle, NavigatorError> {
        self.check_profile(profile)?;
        self.check_goals(&goals)?;
        let wanted = Wanted::new(goals, build);
        let key = (profile, wanted.fingerprint());
        let is_same = |&&index: &&u32| {
            let field = self.fields.get(index);
            field.is_some_and(|field| !field.is_own && field.wanted == wanted)
        };
        if let Some(&index) = self.by_goals.get(&key).into_iter().flatten().find(is_same) {
            self.stats.requests_coalesced += 1;
            return Ok(self.fields.handle(index));
        }
        self.add(profile, wanted, false)
    }

    /// A field of the caller's own for these goals: nobody gets it by request, so its goals may be
    /// [moved](Self::set_goals), and it may be [released](Self::release), without asking anybody. What is known already of
    /// the same goals serves it all the same.
    ///
    /// # Errors
    /// As [`Self::request`].
    pub fn request_own(
        &mut self,
        profile: ProfileId,
        goals: GoalSet,
        build: BuildOptions,
    ) -> Result<FieldHandle, NavigatorError> {
        self.check_profile(profile)?;
        self.check_goals(&goals)?;
        self.add(profile, Wanted::new(goals, build), true)
    }

    fn add(
        &mut self,
        profile: ProfileId,
        wanted: Wanted,
        is_own: bool,
    ) -> Result<FieldHandle, NavigatorError> {
        let key = (profile, wanted.fingerprint());
        self.turns += 1;
        let mut field = Field::new(profile, wanted, self.turns);
        field.is_own = is_own;
        let handle = self.fields.insert(field);
        let index = self.find(handle)?;
        self.by_goals.entry(key).or_default().push(index);
        self.profiles.entry(profile).or_default();
        self.restore_if_known(index);
        self.enqueue_unless_settled(index);
        Ok(handle)
    }

    /// Moves the goals of a field; its goal version rises if they are others. Readers keep the field of the old goals until
    /// the new one is published. Whoever asked for this field by request has the new goals too.
    ///
    /// Goals that come back while nothing else has changed are right again at once, from the cache.
    ///
    /// # Errors
    /// [`NavigatorError::Released`] or [`NavigatorError::Foreign`], and [`NavigatorError::ForeignCell`] if the policy for blocked
    /// goals names a cell that is not on the map.
    pub fn set_goals(&mut self, handle: FieldHandle, goals: GoalSet) -> Result<(), NavigatorError> {
        let index = self.find(handle)?;
        self.check_goals(&goals)?;
        let Some(field) = self.fields.get_mut(index) else {
            return Ok(());
        };
        if *field.wanted.goals == goals {
            return Ok(());
        }
        let old = (field.profile, field.wanted.fingerprint());
        field.wanted = Wanted::new(goals, field.wanted.options);
        field.goal_version = field.goal_version.next();
        let new = (field.profile, field.wanted.fingerprint());
        self.forget_goals(old, index);
        self.by_goals.entry(new).or_default().push(index);
        self.restore_if_known(index);
        self.enqueue_unless_settled(index);
        Ok(())
    }

    /// Ends a field. Its readers keep what they hold and see nothing new; its bundle goes to the cache; a job that is out
    /// for it ends early.
    ///
    /// # Errors
    /// [`NavigatorError::Released`] or [`NavigatorError::Foreign`].
    pub fn release(&mut self, handle: FieldHandle) -> Result<(), NavigatorError> {
        let index = self.find(handle)?;
        let Some(field) = self.fields.remove(index) else {
            return Ok(());
        };
        self.forget_goals((field.profile, field.wanted.fingerprint()), index);
        if field.is_queued {
            self.queue.retain(|&other| other != index);
        }
        if let Some(current) = field.current() {
            self.keep(&current.wanted, &current.bundle);
        }
        Ok(())
    }

    fn forget_goals(&mut self, key: (ProfileId, u64), index: u32) {
        if let Some(list) = self.by_goals.get_mut(&key) {
            list.retain(|&other| other != index);
            if list.is_empty() {
                self.by_goals.remove(&key);
            }
        }
    }

    /// The state of a field against map and goals as they are now, edits since the last update included. O(1).
    ///
    /// # Errors
    /// [`NavigatorError::Released`] or [`NavigatorError::Foreign`].
    pub fn status(&self, handle: FieldHandle) -> Result<FieldStatus, NavigatorError> {
        let field = self.field(handle)?;
        Ok(field.status(self.want_of(field)))
    }

    /// How far the build of a field is; nothing of nothing if none has begun.
    ///
    /// # Errors
    /// [`NavigatorError::Released`] or [`NavigatorError::Foreign`].
    pub fn progress(&self, handle: FieldHandle) -> Result<Progress, NavigatorError> {
        Ok(self.field(handle)?.progress())
    }

    /// The goals that a field is wanted for now.
    ///
    /// # Errors
    /// [`NavigatorError::Released`] or [`NavigatorError::Foreign`].
    pub fn goals(&self, handle: FieldHandle) -> Result<&Arc<GoalSet>, NavigatorError> {
        Ok(&self.field(handle)?.wanted.goals)
    }

    /// The profile of a field.
    ///
    /// # Errors
    /// [`NavigatorError::Released`] or [`NavigatorError::Foreign`].
    pub fn profile(&self, handle: FieldHandle) -> Result<ProfileId, NavigatorError> {
        Ok(self.field(handle)?.profile)
    }

    /// A reader of a field, for any thread.
    ///
    /// # Errors
    /// [`NavigatorError::Released`] or [`NavigatorError::Foreign`].
    pub fn reader(&self, handle: FieldHandle) -> Result<FieldReader, NavigatorError> {
        Ok(self.field(handle)?.reader())
    }

    /// The rules of a profile as the map is now, edits since the last update included: what sweeps must read, whatever field
    /// an agent follows. Compiled if something has changed for the profile, O(cells).
    ///
    /// # Errors
    /// [`NavigatorError::Map`] if the map has no such profile.
    pub fn movement(&mut self, profile: ProfileId) -> Result<Arc<Movement>, NavigatorError> {
        self.check_profile(profile)?;
        Ok(self.compiled(profile)?)
    }

    pub(super) fn compiled(&mut self, profile: ProfileId) -> Result<Arc<Movement>, LivingMapError> {
        let movement = self.map.movement(profile)?;
        let versions = self.map.versions(profile);
        let state = self.profiles.entry(profile).or_default();
        match &mut state.movement {
            Some((of_profile, cost, old)) if Arc::ptr_eq(old, &movement) => {
                (*of_profile, *cost) = (versions.profile, versions.cost);
            }
            old => {
                if old.is_some() {
                    self.stats.movements_recompiled += 1;
                } else {
                    self.stats.movements_compiled += 1;
                }
                *old = Some((versions.profile, versions.cost, Arc::clone(&movement)));
            }
        }
        Ok(movement)
    }

    /// What was done since the navigator was made, and what is held now. O(fields).
    #[must_use]
    pub fn stats(&self) -> NavigatorStats {
        let bytes = self.fields.iter().map(|(_, field)| field.bytes());
        let (live, retired) = bytes.fold((0, 0), |sum, next| (sum.0 + next.0, sum.1 + next.1));
        NavigatorStats {
            bundles_evicted: self.cache.evicted(),
            fields: self.fields.len(),
            bytes_live: live,
            bytes_retired: retired,
            bytes_cached: self.cache.bytes(),
            ..self.stats
        }
    }

    pub(super) fn check_profile(&self, profile: ProfileId) -> Result<(), NavigatorError> {
        if (profile.0 as usize) < self.map.profiles_len() {
            return Ok(());
        }
        Err(LivingMapError::NoProfile { profile }.into())
    }

    fn check_goals(&self, goals: &GoalSet) -> Result<(), NavigatorError> {
        let cells = self.map.grid().len();
        match goals.blocked_goals() {
            BlockedGoals::NearestReachableFrom(id) if id.index() >= cells => {
                Err(NavigatorError::ForeignCell { id: id.0, cells })
            }
            _ => Ok(()),
        }
    }

    pub(super) fn find(&self, handle: FieldHandle) -> Result<u32, NavigatorError> {
        self.fields.find(handle).map_err(|lookup| match lookup {
            Lookup::Foreign => NavigatorError::Foreign(handle),
            Lookup::Released => NavigatorError::Released(handle),
        })
    }

    pub(super) fn field(&self, handle: FieldHandle) -> Result<&Field, NavigatorError> {
        let index = self.find(handle)?;
        self.fields.get(index).ok_or(NavigatorError::Released(handle))
    }

    pub(super) fn want_of(&self, field: &Field) -> BundleVersions {
        field.want(self.versions_of(field.profile))
    }

    /// The versions of a profile; those of nothing if the map was replaced by one that does not know it.
    fn versions_of(&self, profile: ProfileId) -> BundleVersions {
        if self.check_profile(profile).is_ok() {
            self.map.versions(profile)
        } else {
            BundleVersions::default()
        }
    }

    /// The movement of a profile as it is now, if it has been compiled.
    pub(super) fn known_movement(&self, profile: ProfileId) -> Option<&Arc<Movement>> {
        let (of_profile, cost, movement) = self.profiles.get(&profile)?.movement.as_ref()?;
        let versions = self.versions_of(profile);
        ((*of_profile, *cost) == (versions.profile, versions.cost)).then_some(movement)
    }
}

impl fmt::Debug for Navigator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Navigator")
            .field("map", &self.map)
            .field("fields", &self.fields.len())
            .field("waiting", &self.queue.len())
            .finish_non_exhaustive()
    }
}
