//! Clearance: how far the centre of a cell is from the nearest blocked cell, exactly.
//!
//! A distance transform in two passes in the manner of Meijster, Roerdink and Hesselink (2000) and of Felzenszwalb and
//! Huttenlocher (2012): along columns by counting, along rows as the lower envelope of parabolas. Theirs measure to the
//! *centres* of blocked cells; a body is stopped by their *squares*. So the parabolas here do not stand on cells but on
//! the borders between columns, each as high as the lower of the two columns beside it: seen from a cell, the square of
//! another column begins at its nearer border. The cell's own column is looked at apart. All numbers are whole, in half
//! cells and their squares.
//!
//! Rejected: taking half a cell off the distance to centres. Beside a flat wall that is right, at a corner it is 0.21
//! cells too little.

use super::{CostField, CostVersion};
use crate::grid::{CellId, Grid};
use core::fmt;

/// The distance from every cell's centre to the nearest blocked square or the border of the map; 4 bytes a cell.
///
/// Impassable cells are blocked, and unknown ones, as they are for every profile that does not say otherwise
/// ([`CostField::with_unknown_ground`] makes the costs of one that does). Layers know nothing of each other.
///
/// A disc of radius r can stand on a cell exactly if the clearance there is at least r.
#[derive(Clone, PartialEq, Eq)]
pub struct ClearanceField {
    grid: Grid,
    cost_version: CostVersion,
    /// In quarters of a squared cell.
    quarters: Vec<u32>,
}

impl ClearanceField {
    /// The clearance over a cost field. O(cells).
    #[must_use]
    pub fn of(costs: &CostField) -> Self {
        let grid = costs.grid();
        let mut quarters = vec![0; grid.len()];
        for layer in grid.layers() {
            let costs = &costs.bytes()[layer.range()];
            transform(costs, layer.width() as usize, &mut quarters[layer.range()]);
        }
        Self {
            grid: grid.clone(),
            cost_version: costs.version(),
            quarters,
        }
    }

    /// The rectangle of cells.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The version of the costs it was made of.
    #[must_use]
    pub const fn cost_version(&self) -> CostVersion {
        self.cost_version
    }

    /// The clearance of a cell in cells: 0 for blocked cells, at least 0.5 for all others, at most half the shorter side
    /// of the map.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn clearance(&self, id: CellId) -> f64 {
        f64::from(self.quarters(id)).sqrt() / 2.0
    }

    /// The square of twice the clearance in cells; exact.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn quarters(&self, id: CellId) -> u32 {
        self.quarters[id.index()]
    }

    /// Bytes held.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.quarters.len() * size_of::<u32>()
    }
}

impl fmt::Debug for ClearanceField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClearanceField")
            .field("grid", &self.grid)
            .field("cost_version", &self.cost_version)
            .finish_non_exhaustive()
    }
}

/// A parabola over the border with this place, and from where on it is the lowest; places in half cells from the west.
#[derive(Clone, Copy)]
struct Parabola {
    place: i64,
    height: i64,
    from: i64,
}

/// Fills `out` with the clearance of a rectangle of `width` columns.
fn transform(costs: &[u8], width: usize, out: &mut [u32]) {
    // Along columns: half cells from the centre to the nearest blocked square above or below. Beyond the map all is
    // blocked, so no number is larger than the map is high.
    let mut above = vec![0u32; width];
    let down = |above: &mut [u32], costs: &[u8], out: &mut [u32], keep: fn(u32, u32) -> u32| {
        for ((above, &cost), out) in above.iter_mut().zip(costs).zip(out) {
            *above = match *above {
                _ if cost == 255 => 0,
                0 => 1,
                near => near + 2,
            };
            *out = keep(*above, *out);
        }
    };
    for (costs, out) in costs.chunks_exact(width).zip(out.chunks_exact_mut(width)) {
        down(&mut above, costs, out, |new, _| new);
    }
    above.fill(0);
    let rows = costs.chunks_exact(width).zip(out.chunks_exact_mut(width));
    for (costs, out) in rows.rev() {
        down(&mut above, costs, out, u32::min);
    }
    let mut envelope: Vec<Parabola> = Vec::with_capacity(width + 1);
    for row in out.chunks_exact_mut(width) {
        lower_envelope(row, &mut envelope);
        let mut lowest = 0;
        for (centre, value) in (0i64..).map(|column| 2 * column + 1).zip(row) {
            while envelope.get(lowest + 1).is_some_and(|next| next.from <= centre) {
                lowest += 1;
            }
            let Parabola { place, height, .. } = envelope[lowest];
            let own = i64::from(*value) * i64::from(*value);
            // Half the shorter side of the map bounds it, and a map has at most 2^30 cells.
            *value = u32::try_from(own.min((centre - place) * (centre - place) + height)).unwrap_or(u32::MAX);
        }
    }
}

/// The parabolas over the borders of a row that are lowest somewhere, from west to east.
fn lower_envelope(row: &[u32], envelope: &mut Vec<Parabola>) {
    envelope.clear();
    for (border, place) in (0..=row.len()).zip((0i64..).step_by(2)) {
        // Off the map all is blocked.
        let side = |column: Option<usize>| column.and_then(|column| row.get(column)).copied().unwrap_or(0);
        let near = i64::from(side(border.checked_sub(1)).min(side(Some(border))));
        let height = near * near;
        let mut from = i64::MIN;
        while let Some(last) = envelope.last() {
            // The first place where the new parabola is not above the last one.
            let rise = place * place - last.place * last.place + height - last.height;
            let run = 2 * (place - last.place);
            from = -(-rise).div_euclid(run);
            if from > last.from {
                break;
            }
            envelope.pop();
            from = i64::MIN;
        }
        envelope.push(Parabola { place, height, from });
    }
}
