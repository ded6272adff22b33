//! The few loops over lanes that a compiler does not turn into vectors by itself, with vectors and without.
//!
//! Both do the same operations on the same numbers, so the results have the same bits. The other stages work in plain
//! arrays, see `stages/avoid.rs`; here the loops are so short that the compiler takes them apart before it looks for
//! vectors.

use crate::fixed::cells_from_subcells;
use thalweg_core::integrate::Vectors;

/// Lanes.
pub(crate) const LANES: usize = 16;

/// What is done in lanes.
pub(crate) trait Kernel: Copy {
    /// Squared distances from (x, y) to each of the points, in square cells.
    fn squares(self, xs: &[i32; LANES], ys: &[i32; LANES], x: i32, y: i32) -> [f32; LANES];

    /// Which are below a limit, as bits, the first lowest.
    fn below(self, squares: &[f32; LANES], limit: f32) -> u32;

    /// For each how many of the first `compared` ones are smaller; and which are equal to one more than themselves, as
    /// bits.
    fn smaller(self, squares: &[f32; LANES], compared: usize) -> ([u32; LANES], u32);
}

/// Something to be done with a kernel.
pub(crate) trait Work {
    fn run<K: Kernel>(self, kernel: K);
}

/// Does some work with the kernel of these vectors. What the work calls must be inlined into it.
#[inline(always)]
pub(crate) fn run(vectors: Vectors, work: impl Work) {
    #[cfg(all(feature = "vectors", any(target_arch = "x86", target_arch = "x86_64")))]
    if vectors != Vectors::Plain {
        use fearless_simd::{Level, Simd};
        let level = Level::new();
        if let Some(simd) = level.as_avx512().filter(|_| vectors != Vectors::Avx2) {
            return simd.vectorize(
                #[inline(always)]
                || work.run(wide::Wide(simd)),
            );
        }
        if let Some(simd) = level.as_avx2().filter(|_| vectors != Vectors::Avx512) {
            return simd.vectorize(
                #[inline(always)]
                || work.run(wide::Wide(simd)),
            );
        }
    }
    #[cfg(all(feature = "vectors", target_arch = "aarch64"))]
    if vectors != Vectors::Plain
        && let Some(simd) = fearless_simd::Level::new().as_neon()
    {
        return work.run(wide::Wide(simd));
    }
    let _ = vectors;
    work.run(Plain);
}

/// One after the other.
#[derive(Clone, Copy)]
pub(crate) struct Plain;

impl Kernel for Plain {
    #[inline(always)]
    fn squares(self, xs: &[i32; LANES], ys: &[i32; LANES], x: i32, y: i32) -> [f32; LANES] {
        core::array::from_fn(|lane| {
            let (dx, dy) = (
                cells_from_subcells(xs[lane].wrapping_sub(x)),
                cells_from_subcells(ys[lane].wrapping_sub(y)),
            );
            dx * dx + dy * dy
        })
    }

    #[inline(always)]
    fn below(self, squares: &[f32; LANES], limit: f32) -> u32 {
        let bits = squares.iter().enumerate();
        bits.fold(0, |bits, (lane, &square)| {
            bits | u32::from(square < limit) << lane
        })
    }

    #[inline(always)]
    fn smaller(self, squares: &[f32; LANES], compared: usize) -> ([u32; LANES], u32) {
        let mut smaller = [0; LANES];
        let mut ties = 0;
        for (lane, (smaller, &square)) in smaller.iter_mut().zip(squares).enumerate() {
            let mut equal = 0;
            for &other in &squares[..compared] {
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

    /// All at once.
    #[derive(Clone, Copy)]
    pub(crate) struct Wide<S>(pub(crate) S);

    impl<S: Simd> Kernel for Wide<S> {
        #[inline(always)]
        #[expect(clippy::cast_precision_loss, reason = "2^16 is exact in f32")]
        fn squares(self, xs: &[i32; LANES], ys: &[i32; LANES], x: i32, y: i32) -> [f32; LANES] {
            let simd = self.0;
            let cell = f32x16::splat(simd, 1.0 / SUBCELLS as f32);
            let way = |to: &[i32; LANES], from: i32| {
                let subcells = i32x16::from_slice(simd, to) - i32x16::splat(simd, from);
                simd.cvt_f32_i32x16(subcells) * cell
            };
            let (dx, dy) = (way(xs, x), way(ys, y));
            let mut squares = [0.0; LANES];
            (dx * dx + dy * dy).store_slice(&mut squares);
            squares
        }

        #[inline(always)]
        #[expect(clippy::cast_possible_truncation, reason = "as many bits as lanes")]
        fn below(self, squares: &[f32; LANES], limit: f32) -> u32 {
            let simd = self.0;
            let mask = f32x16::from_slice(simd, squares).simd_lt(f32x16::splat(simd, limit));
            simd.to_bitmask_mask32x16(mask) as u32
        }

        #[inline(always)]
        #[expect(clippy::cast_possible_truncation, reason = "as many bits as lanes")]
        fn smaller(self, squares: &[f32; LANES], compared: usize) -> ([u32; LANES], u32) {
            let simd = self.0;
            let all = f32x16::from_slice(simd, squares);
            let (none, one) = (u32x16::splat(simd, 0), u32x16::splat(simd, 1));
            let (mut smaller, mut equal) = (none, none);
            for &other in &squares[..compared] {
                let other = f32x16::splat(simd, other);
                smaller += other.simd_lt(all).select(one, none);
                equal += other.simd_eq(all).select(one, none);
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

    struct Compare {
        points: [[i32; LANES]; 2],
        expected: ([f32; LANES], u32, [u32; LANES], u32),
    }

    fn answers<K: Kernel>(kernel: K, [xs, ys]: &[[i32; LANES]; 2]) -> ([f32; LANES], u32, [u32; LANES], u32) {
        let squares = kernel.squares(xs, ys, -70_001, 65_536);
        let (smaller, ties) = kernel.smaller(&squares, 11);
        (squares, kernel.below(&squares, 4.0), smaller, ties)
    }

    impl Work for Compare {
        fn run<K: Kernel>(self, kernel: K) {
            let got = answers(kernel, &self.points);
            assert_eq!(got.0.map(f32::to_bits), self.expected.0.map(f32::to_bits));
            assert_eq!(
                (got.1, got.2, got.3),
                (self.expected.1, self.expected.2, self.expected.3)
            );
        }
    }

    #[test]
    fn vectors_and_single_numbers_agree_in_every_bit() {
        let mut state = 9u32;
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
            let expected = answers(Plain, &points);
            for vectors in Vectors::ALL {
                run(vectors, Compare { points, expected });
            }
        }
    }
}
