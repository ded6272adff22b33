//! What tiles tell each other: rows and columns of costs at their rims, and sums at the ends of portals.

use super::map::{Place, TileIndex, TileMap};
use super::news::{News, Rim};
use super::packing::Packing;
use super::slots::Slots;
use super::solve::pack;
use super::tile::{Halo, Values, Work};
use super::{NONE, SIDE};
use crate::movement::Movement;

/// What waits for a tile.
#[derive(Debug)]
pub(super) struct Inbox {
    /// In which run it was last written to.
    run: u64,
    pub(super) halo: Halo,
    pub(super) work: Work,
    /// Cells of the tile that are offered a cost from outside the row of tiles: seeds, and near ends of portals.
    pub(super) offers: Vec<(u16, u32)>,
    /// The least cost that waits; [`NONE`] if the tile is in no queue.
    pub(super) key: u32,
}

impl Inbox {
    pub(super) fn new() -> Self {
        Self {
            run: 0,
            halo: Halo::UNKNOWN,
            work: Work::default(),
            offers: Vec::new(),
            key: NONE,
        }
    }

    /// Empties it if it is of an earlier run.
    #[inline]
    pub(super) fn of_run(&mut self, run: u64) -> &mut Self {
        if self.run != run {
            self.run = run;
            self.halo = Halo::UNKNOWN;
            self.work = Work::default();
            self.offers.clear();
            self.key = NONE;
        }
        self
    }

    /// Offers a cost to a cell. Returns whether the tile has to be queued for it.
    pub(super) fn offer(&mut self, cell: u16, cost: u32) -> bool {
        self.offers.push((cell, cost));
        let is_first = cost < self.key;
        self.key = self.key.min(cost);
        is_first
    }
}

/// The end of a portal that a tile has to watch.
#[derive(Clone, Copy, Debug)]
pub(super) struct PortalEnd {
    pub(super) to: TileIndex,
    pub(super) to_cell: (usize, usize),
    pub(super) from: TileIndex,
    pub(super) from_cell: u16,
    pub(super) cost: u32,
}

/// Lists the portals in order of the tile they lead to.
pub(super) fn list_portals(
    map: &TileMap,
    movement: &Movement,
    packing: Packing,
    portals: &mut Vec<PortalEnd>,
) {
    let grid = movement.grid();
    portals.clear();
    for from in movement.portal_cells() {
        for portal in movement.portals_of(from) {
            let (to, to_cell) = map.locate(grid, portal.other);
            let (tile, cell) = map.locate(grid, from);
            portals.push(PortalEnd {
                to,
                to_cell,
                from: tile,
                from_cell: pack(cell),
                // One that does not fit is beyond the limit as well.
                cost: packing.cost(portal.cost.min(packing.largest() + 1)),
            });
        }
    }
    portals.sort_by_key(|portal| portal.to);
}

/// A tile that has news, with the least cost of it.
pub(super) type Told = (u32, TileIndex);

/// The inboxes of a run, and who has got something since they were last asked.
pub(super) struct Post<'a, I> {
    pub(super) inboxes: &'a mut I,
    pub(super) run: u64,
    pub(super) told: &'a mut Vec<Told>,
}

impl<I: Slots<Inbox>> Post<'_, I> {
    /// Tells the tiles around a tile what it lowered.
    pub(super) fn tell(&mut self, place: &Place<'_>, news: &News) {
        const LAST: usize = SIDE - 1;
        let pulls_up = Work {
            up: 1,
            ..Work::default()
        };
        let pulls_down = Work {
            down: 1 << LAST,
            ..Work::default()
        };
        let beside = |rim: &Rim| Work {
            beside: rim.cells,
            ..Work::default()
        };
        let News {
            north,
            south,
            west,
            east,
            corners,
        } = news;
        let mut pass = |rim: &Rim, dx, dy, work, write: fn(&mut Halo, &[u32; SIDE])| {
            if rim.is_lowered
                && let Some(to) = place.beside(dx, dy)
            {
                self.pass(to, rim.least, work, |halo| write(halo, &rim.values));
            }
        };
        pass(north, 0, -1, pulls_down, |halo, row| halo.south = *row);
        pass(south, 0, 1, pulls_up, |halo, row| halo.north = *row);
        pass(west, -1, 0, beside(west), |halo, column| {
            halo.east[1..=SIDE].copy_from_slice(column);
        });
        pass(east, 1, 0, beside(east), |halo, column| {
            halo.west[1..=SIDE].copy_from_slice(column);
        });
        let across = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
        for (&corner, (dx, dy)) in corners.iter().zip(across) {
            let (Some(value), Some(to)) = (corner, place.beside(dx, dy)) else {
                continue;
            };
            let work = Work {
                beside: if dy < 0 { 1 << LAST } else { 1 },
                ..Work::default()
            };
            self.pass(to, value, work, |halo| {
                let into = if dx < 0 { &mut halo.east } else { &mut halo.west };
                into[if dy < 0 { SIDE + 1 } else { 0 }] = value;
            });
        }
    }

    /// Offers what a tile lowered at the far ends of portals to their near ends. Returns whether a sum was beyond the limit.
    pub(super) fn tell_portals(
        &mut self,
        portals: &[PortalEnd],
        index: TileIndex,
        values: &Values,
        rows: u32,
        limit: u32,
    ) -> bool {
        let mut dropped = false;
        let first = portals.partition_point(|portal| portal.to < index);
        for portal in portals[first..].iter().take_while(|portal| portal.to == index) {
            let (column, row) = portal.to_cell;
            let value = values[row][column];
            if rows >> row & 1 == 0 || value == NONE {
                continue;
            }
            let sum = value.saturating_add(portal.cost);
            if sum > limit {
                dropped = true;
            } else {
                self.offer(portal.from, portal.from_cell, sum);
            }
        }
        dropped
    }

    /// Offers a cost to a cell of a tile.
    pub(super) fn offer(&mut self, tile: TileIndex, cell: u16, cost: u32) {
        if self.inboxes.hold(tile).of_run(self.run).offer(cell, cost) {
            self.told.push((cost, tile));
        }
    }

    /// Writes into the halo of a tile, and queues the tile if there is news in it.
    #[inline]
    fn pass(&mut self, to: TileIndex, news: u32, work: Work, write: impl FnOnce(&mut Halo)) {
        let mut held = self.inboxes.hold(to);
        let inbox = held.of_run(self.run);
        write(&mut inbox.halo);
        if news != NONE {
            inbox.work = inbox.work.join(work);
            if news < inbox.key {
                inbox.key = news;
                self.told.push((news, to));
            }
        }
    }
}
