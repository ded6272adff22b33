//! What each scene says it expects.

use crate::load;
use std::collections::BTreeMap;
use thalweg::crowd::{AgentId, AgentView, Blocker, Outcome};
use thalweg::prelude::*;

/// One scene, run to its end.
struct Story {
    simulation: Simulation,
    /// When each agent that arrived did, in seconds; one that rests, when it came to rest last.
    arrived: BTreeMap<AgentId, f64>,
    agents: usize,
    /// Agent-ticks with an agent turning back while it moves faster than a tenth of a cell per second, by all agent-ticks.
    reversals: f64,
    /// The longest anybody stood, in seconds: moved less than its radius in that time, not arrived.
    longest_stand: f64,
}

fn run(name: &str) -> Story {
    let mut simulation = load::simulation(load::scene(name));
    let tick_s = simulation.scene().tick_s;
    let agents = simulation.crowd().len();
    let mut arrived = BTreeMap::new();
    let mut before: BTreeMap<AgentId, AgentView> = simulation.crowd().agents().collect();
    let mut stood: BTreeMap<AgentId, (MapPoint, u64)> = BTreeMap::new();
    let (mut turned, mut looked, mut longest) = (0u32, 0u32, 0u64);
    while !simulation.is_finished() {
        simulation.step(&Serial).unwrap();
        let now = simulation.tick() as f64 * tick_s;
        let after: BTreeMap<AgentId, AgentView> = simulation.crowd().agents().collect();
        for (id, was) in &before {
            let Some(agent) = after.get(id) else {
                arrived.insert(*id, now);
                continue;
            };
            if agent.outcome == Outcome::Arrived {
                arrived.entry(*id).or_insert(now);
                stood.remove(id);
            } else {
                arrived.remove(id);
                let (place, since) = *stood.entry(*id).or_insert((agent.position, simulation.tick()));
                if distance(place, agent.position) > f64::from(agent.radius) {
                    stood.insert(*id, (agent.position, simulation.tick()));
                } else {
                    longest = longest.max(simulation.tick() - since);
                }
            }
            let speed = |[x, y]: [f32; 2]| x.hypot(y);
            let along = was.velocity[0] * agent.velocity[0] + was.velocity[1] * agent.velocity[1];
            looked += 1;
            turned += u32::from(along < 0.0 && speed(was.velocity) > 0.1 && speed(agent.velocity) > 0.1);
        }
        before = after;
    }
    let story = Story {
        simulation,
        arrived,
        agents,
        reversals: f64::from(turned) / f64::from(looked),
        longest_stand: longest as f64 * tick_s,
    };
    println!(
        "{name:15} {:3} of {:3} arrived, the last after {:5.1} s; turned back in {:.2} % of agent-ticks; stood {:.1} s at most",
        story.arrived.len(),
        story.agents,
        story.last(),
        100.0 * story.reversals,
        story.longest_stand
    );
    story
}

impl Story {
    fn last(&self) -> f64 {
        self.arrived.values().copied().fold(0.0, f64::max)
    }

    fn all_arrive_within(self, seconds: f64) -> Self {
        assert_eq!(self.arrived.len(), self.agents, "all arrive");
        assert!(self.last() <= seconds, "the last arrives after {} s", self.last());
        self
    }

    fn shakes_at_most(self, part: f64) -> Self {
        assert!(
            self.reversals <= part,
            "{} of the time somebody turns back",
            self.reversals
        );
        self
    }

    fn stands_at_most(self, seconds: f64) -> Self {
        assert!(
            self.longest_stand <= seconds,
            "somebody stood for {} s",
            self.longest_stand
        );
        self
    }
}

fn distance(a: MapPoint, b: MapPoint) -> f64 {
    let ([ax, ay], [bx, by]) = (a.to_map(), b.to_map());
    (ax - bx).hypot(ay - by)
}

#[test]
fn who_meet_head_on_pass_each_other() {
    // 17 cells at 1.3 take 13.1 s.
    run("head_on")
        .all_arrive_within(15.0)
        .shakes_at_most(0.001)
        .stands_at_most(1.0);
}

#[test]
fn streams_at_right_angles_pass_through_each_other() {
    run("crossing")
        .all_arrive_within(40.0)
        .shakes_at_most(0.01)
        .stands_at_most(6.0);
}

#[test]
fn twenty_on_a_circle_change_places() {
    // 20 cells at 1.34 take 15 s, and a little more by eight directions.
    run("circle_20")
        .all_arrive_within(28.0)
        .shakes_at_most(0.001)
        .stands_at_most(3.0);
}

#[test]
fn opposing_flows_pass_in_a_corridor_two_wide() {
    run("counterflow_2")
        .all_arrive_within(40.0)
        .shakes_at_most(0.01)
        .stands_at_most(10.0);
}

#[test]
fn the_bottleneck_empties_the_room() {
    run("bottleneck").all_arrive_within(60.0).shakes_at_most(0.015);
}

#[test]
fn sixty_with_one_goal_cell_come_to_rest() {
    let mut simulation = load::simulation(load::scene("restless"));
    let tick_s = simulation.scene().tick_s;
    let mut speed_at_rest = 0.0f64;
    while !simulation.is_finished() {
        simulation.step(&Serial).unwrap();
        if simulation.tick() as f64 * tick_s > 30.0 {
            let crowd = simulation.crowd();
            assert!(crowd.agents().all(|(_, agent)| agent.outcome == Outcome::Arrived));
            let summed: f64 = crowd
                .agents()
                .map(|(_, agent)| f64::from(agent.velocity[0].hypot(agent.velocity[1])))
                .sum();
            speed_at_rest = speed_at_rest.max(summed);
        }
    }
    let goal = MapPoint::from_map([20.5, 10.5]).unwrap();
    let radius = simulation
        .crowd()
        .agents()
        .map(|(_, agent)| distance(agent.position, goal))
        .fold(0.0, f64::max);
    let allowed = 1.25 * 60f64.sqrt() * 0.3;
    println!(
        "restless: summed speed from 30 s to 42 s at most {speed_at_rest:.5}; pack radius {radius:.3}, allowed {allowed:.3}"
    );
    assert!(speed_at_rest < 0.01, "{speed_at_rest}");
    assert!(radius <= allowed, "{radius}");
}

#[test]
fn a_crowd_pressed_at_a_pinched_diagonal_arrives() {
    run("pinched_push").all_arrive_within(60.0).shakes_at_most(0.01);
}

#[test]
fn the_pillar_is_passed() {
    run("pillar")
        .all_arrive_within(25.0)
        .shakes_at_most(0.005)
        .stands_at_most(3.0);
}

#[test]
fn five_hundred_in_a_room_find_their_goals() {
    let story = run("room_500").shakes_at_most(0.02);
    assert!(story.arrived.len() >= 450);
}

/// Two bodies of 0.6 do not fit beside each other into a corridor of one. Reservations could send one side back; without
/// them it can only be asked that a jam is an honest one: everybody who has not arrived waits, and names another agent.
/// They press, so that bodies overlap by up to a quarter of the radius and creep.
#[test]
fn opposing_flows_in_a_corridor_one_wide_stand_and_say_why() {
    let story = run("counterflow_1").shakes_at_most(0.005);
    let agents: Vec<_> = story.simulation.crowd().agents().collect();
    for (id, agent) in &agents {
        for (other, mate) in &agents {
            if id == other {
                continue;
            }
            let gap = distance(agent.position, mate.position) - f64::from(agent.radius + mate.radius);
            assert!(
                gap > -0.25 * f64::from(agent.radius),
                "{id} and {other} overlap by {}",
                -gap
            );
        }
        if agent.outcome == Outcome::Arrived {
            continue;
        }
        assert_eq!(agent.outcome, Outcome::Waiting, "{id}: {agent:?}");
        assert!(matches!(agent.blocker, Blocker::Agent(_)), "{id}: {agent:?}");
        assert!(
            agent.velocity[0].hypot(agent.velocity[1]) < 0.15,
            "{id}: {agent:?}"
        );
    }
}
