//! Paths of their own, for agents whose field is in the making.

use super::SceneCrowd;
use super::fields::FieldSet;
use crate::navigator::{Advice, Navigator, NavigatorError, StopReason, WhileMaking};
use crate::scene::{Scene, SceneGround};
use thalweg_core::flow::Guidance;
use thalweg_core::grid::{Cell, CellId};
use thalweg_core::movement::EdgeKind;

/// What the cells on the paths of each group say, by group and in the order of the cells; made anew every tick.
#[derive(Debug)]
pub(super) struct GroupPaths {
    of_group: Vec<Vec<(CellId, Guidance)>>,
    /// Agents that are on a path now.
    pub(super) agents: usize,
}

impl GroupPaths {
    pub(super) fn new(scene: &Scene) -> Self {
        Self {
            of_group: vec![Vec::new(); scene.groups.len()],
            agents: 0,
        }
    }

    pub(super) fn of_group(&self) -> &[Vec<(CellId, Guidance)>] {
        &self.of_group
    }

    /// Finds a path for every agent of the groups that need some, in the order of their slots. Only as much of it is taken
    /// as they may walk in a tick.
    ///
    /// Components are labelled first, once for every change of the map that reaches the profile, so that nobody searches
    /// for what cannot be reached.
    pub(super) fn find(
        &mut self,
        scene: &Scene,
        fields: &FieldSet,
        crowd: &SceneCrowd,
        navigator: &mut Navigator,
    ) -> Result<(), NavigatorError> {
        self.agents = 0;
        let mut is_any = false;
        for (group, paths) in self.of_group.iter_mut().enumerate() {
            paths.clear();
            if fields.is_walked_on_paths(scene, group) {
                is_any = true;
                navigator.components(SceneGround::profile_id(scene.groups[group].profile))?;
            }
        }
        if !is_any {
            return Ok(());
        }
        let grid = crowd.grid();
        for (_, agent) in crowd.agents() {
            let group = usize::from(agent.group.0);
            if !fields.is_walked_on_paths(scene, group) {
                continue;
            }
            let Some(mut id) = agent.position.cell_id(grid) else {
                continue;
            };
            let handle = fields.of_group(group).handle();
            let paths = &mut self.of_group[group];
            for step in 0..=cells_in_a_tick(scene, group) {
                let advice = navigator.advice(handle, grid.cell(id), WhileMaking::SinglePath)?;
                let (guidance, next) = guidance(advice);
                let leads_on = matches!(guidance, Guidance::Toward(_) | Guidance::Through(_));
                self.agents += usize::from(step == 0 && leads_on);
                paths.push((id, guidance));
                match next.and_then(|next| grid.id(next)) {
                    Some(next) => id = next,
                    None => break,
                }
            }
        }
        for paths in &mut self.of_group {
            // All that is said of one cell is the same.
            paths.sort_unstable_by_key(|&(cell, _)| cell);
            paths.dedup_by_key(|&mut (cell, _)| cell);
        }
        Ok(())
    }
}

const fn guidance(advice: Advice) -> (Guidance, Option<Cell>) {
    match advice {
        Advice::Path { by, next } | Advice::Follow { by, next, .. } => match by {
            EdgeKind::Step(direction) => (Guidance::Toward(direction), Some(next)),
            EdgeKind::Portal(portal) => (Guidance::Through(portal), Some(next)),
            _ => (Guidance::Unknown, None),
        },
        Advice::Arrived => (Guidance::Goal, None),
        Advice::Stop(StopReason::AgentBlocked | StopReason::AgentOutside) => (Guidance::Impassable, None),
        Advice::Stop(StopReason::CutOff | StopReason::SearchLimit) => (Guidance::Unknown, None),
        Advice::Stop(_) => (Guidance::Unreachable, None),
    }
}

/// Steps that the fastest of a group may take in a tick.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "speeds and ticks are bounded by the scene's checks"
)]
fn cells_in_a_tick(scene: &Scene, group: usize) -> usize {
    let cells = scene.groups[group].speed.1 / scene.transform.cell_size() * scene.tick_s;
    (cells.ceil() as usize).min(MAX_CELLS) + 1
}

/// Who walks farther in one tick stands for the rest of it.
const MAX_CELLS: usize = 256;
