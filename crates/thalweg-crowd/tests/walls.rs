//! Nobody is ever in a wall or through one, whatever the map, the rule, the step and the pressure; and everybody gets
//! where the field leads.

mod common;

use common::*;
use proptest::prelude::*;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, Grid, MapPoint};
use thalweg_core::movement::{Connectivity, CornerRule, Movement, MovementProfile};
use thalweg_crowd::{AgentSpec, ArrivalRule, GroupId, Outcome, StalePolicy};

const STEPS: [f32; 7] = [1.0 / 240.0, 1.0 / 120.0, 1.0 / 30.0, 0.1, 0.5, 1.0, 5.0];

/// A random map with a goal in its largest free place.
fn random_world(
    random: &mut Random,
    width: u32,
    height: u32,
    walls: u64,
    profile: &MovementProfile,
) -> World {
    let grid = Grid::new(width, height).unwrap();
    let bytes = (0..grid.len())
        .map(|_| {
            if random.below(100) < walls {
                255
            } else {
                1 + random.below(4) as u8
            }
        })
        .collect();
    let mut costs = CostField::from_bytes(grid, bytes).unwrap();
    let goal = Cell::new(
        random.below(u64::from(width)) as i32,
        random.below(u64::from(height)) as i32,
    );
    costs.set(goal, Cost::PLAIN).unwrap();
    World::new(&costs, profile, &[goal])
}

/// A maze by depth-first search: walls one cell thick, ways one cell wide.
fn maze(random: &mut Random, cells: usize) -> Vec<String> {
    let side = 2 * cells + 1;
    let mut map = vec![vec!['#'; side]; side];
    let mut stack = vec![(0usize, 0usize)];
    map[1][1] = '.';
    while let Some(&(x, y)) = stack.last() {
        let open: Vec<(usize, usize)> = [
            (x.wrapping_sub(1), y),
            (x + 1, y),
            (x, y.wrapping_sub(1)),
            (x, y + 1),
        ]
        .into_iter()
        .filter(|&(nx, ny)| nx < cells && ny < cells && map[2 * ny + 1][2 * nx + 1] == '#')
        .collect();
        if open.is_empty() {
            stack.pop();
            continue;
        }
        let (nx, ny) = open[random.below(open.len() as u64) as usize];
        map[y + ny + 1][x + nx + 1] = '.';
        map[2 * ny + 1][2 * nx + 1] = '.';
        stack.push((nx, ny));
    }
    map[side - 2][side - 2] = 'G';
    map.into_iter().map(|row| row.into_iter().collect()).collect()
}

fn run(world: &World, agents: usize, seed: u64, radius: f32, dt: f32, steps: usize) {
    let mut crowd = crowd_of(world);
    let (width, height) = (f64::from(crowd.grid().width()), f64::from(crowd.grid().height()));
    scatter(
        &mut crowd,
        &world.movement,
        &mut Random(seed),
        agents,
        [0.0, 0.0, width, height],
        radius,
        GroupId(0),
    );
    let mut watch = Watch::new(&crowd);
    for _ in 0..steps {
        step(&mut crowd, world, dt);
        watch.check(&crowd, &world.movement, dt);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_centre_is_in_a_wall_or_through_one_on_random_maps(
        seed: u64, walls in 0u64..55, width in 1u32..16, height in 1u32..16, radius in 0.05f32..0.9,
    ) {
        for profile in profiles() {
            for world in random_world(&mut Random(seed), width, height, walls, &profile).both_ways() {
                for dt in STEPS {
                    run(&world, 60, seed ^ 1, radius, dt, if dt < 1.0 { 12 } else { 3 });
                }
            }
        }
    }
}

#[test]
fn no_centre_is_in_a_wall_or_through_one_in_mazes() {
    for (seed, profile) in (0..).zip(profiles()) {
        let map = maze(&mut Random(seed), 8);
        for world in World::of_map(&map, &profile).both_ways() {
            for dt in STEPS {
                run(&world, 300, seed, 0.3, dt, if dt < 0.5 { 60 } else { 6 });
            }
        }
    }
}

/// Two rooms and a door one cell wide.
fn two_rooms(side: usize) -> Vec<String> {
    (0..side)
        .map(|y| {
            (0..2 * side + 1)
                .map(|x| match (x, y) {
                    (x, y) if x == side && y != side / 2 => '#',
                    (x, y) if (x, y) == (2 * side - 1, side / 2) => 'G',
                    _ => '.',
                })
                .collect()
        })
        .collect()
}

#[test]
fn no_centre_is_in_a_wall_or_through_one_when_two_thousand_press_through_a_one_cell_door() {
    let world = World::of_map(
        &two_rooms(24),
        &profile(Connectivity::Eight, CornerRule::BothFree),
    )
    .leaving();
    for world in world.both_ways() {
        for dt in [1.0 / 30.0, 0.5, 5.0] {
            run(&world, 2_000, 7, 0.3, dt, if dt < 0.1 { 120 } else { 6 });
        }
    }
}

#[test]
fn a_crowd_of_three_hundred_gets_through_a_one_cell_door() {
    let world = World::of_map(
        &two_rooms(20),
        &profile(Connectivity::Eight, CornerRule::BothFree),
    )
    .leaving();
    for world in world.both_ways() {
        let mut crowd = crowd_of(&world);
        scatter(
            &mut crowd,
            &world.movement,
            &mut Random(3),
            300,
            [0.0, 0.0, 19.0, 20.0],
            0.3,
            GroupId(0),
        );
        let mut watch = Watch::new(&crowd);
        let mut time = 0.0;
        while !crowd.is_empty() {
            step(&mut crowd, &world, 1.0 / 30.0);
            watch.check(&crowd, &world.movement, 1.0 / 30.0);
            time += 1.0 / 30.0;
            assert!(
                time < 300.0,
                "{} agents have not got through in 300 s",
                crowd.len()
            );
        }
    }
}

/// A pinched diagonal in each of the four orientations, from anywhere in the start cell.
#[test]
fn an_agent_gets_through_a_diagonal_between_two_walls_wherever_it_starts() {
    let always = profile(Connectivity::Eight, CornerRule::Always);
    for (map, corner) in [
        (["A#", "#G"], (0.0, 0.0)),
        (["G#", "#A"], (1.0, 1.0)),
        (["#A", "G#"], (1.0, 0.0)),
        (["#G", "A#"], (0.0, 1.0)),
    ] {
        let [by_directions, by_headings] = World::of_map(&map, &always).both_ways();
        for (x, y) in (0..=10).flat_map(|x| (0..=10).map(move |y| (f64::from(x) / 10.0, f64::from(y) / 10.0)))
        {
            let steps = [(1.0 / 240.0, 0.5), (1.0 / 30.0, 1.5), (1.0, 1.5), (60.0, 0.001)];
            let worlds = [&by_directions, &by_headings];
            for ((dt, speed), world) in steps
                .into_iter()
                .flat_map(|step| worlds.map(|world| (step, world)))
            {
                let mut crowd = crowd_of(world);
                let inside = |low: f64, part: f64| (low + part).min(low + 1.0 - 1.0 / 65_536.0);
                let agent = AgentSpec {
                    position: at(inside(corner.0, x), inside(corner.1, y)),
                    max_speed: speed,
                    ..spec(0.0, 0.0)
                };
                let id = crowd.add(&world.movement, agent).unwrap();
                let mut watch = Watch::new(&crowd);
                // Twice the way there at that speed, and time to settle.
                let steps = (2.0 * 2.0 / speed / dt) as usize + (4.0 / dt) as usize + 4;
                for _ in 0..steps {
                    step(&mut crowd, world, dt);
                    watch.check(&crowd, &world.movement, dt);
                    if crowd.get(id).unwrap().outcome == Outcome::Arrived {
                        break;
                    }
                }
                assert_eq!(
                    crowd.get(id).unwrap().outcome,
                    Outcome::Arrived,
                    "{map:?} from ({x}, {y}), steps of {dt} s: stands at {:?}",
                    crowd.get(id).unwrap()
                );
            }
        }
    }
}

#[test]
fn an_agent_walks_around_the_free_side_where_one_side_is_free() {
    let world = World::of_map(&["A.", "#G"], &profile(Connectivity::Eight, CornerRule::OneFree));
    for world in world.both_ways() {
        for (x, y) in (0..10).flat_map(|x| (0..10).map(move |y| (f64::from(x) / 10.0, f64::from(y) / 10.0))) {
            let mut crowd = crowd_of(&world);
            let id = crowd.add(&world.movement, spec(x, y)).unwrap();
            let mut watch = Watch::new(&crowd);
            for _ in 0..240 {
                step(&mut crowd, &world, 1.0 / 30.0);
                watch.check(&crowd, &world.movement, 1.0 / 30.0);
            }
            assert_eq!(
                crowd.get(id).unwrap().outcome,
                Outcome::Arrived,
                "from ({x}, {y})"
            );
        }
    }
}

/// Every agent alone on every start of random maps arrives: no corner, border or blend traps it.
#[test]
fn a_lone_agent_arrives_from_every_reachable_cell_of_random_maps() {
    for (seed, profile) in (0..12).flat_map(|seed| profiles().map(move |profile| (seed, profile))) {
        let mut random = Random(seed);
        for world in random_world(&mut random, 14, 11, 30, &profile)
            .leaving()
            .both_ways()
        {
            let grid = world.movement.grid().clone();
            let mut crowd = thalweg_crowd::Crowd::new(
                grid.clone(),
                thalweg_crowd::CrowdOptions::default().with_avoidance(thalweg_crowd::Avoidance::Off),
            )
            .unwrap();
            for id in grid.ids() {
                if world.movement.is_passable(id) && world.flow.direction(id).is_some() {
                    let cell = grid.cell(id);
                    for _ in 0..4 {
                        let (x, y) = (
                            f64::from(cell.x) + random.unit(),
                            f64::from(cell.y) + random.unit(),
                        );
                        let agent = AgentSpec {
                            radius: 0.5,
                            ..spec(x, y)
                        };
                        crowd.add(&world.movement, agent).unwrap();
                    }
                }
            }
            let mut watch = Watch::new(&crowd);
            for _ in 0..3_000 {
                step(&mut crowd, &world, 1.0 / 30.0);
                watch.check(&crowd, &world.movement, 1.0 / 30.0);
                if crowd.is_empty() {
                    break;
                }
            }
            let stuck: Vec<_> = crowd
                .agents()
                .map(|(_, view)| (view.position, view.outcome, view.blocker))
                .collect();
            assert!(
                stuck.is_empty(),
                "seed {seed}, {profile:?}, headings {}: {stuck:?}",
                world.headings.is_some()
            );
        }
    }
}

/// Report A05.
#[test]
fn a_body_passes_a_corner_and_keeps_its_radius_from_the_wall() {
    let world = World::of_map(&["A#", ".G"], &profile(Connectivity::Eight, CornerRule::BothFree));
    for world in world.both_ways() {
        let mut crowd = crowd_of(&world);
        let id = crowd
            .add(
                &world.movement,
                AgentSpec {
                    radius: 0.45,
                    ..spec(0.5, 0.5)
                },
            )
            .unwrap();
        for _ in 0..600 {
            step(&mut crowd, &world, 1.0 / 60.0);
            let [x, y] = crowd.get(id).unwrap().position.to_map();
            let (dx, dy) = ((1.0 - x).max(0.0), (y - 1.0).max(0.0));
            let distance = (dx * dx + dy * dy).sqrt();
            assert!(distance >= 0.45 - 1e-3, "{distance} from the wall at ({x}, {y})");
        }
        assert_eq!(crowd.get(id).unwrap().outcome, Outcome::Arrived);
    }
}

/// Report A50.
#[test]
fn agents_on_map_edges_and_one_cell_maps_move_in_all_directions() {
    for (map, ends) in [
        (vec!["G"], vec![(0.5, 0.5)]),
        (vec!["......G"], vec![(0.0, 0.0), (0.99, 0.99)]),
        (
            vec!["G", ".", ".", ".", ".", ".", "."],
            vec![(0.0, 6.99), (0.99, 6.0)],
        ),
        (
            vec!["...", ".G.", "..."],
            vec![(0.0, 0.0), (2.99, 0.0), (0.0, 2.99), (2.99, 2.99)],
        ),
        (
            vec!["G..", "...", "..."],
            vec![(2.99, 2.99), (2.99, 0.0), (0.0, 2.99)],
        ),
        (
            vec!["...", "...", "..G"],
            vec![(0.0, 0.0), (2.99, 0.0), (0.0, 2.99)],
        ),
    ] {
        for profile in profiles() {
            let worlds = World::of_map(&map, &profile).both_ways();
            for (&(x, y), world) in ends
                .iter()
                .flat_map(|end| worlds.iter().map(move |world| (end, world)))
            {
                let mut crowd = crowd_of(world);
                let id = crowd.add(&world.movement, spec(x, y)).unwrap();
                for _ in 0..400 {
                    step(&mut crowd, world, 1.0 / 30.0);
                }
                assert_eq!(
                    crowd.get(id).unwrap().outcome,
                    Outcome::Arrived,
                    "{map:?} from ({x}, {y})"
                );
            }
        }
    }
}

#[test]
fn slow_agents_and_short_steps_get_on_at_their_speed() {
    let world = World::of_map(
        &["........G"],
        &profile(Connectivity::Eight, CornerRule::BothFree),
    );
    let mut crowd = crowd_of(&world);
    let id = crowd
        .add(
            &world.movement,
            AgentSpec {
                max_speed: 0.01,
                ..spec(1.0, 0.5)
            },
        )
        .unwrap();
    for _ in 0..10_000 {
        step(&mut crowd, &world, 0.001);
    }
    let [x, _] = crowd.get(id).unwrap().position.to_map();
    assert!(
        (x - 1.1).abs() < 0.003,
        "10 s at 0.01 cells/s lead from 1.0 to {x}"
    );
}

/// Report A60: the world is changed while the field is still the old one.
#[test]
fn a_stale_field_stops_agents_or_the_sweep_does() {
    let map = ["...", ".#.", ".#.", "G#.", "..."];
    let eight = profile(Connectivity::Eight, CornerRule::BothFree);
    let worlds = World::of_map(&map, &eight).both_ways();
    let policies = [StalePolicy::Stop, StalePolicy::KeepOld];
    for (policy, world) in policies
        .into_iter()
        .flat_map(|policy| worlds.iter().map(move |world| (policy, world)))
    {
        let mut world = world.clone();
        world.stale = policy;
        let mut crowd = crowd_of(&world);
        let id = crowd.add(&world.movement, spec(0.5, 0.6)).unwrap();
        step(&mut crowd, &world, 0.1);
        assert_eq!(crowd.get(id).unwrap().outcome, Outcome::Moved);
        // A wall right below it.
        world.set_wall(Cell::new(0, 1), true);
        world.is_current = false;
        let before = crowd.get(id).unwrap().position;
        for _ in 0..60 {
            step(&mut crowd, &world, 1.0 / 30.0);
            let view = crowd.get(id).unwrap();
            assert!(view.position.to_map()[1] < 1.0, "the new wall is never entered");
            if policy == StalePolicy::Stop {
                assert_eq!((view.outcome, view.position), (Outcome::StaleField, before));
            }
        }
        if policy == StalePolicy::KeepOld {
            assert_eq!(crowd.get(id).unwrap().outcome, Outcome::BlockedBySweep);
        }
        // The field is repaired: it walks the long way round.
        world.rebuild(&cells_of(&map, 'G'));
        for _ in 0..600 {
            step(&mut crowd, &world, 1.0 / 30.0);
        }
        assert_eq!(crowd.get(id).unwrap().outcome, Outcome::Arrived);
    }
}

#[test]
fn a_door_that_closes_on_agents_holds_them_until_they_are_ejected() {
    let map = ["..#..", ".....", "..#.G"];
    let mut world = World::of_map(&map, &profile(Connectivity::Eight, CornerRule::BothFree));
    world.arrival = ArrivalRule::Leave;
    let mut crowd = crowd_of(&world);
    let near_west = crowd.add(&world.movement, spec(2.2, 1.5)).unwrap();
    let near_east = crowd.add(&world.movement, spec(2.9, 1.4)).unwrap();
    let outside = crowd.add(&world.movement, spec(0.5, 0.5)).unwrap();
    world.set_wall(Cell::new(2, 1), true);
    world.is_current = false;
    world.stale = StalePolicy::KeepOld;
    for _ in 0..10 {
        step(&mut crowd, &world, 0.1);
    }
    for (id, x, y) in [(near_west, 2.2, 1.5), (near_east, 2.9, 1.4)] {
        let view = crowd.get(id).unwrap();
        assert_eq!(
            (view.outcome, view.position),
            (Outcome::Outside, at(x, y)),
            "nobody moves inside a wall"
        );
    }
    assert_eq!(crowd.eject(&[world.input()]), 2);
    assert_eq!(crowd.get(near_west).unwrap().position, at(1.5, 1.5));
    assert_eq!(crowd.get(near_east).unwrap().position, at(3.5, 1.5));
    assert_eq!(crowd.eject(&[world.input()]), 0);
    step(&mut crowd, &world, 0.1);
    assert_ne!(crowd.get(outside).unwrap().outcome, Outcome::Outside);
    assert_ne!(crowd.get(near_west).unwrap().outcome, Outcome::Outside);
}

#[test]
fn ejection_takes_the_nearest_passable_centre_and_the_first_in_row_order_among_equals() {
    let open = costs_of(&[".....", ".....", ".....", ".....", "....."]);
    let mut random = Random(5);
    for _ in 0..200 {
        let mut world = World::new(
            &open,
            &profile(Connectivity::Eight, CornerRule::BothFree),
            &[Cell::new(0, 0)],
        );
        let (x, y) = if random.below(4) == 0 {
            (2.5, 2.5)
        } else {
            (5.0 * random.unit(), 5.0 * random.unit())
        };
        let mut crowd = crowd_of(&world);
        let id = crowd.add(&world.movement, spec(x, y)).unwrap();
        for cell in world.costs.grid().ids() {
            let cell = world.costs.grid().cell(cell);
            if random.below(10) < 7 {
                world.costs.set(cell, Cost::IMPASSABLE).unwrap();
            }
        }
        world.movement = Movement::compile(&world.costs, world.movement.profile());
        let position = crowd.get(id).unwrap().position;
        let own = position.cell_id(crowd.grid()).unwrap();
        let moved = crowd.eject(&[world.input()]);
        let after = crowd.get(id).unwrap().position;
        let nearest = crowd
            .grid()
            .ids()
            .filter(|&cell| world.movement.is_passable(cell))
            .map(|cell| {
                let cell = crowd.grid().cell(cell);
                let centre = at(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5);
                let square = |a: i32, b: i32| (i64::from(a) - i64::from(b)).pow(2);
                (
                    square(centre.x, position.x) + square(centre.y, position.y),
                    cell.y,
                    cell.x,
                    centre,
                )
            })
            .min_by_key(|&(square, y, x, _)| (square, y, x));
        match nearest {
            Some(_) if world.movement.is_passable(own) => assert_eq!((moved, after), (0, position)),
            Some((_, _, _, centre)) => assert_eq!((moved, after), (1, centre)),
            None => assert_eq!((moved, after), (0, position)),
        }
    }
}

#[test]
fn pushes_into_a_corner_do_not_press_anybody_into_the_wall() {
    let world = World::of_map(
        &["G....", ".....", "....."],
        &profile(Connectivity::Four, CornerRule::BothFree),
    );
    let mut crowd = crowd_of(&world);
    for _ in 0..300 {
        crowd.add(&world.movement, spec(0.01, 0.01)).unwrap();
    }
    let mut watch = Watch::new(&crowd);
    for _ in 0..90 {
        step(&mut crowd, &world, 1.0 / 30.0);
        watch.check(&crowd, &world.movement, 1.0 / 30.0);
    }
    let corner = MapPoint::new(0, 0);
    assert!(crowd.agents().all(|(_, view)| view.position >= corner));
}
