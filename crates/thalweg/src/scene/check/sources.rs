//! Who enters while the scene runs.

use super::Checker;
use super::groups::{bodies, with_room};
use crate::scene::MAX_AGENTS;
use crate::scene::ground::SceneGround;
use crate::scene::record_tables::SourceTable;
use crate::scene::{Inflow, Placement, Scene, SceneError, SourcePlan};
use thalweg_core::movement::Movement;

impl Checker<'_> {
    /// Whether a source names this group: it may begin without agents then.
    pub(super) fn has_source(&self, group: &str) -> bool {
        self.file
            .sources
            .iter()
            .any(|source| source.group.get_ref() == group)
    }

    pub(super) fn sources(&self, scene: &Scene, ground: &SceneGround) -> Result<Vec<SourcePlan>, SceneError> {
        if self.file.sources.is_empty() {
            return Ok(Vec::new());
        }
        let bodies = bodies(scene, ground)?;
        let mut sources = Vec::new();
        let mut agents: u64 = scene.groups.iter().map(|group| u64::from(group.count)).sum();
        #[expect(clippy::cast_precision_loss, reason = "tick counts are far below 2^53")]
        let end_s = scene.ticks as f64 * scene.tick_s;
        for table in &self.file.sources {
            let line = self.file.line(&table.group);
            let fail = |reason: String| {
                SceneError::at_line(
                    line,
                    format!("source of group `{}`: {reason}", table.group.get_ref()),
                )
            };
            let source = self.source(table, scene, ground, &bodies).map_err(fail)?;
            agents = agents.saturating_add(source.inflow.due(end_s));
            if agents > MAX_AGENTS {
                return Err(fail(format!(
                    "with it {agents} agents come in all, above the limit of {MAX_AGENTS}"
                )));
            }
            sources.push(source);
        }
        Ok(sources)
    }

    fn source(
        &self,
        table: &SourceTable,
        scene: &Scene,
        ground: &SceneGround,
        bodies: &[Option<Movement>],
    ) -> Result<SourcePlan, String> {
        let group = scene
            .groups
            .iter()
            .position(|group| group.name == *table.group.get_ref())
            .ok_or("there is no such group")?;
        let plan = &scene.groups[group];
        let cells = match table.area {
            Some(area) => {
                let cells = Placement::Drawn(self.passable_in(area, ground.profile_costs(plan.profile))?);
                match &bodies[plan.profile] {
                    Some(body) => with_room(cells, body)?,
                    None => cells,
                }
            }
            None => plan.placement.clone(),
        };
        let (Placement::Each(mut cells) | Placement::Drawn(mut cells)) = cells;
        if cells.is_empty() {
            return Err("has no `area`, and its group has no place either".to_owned());
        }
        cells.sort_unstable();
        Ok(SourcePlan {
            group,
            cells,
            inflow: inflow(table)?,
        })
    }
}

fn inflow(table: &SourceTable) -> Result<Inflow, String> {
    let is_time = |time: f64| time.is_finite() && time >= 0.0;
    match (table.rate, &table.schedule) {
        (Some(per_s), None) => {
            let (from_s, until_s) = (table.from_s.unwrap_or(0.0), table.until_s.unwrap_or(f64::MAX));
            if !(per_s.is_finite() && per_s > 0.0) {
                return Err(format!(
                    "rate is {per_s}; it must be above 0 agents a second and finite"
                ));
            }
            if !(is_time(from_s) && is_time(until_s) && from_s < until_s) {
                return Err(format!(
                    "from_s is {from_s} and until_s {until_s}; both must be finite, 0 or more, the beginning first"
                ));
            }
            Ok(Inflow::Rate {
                per_s,
                from_s,
                until_s,
                most: table.count.map_or(u64::MAX, u64::from),
            })
        }
        (None, Some(times)) => {
            if table.from_s.is_some() || table.until_s.is_some() || table.count.is_some() {
                return Err("from_s, until_s and count are for a `rate`".to_owned());
            }
            let mut schedule = Vec::with_capacity(times.len());
            for &[at_s, count] in times {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "checked to be whole and in range"
                )]
                let whole = count as u32;
                if !is_time(at_s) || f64::from(whole) != count {
                    return Err(format!(
                        "schedule has [{at_s}, {count}]; write [seconds from 0, a whole number of agents]"
                    ));
                }
                if schedule.last().is_some_and(|&(before, _)| before > at_s) {
                    return Err(format!("schedule goes back in time at {at_s} s"));
                }
                schedule.push((at_s, whole));
            }
            Ok(Inflow::Schedule(schedule))
        }
        _ => Err("needs exactly one of `rate` and `schedule`".to_owned()),
    }
}
