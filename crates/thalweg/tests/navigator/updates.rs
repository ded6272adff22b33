//! Work: stages, budgets, order, coalescing.

use crate::kit::{assert_as_built, assert_same, cells, goal, made, navigator, navigator_with, open};
use thalweg::core::cost::{Stamp, StampEffect};
use thalweg::core::integrate::SteppedIntegration;
use thalweg::living_map::{LivingMap, ProfileSpec};
use thalweg::navigator::{FieldStatus, Navigator, NavigatorOptions};
use thalweg::prelude::*;
use thalweg_testkit::random_map::small_map;
use thalweg_testkit::threads::TestThreads;

/// A call may go beyond its budget by less than this, on maps up to 2,048 cells wide.
const BEYOND: u64 = if SteppedIntegration::LARGEST_STEP > 4_352 {
    SteppedIntegration::LARGEST_STEP
} else {
    4_352
};

#[test]
fn every_stage_is_redone_only_when_its_input_changed() {
    let (mut navigator, walker) = navigator(open(16, 16));
    let a = navigator.request(walker, goal(15, 3)).expect("a field");
    navigator.request(walker, goal(0, 0)).expect("a field");
    navigator.update(&Serial);
    let counts = |navigator: &Navigator| {
        let stats = navigator.stats();
        [
            stats.movements_compiled,
            stats.movements_recompiled,
            stats.integrations_built + stats.integrations_repaired,
            stats.directions_extracted + stats.directions_repaired,
            stats.bundles_published,
        ]
    };
    assert_eq!(counts(&navigator), [1, 0, 2, 2, 2]);
    // Nothing has changed.
    navigator.update(&Serial);
    assert_eq!(counts(&navigator), [1, 0, 2, 2, 2]);
    // Goals have: no movement is compiled, and the other field stays.
    navigator.set_goals(a, goal(14, 3)).expect("alive");
    navigator.update(&Serial);
    assert_eq!(counts(&navigator), [1, 0, 3, 3, 3]);
    // Costs have: the movement once for both fields.
    navigator
        .map_mut()
        .set(Cell::new(8, 8), Cost::IMPASSABLE)
        .expect("on the map");
    navigator.update(&Serial);
    assert_eq!(counts(&navigator), [1, 1, 5, 5, 5]);
}

#[test]
fn an_edit_that_does_not_reach_the_costs_of_a_profile_makes_no_field_of_it_stale() {
    let (mut navigator, walker) = navigator(open(16, 16));
    let map = navigator.map_mut();
    let wall = Stamp::rect(Cell::new(4, 4), Cell::new(8, 4), StampEffect::Block).expect("a stamp");
    map.put(wall).expect("on the map");
    let field = navigator.request(walker, goal(15, 3)).expect("a field");
    navigator.update(&Serial);
    let ready = navigator.status(field).expect("alive");
    // A price under the wall, and another wall over it.
    let map = navigator.map_mut();
    map.set(Cell::new(5, 4), Cost::from_byte(9)).expect("on the map");
    let over = Stamp::rect(Cell::new(5, 4), Cell::new(6, 4), StampEffect::Block).expect("a stamp");
    map.put(over).expect("on the map");
    assert_eq!(navigator.status(field), Ok(ready.clone()));
    let before = navigator.stats();
    navigator.update(&Serial);
    let after = navigator.stats();
    assert_eq!(navigator.status(field), Ok(ready));
    assert_eq!(before.integrations_built, after.integrations_built);
    assert_eq!(before.bundles_published, after.bundles_published);
    assert_eq!(after.movements_recompiled, 0);
    assert_as_built(&mut navigator, field, &BuildOptions::new());
}

#[test]
fn a_small_edit_is_repaired_and_one_that_changes_half_the_map_is_rebuilt() {
    for by_budget in [false, true] {
        let (mut navigator, walker) = navigator(open(128, 128));
        let field = navigator.request(walker, goal(127, 64)).expect("a field");
        navigator.update(&Serial);
        let before = navigator.stats();
        let far = Cell::new(1, 1);
        navigator
            .map_mut()
            .set(far, Cost::IMPASSABLE)
            .expect("on the map");
        if by_budget {
            let report = navigator.update_within(10_000, &Serial);
            assert!(report.spent < 10_000, "{report:?}");
        } else {
            navigator.update(&Serial);
        }
        let after = navigator.stats();
        let expanded = after.cells_expanded - before.cells_expanded;
        assert_eq!((after.integrations_built, after.integrations_repaired), (1, 1));
        assert!(expanded < 300, "{expanded} cells looked at");
        assert_as_built(&mut navigator, field, &BuildOptions::new());
        let (a, b) = (Cell::new(120, 0), Cell::new(120, 126));
        navigator
            .map_mut()
            .set_rect(a, b, Cost::IMPASSABLE)
            .expect("on the map");
        if by_budget {
            while navigator.update_within(3_000, &Serial).waiting > 0 {}
        } else {
            navigator.update(&Serial);
        }
        let stats = navigator.stats();
        assert_eq!((stats.integrations_built, stats.integrations_repaired), (2, 1));
        assert_as_built(&mut navigator, field, &BuildOptions::new());
    }
}

#[test]
fn many_edits_between_two_updates_are_one_change_of_each_field() {
    let (mut navigator, walker) = navigator(open(64, 64));
    let fields = [3, 30, 60].map(|x| navigator.request(walker, goal(x, 63)).expect("a field"));
    navigator.update(&Serial);
    for x in 1..=40 {
        navigator
            .map_mut()
            .set(Cell::new(x, 9), Cost::IMPASSABLE)
            .expect("on the map");
    }
    navigator.update(&Serial);
    let stats = navigator.stats();
    assert_eq!(stats.movements_recompiled, 1);
    assert_eq!(stats.integrations_built + stats.integrations_repaired, 6);
    assert_eq!(stats.edits_coalesced, 39);
    for field in fields {
        assert_as_built(&mut navigator, field, &BuildOptions::new());
    }
}

#[test]
fn no_tick_does_more_than_its_budget_and_the_rest_goes_on_at_the_next() {
    for budget in [1, 700, 5_000] {
        let (mut navigator, walker) = navigator(open(60, 60));
        let fields = [3, 30, 55].map(|x| navigator.request(walker, goal(x, 50)).expect("a field"));
        let mut spent = 0;
        for tick in 0.. {
            let report = navigator.update_within(budget, &Serial);
            assert!(report.spent < budget + BEYOND, "tick {tick}: {report:?}");
            spent += report.spent;
            if report.waiting == 0 {
                break;
            }
            assert!(report.spent >= budget, "tick {tick} has used it up: {report:?}");
            assert!(tick < 100_000, "it ends");
        }
        assert!((3 * 3_600..3 * 3_600 * 4).contains(&spent), "{spent}");
        for field in fields {
            assert_as_built(&mut navigator, field, &BuildOptions::new());
        }
    }
}

#[test]
fn a_budget_of_nothing_does_nothing() {
    let (mut navigator, walker) = navigator(open(8, 8));
    let field = navigator.request(walker, goal(7, 3)).expect("a field");
    let report = navigator.update_within(0, &Serial);
    assert_eq!((report.spent, report.waiting), (0, 1));
    assert!(matches!(navigator.status(field), Ok(FieldStatus::Building(_))));
}

#[test]
fn the_same_ticks_do_the_same_work_and_threads_change_nothing() {
    let run = |workers: &dyn Workers| {
        let (mut navigator, walker) = navigator(small_map(77).costs);
        let first = cells(&navigator)[0];
        let mut trace = Vec::new();
        for tick in 0..60 {
            let goals = goal(first.x + tick % 7, first.y + tick % 5)
                .with_blocked_goals(BlockedGoals::NearestPassable);
            navigator.request(walker, goals).expect("a field");
            let _ = navigator.map_mut().set(
                Cell::new(first.x + tick % 11, first.y),
                Cost::from_byte(tick as u8 % 4),
            );
            trace.push(navigator.update_within(150, workers));
        }
        trace.push(navigator.update(workers));
        (trace, navigator.stats().bundles_published)
    };
    let alone = run(&Serial);
    assert!(alone.1 > 5, "{alone:?}");
    for threads in [2, 8] {
        assert_eq!(run(&TestThreads(threads)), alone, "{threads} threads");
    }
}

#[test]
fn what_was_asked_first_is_made_first() {
    let (mut navigator, walker) = navigator(open(40, 40));
    let fields = [30, 3, 20, 11].map(|x| navigator.request(walker, goal(x, 30)).expect("a field"));
    let mut order = Vec::new();
    while order.len() < fields.len() {
        navigator.update_within(2_000, &Serial);
        for field in fields {
            if navigator.status(field).expect("alive").is_ready() && !order.contains(&field) {
                order.push(field);
            }
        }
    }
    assert_eq!(order, fields);
}

#[test]
fn a_goal_that_moves_every_tick_never_starves_its_readers_nor_another_field() {
    let (mut navigator, walker) = navigator(open(48, 48));
    let hunted = navigator.request(walker, goal(0, 0)).expect("a field");
    let gate = navigator.request(walker, goal(47, 47)).expect("a field");
    let mut reader = navigator.reader(hunted).expect("alive");
    let (mut seen, mut last) = (0, None);
    let mut gate_ready_at = None;
    // A build takes several ticks.
    for tick in 0..200 {
        navigator
            .set_goals(hunted, goal(tick % 48, (tick * 7) % 48))
            .expect("alive");
        navigator.update_within(3_000, &Serial);
        if let Ok(latest) = reader.latest() {
            let versions = latest.versions();
            if last != Some(versions) {
                if let Some(last) = last {
                    assert!(
                        versions.field > last.field && versions.goal >= last.goal,
                        "tick {tick}"
                    );
                }
                // As stale as two builds take, for the other field has its turn between.
                let behind = u64::try_from(tick).expect("positive") + 1 - versions.goal.0;
                assert!(behind < 30, "tick {tick}: {behind} moves behind");
                seen += 1;
            }
            last = Some(versions);
        }
        if navigator.status(gate).expect("alive").is_ready() {
            gate_ready_at.get_or_insert(tick);
        }
    }
    assert!(seen >= 15, "only {seen} bundles in 200 ticks");
    assert!(gate_ready_at.is_some_and(|tick| tick < 25), "{gate_ready_at:?}");
}

#[test]
fn a_map_edited_every_tick_never_starves_any_of_its_fields() {
    let (mut navigator, walker) = navigator(open(32, 32));
    let fields = [1, 9, 17, 25].map(|x| navigator.request(walker, goal(x, 31)).expect("a field"));
    let mut published = [0; 4];
    for tick in 0..240 {
        let cell = Cell::new(tick % 31, 5 + tick % 20);
        navigator
            .map_mut()
            .set(cell, Cost::from_byte(1 + (tick % 3) as u8))
            .expect("on the map");
        navigator.update_within(3_000, &Serial);
        for (count, field) in published.iter_mut().zip(fields) {
            let mut reader = navigator.reader(field).expect("alive");
            if let Ok(latest) = reader.latest() {
                *count = latest.versions().field.0;
            }
        }
    }
    let (least, most) = (
        published.iter().min().expect("four"),
        published.iter().max().expect("four"),
    );
    assert!(*least >= 15 && most - least <= 1, "round robin: {published:?}");
    navigator.update(&Serial);
    for field in fields {
        assert_as_built(&mut navigator, field, &BuildOptions::new());
    }
}

#[test]
fn a_build_goes_on_from_what_it_began_with_and_is_told_to_be_stale() {
    let (mut navigator, walker) = navigator(open(48, 48));
    let field = navigator.request(walker, goal(0, 0)).expect("a field");
    let began_with = navigator.map().versions(walker);
    navigator.update_within(3_000, &Serial);
    let at_once = FieldBundle::build(
        navigator.movement(walker).expect("a movement"),
        &goal(0, 0),
        &BuildOptions::new(),
        &mut BuildScratch::new(),
        &Serial,
    )
    .expect("a field");
    navigator
        .map_mut()
        .set_rect(Cell::new(5, 0), Cell::new(5, 46), Cost::IMPASSABLE)
        .expect("on the map");
    let mut reader = navigator.reader(field).expect("alive");
    while reader.latest().is_err() {
        navigator.update_within(3_000, &Serial);
    }
    let snapshot = reader.snapshot().expect("published");
    assert_same(snapshot.bundle(), &at_once, "what it began with");
    assert_eq!(snapshot.versions().cost, began_with.cost);
    assert!(matches!(navigator.status(field), Ok(FieldStatus::Stale { .. })));
    navigator.update(&Serial);
    assert_as_built(&mut navigator, field, &BuildOptions::new());
}

#[test]
fn goals_that_are_back_before_their_build_has_ended_are_not_made_wrong_by_it() {
    let (mut navigator, walker) = navigator(open(48, 48));
    let field = navigator.request(walker, goal(0, 0)).expect("a field");
    navigator.update(&Serial);
    navigator.set_goals(field, goal(47, 0)).expect("alive");
    navigator.update_within(3_000, &Serial);
    navigator.set_goals(field, goal(0, 0)).expect("alive");
    assert!(navigator.status(field).expect("alive").is_ready(), "at once");
    let published = navigator.stats().bundles_published;
    for _ in 0..30 {
        navigator.update_within(3_000, &Serial);
        assert!(navigator.status(field).expect("alive").is_ready());
    }
    assert_eq!(navigator.stats().bundles_published, published);
    // What was made meanwhile is there for its goals.
    navigator.set_goals(field, goal(47, 0)).expect("alive");
    assert!(navigator.status(field).expect("alive").is_ready());
    assert_eq!(made(&navigator), 2);
    assert_as_built(&mut navigator, field, &BuildOptions::new());
}

#[test]
fn engines_and_memory_limits_asked_for_give_the_same_answers_by_budget() {
    let mut costs = open(24, 24);
    costs
        .set(Cell::new(3, 3), Cost::from_byte(7))
        .expect("on the map");
    let builds = [
        BuildOptions::new().with_engine(Engine::Layers),
        BuildOptions::new().with_engine(Engine::Heap),
        BuildOptions::new().with_memory_limit(1_000),
        BuildOptions::new().with_memory_limit(40_000),
        BuildOptions::new().with_cost_limit(90),
        BuildOptions::new()
            .with_lengths()
            .with_headings(HeadingOptions::default()),
    ];
    let (mut ready, mut failed) = (0, 0);
    for build in builds {
        let options = NavigatorOptions::new().with_build(build);
        let (mut navigator, walker) = navigator_with(costs.clone(), MovementProfile::new(), options);
        let field = navigator.request(walker, goal(20, 20)).expect("a field");
        while navigator.update_within(400, &Serial).waiting > 0 {}
        assert_as_built(&mut navigator, field, &build);
        if navigator.status(field).expect("alive").is_ready() {
            ready += 1;
        } else {
            failed += 1;
        }
    }
    assert_eq!((ready, failed), (4, 2));
}

#[test]
fn a_profile_that_becomes_another_one_gets_another_field() {
    let mut navigator = Navigator::new(LivingMap::new(open(8, 8)), NavigatorOptions::new());
    let spec = ProfileSpec::new(MovementProfile::new());
    let walker = navigator.map_mut().add_profile(spec.clone()).expect("a profile");
    let field = navigator.request(walker, goal(7, 3)).expect("a field");
    navigator.update(&Serial);
    let four = ProfileSpec::new(MovementProfile::new().with_connectivity(Connectivity::Four));
    navigator
        .map_mut()
        .change_profile(walker, four)
        .expect("a profile");
    assert!(matches!(navigator.status(field), Ok(FieldStatus::Stale { .. })));
    navigator.update(&Serial);
    assert_as_built(&mut navigator, field, &BuildOptions::new());
    navigator
        .map_mut()
        .change_profile(walker, spec)
        .expect("a profile");
    navigator.update(&Serial);
    assert_as_built(&mut navigator, field, &BuildOptions::new());
}

#[test]
fn a_memory_limit_that_a_build_would_exceed_is_not_passed_by_repairing() {
    let near = Goal::cell(Cell::new(20, 20));
    let one = GoalSet::new().with_goal(near.clone());
    // It never wins, so next to nothing would change; but there are goals to tell apart now.
    let two = one
        .clone()
        .with_goal(Goal::cell(Cell::new(3, 3)).with_bias(9_000));
    let (mut navigator, walker) = navigator(open(24, 24));
    let movement = navigator.movement(walker).expect("a movement");
    let least = [Engine::Heap, Engine::Buckets, Engine::Layers, Engine::Tiles]
        .map(|engine| {
            let options = BuildOptions::new().with_engine(engine);
            let estimate = FieldBundle::estimate_memory(&movement, &one, &options, &Serial);
            estimate.expect("the goals fit").memory.total()
        })
        .into_iter()
        .min()
        .expect("four");
    let limited = BuildOptions::new().with_memory_limit(least);
    let field = navigator.request_with(walker, one, limited).expect("a field");
    navigator.update(&Serial);
    assert!(navigator.status(field).expect("alive").is_ready());
    navigator.set_goals(field, two).expect("alive");
    navigator.update(&Serial);
    assert_as_built(&mut navigator, field, &limited);
    assert!(matches!(navigator.status(field), Ok(FieldStatus::Failed { .. })));
}
