//! From lanes back to one list of values per goal set.

use super::{Job, LANES, Lanes};
use crate::integrate::UNREACHABLE;
use fearless_simd::{Select, Simd, SimdBase, SimdMask, u32x16};

/// Writes the costs of every lane that is asked for, cells that are not reached as unreachable. `false` if a cost was met
/// that may hide others.
#[inline(always)]
pub(super) fn write_out<V: Simd>(simd: V, job: &Job<'_>, lanes: &[Lanes], values: &mut [&mut [u32]]) -> bool {
    let width = job.ground.width;
    let largest = u32x16::splat(simd, job.largest);
    let unreached = u32x16::splat(simd, job.unreached);
    let unreachable = u32x16::splat(simd, UNREACHABLE);
    let mut is_right = true;
    for (row, cells) in lanes
        .chunks_exact(width + 2)
        .skip(1)
        .take(job.ground.height)
        .enumerate()
    {
        let cells = &cells[1..=width];
        let first = row * width;
        for block in 0..width.div_ceil(LANES) {
            // The last block of a row overlaps the one before it.
            let from = (block * LANES).min(width.saturating_sub(LANES));
            let mut rows = [unreachable; LANES];
            let mut hidden = 0;
            for (row, cell) in rows.iter_mut().zip(&cells[from..]) {
                let cost = cell.load(simd);
                let is_reached = cost.simd_lt(unreached);
                hidden |= (is_reached & largest.simd_lt(cost)).to_bitmask();
                *row = is_reached.select(cost, unreachable);
            }
            is_right &= hidden == 0;
            let columns = transpose(rows);
            let length = LANES.min(width);
            let place = first + from..first + from + length;
            for (values, column) in values.iter_mut().zip(columns) {
                let values = &mut values[place.clone()];
                match values.first_chunk_mut() {
                    Some(values) => column.store_array(values),
                    None => values.copy_from_slice(&column.as_slice()[..length]),
                }
            }
        }
    }
    is_right
}

/// Lane `j` of vector `i` becomes lane `i` of vector `j`: each of four perfect shuffles of all 256 values moves one bit of
/// `i` to `j`.
#[inline(always)]
fn transpose<V: Simd>(mut rows: [u32x16<V>; LANES]) -> [u32x16<V>; LANES] {
    const HALF: usize = LANES / 2;
    for _ in 0..LANES.ilog2() {
        let before = rows;
        for pair in 0..HALF {
            rows[2 * pair] = before[pair].zip_low(before[pair + HALF]);
            rows[2 * pair + 1] = before[pair].zip_high(before[pair + HALF]);
        }
    }
    rows
}
