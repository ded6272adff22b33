//! Maps, rules and numbers from bytes.

use arbitrary::{Result, Unstructured};
use std::ops::RangeInclusive;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::movement::{Charge, Connectivity, CornerRule, Movement, MovementProfile, StepScale};
use thalweg_core::workers::Workers;

/// Three workers on one thread that take their tasks from the last to the first: what depends on the order or the split
/// of the work differs from the serial run every time, not only when threads happen to race.
pub(crate) struct LastFirst;

impl Workers for LastFirst {
    fn threads(&self) -> usize {
        3
    }

    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..tasks).rev().for_each(task);
    }
}

/// True once in `times`; never when the bytes have run out.
pub(crate) fn rarely(u: &mut Unstructured<'_>, times: u8) -> Result<bool> {
    Ok(u.int_in_range(0..=times - 1)? == times - 1)
}

/// A map of at most `max_side` cells a side. The palette is chosen first: maps of any bytes alone would almost never
/// be uniform, which is the only ground that breadth-first layers run on.
pub(crate) fn costs(u: &mut Unstructured<'_>, max_side: u32, first: Cell) -> Result<CostField> {
    let grid = Grid::with_first_cell(
        u.int_in_range(1..=max_side)?,
        u.int_in_range(1..=max_side)?,
        first,
    )
    .expect("the sides are small and the first cell leaves room for them");
    let any = [u.arbitrary()?, 255];
    let palette: &[u8] = match u.int_in_range(0..=6)? {
        0 => &[1, 1, 1, 255],
        1 => &[],
        2 => &any,
        3 => &[0, 1, 5, 255],
        4 => &[1, 254, 255],
        5 => &[0, 255],
        _ => &[1, 2, 3, 4, 255],
    };
    let has_unknown = rarely(u, 3)?;
    let mut bytes = Vec::with_capacity(grid.len());
    let mut unknown = Vec::new();
    for id in grid.ids() {
        let byte: u8 = u.arbitrary()?;
        if has_unknown && byte > 240 {
            unknown.push(grid.cell(id));
        }
        bytes.push(if palette.is_empty() {
            byte
        } else {
            palette[usize::from(byte) % palette.len()]
        });
    }
    let mut costs = CostField::from_bytes(grid, bytes).expect("one byte per cell");
    for cell in unknown {
        costs.set_unknown(cell).expect("the cell is on the map");
    }
    Ok(costs)
}

/// A first cell for maps of at most 64 cells a side: mostly near the origin, sometimes at an end of the numbers.
pub(crate) fn first_cell(u: &mut Unstructured<'_>) -> Result<Cell> {
    let mut one = || -> Result<i32> {
        Ok(match u.int_in_range(0..=5)? {
            0..=2 => 0,
            3 => u.int_in_range(-40..=40)?,
            4 => i32::MIN,
            _ => i32::MAX - 63,
        })
    };
    Ok(Cell::new(one()?, one()?))
}

pub(crate) fn profile(u: &mut Unstructured<'_>) -> Result<MovementProfile> {
    let straight = |u: &mut Unstructured<'_>| u.int_in_range(1..=StepScale::MAX_STRAIGHT);
    let scale = match u.int_in_range(0..=5)? {
        0 | 1 => StepScale::TEN_FOURTEEN,
        2 => StepScale::FINE,
        3 => StepScale::new(1, u.int_in_range(1..=2)?).expect("1/1 and 1/2 are scales"),
        4 => StepScale::new(StepScale::MAX_STRAIGHT, 2 * StepScale::MAX_STRAIGHT).expect("the largest scale"),
        _ => {
            let straight = straight(u)?;
            let diagonal = u.int_in_range(straight..=2 * straight)?;
            StepScale::new(straight, diagonal).expect("the diagonal is between one and two straight steps")
        }
    };
    Ok(MovementProfile::new()
        .with_connectivity(*u.choose(&[Connectivity::Eight, Connectivity::Eight, Connectivity::Four])?)
        .with_corner_rule(*u.choose(&[CornerRule::BothFree, CornerRule::OneFree, CornerRule::Always])?)
        .with_charge(*u.choose(&[Charge::Depart, Charge::Arrive, Charge::Mean])?)
        .with_scale(scale))
}

/// A cell of the map.
pub(crate) fn cell_of(u: &mut Unstructured<'_>, grid: &Grid) -> Result<Cell> {
    let id = grid
        .id_at(
            u.int_in_range(0..=grid.width() - 1)?,
            u.int_in_range(0..=grid.height() - 1)?,
        )
        .expect("column and row are below the sides");
    Ok(grid.cell(id))
}

/// A cell of the map or, now and then, beside it or far away.
pub(crate) fn cell_near(u: &mut Unstructured<'_>, grid: &Grid) -> Result<Cell> {
    let mut cell = cell_of(u, grid)?;
    if rarely(u, 8)? {
        cell.x = cell.x.wrapping_add(u.int_in_range(-30..=30)?);
        cell.y = cell.y.wrapping_add(u.arbitrary::<i32>()?);
        cell.layer = u16::from(rarely(u, 8)?);
    }
    Ok(cell)
}

/// A cost, walls and plain ground more often than others.
pub(crate) fn cost(u: &mut Unstructured<'_>) -> Result<Cost> {
    Ok(match u.int_in_range(0..=3)? {
        0 => Cost::IMPASSABLE,
        1 => Cost::PLAIN,
        _ => Cost::from_byte(u.arbitrary()?),
    })
}

/// A number of the range, in 256 steps; now and then any bits at all, NaN and infinities among them, which the library
/// must refuse.
pub(crate) fn number(u: &mut Unstructured<'_>, range: RangeInclusive<f32>) -> Result<f32> {
    if rarely(u, 64)? {
        return Ok(f32::from_bits(u.arbitrary()?));
    }
    let part = f32::from(u.arbitrary::<u8>()?) / 255.0;
    let value = range.start() + (range.end() - range.start()) * part;
    // The product may round past the end.
    Ok(value.clamp(*range.start(), *range.end()))
}

/// The connected part of every cell over legal exits; walls have none. Exits lead both ways, so parts are well defined.
pub(crate) fn parts(movement: &Movement) -> Vec<Option<u32>> {
    let grid = movement.grid();
    let mut part_of = vec![None; grid.len()];
    let mut parts = 0;
    for start in grid.ids() {
        if part_of[start.index()].is_some() || !movement.is_passable(start) {
            continue;
        }
        part_of[start.index()] = Some(parts);
        let mut open = vec![start];
        while let Some(id) = open.pop() {
            for direction in movement.exits(id) {
                let next = grid.neighbour(id, direction).expect("an exit leads to a cell");
                if part_of[next.index()].is_none() {
                    part_of[next.index()] = Some(parts);
                    open.push(next);
                }
            }
        }
        parts += 1;
    }
    part_of
}

/// Fails with the thread's message if a sentence is empty or has several lines; user input must be quoted in it.
pub(crate) fn check_sentence(error: &impl std::fmt::Display) {
    let text = error.to_string();
    assert!(
        !text.is_empty() && !text.contains(['\n', '\r']),
        "an error must be one line, but is {text:?}"
    );
}
