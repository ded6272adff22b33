//! What an agent may do while its field is in the making.

use crate::kit::{cells, goal, navigator, navigator_with, open};
use thalweg::core::integrate::RouteStatus;
use thalweg::core::movement::{EdgeKind, PortalCost};
use thalweg::navigator::{Advice, FieldHandle, Navigator, NavigatorOptions, StopReason, WhileMaking};
use thalweg::prelude::*;
use thalweg_testkit::literal::map;
use thalweg_testkit::random_map::SplitMix64;

const POLICIES: [WhileMaking; 3] = [WhileMaking::KeepOld, WhileMaking::Stop, WhileMaking::SinglePath];

fn ask(navigator: &mut Navigator, field: FieldHandle, x: i32, y: i32, policy: WhileMaking) -> Advice {
    navigator.advice(field, Cell::new(x, y), policy).expect("alive")
}

fn next(advice: Advice) -> Option<Cell> {
    match advice {
        Advice::Follow { next, .. } | Advice::Path { next, .. } => Some(next),
        _ => None,
    }
}

#[test]
fn before_the_first_build_only_a_single_path_leads_on() {
    let (mut navigator, walker) = navigator(map(&["...", ".#.", "..."]));
    let field = navigator.request(walker, goal(2, 1)).expect("a field");
    let stop = Advice::Stop(StopReason::NotReady);
    assert_eq!(ask(&mut navigator, field, 0, 1, WhileMaking::KeepOld), stop);
    assert_eq!(ask(&mut navigator, field, 0, 1, WhileMaking::Stop), stop);
    let by = EdgeKind::Step(Direction::N);
    let path = Advice::Path {
        by,
        next: Cell::new(0, 0),
    };
    assert_eq!(ask(&mut navigator, field, 0, 1, WhileMaking::SinglePath), path);
    assert_eq!(
        ask(&mut navigator, field, 2, 1, WhileMaking::SinglePath),
        Advice::Arrived
    );
}

#[test]
fn a_field_that_is_right_is_followed_whatever_the_policy() {
    let (mut navigator, walker) = navigator(map(&["...", ".#.", "..."]));
    let field = navigator.request(walker, goal(2, 1)).expect("a field");
    navigator.update(&Serial);
    for policy in POLICIES {
        let advice = ask(&mut navigator, field, 0, 1, policy);
        assert!(matches!(advice, Advice::Follow { .. }), "{policy:?}");
        assert_eq!(next(advice), Some(Cell::new(0, 0)), "{policy:?}");
        assert_eq!(
            ask(&mut navigator, field, 2, 1, policy),
            Advice::Arrived,
            "{policy:?}"
        );
        let reasons = [(9, 9, StopReason::AgentOutside), (1, 1, StopReason::AgentBlocked)];
        for (x, y, reason) in reasons {
            assert_eq!(
                ask(&mut navigator, field, x, y, policy),
                Advice::Stop(reason),
                "{policy:?}"
            );
        }
    }
}

#[test]
fn keeping_the_old_field_never_leads_into_a_new_wall() {
    // Random walls fall on random agents' ways; the advice must hold on the map as it is, at once.
    let (mut kept, mut closed) = (0, 0);
    for seed in 0..60 {
        let mut random = SplitMix64::new(seed);
        let (mut navigator, walker) = navigator(open(20, 20));
        let field = navigator.request(walker, goal(19, 10)).expect("a field");
        navigator.update(&Serial);
        for _ in 0..40 {
            let cell = Cell::new(random.below(20) as i32, random.below(20) as i32);
            navigator
                .map_mut()
                .set(cell, Cost::IMPASSABLE)
                .expect("on the map");
        }
        let movement = navigator.movement(walker).expect("a movement");
        for id in movement.grid().ids() {
            let cell = movement.grid().cell(id);
            let advice = navigator
                .advice(field, cell, WhileMaking::KeepOld)
                .expect("alive");
            match advice {
                Advice::Follow {
                    by: EdgeKind::Step(direction),
                    next,
                    ..
                } => {
                    assert!(movement.exits(id).contains(direction), "seed {seed} at {cell}");
                    assert_eq!(movement.step_target(id, direction), movement.grid().id(next));
                    kept += 1;
                }
                Advice::Stop(StopReason::WayClosed) => {
                    let mut reader = navigator.reader(field).expect("alive");
                    let old = reader.latest().expect("published").bundle().flow().successors(id);
                    assert!(
                        old.iter()
                            .all(|direction| !movement.exits(id).contains(direction))
                    );
                    closed += 1;
                }
                Advice::Stop(reason) => {
                    assert!(
                        matches!(reason, StopReason::AgentBlocked | StopReason::Stale),
                        "{reason:?}"
                    );
                }
                other => panic!("seed {seed} at {cell}: {other:?}"),
            }
        }
    }
    assert!(kept > 10_000 && closed > 300, "{kept} kept, {closed} closed");
}

#[test]
fn stopping_means_stopping_and_says_that_the_field_is_stale() {
    let (mut navigator, walker) = navigator(open(5, 5));
    let field = navigator.request(walker, goal(4, 2)).expect("a field");
    navigator.update(&Serial);
    navigator
        .map_mut()
        .set(Cell::new(2, 2), Cost::IMPASSABLE)
        .expect("on the map");
    let stop = Advice::Stop(StopReason::Stale);
    assert_eq!(ask(&mut navigator, field, 0, 2, WhileMaking::Stop), stop);
    // Where the goal was, an agent that keeps the old field waits too.
    navigator.set_goals(field, goal(0, 0)).expect("alive");
    assert_eq!(ask(&mut navigator, field, 4, 2, WhileMaking::KeepOld), stop);
}

#[test]
fn a_single_path_is_the_one_the_new_field_will_lead_along() {
    let mut compared = 0;
    for seed in 0..150 {
        let drawn = thalweg_testkit::random_map::small_map(seed + 41_000_000);
        let goals = drawn
            .goals
            .iter()
            .cloned()
            .fold(GoalSet::new(), GoalSet::with_goal);
        let goals = goals.with_blocked_goals(BlockedGoals::Skip);
        let (mut navigator, walker) = navigator(drawn.costs.clone());
        let field = navigator.request(walker, goals).expect("a field");
        let cells = cells(&navigator);
        let before: Vec<_> = cells
            .iter()
            .map(|&cell| {
                navigator
                    .advice(field, cell, WhileMaking::SinglePath)
                    .expect("alive")
            })
            .collect();
        navigator.update(&Serial);
        let free_steps = navigator.movement(walker).expect("a movement").has_zero_steps();
        for (cell, path) in cells.into_iter().zip(before) {
            let right = navigator
                .advice(field, cell, WhileMaking::KeepOld)
                .expect("alive");
            match (path, right) {
                (Advice::Path { .. }, Advice::Follow { .. }) => {
                    if !free_steps {
                        assert_eq!(next(path), next(right), "seed {seed} at {cell}");
                        compared += 1;
                    }
                }
                // Where only unknown ground would lead on, a search sees no way, and the field says that it does not know.
                (Advice::Stop(StopReason::Unreachable), Advice::Stop(StopReason::CutOff)) => {}
                _ => assert_eq!(path, right, "seed {seed} at {cell}"),
            }
        }
    }
    assert!(compared > 1_500, "{compared} compared");
}

#[test]
fn single_paths_are_remembered_until_the_map_or_the_goals_change() {
    let (mut navigator, walker) = navigator(open(30, 30));
    let field = navigator.request(walker, goal(29, 15)).expect("a field");
    // An agent that walks its path asks at every cell, and only the first question is searched.
    let walk = |navigator: &mut Navigator| {
        let mut cell = Cell::new(0, 3);
        let mut steps = 0;
        while let Some(there) = next(
            navigator
                .advice(field, cell, WhileMaking::SinglePath)
                .expect("alive"),
        ) {
            cell = there;
            steps += 1;
        }
        (cell, steps)
    };
    assert_eq!(walk(&mut navigator), (Cell::new(29, 15), 29));
    assert_eq!(navigator.stats().paths_searched, 1);
    navigator
        .map_mut()
        .set(Cell::new(28, 15), Cost::IMPASSABLE)
        .expect("on the map");
    assert_eq!(walk(&mut navigator).0, Cell::new(29, 15));
    assert_eq!(navigator.stats().paths_searched, 2);
    navigator.set_goals(field, goal(29, 29)).expect("alive");
    assert_eq!(walk(&mut navigator).0, Cell::new(29, 29));
    assert_eq!(navigator.stats().paths_searched, 3);
}

#[test]
fn with_components_an_unreachable_goal_is_told_without_any_search() {
    let mut costs = open(30, 30);
    costs
        .set_rect(Cell::new(0, 15), Cell::new(29, 15), Cost::IMPASSABLE)
        .expect("on the map");
    let (mut navigator, walker) = navigator(costs);
    let field = navigator.request(walker, goal(29, 29)).expect("a field");
    let (north, south) = (Cell::new(0, 0), Cell::new(0, 29));
    assert_eq!(navigator.can_reach(walker, north, Cell::new(29, 29)), Ok(false));
    assert_eq!(navigator.can_reach(walker, south, Cell::new(29, 29)), Ok(true));
    assert_eq!(navigator.can_reach(walker, south, Cell::new(29, 99)), Ok(false));
    for x in 0..30 {
        let advice = ask(&mut navigator, field, x, 3, WhileMaking::SinglePath);
        assert_eq!(advice, Advice::Stop(StopReason::Unreachable));
    }
    let stats = navigator.stats();
    assert_eq!((stats.paths_searched, stats.components_labelled), (0, 1));
    // They are those of the map as it is.
    navigator
        .map_mut()
        .set(Cell::new(3, 15), Cost::PLAIN)
        .expect("on the map");
    assert_eq!(navigator.can_reach(walker, north, Cell::new(29, 29)), Ok(true));
    assert!(next(ask(&mut navigator, field, 0, 3, WhileMaking::SinglePath)).is_some());
}

#[test]
fn a_wall_that_would_seal_the_map_is_told_before_it_is_placed() {
    let (mut navigator, walker) = navigator(map(&["..#..", ".....", "..#.."]));
    let before = navigator.map().versions(walker);
    let gate = navigator
        .would_cut_off(walker, &[Cell::new(2, 1)])
        .expect("a profile");
    assert!(gate.cuts_anyone_off());
    assert_eq!(gate.cells_cut_off(), 6);
    let beside = navigator
        .would_cut_off(walker, &[Cell::new(1, 0)])
        .expect("a profile");
    assert!(!beside.cuts_anyone_off());
    assert_eq!(navigator.map().versions(walker), before, "nothing was placed");
    assert_eq!(navigator.stats().components_labelled, 1);
}

#[test]
fn a_search_that_would_take_too_long_is_given_up_and_says_so() {
    let options = NavigatorOptions::new().with_path_cells(50);
    let (mut navigator, walker) = navigator_with(open(40, 40), MovementProfile::new(), options);
    let field = navigator.request(walker, goal(39, 20)).expect("a field");
    let far = ask(&mut navigator, field, 0, 3, WhileMaking::SinglePath);
    assert_eq!(far, Advice::Stop(StopReason::SearchLimit));
    let near = ask(&mut navigator, field, 36, 20, WhileMaking::SinglePath);
    assert_eq!(next(near), Some(Cell::new(37, 20)));
}

#[test]
fn portals_are_followed_by_where_they_lead_when_others_were_taken_away() {
    let (mut navigator, walker) = navigator(map(&["....#....", "....#...."]));
    let edges = navigator.map_mut();
    let unit = PortalCost::Units(1);
    let first = edges
        .add_portal(Cell::new(0, 0), Cell::new(1, 1), unit)
        .expect("a portal");
    edges
        .add_portal(Cell::new(3, 0), Cell::new(5, 0), unit)
        .expect("a portal");
    let field = navigator.request(walker, goal(8, 0)).expect("a field");
    navigator.update(&Serial);
    navigator.map_mut().remove_portal(first).expect("there is one");
    for policy in [WhileMaking::KeepOld, WhileMaking::SinglePath] {
        let advice = ask(&mut navigator, field, 3, 0, policy);
        assert_eq!(next(advice), Some(Cell::new(5, 0)), "{policy:?}");
    }
    // With the portal gone there is no way at all, and an old field says nothing of it.
    let second = thalweg::core::movement::PortalIndex(1);
    navigator.map_mut().remove_portal(second).expect("there is one");
    let closed = Advice::Stop(StopReason::WayClosed);
    assert_eq!(ask(&mut navigator, field, 3, 0, WhileMaking::KeepOld), closed);
    let none = Advice::Stop(StopReason::Unreachable);
    assert_eq!(ask(&mut navigator, field, 3, 0, WhileMaking::SinglePath), none);
}

#[test]
fn every_kind_of_no_is_told_apart() {
    let (mut navigator, walker) = navigator(map(&["..#."]));
    let field = navigator.request(walker, goal(3, 0)).expect("a field");
    let status =
        |navigator: &mut Navigator, x| navigator.route_status(field, Cell::new(x, 0)).expect("alive");
    assert_eq!(status(&mut navigator, 3), RouteStatus::NotReady);
    assert_eq!(
        status(&mut navigator, -3),
        RouteStatus::AgentOutside,
        "bad input is told without a field"
    );
    assert_eq!(status(&mut navigator, 2), RouteStatus::AgentBlocked);
    navigator.update(&Serial);
    assert_eq!(status(&mut navigator, 0), RouteStatus::Unreachable);
    assert_eq!(status(&mut navigator, 3), RouteStatus::Ok(CostToGoal(0)));
    navigator
        .map_mut()
        .set(Cell::new(0, 0), Cost::from_byte(2))
        .expect("on the map");
    assert_eq!(status(&mut navigator, 0), RouteStatus::Stale);
    navigator.set_goals(field, goal(2, 0)).expect("alive");
    assert_eq!(status(&mut navigator, 0), RouteStatus::GoalBlocked);
    navigator.set_goals(field, goal(9, 0)).expect("alive");
    assert_eq!(status(&mut navigator, 0), RouteStatus::GoalOutside);
    let limited = BuildOptions::new().with_cost_limit(0);
    let near = navigator
        .request_with(walker, goal(1, 0), limited)
        .expect("a field");
    navigator.update(&Serial);
    assert_eq!(
        navigator.route_status(near, Cell::new(0, 0)),
        Ok(RouteStatus::CutOff)
    );
}
