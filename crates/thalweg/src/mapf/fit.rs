//! Agents of any size from starts and goals that were made for single cells.

use super::error::MapfError;
use super::world::{MapfAgent, MapfOptions, compile, in_ticks};
use thalweg_core::components::Components;
use thalweg_core::cost::CostField;
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::movement::EdgeRules;

/// The first `count` agents whose bodies of `side` × `side` cells fit: start and goal are free, the goal can be reached, and
/// no start covers a cell of another start, no goal one of another goal. Pairs that do not fit are passed over.
///
/// Scenarios are made for points; taken line by line, hardly one of them could be stepped with larger bodies.
///
/// # Errors
/// [`MapfError::TooFew`] if not so many fit; [`MapfError::Body`] for a side that no body has; for rules of another map.
pub fn first_that_fit(
    costs: &CostField,
    rules: Option<&EdgeRules>,
    options: &MapfOptions,
    side: u8,
    pairs: &[(Cell, Cell)],
    count: usize,
) -> Result<Vec<MapfAgent>, MapfError> {
    let movement = compile(&in_ticks(costs), rules, options, side)?;
    let grid = movement.grid();
    let components = Components::of(&movement);
    let (mut starts, mut goals) = (Taken::new(grid), Taken::new(grid));
    let mut agents = Vec::new();
    for &(start, goal) in pairs {
        if agents.len() == count {
            break;
        }
        let ids = grid.id(start).zip(grid.id(goal));
        let fits = ids.is_some_and(|(from, to)| components.can_reach(from, to))
            && starts.is_free(grid, start, side)
            && goals.is_free(grid, goal, side);
        if fits {
            starts.take(grid, start, side);
            goals.take(grid, goal, side);
            agents.push(MapfAgent::new(start, goal).with_side(side));
        }
    }
    if agents.len() < count {
        return Err(MapfError::TooFew {
            wanted: count,
            side,
            got: agents.len(),
            of: pairs.len(),
        });
    }
    Ok(agents)
}

/// Cells that bodies cover.
struct Taken(Vec<bool>);

impl Taken {
    fn new(grid: &Grid) -> Self {
        Self(vec![false; grid.len()])
    }

    fn is_free(&self, grid: &Grid, anchor: Cell, side: u8) -> bool {
        covered(grid, anchor, side).all(|index| !self.0[index])
    }

    fn take(&mut self, grid: &Grid, anchor: Cell, side: u8) {
        for index in covered(grid, anchor, side) {
            self.0[index] = true;
        }
    }
}

/// The array elements of the cells under a body, as far as they are on the map.
fn covered(grid: &Grid, anchor: Cell, side: u8) -> impl Iterator<Item = usize> + '_ {
    let side = i32::from(side);
    let offsets = (0..side).flat_map(move |dy| (0..side).map(move |dx| (dx, dy)));
    offsets.filter_map(move |(dx, dy)| {
        let cell = Cell::on(anchor.layer, anchor.x.checked_add(dx)?, anchor.y.checked_add(dy)?);
        grid.id(cell).map(|id| id.index())
    })
}
