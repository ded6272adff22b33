//! Heights, and what slopes do.

use super::Checker;
use crate::scene::SceneError;
use crate::scene::inputs::{FileContent, FilePurpose};
use thalweg_core::cost::{HeightMap, SlopeBand, SlopeBands};
use thalweg_core::grid::{Grid, Layer};

impl Checker<'_> {
    pub(super) fn heights(&self) -> Result<Option<HeightMap>, SceneError> {
        let Some(spanned) = &self.file.heights else {
            return Ok(None);
        };
        let fail =
            |reason: String| SceneError::at_line(self.file.line(spanned), format!("[heights] {reason}"));
        let table = spanned.get_ref();
        let grid = self.map.costs.grid();
        let heights = match (&table.rows, &table.file) {
            (Some(_), None) if table.scale.is_some() || table.levels.is_some() => {
                return Err(fail("`scale` and `levels` are for a `file`".to_owned()));
            }
            (Some(rows), None) => {
                check_rows(grid, rows).map_err(fail)?;
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "heights are f32; NaN and infinity stay so"
                )]
                let one = |height: f64| height as f32;
                let numbers = rows.iter().flatten().copied().map(one).collect();
                let cell_size = table
                    .cell_size
                    .unwrap_or_else(|| self.file.map.get_ref().cell_size.unwrap_or(1.0));
                HeightMap::new(grid.to_owned(), cell_size, numbers, table.nodata.map(one))
                    .map_err(|error| fail(error.to_string()))?
            }
            (None, Some(names)) => {
                if table.nodata.is_some() {
                    return Err(fail(
                        "`nodata` is for `rows`; a file says itself what it is".to_owned(),
                    ));
                }
                let layers =
                    names
                        .names()
                        .iter()
                        .map(|name| match self.inputs.file(FilePurpose::Heights, name) {
                            Some(FileContent::Heights(heights)) => Ok((name, heights)),
                            _ => Err(fail(format!("file {name} was not read as heights"))),
                        });
                let layers = layers.collect::<Result<Vec<_>, _>>()?;
                stacked(grid, &layers).map_err(fail)?
            }
            _ => return Err(fail("needs exactly one of `rows` and `file`".to_owned())),
        };
        Ok(Some(heights))
    }
}

/// Rows of heights must be those of the map: of one layer after the other.
fn check_rows(grid: &Grid, rows: &[Vec<f64>]) -> Result<(), String> {
    let wanted: usize = grid.layers().iter().map(|layer| layer.height() as usize).sum();
    if rows.len() != wanted {
        let layers = match grid.layers().len() {
            1 => String::new(),
            layers => format!(" on its {layers} layers together"),
        };
        return Err(format!(
            "there are {} rows, but the map has {wanted}{layers}",
            rows.len()
        ));
    }
    let widths = grid
        .layers()
        .iter()
        .flat_map(|layer| core::iter::repeat_n(layer, layer.height() as usize));
    for (row, (numbers, layer)) in rows.iter().zip(widths).enumerate() {
        if numbers.len() != layer.width() as usize {
            let what = match grid.layers().len() {
                1 => "the map".to_owned(),
                _ => format!("layer {}", layer.index()),
            };
            return Err(format!(
                "row {row} has {} numbers, but {what} is {} cells wide",
                numbers.len(),
                layer.width()
            ));
        }
    }
    Ok(())
}

/// The heights of all layers from one file for each, in order. Where the layers begin is told by the map.
fn stacked(grid: &Grid, files: &[(&String, &HeightMap)]) -> Result<HeightMap, String> {
    one_for_each(grid, files.len())?;
    let mut cell_size = None;
    let mut heights = Vec::with_capacity(grid.len());
    for (layer, (name, file)) in grid.layers().iter().zip(files) {
        fits(layer, file.grid(), grid, &format!("file {name}: heights"))?;
        let size = *cell_size.get_or_insert(file.cell_size());
        if size != file.cell_size() {
            return Err(format!(
                "file {name} has cells of {}, but the one before of {size}; say which by cell_size",
                file.cell_size()
            ));
        }
        heights.extend(file.grid().ids().map(|id| file.height(id).unwrap_or(f32::NAN)));
    }
    HeightMap::new(grid.to_owned(), cell_size.unwrap_or(1.0), heights, Some(f32::NAN))
        .map_err(|error| error.to_string())
}

/// A list of files must have one for each layer.
pub(super) fn one_for_each(grid: &Grid, files: usize) -> Result<(), String> {
    match grid.layers().len() {
        layers if layers == files => Ok(()),
        layers => Err(format!(
            "{files} files were given, but the map has {layers} layers; name one file for each"
        )),
    }
}

/// A file of one layer must be as large as that layer; where it begins is told by the map.
pub(super) fn fits(layer: &Layer, file: &Grid, map: &Grid, what: &str) -> Result<(), String> {
    if file.layers().len() == 1 && (file.width(), file.height()) == (layer.width(), layer.height()) {
        return Ok(());
    }
    let target = match map.layers().len() {
        1 => "the map".to_owned(),
        _ => format!("layer {}", layer.index()),
    };
    Err(format!(
        "{what} of {} cells do not fit {target} of {} x {}",
        super::cells::size_of(file),
        layer.width(),
        layer.height()
    ))
}

/// Slope bands as written: [[below, extra], …].
pub(super) fn bands(table: &[[f64; 2]]) -> Result<SlopeBands, String> {
    let bands = table.iter().map(|&[below, extra]| {
        if !(0.0..=254.0).contains(&extra) || extra.fract() != 0.0 {
            return Err(format!(
                "the band below {below} adds {extra}; it must be a whole number from 0 to 254, and the band be left out to be impassable"
            ));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
        let extra = extra as u8;
        Ok(SlopeBand { below, extra })
    });
    SlopeBands::new(bands.collect::<Result<Vec<_>, String>>()?).map_err(|error| error.to_string())
}
