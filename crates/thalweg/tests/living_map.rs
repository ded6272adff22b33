//! Which versions an edit of a living map raises, and when profiles share their compiled rules.

use std::sync::Arc;
use thalweg::core::cost::{
    ClassCosts, HeightMap, SlopeBands, SlopeRule, Stamp, StampEffect, TerrainMap, UnknownGround,
};
use thalweg::core::movement::{EdgeRules, Footprint, PortalCost, PortalIndex};
use thalweg::living_map::{LivingMap, LivingMapError, ProfileId, ProfileSpec};
use thalweg::prelude::*;
use thalweg::version::BundleVersions;

const MUD: Cost = Cost::from_byte(9);

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y)
}

/// Land (0) with a river (1) in column 4, and a slope in the last column.
fn map() -> LivingMap {
    let grid = Grid::new(8, 6).unwrap();
    let mut terrain = TerrainMap::filled(grid.clone(), 0);
    terrain.set_rect(cell(4, 0), cell(4, 5), 1).unwrap();
    let heights = (0..48).map(|id| if id % 8 == 7 { 0.5 } else { 0.0 }).collect();
    LivingMap::new(CostField::filled(grid.clone(), Cost::PLAIN))
        .with_terrain(terrain)
        .unwrap()
        .with_heights(HeightMap::new(grid, 1.0, heights, None).unwrap())
        .unwrap()
}

fn walker() -> ProfileSpec {
    ProfileSpec::new(MovementProfile::new())
}

fn boat() -> ProfileSpec {
    walker().with_classes(
        ClassCosts::new()
            .with_class(1, Cost::PLAIN)
            .with_rest(Cost::IMPASSABLE),
    )
}

fn climber() -> ProfileSpec {
    walker()
        .with_slopes(SlopeRule::new(SlopeBands::default()))
        .with_unknown(UnknownGround::Assumed(MUD))
}

/// What rose: map, overlay, and the cost of each profile.
fn raised(before: &[BundleVersions], after: &[BundleVersions]) -> (bool, bool, Vec<bool>) {
    let mut of_profiles = Vec::new();
    for (before, after) in before.iter().zip(after) {
        assert!(
            before.map <= after.map && before.overlay <= after.overlay && before.cost <= after.cost,
            "{before} is followed by {after}"
        );
        assert_eq!(before.profile, after.profile);
        assert_eq!((after.goal.0, after.field.0), (0, 0));
        of_profiles.push(after.cost > before.cost);
    }
    let (before, after) = (before[0], after[0]);
    (
        after.map > before.map,
        after.overlay > before.overlay,
        of_profiles,
    )
}

/// Makes an edit of the map with a walker, a boat and a climber, and tells what rose; twice, the second time with what is
/// there, where nothing may rise.
#[track_caller]
fn expect(
    edit: impl Fn(&mut LivingMap) -> Result<(), LivingMapError>,
    map_rises: bool,
    overlay_rises: bool,
    profiles: [bool; 3],
) {
    let mut map = map();
    let ids = [walker(), boat(), climber()].map(|spec| map.add_profile(spec).unwrap());
    let movements = ids.map(|id| map.movement(id).unwrap());
    let versions = |map: &LivingMap| ids.map(|id| map.versions(id)).to_vec();
    let first = versions(&map);
    edit(&mut map).unwrap();
    let second = versions(&map);
    assert_eq!(
        raised(&first, &second),
        (map_rises, overlay_rises, profiles.to_vec())
    );
    for ((id, before), rises) in ids.into_iter().zip(&movements).zip(profiles) {
        let now = map.movement(id).unwrap();
        assert_eq!(!Arc::ptr_eq(before, &now), rises, "{id}");
        assert!(Arc::ptr_eq(&now, &map.movement(id).unwrap()), "{id} asked again");
    }
    if !overlay_rises {
        let movements = ids.map(|id| map.movement(id).unwrap());
        edit(&mut map).unwrap();
        assert_eq!(versions(&map), second, "the same again is no change");
        for (id, before) in ids.into_iter().zip(&movements) {
            assert!(Arc::ptr_eq(before, &map.movement(id).unwrap()), "{id}");
        }
    }
}

#[test]
fn a_cost_that_is_written_holds_for_everybody() {
    expect(|map| map.set(cell(1, 1), MUD), true, false, [true; 3]);
    expect(
        |map| map.set_rect(cell(0, 0), cell(2, 2), MUD),
        true,
        false,
        [true; 3],
    );
}

#[test]
fn the_cost_that_is_there_is_news_to_those_only_who_paid_by_class() {
    expect(
        |map| map.set(cell(1, 1), Cost::PLAIN),
        true,
        false,
        [false, true, false],
    );
}

#[test]
fn unknown_ground_and_assumed_ground_are_told_apart() {
    expect(|map| map.set_unknown(cell(1, 1)), true, false, [true; 3]);
    // What is assumed anyway is no news to the climber when it is found to be so.
    let mut map = map();
    let id = map.add_profile(climber()).unwrap();
    map.set_unknown(cell(1, 1)).unwrap();
    let before = map.versions(id);
    map.set(cell(1, 1), MUD).unwrap();
    assert_eq!(map.versions(id).cost, before.cost);
    assert!(map.versions(id).map > before.map);
}

#[test]
fn classes_reach_only_who_pays_by_them() {
    expect(
        |map| map.set_class(cell(1, 1), 1),
        true,
        false,
        [false, true, false],
    );
    // Two classes that cost the boat the same.
    expect(|map| map.set_class(cell(1, 1), 7), true, false, [false; 3]);
    expect(
        |map| map.set_class_unknown(cell(1, 1)),
        true,
        false,
        [false, true, false],
    );
    expect(
        |map| map.set_class_rect(cell(0, 0), cell(2, 2), 1),
        true,
        false,
        [false, true, false],
    );
}

#[test]
fn heights_reach_only_who_looks_at_them() {
    expect(
        |map| map.set_height(cell(1, 1), 0.5),
        true,
        false,
        [false, false, true],
    );
    expect(
        |map| map.set_height_unknown(cell(1, 1)),
        true,
        false,
        [false, false, true],
    );
    // Within the same band of slopes: 0.5 and 0.55 both add 3 beside and nothing else.
    expect(|map| map.set_height(cell(7, 2), 0.55), true, false, [false; 3]);
}

#[test]
fn stamps_raise_the_overlay_version_and_the_costs_they_reach() {
    let wall = || Stamp::rect(cell(0, 0), cell(1, 1), StampEffect::Block).unwrap();
    expect(|map| map.put(wall()).map(drop), false, true, [true, false, true]);
    // In the river, where the boat is.
    let dam = || Stamp::rect(cell(4, 0), cell(4, 0), StampEffect::Block).unwrap();
    expect(|map| map.put(dam()).map(drop), false, true, [true; 3]);
    let nowhere = || Stamp::rect(cell(90, 0), cell(91, 0), StampEffect::Block).unwrap();
    expect(|map| map.put(nowhere()).map(drop), false, true, [false; 3]);
    expect(
        |map| {
            let id = map.put(wall())?;
            map.take(id).map(drop)
        },
        false,
        true,
        [true, false, true],
    );
}

#[test]
fn what_lies_under_a_blocking_stamp_reaches_nobody() {
    let mut map = map();
    let id = map.add_profile(walker()).unwrap();
    map.put(Stamp::rect(cell(1, 1), cell(1, 1), StampEffect::Block).unwrap())
        .unwrap();
    let before = map.versions(id);
    map.set(cell(1, 1), MUD).unwrap();
    let after = map.versions(id);
    assert_eq!(raised(&[before], &[after]), (true, false, vec![false]));
}

#[test]
fn borders_and_portals_reach_everybody() {
    expect(
        |map| map.close_exit(cell(1, 1), Direction::E),
        true,
        false,
        [true; 3],
    );
    expect(
        |map| map.only_enter_from(cell(1, 1), DirectionSet::EMPTY.with(Direction::N)),
        true,
        false,
        [true; 3],
    );
    expect(
        |map| map.open_exit(cell(1, 1), Direction::E),
        false,
        false,
        [false; 3],
    );
    let mut map = map();
    let id = map.add_profile(walker()).unwrap();
    let before = map.versions(id);
    let first = map
        .add_portal(cell(0, 0), cell(7, 5), PortalCost::Steps(2))
        .unwrap();
    let second = map
        .add_portal(cell(0, 0), cell(7, 0), PortalCost::Units(5))
        .unwrap();
    let with_portals = map.versions(id);
    assert_eq!(raised(&[before], &[with_portals]), (true, false, vec![true]));
    map.remove_portal(first).unwrap();
    assert_eq!(
        raised(&[with_portals], &[map.versions(id)]),
        (true, false, vec![true])
    );
    let movement = map.movement(id).unwrap();
    let corner = map.grid().id(cell(0, 0)).unwrap();
    let portals: Vec<_> = movement
        .edges_from(corner)
        .filter(|edge| matches!(edge.kind, thalweg::core::movement::EdgeKind::Portal(_)))
        .collect();
    assert_eq!(portals.len(), 1, "{portals:?}");
    assert_eq!(portals[0].kind, thalweg::core::movement::EdgeKind::Portal(second));
    assert_eq!(portals[0].cost, 5);
    let gone = map.versions(id);
    assert_eq!(
        map.remove_portal(first).unwrap_err().to_string(),
        "there is no portal 0"
    );
    assert_eq!(map.versions(id), gone, "a refused edit is no change");
    let third = map
        .add_portal(cell(0, 0), cell(7, 5), PortalCost::Units(1))
        .unwrap();
    assert_eq!(
        (second, third),
        (PortalIndex(1), PortalIndex(2)),
        "no index is used twice"
    );
}

/// A62: a price that goes up and down again, by every way to write it.
#[test]
fn a_price_that_is_given_back_gives_back_the_costs_of_every_profile() {
    let mut map = map();
    let ids = [walker(), boat(), climber()].map(|spec| map.add_profile(spec).unwrap());
    let first: Vec<CostField> = ids.iter().map(|&id| map.profile_costs(id).clone()).collect();
    let (a, b) = (cell(3, 1), cell(5, 2));
    map.set_rect(a, b, MUD).unwrap();
    map.set_unknown(cell(3, 1)).unwrap();
    map.set(cell(4, 1), Cost::IMPASSABLE).unwrap();
    let mut loaded = map.own_costs().clone();
    loaded.set(cell(5, 1), Cost::from_byte(3)).unwrap();
    map.copy_costs(&loaded).unwrap();
    let river = map.grid().id(cell(4, 1)).unwrap();
    assert_eq!(map.profile_costs(ids[1]).get(river), Some(Cost::IMPASSABLE));
    map.restore_rect(a, b).unwrap();
    for (&id, first) in ids.iter().zip(&first) {
        for at in map.grid().ids() {
            assert_eq!(map.profile_costs(id).get(at), first.get(at), "{id} at {at:?}");
        }
        // Versions do not go back.
        assert!(map.profile_costs(id).version() > first.version());
    }
}

#[test]
fn profiles_of_one_spec_share_their_rules_and_others_do_not() {
    let mut map = map();
    let large = walker_of(Footprint::square(2).unwrap());
    let [a, b, c] = [walker(), large.clone(), walker()].map(|spec| map.add_profile(spec).unwrap());
    assert!(a != c, "each profile has an id of its own");
    let [of_a, of_b, of_c] = [a, b, c].map(|id| map.movement(id).unwrap());
    assert!(Arc::ptr_eq(&of_a, &of_c));
    assert!(!Arc::ptr_eq(&of_a, &of_b));
    // One of them becomes something else; the others stay what they are.
    map.change_profile(a, large).unwrap();
    assert_eq!(map.versions(a).profile, map.versions(c).profile.next());
    assert!(Arc::ptr_eq(&map.movement(a).unwrap(), &of_b));
    assert!(Arc::ptr_eq(&map.movement(c).unwrap(), &of_c));
    let before = map.versions(a);
    map.change_profile(a, walker_of(Footprint::square(2).unwrap()))
        .unwrap();
    assert_eq!(map.versions(a), before, "the same spec again is no change");
    // The last of its kind leaves; ids go on meaning what they meant.
    map.change_profile(c, climber()).unwrap();
    assert!(Arc::ptr_eq(&map.movement(b).unwrap(), &of_b));
    assert_eq!(map.spec(c), &climber());
}

fn walker_of(footprint: Footprint) -> ProfileSpec {
    ProfileSpec::new(MovementProfile::new().with_footprint(footprint))
}

#[test]
fn what_is_refused_changes_nothing_and_says_why() {
    let mut map = map();
    let id = map.add_profile(boat()).unwrap();
    let narrow = map
        .add_profile(walker().with_classes(ClassCosts::new().with_class(0, MUD).with_class(1, MUD)))
        .unwrap();
    let before = [map.versions(id), map.versions(narrow)];
    let far = cell(8, 0);
    let other = CostField::filled(Grid::new(3, 3).unwrap(), Cost::PLAIN);
    let refused = [
        (map.set(far, MUD), "cell (8,0) lies outside"),
        (map.set_rect(cell(0, 0), far, MUD), "cell (8,0) lies outside"),
        (map.restore_rect(cell(0, 0), far), "cell (8,0) lies outside"),
        (map.set_unknown(far), "cell (8,0) lies outside"),
        (map.set_class(cell(0, 0), 7), "terrain class 7, which the table"),
        (map.set_height(cell(0, 0), f32::NAN), "NaN"),
        (map.close_exit(far, Direction::N), "cell (8,0) lies outside"),
        (
            map.add_portal(cell(0, 0), cell(0, 0), PortalCost::Units(1))
                .map(drop),
            "a portal at (0,0) leads to itself",
        ),
        (
            map.add_portal(cell(0, 0), cell(1, 0), PortalCost::Steps(1 << 28))
                .map(drop),
            "above the limit",
        ),
        (map.copy_costs(&other), "cannot be combined"),
        (
            map.add_profile(walker().with_classes(ClassCosts::new()))
                .map(drop),
            "terrain class 0, which the table",
        ),
        (
            map.movement(ProfileId(9)).map(drop),
            "there is no profile 9 on this map",
        ),
    ];
    for (result, reason) in refused {
        let error = result.unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    assert_eq!([map.versions(id), map.versions(narrow)], before);
    let mut bare = LivingMap::new(CostField::filled(Grid::new(3, 3).unwrap(), Cost::PLAIN));
    assert_eq!(bare.add_profile(boat()), Err(LivingMapError::NoTerrain));
    assert_eq!(bare.set_class(cell(0, 0), 1), Err(LivingMapError::NoTerrain));
    assert_eq!(bare.set_height(cell(0, 0), 1.0), Err(LivingMapError::NoHeights));
}

#[test]
fn parts_given_later_reach_profiles_that_are_there_and_versions_never_fall() {
    let grid = Grid::new(4, 3).unwrap();
    let mut map = LivingMap::new(CostField::filled(grid.clone(), Cost::PLAIN));
    let id = map.add_profile(climber()).unwrap();
    map.close_exit(cell(0, 0), Direction::E).unwrap();
    let mut before = map.versions(id);
    let hill = HeightMap::new(grid.clone(), 1.0, vec![0.0; 12], None).unwrap();
    let mut steep = hill.clone();
    steep.set(cell(1, 1), 5.0).unwrap();
    let mut check = |map: &mut LivingMap| {
        let now = map.versions(id);
        assert!(
            now.map > before.map && now.cost > before.cost,
            "{before} then {now}"
        );
        before = now;
        let (got, fresh) = (map.movement(id).unwrap(), map.compile(id).unwrap());
        assert_eq!(got.all_exits(), fresh.all_exits());
        got.exits(map.grid().id(cell(0, 1)).unwrap())
    };
    map = map.with_heights(steep).unwrap();
    assert!(!check(&mut map).contains(Direction::E), "a cliff");
    map.set_height(cell(1, 1), 4.0).unwrap();
    map.set_height(cell(3, 1), 0.5).unwrap();
    map = map.with_heights(hill).unwrap();
    assert!(check(&mut map).contains(Direction::E), "level again");
    let mut rules = EdgeRules::new(grid);
    rules.close_exit(cell(0, 1), Direction::E).unwrap();
    map = map.with_edge_rules(rules).unwrap();
    assert!(!check(&mut map).contains(Direction::E), "a border");
}
