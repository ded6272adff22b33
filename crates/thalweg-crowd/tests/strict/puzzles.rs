//! The tiny puzzles of the MAPF literature, from the shared data: agents that must reverse their order.

use crate::world::{World, eight, four};
use thalweg_crowd::strict::StrictOptions;
use thalweg_testkit::cases::{data_folder, skipped};

type Place = (i32, i32);
type Puzzle = (&'static str, [(Place, Place); 4], u32);

/// File, starts and goals, and the fewest ticks with four neighbours as the brute force over all configurations has them.
const PUZZLES: [Puzzle; 3] = [
    (
        "corners.map",
        [
            ((0, 0), (4, 4)),
            ((4, 4), (0, 0)),
            ((0, 1), (3, 3)),
            ((3, 3), (0, 1)),
        ],
        8,
    ),
    (
        "tunnel.map",
        [
            ((0, 2), (0, 5)),
            ((0, 3), (0, 4)),
            ((0, 4), (0, 3)),
            ((0, 5), (0, 2)),
        ],
        15,
    ),
    (
        "string.map",
        [
            ((1, 0), (1, 5)),
            ((0, 1), (0, 5)),
            ((1, 5), (1, 0)),
            ((0, 5), (0, 1)),
        ],
        10,
    ),
];

#[test]
fn the_tiny_puzzles_are_solved() {
    for (file, agents, fewest) in PUZZLES {
        let path = data_folder().map(|folder| folder.join("mapf/tiny").join(file));
        let Some(text) = path.and_then(|path| std::fs::read_to_string(path).ok()) else {
            skipped(&format!("mapf/tiny/{file}"));
            continue;
        };
        let rows: Vec<String> = text
            .lines()
            .skip(4)
            .map(|row| row.trim_end().replace(['@', 'T'], "#"))
            .collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        for profile in [four(), eight()] {
            // Every number of agents up to all four, the first ones.
            for count in 1..=agents.len() {
                let mut world = World::new(&rows, profile, StrictOptions::default());
                for &(start, goal) in &agents[..count] {
                    world.lone(start, goal);
                }
                let ticks = world.run(600);
                assert!(ticks.is_some(), "{file} with {count}:\n{}", world.picture());
                if count == agents.len() && profile == four() {
                    assert!(ticks >= Some(fewest), "{file}: {ticks:?} is less than can be");
                }
            }
        }
    }
}
