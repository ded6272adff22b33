//! Who got nowhere in a run, and why.

use serde::Serialize;
use std::collections::BTreeMap;
use thalweg::crowd::{AgentId, Blocker};
use thalweg::simulation::Simulation;
use thalweg::stuck::{StuckAgent, StuckWatch};

/// How many agents a summary lists.
const MAX_LISTED: usize = 50;

/// Agents that were stuck when the run ended.
#[derive(Debug, Default, Serialize)]
pub(crate) struct StuckFigures {
    pub(crate) count: usize,
    /// How many by what holds up the one at the root.
    pub(crate) causes: BTreeMap<&'static str, usize>,
    /// The first of them, in the order of slots.
    pub(crate) agents: Vec<StuckFigure>,
}

#[derive(Debug, Serialize)]
pub(crate) struct StuckFigure {
    agent: u32,
    group: String,
    /// In world units, and the layer.
    at: [f64; 3],
    outcome: &'static str,
    since_tick: u64,
    /// The agent that keeps it from moving, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    blocker: Option<u32>,
    cause: &'static str,
    /// The agent at the root of it.
    root: u32,
    /// Agents that stand in the way one behind the other.
    behind: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    knot: Vec<u32>,
}

pub(crate) fn figures(watch: &StuckWatch, simulation: &Simulation) -> StuckFigures {
    let mut figures = StuckFigures::default();
    for stuck in watch.stuck(simulation.crowd()) {
        figures.count += 1;
        *figures.causes.entry(stuck.reason.cause.name()).or_default() += 1;
        if figures.agents.len() < MAX_LISTED {
            figures.agents.push(figure(simulation, &stuck));
        }
    }
    figures
}

fn figure(simulation: &Simulation, stuck: &StuckAgent) -> StuckFigure {
    let (scene, at) = (simulation.scene(), stuck.view.position);
    let world = scene
        .transform
        .world_from_map(simulation.costs().grid(), at.layer, at.to_map());
    // An agent of a crowd is on a layer of its map.
    let [x, y] = world.unwrap_or_default();
    let group = scene.groups.get(usize::from(stuck.view.group.0));
    StuckFigure {
        agent: stuck.agent.index(),
        group: group.map_or_else(String::new, |group| group.name.clone()),
        at: [x, y, f64::from(at.layer)],
        outcome: stuck.view.outcome.name(),
        since_tick: stuck.view.since,
        blocker: match stuck.view.blocker {
            Blocker::Agent(other) => Some(other.index()),
            _ => None,
        },
        cause: stuck.reason.cause.name(),
        root: stuck.reason.root.index(),
        behind: stuck.reason.behind,
        knot: stuck.reason.knot.iter().map(|id: &AgentId| id.index()).collect(),
    }
}

impl StuckFigures {
    pub(crate) fn text(&self) -> String {
        let causes: Vec<String> = self
            .causes
            .iter()
            .map(|(cause, count)| format!("{count} by {}", cause.replace('_', " ")))
            .collect();
        format!("{} at the end: {}", self.count, causes.join(", "))
    }
}
