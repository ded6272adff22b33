//! Rest after arrival, and how deep bodies overlap at which density.

use crate::load;
use crate::replica::{AS_IT_IS, Replica};
use thalweg::crowd::{AgentSpec, ArrivalRule, Crowd, CrowdOptions, GroupId, Outcome};
use thalweg::prelude::*;
use thalweg::scene::Scene;

/// The deepest overlap of two bodies as a part of the smaller radius; every pair is looked at.
fn deepest(crowd: &Crowd) -> f64 {
    let agents: Vec<_> = crowd
        .agents()
        .map(|(_, agent)| (agent.position.to_map(), f64::from(agent.radius)))
        .collect();
    let mut deepest = 0.0f64;
    for (index, ([x, y], radius)) in agents.iter().enumerate() {
        for ([other_x, other_y], other) in &agents[index + 1..] {
            let depth = radius + other - (x - other_x).hypot(y - other_y);
            deepest = deepest.max(depth / radius.min(*other));
        }
    }
    deepest
}

/// How fast a crowd is in all over ten seconds after it has arrived and settled, as a part of one agent's top speed.
fn restlessness(name: &str, scene: Scene) -> f32 {
    let mut replica = Replica::of_scene(scene, AS_IT_IS);
    let arrivals = replica.arrivals(120.0);
    let last = arrivals.into_iter().map(|at| at.expect(name)).fold(0.0, f64::max);
    // Packs close ranks for six seconds, let go for five, and what overlaps is crept out of.
    let ticks = |seconds: f64| (seconds / replica.tick_s).round() as u32;
    let (settling, looked_at) = (ticks(15.0), ticks(10.0));
    for _ in 0..settling {
        replica.step();
    }
    let mut most = 0.0f32;
    for _ in 0..looked_at {
        replica.step();
        let agents = || replica.crowd.agents().map(|(_, agent)| agent);
        let summed: f32 = agents()
            .map(|agent| agent.velocity[0].hypot(agent.velocity[1]))
            .sum();
        let top = agents().map(|agent| agent.max_speed).fold(f32::MAX, f32::min);
        most = most.max(summed / top);
    }
    println!(
        "{name:15} all arrived after {last:5.1} s; summed speed then {:8.3} % of one top speed; deepest overlap {:.1} % of the radius",
        100.0 * most,
        100.0 * deepest(&replica.crowd)
    );
    most
}

#[test]
fn after_arrival_crowds_are_at_rest() {
    for name in ["head_on", "circle_20", "counterflow_2", "restless", "pillar"] {
        let most = restlessness(name, load::scene(name));
        assert!(most < 0.01, "{name}: the summed speed is {most} of one agent's");
    }
}

/// It does not hold for every seed: packs whose goals are one or two cells apart do not fit beside each other, and those
/// at the seam may push each other awake for minutes; where they rest, bodies overlap by up to two fifths of the radius.
#[test]
#[ignore = "packs of goals that lie too close to each other push each other awake"]
fn packs_that_do_not_fit_beside_each_other_come_to_rest() {
    for seed in 0..4 {
        let mut scene = load::scene("room_500");
        scene.seed += seed;
        let most = restlessness("room_500", scene);
        assert!(
            most < 0.01,
            "seed {seed}: the summed speed is {most} of one agent's"
        );
    }
}

struct Hall {
    field: FieldBundle,
    crowd: Crowd,
    width: f64,
}

const HEIGHT: u32 = 6;

impl Hall {
    /// A hall of cells of one metre, with so many agents of one radius per square metre.
    fn new(width: u32, density: f64, radius: f32) -> Self {
        let grid = Grid::new(width + 2, HEIGHT).unwrap();
        let costs = CostField::filled(grid.clone(), Cost::PLAIN);
        let movement = Movement::compile(&costs, &MovementProfile::new());
        let goals = (0..HEIGHT as i32).map(|y| Cell::new(width as i32 + 1, y));
        let goals = GoalSet::from_cells(goals);
        let field = FieldBundle::build(
            movement,
            &goals,
            &BuildOptions::new(),
            &mut BuildScratch::new(),
            &Serial,
        )
        .unwrap();
        let mut crowd = Crowd::new(grid, CrowdOptions::default()).unwrap();
        let count = (density * f64::from(width * HEIGHT)).round() as u32;
        // On a lattice, a little off it: a golden-ratio sequence.
        for agent in 0..count {
            let x = (f64::from(agent) + 0.5) / f64::from(count) * f64::from(width);
            let y = (f64::from(agent) * 0.618_033_988_75).fract() * f64::from(HEIGHT);
            let spec = AgentSpec {
                position: MapPoint::from_map([x, y]).unwrap(),
                radius,
                max_speed: 1.2 + 0.3 * (f64::from(agent) * 0.754_877_666).fract() as f32,
                group: GroupId(0),
            };
            crowd.add(field.movement(), spec).unwrap();
        }
        Self {
            field,
            crowd,
            width: f64::from(width),
        }
    }

    fn step(&mut self, dt: f32, walks: bool) {
        let mut input = load::input(&self.field, ArrivalRule::Leave);
        if !walks {
            input.flow = None;
        }
        self.crowd.step(&[input], dt, &Serial).unwrap();
        // Who has walked through comes in again at the other end, so that the density stays.
        let through: Vec<_> = self
            .crowd
            .agents()
            .filter(|(_, agent)| agent.position.to_map()[0] >= self.width)
            .collect();
        for (id, agent) in through {
            self.crowd.remove(id).unwrap();
            let [x, y] = agent.position.to_map();
            let spec = AgentSpec {
                position: MapPoint::from_map([x - self.width, y]).unwrap(),
                radius: agent.radius,
                max_speed: agent.max_speed,
                group: agent.group,
            };
            self.crowd.add(self.field.movement(), spec).unwrap();
        }
    }
}

#[test]
fn bodies_overlap_little_up_to_four_in_a_square_metre() {
    println!("tick s  agents/m2  radius m  deepest overlap, % of radius  mean speed m/s");
    for density in [1.0, 2.0, 3.0, 4.0, 5.0] {
        for (radius, tick) in [(0.2f32, 0.05f32), (0.25, 0.05), (0.25, 1.0 / 60.0), (0.25, 0.25)] {
            if density * std::f64::consts::PI * f64::from(radius).powi(2) > 0.85 {
                // Discs at random fill 84 % of the plane.
                continue;
            }
            let mut hall = Hall::new(24, density, radius);
            for _ in 0..(20.0 / tick) as u32 {
                hall.step(tick, true);
            }
            let (mut most, mut speed) = (0.0f64, 0.0f64);
            for _ in 0..100 {
                hall.step(tick, true);
                // The seam, where people come in into others, is not looked at.
                most = most.max(deepest_within(&hall, 2.0));
                speed += hall
                    .crowd
                    .agents()
                    .map(|(_, agent)| f64::from(agent.velocity[0]))
                    .sum::<f64>()
                    / hall.crowd.len() as f64
                    / 100.0;
            }
            println!(
                "{tick:6.3}  {density:9}  {radius:8}  {:28.1}  {speed:14.2}  walking",
                100.0 * most
            );
            // Who brakes is followed a substep late: at long ticks bodies come closer.
            let allowed = if density <= 4.0 && tick <= 0.05 {
                0.07
            } else {
                0.15
            };
            let allowed = if density == 4.0 && tick <= 0.05 {
                0.05
            } else {
                allowed
            };
            assert!(
                most < allowed,
                "{density}/m2, radius {radius}, tick {tick} s: {most}"
            );
        }
    }
}

fn deepest_within(hall: &Hall, margin: f64) -> f64 {
    let mut inner = hall.crowd.clone();
    let outside: Vec<_> = inner
        .agents()
        .filter(|(_, agent)| !(margin..hall.width - margin).contains(&agent.position.to_map()[0]))
        .map(|(id, _)| id)
        .collect();
    for id in outside {
        inner.remove(id).unwrap();
    }
    deepest(&inner)
}

/// Who waits before a shut door, drawn over each other at first.
#[test]
fn who_has_no_way_parts_and_stands() {
    println!("agents/m2  radius m  deepest overlap, % of radius  mean speed m/s");
    for density in [1.0, 2.0, 3.0, 4.0] {
        for radius in [0.2f32, 0.25] {
            let grid = Grid::new(16, 12).unwrap();
            let mut costs = CostField::filled(grid.clone(), Cost::PLAIN);
            costs
                .set_rect(Cell::new(12, 0), Cell::new(12, 11), Cost::IMPASSABLE)
                .unwrap();
            let movement = Movement::compile(&costs, &MovementProfile::new());
            let goals = GoalSet::from_cells([Cell::new(15, 6)]);
            let field = FieldBundle::build(
                movement,
                &goals,
                &BuildOptions::new(),
                &mut BuildScratch::new(),
                &Serial,
            )
            .unwrap();
            let mut crowd = Crowd::new(grid, CrowdOptions::default()).unwrap();
            let count = (density * 144.0) as u32;
            for agent in 0..count {
                let x = (f64::from(agent) * 0.754_877_666).fract() * 12.0;
                let y = (f64::from(agent) * 0.569_840_291).fract() * 12.0;
                let spec = AgentSpec {
                    position: MapPoint::from_map([x, y]).unwrap(),
                    radius,
                    max_speed: 1.3,
                    group: GroupId(0),
                };
                crowd.add(field.movement(), spec).unwrap();
            }
            let input = load::input(&field, ArrivalRule::Rest);
            for _ in 0..600 {
                crowd.step(&[input], 0.05, &Serial).unwrap();
            }
            assert!(
                crowd
                    .agents()
                    .all(|(_, agent)| agent.outcome == Outcome::NoDirection)
            );
            let speed = crowd
                .agents()
                .map(|(_, agent)| f64::from(agent.velocity[0].hypot(agent.velocity[1])))
                .sum::<f64>()
                / crowd.len() as f64;
            let most = deepest(&crowd);
            println!("{density:9}  {radius:8}  {:28.1}  {speed:14.4}", 100.0 * most);
            assert!(most < 0.05, "{density}/m2, radius {radius}: {most}");
        }
    }
}
