//! The cells of a rescue: where its members may go and others may not.

use super::world::Member;
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
    /// The cells that are at most so many steps from an agent, forward or backward; all if there is no limit.
    pub(super) fn around(board: &Board, movement: &Movement, unit: &Unit, radius: Option<u32>) -> Self {
        let shape = &board.shapes[usize::from(unit.shape)];
        let mut seen = vec![false; movement.grid().len()];
        let mut covered = seen.clone();
        let mut queue = VecDeque::new();
        for cell in [unit.cell, unit.to] {
            if !core::mem::replace(&mut seen[cell as usize], true) {
                queue.push_back((cell, 0));
            }
        }
        while let Some((cell, steps)) = queue.pop_front() {
            let layer = movement.grid().cell(CellId(cell)).layer;
            for body in shape.cells(layer, cell) {
                covered[body] = true;
            }
            if radius.is_some_and(|radius| steps >= radius) {
                continue;
            }
            let (out, into) = (
                movement.edges_from(CellId(cell)),
                movement.edges_into(CellId(cell)),
            );
            for edge in out.chain(into) {
                if !core::mem::replace(&mut seen[edge.other.index()], true) {
                    queue.push_back((edge.other.0, steps + 1));
                }
            }
        }
        let cells = (0u32..).zip(&covered).filter(|(_, is_in)| **is_in);
        Self {
            cells: cells.map(|(cell, _)| cell).collect(),
            is_whole: radius.is_none(),
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

    /// Whether somebody stands in it who is not among these (in slot order): an agent that was added.
    pub(super) fn is_invaded(&self, board: &Board, members: &[Member]) -> bool {
        self.cells.iter().any(|&cell| {
            let holder = board.now[cell as usize];
            holder != NOBODY
                && members
                    .binary_search_by_key(&holder, |member| member.slot)
                    .is_err()
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
