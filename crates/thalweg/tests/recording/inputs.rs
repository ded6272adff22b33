//! Inputs: what they do, and what becomes of those that do not fit.

use crate::kit::{TWO_ROOMS, agent, simulation, strict};
use thalweg::crowd::{AgentId, Blocker, GroupId, Outcome};
use thalweg::prelude::*;
use thalweg::scene::EventAction;
use thalweg::simulation::{Input, Place, TickReport};

fn step(simulation: &mut Simulation, inputs: &[Input]) -> TickReport {
    simulation.step_with(inputs, &Serial).expect("a checked scene")
}

fn said(report: &TickReport) -> Vec<String> {
    let refused = report.inputs.refused.iter();
    refused
        .map(|refused| format!("{}: {}", refused.index, refused.error))
        .collect()
}

const fn add(group: usize, x: i32, y: i32) -> Input {
    Input::Add {
        group,
        place: Place::Cell(Cell::new(x, y)),
    }
}

#[test]
fn agents_are_added_removed_held_let_go_pushed_and_given_other_groups() {
    let mut simulation = simulation(TWO_ROOMS);
    let report = step(&mut simulation, &[add(1, 10, 1), Input::HoldAgent(agent(0))]);
    let [(0, added)] = report.inputs.added[..] else {
        panic!("{:?}", report.inputs)
    };
    // Thirteen from the start, and one that the source let in after it.
    assert_eq!(simulation.crowd().len(), 15);
    let view = simulation.crowd().get(added).expect("it was added");
    assert_eq!((view.group, view.max_speed), (GroupId(1), 1.2));
    let held = simulation.crowd().get(agent(0)).expect("it is there");
    assert_eq!((held.outcome, held.blocker), (Outcome::Waiting, Blocker::Held));

    let before = simulation.crowd().get(agent(9)).expect("it is there").position;
    let inputs = [
        Input::LetGo(agent(0)),
        Input::Remove(added),
        Input::SetGroup {
            agent: agent(9),
            group: 0,
        },
        Input::Push {
            agent: agent(9),
            way: [0.0, -20.0],
        },
    ];
    let report = step(&mut simulation, &inputs);
    assert_eq!(said(&report), [""; 0]);
    assert_eq!(simulation.crowd().get(added), None);
    assert!(
        simulation.crowd().departures().is_empty(),
        "nobody has left by itself"
    );
    let view = simulation.crowd().get(agent(9)).expect("it is there");
    assert_eq!(view.group, GroupId(0));
    assert!(
        view.position.y < before.y,
        "it was pushed as far as the border of the map"
    );
    assert!(!simulation.crowd().get(agent(0)).expect("it is there").is_held);
}

#[test]
fn inputs_are_applied_in_their_order() {
    let close = Input::Act(EventAction::Close(0));
    let open = Input::Act(EventAction::Open(0));
    let on_the_door = add(0, 5, 3);
    let taken_in = |inputs: &[Input]| {
        let mut simulation = simulation(TWO_ROOMS);
        step(&mut simulation, inputs).inputs
    };
    assert_eq!(taken_in(&[close.clone(), on_the_door.clone()]).refused.len(), 1);
    assert_eq!(
        taken_in(&[close.clone(), open, on_the_door.clone()])
            .refused
            .len(),
        0
    );
    // A door that closes on somebody puts him beside it, as in a scene's own events.
    assert_eq!(taken_in(&[on_the_door, close]).added.len(), 1);
}

#[test]
fn an_input_that_does_not_fit_is_told_and_the_others_of_its_tick_count() {
    let nobody = AgentId::from_bits(77);
    let gone = AgentId::from_bits(1 << 32 | 2);
    let nan = [f32::NAN, 0.0];
    let far = Place::Point(MapPoint::new(i32::MAX, i32::MIN).on(9));
    let bad = vec![
        Input::Act(EventAction::Close(2)),
        Input::Act(EventAction::Take(1)),
        Input::Act(EventAction::Release(7)),
        Input::Act(EventAction::MoveGoal {
            goal: 2,
            to: Cell::new(0, 0),
        }),
        Input::Act(EventAction::MoveGoal {
            goal: 0,
            to: Cell::new(12, 0),
        }),
        Input::Act(EventAction::SetCost {
            corners: (Cell::new(0, 0), Cell::on(1, 0, 0)),
            cost: Cost::PLAIN,
        }),
        add(2, 0, 0),
        add(0, 5, 1),
        add(0, -1, 0),
        Input::Add { group: 0, place: far },
        Input::Remove(nobody),
        Input::Push {
            agent: gone,
            way: [0.0; 2],
        },
        Input::Push {
            agent: agent(1),
            way: nan,
        },
        Input::HoldAgent(nobody),
        Input::LetGo(gone),
        Input::SetGroup {
            agent: agent(1),
            group: usize::MAX,
        },
        Input::SetGroup {
            agent: nobody,
            group: 0,
        },
    ];
    let mut simulation = simulation(TWO_ROOMS);
    let report = step(&mut simulation, &bad);
    assert_eq!(report.inputs.added, []);
    assert_eq!(
        said(&report),
        [
            "0: there is no door 2: the scene has 2",
            "1: there is no overlay 1: the scene has 1",
            "2: there is no waiting zone 7: the scene has 1",
            "3: there is no goal 2: the scene has 2",
            "4: cell (12,0) lies outside the map of 2 layers (12 x 6 from (0,0), 5 x 2 from (0,0))",
            "5: the corners (0,0) and (0,0,1) are on different layers; a rectangle lies on one",
            "6: there is no group 2: the scene has 2",
            "7: agent position (5.5, 1.5) is on cell (5,1), which is impassable",
            "8: cell (-1,0) lies outside the map of 2 layers (12 x 6 from (0,0), 5 x 2 from (0,0))",
            "9: agent position (32767.99998474121, -32768, layer 9) lies outside the map of 2 layers (12 x 6 from (0,0), 5 x 2 from (0,0))",
            "10: agent 77v0 is not in the crowd",
            "11: agent 2v1 is not in the crowd",
            "12: a push by (NaN, 0) cells is longer than 1024 along an axis",
            "13: agent 77v0 is not in the crowd",
            "14: agent 2v1 is not in the crowd",
            "15: there is no group 18446744073709551615: the scene has 2",
            "16: agent 77v0 is not in the crowd",
        ]
    );
    // They have changed nothing: the tick is that of a run without them.
    let mut plain = crate::kit::simulation(TWO_ROOMS);
    assert_eq!(step(&mut plain, &[]).hash, report.hash);
    // Neither do they hinder others.
    let mixed = [&bad[..], &[Input::Remove(agent(4))], &bad[..]].concat();
    let report = step(&mut simulation, &mixed);
    assert_eq!(report.inputs.refused.len(), 2 * bad.len());
    assert_eq!(report.hash, step(&mut plain, &[Input::Remove(agent(4))]).hash);
}

#[test]
fn strict_mode_refuses_what_it_does_not_have() {
    let text = strict();
    let mut simulation = simulation(&text);
    let taken = simulation.crowd().get(agent(3)).expect("it is there").position;
    let taken = simulation
        .crowd()
        .grid()
        .cell(taken.cell_id(simulation.crowd().grid()).expect("on the map"));
    let report = step(
        &mut simulation,
        &[
            Input::Push {
                agent: agent(0),
                way: [1.0, 0.0],
            },
            Input::Add {
                group: 0,
                place: Place::Point(MapPoint::new(0, 0)),
            },
            add(0, taken.x, taken.y),
        ],
    );
    let said = said(&report);
    assert_eq!(
        said[..2],
        [
            "0: an agent is pushed, which strict mode does not have",
            "1: an agent is added at a point, which strict mode does not have",
        ]
    );
    assert!(
        said[2].starts_with(&format!("2: agent cell {taken} is taken: agent 3v0")),
        "{}",
        said[2]
    );
}

#[test]
fn a_body_of_strict_mode_joins_only_groups_of_its_like() {
    let two = "[[profile]]\nname = \"cart\"\nfootprint = \"square:2\"\n[[group]]\nname = \"carts\"\ncount = 1\ncells = [[9, 1]]\ngoals = [\"east\"]\nprofile = \"cart\"\nspeed = 1.2\n";
    let text = strict() + two;
    let mut simulation = simulation(&text);
    let report = step(
        &mut simulation,
        &[Input::SetGroup {
            agent: agent(0),
            group: 2,
        }],
    );
    let refused = "0: agent 0v0 has a body of point (in cells), and group 2 one of square:2";
    assert_eq!(said(&report), [refused]);
    // The next tick is stepped all the same.
    step(
        &mut simulation,
        &[Input::SetGroup {
            agent: agent(0),
            group: 1,
        }],
    );
    step(&mut simulation, &[]);
}

#[test]
fn a_hold_by_an_input_and_a_waiting_zone_do_not_undo_each_other() {
    let mut simulation = simulation(TWO_ROOMS);
    let is_held = |simulation: &Simulation, who| simulation.crowd().get(who).is_some_and(|view| view.is_held);
    // The scene's own events hold the zone in the first tick and release it in the second.
    step(&mut simulation, &[]);
    step(&mut simulation, &[Input::Act(EventAction::Hold(0))]);
    // Somebody walks into the zone and is held by it.
    let waits = (0..60).find_map(|_| {
        step(&mut simulation, &[]);
        simulation
            .crowd()
            .agents()
            .find(|(_, view)| view.is_held)
            .map(|(id, _)| id)
    });
    let waits = waits.expect("the zone is on the way");
    // An input that lets it go does not take it out of the zone.
    step(&mut simulation, &[Input::LetGo(waits)]);
    assert!(is_held(&simulation, waits));
    // Released by the zone, it stays held by an input.
    step(&mut simulation, &[Input::HoldAgent(waits)]);
    step(&mut simulation, &[Input::Act(EventAction::Release(0))]);
    assert!(is_held(&simulation, waits));
    step(&mut simulation, &[Input::LetGo(waits)]);
    assert!(!is_held(&simulation, waits));
}

#[test]
fn a_goal_that_was_moved_by_an_input_is_walked_to() {
    let mut simulation = simulation(TWO_ROOMS);
    step(
        &mut simulation,
        &[Input::Act(EventAction::MoveGoal {
            goal: 0,
            to: Cell::new(0, 0),
        })],
    );
    assert_eq!(simulation.goal_cells()[0], [Cell::new(0, 0)]);
    let field = simulation.field_of_group(0).expect("a field");
    assert_eq!(field.query(Cell::new(0, 0)).cost(), Some(CostToGoal(0)));
}

#[test]
fn every_input_says_what_it_is() {
    let said: Vec<String> = crate::kit::every_kind(false)
        .concat()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        said,
        [
            "close door 0",
            "hold agent 2v0",
            "put overlay 0",
            "add to group 0 on (0,5)",
            "add to group 1 on (11,3)",
            "hold waiting zone 0",
            "agent 1v0 joins group 1",
            "remove agent 9v0",
            "open door 0",
            "set cost 9 from (6,0) to (6,5)",
            "move goal 0 to (11,0)",
            "take overlay 0",
            "let agent 2v0 go",
            "release waiting zone 0",
            "push agent 4v0 by (0.75, -0.5)",
            "add to group 0 at (0.457763671875, 0.6103515625, layer 1)",
        ]
    );
}

#[test]
fn each_who_is_added_draws_a_speed_of_its_own() {
    let mut simulation = simulation(TWO_ROOMS);
    let report = step(&mut simulation, &[add(0, 0, 0), add(0, 1, 0), add(0, 2, 0)]);
    let speeds: Vec<f32> = report
        .inputs
        .added
        .iter()
        .filter_map(|&(_, id)| simulation.crowd().get(id))
        .map(|view| view.max_speed)
        .collect();
    assert_eq!(speeds.len(), 3);
    assert!(speeds.iter().all(|speed| (1.0..=1.5).contains(speed)));
    assert!(
        speeds[0] != speeds[1] && speeds[1] != speeds[2] && speeds[0] != speeds[2],
        "{speeds:?}"
    );
}

#[test]
fn whoever_is_added_is_counted_from_its_first_step_on() {
    let line = "[[count_line]]\nname = \"loft\"\nfrom = [4, 0, 1]\nto = [4, 2, 1]\n";
    let mut simulation = simulation(&format!("{TWO_ROOMS}{line}"));
    // The source lets nobody in in the second tick.
    step(&mut simulation, &[]);
    // A hundredth of a cell from the line, upstairs, where nobody else is; the way out leads west.
    let place = Place::Point(MapPoint::new(4 * 65_536 + 655, 32_768).on(1));
    step(&mut simulation, &[Input::Add { group: 0, place }]);
    assert_eq!(simulation.recorders().lines()[0].passages().len(), 1);
}
