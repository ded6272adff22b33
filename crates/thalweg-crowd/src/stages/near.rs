//! Who is near whom.

use super::Part;
use crate::Avoidance;
use crate::neighbours::Around;
use crate::plan::View;

impl Part<'_> {
    /// Finds the nearest agents within reach of each.
    pub(super) fn find_neighbours(&mut self, view: &View<'_>) {
        if view.options.avoidance == Avoidance::Off {
            self.counts.fill(0);
            return;
        }
        let around = Around {
            bins: view.bins,
            xs: view.xs,
            ys: view.ys,
        };
        let (stride, first) = (view.stride(), self.first);
        let has_floors = view.grid.layers().len() > 1;
        view.options.vectors.run(
            #[inline(always)]
            || {
                for ((index, out), count) in self.near.chunks_mut(stride).enumerate().zip(&mut *self.counts) {
                    let me = &view.mates[first + index];
                    if view.coasts(me) {
                        *count = 0;
                        continue;
                    }
                    let reach = me.radius + view.largest + view.options.look_ahead;
                    let found = around.nearest(
                        first + index,
                        reach,
                        out,
                        |other| !has_floors || view.mates[other as usize].layer == me.layer,
                        |other| view.mates[other as usize].slot,
                    );
                    // At most the stride, which is at most 16.
                    *count = u8::try_from(found).unwrap_or(u8::MAX);
                    self.tally.neighbours += found as u64;
                }
            },
        );
    }
}
