//! Why cells have no successor, in two bits a cell.

use super::BLOCK;
use crate::flow::field::Still;
use crate::integrate::{MAX_COST_TO_GOAL, UNKNOWN, UNREACHABLE};
use core::ops::Range;

/// Says of every cell in a range that is not reached why it has no successor. A goal's bits are 0, as are those of a cell
/// with successors, so that blocks whose cells are all reached are passed over. The range begins with a byte of `still`.
#[inline(always)]
pub(super) fn tell(values: &[u32], costs: &[u8], cells: Range<usize>, still: &mut [u8]) {
    let values = values[cells.clone()].chunks(BLOCK);
    let costs = costs[cells].chunks(BLOCK);
    for ((values, costs), still) in values.zip(costs).zip(still.chunks_mut(BLOCK / 4)) {
        match (values.first_chunk(), costs.first_chunk()) {
            (Some(values), Some(costs)) => {
                if (values.iter()).fold(false, |lost, &value| lost | (value > MAX_COST_TO_GOAL)) {
                    still.copy_from_slice(&why_block(values, costs));
                } else {
                    still.fill(0);
                }
            }
            _ => {
                still.fill(0);
                for (index, (&value, &cost)) in values.iter().zip(costs).enumerate() {
                    still[index / 4] |= (why(value, cost) as u8) << (2 * (index % 4));
                }
            }
        }
    }
}

/// Without branches: beside walls they would be missed at every other cell.
#[inline(always)]
fn why_block(values: &[u32; BLOCK], costs: &[u8; BLOCK]) -> [u8; BLOCK / 4] {
    let mut by_cell = [0u8; BLOCK];
    for lane in 0..BLOCK {
        by_cell[lane] = why(values[lane], costs[lane]) as u8;
    }
    let mut packed = [0; BLOCK / 4];
    for (byte, why) in packed.iter_mut().zip(by_cell.as_chunks::<4>().0) {
        *byte = why[0] | why[1] << 2 | why[2] << 4 | why[3] << 6;
    }
    packed
}

#[inline(always)]
pub(in crate::flow) const fn why(value: u32, cost: u8) -> Still {
    let unreachable = if cost == 255 {
        Still::Impassable
    } else {
        Still::Unreachable
    };
    let unknown = if value == UNKNOWN {
        Still::Unknown
    } else {
        Still::Goal
    };
    if value == UNREACHABLE {
        unreachable
    } else {
        unknown
    }
}
