//! Chooses directions: the legal exits with the least step cost plus cost-to-goal.
//!
//! Rejected: "the neighbour with the lowest cost-to-goal". With weights or diagonals it is wrong: on flat ground at
//! 10/14 a straight neighbour of 22 gives 32, a diagonal one of 20 gives 34.

use super::FlowField;
use super::field::Still;
use crate::grid::{CellId, Direction, DirectionSet};
use crate::integrate::{IntegrationField, MAX_COST_TO_GOAL, UNKNOWN, UNREACHABLE};
use crate::movement::{
    ArriveCharge, Charge, ChargeRule, DepartCharge, EdgeKind, MeanCharge, Movement, PortalIndex,
};
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
    out.reset(field.grid());
    match movement.steps().charge() {
        _ if movement.has_edge_charges() => tight_steps(movement, field, &mut out.successors),
        Charge::Depart => tight_exits::<DepartCharge>(movement, field, workers, &mut out.successors),
        Charge::Arrive => tight_exits::<ArriveCharge>(movement, field, workers, &mut out.successors),
        Charge::Mean => tight_exits::<MeanCharge>(movement, field, workers, &mut out.successors),
    }
    for sink in field.sinks() {
        out.successors[sink.cell.index()] = DirectionSet::EMPTY;
    }
    tight_portals(movement, field, &mut out.portals);
    if movement.has_zero_steps() {
        break_free_circles(movement, field, scratch, out);
    }
    tell_why_still(movement, field, out);
}

/// Says of every cell that is not reached why it has no successor. A goal's bits are 0, as are those of a cell with
/// successors, so that blocks whose cells are all reached are passed over.
fn tell_why_still(movement: &Movement, field: &IntegrationField, out: &mut FlowField) {
    const BLOCK: usize = 32;
    let (value_blocks, _) = field.raw().as_chunks::<BLOCK>();
    let (cost_blocks, _) = movement.costs().as_chunks::<BLOCK>();
    let (still_blocks, _) = out.still.as_chunks_mut::<{ BLOCK / 4 }>();
    for ((values, costs), still) in value_blocks.iter().zip(cost_blocks).zip(still_blocks) {
        if (values.iter()).fold(false, |lost, &value| lost | (value > MAX_COST_TO_GOAL)) {
            // Without branches: beside walls they would be missed at every other cell.
            let mut why = [0u8; BLOCK];
            for lane in 0..BLOCK {
                why[lane] = why_still(values[lane], costs[lane]) as u8;
            }
            for (byte, why) in still.iter_mut().zip(why.as_chunks::<4>().0) {
                *byte = why[0] | why[1] << 2 | why[2] << 4 | why[3] << 6;
            }
        }
    }
    for index in BLOCK * value_blocks.len()..field.raw().len() {
        out.set_still(index, why_still(field.raw()[index], movement.costs()[index]));
    }
}

#[inline(always)]
const fn why_still(value: u32, cost: u8) -> Still {
    let unreachable = if cost == 255 {
        Still::Impassable
    } else {
        Still::Unreachable
    };
    let unknown = if value == UNKNOWN {
        Still::Unknown
    } else {
        Still::Goal
    };
    if value == UNREACHABLE {
        unreachable
    } else {
        unknown
    }
}

/// Every exit with `step + D[next] = D[cell]`, for every reached cell.
fn tight_exits<C: ChargeRule>(
    movement: &Movement,
    field: &IntegrationField,
    workers: &dyn Workers,
    successors: &mut [DirectionSet],
) {
    for layer in movement.grid().layers() {
        let ground = Ground {
            exits: movement.all_exits(),
            costs: movement.costs(),
            values: field.raw(),
            lengths: movement.steps().lengths(),
            offsets: layer.id_offsets(),
        };
        let first = layer.range().start;
        let parts: Vec<_> = successors[layer.range()].chunks_mut(PART).collect();
        for_each_part(workers, parts, |part_index, part| {
            ground.successors_of_part::<C>(first + part_index * PART, part);
        });
    }
}

/// What the direction pass reads.
struct Ground<'a> {
    exits: &'a [DirectionSet],
    costs: &'a [u8],
    values: &'a [u32],
    lengths: &'a [u32; 8],
    offsets: [i32; 8],
}

/// Cells whose directions are computed side by side: four vectors of the smallest kind, which stay in registers. 32 took
/// 1.4 times as long.
const LANES: usize = 16;

impl Ground<'_> {
    /// Blocks of cells that have a full row above and below are done without branches, so that the compiler turns them
    /// into vectors; a neighbour beyond a side of the map is then the cell that stands there in the array, and its bit
    /// is masked away by the exits. Cell by cell, the branches on costs and walls took ten times as long.
    fn successors_of_part<C: ChargeRule>(&self, first: usize, out: &mut [DirectionSet]) {
        let margin = self.offsets[2].unsigned_abs() as usize + 1;
        let last = first + out.len();
        let mut cell = first;
        while cell < last {
            let block = &mut out[cell - first..];
            let has_rows = cell >= margin && cell + LANES + margin <= self.values.len();
            if has_rows && let Some(block) = block.first_chunk_mut::<LANES>() {
                self.block_successors::<C>(cell, block);
                cell += LANES;
            } else {
                block[0] = self.successors::<C>(cell);
                cell += 1;
            }
        }
    }

    #[inline(always)]
    fn block_successors<C: ChargeRule>(&self, first: usize, out: &mut [DirectionSet; LANES]) {
        let values: &[u32; LANES] = lanes(self.values, first);
        let costs: &[u8; LANES] = lanes(self.costs, first);
        let exits: &[DirectionSet; LANES] = lanes(self.exits, first);
        // Which directions a cell's cost is high enough for, see `is_tight`.
        let mut fits = [0u8; LANES];
        let mut tight = [0u8; LANES];
        for (length, directions) in [(self.lengths[0], 0..4), (self.lengths[4], 4..8)] {
            // A charge that does not ask for the cell entered gives all steps of one length the same price.
            let price_is_own = C::step(1, 0, 1) == 0;
            let mut after = [0u32; LANES];
            if price_is_own {
                for lane in 0..LANES {
                    let step = C::step(length, costs[lane], 0);
                    after[lane] = values[lane].wrapping_sub(step);
                    fits[lane] |= if step <= values[lane] {
                        0x0f << directions.start
                    } else {
                        0
                    };
                }
            }
            let mut tight32 = [0u32; LANES];
            for direction in directions {
                let next_first = first.wrapping_add_signed(self.offsets[direction] as isize);
                let next_values: &[u32; LANES] = lanes(self.values, next_first);
                let bit = 1 << direction;
                if price_is_own {
                    for lane in 0..LANES {
                        tight32[lane] |= if after[lane] == next_values[lane] { bit } else { 0 };
                    }
                } else {
                    let next_costs: &[u8; LANES] = lanes(self.costs, next_first);
                    for lane in 0..LANES {
                        let step = C::step(length, costs[lane], next_costs[lane]);
                        let is_tight = is_tight(values[lane], step, next_values[lane]);
                        tight32[lane] |= if is_tight { bit } else { 0 };
                    }
                }
            }
            for lane in 0..LANES {
                tight[lane] |= tight32[lane].to_le_bytes()[0];
            }
        }
        for lane in 0..LANES {
            let reached = u8::from(values[lane] <= MAX_COST_TO_GOAL).wrapping_neg();
            let fits = if C::step(1, 0, 1) == 0 { fits[lane] } else { 0xff };
            out[lane] = DirectionSet::from_bits(tight[lane] & fits & reached & exits[lane].bits());
        }
    }

    fn successors<C: ChargeRule>(&self, cell: usize) -> DirectionSet {
        let value = self.values[cell];
        if value > MAX_COST_TO_GOAL {
            return DirectionSet::EMPTY;
        }
        let tight = |direction: &Direction| {
            let direction = direction.index();
            let next = cell.wrapping_add_signed(self.offsets[direction] as isize);
            let step = C::step(self.lengths[direction], self.costs[cell], self.costs[next]);
            is_tight(value, step, self.values[next])
        };
        self.exits[cell].iter().filter(tight).collect()
    }
}

#[inline(always)]
fn lanes<T>(values: &[T], first: usize) -> &[T; LANES] {
    values[first..]
        .first_chunk()
        .expect("the caller leaves a full row and more beyond the block")
}

/// Compared as a difference: a neighbour that is not reached holds a value above every cost, which no difference can
/// equal, while a sum could wrap onto one.
#[inline(always)]
const fn is_tight(value: u32, step: u32, next: u32) -> bool {
    (value.wrapping_sub(step) == next) & (step <= value)
}

/// As [`tight_exits`], edge by edge: for steps that cost something beside the charge of their cells.
fn tight_steps(movement: &Movement, field: &IntegrationField, successors: &mut [DirectionSet]) {
    let values = field.raw();
    for (id, out) in field.grid().ids().zip(successors) {
        let value = values[id.index()];
        if value > MAX_COST_TO_GOAL {
            continue;
        }
        let tight = movement.edges_from(id).filter_map(|edge| match edge.kind {
            EdgeKind::Step(direction) => {
                (value.checked_sub(edge.cost) == Some(values[edge.other.index()])).then_some(direction)
            }
            EdgeKind::Portal(_) => None,
        });
        *out = tight.collect();
    }
}

/// Every portal with `cost + D[other end] = D[cell]`, for every reached cell that is no goal.
fn tight_portals(movement: &Movement, field: &IntegrationField, portals: &mut Vec<(CellId, PortalIndex)>) {
    let values = field.raw();
    for cell in movement.portal_cells() {
        let value = values[cell.index()];
        let is_sink = field
            .sinks()
            .binary_search_by_key(&cell, |seed| seed.cell)
            .is_ok();
        if value > MAX_COST_TO_GOAL || is_sink {
            continue;
        }
        for edge in movement.edges_from(cell) {
            if let EdgeKind::Portal(portal) = edge.kind
                && value.checked_sub(edge.cost) == Some(values[edge.other.index()])
            {
                portals.push((cell, portal));
            }
        }
    }
}

/// Takes out edges that do not lower (D, hops), so that following directions always ends.
fn break_free_circles(
    movement: &Movement,
    field: &IntegrationField,
    scratch: &mut FlowScratch,
    out: &mut FlowField,
) {
    let values = field.raw();
    let steps = movement.grid().id_steps();
    let FlowScratch { hops, open, next } = scratch;
    hops.clear();
    hops.resize(values.len(), u32::MAX);
    open.clear();
    // Cells from which a paid edge leads on, and goals, have no hops to go.
    for (cell, &value) in (0u32..).zip(values) {
        if value > MAX_COST_TO_GOAL {
            continue;
        }
        let id = CellId(cell);
        let tight = out.successors[id.index()];
        let is_sink = tight.is_empty() && out.portals_at(id).is_empty();
        let pays = || {
            movement
                .edges_from(id)
                .any(|edge| edge.cost > 0 && value.checked_sub(edge.cost) == Some(values[edge.other.index()]))
        };
        if is_sink || pays() {
            hops[cell as usize] = 0;
            open.push(cell);
        }
    }
    // Breadth-first, backwards over free edges between cells of equal cost.
    let mut depth = 0;
    while !open.is_empty() {
        depth += 1;
        next.clear();
        for &cell in open.iter() {
            for edge in movement.edges_into(CellId(cell)) {
                let from = edge.other.index();
                if edge.cost == 0 && values[from] == values[cell as usize] && hops[from] == u32::MAX {
                    hops[from] = depth;
                    next.push(edge.other.0);
                }
            }
        }
        core::mem::swap(open, next);
    }
    let lowers = |from: usize, to: usize| values[to] < values[from] || hops[to] < hops[from];
    for (cell, tight) in (0u32..).zip(out.successors.iter_mut()) {
        *tight = tight
            .iter()
            .filter(|&direction| lowers(cell as usize, steps.onward(CellId(cell), direction).index()))
            .collect();
    }
    out.portals.retain(|&(cell, portal)| {
        let taken = movement
            .edges_from(cell)
            .find(|edge| edge.kind == EdgeKind::Portal(portal));
        taken.is_some_and(|edge| lowers(cell.index(), edge.other.index()))
    });
}
