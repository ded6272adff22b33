//! Special cases of one-way borders, portals and slopes. On random maps of everything: `worlds.rs`.

use thalweg_core::check::check_field;
use thalweg_core::components::Components;
use thalweg_core::cost::{CostField, EdgeCharges, HeightMap, SlopeBand, SlopeBands, SlopeRule};
use thalweg_core::flow::{FlowField, FlowScratch, extract};
use thalweg_core::grid::{Cell, CellId, Direction, Grid};
use thalweg_core::integrate::{
    Engine, GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, integrate,
};
use thalweg_core::movement::{
    Charge, CornerRule, EdgeInputs, EdgeRuleError, EdgeRules, MAX_PORTAL_COST, Movement, MovementProfile,
};
use thalweg_core::workers::Serial;

#[test]
fn without_rules_the_movement_stays_plain() {
    let costs = CostField::filled(Grid::new(3, 2).unwrap(), thalweg_core::cost::Cost::PLAIN);
    let profile = MovementProfile::new();
    let mut rules = EdgeRules::new(costs.grid().clone());
    let plain = Movement::compile_with(&costs, &rules, &profile).unwrap();
    assert!(plain.is_plain() && Engine::Layers.supports(&plain));
    rules.close_exit(Cell::new(1, 0), Direction::E).unwrap();
    let directed = Movement::compile_with(&costs, &rules, &profile).unwrap();
    assert!(!directed.is_plain() && !Engine::Layers.supports(&directed));
    rules.open_exit(Cell::new(1, 0), Direction::E).unwrap();
    assert_eq!(
        Movement::compile_with(&costs, &rules, &profile)
            .unwrap()
            .all_exits(),
        plain.all_exits()
    );
}

#[test]
fn rules_that_make_no_sense_are_refused() {
    let grid = Grid::new(3, 2).unwrap();
    let mut rules = EdgeRules::new(grid);
    let before = rules.clone();
    let (a, b) = (Cell::new(0, 0), Cell::new(2, 1));
    assert_eq!(
        rules.add_portal(a, a, 1),
        Err(EdgeRuleError::PortalToItself { cell: a })
    );
    let dear = MAX_PORTAL_COST + 1;
    assert_eq!(
        rules.add_portal(a, b, dear),
        Err(EdgeRuleError::PortalCost {
            from: a,
            to: b,
            cost: dear
        })
    );
    for error in [
        rules.add_portal(a, Cell::new(3, 0), 1).unwrap_err(),
        rules.close_exit(Cell::new(0, -1), Direction::N).unwrap_err(),
        rules
            .only_enter_from(Cell::new(0, 2), thalweg_core::grid::DirectionSet::EMPTY)
            .unwrap_err(),
    ] {
        assert!(
            error.to_string().contains("lies outside the map of 3 x 2 cells"),
            "{error}"
        );
    }
    assert_eq!(rules, before, "a refused rule changes nothing");
    let other = CostField::filled(Grid::new(2, 3).unwrap(), thalweg_core::cost::Cost::PLAIN);
    let error = Movement::compile_with(&other, &rules, &MovementProfile::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the edge rules are of the map of 3 x 2 cells that begins at (0,0), the costs of the map of 2 x 3 cells that begins at (0,0)"
    );
}

#[test]
fn slopes_charge_and_close_steps_in_the_direction_they_are_walked() {
    use thalweg_core::cost::Cost;

    // Four cells in a row; the third lies 0.5 higher than the second and 2.0 higher than the fourth.
    let grid = Grid::new(4, 1).unwrap();
    let heights = HeightMap::new(grid.clone(), 1.0, vec![0.0, 0.0, 0.5, -1.5], None).unwrap();
    // Downhill is free of charge up to a slope of 1.
    let down = SlopeBands::new([SlopeBand { below: 1.0, extra: 0 }]).unwrap();
    let charges = EdgeCharges::new(&heights, SlopeRule::new(SlopeBands::default()).with_down(down));
    let costs = CostField::filled(grid.clone(), Cost::PLAIN);
    let field_to = |goal: i32, charge: Charge| {
        let profile = MovementProfile::new().with_charge(charge);
        let edges = EdgeInputs {
            rules: None,
            charges: Some(&charges),
        };
        let movement = Movement::compile_edges(&costs, &edges, &profile).unwrap();
        let goals = GoalSet::from_cells([Cell::new(goal, 0)])
            .resolve(&movement)
            .unwrap();
        let mut fields = [Engine::Heap, Engine::Buckets].map(|engine| {
            let mut field = IntegrationField::new(grid.clone());
            let options = IntegrateOptions::new().with_engine(engine);
            integrate(
                &movement,
                &goals,
                &options,
                &mut IntegrateScratch::new(),
                &mut field,
            )
            .unwrap();
            let mut flow = FlowField::new(grid.clone());
            extract(&movement, &field, &Serial, &mut FlowScratch::new(), &mut flow);
            check_field(&movement, &field, &flow).unwrap();
            field
        });
        assert_eq!(fields[0], fields[1]);
        let field = std::mem::replace(&mut fields[0], IntegrationField::new(grid.clone()));
        grid.ids()
            .map(|id| field.cost(id).map(|cost| cost.0))
            .collect::<Vec<_>>()
    };
    // A slope of 0.5 adds 3 to the charge of that step; one of 2.0 cannot be walked.
    assert_eq!(
        field_to(2, Charge::Depart),
        [Some(10 + 40), Some(40), Some(0), None]
    );
    assert_eq!(
        field_to(0, Charge::Depart),
        [Some(0), Some(10), Some(20), None],
        "down is cheaper than up"
    );
    // The mean is charged in doubled units, the extra with it.
    assert_eq!(
        field_to(2, Charge::Mean),
        [Some(20 + 80), Some(80), Some(0), None]
    );
}

/// Found by the long run: a diagonal whose only way back is a portal goes when its side cell is blocked; the portal stays.
#[test]
fn a_portal_is_no_way_back_for_a_diagonal_when_cells_are_blocked() {
    use thalweg_core::cost::Cost;
    let grid = Grid::new(2, 2).unwrap();
    let costs = CostField::from_bytes(grid.clone(), vec![1, 1, 255, 1]).unwrap();
    let mut rules = EdgeRules::new(grid);
    rules.close_exit(Cell::new(1, 1), Direction::NW).unwrap();
    rules.add_portal(Cell::new(1, 1), Cell::new(0, 0), 5).unwrap();
    let profile = MovementProfile::new().with_corner_rule(CornerRule::OneFree);
    let movement = Movement::compile_with(&costs, &rules, &profile).unwrap();
    let components = Components::of(&movement).with_cut_points(&movement).unwrap();
    assert!(components.can_reach(CellId(0), CellId(3)), "by the diagonal");
    let report = components.would_cut_off(&movement, &[Cell::new(1, 0)]).unwrap();
    assert!(
        report.cuts_anyone_off(),
        "the diagonal goes with its free side: {report:?}"
    );
    assert_eq!(costs.get(CellId(1)), Some(Cost::PLAIN));
}
