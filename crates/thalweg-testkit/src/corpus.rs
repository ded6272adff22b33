//! A corpus of small maps of our own design, shared by tests and benchmarks: each shows one thing.

use crate::literal;
use crate::random_map::SplitMix64;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, Grid};

/// A named map with goals.
#[derive(Clone, Debug)]
pub struct Scene {
    /// A short name for messages.
    pub name: &'static str,
    /// The costs.
    pub costs: CostField,
    /// Goal cells, all usable.
    pub goals: Vec<Cell>,
}

/// Every scene, in a fixed order.
#[must_use]
pub fn corpus() -> Vec<Scene> {
    let mut scenes = literals();
    scenes.extend([
        open("open-32", 32, 32),
        rooms(),
        maze(),
        serpentine("serpentine", 21, 15, 1),
        serpentine("serpentine-dear", 21, 15, 254),
        noise("random-20", 20, 1),
        noise("random-40", 40, 2),
        terrain(),
    ]);
    scenes
}

/// The scene of that name.
///
/// # Panics
/// If there is none.
#[must_use]
pub fn scene(name: &str) -> Scene {
    corpus()
        .into_iter()
        .find(|scene| scene.name == name)
        .unwrap_or_else(|| panic!("no scene is called `{name}`"))
}

/// Scenes small enough to draw; `G` marks the goals.
fn literals() -> Vec<Scene> {
    let drawn: [(&str, &[&str]); 12] = [
        ("one-cell", &["G"]),
        ("strip", &["....G...........G.."]),
        ("column", &[".", ".", ".", "G", ".", "#", "."]),
        (
            "pinched-diagonals",
            &[
                ".#....#..", //
                "#.#..#.#.",
                ".#.##.#..",
                "...#G#...",
                ".#..#..#.",
                "#.#...#.#",
            ],
        ),
        (
            "u-trap",
            &[
                ".............",
                ".########....",
                "........#....",
                "........#.G..",
                "........#....",
                ".########....",
                ".............",
            ],
        ),
        (
            "door-at-a-corner",
            &[
                "....#....",
                "....#....",
                "........G",
                "....#....",
                "##.##.###",
                "....#....",
                "....#....",
            ],
        ),
        (
            "islands",
            &[
                "..#...#..",
                ".G#.G.#..",
                "..#...#..",
                "#########",
                "....#....",
                "....#...G",
            ],
        ),
        (
            "mud-and-road",
            &[
                "1111111111",
                "1999999991",
                "1922222291",
                "19299992G1",
                "1922222291",
                "1999999991",
                "1111111111",
            ],
        ),
        (
            "zero-cost-ponds",
            &[
                "1100110011",
                "1000000001",
                "1000##0001",
                "2200##00G2",
                "2000000002",
                "1100110011",
            ],
        ),
        (
            "all-free",
            &["00000000", "0##00##0", "000000G0", "0##00##0", "00000000"],
        ),
        (
            "fog",
            &[
                "..??....", "..??.#..", "...?.#G.", ".....#..", "??......", "?#??..?.",
            ],
        ),
        (
            "two-goals-and-a-tie",
            &["G...#...G", "....#....", ".........", "....#...."],
        ),
    ];
    drawn
        .into_iter()
        .map(|(name, rows)| Scene {
            name,
            costs: literal::map(rows),
            goals: literal::cells_of(rows, 'G'),
        })
        .collect()
}

fn plain(width: u32, height: u32) -> CostField {
    CostField::filled(
        Grid::new(width, height).expect("sides are at least 1"),
        Cost::PLAIN,
    )
}

fn put(costs: &mut CostField, x: u32, y: u32, cost: Cost) {
    let id = costs.grid().id_at(x, y).expect("inside");
    let cell = costs.grid().cell(id);
    costs.set(cell, cost).expect("inside");
}

fn open(name: &'static str, width: u32, height: u32) -> Scene {
    Scene {
        name,
        costs: plain(width, height),
        goals: vec![Cell::new(20, 11)],
    }
}

/// Four by four rooms of 7 × 7 cells with a door in every wall, off-centre by turns.
fn rooms() -> Scene {
    let mut costs = plain(33, 33);
    for at in 0..33 {
        for wall in [8, 16, 24] {
            if at % 8 != 3 && at % 16 != 12 {
                put(&mut costs, wall, at, Cost::IMPASSABLE);
            }
            if at % 8 != 5 {
                put(&mut costs, at, wall, Cost::IMPASSABLE);
            }
        }
    }
    Scene {
        name: "rooms",
        costs,
        goals: vec![Cell::new(28, 29)],
    }
}

/// A perfect maze by depth-first digging: exactly one way between any two cells.
fn maze() -> Scene {
    const SIDE: u32 = 31;
    let mut costs = CostField::filled(
        Grid::new(SIDE, SIDE).expect("sides are at least 1"),
        Cost::IMPASSABLE,
    );
    let mut random = SplitMix64::new(31);
    let is_wall = |costs: &CostField, x: u32, y: u32| {
        let id = costs.grid().id_at(x, y).expect("inside");
        costs.get(id) == Some(Cost::IMPASSABLE)
    };
    let mut path = vec![(1u32, 1u32)];
    put(&mut costs, 1, 1, Cost::PLAIN);
    while let Some(&(x, y)) = path.last() {
        let beyond: Vec<(u32, u32)> = [(0, -2), (2, 0), (0, 2), (-2, 0)]
            .into_iter()
            .filter_map(|(dx, dy)| Some((x.checked_add_signed(dx)?, y.checked_add_signed(dy)?)))
            .filter(|&(x, y)| x < SIDE && y < SIDE && is_wall(&costs, x, y))
            .collect();
        if beyond.is_empty() {
            path.pop();
            continue;
        }
        let next = random.pick(&beyond);
        put(&mut costs, x.midpoint(next.0), y.midpoint(next.1), Cost::PLAIN);
        put(&mut costs, next.0, next.1, Cost::PLAIN);
        path.push(next);
    }
    Scene {
        name: "maze",
        costs,
        goals: vec![Cell::new(29, 29)],
    }
}

/// One corridor that goes back and forth: the longest way a map of that size can have.
///
/// # Panics
/// If a side is 0.
#[must_use]
pub fn serpentine(name: &'static str, width: u32, height: u32, cost: u8) -> Scene {
    let grid = Grid::new(width, height).expect("sides are at least 1");
    let mut costs = CostField::filled(grid, Cost::from_byte(cost));
    for y in (1..height).step_by(2) {
        let gap = if y % 4 == 1 { width - 1 } else { 0 };
        for x in (0..width).filter(|&x| x != gap) {
            put(&mut costs, x, y, Cost::IMPASSABLE);
        }
    }
    Scene {
        name,
        costs,
        goals: vec![Cell::new(0, 0)],
    }
}

fn noise(name: &'static str, side: u32, seed: u64) -> Scene {
    let mut costs = plain(side, side);
    let mut random = SplitMix64::new(seed);
    for y in 0..side {
        for x in 0..side {
            if (x, y) != (1, 1) && random.percent(30) {
                put(&mut costs, x, y, Cost::IMPASSABLE);
            }
        }
    }
    Scene {
        name,
        costs,
        goals: vec![Cell::new(1, 1)],
    }
}

/// Rolling ground of cost 1 to 10 with a cheap road and a few rocks.
fn terrain() -> Scene {
    const SIDE: u32 = 40;
    let mut costs = plain(SIDE, SIDE);
    let mut random = SplitMix64::new(40);
    for y in 0..SIDE {
        for x in 0..SIDE {
            let rolling = 1 + (x * y / 7 + x.abs_diff(y)) % 9 + random.below(2);
            let cost = match random.below(20) {
                0 => Cost::IMPASSABLE,
                _ if x.abs_diff(20) < 2 => Cost::PLAIN,
                _ => Cost::from_byte(u8::try_from(rolling).expect("at most 10")),
            };
            put(&mut costs, x, y, cost);
        }
    }
    for (x, y) in [(35, 5), (3, 33)] {
        put(&mut costs, x, y, Cost::PLAIN);
    }
    Scene {
        name: "terrain",
        costs,
        goals: vec![Cell::new(35, 5), Cell::new(3, 33)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_has_its_own_name_and_goals_that_can_be_used() {
        let scenes = corpus();
        for (index, scene) in scenes.iter().enumerate() {
            assert!(
                scenes[..index].iter().all(|other| other.name != scene.name),
                "{} twice",
                scene.name
            );
            assert!(!scene.goals.is_empty(), "{} has no goal", scene.name);
            for &goal in &scene.goals {
                let id = scene.costs.grid().id(goal).expect("goals lie on the map");
                assert!(
                    scene.costs.get(id).is_some_and(Cost::is_passable),
                    "{}: {goal}",
                    scene.name
                );
            }
        }
    }

    #[test]
    fn the_maze_has_one_way_between_any_two_cells() {
        let costs = scene("maze").costs;
        let oracle = crate::oracle::Oracle::new(
            &costs,
            &thalweg_core::movement::MovementProfile::new()
                .with_connectivity(thalweg_core::movement::Connectivity::Four),
        );
        let cells = (0..oracle.len()).filter(|&cell| oracle.is_free(cell)).count();
        let steps: usize = (0..oracle.len()).map(|cell| oracle.steps(cell).len()).sum();
        assert_eq!(cells, 15 * 15 + 15 * 15 - 1);
        assert_eq!(steps / 2, cells - 1, "a connected map without rings is a tree");
    }
}
