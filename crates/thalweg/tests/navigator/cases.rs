//! The cases on changing maps, caches and requests that are sent again.

use crate::kit::{assert_as_built, cells, goal, made, navigator, navigator_with, open};
use thalweg::core::integrate::RouteStatus;
use thalweg::core::integrate::SteppedIntegration;
use thalweg::core::movement::{SweepStop, sweep};
use thalweg::living_map::LivingMap;
use thalweg::navigator::{Advice, Navigator, NavigatorOptions, StopReason, WhileMaking};
use thalweg::prelude::*;
use thalweg_testkit::cases::{EditsRow, MapSpec, Row, StatusRow, cases_file, read_rows, say, skipped};
use thalweg_testkit::literal::map;
use thalweg_testkit::random_map::SplitMix64;

fn rows() -> Vec<Row> {
    let Some(path) = cases_file() else {
        skipped("cases.jsonl");
        return Vec::new();
    };
    read_rows(&std::fs::read_to_string(path).expect("a readable file"))
}

fn costs_of(drawn: Option<&Vec<String>>, spec: Option<&MapSpec>) -> CostField {
    match (drawn, spec) {
        (Some(rows), _) => map(&rows.iter().map(String::as_str).collect::<Vec<_>>()),
        (None, spec) => spec.expect("a map or how to make it").build(),
    }
}

fn goals_of(cells: &[[i32; 2]]) -> GoalSet {
    GoalSet::from_cells(cells.iter().map(|&[x, y]| Cell::new(x, y)))
}

/// The rows charge the cell entered, over eight neighbours, with both side cells free.
fn rules(diag_rule: &str, neighbours: u8) -> MovementProfile {
    assert_eq!(
        (diag_rule, neighbours),
        ("both side cells free", 8),
        "other rules are not asked for"
    );
    MovementProfile::new().with_charge(Charge::Arrive)
}

#[test]
fn maps_edited_step_by_step_keep_their_numbers_through_a_navigator() {
    let mut ran = 0;
    for row in rows() {
        if let Row::Edits(row) = row {
            for scale in [StepScale::TEN_FOURTEEN, StepScale::FINE] {
                for budget in [None, Some(1_500)] {
                    check_edits(&row, scale, budget);
                }
            }
            ran += 1;
        }
    }
    say(&format!("{ran} rows of edits"));
    assert!(ran == 0 || ran >= 3, "{ran} rows");
}

fn check_edits(row: &EditsRow, scale: StepScale, budget: Option<u64>) {
    let profile = rules(&row.diag_rule, row.neighbours).with_scale(scale);
    let costs = costs_of(row.map.as_ref(), row.r#gen.as_ref());
    let (mut navigator, walker) = navigator_with(costs, profile, NavigatorOptions::new());
    let field = navigator.request(walker, goals_of(&row.goals)).expect("a field");
    let mut before: Option<Vec<Option<u32>>> = None;
    for (number, step) in row.steps.iter().enumerate() {
        let context = format!("{} step {number}, scale {scale}, {budget:?}", row.id);
        for &(x, y, cost) in &step.set {
            let cost = cost.map_or(Cost::IMPASSABLE, Cost::from_byte);
            navigator
                .map_mut()
                .set(Cell::new(x, y), cost)
                .expect("on the map");
        }
        match budget {
            None => {
                navigator.update(&Serial);
            }
            Some(budget) => while navigator.update_within(budget, &Serial).waiting > 0 {},
        }
        assert_as_built(&mut navigator, field, &BuildOptions::new());
        let mut reader = navigator.reader(field).expect("alive");
        let bundle = reader.latest().expect("published").bundle().clone();
        let now: Vec<Option<u32>> = bundle
            .grid()
            .ids()
            .map(|id| bundle.integration().cost(id).map(|cost| cost.0))
            .collect();
        assert_eq!(now.iter().flatten().count(), step.reached_cells, "{context}");
        let unit = f64::from(scale.straight());
        for (key, &expect) in &step.expect {
            let (x, y) = key.split_once(',').expect("x,y");
            let cell = Cell::new(x.parse().expect("x"), y.parse().expect("y"));
            let got = bundle.query(cell).cost().map(|cost| f64::from(cost.0) / unit);
            // 10/14 is up to 1 % short on diagonals, 408/577 two in a million long.
            let slack = if scale == StepScale::FINE { 1e-5 } else { 0.011 };
            match (got, expect) {
                (Some(got), Some(expect)) => {
                    assert!(
                        (got - expect).abs() <= slack * expect.max(1.0),
                        "{context} {key}: {got}"
                    );
                }
                (got, expect) => assert_eq!(got, expect, "{context} {key}"),
            }
        }
        if scale == StepScale::TEN_FOURTEEN {
            let sum: u64 = now.iter().flatten().map(|&cost| u64::from(cost)).sum();
            assert_eq!(sum, step.scaled_sum, "{context}");
            if let (Some(before), Some(changed)) = (&before, step.changed_cells) {
                let differ = before.iter().zip(&now).filter(|(old, new)| old != new).count();
                assert_eq!(differ, changed, "{context}");
            }
        }
        before = Some(now);
    }
}

/// A57: one word for each kind of "no".
#[test]
fn results_are_told_apart() {
    let mut ran = 0;
    for row in rows() {
        if let Row::Status(row) = row {
            check_status(&row);
            ran += 1;
        }
    }
    assert!(ran == 0 || ran >= 2, "{ran} rows");
}

fn check_status(row: &StatusRow) {
    let costs = costs_of(row.map.as_ref(), row.r#gen.as_ref());
    let profile = rules(&row.diag_rule, row.neighbours);
    let (mut navigator, walker) = navigator_with(costs, profile, NavigatorOptions::new());
    for query in &row.queries {
        let context = format!("{} {query:?}", row.id);
        let field = navigator
            .request(walker, goals_of(&[query.goal]))
            .expect("a field");
        let agent = Cell::new(query.agent[0], query.agent[1]);
        let mut word = || match navigator.route_status(field, agent).expect("alive") {
            RouteStatus::Ok(_) => "Ok".to_owned(),
            other => format!("{other:?}"),
        };
        let early = word();
        // Bad input is told apart before there is a field.
        let needs_field = matches!(query.status.as_str(), "Ok" | "Unreachable");
        if needs_field && early != query.status {
            assert_eq!(early, "NotReady", "{context}");
        } else {
            assert_eq!(early, query.status, "{context}");
        }
        navigator.update(&Serial);
        let status = navigator.route_status(field, agent).expect("alive");
        let word = match status {
            RouteStatus::Ok(_) => "Ok".to_owned(),
            other => format!("{other:?}"),
        };
        assert_eq!(word, query.status, "{context}");
        if query.agent == query.goal && query.status == "Ok" {
            assert_eq!(status, RouteStatus::Ok(CostToGoal(0)), "{context}");
        }
        let advice = navigator.advice(field, agent, WhileMaking::Stop).expect("alive");
        let stop = |reason| Advice::Stop(reason);
        match query.status.as_str() {
            "Unreachable" => assert_eq!(advice, stop(StopReason::Unreachable), "{context}"),
            "AgentOutside" => assert_eq!(advice, stop(StopReason::AgentOutside), "{context}"),
            "AgentBlocked" => assert_eq!(advice, stop(StopReason::AgentBlocked), "{context}"),
            "GoalBlocked" => assert_eq!(advice, stop(StopReason::GoalBlocked), "{context}"),
            "Ok" if query.agent == query.goal => assert_eq!(advice, Advice::Arrived, "{context}"),
            _ => assert!(matches!(advice, Advice::Follow { .. }), "{context}: {advice:?}"),
        }
    }
}

fn cut_in_two() -> CostField {
    let mut costs = open(256, 256);
    costs
        .set_rect(Cell::new(0, 128), Cell::new(255, 128), Cost::IMPASSABLE)
        .expect("on the map");
    costs
}

/// A54: 100 agents in the north ask 600 ticks for a goal in the south.
#[test]
fn an_unreachable_goal_does_not_flood_the_map_every_tick() {
    const FLOOD: u64 = 32_512;
    for policy in [WhileMaking::KeepOld, WhileMaking::Stop] {
        let (mut navigator, walker) = navigator(cut_in_two());
        let mut told = 0;
        for _ in 0..600 {
            for agent in 0..100 {
                let field = navigator.request(walker, goal(128, 255)).expect("a field");
                let cell = Cell::new(2 * agent, agent);
                let advice = navigator.advice(field, cell, policy).expect("alive");
                told += u32::from(advice == Advice::Stop(StopReason::Unreachable));
            }
            navigator.update(&Serial);
        }
        assert_eq!(told, 599 * 100);
        let stats = navigator.stats();
        // Tiles count a cell each time it is relaxed, some twice.
        assert_eq!(stats.integrations_built, 1);
        assert!(
            stats.cells_expanded <= 5 * FLOOD / 4,
            "{} cells",
            stats.cells_expanded
        );
        assert_eq!((stats.paths_searched, stats.components_labelled), (0, 0));
    }
    // Buckets settle every cell once.
    for budget in [20_000, u64::MAX] {
        let (mut navigator, walker) = navigator(cut_in_two());
        let buckets = BuildOptions::new().with_engine(Engine::Buckets);
        let ask = |navigator: &mut Navigator| {
            navigator
                .request_with(walker, goal(128, 255), buckets)
                .expect("a field")
        };
        for _ in 0..600 {
            ask(&mut navigator);
            navigator.update_within(budget, &Serial);
        }
        let field = ask(&mut navigator);
        assert!(navigator.status(field).expect("alive").is_ready());
        assert_eq!(navigator.stats().cells_expanded, FLOOD);
    }
}

/// A54 with agents that look for a path of their own, and a field that is never made.
#[test]
fn agents_that_search_for_themselves_flood_an_unreachable_map_once() {
    let (mut navigator, walker) = navigator(cut_in_two());
    let field = navigator.request(walker, goal(128, 255)).expect("a field");
    for _ in 0..600 {
        for agent in 0..100 {
            let cell = Cell::new(2 * agent, agent);
            let advice = navigator
                .advice(field, cell, WhileMaking::SinglePath)
                .expect("alive");
            assert_eq!(advice, Advice::Stop(StopReason::Unreachable));
        }
    }
    let stats = navigator.stats();
    assert_eq!((stats.paths_searched, stats.path_cells_expanded), (1, 32_512));
    assert_eq!(stats.paths_remembered, 600 * 100 - 1);
    assert_eq!(stats.cells_expanded, 0);
    // Until the map changes.
    navigator
        .map_mut()
        .set(Cell::new(9, 128), Cost::PLAIN)
        .expect("on the map");
    let advice = navigator
        .advice(field, Cell::new(0, 0), WhileMaking::SinglePath)
        .expect("alive");
    assert!(matches!(advice, Advice::Path { .. }), "{advice:?}");
}

/// A60: a wall falls on the way of an agent. Under no policy does it walk into it.
#[test]
fn a_door_that_shuts_is_never_walked_through() {
    for policy in [WhileMaking::KeepOld, WhileMaking::Stop, WhileMaking::SinglePath] {
        let costs = map(&[".A......", "#.####.#", ".G......"]);
        let (mut navigator, walker) = navigator(costs);
        let field = navigator.request(walker, goal(1, 2)).expect("a field");
        navigator.update(&Serial);
        let start = Cell::new(1, 0);
        let status = navigator.route_status(field, start).expect("alive");
        assert_eq!(status, RouteStatus::Ok(CostToGoal(20)));
        navigator
            .map_mut()
            .set(Cell::new(1, 1), Cost::IMPASSABLE)
            .expect("on the map");
        assert_eq!(navigator.route_status(field, start), Ok(RouteStatus::Stale));
        // An agent that was under way already is stopped by its sweep, which reads the map as it is.
        let movement = navigator.movement(walker).expect("a movement");
        let point = |x, y| MapPoint::from_map([x, y]).expect("finite");
        let swept = sweep(&movement, point(1.5, 0.9), point(1.5, 1.9));
        assert!(matches!(swept.stop, SweepStop::Wall { .. }), "{swept:?}");
        assert!(swept.end.to_map()[1] < 1.0, "{swept:?}");
        // Nothing has been made yet; the field is ready three ticks later.
        let mut cell = start;
        let mut steps = 0;
        for tick in 0..40 {
            if tick == 3 {
                navigator.update(&Serial);
                let status = navigator.route_status(field, cell).expect("alive");
                let left = 120 - 10 * steps;
                assert_eq!(status, RouteStatus::Ok(CostToGoal(left)), "{policy:?}");
            }
            let advice = navigator.advice(field, cell, policy).expect("alive");
            let is_old = tick < 3;
            match advice {
                Advice::Follow { next, .. } | Advice::Path { next, .. } => {
                    assert!(
                        !is_old || policy == WhileMaking::SinglePath,
                        "{policy:?} tick {tick}"
                    );
                    assert_ne!(next, Cell::new(1, 1), "{policy:?} tick {tick}");
                    cell = next;
                    steps += 1;
                }
                Advice::Arrived => break,
                Advice::Stop(reason) => {
                    let right = match policy {
                        WhileMaking::KeepOld => StopReason::WayClosed,
                        _ => StopReason::Stale,
                    };
                    assert!(is_old && reason == right, "{policy:?} tick {tick}: {reason:?}");
                }
            }
        }
        assert_eq!((cell, steps), (Cell::new(1, 2), 12), "{policy:?}");
    }
}

/// A62: whatever is written by, it is a change.
#[test]
fn every_way_to_write_makes_a_field_stale_and_right_again() {
    let (mut navigator, walker) = navigator(open(12, 7));
    let field = navigator.request(walker, goal(11, 3)).expect("a field");
    let mut other = open(12, 7);
    other
        .set(Cell::new(4, 4), Cost::from_byte(50))
        .expect("on the map");
    type Write<'a> = &'a dyn Fn(&mut LivingMap);
    let block = || {
        use thalweg::core::cost::{Stamp, StampEffect};
        Stamp::rect(Cell::new(5, 1), Cell::new(6, 2), StampEffect::Block).expect("a stamp")
    };
    let writes: [Write<'_>; 8] = [
        &|map| map.set(Cell::new(3, 3), Cost::from_byte(9)).expect("on the map"),
        &|map| {
            map.set_rect(Cell::new(2, 1), Cell::new(2, 5), Cost::IMPASSABLE)
                .expect("on the map");
        },
        &|map| map.set_unknown(Cell::new(7, 3)).expect("on the map"),
        &|map| {
            map.restore_rect(Cell::new(0, 0), Cell::new(11, 6))
                .expect("on the map");
        },
        &|map| map.copy_costs(&other).expect("of this grid"),
        &|map| {
            map.put(block()).expect("on the map");
        },
        &|map| map.close_exit(Cell::new(8, 3), Direction::E).expect("on the map"),
        &|map| {
            let cost = thalweg::core::movement::PortalCost::Units(5);
            map.add_portal(Cell::new(0, 0), Cell::new(10, 3), cost)
                .expect("a portal");
        },
    ];
    for (number, write) in writes.into_iter().enumerate() {
        navigator.update(&Serial);
        assert!(
            navigator.status(field).expect("alive").is_ready(),
            "write {number}"
        );
        write(navigator.map_mut());
        assert!(
            !navigator.status(field).expect("alive").is_ready(),
            "write {number}"
        );
        navigator.update(&Serial);
        assert_as_built(&mut navigator, field, &BuildOptions::new());
    }
    assert_eq!(navigator.stats().movements_recompiled, 8);
}

/// A63: 5,000 edits in one tick, then one a tick.
#[test]
fn a_storm_of_edits_costs_no_tick_more_than_its_budget() {
    const BUDGET: u64 = 400_000;
    let mut random = SplitMix64::new(63);
    let (mut navigator, walker) = navigator(open(1024, 1024));
    let field = navigator.request(walker, goal(700, 300)).expect("a field");
    navigator.update(&Serial);
    let mut edit = |navigator: &mut Navigator| {
        let (x, y) = (random.below(1017) as i32, random.below(1017) as i32);
        let cost = random.pick(&[
            Cost::IMPASSABLE,
            Cost::PLAIN,
            Cost::from_byte(5),
            Cost::from_byte(40),
        ]);
        navigator
            .map_mut()
            .set_rect(Cell::new(x, y), Cell::new(x + 7, y + 7), cost)
            .expect("on the map");
    };
    for _ in 0..5_000 {
        edit(&mut navigator);
    }
    navigator
        .map_mut()
        .set(Cell::new(700, 300), Cost::PLAIN)
        .expect("on the map");
    let mut most = 0;
    for tick in 0..300 {
        let report = navigator.update_within(BUDGET, &Serial);
        most = most.max(report.spent);
        assert!(report.waiting <= 1, "tick {tick}: {report:?}");
        edit(&mut navigator);
    }
    // Whatever is edited, the goal is to stay free.
    navigator
        .map_mut()
        .set(Cell::new(700, 300), Cost::PLAIN)
        .expect("on the map");
    assert!(
        most < BUDGET + SteppedIntegration::LARGEST_STEP.max(8_192),
        "{most} in one tick"
    );
    let stats = navigator.stats();
    say(&format!("300 ticks, at most {most} units in one: {stats:?}"));
    assert!(stats.bundles_published >= 8, "readers are served: {stats:?}");
    navigator.update(&Serial);
    assert_as_built(&mut navigator, field, &BuildOptions::new());
}

/// A65: queries leave no trace.
#[test]
fn nothing_is_carried_from_one_question_to_the_next() {
    let drawn = thalweg_testkit::random_map::large_map(65);
    let (mut navigator, walker) = navigator(drawn.costs.clone());
    let mut cells = cells(&navigator);
    cells.retain(|&cell| {
        let id = drawn.costs.grid().id(cell).expect("on the map");
        drawn.costs.get(id).is_some_and(Cost::is_passable)
    });
    let goals = [cells[0], cells[cells.len() / 2]].map(|cell| GoalSet::from_cells([cell]));
    for round in 0..3 {
        for goals in &goals {
            let field = navigator.request(walker, goals.clone()).expect("a field");
            for &cell in cells.iter().step_by(9) {
                navigator
                    .advice(field, cell, WhileMaking::SinglePath)
                    .expect("alive");
                navigator.route_status(field, cell).expect("alive");
            }
            navigator.update(&Serial);
            assert_as_built(&mut navigator, field, &BuildOptions::new());
            if round == 1 {
                navigator.release(field).expect("alive");
            }
        }
    }
    assert_eq!(made(&navigator), 2);
}
