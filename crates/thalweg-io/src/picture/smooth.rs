//! Cost-to-goal between cell centres, for smooth colours and lines of equal cost.

use super::sheet::Sheet;
use crate::field_view::FieldView;

/// Cost-to-goal as a surface over the sheet.
///
/// Between centres it is bilinear over the reached cells that touch the own cell; a cell that lies only across a
/// corner between two walls does not count, since there is no way through.
#[derive(Debug)]
pub(super) struct Surface {
    width: usize,
    height: usize,
    /// NaN where no goal is reached.
    costs: Vec<f32>,
}

impl Surface {
    pub(super) fn new(view: &FieldView<'_>) -> Self {
        let grid = view.grid();
        let cost = |id| view.cell(id).reached().map_or(f32::NAN, |cost| cost as f32);
        let sheet = Sheet::of(grid);
        let (width, height) = (sheet.width() as usize, sheet.height() as usize);
        let mut costs = vec![f32::NAN; width * height];
        for id in grid.ids() {
            let (column, row) = sheet.place(id);
            costs[row as usize * width + column as usize] = cost(id);
        }
        Self { width, height, costs }
    }

    fn at(&self, column: usize, row: usize, dx: isize, dy: isize) -> f32 {
        let place = column.checked_add_signed(dx).zip(row.checked_add_signed(dy));
        match place {
            Some((column, row)) if column < self.width && row < self.height => {
                self.costs[row * self.width + column]
            }
            _ => f32::NAN,
        }
    }

    /// The cost at a point, in cells from the sheet's north-west corner; NaN where the point's cell is not reached.
    pub(super) fn cost(&self, [x, y]: [f32; 2]) -> f32 {
        let (column, row) = (x.max(0.0) as usize, y.max(0.0) as usize);
        let own = self.at(column, row, 0, 0);
        if own.is_nan() {
            return own;
        }
        // How far from the own centre towards the neighbours on the near side, 0 to 0.5.
        let (along_x, along_y) = (x - column as f32 - 0.5, y - row as f32 - 0.5);
        let (dx, dy) = (sign(along_x), sign(along_y));
        let (along_x, along_y) = (along_x.abs(), along_y.abs());
        let beside = self.at(column, row, dx, 0);
        let above = self.at(column, row, 0, dy);
        let across = if beside.is_nan() && above.is_nan() {
            f32::NAN
        } else {
            self.at(column, row, dx, dy)
        };
        let corners = [
            (own, (1.0 - along_x) * (1.0 - along_y)),
            (beside, along_x * (1.0 - along_y)),
            (above, (1.0 - along_x) * along_y),
            (across, along_x * along_y),
        ];
        let (mut sum, mut weights) = (0.0, 0.0);
        for (cost, weight) in corners {
            if !cost.is_nan() {
                sum += cost * weight;
                weights += weight;
            }
        }
        sum / weights
    }

    /// How much of a line of equal cost covers a point, 0 to 1. Lines lie `spacing` apart in cost and are `width`
    /// cells wide; `step` is the side of a pixel in cells.
    pub(super) fn line_cover(&self, point: [f32; 2], cost: f32, spacing: f32, width: f32, step: f32) -> f32 {
        let slope = |dx: f32, dy: f32| {
            let rise = self.cost([point[0] + dx, point[1] + dy]) - cost;
            if rise.is_nan() { 0.0 } else { rise / step }
        };
        // The steeper side of the two, because the surface has an edge at every centre line.
        let steeper = |a: f32, b: f32| a.abs().max(b.abs());
        let slope =
            steeper(slope(step, 0.0), slope(-step, 0.0)).hypot(steeper(slope(0.0, step), slope(0.0, -step)));
        let line = nearest_line(cost, spacing);
        // No line at the goal itself, or on level ground (up to what rounding makes of it).
        if line <= 0.0 || slope <= 64.0 * f32::EPSILON * cost / step {
            return 0.0;
        }
        // Lines fade where they crowd, until they would lie closer than they are wide: broken off there they look like
        // hairs.
        let crowded = slope * width / spacing;
        let fade = (2.0 - 4.0 * crowded).clamp(0.0, 1.0);
        let away = (cost - line).abs() / slope;
        fade * ((width / 2.0 - away) / step + 0.5).clamp(0.0, 1.0)
    }
}

/// The cost of the line of equal cost that is nearest to a cost.
pub(super) fn nearest_line(cost: f32, spacing: f32) -> f32 {
    (cost / spacing).round() * spacing
}

fn sign(along: f32) -> isize {
    if along < 0.0 { -1 } else { 1 }
}
