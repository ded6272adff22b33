//! Writes trajectories while a scene runs.

use std::io::{self, Write};
use thalweg::crowd::AgentId;
use thalweg::simulation::Simulation;
use thalweg_io::{TrajectoryNpz, TrajectoryPoint, TrajectoryText};

/// The trajectories of a run, in the formats that were asked for.
pub(crate) struct TrajectoryFiles<'a, W> {
    text: Option<TrajectoryText<W>>,
    npz: Option<&'a mut TrajectoryNpz>,
    /// Who stands in a slot, and by which number files know it: slots are given out again, numbers are not.
    numbers: Vec<Option<(AgentId, u32)>>,
    given: u32,
    frame: u32,
}

impl<'a, W: Write> TrajectoryFiles<'a, W> {
    pub(crate) fn new(
        text: Option<W>,
        npz: Option<&'a mut TrajectoryNpz>,
        frame_rate: f64,
    ) -> io::Result<Self> {
        Ok(Self {
            text: text
                .map(|writer| TrajectoryText::new(writer, frame_rate))
                .transpose()?,
            npz,
            numbers: Vec::new(),
            given: 0,
            frame: 0,
        })
    }

    /// Whether nobody reads what would be written.
    pub(crate) const fn is_none(&self) -> bool {
        self.text.is_none() && self.npz.is_none()
    }

    /// Writes where everybody is, as the next frame.
    pub(crate) fn add_frame(&mut self, simulation: &Simulation) -> io::Result<()> {
        let (transform, grid) = (&simulation.scene().transform, simulation.costs().grid());
        for (id, agent) in simulation.crowd().agents() {
            let at = agent.position;
            let world = transform.world_from_map(grid, at.layer, at.to_map());
            // An agent of a crowd is on a layer of its map.
            let [x, y] = world.map_err(io::Error::other)?;
            let point = TrajectoryPoint {
                id: self.number(id),
                frame: self.frame,
                x,
                y,
                z: f64::from(at.layer),
            };
            if let Some(text) = &mut self.text {
                text.push(&point)?;
            }
            if let Some(npz) = &mut self.npz {
                npz.push(&point)?;
            }
        }
        self.frame += 1;
        Ok(())
    }

    fn number(&mut self, id: AgentId) -> u32 {
        let slot = id.index() as usize;
        if self.numbers.len() <= slot {
            self.numbers.resize(slot + 1, None);
        }
        match self.numbers[slot] {
            Some((holder, number)) if holder == id => number,
            _ => {
                let number = self.given;
                self.given += 1;
                self.numbers[slot] = Some((id, number));
                number
            }
        }
    }
}
