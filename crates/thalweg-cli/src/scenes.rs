//! Loads scene files and the maps they want.

use crate::args::GreyArgument;
use crate::error::CliError;
use crate::maps::MapOptions;
use crate::{heights, maps};
use std::path::{Path, PathBuf};
use thalweg::scene::{
    FileContent, FilePurpose, MapSource, SceneError, SceneFile, SceneInputs, SceneMap, WantedFile,
};
use thalweg_io::read_text_grid;

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
    Ok(FileContent::Numbers(
        maps::load(&path, MapOptions::grey(GreyArgument::Level))?.costs,
    ))
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
        links: maps::portals(&grid.links),
    })
}
