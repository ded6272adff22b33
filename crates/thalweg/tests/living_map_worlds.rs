//! Random edits of living maps with several profiles, against worlds as plain data that are compiled from the start.
//!
//! The long run: `THALWEG_LONG=1 cargo test --release -p thalweg --test living_map_worlds -- --nocapture`.

use thalweg::core::cost::{ClassCosts, Cost, StampId, TerrainMap, UnknownGround};
use thalweg::core::movement::{Movement, PortalCost, PortalIndex};
use thalweg::living_map::{LivingMap, ProfileId, ProfileSpec};
use thalweg::prelude::*;
use thalweg_testkit::random_map::SplitMix64;
use thalweg_testkit::world::{Border, Draw, Edit, Product, World};

const FIRST_SEED: u64 = 81_000_000;
const CLASSES: usize = 4;

/// A profile as plain data.
#[derive(Clone, Debug)]
struct Who {
    movement: MovementProfile,
    /// What each class costs it.
    table: Option<[u8; CLASSES]>,
    climbs: bool,
    assumed: Option<u8>,
}

/// A map as plain data: a world with classes and with what was written over them.
#[derive(Debug)]
struct Plain {
    world: World,
    original: Vec<Option<u8>>,
    written: Vec<bool>,
    classes: Vec<Option<u8>>,
    profiles: Vec<Who>,
}

impl Plain {
    fn draw(random: &mut SplitMix64) -> Self {
        let world = World::draw(random, 9);
        let cells = world.base.len();
        let classes = (0..cells)
            .map(|_| (!random.percent(5)).then(|| u8::try_from(random.index(CLASSES)).unwrap()))
            .collect();
        let profiles = (0..=Draw::below(random, 3))
            .map(|_| {
                let table = random
                    .percent(40)
                    .then(|| [(); CLASSES].map(|()| Draw::pick(random, &[1, 255, 4, 20, 0])));
                Who {
                    movement: World::draw(random, 3).profile,
                    table,
                    climbs: random.percent(60),
                    assumed: random.percent(40).then(|| Draw::pick(random, &[1, 3, 255])),
                }
            })
            .collect();
        Self {
            original: world.base.clone(),
            written: vec![false; cells],
            classes,
            profiles,
            world,
        }
    }

    /// The world as a profile sees it.
    fn seen_by(&self, who: &Who) -> World {
        let mut world = self.world.clone();
        if let Some(table) = &who.table {
            for (id, base) in world.base.iter_mut().enumerate() {
                if !self.written[id] {
                    *base = self.classes[id].map(|class| table[usize::from(class)]);
                }
            }
        }
        if !who.climbs {
            world.hills = None;
        }
        world.assumed = who.assumed;
        world.profile = who.movement;
        world
    }

    fn living(&self) -> (LivingMap, Vec<ProfileId>) {
        let grid = self.world.grid();
        let mut terrain = TerrainMap::filled(grid.clone(), 0);
        for (id, class) in grid.ids().zip(&self.classes) {
            match class {
                Some(class) => terrain.set(grid.cell(id), *class),
                None => terrain.set_unknown(grid.cell(id)),
            }
            .unwrap();
        }
        let mut map = LivingMap::new(self.world.base_costs())
            .with_terrain(terrain)
            .unwrap();
        if let Some(hills) = &self.world.hills {
            map = map.with_heights(hills.map(&grid)).unwrap();
        }
        let mut ids = Vec::new();
        for who in &self.profiles {
            let mut spec = ProfileSpec::new(who.movement);
            spec.classes = who.table.map(|table| {
                let costs = (0u8..).zip(table);
                costs.fold(ClassCosts::new(), |table, (class, cost)| {
                    table.with_class(class, Cost::from_byte(cost))
                })
            });
            spec.slopes = self
                .world
                .hills
                .as_ref()
                .filter(|_| who.climbs)
                .map(|hills| hills.rule());
            if let Some(cost) = who.assumed {
                spec.unknown = UnknownGround::Assumed(Cost::from_byte(cost));
            }
            ids.push(map.add_profile(spec).unwrap());
        }
        (map, ids)
    }
}

/// An edit of the map; with what a world knows no word for.
fn edit(
    plain: &mut Plain,
    map: &mut LivingMap,
    stamps: &mut Vec<Option<StampId>>,
    random: &mut SplitMix64,
) -> String {
    let cells = plain.world.base.len();
    let grid = map.grid().clone();
    let near = |id: usize, random: &mut SplitMix64| {
        let cell = plain.world.floors.cell(id);
        let other = Cell::on(
            cell.layer,
            cell.x + Draw::pick(random, &[0, 1, 2]),
            cell.y + Draw::pick(random, &[0, 1]),
        );
        if grid.contains(other) { other } else { cell }
    };
    let rect = |a: Cell, b: Cell| -> Vec<usize> {
        let inside = |id: &usize| {
            let cell = grid.cell(CellId::from_index(*id));
            cell.layer == a.layer && (a.x..=b.x).contains(&cell.x) && (a.y..=b.y).contains(&cell.y)
        };
        (0..cells).filter(inside).collect()
    };
    let id = random.index(cells);
    let (a, b) = (plain.world.floors.cell(id), near(id, random));
    match Draw::below(random, 12) {
        0 => {
            let cost = Draw::pick(random, &[255, 1, 0, 7]);
            map.set_rect(b, a, Cost::from_byte(cost)).unwrap();
            for id in rect(a, b) {
                (plain.world.base[id], plain.written[id]) = (Some(cost), true);
            }
            format!("{a} to {b} cost {cost}")
        }
        1 | 2 => {
            map.restore_rect(a, b).unwrap();
            for id in rect(a, b) {
                (plain.world.base[id], plain.written[id]) = (plain.original[id], false);
            }
            format!("{a} to {b} restored")
        }
        3 => {
            let mut costs = map.own_costs().clone();
            let mut told = "copied:".to_owned();
            for _ in 0..Draw::below(random, 4) {
                let id = random.index(cells);
                let cost = Draw::pick(random, &[Some(255), None, Some(1), Some(30)]);
                costs.write(CellId::from_index(id), cost.map(Cost::from_byte));
                told += &format!(" {id} {cost:?}");
            }
            map.copy_costs(&costs).unwrap();
            for id in costs.grid().ids() {
                let cost = costs.get(id).map(Cost::byte);
                if plain.world.base[id.index()] != cost {
                    plain.world.base[id.index()] = cost;
                    plain.written[id.index()] = true;
                }
            }
            told
        }
        4 => {
            let class = u8::try_from(random.index(CLASSES)).unwrap();
            map.set_class_rect(a, b, class).unwrap();
            for id in rect(a, b) {
                plain.classes[id] = Some(class);
            }
            format!("{a} to {b} class {class}")
        }
        5 => {
            map.set_class_unknown(a).unwrap();
            plain.classes[id] = None;
            format!("{a} class unknown")
        }
        _ => {
            let edit = plain.world.edit(random);
            let cell = |id: usize| plain.world.floors.cell(id);
            match &edit {
                Edit::Cost(id, cost) => {
                    plain.written[*id] = true;
                    match cost {
                        Some(cost) => map.set(cell(*id), Cost::from_byte(*cost)).unwrap(),
                        None => map.set_unknown(cell(*id)).unwrap(),
                    }
                }
                Edit::Height(id, Some(height)) => map.set_height(cell(*id), *height).unwrap(),
                Edit::Height(id, None) => map.set_height_unknown(cell(*id)).unwrap(),
                Edit::Put(laid) => stamps.push(Some(map.put(laid.stamp()).unwrap())),
                Edit::Take(place) => drop(map.take(stamps[*place].take().unwrap()).unwrap()),
                Edit::Border(border) => put_border(map, border, &cell),
                Edit::Portal((from, to, cost)) => {
                    map.add_portal(cell(*from), cell(*to), PortalCost::Units(*cost))
                        .unwrap();
                }
                Edit::RemovePortal(index) => {
                    let index = PortalIndex(u32::try_from(*index).unwrap());
                    map.remove_portal(index).unwrap();
                }
            }
            format!("{edit:?}")
        }
    }
}

fn put_border(map: &mut LivingMap, border: &Border, cell: &dyn Fn(usize) -> Cell) {
    match *border {
        Border::Close(id, direction) => map.close_exit(cell(id), direction),
        Border::Open(id, direction) => map.open_exit(cell(id), direction),
        Border::OnlyFrom(id, sides) => map.only_enter_from(cell(id), sides),
    }
    .unwrap();
}

/// Everything that others read of a movement.
fn differs(got: &Movement, wanted: &Movement) -> Option<CellId> {
    got.grid().ids().find(|&id| {
        got.edges_from(id).ne(wanted.edges_from(id))
            || got.costs()[id.index()] != wanted.costs()[id.index()]
            || got.is_known(id) != wanted.is_known(id)
            || got.is_ground_known(id) != wanted.is_ground_known(id)
            || got.ground_costs()[id.index()] != wanted.ground_costs()[id.index()]
    })
}

/// Every cell that has other edges or another state than before.
fn differing(got: &Movement, before: &Movement) -> Vec<CellId> {
    let differs = |&id: &CellId| {
        got.edges_from(id).ne(before.edges_from(id))
            || got.is_passable(id) != before.is_passable(id)
            || got.is_known(id) != before.is_known(id)
    };
    got.grid().ids().filter(differs).collect()
}

fn run(seed: u64) -> usize {
    let mut random = SplitMix64::new(FIRST_SEED + seed);
    let mut plain = Plain::draw(&mut random);
    let laid: Vec<_> = core::mem::take(&mut plain.world.stamps);
    let borders: Vec<_> = core::mem::take(&mut plain.world.borders);
    let portals: Vec<_> = core::mem::take(&mut plain.world.portals);
    let (mut map, ids) = plain.living();
    let mut stamps = Vec::new();
    for mut laid in laid {
        stamps.push(Some(map.put(laid.stamp()).unwrap()));
        laid.taken = false;
        plain.world.stamps.push(laid);
    }
    for border in borders {
        put_border(&mut map, &border, &|id| plain.world.floors.cell(id));
        plain.world.borders.push(border);
    }
    for portal in portals {
        let (from, to, cost) = portal.unwrap();
        let cell = |id| plain.world.floors.cell(id);
        map.add_portal(cell(from), cell(to), PortalCost::Units(cost))
            .unwrap();
        plain.world.portals.push(portal);
    }
    let mut told = Vec::new();
    let mut compared = 0;
    for _ in 0..Draw::below(&mut random, 12) {
        let before: Vec<_> = ids.iter().map(|&id| map.versions(id)).collect();
        let movements: Vec<_> = ids.iter().map(|&id| map.movement(id).unwrap()).collect();
        for _ in 0..=Draw::below(&mut random, 3) {
            told.push(edit(&mut plain, &mut map, &mut stamps, &mut random));
        }
        for (at, (&id, who)) in ids.iter().zip(&plain.profiles).enumerate() {
            let seen = plain.seen_by(who);
            let product = Product::new(&seen);
            let costs = product.costs();
            for cell in map.grid().ids() {
                assert_eq!(
                    map.profile_costs(id).get(cell),
                    costs.get(cell),
                    "{id} at {cell:?} of {plain:?} after {told:?}"
                );
            }
            let wanted = product.movement(&costs);
            let (got, change) = map.movement_change(id, &movements[at]).unwrap();
            let cells = differing(&got, &movements[at]);
            assert_eq!(change.cells, cells, "{id} of {plain:?} after {told:?}");
            assert_eq!(differs(&got, &wanted), None, "{id} of {plain:?} after {told:?}");
            if differs(&got, &movements[at]).is_some() {
                assert!(map.versions(id).cost > before[at].cost, "{id} after {told:?}");
            }
            compared += 1;
        }
    }
    compared
}

#[test]
fn after_any_edits_each_profile_has_the_rules_of_a_map_made_anew() {
    let long = std::env::var_os("THALWEG_LONG").is_some();
    let scripts = if long { 100_000 } else { 2_000 };
    let mut compared = 0;
    for seed in 0..scripts {
        let outcome = std::panic::catch_unwind(|| run(seed));
        compared += outcome.unwrap_or_else(|_| panic!("seed {seed}"));
    }
    assert!(compared > 5 * usize::try_from(scripts).unwrap(), "{compared}");
}
