//! What can be typed about recordings.

use crate::record::RecordPlan;
use crate::scene_files::SceneFiles;
use clap::Args;
use std::path::PathBuf;
use thalweg::recording::{RecordedScene, RecordingOptions};

#[derive(Debug, Args)]
pub(crate) struct RecordingArguments {
    /// What comes from outside, by tick: one JSON object a line, such as {"tick": 40, "close": "gate"}
    #[arg(long, value_name = "FILE", conflicts_with = "mapf")]
    pub(crate) inputs: Option<PathBuf>,
    /// Record the run: thalweg replay runs it again and tells where it differs. It grows as FILE.part
    #[arg(long, value_name = "FILE", conflicts_with = "mapf")]
    pub(crate) record: Option<PathBuf>,
    /// Record where agents are every N ticks; 0 for never, then a replay names the tick that differs, but no agent
    #[arg(long, default_value_t = 1, value_name = "N", requires = "record")]
    pub(crate) record_states: u64,
    /// Record of the files that the scene names only their hashes: whoever replays must have them
    #[arg(long, requires = "record")]
    pub(crate) record_lean: bool,
}

impl RecordingArguments {
    /// How to record a scene with the files that were read for it; `None` if nobody asked for it.
    pub(crate) fn plan(&self, scene: RecordedScene, files: SceneFiles<'_>) -> Option<RecordPlan> {
        let file = self.record.clone()?;
        let mut files = files.into_kept();
        if self.record_lean {
            files = files.into_iter().map(|file| file.by_hash()).collect();
        }
        Some(RecordPlan {
            file,
            options: RecordingOptions::new().with_states_every(self.record_states),
            scene: scene.with_files(files),
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// A recording, whole or cut off
    #[arg(value_name = "FILE")]
    pub(crate) recording: PathBuf,
    /// Stop when so many ticks have been stepped, and tell how the crowd stands then; 0 is the start
    #[arg(long, value_name = "TICK", conflicts_with = "against")]
    pub(crate) at: Option<u64>,
    /// Draw the crowd as it stands where the replay stops
    #[arg(long, value_name = "FILE.png", conflicts_with = "against")]
    pub(crate) picture: Option<PathBuf>,
    /// Compare with another recording, without running either
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<PathBuf>,
    /// The folder of the scene, for files of which the recording holds only the hash
    #[arg(long, value_name = "DIR", conflicts_with = "against")]
    pub(crate) files: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: super::RunArguments,
}
