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

/// Report A75, with the crowd coming from all sides, from one side, and packed together.
#[test]
fn sixty_agents_with_one_goal_cell_all_arrive_and_come_to_rest_in_a_round_pack() {
    let world = open_field(30, 20, (20, 10));
    for (name, rect) in [
        ("all sides", [0.0, 0.0, 30.0, 20.0]),
        ("west", [0.0, 6.0, 8.0, 8.0]),
        ("north-west", [4.0, 0.0, 8.0, 5.0]),
        ("row", [2.0, 10.4, 14.0, 0.2]),
        ("on the goal", [18.0, 8.0, 5.0, 5.0]),
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
            for _ in 0..900 {
                step(&mut crowd, &world, DT);
            }
            let arrived = crowd
                .outcomes()
                .iter()
                .filter(|&&outcome| outcome == Outcome::Arrived)
                .count();
            let mut restless = 0.0f32;
            for _ in 0..300 {
                step(&mut crowd, &world, DT);
                restless = restless.max(summed_speed(&crowd));
            }
            let radius = pack_radius(&crowd, [20.5, 10.5]);
            println!(
                "{name} {seed}: arrived {arrived} restless {restless} radius {radius:.3} of {:.3}",
                1.25 * 60f64.sqrt() * 0.3
            );
            if std::env::var("LOOK").is_ok() {
                if radius > 2.905 && seed == 0 {
                    println!("{}", ascii(&crowd));
                }
                continue;
            }
            assert_eq!(arrived, 60, "{name} {seed}: all have arrived after 30 s");
            assert!(restless < 0.01, "{name} {seed}: summed speed {restless}");
            assert!(
                radius <= 1.25 * 60f64.sqrt() * 0.3,
                "{name} {seed}: pack radius {radius}"
            );
        }
    }
}

pub fn ascii(crowd: &Crowd) -> String {
    const K: f64 = 4.0;
    let mut rows = vec![vec![' '; (30.0 * K) as usize]; (20.0 * K / 2.0) as usize];
    for (_, view) in crowd.agents() {
        let [x, y] = view.position.to_map();
        rows[(y * K / 2.0) as usize][(x * K) as usize] = if view.outcome == Outcome::Arrived {
            '@'
        } else {
            'w'
        };
    }
    rows.into_iter()
        .map(|r| r.into_iter().collect::<String>() + "\n")
        .collect()
}
