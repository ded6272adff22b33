//! The public one-shot instances: all arrive, and the judge is content.

use crate::instances::{Setting, TestMap, run_and_judge, shared_file, shared_map};
use thalweg::core::movement::Connectivity;
use thalweg::crowd::strict::{ConflictRules, StrictOptions};
use thalweg::mapf::MapfAgent;
use thalweg_testkit::cases::say;

/// Ticks within which all must be there.
const LIMIT: u32 = 20_000;

fn solve(map: &TestMap, agents: Vec<MapfAgent>, neighbours: Connectivity) {
    let setting = Setting {
        neighbours,
        rules: ConflictRules::default(),
        has_large: false,
        has_slow: false,
        percent: 0,
    };
    let count = agents.len();
    let came = run_and_judge(map, &setting, StrictOptions::default(), agents, None, LIMIT);
    let name = format!("{} with {count} agents and {neighbours} neighbours", map.name);
    let verdict = &came.verdict;
    say(&format!(
        "{name}: makespan {}, sum of costs {}, of lower bounds {}, longest wait {}",
        verdict.makespan, verdict.sum_of_costs, came.lower_bounds, came.longest_wait
    ));
    assert!(
        came.is_done,
        "{name}: {} arrived in {} ticks",
        verdict.at_goal, came.ticks
    );
    assert!(verdict.is_valid(), "{name}: {}", verdict.conflicts[0]);
    assert_eq!(verdict.at_goal, count, "{name}");
    assert!(
        verdict.sum_of_costs >= came.lower_bounds,
        "{name}: better than possible"
    );
}

fn solve_all(name: &str, counts: &[usize]) {
    let (Some(map), Some(file)) = (shared_map(name), shared_file(&format!("{name}-random-1.scen"))) else {
        return;
    };
    let scenario = thalweg_io::read_scenario_file(&file).expect("a public scenario");
    for &count in counts {
        for neighbours in [Connectivity::Four, Connectivity::Eight] {
            let pairs = scenario.first_agents(name, count).expect("so many lines");
            let agents = pairs.into_iter().map(|(start, goal)| MapfAgent::new(start, goal));
            solve(&map, agents.collect(), neighbours);
        }
    }
}

#[test]
fn all_arrive_on_the_empty_map() {
    solve_all("empty-8-8", &[32]);
}

#[test]
fn all_arrive_on_the_random_map() {
    solve_all("random-32-32-20", &[100, 200, 409]);
}

#[test]
fn all_arrive_in_the_maze() {
    solve_all("maze-32-32-2", &[100, 200, 333]);
}

#[test]
fn all_arrive_in_the_warehouse() {
    solve_all("warehouse-10-20-10-2-1", &[100, 500, 1000]);
}
