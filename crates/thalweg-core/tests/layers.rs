//! Maps of several layers: ids, places in the world, and everything that must stay on its own floor.

use thalweg_core::components::Components;
use thalweg_core::cost::{
    Cost, CostField, CostFieldError, DirtyRegion, OverlaidCosts, OverlayError, Stamp, StampEffect,
};
use thalweg_core::debug::{print_arrows, print_costs};
use thalweg_core::flow::{
    HeadingField, HeadingOptions, HeadingScratch, LengthField, OrderScratch, look_ahead, measure_lengths,
};
use thalweg_core::grid::{
    Cell, CellId, DIRECTIONS, Grid, GridError, MapPoint, PositionError, WorldTransform, YAxis,
};
use thalweg_core::integrate::{BlockedGoals, Engine, Goal, GoalSet, IntegrateOptions, Reach};
use thalweg_core::movement::{EdgeRules, Movement, MovementProfile, Sight, SweepStop, sight, sweep};
use thalweg_core::route::{RouteError, RouteOptions, RouteScratch, find_route};
use thalweg_testkit::solve::{Solved, try_solve_movement};

fn house() -> Grid {
    let ground = Grid::with_first_cell(5, 3, Cell::new(-2, 0)).unwrap();
    let upper = Grid::with_first_cell(2, 4, Cell::new(1, -7)).unwrap();
    let roof = Grid::new(1, 1).unwrap();
    Grid::stacked([&ground, &upper, &roof]).unwrap()
}

/// A way up from the east end of the ground floor, and a chute from the roof.
fn solved(goal: Cell) -> Solved {
    let costs = CostField::filled(house(), Cost::PLAIN);
    let mut rules = EdgeRules::new(house());
    rules.add_portal(Cell::new(2, 0), Cell::on(1, 1, -7), 30).unwrap();
    rules
        .add_portal(Cell::on(1, 2, -4), Cell::on(2, 0, 0), 30)
        .unwrap();
    rules.add_portal(Cell::on(2, 0, 0), Cell::new(-2, 2), 0).unwrap();
    let movement = Movement::compile_with(&costs, &rules, &MovementProfile::new()).unwrap();
    let goals = GoalSet::from_cells([goal]);
    try_solve_movement(movement, &costs, &goals, &IntegrateOptions::new()).unwrap()
}

#[test]
fn ids_run_layer_after_layer_and_neighbours_stay_on_theirs() {
    let grid = house();
    assert_eq!(
        (grid.len(), grid.layers().len(), grid.longest_side()),
        (15 + 8 + 1, 3, 5)
    );
    for (index, id) in grid.ids().enumerate() {
        assert_eq!(id.index(), index);
        let cell = grid.cell(id);
        assert_eq!(grid.id(cell), Some(id));
        for direction in DIRECTIONS {
            let (dx, dy) = direction.offset();
            let beside = Cell::on(cell.layer, cell.x + dx, cell.y + dy);
            assert_eq!(
                grid.neighbour(id, direction),
                grid.id(beside),
                "{cell} {direction}"
            );
        }
    }
    assert_eq!(grid.cell(CellId(15)), Cell::on(1, 1, -7));
    assert_eq!(grid.cell(CellId(23)), Cell::on(2, 0, 0));
    assert_eq!(grid.id(Cell::on(3, 0, 0)), None);
    assert_eq!(grid.id(Cell::on(1, 0, 0)), None);
    assert_eq!(grid, house());
    assert_ne!(grid, Grid::new(24, 1).unwrap());
}

#[test]
fn grids_that_cannot_be_are_refused() {
    assert_eq!(Grid::stacked([]), Err(GridError::Layers { got: 0 }));
    let large = Grid::new(1 << 15, 1 << 15).unwrap();
    let error = Grid::stacked([&large, &Grid::new(1, 1).unwrap()]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "2 layers have 1073741825 cells together, above the limit of 1073741824"
    );
    let one = Grid::new(1, 1).unwrap();
    assert_eq!(
        Grid::stacked(std::iter::repeat_n(&one, 65_536))
            .unwrap()
            .layers()
            .len(),
        65_536
    );
    let error = Grid::stacked(std::iter::repeat_n(&one, 65_537)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a map has 1 to 65536 layers, but 65537 were given"
    );
    assert_eq!(
        Grid::stacked([&large]).unwrap(),
        large,
        "one layer is a plain grid"
    );
    let nested = Grid::stacked([&house(), &one]).unwrap();
    assert_eq!(nested.cell(CellId(24)), Cell::on(3, 0, 0));
}

#[test]
fn floors_lie_above_each_other_in_the_world() {
    let grid = house();
    for y_axis in [YAxis::Down, YAxis::Up] {
        let transform = WorldTransform::new([100.0, -50.0], 0.5, y_axis).unwrap();
        let mut by_place = std::collections::BTreeMap::new();
        for id in grid.ids() {
            let cell = grid.cell(id);
            let world = transform.centre_of(&grid, cell).unwrap();
            assert_eq!(transform.cell_at(&grid, cell.layer, world), Ok(cell));
            let map = transform.map_from_world(&grid, cell.layer, world).unwrap();
            let point = MapPoint::from_map(map).unwrap().on(cell.layer);
            assert_eq!(point, MapPoint::centre_of_cell(&grid, cell).unwrap());
            assert_eq!(point.cell_id(&grid), Some(id));
            // Equal x and y are one place, whatever the layer.
            let place = *by_place.entry((cell.x, cell.y)).or_insert(world);
            assert_eq!(place, world, "{cell}");
        }
        let far = transform.cell_at(&grid, 7, [100.0, -50.0]).unwrap_err();
        assert_eq!(
            far.to_string(),
            "layer 7 was asked for, but the map has 3 layer(s), counted from 0"
        );
        assert!(matches!(
            transform.cell_at(&grid, 2, [100.1, -49.9]),
            Err(PositionError::Outside(..))
        ));
    }
}

#[test]
fn a_field_goes_through_portals_and_nowhere_else() {
    let solved = solved(Cell::on(2, 0, 0));
    let at = |cell| solved.field.grid().id(cell).unwrap();
    // Three straight steps up the tower and one diagonal, then the ladder.
    assert_eq!(
        solved.field.cost(at(Cell::on(1, 1, -7))).unwrap().0,
        14 + 2 * 10 + 30
    );
    assert_eq!(solved.field.cost(at(Cell::new(2, 0))).unwrap().0, 94);
    assert_eq!(solved.field.cost(at(Cell::new(-2, 0))).unwrap().0, 134);
    assert_eq!(
        print_arrows(&solved.flow),
        "→→→→@\n→→→↗↑\n→→↗↑↑\n\n↓↓\n↓↓\n↘↓\n→@\n\n●\n"
    );
    // Without portals nothing leads anywhere, and nothing by accident.
    let costs = CostField::filled(house(), Cost::PLAIN);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    assert!(!movement.is_plain() && !Engine::Layers.supports(&movement));
    let goals = GoalSet::from_cells([Cell::on(1, 1, -7)]);
    let alone = try_solve_movement(movement, &costs, &goals, &IntegrateOptions::new()).unwrap();
    for id in alone.field.grid().ids() {
        let same = alone.field.grid().cell(id).layer == 1;
        assert_eq!(matches!(alone.field.reach(id), Reach::Reached(_)), same);
    }
}

#[test]
fn routes_lengths_headings_and_components_cross_floors_with_the_field() {
    let solved = solved(Cell::on(2, 0, 0));
    let grid = solved.field.grid();
    let start = grid.id(Cell::new(-2, 0)).unwrap();
    let (mut scratch, mut path) = (RouteScratch::new(), Vec::new());
    let options = RouteOptions::default();
    let mut between = |from, to| find_route(&solved.movement, from, to, &options, &mut scratch, &mut path);
    let route = between(Cell::new(-2, 0), Cell::on(2, 0, 0));
    assert_eq!(route.map(|route| route.cost.0), Ok(134));
    let down = between(Cell::on(2, 0, 0), Cell::on(1, 1, -7));
    assert_eq!(down.map(|route| route.cost.0), Ok(2 * 14 + 2 * 10 + 30));
    assert_eq!(
        between(Cell::on(2, 0, 0), Cell::on(1, 0, 0)),
        Err(RouteError::GoalOutside(Cell::on(1, 0, 0)))
    );
    let mut lengths = LengthField::new(grid.clone());
    measure_lengths(
        &solved.movement,
        &solved.flow,
        &mut OrderScratch::new(),
        &mut lengths,
    );
    let length = lengths.length(start).unwrap();
    assert_eq!((length.straight, length.diagonal), (4 + 2, 1));
    let mut headings = HeadingField::new(grid.clone());
    look_ahead(
        &solved.movement,
        &solved.field,
        &solved.flow,
        &HeadingOptions::new(),
        &mut HeadingScratch::new(),
        &mut headings,
    )
    .unwrap();
    assert_eq!(headings.heading(start), Some([1.0, 0.0]));
    let top = grid.id(Cell::on(1, 1, -7)).unwrap();
    let [x, y] = headings.heading(top).unwrap();
    assert!(
        x > 0.2 && y > 0.9,
        "the tower is seen down to its ladder: {x}, {y}"
    );
    let components = Components::of(&solved.movement);
    let roof = grid.id(Cell::on(2, 0, 0)).unwrap();
    assert!(components.can_reach(start, roof) && components.can_reach(roof, start));
}

#[test]
fn sweeps_and_sight_lines_stay_on_their_floor() {
    let solved = solved(Cell::on(2, 0, 0));
    let (movement, grid) = (&solved.movement, solved.field.grid());
    let centre = |cell| MapPoint::centre_of_cell(grid, cell).unwrap();
    let (a, b) = (centre(Cell::on(1, 1, -7)), centre(Cell::on(1, 2, -4)));
    let swept = sweep(movement, a, b);
    assert_eq!((swept.end, swept.stop), (b, SweepStop::Clear));
    let beyond = sweep(movement, a, a.at(a.x, a.y + 9 * 65_536));
    assert_eq!(
        (beyond.end.layer, beyond.end.cell_id(grid)),
        (1, grid.id(Cell::on(1, 1, -4)))
    );
    let other = sweep(movement, a, centre(Cell::new(0, 0)));
    assert_eq!((other.end, other.stop), (a, SweepStop::Outside));
    let id = |cell| grid.id(cell).unwrap();
    assert_eq!(
        sight(movement, id(Cell::on(1, 1, -7)), id(Cell::on(1, 2, -4))),
        Sight::Clear
    );
    assert_eq!(
        sight(movement, id(Cell::new(0, 0)), id(Cell::on(2, 0, 0))),
        Sight::Blocked
    );
}

#[test]
fn writes_and_stamps_are_told_by_layer() {
    let mut costs = CostField::filled(house(), Cost::PLAIN);
    let error = costs
        .set_rect(Cell::new(0, 0), Cell::on(1, 1, -7), Cost::IMPASSABLE)
        .unwrap_err();
    assert!(matches!(error, CostFieldError::Layers { .. }), "{error}");
    costs
        .set_rect(Cell::on(1, 1, -6), Cell::on(1, 2, -5), Cost::IMPASSABLE)
        .unwrap();
    costs.set(Cell::new(2, 2), Cost::from_byte(9)).unwrap();
    let region = |layer, min, max| DirtyRegion { layer, min, max };
    assert_eq!(
        costs.take_dirty(),
        [region(0, (4, 2), (5, 3)), region(1, (0, 1), (2, 3))]
    );
    let mut overlaid = OverlaidCosts::new(costs);
    let stamp = Stamp::rect(
        Cell::on(1, -99, -99),
        Cell::on(1, 99, 99),
        StampEffect::Set(Cost::from_byte(3)),
    )
    .unwrap();
    let id = overlaid.put(stamp).unwrap();
    assert_eq!(
        print_costs(overlaid.costs()),
        ".....\n.....\n....9\n\n33\n33\n33\n33\n\n.\n"
    );
    overlaid.take(id).unwrap();
    assert_eq!(
        print_costs(overlaid.costs()),
        ".....\n.....\n....9\n\n..\n##\n##\n..\n\n.\n"
    );
    let disc = Stamp::disc(MapPoint::centre_of(0, 0).on(2), 1.0, StampEffect::Block).unwrap();
    overlaid.put(disc).unwrap();
    assert_eq!(overlaid.costs().get(CellId(23)), Some(Cost::IMPASSABLE));
    assert_eq!(
        overlaid
            .take_dirty()
            .iter()
            .map(|region| region.layer)
            .collect::<Vec<_>>(),
        [1, 2]
    );
    let ring = |layer| {
        [(0, 0), (65_536, 0), (0, 65_536)]
            .map(|(x, y)| MapPoint::new(x, y).on(layer))
            .to_vec()
    };
    let error = Stamp::polygon(vec![ring(1), ring(2)], StampEffect::Block).unwrap_err();
    assert_eq!(error, OverlayError::RingLayers { ring: 1, layer: 1 });
    let far = Stamp::polygon(vec![ring(3)], StampEffect::Block).unwrap();
    let error = overlaid.put(far).unwrap_err();
    assert_eq!(error, OverlayError::Layer { layer: 3, layers: 3 });
}

#[test]
fn a_blocked_goal_is_moved_on_its_own_floor() {
    let mut costs = CostField::filled(house(), Cost::PLAIN);
    costs.set(Cell::on(1, 1, -7), Cost::IMPASSABLE).unwrap();
    costs.set(Cell::on(2, 0, 0), Cost::IMPASSABLE).unwrap();
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let used = |cell| {
        let goals = GoalSet::new()
            .with_goal(Goal::cell(cell))
            .with_blocked_goals(BlockedGoals::NearestPassable);
        let resolved = goals.resolve(&movement).unwrap();
        costs.grid().cell(resolved.seeds()[0].cell)
    };
    assert_eq!(used(Cell::on(1, 1, -7)), Cell::on(1, 2, -7));
    // The roof has no other cell: the floor next to it serves.
    assert_eq!(used(Cell::on(2, 0, 0)).layer, 1);
}
