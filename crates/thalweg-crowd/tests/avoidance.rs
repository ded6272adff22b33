//! Agents mind each other: finite numbers, fixed rules, no shaking, no lasting overlap.

mod common;

use common::*;
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::movement::{Connectivity, CornerRule};
use thalweg_core::workers::Serial;
use thalweg_crowd::{
    AgentSpec, ArrivalRule, Avoidance, Blocker, Crowd, CrowdOptions, GroupId, GroupInput, Outcome,
};

const DT: f32 = 1.0 / 30.0;

fn open(width: u32, height: u32) -> thalweg_core::cost::CostField {
    let grid = Grid::new(width, height).unwrap();
    thalweg_core::cost::CostField::filled(grid, thalweg_core::cost::Cost::PLAIN)
}

fn eight() -> thalweg_core::movement::MovementProfile {
    profile(Connectivity::Eight, CornerRule::BothFree)
}

fn inputs(worlds: &[World]) -> Vec<GroupInput<'_>> {
    worlds.iter().map(World::input).collect()
}

fn distance(crowd: &Crowd, a: thalweg_crowd::AgentId, b: thalweg_crowd::AgentId) -> f64 {
    let ([ax, ay], [bx, by]) = (
        crowd.get(a).unwrap().position.to_map(),
        crowd.get(b).unwrap().position.to_map(),
    );
    ((ax - bx).powi(2) + (ay - by).powi(2)).sqrt()
}

#[test]
fn two_on_the_same_point_part_the_same_way_every_time() {
    let world = World::new(&open(12, 12), &eight(), &[Cell::new(10, 6)]);
    let ends: Vec<_> = (0..2)
        .map(|_| {
            let mut crowd = crowd_of(&world);
            let a = crowd.add(&world.movement, spec(3.5, 6.5)).unwrap();
            let b = crowd.add(&world.movement, spec(3.5, 6.5)).unwrap();
            for _ in 0..30 {
                step(&mut crowd, &world, DT);
            }
            assert!(distance(&crowd, a, b) > 0.55, "they do not overlap any more");
            crowd.state_hash()
        })
        .collect();
    assert_eq!(ends[0], ends[1]);
}

#[test]
fn two_who_meet_head_on_pass_each_other_on_the_right() {
    let costs = open(20, 9);
    let worlds = [
        World::new(&costs, &eight(), &[Cell::new(18, 4)]),
        World::new(&costs, &eight(), &[Cell::new(1, 4)]),
    ];
    let mut crowd = crowd_of(&worlds[0]);
    let east = crowd.add(&worlds[0].movement, spec(2.5, 4.5)).unwrap();
    let west = crowd
        .add(
            &worlds[1].movement,
            AgentSpec {
                group: GroupId(1),
                ..spec(17.5, 4.5)
            },
        )
        .unwrap();
    let mut nearest = f64::MAX;
    let mut passed_right = false;
    for _ in 0..600 {
        crowd.step(&inputs(&worlds), DT, &Serial).unwrap();
        let gap = distance(&crowd, east, west);
        if gap < nearest {
            nearest = gap;
            let (e, w) = (crowd.get(east).unwrap(), crowd.get(west).unwrap());
            passed_right = e.position.y > w.position.y;
        }
    }
    assert!(passed_right, "the one going east passes on the south");
    assert!(nearest > 0.57, "rims touch at most: {nearest}");
    assert_eq!(crowd.get(east).unwrap().outcome, Outcome::Arrived);
    assert_eq!(crowd.get(west).unwrap().outcome, Outcome::Arrived);
}

fn circle(agents: u16) -> (Vec<World>, Crowd) {
    let costs = open(30, 30);
    let mut worlds = Vec::new();
    let grid = costs.grid().clone();
    let mut crowd = Crowd::new(grid, CrowdOptions::default()).unwrap();
    let place = |agent: u16| {
        let angle = f64::from(agent) / f64::from(agents) * core::f64::consts::TAU;
        (15.0 + 10.0 * angle.cos(), 15.0 + 10.0 * angle.sin())
    };
    for agent in 0..agents {
        let (x, y) = place(agent + agents / 2);
        worlds.push(World::new(&costs, &eight(), &[Cell::new(x as i32, y as i32)]));
        let (x, y) = place(agent);
        crowd
            .add(
                &worlds[0].movement,
                AgentSpec {
                    group: GroupId(agent),
                    ..spec(x, y)
                },
            )
            .unwrap();
    }
    (worlds, crowd)
}

#[test]
fn twenty_on_a_circle_change_places() {
    let (worlds, mut crowd) = circle(20);
    let mut deepest = 0.0f32;
    for _ in 0..1200 {
        let report = crowd.step(&inputs(&worlds), DT, &Serial).unwrap();
        deepest = deepest.max(report.deepest_overlap);
    }
    assert!(deepest < 0.1, "the deepest overlap is {deepest}");
    assert!(crowd.agents().all(|(_, view)| view.outcome == Outcome::Arrived));
}

#[test]
fn a_thousand_in_one_cell_stay_finite_and_spread_out() {
    let world = World::new(&open(60, 60), &eight(), &[Cell::new(50, 50)]);
    for radius in [0.05, 0.3] {
        let mut crowd = crowd_of(&world);
        for agent in 0..1_000 {
            let (x, y) = if agent < 500 {
                (30.5, 30.5)
            } else {
                (
                    30.0 + f64::from(agent % 32) / 32.0,
                    30.0 + f64::from(agent) / 1_000.0,
                )
            };
            crowd
                .add(&world.movement, AgentSpec { radius, ..spec(x, y) })
                .unwrap();
        }
        let mut watch = Watch::new(&crowd);
        let mut report = Default::default();
        for _ in 0..300 {
            report = step(&mut crowd, &world, DT);
            watch.check(&crowd, &world.movement, DT);
        }
        assert!(
            report.deepest_overlap < 0.5 * radius,
            "10 s later the deepest overlap is {}",
            report.deepest_overlap
        );
        for (_, view) in crowd.agents() {
            let speed = (view.velocity[0].powi(2) + view.velocity[1].powi(2)).sqrt();
            assert!(
                speed <= view.max_speed + 2.0 * crowd.options().max_push + 0.01,
                "speed {speed}"
            );
        }
    }
}

#[test]
fn nobody_walks_faster_than_it_can() {
    let world = World::new(&open(40, 5), &eight(), &[Cell::new(39, 2)]);
    let mut crowd = crowd_of(&world);
    let id = crowd.add(&world.movement, spec(0.5, 2.5)).unwrap();
    for _ in 0..200 {
        step(&mut crowd, &world, DT);
        let [vx, vy] = crowd.get(id).unwrap().velocity;
        assert!((vx * vx + vy * vy).sqrt() <= 1.5 * 1.001, "({vx}, {vy})");
    }
}

/// A queue before a door: who waits stands, and knows whom it waits for.
#[test]
fn a_queue_waits_instead_of_shaking() {
    let map: Vec<String> = (0..17)
        .map(|y| {
            (0..26)
                .map(|x| match (x, y) {
                    (24, 8) => 'G',
                    (16, y) if y != 8 => '#',
                    _ => '.',
                })
                .collect()
        })
        .collect();
    let world = World::of_map(&map, &eight()).leaving();
    let mut crowd = crowd_of(&world);
    scatter(
        &mut crowd,
        &world.movement,
        &mut Random(2),
        150,
        [2.0, 1.0, 13.0, 15.0],
        0.3,
        GroupId(0),
    );
    for _ in 0..450 {
        step(&mut crowd, &world, DT);
    }
    let (mut waiting, mut moved, mut reversals) = (0u32, 0.0f32, 0u32);
    let mut before = std::collections::BTreeMap::new();
    for _ in 0..30 {
        step(&mut crowd, &world, DT);
        for (id, view) in crowd
            .agents()
            .filter(|(_, view)| view.outcome == Outcome::Waiting)
        {
            assert!(
                matches!(view.blocker, Blocker::Agent(_)),
                "who waits names another agent: {view:?}"
            );
            let [vx, vy] = view.velocity;
            let speed = (vx * vx + vy * vy).sqrt();
            let [ox, oy] = before.insert(id, view.velocity).unwrap_or([0.0; 2]);
            waiting += 1;
            moved += speed;
            reversals += u32::from(speed > 0.1 && vx * ox + vy * oy < -0.01);
        }
    }
    assert!(waiting > 30 * 50, "most of the crowd waits: {waiting}");
    let mean = moved / waiting as f32;
    assert!(mean < 0.2, "those who wait move at {mean} cells/s in the mean");
    let shaking = f64::from(reversals) / f64::from(waiting);
    assert!(shaking < 0.03, "{shaking} of the time they turn back");
}

#[test]
fn resting_agents_give_way_to_others_who_must_pass() {
    // A corridor one cell wide; a group rests in it, another must get through it.
    let map = [
        "####################",
        "#..................#",
        "####################",
    ];
    let costs = costs_of(&map);
    let worlds = [
        World::new(&costs, &eight(), &[Cell::new(8, 1)]),
        World::new(&costs, &eight(), &[Cell::new(18, 1)]),
    ];
    let mut crowd = crowd_of(&worlds[0]);
    let resting = crowd
        .add(
            &worlds[0].movement,
            AgentSpec {
                radius: 0.2,
                ..spec(7.0, 1.5)
            },
        )
        .unwrap();
    for _ in 0..120 {
        crowd.step(&inputs(&worlds), DT, &Serial).unwrap();
    }
    assert_eq!(crowd.get(resting).unwrap().outcome, Outcome::Arrived);
    let passing = crowd
        .add(
            &worlds[1].movement,
            AgentSpec {
                radius: 0.2,
                group: GroupId(1),
                ..spec(1.5, 1.5)
            },
        )
        .unwrap();
    for _ in 0..1800 {
        crowd.step(&inputs(&worlds), DT, &Serial).unwrap();
    }
    assert_eq!(
        crowd.get(passing).unwrap().outcome,
        Outcome::Arrived,
        "{:?}",
        crowd.get(passing)
    );
}

#[test]
fn without_avoidance_agents_walk_through_each_other() {
    let world = World::new(&open(20, 5), &eight(), &[Cell::new(18, 2)]);
    let mut world = world;
    world.arrival = ArrivalRule::Leave;
    let options = CrowdOptions::default().with_avoidance(Avoidance::Off);
    let mut crowd = Crowd::new(world.movement.grid().clone(), options).unwrap();
    for _ in 0..50 {
        crowd.add(&world.movement, spec(2.5, 2.5)).unwrap();
    }
    for _ in 0..340 {
        step(&mut crowd, &world, DT);
        let first = crowd.agents().next().map(|(_, view)| view.position);
        assert!(crowd.agents().all(|(_, view)| Some(view.position) == first));
    }
    assert!(crowd.is_empty(), "all leave together");
}

/// Rotating map, goals and agents by 90° rotates what happens, but for rounding.
#[test]
fn a_scene_turned_by_a_quarter_goes_the_same_turned_way() {
    const SIDE: u32 = 24;
    let wall = |x: i32, y: i32| x == 12 && !(9..12).contains(&y);
    let mut ends = Vec::new();
    for turns in 0..4 {
        let turned = |(x, y): (f64, f64)| (0..turns).fold((x, y), |(x, y), _| (f64::from(SIDE) - y, x));
        let turned_cell = |cell: Cell| {
            let (x, y) = turned((f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5));
            Cell::new(x as i32, y as i32)
        };
        let mut costs = open(SIDE, SIDE);
        for y in 0..SIDE as i32 {
            for x in (0..SIDE as i32).filter(|&x| wall(x, y)) {
                costs
                    .set(turned_cell(Cell::new(x, y)), thalweg_core::cost::Cost::IMPASSABLE)
                    .unwrap();
            }
        }
        let world = World::new(&costs, &eight(), &[turned_cell(Cell::new(20, 10))]);
        let mut crowd = crowd_of(&world);
        for agent in 0..12 {
            let place = (3.25 + f64::from(agent % 3), 4.25 + 1.5 * f64::from(agent / 3));
            let (x, y) = turned(place);
            crowd.add(&world.movement, spec(x, y)).unwrap();
        }
        for _ in 0..60 {
            step(&mut crowd, &world, DT);
        }
        let back = (4 - turns) % 4;
        ends.push(
            crowd
                .agents()
                .map(|(_, view)| {
                    let [x, y] = view.position.to_map();
                    (0..back).fold((x, y), |(x, y), _| (f64::from(SIDE) - y, x))
                })
                .collect::<Vec<_>>(),
        );
    }
    for turned in &ends[1..] {
        for (a, b) in ends[0].iter().zip(turned) {
            assert!(
                (a.0 - b.0).abs() < 0.3 && (a.1 - b.1).abs() < 0.3,
                "{a:?} became {b:?}"
            );
        }
    }
}

/// Report A73 at width 2: two rooms of 6 × 6, a corridor 12 long, ten agents a side change places.
#[test]
fn opposing_flows_pass_each_other_in_a_corridor_two_wide() {
    let map: Vec<String> = (0..6)
        .map(|y| {
            (0..24)
                .map(|x| {
                    if (6..18).contains(&x) && y != 2 && y != 3 {
                        '#'
                    } else {
                        '.'
                    }
                })
                .collect()
        })
        .collect();
    let costs = costs_of(&map);
    let area = |x: i32| {
        (0..6)
            .flat_map(move |y| (x..x + 3).map(move |x| Cell::new(x, y)))
            .collect::<Vec<_>>()
    };
    let worlds = [
        World::new(&costs, &eight(), &area(20)).leaving(),
        World::new(&costs, &eight(), &area(1)).leaving(),
    ];
    for seed in 0..6 {
        let mut crowd = crowd_of(&worlds[0]);
        let mut random = Random(seed);
        scatter(
            &mut crowd,
            &worlds[0].movement,
            &mut random,
            10,
            [0.0, 0.0, 6.0, 6.0],
            0.3,
            GroupId(0),
        );
        scatter(
            &mut crowd,
            &worlds[1].movement,
            &mut random,
            10,
            [18.0, 0.0, 6.0, 6.0],
            0.3,
            GroupId(1),
        );
        let mut time = 0.0;
        while !crowd.is_empty() && time < 120.0 {
            crowd.step(&inputs(&worlds), DT, &Serial).unwrap();
            time += DT;
        }
        assert!(
            crowd.is_empty(),
            "seed {seed}: {} have not changed places in two minutes",
            crowd.len()
        );
    }
}

/// Report A72: a full room in which everybody goes somewhere else, and a round pillar.
#[test]
fn five_hundred_in_a_room_keep_going_and_one_walks_around_a_pillar() {
    let costs = open(20, 20);
    let mut random = Random(8);
    let worlds: Vec<World> = (0..20)
        .map(|_| {
            World::new(
                &costs,
                &eight(),
                &[Cell::new(random.below(20) as i32, random.below(20) as i32)],
            )
        })
        .collect();
    let mut crowd = crowd_of(&worlds[0]);
    for group in 0..20 {
        scatter(
            &mut crowd,
            &worlds[0].movement,
            &mut random,
            25,
            [0.0, 0.0, 20.0, 20.0],
            0.3,
            GroupId(group),
        );
    }
    let mut watch = Watch::new(&crowd);
    for _ in 0..600 {
        crowd.step(&inputs(&worlds), 0.1, &Serial).unwrap();
        watch.check(&crowd, &worlds[0].movement, 0.1);
    }

    let map: Vec<String> = (0..21)
        .map(|y: i32| {
            (0..31)
                .map(|x: i32| match (x, y) {
                    (29, 10) => 'G',
                    (x, y) if (x - 15).pow(2) + (y - 10).pow(2) <= 25 => '#',
                    _ => '.',
                })
                .collect()
        })
        .collect();
    let world = World::of_map(&map, &eight());
    let mut crowd = crowd_of(&world);
    let id = crowd.add(&world.movement, spec(1.5, 10.5)).unwrap();
    for _ in 0..900 {
        step(&mut crowd, &world, DT);
    }
    assert_eq!(crowd.get(id).unwrap().outcome, Outcome::Arrived);
}
