//! Crowds come to rest at their goals (report A75), leave where they shall, and wake when the goal changes.

mod common;

use common::*;
use thalweg_core::grid::Cell;
use thalweg_core::movement::{Connectivity, CornerRule};
use thalweg_crowd::{AgentSpec, Crowd, GroupId, Outcome};

const DT: f32 = 1.0 / 30.0;

fn open_field(width: usize, height: usize, goal: (usize, usize)) -> World {
    let map: Vec<String> = (0..height)
        .map(|y| {
            (0..width)
                .map(|x| if (x, y) == goal { 'G' } else { '.' })
                .collect()
        })
        .collect();
    World::of_map(&map, &profile(Connectivity::Eight, CornerRule::BothFree))
}

fn pack_radius(crowd: &Crowd, [x, y]: [f64; 2]) -> f64 {
    crowd
        .agents()
        .map(|(_, view)| {
            let [ax, ay] = view.position.to_map();
            ((ax - x).powi(2) + (ay - y).powi(2)).sqrt()
        })
        .fold(0.0, f64::max)
}

fn summed_speed(crowd: &Crowd) -> f32 {
    crowd
        .agents()
        .map(|(_, view)| (view.velocity[0].powi(2) + view.velocity[1].powi(2)).sqrt())
        .sum()
}

/// Report A75: 30 s to arrive, 10 s of rest, and the pack is round.
fn check_pack(name: &str, world: &World, crowd: &mut Crowd, seconds: usize, dt: f32) {
    for _ in 0..(seconds as f32 / dt) as usize {
        step(crowd, world, dt);
    }
    let agents = crowd.len();
    let arrived = crowd
        .agents()
        .filter(|(_, view)| view.outcome == Outcome::Arrived)
        .count();
    assert_eq!(arrived, agents, "{name}: all have arrived after {seconds} s");
    let places: Vec<_> = crowd.agents().map(|(_, view)| view.position).collect();
    for _ in 0..(10.0 / dt) as usize {
        step(crowd, world, dt);
        let speed = summed_speed(crowd);
        assert!(speed < 0.01, "{name}: the summed speed at rest is {speed}");
    }
    for ((_, view), place) in crowd.agents().zip(places) {
        let drift = view
            .position
            .x
            .abs_diff(place.x)
            .max(view.position.y.abs_diff(place.y));
        assert!(drift < 650, "{name}: an agent at rest drifts by {drift} subcells");
    }
    let radius = pack_radius(crowd, [20.5, 10.5]);
    let body = f64::from(crowd.agents().next().unwrap().1.radius);
    let limit = 1.25 * (agents as f64).sqrt() * body;
    assert!(
        radius <= limit,
        "{name}: the pack reaches {radius} cells, not {limit}"
    );
}

#[test]
fn sixty_agents_with_one_goal_cell_all_arrive_and_come_to_rest_in_a_round_pack() {
    let world = open_field(30, 20, (20, 10));
    // The last but one comes down a diagonal that the field leads everybody along in single file.
    for (name, rect, seconds) in [
        ("all sides", [0.0, 0.0, 30.0, 20.0], 30),
        ("west", [0.0, 6.0, 8.0, 8.0], 30),
        ("row", [2.0, 10.4, 14.0, 0.2], 30),
        ("north-west", [4.0, 0.0, 8.0, 5.0], 55),
        ("on the goal", [18.0, 8.0, 5.0, 5.0], 30),
    ] {
        for seed in 0..8 {
            let mut crowd = crowd_of(&world);
            scatter(
                &mut crowd,
                &world.movement,
                &mut Random(seed),
                60,
                rect,
                0.3,
                GroupId(0),
            );
            check_pack(&format!("{name} {seed}"), &world, &mut crowd, seconds, DT);
        }
    }
}

#[test]
fn packs_are_round_for_thin_and_stout_agents_and_short_and_long_steps() {
    let world = open_field(30, 20, (20, 10));
    for radius in [0.2, 0.45] {
        for dt in [1.0 / 60.0, 0.1, 0.5] {
            let mut crowd = crowd_of(&world);
            let rect = [4.0, 3.0, 12.0, 14.0];
            scatter(
                &mut crowd,
                &world.movement,
                &mut Random(1),
                60,
                rect,
                radius,
                GroupId(0),
            );
            check_pack(
                &format!("radius {radius}, steps of {dt} s"),
                &world,
                &mut crowd,
                30,
                dt,
            );
        }
    }
}

#[test]
fn two_agents_and_two_hundred_come_to_rest_too() {
    let world = open_field(40, 24, (20, 10));
    for (agents, seconds) in [(1, 30), (2, 30), (3, 30), (7, 30), (200, 60)] {
        let mut crowd = crowd_of(&world);
        scatter(
            &mut crowd,
            &world.movement,
            &mut Random(9),
            agents,
            [8.0, 2.0, 24.0, 18.0],
            0.3,
            GroupId(0),
        );
        if agents >= 7 {
            check_pack(&format!("{agents} agents"), &world, &mut crowd, seconds, DT);
        } else {
            for _ in 0..seconds * 30 {
                step(&mut crowd, &world, DT);
            }
            assert!(summed_speed(&crowd) == 0.0);
            assert!(pack_radius(&crowd, [20.5, 10.5]) < 0.95, "{agents} agents");
        }
    }
}

#[test]
fn a_lone_agent_rests_on_the_centre_of_its_goal_cell() {
    let world = open_field(30, 20, (20, 10));
    for dt in [1.0 / 240.0, 1.0 / 30.0, 0.5, 5.0] {
        let mut crowd = crowd_of(&world);
        let id = crowd.add(&world.movement, spec(3.3, 4.7)).unwrap();
        for _ in 0..(20.0 / dt) as usize {
            step(&mut crowd, &world, dt);
        }
        let view = crowd.get(id).unwrap();
        let [x, y] = view.position.to_map();
        assert_eq!(view.outcome, Outcome::Arrived);
        assert!((x - 20.5).abs() < 0.04 && (y - 10.5).abs() < 0.04, "({x}, {y})");
    }
}

#[test]
fn a_crowd_at_the_end_of_a_corridor_rests_in_the_queue_it_stands_in() {
    let map = [
        "....................",
        "###################.",
        "#G..................",
    ];
    let world = World::of_map(&map, &profile(Connectivity::Eight, CornerRule::BothFree));
    let mut crowd = crowd_of(&world);
    for agent in 0..16 {
        crowd
            .add(&world.movement, spec(0.5 + f64::from(agent), 0.5))
            .unwrap();
    }
    for _ in 0..60 * 30 {
        step(&mut crowd, &world, DT);
    }
    assert!(
        crowd.agents().all(|(_, view)| view.outcome == Outcome::Arrived),
        "{:?}",
        crowd.agents().collect::<Vec<_>>()
    );
    for _ in 0..60 {
        step(&mut crowd, &world, DT);
        assert!(summed_speed(&crowd) < 0.01);
    }
}

#[test]
fn arrived_agents_wake_when_the_field_changes_and_walk_to_the_new_goal() {
    let mut world = open_field(30, 20, (20, 10));
    let mut crowd = crowd_of(&world);
    scatter(
        &mut crowd,
        &world.movement,
        &mut Random(4),
        20,
        [15.0, 5.0, 10.0, 10.0],
        0.3,
        GroupId(0),
    );
    for _ in 0..900 {
        step(&mut crowd, &world, DT);
    }
    assert!(crowd.agents().all(|(_, view)| view.outcome == Outcome::Arrived));
    world.flow = flow_of(&world.movement, &[Cell::new(5, 10)]);
    step(&mut crowd, &world, DT);
    assert!(
        crowd.agents().all(|(_, view)| view.outcome == Outcome::Arrived),
        "the version has not changed"
    );
    world.version += 1;
    let report = step(&mut crowd, &world, DT);
    assert_eq!(report.outcomes[Outcome::Arrived], 0);
    for _ in 0..1200 {
        step(&mut crowd, &world, DT);
    }
    assert!(crowd.agents().all(|(_, view)| view.outcome == Outcome::Arrived));
    assert!(pack_radius(&crowd, [5.5, 10.5]) < 2.0);
}

#[test]
fn one_pushed_off_its_place_walks_back() {
    let costs = costs_of(&["...................."; 9]);
    let eight = profile(Connectivity::Eight, CornerRule::BothFree);
    let worlds = [
        World::new(&costs, &eight, &[Cell::new(10, 4)]),
        World::new(&costs, &eight, &[Cell::new(19, 4)]).leaving(),
    ];
    let mut crowd = crowd_of(&worlds[0]);
    let resting = crowd.add(&worlds[0].movement, spec(10.0, 4.5)).unwrap();
    let groups = [worlds[0].input(), worlds[1].input()];
    for tick in 0..1800 {
        crowd.step(&groups, DT, &thalweg_core::workers::Serial).unwrap();
        if (60..600).contains(&tick) && tick % 6 == 0 {
            let passer = AgentSpec {
                group: GroupId(1),
                radius: 0.4,
                ..spec(1.0, 2.5 + f64::from(tick % 5))
            };
            crowd.add(&worlds[1].movement, passer).unwrap();
        }
    }
    let view = crowd.get(resting).unwrap();
    assert_eq!(view.outcome, Outcome::Arrived);
    assert_eq!(crowd.len(), 1, "the others have passed");
    let [x, y] = view.position.to_map();
    assert!((x - 10.5).abs() < 1.1 && (y - 4.5).abs() < 1.1, "({x}, {y})");
}

#[test]
fn a_goal_area_takes_a_crowd_in_and_it_comes_to_rest() {
    let map: Vec<String> = (0..16)
        .map(|y| {
            (0..30)
                .map(|x| {
                    if (20..28).contains(&x) && (4..12).contains(&y) {
                        'G'
                    } else {
                        '.'
                    }
                })
                .collect()
        })
        .collect();
    let world = World::of_map(&map, &profile(Connectivity::Eight, CornerRule::BothFree));
    let mut crowd = crowd_of(&world);
    scatter(
        &mut crowd,
        &world.movement,
        &mut Random(6),
        60,
        [0.0, 3.0, 10.0, 10.0],
        0.3,
        GroupId(0),
    );
    for _ in 0..40 * 30 {
        step(&mut crowd, &world, DT);
    }
    assert!(crowd.agents().all(|(_, view)| view.outcome == Outcome::Arrived));
    for _ in 0..60 {
        step(&mut crowd, &world, DT);
        assert!(summed_speed(&crowd) < 0.01);
    }
    let inside = crowd
        .agents()
        .filter(|(_, view)| (19.0..28.5).contains(&view.position.to_map()[0]))
        .count();
    assert_eq!(inside, 60, "the area takes them all in");
}
