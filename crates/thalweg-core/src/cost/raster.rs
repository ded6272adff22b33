//! Which cells a shape covers, in whole numbers.

use super::DirtyRegion;
use crate::grid::{Layer, LayerIndex, MapPoint, SUBCELLS};
use core::ops::Range;

/// Half a cell, in subcells: where the centre of column 0 lies.
const HALF: i64 = SUBCELLS as i64 / 2;

/// The cells of a layer that a shape covers, as half-open spans of columns per row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Raster {
    layer: LayerIndex,
    first_row: u32,
    /// The spans of row `first_row + i` are `spans[starts[i]..starts[i + 1]]`, in ascending order, apart.
    starts: Vec<usize>,
    spans: Vec<(u32, u32)>,
}

impl Raster {
    /// The part of a shape that lies on the layer. `of_row` gives the spans of a row, half-open, by ascending start.
    pub(super) fn new(
        layer: &Layer,
        rows: Range<i64>,
        mut of_row: impl FnMut(i64, &mut Vec<(i64, i64)>),
    ) -> Self {
        let (first_row, end_row) = (clip(rows.start, layer.height()), clip(rows.end, layer.height()));
        let mut raster = Self {
            layer: layer.index(),
            first_row,
            starts: vec![0],
            spans: Vec::new(),
        };
        let mut shape = Vec::new();
        for row in first_row..end_row {
            shape.clear();
            of_row(i64::from(row), &mut shape);
            let row_start = raster.spans.len();
            for &(start, end) in &shape {
                let (start, end) = (clip(start, layer.width()), clip(end, layer.width()));
                match raster.spans[row_start..].last_mut() {
                    _ if start >= end => {}
                    Some(last) if start <= last.1 => last.1 = last.1.max(end),
                    _ => raster.spans.push((start, end)),
                }
            }
            raster.starts.push(raster.spans.len());
        }
        raster
    }

    /// The layer it lies on.
    pub(super) const fn layer(&self) -> LayerIndex {
        self.layer
    }

    /// Whether it covers a column and row of its layer.
    pub(super) fn covers(&self, column: u32, row: u32) -> bool {
        let Some(index) = row.checked_sub(self.first_row).map(|row| row as usize) else {
            return false;
        };
        let (Some(&start), Some(&end)) = (self.starts.get(index), self.starts.get(index + 1)) else {
            return false;
        };
        let spans = &self.spans[start..end];
        let at = spans.partition_point(|span| span.1 <= column);
        spans.get(at).is_some_and(|span| span.0 <= column)
    }

    /// The spans with their rows, in order.
    pub(super) fn spans(&self) -> impl Iterator<Item = (u32, (u32, u32))> + '_ {
        (self.first_row..)
            .zip(self.starts.windows(2))
            .flat_map(|(row, ends)| self.spans[ends[0]..ends[1]].iter().map(move |&span| (row, span)))
    }

    /// How many cells are covered.
    pub(super) fn len(&self) -> usize {
        self.spans
            .iter()
            .map(|&(start, end)| (end - start) as usize)
            .sum()
    }

    /// Rectangles that hold exactly the covered cells.
    pub(super) fn regions(&self) -> Vec<DirtyRegion> {
        let mut regions: Vec<DirtyRegion> = Vec::new();
        for (row, (start, end)) in self.spans() {
            match regions.last_mut() {
                // Rows of equal single spans stack up: a rectangle is one region, not one per row.
                Some(last) if last.max == (end, row) && last.min.0 == start => last.max.1 = row + 1,
                _ => regions.push(DirtyRegion {
                    layer: self.layer,
                    min: (start, row),
                    max: (end, row + 1),
                }),
            }
        }
        regions
    }
}

/// A column or row as far as the grid reaches.
fn clip(value: i64, len: u32) -> u32 {
    u32::try_from(value.clamp(0, i64::from(len))).unwrap_or(len)
}

/// The first column (or row) whose centre is at `subcells` or beyond.
fn first_centre_from(subcells: i64) -> i64 {
    -(HALF - subcells).div_euclid(i64::from(SUBCELLS))
}

/// The rows of a closed disc, and the span of each.
pub(super) fn disc_rows(centre: MapPoint, radius: u32) -> (Range<i64>, impl Fn(i64) -> Option<(i64, i64)>) {
    let (x, y, r) = (i64::from(centre.x), i64::from(centre.y), i64::from(radius));
    let rows = first_centre_from(y - r)..first_centre_from(y + r + 1);
    let span = move |row: i64| {
        let dy = (row * i64::from(SUBCELLS) + HALF - y).unsigned_abs();
        // At most 2^31 each, so squares fit 62 bits; the root is rounded down, which is exact for whole subcells.
        let half_width = (r.unsigned_abs().pow(2)).checked_sub(dy.pow(2))?.isqrt();
        let half_width = i64::try_from(half_width).ok()?;
        Some((
            first_centre_from(x - half_width),
            first_centre_from(x + half_width + 1),
        ))
    };
    (rows, span)
}

/// Where the borders of a polygon cross the middles of the layer's rows: row, and first column whose centre is on the
/// border or east of it; sorted. Between the first and second of a row, the third and fourth, … it is inside.
pub(super) fn polygon_crossings(layer: &Layer, rings: &[Vec<MapPoint>]) -> Vec<(i64, i64)> {
    let mut crossings = Vec::new();
    for ring in rings {
        let next = ring.iter().cycle().skip(1);
        for (&a, &b) in ring.iter().zip(next) {
            let (top, bottom) = if a.y <= b.y { (a, b) } else { (b, a) };
            // Half-open: a vertex on a row's middle belongs to the edge below it, so that it counts once for edges
            // that pass through it and twice or not at all for a tip.
            let rows = clip(first_centre_from(i64::from(top.y)), layer.height())
                ..clip(first_centre_from(i64::from(bottom.y)), layer.height());
            for row in rows.map(i64::from) {
                let middle = row * i64::from(SUBCELLS) + HALF;
                crossings.push((row, first_column_from(top, bottom, middle)));
            }
        }
    }
    crossings.sort_unstable();
    crossings
}

/// The first column whose centre is not west of the point where an edge crosses a row's middle. Exact: the crossing is
/// kept as a fraction, never rounded. 128 bits, because the products reach 2^65.
fn first_column_from(top: MapPoint, bottom: MapPoint, middle: i64) -> i64 {
    let rise = i128::from(bottom.y) - i128::from(top.y);
    let run = i128::from(bottom.x) - i128::from(top.x);
    let crossing = i128::from(top.x) * rise + (i128::from(middle) - i128::from(top.y)) * run;
    let column = -(i128::from(HALF) * rise - crossing).div_euclid(i128::from(SUBCELLS) * rise);
    // The crossing lies between the two ends, so the column fits; the fallback cannot happen.
    i64::try_from(column).unwrap_or(i64::MAX)
}
