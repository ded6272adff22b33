//! What ends a command early.

use std::io;
use std::path::{Path, PathBuf};
use thalweg::bundle::BuildError;
use thalweg::scene::SceneError;
use thalweg::simulation::SimulationError;
use thalweg_io::ReadError;
use thalweg_io::WriteError;
use thalweg_io::picture::PictureError;
use thiserror::Error;

/// The answer of a command that ran to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    No,
}

/// Why a command did not run to its end. Every message is one sentence.
#[derive(Debug, Error)]
pub(crate) enum CliError {
    #[error("{0}")]
    Usage(String),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Picture(#[from] PictureError),
    #[error("{}: {source}", .map.display())]
    Field { map: PathBuf, source: BuildError },
    #[error("{}, {error}", .scene.display())]
    Scene { scene: PathBuf, error: SceneError },
    #[error("{}: {error}", .scene.display())]
    Simulation {
        scene: PathBuf,
        error: Box<SimulationError>,
    },
    #[error("{} cannot be made: {source}", .folder.display())]
    Folder { folder: PathBuf, source: io::Error },
    #[error("{0}")]
    Pool(#[from] thalweg::pool::PoolError),
    #[error("standard output cannot be written: {0}")]
    Output(io::Error),
    /// Whoever read our output has enough (`thalweg … | head`): no error.
    #[error("standard output was closed")]
    PipeClosed,
}

impl CliError {
    /// The error of writing to a file.
    pub(crate) fn unwritten(path: &Path, error: io::Error) -> Self {
        let path = path.to_owned();
        Self::Write(WriteError::Io { path, error })
    }

    /// The error of writing to standard output.
    pub(crate) fn output(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::PipeClosed
        } else {
            Self::Output(error)
        }
    }
}
