//! Small puzzles that one tick at a time does not solve.

use super::world::{Picture, Resolver, World};
use super::{Answer, solve};
use crate::strict::search::polish::polish;

/// Small letters start, large ones are goals.
type Puzzle = (&'static str, &'static [&'static str], &'static str, &'static str);

const PUZZLES: [Puzzle; 9] = [
    // Four in the corners of a square exchange places with the ones opposite.
    ("corners", &["a..b", "....", "....", "c..d"], "abcd", "dcba"),
    // A line that must leave a tunnel in the other order, with room at one end only.
    ("tunnel", &["...####", "...abc.", "...####"], "abc", "cba"),
    // A string of agents on a ring with a tail: only the ring lets them pass each other.
    ("string", &["....###", ".##.abc", "....###"], "abc", "cba"),
    // Two lines face each other in a lane with one pocket.
    ("pocket", &["###.####", "ab....cd", "########"], "abcd", "cdab"),
    // Two in a lane whose only room is behind one of them.
    ("dead end", &[".###", "ab..", ".###"], "ab", "ba"),
    // Eight on nine cells, in a circle with a shared middle.
    ("full", &["abc", "h.d", "gfe"], "abcdefgh", "cdefghab"),
    // Four at the tips of branches, all through one trunk.
    (
        "tree",
        &["#a###b#", "#.###.#", ".......", "#.###.#", "#c###d#"],
        "abcd",
        "dcba",
    ),
    // Two rooms joined by a lane, and one who stands in it.
    (
        "connector",
        &["a.#####c.", "b...e...d", "..#####.."],
        "abcde",
        "cdabe",
    ),
    // A ring that is full but for two cells, turned by one.
    ("loop", &["abc.", "d##.", "ef..", "##.#"], "abcdef", "fabcde"),
];

/// Those that take a search long.
const LONG_PUZZLES: [Puzzle; 2] = [
    ("tunnel", &["...#####", "...abcd.", "...#####"], "abcd", "dcba"),
    ("string", &["....####", ".##.abcd", "....####"], "abcd", "dcba"),
];

fn set_up(puzzles: &[Puzzle], resolver: Resolver) -> Vec<(&'static str, World, Vec<u16>)> {
    let set_up = |&(name, rows, starts, goals): &Puzzle| {
        let picture = Picture::new(rows);
        let world = World::new(&picture.edges, &picture.places(goals), resolver);
        (name, world, picture.places(starts))
    };
    puzzles.iter().map(set_up).collect()
}

pub(super) fn puzzles(resolver: Resolver) -> Vec<(&'static str, World, Vec<u16>)> {
    set_up(&PUZZLES, resolver)
}

#[test]
fn puzzles_are_solved_and_polished_ways_are_ways() {
    let clever = set_up(&[&PUZZLES[..], &LONG_PUZZLES].concat(), Resolver::Inheritance);
    // By a resolver that lets one agent choose. The connector is beyond it: 2.5 million calls.
    let plain = puzzles(Resolver::OnlyFirst)
        .into_iter()
        .filter(|(name, ..)| *name != "connector");
    for (name, mut world, start) in clever.into_iter().chain(plain) {
        let Answer::Found(mut way) = solve(&mut world, &start) else {
            panic!("{name} has a way");
        };
        world.check(&start, &way);
        let before = way.len();
        polish(&mut way, usize::MAX, |from, to| world.is_tick(from, to));
        world.check(&start, &way);
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
