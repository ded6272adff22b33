//! The ground of a map: tones of cost, dark walls, striped unknown cells.

use super::canvas::{Picture, PictureError};
use super::palette::{self, Colour};
use super::relief::GroundLook;
use super::scale::Scale;
use super::sheet::Sheet;
use thalweg_core::cost::CostField;
use thalweg_core::grid::CellId;

/// Cells narrower than this many pixels get no shadows and no stripes, which would be all one sees of them.
const SMALLEST_DETAIL: u32 = 5;

/// Draws the ground of a map: light where it is cheap, brown where it is dear, dark where it is impassable, striped
/// grey where it is unknown.
///
/// # Errors
/// [`PictureError::TooLarge`].
pub fn draw_ground(costs: &CostField, scale: Scale) -> Result<Picture, PictureError> {
    draw_cells(costs, scale, |id, _| ground_colour(costs, id))
}

/// Draws the ground of a map with its terrain classes and heights.
///
/// # Errors
/// [`PictureError::TooLarge`].
pub fn draw_ground_with(
    costs: &CostField,
    look: GroundLook<'_>,
    scale: Scale,
) -> Result<Picture, PictureError> {
    draw_cells(costs, scale, |id, _| look.colour(costs, id))
}

/// The flat tone of a cell.
pub(super) fn ground_colour(costs: &CostField, id: CellId) -> Colour {
    match costs.get(id) {
        None => palette::UNKNOWN,
        Some(cost) if !cost.is_passable() => palette::WALL,
        Some(cost) => palette::ground(cost.byte()),
    }
}

/// Where on the sheet of a map a pixel lies, in cells from its north-west corner.
pub(super) type SheetPoint = [f32; 2];

/// Draws every pixel by the colour of its cell, and what all pictures share on top: the stripes of unknown cells and
/// the shadows at the foot of walls. Where several cells share a pixel their mean is drawn.
pub(super) fn draw_cells(
    costs: &CostField,
    scale: Scale,
    mut colour: impl FnMut(CellId, SheetPoint) -> Colour,
) -> Result<Picture, PictureError> {
    let sheet = Sheet::of(costs.grid());
    let mut picture = Picture::new(costs.grid(), scale, palette::WALL)?;
    match scale {
        Scale::PixelsPerCell(pixels) => {
            let pixels = pixels.max(1);
            for (y, row) in picture.rows_mut() {
                for (x, pixel) in (0u32..).zip(row) {
                    let Some(id) = sheet.id_at(x / pixels, y / pixels) else {
                        *pixel = palette::WHITE;
                        continue;
                    };
                    let point = [(x as f32 + 0.5) / pixels as f32, (y as f32 + 0.5) / pixels as f32];
                    *pixel = colour(id, point);
                    if pixels >= SMALLEST_DETAIL {
                        *pixel = detail(costs, id, [x % pixels, y % pixels], pixels, *pixel);
                    }
                }
            }
        }
        Scale::CellsPerPixel(cells) => {
            let cells = cells.max(1);
            for (y, row) in picture.rows_mut() {
                for (x, pixel) in (0u32..).zip(row) {
                    *pixel = mean(&sheet, [x * cells, y * cells], cells, &mut colour);
                }
            }
        }
    }
    Ok(picture)
}

fn detail(costs: &CostField, id: CellId, [x, y]: [u32; 2], pixels: u32, colour: Colour) -> Colour {
    if !costs.is_known(id) {
        let stripe = (x + y) % pixels.clamp(4, 10) < 2;
        return if stripe { palette::UNKNOWN_STRIPE } else { colour };
    }
    if is_wall(costs, Some(id)) {
        return colour;
    }
    // Light falls from the north-west, so that walls seem to stand up from the ground.
    let grid = costs.grid();
    let layer = grid.layer_of(id);
    let (column, row) = grid.column_row_of(id);
    let wall_at = |dx: u32, dy: u32| {
        let cell = (column.checked_sub(dx), row.checked_sub(dy));
        is_wall(
            costs,
            cell.0
                .zip(cell.1)
                .and_then(|(column, row)| layer.id_at(column, row)),
        )
    };
    let shadow = pixels as f32 * 0.22;
    let (from_west, from_north) = (x as f32 + 0.5, y as f32 + 0.5);
    let depth = [
        (wall_at(1, 0), from_west),
        (wall_at(0, 1), from_north),
        (wall_at(1, 1), from_west.max(from_north)),
    ];
    let depth = depth
        .into_iter()
        .filter(|&(wall, _)| wall)
        .map(|(_, distance)| distance)
        .fold(f32::MAX, f32::min);
    colour.mix(palette::BLACK, 0.34 * (1.0 - depth / shadow).clamp(0.0, 1.0))
}

fn is_wall(costs: &CostField, id: Option<CellId>) -> bool {
    id.and_then(|id| costs.get(id))
        .is_some_and(|cost| !cost.is_passable())
}

/// The mean colour of a square of cells whose first cell has this column and row.
fn mean(
    sheet: &Sheet<'_>,
    [left, top]: [u32; 2],
    cells: u32,
    colour: &mut impl FnMut(CellId, SheetPoint) -> Colour,
) -> Colour {
    let mut sum = [0u64; 3];
    let mut count = 0;
    for row in top..top.saturating_add(cells).min(sheet.height()) {
        for column in left..left.saturating_add(cells).min(sheet.width()) {
            let Some(id) = sheet.id_at(column, row) else {
                continue;
            };
            let cell = colour(id, [column as f32 + 0.5, row as f32 + 0.5]);
            for (sum, channel) in sum.iter_mut().zip(cell.0) {
                *sum += u64::from(channel);
            }
            count += 1;
        }
    }
    if count == 0 {
        return palette::WHITE;
    }
    Colour(sum.map(|sum| u8::try_from(sum / count).unwrap_or(u8::MAX)))
}
