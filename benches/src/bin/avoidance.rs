//! Our velocity obstacles beside the crate `dodgy_2d`, on the same agents with the same neighbours.
//!
//! Crowds of a few kinds are drawn at random; every agent has its nearest neighbours (8 and 10) given to both, so that neither
//! searches. Both solve the paper's program: halves shared, one horizon, overlaps to be gone within one tick, as `dodgy_2d`
//! has it (ours takes the time as an argument). Our small turn to the right is left out where velocities are compared, since
//! the peer has none, and is in what is timed.
//!
//! The peer departs from the paper in one point: an agent whose present velocity leads to no contact may use up all of the
//! slack towards a neighbour, not half of it; the other may so too. Velocities are compared with the paper's half planes
//! and with the peer's (*same rule*). What the departure means is told as pairs: of two who are each other's neighbours and
//! both found a velocity in all their half planes, how many touch within the horizon if they keep these velocities.

#![expect(clippy::print_stdout, reason = "a program whose purpose is to print figures")]

use clap::Parser;
use dodgy_2d::{Agent, AvoidanceOptions, Vec2};
use serde_json::json;
use std::borrow::Cow;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;
use thalweg::crowd::orca::{Chooser, HalfPlane, Neighbour, choose, half_plane, solve};

/// Our velocity obstacles beside `dodgy_2d`
#[derive(Parser, Debug)]
struct Options {
    /// Agents of each crowd
    #[arg(long, default_value_t = 4_000)]
    agents: usize,
    /// Rounds, in each of which both have one turn
    #[arg(long, default_value_t = 21)]
    rounds: usize,
    /// Write the figures into this file
    #[arg(long)]
    json: Option<PathBuf>,
}

const RADIUS: f32 = 0.25;
const HORIZON: f32 = 2.0;
const TICK: f32 = 1.0 / 60.0;
const TOP_SPEED: f32 = 1.5;

/// A kind of crowd: agents per square metre, and whether they stand on a shaken lattice, without overlap, or anywhere.
const CROWDS: [(&str, f32, bool); 4] = [
    ("sparse, 0.3 /m2", 0.3, true),
    ("loose, 1 /m2", 1.0, true),
    ("close, 2 /m2", 2.0, true),
    ("close and overlapping, 2 /m2", 2.0, false),
];

/// One agent and the indices of its neighbours, nearest first.
struct Person {
    agent: Agent,
    wanted: Vec2,
    near: Vec<usize>,
}

/// A counter-based generator: the same crowd every time.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 40) as f32 / (1u32 << 24) as f32
    }

    fn vector(&mut self, longest: f32) -> Vec2 {
        let angle = self.unit() * core::f32::consts::TAU;
        Vec2::new(angle.cos(), angle.sin()) * (longest * self.unit())
    }
}

fn crowd(agents: usize, density: f32, is_lattice: bool, neighbours: usize) -> Vec<Person> {
    let mut random = Random(1);
    let side = (agents as f32).sqrt().ceil();
    let apart = 1.0 / density.sqrt();
    let shake = (0.5 * apart - RADIUS).max(0.0);
    let places: Vec<Vec2> = (0..agents)
        .map(|index| {
            let (column, row) = (index as f32 % side, (index as f32 / side).floor());
            if is_lattice {
                Vec2::new(column, row) * apart
                    + Vec2::new(random.unit() - 0.5, random.unit() - 0.5) * (1.8 * shake)
            } else {
                Vec2::new(random.unit(), random.unit()) * (side * apart)
            }
        })
        .collect();
    places
        .iter()
        .enumerate()
        .map(|(index, place)| {
            let mut near: Vec<(f32, usize)> = places
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != index)
                .map(|(other, its)| (its.distance_squared(*place), other))
                .collect();
            near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            Person {
                agent: Agent {
                    position: *place,
                    velocity: random.vector(TOP_SPEED),
                    radius: RADIUS,
                    avoidance_responsibility: 1.0,
                },
                wanted: random.vector(TOP_SPEED),
                near: near[..neighbours].iter().map(|&(_, other)| other).collect(),
            }
        })
        .collect()
}

/// One agent's question as ours takes it.
struct Question {
    chooser: Chooser,
    neighbours: Vec<Neighbour>,
}

fn question(people: &[Person], person: &Person) -> Question {
    let neighbour = |&other: &usize| {
        let other = &people[other].agent;
        Neighbour {
            offset: (other.position - person.agent.position).into(),
            velocity: other.velocity.into(),
            radius: other.radius + person.agent.radius,
            share: 0.5,
            horizon: HORIZON,
        }
    };
    Question {
        chooser: Chooser {
            velocity: person.agent.velocity.into(),
            wanted: person.wanted.into(),
            max_speed: TOP_SPEED,
            parting: TICK,
        },
        neighbours: person.near.iter().map(neighbour).collect(),
    }
}

fn peers_choice(person: &Person, near: &[Cow<'_, Agent>]) -> Vec2 {
    let options = AvoidanceOptions {
        obstacle_margin: RADIUS,
        time_horizon: HORIZON,
        obstacle_time_horizon: HORIZON,
    };
    person
        .agent
        .compute_avoiding_velocity(near, &[], person.wanted, TOP_SPEED, TICK, &options)
}

fn worst(planes: &[HalfPlane], velocity: [f32; 2]) -> f32 {
    let shortfalls = planes.iter().map(|plane| plane.shortfall(velocity));
    shortfalls.fold(f32::NEG_INFINITY, |a, b| if b > a { b } else { a })
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The half planes of a question; with `all_slack` as the peer has them.
fn planes(question: &Question, all_slack: bool) -> Vec<HalfPlane> {
    let velocity = question.chooser.velocity;
    let plane = |neighbour: &Neighbour| {
        let plane = half_plane(velocity, TICK, neighbour);
        if all_slack && plane.shortfall(velocity) < 0.0 {
            half_plane(
                velocity,
                TICK,
                &Neighbour {
                    share: 1.0,
                    ..*neighbour
                },
            )
        } else {
            plane
        }
    };
    question.neighbours.iter().map(plane).collect()
}

/// Whether two touch within the horizon, by more than a hundredth of their radii.
fn touch(offset: Vec2, relative: Vec2) -> bool {
    let square = relative.length_squared();
    let when = if square > 0.0 {
        (offset.dot(relative) / square).clamp(0.0, HORIZON)
    } else {
        0.0
    };
    (offset - relative * when).length() < 2.0 * RADIUS * 0.99
}

/// What one of the two chose for everybody, and what came of it.
#[derive(Default)]
struct Choices {
    velocities: Vec<Vec2>,
    /// Half planes broken although all could be kept.
    broken: usize,
    /// Summed worst shortfalls where not all could be kept.
    short: f64,
    touching: usize,
}

impl Choices {
    fn note(&mut self, planes: &[HalfPlane], is_feasible: bool, velocity: Vec2) {
        let worst = worst(planes, velocity.into());
        if !is_feasible {
            self.short += f64::from(worst);
        } else if worst > 1e-3 {
            self.broken += 1;
        }
        self.velocities.push(velocity);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::parse();
    let mut rows = Vec::new();
    println!(
        "| crowd | neighbours | feasible | differ by > 0.01 m/s | same rule: differ, of these feasible; broken though feasible: ours, dodgy; mean shortfall where infeasible: ours, dodgy | \
         broken though feasible by the paper: ours, dodgy | pairs that touch: ours, dodgy | ns per agent: ours, dodgy | dodgy ÷ ours: median, least |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (name, density, is_lattice) in CROWDS {
        for neighbours in [8, 10] {
            let people = crowd(options.agents, density, is_lattice, neighbours);
            let questions: Vec<Question> = people.iter().map(|person| question(&people, person)).collect();
            let nears: Vec<Vec<Cow<'_, Agent>>> = people
                .iter()
                .map(|person| {
                    let near = person.near.iter();
                    near.map(|&other| Cow::Borrowed(&people[other].agent)).collect()
                })
                .collect();

            let (mut ours, mut theirs) = (Choices::default(), Choices::default());
            let (mut ours_same, mut theirs_same) = (Choices::default(), Choices::default());
            let mut is_feasible = Vec::new();
            let (mut differ, mut differ_same, mut differ_same_feasible, mut infeasible_same) = (0, 0, 0, 0);
            for ((person, question), near) in people.iter().zip(&questions).zip(&nears) {
                let peers = peers_choice(person, near);
                let paper = planes(question, false);
                let own = solve(&paper, question.chooser.wanted, TOP_SPEED);
                is_feasible.push(own.is_feasible);
                ours.note(&paper, own.is_feasible, own.velocity.into());
                theirs.note(&paper, own.is_feasible, peers);
                differ += usize::from(peers.distance(own.velocity.into()) > 0.01);

                let slack = planes(question, true);
                let own = solve(&slack, question.chooser.wanted, TOP_SPEED);
                ours_same.note(&slack, own.is_feasible, own.velocity.into());
                theirs_same.note(&slack, own.is_feasible, peers);
                infeasible_same += usize::from(!own.is_feasible);
                let is_other = peers.distance(own.velocity.into()) > 0.01;
                differ_same += usize::from(is_other);
                differ_same_feasible += usize::from(is_other && own.is_feasible);
            }
            let mut pairs = 0;
            for (index, person) in people.iter().enumerate() {
                for &other in &person.near {
                    let offset = people[other].agent.position - person.agent.position;
                    if other < index
                        || !people[other].near.contains(&index)
                        || !(is_feasible[index] && is_feasible[other])
                        || offset.length() < 2.0 * RADIUS
                    {
                        continue;
                    }
                    pairs += 1;
                    for choices in [&mut ours, &mut theirs] {
                        let relative = choices.velocities[index] - choices.velocities[other];
                        choices.touching += usize::from(touch(offset, relative));
                    }
                }
            }
            let mean = |choices: &Choices| choices.short / infeasible_same.max(1) as f64;
            let feasible = is_feasible.iter().filter(|&&is| is).count();

            let per_agent = 1e9 / people.len() as f64;
            let (mut own_times, mut times) = (Vec::new(), Vec::new());
            for _ in 0..options.rounds {
                let start = Instant::now();
                for question in &questions {
                    black_box(choose(&question.chooser, &question.neighbours));
                }
                own_times.push(start.elapsed().as_secs_f64() * per_agent);
                let start = Instant::now();
                for (person, near) in people.iter().zip(&nears) {
                    black_box(peers_choice(person, near));
                }
                times.push(start.elapsed().as_secs_f64() * per_agent);
            }
            let mut ratios: Vec<f64> = times
                .iter()
                .zip(&own_times)
                .map(|(theirs, ours)| theirs / ours)
                .collect();
            let (own_ns, ns, ratio) = (median(&mut own_times), median(&mut times), median(&mut ratios));
            println!(
                "| {name} | {neighbours} | {:.1} % | {differ} of {} | {differ_same}, {differ_same_feasible}; {}, {}; {:.3}, {:.3} | {}, {} | {}, {} of {pairs} | {own_ns:.0}, {ns:.0} | {ratio:.2}, {:.2} |",
                100.0 * feasible as f64 / people.len() as f64,
                people.len(),
                ours_same.broken,
                theirs_same.broken,
                mean(&ours_same),
                mean(&theirs_same),
                ours.broken,
                theirs.broken,
                ours.touching,
                theirs.touching,
                ratios[0],
            );
            rows.push(json!({
                "crowd": name, "neighbours": neighbours, "agents": people.len(), "feasible": feasible, "differ": differ,
                "same_rule": {
                    "differ": differ_same, "differ_feasible": differ_same_feasible,
                    "broken_though_feasible": {"ours": ours_same.broken, "dodgy_2d": theirs_same.broken},
                    "mean_shortfall_infeasible": {"ours": mean(&ours_same), "dodgy_2d": mean(&theirs_same)},
                },
                "broken_though_feasible": {"ours": ours.broken, "dodgy_2d": theirs.broken},
                "pairs": pairs, "pairs_that_touch": {"ours": ours.touching, "dodgy_2d": theirs.touching},
                "ns_per_agent": {"ours": own_ns, "dodgy_2d": ns}, "ratio_to_ours": ratio, "ratio_to_ours_least": ratios[0],
            }));
        }
    }
    if let Some(path) = &options.json {
        std::fs::write(
            path,
            serde_json::to_string_pretty(&json!({ "rows": rows }))? + "\n",
        )?;
    }
    Ok(())
}
