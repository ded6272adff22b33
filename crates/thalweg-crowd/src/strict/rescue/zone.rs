//! The cells of a rescue: where its members may go and others may not.

use crate::strict::agent::StrictGroup;
use crate::strict::board::{Board, NOBODY, Unit};
use std::collections::VecDeque;
use thalweg_core::grid::CellId;
use thalweg_core::movement::Movement;

/// A set of cells, in id order.
#[derive(Clone, Debug)]
pub(in crate::strict) struct Zone {
    cells: Vec<u32>,
    /// Whether it is everything that can be reached.
    is_whole: bool,
}

impl Zone {
    /// The cells that are at most so many steps from an agent, forward or backward.
    pub(super) fn around(board: &Board, movement: &Movement, unit: &Unit, radius: u32) -> Self {
        let mut flood = Flood::new(movement);
        let mut covered = vec![false; movement.grid().len()];
        flood.spread(board, movement, unit, Some(radius), &mut covered);
        Self {
            cells: cells_of(&covered),
            is_whole: false,
        }
    }

    /// Everything that an agent can reach, that those in it can reach, and so on: whoever is in it meets nobody outside,
    /// whatever all of them do.
    pub(super) fn of_all<'m>(
        board: &Board,
        units: &[Unit],
        movement_of: impl Fn(u32) -> &'m Movement,
        unit: u32,
    ) -> Self {
        let grid = movement_of(unit).grid();
        let mut covered = vec![false; grid.len()];
        let mut is_in = vec![false; units.len()];
        let mut floods: Vec<Flood<'m>> = Vec::new();
        let mut open = vec![unit];
        is_in[unit as usize] = true;
        while let Some(unit) = open.pop() {
            let movement = movement_of(unit);
            let known = floods
                .iter()
                .position(|flood| flood.movement.profile() == movement.profile());
            let index = known.unwrap_or_else(|| {
                floods.push(Flood::new(movement));
                floods.len() - 1
            });
            let at = &units[unit as usize];
            for cell in floods[index].spread(board, movement, at, None, &mut covered) {
                let holder = board.now[cell as usize];
                if holder != NOBODY && !core::mem::replace(&mut is_in[holder as usize], true) {
                    open.push(holder);
                }
            }
        }
        Self {
            cells: cells_of(&covered),
            is_whole: true,
        }
    }

    /// Takes in whoever holds a cell of it, with all the cells they hold; returns who that is, in slot order.
    pub(super) fn take_in(&mut self, board: &Board, units: &[Unit]) -> Vec<u32> {
        let mut members: Vec<u32> = self
            .cells
            .iter()
            .map(|&cell| board.now[cell as usize])
            .filter(|&holder| holder != NOBODY)
            .collect();
        members.sort_unstable();
        members.dedup();
        for &member in &members {
            let held = board.held(&units[member as usize]);
            self.cells
                .extend(held.filter_map(|cell| u32::try_from(cell).ok()));
        }
        self.cells.sort_unstable();
        self.cells.dedup();
        members
    }

    /// The cells that members may be on; `None` for all.
    pub(super) fn cells(&self) -> Option<&[u32]> {
        (!self.is_whole).then_some(&self.cells[..])
    }

    /// Whether this is so for one of its cells.
    pub(super) fn any(&self, is_so: impl FnMut(u32) -> bool) -> bool {
        self.cells.iter().copied().any(is_so)
    }

    /// Whether some of it belongs to another zone.
    pub(super) fn is_taken(&self, board: &Board) -> bool {
        self.cells.iter().any(|&cell| board.is_closed(cell as usize))
    }

    pub(super) fn close(&self, board: &mut Board) {
        board.set_closed(&self.cells, true);
    }

    pub(super) fn open(&self, board: &mut Board) {
        board.set_closed(&self.cells, false);
    }

    /// Whether somebody stands in it who is no member: an agent that was added.
    pub(super) fn is_invaded(&self, board: &Board, is_member: impl Fn(u32) -> bool) -> bool {
        self.cells.iter().any(|&cell| {
            let holder = board.now[cell as usize];
            holder != NOBODY && !is_member(holder)
        })
    }

    /// The least cost-to-goal of its cells, 0 if a goal is among them; `None` if no cell leads to one.
    pub(super) fn nearest(&self, group: &StrictGroup<'_>, is_goal: impl Fn(u32) -> bool) -> Option<u32> {
        let (field, _) = group.field?;
        if self.cells.iter().any(|&cell| is_goal(cell)) {
            return Some(0);
        }
        let costs = self.cells.iter().filter_map(|&cell| field.cost(CellId(cell)));
        costs.map(|cost| cost.0).min()
    }
}

fn cells_of(covered: &[bool]) -> Vec<u32> {
    let cells = (0u32..).zip(covered).filter(|(_, is_in)| **is_in);
    cells.map(|(cell, _)| cell).collect()
}

/// A breadth-first flood over the anchors of one kind of body.
struct Flood<'m> {
    movement: &'m Movement,
    seen: Vec<bool>,
    queue: VecDeque<(u32, u32)>,
}

impl<'m> Flood<'m> {
    fn new(movement: &'m Movement) -> Self {
        Self {
            movement,
            seen: vec![false; movement.grid().len()],
            queue: VecDeque::new(),
        }
    }

    /// Goes on from a unit and marks what bodies cover; returns the cells that were not covered before.
    fn spread(
        &mut self,
        board: &Board,
        movement: &Movement,
        unit: &Unit,
        radius: Option<u32>,
        covered: &mut [bool],
    ) -> Vec<u32> {
        let shape = &board.shapes[usize::from(unit.shape)];
        let mut new = Vec::new();
        for cell in [unit.cell, unit.to] {
            if !core::mem::replace(&mut self.seen[cell as usize], true) {
                self.queue.push_back((cell, 0));
            }
        }
        while let Some((cell, steps)) = self.queue.pop_front() {
            let layer = movement.grid().cell(CellId(cell)).layer;
            for body in shape.cells(layer, cell) {
                if !core::mem::replace(&mut covered[body], true) {
                    new.extend(u32::try_from(body));
                }
            }
            if radius.is_some_and(|radius| steps >= radius) {
                continue;
            }
            let out = movement.edges_from(CellId(cell));
            for edge in out.chain(movement.edges_into(CellId(cell))) {
                if !core::mem::replace(&mut self.seen[edge.other.index()], true) {
                    self.queue.push_back((edge.other.0, steps + 1));
                }
            }
        }
        new
    }
}
