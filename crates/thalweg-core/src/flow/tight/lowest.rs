//! 64 cells as vectors of the lowest bits of their numbers.

use super::BLOCK;
use fearless_simd::{Select, Simd, SimdBase, u8x64, u16x32, u32x16};

/// Numbers of a block, modulo 2^8 or 2^16.
pub(super) trait Lowest<S: Simd>: Copy {
    /// One of them.
    type Number: Copy + Default;

    fn filled(simd: S, value: u32) -> Self;
    fn load(simd: S, numbers: &[Self::Number; BLOCK]) -> Self;
    fn store(self, numbers: &mut [Self::Number; BLOCK]);
    /// Of numbers of 32 bits.
    fn of_words(simd: S, words: [u32x16<S>; 4]) -> Self;
    fn of_bytes(simd: S, bytes: &[u8; BLOCK]) -> Self;
    fn number(value: u32) -> Self::Number;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// A bit where two numbers are equal, 0 elsewhere.
    fn bit_if_equal(self, simd: S, other: Self, bit: u8) -> Self;
    /// Numbers below 256.
    fn to_bytes(self, simd: S) -> u8x64<S>;
}

impl<S: Simd> Lowest<S> for u8x64<S> {
    type Number = u8;

    #[inline(always)]
    fn filled(simd: S, value: u32) -> Self {
        Self::splat(simd, Self::number(value))
    }

    #[inline(always)]
    fn load(simd: S, numbers: &[u8; BLOCK]) -> Self {
        Self::from_slice(simd, numbers)
    }

    #[inline(always)]
    fn store(self, numbers: &mut [u8; BLOCK]) {
        self.store_slice(numbers);
    }

    #[inline(always)]
    fn of_words(simd: S, words: [u32x16<S>; 4]) -> Self {
        let lowest = u32x16::splat(simd, 0xff);
        let [a, b, c, d] = words;
        let halves = [
            simd.relaxed_narrow_u32x16(a & lowest, b & lowest),
            simd.relaxed_narrow_u32x16(c & lowest, d & lowest),
        ];
        simd.relaxed_narrow_u16x32(halves[0], halves[1])
    }

    #[inline(always)]
    fn of_bytes(simd: S, bytes: &[u8; BLOCK]) -> Self {
        Self::from_slice(simd, bytes)
    }

    #[inline(always)]
    fn number(value: u32) -> u8 {
        value.to_le_bytes()[0]
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self - other
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self * other
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }

    #[inline(always)]
    fn bit_if_equal(self, simd: S, other: Self, bit: u8) -> Self {
        let none = Self::splat(simd, 0);
        self.simd_eq(other).select(Self::splat(simd, bit), none)
    }

    #[inline(always)]
    fn to_bytes(self, _: S) -> Self {
        self
    }
}

/// A block as two vectors of 16-bit numbers.
#[derive(Clone, Copy)]
pub(super) struct Halves<S: Simd>(u16x32<S>, u16x32<S>);

impl<S: Simd> Lowest<S> for Halves<S> {
    type Number = u16;

    #[inline(always)]
    fn filled(simd: S, value: u32) -> Self {
        let half = u16x32::splat(simd, Self::number(value));
        Self(half, half)
    }

    #[inline(always)]
    fn load(simd: S, numbers: &[u16; BLOCK]) -> Self {
        Self(
            u16x32::from_slice(simd, &numbers[..BLOCK / 2]),
            u16x32::from_slice(simd, &numbers[BLOCK / 2..]),
        )
    }

    #[inline(always)]
    fn store(self, numbers: &mut [u16; BLOCK]) {
        self.0.store_slice(&mut numbers[..BLOCK / 2]);
        self.1.store_slice(&mut numbers[BLOCK / 2..]);
    }

    #[inline(always)]
    fn of_words(simd: S, words: [u32x16<S>; 4]) -> Self {
        let lowest = u32x16::splat(simd, 0xffff);
        let [a, b, c, d] = words;
        Self(
            simd.relaxed_narrow_u32x16(a & lowest, b & lowest),
            simd.relaxed_narrow_u32x16(c & lowest, d & lowest),
        )
    }

    #[inline(always)]
    fn of_bytes(simd: S, bytes: &[u8; BLOCK]) -> Self {
        let mut wide = [0; BLOCK];
        for (wide, &byte) in wide.iter_mut().zip(bytes) {
            *wide = u16::from(byte);
        }
        Self::load(simd, &wide)
    }

    #[inline(always)]
    fn number(value: u32) -> u16 {
        (value & 0xffff) as u16
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self(self.0 - other.0, self.1 - other.1)
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Self(self.0 * other.0, self.1 * other.1)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0, self.1 | other.1)
    }

    #[inline(always)]
    fn bit_if_equal(self, simd: S, other: Self, bit: u8) -> Self {
        let (bit, none) = (u16x32::splat(simd, bit.into()), u16x32::splat(simd, 0));
        Self(
            self.0.simd_eq(other.0).select(bit, none),
            self.1.simd_eq(other.1).select(bit, none),
        )
    }

    #[inline(always)]
    fn to_bytes(self, simd: S) -> u8x64<S> {
        simd.relaxed_narrow_u16x32(self.0, self.1)
    }
}
