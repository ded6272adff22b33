//! The edges of a cell, in both directions, as the repair walks them.

use crate::grid::{CellId, DIRECTIONS, IdSteps};
use crate::movement::{ArriveCharge, Charge, ChargeRule, DepartCharge, MeanCharge, Movement};
use core::marker::PhantomData;

/// Calls for every edge of a cell with the cell at its other end and its cost.
pub(super) trait Edges {
    /// Edges that leave; ends early when `each` answers `true`, and tells whether it did.
    fn any_from(&self, cell: u32, each: impl FnMut(u32, u32) -> bool) -> bool;

    /// Edges that enter.
    fn each_into(&self, cell: u32, each: impl FnMut(u32, u32));
}

/// Every kind of edge.
pub(super) struct AllEdges<'a>(pub(super) &'a Movement);

impl Edges for AllEdges<'_> {
    #[inline]
    fn any_from(&self, cell: u32, mut each: impl FnMut(u32, u32) -> bool) -> bool {
        self.0
            .edges_from(CellId(cell))
            .any(|edge| each(edge.other.0, edge.cost))
    }

    #[inline]
    fn each_into(&self, cell: u32, mut each: impl FnMut(u32, u32)) {
        for edge in self.0.edges_into(CellId(cell)) {
            each(edge.other.0, edge.cost);
        }
    }
}

/// Steps on one floor that may be taken both ways, priced by their cells alone: nearly all maps.
pub(super) struct PlainSteps<'a, C> {
    movement: &'a Movement,
    steps: IdSteps<'a>,
    lengths: &'a [u32; 8],
    charge: PhantomData<C>,
}

impl<C: ChargeRule> PlainSteps<'_, C> {
    /// On such maps what leads out of a cell leads in, so that one loop serves for both.
    #[inline(always)]
    fn any(&self, cell: u32, mut each: impl FnMut(u32, u8, u8, u32) -> bool) -> bool {
        let here = CellId(cell);
        let own = self.movement.cost(here);
        let mut exits = self.movement.exits(here).bits();
        while exits != 0 {
            let at = exits.trailing_zeros() as usize & 7;
            exits &= exits - 1;
            let other = self.steps.onward(here, DIRECTIONS[at]);
            if each(other.0, own, self.movement.cost(other), self.lengths[at]) {
                return true;
            }
        }
        false
    }
}

impl<C: ChargeRule> Edges for PlainSteps<'_, C> {
    #[inline(always)]
    fn any_from(&self, cell: u32, mut each: impl FnMut(u32, u32) -> bool) -> bool {
        self.any(cell, |other, own, beyond, length| {
            each(other, C::step(length, own, beyond))
        })
    }

    #[inline(always)]
    fn each_into(&self, cell: u32, mut each: impl FnMut(u32, u32)) {
        self.any(cell, |other, own, beyond, length| {
            each(other, C::step(length, beyond, own));
            false
        });
    }
}

/// Something to do with the edges of a movement, whatever kind they are.
pub(super) trait WithEdges {
    type Output;

    fn run<E: Edges>(self, edges: &E) -> Self::Output;
}

/// Does it with edges compiled for what the map has.
pub(super) fn with_edges<W: WithEdges>(movement: &Movement, work: W) -> W::Output {
    if !movement.is_plain() {
        return work.run(&AllEdges(movement));
    }
    match movement.steps().charge() {
        Charge::Depart => work.run(&plain::<DepartCharge>(movement)),
        Charge::Arrive => work.run(&plain::<ArriveCharge>(movement)),
        Charge::Mean => work.run(&plain::<MeanCharge>(movement)),
    }
}

fn plain<C: ChargeRule>(movement: &Movement) -> PlainSteps<'_, C> {
    PlainSteps {
        movement,
        steps: movement.grid().id_steps(),
        lengths: movement.steps().lengths(),
        charge: PhantomData,
    }
}
