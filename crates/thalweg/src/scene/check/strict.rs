//! What a strict scene says, and what it cannot have.

use super::Checker;
use crate::navigator::WhileMaking;
use crate::scene::file::StrictTable;
use crate::scene::{GroupPlan, Scene, SceneError, SteerBy, StrictPlan, places};
use thalweg_core::movement::Footprint;
use thalweg_crowd::strict::{StrictError, StrictOptions};

impl Checker<'_> {
    pub(super) fn strict(&self) -> Result<Option<StrictPlan>, SceneError> {
        let Some(spanned) = &self.file.strict else {
            return Ok(None);
        };
        let table = spanned.get_ref();
        let mut options = StrictOptions::default();
        let rules = &mut options.rules;
        rules.following = table.following.unwrap_or(rules.following);
        rules.squeezing = table.squeezing.unwrap_or(rules.squeezing);
        let short = |value: &Option<toml::Spanned<u16>>, usual| {
            value.as_ref().map_or(usual, |value| *value.get_ref())
        };
        options.horizon = short(&table.horizon, options.horizon);
        options.replan_after = short(&table.replan_after, options.replan_after);
        options.search_after = short(&table.search_after, options.search_after);
        let budget = table.search_budget.as_ref().map(|budget| *budget.get_ref());
        options.search_budget = budget.unwrap_or(options.search_budget);
        options.seed = self.file.seed;
        options.check().map_err(|error| {
            let key = match error {
                StrictError::Option { name, .. } => self.line_of_key(table, name),
                _ => None,
            };
            SceneError::at_line(
                key.unwrap_or_else(|| self.file.line(spanned)),
                format!("[strict] {error}"),
            )
        })?;
        let cannot = |line, what: &str| {
            Err(SceneError::at_line(
                line,
                format!("{what} is for crowds that move freely; a [strict] scene cannot have it"),
            ))
        };
        if let Some(crowd) = &self.file.crowd {
            let line = self.file.line(crowd);
            return match (crowd.get_ref().avoidance.is_some(), crowd.get_ref().time_gap) {
                (true, _) => cannot(line, "[crowd] avoidance"),
                (false, Some(_)) => cannot(line, "[crowd] time_gap"),
                (false, None) => cannot(line, "[crowd]"),
            };
        }
        if let Some(congestion) = &self.file.congestion {
            return cannot(self.file.line(congestion), "[congestion]");
        }
        Ok(Some(StrictPlan { options }))
    }

    fn line_of_key(&self, table: &StrictTable, name: &str) -> Option<usize> {
        let key = match name {
            "horizon" => table.horizon.as_ref(),
            "replan_after" => table.replan_after.as_ref(),
            "search_after" => table.search_after.as_ref(),
            _ => None,
        };
        key.map(|key| self.file.line(key))
    }

    /// What the groups of a strict scene cannot have, and whether everybody finds a cell.
    pub(super) fn check_strict_groups(&self, scene: &Scene) -> Result<(), SceneError> {
        let Some(plan) = &scene.strict else {
            return Ok(());
        };
        let fail = |group: usize, reason: String| {
            let name = &self.file.groups[group].name;
            SceneError::at_line(
                self.file.line(name),
                format!("group `{}`: {reason}", name.get_ref()),
            )
        };
        for (index, group) in scene.groups.iter().enumerate() {
            check_group(plan, scene, group).map_err(|reason| fail(index, reason))?;
        }
        places(scene)
            .map(|_| ())
            .map_err(|error| fail(error.group, error.to_string()))
    }
}

fn check_group(plan: &StrictPlan, scene: &Scene, group: &GroupPlan) -> Result<(), String> {
    if group.steer == SteerBy::Headings {
        return Err(
            "steer is `headings`; agents of a [strict] scene go from cell to cell, by directions".to_owned(),
        );
    }
    if group.when_stale == WhileMaking::SinglePath {
        return Err(
            "when_stale is `single-path`; agents of a [strict] scene follow fields only: stop or keep-old"
                .to_owned(),
        );
    }
    let profile = &scene.profiles[group.profile];
    let cell = scene.transform.cell_size();
    let most = match profile.movement.footprint {
        Footprint::Point => plan.options.rules.clear_radius(profile.movement.connectivity),
        Footprint::Rectangle(body) => f64::from(body.width().min(body.height())) / 2.0,
        // The cells that a disc covers would say where it is, and the disc itself would never touch anything.
        _ => {
            return Err(format!(
                "footprint is a disc by profile `{}`; bodies of a [strict] scene are whole cells: point, square:N or \
                 rectangle:WxH",
                profile.name
            ));
        }
    };
    // A hair for numbers that were rounded when they were written down.
    if group.radius > most * cell * (1.0 + 1e-6) {
        return Err(format!(
            "radius is {}; in a [strict] scene with these rules it must be at most {:.4} world units, or bodies that pass \
             each other would overlap",
            group.radius,
            most * cell
        ));
    }
    scene.too_slow(group).map_or(Ok(()), Err)
}
