//! `thalweg replay`: runs a recording again, or puts two beside each other.

mod against;
mod figures;

use crate::args::ReplayArguments;
use crate::crowd_pictures::write_crowd_picture;
use crate::error::{Answer, CliError};
use crate::scene_files::SceneFiles;
use crate::scenes::{self, scene_error};
use crate::{field, json, progress};
use figures::ReplayFigures;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use thalweg::core::workers::Workers;
use thalweg::recording::{
    Divergence, LastTick, RecordedScene, RecordingReader, Replay, ReplayError, ReplayStep,
};
use thalweg::scene::Scene;
use thalweg::simulation::Simulation;
use thalweg_io::read_limited;

type Reader = RecordingReader<BufReader<File>>;

pub(crate) fn run(arguments: &ReplayArguments) -> Result<Answer, CliError> {
    let path = &arguments.recording;
    let reader = open(path)?;
    if let Some(other) = &arguments.against {
        return against::run(path, reader, other, arguments.run.json);
    }
    let scene = scene_of(path, &reader.head().scene, arguments.files.as_deref())?;
    let workers = field::workers(arguments.run.threads)?;
    let simulation = Simulation::new(scene, workers.as_ref()).map_err(|error| CliError::Simulation {
        scene: path.to_owned(),
        error: Box::new(error),
    })?;
    let begun = Replay::new(reader, simulation).map_err(|error| unreadable(path, error))?;
    let (replay, stop) = follow(path, begun, arguments, workers.as_ref())?;
    if let Some(picture) = &arguments.picture {
        write_crowd_picture(replay.simulation(), picture)?;
    }
    let figures = ReplayFigures::new(path, &replay, &stop);
    if arguments.run.json {
        json::print(&figures)?;
    } else {
        json::print_text(&figures.text())?;
    }
    Ok(match stop {
        Stop::Differs(_) => Answer::No,
        _ => Answer::Yes,
    })
}

/// Where a replay stopped.
enum Stop {
    /// It was told to stop here.
    Asked,
    Differs(Box<Divergence>),
    End(LastTick),
}

/// Steps until something differs, the recording ends, or it is enough.
fn follow(
    path: &Path,
    mut replay: Replay<BufReader<File>>,
    arguments: &ReplayArguments,
    workers: &dyn Workers,
) -> Result<(Replay<BufReader<File>>, Stop), CliError> {
    let ticks = arguments.at.unwrap_or(replay.simulation().scene().ticks);
    let bar = progress::bar(ticks, "ticks", arguments.run.json);
    let stop = loop {
        match replay
            .step(workers)
            .map_err(|error| broken(path, &replay, error))?
        {
            ReplayStep::Agrees => {}
            ReplayStep::Differs(divergence) => break Stop::Differs(divergence),
            ReplayStep::End(last) => break Stop::End(last),
        }
        let tick = replay.simulation().tick();
        bar.set_position(tick);
        if Some(tick) == arguments.at {
            break Stop::Asked;
        }
    };
    bar.finish_and_clear();
    if let (Stop::End(_), Some(at)) = (&stop, arguments.at) {
        let ticks = replay.reader().ticks().unwrap_or(0);
        return Err(CliError::Usage(format!(
            "{} holds {ticks} ticks; --at {at} is beyond",
            path.display()
        )));
    }
    Ok((replay, stop))
}

fn open(path: &Path) -> Result<Reader, CliError> {
    // Of what is no file at all another reader has the sentences.
    if path.is_dir() || !path.exists() {
        read_limited(path, 0)?;
    }
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    RecordingReader::new(BufReader::new(file)).map_err(|error| unreadable(path, error))
}

/// The scene that was recorded, from its text and the files that came with it.
fn scene_of(path: &Path, recorded: &RecordedScene, folder: Option<&Path>) -> Result<Scene, CliError> {
    let told = |error: CliError| CliError::Usage(format!("{}: {error}", path.display()));
    let name = Path::new(&recorded.name);
    let mut files = SceneFiles::recorded(recorded, folder);
    let (file, inputs) = scenes::load_from(name, &recorded.text, &mut files).map_err(told)?;
    Scene::new(&file, inputs)
        .and_then(|scene| recorded.set_on(scene))
        .map_err(|error| told(scene_error(name, error)))
}

fn unreadable(path: &Path, error: impl std::fmt::Display) -> CliError {
    CliError::Usage(format!("{}: {error}", path.display()))
}

/// An error in the midst of a recording, with what is known of what came before it.
fn broken(path: &Path, replay: &Replay<BufReader<File>>, error: ReplayError) -> CliError {
    match replay.reader().ticks() {
        Some(ticks) if matches!(error, ReplayError::Recording(_)) => CliError::Usage(format!(
            "{}: {error}; the {ticks} ticks before it agree",
            path.display()
        )),
        _ => unreadable(path, error),
    }
}
