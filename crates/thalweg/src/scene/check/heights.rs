//! Heights, and what slopes do.

use super::Checker;
use crate::scene::SceneError;
use crate::scene::inputs::{FileContent, FilePurpose};
use thalweg_core::cost::{HeightMap, SlopeBand, SlopeBands};

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
                let (width, height) = (grid.width() as usize, grid.height() as usize);
                if rows.len() != height {
                    return Err(fail(format!(
                        "there are {} rows, but the map has {height}",
                        rows.len()
                    )));
                }
                if let Some((row, numbers)) = rows.iter().enumerate().find(|(_, row)| row.len() != width) {
                    return Err(fail(format!(
                        "row {row} has {} numbers, but the map is {width} cells wide",
                        numbers.len()
                    )));
                }
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
            (None, Some(name)) => {
                if table.nodata.is_some() {
                    return Err(fail(
                        "`nodata` is for `rows`; a file says itself what it is".to_owned(),
                    ));
                }
                match self.inputs.file(FilePurpose::Heights, name) {
                    Some(FileContent::Heights(heights)) => heights.clone(),
                    _ => return Err(fail(format!("file {name} was not read as heights"))),
                }
            }
            _ => return Err(fail("needs exactly one of `rows` and `file`".to_owned())),
        };
        let other = heights.grid();
        if (other.width(), other.height()) != (grid.width(), grid.height()) || other != grid {
            return Err(fail(format!(
                "{} x {} heights do not fit the map of {} x {} cells",
                other.width(),
                other.height(),
                grid.width(),
                grid.height()
            )));
        }
        Ok(Some(heights))
    }
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
