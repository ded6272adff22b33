//! Two who stand in each other's way in a lane, and when it helps that one goes *back*.
//!
//! Priority inheritance alone pushes whoever is in the way ahead of it, and in a dead end it pushes for ever. The way out
//! is the swap technique of Okumura, "Improving LaCAM for Scalable Eventually Optimal Multi-Agent Pathfinding" (IJCAI 2023):
//! follow the lane from the pair on, one way to see whether pushing would end at a place with room beside the lane, the
//! other way to see whether going back would. If only going back does, the one who is more urgent takes its choices in
//! reverse order and draws the other after it, until both are where they can pass each other.
//!
//! For bodies of one cell and a pace of one tick. Pure functions over the board; whether the advice is good is never a
//! matter of safety.

use super::agent::StrictGroup;
use super::board::{Board, NOBODY, Unit};
use thalweg_core::flow::Guidance;
use thalweg_core::grid::CellId;

/// How far along a lane is looked, in cells. Beyond that the advice is that nothing helps.
const FARTHEST: u32 = 512;

/// Who wants what.
pub(super) trait Wishes {
    /// The group of a unit.
    fn group(&self, unit: u32) -> &StrictGroup<'_>;

    /// Cost-to-goal of a unit on a cell; `u32::MAX` if none.
    fn cost(&self, unit: u32, cell: u32) -> u32 {
        let group = self.group(unit);
        let cost = group.field.and_then(|(field, _)| field.cost(CellId(cell)));
        cost.filter(|_| !group.is_idle).map_or(u32::MAX, |cost| cost.0)
    }
}

/// Where a walk along a lane ends.
enum End {
    /// At a cell with two ways on or more: room to pass.
    Room,
    /// In a dead end, or after too many cells.
    Closed,
}

struct Lane<'a, W> {
    wishes: &'a W,
    board: &'a Board,
    units: &'a [Unit],
}

/// Whom a unit should draw after it, going back, rather than push; `best` is the cell that it would most like to go to.
pub(super) fn partner(
    wishes: &impl Wishes,
    board: &Board,
    units: &[Unit],
    unit: u32,
    best: u32,
) -> Option<u32> {
    let at = &units[unit as usize];
    if best == at.cell || !is_simple(board, at) {
        return None;
    }
    let lane = Lane { wishes, board, units };
    let is_partner =
        |other: u32| other != NOBODY && other != unit && is_simple(board, &units[other as usize]);
    let ahead = board.now[best as usize];
    if is_partner(ahead)
        && !board.is_decided(ahead)
        && lane.is_required(unit, ahead, at.cell, best)
        && lane.is_possible(best, at.cell)
    {
        return Some(ahead);
    }
    // Somebody beside it who will have to get past it, and may be pushing it at this moment: going on would shut the lane
    // before the pair.
    lane.neighbours(unit, at.cell).find_map(|cell| {
        let beside = board.now[cell as usize];
        (cell != best
            && is_partner(beside)
            && lane.is_required(beside, unit, at.cell, best)
            && lane.is_possible(best, at.cell))
        .then_some(beside)
    })
}

fn is_simple(board: &Board, unit: &Unit) -> bool {
    unit.pace == 1 && board.shapes[usize::from(unit.shape)].is_single
}

impl<W: Wishes> Lane<'_, W> {
    fn neighbours(&self, unit: u32, cell: u32) -> impl Iterator<Item = u32> + '_ {
        let movement = self.wishes.group(unit).movement;
        movement.edges_from(CellId(cell)).map(|edge| edge.other.0)
    }

    /// The ways on from a cell, not counting where one comes from and dead ends whose owner rests in them: how many there are
    /// (2 stands for all above), and the last of them.
    fn ways_on(&self, unit: u32, cell: u32, from: u32) -> (u32, u32) {
        let mut ways = (0, cell);
        for next in self.neighbours(unit, cell) {
            if next != from && !self.is_shut(unit, next) {
                ways = (ways.0 + 1, next);
                if ways.0 == 2 {
                    break;
                }
            }
        }
        ways
    }

    /// Whether somebody rests at its goal at the end of a dead end.
    fn is_shut(&self, unit: u32, cell: u32) -> bool {
        let holder = self.board.now[cell as usize];
        if holder == NOBODY || self.units[holder as usize].is_under_way() {
            return false;
        }
        let group = self.wishes.group(holder);
        group
            .field
            .is_some_and(|(_, flow)| flow.guidance(CellId(cell)) == Guidance::Goal)
            && self.neighbours(unit, cell).nth(1).is_none()
    }

    /// Whether `pusher` cannot get past `puller` by going on: along the lane they come to no place with room, and both want to
    /// where the other is.
    fn is_required(&self, pusher: u32, puller: u32, mut pusher_at: u32, mut puller_at: u32) -> bool {
        let cost = |unit, cell| self.wishes.cost(unit, cell);
        let mut left = FARTHEST;
        while cost(pusher, puller_at) < cost(pusher, pusher_at) {
            let (ways, next) = self.ways_on(pusher, puller_at, pusher_at);
            if ways >= 2 || left == 0 {
                return false;
            }
            if ways == 0 {
                break;
            }
            left -= 1;
            (pusher_at, puller_at) = (puller_at, next);
        }
        let wants_on = cost(pusher, puller_at) < cost(pusher, pusher_at);
        cost(puller, pusher_at) < cost(puller, puller_at) && (cost(pusher, pusher_at) == 0 || wants_on)
    }

    /// Whether going back from `from` by way of `at` comes to a place with room.
    fn is_possible(&self, from: u32, at: u32) -> bool {
        let unit = self.board.now[at as usize];
        matches!(self.walk(unit, from, at), End::Room)
    }

    fn walk(&self, unit: u32, mut from: u32, mut at: u32) -> End {
        let origin = from;
        for _ in 0..FARTHEST {
            let (ways, next) = self.ways_on(unit, at, from);
            match ways {
                0 => return End::Closed,
                1 => (from, at) = (at, next),
                _ => return End::Room,
            }
            if at == origin {
                return End::Closed;
            }
        }
        End::Closed
    }
}
