//! Loads scene files and the maps they want.

use crate::args::GreyArgument;
use crate::error::CliError;
use crate::maps::MapOptions;
use crate::scene_files::SceneFiles;
use crate::{heights, maps};
use std::path::{Path, PathBuf};
use thalweg::core::cost::{CostField, CostFieldError};
use thalweg::scene::{
    FileContent, FilePurpose, MapSource, SceneError, SceneFile, SceneInputs, SceneMap, WantedFile,
};
use thalweg_io::{Legend, MAX_FILE_BYTES, MapLink, TerrainOptions, read_text_grid, terrain_map_from_bytes};

/// Reads a scene file, its map, and the files it names.
pub(crate) fn load(path: &Path) -> Result<(SceneFile, SceneInputs), CliError> {
    let text = read_text(path)?;
    load_from(path, &text, &mut SceneFiles::on_disk())
}

/// The text of a scene file.
pub(crate) fn read_text(path: &Path) -> Result<String, CliError> {
    text(
        path,
        thalweg_io::read_limited(path, MAX_FILE_BYTES)?,
        "a scene must be TOML text in UTF-8",
    )
}

/// Bytes as text, or what is wrong with them.
pub(crate) fn text(path: &Path, bytes: Vec<u8>, wanted: &str) -> Result<String, CliError> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        CliError::Usage(format!("{}, byte {at}: {wanted}", path.display()))
    })
}

/// The scene of this text, with its map and the files it names from wherever they are.
pub(crate) fn load_from(
    path: &Path,
    text: &str,
    files: &mut SceneFiles<'_>,
) -> Result<(SceneFile, SceneInputs), CliError> {
    let file = parse(path, text)?;
    let mut inputs = SceneInputs::new(scene_map(path, &file, files)?);
    for wanted in file.wanted_files() {
        let content = read_wanted(path, &wanted, files).map_err(|error| {
            let scene = path.display();
            CliError::Usage(format!("{scene}, line {}: {error}", wanted.line))
        })?;
        inputs = inputs.with_file(&wanted, content);
    }
    Ok((file, inputs))
}

/// Reads a file that a scene names; it is looked for beside the scene.
fn read_wanted(
    scene: &Path,
    wanted: &WantedFile,
    files: &mut SceneFiles<'_>,
) -> Result<FileContent, CliError> {
    let path = beside(scene, &wanted.name);
    if wanted.purpose == FilePurpose::Heights {
        let bytes = files.read(&path, MAX_FILE_BYTES)?;
        return heights::from_bytes(&path, &bytes, &wanted.heights).map(FileContent::Heights);
    }
    let is_text = path.extension().is_some_and(|ending| ending == "txt");
    if is_text && wanted.purpose == FilePurpose::Terrain {
        let bytes = files.read(&path, MAX_FILE_BYTES)?;
        return text(&path, bytes, "this is not text in UTF-8").map(FileContent::Letters);
    }
    let is_picture = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    if is_picture && wanted.purpose == FilePurpose::Terrain {
        let bytes = files.read(&path, MAX_FILE_BYTES)?;
        return terrain_picture(&path, &bytes, &wanted.colours);
    }
    let options = MapOptions::grey(GreyArgument::Level);
    Ok(FileContent::Numbers(
        maps::load_from(&path, options, files)?.costs,
    ))
}

/// The classes of a picture: by its colours, or else the numbers that it stores.
fn terrain_picture(path: &Path, bytes: &[u8], colours: &[([u8; 3], u8)]) -> Result<FileContent, CliError> {
    let legend = colours.iter().fold(Legend::new(), |legend, &(colour, class)| {
        legend.with_colour(colour, class)
    });
    if !colours.is_empty() {
        let map = terrain_map_from_bytes(path, bytes, &TerrainOptions::new(legend))?;
        return Ok(FileContent::Classes(map));
    }
    let legend = legend.with_numbers_as_classes();
    let map = terrain_map_from_bytes(path, bytes, &TerrainOptions::new(legend))?;
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
fn scene_map(scene: &Path, file: &SceneFile, files: &mut SceneFiles<'_>) -> Result<SceneMap, CliError> {
    match file.map_source().map_err(|error| scene_error(scene, error))? {
        MapSource::Text(text) => text_map(&format!("{}, [map] text", scene.display()), &text),
        MapSource::File(name) => {
            let path = beside(scene, &name);
            let options = MapOptions {
                grey: GreyArgument::WhiteCheap,
                property: file.tile_property().unwrap_or(maps::TILE_PROPERTY),
            };
            maps::load_from(&path, options, files).map_err(|error| {
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
