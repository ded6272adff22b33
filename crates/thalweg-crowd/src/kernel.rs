//! The few loops over lanes that a compiler does not turn into vectors by itself, with vectors and without.
//!
//! Both do the same operations on the same numbers, so the results have the same bits. The other stages work in plain
//! arrays, see `stages/avoid.rs`; here the loops are so short that the compiler takes them apart before it looks for
//! vectors.

use crate::fixed::{dot, offset};
use thalweg_core::integrate::{VectorWork, Vectors};

/// Lanes.
pub(crate) const LANES: usize = 16;

/// What is done in lanes.
pub(crate) trait Kernel: Copy {
    /// Of the points that `candidates` names by their bits, the first lowest, those whose squared distance from (x, y) is below
    /// `limit` square cells: writes the squares and the numbers, counted from `first`, one after the other. Returns how many
    /// they are; what is written behind them means nothing.
    fn within(
        self,
        points: [&[i32; LANES]; 2],
        at: [i32; 2],
        limit: f32,
        candidates: u32,
        first: u32,
        out: (&mut [f32; LANES], &mut [u32; LANES]),
    ) -> usize;

    /// For each of some squares how many of all are smaller, and which are equal to more than one, as bits.
    fn smaller(self, squares: &[f32; LANES], all: &[f32]) -> ([u32; LANES], u32);
}

/// Something to be done with a kernel.
pub(crate) trait Work {
    fn run<K: Kernel>(self, kernel: K);
}

/// Does some work with the kernel of these vectors. What the work calls must be inlined into it.
#[inline(always)]
pub(crate) fn run(vectors: Vectors, work: impl Work) {
    vectors.dispatch(ByKernel(work));
}

struct ByKernel<W>(W);

impl<W: Work> VectorWork for ByKernel<W> {
    type Output = ();

    #[inline(always)]
    fn plain(self) {
        self.0.run(Plain);
    }

    #[cfg(feature = "vectors")]
    #[inline(always)]
    fn wide<S: fearless_simd::Simd>(self, simd: S) {
        self.0.run(wide::Wide(simd));
    }
}

/// One after the other.
#[derive(Clone, Copy)]
pub(crate) struct Plain;

impl Kernel for Plain {
    #[inline(always)]
    fn within(
        self,
        [xs, ys]: [&[i32; LANES]; 2],
        at: [i32; 2],
        limit: f32,
        candidates: u32,
        first: u32,
        (squares, numbers): (&mut [f32; LANES], &mut [u32; LANES]),
    ) -> usize {
        let mut len = 0;
        for (lane, number) in (0..LANES).zip(first..) {
            let way = offset(at, [xs[lane], ys[lane]]);
            let square = dot(way, way);
            (squares[len], numbers[len]) = (square, number);
            len += usize::from((square < limit) & (candidates >> lane & 1 != 0));
            if len == LANES {
                break;
            }
        }
        len
    }

    #[inline(always)]
    fn smaller(self, squares: &[f32; LANES], all: &[f32]) -> ([u32; LANES], u32) {
        let mut smaller = [0; LANES];
        let mut ties = 0;
        for (lane, (smaller, &square)) in smaller.iter_mut().zip(squares).enumerate() {
            let mut equal = 0;
            for &other in all {
                *smaller += u32::from(other < square);
                equal += u32::from(other == square);
            }
            ties |= u32::from(equal > 1) << lane;
        }
        (smaller, ties)
    }
}

#[cfg(feature = "vectors")]
mod wide {
    use super::{Kernel, LANES};
    use fearless_simd::{Select, Simd, SimdBase, f32x16, i32x16, u32x16};
    use thalweg_core::grid::SUBCELLS;

    const LANE_NUMBERS: [u32; LANES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

    /// All at once.
    #[derive(Clone, Copy)]
    pub(crate) struct Wide<S>(pub(crate) S);

    impl<S: Simd> Kernel for Wide<S> {
        #[inline(always)]
        #[expect(clippy::cast_precision_loss, reason = "2^16 is exact in f32")]
        fn within(
            self,
            [xs, ys]: [&[i32; LANES]; 2],
            [x, y]: [i32; 2],
            limit: f32,
            candidates: u32,
            first: u32,
            (squares, numbers): (&mut [f32; LANES], &mut [u32; LANES]),
        ) -> usize {
            let simd = self.0;
            let cell = f32x16::splat(simd, 1.0 / SUBCELLS as f32);
            let way = |to: &[i32; LANES], from: i32| {
                let subcells = i32x16::from_slice(simd, to) - i32x16::splat(simd, from);
                simd.cvt_f32_i32x16(subcells) * cell
            };
            let (dx, dy) = (way(xs, x), way(ys, y));
            let square = dx * dx + dy * dy;
            let near = simd.to_bitmask_mask32x16(square.simd_lt(f32x16::splat(simd, limit)));
            let bits = near & u64::from(candidates);
            let mask = simd.from_bitmask_mask32x16(bits);
            let lanes = u32x16::from_slice(simd, &LANE_NUMBERS) + u32x16::splat(simd, first);
            simd.compress_f32x16(square, mask).store_slice(squares);
            simd.compress_u32x16(lanes, mask).store_slice(numbers);
            bits.count_ones() as usize
        }

        #[inline(always)]
        #[expect(clippy::cast_possible_truncation, reason = "as many bits as lanes")]
        fn smaller(self, squares: &[f32; LANES], all: &[f32]) -> ([u32; LANES], u32) {
            let simd = self.0;
            let squares = f32x16::from_slice(simd, squares);
            let (none, one) = (u32x16::splat(simd, 0), u32x16::splat(simd, 1));
            let (mut smaller, mut equal) = (none, none);
            for &other in all {
                let other = f32x16::splat(simd, other);
                smaller += other.simd_lt(squares).select(one, none);
                equal += other.simd_eq(squares).select(one, none);
            }
            let mut out = [0; LANES];
            smaller.store_slice(&mut out);
            (out, simd.to_bitmask_mask32x16(equal.simd_gt(one)) as u32)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, PartialEq, Debug)]
    struct Answers {
        found: Vec<(u32, u32)>,
        smaller: [u32; LANES],
        ties: u32,
    }

    struct Compare {
        points: [[i32; LANES]; 2],
        candidates: u32,
        expected: Answers,
    }

    fn answers<K: Kernel>(kernel: K, [xs, ys]: &[[i32; LANES]; 2], candidates: u32) -> Answers {
        let (mut squares, mut numbers) = ([f32::INFINITY; LANES], [0; LANES]);
        let out = (&mut squares, &mut numbers);
        let len = kernel.within([xs, ys], [-70_001, 65_536], 400.0, candidates, 7, out);
        let (smaller, ties) = kernel.smaller(&squares, &squares[..len]);
        let mut smaller = smaller;
        smaller[len..].fill(0);
        Answers {
            found: (0..len).map(|at| (squares[at].to_bits(), numbers[at])).collect(),
            smaller,
            ties: ties & ((1 << len) - 1),
        }
    }

    impl Work for Compare {
        fn run<K: Kernel>(self, kernel: K) {
            assert_eq!(answers(kernel, &self.points, self.candidates), self.expected);
        }
    }

    #[test]
    fn vectors_and_single_numbers_agree_in_every_bit() {
        let mut state = 9u32;
        let mut most = 0;
        for round in 0..2_000 {
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                // Coarse in every other round, so that there are ties; the largest distances wrap.
                state.cast_signed() >> if round % 2 == 0 { 14 } else { round % 13 }
            };
            let points = [
                core::array::from_fn(|_| next() & !0x7fff),
                core::array::from_fn(|_| next() & !0x7fff),
            ];
            let candidates = next().cast_unsigned() & 0xffff;
            let expected = answers(Plain, &points, candidates);
            most = most.max(expected.found.len());
            for vectors in Vectors::ALL {
                run(
                    vectors,
                    Compare {
                        points,
                        candidates,
                        expected: expected.clone(),
                    },
                );
            }
        }
        assert!(most > 8, "many are within reach now and then: {most}");
    }
}
