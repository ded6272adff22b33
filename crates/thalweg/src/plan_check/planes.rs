//! Who is where: one entry per cell of the map, for a tick.

use thalweg_core::grid::CellId;

/// For each cell who holds it, and in which tick that was written: what is older does not count, so nothing is ever cleared.
#[derive(Debug, Default)]
pub(super) struct Plane {
    /// The tick plus one, 0 for never, and the agent.
    entries: Vec<(u32, u32)>,
}

impl Plane {
    pub(super) fn new(cells: usize) -> Self {
        Self {
            entries: vec![(0, 0); cells],
        }
    }

    /// Who holds a cell in a tick.
    pub(super) fn holder(&self, cell: CellId, tick: u32) -> Option<u32> {
        let (stamp, agent) = self.entries[cell.index()];
        (stamp == tick + 1).then_some(agent)
    }

    /// Writes down that an agent holds a cell. Who held it already stays, and is told.
    pub(super) fn hold(&mut self, cell: CellId, tick: u32, agent: u32) -> Option<u32> {
        let held = self.holder(cell, tick);
        if held.is_none() {
            self.entries[cell.index()] = (tick + 1, agent);
        }
        held.filter(|&other| other != agent)
    }
}
