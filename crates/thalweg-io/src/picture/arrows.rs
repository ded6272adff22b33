//! Direction arrows.

use super::canvas::{Paint, Picture};
use super::palette;
use super::scale::Scale;
use super::sheet::Sheet;
use thalweg_core::flow::FlowField;
use thalweg_core::grid::CellId;

/// Arrows nearer to each other than this many pixels cannot be told apart.
const SMALLEST_SPACING: u32 = 18;

/// Draws an arrow in every cell, or in every n-th cell of every n-th row where cells are small. A thinned arrow shows
/// where the next n steps lead, not only the first.
pub(super) fn draw_arrows(picture: &mut Picture, flow: &FlowField) {
    let Scale::PixelsPerCell(pixels) = picture.scale() else {
        return;
    };
    let every = SMALLEST_SPACING.div_ceil(pixels.max(1));
    for (id, centre, length) in thinned(picture, &Sheet::of(flow.grid())) {
        if let Some(vector) = ahead(flow, id, every) {
            arrow(picture, centre, vector, length);
        }
    }
}

/// The cells that get an arrow, each with the pixel of its centre and the arrow's length. None where cells are smaller than
/// pixels.
pub(super) fn thinned(picture: &Picture, sheet: &Sheet<'_>) -> Vec<(CellId, [f32; 2], f32)> {
    let Scale::PixelsPerCell(pixels) = picture.scale() else {
        return Vec::new();
    };
    let pixels = pixels.max(1);
    let every = SMALLEST_SPACING.div_ceil(pixels);
    let length = (every * pixels) as f32 * 0.58;
    let mut cells = Vec::new();
    // Maps narrower than the spacing still get their arrows.
    let first = |cells: u32| (every / 2).min(cells - 1);
    for row in (first(sheet.height())..sheet.height()).step_by(every as usize) {
        for column in (first(sheet.width())..sheet.width()).step_by(every as usize) {
            let Some(id) = sheet.id_at(column, row) else {
                continue;
            };
            let centre = [
                (column as f32 + 0.5) * pixels as f32,
                (row as f32 + 0.5) * pixels as f32,
            ];
            cells.push((id, centre, length));
        }
    }
    cells
}

/// The unit vector to where `steps` steps along the field lead, or `None` where there is no direction.
fn ahead(flow: &FlowField, from: CellId, steps: u32) -> Option<[f32; 2]> {
    let grid = flow.grid();
    let start = grid.column_row_of(from);
    let mut at = from;
    for _ in 0..steps {
        let next = flow
            .direction(at)
            .and_then(|direction| grid.neighbour(at, direction));
        let Some(next) = next else { break };
        at = next;
    }
    let end = grid.column_row_of(at);
    let (dx, dy) = (end.0 as f32 - start.0 as f32, end.1 as f32 - start.1 as f32);
    let length = dx.hypot(dy);
    (length > 0.0).then(|| [dx / length, dy / length])
}

pub(super) fn arrow(picture: &mut Picture, [x, y]: [f32; 2], [dx, dy]: [f32; 2], length: f32) {
    // The mean of some points around: a single one may lie on a line.
    let offsets = [-0.4, -0.2, 0.0, 0.2, 0.4].map(|part: f32| part * length);
    let around = offsets.iter().flat_map(|dx| offsets.map(|dy| [x + dx, y + dy]));
    let below = around
        .map(|[x, y]| picture.colour_near(x, y).luminance())
        .sum::<f32>()
        / 25.0;
    let paint = if below > 0.5 {
        Paint {
            colour: palette::INK,
            alpha: 0.66,
        }
    } else {
        Paint {
            colour: palette::WHITE,
            alpha: 0.8,
        }
    };
    let point = |along: f32, across: f32| {
        let (along, across) = (along * length, across * length);
        [x + dx * along - dy * across, y + dy * along + dx * across]
    };
    // Shaft and head only touch: painting half-transparent shapes over each other would show.
    let half = (0.045f32).max(0.55 / length);
    picture.convex(
        [
            point(-0.5, -half),
            point(0.12, -half),
            point(0.12, half),
            point(-0.5, half),
        ],
        paint,
    );
    picture.convex([point(0.12, -0.2), point(0.5, 0.0), point(0.12, 0.2)], paint);
}
