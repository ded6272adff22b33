//! Trajectories, written while a scene runs.

use super::sink::{Sink, Tick};
use crate::args::TrajectoryFormat;
use crate::error::CliError;
use std::io;
use std::path::{Path, PathBuf};
use thalweg::crowd::AgentId;
use thalweg::simulation::Simulation;
use thalweg_io::{AtomicFile, TrajectoryNpz, TrajectoryPoint, TrajectoryText, write_atomic};

const TEXT_FILE: &str = "trajectories.txt";
const NPZ_FILE: &str = "trajectories.npz";

/// The trajectories of a run, in the formats that were asked for.
pub(crate) struct TrajectoryFiles {
    out: PathBuf,
    text: Option<TrajectoryText<AtomicFile>>,
    npz: Option<TrajectoryNpz>,
    /// Ticks between frames: not thinned as an animation is, and no odd frame at the end, because these are for measuring.
    every: u64,
    /// Who stands in a slot, and by which number files know it: slots are given out again, numbers are not.
    numbers: Vec<Option<(AgentId, u32)>>,
    given: u32,
    frame: u32,
}

impl TrajectoryFiles {
    /// Begins the files; `None` if nobody asked for any.
    pub(crate) fn new(
        simulation: &Simulation,
        formats: &[TrajectoryFormat],
        out: &Path,
    ) -> Result<Option<Self>, CliError> {
        if formats.is_empty() {
            return Ok(None);
        }
        let every = simulation.scene().frame_every;
        #[expect(clippy::cast_precision_loss, reason = "a number of ticks between frames")]
        let frame_rate = 1.0 / (simulation.scene().tick_s * every as f64);
        let mut files = Self {
            out: out.to_owned(),
            text: None,
            npz: None,
            every,
            numbers: Vec::new(),
            given: 0,
            frame: 0,
        };
        if formats.contains(&TrajectoryFormat::Text) {
            let file = AtomicFile::begin(out.join(TEXT_FILE))?;
            let text = TrajectoryText::new(file, frame_rate);
            files.text = Some(text.map_err(|error| files.failed(TEXT_FILE, error))?);
        }
        if formats.contains(&TrajectoryFormat::Npz) {
            let npz = TrajectoryNpz::new(frame_rate);
            files.npz = Some(npz.map_err(|error| files.failed(NPZ_FILE, error))?);
        }
        Ok(Some(files))
    }

    fn failed(&self, file: &str, error: io::Error) -> CliError {
        CliError::unwritten(&self.out.join(file), error)
    }

    /// Writes where everybody is, as the next frame.
    fn add_frame(&mut self, simulation: &Simulation) -> Result<(), CliError> {
        let (transform, grid) = (&simulation.scene().transform, simulation.costs().grid());
        for (id, agent) in simulation.crowd().agents() {
            let at = agent.position;
            let world = transform.world_from_map(grid, at.layer, at.to_map());
            // An agent of a crowd is on a layer of its map.
            let [x, y] = world.map_err(|error| CliError::Usage(format!("agent {id}: {error}")))?;
            let point = TrajectoryPoint {
                id: self.number(id),
                frame: self.frame,
                x,
                y,
                z: f64::from(at.layer),
            };
            if let Some(text) = &mut self.text
                && let Err(error) = text.push(&point)
            {
                return Err(self.failed(TEXT_FILE, error));
            }
            if let Some(npz) = &mut self.npz
                && let Err(error) = npz.push(&point)
            {
                return Err(self.failed(NPZ_FILE, error));
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

    /// Ends the files; returns their names.
    pub(crate) fn finish(mut self) -> Result<Vec<String>, CliError> {
        let mut files = Vec::new();
        if let Some(text) = self.text.take() {
            let file = text.finish().map_err(|error| self.failed(TEXT_FILE, error))?;
            file.commit()?;
            files.push(TEXT_FILE.to_owned());
        }
        if let Some(npz) = self.npz.take() {
            write_atomic(self.out.join(NPZ_FILE), |file| npz.finish(file))?;
            files.push(NPZ_FILE.to_owned());
        }
        Ok(files)
    }
}

impl Sink for TrajectoryFiles {
    fn begin(&mut self, simulation: &Simulation) -> Result<(), CliError> {
        self.add_frame(simulation)
    }

    fn tick(&mut self, simulation: &Simulation, _: &Tick<'_>) -> Result<(), CliError> {
        if simulation.tick().is_multiple_of(self.every) {
            self.add_frame(simulation)?;
        }
        Ok(())
    }
}
