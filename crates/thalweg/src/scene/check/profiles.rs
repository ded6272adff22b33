//! Who moves, and what the ground is to them.

use super::Checker;
use super::heights::bands;
use crate::scene::file::ProfileTable;
use crate::scene::ground_tables::{CostWord, SlopesTable, TurnTable};
use crate::scene::{SceneError, SceneProfile, SceneTerrain};
use thalweg_core::cost::{ClassCosts, Cost, SlopeBands, SlopeRule, Steepness, UnknownGround, UnknownSlope};
use thalweg_core::expanded::TurnCosts;
use thalweg_core::movement::{Footprint, FootprintError, MovementProfile};

impl Checker<'_> {
    pub(super) fn profiles(&self, terrain: Option<&SceneTerrain>) -> Result<Vec<SceneProfile>, SceneError> {
        let mut profiles: Vec<SceneProfile> = Vec::new();
        for table in &self.file.profiles {
            let name = table.name.get_ref();
            let fail = |reason: String| {
                SceneError::at_line(self.file.line(&table.name), format!("profile `{name}`: {reason}"))
            };
            if profiles.iter().any(|other| other.name == *name) {
                return Err(fail("this name is used twice".to_owned()));
            }
            profiles.push(self.profile(table, terrain).map_err(fail)?);
        }
        if !profiles.iter().any(|profile| profile.name == "default") {
            let mut default = SceneProfile::new("default".to_owned(), MovementProfile::new());
            default.slopes = self.file.heights.as_ref().map(|_| SlopeRule::default());
            profiles.push(default);
        }
        Ok(profiles)
    }

    fn profile(&self, table: &ProfileTable, terrain: Option<&SceneTerrain>) -> Result<SceneProfile, String> {
        let mut profile = SceneProfile::new(table.name.get_ref().clone(), self.movement(table)?);
        profile.classes = class_costs(table, terrain)?;
        profile.unknown = match &table.unknown {
            None => UnknownGround::Blocked,
            Some(CostWord::Word(word)) if word == "blocked" => UnknownGround::Blocked,
            Some(CostWord::Cost(cost)) => UnknownGround::Assumed(passable(*cost, "unknown")?),
            Some(CostWord::Word(word)) => {
                return Err(format!(
                    "unknown is `{word}`; it must be blocked or a cost from 0 to 254"
                ));
            }
        };
        profile.slopes = self.slopes(table, profile.unknown)?;
        profile.turns = table
            .turn_cost
            .map(|turns| match turns {
                TurnTable::PerEighth(cost) => TurnCosts::per_eighth(cost),
                TurnTable::ByEighths(costs) => TurnCosts::new(costs),
            })
            .transpose()
            .map_err(|error| format!("turn_cost: {error}"))?;
        profile.cost_limit = table.cost_limit;
        Ok(profile)
    }

    fn movement(&self, table: &ProfileTable) -> Result<MovementProfile, String> {
        let mut profile = MovementProfile::new();
        let said = |error: thalweg_core::movement::ProfileError| error.to_string();
        if let Some(neighbours) = table.neighbours {
            profile.connectivity = neighbours.to_string().parse().map_err(said)?;
        }
        if let Some(corner) = &table.corner {
            profile.corner_rule = corner.parse().map_err(said)?;
        }
        if let Some(charge) = &table.charge {
            profile.charge = charge.parse().map_err(said)?;
        }
        if let Some(scale) = &table.scale {
            profile.scale = scale.parse().map_err(said)?;
        }
        if let Some(text) = &table.footprint {
            let cell_size = self.file.map.get_ref().cell_size.unwrap_or(1.0);
            profile.footprint = footprint(text, cell_size)?;
        }
        Ok(profile)
    }

    fn slopes(&self, table: &ProfileTable, unknown: UnknownGround) -> Result<Option<SlopeRule>, String> {
        let ignores = match &table.slopes {
            Some(SlopesTable::Word(word)) if word == "ignore" => true,
            Some(SlopesTable::Word(word)) => {
                return Err(format!(
                    "slopes is `{word}`; it must be bands such as [[0.3, 0], [0.6, 3]], or ignore"
                ));
            }
            _ => false,
        };
        let more = table.slopes_down.is_some() || table.steep.is_some();
        if self.file.heights.is_none() && (table.slopes.is_some() || more) {
            return Err("slopes need a [heights] table".to_owned());
        }
        if self.file.heights.is_none() || ignores {
            return match more {
                true => Err("slopes_down and steep mean nothing where slopes are ignored".to_owned()),
                false => Ok(None),
            };
        }
        let up = match &table.slopes {
            Some(SlopesTable::Bands(table)) => bands(table).map_err(|reason| format!("slopes: {reason}"))?,
            _ => SlopeBands::default(),
        };
        let mut rule = SlopeRule::new(up);
        if let Some(down) = &table.slopes_down {
            rule = rule.with_down(bands(down).map_err(|reason| format!("slopes_down: {reason}"))?);
        }
        rule = rule.with_steepness(match table.steep.as_deref() {
            None | Some("edge") => Steepness::BlocksEdge,
            Some("cell") => Steepness::BlocksCell,
            Some(other) => return Err(format!("steep is `{other}`; it must be edge or cell")),
        });
        // Whoever drives on sight over unknown ground cannot be stopped by the slope of what nobody has measured.
        if unknown != UnknownGround::Blocked {
            rule = rule.with_unknown(UnknownSlope::Level);
        }
        Ok(Some(rule))
    }
}

/// A footprint as written: whole cells, but the radius of a disc in world units.
fn footprint(text: &str, cell_size: f64) -> Result<Footprint, String> {
    let said = |error: FootprintError| match error {
        FootprintError::Word { got } => format!(
            "footprint is `{got}`; it must be point, square:N, rectangle:WxH or disc:R, with whole numbers of cells for N, W and H and a radius in world units for R"
        ),
        error => format!("footprint: {error}"),
    };
    match text.strip_prefix("disc:") {
        Some(radius) => {
            let word = || FootprintError::Word { got: text.to_owned() };
            let radius = radius.parse().map_err(|_| said(word()))?;
            Footprint::disc(radius, cell_size).map_err(said)
        }
        None => text.parse().map_err(said),
    }
}

fn class_costs(table: &ProfileTable, terrain: Option<&SceneTerrain>) -> Result<Option<ClassCosts>, String> {
    if table.classes.is_none() && table.other_classes.is_none() {
        return Ok(None);
    }
    let terrain = terrain.ok_or("classes need a [terrain] table")?;
    let mut costs = ClassCosts::new();
    for (name, cost) in table.classes.iter().flatten() {
        let class = terrain
            .names
            .iter()
            .position(|other| other == name)
            .ok_or_else(|| format!("there is no class `{name}` in [terrain]"))?;
        let class = u8::try_from(class).map_err(|error| error.to_string())?;
        costs = costs.with_class(class, class_cost(cost, name)?);
    }
    if let Some(rest) = &table.other_classes {
        costs = costs.with_rest(class_cost(rest, "other_classes")?);
    }
    // Of the classes that the map really has, each must be listed: a forgotten one must not close half a map.
    let missing = terrain.map.grid().ids().find_map(|id| {
        let class = terrain.map.class(id)?;
        costs
            .cost(class)
            .is_none()
            .then(|| (&terrain.names[usize::from(class)], terrain.map.grid().cell(id)))
    });
    if let Some((name, cell)) = missing {
        return Err(format!(
            "class `{name}`, which cell {cell} has, is not in classes; give it a cost, or all others one by other_classes"
        ));
    }
    Ok(Some(costs))
}

fn class_cost(cost: &CostWord, name: &str) -> Result<Cost, String> {
    match cost {
        CostWord::Cost(cost) => passable(*cost, name),
        CostWord::Word(word) if word == "impassable" => Ok(Cost::IMPASSABLE),
        CostWord::Word(word) => Err(format!(
            "{name} is `{word}`; it must be a cost from 0 to 254, or impassable"
        )),
    }
}

fn passable(cost: i64, name: &str) -> Result<Cost, String> {
    Cost::try_from(cost)
        .ok()
        .filter(|cost| cost.is_passable())
        .ok_or_else(|| format!("{name} is {cost}; it must be a cost from 0 to 254"))
}
