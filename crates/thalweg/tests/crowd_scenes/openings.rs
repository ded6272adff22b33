//! Openings hardly wider than a body, on small cells.

use crate::load;
use thalweg::core::movement::Footprint;
use thalweg::crowd::{AgentSpec, ArrivalRule, Crowd, CrowdOptions, GroupId};
use thalweg::prelude::*;

/// How many of 60 discs of 0.4 m are still there after two minutes, in a room of 5 m with an opening of 0.5 m, on cells of 0.1 m.
fn left_behind(shift: f64) -> usize {
    let grid = Grid::new(90, 51).unwrap();
    let mut costs = CostField::filled(grid.clone(), Cost::PLAIN);
    costs
        .set_rect(Cell::new(50, 0), Cell::new(54, 22), Cost::IMPASSABLE)
        .unwrap();
    costs
        .set_rect(Cell::new(50, 28), Cell::new(54, 50), Cost::IMPASSABLE)
        .unwrap();
    let profile = MovementProfile::new().with_footprint(Footprint::disc(0.199, 0.1).unwrap());
    let movement = Movement::compile(&costs, &profile);
    let goals = GoalSet::from_cells((4..46).map(|y| Cell::new(84, y)));
    let field = FieldBundle::build(
        movement,
        &goals,
        &BuildOptions::new(),
        &mut BuildScratch::new(),
        &Serial,
    )
    .unwrap();
    let mut options = CrowdOptions::default();
    options.look_ahead = 4.0;
    options.max_push = 20.0;
    let mut crowd = Crowd::new(grid, options).unwrap();
    for agent in 0..60 {
        let x = 3.0 + (f64::from(agent) * 0.754_877_666 + shift).fract() * 42.0;
        let y = 3.0 + (f64::from(agent) * 0.569_840_291).fract() * 45.0;
        let spec = AgentSpec {
            position: MapPoint::from_map([x, y]).unwrap(),
            radius: 2.0,
            max_speed: 13.0 + (f64::from(agent) * 0.618_033_989).fract() as f32 * 3.0,
            group: GroupId(0),
        };
        crowd.add(field.movement(), spec).unwrap();
    }
    let input = load::input(&field, ArrivalRule::Leave);
    for _ in 0..120 * 16 {
        crowd.step(&[input], 1.0 / 16.0, &Serial).unwrap();
        if crowd.is_empty() {
            break;
        }
    }
    for (id, agent) in crowd
        .agents()
        .filter(|(_, agent)| agent.position.to_map()[0] > 44.0)
    {
        let [x, y] = agent.position.to_map();
        println!(
            "{id} at ({:.2} m, {:.2} m): {}, {:?}",
            x / 10.0,
            y / 10.0,
            agent.outcome,
            agent.blocker
        );
    }
    crowd.len()
}

/// It does not hold: bodies that meet at the mouth of an opening that takes one of them hold each other for good.
#[test]
#[ignore = "two or three at the mouth of an opening a little wider than one of them jam for good"]
fn an_opening_a_little_wider_than_a_body_is_passed() {
    let left: Vec<usize> = (0..4).map(|run| left_behind(f64::from(run) * 0.17)).collect();
    assert_eq!(left, [0; 4], "of 60");
}
