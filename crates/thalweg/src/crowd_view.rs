//! A crowd as it is looked at: by recorders, by the watch for stuck agents, by whoever draws it.
//!
//! Bodies that move freely ([`Crowd`]) and bodies that go from cell to cell
//! ([`StrictCrowd`](thalweg_crowd::strict::StrictCrowd), in a scene) are measured and explained in the same way.

use thalweg_core::grid::Grid;
use thalweg_crowd::{AgentId, AgentView, Crowd, Departure};

/// A crowd after a step, for looking only.
pub trait CrowdView {
    /// The rectangles of cells that it is on.
    fn grid(&self) -> &Grid;

    /// What is known about an agent; `None` if it is not in the crowd (any more).
    fn view(&self, agent: AgentId) -> Option<AgentView>;

    /// Everybody, each once, in an order that depends on nothing but the crowd.
    fn views(&self) -> impl Iterator<Item = (AgentId, AgentView)>;

    /// Those who left in the last step; their ids name nobody any more.
    fn departed(&self) -> &[Departure];
}

impl CrowdView for Crowd {
    fn grid(&self) -> &Grid {
        Self::grid(self)
    }

    fn view(&self, agent: AgentId) -> Option<AgentView> {
        self.get(agent)
    }

    /// By place, which is the fast way through all.
    fn views(&self) -> impl Iterator<Item = (AgentId, AgentView)> {
        self.agents_by_place()
    }

    fn departed(&self) -> &[Departure] {
        self.departures()
    }
}
