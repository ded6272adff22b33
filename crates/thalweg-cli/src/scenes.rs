//! Loads scene files and the maps they want.

use crate::args::GreyArgument;
use crate::error::CliError;
use crate::maps::MapOptions;
use crate::{heights, maps};
use std::path::{Path, PathBuf};
use thalweg::core::cost::{CostField, CostFieldError};
use thalweg::scene::{
    FileContent, FilePurpose, MapSource, SceneError, SceneFile, SceneInputs, SceneMap, WantedFile,
};
use thalweg_io::{Legend, MapLink, TerrainOptions, read_terrain_map, read_text_grid};

/// Reads a scene file, its map, and the files it names.
pub(crate) fn load(path: &Path) -> Result<(SceneFile, SceneInputs), CliError> {
    let bytes = thalweg_io::read_limited(path, thalweg_io::MAX_FILE_BYTES)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        CliError::Usage(format!(
            "{}, byte {at}: a scene must be TOML text in UTF-8",
            path.display()
        ))
    })?;
    let file = parse(path, &text)?;
    let mut inputs = SceneInputs::new(scene_map(path, &file)?);
    for wanted in file.wanted_files() {
        let content = read_wanted(path, &wanted).map_err(|error| {
            let scene = path.display();
            CliError::Usage(format!("{scene}, line {}: {error}", wanted.line))
        })?;
        inputs = inputs.with_file(&wanted, content);
    }
    Ok((file, inputs))
}

/// Reads a file that a scene names; it is looked for beside the scene.
fn read_wanted(scene: &Path, wanted: &WantedFile) -> Result<FileContent, CliError> {
    let path = beside(scene, &wanted.name);
    if wanted.purpose == FilePurpose::Heights {
        return heights::read(&path, &wanted.heights).map(FileContent::Heights);
    }
    let is_text = path.extension().is_some_and(|ending| ending == "txt");
    if is_text && wanted.purpose == FilePurpose::Terrain {
        let bytes = thalweg_io::read_limited(&path, thalweg_io::MAX_FILE_BYTES)?;
        return String::from_utf8(bytes)
            .map(FileContent::Letters)
            .map_err(|error| {
                let at = error.utf8_error().valid_up_to();
                CliError::Usage(format!(
                    "{}, byte {at}: this is not text in UTF-8",
                    path.display()
                ))
            });
    }
    let is_picture = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    if is_picture && wanted.purpose == FilePurpose::Terrain {
        return terrain_picture(&path, &wanted.colours);
    }
    Ok(FileContent::Numbers(
        maps::load(&path, MapOptions::grey(GreyArgument::Level))?.costs,
    ))
}

/// The classes of a picture: by its colours, or else the numbers that it stores.
fn terrain_picture(path: &Path, colours: &[([u8; 3], u8)]) -> Result<FileContent, CliError> {
    let legend = colours.iter().fold(Legend::new(), |legend, &(colour, class)| {
        legend.with_colour(colour, class)
    });
    if !colours.is_empty() {
        let map = read_terrain_map(path, &TerrainOptions::new(legend))?;
        return Ok(FileContent::Classes(map));
    }
    let legend = legend.with_numbers_as_classes();
    let map = read_terrain_map(path, &TerrainOptions::new(legend))?;
    let grid = map.grid();
    let numbers = grid.ids().map(|id| map.class(id).unwrap_or(0)).collect();
    let broken = |error: CostFieldError| CliError::Usage(format!("{}: {error}", path.display()));
    let mut field = CostField::from_bytes(grid.to_owned(), numbers).map_err(broken)?;
    for id in grid.ids().filter(|&id| map.class(id).is_none()) {
        field.set_unknown(grid.cell(id)).map_err(broken)?;
    }
    Ok(FileContent::Numbers(field))
}

/// The path of a file that a scene names.
fn beside(scene: &Path, name: &str) -> PathBuf {
    scene
        .parent()
        .map_or_else(|| PathBuf::from(name), |folder| folder.join(name))
}

pub(crate) fn parse(name: &Path, text: &str) -> Result<SceneFile, CliError> {
    SceneFile::parse(text).map_err(|error| scene_error(name, error))
}

pub(crate) fn scene_error(scene: &Path, error: SceneError) -> CliError {
    CliError::Scene {
        scene: scene.to_owned(),
        error,
    }
}

/// The map that a scene wants; a file is looked for beside the scene.
pub(crate) fn scene_map(scene: &Path, file: &SceneFile) -> Result<SceneMap, CliError> {
    match file.map_source().map_err(|error| scene_error(scene, error))? {
        MapSource::Text(text) => text_map(&format!("{}, [map] text", scene.display()), &text),
        MapSource::File(name) => {
            let path = beside(scene, &name);
            let options = MapOptions {
                grey: GreyArgument::WhiteCheap,
                property: file.tile_property().unwrap_or(maps::TILE_PROPERTY),
            };
            maps::load(&path, options).map_err(|error| {
                CliError::Usage(format!(
                    "{}, line {}: map {error}",
                    scene.display(),
                    file.map_line()
                ))
            })
        }
        MapSource::Generate { kind, side, seed } => {
            let map = kind
                .generate(side, seed)
                .map_err(|error| CliError::Usage(format!("{}, [map] generate: {error}", scene.display())))?;
            Ok(SceneMap {
                goals: vec![map.goal_cell()],
                ..SceneMap::new(map.cost_field())
            })
        }
    }
}

pub(crate) fn text_map(name: &str, text: &str) -> Result<SceneMap, CliError> {
    let grid = read_text_grid(name, text.as_bytes())?;
    Ok(SceneMap {
        costs: grid.costs,
        goals: grid.goals,
        marks: grid.marks,
        links: grid.links.iter().flat_map(MapLink::ways).collect(),
    })
}
