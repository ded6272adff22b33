//! Stamps laid down and taken away at random: always the same as building from the stamps that lie there now.

use proptest::prelude::*;
use thalweg_core::cost::{
    Cost, CostField, CostVersion, DirtyRegion, ImageEffect, OverlaidCosts, OverlayVersion, Overlays, Stamp,
    StampEffect, StampId, StampImage,
};
use thalweg_core::grid::{Cell, Grid, MapPoint, SUBCELLS};

/// Bigger than one tile of the index both ways.
const WIDTH: u32 = 21;
const HEIGHT: u32 = 18;

fn effect() -> impl Strategy<Value = StampEffect> {
    prop_oneof![
        Just(StampEffect::Block),
        (0u8..=254).prop_map(StampEffect::Add),
        any::<u8>().prop_map(|byte| StampEffect::Set(Cost::from_byte(byte))),
        Just(StampEffect::Set(Cost::IMPASSABLE)),
    ]
}

fn cell() -> impl Strategy<Value = Cell> {
    (-8i32..20, -3i32..20).prop_map(Cell::from)
}

/// Points on a lattice of quarter cells, so that borders meet centres and corners.
fn point() -> impl Strategy<Value = MapPoint> {
    (-20i32..100, -20i32..90).prop_map(|(x, y)| MapPoint::new(x * SUBCELLS / 4, y * SUBCELLS / 4))
}

fn ring() -> impl Strategy<Value = Vec<MapPoint>> {
    prop::collection::vec(point(), 3..7)
}

fn image() -> impl Strategy<Value = StampImage> {
    (0u32..6, 0u32..6).prop_flat_map(|(width, height)| {
        let cells = (width * height) as usize;
        let bytes = prop::collection::vec(0u8..=254, cells);
        let mask = prop::option::of(prop::collection::vec(any::<bool>(), cells));
        (bytes, mask).prop_map(move |(bytes, mask)| StampImage::new(width, height, bytes, mask).unwrap())
    })
}

fn stamp() -> impl Strategy<Value = Stamp> {
    let effects = prop::sample::select(vec![ImageEffect::Block, ImageEffect::Add, ImageEffect::Set]);
    prop_oneof![
        (cell(), cell(), effect()).prop_map(|(a, b, effect)| Stamp::rect(a, b, effect).unwrap()),
        (point(), 0u8..60, effect()).prop_map(|(centre, r, effect)| Stamp::disc(
            centre,
            f64::from(r) / 8.0,
            effect
        )
        .unwrap()),
        (prop::collection::vec(ring(), 1..3), effect())
            .prop_map(|(rings, effect)| Stamp::polygon(rings, effect).unwrap()),
        (cell(), image(), effects)
            .prop_map(|(first, image, effect)| Stamp::image(first, image, effect).unwrap()),
    ]
}

#[derive(Clone, Debug)]
enum Action {
    Put(Stamp),
    Take(prop::sample::Index),
    SetBase(prop::sample::Index, Option<u8>),
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        3 => stamp().prop_map(Action::Put),
        2 => any::<prop::sample::Index>().prop_map(Action::Take),
        1 => (any::<prop::sample::Index>(), prop::option::of(any::<u8>())).prop_map(|(at, cost)| Action::SetBase(at, cost)),
    ]
}

fn grid() -> Grid {
    Grid::with_first_cell(WIDTH, HEIGHT, Cell::new(-5, 2)).unwrap()
}

fn base(costs: &[Option<u8>]) -> CostField {
    let mut field = CostField::filled(grid(), Cost::PLAIN);
    for (id, &cost) in grid().ids().zip(costs.iter().cycle()) {
        let cell = grid().cell(id);
        match cost {
            Some(byte) => field.set(cell, Cost::from_byte(byte)).unwrap(),
            None => field.set_unknown(cell).unwrap(),
        }
    }
    field
}

fn state(costs: &CostField) -> Vec<Option<Cost>> {
    costs.grid().ids().map(|id| costs.get(id)).collect()
}

/// The composition rule from scratch: stamps one by one on free fields, each read back by itself.
fn from_scratch(base: &CostField, stamps: &[Stamp]) -> Vec<Option<Cost>> {
    stamps_apart(stamps)
        .into_iter()
        .fold(Layers::new(base), Layers::with)
        .finish()
}

/// Per stamp and cell: what it makes of free ground, of a wall, and of ground set after it, alone; that tells what it
/// does there.
fn stamps_apart(stamps: &[Stamp]) -> Vec<Vec<StampEffect>> {
    stamps
        .iter()
        .map(|stamp| {
            let mut overlays = Overlays::new(grid());
            overlays.put(stamp.clone()).unwrap();
            let over = |overlays: &Overlays, cost| {
                let ground = CostField::filled(grid(), Cost::from_byte(cost));
                overlays.compose(&ground).unwrap().bytes().to_vec()
            };
            let (free, wall) = (over(&overlays, 0), over(&overlays, 255));
            let (north_west, south_east) = (Cell::new(-5, 2), Cell::new(15, 19));
            let bridge = Stamp::rect(north_west, south_east, StampEffect::Set(Cost::PLAIN));
            overlays.put(bridge.unwrap()).unwrap();
            let bridged = over(&overlays, 0);
            free.into_iter()
                .zip(wall)
                .zip(bridged)
                .map(|((free, wall), bridged)| match (free, wall, bridged) {
                    (255, 255, 255) => StampEffect::Block,
                    (set, wall, _) if set == wall => StampEffect::Set(Cost::from_byte(set)),
                    (added, _, _) => StampEffect::Add(added),
                })
                .collect()
        })
        .collect()
}

struct Layers {
    base: Vec<Option<Cost>>,
    blocked: Vec<bool>,
    added: Vec<u32>,
}

impl Layers {
    fn new(base: &CostField) -> Self {
        let base = state(base);
        Self {
            blocked: vec![false; base.len()],
            added: vec![0; base.len()],
            base,
        }
    }

    fn with(mut self, effects: Vec<StampEffect>) -> Self {
        for (index, effect) in effects.into_iter().enumerate() {
            match effect {
                StampEffect::Block => self.blocked[index] = true,
                StampEffect::Add(more) => self.added[index] += u32::from(more),
                StampEffect::Set(cost) => self.base[index] = Some(cost),
            }
        }
        self
    }

    fn finish(self) -> Vec<Option<Cost>> {
        let sums = self.base.into_iter().zip(self.added);
        sums.zip(self.blocked)
            .map(|((cost, added), blocked)| match cost {
                _ if blocked => Some(Cost::IMPASSABLE),
                Some(cost) if cost.is_passable() => {
                    let sum = (u32::from(cost.byte()) + added).min(254);
                    Some(Cost::from_byte(u8::try_from(sum).unwrap()))
                }
                cost => cost,
            })
            .collect()
    }
}

/// Whether a region holds every cell in which two states differ.
fn covers(regions: &[DirtyRegion], before: &[Option<Cost>], after: &[Option<Cost>]) -> bool {
    grid()
        .ids()
        .zip(before.iter().zip(after))
        .all(|(id, (a, b))| a == b || regions.iter().any(|region| region.contains(&grid(), id)))
}

/// Whether the centre of a column and row is inside an odd number of rings, by the textbook: a ray to the west.
fn inside(rings: &[Vec<MapPoint>], column: u32, row: u32) -> bool {
    let centre = |index: u32| i128::from(index) * i128::from(SUBCELLS) + i128::from(SUBCELLS / 2);
    let (x, y) = (centre(column), centre(row));
    let mut odd = false;
    for ring in rings {
        for (index, a) in ring.iter().enumerate() {
            let b = ring[(index + 1) % ring.len()];
            let (ax, ay, bx, by) = (i128::from(a.x), i128::from(a.y), i128::from(b.x), i128::from(b.y));
            if (ay <= y) == (by <= y) {
                continue;
            }
            // The crossing lies at or west of the centre; multiplied out, the sign of the rise turns the comparison.
            let (left, right) = (ax * (by - ay) + (y - ay) * (bx - ax), x * (by - ay));
            odd ^= if by > ay { left <= right } else { left >= right };
        }
    }
    odd
}

fn covered(stamp: Stamp) -> Vec<bool> {
    let mut overlays = Overlays::new(grid());
    overlays.put(stamp).unwrap();
    let over = overlays.compose(&CostField::filled(grid(), Cost::PLAIN)).unwrap();
    over.bytes().iter().map(|&byte| byte == 255).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_order_of_putting_and_taking_equals_the_live_stamps_and_ends_at_the_base(
        ground in prop::collection::vec(prop::option::weighted(0.9, prop_oneof![Just(1u8), any::<u8>()]), 1..40),
        actions in prop::collection::vec(action(), 1..14),
        order in prop::collection::vec(any::<prop::sample::Index>(), 14),
    ) {
        let ground = base(&ground);
        let mut bare = ground.clone();
        let mut costs = OverlaidCosts::new(ground);
        let mut live: Vec<(StampId, Stamp)> = Vec::new();
        let mut versions = (OverlayVersion(0), costs.version());
        let check = |costs: &mut OverlaidCosts,
                         versions: &mut (OverlayVersion, CostVersion),
                         before: &[Option<Cost>],
                         expected: &[Option<Cost>],
                         stamped: bool| {
            let after = state(costs.costs());
            prop_assert_eq!(&after, expected);
            prop_assert!(covers(&costs.take_dirty(), before, &after));
            let now = (costs.overlays().version(), costs.version());
            prop_assert_eq!(now.0 > versions.0, stamped);
            prop_assert_eq!(now.1 > versions.1, before != after);
            prop_assert!(now.0 >= versions.0 && now.1 >= versions.1);
            *versions = now;
            Ok(())
        };
        for action in actions {
            let before = state(costs.costs());
            let stamped = match action {
                Action::Put(stamp) => {
                    live.push((costs.put(stamp.clone()).unwrap(), stamp));
                    true
                }
                Action::Take(_) if live.is_empty() => false,
                Action::Take(index) => {
                    let (id, stamp) = live.remove(index.index(live.len()));
                    prop_assert_eq!(costs.take(id), Ok(stamp));
                    prop_assert!(costs.take(id).is_err());
                    true
                }
                Action::SetBase(index, cost) => {
                    let id = grid().ids().nth(index.index(grid().len())).unwrap();
                    let (cell, cost) = (grid().cell(id), cost.map(Cost::from_byte));
                    costs.set_base(cell, cost).unwrap();
                    match cost {
                        Some(cost) => bare.set(cell, cost).unwrap(),
                        None => bare.set_unknown(cell).unwrap(),
                    }
                    false
                }
            };
            let stamps: Vec<Stamp> = live.iter().map(|(_, stamp)| stamp.clone()).collect();
            let expected = from_scratch(&bare, &stamps);
            check(&mut costs, &mut versions, &before, &expected, stamped)?;
            prop_assert_eq!(costs.overlays().len(), live.len());
        }
        for index in order {
            if live.is_empty() {
                break;
            }
            let before = state(costs.costs());
            costs.take(live.remove(index.index(live.len())).0).unwrap();
            let stamps: Vec<Stamp> = live.iter().map(|(_, stamp)| stamp.clone()).collect();
            check(&mut costs, &mut versions, &before, &from_scratch(&bare, &stamps), true)?;
        }
        prop_assert!(costs.overlays().is_empty());
        prop_assert_eq!(state(costs.costs()), state(&bare));
        prop_assert_eq!(costs.costs().bytes(), bare.bytes());
    }

    #[test]
    fn a_polygon_covers_exactly_the_centres_inside_it(rings in prop::collection::vec(ring(), 1..4)) {
        let got = covered(Stamp::polygon(rings.clone(), StampEffect::Block).unwrap());
        for row in 0..HEIGHT {
            for column in 0..WIDTH {
                let index = (row * WIDTH + column) as usize;
                prop_assert_eq!(got[index], inside(&rings, column, row), "column {}, row {}", column, row);
            }
        }
    }

    #[test]
    fn two_halves_of_a_polygon_share_no_cell_and_miss_none(ring in prop::collection::vec(point(), 4..8), cut in any::<prop::sample::Index>()) {
        // Cut along a line from the first vertex to another one that is not beside it.
        let cut = 2 + cut.index(ring.len() - 3);
        let first = ring[..=cut].to_vec();
        let second = [&ring[..1], &ring[cut..]].concat();
        let shape = |ring: Vec<MapPoint>| covered(Stamp::polygon(vec![ring], StampEffect::Block).unwrap());
        let (whole, first, second) = (shape(ring), shape(first), shape(second));
        for index in 0..whole.len() {
            prop_assert_eq!(whole[index], first[index] ^ second[index]);
        }
    }

    #[test]
    fn a_disc_covers_exactly_the_centres_within_its_radius(centre in point(), eighths in 0u8..100) {
        let got = covered(Stamp::disc(centre, f64::from(eighths) / 8.0, StampEffect::Block).unwrap());
        let radius = i64::from(eighths) * i64::from(SUBCELLS) / 8;
        for id in grid().ids() {
            let (column, row) = grid().column_row_of(id);
            let away = |index: u32, to: i32| {
                i64::from(index) * i64::from(SUBCELLS) + i64::from(SUBCELLS / 2) - i64::from(to)
            };
            let (dx, dy) = (away(column, centre.x), away(row, centre.y));
            prop_assert_eq!(got[id.index()], dx * dx + dy * dy <= radius * radius);
        }
    }
}
