//! What a field is built from: a map or a scene, and what was typed over it.

use crate::args::{BlockedGoal, FieldArguments};
use crate::error::CliError;
use crate::maps::MapOptions;
use crate::places::size_of;
use crate::{heights, maps, scenes};
use std::path::Path;
use thalweg::core::cost::{CostField, SlopeRule, Steepness, UnknownGround, UnknownSlope};
use thalweg::core::integrate::{BlockedGoals, Goal, GoalSet};
use thalweg::core::movement::Movement;
use thalweg::living_map::LivingMap;
use thalweg::scene::{Scene, SceneGround};
use thalweg::simulation::Course;

/// A scene as it is at a tick, seen by one of its profiles.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) scene: Scene,
    pub(crate) profile: usize,
    pub(crate) goals: GoalSet,
    map: LivingMap,
}

impl Source {
    pub(crate) fn load(arguments: &FieldArguments) -> Result<Self, CliError> {
        let name = &arguments.map;
        let is_scene = name.extension().is_some_and(|ending| ending == "toml");
        let mut scene = if is_scene {
            let (file, inputs) = scenes::load(name)?;
            Scene::for_fields(&file, inputs).map_err(|error| scenes::scene_error(name, error))?
        } else {
            let options = MapOptions {
                grey: arguments.grey,
                property: &arguments.property,
            };
            Scene::of_map(maps::load(name, options)?)
        };
        let (profile, group_goals) = who(arguments, &scene)?;
        type_over(arguments, &mut scene, profile)?;
        let refused =
            |error: thalweg::scene::GroundError| CliError::Usage(format!("{}: {error}", name.display()));
        let (mut course, mut ground) = Course::begin(&scene).map_err(refused)?;
        if let Some(tick) = arguments.ground.tick {
            // A goal that walks stands where its last move left it, or an event after that; what was before does not matter.
            let moving = scene.goals.iter().filter_map(|goal| goal.moving.as_ref());
            let longest = moving.map(|moving| moving.every_ticks).max().unwrap_or(0);
            for tick in u64::from(tick).saturating_sub(longest)..=u64::from(tick) {
                course.happen(&scene, tick, &mut ground).map_err(refused)?;
            }
        }
        let goals = goal_set(arguments, &scene, &course, group_goals)?;
        Ok(Self {
            scene,
            profile,
            goals,
            map: ground,
        })
    }

    /// What the profile pays, cell by cell.
    pub(crate) fn costs(&self) -> &CostField {
        self.map.profile_costs(SceneGround::profile_id(self.profile))
    }

    pub(crate) fn compile(&self, map: &Path) -> Result<Movement, CliError> {
        self.map
            .compile(SceneGround::profile_id(self.profile))
            .map_err(|error| CliError::Usage(format!("{}: {error}", map.display())))
    }

    /// The most cost-to-goal that is wanted.
    pub(crate) fn cost_limit(&self, arguments: &FieldArguments) -> Option<u32> {
        arguments
            .cost_limit
            .or(self.scene.profiles[self.profile].cost_limit)
    }
}

/// The index of the profile that was asked for, and the goals of the group, if one was.
fn who(arguments: &FieldArguments, scene: &Scene) -> Result<(usize, Option<Vec<usize>>), CliError> {
    let unknown = |what: &str, name: &str, known: Vec<&str>| {
        let there = if known.is_empty() {
            "the scene has none".to_owned()
        } else {
            format!("known: {}", known.join(", "))
        };
        CliError::Usage(format!(
            "{}: there is no {what} `{}`; {there}",
            arguments.map.display(),
            name.escape_debug()
        ))
    };
    if let Some(name) = &arguments.ground.group {
        let group = scene.groups.iter().find(|group| group.name == *name);
        let names = || scene.groups.iter().map(|group| group.name.as_str()).collect();
        let group = group.ok_or_else(|| unknown("group", name, names()))?;
        return Ok((group.profile, Some(group.goals.clone())));
    }
    let name = arguments.ground.profile.as_deref().unwrap_or("default");
    let names = || {
        scene
            .profiles
            .iter()
            .map(|profile| profile.name.as_str())
            .collect()
    };
    let profile = scene
        .profile(name)
        .ok_or_else(|| unknown("profile", name, names()))?;
    Ok((profile, None))
}

/// Writes what was typed into the scene.
fn type_over(arguments: &FieldArguments, scene: &mut Scene, profile: usize) -> Result<(), CliError> {
    let typed = &arguments.ground;
    if let Some(path) = &typed.heights {
        let heights = heights::read(path, &typed.height_file())?;
        let (grid, other) = (scene.costs.grid(), heights.grid());
        if grid != other {
            let what = if grid.layers().len() > 1 {
                "; the heights of several layers are for scenes"
            } else {
                ""
            };
            return Err(CliError::Usage(format!(
                "{}: {} x {} heights do not fit the map of {}{what}",
                path.display(),
                other.width(),
                other.height(),
                size_of(grid)
            )));
        }
        scene.heights = Some(heights);
    }
    let who = &mut scene.profiles[profile];
    arguments.steps.apply(&mut who.movement);
    who.unknown = typed.unknown.unwrap_or(who.unknown);
    who.turns = typed.turn_cost.or(who.turns);
    let of_slopes = typed.bands.is_some() || typed.bands_down.is_some() || typed.steep.is_some();
    if scene.heights.is_none() {
        return if of_slopes {
            Err(CliError::Usage(
                "--bands, --bands-down and --steep need heights: name a file with --heights".to_owned(),
            ))
        } else {
            Ok(())
        };
    }
    if typed.heights.is_none() && !of_slopes && typed.unknown.is_none() {
        return Ok(());
    }
    let ignores = who.slopes.is_none() && typed.heights.is_none() && !of_slopes;
    if ignores {
        return Ok(());
    }
    let old = who.slopes.take().unwrap_or_default();
    let up = typed.bands.clone().unwrap_or_else(|| old.up().clone());
    // Other bands uphill are other bands downhill, too, unless those were typed.
    let down = match (&typed.bands_down, &typed.bands) {
        (Some(down), _) => down.clone(),
        (None, Some(up)) => up.clone(),
        (None, None) => old.down().clone(),
    };
    let steepness = typed.steep.map_or(old.steepness(), Steepness::from);
    let unknown = match who.unknown {
        UnknownGround::Blocked => UnknownSlope::Closed,
        UnknownGround::Assumed(_) => UnknownSlope::Level,
    };
    who.slopes = Some(
        SlopeRule::new(up)
            .with_down(down)
            .with_steepness(steepness)
            .with_unknown(unknown),
    );
    Ok(())
}

fn goal_set(
    arguments: &FieldArguments,
    scene: &Scene,
    course: &Course,
    group_goals: Option<Vec<usize>>,
) -> Result<GoalSet, CliError> {
    let policy = match arguments.blocked_goal {
        BlockedGoal::Refuse => BlockedGoals::Refuse,
        BlockedGoal::Skip => BlockedGoals::Skip,
        BlockedGoal::Nearest => BlockedGoals::NearestPassable,
    };
    let mut set = GoalSet::new().with_blocked_goals(policy);
    for goal in &arguments.goal {
        set = set.with_goal(Goal::cell(goal.cell).with_bias(goal.bias));
    }
    if !arguments.goal.is_empty() {
        return Ok(set);
    }
    let wanted = group_goals.unwrap_or_else(|| (0..scene.goals.len()).collect());
    if wanted.is_empty() {
        return Err(CliError::Usage(format!(
            "{}: no goals were given: add --goal X,Y, or mark them with G in a text grid",
            arguments.map.display()
        )));
    }
    for goal in wanted {
        let cells = course.goal_cells()[goal].iter().copied();
        set = set.with_goal(Goal::area(cells).with_bias(scene.goals[goal].bias));
    }
    Ok(set)
}
