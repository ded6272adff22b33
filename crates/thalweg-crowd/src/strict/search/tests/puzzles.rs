//! Small puzzles that one tick at a time does not solve.

use super::world::{Picture, Resolver, World};
use super::{Answer, solve};
use crate::strict::search::polish::polish;

/// Small letters start, large ones are goals.
type Puzzle = (&'static str, &'static [&'static str], &'static str, &'static str);

const PUZZLES: [Puzzle; 6] = [
    // Four in the corners of a square exchange places with the ones opposite.
    ("corners", &["a..b", "....", "....", "c..d"], "abcd", "dcba"),
    // A line that must leave a tunnel in the other order, with room at one end only.
    ("tunnel", &["...#####", "...abcd.", "...#####"], "abcd", "dcba"),
    // Two lines face each other in a lane with one pocket.
    ("pocket", &["###.####", "ab....cd", "########"], "abcd", "cdab"),
    // A string of agents on a ring with a tail: only the ring lets them pass each other.
    ("string", &["....####", ".##.abcd", "....####"], "abcd", "dcba"),
    // Two in a lane whose only room is behind one of them.
    ("dead end", &[".###", "ab..", ".###"], "ab", "ba"),
    // Eight on nine cells, in a circle with a shared middle.
    ("full", &["abc", "h.d", "gfe"], "abcdefgh", "cdefghab"),
];

pub(super) fn puzzles(resolver: Resolver) -> Vec<(&'static str, World, Vec<u16>)> {
    PUZZLES
        .iter()
        .map(|&(name, rows, starts, goals)| {
            let picture = Picture::new(rows);
            let world = World::new(&picture.edges, &picture.places(goals), resolver);
            (name, world, picture.places(starts))
        })
        .collect()
}

#[test]
fn puzzles_are_solved_and_polished_ways_are_ways() {
    for resolver in [Resolver::Inheritance, Resolver::OnlyFirst] {
        for (name, mut world, start) in puzzles(resolver) {
            let Answer::Found(mut way) = solve(&mut world, &start) else {
                panic!("{name} has a way");
            };
            world.check(&start, &way);
            let before = way.len();
            eprintln!("{name} {resolver:?} calls {} way {before}", world.calls);
            polish(&mut way, usize::MAX, |from, to| world.is_tick(from, to));
            world.check(&start, &way);
            eprintln!("   polished {}", way.len());
            assert!(way.len() <= before);
            for from in 0..way.len() {
                for to in from + 2..way.len() {
                    assert!(
                        !world.is_tick(&way[from], &way[to]),
                        "{name}: {from} to {to} is one tick"
                    );
                }
            }
        }
    }
}

#[test]
fn a_lane_without_a_pocket_is_proved_to_be_closed() {
    for (rows, starts, goals) in [
        (&["ab..."] as &[&str], "ab", "ba"),
        (&["abcdefg....."], "abcdefg", "abcdegf"),
        (&["ab", "##"], "ab", "ba"),
    ] {
        let picture = Picture::new(rows);
        let goals = picture.places(goals);
        let mut world = World::new(&picture.edges, &goals, Resolver::Inheritance);
        assert_eq!(
            solve(&mut world, &picture.places(starts)),
            Answer::Exhausted,
            "{rows:?}"
        );
    }
}
