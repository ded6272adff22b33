//! Between floating-point cells and fixed-point subcells: the only place that converts.

use thalweg_core::grid::SUBCELLS;

/// Subcells in a cell, as a float; exact.
#[expect(clippy::cast_precision_loss, reason = "2^16 is exact in f32")]
pub(crate) const SUBCELLS_F: f32 = SUBCELLS as f32;

/// A length in cells as whole subcells, halves away from zero; saturates, and NaN is 0.
///
/// Not `f32::round`: without SSE4.1 that is a library call, and there are several per agent and step.
#[inline]
pub(crate) fn subcells_from_cells(cells: f32) -> i32 {
    whole(cells * SUBCELLS_F)
}

/// The least number of whole subcells that is not below a length in cells.
pub(crate) fn subcells_up(cells: f32) -> i32 {
    let nearest = subcells_from_cells(cells);
    if cells_from_subcells(nearest) < cells {
        nearest + 1
    } else {
        nearest
    }
}

/// The nearest whole number, halves away from zero; saturates, and NaN is 0.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "float casts saturate, which is the documented edge"
)]
pub(crate) fn whole(value: f32) -> i32 {
    let half = if value < 0.0 { -0.5 } else { 0.5 };
    (value + half) as i32
}

/// A difference of fixed-point coordinates in cells. Exact below 256 cells, correctly rounded beyond.
#[inline]
#[expect(
    clippy::cast_precision_loss,
    reason = "rounded to nearest, the same on every machine"
)]
pub(crate) fn cells_from_subcells(subcells: i32) -> f32 {
    subcells as f32 * (1.0 / SUBCELLS_F)
}

/// From one point to another, in cells; on maps of any size nothing overflows.
#[inline(always)]
pub(crate) fn offset(from: [i32; 2], to: [i32; 2]) -> [f32; 2] {
    [
        cells_from_subcells(to[0].wrapping_sub(from[0])),
        cells_from_subcells(to[1].wrapping_sub(from[1])),
    ]
}

/// The length of a vector.
#[inline]
pub(crate) fn length(v: [f32; 2]) -> f32 {
    (v[0] * v[0] + v[1] * v[1]).sqrt()
}

/// The dot product.
#[inline]
pub(crate) fn dot(a: [f32; 2], b: [f32; 2]) -> f32 {
    a[0] * b[0] + a[1] * b[1]
}

/// `v` shortened to `limit` if it is longer.
#[inline]
pub(crate) fn limited(v: [f32; 2], limit: f32) -> [f32; 2] {
    let square = dot(v, v);
    if square > limit * limit {
        let scale = limit / square.sqrt();
        [v[0] * scale, v[1] * scale]
    } else {
        v
    }
}
