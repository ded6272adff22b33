//! One row of a tile as vector lanes.
//!
//! The vectors come from `fearless_simd`, which picks the instruction set at run time and owns all `unsafe`; the same code
//! runs on AVX-512, AVX2, NEON and the vectors of wasm.

use super::SIDE;
use fearless_simd::{Select, Simd, SimdBase, SimdMask, mask32x16, u32x16};

/// Half a row: the widest vector there is.
const HALF: usize = SIDE / 2;

/// The 32 values of a row, the western half first.
#[derive(Clone, Copy)]
pub(super) struct Row<S: Simd>(u32x16<S>, u32x16<S>);

impl<S: Simd> Row<S> {
    #[inline(always)]
    pub(super) fn splat(simd: S, value: u32) -> Self {
        let half = u32x16::splat(simd, value);
        Self(half, half)
    }

    #[inline(always)]
    pub(super) fn load(simd: S, row: &[u32; SIDE]) -> Self {
        Self(
            u32x16::from_slice(simd, &row[..HALF]),
            u32x16::from_slice(simd, &row[HALF..]),
        )
    }

    #[inline(always)]
    pub(super) fn from_fn(simd: S, value: impl FnMut(usize) -> u32) -> Self {
        Self::load(simd, &core::array::from_fn(value))
    }

    /// Bytes as numbers.
    #[inline(always)]
    pub(super) fn widen(simd: S, row: &[u8; SIDE]) -> Self {
        // A loop with a known end becomes one instruction a half; `array::map` was called as a function.
        let mut wide = [0; SIDE];
        for (wide, &byte) in wide.iter_mut().zip(row) {
            *wide = u32::from(byte);
        }
        Self::load(simd, &wide)
    }

    #[inline(always)]
    pub(super) fn store(self, row: &mut [u32; SIDE]) {
        self.0.store_slice(&mut row[..HALF]);
        self.1.store_slice(&mut row[HALF..]);
    }

    #[inline(always)]
    pub(super) fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0), self.1.min(other.1))
    }

    #[inline(always)]
    pub(super) fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0), self.1.max(other.1))
    }

    #[inline(always)]
    pub(super) fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }

    #[inline(always)]
    pub(super) fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0, self.1 - other.1)
    }

    #[inline(always)]
    pub(super) fn times(self, simd: S, factor: u32) -> Self {
        let factor = u32x16::splat(simd, factor);
        Self(self.0 * factor, self.1 * factor)
    }

    /// Its own lanes where the mask has a bit (lowest bit: westernmost lane), those of `other` elsewhere.
    #[inline(always)]
    pub(super) fn where_set(self, simd: S, mask: u32, other: Self) -> Self {
        let half = |bits: u32| mask32x16::from_bitmask(simd, u64::from(bits));
        Self(
            half(mask & 0xffff).select(self.0, other.0),
            half(mask >> HALF).select(self.1, other.1),
        )
    }

    /// Its western half as it is, the eastern one of `other` where the mask has a bit.
    #[inline(always)]
    pub(super) fn east_min_west(self, simd: S, mask: u32) -> Self {
        let mask = mask32x16::from_bitmask(simd, u64::from(mask >> HALF));
        Self(self.0, mask.select(self.1.min(self.0), self.1))
    }

    /// The eastern half as it is, the western one lowered to it where the mask has a bit.
    #[inline(always)]
    pub(super) fn west_min_east(self, simd: S, mask: u32) -> Self {
        let mask = mask32x16::from_bitmask(simd, u64::from(mask & 0xffff));
        Self(mask.select(self.0.min(self.1), self.0), self.1)
    }

    /// A bit for each lane that is below that of `other`.
    #[inline(always)]
    pub(super) fn below(self, other: Self) -> u32 {
        let bits = |mask: mask32x16<S>| u32::try_from(mask.to_bitmask() & 0xffff).unwrap_or(0);
        bits(self.0.simd_lt(other.0)) | bits(self.1.simd_lt(other.1)) << HALF
    }

    /// Every lane from the one `SHIFT` to the west; zeros come in.
    #[inline(always)]
    pub(super) fn east_by<const SHIFT: usize>(self, simd: S) -> Self {
        let zero = u32x16::splat(simd, 0);
        match SHIFT {
            1 => Self(zero.slide::<15>(self.0), self.0.slide::<15>(self.1)),
            2 => Self(zero.slide::<14>(self.0), self.0.slide::<14>(self.1)),
            4 => Self(zero.slide::<12>(self.0), self.0.slide::<12>(self.1)),
            8 => Self(zero.slide::<8>(self.0), self.0.slide::<8>(self.1)),
            _ => Self(zero, self.0),
        }
    }

    /// Every lane from the one `SHIFT` to the east; zeros come in.
    #[inline(always)]
    pub(super) fn west_by<const SHIFT: usize>(self, simd: S) -> Self {
        let zero = u32x16::splat(simd, 0);
        match SHIFT {
            1 => Self(self.0.slide::<1>(self.1), self.1.slide::<1>(zero)),
            2 => Self(self.0.slide::<2>(self.1), self.1.slide::<2>(zero)),
            4 => Self(self.0.slide::<4>(self.1), self.1.slide::<4>(zero)),
            8 => Self(self.0.slide::<8>(self.1), self.1.slide::<8>(zero)),
            _ => Self(self.1, zero),
        }
    }

    /// Every lane from its western neighbour; `edge` comes in.
    #[inline(always)]
    pub(super) fn shifted_east(self, edge: Self) -> Self {
        Self(edge.0.slide::<15>(self.0), self.0.slide::<15>(self.1))
    }

    /// Every lane from its eastern neighbour; `edge` comes in.
    #[inline(always)]
    pub(super) fn shifted_west(self, edge: Self) -> Self {
        Self(self.0.slide::<1>(self.1), self.1.slide::<1>(edge.0))
    }

    /// The sum of each lane and all lanes west of it.
    #[inline(always)]
    pub(super) fn sums_from_west(self, simd: S) -> Self {
        let mut sums = self;
        sums = sums.add(sums.east_by::<1>(simd));
        sums = sums.add(sums.east_by::<2>(simd));
        sums = sums.add(sums.east_by::<4>(simd));
        sums = sums.add(sums.east_by::<8>(simd));
        Self(sums.0, sums.1 + sums.0)
    }

    /// The easternmost lane.
    #[inline(always)]
    pub(super) fn last(self) -> u32 {
        self.1[HALF - 1]
    }
}
