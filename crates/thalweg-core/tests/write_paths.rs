//! There is no second door: whichever way a cost is written, the same cells are marked and the same versions rise.

use thalweg_core::cost::{
    ClassCosts, Cost, CostField, CostVersion, DirtyRegion, HeightMap, ImageEffect, OverlaidCosts, Overlays,
    SlopeBand, SlopeBands, SlopeRule, Stamp, StampEffect, StampImage, Steepness, TerrainMap,
};
use thalweg_core::grid::{Cell, Grid, MapPoint};

const A: Cell = Cell::new(2, 1);
const B: Cell = Cell::new(3, 1);

fn grid() -> Grid {
    Grid::new(6, 4).unwrap()
}

fn plain() -> CostField {
    CostField::filled(grid(), Cost::PLAIN)
}

/// What a reader of costs must be told after two cells of row 1 became walls.
type Seen = (Vec<u8>, CostVersion, Vec<DirtyRegion>);

fn seen(mut costs: CostField) -> Seen {
    let dirty = costs.take_dirty();
    assert!(costs.take_dirty().is_empty(), "a region is taken once");
    (costs.bytes().to_vec(), costs.version(), dirty)
}

fn seen_over(mut costs: OverlaidCosts) -> Seen {
    let version = costs.version();
    let dirty = costs.take_dirty();
    (costs.costs().bytes().to_vec(), version, dirty)
}

fn after(write: impl FnOnce(&mut CostField)) -> Seen {
    let mut costs = plain();
    write(&mut costs);
    seen(costs)
}

fn stamped(stamp: Stamp) -> Seen {
    let mut costs = OverlaidCosts::new(plain());
    costs.put(stamp).unwrap();
    seen_over(costs)
}

fn walls() -> Vec<u8> {
    let mut bytes = vec![1; 24];
    bytes[8..10].fill(255);
    bytes
}

fn by_terrain(write: impl FnOnce(&mut TerrainMap)) -> Seen {
    let table = ClassCosts::new()
        .with_class(0, Cost::PLAIN)
        .with_class(7, Cost::IMPASSABLE);
    let mut terrain = TerrainMap::filled(grid(), 0);
    let mut costs = terrain.costs(&table).unwrap();
    write(&mut terrain);
    let region = terrain.take_dirty()[0];
    terrain.update(&table, region, &mut costs).unwrap();
    seen(costs)
}

/// Two cells rise so that only they and each other are judged: their neighbours' heights are unknown.
fn by_heights() -> Seen {
    let rule = SlopeRule::new(SlopeBands::new([SlopeBand { below: 1.0, extra: 0 }]).unwrap())
        .with_steepness(Steepness::BlocksCell);
    let ids = [A, B].map(|cell| grid().id(cell).unwrap().index());
    let mut values = vec![0.0; 24];
    for (index, value) in values.iter_mut().enumerate() {
        let cell = grid().cell(grid().ids().nth(index).unwrap());
        if !ids.contains(&index) && (1..=4).contains(&cell.x) && cell.y <= 2 {
            *value = -1.0;
        }
    }
    let mut heights = HeightMap::new(grid(), 1.0, values, None).unwrap();
    for cell in [
        (1, 0),
        (2, 0),
        (3, 0),
        (4, 0),
        (1, 1),
        (4, 1),
        (1, 2),
        (2, 2),
        (3, 2),
        (4, 2),
    ] {
        heights.set_unknown(cell.into()).unwrap();
    }
    heights.take_dirty();
    let base = plain();
    let mut costs = heights.costs_over(&base, &rule).unwrap();
    heights.set(A, 5.0).unwrap();
    let region = heights.take_dirty()[0];
    heights.update_costs(&base, &rule, region, &mut costs).unwrap();
    let (_, version, dirty) = seen(costs.clone());
    // The ring of unknown heights is unknown ground here; the walls are what this test compares.
    let bytes = costs.with_unknown_ground(thalweg_core::cost::UnknownGround::Assumed(Cost::PLAIN));
    (bytes.bytes().to_vec(), version, dirty)
}

#[test]
fn every_way_to_write_a_cost_marks_the_same_cells() {
    let wall = Cost::IMPASSABLE;
    let square = |x: f64, y: f64| MapPoint::from_map([x, y]).unwrap();
    let ring = vec![
        square(2.0, 1.0),
        square(4.0, 1.0),
        square(4.0, 2.0),
        square(2.0, 2.0),
    ];
    let ways: Vec<(&str, Seen)> = vec![
        (
            "cell by cell",
            after(|costs| {
                costs.set(A, wall).unwrap();
                costs.set(B, wall).unwrap();
            }),
        ),
        ("rectangle", after(|costs| costs.set_rect(B, A, wall).unwrap())),
        ("all bytes", after(|costs| costs.set_all(&walls()).unwrap())),
        (
            "a loaded map",
            after(|costs| {
                let loaded = CostField::from_bytes(grid(), walls()).unwrap();
                costs.copy_from(&loaded).unwrap();
            }),
        ),
        (
            "terrain, cell by cell",
            by_terrain(|terrain| {
                terrain.set(A, 7).unwrap();
                terrain.set(B, 7).unwrap();
            }),
        ),
        (
            "terrain, rectangle",
            by_terrain(|terrain| terrain.set_rect(A, B, 7).unwrap()),
        ),
        (
            "terrain, all classes",
            by_terrain(|terrain| {
                let classes: Vec<u8> = walls()
                    .into_iter()
                    .map(|byte| if byte == 255 { 7 } else { 0 })
                    .collect();
                terrain.set_all(&classes).unwrap();
            }),
        ),
        ("heights", by_heights()),
        (
            "rectangle stamp",
            stamped(Stamp::rect(A, B, StampEffect::Block).unwrap()),
        ),
        (
            "disc stamp",
            stamped(Stamp::disc(square(3.0, 1.5), 0.5, StampEffect::Set(wall)).unwrap()),
        ),
        (
            "polygon stamp",
            stamped(Stamp::polygon(vec![ring], StampEffect::Block).unwrap()),
        ),
        (
            "image stamp",
            stamped(
                Stamp::image(
                    A,
                    StampImage::new(2, 1, vec![255; 2], None).unwrap(),
                    ImageEffect::Set,
                )
                .unwrap(),
            ),
        ),
        ("stamps for a field of one's own", {
            let (mut overlays, mut costs) = (Overlays::new(grid()), plain());
            overlays
                .put(Stamp::rect(A, B, StampEffect::Block).unwrap())
                .unwrap();
            for region in overlays.take_dirty() {
                overlays.update(&plain(), region, &mut costs).unwrap();
            }
            seen(costs)
        }),
        ("a stamp taken away", {
            let mut costs = OverlaidCosts::new(CostField::from_bytes(grid(), walls()).unwrap());
            let bridge = costs
                .put(Stamp::rect(A, B, StampEffect::Set(Cost::PLAIN)).unwrap())
                .unwrap();
            costs.take_dirty();
            let before = costs.version();
            costs.take(bridge).unwrap();
            let (bytes, version, dirty) = seen_over(costs);
            (bytes, CostVersion(version.0 - before.0), dirty)
        }),
        ("the base under stamps", {
            let mut costs = OverlaidCosts::new(plain());
            costs.set_base_rect(A, B, wall).unwrap();
            seen_over(costs)
        }),
        ("terrain under stamps", {
            let table = ClassCosts::new().with_rest(wall).with_class(0, Cost::PLAIN);
            let mut terrain = TerrainMap::filled(grid(), 0);
            let mut costs = OverlaidCosts::new(terrain.costs(&table).unwrap());
            terrain.set_rect(A, B, 7).unwrap();
            let region = terrain.take_dirty()[0];
            costs.update_base(&terrain, &table, region).unwrap();
            seen_over(costs)
        }),
    ];
    let expected = (
        walls(),
        CostVersion(2),
        vec![DirtyRegion {
            layer: 0,
            min: (2, 1),
            max: (4, 2),
        }],
    );
    for (way, got) in ways {
        assert_eq!(got, expected, "{way}");
    }
}
