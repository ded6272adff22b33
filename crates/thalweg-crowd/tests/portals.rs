//! Agents pass through portals, and one-way borders only the way they are open.

mod common;

use common::{at, costs_of, flow_of, profile};
use thalweg_core::flow::FlowField;
use thalweg_core::grid::{Cell, Direction};
use thalweg_core::movement::{Connectivity, CornerRule, EdgeRules, Movement};
use thalweg_core::workers::Serial;
use thalweg_crowd::{
    AgentSpec, ArrivalRule, Crowd, CrowdOptions, GroupId, GroupInput, Outcome, StalePolicy, Steering,
};

fn input<'a>(movement: &'a Movement, flow: &'a FlowField) -> GroupInput<'a> {
    GroupInput {
        movement,
        flow: Some(flow),
        steering: Steering::Directions,
        is_current: true,
        stale: StalePolicy::Stop,
        field_version: 1,
        arrival: ArrivalRule::Leave,
    }
}

fn spec(x: f64, y: f64) -> AgentSpec {
    AgentSpec {
        position: at(x, y),
        radius: 0.3,
        max_speed: 1.5,
        group: GroupId(0),
    }
}

#[test]
fn a_crowd_leaves_a_sealed_room_through_its_portal() {
    let costs = costs_of(&["......#......", "......#......", "......#......", "......#.....G"]);
    let mut rules = EdgeRules::new(costs.grid().clone());
    rules.add_portal(Cell::new(1, 1), Cell::new(8, 1), 20).unwrap();
    let movement = Movement::compile_with(
        &costs,
        &rules,
        &profile(Connectivity::Eight, CornerRule::BothFree),
    )
    .unwrap();
    let flow = flow_of(&movement, &[Cell::new(12, 3)]);
    let mut crowd = Crowd::new(costs.grid().clone(), CrowdOptions::new()).unwrap();
    for agent in 0..24 {
        crowd
            .add(
                &movement,
                spec(0.5 + f64::from(agent % 6), 0.5 + f64::from(agent / 6)),
            )
            .unwrap();
    }
    let mut ticks = 0;
    while !crowd.is_empty() {
        crowd.step(&[input(&movement, &flow)], 0.1, &Serial).unwrap();
        for (id, agent) in crowd.agents() {
            let cell = agent.position.cell_id(costs.grid()).unwrap();
            assert!(movement.is_passable(cell), "{id:?} stands in a wall");
        }
        ticks += 1;
        let stuck = || {
            crowd
                .agents()
                .map(|(_, agent)| (agent.position, agent.outcome, agent.blocker))
                .collect::<Vec<_>>()
        };
        assert!(ticks < 900, "still there: {:?}", stuck());
    }
}

#[test]
fn a_portal_leads_one_way_only() {
    let costs = costs_of(&["G....#.....", ".....#....."]);
    let mut rules = EdgeRules::new(costs.grid().clone());
    rules.add_portal(Cell::new(2, 0), Cell::new(8, 0), 0).unwrap();
    let movement = Movement::compile_with(
        &costs,
        &rules,
        &profile(Connectivity::Eight, CornerRule::BothFree),
    )
    .unwrap();
    let flow = flow_of(&movement, &[Cell::new(0, 0)]);
    let mut crowd = Crowd::new(costs.grid().clone(), CrowdOptions::new()).unwrap();
    let stranded = crowd.add(&movement, spec(8.5, 0.5)).unwrap();
    for _ in 0..50 {
        crowd.step(&[input(&movement, &flow)], 0.1, &Serial).unwrap();
    }
    let agent = crowd.get(stranded).unwrap();
    assert_eq!(agent.outcome, Outcome::NoDirection);
    assert_eq!(agent.position, at(8.5, 0.5), "nobody moved it");
}

#[test]
fn nobody_passes_a_one_way_border_against_its_direction() {
    let costs = costs_of(&[".......", ".......", "......."]);
    let mut rules = EdgeRules::new(costs.grid().clone());
    for y in 0..3 {
        // From column 3 to column 2 there is no way; the other way is open.
        rules.close_exit(Cell::new(3, y), Direction::W).unwrap();
    }
    let movement = Movement::compile_with(
        &costs,
        &rules,
        &profile(Connectivity::Eight, CornerRule::BothFree),
    )
    .unwrap();
    let west = flow_of(&movement, &[Cell::new(0, 1)]);
    let east = flow_of(&movement, &[Cell::new(6, 1)]);
    for (flow, passes) in [(&west, false), (&east, true)] {
        let mut crowd = Crowd::new(costs.grid().clone(), CrowdOptions::new()).unwrap();
        let x = if passes { 0.5 } else { 4.5 };
        for y in 0..3 {
            crowd.add(&movement, spec(x, 0.5 + f64::from(y))).unwrap();
        }
        // A push from behind must not do what a step may not.
        crowd.add(&movement, spec(x + 0.1, 1.5)).unwrap();
        for _ in 0..200 {
            crowd.step(&[input(&movement, flow)], 0.1, &Serial).unwrap();
            let crossed = crowd
                .agents()
                .any(|(_, agent)| !passes && agent.position.column_row().0 < 3);
            assert!(!crossed, "somebody went west");
        }
        assert_eq!(crowd.is_empty(), passes);
    }
}
