//! Where the files come from that a scene names: from beside it, or out of a recording.

use crate::error::CliError;
use std::path::{Path, PathBuf};
use thalweg::recording::{FileHash, RecordedContent, RecordedFile, RecordedScene};
use thalweg_io::{MAX_FILE_BYTES, ReadReason, read_limited};

/// The files of a scene.
pub(crate) struct SceneFiles<'a>(Source<'a>);

enum Source<'a> {
    Disk {
        /// The folder of the scene, if what is read is kept for a recording.
        keep_below: Option<PathBuf>,
        kept: Vec<RecordedFile>,
    },
    Recording {
        scene: &'a RecordedScene,
        /// Where those are of which the recording holds but the hash.
        folder: Option<&'a Path>,
    },
}

impl<'a> SceneFiles<'a> {
    pub(crate) const fn on_disk() -> Self {
        Self(Source::Disk {
            keep_below: None,
            kept: Vec::new(),
        })
    }

    /// Files on the disk, kept as they are read, by their names as the scene writes them.
    pub(crate) fn kept(scene: &Path) -> Self {
        Self(Source::Disk {
            keep_below: Some(scene.parent().map(Path::to_owned).unwrap_or_default()),
            kept: Vec::new(),
        })
    }

    /// Files out of a recording; `folder` has those that it knows only by their hash.
    pub(crate) const fn recorded(scene: &'a RecordedScene, folder: Option<&'a Path>) -> Self {
        Self(Source::Recording { scene, folder })
    }

    /// Those that were kept.
    pub(crate) fn into_kept(self) -> Vec<RecordedFile> {
        match self.0 {
            Source::Disk { kept, .. } => kept,
            Source::Recording { .. } => Vec::new(),
        }
    }

    /// All of a file.
    pub(crate) fn read(&mut self, path: &Path, limit: u64) -> Result<Vec<u8>, CliError> {
        match &mut self.0 {
            Source::Disk { keep_below, kept } => {
                let bytes = read_limited(path, limit)?;
                if let Some(folder) = keep_below {
                    let name = name_below(folder, path);
                    if kept.iter().all(|file| file.name != name) {
                        kept.push(RecordedFile::whole(name, bytes.clone()));
                    }
                }
                Ok(bytes)
            }
            Source::Recording { scene, folder } => {
                let name = name_below(scene_folder(scene), path);
                let file = scene.file(&name).ok_or_else(|| {
                    CliError::Usage(format!(
                        "{name} is not in the recording, although its scene names it"
                    ))
                })?;
                match &file.content {
                    RecordedContent::Bytes(bytes) => Ok(bytes.clone()),
                    RecordedContent::Hash(hash) => from_folder(&name, *hash, *folder),
                }
            }
        }
    }

    /// All of a file, or `None` if it is not there.
    pub(crate) fn read_if_there(&mut self, path: &Path, limit: u64) -> Result<Option<Vec<u8>>, CliError> {
        if let Source::Recording { scene, .. } = &self.0
            && scene.file(&name_below(scene_folder(scene), path)).is_none()
        {
            return Ok(None);
        }
        match self.read(path, limit) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(CliError::Read(error)) if matches!(error.reason(), ReadReason::Missing) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn from_folder(name: &str, wanted: FileHash, folder: Option<&Path>) -> Result<Vec<u8>, CliError> {
    let Some(folder) = folder else {
        return Err(CliError::Usage(format!(
            "{name} is known to the recording only by its hash: name the folder of the scene with --files"
        )));
    };
    let path = folder.join(name);
    let bytes = read_limited(&path, MAX_FILE_BYTES)?;
    let found = FileHash::of(&bytes);
    if found != wanted {
        return Err(CliError::Usage(format!(
            "{} is not the file that was recorded: its hash is {found}, and {wanted} was kept",
            path.display()
        )));
    }
    Ok(bytes)
}

/// The folder of a scene as it was called when it was recorded.
fn scene_folder(scene: &RecordedScene) -> &Path {
    Path::new(&scene.name).parent().unwrap_or_else(|| Path::new(""))
}

/// A path as the scene writes it.
fn name_below(folder: &Path, path: &Path) -> String {
    path.strip_prefix(folder).unwrap_or(path).display().to_string()
}
