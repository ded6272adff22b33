//! Sorts the agents into bins and moves their state into the order of the bins.

use super::{PART, Scratch};
use crate::crowd::Crowd;
use crate::fixed::subcells_up;
use crate::mate::Mate;
use crate::neighbours::PADDING;
use thalweg_core::grid::Layer;
use thalweg_core::workers::{Workers, for_each_part};

impl Scratch {
    /// Sorts, and moves every agent to the place of its rank.
    pub(crate) fn gather(&mut self, crowd: &mut Crowd, largest: f32, workers: &dyn Workers) {
        let len = crowd.slots.len();
        let reach = subcells_up(2.0 * largest + crowd.options.reach());
        let longest = |side: fn(&Layer) -> u32| crowd.grid.layers().iter().map(side).max().unwrap_or(1);
        let sides = (longest(Layer::width), longest(Layer::height));
        let slots = &mut crowd.slots;
        self.bins.sort(
            &slots.xs[..len],
            &slots.ys[..len],
            reach,
            sides,
            crowd.options.vectors,
        );
        self.xs.resize(len + PADDING, 0);
        self.ys.resize(len + PADDING, 0);
        self.mates.resize(len, Mate::NOBODY);
        let parts: Vec<_> = self.xs[..len]
            .chunks_mut(PART)
            .zip(self.ys[..len].chunks_mut(PART))
            .zip(self.mates.chunks_mut(PART))
            .zip(self.bins.order.chunks(PART))
            .collect();
        let old = &*slots;
        for_each_part(workers, parts, |part, (((xs, ys), mates), order)| {
            // Ranks are counted by u32, as slots are.
            let ranks = u32::try_from(part * PART).unwrap_or(u32::MAX)..;
            for ((((x, y), mate), &from), rank) in xs.iter_mut().zip(ys).zip(mates).zip(order).zip(ranks) {
                let from = from as usize;
                (*x, *y) = (old.xs[from], old.ys[from]);
                *mate = old.mates[from];
                old.note_place(mate.slot, rank);
            }
        });
        core::mem::swap(&mut slots.xs, &mut self.xs);
        core::mem::swap(&mut slots.ys, &mut self.ys);
        core::mem::swap(&mut slots.mates, &mut self.mates);
    }
}
