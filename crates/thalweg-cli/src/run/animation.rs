//! The crowd as an animated picture, written while a scene runs.

use super::sink::{Sink, Tick};
use crate::crowd_pictures::{background, dots, ground_picture};
use crate::error::CliError;
use std::path::{Path, PathBuf};
use thalweg::core::cost::CostVersion;
use thalweg::simulation::Simulation;
use thalweg_io::AtomicFile;
use thalweg_io::picture::{CrowdGif, GifOptions, Scale};

/// File name of the animation.
const FILE: &str = "crowd.gif";

/// An animation that grows.
pub(crate) struct Animation {
    gif: CrowdGif<AtomicFile>,
    path: PathBuf,
    scale: Scale,
    /// The ground that the last background shows.
    shown: CostVersion,
    /// Ticks between frames.
    every: u64,
}

impl Animation {
    /// Begins the file.
    pub(crate) fn new(simulation: &Simulation, out: &Path) -> Result<Self, CliError> {
        let background = background(simulation)?;
        let scene = simulation.scene();
        // A run that would have too many frames gets fewer, not a shorter animation.
        let thinned = scene.ticks.div_ceil(scene.frames_max.saturating_sub(1).max(1));
        let every = scene.frame_every.max(thinned);
        let mut options = GifOptions::default();
        #[expect(clippy::cast_precision_loss, reason = "a number of ticks between frames")]
        let seconds = scene.tick_s * every as f64;
        // Real time where viewers can follow; they slow down below 2 hundredths.
        options.frame_delay_cs = centiseconds(seconds);
        let path = out.join(FILE);
        let file = AtomicFile::begin(&path)?;
        let gif =
            CrowdGif::new(file, &background, options).map_err(|error| CliError::unwritten(&path, error))?;
        Ok(Self {
            gif,
            path,
            scale: background.scale(),
            shown: simulation.costs().version(),
            every,
        })
    }

    fn add_frame(&mut self, simulation: &Simulation) -> Result<(), CliError> {
        if simulation.costs().version() != self.shown {
            self.shown = simulation.costs().version();
            let ground = ground_picture(simulation, self.scale)?;
            self.gif
                .set_background(&ground)
                .map_err(|error| CliError::unwritten(&self.path, error))?;
        }
        self.gif
            .add_frame(&dots(simulation))
            .map_err(|error| CliError::unwritten(&self.path, error))
    }

    /// Ends the file; returns its name.
    pub(crate) fn finish(self) -> Result<String, CliError> {
        let file = self
            .gif
            .finish()
            .map_err(|error| CliError::unwritten(&self.path, error))?;
        file.commit()?;
        Ok(FILE.to_owned())
    }
}

impl Sink for Animation {
    fn begin(&mut self, simulation: &Simulation) -> Result<(), CliError> {
        self.add_frame(simulation)
    }

    fn tick(&mut self, simulation: &Simulation, _: &Tick<'_>) -> Result<(), CliError> {
        if simulation.tick().is_multiple_of(self.every) || simulation.is_finished() {
            self.add_frame(simulation)?;
        }
        Ok(())
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped before the cast"
)]
fn centiseconds(seconds: f64) -> u16 {
    (seconds * 100.0).round().clamp(2.0, 100.0) as u16
}
