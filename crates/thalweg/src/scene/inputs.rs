//! The files a scene wants beside itself, and what stood in them. Reading them is the caller's business.

use super::SceneFile;
use super::plan::SceneMap;
use std::collections::BTreeMap;
use thalweg_core::cost::{CostField, HeightMap};

/// What a file is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FilePurpose {
    /// The classes of `[terrain]`: letters or numbers.
    Terrain,
    /// The heights of `[heights]`.
    Heights,
    /// The image of an `[[overlay]]`: numbers.
    Overlay,
}

/// A file that a scene names, relative to the scene file.
#[derive(Debug, Clone, PartialEq)]
pub struct WantedFile {
    /// What for.
    pub purpose: FilePurpose,
    /// Its name as written.
    pub name: String,
    /// The line of the table that names it, from 1.
    pub line: usize,
    /// For heights: the side of a cell in the unit of the heights, if the scene says so; else the file says, or the
    /// map's cell size holds.
    pub cell_size: Option<f64>,
}

/// What stood in a file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum FileContent {
    /// A text of letters, one per cell.
    Letters(String),
    /// A number from 0 to 255 per cell, or none where a cell is unknown.
    Numbers(CostField),
    /// Heights.
    Heights(HeightMap),
}

/// Everything a scene is checked with: its map, and the contents of the files that [`SceneFile::wanted_files`] names.
#[derive(Debug, Clone)]
pub struct SceneInputs {
    /// The map.
    pub map: SceneMap,
    files: BTreeMap<(FilePurpose, String), FileContent>,
}

impl SceneInputs {
    /// A map without further files.
    #[must_use]
    pub const fn new(map: SceneMap) -> Self {
        Self {
            map,
            files: BTreeMap::new(),
        }
    }

    /// The inputs with the content of a file.
    #[must_use]
    pub fn with_file(mut self, wanted: &WantedFile, content: FileContent) -> Self {
        self.files.insert((wanted.purpose, wanted.name.clone()), content);
        self
    }

    pub(super) fn file(&self, purpose: FilePurpose, name: &str) -> Option<&FileContent> {
        self.files.get(&(purpose, name.to_owned()))
    }
}

impl From<SceneMap> for SceneInputs {
    fn from(map: SceneMap) -> Self {
        Self::new(map)
    }
}

impl SceneFile {
    /// The files beside the map that the scene names, in the order of their purposes and tables.
    #[must_use]
    pub fn wanted_files(&self) -> Vec<WantedFile> {
        let mut wanted = Vec::new();
        let mut want = |purpose, name: &Option<String>, line, cell_size| {
            wanted.extend(name.clone().map(|name| WantedFile {
                purpose,
                name,
                line,
                cell_size,
            }));
        };
        if let Some(table) = &self.terrain {
            want(
                FilePurpose::Terrain,
                &table.get_ref().file,
                self.line(table),
                None,
            );
        }
        if let Some(table) = &self.heights {
            let heights = table.get_ref();
            want(
                FilePurpose::Heights,
                &heights.file,
                self.line(table),
                heights.cell_size,
            );
        }
        for table in &self.overlays {
            want(FilePurpose::Overlay, &table.file, self.line(&table.name), None);
        }
        wanted
    }
}
