//! Found exactly where there is a way, exhausted exactly where there is none: small worlds, all of them, against a
//! breadth-first search over everything that everybody can do.

use super::world::{Picture, Resolver, World, reachable};
use super::{Answer, solve};
use std::collections::BTreeSet;

const RESOLVERS: [Resolver; 3] = [Resolver::Inheritance, Resolver::OnlyFirst, Resolver::OnlyFixed];

/// How many worlds there were, and in how many of them there is a way.
#[derive(Default, Debug)]
struct Counts {
    worlds: usize,
    solvable: usize,
}

/// All ways to put `agents` on `cells` cells, each agent on another. `sorted` ones only: the first agent on the lowest.
fn placements(cells: usize, agents: usize, sorted: bool) -> Vec<Vec<u16>> {
    let mut all = vec![Vec::new()];
    for _ in 0..agents {
        all = all
            .into_iter()
            .flat_map(|before: Vec<u16>| {
                let lowest = if sorted {
                    before.last().map_or(0, |last| last + 1)
                } else {
                    0
                };
                (lowest..cells as u16)
                    .filter(|cell| !before.contains(cell))
                    .map(|cell| [before.as_slice(), &[cell]].concat())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    all
}

/// Every `stride`th of all starts and goals of up to three agents on a graph. Starts are sorted: other starts are the same
/// worlds with other numbers for agents.
fn look_through(edges: &[Vec<u16>], stride: usize, counter: &mut usize, counts: &mut Counts) {
    for agents in 1..=3 {
        let goals = placements(edges.len(), agents, false);
        for start in placements(edges.len(), agents, true) {
            let mut ways: Option<BTreeSet<Vec<u16>>> = None;
            for goals in &goals {
                *counter += 1;
                if !counter.is_multiple_of(stride) {
                    continue;
                }
                let ways = ways.get_or_insert_with(|| {
                    let world = World::new(edges, goals, Resolver::OnlyFixed);
                    reachable(&world, &start).into_iter().map(|(at, _)| at).collect()
                });
                let is_solvable = ways.contains(goals);
                counts.worlds += 1;
                counts.solvable += usize::from(is_solvable);
                for resolver in RESOLVERS {
                    let mut world = World::new(edges, goals, resolver);
                    match solve(&mut world, &start) {
                        Answer::Found(way) => {
                            assert!(is_solvable, "{edges:?}: {start:?} to {goals:?} by {way:?}");
                            world.check(&start, &way);
                        }
                        Answer::Exhausted => {
                            assert!(!is_solvable, "{resolver:?} {edges:?}: {start:?} to {goals:?}");
                        }
                        Answer::OutOfBudget { .. } => panic!("there was plenty"),
                    }
                }
            }
        }
    }
}

/// All pictures of 3 × 3 cells, one of each set of pictures that are the same turned or mirrored.
fn squares() -> Vec<Vec<Vec<u16>>> {
    let bit = |picture: u16, row: usize, column: usize| picture >> (row * 3 + column) & 1;
    let changed = |picture: u16, place: &dyn Fn(usize, usize) -> (usize, usize)| {
        (0..9).fold(0, |sum, cell| {
            let (row, column) = place(cell / 3, cell % 3);
            sum | bit(picture, row, column) << cell
        })
    };
    let is_first = |picture: u16| {
        let mut other = picture;
        (0..4).all(|_| {
            other = changed(other, &|row, column| (column, 2 - row));
            other >= picture && changed(other, &|row, column| (column, row)) >= picture
        })
    };
    (1..512u16)
        .filter(|&picture| is_first(picture))
        .map(|picture| {
            let rows: Vec<String> = (0..3)
                .map(|row| {
                    (0..3)
                        .map(|column| if bit(picture, row, column) == 1 { '.' } else { '#' })
                        .collect()
                })
                .collect();
            Picture::new(&rows.iter().map(String::as_str).collect::<Vec<_>>()).edges
        })
        .collect()
}

/// Lanes of one to six cells, with up to two pockets beside them.
fn lanes() -> Vec<Vec<Vec<u16>>> {
    let mut all = Vec::new();
    for length in 1..=6 {
        for pockets in (0u32..1 << length).filter(|pockets| pockets.count_ones() <= 2) {
            let beside: String = (0..length)
                .map(|place| if pockets >> place & 1 == 1 { '.' } else { '#' })
                .collect();
            all.push(Picture::new(&[&beside, &".".repeat(length)]).edges);
        }
    }
    all
}

/// Directed graphs of two to six cells, by a fixed sequence of numbers.
fn one_way_graphs(count: usize) -> Vec<Vec<Vec<u16>>> {
    let mut state = 7u64;
    let mut next = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    (0..count)
        .map(|_| {
            let cells = 2 + next(5) as u16;
            let density = 2 + next(4);
            (0..cells)
                .map(|from| {
                    (0..cells)
                        .filter(|&to| to != from && next(10) < density)
                        .collect()
                })
                .collect()
        })
        .collect()
}

fn look_through_all(graphs: &[Vec<Vec<u16>>], stride: usize) -> Counts {
    let (mut counter, mut counts) = (0, Counts::default());
    for edges in graphs {
        look_through(edges, stride, &mut counter, &mut counts);
    }
    assert!(
        counts.solvable > 0 && counts.solvable < counts.worlds,
        "both kinds are there: {counts:?}"
    );
    counts
}

#[test]
fn squares_of_three_by_three() {
    let squares = squares();
    assert_eq!(
        squares.len(),
        101,
        "102 pictures of 3 × 3 and the one without a cell"
    );
    let counts = look_through_all(&squares, 401);
    assert!(counts.worlds > 500, "{counts:?}");
}

#[test]
fn lanes_with_pockets() {
    let counts = look_through_all(&lanes(), 397);
    assert!(counts.worlds > 1000, "{counts:?}");
}

#[test]
fn graphs_of_one_way_edges() {
    let counts = look_through_all(&one_way_graphs(100), 101);
    assert!(counts.worlds > 500, "{counts:?}");
}

#[test]
#[ignore = "all worlds of these kinds: minutes"]
fn every_small_world() {
    for (graphs, least) in [
        (squares(), 100_000),
        (lanes(), 500_000),
        (one_way_graphs(500), 100_000),
    ] {
        let counts = look_through_all(&graphs, 1);
        assert!(counts.worlds > least, "{counts:?}");
    }
}
