//! From lanes back to one list of values per goal set.

use super::{Job, LANES, Lanes, NONE};
use crate::integrate::UNREACHABLE;
use fearless_simd::{Bytes, Select, Simd, SimdBase, SimdMask, u16x32, u32x16};

/// Writes the costs of every lane that is asked for, cells that are not reached as unreachable. `false` if a cost was met
/// that may hide others.
#[inline(always)]
pub(super) fn write_out<V: Simd>(simd: V, job: &Job<'_>, lanes: &[Lanes], values: &mut [&mut [u32]]) -> bool {
    let width = job.ground.width;
    let unreached = u32x16::splat(simd, u32::from(job.unreached));
    let unreachable = u32x16::splat(simd, UNREACHABLE);
    let half = u32x16::splat(simd, 0xffff);
    let mut dearest = u16x32::splat(simd, 0);
    let mut staged = [const { Staged([0; STAGE]) }; LANES];
    let rows = lanes.chunks_exact(width + 2).skip(1).take(job.ground.height);
    for (row, cells) in rows.enumerate() {
        let cells = &cells[1..=width];
        for from in (0..width).step_by(STAGE) {
            let stretch = &cells[from..width.min(from + STAGE)];
            for (block, cells) in stretch.chunks(BLOCK).enumerate() {
                let mut pairs = [unreachable; BLOCK];
                for (pair, cell) in pairs.iter_mut().zip(cells) {
                    let costs = cell.load(simd);
                    // What is unreached wraps to 0.
                    dearest = dearest.max(costs + u16x32::splat(simd, WRAP));
                    *pair = costs.bitcast();
                }
                let columns = transpose(pairs);
                let at = block * BLOCK;
                for (staged, pair) in staged
                    .chunks_exact_mut(2)
                    .zip(&columns)
                    .take(values.len().div_ceil(2))
                {
                    // Little-endian, as all processors with vectors are.
                    for (staged, costs) in staged.iter_mut().zip([*pair & half, *pair >> 16]) {
                        let costs = costs.simd_lt(unreached).select(costs, unreachable);
                        costs.store_slice(&mut staged.0[at..at + BLOCK]);
                    }
                }
            }
            let place = row * width + from;
            for (values, staged) in values.iter_mut().zip(&staged) {
                values[place..place + stretch.len()].copy_from_slice(&staged.0[..stretch.len()]);
            }
        }
    }
    let hides = |largest: u16| u16x32::splat(simd, largest + WRAP).simd_lt(dearest).any_true();
    !job.largest.is_some_and(hides)
}

/// Takes [`NONE`] to 0 and keeps the order of all smaller costs.
const WRAP: u16 = u16::MAX - NONE + 1;

/// So many cells are turned at a time: as many as 32-bit lanes.
const BLOCK: usize = LANES / 2;

/// So many cells are turned before they are written. Written 16 at a time, the lists of values, which often lie a multiple
/// of 4 KiB apart, threw each other out of the nearest cache: 0.7 of 1.5 ns a cell and goal set on 64 × 64 cells.
const STAGE: usize = 128;

/// What one lane has to write.
#[repr(C, align(64))]
struct Staged([u32; STAGE]);

/// Lane `j` of vector `i` becomes lane `i` of vector `j`: each of four perfect shuffles of all 256 values moves one bit of
/// `i` to `j`.
#[inline(always)]
fn transpose<V: Simd>(rows: [u32x16<V>; BLOCK]) -> [u32x16<V>; BLOCK] {
    // Not a loop: that keeps the vectors in memory.
    shuffle(shuffle(shuffle(shuffle(rows))))
}

#[inline(always)]
fn shuffle<V: Simd>(rows: [u32x16<V>; BLOCK]) -> [u32x16<V>; BLOCK] {
    let mut shuffled = rows;
    for pair in 0..BLOCK / 2 {
        shuffled[2 * pair] = rows[pair].zip_low(rows[pair + BLOCK / 2]);
        shuffled[2 * pair + 1] = rows[pair].zip_high(rows[pair + BLOCK / 2]);
    }
    shuffled
}
