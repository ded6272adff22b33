//! Where to.

use super::Checker;
use crate::scene::file::GoalTable;
use crate::scene::ground::SceneGround;
use crate::scene::{MovingGoal, Scene, SceneError, SceneGoal};
use thalweg_core::cost::{Cost, CostField};

/// The largest starting cost of a goal: the other half of the range is left for the ways to it.
const MAX_BIAS: u32 = u32::MAX / 2;

impl Checker<'_> {
    pub(super) fn goals(
        &self,
        tick_s: f64,
        scene: &Scene,
        ground: &SceneGround,
    ) -> Result<Vec<SceneGoal>, SceneError> {
        let passable = anybody(scene, ground);
        let mut goals: Vec<SceneGoal> = Vec::new();
        for table in &self.file.goals {
            let line = self.file.line(&table.name);
            let name = table.name.get_ref();
            if goals.iter().any(|other| other.name == *name) {
                return Err(SceneError::at_line(
                    line,
                    format!("goal `{name}`: this name is used twice"),
                ));
            }
            let goal = self
                .goal(table, tick_s, &passable)
                .map_err(|reason| SceneError::at_line(line, format!("goal `{name}`: {reason}")))?;
            goals.push(goal);
        }
        if self.file.goals.is_empty() {
            // A text map may mark its goals itself.
            let marked = self.map.goals.iter().zip(1..).map(|(&cell, number)| SceneGoal {
                name: format!("G{number}"),
                cells: vec![cell],
                bias: 0,
                moving: None,
            });
            goals.extend(marked);
        }
        Ok(goals)
    }

    fn goal(&self, table: &GoalTable, tick_s: f64, passable: &CostField) -> Result<SceneGoal, String> {
        let (cells, moving) = match (&table.cells, table.area, &table.path) {
            (Some(cells), None, None) => (self.passable_each(cells.iter().copied(), passable)?, None),
            (None, Some(area), None) => {
                let cells = self.passable_in(area, passable)?;
                (
                    cells
                        .into_iter()
                        .map(|id| self.map.costs.grid().cell(id))
                        .collect(),
                    None,
                )
            }
            (None, None, Some(path)) => {
                let path = self.passable_each(path.iter().copied(), passable)?;
                let every_s = table.move_every_s.unwrap_or(0.5);
                if !(every_s.is_finite() && every_s > 0.0) {
                    return Err(format!("move_every_s is {every_s}; it must be above 0"));
                }
                let step_cells = table.step_cells.unwrap_or(1) as usize;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "saturates, positive"
                )]
                let every_ticks = ((every_s / tick_s).round() as u64).max(1);
                let start = path.first().copied().ok_or("path has no cells")?;
                (
                    vec![start],
                    Some(MovingGoal {
                        path,
                        every_ticks,
                        step_cells,
                    }),
                )
            }
            _ => return Err("needs exactly one of `cells`, `area` and `path`".to_owned()),
        };
        if moving.is_none() && (table.move_every_s.is_some() || table.step_cells.is_some()) {
            return Err("move_every_s and step_cells need a `path`".to_owned());
        }
        if cells.is_empty() {
            return Err("has no cells".to_owned());
        }
        if table.bias > MAX_BIAS {
            return Err(format!(
                "bias is {}; it must be at most {MAX_BIAS} step units",
                table.bias
            ));
        }
        Ok(SceneGoal {
            name: table.name.get_ref().clone(),
            cells,
            bias: table.bias,
            moving,
        })
    }
}

/// The map's costs with every cell passable that some profile can be on: a harbour is a goal although nobody who walks
/// can get there.
fn anybody(scene: &Scene, ground: &SceneGround) -> CostField {
    let mut passable = ground.costs().clone();
    for id in ground.grid().ids() {
        let stands = |profile: usize| {
            ground
                .profile_costs(profile)
                .get(id)
                .is_some_and(Cost::is_passable)
        };
        let free = (0..scene.profiles.len()).any(stands);
        let was_free = passable.get(id).is_some_and(Cost::is_passable);
        if free && !was_free {
            // The cell is of this grid.
            let _on_map = passable.set(ground.grid().cell(id), Cost::PLAIN);
        }
    }
    passable
}
