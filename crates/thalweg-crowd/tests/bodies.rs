//! Bodies with extent walk where the field says, and never into a wall: checked by distances of our own after every step.

mod common;

use common::{cells_of, costs_of, flow_of};
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::flow::FlowField;
use thalweg_core::grid::{Cell, Grid, MapPoint};
use thalweg_core::movement::{Connectivity, EdgeRules, Footprint, Movement, MovementProfile};
use thalweg_core::workers::Serial;
use thalweg_crowd::{
    AgentSpec, ArrivalRule, Crowd, CrowdError, CrowdOptions, GroupId, GroupInput, Outcome, StalePolicy,
    Steering,
};

/// Bends, doors and corridors of three, and a slanting wall.
const COURSE: [&str; 17] = [
    "###########################",
    "#......#..................#",
    "#......#..................#",
    "#......#..................#",
    "#...........###########...#",
    "#...........#.........#...#",
    "#...........#...###...#...#",
    "#......##...#...#G#...#...#",
    "#.......##..#...#.....#...#",
    "#........##.#...#.....#...#",
    "#.........###...###...#...#",
    "#..........##.........#...#",
    "#...........#...#######...#",
    "#...........#.............#",
    "#...........#.............#",
    "#...........#.............#",
    "###########################",
];

fn input<'a>(movement: &'a Movement, flow: &'a FlowField, arrival: ArrivalRule) -> GroupInput<'a> {
    GroupInput {
        movement,
        flow: Some(flow),
        steering: Steering::Directions,
        is_current: true,
        stale: StalePolicy::Stop,
        field_version: 1,
        arrival,
    }
}

/// How deep a body reaches into blocked ground or over the border, in cells, by looking at every cell of its layer.
fn depth(costs: &CostField, footprint: &Footprint, at: MapPoint) -> f64 {
    let grid = costs.grid();
    let layer = grid.layer(at.layer).unwrap();
    let [x, y] = at.to_map();
    let (width, height) = (f64::from(layer.width()), f64::from(layer.height()));
    let mut deepest = 0.0f64;
    let mut look = |low: [f64; 2], high: [f64; 2]| {
        let depth = match footprint {
            Footprint::Point => return,
            Footprint::Disc(body) => {
                let dx = (low[0] - x).max(x - high[0]).max(0.0);
                let dy = (low[1] - y).max(y - high[1]).max(0.0);
                body.radius_cells() - dx.hypot(dy)
            }
            Footprint::Rectangle(body) => {
                let (west, north) = (x - 0.5, y - 0.5);
                let (east, south) = (west + f64::from(body.width()), north + f64::from(body.height()));
                let over_x = (east - low[0]).min(high[0] - west);
                let over_y = (south - low[1]).min(high[1] - north);
                over_x.min(over_y)
            }
            _ => unreachable!(),
        };
        deepest = deepest.max(depth);
    };
    for id in layer.ids() {
        if costs.get(id).is_none_or(|cost| !cost.is_passable()) {
            let (column, row) = grid.column_row_of(id);
            let (column, row) = (f64::from(column), f64::from(row));
            look([column, row], [column + 1.0, row + 1.0]);
        }
    }
    look([-1000.0, -1000.0], [0.0, 1000.0]);
    look([-1000.0, -1000.0], [1000.0, 0.0]);
    look([width, -1000.0], [1000.0, 1000.0]);
    look([-1000.0, height], [1000.0, 1000.0]);
    deepest
}

fn disc(radius: f64) -> Footprint {
    Footprint::disc(radius, 1.0).unwrap()
}

/// Agents on every free anchor of the western room, at most `most`, apart from each other by their size.
fn place(crowd: &mut Crowd, movement: &Movement, radius: f32, most: usize) -> usize {
    let grid = movement.grid().clone();
    let mut placed: Vec<MapPoint> = Vec::new();
    for id in grid.ids() {
        let at = MapPoint::centre_of_id(&grid, id);
        let [x, y] = at.to_map();
        let apart = placed.iter().all(|other| {
            let [ox, oy] = other.to_map();
            (x - ox).hypot(y - oy) > 2.0 * f64::from(radius)
        });
        if x < 7.0 && apart && movement.is_passable(id) && placed.len() < most {
            let spec = AgentSpec {
                position: at,
                radius,
                max_speed: 2.0,
                group: GroupId(0),
            };
            crowd.add(movement, spec).unwrap();
            placed.push(at);
        }
    }
    placed.len()
}

#[test]
fn bodies_of_every_kind_get_there_and_never_into_a_wall() {
    let costs = costs_of(&COURSE);
    let goal = cells_of(&COURSE, 'G');
    let bodies = [
        (disc(0.3), 0.3, 20),
        (disc(0.5), 0.5, 12),
        (disc(0.8), 0.8, 6),
        (disc(1.0), 1.0, 4),
        (Footprint::square(1).unwrap(), 0.45, 12),
        (Footprint::square(2).unwrap(), 1.0, 4),
        (Footprint::rectangle(2, 1).unwrap(), 0.5, 6),
    ];
    for connectivity in [Connectivity::Eight, Connectivity::Four] {
        for (footprint, radius, most) in bodies {
            for dt in [1.0 / 60.0, 0.1, 0.5] {
                let profile = MovementProfile::new()
                    .with_connectivity(connectivity)
                    .with_footprint(footprint);
                let movement = Movement::compile(&costs, &profile);
                // The goal cell lies in a niche of one cell: larger bodies reach it by touching it with their extent only
                // where they cover it, so they are sent to the chamber before it.
                let small = footprint.is_point() || !movement.anchors_meeting(goal[0]).is_empty();
                let goals = if small {
                    goal.clone()
                } else {
                    vec![Cell::new(14, 7)]
                };
                let flow = flow_of(&movement, &goals);
                let mut crowd = Crowd::new(costs.grid().clone(), CrowdOptions::new()).unwrap();
                let placed = place(&mut crowd, &movement, radius, most);
                assert!(placed > 1, "{footprint}: nobody has room");
                let mut seconds = 0.0;
                while !crowd.is_empty() {
                    let input = input(&movement, &flow, ArrivalRule::Leave);
                    crowd.step(&[input], dt, &Serial).unwrap();
                    for (id, agent) in crowd.agents() {
                        let depth = depth(&costs, &footprint, agent.position);
                        assert!(
                            depth < 1e-3,
                            "{footprint}, {connectivity:?}, dt {dt}: {id:?} reaches {depth} into a wall at {:?}",
                            agent.position
                        );
                    }
                    seconds += dt;
                    if seconds > 200.0 {
                        let left: Vec<_> = crowd
                            .agents()
                            .map(|(_, agent)| (agent.position, agent.outcome, agent.blocker))
                            .collect();
                        panic!("{footprint}, {connectivity:?}, dt {dt}: of {placed} there are left {left:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_square_walks_through_a_corridor_that_it_fills() {
    let map = [
        "##########",
        "#....#####",
        "#........#",
        "#.......G#",
        "#....#####",
        "##########",
    ];
    let costs = costs_of(&map);
    let profile = MovementProfile::new().with_footprint(Footprint::square(2).unwrap());
    let movement = Movement::compile(&costs, &profile);
    let flow = flow_of(&movement, &cells_of(&map, 'G'));
    let mut crowd = Crowd::new(costs.grid().clone(), CrowdOptions::new()).unwrap();
    // Off the line on purpose, by a tenth of a cell and two subcells.
    let start = MapPoint::new(65_536 + 32_768 + 6_001, 2 * 65_536 + 32_768 + 6_555);
    let spec = AgentSpec {
        position: start,
        radius: 0.9,
        max_speed: 1.3,
        group: GroupId(0),
    };
    crowd.add(&movement, spec).unwrap();
    let input = input(&movement, &flow, ArrivalRule::Rest);
    for _ in 0..300 {
        crowd.step(&[input], 0.05, &Serial).unwrap();
        let (_, agent) = crowd.agents().next().unwrap();
        assert!(depth(&costs, &profile.footprint, agent.position) < 1e-9);
    }
    let (_, agent) = crowd.agents().next().unwrap();
    assert_eq!(agent.outcome, Outcome::Arrived, "{:?}", agent.position);
    // It has arrived as soon as it covers the goal: its anchor is the cell west of it.
    assert_eq!(agent.position.column_row(), (7, 2));
}

#[test]
fn nobody_is_set_into_a_wall_and_whom_a_wall_meets_gets_out() {
    let costs = costs_of(&["......", "......", "......", "......", "......"]);
    let profile = MovementProfile::new().with_footprint(disc(1.2));
    let movement = Movement::compile(&costs, &profile);
    let flow = flow_of(&movement, &[Cell::new(5, 2)]);
    let mut crowd = Crowd::new(costs.grid().clone(), CrowdOptions::new()).unwrap();
    let spec = |x, y| AgentSpec {
        position: common::at(x, y),
        radius: 1.0,
        max_speed: 1.0,
        group: GroupId(0),
    };
    // The anchor (1,2) is free, but so near its western border the body would reach over that of the map.
    let error = crowd.add(&movement, spec(1.1, 2.5)).unwrap_err();
    assert!(matches!(error, CrowdError::NoRoom { .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "agent position (1.0999908447265625, 2.5) has no room for a body of disc:1.1999969482421875 (in cells)"
    );
    crowd.add(&movement, spec(1.2, 2.5)).unwrap();
    let mut walled = costs.clone();
    walled.set(Cell::new(1, 0), Cost::IMPASSABLE).unwrap();
    walled.set(Cell::new(0, 4), Cost::IMPASSABLE).unwrap();
    let movement = Movement::compile(&walled, &profile);
    let input = input(&movement, &flow, ArrivalRule::Rest);
    let before = crowd.agents().next().unwrap().1.position;
    assert!(
        depth(&walled, &profile.footprint, before) < 1e-3,
        "the walls leave it alone"
    );
    walled.set(Cell::new(0, 2), Cost::IMPASSABLE).unwrap();
    let movement = Movement::compile(&walled, &profile);
    let input = GroupInput {
        movement: &movement,
        ..input
    };
    assert_eq!(crowd.eject(&[input]), 1);
    let after = crowd.agents().next().unwrap().1.position;
    assert!(depth(&walled, &profile.footprint, after) < 1e-3);
}

#[test]
fn a_body_comes_out_of_a_portal_where_it_has_room() {
    let rooms = Grid::stacked([&Grid::new(9, 5).unwrap(), &Grid::new(3, 9).unwrap()]).unwrap();
    let costs = CostField::filled(rooms, Cost::PLAIN);
    let mut rules = EdgeRules::new(costs.grid().clone());
    rules.add_portal(Cell::new(7, 2), Cell::on(1, 1, 1), 10).unwrap();
    let profile = MovementProfile::new().with_footprint(disc(1.5));
    let movement = Movement::compile_with(&costs, &rules, &profile).unwrap();
    let flow = flow_of(&movement, &[Cell::on(1, 1, 8)]);
    for dt in [0.02, 0.1, 0.7] {
        let mut crowd = Crowd::new(costs.grid().clone(), CrowdOptions::new()).unwrap();
        for (x, y) in [(1.7, 2.3), (4.8, 2.7)] {
            let spec = AgentSpec {
                position: common::at(x, y),
                radius: 1.5,
                max_speed: 1.5,
                group: GroupId(0),
            };
            crowd.add(&movement, spec).unwrap();
        }
        let mut seconds = 0.0;
        while !crowd.is_empty() {
            let input = input(&movement, &flow, ArrivalRule::Leave);
            crowd.step(&[input], dt, &Serial).unwrap();
            for (id, agent) in crowd.agents() {
                let depth = depth(&costs, &profile.footprint, agent.position);
                assert!(
                    depth < 1e-3,
                    "dt {dt}: {id:?} reaches {depth} into a wall at {:?}",
                    agent.position
                );
            }
            seconds += dt;
            assert!(
                seconds < 60.0,
                "dt {dt}: {:?}",
                crowd.agents().map(|(_, a)| a.position).collect::<Vec<_>>()
            );
        }
    }
}
