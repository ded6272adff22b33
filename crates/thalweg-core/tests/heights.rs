//! Height maps: nodata is unknown, slopes charge and close directed edges, and updates equal rebuilds.

use proptest::prelude::*;
use thalweg_core::cost::{
    Cost, CostField, CostFieldError, DirtyRegion, EdgeCharge, EdgeCharges, HeightError, HeightMap, SlopeBand,
    SlopeBands, SlopeCost, SlopeRule, Steepness, UnknownGround, UnknownSlope,
};
use thalweg_core::grid::{Cell, CellId, DIRECTIONS, Direction, DirectionSet, Grid};
use thalweg_core::integrate::{GoalSet, reachable_from};
use thalweg_core::movement::{Charge, Connectivity, Movement, MovementProfile, StepScale};
use thalweg_testkit::cases::{data_folder, skipped};
use thalweg_testkit::literal::map;
use thalweg_testkit::solve::solve_by_all;

const NODATA: f32 = -9999.0;

fn heights(width: u32, cell_size: f64, heights: &[f32]) -> HeightMap {
    let rows = u32::try_from(heights.len()).unwrap() / width;
    HeightMap::new(
        Grid::new(width, rows).unwrap(),
        cell_size,
        heights.to_vec(),
        Some(NODATA),
    )
    .unwrap()
}

fn bands(bands: &[(f64, u8)]) -> SlopeBands {
    SlopeBands::new(bands.iter().map(|&(below, extra)| SlopeBand { below, extra })).unwrap()
}

#[test]
fn a_frame_and_a_gap_of_nodata_are_no_road() {
    let rows = ["########", "#.......", "#..##...", "#..##...", "########"];
    let values: Vec<f32> = rows
        .iter()
        .flat_map(|row| row.chars())
        .map(|letter| if letter == '#' { NODATA } else { 1660.0 })
        .collect();
    let site = heights(8, 2.0, &values);
    let costs = site.ground(Cost::PLAIN);
    assert_eq!(costs.unknown_len(), 23);
    let goal = GoalSet::from_cells([Cell::new(6, 3)]);
    for (scale, from_corner) in [(StepScale::TEN_FOURTEEN, 64), (StepScale::FINE, 2617)] {
        let profile = MovementProfile::new()
            .with_charge(Charge::Arrive)
            .with_scale(scale);
        let solved = solve_by_all(&costs, &profile, &goal);
        assert_eq!(solved.cost_at(1, 1), Some(from_corner), "{scale}");
        assert_eq!(solved.cost_at(6, 1), Some(2 * scale.straight()));
        assert_eq!(solved.cost_at(3, 2), None);
        let reached = costs.grid().ids().filter(|&id| solved.field.cost(id).is_some());
        assert_eq!(reached.count(), 17);
        // What it would be if nodata were ground: 3 straight and 2 diagonal steps.
        let ground = costs.with_unknown_ground(UnknownGround::Assumed(Cost::PLAIN));
        let solved = solve_by_all(&ground, &profile, &goal);
        assert_eq!(
            solved.cost_at(1, 1),
            Some(3 * scale.straight() + 2 * scale.diagonal())
        );
    }
}

/// A site of 76 x 55 cells of 10 m: 2,152 heights from 1,660 to 1,711 in one piece inside a frame of nodata.
#[test]
fn a_surveyed_site_keeps_its_frame_closed_and_its_ground_in_one_piece() {
    let Some(folder) = data_folder() else {
        skipped("hugo_site.asc");
        return;
    };
    let text = std::fs::read_to_string(folder.join("heightmaps/hugo_site.asc")).unwrap();
    let values: Vec<f32> = text
        .lines()
        .skip(6)
        .flat_map(str::split_whitespace)
        .map(|number| number.parse().unwrap())
        .collect();
    let site = heights(76, 10.0, &values);
    assert_eq!((site.grid().height(), site.unknown_len()), (55, 2028));
    let known: Vec<f32> = site.grid().ids().filter_map(|id| site.height(id)).collect();
    assert_eq!(known.len(), 2152);
    assert!(known.iter().all(|height| (1660.0..=1711.0).contains(height)));
    let costs = site.ground(Cost::PLAIN);
    let start = site.grid().ids().find(|&id| site.height(id).is_some()).unwrap();
    let four = MovementProfile::new().with_connectivity(Connectivity::Four);
    let reached = reachable_from(&Movement::compile(&costs, &four), start);
    assert_eq!(reached.len(), 2152);
    // The ground is gentle: no edge inside is steeper than 1, so the rule closes only what touches the frame.
    let charges = EdgeCharges::new(&site, SlopeRule::default());
    for id in site.grid().ids().filter(|&id| site.height(id).is_some()) {
        for direction in DIRECTIONS {
            let next = site.grid().neighbour(id, direction);
            let is_ground = next.is_some_and(|next| site.height(next).is_some());
            assert_eq!(charges.open(id).contains(direction), is_ground);
        }
    }
}

#[test]
fn heights_that_are_no_numbers_are_refused_with_their_cell_unless_they_mean_nodata() {
    let grid = Grid::with_first_cell(3, 2, Cell::new(-1, 5)).unwrap();
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut values = vec![0.0; 6];
        values[4] = bad;
        values[5] = bad;
        let error = HeightMap::new(grid.clone(), 1.0, values.clone(), Some(NODATA)).unwrap_err();
        assert!(
            matches!(error, HeightError::NotFinite { cell, .. } if cell == Cell::new(0, 6)),
            "{error}"
        );
        let marked = HeightMap::new(grid.clone(), 1.0, values.clone(), Some(bad)).unwrap();
        assert_eq!(marked.unknown_len(), 2, "{bad} as the nodata value");
        let mut other = HeightMap::new(grid.clone(), 1.0, vec![0.0; 6], None).unwrap();
        let before = other.clone();
        assert!(other.set_all(&values, None).is_err());
        assert!(other.set(Cell::new(0, 6), bad).is_err());
        assert!(other == before, "a refused write changes nothing");
        other.set_all(&values, Some(bad)).unwrap();
        assert_eq!(other.unknown_len(), 2);
    }
    // A nodata value of 0 is a value like any other, and only the exact value is nodata.
    let zero = HeightMap::new(
        grid.clone(),
        1.0,
        vec![0.0, -0.0, 1e-30, 1.0, 2.0, 3.0],
        Some(0.0),
    )
    .unwrap();
    assert_eq!(zero.unknown_len(), 2);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = HeightMap::new(grid.clone(), bad, vec![0.0; 6], None).unwrap_err();
        assert!(matches!(error, HeightError::CellSize(_)), "{error}");
    }
    assert!(matches!(
        HeightMap::new(grid, 1.0, vec![0.0; 5], None),
        Err(HeightError::Field(CostFieldError::Grid(_)))
    ));
}

#[test]
fn slopes_fall_into_bands_by_rise_over_run_and_run_is_longer_on_diagonals() {
    // Cells of 10: rises of 2, 4, 8 and 12 are slopes of 0.2, 0.4, 0.8 and 1.2.
    for (rise, straight, diagonal) in [
        (2.0, EdgeCharge::Extra(0), EdgeCharge::Extra(0)),
        (4.0, EdgeCharge::Extra(3), EdgeCharge::Extra(0)),
        (8.0, EdgeCharge::Extra(8), EdgeCharge::Extra(3)),
        (12.0, EdgeCharge::Closed, EdgeCharge::Extra(8)),
        (15.0, EdgeCharge::Closed, EdgeCharge::Closed),
    ] {
        let step = heights(2, 10.0, &[0.0, rise, rise, rise]);
        let charges = EdgeCharges::new(&step, SlopeRule::default());
        let id = |column, row| step.grid().id_at(column, row).unwrap();
        assert_eq!(
            charges.extra(id(0, 0), Direction::E),
            straight,
            "up a rise of {rise}"
        );
        assert_eq!(
            charges.extra(id(1, 0), Direction::W),
            straight,
            "down a rise of {rise}"
        );
        assert_eq!(
            charges.extra(id(0, 0), Direction::SE),
            diagonal,
            "diagonal over a rise of {rise}"
        );
        assert_eq!(charges.extra(id(1, 1), Direction::NW), diagonal);
        assert_eq!(charges.extra(id(1, 0), Direction::S), EdgeCharge::Extra(0));
        // The map ends here.
        assert_eq!(charges.extra(id(0, 0), Direction::N), EdgeCharge::Closed);
        assert_eq!(charges.bytes(), 32);
    }
}

#[test]
fn up_and_down_may_differ_and_level_ground_is_read_in_the_uphill_table() {
    let rule = SlopeRule::new(bands(&[(0.5, 2), (1.0, 9)])).with_down(bands(&[(2.0, 1)]));
    let stairs = heights(3, 1.0, &[0.0, 1.5, 1.5]);
    let charges = EdgeCharges::new(&stairs, rule.clone());
    let [west, middle, east] = [0, 1, 2].map(CellId);
    assert_eq!(charges.extra(west, Direction::E), EdgeCharge::Closed, "climbing");
    assert_eq!(
        charges.extra(middle, Direction::W),
        EdgeCharge::Extra(1),
        "jumping down"
    );
    assert_eq!(charges.extra(middle, Direction::E), EdgeCharge::Extra(2));
    assert_eq!(charges.extra(east, Direction::W), EdgeCharge::Extra(2));
    assert_eq!(charges.largest_extra(), 2);
    assert_eq!(
        charges.open(middle),
        DirectionSet::EMPTY.with(Direction::E).with(Direction::W)
    );
    assert_eq!(charges.charges()[0], [255; 8]);
    assert_eq!((charges.rule(), charges.version().0), (&rule, 0));
}

#[test]
fn a_cliff_closes_the_edge_and_its_detours_but_not_the_cell_unless_asked() {
    // A peak in the north; its south side is a ramp that a body may walk.
    let hill = heights(3, 1.0, &[0.0, 1.2, 0.0, 0.0, 0.6, 0.0, 0.0, 0.0, 0.0]);
    let rule = SlopeRule::default();
    let charges = EdgeCharges::new(&hill, rule.clone());
    let id = |column, row| hill.grid().id_at(column, row).unwrap();
    assert_eq!(charges.extra(id(0, 0), Direction::E), EdgeCharge::Closed);
    assert_eq!(charges.extra(id(1, 1), Direction::N), EdgeCharge::Extra(8));
    // SE from (0,0) climbs 0.6 over 1.41: open by its own slope. Of its detours the one over the peak is closed.
    assert_eq!(charges.extra(id(0, 0), Direction::SE), EdgeCharge::Extra(3));
    assert_eq!(charges.open_detours(id(0, 0), Direction::SE), 1);
    assert_eq!(charges.open_detours(id(0, 2), Direction::NE), 2);
    assert_eq!(charges.open_detours(id(0, 0), Direction::E), 2, "no corner");
    assert_eq!(charges.open_detours(id(0, 0), Direction::NW), 0, "off the map");

    let base = map(&["...", "...", "..9"]);
    let open = hill.costs_over(&base, &rule).unwrap();
    assert_eq!(open.bytes(), base.bytes());
    let whole = rule.with_steepness(Steepness::BlocksCell);
    let blocked = hill.costs_over(&base, &whole).unwrap();
    assert_eq!(blocked.bytes(), map(&["###", "...", "..9"]).bytes());
    // Too steep in one direction of travel is too steep for the cell, whichever way that is.
    for drop in [
        SlopeRule::new(bands(&[(9.0, 0)])).with_down(bands(&[(1.0, 0)])),
        SlopeRule::new(bands(&[(1.0, 0)])).with_down(bands(&[(9.0, 0)])),
    ] {
        let costs = hill.costs_over(&base, &drop.with_steepness(Steepness::BlocksCell));
        assert_eq!(costs.unwrap().bytes(), blocked.bytes());
    }
}

#[test]
fn edges_at_unknown_heights_are_closed_unless_the_rule_says_level() {
    let gap = heights(3, 1.0, &[5.0, NODATA, 5.0]);
    let closed = EdgeCharges::new(&gap, SlopeRule::default());
    let level = EdgeCharges::new(&gap, SlopeRule::default().with_unknown(UnknownSlope::Level));
    for (cell, direction) in [
        (0, Direction::E),
        (1, Direction::E),
        (1, Direction::W),
        (2, Direction::W),
    ] {
        assert_eq!(closed.extra(CellId(cell), direction), EdgeCharge::Closed);
        assert_eq!(level.extra(CellId(cell), direction), EdgeCharge::Extra(0));
    }
    assert_eq!(
        level.extra(CellId(0), Direction::W),
        EdgeCharge::Closed,
        "the map still ends"
    );
}

#[test]
fn a_known_wall_stays_a_wall_where_the_height_is_unknown() {
    let gap = heights(4, 1.0, &[5.0, NODATA, NODATA, 5.0]);
    let base = map(&["?.#7"]);
    let costs = gap.costs_over(&base, &SlopeRule::default()).unwrap();
    let read: Vec<Option<u8>> = costs
        .grid()
        .ids()
        .map(|id| costs.get(id).map(Cost::byte))
        .collect();
    assert_eq!(read, [None, None, Some(255), Some(7)]);
    let assumed = costs.with_unknown_ground(UnknownGround::Assumed(Cost::PLAIN));
    assert_eq!(assumed.bytes(), [1, 1, 255, 7]);
}

#[test]
fn maps_of_another_rectangle_are_refused() {
    let hill = heights(2, 1.0, &[0.0, 1.0]);
    let other = CostField::filled(Grid::with_first_cell(2, 1, Cell::new(1, 0)).unwrap(), Cost::PLAIN);
    let rule = SlopeRule::default();
    assert!(hill.costs_over(&other, &rule).is_err());
    let (base, whole) = (
        hill.ground(Cost::PLAIN),
        DirtyRegion::whole(hill.grid()).next().unwrap(),
    );
    assert!(
        hill.update_costs(&base, &rule, whole, &mut other.clone())
            .is_err()
    );
    assert!(
        hill.update_costs(&other, &rule, whole, &mut base.clone())
            .is_err()
    );
    let mut charges = EdgeCharges::new(&hill, rule);
    let before = charges.clone();
    let taller = heights(1, 1.0, &[0.0, 1.0]);
    assert!(matches!(
        charges.update(&taller, whole),
        Err(CostFieldError::OtherGrid { .. })
    ));
    assert!(charges == before);
}

/// The charge of an edge, worked out the long way.
fn expected(map: &HeightMap, rule: &SlopeRule, id: CellId, direction: Direction) -> EdgeCharge {
    let (dx, dy) = direction.offset();
    let here = map.grid().cell(id);
    let Some(next) = map.grid().id(Cell::new(here.x + dx, here.y + dy)) else {
        return EdgeCharge::Closed;
    };
    let (Some(from), Some(to)) = (map.height(id), map.height(next)) else {
        return EdgeCharge::Closed;
    };
    let length = f64::from(dx * dx + dy * dy).sqrt();
    let slope = f64::from(from - to).abs() / (map.cell_size() * length);
    let bands = if to < from { rule.down() } else { rule.up() };
    match bands.extra_cost(slope).unwrap() {
        SlopeCost::Extra(extra) => EdgeCharge::Extra(extra),
        SlopeCost::Impassable => EdgeCharge::Closed,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edge_charges_and_costs_follow_edits_as_if_built_anew(
        width in 1u32..7,
        values in prop::collection::vec(0u8..8, 1..40),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0u8..8, any::<bool>()), 0..6),
        whole_cell in any::<bool>(),
    ) {
        // Heights in halves are exact; 7 means unknown.
        let height = |value: u8| if value == 7 { NODATA } else { f32::from(value) / 2.0 };
        let cells = values.len() / width as usize * width as usize;
        prop_assume!(cells > 0);
        let values: Vec<f32> = values[..cells].iter().map(|&value| height(value)).collect();
        let mut map = heights(width, 2.0, &values);
        let grid = map.grid().clone();
        let rule = SlopeRule::new(bands(&[(0.3, 0), (0.6, 3), (1.0, 8)]))
            .with_down(bands(&[(0.5, 1), (1.3, 4)]))
            .with_steepness(if whole_cell { Steepness::BlocksCell } else { Steepness::BlocksEdge });
        let base = CostField::filled(grid.clone(), Cost::from_byte(4));
        let mut charges = EdgeCharges::new(&map, rule.clone());
        let mut costs = map.costs_over(&base, &rule).unwrap();
        for (index, value, take_at_once) in edits {
            let cell = grid.cell(CellId::from_index(index.index(grid.len())));
            if value == 7 {
                map.set_unknown(cell).unwrap();
            } else {
                map.set(cell, height(value)).unwrap();
            }
            for region in if take_at_once { map.take_dirty() } else { vec![] } {
                charges.update(&map, region).unwrap();
                map.update_costs(&base, &rule, region, &mut costs).unwrap();
            }
        }
        for region in map.take_dirty() {
            charges.update(&map, region).unwrap();
            map.update_costs(&base, &rule, region, &mut costs).unwrap();
        }
        let rebuilt = EdgeCharges::new(&map, rule.clone());
        prop_assert_eq!(charges.charges(), rebuilt.charges());
        let anew = map.costs_over(&base, &rule).unwrap();
        for id in grid.ids() {
            prop_assert_eq!(costs.get(id), anew.get(id));
            let mut steep = false;
            for direction in DIRECTIONS {
                let edge = expected(&map, &rule, id, direction);
                prop_assert_eq!(charges.extra(id, direction), edge, "{} of {:?}", direction, grid.cell(id));
                if let Some(next) = grid.neighbour(id, direction)
                    && map.height(next).is_some()
                    && map.height(id).is_some()
                {
                    let back = expected(&map, &rule, next, direction.opposite());
                    steep |= edge == EdgeCharge::Closed || back == EdgeCharge::Closed;
                }
            }
            let cost = map.height(id).map(|_| {
                if steep && whole_cell { Cost::IMPASSABLE } else { Cost::from_byte(4) }
            });
            prop_assert_eq!(anew.get(id), cost);
        }
    }
}
