//! World positions and cells: floor in all four quadrants, half-open cells, and errors that are values.

use thalweg_core::grid::{Cell, Grid, MapPoint, PositionError, TransformError, WorldTransform, YAxis};

fn quadrants(y_axis: YAxis) -> (Grid, WorldTransform) {
    let grid = Grid::with_first_cell(4, 4, Cell::new(-2, -2)).unwrap();
    (grid, WorldTransform::new([-32.0, -32.0], 16.0, y_axis).unwrap())
}

#[test]
fn positions_round_down_in_all_four_quadrants() {
    let (grid, transform) = quadrants(YAxis::Down);
    let expected = [
        ([-15.0, -15.0], (-1, -1)),
        ([15.0, -15.0], (0, -1)),
        ([-15.0, 15.0], (-1, 0)),
        ([15.0, 15.0], (0, 0)),
        ([0.0, -0.0], (0, 0)),
        ([-16.0, -16.0], (-1, -1)),
        ([-16.5, 0.0], (-2, 0)),
    ];
    for (world, cell) in expected {
        assert_eq!(transform.cell_at(&grid, 0, world), Ok(cell.into()), "{world:?}");
    }
}

#[test]
fn with_world_y_upward_the_last_row_holds_the_smallest_y() {
    let (grid, transform) = quadrants(YAxis::Up);
    let expected = [
        ([-32.0, -32.0], (-2, 1)),
        ([31.9, 31.9], (1, -2)),
        ([0.0, 0.0], (0, -1)),
        ([0.0, -0.001], (0, 0)),
        ([0.0, 15.999], (0, -1)),
        ([0.0, 16.0], (0, -2)),
    ];
    for (world, cell) in expected {
        assert_eq!(transform.cell_at(&grid, 0, world), Ok(cell.into()), "{world:?}");
    }
}

#[test]
fn the_lower_edge_belongs_to_a_cell_and_the_upper_edge_does_not() {
    for y_axis in [YAxis::Down, YAxis::Up] {
        let (grid, transform) = quadrants(y_axis);
        for axis in 0..2 {
            let mut lower = [0.0, 0.0];
            lower[axis] = -32.0;
            assert!(transform.cell_at(&grid, 0, lower).is_ok(), "{y_axis:?} {lower:?}");
            let mut below = lower;
            below[axis] = f64::next_down(-32.0);
            let mut upper = lower;
            upper[axis] = 32.0;
            let mut last = lower;
            last[axis] = f64::next_down(32.0);
            assert!(transform.cell_at(&grid, 0, last).is_ok(), "{y_axis:?} {last:?}");
            for outside in [below, upper] {
                assert_eq!(
                    transform.cell_at(&grid, 0, outside),
                    Err(PositionError::Outside(outside[0], outside[1])),
                    "{y_axis:?}"
                );
            }
        }
    }
}

#[test]
fn positions_that_are_not_finite_are_errors_and_not_cell_zero() {
    let (grid, transform) = quadrants(YAxis::Down);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for world in [[bad, 0.0], [0.0, bad], [bad, bad]] {
            assert!(
                matches!(
                    transform.cell_at(&grid, 0, world),
                    Err(PositionError::NotFinite(..))
                ),
                "{world:?}"
            );
            assert!(transform.map_from_world(&grid, 0, world).is_err());
            assert_eq!(MapPoint::from_map(world), None);
        }
    }
    // Finite, but far away: outside, whatever the difference rounds to.
    for far in [f64::MAX, f64::MIN, 1e300, -1e300] {
        assert!(matches!(
            transform.cell_at(&grid, 0, [far, 0.0]),
            Err(PositionError::Outside(..))
        ));
    }
}

#[test]
fn a_transform_without_a_size_or_an_origin_is_refused() {
    for size in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let got = WorldTransform::new([0.0, 0.0], size, YAxis::Down);
        assert!(matches!(got, Err(TransformError::CellSize(_))), "{size}");
    }
    for origin in [f64::NAN, f64::NEG_INFINITY] {
        let got = WorldTransform::new([0.0, origin], 1.0, YAxis::Down);
        assert!(matches!(got, Err(TransformError::Origin(..))), "{origin}");
    }
}

#[test]
fn a_cell_comes_back_from_its_centre_and_from_its_map_point() {
    let firsts = [(0, 0), (-16, -16), (-3, 7), (1000, -1000)];
    let frames = [
        ([-256.0, -256.0], 16.0),
        ([0.1, -0.7], 0.1),
        ([1e6, -1e6], 0.3),
        ([-2.5, 1.25], 0.25),
    ];
    for (x, y) in firsts {
        let grid = Grid::with_first_cell(33, 17, Cell::new(x, y)).unwrap();
        for (origin, size) in frames {
            for y_axis in [YAxis::Down, YAxis::Up] {
                let transform = WorldTransform::new(origin, size, y_axis).unwrap();
                for id in grid.ids() {
                    let cell = grid.cell(id);
                    let centre = transform.centre_of(&grid, cell).unwrap();
                    assert_eq!(
                        transform.cell_at(&grid, 0, centre),
                        Ok(cell),
                        "{origin:?} {size} {y_axis:?}"
                    );
                    let map = transform.map_from_world(&grid, 0, centre).unwrap();
                    let point = MapPoint::from_map(map).unwrap();
                    assert_eq!(
                        point.cell_id(&grid),
                        Some(id),
                        "{origin:?} {size} {y_axis:?} {cell}"
                    );
                }
            }
        }
        let outside = Cell::new(x - 1, y);
        assert!(
            WorldTransform::default().centre_of(&grid, outside).is_err(),
            "{outside}"
        );
    }
}

#[test]
fn a_cell_and_its_id_name_each_other_on_maps_that_begin_below_zero() {
    let grid = Grid::with_first_cell(5, 3, Cell::new(-7, -2)).unwrap();
    for id in grid.ids() {
        assert_eq!(grid.id(grid.cell(id)), Some(id));
    }
    let outside = [
        (-8, -2),
        (-2, -2),
        (-7, -3),
        (-7, 1),
        (i32::MIN, 0),
        (i32::MAX, 0),
    ];
    for cell in outside.map(Cell::from) {
        assert_eq!(grid.id(cell), None, "{cell}");
    }
    assert_eq!(
        grid.id(Cell {
            layer: 1,
            x: -7,
            y: -2
        }),
        None
    );
    assert!(Grid::with_first_cell(2, 1, Cell::new(i32::MAX, 0)).is_err());
    assert!(Grid::with_first_cell(1, 1, Cell::new(i32::MAX, i32::MIN)).is_ok());
}

#[test]
fn a_map_point_is_in_the_cell_that_holds_its_coordinates() {
    let expected = [
        (-1e-7, -1),
        (0.0, 0),
        (7.999_999_9, 7),
        (8.0, 8),
        (-8.0, -8),
        (-8.000_000_1, -9),
    ];
    for (coordinate, cell) in expected {
        let point = MapPoint::from_map([coordinate, coordinate]).unwrap();
        assert_eq!(point.column_row(), (cell, cell), "{coordinate}");
    }
    assert_eq!(MapPoint::from_map([32_768.0, 0.0]), None);
    for point in [MapPoint::new(-65_537, 1), MapPoint::new(123, 65_535)] {
        assert_eq!(MapPoint::from_map(point.to_map()), Some(point));
    }
}
