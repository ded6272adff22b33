//! Tight exits by the vectors of an instruction set. Only compiled with the feature `vectors`.

use super::lowest::Halves;
use super::{Tight, narrow};
use crate::grid::DirectionSet;
use crate::movement::ChargeRule;
use crate::vectors::Level;
use fearless_simd::{Simd, u8x64};

impl Tight<'_> {
    /// Picks the code for the vectors of a level.
    ///
    /// As in the tile engine, only AVX2 and AVX-512 get code of their own on x86.
    pub(super) fn fill_at_level<C: ChargeRule>(
        &self,
        level: Level,
        first: usize,
        successors: &mut [DirectionSet],
        still: &mut [u8],
    ) {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        if let Some(simd) = level.as_avx512() {
            return simd.vectorize(
                #[inline(always)]
                || self.fill_by_vectors::<C, _>(simd, first, successors, still),
            );
        } else if let Some(simd) = level.as_avx2() {
            return simd.vectorize(
                #[inline(always)]
                || self.fill_by_vectors::<C, _>(simd, first, successors, still),
            );
        }
        #[cfg(target_arch = "aarch64")]
        if let Some(simd) = level.as_neon() {
            return simd.vectorize(
                #[inline(always)]
                || self.fill_by_vectors::<C, _>(simd, first, successors, still),
            );
        }
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        if let Some(simd) = level.as_wasm_simd128() {
            return simd.vectorize(
                #[inline(always)]
                || self.fill_by_vectors::<C, _>(simd, first, successors, still),
            );
        }
        let _ = level;
        self.fill_by_blocks::<C>(first, successors, still);
    }

    #[inline(always)]
    fn fill_by_vectors<C: ChargeRule, S: Simd>(
        &self,
        simd: S,
        first: usize,
        successors: &mut [DirectionSet],
        still: &mut [u8],
    ) {
        let done = match narrow::bits_needed(self.movement) {
            Some(8) => self.fill_by_lowest::<C, S, u8x64<S>>(simd, first, successors, still),
            Some(_) => self.fill_by_lowest::<C, S, Halves<S>>(simd, first, successors, still),
            None => 0,
        };
        if done < successors.len() {
            self.fill_by_blocks::<C>(first + done, &mut successors[done..], &mut still[done / 4..]);
        }
    }
}
