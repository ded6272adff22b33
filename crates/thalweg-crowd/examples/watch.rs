//! Looks at a crowd: `cargo run --release -p thalweg-crowd --example watch -- SCENE [SECONDS [EVERY]]`.
//!
//! Prints the crowd as text, one picture every so many seconds, four characters a cell, and a line of figures. Scenes:
//! `door`, `goal`, `side`, `swap`, `pillar`, `corner`.
#![allow(clippy::print_stdout, reason = "an example prints")]

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Random, World, at, crowd_of, profile, scatter};
use thalweg_core::grid::CellId;
use thalweg_core::movement::{Connectivity, CornerRule};
use thalweg_core::workers::Serial;
use thalweg_crowd::{AgentSpec, Crowd, GroupId, Outcome};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let scene = arguments.next().unwrap_or_else(|| "door".to_owned());
    let seconds: f32 = arguments
        .next()
        .and_then(|text| text.parse().ok())
        .unwrap_or(20.0);
    let every: f32 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(2.0);
    let (worlds, mut crowd) = build(&scene);
    let dt = 1.0 / 30.0;
    let mut shown = -every;
    let mut time = 0.0;
    let mut before: Vec<[f32; 2]> = Vec::new();
    while time <= seconds {
        let inputs: Vec<_> = worlds.iter().map(World::input).collect();
        let report = crowd.step(&inputs, dt, &Serial).expect("the scene is sound");
        let speeds: Vec<[f32; 2]> = crowd.agents().map(|(_, view)| view.velocity).collect();
        if time - shown >= every {
            shown = time;
            println!("{}", picture(&crowd, &worlds[0]));
            let sum: f32 = speeds.iter().map(|v| (v[0] * v[0] + v[1] * v[1]).sqrt()).sum();
            let shake: f32 = speeds
                .iter()
                .zip(&before)
                .map(|(a, b)| ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt())
                .sum();
            print!("t {time:.1} agents {} left {} ", crowd.len(), report.left_total);
            for (outcome, count) in report.outcomes.iter().filter(|&(_, count)| count > 0) {
                print!("{outcome} {count} ");
            }
            println!(
                "summed speed {sum:.3} summed change of velocity {shake:.3} deepest overlap {:.3}",
                report.deepest_overlap
            );
        }
        before = speeds;
        time += dt;
    }
}

fn build(scene: &str) -> (Vec<World>, Crowd) {
    let eight = profile(Connectivity::Eight, CornerRule::BothFree);
    let mut random = Random(1);
    let map: Vec<String> = match scene {
        "door" => (0..21)
            .map(|y| {
                (0..36)
                    .map(|x| match (x, y) {
                        (34, 10) => 'G',
                        (20, y) if y != 10 => '#',
                        _ => '.',
                    })
                    .collect()
            })
            .collect(),
        "corner" => (0..16)
            .map(|y| {
                (0..24)
                    .map(|x| match (x, y) {
                        (22, 1) => 'G',
                        (8..16, 0..9) => '#',
                        _ => '.',
                    })
                    .collect()
            })
            .collect(),
        "nw" => (0..20)
            .map(|y| {
                (0..30)
                    .map(|x| if (x, y) == (20, 10) { 'G' } else { '.' })
                    .collect()
            })
            .collect(),
        _ => (0..20)
            .map(|y| {
                (0..30)
                    .map(|x| if (x, y) == (20, 10) { 'G' } else { '.' })
                    .collect()
            })
            .collect(),
    };
    let mut worlds = vec![World::of_map(&map, &eight)];
    if scene == "door" || scene == "corner" {
        worlds[0] = World::of_map(&map, &eight).leaving();
    }
    let mut crowd = crowd_of(&worlds[0]);
    let movement = &worlds[0].movement;
    match scene {
        "door" => drop(scatter(
            &mut crowd,
            movement,
            &mut random,
            300,
            [0.0, 0.0, 19.0, 21.0],
            0.3,
            GroupId(0),
        )),
        "corner" => drop(scatter(
            &mut crowd,
            movement,
            &mut random,
            80,
            [0.0, 0.0, 8.0, 9.0],
            0.3,
            GroupId(0),
        )),
        "goal" => drop(scatter(
            &mut crowd,
            movement,
            &mut random,
            60,
            [0.0, 0.0, 30.0, 20.0],
            0.3,
            GroupId(0),
        )),
        "nw" => drop(scatter(
            &mut crowd,
            movement,
            &mut Random(0),
            60,
            [4.0, 0.0, 8.0, 5.0],
            0.3,
            GroupId(0),
        )),
        "side" => drop(scatter(
            &mut crowd,
            movement,
            &mut random,
            60,
            [0.0, 6.0, 8.0, 8.0],
            0.3,
            GroupId(0),
        )),
        _ => {
            worlds.clear();
            for agent in 0..20u16 {
                let angle = f64::from(agent) / 20.0 * core::f64::consts::TAU;
                let place = |angle: f64| (15.0 + 8.0 * angle.cos(), 10.0 + 8.0 * angle.sin());
                let (goal_x, goal_y) = place(angle + core::f64::consts::PI);
                let costs = common::costs_of(&map);
                let goal = thalweg_core::grid::Cell::new(goal_x as i32, goal_y as i32);
                worlds.push(World::new(&costs, &eight, &[goal]));
                let (x, y) = place(angle);
                crowd
                    .add(
                        &worlds[0].movement,
                        AgentSpec {
                            position: at(x, y),
                            radius: 0.3,
                            max_speed: 1.5,
                            group: GroupId(agent),
                        },
                    )
                    .expect("the circle is free");
            }
        }
    }
    (worlds, crowd)
}

fn picture(crowd: &Crowd, world: &World) -> String {
    const PER_CELL: usize = 3;
    let (width, height) = (crowd.grid().width() as usize, crowd.grid().height() as usize);
    let mut rows = vec![vec![' '; width * PER_CELL]; height * PER_CELL / 2 + 1];
    for (y, row) in rows.iter_mut().enumerate().take(height * PER_CELL / 2) {
        for (x, mark) in row.iter_mut().enumerate() {
            let id = CellId::from_index(y * 2 / PER_CELL * width + x / PER_CELL);
            if !world.movement.is_passable(id) {
                *mark = '#';
            }
        }
    }
    for (_, view) in crowd.agents() {
        let [x, y] = view.position.to_map();
        let mark = match view.outcome {
            Outcome::Moved => 'o',
            Outcome::Arrived => '@',
            Outcome::Waiting => 'w',
            Outcome::BlockedBySweep => 'B',
            _ => '?',
        };
        rows[(y * PER_CELL as f64 / 2.0) as usize][(x * PER_CELL as f64) as usize] = mark;
    }
    rows.into_iter()
        .map(|row| row.into_iter().collect::<String>() + "\n")
        .collect()
}
