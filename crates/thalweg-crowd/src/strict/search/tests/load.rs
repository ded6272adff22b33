//! Many agents on a map: what the search itself costs beside the resolver is measured on these.

use super::world::{Picture, Resolver, World};
use super::{Answer, PLENTY, Search, Status, solve};
use crate::strict::search::Configurations;

/// A fixed sequence of numbers, the same everywhere.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// A square map of `side` cells with a fifth of them walls, and agents whose starts and goals are drawn from the cells that
/// hang together.
pub(super) fn crowded(side: usize, agents: usize, seed: u64) -> (World, Vec<u16>) {
    let mut numbers = Numbers(seed);
    let rows: Vec<String> = (0..side)
        .map(|_| {
            (0..side)
                .map(|_| if numbers.below(5) == 0 { '#' } else { '.' })
                .collect()
        })
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let edges = Picture::new(&rows).edges;
    // The part that hangs together with the middle of the list; on such maps that is nearly all.
    let middle = edges.len() as u16 / 2;
    let alone = World::new(&edges, &[middle], Resolver::Inheritance);
    let together: Vec<u16> = (0..edges.len() as u16)
        .filter(|&cell| alone.cost_to_goal(&vec![cell], 0) < u32::MAX)
        .collect();
    let mut drawn = || {
        let mut cells = together.clone();
        (0..agents)
            .map(|_| cells.swap_remove(numbers.below(cells.len())))
            .collect::<Vec<_>>()
    };
    let (start, goals) = (drawn(), drawn());
    (World::new(&edges, &goals, Resolver::Inheritance), start)
}

#[test]
fn crowds_arrive() {
    for (side, agents, seed) in [(8, 20, 2), (16, 60, 2), (16, 60, 5), (32, 100, 2), (32, 100, 3)] {
        let (mut world, start) = crowded(side, agents, seed);
        let Answer::Found(way) = solve(&mut world, &start) else {
            panic!("{agents} on {side} by {side}, {seed}");
        };
        world.check(&start, &way);
    }
}

/// Searches on twenty 32 × 32 maps with at most so many calls each, to be measured from outside: callgrind, or `perf record`
/// for the shares. What `successor` and all below it take is the resolver's.
fn run(agents: usize, calls: u64) {
    for seed in 1..=20 {
        let (mut world, start) = crowded(32, agents, seed);
        let mut search = Search::new(&world, start, PLENTY);
        let status = search.advance(&mut world, calls * agents as u64);
        assert!(status == Status::Found || world.calls == calls, "{status:?}");
    }
}

#[test]
#[ignore = "to be measured from outside"]
fn load_of_100() {
    run(100, 2000);
}

#[test]
#[ignore = "to be measured from outside"]
fn load_of_400() {
    run(400, 500);
}
