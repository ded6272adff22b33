//! One tick after the other: who goes, who makes way, who waits.

use crate::world::{World, eight, four, square};
use thalweg_core::grid::Cell;
use thalweg_core::movement::MovementProfile;
use thalweg_crowd::strict::{ConflictRules, StrictOptions, StrictSpec};
use thalweg_crowd::{ArrivalRule, Blocker, Outcome};

#[test]
fn one_goes_straight_to_its_goal() {
    let mut world = World::open(8, 8, four());
    let a = world.lone((0, 0), (7, 3));
    assert_eq!(world.run(10), Some(10));
    assert_eq!(world.at(a), (7, 3));
}

#[test]
fn of_two_for_one_cell_the_first_gets_it_and_the_other_says_whom_it_waits_for() {
    let mut world = World::new(&["...", "#.#", "#.#"], four(), StrictOptions::default());
    let down = world.group(&[(1, 2)], ArrivalRule::Leave);
    let a = world.add((0, 0), down);
    let b = world.add((2, 0), down);
    world.step();
    assert_eq!((world.at(a), world.at(b)), ((1, 0), (2, 0)));
    let view = world.crowd.get(b).unwrap();
    assert_eq!(
        (view.outcome, view.blocker, view.waited),
        (Outcome::ReservationRefused, Blocker::Agent(a), 1)
    );
    // A refusal changes nothing: the next tick it goes, behind the first.
    world.step();
    assert_eq!((world.at(a), world.at(b)), ((1, 1), (1, 0)));
}

#[test]
fn four_turn_round_in_a_full_block_if_following_is_allowed() {
    for following in [true, false] {
        let mut options = StrictOptions::default();
        options.rules.following = following;
        let mut world = World::new(&["..", ".."], four(), options);
        let ring = [(0, 0), (1, 0), (1, 1), (0, 1)];
        for index in 0..4 {
            world.lone(ring[index], ring[(index + 1) % 4]);
        }
        world.step();
        let arrived = world
            .crowd
            .agents()
            .filter(|(_, view)| view.outcome == Outcome::Arrived)
            .count();
        assert_eq!(arrived, if following { 4 } else { 0 });
    }
}

#[test]
fn a_large_body_pushes_everybody_in_its_way() {
    let mut world = World::open(9, 5, four());
    let wide = world.group_of(four().with_footprint(square(2)), &[(7, 1)], ArrivalRule::Rest);
    let mut spec = StrictSpec::new(Cell::new(0, 1), wide);
    spec.priority = 1;
    let body = world.add_spec(spec);
    for (x, y) in [(2, 1), (2, 2), (3, 1), (4, 2), (5, 1)] {
        world.lone((x, y), (x, y));
    }
    let ticks = world.run(40).expect("all are at their goals in the end");
    assert!(ticks < 30, "{ticks}");
    assert_eq!(world.at(body), (6, 1));
}

#[test]
fn slow_ones_hold_both_ends_of_their_step() {
    let mut world = World::new(&["....."], four(), StrictOptions::default());
    let east = world.group(&[(4, 0)], ArrivalRule::Leave);
    let slow = world.add_spec(StrictSpec {
        pace: 3,
        ..StrictSpec::new(Cell::new(1, 0), east)
    });
    let fast = world.add((0, 0), east);
    let mut places = Vec::new();
    for _ in 0..6 {
        world.step();
        places.push((world.at(slow).0, world.at(fast).0));
    }
    // The fast one follows in the tick in which the slow one arrives.
    assert_eq!(places, [(1, 0), (1, 0), (2, 1), (2, 1), (2, 1), (3, 2)]);
}

#[test]
fn diagonals_do_not_cross_nor_squeeze() {
    for squeezing in [false, true] {
        let mut options = StrictOptions::default();
        options.rules = ConflictRules {
            squeezing,
            ..ConflictRules::default()
        };
        let mut world = World::new(&["..", ".."], eight(), options);
        let a = world.lone((0, 0), (1, 1));
        let b = world.lone((1, 0), (0, 1));
        // Neither crosses the other; one waits or goes round.
        let ticks = world.run(8).expect("both get there");
        assert!(ticks >= 2, "{ticks}");
        assert_eq!((world.at(a), world.at(b)), ((1, 1), (0, 1)));
    }
}

#[test]
fn crowds_of_every_density_never_conflict() {
    let mut total = 0;
    for (index, profile) in [four(), eight(), eight().with_footprint(square(2))]
        .into_iter()
        .enumerate()
    {
        for following in [true, false] {
            for squeezing in [true, false] {
                for percent in [10, 50, 90] {
                    total += random_crowd(profile, following, squeezing, percent, index as u64 + 1);
                }
            }
        }
    }
    assert!(total > 50_000, "{total}");
}

fn random_crowd(
    profile: MovementProfile,
    following: bool,
    squeezing: bool,
    percent: usize,
    seed: u64,
) -> u64 {
    let mut options = StrictOptions::default();
    options.rules = ConflictRules { following, squeezing };
    options.seed = seed;
    let mut state = seed * 7919;
    let mut random = move |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let rows: Vec<String> = (0..16)
        .map(|_| (0..16).map(|_| if random(10) == 0 { '#' } else { '.' }).collect())
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut world = World::new(&rows, profile, options);
    let mut goals = Vec::new();
    for _ in 0..8 {
        loop {
            let goal = (random(15) as i32, random(15) as i32);
            let movement = thalweg_core::movement::Movement::compile(&world.costs, &profile);
            let id = world.crowd.grid().id(Cell::new(goal.0, goal.1)).unwrap();
            if movement.is_passable(id) {
                goals.push(world.group(
                    &[goal],
                    if goals.len() % 2 == 0 {
                        ArrivalRule::Leave
                    } else {
                        ArrivalRule::Rest
                    },
                ));
                break;
            }
        }
    }
    let area = profile.footprint.covered_offsets().count();
    let wanted = 230 * percent / 100 / area;
    let mut added = 0;
    for _ in 0..20 * wanted {
        let spec = StrictSpec {
            pace: [1, 1, 1, 2, 3][random(5)],
            priority: random(3) as i32,
            ..StrictSpec::new(Cell::new(random(16) as i32, random(16) as i32), goals[random(8)])
        };
        let movement = &world.groups[usize::from(spec.group.0)].movement;
        if world.crowd.add(&spec, movement).is_ok() {
            added += 1;
        }
        if added == wanted {
            break;
        }
    }
    for _ in 0..60 {
        world.step();
    }
    world.checked
}
