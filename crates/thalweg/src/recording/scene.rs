//! What a recording says about the run: the scene, what was set beside it, and the files it names.

use super::bytes::{Cursor, Wrong, pack, put, put_bytes, unpack};
use super::{RecordingError, RecordingOptions};
use crate::scene::{Scene, SceneError};
use crate::simulation::Simulation;
use core::fmt;
use xxhash_rust::xxh3::xxh3_128;

/// The hash of a file: XXH3 with 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileHash(pub u128);

impl FileHash {
    /// Of the content of a file.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh3_128(bytes))
    }
}

impl fmt::Display for FileHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// A file that the scene names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedFile {
    /// Its name as the scene writes it.
    pub name: String,
    /// What stands in it, or by what it is known again.
    pub content: RecordedContent,
}

/// What a recording keeps of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordedContent {
    /// All of it: the recording can be replayed where the file is not.
    Bytes(Vec<u8>),
    /// Its hash: whoever replays must have the file.
    Hash(FileHash),
}

impl RecordedFile {
    /// A file, kept whole.
    #[must_use]
    pub const fn whole(name: String, bytes: Vec<u8>) -> Self {
        Self {
            name,
            content: RecordedContent::Bytes(bytes),
        }
    }

    /// The same file, kept by its hash.
    #[must_use]
    pub fn by_hash(self) -> Self {
        Self {
            content: RecordedContent::Hash(self.hash()),
            ..self
        }
    }

    /// By what it is known again.
    #[must_use]
    pub fn hash(&self) -> FileHash {
        match &self.content {
            RecordedContent::Bytes(bytes) => FileHash::of(bytes),
            RecordedContent::Hash(hash) => *hash,
        }
    }
}

/// A scene as it is recorded: text and files, not what was read from them, so that whoever replays reads them anew.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct RecordedScene {
    /// What its file is called.
    pub name: String,
    /// What stands in its file.
    pub text: String,
    /// A tick length in seconds that was set instead of the scene's ([`Scene::with_tick`]).
    pub tick_s: Option<f64>,
    /// A number of ticks that was set instead of the scene's, if it has more.
    pub ticks: Option<u64>,
    /// The files that it names.
    pub files: Vec<RecordedFile>,
}

impl RecordedScene {
    /// A scene that names no files, run as its text says.
    #[must_use]
    pub const fn new(name: String, text: String) -> Self {
        Self {
            name,
            text,
            tick_s: None,
            ticks: None,
            files: Vec::new(),
        }
    }

    /// With another tick length, in seconds.
    #[must_use]
    pub const fn with_tick(mut self, tick_s: f64) -> Self {
        self.tick_s = Some(tick_s);
        self
    }

    /// With another number of ticks.
    #[must_use]
    pub const fn with_ticks(mut self, ticks: u64) -> Self {
        self.ticks = Some(ticks);
        self
    }

    /// With the files that it names.
    #[must_use]
    pub fn with_files(mut self, files: Vec<RecordedFile>) -> Self {
        self.files = files;
        self
    }

    /// The scene with what was set beside it: another tick length first, then fewer ticks.
    ///
    /// # Errors
    /// That of [`Scene::with_tick`].
    pub fn set_on(&self, mut scene: Scene) -> Result<Scene, SceneError> {
        if let Some(tick_s) = self.tick_s {
            scene = scene.with_tick(tick_s)?;
        }
        if let Some(ticks) = self.ticks {
            scene.ticks = scene.ticks.min(ticks);
        }
        Ok(scene)
    }

    /// The file of this name.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<&RecordedFile> {
        self.files.iter().find(|file| file.name == name)
    }
}

/// How a recording was made.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordingHead {
    /// The scene.
    pub scene: RecordedScene,
    /// The version of this crate that recorded it. Another version may run the same scene otherwise.
    pub made_by: String,
    /// States of agents were kept every so many ticks; 0 for never.
    pub states_every: u64,
    pub(super) motion: Motion,
}

/// By what velocities follow from positions, so that they need not be kept.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Motion {
    pub(super) tick_s: f64,
    pub(super) is_strict: bool,
}

impl RecordingHead {
    pub(super) fn new(scene: RecordedScene, simulation: &Simulation, options: &RecordingOptions) -> Self {
        Self {
            scene,
            made_by: env!("CARGO_PKG_VERSION").to_owned(),
            states_every: options.states_every,
            motion: Motion {
                tick_s: simulation.scene().tick_s,
                is_strict: simulation.crowd().strict().is_some(),
            },
        }
    }

    pub(super) fn write(&self) -> Result<Vec<u8>, RecordingError> {
        let mut out = Vec::new();
        let scene = &self.scene;
        put_bytes(&mut out, self.made_by.as_bytes());
        put(&mut out, self.states_every);
        out.extend(self.motion.tick_s.to_bits().to_le_bytes());
        out.push(u8::from(self.motion.is_strict));
        put_bytes(&mut out, scene.name.as_bytes());
        put_bytes(&mut out, scene.text.as_bytes());
        out.push(u8::from(scene.tick_s.is_some()) | u8::from(scene.ticks.is_some()) << 1);
        if let Some(tick_s) = scene.tick_s {
            out.extend(tick_s.to_bits().to_le_bytes());
        }
        if let Some(ticks) = scene.ticks {
            put(&mut out, ticks);
        }
        put(&mut out, scene.files.len() as u64);
        for file in &scene.files {
            put_bytes(&mut out, file.name.as_bytes());
            match &file.content {
                RecordedContent::Bytes(bytes) => {
                    out.push(1);
                    put_bytes(&mut out, bytes);
                }
                RecordedContent::Hash(hash) => {
                    out.push(0);
                    out.extend(hash.0.to_le_bytes());
                }
            }
        }
        let mut packed = Vec::new();
        pack(&mut packed, &out)?;
        Ok(packed)
    }

    pub(super) fn read(payload: &[u8]) -> Result<Self, Wrong> {
        let mut bytes = Vec::new();
        unpack(Cursor::new(payload), &mut bytes)?;
        let mut cursor = Cursor::new(&bytes);
        let made_by = cursor.text()?.to_owned();
        let states_every = cursor.number()?;
        let motion = Motion {
            tick_s: f64::from_bits(cursor.u64()?),
            is_strict: flag(&mut cursor)?,
        };
        let mut scene = RecordedScene::new(cursor.text()?.to_owned(), cursor.text()?.to_owned());
        let set = cursor.u8()?;
        if set > 3 {
            return Err("something is set beside the scene that version 1 does not have");
        }
        if set & 1 != 0 {
            scene.tick_s = Some(f64::from_bits(cursor.u64()?));
        }
        if set & 2 != 0 {
            scene.ticks = Some(cursor.number()?);
        }
        for _ in 0..cursor.number()? {
            let name = cursor.text()?.to_owned();
            let content = if flag(&mut cursor)? {
                RecordedContent::Bytes(cursor.bytes()?.to_vec())
            } else {
                RecordedContent::Hash(FileHash(cursor.u128()?))
            };
            scene.files.push(RecordedFile { name, content });
        }
        cursor.finish()?;
        Ok(Self {
            scene,
            made_by,
            states_every,
            motion,
        })
    }
}

fn flag(cursor: &mut Cursor<'_>) -> Result<bool, Wrong> {
    match cursor.u8()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err("a flag is neither 0 nor 1"),
    }
}
