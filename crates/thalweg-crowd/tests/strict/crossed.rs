//! Where two authorities of a tick meet: claims, zones, agents that are added while others are on their way.

use crate::world::{World, eight, four};
use thalweg_core::grid::{Cell, CellId};
use thalweg_crowd::ArrivalRule;
use thalweg_crowd::strict::{StrictOptions, StrictSpec};

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// Small crowded rooms whose agents are searched a way for all the time, while others claim long ways through them and new ones
/// take the slots of those who left. `World::step` holds every tick against the plain rules.
#[test]
fn claims_zones_and_newcomers_never_meet_on_a_cell() {
    let (mut granted, mut searched) = (0, 0);
    let is_long = std::env::var_os("THALWEG_LONG").is_some();
    for seed in 0..if is_long { 20_000 } else { 80 } {
        let mut random = Random(seed);
        let mut options = StrictOptions::default();
        options.search_after = 1;
        options.search_budget = [100_000, 40][random.below(2)];
        options.search_limit = 20_000;
        options.rules.following = random.below(4) > 0;
        let rows = [
            &["....#....", ".........", "....#...."][..],
            &["#.#.#.#", ".......", "#.#.#.#"],
            &["......", ".####.", "......", "......"],
        ][random.below(3)];
        let (width, height) = (rows[0].len(), rows.len());
        let profile = if random.below(2) == 0 { four() } else { eight() };
        let mut world = World::new(rows, profile, options);
        let free: Vec<(i32, i32)> = (0..width * height)
            .map(|index| (index % width, index / width))
            .filter(|&(x, y)| rows[y].as_bytes()[x] != b'#')
            .map(|(x, y)| (x as i32, y as i32))
            .collect();
        let groups: Vec<_> = (0..4)
            .map(|index| {
                let goal = free[random.below(free.len())];
                world.group(&[goal], [ArrivalRule::Leave, ArrivalRule::Rest][index % 2])
            })
            .collect();
        for _ in 0..60 {
            if random.below(2) == 0 && world.crowd.len() < free.len() - 2 {
                let (x, y) = free[random.below(free.len())];
                let spec = StrictSpec {
                    pace: [1, 1, 1, 2, 3][random.below(5)],
                    ..StrictSpec::new(Cell::new(x, y), groups[random.below(4)])
                };
                // Some cells are taken.
                let _ = world.crowd.add(&spec, &world.groups[0].movement);
            }
            let agents: Vec<_> = world.crowd.agents().collect();
            for (id, view) in agents {
                if random.below(6) == 0 && !world.crowd.follows_claim(id) {
                    let movement = &world.groups[0].movement;
                    let mut at = view.cell;
                    let way: Vec<CellId> = (0..1 + random.below(9))
                        .map(|_| {
                            let exits: Vec<CellId> = movement.edges_from(at).map(|edge| edge.other).collect();
                            at = exits[random.below(exits.len())];
                            at
                        })
                        .collect();
                    world.crowd.claim(id, &way, 1).unwrap();
                }
            }
            searched += u64::from(world.step().searched > 0);
            granted += world
                .crowd
                .claims()
                .iter()
                .filter(|(_, answer)| answer.is_ok())
                .count();
        }
    }
    assert!(
        granted > 250 && searched > 120,
        "{granted} granted, {searched} searched"
    );
}
