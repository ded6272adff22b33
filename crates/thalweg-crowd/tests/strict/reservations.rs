//! The list of what reservations must get right, one test each, by claims of ways.

use crate::world::{World, eight, four, square};
use thalweg_core::grid::{Cell, CellId};
use thalweg_core::movement::{Movement, MovementProfile};
use thalweg_crowd::strict::{ClaimRefusal, ConflictKind, ConflictRules, StrictOptions, StrictSpec};
use thalweg_crowd::{AgentId, ArrivalRule};

/// A world of agents that rest where they are.
fn resting(
    rows: &[&str],
    profile: MovementProfile,
    rules: ConflictRules,
    at: &[(i32, i32)],
) -> (World, Vec<AgentId>) {
    let mut options = StrictOptions::default();
    options.rules = rules;
    let mut world = World::new(rows, profile, options);
    let ids = at.iter().map(|&cell| world.lone(cell, cell)).collect();
    (world, ids)
}

fn claim(world: &mut World, id: AgentId, way: &[(i32, i32)]) {
    let way: Vec<CellId> = way
        .iter()
        .map(|&(x, y)| world.crowd.grid().id(Cell::new(x, y)).unwrap())
        .collect();
    world.crowd.claim(id, &way, 1).unwrap();
}

fn kind(answer: Result<(), ClaimRefusal>) -> Option<(ConflictKind, AgentId, u64)> {
    match answer {
        Ok(()) => None,
        Err(ClaimRefusal::Conflict { kind, by, tick }) => Some((kind, by, tick)),
        Err(other) => panic!("{other}"),
    }
}

const OPEN: [&str; 4] = ["......", "......", "......", "......"];

#[test]
fn the_same_cell_at_once_goes_to_the_first_in_order_whoever_asked_first() {
    for asked_first in [0, 1] {
        let (mut world, ids) = resting(&OPEN, four(), ConflictRules::default(), &[(0, 0), (2, 0)]);
        for index in [asked_first, 1 - asked_first] {
            claim(&mut world, ids[index], &[(1, 0)]);
        }
        world.step();
        let decided = world.crowd.claims().to_vec();
        assert_eq!(decided[0], (ids[0], Ok(())));
        assert_eq!(kind(decided[1].1), Some((ConflictKind::Vertex, ids[0], 1)));
        assert_eq!((world.at(ids[0]), world.at(ids[1])), ((1, 0), (2, 0)));
    }
    // Priority goes before everything else.
    let (mut world, ids) = resting(&OPEN, four(), ConflictRules::default(), &[(0, 0), (2, 0)]);
    world.crowd.set_priority(ids[1], 1).unwrap();
    claim(&mut world, ids[0], &[(1, 0)]);
    claim(&mut world, ids[1], &[(1, 0)]);
    world.step();
    assert_eq!(world.crowd.claims()[0], (ids[1], Ok(())));
    assert_eq!((world.at(ids[0]), world.at(ids[1])), ((0, 0), (1, 0)));
}

#[test]
fn two_that_change_places_are_refused() {
    // The second could not go where the first stands, for all that is reserved: the first is in its way for ever. Once the
    // first has a granted way that leaves, the exchange shows as what it is.
    let (mut world, ids) = resting(&OPEN, four(), ConflictRules::default(), &[(0, 0), (1, 0)]);
    claim(&mut world, ids[0], &[(0, 0), (0, 1), (0, 1)]);
    world.step();
    claim(&mut world, ids[1], &[(0, 0), (0, 1)]);
    world.step();
    assert_eq!(
        world.crowd.claims()[0].1,
        Err(ClaimRefusal::Conflict {
            kind: ConflictKind::Vertex,
            by: ids[0],
            tick: 3,
        })
    );
    let (mut world, ids) = resting(&OPEN, four(), ConflictRules::default(), &[(0, 0), (0, 1), (2, 0)]);
    // The first goes round: (0,0), (1,0), (1,0); the third wants to pass it head-on in the second tick.
    claim(&mut world, ids[0], &[(1, 0), (2, 0), (3, 0)]);
    claim(&mut world, ids[2], &[(2, 0), (1, 0), (1, 1)]);
    world.step();
    let refused = kind(world.crowd.claims()[0].1).or(kind(world.crowd.claims()[1].1));
    // The first is refused, because the third stands on its way for all that was reserved.
    assert_eq!(refused, Some((ConflictKind::Vertex, ids[2], 2)));
    let (mut world, ids) = resting(&OPEN, four(), ConflictRules::default(), &[(0, 0), (3, 0)]);
    claim(&mut world, ids[0], &[(1, 0), (2, 0), (2, 1), (2, 2)]);
    world.step();
    claim(&mut world, ids[1], &[(2, 0), (1, 0)]);
    world.step();
    assert_eq!(
        kind(world.crowd.claims()[0].1),
        Some((ConflictKind::Vertex, ids[0], 2))
    );
    let (mut world, ids) = resting(&OPEN, four(), ConflictRules::default(), &[(0, 0), (3, 0)]);
    claim(&mut world, ids[0], &[(1, 0), (2, 0), (2, 1), (2, 2)]);
    claim(&mut world, ids[1], &[(2, 0), (1, 0), (0, 0)]);
    world.step();
    assert_eq!(
        kind(world.crowd.claims()[1].1),
        Some((ConflictKind::Swap, ids[0], 2))
    );
}

#[test]
fn crossing_diagonals_are_refused_even_where_squeezing_is_allowed() {
    for squeezing in [false, true] {
        let rules = ConflictRules {
            squeezing,
            ..ConflictRules::default()
        };
        let (mut world, ids) = resting(&OPEN, eight(), rules, &[(0, 0), (2, 1)]);
        claim(&mut world, ids[0], &[(1, 0), (2, 1)]);
        world.step();
        assert_eq!(
            kind(world.crowd.claims()[0].1).map(|refusal| refusal.0),
            Some(ConflictKind::Vertex)
        );
        let (mut world, ids) = resting(&OPEN, eight(), rules, &[(0, 0), (1, 2)]);
        claim(&mut world, ids[0], &[(1, 1), (2, 1)]);
        claim(&mut world, ids[1], &[(0, 1), (0, 2)]);
        world.step();
        // (0,0) -> (1,1) passes (0,1), where the second arrives in the same tick.
        let expected = (!squeezing).then_some((ConflictKind::Squeeze, ids[0], 1));
        assert_eq!(kind(world.crowd.claims()[1].1), expected);
        let (mut world, ids) = resting(&OPEN, eight(), rules, &[(0, 0), (2, 0)]);
        claim(&mut world, ids[0], &[(0, 0), (1, 1), (1, 2)]);
        claim(&mut world, ids[1], &[(1, 0), (0, 1), (0, 2)]);
        world.step();
        let refusal = kind(world.crowd.claims()[1].1).expect("they cross in the second tick");
        assert_eq!((refusal.0, refusal.2), (ConflictKind::Crossing, 2));
    }
}

#[test]
fn a_large_body_needs_all_its_cells() {
    let mut world = World::new(&OPEN, four(), StrictOptions::default());
    let wide = world.group_of(four().with_footprint(square(2)), &[(0, 0)], ArrivalRule::Rest);
    let large = world.add_spec(StrictSpec::new(Cell::new(0, 0), wide));
    let small = world.lone((3, 1), (3, 1));
    claim(&mut world, large, &[(1, 0), (2, 0)]);
    world.step();
    assert_eq!(
        kind(world.crowd.claims()[0].1),
        Some((ConflictKind::Footprint, small, 2))
    );
    assert_eq!(world.at(large), (0, 0));
    claim(&mut world, large, &[(1, 0), (1, 1)]);
    world.step();
    assert_eq!(kind(world.crowd.claims()[0].1), None);
}

#[test]
fn a_refusal_changes_nothing_and_the_next_try_may_succeed() {
    let (mut world, ids) = resting(&OPEN, four(), ConflictRules::default(), &[(0, 0), (1, 0)]);
    let (mut other, _) = resting(&OPEN, four(), ConflictRules::default(), &[(0, 0), (1, 0)]);
    claim(&mut world, ids[0], &[(0, 1), (1, 1), (1, 0)]);
    world.step();
    other.step();
    assert_eq!(
        kind(world.crowd.claims()[0].1),
        Some((ConflictKind::Vertex, ids[1], 3))
    );
    assert_eq!(world.crowd.state_hash(), other.crowd.state_hash());
    // The one in the way gets a way of its own, and with that the same claim is granted.
    claim(&mut world, ids[1], &[(2, 0), (2, 0), (2, 0), (2, 0)]);
    claim(&mut world, ids[0], &[(0, 1), (1, 1), (1, 0)]);
    world.step();
    let answers: Vec<_> = world
        .crowd
        .claims()
        .iter()
        .map(|(_, answer)| kind(*answer))
        .collect();
    // Decided in order: the first agent's claim still meets the second, which stands there at that moment.
    assert_eq!(answers, [Some((ConflictKind::Vertex, ids[1], 4)), None]);
    claim(&mut world, ids[0], &[(0, 1), (1, 1), (1, 0)]);
    world.step();
    assert_eq!(kind(world.crowd.claims()[0].1), None);
}

#[test]
fn the_end_of_the_horizon_is_a_reserved_place_to_wait() {
    let (mut world, ids) = resting(&["......"], four(), ConflictRules::default(), &[(0, 0), (5, 0)]);
    claim(&mut world, ids[0], &[(1, 0), (2, 0)]);
    // Long after the first has come to its end: it is still there.
    claim(
        &mut world,
        ids[1],
        &[(5, 0), (5, 0), (5, 0), (5, 0), (4, 0), (3, 0), (2, 0)],
    );
    world.step();
    assert_eq!(
        kind(world.crowd.claims()[1].1),
        Some((ConflictKind::Vertex, ids[0], 7))
    );
    world.crowd.claim(ids[1], &vec![CellId(5); 65], 1).unwrap();
    world.step();
    assert_eq!(
        world.crowd.claims()[0].1,
        Err(ClaimRefusal::BeyondHorizon {
            ticks: 65,
            horizon: 64
        })
    );
    // And a way may not end where a granted one passes later.
    let (mut world, ids) = resting(&OPEN, four(), ConflictRules::default(), &[(0, 0), (2, 1)]);
    claim(&mut world, ids[0], &[(0, 0), (0, 0), (1, 0), (2, 0), (3, 0)]);
    claim(&mut world, ids[1], &[(2, 0)]);
    world.step();
    assert_eq!(
        kind(world.crowd.claims()[1].1).map(|refusal| refusal.0),
        Some(ConflictKind::Vertex)
    );
}

#[test]
fn a_claim_by_an_older_field_is_refused() {
    let (mut world, ids) = resting(&OPEN, four(), ConflictRules::default(), &[(0, 0)]);
    let way = [CellId(1), CellId(2)];
    // The field changes between the query and the claim.
    world.groups[0].version = 2;
    world.crowd.claim(ids[0], &way, 1).unwrap();
    world.step();
    assert_eq!(
        world.crowd.claims()[0].1,
        Err(ClaimRefusal::StaleVersion { have: 1, want: 2 })
    );
    assert_eq!(world.at(ids[0]), (0, 0));
    world.crowd.claim(ids[0], &way, 2).unwrap();
    world.step();
    assert_eq!(world.crowd.claims()[0].1, Ok(()));
}

#[test]
fn all_or_nothing_and_only_along_exits() {
    let (mut world, ids) = resting(
        &["...", ".#.", "..."],
        eight(),
        ConflictRules::default(),
        &[(0, 0), (2, 2)],
    );
    claim(&mut world, ids[0], &[(1, 0), (2, 0), (2, 1), (2, 2)]);
    world.step();
    assert_eq!(
        kind(world.crowd.claims()[0].1),
        Some((ConflictKind::Vertex, ids[1], 4))
    );
    assert_eq!(world.at(ids[0]), (0, 0));
    claim(&mut world, ids[0], &[(1, 0), (2, 1)]);
    world.step();
    assert_eq!(
        world.crowd.claims()[0].1,
        Err(ClaimRefusal::NoSuchStep {
            from: CellId(1),
            to: CellId(5)
        })
    );
}

#[test]
fn whoever_has_no_claim_keeps_out_of_the_way_of_those_who_have() {
    let mut world = World::new(&OPEN, four(), StrictOptions::default());
    let a = world.lone((0, 0), (0, 0));
    let b = world.lone((3, 3), (3, 0));
    claim(&mut world, a, &[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]);
    for _ in 0..6 {
        world.step();
        assert!(world.crowd.follows_claim(a) || world.at(a) == (5, 0));
    }
    assert_eq!(world.at(a), (5, 0));
    assert!(world.run(20).is_some());
    assert_eq!((world.at(a), world.at(b)), ((0, 0), (3, 0)));
}

#[test]
fn a_claim_whose_way_is_shut_by_one_who_failed_is_given_up() {
    let (mut world, ids) = resting(&["......"], four(), ConflictRules::default(), &[(0, 0), (1, 0)]);
    claim(&mut world, ids[1], &[(2, 0), (3, 0), (4, 0), (5, 0)]);
    world.step();
    claim(&mut world, ids[0], &[(1, 0), (2, 0), (3, 0), (4, 0)]);
    world.step();
    assert_eq!(world.crowd.claims()[0].1, Ok(()));
    world.crowd.hold(ids[1], true).unwrap();
    for _ in 0..5 {
        world.step();
    }
    assert_eq!(world.at(ids[1]), (3, 0));
    assert!(world.at(ids[0]).0 < 3);
}

#[test]
fn a_wall_that_comes_down_on_a_claimed_way_ends_it() {
    let (mut world, ids) = resting(&["......"], four(), ConflictRules::default(), &[(0, 0)]);
    claim(&mut world, ids[0], &[(1, 0), (2, 0), (3, 0), (4, 0)]);
    world.step();
    assert_eq!(world.crowd.claims()[0].1, Ok(()));
    // The field is not made anew yet, and its version says so.
    let mut bytes = vec![1; 6];
    bytes[3] = 255;
    let costs = thalweg_core::cost::CostField::from_bytes(world.costs.grid().clone(), bytes).unwrap();
    world.groups[0].movement = Movement::compile(&costs, &four());
    world.step();
    for _ in 0..3 {
        assert!(world.at(ids[0]).0 <= 2);
        world.step();
    }
    assert!(!world.crowd.follows_claim(ids[0]));
}
