//! Terrain classes: one map of what the ground is, and a table per kind of agent of what that costs it.

use thalweg_core::cost::{
    ClassCosts, Cost, CostField, CostFieldError, DirtyRegion, TerrainError, TerrainMap, UnknownGround,
};
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::integrate::{BlockedGoals, GoalSet, Reach, nearest_reachable};
use thalweg_core::movement::{Charge, Movement, MovementProfile, StepScale};
use thalweg_testkit::solve::solve_by_all;

const GROUND: u8 = 0;
const ROCK: u8 = 1;
const WATER: u8 = 2;
const PALISADE: u8 = 3;

const BLOCKED: Cost = Cost::IMPASSABLE;

fn cost(byte: u8) -> Cost {
    Cost::from_byte(byte)
}

fn arrive(scale: StepScale) -> MovementProfile {
    MovementProfile::new()
        .with_charge(Charge::Arrive)
        .with_scale(scale)
}

/// A terrain map from a drawing: rock `#`, water `~`, palisade `B`, ground everything else.
fn terrain(rows: &[&str]) -> TerrainMap {
    let width = u32::try_from(rows[0].len()).unwrap();
    let grid = Grid::new(width, u32::try_from(rows.len()).unwrap()).unwrap();
    let classes = rows
        .concat()
        .chars()
        .map(|letter| match letter {
            '#' => ROCK,
            '~' => WATER,
            'B' => PALISADE,
            _ => GROUND,
        })
        .collect();
    TerrainMap::from_classes(grid, classes).unwrap()
}

fn land() -> ClassCosts {
    ClassCosts::new()
        .with_class(GROUND, Cost::PLAIN)
        .with_rest(BLOCKED)
}

#[test]
fn a_palisade_is_a_wall_for_a_walker_and_a_price_for_a_breaker() {
    let strip = terrain(&["A.B.G"]);
    let goal = GoalSet::from_cells([Cell::new(4, 0)]);
    let breaker = strip.costs(&land().with_class(PALISADE, cost(20))).unwrap();
    let walker = strip.costs(&land()).unwrap();
    // 1 + 20 + 1 + 1 cells entered.
    for (scale, expected) in [
        (StepScale::TEN_FOURTEEN, [230, 20]),
        (StepScale::FINE, [9384, 816]),
    ] {
        let solved = solve_by_all(&breaker, &arrive(scale), &goal);
        assert_eq!(
            [solved.cost_at(0, 0), solved.cost_at(2, 0)],
            expected.map(Some),
            "{scale}"
        );
        let solved = solve_by_all(&walker, &arrive(scale), &goal);
        assert_eq!(solved.field.reach(solved.id(0, 0)), Reach::Unreachable);
        assert_eq!(solved.cost_at(3, 0), Some(scale.straight()));
    }
}

#[test]
fn land_goes_round_the_ford_amphibians_through_it_and_ships_stop_at_the_shore() {
    let ford = terrain(&[
        "A..~~..G", ".######.", ".######.", ".######.", ".######.", "........",
    ]);
    let goal = GoalSet::from_cells([Cell::new(7, 0)]);
    let amphibious = land().with_class(WATER, Cost::PLAIN);
    for (table, cells) in [(land(), 17), (amphibious, 7)] {
        let costs = ford.costs(&table).unwrap();
        for scale in [StepScale::TEN_FOURTEEN, StepScale::FINE] {
            let solved = solve_by_all(&costs, &arrive(scale), &goal);
            assert_eq!(
                solved.cost_at(0, 0),
                Some(cells * scale.straight()),
                "{table:?} {scale}"
            );
        }
    }
    let naval = ClassCosts::new()
        .with_class(WATER, Cost::PLAIN)
        .with_rest(BLOCKED);
    let costs = ford.costs(&naval).unwrap();
    let movement = Movement::compile(&costs, &arrive(StepScale::TEN_FOURTEEN));
    assert!(goal.resolve(&movement).is_err(), "the goal is on land");
    let ship = ford.grid().id(Cell::new(3, 0)).unwrap();
    let shore = Cell::new(4, 0);
    assert_eq!(
        nearest_reachable(&movement, ship, Cell::new(7, 0)),
        ford.grid().id(shore)
    );
    let moved = goal
        .with_blocked_goals(BlockedGoals::NearestReachableFrom(ship))
        .resolve(&movement)
        .unwrap();
    assert_eq!(moved.report().moved, [(0, Cell::new(7, 0), shore)]);
}

#[test]
fn a_class_that_the_table_does_not_list_is_an_error_that_names_the_first_cell() {
    let mut map = terrain(&["..~.", ".~B."]);
    let table = ClassCosts::new().with_class(GROUND, Cost::PLAIN);
    let missing = TerrainError::UnlistedClass {
        cell: Cell::new(2, 0),
        class: WATER,
    };
    assert_eq!(map.costs(&table), Err(missing.clone()));
    assert!(missing.to_string().contains("(2,0)") && missing.to_string().contains("class 2"));
    // A class that lies nowhere need not be listed.
    let enough = table
        .clone()
        .with_class(WATER, cost(9))
        .with_class(PALISADE, cost(20));
    let mut costs = map.costs(&enough).unwrap();
    assert_eq!(costs.bytes(), [1, 1, 9, 1, 1, 9, 20, 1]);
    // An update that fails half way leaves nothing half new.
    map.set(Cell::new(0, 0), PALISADE).unwrap();
    map.set(Cell::new(3, 1), ROCK).unwrap();
    let before = costs.clone();
    let region = map.take_dirty()[0];
    assert!(matches!(
        map.update(&enough, region, &mut costs),
        Err(TerrainError::UnlistedClass { class: ROCK, .. })
    ));
    assert_eq!(costs, before);
    map.update(&enough.with_rest(BLOCKED), region, &mut costs)
        .unwrap();
    assert_eq!(costs.bytes(), [20, 1, 9, 1, 1, 9, 20, 255]);
}

#[test]
fn one_edit_reaches_the_costs_of_every_profile_and_marks_only_what_changed_there() {
    let mut map = terrain(&["......", "......", "......"]);
    let walker = land();
    let breaker = land().with_class(PALISADE, cost(20));
    let mut fields = [&walker, &breaker].map(|table| map.costs(table).unwrap());
    assert!(
        fields
            .iter_mut()
            .all(|field| field.take_dirty().is_empty() && field.version().0 == 0)
    );
    let before = map.version();
    map.set_rect(Cell::new(4, 2), Cell::new(3, 1), PALISADE).unwrap();
    assert!(map.version() > before);
    let region = map.take_dirty()[0];
    assert!(map.take_dirty().is_empty());
    for (table, field) in [&walker, &breaker].into_iter().zip(&mut fields) {
        map.update(table, region, field).unwrap();
        assert_eq!(field.bytes(), map.costs(table).unwrap().bytes());
        assert_eq!(
            field.take_dirty(),
            vec![DirtyRegion {
                layer: 0,
                min: (3, 1),
                max: (5, 3)
            }]
        );
    }
    // Rock looks the same as a palisade to a walker: its field does not change, the breaker's does.
    map.set(Cell::new(3, 1), ROCK).unwrap();
    let region = map.take_dirty()[0];
    let versions = fields.each_ref().map(CostField::version);
    map.update(&walker, region, &mut fields[0]).unwrap();
    map.update(&breaker, region, &mut fields[1]).unwrap();
    assert_eq!(fields[0].version(), versions[0]);
    assert!(fields[1].version() > versions[1]);
    // A change of the table: update the whole.
    let whole = DirtyRegion::whole(map.grid()).next().unwrap();
    map.update(
        &breaker.clone().with_class(PALISADE, cost(70)),
        whole,
        &mut fields[1],
    )
    .unwrap();
    assert_eq!(fields[1].bytes()[2 * 6 + 4], 70);
}

#[test]
fn every_writer_of_terrain_passes_the_one_door() {
    let fresh = || terrain(&["......", "......"]);
    let mut by_cell = fresh();
    by_cell.set(Cell::new(1, 1), WATER).unwrap();
    by_cell.set(Cell::new(2, 1), WATER).unwrap();
    let mut by_rect = fresh();
    by_rect.set_rect(Cell::new(2, 1), Cell::new(1, 1), WATER).unwrap();
    let mut by_list = fresh();
    let mut classes = vec![GROUND; 12];
    classes[7..9].fill(WATER);
    by_list.set_all(&classes).unwrap();
    assert!(by_cell == by_rect && by_rect == by_list);
    assert_eq!(
        by_cell.take_dirty(),
        vec![DirtyRegion {
            layer: 0,
            min: (1, 1),
            max: (3, 2)
        }]
    );
    // Refused writes change nothing.
    let before = by_rect.clone();
    assert!(by_rect.set(Cell::new(6, 0), WATER).is_err());
    assert!(by_rect.set_unknown(Cell::new(0, -1)).is_err());
    assert!(by_rect.set_rect(Cell::new(0, 0), Cell::new(0, 2), WATER).is_err());
    assert!(by_rect.set_all(&classes[1..]).is_err());
    assert!(by_rect == before);
    assert!(TerrainMap::from_classes(before.grid().clone(), vec![0; 3]).is_err());
    let mut other = CostField::filled(Grid::new(6, 3).unwrap(), Cost::PLAIN);
    assert!(matches!(
        before.update(
            &land(),
            DirtyRegion::whole(before.grid()).next().unwrap(),
            &mut other
        ),
        Err(TerrainError::Field(CostFieldError::OtherGrid { .. }))
    ));
}

#[test]
fn unknown_terrain_is_passable_only_for_a_profile_that_says_so() {
    let grid = Grid::new(5, 1).unwrap();
    let mut map = TerrainMap::from_classes_with_unknown(grid.clone(), vec![0, 0, 99, 0, 0], 99).unwrap();
    assert_eq!(
        (map.unknown_len(), map.class(grid.id_at(2, 0).unwrap())),
        (1, None)
    );
    let goal = GoalSet::from_cells([Cell::new(4, 0)]);
    // Even a table that lists everything does not open it.
    let costs = map.costs(&ClassCosts::new().with_rest(Cost::PLAIN)).unwrap();
    let solved = solve_by_all(&costs, &arrive(StepScale::TEN_FOURTEEN), &goal);
    assert_eq!(solved.cost_at(0, 0), None);
    let blocked = costs.with_unknown_ground(UnknownGround::default());
    assert_eq!(blocked, costs);
    let assumed = costs.with_unknown_ground(UnknownGround::Assumed(cost(5)));
    assert_eq!(assumed.version(), costs.version());
    assert_eq!((assumed.unknown_len(), costs.unknown_len()), (0, 1));
    let solved = solve_by_all(&assumed, &arrive(StepScale::TEN_FOURTEEN), &goal);
    assert_eq!(solved.cost_at(0, 0), Some(80));
    let wall = costs.with_unknown_ground(UnknownGround::Assumed(BLOCKED));
    let solved = solve_by_all(&wall, &arrive(StepScale::TEN_FOURTEEN), &goal);
    assert_eq!(solved.field.reach(solved.id(2, 0)), Reach::Unreachable);
    // Surveyed later.
    map.set(Cell::new(2, 0), GROUND).unwrap();
    let mut costs = costs;
    map.update(&land(), map.clone().take_dirty()[0], &mut costs)
        .unwrap();
    assert_eq!(costs.bytes(), [1; 5]);
    map.set_unknown(Cell::new(0, 0)).unwrap();
    assert_eq!(map.costs(&land()).unwrap().unknown_len(), 1);
}
