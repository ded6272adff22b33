//! Chooses directions: the legal exits with the least step cost plus cost-to-goal.
//!
//! Rejected: "the neighbour with the lowest cost-to-goal". With weights or diagonals it is wrong: on flat ground at
//! 10/14 a straight neighbour of 22 gives 32, a diagonal one of 20 gives 34.

use super::FlowField;
use super::field::Still;
use crate::grid::{CellId, DirectionSet};
use crate::integrate::{IntegrationField, MAX_COST_TO_GOAL, Reach};
use crate::movement::{ArriveCharge, Charge, ChargeRule, DepartCharge, MeanCharge, Movement};
use crate::workers::{Workers, for_each_part};

/// Buffers of the direction pass, reused from call to call.
#[derive(Debug, Default)]
pub struct FlowScratch {
    /// Fewest free steps to a cell that has a paid way down; only used where steps may cost nothing.
    hops: Vec<u32>,
    open: Vec<u32>,
    next: Vec<u32>,
}

impl FlowScratch {
    /// Empty buffers; they grow on first use.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// Cells per task: enough to drown the cost of handing a task out.
const PART: usize = 1 << 16;

/// Fills `out` with the directions of `field`, which must have been integrated over the same `movement`.
///
/// The successors of a reached cell are all legal exits with `step cost + D[next] = D[cell]`. Where steps may cost
/// nothing, cost-to-goal alone could lead in a circle; then an exit counts only if it lowers (D, hops), hops being the
/// fewest free steps to a cell with a paid way down. Goal cells have no successors. The result does not depend on the
/// workers.
///
/// # Panics
/// If `field` and `movement` are not of the same grid.
pub fn extract(
    movement: &Movement,
    field: &IntegrationField,
    workers: &dyn Workers,
    scratch: &mut FlowScratch,
    out: &mut FlowField,
) {
    assert_eq!(
        movement.grid(),
        field.grid(),
        "directions need the movement the field was integrated over"
    );
    out.reset(*field.grid());
    match movement.steps().charge() {
        Charge::Depart => tight_exits::<DepartCharge>(movement, field, workers, &mut out.successors),
        Charge::Arrive => tight_exits::<ArriveCharge>(movement, field, workers, &mut out.successors),
        Charge::Mean => tight_exits::<MeanCharge>(movement, field, workers, &mut out.successors),
    }
    for sink in field.sinks() {
        out.successors[sink.cell.index()] = DirectionSet::EMPTY;
    }
    if movement.has_zero_steps() {
        break_free_circles(movement, field, scratch, &mut out.successors);
    }
    for id in field.grid().ids() {
        if out.successors[id.index()].is_empty() {
            out.set_still(id.index(), why_still(movement, field, id));
        }
    }
}

fn why_still(movement: &Movement, field: &IntegrationField, id: CellId) -> Still {
    match field.reach(id) {
        Reach::Reached(_) => Still::Goal,
        Reach::Unknown => Still::Unknown,
        Reach::Unreachable if movement.is_passable(id) => Still::Unreachable,
        Reach::Unreachable => Still::Impassable,
    }
}

/// Every exit with `step + D[next] = D[cell]`, for every reached cell.
fn tight_exits<C: ChargeRule>(
    movement: &Movement,
    field: &IntegrationField,
    workers: &dyn Workers,
    successors: &mut [DirectionSet],
) {
    let (exits, costs, values) = (movement.all_exits(), movement.costs(), field.raw());
    let (offsets, lengths) = (movement.grid().id_offsets(), movement.steps().lengths());
    let parts: Vec<_> = successors.chunks_mut(PART).collect();
    for_each_part(workers, parts, |part_index, part| {
        let first = part_index * PART;
        for (index, out) in (first..).zip(part.iter_mut()) {
            let value = values[index];
            if value > MAX_COST_TO_GOAL {
                continue;
            }
            let mut open = exits[index].bits();
            let mut tight = 0u8;
            while open != 0 {
                let direction = open.trailing_zeros() as usize & 7;
                open &= open - 1;
                let next = index.wrapping_add_signed(offsets[direction] as isize);
                let step = C::step(lengths[direction], costs[index], costs[next]);
                // Compared as a difference: a neighbour that is not reached holds a value above every cost, which no
                // difference can equal, while a sum could wrap onto one.
                tight |= u8::from(value.checked_sub(step) == Some(values[next])) << direction;
            }
            *out = DirectionSet::from_bits(tight);
        }
    });
}

/// Takes out exits that do not lower (D, hops), so that following directions always ends.
fn break_free_circles(
    movement: &Movement,
    field: &IntegrationField,
    scratch: &mut FlowScratch,
    successors: &mut [DirectionSet],
) {
    let values = field.raw();
    let offsets = movement.grid().id_offsets();
    let next_of = |cell: u32, direction: usize| cell.wrapping_add_signed(offsets[direction]);
    let FlowScratch { hops, open, next } = scratch;
    hops.clear();
    hops.resize(values.len(), u32::MAX);
    open.clear();
    for (cell, tight) in (0u32..).zip(successors.iter()) {
        let value = values[cell as usize];
        if value > MAX_COST_TO_GOAL {
            continue;
        }
        let is_sink = tight.is_empty();
        let pays = tight
            .iter()
            .any(|direction| values[next_of(cell, direction.index()) as usize] < value);
        if is_sink || pays {
            hops[cell as usize] = 0;
            open.push(cell);
        }
    }
    // Breadth-first, backwards over free tight exits.
    let mut depth = 0;
    while !open.is_empty() {
        depth += 1;
        next.clear();
        for &cell in open.iter() {
            for direction in movement.entries(CellId(cell)) {
                let from = cell.wrapping_add_signed(-offsets[direction.index()]);
                let free = values[from as usize] == values[cell as usize]
                    && successors[from as usize].contains(direction);
                if free && hops[from as usize] == u32::MAX {
                    hops[from as usize] = depth;
                    next.push(from);
                }
            }
        }
        core::mem::swap(open, next);
    }
    for (cell, tight) in (0u32..).zip(successors.iter_mut()) {
        *tight = tight
            .iter()
            .filter(|direction| {
                let to = next_of(cell, direction.index()) as usize;
                values[to] < values[cell as usize] || hops[to] < hops[cell as usize]
            })
            .collect();
    }
}
