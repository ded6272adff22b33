//! Goals met by bodies, what becomes of goals that no body has room for, and the words and limits of footprints.

use thalweg_core::cost::CostField;
use thalweg_core::expanded::{
    IncomingState, TimeField, TimeOptions, Timetable, TurnCosts, TurnField, check_time, check_turns,
};
use thalweg_core::grid::{Cell, CellId};
use thalweg_core::integrate::{
    BlockedGoals, Engine, Goal, GoalError, GoalMeeting, GoalSet, Reach, RouteStatus, nearest_reachable,
    route_status,
};
use thalweg_core::movement::{CornerRule, Footprint, FootprintError, Movement, MovementProfile};
use thalweg_testkit::literal::map;
use thalweg_testkit::solve::solve;

fn body(text: &str) -> Footprint {
    text.parse().unwrap()
}

fn profile(text: &str) -> MovementProfile {
    MovementProfile::new().with_footprint(body(text))
}

fn cells(movement: &Movement, ids: &[CellId]) -> Vec<(i32, i32)> {
    let cell = |&id: &CellId| movement.grid().cell(id);
    ids.iter().map(cell).map(|cell| (cell.x, cell.y)).collect()
}

#[test]
fn a_body_has_reached_a_goal_where_it_lies_over_the_centre_of_the_cell() {
    let costs = map(&[".....", ".....", ".....", ".....", "....."]);
    let met = |text: &str, x, y| {
        let movement = Movement::compile(&costs, &profile(text));
        cells(&movement, &movement.anchors_meeting(Cell::new(x, y)))
    };
    assert_eq!(met("point", 2, 2), [(2, 2)]);
    assert_eq!(met("square:2", 2, 2), [(1, 1), (2, 1), (1, 2), (2, 2)]);
    assert_eq!(met("rectangle:3x1", 0, 4), [(0, 4)]);
    // Radius 0.99 covers parts of the neighbours, but not their centres; radius 1 touches them.
    assert_eq!(met("disc:0.99", 2, 2), [(2, 2)]);
    assert_eq!(met("disc:1", 2, 2), [(2, 1), (1, 2), (2, 2), (3, 2), (2, 3)]);
    // In the corner the disc has no room, but from beside it lies over the corner's centre.
    assert_eq!(met("disc:1.45", 0, 0), [(1, 1)]);
    assert_eq!(met("disc:1.4", 0, 0), []);
    assert_eq!(met("disc:1", -1, 2), []);
    assert_eq!(met("square:2", 9, 9), []);
}

#[test]
fn goals_without_room_are_told_apart_from_goals_in_walls_and_follow_the_policy() {
    // A pocket one cell wide: a 2 x 2 body cannot enter it.
    let costs = map(&["....#...", "....#.#.", "....###.", "........"]);
    let movement = Movement::compile(&costs, &profile("square:2"));
    let pocket = Cell::new(5, 1);
    let goals = GoalSet::from_cells([pocket]);
    let error = goals.resolve(&movement).unwrap_err();
    assert_eq!(
        error,
        GoalError::NoRoom {
            goal: 0,
            cell: pocket,
            footprint: body("square:2")
        }
    );
    assert_eq!(
        error.to_string(),
        "no body of footprint square:2 has room to meet goal 0 at (5,1)"
    );
    assert!(matches!(
        GoalSet::from_cells([Cell::new(4, 0)]).resolve(&movement),
        Err(GoalError::Blocked { known: true, .. })
    ));
    assert!(matches!(
        GoalSet::from_cells([Cell::new(8, 0)]).resolve(&movement),
        Err(GoalError::Outside { .. })
    ));
    assert_eq!(
        route_status(&movement, Err(&error), None, Cell::new(0, 0)),
        RouteStatus::GoalBlocked
    );
    // An anchor has no room at (3,0): the body would cover the wall.
    assert_eq!(
        route_status(&movement, Err(&error), None, Cell::new(3, 0)),
        RouteStatus::AgentBlocked
    );
    // From the middle of the body: (2.5, 0.5) or (2.5, 1.5) is 2.5 cells off the pocket's centre, both to the west.
    let nearest = goals.with_blocked_goals(BlockedGoals::NearestPassable);
    let resolved = nearest.resolve(&movement).unwrap();
    assert_eq!(resolved.report().moved, [(0, pocket, Cell::new(2, 0))]);
    assert_eq!(resolved.report().blocked, [(0, pocket)]);
    let start = movement.grid().id(Cell::new(0, 0)).unwrap();
    assert_eq!(
        nearest_reachable(&movement, start, pocket).map(|id| movement.grid().cell(id)),
        Some(Cell::new(2, 0))
    );
}

#[test]
fn anchors_take_bias_and_label_of_the_better_goal_and_shared_anchors_are_no_duplicates() {
    let costs = map(&[".......", "......."]);
    let goals = GoalSet::new()
        .with_goal(Goal::cell(Cell::new(2, 0)).with_bias(5))
        .with_goal(Goal::cell(Cell::new(3, 0)))
        .with_goal(Goal::area([Cell::new(4, 0), Cell::new(3, 0), Cell::new(4, 0)]));
    let solved = solve(&costs, &profile("square:2"), &goals, Engine::Auto);
    // (2,0) lies over both of the first two goals: the bias of 0 wins; (3,0) ties and the lower index wins.
    assert_eq!(solved.cost_at(2, 0), Some(0));
    assert_eq!(solved.goal_at(2, 0), Some(1));
    assert_eq!(solved.goal_at(3, 0), Some(1));
    assert_eq!(solved.goal_at(4, 0), Some(2));
    assert_eq!(solved.cost_at(1, 0), Some(5));
    assert_eq!(solved.goal_at(1, 0), Some(0));
    let resolved = goals.resolve(&solved.movement).unwrap();
    // (3,0) is named by two goals, (4,0) twice by one.
    assert_eq!(resolved.report().duplicates, 2);
    let by_anchor = goals
        .with_meeting(GoalMeeting::ByAnchor)
        .resolve(&solved.movement)
        .unwrap();
    let seeds: Vec<CellId> = by_anchor.seeds().iter().map(|seed| seed.cell).collect();
    assert_eq!(cells(&solved.movement, &seeds), [(2, 0), (3, 0), (3, 0), (4, 0)]);
}

#[test]
fn an_anchor_over_unknown_ground_is_unknown_unless_a_wall_is_under_it() {
    let costs: CostField = map(&["......", "..?...", ".....#"]);
    let movement = Movement::compile(&costs, &profile("square:2"));
    let known = |x, y| movement.is_known(movement.grid().id(Cell::new(x, y)).unwrap());
    assert!(!known(1, 0) && !known(2, 0) && !known(1, 1) && !known(2, 1));
    assert!(known(0, 0) && known(4, 1) && known(5, 0));
    let goals = GoalSet::from_cells([Cell::new(0, 0)]);
    let solved = solve(&costs, &profile("square:2"), &goals, Engine::Auto);
    assert_eq!(solved.field.reach(solved.id(1, 1)), Reach::Unknown);
    assert_eq!(solved.field.reach(solved.id(4, 1)), Reach::Unreachable);
    assert_eq!(solved.field.reach(solved.id(5, 2)), Reach::Unreachable);
    // Beside the wall's cell the answer is known whatever the unknown cell is.
    let costs = map(&["?#", ".."]);
    let movement = Movement::compile(&costs, &profile("square:2"));
    assert!(movement.is_known(CellId(0)));
    assert_eq!(movement.costs()[0], 255);
}

#[test]
fn the_corner_rule_in_force_of_a_body_is_both_free_and_a_disc_within_its_cell_keeps_off_corners() {
    let costs = map(&["..", ".#"]);
    for text in ["disc:0.2", "square:1"] {
        let loose = profile(text).with_corner_rule(CornerRule::Always);
        assert_eq!(loose.corner_rule_in_force(), CornerRule::BothFree);
        let strict = profile("point").with_corner_rule(CornerRule::BothFree);
        assert_eq!(
            Movement::compile(&costs, &loose).all_exits(),
            Movement::compile(&costs, &strict).all_exits()
        );
    }
    let point = profile("point").with_corner_rule(CornerRule::Always);
    assert_eq!(point.corner_rule_in_force(), CornerRule::Always);
}

#[test]
fn expanded_fields_of_a_body_agree_with_its_plain_field_where_turns_and_time_cost_nothing() {
    let costs = map(&["........", "..#.....", "......1.", "...2....", "........"]);
    for text in ["square:2", "disc:1.2", "rectangle:3x1"] {
        let goals = GoalSet::from_cells([Cell::new(6, 3), Cell::new(1, 4)]);
        let solved = solve(&costs, &profile(text), &goals, Engine::Auto);
        let resolved = goals.resolve(&solved.movement).unwrap();
        let turns = TurnField::build(
            &solved.movement,
            &resolved,
            &TurnCosts::per_eighth(0).unwrap(),
            u64::MAX,
        )
        .unwrap();
        check_turns(&solved.movement, &turns).unwrap();
        let table = Timetable::new(costs.grid().clone());
        let options = TimeOptions::new(3, 1, u64::MAX);
        let times = TimeField::build(&solved.movement, &resolved, &table, &options).unwrap();
        check_time(&solved.movement, &times).unwrap();
        for id in costs.grid().ids() {
            let plain = solved.field.reach(id);
            assert_eq!(turns.reach(IncomingState::at_rest(id)), plain);
            assert_eq!(times.reach(id, 0), plain, "{text}");
        }
    }
}

#[test]
fn words_of_footprints_are_read_back_as_they_were_written() {
    for text in [
        "point",
        "square:1",
        "square:64",
        "rectangle:3x2",
        "disc:0.5",
        "disc:64",
        "disc:1.25",
    ] {
        assert_eq!(body(text).to_string(), text);
    }
    // A radius is kept in subcells; its word reads back to the same body.
    for radius in [0.1, 0.3, 1.0 / 3.0, 17.777] {
        let disc = Footprint::disc(radius, 1.0).unwrap();
        assert_eq!(disc.to_string().parse(), Ok(disc));
    }
    assert_eq!(body("rectangle:4x4"), body("square:4"));
    assert_eq!(Footprint::disc(0.9, 0.3), Footprint::disc(3.0, 1.0));
    assert_eq!(Footprint::disc(1e-30, 1.0), Footprint::disc(1.0 / 65_536.0, 1.0));
    for text in [
        "",
        "Point",
        "point:1",
        "square",
        "square:",
        "square:-1",
        "square:2x2",
        "rectangle:2",
        "rectangle:2x",
        "disc",
        "disc:x",
        "circle:1",
    ] {
        let error = text.parse::<Footprint>().unwrap_err();
        assert_eq!(error, FootprintError::Word { got: text.to_owned() }, "{text}");
    }
}

#[test]
fn footprints_beyond_their_limits_are_refused() {
    assert!(matches!(
        Footprint::square(0),
        Err(FootprintError::Side { width: 0, height: 0 })
    ));
    assert!(matches!(
        Footprint::rectangle(1, 65),
        Err(FootprintError::Side { .. })
    ));
    for radius in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(matches!(
            Footprint::disc(radius, 1.0),
            Err(FootprintError::Radius { .. })
        ));
        if radius != 1.0 {
            assert!(matches!(
                Footprint::disc(1.0, radius),
                Err(FootprintError::CellSize { .. })
            ));
        }
    }
    assert!(Footprint::disc(64.0, 1.0).is_ok());
    assert!(matches!(
        Footprint::disc(64.1, 1.0),
        Err(FootprintError::RadiusTooLarge { .. })
    ));
    assert!(matches!(
        Footprint::disc(1e300, 1e-300),
        Err(FootprintError::RadiusTooLarge { .. })
    ));
    assert!(matches!(
        "disc:NaN".parse::<Footprint>(),
        Err(FootprintError::Radius { .. })
    ));
    assert!(matches!(
        "square:65".parse::<Footprint>(),
        Err(FootprintError::Side { .. })
    ));
    assert_eq!(
        Footprint::square(65).unwrap_err().to_string(),
        "a body of 65 x 65 cells is not usable: each side must be 1 to 64 cells"
    );
    // A body larger than the map stands nowhere, and says so.
    let costs = map(&["...", "..."]);
    let movement = Movement::compile(&costs, &profile("disc:64"));
    assert!(costs.grid().ids().all(|id| !movement.is_passable(id)));
    let goals = GoalSet::from_cells([Cell::new(1, 1)]);
    assert!(matches!(goals.resolve(&movement), Err(GoalError::NoRoom { .. })));
    let nearest = goals.with_blocked_goals(BlockedGoals::NearestPassable);
    assert!(matches!(
        nearest.resolve(&movement),
        Err(GoalError::NoneUsable { goals: 1 })
    ));
}
