//! Random maps from a seed: the same seed gives the same map on every machine.

use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::integrate::Goal;

/// SplitMix64 (Steele, Lea, Flood 2014): small, fast, and good enough to draw maps.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The generator of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `end`, which must not be 0. The bias of the remainder is below 2^-32 and does not matter here.
    pub const fn below(&mut self, end: u32) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "the remainder is below a u32")]
        ((self.next_u64() % end as u64) as u32)
    }

    /// True with a probability of `percent` in 100.
    pub const fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// One of several values.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        let len = u32::try_from(values.len()).expect("a short list");
        values[self.below(len) as usize]
    }
}

/// How the costs of free cells are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Palette {
    /// All 1.
    Uniform,
    /// All the same, 2 to 254.
    UniformDear,
    /// 1 to 4.
    Rough,
    /// 1 to 254.
    Wide,
    /// 0 to 254.
    WideWithZero,
    /// All 254.
    Dearest,
    /// A third 0, the rest 1 to 3: ponds of free ground, many ties.
    Ponds,
    /// All 0.
    Free,
}

/// Every palette.
pub const PALETTES: [Palette; 8] = [
    Palette::Uniform,
    Palette::UniformDear,
    Palette::Rough,
    Palette::Wide,
    Palette::WideWithZero,
    Palette::Dearest,
    Palette::Ponds,
    Palette::Free,
];

impl Palette {
    /// Whether it can draw a cost of 0.
    #[must_use]
    pub const fn has_zero(self) -> bool {
        matches!(self, Self::WideWithZero | Self::Ponds | Self::Free)
    }
}

/// A map with goals that can be used on it.
#[derive(Clone, Debug)]
pub struct RandomMap {
    /// The seed it was drawn from.
    pub seed: u64,
    /// The costs.
    pub costs: CostField,
    /// At least one goal with a free cell. Some have starting costs, areas, duplicates, or cells in walls.
    pub goals: Vec<Goal>,
    /// How its costs were drawn.
    pub palette: Palette,
}

/// The longest side of the maps of [`small_map`].
pub const SMALL_SIDE: u32 = 12;
/// The longest side of the maps of [`large_map`].
pub const LARGE_SIDE: u32 = 64;

/// A map with sides up to [`SMALL_SIDE`]; one in four is a single row or column.
#[must_use]
pub fn small_map(seed: u64) -> RandomMap {
    draw(seed, SMALL_SIDE)
}

/// A map with sides up to [`LARGE_SIDE`]; one in four is a single row or column.
#[must_use]
pub fn large_map(seed: u64) -> RandomMap {
    draw(seed, LARGE_SIDE)
}

fn draw(seed: u64, longest: u32) -> RandomMap {
    let mut random = SplitMix64::new(seed);
    let (width, height) = match random.below(8) {
        0 => (1, 1 + random.below(longest)),
        1 => (1 + random.below(longest), 1),
        _ => (1 + random.below(longest), 1 + random.below(longest)),
    };
    // Cell coordinates that do not begin at 0 catch every mix-up of cells with columns and rows.
    let first = if random.percent(25) {
        Cell::new(-5, 3)
    } else {
        Cell::new(0, 0)
    };
    let grid = Grid::with_first_cell(width, height, first).expect("sides are at least 1");
    let palette = random.pick(&PALETTES);
    let walls = random.below(61);
    let unknown = if random.percent(30) { random.below(15) } else { 0 };
    let dear = u8::try_from(2 + random.below(253)).expect("at most 254");
    let mut costs = CostField::filled(grid.clone(), Cost::PLAIN);
    for id in grid.ids() {
        let cell = grid.cell(id);
        let written = if random.percent(unknown) {
            costs.set_unknown(cell)
        } else if random.percent(walls) {
            costs.set(cell, Cost::IMPASSABLE)
        } else {
            costs.set(cell, draw_cost(&mut random, palette, dear))
        };
        written.expect("the cell is on the map");
    }
    let goals = draw_goals(&mut random, &mut costs, |random| draw_cost(random, palette, dear));
    RandomMap {
        seed,
        costs,
        goals,
        palette,
    }
}

fn draw_cost(random: &mut SplitMix64, palette: Palette, dear: u8) -> Cost {
    let byte = match palette {
        Palette::Uniform => 1,
        Palette::UniformDear => u32::from(dear),
        Palette::Rough => 1 + random.below(4),
        Palette::Wide => 1 + random.below(254),
        Palette::WideWithZero => random.below(255),
        Palette::Dearest => 254,
        Palette::Ponds if random.below(3) == 0 => 0,
        Palette::Ponds => 1 + random.below(3),
        Palette::Free => 0,
    };
    Cost::from_byte(u8::try_from(byte).expect("at most 254"))
}

fn draw_goals(
    random: &mut SplitMix64,
    costs: &mut CostField,
    draw_cost: impl Fn(&mut SplitMix64) -> Cost,
) -> Vec<Goal> {
    let grid = costs.grid().clone();
    let any_cell = |random: &mut SplitMix64| {
        let (column, row) = (random.below(grid.width()), random.below(grid.height()));
        grid.cell(grid.id_at(column, row).expect("inside"))
    };
    let count = random.pick(&[1, 1, 1, 2, 3, 5]);
    let with_bias = random.percent(40);
    let mut goals: Vec<Goal> = Vec::new();
    for _ in 0..count {
        let area = if random.percent(20) {
            1 + random.below(4)
        } else {
            1
        };
        let mut cells: Vec<Cell> = (0..area).map(|_| any_cell(random)).collect();
        // A goal twice, as a cell of its own area or as another goal.
        if random.percent(10) {
            cells.push(cells[0]);
        }
        if random.percent(10)
            && let Some(earlier) = goals.first()
        {
            cells = earlier.cells.clone();
        }
        // One usable cell is enough; the others may lie in walls.
        let used = grid.id(cells[0]).expect("drawn on the map");
        if costs.get(used).is_none_or(|cost| !cost.is_passable()) {
            costs.set(cells[0], draw_cost(random)).expect("drawn on the map");
        }
        let bias = if with_bias {
            random.pick(&[0, 7, 10, 20, 140, 1000])
        } else {
            0
        };
        goals.push(Goal { cells, bias });
    }
    goals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_draws_the_same_map_and_seeds_differ() {
        let (a, b) = (small_map(7), small_map(7));
        assert_eq!(a.costs, b.costs);
        assert_eq!(a.goals, b.goals);
        let distinct: std::collections::BTreeSet<Vec<u8>> = (0..50)
            .map(|seed| small_map(seed).costs.bytes().to_vec())
            .collect();
        assert!(
            distinct.len() > 40,
            "only {} of 50 maps are distinct",
            distinct.len()
        );
    }

    #[test]
    fn the_generator_gives_its_published_first_number() {
        assert_eq!(SplitMix64::new(0).next_u64(), 0xe220_a839_7b1d_cdaf);
    }
}
