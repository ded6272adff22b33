//! Generated maps: the same kind, size and seed give the same bytes on every machine.
//!
//! They stand for the kinds of ground on which engines and crowds differ: nothing in the way, noise, smooth terrain,
//! one-cell doors, one-cell corridors, and a mixture as games have it. Scenes, benchmarks and examples share them.
//!
//! Rejected: shipping well-known benchmark maps. Their licences differ from file to file; whoever has them passes them
//! in as files.

use core::fmt;
use core::str::FromStr;
use thalweg_core::cost::CostField;
use thalweg_core::grid::{Cell, Grid};
use thiserror::Error;

/// The cost byte of a wall.
const WALL: u8 = 255;

/// The smallest and largest side of a generated map, in cells: smaller ones have no room for doors and corridors.
pub const SIDES: core::ops::RangeInclusive<u32> = 8..=16_384;

/// Why a map cannot be generated.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// No such kind.
    #[error("`{0}` is not a kind of map; it must be open, random20, terrain4, terrain8, rooms, maze or town")]
    Kind(String),
    /// A side out of range.
    #[error("a generated map needs a side of {min} to {max} cells, not {0}", min = SIDES.start(), max = SIDES.end())]
    Side(u32),
    /// This seed leaves no ground at all, which only the smallest maps allow.
    #[error("this seed leaves no passable cell on a map of {0} x {0}")]
    NoGround(u32),
}

/// A generated map with a sensible goal.
#[derive(Clone, Debug)]
pub struct GeneratedMap {
    /// Kind and size, such as `open-200`.
    pub name: String,
    /// Cells in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// One cost per cell, row by row; 255 is impassable.
    pub costs: Vec<u8>,
    /// Column and row of the goal.
    pub goal: (u32, u32),
}

impl GeneratedMap {
    /// A map from costs (one byte per cell, row by row, 255 impassable), with the goal on the cell nearest to the middle
    /// among the largest connected area; `None` if no cell is passable or the numbers do not fit.
    #[must_use]
    pub fn with_central_goal(name: String, width: u32, height: u32, costs: Vec<u8>) -> Option<Self> {
        let fits = Grid::new(width, height).is_ok_and(|grid| grid.len() == costs.len());
        let goal = if fits {
            central_cell(width as usize, &costs)
        } else {
            None
        }?;
        Some(Self {
            name,
            width,
            height,
            costs,
            goal,
        })
    }

    /// A loaded map to measure on, with the goal in the middle; `None` if no cell is passable or the map has several
    /// layers.
    #[must_use]
    pub fn of_costs(name: String, costs: &CostField) -> Option<Self> {
        let grid = costs.grid();
        if grid.layers().len() > 1 {
            return None;
        }
        Self::with_central_goal(name, grid.width(), grid.height(), costs.bytes().to_vec())
    }

    /// The map as a cost field.
    ///
    /// # Panics
    /// Never: the sizes are checked when the map is made.
    #[must_use]
    pub fn cost_field(&self) -> CostField {
        let grid = Grid::new(self.width, self.height).expect("a generated side is within the grid limits");
        CostField::from_bytes(grid, self.costs.clone()).expect("one cost per cell was generated")
    }

    /// The goal as a cell.
    #[must_use]
    pub fn goal_cell(&self) -> Cell {
        Cell::new(self.goal.0.cast_signed(), self.goal.1.cast_signed())
    }
}

/// A kind of generated map.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MapKind {
    /// No walls, cost 1.
    Open,
    /// Every fifth cell a wall, at random.
    Random20,
    /// Smooth patches of cost 1 to 4, no walls.
    Terrain4,
    /// Smooth patches of cost 1 to 8, no walls.
    Terrain8,
    /// Rooms of 15 × 15 whose walls have one door of one cell each.
    Rooms,
    /// A perfect maze with corridors of one cell.
    Maze,
    /// A town of blocks, yards and alleys with caves around it.
    Town,
}

impl MapKind {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::Open,
        Self::Random20,
        Self::Terrain4,
        Self::Terrain8,
        Self::Rooms,
        Self::Maze,
        Self::Town,
    ];

    /// The word for the kind on the command line and in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Random20 => "random20",
            Self::Terrain4 => "terrain4",
            Self::Terrain8 => "terrain8",
            Self::Rooms => "rooms",
            Self::Maze => "maze",
            Self::Town => "town",
        }
    }

    /// Makes a square map of this kind.
    ///
    /// # Errors
    /// [`GenerateError::Side`] if the side is not in [`SIDES`].
    pub fn generate(self, side: u32, seed: u64) -> Result<GeneratedMap, GenerateError> {
        if !SIDES.contains(&side) {
            return Err(GenerateError::Side(side));
        }
        let side_len = side as usize;
        let mut random = Sequence::new(self as u64 + 1, u64::from(side), seed);
        let costs = match self {
            Self::Open => vec![1; side_len * side_len],
            Self::Random20 => (0..side_len * side_len)
                .map(|_| if random.below(5) == 0 { WALL } else { 1 })
                .collect(),
            Self::Terrain4 => terrain(side_len, 4, &mut random),
            Self::Terrain8 => terrain(side_len, 8, &mut random),
            Self::Rooms => rooms(side_len, &mut random),
            Self::Maze => maze(side_len, &mut random),
            Self::Town => town(side_len, &mut random),
        };
        GeneratedMap::with_central_goal(format!("{}-{side}", self.name()), side, side, costs)
            .ok_or(GenerateError::NoGround(side))
    }
}

impl fmt::Display for MapKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for MapKind {
    type Err = GenerateError;

    fn from_str(text: &str) -> Result<Self, GenerateError> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| GenerateError::Kind(text.to_owned()))
    }
}

/// A small generator of random numbers (SplitMix64): its sequence is part of the maps, so it must never change with a
/// dependency.
struct Sequence(u64);

impl Sequence {
    fn new(kind: u64, side: u64, seed: u64) -> Self {
        Self(kind.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ side ^ seed.rotate_left(32))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, from the high half; the bias of at most `bound / 2^32` does not matter for a map.
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(((self.next() >> 32) * bound as u64) >> 32).unwrap_or(0)
    }

    fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }
}

/// Value noise on a lattice of 16 cells, in whole numbers, cut into `levels` equal bands.
fn terrain(side: usize, levels: usize, random: &mut Sequence) -> Vec<u8> {
    const STEP: usize = 16;
    let nodes = side / STEP + 2;
    let lattice: Vec<usize> = (0..nodes * nodes).map(|_| random.below(256)).collect();
    let mut costs = Vec::with_capacity(side * side);
    for y in 0..side {
        for x in 0..side {
            let (node, fx, fy) = (y / STEP * nodes + x / STEP, x % STEP, y % STEP);
            let across = |row: usize| lattice[row] * (STEP - fx) + lattice[row + 1] * fx;
            let height = across(node) * (STEP - fy) + across(node + nodes) * fy;
            let level = height * levels / (256 * STEP * STEP);
            costs.push(u8::try_from(level + 1).unwrap_or(WALL));
        }
    }
    costs
}

fn rooms(side: usize, random: &mut Sequence) -> Vec<u8> {
    const PITCH: usize = 16;
    let mut costs: Vec<u8> = (0..side * side)
        .map(|index| {
            let (x, y) = (index % side, index / side);
            if x % PITCH == 0 || y % PITCH == 0 { WALL } else { 1 }
        })
        .collect();
    for top in (0..side).step_by(PITCH) {
        for left in (0..side).step_by(PITCH) {
            let (door_x, door_y) = (
                left + random.between(1, PITCH - 1),
                top + random.between(1, PITCH - 1),
            );
            // The northern and the western wall of the room; the border of the map stays closed.
            if top > 0 && door_x < side {
                costs[top * side + door_x] = 1;
            }
            if left > 0 && door_y < side {
                costs[door_y * side + left] = 1;
            }
        }
    }
    costs
}

/// A spanning tree by depth-first search over the cells with odd coordinates.
fn maze(side: usize, random: &mut Sequence) -> Vec<u8> {
    let mut costs = vec![WALL; side * side];
    let mut trail = vec![(1usize, 1usize)];
    costs[side + 1] = 1;
    while let Some(&(x, y)) = trail.last() {
        let mut ways = [(0usize, 0usize); 4];
        let mut count = 0;
        for (nx, ny) in [
            (x + 2, y),
            (x, y + 2),
            (x.wrapping_sub(2), y),
            (x, y.wrapping_sub(2)),
        ] {
            if nx < side - 1 && ny < side - 1 && costs[ny * side + nx] == WALL {
                ways[count] = (nx, ny);
                count += 1;
            }
        }
        if count == 0 {
            trail.pop();
        } else {
            let (nx, ny) = ways[random.below(count)];
            costs[(y + ny) / 2 * side + (x + nx) / 2] = 1;
            costs[ny * side + nx] = 1;
            trail.push((nx, ny));
        }
    }
    costs
}

/// Caves by a cellular automaton over the whole map, then a town in its middle half.
fn town(side: usize, random: &mut Sequence) -> Vec<u8> {
    let mut costs: Vec<u8> = (0..side * side)
        .map(|_| if random.below(100) < 42 { WALL } else { 1 })
        .collect();
    for _ in 0..4 {
        let before = costs.clone();
        for y in 0..side {
            for x in 0..side {
                let mut walls = 0;
                for ny in y.saturating_sub(1)..=(y + 1).min(side - 1) {
                    let row = &before[ny * side..][..side];
                    let near = &row[x.saturating_sub(1)..=(x + 1).min(side - 1)];
                    walls += near.iter().filter(|&&cost| cost == WALL).count();
                }
                costs[y * side + x] = if walls >= 5 { WALL } else { 1 };
            }
        }
    }
    let (first, last) = (side / 4, side - side / 4);
    for y in first..last {
        costs[y * side + first..y * side + last].fill(1);
    }
    let mut top = first + 3;
    while top + 6 < last {
        let depth = random.between(6, 14).min(last - top - 1);
        let mut left = first + 3;
        while left + 6 < last {
            let breadth = random.between(6, 18).min(last - left - 1);
            for y in top..top + depth {
                costs[y * side + left..y * side + left + breadth].fill(WALL);
            }
            // Every other house has a yard behind a gate of one cell in its southern wall.
            if random.below(2) == 0 {
                for y in top + 2..top + depth - 2 {
                    costs[y * side + left + 2..y * side + left + breadth - 2].fill(1);
                }
                let gate = left + 2 + random.below(breadth - 4);
                costs[(top + depth - 2) * side + gate] = 1;
                costs[(top + depth - 1) * side + gate] = 1;
            }
            left += breadth + random.between(1, 4);
        }
        top += depth + random.between(2, 5);
    }
    costs
}

/// The passable cell nearest to the middle in the largest area connected by straight steps; of areas of one size the last.
///
/// Areas are flooded one by one, and the largest once more. Rejected: a label for every cell, which on the largest maps
/// takes eight times the memory of the map.
fn central_cell(width: usize, costs: &[u8]) -> Option<(u32, u32)> {
    let mut flood = Flood {
        width,
        costs,
        seen: vec![0; costs.len().div_ceil(64)],
        open: Vec::new(),
    };
    let mut largest = None;
    for start in 0..costs.len() {
        let mut size = 0usize;
        flood.visit(start, |_| size += 1);
        if size > 0 && largest.is_none_or(|(most, _)| size >= most) {
            largest = Some((size, start));
        }
    }
    let (_, start) = largest?;
    flood.seen.fill(0);
    let (middle_x, middle_y) = (width / 2, costs.len() / width / 2);
    let mut nearest = (usize::MAX, usize::MAX);
    flood.visit(start, |index| {
        let (x, y) = (index % width, index / width);
        let distance = x.abs_diff(middle_x).pow(2) + y.abs_diff(middle_y).pow(2);
        nearest = nearest.min((distance, index));
    });
    let (_, index) = nearest;
    Some((
        u32::try_from(index % width).ok()?,
        u32::try_from(index / width).ok()?,
    ))
}

/// A flood over passable cells by straight steps.
struct Flood<'a> {
    width: usize,
    costs: &'a [u8],
    /// A bit for each cell.
    seen: Vec<u64>,
    /// Cells of a map of at most 2^30.
    open: Vec<u32>,
}

impl Flood<'_> {
    /// Visits the cells of the area of a cell, none if the cell has been seen or is a wall.
    fn visit(&mut self, start: usize, mut visit: impl FnMut(usize)) {
        let (width, last) = (self.width, self.costs.len());
        self.enter(start);
        while let Some(index) = self.open.pop() {
            let index = index as usize;
            visit(index);
            let x = index % width;
            // The cells of the row come last, and so are taken first: along a row memory is near.
            if index >= width {
                self.enter(index - width);
            }
            if index + width < last {
                self.enter(index + width);
            }
            if x > 0 {
                self.enter(index - 1);
            }
            if x + 1 < width {
                self.enter(index + 1);
            }
        }
    }

    fn enter(&mut self, index: usize) {
        let (word, bit) = (&mut self.seen[index / 64], 1 << (index % 64));
        if self.costs[index] != WALL && *word & bit == 0 {
            *word |= bit;
            self.open.extend(u32::try_from(index));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_the_same_each_time_and_has_a_passable_goal() {
        for kind in MapKind::ALL {
            for side in [8, 9, 64] {
                let map = kind.generate(side, 0).unwrap();
                assert_eq!(map.costs, kind.generate(side, 0).unwrap().costs, "{}", map.name);
                let goal = map.goal.1 as usize * side as usize + map.goal.0 as usize;
                assert_ne!(map.costs[goal], WALL, "{}", map.name);
            }
            assert_eq!(kind.name().parse(), Ok(kind));
        }
    }

    /// The goal by its definition: every cell with the size of its area, found anew from each cell.
    #[test]
    fn the_goal_is_the_most_central_cell_of_the_largest_area() {
        for kind in MapKind::ALL {
            for (side, seed) in [(8, 1), (17, 2), (40, 3), (41, 4)] {
                let Ok(map) = kind.generate(side, seed) else {
                    continue;
                };
                let width = side as usize;
                let area = |start: usize| {
                    let mut cells = vec![start];
                    let mut at = 0;
                    while let Some(&index) = cells.get(at) {
                        at += 1;
                        for next in 0..map.costs.len() {
                            let apart = (index % width).abs_diff(next % width)
                                + (index / width).abs_diff(next / width);
                            if apart == 1 && map.costs[next] != WALL && !cells.contains(&next) {
                                cells.push(next);
                            }
                        }
                    }
                    cells
                };
                let mut largest = Vec::new();
                let mut known = vec![false; map.costs.len()];
                for start in 0..map.costs.len() {
                    if map.costs[start] != WALL && !known[start] {
                        let cells = area(start);
                        cells.iter().for_each(|&cell| known[cell] = true);
                        if cells.len() >= largest.len() {
                            largest = cells;
                        }
                    }
                }
                let goal = largest.into_iter().min_by_key(|&index| {
                    let (x, y) = (index % width, index / width);
                    (x.abs_diff(width / 2).pow(2) + y.abs_diff(width / 2).pow(2), index)
                });
                let got = map.goal.1 as usize * width + map.goal.0 as usize;
                assert_eq!(Some(got), goal, "{} seed {seed}", map.name);
            }
        }
    }

    #[test]
    fn terrain_uses_all_its_levels_and_no_others() {
        let costs = MapKind::Terrain4.generate(200, 0).unwrap().costs;
        for level in 1..=4 {
            assert!(costs.contains(&level), "level {level}");
        }
        assert!(costs.iter().all(|cost| (1..=4).contains(cost)));
    }
}
