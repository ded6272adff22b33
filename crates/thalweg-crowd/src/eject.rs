//! Getting agents out of walls that came down on them.

use thalweg_core::grid::{CellId, MapPoint, SUBCELLS};
use thalweg_core::movement::Movement;

/// The passable cell of the point's layer whose centre is nearest to it, by straight distance, ties in row order; `None` if no cell is
/// passable there.
///
/// Looks at growing square rings around the point's cell and stops when no farther ring can hold a nearer centre.
pub(crate) fn nearest_passable(movement: &Movement, at: MapPoint) -> Option<CellId> {
    let layer = movement.grid().layer(at.layer)?;
    let (column, row) = at.column_row();
    let (width, height) = (i64::from(layer.width()), i64::from(layer.height()));
    let (column, row) = (
        i64::from(column).clamp(0, width - 1),
        i64::from(row).clamp(0, height - 1),
    );
    let cell = i64::from(SUBCELLS);
    let mut best: Option<(u128, CellId)> = None;
    for ring in 0..width.max(height) {
        // The nearest centre of this ring is at least this far from the point, whose own cell is ring 0.
        let least = u128::from((ring * cell - cell / 2).max(0).unsigned_abs());
        if best.is_some_and(|(square, _)| square < least * least) {
            break;
        }
        for y in row - ring..=row + ring {
            let step = if (y - row).abs() == ring {
                1
            } else {
                (2 * ring).max(1)
            };
            let mut x = column - ring;
            while x <= column + ring {
                if let (Ok(on_x), Ok(on_y)) = (u32::try_from(x), u32::try_from(y))
                    && let Some(id) = layer.id_at(on_x, on_y)
                    && movement.is_passable(id)
                {
                    let far = |cells: i64, at: i32| {
                        u128::from((cells * cell + cell / 2 - i64::from(at)).unsigned_abs())
                    };
                    let (dx, dy) = (far(x, at.x), far(y, at.y));
                    let candidate = (dx * dx + dy * dy, id);
                    if best.is_none_or(|best| candidate < best) {
                        best = Some(candidate);
                    }
                }
                x += step;
            }
        }
    }
    best.map(|(_, id)| id)
}
