//! One visit of a tile with vectors, row by row. Only compiled with the feature `vectors`.

use super::lanes::Row;
use super::lowered::Lowered;
use super::maze::Waiting;
use super::news::News;
use super::relax::relax;
use super::tile::{IMPASSABLE, RowBits, Tile, Values, Work};
use super::visit::{Job, Rules};
use super::{NONE, SIDE};
use crate::vectors::Level;
use fearless_simd::{Simd, SimdBase, SimdMask, u8x32};

impl Rules<'_> {
    /// Works a tile with the vectors of a level, or cell by cell if they are not worth it.
    ///
    /// Only AVX2 and AVX-512 get code of their own on x86: with four lanes rows gain nothing over single cells.
    pub(super) fn work_at_level(
        &self,
        level: Level,
        tile: &mut Tile,
        values: &mut Values,
        job: &Job<'_>,
        work: Work,
        waiting: &mut Waiting,
    ) -> (Lowered, Option<News>) {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        if let Some(simd) = level.as_avx512() {
            return simd.vectorize(
                #[inline(always)]
                || self.work_rows(simd, tile, values, job, work, waiting),
            );
        } else if let Some(simd) = level.as_avx2() {
            return simd.vectorize(
                #[inline(always)]
                || self.work_rows(simd, tile, values, job, work, waiting),
            );
        }
        #[cfg(target_arch = "aarch64")]
        if let Some(simd) = level.as_neon() {
            return simd.vectorize(
                #[inline(always)]
                || self.work_rows(simd, tile, values, job, work, waiting),
            );
        }
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        if let Some(simd) = level.as_wasm_simd128() {
            return simd.vectorize(
                #[inline(always)]
                || self.work_rows(simd, tile, values, job, work, waiting),
            );
        }
        let _ = level;
        self.work_by_cells(tile, values, job, work, waiting)
    }

    #[inline(always)]
    fn work_rows<V: Simd>(
        &self,
        simd: V,
        tile: &mut Tile,
        values: &mut Values,
        job: &Job<'_>,
        work: Work,
        waiting: &mut Waiting,
    ) -> (Lowered, Option<News>) {
        let bits = VectorBits(simd);
        let (mut lowered, work) = self.prepare(tile, values, job, work, waiting, &bits);
        let more = if tile.ground.is_maze {
            self.work_cells(tile, values, job.halo, work, waiting)
        } else {
            relax(simd, values, &tile.ground, job.halo, work, &self.prices)
        };
        lowered.join(&more);
        let news = self.news(tile, values, job, &lowered);
        (lowered, news)
    }
}

/// By vectors.
struct VectorBits<V>(V);

impl<V: Simd> RowBits for VectorBits<V> {
    const BY_CELLS: bool = false;

    #[inline(always)]
    fn unreached(&self, free: u32) -> [u32; SIDE] {
        let mut row = [0; SIDE];
        let none = Row::splat(self.0, NONE);
        none.where_set(self.0, free, Row::splat(self.0, 0))
            .store(&mut row);
        row
    }

    #[inline(always)]
    fn exits(&self, bytes: &[u8; SIDE]) -> [u32; 8] {
        let bytes = u8x32::from_slice(self.0, bytes);
        core::array::from_fn(|direction| {
            let bit = u8x32::splat(self.0, 1 << direction);
            u32::try_from((bytes & bit).simd_eq(bit).to_bitmask() & 0xffff_ffff).unwrap_or(0)
        })
    }

    #[inline(always)]
    fn impassable(&self, costs: &[u8; SIDE]) -> u32 {
        let wall = u8x32::splat(self.0, IMPASSABLE);
        let bits = u8x32::from_slice(self.0, costs).simd_eq(wall).to_bitmask();
        u32::try_from(bits & 0xffff_ffff).unwrap_or(0)
    }
}
