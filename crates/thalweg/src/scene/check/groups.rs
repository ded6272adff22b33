//! Who is there.

use super::Checker;
use crate::navigator::WhileMaking;
use crate::scene::file::{GroupTable, SpeedTable};
use crate::scene::ground::SceneGround;
use crate::scene::places::CellTable;
use crate::scene::{GroupPlan, MAX_AGENTS, Placement, Scene, SceneError};
use thalweg_core::cost::Cost;
use thalweg_core::grid::Cell;
use thalweg_core::movement::{Footprint, Movement};
use thalweg_crowd::{ArrivalRule, MAX_RADIUS, MAX_SPEED, MIN_RADIUS, MIN_SPEED};

impl Checker<'_> {
    pub(super) fn groups(&self, scene: &Scene, ground: &SceneGround) -> Result<Vec<GroupPlan>, SceneError> {
        let mut groups: Vec<GroupPlan> = Vec::new();
        let bodies = bodies(scene, ground)?;
        for table in &self.file.groups {
            let line = self.file.line(&table.name);
            let name = table.name.get_ref();
            if groups.iter().any(|other| other.name == *name) {
                return Err(SceneError::at_line(
                    line,
                    format!("group `{name}`: this name is used twice"),
                ));
            }
            let group = self
                .group(table, scene, ground, &bodies)
                .map_err(|reason| SceneError::at_line(line, format!("group `{name}`: {reason}")))?;
            groups.push(group);
        }
        if groups.len() > usize::from(u16::MAX) {
            return Err(SceneError::new(format!(
                "{} groups were given, above the limit of {}",
                groups.len(),
                u16::MAX
            )));
        }
        let agents: u64 = groups.iter().map(|group| u64::from(group.count)).sum();
        if agents > MAX_AGENTS {
            return Err(SceneError::new(format!(
                "{agents} agents were asked for, above the limit of {MAX_AGENTS}"
            )));
        }
        Ok(groups)
    }

    fn group(
        &self,
        table: &GroupTable,
        scene: &Scene,
        ground: &SceneGround,
        bodies: &[Option<Movement>],
    ) -> Result<GroupPlan, String> {
        let grid = self.map.costs.grid();
        let has_source = self.has_source(table.name.get_ref());
        let profile_name = table.profile.as_deref().unwrap_or("default");
        let profile = scene
            .profile(profile_name)
            .ok_or_else(|| format!("there is no profile `{profile_name}`"))?;
        let costs = ground.profile_costs(profile);
        let ids = |cells: Vec<Cell>| {
            cells
                .into_iter()
                .filter_map(|cell| grid.id(cell))
                .collect::<Vec<_>>()
        };
        let body = bodies[profile].as_ref();
        let placement = match (&table.cells, table.area, table.mark) {
            (Some(cells), None, None) => {
                Placement::Each(ids(self.passable_each(cells.iter().copied(), costs)?))
            }
            (None, Some(area), None) => Placement::Drawn(self.passable_in(area, costs)?),
            (None, None, Some(mark)) => {
                let marked = self
                    .map
                    .marks
                    .iter()
                    .filter(|(letter, _)| *letter == mark)
                    .map(|&(_, cell)| cell);
                Placement::Each(ids(self.passable_each(marked.map(CellTable), costs)?))
            }
            (None, None, None) if has_source && table.count.unwrap_or(0) == 0 => Placement::Drawn(Vec::new()),
            _ => return Err("needs exactly one of `cells`, `area` and `mark`".to_owned()),
        };
        let (Placement::Each(places) | Placement::Drawn(places)) = &placement;
        let placement = match body {
            Some(body) if !places.is_empty() => with_room(placement, body)?,
            _ => placement,
        };
        let (Placement::Each(places) | Placement::Drawn(places)) = &placement;
        let count = match (table.count, &placement) {
            (Some(count), _) => count,
            (None, Placement::Each(cells)) => {
                u32::try_from(cells.len()).map_err(|_| "too many cells".to_owned())?
            }
            (None, Placement::Drawn(_)) if has_source => 0,
            (None, Placement::Drawn(_)) => return Err("`area` needs a `count`".to_owned()),
        };
        if (count == 0 && !has_source) || (count > 0 && places.is_empty()) {
            return Err("has no agents: no count, no cells or no such mark on the map".to_owned());
        }
        // The crowd's limits are in cells; a scene's numbers are in world units.
        let cell = self.file.map.get_ref().cell_size.unwrap_or(1.0);
        // By way of their text, so that 0.01 stays 0.01 in a message.
        let exact = |limit: f32| limit.to_string().parse::<f64>().unwrap_or(f64::from(limit)) * cell;
        let limits = |least: f32, most: f32| (exact(least), exact(most));
        let footprint = scene.profiles[profile].movement.footprint;
        let own = own_radius(&footprint).map(|cells| cells * cell);
        // Of strict mode the largest disc that never touches another one, where that is smaller.
        let usual = scene.strict.map_or(0.3, |plan| {
            let connectivity = scene.profiles[profile].movement.connectivity;
            (plan.options.rules.clear_radius(connectivity) * cell).min(0.3)
        });
        let radius = table.radius.or(own).unwrap_or(usual);
        let (least, most) = limits(MIN_RADIUS, MAX_RADIUS);
        if !(radius >= least && radius <= most) {
            return Err(format!(
                "radius is {radius}; it must be {least} to {most} world units at this cell size"
            ));
        }
        // A hair for world units that are no whole subcells.
        if let (Footprint::Disc(_), Some(own)) = (footprint, own)
            && radius > own * (1.0 + 1e-4)
        {
            return Err(format!(
                "radius is {radius}, larger than the disc of {own} world units that profile `{profile_name}` finds ways for"
            ));
        }
        let speed = match table.speed.unwrap_or(SpeedTable::One(1.34)) {
            SpeedTable::One(speed) => (speed, speed),
            SpeedTable::Range([slowest, fastest]) => (slowest, fastest),
        };
        let (least, most) = limits(MIN_SPEED, MAX_SPEED);
        if !(speed.0 >= least && speed.0 <= speed.1 && speed.1 <= most) {
            return Err(format!(
                "speed is {} to {}; both must be {least} to {most} world units per second at this cell size, the slowest first",
                speed.0, speed.1
            ));
        }
        if table.goals.is_empty() {
            return Err("has no goals".to_owned());
        }
        let goal_index = |name: &String| {
            scene
                .goals
                .iter()
                .position(|goal| goal.name == *name)
                .ok_or_else(|| format!("there is no goal `{name}`"))
        };
        let goals: Vec<usize> = table.goals.iter().map(goal_index).collect::<Result<_, _>>()?;
        // A goal for others may stand where this profile cannot be; nobody shall run to the cell beside it by mistake.
        let stands = |cell: &Cell| match body {
            Some(body) => !body.anchors_meeting(*cell).is_empty(),
            None => {
                let cost = grid.id(*cell).and_then(|id| costs.get(id));
                cost.is_some_and(Cost::is_passable)
            }
        };
        for goal in goals.iter().map(|&goal| &scene.goals[goal]) {
            if goal.moving.is_none() && !goal.cells.iter().any(stands) {
                let what = match body {
                    Some(_) => format!("reach with its {footprint} (in cells)"),
                    None => "be on".to_owned(),
                };
                return Err(format!(
                    "goal `{}` has no cell that profile `{profile_name}` can {what}",
                    goal.name
                ));
            }
        }
        Ok(GroupPlan {
            name: table.name.get_ref().clone(),
            count,
            profile,
            goals,
            radius,
            speed,
            arrival: match table.arrival.as_deref() {
                None | Some("rest") => ArrivalRule::Rest,
                Some("leave") => ArrivalRule::Leave,
                Some(other) => return Err(format!("arrival is `{other}`; it must be rest or leave")),
            },
            when_stale: match table.when_stale.as_deref() {
                None | Some("stop") => WhileMaking::Stop,
                Some("keep-old") => WhileMaking::KeepOld,
                Some("single-path") => WhileMaking::SinglePath,
                Some(other) => {
                    return Err(format!(
                        "when_stale is `{other}`; it must be stop, keep-old or single-path"
                    ));
                }
            },
            steer: crate::scene::SteerBy::parse(table.steer.as_deref())?,
            placement,
        })
    }
}

/// The compiled movements of the profiles that have a body with extent and agents: only these tell where it has room.
pub(super) fn bodies(scene: &Scene, ground: &SceneGround) -> Result<Vec<Option<Movement>>, SceneError> {
    (0..scene.profiles.len())
        .map(|profile| {
            if scene.profiles[profile].movement.footprint.is_point() {
                return Ok(None);
            }
            let compiled = ground.compile(profile);
            compiled
                .map(Some)
                .map_err(|error| SceneError::new(error.to_string()))
        })
        .collect()
}

/// The radius in cells of a disc, or of the largest disc in a rectangle.
fn own_radius(footprint: &Footprint) -> Option<f64> {
    match footprint {
        Footprint::Disc(body) => Some(body.radius_cells()),
        Footprint::Rectangle(body) => Some(f64::from(body.width().min(body.height())) / 2.0),
        _ => None,
    }
}

/// The places where a body has room: of named cells all must have it, drawn ones are chosen from those that do.
pub(super) fn with_room(placement: Placement, body: &Movement) -> Result<Placement, String> {
    let footprint = body.profile().footprint;
    match placement {
        Placement::Each(cells) => match cells.iter().find(|&&id| !body.is_passable(id)) {
            Some(&id) => Err(format!(
                "cell {} has no room for a body of {footprint} (in cells)",
                body.grid().cell(id)
            )),
            None => Ok(Placement::Each(cells)),
        },
        Placement::Drawn(mut cells) => {
            cells.retain(|&id| body.is_passable(id));
            if cells.is_empty() {
                return Err(format!(
                    "no cell of its area has room for a body of {footprint} (in cells)"
                ));
            }
            Ok(Placement::Drawn(cells))
        }
    }
}
