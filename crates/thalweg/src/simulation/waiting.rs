//! Agents that wait in zones, or because an input holds them.

use super::{InputError, SceneCrowd, SimulationError};
use crate::scene::Scene;
use std::collections::{BTreeMap, BTreeSet};
use thalweg_crowd::AgentId;

/// Who waits, and why.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    in_zone: BTreeMap<AgentId, usize>,
    /// Those whom inputs hold, in a zone or not. Whoever left may still be named: ids are not given out again.
    by_input: BTreeSet<AgentId>,
}

impl Waiting {
    /// How many agents wait in zones.
    pub(super) fn len(&self) -> usize {
        self.in_zone.len()
    }

    /// Holds an agent until [`Self::let_go`].
    pub(super) fn hold(&mut self, agent: AgentId, crowd: &mut SceneCrowd) -> Result<(), InputError> {
        crowd.hold(agent, true)?;
        self.by_input.insert(agent);
        Ok(())
    }

    /// Lets an agent go that an input held, unless a zone holds it.
    pub(super) fn let_go(&mut self, agent: AgentId, crowd: &mut SceneCrowd) -> Result<(), InputError> {
        crowd.hold(agent, self.in_zone.contains_key(&agent))?;
        self.by_input.remove(&agent);
        Ok(())
    }

    /// Lets those go whose zone has been released, and holds those who are in one that holds. Whoever waits and is pushed
    /// out of its zone waits on.
    pub(super) fn mind(
        &mut self,
        scene: &Scene,
        holds: &[bool],
        crowd: &mut SceneCrowd,
    ) -> Result<(), SimulationError> {
        if holds.is_empty() {
            return Ok(());
        }
        let (kept, freed): (BTreeMap<_, _>, BTreeMap<_, _>) = core::mem::take(&mut self.in_zone)
            .into_iter()
            .filter(|&(agent, _)| crowd.get(agent).is_some())
            .partition(|&(_, zone)| holds[zone]);
        for agent in freed.into_keys() {
            crowd.hold(agent, self.by_input.contains(&agent))?;
        }
        self.in_zone = kept;
        if !holds.contains(&true) {
            return Ok(());
        }
        let mut newly = Vec::new();
        for (agent, view) in crowd.agents() {
            if self.in_zone.contains_key(&agent) {
                continue;
            }
            let group = usize::from(view.group.0);
            let Some(cell) = view.position.cell_id(crowd.grid()) else {
                continue;
            };
            let cell = crowd.grid().cell(cell);
            let zones = scene.waiting_zones.iter().zip(holds).enumerate();
            let zone = zones
                .filter(|(_, (zone, holds))| **holds && zone.groups.contains(&group))
                .find(|(_, (zone, _))| zone.holds(cell));
            newly.extend(zone.map(|(zone, _)| (agent, zone)));
        }
        for (agent, zone) in newly {
            crowd.hold(agent, true)?;
            self.in_zone.insert(agent, zone);
        }
        Ok(())
    }
}
