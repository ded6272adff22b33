//! The best way is found and known to be the best.

use super::puzzles::puzzles;
use super::world::{Picture, Resolver, World, reachable};
use super::{Answer, Limits, Measure, PLENTY, Search, Status};
use crate::strict::search::improve::Improvement;

/// Ticks and agent-ticks of a way.
fn costs(world: &World, way: &[Vec<u16>]) -> (u64, u64) {
    let on_the_way = |tick: &[Vec<u16>]| {
        (0..world.goals.len())
            .filter(|&agent| tick.iter().any(|at| at[agent] != world.goals[agent]))
            .count() as u64
    };
    (way.len() as u64 - 1, way.windows(2).map(on_the_way).sum())
}

fn improved(world: &mut World, start: &[u16], limits: Limits, slice: u64) -> (Vec<Vec<u16>>, Improvement) {
    let mut search = Search::new(world, start.to_vec(), limits);
    assert_eq!(
        search.improve(world, 1000),
        Improvement::Unproved,
        "nothing was found yet"
    );
    assert_eq!(search.advance(world, u64::MAX), Status::Found);
    let mut last = u64::MAX;
    loop {
        let improvement = search.improve(world, slice);
        let Some(Answer::Found(way)) = search.answer() else {
            panic!("a way was found");
        };
        world.check(start, &way);
        let (ticks, agent_ticks) = costs(world, &way);
        let cost = match limits.measure {
            Measure::Ticks => ticks,
            Measure::AgentTicks => agent_ticks,
        };
        if limits.edges > 0 {
            assert_eq!(search.cost(), Some(cost));
        }
        assert!(cost <= last, "it never gets worse");
        last = cost;
        if improvement != Improvement::Running {
            return (way, improvement);
        }
    }
}

/// The least sum of agent-ticks over all ways, by relaxing all ticks until nothing changes.
fn least_agent_ticks(world: &World, start: &[u16]) -> u64 {
    let known: Vec<Vec<u16>> = reachable(world, start).into_iter().map(|(at, _)| at).collect();
    let mut least = vec![u64::MAX; known.len()];
    least[0] = 0;
    loop {
        let mut is_changed = false;
        for from in 0..known.len() {
            for to in 0..known.len() {
                if least[from] == u64::MAX || !world.is_tick(&known[from], &known[to]) {
                    continue;
                }
                let cost = least[from] + costs(world, &[known[from].clone(), known[to].clone()]).1;
                is_changed |= cost < least[to];
                least[to] = least[to].min(cost);
            }
        }
        if !is_changed {
            let goal = known.iter().position(|at| *at == world.goals);
            return least[goal.expect("there is a way")];
        }
    }
}

#[test]
fn the_best_way_in_small_worlds() {
    let small: [(&[&str], &str, &str); 6] = [
        (&["a.b", "...", "..."], "ab", "ba"),
        (&["#.#", "a.b"], "ab", "ba"),
        (&[".#..", "ab.."], "ab", "ba"),
        (&["ab", "dc"], "abcd", "bcda"),
        (&["abc", "..."], "abc", "cba"),
        (&["#.##", "a..b"], "ab", "ba"),
    ];
    for (rows, starts, goals) in small {
        let picture = Picture::new(rows);
        let (start, goals) = (picture.places(starts), picture.places(goals));
        for resolver in [Resolver::Inheritance, Resolver::OnlyFirst, Resolver::OnlyFixed] {
            let mut world = World::new(&picture.edges, &goals, resolver);
            let everything = reachable(&world, &start);
            let fewest = everything
                .iter()
                .find(|(at, _)| *at == goals)
                .map(|(_, ticks)| *ticks);
            let limits = Limits {
                measure: Measure::Ticks,
                ..PLENTY
            };
            let (way, improvement) = improved(&mut world, &start, limits, u64::MAX);
            assert_eq!(improvement, Improvement::Best);
            assert_eq!(Some(way.len() as u32 - 1), fewest, "{rows:?} {resolver:?}");
            let (way, improvement) = improved(&mut world, &start, PLENTY, 37);
            assert_eq!(improvement, Improvement::Best);
            let least = least_agent_ticks(&world, &start);
            assert_eq!(costs(&world, &way).1, least, "{rows:?} {resolver:?}");
            let (in_one_go, _) = improved(&mut world, &start, PLENTY, u64::MAX);
            assert_eq!(way, in_one_go, "slices do not show");
        }
    }
}

#[test]
fn nothing_is_claimed_where_something_was_forgotten() {
    for limits in [
        Limits { edges: 0, ..PLENTY },
        Limits { edges: 8, ..PLENTY },
        Limits { nodes: 12, ..PLENTY },
    ] {
        let picture = Picture::new(&["a.b", "...", "..."]);
        let (start, goals) = (picture.places("ab"), picture.places("ba"));
        let mut world = World::new(&picture.edges, &goals, Resolver::Inheritance);
        let (_, improvement) = improved(&mut world, &start, limits, u64::MAX);
        assert_eq!(improvement, Improvement::Unproved, "{limits:?}");
    }
}

#[test]
fn puzzles_become_cheaper() {
    for (name, mut world, start) in puzzles(Resolver::Inheritance) {
        let mut search = Search::new(&world, start.clone(), PLENTY);
        assert_eq!(search.advance(&mut world, u64::MAX), Status::Found);
        let first = search.cost();
        let (calls, most) = (world.calls, 30_000);
        if search.improve(&mut world, most) == Improvement::Running {
            assert_eq!(
                world.calls - calls,
                most / start.len() as u64,
                "{name}: what it was given, no more"
            );
        }
        let Some(Answer::Found(way)) = search.answer() else {
            panic!("{name} has a way");
        };
        world.check(&start, &way);
        assert!(search.cost() <= first, "{name}");
    }
}
