//! The fields of a running scene: one per distinct pair of profile and goals, kept by a navigator.

use crate::bundle::{BuildOptions, FieldBundle};
use crate::navigator::{
    FieldHandle, FieldStatus, Navigator, NavigatorError, NavigatorStats, VersionedBundle, WhileMaking,
};
use crate::scene::{GroupPlan, Scene, SceneGround, SteerBy};
use crate::version::{BundleVersions, CostVersion};
use std::sync::Arc;
use thalweg_core::flow::{Guidance, HeadingOptions};
use thalweg_core::grid::{Cell, CellId};
use thalweg_core::integrate::{BlockedGoals, Engine, Goal, GoalSet};
use thalweg_core::movement::Movement;
use thalweg_core::workers::Workers;
use thalweg_crowd::strict::StrictGroup;
use thalweg_crowd::{CrowdOptions, GroupInput, StalePolicy, Steering};

/// A field that one or more groups follow, as the last tick read it.
#[derive(Debug)]
pub struct SharedField {
    profile: usize,
    goals: Vec<usize>,
    handle: FieldHandle,
    movement: Arc<Movement>,
    status: FieldStatus,
    current: Option<Arc<VersionedBundle>>,
    /// The sentence of the failure, while it cannot be made.
    failure: Option<String>,
    /// What it failed for last: the costs, and how often the goals had moved.
    failed_for: Option<(CostVersion, u64)>,
    failures: u64,
    goal_moves: u64,
    /// Something else than the price of crowding has changed since the field was last right.
    is_new_for_arrived: bool,
    /// Publications that only the price of crowding asked for.
    repriced: u64,
}

impl SharedField {
    /// The rules as they are now; what the sweep reads.
    #[must_use]
    pub fn movement(&self) -> &Movement {
        &self.movement
    }

    /// What is published of the field, right or not ([`Self::status`]).
    ///
    /// # Errors
    /// Why it cannot be made as things are; nobody follows an older one then.
    pub fn bundle(&self) -> Result<&Arc<FieldBundle>, &str> {
        match (&self.failure, &self.current) {
            (Some(reason), _) => Err(reason),
            (None, Some(current)) => Ok(current.bundle()),
            (None, None) => Err("not made yet"),
        }
    }

    /// What was published last was made for these versions.
    #[must_use]
    pub fn versions(&self) -> Option<BundleVersions> {
        self.current.as_ref().map(|current| current.versions())
    }

    /// Whether what is published is right, and if not, what is wanted.
    #[must_use]
    pub const fn status(&self) -> &FieldStatus {
        &self.status
    }

    /// Its name in the [navigator](super::Simulation::navigator).
    #[must_use]
    pub const fn handle(&self) -> FieldHandle {
        self.handle
    }

    /// Index of the profile.
    #[must_use]
    pub const fn profile(&self) -> usize {
        self.profile
    }

    /// Indices of the goals, in the order of the goal set.
    #[must_use]
    pub fn goals(&self) -> &[usize] {
        &self.goals
    }

    /// How often something else was published for it, or it failed anew. What only the price of crowding asked for does not
    /// count: whoever has arrived need not get up for it.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.published() + self.failures - self.repriced
    }

    fn published(&self) -> u64 {
        self.versions().map_or(0, |versions| versions.field.0)
    }

    /// Whether agents of this group need paths of their own now.
    fn is_walked_on_paths(&self, plan: &GroupPlan) -> bool {
        plan.when_stale == WhileMaking::SinglePath && self.failure.is_none() && !self.status.is_ready()
    }

    /// `paths` are those of the group, where it needs some.
    fn input<'a>(&'a self, plan: &GroupPlan, paths: &'a [(CellId, Guidance)]) -> GroupInput<'a> {
        let on_paths = self.is_walked_on_paths(plan);
        let bundle = self.bundle().ok().filter(|_| !on_paths);
        GroupInput {
            movement: &self.movement,
            flow: bundle.map(|bundle| bundle.flow()),
            // The field may have headings for another group that follows it.
            steering: match (plan.steer, bundle) {
                _ if on_paths => Steering::Paths(paths),
                (SteerBy::Headings, Some(bundle)) => bundle.steering(),
                _ => Steering::Directions,
            },
            is_current: self.status.is_ready(),
            stale: stale_policy(plan),
            field_version: self.version(),
            arrival: plan.arrival,
        }
    }

    fn strict_input(&self, plan: &GroupPlan) -> StrictGroup<'_> {
        StrictGroup {
            movement: &self.movement,
            field: self
                .bundle()
                .ok()
                .map(|bundle| (bundle.integration(), bundle.flow())),
            is_idle: false,
            is_current: self.status.is_ready(),
            stale: stale_policy(plan),
            field_version: self.version(),
            arrival: plan.arrival,
        }
    }

    /// Takes over what the navigator says now. Returns the reason of a failure that is new. `prices_change` if the scene has
    /// a price of crowding.
    fn refresh(
        &mut self,
        navigator: &mut Navigator,
        prices_change: bool,
    ) -> Result<Option<String>, NavigatorError> {
        let profile = SceneGround::profile_id(self.profile);
        self.movement = navigator.movement(profile)?;
        self.status = navigator.status(self.handle)?;
        let before = self.published();
        self.current = navigator.reader(self.handle)?.snapshot().ok();
        if !self.is_new_for_arrived {
            self.repriced += self.published() - before;
        }
        // Until it is right, what is published may still be on account of something older.
        self.is_new_for_arrived &= !(prices_change && self.status.is_ready());
        let FieldStatus::Failed { error, .. } = &self.status else {
            self.failure = None;
            return Ok(None);
        };
        let reason = error.to_string();
        self.failure = Some(reason.clone());
        let now = (navigator.map().versions(profile).cost, self.goal_moves);
        if self.failed_for.replace(now) == Some(now) {
            return Ok(None);
        }
        self.failures += 1;
        Ok(Some(reason))
    }
}

/// What was done for fields before a tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Made {
    pub(super) built: usize,
    pub(super) repaired: usize,
    pub(super) restored: usize,
    pub(super) cells_expanded: u64,
    /// The sentence of every failure that is new.
    pub(super) failures: Vec<String>,
}

/// All fields of a scene, and which group follows which.
#[derive(Debug)]
pub(super) struct FieldSet {
    fields: Vec<SharedField>,
    of_group: Vec<usize>,
    /// What the navigator had done when it was last asked.
    counted: NavigatorStats,
    /// Whether crowding has a price in this scene.
    prices_change: bool,
}

impl FieldSet {
    /// Asks the navigator for the fields; none of them is made yet.
    pub(super) fn new(
        scene: &Scene,
        navigator: &mut Navigator,
        goal_cells: &[Vec<Cell>],
    ) -> Result<Self, NavigatorError> {
        let mut keys: Vec<(usize, &[usize], Option<HeadingOptions>)> = Vec::new();
        let mut of_group = Vec::new();
        for group in &scene.groups {
            let same = |key: &(usize, &[usize], _)| (key.0, key.1) == (group.profile, &group.goals[..]);
            let index = keys.iter().position(same).unwrap_or_else(|| {
                keys.push((group.profile, &group.goals, None));
                keys.len() - 1
            });
            if group.steer == SteerBy::Headings {
                let clearance = clearance_of(group.radius / scene.transform.cell_size());
                let headings = keys[index]
                    .2
                    .get_or_insert_with(|| HeadingOptions::new().with_ways_kept(true));
                headings.clearance = headings.clearance.max(clearance);
            }
            of_group.push(index);
        }
        let mut fields = Vec::new();
        for (profile, goals, headings) in keys {
            let mut options = BuildOptions::new();
            options.integrate.cost_limit = scene.profiles[profile].cost_limit;
            options.headings = headings;
            if scene.work_per_tick.is_some() {
                // Rejected: the fastest engine. Tiles run only where the processor has vectors, and count other work than
                // buckets do: a field would be ready at one tick here and at another there.
                options.integrate.engine = Engine::Buckets;
            }
            let id = SceneGround::profile_id(profile);
            // One of its own: two goals that stand on the same cells now may part later.
            let handle = navigator.request_own(id, goal_set(scene, goals, goal_cells), options)?;
            fields.push(SharedField {
                profile,
                goals: goals.to_vec(),
                handle,
                movement: navigator.movement(id)?,
                status: navigator.status(handle)?,
                current: None,
                failure: None,
                failed_for: None,
                failures: 0,
                goal_moves: 0,
                is_new_for_arrived: true,
                repriced: 0,
            });
        }
        Ok(Self {
            fields,
            of_group,
            counted: NavigatorStats::default(),
            prices_change: scene.congestion.is_some(),
        })
    }

    pub(super) fn of_group(&self, group: usize) -> &SharedField {
        &self.fields[self.of_group[group]]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&SharedField, Vec<usize>)> {
        self.fields.iter().enumerate().map(|(index, field)| {
            let groups = self
                .of_group
                .iter()
                .enumerate()
                .filter(|&(_, &of)| of == index)
                .map(|(group, _)| group);
            (field, groups.collect())
        })
    }

    /// Whether agents of a group need paths of their own now.
    pub(super) fn is_walked_on_paths(&self, scene: &Scene, group: usize) -> bool {
        self.of_group(group).is_walked_on_paths(&scene.groups[group])
    }

    /// What a step is told; `paths` by group, empty for groups that need none.
    pub(super) fn inputs<'a>(
        &'a self,
        scene: &Scene,
        paths: &'a [Vec<(CellId, Guidance)>],
    ) -> Vec<GroupInput<'a>> {
        let groups = scene.groups.iter().enumerate();
        groups
            .map(|(index, plan)| self.of_group(index).input(plan, &paths[index]))
            .collect()
    }

    /// What a step of strict mode is told.
    pub(super) fn strict_inputs(&self, scene: &Scene) -> Vec<StrictGroup<'_>> {
        let groups = scene.groups.iter().enumerate();
        groups
            .map(|(index, plan)| self.of_group(index).strict_input(plan))
            .collect()
    }

    /// The map or the goals have changed, not only the price of crowding.
    pub(super) fn ground_changed(&mut self) {
        for field in &mut self.fields {
            field.is_new_for_arrived = true;
        }
    }

    /// Tells the navigator where the goals are now.
    pub(super) fn goals_moved(
        &mut self,
        scene: &Scene,
        navigator: &mut Navigator,
        goal_cells: &[Vec<Cell>],
    ) -> Result<(), NavigatorError> {
        for field in &mut self.fields {
            let goals = goal_set(scene, &field.goals, goal_cells);
            field.goal_moves += u64::from(**navigator.goals(field.handle)? != goals);
            navigator.set_goals(field.handle, goals)?;
        }
        Ok(())
    }

    /// Has the navigator work on fields, as much as the scene says or until all are right.
    pub(super) fn make(
        &mut self,
        navigator: &mut Navigator,
        work: Option<u64>,
        workers: &dyn Workers,
    ) -> Result<Made, NavigatorError> {
        // Goals that come back are served when they are moved, before any work is done.
        let before = self.counted;
        match work {
            Some(work) => navigator.update_within(work, workers),
            None => navigator.update(workers),
        };
        let after = navigator.stats();
        self.counted = after;
        let since = |after: u64, before: u64| usize::try_from(after - before).unwrap_or(usize::MAX);
        let mut made = Made {
            built: since(after.integrations_built, before.integrations_built),
            repaired: since(after.integrations_repaired, before.integrations_repaired),
            restored: since(after.bundles_restored, before.bundles_restored),
            cells_expanded: after.cells_expanded - before.cells_expanded,
            failures: Vec::new(),
        };
        for field in &mut self.fields {
            made.failures
                .extend(field.refresh(navigator, self.prices_change)?);
        }
        Ok(made)
    }
}

const fn stale_policy(plan: &GroupPlan) -> StalePolicy {
    match plan.when_stale {
        WhileMaking::KeepOld => StalePolicy::KeepOld,
        WhileMaking::Stop | WhileMaking::SinglePath => StalePolicy::Stop,
    }
}

fn goal_set(scene: &Scene, goals: &[usize], goal_cells: &[Vec<Cell>]) -> GoalSet {
    let set = GoalSet::new().with_blocked_goals(BlockedGoals::NearestPassable);
    goals.iter().fold(set, |set, &goal| {
        set.with_goal(Goal::area(goal_cells[goal].iter().copied()).with_bias(scene.goals[goal].bias))
    })
}

/// The clearance of headings, in sixteenths of a cell, for bodies of a radius in cells: what they keep from walls, rounded
/// up. Groups that share a field share the largest; it makes the ways of small bodies a little longer, while too small a
/// one would have large bodies pushed off every corner.
fn clearance_of(radius: f64) -> u8 {
    let kept = radius.min(f64::from(CrowdOptions::default().wall_clearance));
    (1..8u8)
        .find(|&sixteenths| f64::from(sixteenths) >= kept * 16.0)
        .unwrap_or(8)
}
