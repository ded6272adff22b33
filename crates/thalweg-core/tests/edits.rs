//! Every way to write costs goes through one door: it marks what changed, raises the version, and loses nothing on errors.

use thalweg_core::cost::{Cost, CostError, CostField, CostFieldError, DirtyRegion};
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::movement::{Movement, MovementProfile};
use thalweg_testkit::literal::map;

const MUD: Cost = Cost::from_byte(9);

fn fresh() -> CostField {
    let mut costs = CostField::filled(
        Grid::with_first_cell(6, 5, Cell::new(-2, 10)).unwrap(),
        Cost::PLAIN,
    );
    assert!(costs.take_dirty().is_empty());
    costs.set(Cell::new(-2, 10), MUD).unwrap();
    costs.take_dirty();
    costs
}

/// One public way to write.
type Writer = fn(&mut CostField);

/// What a reader can see of a field.
fn state(costs: &CostField) -> (Vec<Option<Cost>>, u64) {
    (
        costs.grid().ids().map(|id| costs.get(id)).collect(),
        costs.version().0,
    )
}

/// Each public writer, making the same change: mud on columns 1 and 2 of row 2 (cells (-1,12) and (0,12)).
#[test]
fn every_writer_marks_the_same_region_for_the_same_change() {
    let writers: [(&str, Writer); 4] = [
        ("set", |costs| {
            costs.set(Cell::new(-1, 12), MUD).unwrap();
            costs.set(Cell::new(0, 12), MUD).unwrap();
        }),
        ("set_rect", |costs| {
            costs.set_rect(Cell::new(-1, 12), Cell::new(0, 12), MUD).unwrap();
        }),
        ("set_rect, corners swapped", |costs| {
            costs.set_rect(Cell::new(0, 12), Cell::new(-1, 12), MUD).unwrap();
        }),
        ("set_all", |costs| {
            let mut bytes = costs.bytes().to_vec();
            bytes[2 * 6 + 1] = MUD.byte();
            bytes[2 * 6 + 2] = MUD.byte();
            costs.set_all(&bytes).unwrap();
        }),
    ];
    let mut seen = Vec::new();
    for (name, write) in writers {
        let mut costs = fresh();
        let version = costs.version();
        write(&mut costs);
        assert!(costs.version() > version, "{name} raises the version");
        seen.push((state(&costs), costs.take_dirty()));
        assert!(costs.take_dirty().is_empty(), "{name}: a region is taken once");
    }
    let region = DirtyRegion {
        layer: 0,
        min: (1, 2),
        max: (3, 3),
    };
    assert_eq!(seen[0].1, vec![region]);
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{seen:?}");
}

#[test]
fn making_a_cell_unknown_is_a_change_like_any_other_and_can_be_undone() {
    let mut costs = fresh();
    let (before, version) = state(&costs);
    costs.set_unknown(Cell::new(3, 14)).unwrap();
    assert!(costs.version().0 > version);
    assert_eq!(
        costs.take_dirty(),
        vec![DirtyRegion {
            layer: 0,
            min: (5, 4),
            max: (6, 5)
        }]
    );
    assert_eq!(costs.unknown_len(), 1);
    let id = costs.grid().id(Cell::new(3, 14)).unwrap();
    assert_eq!((costs.get(id), costs.bytes()[id.index()]), (None, 255));
    // Unknown and impassable differ, although neither is passable.
    let unknown_version = costs.version();
    costs.set(Cell::new(3, 14), Cost::IMPASSABLE).unwrap();
    assert!(costs.version() > unknown_version);
    assert_eq!(costs.get(id), Some(Cost::IMPASSABLE));
    costs.set(Cell::new(3, 14), Cost::PLAIN).unwrap();
    assert_eq!(state(&costs).0, before);
    assert_eq!(costs.unknown_len(), 0);
}

#[test]
fn a_write_that_changes_nothing_marks_nothing() {
    let mut costs = fresh();
    let before = state(&costs);
    costs.set(Cell::new(-2, 10), MUD).unwrap();
    costs
        .set_rect(Cell::new(0, 11), Cell::new(3, 14), Cost::PLAIN)
        .unwrap();
    let bytes = costs.bytes().to_vec();
    costs.set_all(&bytes).unwrap();
    assert_eq!(state(&costs), before);
    assert!(costs.take_dirty().is_empty());
}

#[test]
fn regions_join_until_they_are_taken() {
    let mut costs = fresh();
    costs.set(Cell::new(-2, 14), MUD).unwrap();
    costs.set(Cell::new(1, 11), MUD).unwrap();
    assert_eq!(
        costs.take_dirty(),
        vec![DirtyRegion {
            layer: 0,
            min: (0, 1),
            max: (4, 5)
        }]
    );
}

#[test]
fn snapshots_do_not_see_later_writes() {
    let mut costs = fresh();
    costs.set_unknown(Cell::new(0, 10)).unwrap();
    let snapshot = costs.clone();
    let (bytes, unknown) = (costs.shared_bytes().clone(), costs.shared_unknown());
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let before = (
        state(&snapshot),
        bytes.flat().to_vec(),
        unknown.clone().map(|words| words.flat().to_vec()),
    );
    let exits = movement.all_exits().to_vec();

    costs.set(Cell::new(0, 10), Cost::IMPASSABLE).unwrap();
    costs.set_unknown(Cell::new(1, 10)).unwrap();
    costs
        .set_rect(Cell::new(-2, 10), Cell::new(3, 14), Cost::IMPASSABLE)
        .unwrap();

    assert_eq!(state(&snapshot), before.0);
    assert_eq!(bytes.flat().to_vec(), before.1);
    assert_eq!(unknown.map(|words| words.flat().to_vec()), before.2);
    assert_eq!(movement.all_exits(), exits);
    assert_eq!(movement.cost_version(), snapshot.version());
    assert!(!movement.is_known(costs.grid().id(Cell::new(0, 10)).unwrap()));
}

#[test]
fn a_refused_write_loses_nothing() {
    let mut costs = fresh();
    costs.set(Cell::new(1, 12), MUD).unwrap();
    let before = state(&costs);
    let outside = Cell::new(4, 12);
    assert!(matches!(
        costs.set(outside, MUD),
        Err(CostFieldError::Outside { cell, .. }) if cell == outside
    ));
    assert!(costs.set_unknown(Cell::new(-3, 10)).is_err());
    assert!(costs.set_rect(Cell::new(0, 10), outside, MUD).is_err());
    assert!(costs.set_rect(outside, Cell::new(0, 10), MUD).is_err());
    assert!(costs.set_all(&[1; 29]).is_err());
    assert!(costs.set_all(&[1; 31]).is_err());
    assert!(
        costs
            .set(
                Cell {
                    layer: 1,
                    x: 0,
                    y: 10
                },
                MUD
            )
            .is_err()
    );
    assert_eq!(state(&costs), before);
    assert_eq!(
        costs.take_dirty(),
        vec![DirtyRegion {
            layer: 0,
            min: (3, 2),
            max: (4, 3)
        }],
        "an error must not swallow the region of the write before"
    );
}

#[test]
fn values_that_are_no_costs_are_refused_with_the_cell_and_the_reason() {
    let grid = Grid::new(4, 4).unwrap();
    let mut values = [1i64; 16];
    values[5] = -1;
    values[6] = -1;
    assert_eq!(
        CostField::from_values(grid.clone(), &values).map(|_| ()),
        Err(CostFieldError::BadCost {
            cell: Cell::new(1, 1),
            reason: CostError::OutOfRange(-1)
        })
    );
    for bad in [256, i64::MAX, i64::MIN] {
        values[5] = bad;
        assert!(CostField::from_values(grid.clone(), &values).is_err(), "{bad}");
    }
    for bad in [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.5,
        -1.0,
        255.5,
        1e300,
    ] {
        let mut values = [1.0f64; 16];
        values[5] = bad;
        let error = CostField::from_values(grid.clone(), &values)
            .map(|_| ())
            .unwrap_err();
        assert!(error.to_string().contains("(1,1)"), "{bad}: {error}");
    }
    assert!(CostField::from_values(grid.clone(), &[1i64; 15]).is_err());
    assert!(CostField::from_bytes(grid, vec![1; 17]).is_err());
}

#[test]
fn all_ways_to_load_a_map_give_the_same_field() {
    let grid = Grid::new(3, 1).unwrap();
    let drawn = map(&[".#4"]);
    let from_bytes = CostField::from_bytes(grid.clone(), vec![1, 255, 4]).unwrap();
    let from_values = CostField::from_values(grid.clone(), &[1i64, 255, 4]).unwrap();
    let from_floats = CostField::from_values(grid, &[1.0f64, 255.0, 4.0]).unwrap();
    assert_eq!(from_bytes, from_values);
    assert_eq!(from_bytes, from_floats);
    assert_eq!(from_bytes.bytes(), drawn.bytes());
}
