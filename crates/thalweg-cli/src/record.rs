//! Records a run into a file that grows with it.

use crate::error::CliError;
use crate::inputs::{InputFigures, InputFile};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use thalweg::core::workers::Workers;
use thalweg::recording::{Ending, RecordedScene, RecordingError, RecordingOptions, RecordingWriter};
use thalweg::simulation::{Simulation, TickReport};

/// What comes into a run from outside, and the recording that takes it down.
///
/// A recording is more than a listener: it must have the inputs of a tick before the tick is stepped, so that they are there
/// if it never ends.
#[derive(Default)]
pub(crate) struct Outside {
    pub(crate) inputs: Option<InputFile>,
    record: Option<Record>,
}

impl Outside {
    /// Begins the recording, if there is to be one.
    pub(crate) fn begin(
        inputs: Option<InputFile>,
        plan: Option<RecordPlan>,
        simulation: &Simulation,
    ) -> Result<Self, CliError> {
        let record = plan.map(|plan| Record::begin(plan, simulation));
        Ok(Self {
            inputs,
            record: record.transpose()?,
        })
    }

    /// Steps a tick; tells how long that took without the recording.
    pub(crate) fn step(
        &mut self,
        simulation: &mut Simulation,
        workers: &dyn Workers,
    ) -> Result<(TickReport, Duration), CliError> {
        let tick = simulation.tick();
        let inputs = self.inputs.as_mut().map(|file| file.of_tick(tick));
        let inputs = inputs.unwrap_or_default();
        if let Some(record) = &mut self.record {
            record.writer.before_tick(&inputs);
        }
        let started = Instant::now();
        let stepped = simulation.step_with(&inputs, workers);
        let took = started.elapsed();
        let report = match stepped {
            Ok(report) => report,
            Err(error) => {
                if let Some(record) = self.record.take() {
                    record.finish(&Ending::Failed(error.to_string()))?;
                }
                return Err(CliError::Usage(format!("tick {tick}: {error}")));
            }
        };
        if let Some(file) = &mut self.inputs {
            file.note(&report);
        }
        if let Some(record) = &mut self.record {
            record.after_tick(simulation, &report)?;
        }
        Ok((report, took))
    }

    /// Ends the recording; returns its file, and what became of the inputs.
    pub(crate) fn finish(self, ending: &Ending) -> Result<(Option<PathBuf>, Option<InputFigures>), CliError> {
        let file = self.record.map(|record| record.finish(ending)).transpose()?;
        Ok((file, self.inputs.map(|inputs| inputs.figures())))
    }
}

/// How a run is to be recorded.
#[derive(Debug, Clone)]
pub(crate) struct RecordPlan {
    pub(crate) file: PathBuf,
    pub(crate) options: RecordingOptions,
    pub(crate) scene: RecordedScene,
}

/// A recording that grows as `FILE.part` and is called `FILE` once it is whole: a run that is killed leaves what there is of
/// it, and never half a file under its own name.
struct Record {
    writer: RecordingWriter<File>,
    part: Option<PathBuf>,
    file: PathBuf,
}

impl Record {
    fn begin(plan: RecordPlan, simulation: &Simulation) -> Result<Self, CliError> {
        let file = plan.file;
        // Renaming would put a file in the place of a device.
        let is_device =
            std::fs::metadata(&file).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        if file.is_dir() {
            return Err(CliError::Usage(format!(
                "{} is a folder; name a file to record into",
                file.display()
            )));
        }
        let part = (!is_device).then(|| part_of(&file));
        let grows = part.as_deref().unwrap_or(&file);
        let opened = File::create(grows).map_err(|error| refused(grows, error.into()))?;
        let writer = RecordingWriter::new(opened, plan.scene, simulation, plan.options)
            .map_err(|error| refused(grows, error))?;
        Ok(Self { writer, part, file })
    }

    fn after_tick(&mut self, simulation: &Simulation, report: &TickReport) -> Result<(), CliError> {
        self.writer
            .after_tick(simulation, report)
            .map_err(|error| refused(self.part.as_deref().unwrap_or(&self.file), error))
    }

    fn finish(self, ending: &Ending) -> Result<PathBuf, CliError> {
        let grown = self.part.as_deref().unwrap_or(&self.file);
        let mut out = self
            .writer
            .finish(ending)
            .map_err(|error| refused(grown, error))?;
        out.flush().map_err(|error| refused(grown, error.into()))?;
        drop(out);
        if let Some(part) = &self.part {
            std::fs::rename(part, &self.file).map_err(|error| refused(&self.file, error.into()))?;
        }
        Ok(self.file)
    }
}

fn part_of(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

fn refused(path: &Path, error: RecordingError) -> CliError {
    CliError::Usage(format!("{} cannot be recorded into: {error}", path.display()))
}
