//! What sort of map it is, by a sample of its cells. What is decided by it concerns speed only.

use super::tiles;
use crate::grid::DirectionSet;
use crate::movement::Movement;

/// Cells of a sample, at most.
const MOST: usize = 1 << 15;

/// Whether about 95 in 100 passable cells have all eight exits. There the relaxation with branches is 1.25 to 1.4 times as
/// fast; with walls about, where branches cannot be foreseen, it is up to 1.4 times as slow.
pub(super) fn is_open(movement: &Movement) -> bool {
    is_open_among(movement, MOST)
}

/// The same from about so many cells at most, for who may not look at more.
pub(super) fn is_open_among(movement: &Movement, most: usize) -> bool {
    let (full, passable) = sample_exits(movement, most, |exits| usize::from(exits == DirectionSet::ALL));
    full * 100 >= passable * 95
}

/// Whether corridors one cell wide fill the map: there a tile is entered by a dozen ways, each of which moves a few cells,
/// and buckets are faster.
pub(super) fn is_maze(movement: &Movement) -> bool {
    is_maze_among(movement, MOST)
}

/// The same from about so many cells at most.
pub(super) fn is_maze_among(movement: &Movement, most: usize) -> bool {
    let (exits, passable) = sample_exits(movement, most, |exits| exits.len() as usize);
    passable > 0 && exits <= tiles::MAZE_EXITS as usize * passable
}

/// The sum of something over the exits of a sample of cells, and how many of these are passable. Every 61st cell is looked
/// at: counting all of them took a nanosecond a cell, a tenth of the integration. On maps of less than 4,096 cells every
/// seventh is, and every one on the smallest, or a sample would say nothing. On maps of more than two million cells
/// the steps are wider, because no thread can help here: some 20,000 cells tell enough. They are primes, so that few maps
/// have a width that would show the same columns in every row. What is decided by it concerns speed only.
fn sample_exits(movement: &Movement, most: usize, count: impl Fn(DirectionSet) -> usize) -> (usize, usize) {
    const STEPS: [usize; 7] = [61, 127, 257, 509, 1_021, 2_039, 4_093];
    let cells = movement.costs().len();
    let step = match cells {
        0..512 => Some(1),
        512..4_096 => Some(7),
        _ => STEPS.into_iter().find(|step| cells / step <= most),
    };
    let cells = movement
        .all_exits()
        .iter()
        .zip(movement.costs())
        .step_by(step.unwrap_or(((cells / most) | 1).max(8_191)));
    cells.fold((0, 0), |(sum, passable), (&exits, &cost)| {
        (sum + count(exits), passable + usize::from(cost != 255))
    })
}
