//! Asking for fields, moving their goals, letting them go.

use crate::kit::{assert_as_built, goal, made, navigator, open};
use thalweg::core::integrate::GoalError;
use thalweg::living_map::{LivingMapError, ProfileId, ProfileSpec};
use thalweg::navigator::{FieldStatus, MakeError, NavigatorError, NotReady};
use thalweg::prelude::*;

#[test]
fn the_same_request_again_and_again_is_the_same_field_and_restarts_nothing() {
    let (mut navigator, walker) = navigator(open(40, 40));
    let field = navigator.request(walker, goal(39, 20)).expect("a field");
    let mut ticks = 0;
    while !navigator.status(field).expect("alive").is_ready() {
        assert_eq!(navigator.request(walker, goal(39, 20)), Ok(field));
        let before = navigator.progress(field).expect("alive").done;
        navigator.update_within(500, &Serial);
        let after = navigator.progress(field).expect("alive").done;
        assert!(
            after > before || navigator.status(field).expect("alive").is_ready(),
            "it goes on: {before} then {after}"
        );
        ticks += 1;
        assert!(ticks < 200, "it ends");
    }
    assert!(
        ticks > 5,
        "{ticks} ticks: the budget was never small enough to see it"
    );
    for _ in 0..600 {
        assert_eq!(navigator.request(walker, goal(39, 20)), Ok(field));
        navigator.update(&Serial);
    }
    let stats = navigator.stats();
    assert_eq!(
        (stats.fields, stats.integrations_built, stats.bundles_published),
        (1, 1, 1)
    );
    assert_eq!(stats.requests_coalesced, 600 + ticks);
    assert_as_built(&mut navigator, field, &BuildOptions::new());
}

#[test]
fn other_goals_profiles_or_options_are_other_fields() {
    let (mut navigator, walker) = navigator(open(8, 8));
    let big =
        MovementProfile::new().with_footprint(thalweg::core::movement::Footprint::square(2).expect("2 x 2"));
    let giant = navigator
        .map_mut()
        .add_profile(ProfileSpec::new(big))
        .expect("a profile");
    let lengths = BuildOptions::new().with_lengths();
    let fields = [
        navigator.request(walker, goal(7, 7)),
        navigator.request(walker, goal(6, 7)),
        navigator.request(walker, goal(7, 7).with_blocked_goals(BlockedGoals::Skip)),
        navigator.request(giant, goal(7, 7)),
        navigator.request_with(walker, goal(7, 7), lengths),
    ]
    .map(|field| field.expect("a field"));
    let mut different = fields.to_vec();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), fields.len());
    navigator.update(&Serial);
    for (field, options) in fields.into_iter().zip([
        BuildOptions::new(),
        BuildOptions::new(),
        BuildOptions::new(),
        BuildOptions::new(),
        lengths,
    ]) {
        assert_as_built(&mut navigator, field, &options);
    }
    assert_eq!(made(&navigator), 5);
}

#[test]
fn profiles_share_a_bundle_exactly_if_they_are_equal() {
    let (mut navigator, walker) = navigator(open(8, 8));
    let map = navigator.map_mut();
    let twin = map
        .add_profile(ProfileSpec::new(MovementProfile::new()))
        .expect("a twin");
    let four = MovementProfile::new().with_connectivity(Connectivity::Four);
    let other = map.add_profile(ProfileSpec::new(four)).expect("another");
    let fields =
        [walker, twin, other].map(|profile| navigator.request(profile, goal(7, 3)).expect("a field"));
    navigator.update(&Serial);
    let stats = navigator.stats();
    assert_eq!((stats.integrations_built, stats.bundles_restored), (2, 1));
    let bundles = fields.map(|field| {
        let mut reader = navigator.reader(field).expect("alive");
        reader.snapshot().expect("published").bundle().clone()
    });
    assert!(std::sync::Arc::ptr_eq(&bundles[0], &bundles[1]));
    assert!(!std::sync::Arc::ptr_eq(&bundles[0], &bundles[2]));
    for field in fields {
        assert_as_built(&mut navigator, field, &BuildOptions::new());
    }
}

#[test]
fn before_the_first_build_a_field_is_not_ready_and_afterwards_every_reader_sees_it() {
    let (mut navigator, walker) = navigator(open(8, 8));
    let field = navigator.request(walker, goal(7, 3)).expect("a field");
    let mut early = navigator.reader(field).expect("alive");
    let mut its_clone = early.clone();
    assert_eq!(early.latest().err(), Some(NotReady));
    assert_eq!(early.snapshot().err(), Some(NotReady));
    assert!(matches!(navigator.status(field), Ok(FieldStatus::Building(_))));
    navigator.update(&Serial);
    let status = navigator.status(field).expect("alive");
    for reader in [&mut early, &mut its_clone] {
        let versions = reader.latest().expect("published").versions();
        assert_eq!(status, FieldStatus::Ready(versions));
        assert_eq!(versions.field.0, 1);
    }
}

#[test]
fn a_moved_goal_makes_the_field_stale_until_it_is_made_anew() {
    let (mut navigator, walker) = navigator(open(8, 8));
    let field = navigator.request(walker, goal(7, 3)).expect("a field");
    navigator.update(&Serial);
    let FieldStatus::Ready(first) = navigator.status(field).expect("alive") else {
        panic!("not ready");
    };
    navigator.set_goals(field, goal(0, 0)).expect("alive");
    let FieldStatus::Stale { have, want } = navigator.status(field).expect("alive") else {
        panic!("not stale");
    };
    assert_eq!(have, first);
    assert_eq!((want.goal.0, want.field.0), (first.goal.0 + 1, first.field.0 + 1));
    assert_eq!(
        (want.map, want.overlay, want.cost),
        (first.map, first.overlay, first.cost)
    );
    let mut reader = navigator.reader(field).expect("alive");
    assert_eq!(
        **reader.latest().expect("published").goals(),
        goal(7, 3),
        "readers keep the old one"
    );
    navigator.update(&Serial);
    assert_eq!(navigator.status(field), Ok(FieldStatus::Ready(want)));
    assert_as_built(&mut navigator, field, &BuildOptions::new());
    // Moving a goal to where it is is no move.
    navigator.set_goals(field, goal(0, 0)).expect("alive");
    assert_eq!(navigator.status(field), Ok(FieldStatus::Ready(want)));
}

#[test]
fn goals_that_have_moved_on_are_a_field_of_their_own_when_asked_for() {
    let (mut navigator, walker) = navigator(open(8, 8));
    let hunted = navigator.request(walker, goal(7, 3)).expect("a field");
    navigator.set_goals(hunted, goal(1, 1)).expect("alive");
    let gate = navigator.request(walker, goal(7, 3)).expect("a field");
    assert_ne!(gate, hunted);
    assert_eq!(navigator.request(walker, goal(1, 1)), Ok(hunted));
}

#[test]
fn stale_and_foreign_handles_and_profiles_are_errors_and_never_a_panic() {
    let (mut navigator, walker) = navigator(open(8, 8));
    let (mut other, _) = crate::kit::navigator(open(8, 8));
    let field = navigator.request(walker, goal(7, 3)).expect("a field");
    let foreign = Some(NavigatorError::Foreign(field));
    assert_eq!(other.status(field).err(), foreign);
    assert_eq!(other.release(field).err(), foreign);
    assert_eq!(other.set_goals(field, goal(0, 0)).err(), foreign);
    assert_eq!(other.reader(field).err(), foreign);
    navigator.release(field).expect("alive");
    let again = navigator.request(walker, goal(6, 3)).expect("a field");
    assert_eq!(again.index(), field.index(), "its place is used again");
    let gone = Some(NavigatorError::Released(field));
    assert_eq!(navigator.status(field).err(), gone);
    assert_eq!(navigator.progress(field).err(), gone);
    assert_eq!(navigator.goals(field).err(), gone);
    assert_eq!(navigator.profile(field).err(), gone);
    assert_eq!(navigator.set_goals(field, goal(0, 0)).err(), gone);
    assert_eq!(navigator.release(field).err(), gone);
    let cell = Cell::new(0, 0);
    assert_eq!(navigator.advice(field, cell, Default::default()).err(), gone);
    assert_eq!(navigator.route_status(field, cell).err(), gone);
    let profile = ProfileId(9);
    let unknown = Some(NavigatorError::Map(LivingMapError::NoProfile { profile }));
    assert_eq!(navigator.request(profile, goal(0, 0)).err(), unknown);
    assert_eq!(navigator.movement(profile).err(), unknown);
    let from = BlockedGoals::NearestReachableFrom(CellId(64));
    let nowhere = Some(NavigatorError::ForeignCell { id: 64, cells: 64 });
    assert_eq!(
        navigator
            .request(walker, goal(0, 0).with_blocked_goals(from))
            .err(),
        nowhere
    );
    assert_eq!(
        navigator
            .set_goals(again, goal(0, 0).with_blocked_goals(from))
            .err(),
        nowhere
    );
    assert_eq!(navigator.can_reach(profile, cell, cell).err(), unknown);
    assert_eq!(navigator.would_cut_off(profile, &[cell]).err(), unknown);
}

#[test]
fn goals_that_cannot_be_used_fail_once_and_are_tried_again_when_the_costs_change() {
    let mut costs = open(8, 8);
    costs.set(Cell::new(7, 3), Cost::IMPASSABLE).expect("on the map");
    let (mut navigator, walker) = navigator(costs);
    let field = navigator.request(walker, goal(7, 3)).expect("asking is no error");
    let off = navigator
        .request(walker, goal(70, 3))
        .expect("asking is no error");
    navigator.update(&Serial);
    let failed = |navigator: &thalweg::navigator::Navigator, field| {
        let Ok(FieldStatus::Failed { error, .. }) = navigator.status(field) else {
            panic!("not failed: {:?}", navigator.status(field));
        };
        error
    };
    assert!(matches!(
        failed(&navigator, field).goal_error(),
        Some(GoalError::Blocked { .. })
    ));
    assert!(matches!(
        failed(&navigator, off).goal_error(),
        Some(GoalError::Outside { .. })
    ));
    for _ in 0..100 {
        assert_eq!(navigator.request(walker, goal(7, 3)), Ok(field));
        navigator.update(&Serial);
    }
    assert_eq!(navigator.stats().builds_failed, 2, "a failure is not tried again");
    navigator
        .map_mut()
        .set(Cell::new(7, 3), Cost::PLAIN)
        .expect("on the map");
    navigator.update(&Serial);
    assert!(navigator.status(field).expect("alive").is_ready());
    assert!(matches!(failed(&navigator, off), MakeError::Build(_)));
    // A goal that is walled in later: what was published stays for readers, and the status says why.
    navigator
        .map_mut()
        .set(Cell::new(7, 3), Cost::IMPASSABLE)
        .expect("on the map");
    navigator.update(&Serial);
    let Ok(FieldStatus::Failed { have: Some(have), .. }) = navigator.status(field) else {
        panic!("not failed");
    };
    assert_eq!(have.field.0, 1);
}

#[test]
fn a_map_put_in_place_of_the_own_one_is_no_panic() {
    let (mut navigator, walker) = navigator(open(8, 8));
    let field = navigator.request(walker, goal(7, 3)).expect("a field");
    navigator
        .map_mut()
        .set(Cell::new(3, 3), Cost::IMPASSABLE)
        .expect("on the map");
    navigator.update(&Serial);
    *navigator.map_mut() = thalweg::living_map::LivingMap::new(open(3, 3));
    navigator.status(field).expect("alive");
    navigator.update(&Serial);
    navigator.update_within(100, &Serial);
    let cell = Cell::new(0, 0);
    let unknown = Some(NavigatorError::Map(LivingMapError::NoProfile { profile: walker }));
    assert_eq!(navigator.advice(field, cell, Default::default()).err(), unknown);
}
