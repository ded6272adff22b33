//! Who is near whom.

use super::Part;
use crate::Avoidance;
use crate::kernel::{Kernel, Work, run};
use crate::neighbours::Around;
use crate::plan::View;

impl Part<'_> {
    /// Finds the nearest agents within reach of each.
    pub(super) fn find_neighbours(&mut self, view: &View<'_>) {
        if view.options.avoidance == Avoidance::Off {
            self.counts.fill(0);
            return;
        }
        run(view.options.vectors, Finding { part: self, view });
    }
}

/// The work on one part.
struct Finding<'a, 'b> {
    part: &'a mut Part<'b>,
    view: &'a View<'a>,
}

impl Work for Finding<'_, '_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self { part, view } = self;
        let around = Around {
            bins: view.bins,
            xs: view.xs,
            ys: view.ys,
        };
        let has_floors = view.grid.layers().len() > 1;
        let lists = part.near.chunks_mut(view.stride()).zip(&mut *part.counts);
        for (rank, (out, count)) in (part.first..).zip(lists) {
            let me = &view.mates[rank];
            if view.coasts(me) {
                *count = 0;
                continue;
            }
            let found = around.nearest(
                kernel,
                rank,
                me.radius + view.largest + view.options.reach(),
                out,
                has_floors.then_some(|other: u32| view.mates[other as usize].layer == me.layer),
                |other| view.mates[other as usize].slot,
            );
            // At most the stride, which is at most 16.
            *count = u8::try_from(found).unwrap_or(u8::MAX);
            part.tally.neighbours += found as u64;
        }
    }
}
