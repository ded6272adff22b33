//! What the tests share: small navigators, and the comparison with a build from nothing.

use thalweg::living_map::{LivingMap, ProfileId, ProfileSpec};
use thalweg::navigator::{FieldHandle, Navigator, NavigatorOptions};
use thalweg::prelude::*;

pub(crate) fn navigator(costs: CostField) -> (Navigator, ProfileId) {
    navigator_with(costs, MovementProfile::new(), NavigatorOptions::new())
}

pub(crate) fn navigator_with(
    costs: CostField,
    profile: MovementProfile,
    options: NavigatorOptions,
) -> (Navigator, ProfileId) {
    let mut navigator = Navigator::new(LivingMap::new(costs), options);
    let spec = ProfileSpec::new(profile);
    let profile = navigator.map_mut().add_profile(spec).expect("a plain profile");
    (navigator, profile)
}

pub(crate) fn open(width: u32, height: u32) -> CostField {
    CostField::filled(Grid::new(width, height).expect("a grid"), Cost::PLAIN)
}

pub(crate) fn goal(x: i32, y: i32) -> GoalSet {
    GoalSet::from_cells([Cell::new(x, y)])
}

/// How many fields were made, in whatever way.
pub(crate) fn made(navigator: &Navigator) -> u64 {
    let stats = navigator.stats();
    assert_eq!(stats.integrations_built, stats.directions_extracted);
    assert_eq!(stats.integrations_repaired, stats.directions_repaired);
    stats.integrations_built + stats.integrations_repaired
}

/// Every cell of the map, in id order.
pub(crate) fn cells(navigator: &Navigator) -> Vec<Cell> {
    let grid = navigator.map().grid();
    grid.ids().map(|id| grid.cell(id)).collect()
}

/// That a field is right, and holds what a build from nothing gives, in every channel.
pub(crate) fn assert_as_built(navigator: &mut Navigator, handle: FieldHandle, options: &BuildOptions) {
    let goals = navigator.goals(handle).expect("alive").clone();
    let profile = navigator.profile(handle).expect("alive");
    let movement = navigator.movement(profile).expect("a movement");
    let built = FieldBundle::build(movement, &goals, options, &mut BuildScratch::new(), &Serial);
    let status = navigator.status(handle).expect("alive");
    let Ok(built) = built else {
        let error = built.expect_err("checked");
        let thalweg::navigator::FieldStatus::Failed { error: told, .. } = &status else {
            panic!("{handle}: {status:?}, but a build fails: {error}");
        };
        assert_eq!(told.to_string(), error.to_string(), "{handle}");
        return;
    };
    assert!(status.is_ready(), "{handle}: {status:?}");
    let mut reader = navigator.reader(handle).expect("alive");
    let snapshot = reader.snapshot().expect("published");
    assert_same(snapshot.bundle(), &built, &format!("{handle}"));
    assert_eq!(**snapshot.goals(), *goals, "{handle}");
}

pub(crate) fn assert_same(got: &FieldBundle, wanted: &FieldBundle, context: &str) {
    let (got_costs, wanted_costs) = (got.integration(), wanted.integration());
    for id in wanted.grid().ids() {
        let cell = wanted.grid().cell(id);
        assert_eq!(
            got_costs.reach(id),
            wanted_costs.reach(id),
            "{context} cost at {cell}"
        );
        assert_eq!(
            got_costs.goal(id),
            wanted_costs.goal(id),
            "{context} goal at {cell}"
        );
        assert_eq!(
            got.flow().guidance(id),
            wanted.flow().guidance(id),
            "{context} at {cell}"
        );
        assert_eq!(
            got.flow().successors(id),
            wanted.flow().successors(id),
            "{context} successors at {cell}"
        );
        let portals = |bundle: &FieldBundle| Vec::from_iter(bundle.flow().portal_successors(id));
        assert_eq!(portals(got), portals(wanted), "{context} portals at {cell}");
    }
    assert_eq!(got_costs.sinks(), wanted_costs.sinks(), "{context} sinks");
    assert!(got.flow() == wanted.flow(), "{context} directions");
    assert!(got.headings() == wanted.headings(), "{context} headings");
    assert!(got.lengths() == wanted.lengths(), "{context} lengths");
    assert_eq!(got.goals(), wanted.goals(), "{context} goal report");
}
