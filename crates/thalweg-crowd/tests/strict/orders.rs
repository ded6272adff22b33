//! Agents that must change their order in a small place, against the brute force over all joint configurations.

use crate::world::{World, eight, four};
use thalweg_core::grid::{Cell, CellId};
use thalweg_crowd::strict::{ConflictRules, StrictOptions};
use thalweg_crowd::{ArrivalRule, Outcome};
use thalweg_testkit::joint::{Ending, JointAgent, JointRules, joint_truth};

const TUNNEL: [&str; 3] = ["##.##", ".....", "#####"];
const STRING: [&str; 3] = ["#.###.#", ".......", "#######"];
const CORNERS: [&str; 3] = ["...", ".#.", "..."];
const LANE: [&str; 1] = ["......"];

/// A map and where agents stand.
type Setting<'a> = (&'a [&'a str], &'a [(i32, i32)]);

/// Agents on these cells of a map, each of which wants to where the last, the one before it, … stands. Whether that can be.
fn reversed(rows: &[&str], is_eight: bool, following: bool, at: &[(i32, i32)]) -> bool {
    let mut options = StrictOptions::default();
    options.rules = ConflictRules {
        following,
        squeezing: false,
    };
    options.search_after = 8;
    let mut world = World::new(rows, if is_eight { eight() } else { four() }, options);
    let mut ids = Vec::new();
    for (index, &start) in at.iter().enumerate() {
        let group = world.group(&[at[at.len() - 1 - index]], ArrivalRule::Rest);
        ids.push(world.add(start, group));
    }
    let id = |(x, y): (i32, i32)| -> CellId { world.crowd.grid().id(Cell::new(x, y)).unwrap() };
    let agents: Vec<JointAgent<'_>> = at
        .iter()
        .enumerate()
        .map(|(index, &start)| JointAgent {
            movement: &world.groups[index].movement,
            start: id(start),
            goals: vec![id(at[at.len() - 1 - index])],
        })
        .collect();
    let rules = JointRules {
        following,
        squeezing: false,
    };
    let truth = joint_truth(&agents, rules, Ending::Together);
    let can = truth.plan.is_some();
    drop(agents);
    let ticks = world.run(2_000);
    assert_eq!(ticks.is_some(), can, "{following} {at:?}\n{}", world.picture());
    if !can {
        let told = ids
            .iter()
            .filter(|id| world.crowd.get(**id).unwrap().outcome == Outcome::Deadlocked);
        assert!(told.count() > 0, "nobody was told: {at:?}\n{}", world.picture());
    }
    can
}

#[test]
fn agents_that_reverse_their_order_do_so_where_it_can_be_done() {
    let settings: [Setting<'_>; 9] = [
        (&TUNNEL, &[(1, 1), (3, 1)]),
        (&TUNNEL, &[(0, 1), (1, 1), (3, 1)]),
        (&TUNNEL, &[(0, 1), (1, 1), (3, 1), (4, 1)]),
        (&STRING, &[(1, 1), (3, 1), (5, 1)]),
        (&STRING, &[(0, 1), (1, 1), (5, 1), (6, 1)]),
        (&CORNERS, &[(0, 0), (2, 0), (2, 2), (0, 2)]),
        (&CORNERS, &[(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)]),
        (&LANE, &[(1, 0), (4, 0)]),
        (&LANE, &[(0, 0), (2, 0), (5, 0)]),
    ];
    let mut found = [0, 0];
    for (rows, at) in settings {
        for is_eight in [false, true] {
            for following in [true, false] {
                found[usize::from(reversed(rows, is_eight, following, at))] += 1;
            }
        }
    }
    assert!(found[0] >= 8 && found[1] >= 8, "{found:?}");
}
