//! The answer does not depend on how the budget is given out, and ends where it was said to.

use super::puzzles::puzzles;
use super::world::{Picture, Resolver, World};
use super::{Answer, Limits, PLENTY, Search, Status, solve};
use crate::strict::search::Limit;

fn run(
    world: &World,
    start: &[u16],
    limits: Limits,
    slices: impl IntoIterator<Item = u64>,
) -> (Answer<Vec<u16>>, u64, usize, u64) {
    let mut world = world.clone();
    let mut search = Search::new(&world, start.to_vec(), limits);
    for slice in slices {
        if search.advance(&mut world, slice) != Status::Running {
            let answer = search.answer().expect("it has ended");
            return (answer, search.spent(), search.known(), world.calls);
        }
        assert_eq!(search.answer(), None);
        assert!(!search.nearest().is_empty());
    }
    panic!("the slices were not enough");
}

#[test]
fn slices_do_not_show() {
    for (name, world, start) in puzzles(Resolver::Inheritance) {
        let whole = run(&world, &start, PLENTY, [u64::MAX]);
        assert_eq!(
            whole.3 * start.len() as u64,
            whole.1,
            "{name}: each call is counted"
        );
        let again = run(&world, &start, PLENTY, [u64::MAX]);
        assert_eq!(whole, again, "{name}");
        for slice in [1, 2, 3, 7, 64, 1000] {
            let sliced = run(&world, &start, PLENTY, core::iter::repeat_n(slice, 10_000_000));
            assert_eq!(whole, sliced, "{name} in slices of {slice}");
        }
        let growing = run(&world, &start, PLENTY, 0..10_000_000);
        assert_eq!(whole, growing, "{name} in growing slices");
    }
}

#[test]
fn a_limit_ends_in_the_same_place_whatever_the_slices() {
    for (name, world, start) in puzzles(Resolver::OnlyFirst) {
        let Answer::Found(_) = solve(&mut world.clone(), &start) else {
            panic!("{name} has a way");
        };
        let limits = [
            (
                Limits {
                    agent_steps: 50,
                    ..PLENTY
                },
                Limit::AgentSteps,
            ),
            (Limits { nodes: 9, ..PLENTY }, Limit::Nodes),
        ];
        for (limits, expected) in limits {
            let whole = run(&world, &start, limits, [u64::MAX]);
            let Answer::OutOfBudget { nearest, limit } = &whole.0 else {
                panic!("{name}: {:?}", whole.0);
            };
            assert_eq!(*limit, expected, "{name}");
            assert!(
                whole.1 <= limits.agent_steps && whole.2 <= limits.nodes,
                "{name}: {whole:?}"
            );
            assert_eq!(nearest[0], start);
            for tick in nearest.windows(2) {
                assert!(world.is_tick(&tick[0], &tick[1]), "{name}: {tick:?}");
            }
            for slice in [1, 5, 1000] {
                let sliced = run(&world, &start, limits, core::iter::repeat_n(slice, 1_000_000));
                assert_eq!(whole, sliced, "{name} in slices of {slice}");
            }
        }
    }
}

#[test]
fn what_is_nearest_is_told_when_the_budget_ends() {
    // One agent can walk home, the other has no way at all.
    let picture = Picture::new(&["a..A#b#B"]);
    let (start, goals) = (picture.places("ab"), picture.places("AB"));
    let mut world = World::new(&picture.edges, &goals, Resolver::Inheritance);
    let limits = Limits {
        agent_steps: 8,
        ..PLENTY
    };
    let mut search = Search::new(&world, start.clone(), limits);
    assert_eq!(
        search.advance(&mut world, 1000),
        Status::OutOfBudget(Limit::AgentSteps)
    );
    let Some(Answer::OutOfBudget { nearest, .. }) = search.answer() else {
        panic!("{:?}", search.answer());
    };
    assert_eq!(nearest.len(), 4);
    assert_eq!(nearest[3][0], goals[0]);
    assert_eq!(solve(&mut world, &start), Answer::Exhausted);
}

#[test]
fn ends_without_a_call() {
    let picture = Picture::new(&["a."]);
    let mut world = World::new(&picture.edges, &[0], Resolver::Inheritance);
    assert_eq!(solve(&mut world, &[0]), Answer::Found(vec![vec![0]]));
    let nothing = Limits {
        agent_steps: 0,
        ..PLENTY
    };
    let search = Search::new(&world, vec![1], nothing);
    assert_eq!(search.status(), Status::OutOfBudget(Limit::AgentSteps));
    assert_eq!(world.calls, 0);
    let mut nobody = World::new(&picture.edges, &[], Resolver::Inheritance);
    assert_eq!(solve(&mut nobody, &[]), Answer::Found(vec![vec![]]));
}
