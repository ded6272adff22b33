//! Scenes in strict mode: what each says it expects, judged by the check of plans, which knows nothing of reservations.

use crate::load;
use std::collections::BTreeMap;
use thalweg::core::movement::Footprint;
use thalweg::crowd::{AgentId, AgentView, ArrivalRule, Blocker, Outcome};
use thalweg::plan_check::{PlanCheck, PlanVerdict, PlannedAgent, PlannedRun};
use thalweg::pool::RayonWorkers;
use thalweg::prelude::*;
use thalweg::stuck::{StuckCause, StuckOptions, StuckWatch, reason_of};

const SCENES: [&str; 4] = ["counterflow_1_strict", "lane_deadlock", "rotation", "warehouse"];

/// A strict scene, run to its end.
struct Story {
    simulation: Simulation,
    agents: Vec<PlannedAgent>,
    /// For every tick from 0 the cell that each agent has reached.
    lines: Vec<Vec<Option<Cell>>>,
    /// After how many ticks the last one was where it stayed, or left.
    settled: u64,
    longest_wait: u32,
    hashes: Vec<u64>,
}

fn run(name: &str, workers: &dyn Workers) -> Story {
    let mut simulation = Simulation::new(load::scene(name), workers).unwrap();
    let scene = simulation.scene().clone();
    let ids: Vec<AgentId> = simulation.crowd().agents().map(|(id, _)| id).collect();
    let strict = |simulation: &Simulation| simulation.crowd().strict().unwrap().clone();
    let mut agents: Vec<PlannedAgent> = Vec::new();
    for (_, view) in strict(&simulation).agents() {
        let profile = &scene.profiles[scene.groups[usize::from(view.group.0)].profile];
        let side = match profile.movement.footprint {
            Footprint::Rectangle(body) => u8::try_from(body.width()).unwrap(),
            _ => 1,
        };
        agents.push(PlannedAgent::new().with_side(side).with_pace(view.pace));
    }
    let cells = |simulation: &Simulation| {
        let crowd = simulation.crowd().strict().unwrap();
        let cell = |id: &AgentId| crowd.get(*id).map(|view| crowd.grid().cell(view.cell));
        ids.iter().map(cell).collect::<Vec<_>>()
    };
    let mut lines = vec![cells(&simulation)];
    let (mut settled, mut hashes) = (0, Vec::new());
    while !simulation.is_finished() {
        let report = simulation.step(workers).unwrap();
        hashes.push(report.hash.0);
        assert!(report.strict.is_some());
        let mut line = cells(&simulation);
        let crowd = simulation.crowd().strict().unwrap();
        for &(id, cell) in crowd.departures() {
            let agent = ids.iter().position(|&other| other == id).unwrap();
            // It is seen for the last time where it leaves.
            line[agent] = Some(crowd.grid().cell(cell));
            agents[agent] = agents[agent].with_left(u32::try_from(simulation.tick()).unwrap());
        }
        if line != *lines.last().unwrap() {
            settled = simulation.tick();
        }
        lines.push(line);
    }
    let longest_wait = strict(&simulation).longest_wait();
    println!(
        "{name:22} {:3} agents, the last move in tick {settled} of {}, longest wait {longest_wait} ticks",
        ids.len(),
        simulation.tick()
    );
    Story {
        simulation,
        agents,
        lines,
        settled,
        longest_wait,
        hashes,
    }
}

impl Story {
    fn judge(&self) -> PlanVerdict {
        let rules = self.simulation.crowd().strict().unwrap().options().rules;
        let mut planned = PlannedRun::new();
        planned.agents.clone_from(&self.agents);
        (planned.following, planned.squeezing) = (rules.following, rules.squeezing);
        let mut movements: Vec<&Movement> = Vec::new();
        for (field, _) in self.simulation.fields() {
            let footprint = field.movement().profile().footprint;
            if movements
                .iter()
                .all(|known| known.profile().footprint != footprint)
            {
                movements.push(field.movement());
            }
        }
        let mut check = PlanCheck::new(&movements, planned).unwrap();
        for line in &self.lines {
            check.tick(line).unwrap();
        }
        check.finish()
    }

    fn views(&self) -> BTreeMap<AgentId, AgentView> {
        self.simulation.crowd().agents().collect()
    }

    fn count(&self, outcome: Outcome) -> usize {
        self.views()
            .values()
            .filter(|view| view.outcome == outcome)
            .count()
    }
}

#[test]
fn no_strict_scene_has_a_conflict() {
    let mut steps = 0;
    for name in SCENES {
        let story = run(name, &Serial);
        let verdict = story.judge();
        assert!(verdict.is_valid(), "{name}: {:?}", verdict.conflicts);
        assert!(verdict.steps > 0, "{name}");
        steps += verdict.steps;
    }
    println!("{steps} steps judged");
}

/// The judge above sees what it is there for: the plan of the warehouse with one agent a tick late.
#[test]
fn the_judge_sees_a_conflict() {
    let mut story = run("warehouse", &Serial);
    let mut found = 0;
    for agent in 0..story.agents.len() {
        let kept: Vec<Option<Cell>> = story.lines.iter().map(|line| line[agent]).collect();
        for tick in (1..20).rev() {
            story.lines[tick][agent] = story.lines[tick - 1][agent];
        }
        found += usize::from(!story.judge().is_valid());
        for (line, cell) in story.lines.iter_mut().zip(kept) {
            line[agent] = cell;
        }
    }
    assert!(found > 10, "only {found} of 60 plans are wrong");
}

#[test]
fn strict_scenes_are_the_same_for_any_number_of_threads() {
    for name in SCENES {
        let alone = run(name, &Serial).hashes;
        for threads in [1, 2, 8] {
            let hashes = run(name, &RayonWorkers::new(threads).unwrap()).hashes;
            assert_eq!(alone, hashes, "{name}, {threads} threads");
        }
    }
}

/// What free bodies cannot do (`counterflow_1`).
#[test]
fn two_rooms_change_places_through_a_lane_one_wide() {
    let story = run("counterflow_1_strict", &Serial);
    assert_eq!(story.count(Outcome::Arrived), 20);
    for view in story.views().values() {
        let (column, _) = view.position.column_row();
        let is_there = if view.group.0 == 0 {
            column >= 21
        } else {
            column <= 2
        };
        assert!(is_there, "{view:?}");
    }
    // Fourteen steps, twice as the lane turns once, ten bodies each way at four ticks apart.
    assert!(story.settled < 300, "{}", story.settled);
    assert!(story.longest_wait < 200, "{}", story.longest_wait);
}

#[test]
fn a_pair_in_a_dead_end_lane_is_told_deadlocked_and_one_with_a_bay_passes() {
    let story = run("lane_deadlock", &Serial);
    let crowd = story.simulation.crowd();
    let views: Vec<(AgentId, AgentView)> = crowd.agents().collect();
    assert_eq!(views.len(), 4);
    let mut watch = StuckWatch::new(StuckOptions::new()).unwrap();
    story.simulation.watch_stuck(&mut watch).unwrap();
    for (index, other) in [(0, 1), (1, 0)] {
        let (id, view) = views[index];
        assert_eq!(view.outcome, Outcome::Deadlocked);
        assert_eq!(view.blocker, Blocker::Agent(views[other].0));
        assert!(view.since < 60, "told after {} ticks", view.since);
        let reason = reason_of(crowd, id).unwrap();
        assert_eq!(
            (reason.cause, reason.knot),
            (StuckCause::Deadlocked, vec![id, views[other].0])
        );
        assert!(watch.is_stuck(id), "a proof needs no time");
    }
    for (_, view) in &views[2..] {
        assert_eq!(view.outcome, Outcome::Arrived);
    }
    assert_eq!(views[2].1.position.column_row(), (8, 3));
    assert_eq!(views[3].1.position.column_row(), (1, 3));
    assert_eq!(watch.count(), 2);
}

#[test]
fn a_full_ring_turns() {
    let story = run("rotation", &Serial);
    assert_eq!(story.settled, 6, "six steps round");
    for (before, after) in story.lines[..=6].iter().zip(&story.lines[1..=6]) {
        assert!(before.iter().zip(after).all(|(a, b)| a != b), "all at once");
    }
    assert_eq!(story.count(Outcome::Arrived), 12);
}

/// By the rules nobody in a full ring can begin where a cell may not be entered as it is left, nor where a step takes longer
/// than a tick.
#[test]
fn a_full_ring_that_may_not_turn_is_told_deadlocked() {
    let text = load::text("rotation");
    let slow = text.replace("speed = 2.0", "speed = 1.0");
    let no_following = text.replace("[strict]", "[strict]\nfollowing = false");
    for (changed, what) in [(slow, "two ticks a step"), (no_following, "no following")] {
        assert_ne!(changed, text);
        let mut scene = load::scene_of("rotation", &changed);
        scene.ticks = 100;
        let mut simulation = load::simulation(scene);
        while !simulation.is_finished() {
            simulation.step(&Serial).unwrap();
        }
        let agents = simulation.crowd().agents();
        let told = agents.filter(|(_, view)| view.outcome == Outcome::Deadlocked);
        assert_eq!(told.count(), 12, "{what}");
    }
}

#[test]
fn the_warehouse_empties() {
    let story = run("warehouse", &Serial);
    assert_eq!(story.agents.len(), 60);
    let large: Vec<_> = story.agents.iter().filter(|agent| agent.side == 2).collect();
    assert_eq!(large.len(), 6);
    assert!(large.iter().all(|agent| agent.pace == 2));
    let scene = story.simulation.scene();
    assert!(
        scene
            .groups
            .iter()
            .all(|group| group.arrival == ArrivalRule::Leave)
    );
    assert!(story.simulation.crowd().is_empty());
    assert_eq!(story.simulation.crowd().strict().unwrap().left_total(), 60);
    assert!(story.settled < 110, "{}", story.settled);
    assert!(story.longest_wait < 40, "{}", story.longest_wait);
}
