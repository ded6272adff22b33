//! A movement made from the one before it is the movement compiled anew, and what it says has changed is what has.
//!
//! The long run, 120,000 scripts: `THALWEG_LONG=1 cargo test --release -p thalweg-core --test recompile -- --nocapture`.

use thalweg_core::cost::{Cost, CostField, EdgeCharges, HeightMap, SlopeBands, SlopeRule};
use thalweg_core::grid::{Cell, CellId, DIRECTIONS, Direction, Grid};
use thalweg_core::movement::{
    Charge, Connectivity, CornerRule, EdgeInputs, EdgeRuleError, EdgeRules, Movement, MovementProfile,
};
use thalweg_testkit::cases::say;
use thalweg_testkit::random_map::SplitMix64;
use thalweg_testkit::world::{Draw, Product, World};

const FIRST_SEED: u64 = 82_000_000;

/// Every cell that differs between two movements, by looking at each.
fn changed(before: &Movement, after: &Movement) -> Vec<CellId> {
    let differs = |&id: &CellId| {
        before.is_passable(id) != after.is_passable(id)
            || before.is_known(id) != after.is_known(id)
            || !before.edges_from(id).eq(after.edges_from(id))
    };
    before.grid().ids().filter(differs).collect()
}

/// Whether two movements are the same in everything that others read, bounds apart.
fn is_same(got: &Movement, wanted: &Movement) -> bool {
    got.grid() == wanted.grid()
        && got.profile() == wanted.profile()
        && got.cost_version() == wanted.cost_version()
        && got.is_plain() == wanted.is_plain()
        && got.has_edge_charges() == wanted.has_edge_charges()
        && got.costs() == wanted.costs()
        && got.all_exits() == wanted.all_exits()
        && got.ground_costs() == wanted.ground_costs()
        && got.grid().ids().all(|id| {
            got.entries(id) == wanted.entries(id)
                && got.is_known(id) == wanted.is_known(id)
                && got.is_ground_known(id) == wanted.is_ground_known(id)
                && got.edges_from(id).eq(wanted.edges_from(id))
                && got.edges_into(id).eq(wanted.edges_into(id))
        })
}

fn bounds_hold(got: &Movement, exact: &Movement) -> bool {
    let is_exact = got.largest_step() == exact.largest_step()
        || got.has_edge_charges() && got.largest_step() > exact.largest_step();
    is_exact
        && got.largest_edge() >= exact.largest_edge()
        && got.smallest_positive_step() == exact.smallest_positive_step()
        && got.has_zero_steps() == exact.has_zero_steps()
        && got.uniform_cost() == exact.uniform_cost()
        && (got.has_unknown() || !exact.has_unknown())
}

#[derive(Default, Debug)]
struct Seen {
    compared: u64,
    changed: u64,
    same: u64,
    shared: u64,
}

fn script(seed: u64, longest: u32, seen: &mut Seen) {
    let mut random = SplitMix64::new(FIRST_SEED + seed);
    let mut world = World::draw(&mut random, longest);
    let mut product = Product::new(&world);
    let mut made: Vec<Movement> = vec![product.movement(&product.costs())];
    let mut told = Vec::new();
    for _ in 0..2 + random.below(6) {
        for _ in 0..random.pick(&[1, 1, 1, 0, 2, 5]) {
            let edit = world.edit(&mut random);
            product.apply(&edit);
            told.push(edit);
        }
        let costs = product.costs();
        let fresh = product.movement(&costs);
        let old = &made[made.len() - 1];
        let got = old.recompile(&costs, &product.edges()).unwrap();
        let context = || format!("seed {seed} after {told:?} of {world:?}");
        assert!(is_same(&got, &fresh), "{}", context());
        assert!(bounds_hold(&got, &fresh), "{}", context());
        seen.shared += u64::from(got.bytes_beside(old) < fresh.bytes_beside(old));
        // Against the one before it, and against one some edits ago; made one from the other or not; in both directions.
        let earlier = &made[random.index(made.len())];
        for before in [old, earlier] {
            let wanted = changed(before, &fresh);
            seen.changed += wanted.len() as u64;
            seen.same += u64::from(wanted.is_empty());
            for after in [&got, &fresh] {
                assert_eq!(after.change_since(before).unwrap().cells, wanted, "{}", context());
                assert_eq!(before.change_since(after).unwrap().cells, wanted, "{}", context());
            }
        }
        seen.compared += 1;
        // Now and then one that was compiled anew, so that few pages are shared.
        made.push(if random.percent(10) { fresh } else { got });
    }
}

#[test]
fn a_movement_made_from_the_one_before_is_the_one_compiled_anew() {
    let is_long = std::env::var_os("THALWEG_LONG").is_some();
    let scripts = if is_long { 120_000 } else { 2_500 };
    let mut seen = Seen::default();
    for seed in 0..scripts {
        // Several pages of cells, so that some are shared and some cut a row.
        let longest = if seed % 50 == 0 { 130 } else { 10 };
        script(seed, longest, &mut seen);
    }
    say(&format!("{scripts} scripts: {seen:?}"));
    assert!(
        seen.compared > 3 * scripts && seen.changed > 10 * scripts,
        "{seen:?}"
    );
    assert!(seen.same > scripts / 10 && seen.shared > scripts / 50, "{seen:?}");
}

/// Bodies of every kind with every corner rule, with neighbourhoods and charges by turns.
fn profiles() -> Vec<MovementProfile> {
    let mut all = Vec::new();
    for footprint in ["point", "square:1", "square:3", "disc:2.1"] {
        for corner in [CornerRule::BothFree, CornerRule::OneFree, CornerRule::Always] {
            let turn = all.len();
            let profile = MovementProfile::new()
                .with_connectivity([Connectivity::Eight, Connectivity::Four][usize::from(turn % 5 == 4)])
                .with_corner_rule(corner)
                .with_charge([Charge::Depart, Charge::Arrive, Charge::Mean][(turn + turn / 3) % 3]);
            all.push(profile.with_footprint(footprint.parse().unwrap()));
        }
    }
    all
}

fn inputs<'a>(are_there: bool, rules: &'a EdgeRules, charges: &'a EdgeCharges) -> EdgeInputs<'a> {
    EdgeInputs {
        rules: Some(rules).filter(|_| are_there),
        charges: Some(charges).filter(|_| are_there),
    }
}

/// What one edit costs: pages, not maps; for every kind of profile and every kind of edit.
#[test]
fn one_edit_of_a_large_map_copies_a_few_pages() {
    let grid = Grid::new(400, 400).unwrap();
    let mut random = SplitMix64::new(FIRST_SEED);
    let mut costs = CostField::filled(grid.clone(), Cost::PLAIN);
    for id in grid.ids() {
        if random.percent(15) {
            costs.write(id, Some(Cost::IMPASSABLE));
        }
    }
    let heights: Vec<f32> = (0..grid.len()).map(|_| random.pick(&[0.0, 0.25, 0.5])).collect();
    let mut heights = HeightMap::new(grid.clone(), 1.0, heights, None).unwrap();
    let mut rules = EdgeRules::new(grid.clone());
    rules.close_exit(Cell::new(3, 3), Direction::E).unwrap();
    let gate = rules.add_portal(Cell::new(0, 0), Cell::new(9, 9), 7).unwrap();
    let mut charges = EdgeCharges::new(&heights, SlopeRule::new(SlopeBands::default()));
    let (mut edits, mut large) = (0, 0);
    for (with_edges, profile) in profiles()
        .into_iter()
        .flat_map(|profile| [(false, profile), (true, profile)])
    {
        let mut movement =
            Movement::compile_edges(&costs, &inputs(with_edges, &rules, &charges), &profile).unwrap();
        for edit in 0..8 {
            let cell = Cell::new(random.below(400).cast_signed(), random.below(400).cast_signed());
            match edit {
                0 => costs.set(cell, Cost::IMPASSABLE).unwrap(),
                1 => costs.set(cell, Cost::from_byte(7)).unwrap(),
                2 => costs.set_unknown(cell).unwrap(),
                3 => rules.close_exit(cell, DIRECTIONS[random.index(8)]).unwrap(),
                4 => rules
                    .only_enter_from(cell, DIRECTIONS.into_iter().take(2).collect())
                    .unwrap(),
                5 => {
                    heights.set(cell, 2.0).unwrap();
                    for region in heights.take_dirty() {
                        charges.update(&heights, region).unwrap();
                    }
                }
                6 => {
                    let _new = rules.add_portal(cell, Cell::new(100, 0), 4);
                }
                _ => {
                    let _ends = rules.remove_portal(gate);
                }
            }
            let next = movement
                .recompile(&costs, &inputs(with_edges, &rules, &charges))
                .unwrap();
            let fresh =
                Movement::compile_edges(&costs, &inputs(with_edges, &rules, &charges), &profile).unwrap();
            // Of up to 13 bytes a cell, at most three pages of 4,096 cells each; half of the map if lists of pages became flat.
            let beside = next.bytes_beside(&movement);
            large += u32::from(beside > 3 * 4096 * 13);
            edits += u32::from(beside > 0);
            assert!(is_same(&next, &fresh), "edit {edit}, {profile:?}");
            assert_eq!(
                next.change_since(&movement).unwrap().cells,
                changed(&movement, &next)
            );
            movement = next;
        }
    }
    assert!(edits > 100 && large < edits / 4, "{large} of {edits}");
}

#[test]
fn a_wall_that_touches_nobody_is_no_change() {
    let mut costs = CostField::filled(Grid::new(4, 1).unwrap(), Cost::PLAIN);
    costs.set(Cell::new(1, 0), Cost::IMPASSABLE).unwrap();
    let profile = MovementProfile::new();
    let none = EdgeInputs::default();
    let before = Movement::compile(&costs, &profile);
    // A cell nobody can leave: what it costs is nobody's matter, that it can be stood on is.
    costs.set(Cell::new(0, 0), Cost::from_byte(9)).unwrap();
    let after = before.recompile(&costs, &none).unwrap();
    assert!(after.change_since(&before).unwrap().is_empty());
    costs.set(Cell::new(0, 0), Cost::IMPASSABLE).unwrap();
    let walled = after.recompile(&costs, &none).unwrap();
    assert_eq!(walled.change_since(&after).unwrap().cells, [CellId(0)]);
    // Known or not is told apart although neither can be entered.
    costs.set_unknown(Cell::new(0, 0)).unwrap();
    let unknown = walled.recompile(&costs, &none).unwrap();
    assert_eq!(unknown.change_since(&walled).unwrap().cells, [CellId(0)]);
}

/// Two edits that cancel out in what a step costs are no change of that step.
#[test]
fn changes_are_told_by_edge_and_not_by_input() {
    let mut costs = CostField::filled(Grid::new(2, 1).unwrap(), Cost::from_byte(5));
    let profile = MovementProfile::new().with_charge(Charge::Mean);
    let before = Movement::compile(&costs, &profile);
    costs.set(Cell::new(0, 0), Cost::from_byte(4)).unwrap();
    costs.set(Cell::new(1, 0), Cost::from_byte(6)).unwrap();
    let after = before.recompile(&costs, &EdgeInputs::default()).unwrap();
    assert!(after.change_since(&before).unwrap().is_empty());
}

#[test]
fn what_belongs_to_another_map_is_refused() {
    let costs = CostField::filled(Grid::new(4, 3).unwrap(), Cost::PLAIN);
    let other = CostField::filled(Grid::new(3, 4).unwrap(), Cost::PLAIN);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let rules = EdgeRules::new(other.grid().clone());
    let foreign = EdgeInputs {
        rules: Some(&rules),
        charges: None,
    };
    for refused in [
        movement.recompile(&other, &EdgeInputs::default()),
        movement.recompile(&costs, &foreign),
    ] {
        assert!(matches!(refused, Err(EdgeRuleError::ForeignMap { .. })));
    }
    let four = MovementProfile::new().with_connectivity(Connectivity::Four);
    for stranger in [
        Movement::compile(&other, &MovementProfile::new()),
        Movement::compile(&costs, &four),
    ] {
        let error = movement.change_since(&stranger).unwrap_err();
        assert_eq!(
            error.to_string(),
            "only movements of one profile on one map can be compared"
        );
    }
}
