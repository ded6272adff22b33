//! Ids, refusals, reports: what callers may rely on.

mod common;

use common::*;
use thalweg_core::grid::{Cell, Grid, MapPoint, SUBCELLS};
use thalweg_core::movement::{Connectivity, CornerRule, Movement};
use thalweg_core::workers::Serial;
use thalweg_crowd::{
    AgentId, AgentSpec, ArrivalRule, Blocker, Crowd, CrowdError, CrowdOptions, GroupId, Outcome, StalePolicy,
    Steering,
};

fn small_world() -> World {
    World::of_map(
        &["..#..", ".....", "..#.G"],
        &profile(Connectivity::Eight, CornerRule::BothFree),
    )
}

#[test]
fn the_id_of_an_agent_that_is_gone_names_nobody_even_when_its_slot_is_used_again() {
    let world = small_world();
    let mut crowd = crowd_of(&world);
    let first = crowd.add(&world.movement, spec(0.5, 0.5)).unwrap();
    crowd.remove(first).unwrap();
    assert_eq!(crowd.remove(first), Err(CrowdError::NoSuchAgent(first)));
    let second = crowd.add(&world.movement, spec(0.5, 0.5)).unwrap();
    assert_eq!(second.index(), first.index(), "the slot is used again");
    assert_ne!(second, first);
    assert!(crowd.get(first).is_none());
    assert!(crowd.get(second).is_some());
    assert!(crowd.remove(first).is_err());
    assert_eq!(AgentId::from_bits(second.to_bits()), second);
    assert!(crowd.get(AgentId::from_bits(u64::MAX)).is_none());
    assert_eq!((crowd.len(), crowd.is_empty()), (1, false));
}

#[test]
fn numbers_that_are_no_radius_or_speed_are_refused_with_their_limits() {
    let world = small_world();
    let mut crowd = crowd_of(&world);
    for bad in [f32::NAN, -1.0, 0.0, f32::INFINITY, 1e30, f32::MIN_POSITIVE] {
        let radius = AgentSpec {
            radius: bad,
            ..spec(0.5, 0.5)
        };
        assert!(
            matches!(crowd.add(&world.movement, radius), Err(CrowdError::Radius(_))),
            "{bad}"
        );
        let speed = AgentSpec {
            max_speed: bad,
            ..spec(0.5, 0.5)
        };
        assert!(
            matches!(crowd.add(&world.movement, speed), Err(CrowdError::Speed(_))),
            "{bad}"
        );
        let groups = [world.input()];
        assert!(
            matches!(crowd.step(&groups, bad, &Serial), Err(CrowdError::Step(_))) || bad == f32::MIN_POSITIVE,
            "{bad}"
        );
    }
    let error = crowd
        .add(
            &world.movement,
            AgentSpec {
                radius: -1.0,
                ..spec(0.5, 0.5)
            },
        )
        .unwrap_err();
    assert_eq!(error.to_string(), "agent radius -1 is outside 0.01 to 8 cells");
    assert!(crowd.is_empty());
    assert!(crowd.step(&[world.input()], 60.1, &Serial).is_err());
}

#[test]
fn a_position_in_a_wall_or_off_the_map_is_refused_and_named() {
    let world = small_world();
    let mut crowd = crowd_of(&world);
    let error = crowd.add(&world.movement, spec(2.5, 0.5)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "agent position (2.5, 0.5) is on cell (2,0), which is impassable"
    );
    for position in [
        MapPoint::new(-1, 0),
        MapPoint::new(5 * SUBCELLS, 0),
        MapPoint::new(0, 3 * SUBCELLS),
        MapPoint::new(i32::MAX, i32::MIN),
    ] {
        let outside = AgentSpec {
            position,
            ..spec(0.0, 0.0)
        };
        assert!(matches!(
            crowd.add(&world.movement, outside),
            Err(CrowdError::Outside { .. })
        ));
    }
}

#[test]
fn worlds_of_other_maps_and_missing_groups_are_refused_before_anything_moves() {
    let world = small_world();
    let other = World::of_map(&["..", ".G"], &profile(Connectivity::Eight, CornerRule::BothFree));
    let mut crowd = crowd_of(&world);
    assert!(matches!(
        crowd.add(&other.movement, spec(0.5, 0.5)),
        Err(CrowdError::ForeignMap { .. })
    ));
    let agent = AgentSpec {
        group: GroupId(1),
        ..spec(0.5, 0.5)
    };
    crowd.add(&world.movement, agent).unwrap();
    let before = crowd.state_hash();
    let error = crowd.step(&[world.input()], 0.1, &Serial).unwrap_err();
    assert_eq!(
        error.to_string(),
        "agent 0v0 is of group 1, but only 1 groups were given"
    );
    let mixed = thalweg_crowd::GroupInput {
        flow: Some(&other.flow),
        ..world.input()
    };
    assert!(matches!(
        crowd.step(&[world.input(), mixed], 0.1, &Serial),
        Err(CrowdError::ForeignMap {
            what: "flow field",
            group: 1
        })
    ));
    let (other, own) = (other.with_headings(1), small_world().with_headings(1));
    let (Steering::Headings { field, headings }, Steering::Headings { headings: good, .. }) =
        (other.input().steering, own.input().steering)
    else {
        panic!("both steer by headings")
    };
    for (steering, what) in [
        (
            Steering::Headings {
                field,
                headings: good,
            },
            "integration field",
        ),
        (
            Steering::Headings {
                field: &own.field,
                headings,
            },
            "heading field",
        ),
    ] {
        let mixed = thalweg_crowd::GroupInput {
            steering,
            ..world.input()
        };
        let foreign = Err(CrowdError::ForeignMap { what, group: 1 });
        assert_eq!(crowd.step(&[world.input(), mixed], 0.1, &Serial), foreign);
    }
    assert_eq!(crowd.state_hash(), before);
    assert_eq!(crowd.tick(), 0);
}

#[test]
fn options_out_of_range_and_maps_beyond_fixed_point_are_refused() {
    let grid = Grid::new(4, 4).unwrap();
    let mut options = CrowdOptions::default();
    options.headway = f32::NAN;
    assert!(matches!(
        Crowd::new(grid.clone(), options),
        Err(CrowdError::Option { name: "headway", .. })
    ));
    options = CrowdOptions::default();
    options.neighbours = 0;
    assert_eq!(
        Crowd::new(grid, options).unwrap_err().to_string(),
        "option neighbours is 0, outside 1 to 16"
    );
    let long = Grid::new(32_768, 1).unwrap();
    assert!(matches!(
        Crowd::new(long, CrowdOptions::default()),
        Err(CrowdError::MapTooLarge { .. })
    ));
}

#[test]
fn every_agent_says_why_it_stands_and_since_when() {
    // An island that no way leads from, a field that is missing, a stale one, a wall that came down.
    let map = ["..#..", "..#..", "..#.G"];
    let mut world = World::of_map(&map, &profile(Connectivity::Eight, CornerRule::BothFree));
    let mut crowd = crowd_of(&world);
    let island = crowd.add(&world.movement, spec(0.5, 0.5)).unwrap();
    let walker = crowd.add(&world.movement, spec(3.5, 0.5)).unwrap();
    let report = step(&mut crowd, &world, 0.1);
    let view = crowd.get(island).unwrap();
    assert_eq!((view.outcome, view.since), (Outcome::NoDirection, 1));
    assert_eq!(
        view.blocker,
        Blocker::Cell(crowd.grid().id(Cell::new(0, 0)).unwrap())
    );
    assert_eq!(
        (
            report.outcomes[Outcome::NoDirection],
            report.outcomes[Outcome::Moved]
        ),
        (1, 1)
    );
    assert_eq!(report.outcomes.total(), 2);

    world.is_current = false;
    step(&mut crowd, &world, 0.1);
    step(&mut crowd, &world, 0.1);
    let view = crowd.get(walker).unwrap();
    assert_eq!(
        (view.outcome, view.blocker, view.since),
        (Outcome::StaleField, Blocker::FieldStale, 2)
    );
    assert_eq!(view.velocity, [0.0, 0.0]);

    let nothing = thalweg_crowd::GroupInput {
        flow: None,
        stale: StalePolicy::KeepOld,
        ..world.input()
    };
    crowd.step(&[nothing], 0.1, &Serial).unwrap();
    let view = crowd.get(walker).unwrap();
    assert_eq!(
        (view.outcome, view.blocker),
        (Outcome::StaleField, Blocker::FieldMissing)
    );

    let cell = crowd.get(walker).unwrap().position.cell_id(crowd.grid()).unwrap();
    world.is_current = true;
    world.set_wall(crowd.grid().cell(cell), true);
    step(&mut crowd, &world, 0.1);
    let view = crowd.get(walker).unwrap();
    assert_eq!(
        (view.outcome, view.blocker),
        (Outcome::Outside, Blocker::Cell(cell))
    );
}

#[test]
fn agents_are_listed_by_slot_and_by_place() {
    let world = small_world();
    let mut crowd = crowd_of(&world);
    let ids: Vec<_> = (0..4)
        .map(|agent| {
            crowd
                .add(&world.movement, spec(0.2 + 0.4 * f64::from(agent), 1.5))
                .unwrap()
        })
        .collect();
    crowd.remove(ids[1]).unwrap();
    step(&mut crowd, &world, 0.1);
    let listed: Vec<_> = crowd.agents().map(|(id, _)| id).collect();
    assert_eq!(listed, [ids[0], ids[2], ids[3]], "slot order");
    let by_place: Vec<_> = crowd.ids_by_place().collect();
    let mut sorted = by_place.clone();
    sorted.sort();
    assert_eq!(sorted, listed, "everybody has one place");
    let views: Vec<_> = crowd.agents_by_place().collect();
    for (place, (id, view)) in views.into_iter().enumerate() {
        assert_eq!(id, by_place[place]);
        assert_eq!(crowd.get(id), Some(view));
        assert_eq!(
            (crowd.xs()[place], crowd.ys()[place]),
            (view.position.x, view.position.y)
        );
    }
}

#[test]
fn an_empty_crowd_steps() {
    let world = small_world();
    let mut crowd = crowd_of(&world);
    let report = step(&mut crowd, &world, 60.0);
    assert_eq!(
        (report.outcomes.total(), report.substeps, report.sweeps),
        (0, 1, 0)
    );
    assert_eq!(crowd.step(&[], 1.0, &Serial).unwrap().left, 0);
    assert_eq!(crowd.tick(), 2);
}

#[test]
fn agents_that_leave_at_the_goal_are_counted_and_their_ids_go_stale() {
    let mut world = small_world();
    world.arrival = ArrivalRule::Leave;
    let mut crowd = crowd_of(&world);
    let ids: Vec<_> = (0..3)
        .map(|agent| {
            crowd
                .add(&world.movement, spec(3.2, 0.3 + 0.8 * f64::from(agent)))
                .unwrap()
        })
        .collect();
    let mut left = 0;
    for _ in 0..200 {
        let report = step(&mut crowd, &world, 0.05);
        left += report.left;
        assert_eq!(report.outcomes[Outcome::Arrived], report.left);
        assert_eq!(report.left_total, u64::from(left));
        assert_eq!(crowd.len() as u32, 3 - left);
    }
    assert_eq!(left, 3);
    assert!(ids.iter().all(|&id| crowd.get(id).is_none()));
}

#[test]
fn a_goal_area_of_unknown_ground_does_not_confuse_anybody() {
    let mut costs = costs_of(&["....G"]);
    costs.set_unknown(Cell::new(2, 0)).unwrap();
    let world = World::new(
        &costs,
        &profile(Connectivity::Eight, CornerRule::BothFree),
        &[Cell::new(4, 0)],
    );
    let mut crowd = crowd_of(&world);
    let cut_off = crowd.add(&world.movement, spec(0.5, 0.5)).unwrap();
    assert!(matches!(
        crowd.add(&world.movement, spec(2.5, 0.5)),
        Err(CrowdError::Blocked { known: false, .. })
    ));
    step(&mut crowd, &world, 1.0);
    assert_eq!(crowd.get(cut_off).unwrap().outcome, Outcome::NoDirection);
}

#[test]
fn a_negative_first_cell_changes_nothing_but_names() {
    let grid = Grid::with_first_cell(5, 3, Cell::new(-7, -9)).unwrap();
    let costs = thalweg_core::cost::CostField::filled(grid, thalweg_core::cost::Cost::PLAIN);
    let world = World::new(
        &costs,
        &profile(Connectivity::Eight, CornerRule::BothFree),
        &[Cell::new(-3, -8)],
    );
    let plain = World::of_map(
        &[".....", "....G", "....."],
        &profile(Connectivity::Eight, CornerRule::BothFree),
    );
    let ends: Vec<_> = [&world, &plain]
        .into_iter()
        .map(|world| {
            let movement: &Movement = &world.movement;
            let mut crowd = Crowd::new(movement.grid().clone(), CrowdOptions::default()).unwrap();
            crowd.add(movement, spec(0.5, 0.5)).unwrap();
            for _ in 0..200 {
                step(&mut crowd, world, 0.05);
            }
            crowd.state_hash()
        })
        .collect();
    assert_eq!(ends[0], ends[1]);
}

#[test]
fn an_agent_that_gathers_speed_or_creeps_is_not_called_blocked() {
    let world = World::of_map(
        &["........G"],
        &profile(Connectivity::Eight, CornerRule::BothFree),
    );
    for (dt, max_speed) in [(1.0 / 240.0, 1.5), (1.0 / 30.0, 1.5), (0.0001, 0.01), (1.0, 0.01)] {
        let mut crowd = crowd_of(&world);
        let id = crowd
            .add(
                &world.movement,
                AgentSpec {
                    max_speed,
                    ..spec(0.5, 0.5)
                },
            )
            .unwrap();
        for _ in 0..20 {
            step(&mut crowd, &world, dt);
            let view = crowd.get(id).unwrap();
            assert_eq!(
                (view.outcome, view.blocker),
                (Outcome::Moved, Blocker::Nothing),
                "dt {dt}"
            );
        }
    }
}

#[test]
fn the_report_counts_substeps_queries_and_sweeps() {
    let world = World::of_map(
        &["........G"],
        &profile(Connectivity::Eight, CornerRule::BothFree),
    );
    let mut crowd = crowd_of(&world);
    crowd.add(&world.movement, spec(0.5, 0.5)).unwrap();
    // 1.5 cells a second in pieces of at most a quarter of a cell.
    let report = step(&mut crowd, &world, 1.0);
    assert_eq!((report.substeps, report.direction_queries), (6, 6));
    assert!(report.sweeps >= 6);
    assert_eq!((report.sweep_refusals, report.resting, report.left), (0, 0, 0));
    assert_eq!(step(&mut crowd, &world, 0.1).substeps, 1);
    for _ in 0..100 {
        step(&mut crowd, &world, 0.2);
    }
    let report = step(&mut crowd, &world, 0.2);
    assert_eq!(
        (report.resting, report.arrived_total, report.direction_queries),
        (1, 1, 0)
    );
    assert_eq!(report.deepest_overlap, 0.0);
}

#[test]
fn who_left_is_told_with_the_place_and_only_until_the_next_step() {
    let world = World::of_map(
        &["........G"],
        &profile(Connectivity::Eight, CornerRule::BothFree),
    )
    .leaving();
    let mut crowd = crowd_of(&world);
    let id = crowd.add(&world.movement, spec(6.5, 0.5)).unwrap();
    let mut left = Vec::new();
    for _ in 0..120 {
        let report = step(&mut crowd, &world, 1.0 / 30.0);
        assert_eq!(report.left as usize, crowd.departures().len());
        left.extend_from_slice(crowd.departures());
    }
    assert_eq!(left.len(), 1);
    assert_eq!((left[0].id, left[0].position.column_row()), (id, (8, 0)));
    assert!(left[0].velocity[0] >= 0.0 && crowd.get(id).is_none() && crowd.departures().is_empty());
}
