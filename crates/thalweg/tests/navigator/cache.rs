//! What is kept for goals that come back, and for how long.

use crate::kit::{assert_as_built, goal, made, navigator, navigator_with, open};
use thalweg::navigator::{Navigator, NavigatorOptions};
use thalweg::prelude::*;

fn work(navigator: &Navigator) -> u64 {
    made(navigator)
}

#[test]
fn goals_that_come_back_are_right_at_once_and_without_work() {
    let (mut navigator, walker) = navigator(open(16, 16));
    let field = navigator.request(walker, goal(3, 3)).expect("a field");
    for x in [4, 5, 6] {
        navigator.update(&Serial);
        navigator.set_goals(field, goal(x, 3)).expect("alive");
    }
    navigator.update(&Serial);
    assert_eq!(work(&navigator), 4);
    for x in [4, 6, 3, 5, 6] {
        navigator.set_goals(field, goal(x, 3)).expect("alive");
        assert!(navigator.status(field).expect("alive").is_ready(), "{x}");
        assert_as_built(&mut navigator, field, &BuildOptions::new());
    }
    assert_eq!((work(&navigator), navigator.stats().bundles_restored), (4, 5));
}

#[test]
fn a_released_field_is_right_at_once_when_it_is_asked_for_again() {
    let (mut navigator, walker) = navigator(open(16, 16));
    let field = navigator.request(walker, goal(3, 3)).expect("a field");
    navigator.update(&Serial);
    navigator.release(field).expect("alive");
    assert!(navigator.stats().bytes_cached > 0);
    let again = navigator.request(walker, goal(3, 3)).expect("a field");
    assert_ne!(again, field);
    assert!(navigator.status(again).expect("alive").is_ready());
    assert_eq!(work(&navigator), 1);
}

#[test]
fn nothing_comes_back_once_the_costs_have_changed() {
    let (mut navigator, walker) = navigator(open(16, 16));
    let field = navigator.request(walker, goal(3, 3)).expect("a field");
    navigator.update(&Serial);
    navigator.set_goals(field, goal(9, 9)).expect("alive");
    navigator.update(&Serial);
    navigator
        .map_mut()
        .set(Cell::new(8, 8), Cost::IMPASSABLE)
        .expect("on the map");
    navigator.set_goals(field, goal(3, 3)).expect("alive");
    assert!(!navigator.status(field).expect("alive").is_ready());
    navigator.update(&Serial);
    assert_eq!(work(&navigator), 3);
    assert_eq!(
        navigator.stats().bytes_cached,
        0,
        "what can never be right again is dropped"
    );
    // Not even when the map is as it was: versions count, and they only rise.
    navigator
        .map_mut()
        .set(Cell::new(8, 8), Cost::PLAIN)
        .expect("on the map");
    navigator.set_goals(field, goal(9, 9)).expect("alive");
    navigator.update(&Serial);
    assert_eq!(work(&navigator), 4);
    assert_as_built(&mut navigator, field, &BuildOptions::new());
}

#[test]
fn the_cache_is_bounded_and_what_was_used_longest_ago_goes_first() {
    let (mut probe, walker) = navigator(open(16, 16));
    let field = probe.request(walker, goal(0, 0)).expect("a field");
    probe.update(&Serial);
    probe.release(field).expect("alive");
    let one = probe.stats().bytes_cached;

    let options = NavigatorOptions::new().with_cache_bytes(3 * one);
    let (mut navigator, walker) = navigator_with(open(16, 16), MovementProfile::new(), options);
    let visit = |navigator: &mut Navigator, x: i32| {
        let before = work(navigator);
        let field = navigator.request(walker, goal(x, 0)).expect("a field");
        navigator.update(&Serial);
        navigator.release(field).expect("alive");
        assert!(navigator.stats().bytes_cached <= 3 * one);
        work(navigator) > before
    };
    for x in [0, 1, 2] {
        assert!(visit(&mut navigator, x));
    }
    assert!(!visit(&mut navigator, 0), "kept");
    assert!(visit(&mut navigator, 3), "1 has gone for it");
    assert!(!visit(&mut navigator, 2) && !visit(&mut navigator, 0) && !visit(&mut navigator, 3));
    assert!(visit(&mut navigator, 1));
    assert_eq!(navigator.stats().bundles_evicted, 2);
    navigator.set_cache_bytes(one);
    assert_eq!(navigator.stats().bytes_cached, one);
    navigator.set_cache_bytes(0);
    assert_eq!(navigator.stats().bytes_cached, 0);
    assert!(visit(&mut navigator, 1));
}

#[test]
fn failures_are_kept_as_bundles_are() {
    let mut costs = open(16, 16);
    costs.set(Cell::new(3, 3), Cost::IMPASSABLE).expect("on the map");
    let (mut navigator, walker) = navigator(costs);
    let field = navigator.request(walker, goal(3, 3)).expect("a field");
    navigator.update(&Serial);
    for _ in 0..50 {
        navigator.set_goals(field, goal(4, 4)).expect("alive");
        navigator.update(&Serial);
        navigator.set_goals(field, goal(3, 3)).expect("alive");
        assert_as_built(&mut navigator, field, &BuildOptions::new());
        navigator.update(&Serial);
    }
    let stats = navigator.stats();
    assert_eq!(
        (stats.builds_failed, stats.failures_restored, made(&navigator)),
        (1, 50, 1)
    );
}

#[test]
fn bytes_are_told_as_live_retired_and_cached() {
    let (mut navigator, walker) = navigator(open(16, 16));
    let field = navigator.request(walker, goal(3, 3)).expect("a field");
    navigator.update(&Serial);
    let mut reader = navigator.reader(field).expect("alive");
    let held = reader.snapshot().expect("published");
    let one = held.bundle().bytes();
    let bytes = |navigator: &Navigator| {
        let stats = navigator.stats();
        (stats.bytes_live, stats.bytes_retired)
    };
    assert_eq!(bytes(&navigator), (one, 0));
    navigator
        .map_mut()
        .set(Cell::new(8, 8), Cost::IMPASSABLE)
        .expect("on the map");
    navigator.update(&Serial);
    assert_eq!(bytes(&navigator), (one, one), "somebody reads the old one");
    let old = std::sync::Arc::downgrade(held.bundle());
    assert_eq!(
        held.bundle().query(Cell::new(0, 3)).direction(),
        Some(Direction::E)
    );
    drop(held);
    reader.release();
    assert!(old.upgrade().is_some(), "it is not freed where it was read");
    navigator.update(&Serial);
    assert_eq!(bytes(&navigator), (one, 0));
    assert!(old.upgrade().is_none());
}
