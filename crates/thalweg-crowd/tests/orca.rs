//! Velocity obstacles: the half planes keep what they promise, the program is optimal, and crowds get through.

mod common;

use common::*;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::movement::{Connectivity, CornerRule, MovementProfile};
use thalweg_core::workers::{Serial, Workers};
use thalweg_crowd::orca::{Chooser, HalfPlane, Neighbour, choose, half_plane, solve};
use thalweg_crowd::{
    AgentId, AgentSpec, Avoidance, Crowd, CrowdError, CrowdOptions, GroupId, GroupInput, Outcome, StateHash,
};

const DT: f32 = 1.0 / 30.0;

fn open(width: u32, height: u32) -> CostField {
    CostField::filled(Grid::new(width, height).unwrap(), Cost::PLAIN)
}

fn eight() -> MovementProfile {
    profile(Connectivity::Eight, CornerRule::BothFree)
}

fn options() -> CrowdOptions {
    CrowdOptions::new().with_avoidance(Avoidance::VelocityObstacles)
}

fn crowd_on(costs: &CostField) -> Crowd {
    Crowd::new(costs.grid().clone(), options()).unwrap()
}

fn inputs(worlds: &[World]) -> Vec<GroupInput<'_>> {
    worlds.iter().map(World::input).collect()
}

fn distance(crowd: &Crowd, a: AgentId, b: AgentId) -> f64 {
    let ([ax, ay], [bx, by]) = (
        crowd.get(a).unwrap().position.to_map(),
        crowd.get(b).unwrap().position.to_map(),
    );
    (ax - bx).hypot(ay - by)
}

fn between(random: &mut Random, low: f32, high: f32) -> f32 {
    low + (high - low) * random.unit() as f32
}

fn vector(random: &mut Random, most: f32) -> [f32; 2] {
    [between(random, -most, most), between(random, -most, most)]
}

/// The worst shortfall of a velocity.
fn worst(planes: &[HalfPlane], velocity: [f32; 2]) -> f32 {
    planes
        .iter()
        .map(|plane| plane.shortfall(velocity))
        .fold(f32::NEG_INFINITY, f32::max)
}

/// Compares a program with every velocity of a fine grid.
fn check_program(planes: &[HalfPlane], wanted: [f32; 2], max_speed: f32) -> bool {
    const SIDE: i32 = 120;
    let near = |v: [f32; 2]| (v[0] - wanted[0]).hypot(v[1] - wanted[1]);
    let solution = solve(planes, wanted, max_speed);
    let velocity = solution.velocity;
    assert!(
        velocity[0].hypot(velocity[1]) <= max_speed * 1.0001 + 1e-6,
        "the top speed holds: {velocity:?}"
    );
    let tolerance = 2e-4 * (1.0 + max_speed);
    let (mut nearest, mut least) = (f32::INFINITY, f32::INFINITY);
    for y in -SIDE..=SIDE {
        for x in -SIDE..=SIDE {
            let candidate = [x, y].map(|step| step as f32 / SIDE as f32 * max_speed);
            if candidate[0].hypot(candidate[1]) > max_speed {
                continue;
            }
            let short = worst(planes, candidate);
            least = least.min(short);
            if short <= 0.0 {
                nearest = nearest.min(near(candidate));
            }
        }
    }
    let short = worst(planes, velocity);
    if solution.is_feasible {
        assert!(short <= tolerance, "{planes:?}: broken by {short}");
        assert!(
            near(velocity) <= nearest + tolerance,
            "{planes:?}, {wanted:?}: {velocity:?} is {} from what is wanted, and {nearest} can be had",
            near(velocity)
        );
    } else {
        assert!(
            short > -tolerance,
            "{planes:?}: there is a velocity in all of them"
        );
        assert!(
            short <= least + tolerance,
            "{planes:?}: {velocity:?} is short by {short}, and {least} can be had"
        );
    }
    solution.is_feasible
}

#[test]
fn the_program_finds_what_a_fine_grid_of_velocities_finds() {
    let mut random = Random(5);
    let mut counts = [0, 0];
    for round in 0..1_500u32 {
        let count = 1 + random.below(10) as usize;
        let wanted = vector(&mut random, 2.0);
        let max_speed = between(&mut random, 0.2, 2.0);
        let planes: Vec<HalfPlane> = (0..count)
            .map(|_| {
                let angle = random.unit() * core::f64::consts::TAU;
                HalfPlane {
                    normal: [angle.cos() as f32, angle.sin() as f32],
                    // Every second instance is a hard one.
                    least: between(&mut random, -2.0, if round % 2 == 0 { 0.1 } else { 1.0 }),
                }
            })
            .collect();
        counts[usize::from(check_program(&planes, wanted, max_speed))] += 1;
    }
    assert!(
        counts[0] > 300 && counts[1] > 300,
        "both kinds were met: {counts:?}"
    );
}

#[test]
fn the_program_finds_it_for_half_planes_of_crowds_too() {
    let mut random = Random(6);
    let mut counts = [0, 0];
    for _ in 0..1_500 {
        let velocity = vector(&mut random, 1.2);
        let planes: Vec<HalfPlane> = (0..8)
            .map(|_| {
                let neighbour = Neighbour {
                    offset: vector(&mut random, 1.5),
                    velocity: vector(&mut random, 1.2),
                    radius: 0.6,
                    share: 0.5,
                    horizon: 2.0,
                };
                half_plane(velocity, 0.2, &neighbour)
            })
            .collect();
        counts[usize::from(check_program(&planes, vector(&mut random, 1.2), 1.5))] += 1;
    }
    assert!(
        counts[0] > 100 && counts[1] > 100,
        "both kinds were met: {counts:?}"
    );
}

/// The least distance of two who keep a relative velocity, within a time.
fn nearest_within(offset: [f32; 2], relative: [f32; 2], time: f32) -> f32 {
    let square = relative[0] * relative[0] + relative[1] * relative[1];
    let along = offset[0] * relative[0] + offset[1] * relative[1];
    let when = if square > 0.0 {
        (along / square).clamp(0.0, time)
    } else {
        0.0
    };
    (offset[0] - relative[0] * when).hypot(offset[1] - relative[1] * when)
}

#[test]
fn velocities_in_both_half_planes_do_not_meet_within_the_horizon() {
    let mut random = Random(7);
    let mut tight = 0;
    for _ in 0..20_000 {
        let (mine, its) = (vector(&mut random, 2.0), vector(&mut random, 2.0));
        let offset = vector(&mut random, 4.0);
        let radius = between(&mut random, 0.1, 1.0);
        let horizon = between(&mut random, 0.5, 4.0);
        let share = between(&mut random, 0.0, 1.0);
        if offset[0].hypot(offset[1]) < radius {
            continue;
        }
        let neighbour = |offset, velocity, share| Neighbour {
            offset,
            velocity,
            radius,
            share,
            horizon,
        };
        let plane = half_plane(mine, 0.2, &neighbour(offset, its, share));
        let other = half_plane(its, 0.2, &neighbour([-offset[0], -offset[1]], mine, 1.0 - share));
        // Each anywhere in its half plane: on the border, and farther in.
        let in_plane = |plane: &HalfPlane, random: &mut Random| {
            let (inward, beside) = (between(random, 0.0, 1.0), between(random, -2.0, 2.0));
            let inward = plane.least + if random.below(3) == 0 { 0.0 } else { inward };
            [
                plane.normal[0] * inward - plane.normal[1] * beside,
                plane.normal[1] * inward + plane.normal[0] * beside,
            ]
        };
        let (a, b) = (in_plane(&plane, &mut random), in_plane(&other, &mut random));
        let nearest = nearest_within(offset, [a[0] - b[0], a[1] - b[1]], horizon);
        assert!(
            nearest > radius - 2e-3,
            "{offset:?} {mine:?} {its:?}: they come within {nearest} of {radius}"
        );
        // The least change: at the border itself they just touch.
        let all = half_plane(mine, 0.2, &neighbour(offset, its, 1.0));
        let change = all.shortfall(mine);
        let relative = [0, 1].map(|axis| mine[axis] + change * all.normal[axis] - its[axis]);
        let touch = nearest_within(offset, relative, horizon);
        assert!(
            (touch - radius).abs() < 5e-3,
            "{offset:?} {mine:?} {its:?}: {touch} and not {radius}"
        );
        tight += 1;
    }
    assert!(tight > 10_000);
}

#[test]
fn nothing_that_can_be_handed_in_panics_or_comes_out_as_no_number() {
    let odd = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        1e-45,
        1e-20,
        1e20,
        f32::MAX,
        f32::MIN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
    ];
    let mut random = Random(8);
    for _ in 0..100_000 {
        let mut pick = || odd[random.below(odd.len() as u64) as usize];
        let neighbours: Vec<Neighbour> = (0..20)
            .map(|_| Neighbour {
                offset: [pick(), pick()],
                velocity: [pick(), pick()],
                radius: pick(),
                share: pick(),
                horizon: pick(),
            })
            .collect();
        let chooser = Chooser {
            velocity: [pick(), pick()],
            wanted: [pick(), pick()],
            max_speed: pick(),
            parting: pick(),
        };
        let planes: Vec<HalfPlane> = (0..20)
            .map(|_| HalfPlane {
                normal: [pick(), pick()],
                least: pick(),
            })
            .collect();
        for solution in [
            choose(&chooser, &neighbours),
            solve(&planes, chooser.wanted, chooser.max_speed),
        ] {
            assert!(
                solution.velocity.iter().all(|part| part.is_finite()),
                "{chooser:?} {neighbours:?}: {solution:?}"
            );
            assert!(solution.most_broken.is_none_or(|index| index < 16));
        }
    }
}

#[test]
fn who_is_in_the_way_is_named() {
    let chooser = Chooser {
        velocity: [1.0, 0.0],
        wanted: [1.0, 0.0],
        max_speed: 1.0,
        parting: 0.2,
    };
    let neighbour = |x, y| Neighbour {
        offset: [x, y],
        velocity: [0.0, 0.0],
        radius: 0.5,
        share: 1.0,
        horizon: 2.0,
    };
    let aside = choose(&chooser, &[neighbour(-1.0, 0.0), neighbour(0.0, 1.0)]);
    assert_eq!((aside.velocity, aside.most_broken), ([1.0, 0.0], None));
    let ahead = choose(&chooser, &[neighbour(0.0, 1.0), neighbour(0.8, 0.0)]);
    assert_eq!(ahead.most_broken, Some(1));
    assert!(
        ahead.velocity[0] < 0.9 && ahead.velocity[1] > 0.3 && ahead.is_feasible,
        "it goes round on the right: {ahead:?}"
    );
}

#[test]
fn two_who_meet_head_on_pass_on_the_right_without_touching() {
    let costs = open(20, 9);
    let worlds = [
        World::new(&costs, &eight(), &[Cell::new(18, 4)]),
        World::new(&costs, &eight(), &[Cell::new(1, 4)]),
    ];
    for dt in [1.0 / 240.0, DT, 0.5] {
        let mut crowd = crowd_on(&costs);
        let east = crowd.add(&worlds[0].movement, spec(2.5, 4.5)).unwrap();
        let west = AgentSpec {
            group: GroupId(1),
            ..spec(17.5, 4.5)
        };
        let west = crowd.add(&worlds[1].movement, west).unwrap();
        let mut nearest = f64::MAX;
        let mut passed_right = false;
        for _ in 0..(20.0 / dt) as usize {
            crowd.step(&inputs(&worlds), dt, &Serial).unwrap();
            let gap = distance(&crowd, east, west);
            if gap < nearest {
                nearest = gap;
                let [east, west] = [east, west].map(|id| crowd.get(id).unwrap().position.y);
                passed_right = east > west;
            }
        }
        assert!(passed_right, "dt {dt}: the one going east passes on the south");
        assert!(nearest > 0.59, "dt {dt}: {nearest}");
        assert!(
            crowd.agents().all(|(_, view)| view.outcome == Outcome::Arrived),
            "dt {dt}: both arrive"
        );
    }
}

/// So many on a circle, each with the place opposite as its goal.
fn circle(agents: u16, side: u32, radius: f64) -> (Vec<World>, Crowd) {
    let costs = open(side, side);
    let middle = f64::from(side) / 2.0;
    let mut crowd = crowd_on(&costs);
    let place = |agent: u16| {
        let angle = f64::from(agent) / f64::from(agents) * core::f64::consts::TAU;
        (middle + radius * angle.cos(), middle + radius * angle.sin())
    };
    let mut worlds = Vec::new();
    for agent in 0..agents {
        let (x, y) = place(agent + agents / 2);
        worlds.push(World::new(&costs, &eight(), &[Cell::new(x as i32, y as i32)]));
        let (x, y) = place(agent);
        let agent = AgentSpec {
            group: GroupId(agent),
            ..spec(x, y)
        };
        crowd.add(&worlds[0].movement, agent).unwrap();
    }
    (worlds, crowd)
}

#[test]
fn twenty_and_a_hundred_on_a_circle_change_places() {
    for (agents, side, radius, seconds) in [(20, 30, 10.0, 60.0), (100, 60, 25.0, 120.0)] {
        let (worlds, mut crowd) = circle(agents, side, radius);
        let mut deepest = 0.0f32;
        let mut ticks = 0;
        while crowd.agents().any(|(_, view)| view.outcome != Outcome::Arrived) {
            let report = crowd.step(&inputs(&worlds), DT, &Serial).unwrap();
            deepest = deepest.max(report.deepest_overlap);
            ticks += 1;
            assert!(
                f64::from(ticks) * f64::from(DT) < seconds,
                "{agents}: after {seconds} s {:?}",
                report.outcomes
            );
        }
        assert!(deepest < 0.1, "{agents}: the deepest overlap is {deepest}");
    }
}

#[test]
fn streams_that_cross_get_through() {
    let costs = open(40, 40);
    let edge = |east: bool| -> Vec<Cell> {
        (10..30)
            .map(|at| {
                if east {
                    Cell::new(39, at)
                } else {
                    Cell::new(at, 39)
                }
            })
            .collect()
    };
    let worlds = [
        World::new(&costs, &eight(), &edge(true)).leaving(),
        World::new(&costs, &eight(), &edge(false)).leaving(),
    ];
    let mut crowd = crowd_on(&costs);
    for row in 0..10 {
        for column in 0..10 {
            let (along, across) = (1.0 + f64::from(column), 14.5 + 1.2 * f64::from(row));
            crowd.add(&worlds[0].movement, spec(along, across)).unwrap();
            let south = AgentSpec {
                group: GroupId(1),
                ..spec(across, along)
            };
            crowd.add(&worlds[1].movement, south).unwrap();
        }
    }
    let mut deepest = 0.0f32;
    for _ in 0..1_800 {
        let report = crowd.step(&inputs(&worlds), DT, &Serial).unwrap();
        deepest = deepest.max(report.deepest_overlap);
    }
    assert!(crowd.is_empty(), "{} of 200 are still there", crowd.len());
    assert!(deepest < 0.2, "the deepest overlap is {deepest}");
}

#[test]
fn five_hundred_in_a_room_with_goals_anywhere_go_on() {
    let costs = open(20, 20);
    let mut random = Random(3);
    let goals: Vec<Cell> = (0..50)
        .map(|_| Cell::new(random.below(20) as i32, random.below(20) as i32))
        .collect();
    let worlds: Vec<World> = goals
        .iter()
        .map(|&goal| World::new(&costs, &eight(), &[goal]))
        .collect();
    let mut crowd = crowd_on(&costs);
    for agent in 0..500 {
        let agent = AgentSpec {
            group: GroupId(agent % 50),
            ..spec(random.unit() * 20.0, random.unit() * 20.0)
        };
        crowd.add(&worlds[0].movement, agent).unwrap();
    }
    let mut watch = Watch::new(&crowd);
    for _ in 0..1_800 {
        crowd.step(&inputs(&worlds), DT, &Serial).unwrap();
        watch.check(&crowd, &worlds[0].movement, DT);
    }
    assert_eq!(crowd.len(), 500);
}

#[test]
fn two_on_the_same_point_part_the_same_way_every_time() {
    let world = World::new(&open(12, 12), &eight(), &[Cell::new(10, 6)]);
    let ends: Vec<StateHash> = (0..2)
        .map(|_| {
            let mut crowd = crowd_on(&world.costs);
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
fn a_thousand_in_one_cell_stay_finite_and_spread_out() {
    let world = World::new(&open(60, 60), &eight(), &[Cell::new(50, 50)]);
    for radius in [0.05, 0.3] {
        let mut crowd = crowd_on(&world.costs);
        for agent in 0..1_000 {
            let (x, y) = if agent < 500 {
                (30.5, 30.5)
            } else {
                (30.0 + f64::from(agent - 500) / 500.0, 30.7)
            };
            let agent = AgentSpec { radius, ..spec(x, y) };
            crowd.add(&world.movement, agent).unwrap();
        }
        let mut watch = Watch::new(&crowd);
        let mut deepest = 0.0;
        for _ in 0..300 {
            deepest = step(&mut crowd, &world, DT).deepest_overlap;
            watch.check(&crowd, &world.movement, DT);
        }
        assert!(
            deepest < 0.5 * radius,
            "10 s later the deepest overlap is {deepest}"
        );
    }
}

/// Two groups that cross in a room with a wall, a door and a pinch, at any step length.
fn walled(workers: &dyn Workers, dt: f32, ticks: usize) -> Vec<StateHash> {
    let map: Vec<String> = (0..30)
        .map(|y| {
            (0..40)
                .map(|x| match (x, y) {
                    (20, y) if !(12..18).contains(&y) => '#',
                    (x, y) if x + y == 12 && (4..9).contains(&x) => '#',
                    _ => '.',
                })
                .collect()
        })
        .collect();
    let costs = costs_of(&map);
    let profile = profile(Connectivity::Eight, CornerRule::Always);
    let worlds = [
        World::new(&costs, &profile, &[Cell::new(30, 15)]),
        World::new(&costs, &profile, &[Cell::new(3, 20)]).leaving(),
    ];
    let mut crowd = crowd_on(&costs);
    let mut random = Random(11);
    for (group, west) in [(0, 1.0), (1, 22.0)] {
        let rect = [west, 1.0, 17.0, 28.0];
        scatter(
            &mut crowd,
            &worlds[0].movement,
            &mut random,
            150,
            rect,
            0.3,
            GroupId(group),
        );
    }
    let mut watch = Watch::new(&crowd);
    let mut hashes = Vec::new();
    for _ in 0..ticks {
        crowd.step(&inputs(&worlds), dt, workers).unwrap();
        watch.check(&crowd, &worlds[0].movement, dt);
        hashes.push(crowd.state_hash());
    }
    hashes
}

#[test]
fn walls_are_never_crossed() {
    for (dt, ticks) in [(1.0 / 240.0, 500), (DT, 600), (0.5, 60), (5.0, 6)] {
        walled(&Serial, dt, ticks);
    }
}

#[test]
fn the_hash_is_the_same_for_one_two_and_eight_threads() {
    let serial = walled(&Serial, DT, 200);
    for threads in [1, 2, 8] {
        assert_eq!(walled(&Threads(threads), DT, 200), serial, "{threads} threads");
    }
}

/// As in `determinism.rs`: it moves when the rules of movement change on purpose.
const GOLDEN: u64 = 0xc268_c0e9_cd12_3117;

#[test]
fn the_hash_is_the_golden_one_in_every_build() {
    let last = *walled(&Serial, DT, 200).last().unwrap();
    assert_eq!(last, StateHash(GOLDEN), "the golden hash moved: it is {last} now");
}

#[test]
fn options_out_of_their_range_are_refused() {
    let grid = Grid::new(8, 8).unwrap();
    type Set = fn(&mut CrowdOptions, f32);
    let horizon: Set = |options, value| options.horizon = value;
    let sight: Set = |options, value| options.sight = value;
    for (set, value, which) in [
        (horizon, 0.05, "horizon"),
        (horizon, 11.0, "horizon"),
        (horizon, f32::NAN, "horizon"),
        (sight, -0.1, "sight"),
        (sight, 8.5, "sight"),
    ] {
        let mut options = options();
        set(&mut options, value);
        let error = Crowd::new(grid.clone(), options).unwrap_err();
        assert!(
            matches!(error, CrowdError::Option { name, .. } if name == which),
            "{error}"
        );
    }
}
