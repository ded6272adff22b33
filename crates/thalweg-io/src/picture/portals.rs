//! Portals: a diamond at each end, of one colour for the two.

use super::canvas::{Paint, Picture};
use super::palette::{self, group_colour};
use super::sheet::Sheet;
use thalweg_core::grid::{CellId, Grid};

/// The first colour: the first group and the goals have the ones before it.
const FIRST_COLOUR: u32 = 4;

/// Marks portals on a picture of their map: a filled diamond where one can be entered, a hollow one where one can only
/// come out. Both ends of a portal have the same colour, and so have those of a portal and its way back; colours repeat.
/// Pictures on which cells are smaller than pixels are left as they are, and so are ids that are not of the map.
pub fn draw_portals(picture: &mut Picture, grid: &Grid, portals: &[(CellId, CellId)]) {
    let scale = picture.scale().pixels();
    if scale < 1.0 {
        return;
    }
    let sheet = Sheet::of(grid);
    let is_there = |&(from, to): &(CellId, CellId)| from.index() < grid.len() && to.index() < grid.len();
    // A portal and its way back are one pair.
    let mut pairs: Vec<(CellId, CellId)> = Vec::new();
    for &(from, to) in portals.iter().filter(|portal| is_there(portal)) {
        if !pairs.contains(&(to, from)) && !pairs.contains(&(from, to)) {
            pairs.push((from, to));
        }
    }
    let size = (0.36 * scale).clamp(3.0, 12.0);
    for (colour, &(from, to)) in (FIRST_COLOUR..).zip(&pairs) {
        for end in [from, to] {
            let (column, row) = sheet.place(end);
            let at = [(column as f32 + 0.5) * scale, (row as f32 + 0.5) * scale];
            diamond(picture, at, size + 1.2, palette::INK);
            diamond(picture, at, size, group_colour(colour));
            if !portals.iter().any(|&(entrance, _)| entrance == end) {
                diamond(picture, at, size * 0.5, palette::WHITE);
            }
        }
    }
}

fn diamond(picture: &mut Picture, [x, y]: [f32; 2], size: f32, colour: palette::Colour) {
    let corners = [[x, y - size], [x + size, y], [x, y + size], [x - size, y]];
    picture.convex(corners, Paint { colour, alpha: 1.0 });
}
