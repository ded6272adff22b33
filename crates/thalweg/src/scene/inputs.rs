//! The files a scene wants beside itself, and what stood in them. Reading them is the caller's business.

use super::SceneFile;
use super::places::FilesTable;
use super::plan::SceneMap;
use std::collections::BTreeMap;
use thalweg_core::cost::{CostField, HeightMap, TerrainMap};

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
    /// What a file of heights cannot say about itself; for other files it means nothing.
    pub heights: HeightFile,
    /// For pictures of terrain whose classes are given by colours: red, green, blue, and the class that
    /// [`FileContent::Classes`] is to have there. Empty if the numbers that the picture stores are meant.
    pub colours: Vec<([u8; 3], u8)>,
}

/// What a file of heights cannot say about itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeightFile {
    /// The side of a cell in the unit of the heights, whatever the file says.
    pub cell_size: Option<f64>,
    /// The side of a cell if neither the scene nor the file says.
    pub usual_cell_size: f64,
    /// What stored numbers and grey levels are as heights; without it numbers are heights as they stand.
    pub scale: Option<HeightScale>,
    /// Stored numbers of this value are unknown; may be NaN.
    pub nodata: Option<f64>,
}

impl Default for HeightFile {
    fn default() -> Self {
        Self {
            cell_size: None,
            usual_cell_size: 1.0,
            scale: None,
            nodata: None,
        }
    }
}

/// What stored numbers are as heights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HeightScale {
    /// height = `base` + stored number × `per_unit`.
    Linear {
        /// Height of the stored number 0.
        base: f64,
        /// Height from one stored number to the next.
        per_unit: f64,
    },
    /// Black and white of a picture; the other levels lie evenly between them, whatever its depth.
    Range {
        /// Height of level 0.
        black: f64,
        /// Height of the largest level.
        white: f64,
    },
}

/// What stood in a file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum FileContent {
    /// A text of letters, one per cell.
    Letters(String),
    /// A number from 0 to 255 per cell, or none where a cell is unknown. A file stands for one layer.
    Numbers(CostField),
    /// A class per cell, by the colours of [`WantedFile::colours`]. A file stands for one layer.
    Classes(TerrainMap),
    /// Heights. A file stands for one layer.
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
        let file = |purpose, name: &String, line| WantedFile {
            purpose,
            name: name.clone(),
            line,
            heights: HeightFile::default(),
            colours: Vec::new(),
        };
        if let Some(spanned) = &self.terrain {
            let table = spanned.get_ref();
            for name in table.file.iter().flat_map(FilesTable::names) {
                let mut file = file(FilePurpose::Terrain, name, self.line(spanned));
                // Elsewhere `#` is the letter of a wall.
                if name.to_ascii_lowercase().ends_with(".png") {
                    file.colours = table.colour_marks();
                }
                wanted.push(file);
            }
        }
        if let Some(table) = &self.heights {
            let heights = table.get_ref();
            let scale = match (heights.scale, heights.levels) {
                (Some([base, per_unit]), _) => Some(HeightScale::Linear { base, per_unit }),
                (None, Some([black, white])) => Some(HeightScale::Range { black, white }),
                (None, None) => None,
            };
            let heights_of_file = HeightFile {
                cell_size: heights.cell_size,
                usual_cell_size: self.map.get_ref().cell_size.unwrap_or(1.0),
                scale,
                nodata: heights.nodata,
            };
            for name in heights.file.iter().flat_map(FilesTable::names) {
                wanted.push(WantedFile {
                    heights: heights_of_file,
                    ..file(FilePurpose::Heights, name, self.line(table))
                });
            }
        }
        for table in &self.overlays {
            let line = self.line(&table.name);
            wanted.extend(
                table
                    .file
                    .iter()
                    .map(|name| file(FilePurpose::Overlay, name, line)),
            );
        }
        wanted
    }
}
