//! Time fields equal a brute force over cells and ticks.
//!
//! Many more worlds: `THALWEG_LONG=1 cargo test -p thalweg-core --release --test expanded_time`.

use std::collections::BTreeSet;
use thalweg_core::cost::CostField;
use thalweg_core::expanded::{
    Beyond, ExpandedError, Presence, StateViolation, StepTicks, TickSpan, TimeAction, TimeField, TimeOptions,
    Timetable, check_time, print_tick,
};
use thalweg_core::grid::{Cell, CellId, Direction, Grid};
use thalweg_core::integrate::{Engine, Goal, GoalSet, Reach};
use thalweg_core::movement::{EdgeKind, Movement, MovementProfile};
use thalweg_testkit::cases::say;
use thalweg_testkit::expanded::TimedWorld;
use thalweg_testkit::literal::map;
use thalweg_testkit::oracle::Oracle;
use thalweg_testkit::random_map::{SplitMix64, small_map};
use thalweg_testkit::solve::{profiles, scale, solve};

const NO_LIMIT: u64 = u64::MAX;

fn rounds(short: u64) -> u64 {
    if std::env::var_os("THALWEG_LONG").is_some() {
        short * 20
    } else {
        short
    }
}

fn goal_set(goals: &[Goal]) -> GoalSet {
    goals.iter().cloned().fold(GoalSet::new(), GoalSet::with_goal)
}

/// The same rule for the brute force.
type TicksOf = fn(u64) -> u32;

/// A random timetable, in the core's form and tick by tick.
fn draw_timetable(random: &mut SplitMix64, world: &mut TimedWorld) -> Timetable {
    let grid = world.costs.grid().clone();
    let mut table = Timetable::new(grid.clone());
    let end = u32::try_from(grid.len()).unwrap();
    let last = world.horizon;
    for _ in 0..random.below(7) {
        let id = CellId(random.below(end));
        let cell = grid.cell(id);
        let from = random.below(last + 1);
        let span = TickSpan::new(from, from + 1 + random.below(4));
        let inside = |tick: u32| (span.from..span.to).contains(&tick);
        match random.below(4) {
            0 => {
                table.close_cell(cell, span).unwrap();
                world
                    .closed_cells
                    .extend((span.from..span.to).map(|tick| (id.index(), tick)));
            }
            1 => {
                table.open_cell_only(cell, &[span]).unwrap();
                let closed = (0..=last).filter(|&tick| !inside(tick));
                world.closed_cells.extend(closed.map(|tick| (id.index(), tick)));
            }
            2 => {
                let walk: Vec<CellId> = (0..1 + random.below(5))
                    .map(|_| CellId(random.below(end)))
                    .collect();
                let cells: Vec<Cell> = walk.iter().map(|&id| grid.cell(id)).collect();
                table.add_patrol(from, &cells).unwrap();
                world
                    .closed_cells
                    .extend(walk.iter().map(|id| id.index()).zip(from..));
            }
            _ => {
                let Some(to) = grid.neighbour(id, random.pick(&thalweg_core::grid::DIRECTIONS)) else {
                    continue;
                };
                let only = random.percent(50);
                if only {
                    table.open_edge_only(cell, grid.cell(to), &[span]).unwrap();
                } else {
                    table.close_edge(cell, grid.cell(to), span).unwrap();
                }
                let closed = (0..=last + 4).filter(|&tick| inside(tick) != only);
                world
                    .closed_edges
                    .extend(closed.map(|tick| (id.index(), to.index(), tick)));
            }
        }
    }
    table
}

#[test]
fn every_cell_and_tick_costs_what_a_forward_search_from_it_finds() {
    const TICKS: [(StepTicks, TicksOf); 4] = [
        (StepTicks::Fixed(1), |_| 1),
        (StepTicks::Fixed(3), |_| 3),
        (StepTicks::PerCost(10), |cost| {
            u32::try_from(cost.div_ceil(10).max(1)).unwrap()
        }),
        (StepTicks::PerCost(700), |cost| {
            u32::try_from(cost.div_ceil(700).max(1)).unwrap()
        }),
    ];
    const BODIES: [&str; 5] = [
        "square:2",
        "rectangle:1x2",
        "rectangle:3x1",
        "disc:0.4",
        "disc:0.8",
    ];
    let (mut worlds, mut states, mut later, mut waits) = (0u32, 0u32, 0u32, 0u32);
    let mut bodies = 0u32;
    let mut seed = 0;
    while u64::from(worlds) < rounds(1_000) {
        seed += 1;
        let drawn = small_map(seed + 40_000_000);
        if drawn.costs.grid().len() > 24 {
            continue;
        }
        worlds += 1;
        let mut random = SplitMix64::new(seed);
        let mut profile = random.pick(&profiles(scale(10, 14)));
        let (step_ticks, ticks) = random.pick(&TICKS);
        let wait = random.pick(&[None, Some(0), Some(1), Some(10), Some(300)]);
        let mut on_both = random.percent(50);
        if seed % 4 == 0 {
            profile = profile.with_footprint(random.pick(&BODIES).parse().unwrap());
            on_both = true;
        }
        let goes_on = random.percent(50);
        let mut world = TimedWorld {
            costs: drawn.costs.clone(),
            profile,
            closed_cells: BTreeSet::new(),
            closed_edges: BTreeSet::new(),
            horizon: random.below(9),
            goes_on,
            wait: wait.map(u64::from),
            ticks,
            on_both,
        };
        let table = draw_timetable(&mut random, &mut world);
        let mut options = TimeOptions::new(world.horizon, wait.unwrap_or(0), NO_LIMIT)
            .with_step_ticks(step_ticks)
            .with_presence(if on_both {
                Presence::Both
            } else {
                Presence::LeftUntilArrival
            })
            .with_beyond(if goes_on { Beyond::Static } else { Beyond::Nothing });
        if wait.is_none() {
            options = options.without_waiting();
        }
        let movement = Movement::compile(&drawn.costs, &profile);
        let set = goal_set(&drawn.goals);
        let Ok(goals) = set.resolve(&movement) else {
            assert!(!profile.footprint.is_point(), "seed {seed}");
            continue;
        };
        bodies += u32::from(!profile.footprint.is_point());
        let field = TimeField::build(&movement, &goals, &table, &options).unwrap();
        let context = format!("seed {seed} {profile:?} {options:?} {table:?}");
        assert_eq!(check_time(&movement, &field), Ok(()), "{context}");
        let oracle = Oracle::new(&drawn.costs, &profile);
        let expected = world.cost_to_goals(&oracle.goals_of(&drawn.costs, &set));
        for (tick, row) in (0u32..).zip(&expected) {
            for (id, &expected) in drawn.costs.grid().ids().zip(row) {
                let got = field.cost(id, tick).map(|cost| u64::from(cost.0));
                assert_eq!(
                    got,
                    expected,
                    "{context}\n{} at tick {tick}\n{}",
                    drawn.costs.grid().cell(id),
                    print_tick(&field, tick)
                );
                states += 1;
                later += u32::from(field.cost(id, 0) != field.cost(id, tick));
                let first = field.next(&movement, id, tick);
                waits += u32::from(first == Some(TimeAction::Wait));
                let is_end = field.is_goal(id, tick) || tick == world.horizon;
                assert_eq!(
                    first.is_some(),
                    got.is_some() && !is_end,
                    "{context} {id:?} {tick}"
                );
            }
        }
    }
    say(&format!(
        "time: {worlds} worlds ({bodies} of bodies), {states} states, {later} differ from tick 0, {waits} wait"
    ));
    assert!(
        states > 30_000 && later > 3_000 && waits > 300 && bodies > 50,
        "{states} {later} {waits} {bodies}"
    );
}

#[test]
fn with_an_empty_timetable_every_tick_is_the_plain_field() {
    for seed in 0..rounds(100) {
        let drawn = small_map(seed + 41_000_000);
        for profile in profiles(scale(10, 14)) {
            let goals = goal_set(&drawn.goals);
            let plain = solve(&drawn.costs, &profile, &goals, Engine::Auto);
            let resolved = goals.resolve(&plain.movement).unwrap();
            let table = Timetable::new(drawn.costs.grid().clone());
            let options = TimeOptions::new(4, 5, NO_LIMIT);
            let field = TimeField::build(&plain.movement, &resolved, &table, &options).unwrap();
            for id in drawn.costs.grid().ids() {
                for tick in [0, 1, 3, 4, 5, 1_000, u32::MAX] {
                    assert_eq!(field.reach(id, tick), plain.field.reach(id), "seed {seed} {tick}");
                }
            }
        }
    }
}

/// A corridor with a door at (2,0) that opens at tick 20, and a way round.
fn door_world() -> (CostField, Timetable) {
    let costs = map(&["...G", ".##.", ".##.", "...."]);
    let mut table = Timetable::new(costs.grid().clone());
    table
        .open_cell_only(Cell::new(2, 0), &[TickSpan::new(20, 100)])
        .unwrap();
    (costs, table)
}

#[test]
fn a_closed_door_is_waited_for_if_that_is_cheaper_than_the_way_round() {
    let (costs, table) = door_world();
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let goals = GoalSet::from_cells([Cell::new(3, 0)]).resolve(&movement).unwrap();
    let before_the_door = costs.grid().id(Cell::new(1, 0)).unwrap();
    let build = |wait, presence| {
        let options = TimeOptions::new(50, wait, NO_LIMIT).with_presence(presence);
        TimeField::build(&movement, &goals, &table, &options).unwrap()
    };
    let cheap = build(1, Presence::Both);
    assert_eq!(cheap.cost(before_the_door, 0).unwrap().0, 20 + 20);
    assert_eq!(cheap.next(&movement, before_the_door, 0), Some(TimeAction::Wait));
    assert!(matches!(
        cheap.next(&movement, before_the_door, 20),
        Some(TimeAction::Move { edge, ticks: 1 }) if edge.kind == EdgeKind::Step(Direction::E)
    ));
    // Who may enter in the tick in which the door opens leaves one tick earlier.
    let early = build(1, Presence::LeftUntilArrival);
    assert_eq!(early.cost(before_the_door, 0).unwrap().0, 19 + 20);
    // Where waiting is dearer than a step, pacing to and fro would be cheaper than it; but not than the way round.
    let dear = build(100, Presence::Both);
    assert_eq!(dear.cost(before_the_door, 0).unwrap().0, 100);
    assert!(matches!(
        dear.next(&movement, before_the_door, 0),
        Some(TimeAction::Move { edge, .. }) if edge.kind == EdgeKind::Step(Direction::W)
    ));
    assert_eq!(
        cheap.reach(costs.grid().id(Cell::new(2, 0)).unwrap(), 5),
        Reach::Unreachable
    );
}

#[test]
fn beyond_the_horizon_the_map_is_static_or_time_is_up() {
    let (costs, table) = door_world();
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let goals = GoalSet::from_cells([Cell::new(3, 0)]).resolve(&movement).unwrap();
    let options = TimeOptions::new(3, 1, NO_LIMIT);
    let open = TimeField::build(&movement, &goals, &table, &options).unwrap();
    // The door opens with the end of the timetable, three ticks ahead.
    assert_eq!(open.cost(CellId(1), 0).unwrap().0, 3 + 20);
    let options = options.with_beyond(Beyond::Nothing);
    let over = TimeField::build(&movement, &goals, &table, &options).unwrap();
    assert_eq!(over.reach(CellId(1), 0), Reach::Unreachable);
    assert_eq!(over.cost(CellId(15), 0).unwrap().0, 30);
    assert_eq!(over.reach(CellId(15), 1), Reach::Unreachable);
    assert_eq!(over.cost(CellId(3), 3).unwrap().0, 0);
    assert_eq!(over.reach(CellId(3), 4), Reach::Unreachable);
}

#[test]
fn fields_that_cannot_be_are_refused_with_their_numbers() {
    let costs = map(&["...."]);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let goals = GoalSet::from_cells([Cell::new(0, 0)]).resolve(&movement).unwrap();
    let table = Timetable::new(costs.grid().clone());
    let build = |table: &Timetable, options: TimeOptions| {
        TimeField::build(&movement, &goals, table, &options).map(|field| field.bytes())
    };
    assert_eq!(TimeField::bytes_for(costs.grid(), 9), Some(160));
    assert_eq!(
        build(&table, TimeOptions::new(9, 1, 159)),
        Err(ExpandedError::TooLarge {
            states: 40,
            bytes: 160,
            limit: 159
        })
    );
    assert!(build(&table, TimeOptions::new(9, 1, 160)).is_ok());
    let zero = TimeOptions::new(9, 1, NO_LIMIT).with_step_ticks(StepTicks::PerCost(0));
    assert!(matches!(
        build(&table, zero),
        Err(ExpandedError::NoDuration { .. })
    ));
    let foreign = Timetable::new(Grid::new(2, 2).unwrap());
    let refused = build(&foreign, TimeOptions::new(9, 1, NO_LIMIT));
    assert_eq!(refused, Err(ExpandedError::ForeignTimetable));
    let far = Goal::cell(Cell::new(0, 0)).with_bias(thalweg_core::integrate::MAX_COST_TO_GOAL);
    let far = GoalSet::new().with_goal(far).resolve(&movement).unwrap();
    let options = TimeOptions::new(9, 1, NO_LIMIT).with_beyond(Beyond::Nothing);
    let refused = TimeField::build(&movement, &far, &table, &options).unwrap_err();
    assert!(matches!(refused, ExpandedError::CostOverflow { cell } if cell == Cell::new(1, 0)));
}

#[test]
fn the_validator_catches_a_field_of_another_map() {
    let (costs, table) = door_world();
    let profile = MovementProfile::new();
    let movement = Movement::compile(&costs, &profile);
    let goals = GoalSet::from_cells([Cell::new(3, 0)]).resolve(&movement).unwrap();
    let field = TimeField::build(&movement, &goals, &table, &TimeOptions::new(8, 1, NO_LIMIT)).unwrap();
    assert_eq!(check_time(&movement, &field), Ok(()));
    let edited = Movement::compile(&map(&["...G", ".##.", ".##.", "..#."]), &profile);
    assert!(matches!(
        check_time(&edited, &field),
        Err(StateViolation::Time { .. })
    ));
    assert!(print_tick(&field, 8).starts_with("30 20 10  0\n"));
}
