//! The fields of a running scene: one per distinct pair of profile and goals, rebuilt when either changed.

use crate::bundle::{BuildOptions, BuildScratch, FieldBundle};
use crate::scene::{GroupPlan, Scene, SceneGround, SteerBy};
use std::sync::Arc;
use thalweg_core::flow::HeadingOptions;
use thalweg_core::grid::Cell;
use thalweg_core::integrate::{BlockedGoals, Goal, GoalSet};
use thalweg_core::movement::{EdgeRuleError, Movement};
use thalweg_core::workers::Workers;
use thalweg_crowd::{CrowdOptions, GroupInput, Steering};

/// A field that one or more groups follow.
#[derive(Debug)]
pub struct SharedField {
    profile: usize,
    goals: Vec<usize>,
    /// How its headings are made, if a group steers by them.
    headings: Option<HeadingOptions>,
    movement: Arc<Movement>,
    bundle: Result<Arc<FieldBundle>, String>,
    version: u64,
    is_current: bool,
    /// Where the goals stood when the field was last built.
    built_for: Vec<Vec<Cell>>,
}

impl SharedField {
    /// The rules as they are now; what the sweep reads.
    #[must_use]
    pub fn movement(&self) -> &Movement {
        &self.movement
    }

    /// The field, or why the last build failed.
    ///
    /// # Errors
    /// The sentence of the build error.
    pub fn bundle(&self) -> Result<&Arc<FieldBundle>, &str> {
        self.bundle.as_ref().map_err(String::as_str)
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

    /// How often the field was built.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    pub(super) fn input<'a>(&'a self, plan: &GroupPlan) -> GroupInput<'a> {
        let bundle = self.bundle.as_ref().ok();
        GroupInput {
            movement: &self.movement,
            flow: bundle.map(|bundle| bundle.flow()),
            // The field may have headings for another group that follows it.
            steering: match (plan.steer, bundle) {
                (SteerBy::Headings, Some(bundle)) => bundle.steering(),
                _ => Steering::Directions,
            },
            is_current: self.is_current,
            stale: plan.when_stale,
            field_version: self.version,
            arrival: plan.arrival,
        }
    }
}

/// What a round of rebuilding did.
#[derive(Clone, Debug, Default)]
pub(super) struct Built {
    pub(super) fields: usize,
    pub(super) cells_expanded: u64,
    /// The sentence of every build that failed.
    pub(super) failures: Vec<String>,
}

/// All fields of a scene, and which group follows which.
#[derive(Debug)]
pub(super) struct FieldSet {
    fields: Vec<SharedField>,
    of_group: Vec<usize>,
    ground_version: u64,
    scratch: BuildScratch,
}

impl FieldSet {
    pub(super) fn new(scene: &Scene, ground: &SceneGround) -> Result<Self, EdgeRuleError> {
        let movements = compile_all(scene, ground)?;
        let mut fields: Vec<SharedField> = Vec::new();
        let mut of_group = Vec::new();
        for group in &scene.groups {
            let same = |field: &SharedField| field.profile == group.profile && field.goals == group.goals;
            let index = fields.iter().position(same).unwrap_or_else(|| {
                fields.push(SharedField {
                    profile: group.profile,
                    goals: group.goals.clone(),
                    headings: None,
                    movement: Arc::clone(&movements[group.profile]),
                    bundle: Err("not built yet".to_owned()),
                    version: 0,
                    is_current: false,
                    built_for: Vec::new(),
                });
                fields.len() - 1
            });
            if group.steer == SteerBy::Headings {
                let clearance = clearance_of(group.radius / scene.transform.cell_size());
                let headings = fields[index].headings.get_or_insert_default();
                headings.clearance = headings.clearance.max(clearance);
            }
            of_group.push(index);
        }
        Ok(Self {
            fields,
            of_group,
            ground_version: ground.version(),
            scratch: BuildScratch::new(),
        })
    }

    pub(super) const fn ground_version(&self) -> u64 {
        self.ground_version
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

    /// Takes over new costs; every field is out of date then.
    pub(super) fn recompile(&mut self, scene: &Scene, ground: &SceneGround) -> Result<(), EdgeRuleError> {
        let movements = compile_all(scene, ground)?;
        for field in &mut self.fields {
            field.movement = Arc::clone(&movements[field.profile]);
            field.is_current = false;
        }
        self.ground_version = ground.version();
        Ok(())
    }

    /// Marks the fields whose goals stand elsewhere than when they were built.
    pub(super) fn goals_moved(&mut self, goal_cells: &[Vec<Cell>]) {
        for field in &mut self.fields {
            let stood = field.goals.iter().zip(&field.built_for);
            if stood
                .into_iter()
                .any(|(&goal, before)| *before != goal_cells[goal])
            {
                field.is_current = false;
            }
        }
    }

    /// Builds every field that is out of date.
    pub(super) fn rebuild(
        &mut self,
        scene: &Scene,
        goal_cells: &[Vec<Cell>],
        workers: &dyn Workers,
    ) -> Built {
        let mut built = Built::default();
        for field in self.fields.iter_mut().filter(|field| !field.is_current) {
            let mut goals = GoalSet::new().with_blocked_goals(BlockedGoals::NearestPassable);
            for &goal in &field.goals {
                let area = Goal::area(goal_cells[goal].iter().copied()).with_bias(scene.goals[goal].bias);
                goals = goals.with_goal(area);
            }
            let movement = Arc::clone(&field.movement);
            let mut options = BuildOptions::new();
            options.integrate.cost_limit = scene.profiles[field.profile].cost_limit;
            options.headings = field.headings;
            let bundle = FieldBundle::build(movement, &goals, &options, &mut self.scratch, workers);
            if let Ok(bundle) = &bundle {
                built.cells_expanded += bundle.stats().expanded;
            }
            built.fields += 1;
            field.bundle = bundle.map(Arc::new).map_err(|error| error.to_string());
            if let Err(reason) = &field.bundle {
                built.failures.push(reason.clone());
            }
            field.version += 1;
            field.is_current = true;
            field.built_for = field.goals.iter().map(|&goal| goal_cells[goal].clone()).collect();
        }
        built
    }
}

fn compile_all(scene: &Scene, ground: &SceneGround) -> Result<Vec<Arc<Movement>>, EdgeRuleError> {
    (0..scene.profiles.len())
        .map(|profile| ground.compile(profile).map(Arc::new))
        .collect()
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
