//! The sources' worked maps come out as printed.

use thalweg_core::check::check_field;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::debug::{print_all, print_arrows, print_cost_to_goal};
use thalweg_core::flow::{FlowField, FlowScratch, extract};
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::integrate::{
    Engine, GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, integrate,
};
use thalweg_core::movement::{Connectivity, Movement, MovementProfile, StepScale};
use thalweg_core::workers::Serial;

fn field_of(
    map: &[&str],
    goal: Cell,
    profile: &MovementProfile,
    engine: Engine,
) -> (CostField, IntegrationField, FlowField) {
    let grid = Grid::new(map[0].len() as u32, map.len() as u32).unwrap();
    let bytes = map
        .concat()
        .bytes()
        .map(|c| if c == b'#' { 255 } else { 1 })
        .collect();
    let costs = CostField::from_bytes(grid.clone(), bytes).unwrap();
    let movement = Movement::compile(&costs, profile);
    let goals = GoalSet::from_cells([goal]).resolve(&movement).unwrap();
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
    let mut flow = FlowField::new(grid);
    extract(&movement, &field, &Serial, &mut FlowScratch::new(), &mut flow);
    if let Err(violation) = check_field(&movement, &field, &flow) {
        panic!("{violation}\n{}", print_all(&costs, &field, &flow));
    }
    (costs, field, flow)
}

#[test]
fn the_articles_walled_table_is_the_four_neighbour_field() {
    let map = [".....", ".##..", ".#...", ".....", "....."];
    let unit = StepScale::new(1, 1).unwrap();
    let profile = MovementProfile::new()
        .with_connectivity(Connectivity::Four)
        .with_scale(unit);
    for engine in Engine::ALL {
        let (_, field, flow) = field_of(&map, Cell::new(2, 2), &profile, engine);
        assert_eq!(
            print_cost_to_goal(&field),
            "65434\n5--23\n4-012\n32123\n43234\n",
            "engine {engine}"
        );
        assert_eq!(
            print_arrows(&flow),
            "→→→↓↓\n↓##↓↓\n↓#●←←\n→→↑↑↑\n↑↑↑↑↑\n",
            "engine {engine}"
        );
    }
}

#[test]
fn a_wall_cell_and_a_known_cost_tell_apart() {
    assert!(!Cost::IMPASSABLE.is_passable());
    assert!(Cost::from_byte(254).is_passable());
}
