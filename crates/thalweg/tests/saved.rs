//! Saved maps and bundles: what is loaded is what was saved, to the bit; what was made for something else is told apart; and no
//! byte string does any harm.

use proptest::prelude::*;
use std::sync::Arc;
use thalweg::core::check::check_field;
use thalweg::core::flow::{aim, sample_heading};
use thalweg::core::grid::CellId;
use thalweg::core::integrate::Goal;
use thalweg::core::movement::{EdgeRules, Footprint, PortalCost};
use thalweg::crowd::{AgentSpec, ArrivalRule, Crowd, CrowdOptions, GroupId, GroupInput, StalePolicy};
use thalweg::prelude::*;
use thalweg::saved::{
    GoalsHash, LoadError, MapHash, Mismatch, ProfileHash, SaveError, SavedKind, load_bundle, load_map,
    save_bundle, save_map,
};
use thalweg_testkit::corpus::corpus;
use thalweg_testkit::random_map::SplitMix64;
use thalweg_testkit::solve::profiles;
use thalweg_testkit::world::{Product, World};
use xxhash_rust::xxh3::xxh3_64;

fn build(movement: &Arc<Movement>, goals: &GoalSet, options: &BuildOptions) -> Option<FieldBundle> {
    let mut scratch = BuildScratch::new();
    FieldBundle::build(Arc::clone(movement), goals, options, &mut scratch, &Serial).ok()
}

fn assert_equal(loaded: &FieldBundle, saved: &FieldBundle, what: &str) {
    assert_eq!(loaded.integration(), saved.integration(), "{what}");
    assert!(loaded.flow() == saved.flow(), "{what}: directions");
    assert!(loaded.headings() == saved.headings(), "{what}: headings");
    assert!(loaded.lengths() == saved.lengths(), "{what}: lengths");
    assert_eq!(loaded.goals(), saved.goals(), "{what}");
    assert_eq!(loaded.resolved_goals(), saved.resolved_goals(), "{what}");
    assert_eq!(loaded.is_whole(), saved.is_whole(), "{what}");
    assert_eq!(loaded.options().headings, saved.options().headings, "{what}");
    assert_eq!(loaded.bytes(), saved.bytes(), "{what}");
}

/// Reads all that a bundle can be asked.
fn read_everything(bundle: &FieldBundle) {
    let grid = bundle.grid();
    for id in grid.ids() {
        let report = bundle.query(grid.cell(id));
        let at = MapPoint::centre_of_id(grid, id);
        let _ = (report.cost(), report.direction());
        let _ = sample(bundle.movement(), bundle.flow(), at);
        if let Some(headings) = bundle.headings() {
            let (movement, field, flow) = (bundle.movement(), bundle.integration(), bundle.flow());
            let _ = aim(movement, field, flow, headings, at);
            let _ = sample_heading(movement, field, flow, headings, at);
        }
        let _ = bundle.lengths().map(|lengths| lengths.length(id));
    }
    let _ = bundle.cell_counts();
}

fn options(number: usize) -> BuildOptions {
    match number % 4 {
        0 => BuildOptions::new(),
        1 => BuildOptions::new().with_lengths(),
        2 => BuildOptions::new().with_headings(HeadingOptions::new().with_clearance(4)),
        _ => BuildOptions::new().with_cost_limit(90).with_lengths(),
    }
}

/// The bytes with a checksum and a length that fit them.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = bytes.len() as u64;
    bytes[12..20].copy_from_slice(&length.to_le_bytes());
    let at = bytes.len() - 8;
    let checksum = xxh3_64(&bytes[..at]);
    bytes[at..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

#[test]
fn every_bundle_of_the_corpus_comes_back_to_the_bit() {
    let footprints = [Footprint::square(2), Footprint::disc(1.2, 1.0)].map(|body| body.expect("a body"));
    let bodies = footprints.map(|body| MovementProfile::new().with_footprint(body));
    let mut compared = 0;
    for scene in corpus() {
        for (number, profile) in profiles(StepScale::TEN_FOURTEEN)
            .into_iter()
            .chain(bodies)
            .enumerate()
        {
            let movement = Arc::new(Movement::compile(&scene.costs, &profile));
            let goals = GoalSet::from_cells(scene.goals.iter().copied());
            let goals = goals.with_blocked_goals(BlockedGoals::NearestPassable);
            for options in (number..number + 4).map(options) {
                let Some(bundle) = build(&movement, &goals, &options) else {
                    continue;
                };
                let bytes = save_bundle(&bundle).expect("a whole bundle");
                let loaded = load_bundle(&bytes, Arc::clone(&movement), &goals).expect("the same map");
                assert_equal(&loaded, &bundle, scene.name);
                assert_eq!(save_bundle(&loaded).as_ref(), Ok(&bytes), "saved again");
                compared += 1;
            }
        }
        let bytes = save_map(&scene.costs, None).expect("no rules");
        let loaded = load_map(&bytes).expect("a saved map");
        assert_eq!(loaded.rules, None);
        assert!(
            loaded
                .costs
                .grid()
                .ids()
                .all(|id| loaded.costs.get(id) == scene.costs.get(id))
        );
    }
    assert!(compared > 1000, "{compared} bundles");
}

/// Floors, unknown ground, borders, portals, slopes, bodies, free steps, areas with biases, cost limits.
#[test]
fn random_worlds_come_back_to_the_bit() {
    let worlds = if std::env::var_os("THALWEG_LONG").is_some() {
        50_000
    } else {
        600
    };
    let mut compared = 0;
    for seed in 0..worlds {
        let world = World::draw(&mut SplitMix64::new(7_000_000 + seed), 12);
        let product = Product::new(&world);
        let costs = product.costs();
        let goals = world.goal_set();
        let mut build_options = options(seed as usize % 3);
        build_options.integrate.cost_limit = world.limit;
        let rules = product.edges().rules;
        let saved = load_map(&save_map(&costs, rules).expect("one grid")).expect("a saved map");
        assert_eq!(saved.costs.grid(), costs.grid());
        assert!(
            costs.grid().ids().all(|id| saved.costs.get(id) == costs.get(id)),
            "{seed}"
        );
        let rules = rules.filter(|rules| !rules.is_empty());
        assert_eq!(saved.rules.as_ref(), rules, "{seed}");
        // The map goes through bytes too, with all that is no charge of slopes.
        let mut edges = product.edges();
        edges.rules = saved.rules.as_ref();
        let again = Movement::compile_edges(&saved.costs, &edges, &world.profile).expect("one grid");
        let movement = Arc::new(product.movement(&costs));
        assert_eq!(MapHash::of(&again), MapHash::of(&movement), "{seed}");
        let Some(bundle) = build(&movement, &goals, &build_options) else {
            continue;
        };
        let bytes = save_bundle(&bundle).expect("a whole bundle");
        let loaded = load_bundle(&bytes, Arc::clone(&movement), &goals).expect("the same world");
        assert_equal(&loaded, &bundle, &format!("seed {seed}"));
        check_field(&movement, loaded.integration(), loaded.flow()).expect("right, cell by cell");
        compared += 1;
    }
    assert!(compared > worlds / 2, "{compared} bundles of {worlds} worlds");
}

/// Two floors with all that a map can hold, and goals of which one is an area.
fn rich() -> (CostField, EdgeRules, GoalSet) {
    let floors = [
        Grid::with_first_cell(5, 4, Cell::new(-2, 3)).expect("a small grid"),
        Grid::new(3, 2).expect("a small grid"),
    ];
    let grid = Grid::stacked(&floors).expect("two floors");
    let mut costs = CostField::filled(grid.clone(), Cost::PLAIN);
    costs.set(Cell::new(0, 4), Cost::IMPASSABLE).expect("on the map");
    costs
        .set(Cell::new(1, 5), Cost::from_byte(7))
        .expect("on the map");
    costs
        .set(Cell::new(1, 4), Cost::from_byte(0))
        .expect("on the map");
    costs.set_unknown(Cell::on(1, 2, 1)).expect("on the map");
    let mut rules = EdgeRules::new(grid);
    rules
        .close_exit(Cell::new(-1, 4), Direction::S)
        .expect("on the map");
    rules
        .add_portal(Cell::new(2, 6), Cell::on(1, 0, 0), 30)
        .expect("two cells");
    let gone = rules.add_portal(Cell::new(2, 6), Cell::on(1, 0, 1), 1);
    rules
        .add_priced_portal(Cell::on(1, 0, 0), Cell::new(2, 6), PortalCost::Steps(2))
        .expect("two cells");
    rules
        .remove_portal(gone.expect("two cells"))
        .expect("it is there");
    let goals = GoalSet::from_cells([Cell::new(-2, 3)])
        .with_goal(Goal::area([Cell::new(1, 3), Cell::new(2, 3)]).with_bias(15));
    (costs, rules, goals)
}

fn rich_bundle() -> (Arc<Movement>, GoalSet, FieldBundle) {
    let (costs, rules, goals) = rich();
    let movement = Movement::compile_with(&costs, &rules, &MovementProfile::new()).expect("one grid");
    let movement = Arc::new(movement);
    let options = BuildOptions::new()
        .with_headings(HeadingOptions::new())
        .with_lengths()
        .with_cost_limit(1000);
    let bundle = build(&movement, &goals, &options).expect("usable goals");
    (movement, goals, bundle)
}

/// Indices of portals break ties, and edits name them: a gap stays a gap.
#[test]
fn a_map_keeps_the_indices_of_its_portals() {
    let (costs, rules, _) = rich();
    let bytes = save_map(&costs, Some(&rules)).expect("one grid");
    let mut loaded = load_map(&bytes).expect("a saved map");
    assert_eq!(loaded.rules.as_ref(), Some(&rules));
    let portals: Vec<u32> = rules.portals().map(|(index, _)| index.0).collect();
    assert_eq!(portals, [0, 2]);
    assert_eq!(loaded.costs.take_dirty(), [], "a new map is no edit");
}

#[test]
fn every_cut_and_every_changed_byte_is_an_error() {
    let (costs, rules, _) = rich();
    let (movement, goals, bundle) = rich_bundle();
    let map = save_map(&costs, Some(&rules)).expect("one grid");
    let field = save_bundle(&bundle).expect("a whole bundle");
    let load_field = |bytes: &[u8]| load_bundle(bytes, Arc::clone(&movement), &goals).map(|_| ());
    let load_ground = |bytes: &[u8]| load_map(bytes).map(|_| ());
    type Load<'a> = &'a dyn Fn(&[u8]) -> Result<(), LoadError>;
    for (bytes, load) in [(&map, &load_ground as Load<'_>), (&field, &load_field)] {
        load(bytes).expect("as it was saved");
        for len in 0..bytes.len() {
            let error = load(&bytes[..len]).expect_err("cut off");
            assert!(
                matches!(error, LoadError::Truncated { .. }),
                "cut at {len}: {error}"
            );
            assert!(!error.to_string().is_empty());
        }
        for at in 0..bytes.len() {
            for change in [1u8, 2, 4, 8, 16, 32, 64, 128, 0xff] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                let error = load(&changed).expect_err("changed");
                let message = error.to_string();
                assert!(
                    !message.contains('\n') && message.contains(|c: char| c.is_ascii_digit()),
                    "{message}"
                );
            }
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(matches!(load(&longer), Err(LoadError::TooLong { .. })));
    }
}

/// Somebody who wants to do harm writes the checksum too: every byte changed, and the frame made to fit. What is then loaded is right
/// or at most has other headings.
#[test]
fn nonsense_behind_a_right_checksum_is_refused_or_harmless() {
    let (costs, rules, _) = rich();
    let (movement, goals, bundle) = rich_bundle();
    let map = save_map(&costs, Some(&rules)).expect("one grid");
    let field = save_bundle(&bundle).expect("a whole bundle");
    let mut taken = 0;
    for change in 1..=255u8 {
        for at in 0..field.len() - 8 {
            let mut changed = field.clone();
            changed[at] ^= change;
            let Ok(loaded) = load_bundle(&sealed(changed), Arc::clone(&movement), &goals) else {
                continue;
            };
            taken += 1;
            check_field(&movement, loaded.integration(), loaded.flow()).expect("right, cell by cell");
            read_everything(&loaded);
        }
        for at in 0..map.len() - 8 {
            let mut changed = map.clone();
            changed[at] ^= change;
            let Ok(loaded) = load_map(&sealed(changed)) else {
                continue;
            };
            let edges = loaded
                .rules
                .unwrap_or_else(|| EdgeRules::new(loaded.costs.grid().clone()));
            let movement = Movement::compile_with(&loaded.costs, &edges, &MovementProfile::new());
            // A portal priced in steps may be too dear for a profile.
            let Ok(movement) = movement.map(Arc::new) else {
                continue;
            };
            if let Some(bundle) = build(&movement, &goals, &BuildOptions::new()) {
                read_everything(&bundle);
            }
        }
    }
    assert!(taken > 0, "headings and options may be others");
    // Nothing of a length that its own numbers do not say.
    for len in 0..field.len() - 8 {
        let cut = [&field[..len], &[0; 8]].concat();
        if cut.len() >= 28 {
            let error = load_bundle(&sealed(cut), Arc::clone(&movement), &goals).map(|_| ());
            assert!(error.is_err(), "cut at {len}");
        }
    }
}

#[test]
fn counts_that_the_bytes_do_not_hold_are_refused_before_anything_is_allocated() {
    let (costs, rules, _) = rich();
    let map = save_map(&costs, Some(&rules)).expect("one grid");
    // Four thousand million layers; one layer of a thousand million cells.
    let mut layers = map.clone();
    layers[20..24].copy_from_slice(&u32::MAX.to_le_bytes());
    let error = load_map(&sealed(layers)).expect_err("so many layers");
    assert!(
        matches!(
            error,
            LoadError::Truncated {
                what: "the layers",
                ..
            }
        ),
        "{error}"
    );
    let mut wide = save_map(
        &CostField::filled(Grid::new(1, 1).expect("a cell"), Cost::PLAIN),
        None,
    )
    .expect("no rules");
    wide[24..28].copy_from_slice(&(1u32 << 30).to_le_bytes());
    let error = load_map(&sealed(wide)).expect_err("so many cells");
    assert!(
        matches!(
            error,
            LoadError::Truncated {
                what: "the costs",
                needs: 1_073_741_824,
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn a_bundle_made_for_something_else_is_told_apart() {
    let (movement, goals, bundle) = rich_bundle();
    let (costs, rules, _) = rich();
    let bytes = save_bundle(&bundle).expect("a whole bundle");
    let what = |movement: Movement, goals: &GoalSet| match load_bundle(&bytes, movement, goals) {
        Err(LoadError::Mismatch { what }) => Some(what),
        Err(other) => panic!("{other}"),
        Ok(_) => None,
    };
    let profile = MovementProfile::new();
    let compile = |costs: &CostField, rules: &EdgeRules, profile: &MovementProfile| {
        Movement::compile_with(costs, rules, profile).expect("one grid")
    };
    assert_eq!(what(compile(&costs, &rules, &profile), &goals), None);
    for other in profiles(StepScale::TEN_FOURTEEN)
        .into_iter()
        .filter(|other| *other != profile)
    {
        assert_eq!(
            what(compile(&costs, &rules, &other), &goals),
            Some(Mismatch::Profile)
        );
    }
    for id in costs.grid().ids() {
        let cell = costs.grid().cell(id);
        let mut changed = costs.clone();
        let was = costs.get(id).map_or(255, Cost::byte);
        changed.set(cell, Cost::from_byte(was ^ 1)).expect("on the map");
        assert_eq!(
            what(compile(&changed, &rules, &profile), &goals),
            Some(Mismatch::Map)
        );
        let mut changed = costs.clone();
        match costs.get(id) {
            Some(_) => changed.set_unknown(cell),
            None => changed.set(cell, Cost::IMPASSABLE),
        }
        .expect("on the map");
        assert_eq!(
            what(compile(&changed, &rules, &profile), &goals),
            Some(Mismatch::Map)
        );
    }
    let mut one_way = rules.clone();
    one_way
        .close_exit(Cell::new(2, 4), Direction::W)
        .expect("on the map");
    assert_eq!(
        what(compile(&costs, &one_way, &profile), &goals),
        Some(Mismatch::Map)
    );
    let mut portal = rules.clone();
    portal
        .add_portal(Cell::new(2, 5), Cell::on(1, 0, 1), 3)
        .expect("two cells");
    assert_eq!(
        what(compile(&costs, &portal, &profile), &goals),
        Some(Mismatch::Map)
    );
    // The same bytes on a grid of another origin.
    let moved = Grid::with_first_cell(6, 4, Cell::new(-2, 3)).expect("a small grid");
    let moved = Movement::compile(&CostField::filled(moved, Cost::PLAIN), &profile);
    assert_eq!(what(moved, &goals), Some(Mismatch::Map));
    let elsewhere = GoalSet::from_cells([Cell::new(-2, 3), Cell::new(1, 3)]);
    assert_eq!(
        what(compile(&costs, &rules, &profile), &elsewhere),
        Some(Mismatch::Goals)
    );
    let nowhere = GoalSet::from_cells([Cell::new(0, 4)]);
    assert!(matches!(
        load_bundle(&bytes, Arc::clone(&movement), &nowhere).map(|_| ()),
        Err(LoadError::Goals(_))
    ));
    assert!(matches!(
        load_map(&bytes).map(|_| ()),
        Err(LoadError::OtherKind {
            found: 2,
            wanted: SavedKind::Map
        })
    ));
}

#[test]
fn a_bundle_for_some_cells_only_is_not_saved() {
    use thalweg::core::integrate::{Asked, RunOptions};
    let grid = Grid::new(30, 30).expect("a small grid");
    let movement = Movement::compile(&CostField::filled(grid, Cost::PLAIN), &MovementProfile::new());
    let goals = GoalSet::from_cells([Cell::new(0, 0)]);
    let asked = [CellId(3)];
    let run = RunOptions::new().with_asked(Asked::Cells(&asked));
    let options = BuildOptions::new();
    let bundle = FieldBundle::build_with(movement, &goals, &options, &run, &mut BuildScratch::new());
    let bundle = bundle.expect("a usable goal");
    assert_eq!(save_bundle(&bundle), Err(SaveError::NotWhole));
}

/// Case A66: loading breaks nothing, and a stale cache is noticed.
#[test]
fn a_crowd_goes_on_after_a_load_as_if_nothing_had_been() {
    let mut costs = CostField::filled(Grid::new(40, 24).expect("a grid"), Cost::PLAIN);
    for x in [10, 20, 30] {
        costs
            .set_rect(Cell::new(x, 2), Cell::new(x + 3, 21), Cost::IMPASSABLE)
            .expect("on the map");
        costs
            .set(Cell::new(x, 12), Cost::from_byte(9))
            .expect("on the map");
    }
    let profile = MovementProfile::new();
    let goals = GoalSet::from_cells([Cell::new(38, 12)]);
    let movement = Arc::new(Movement::compile(&costs, &profile));
    let options = BuildOptions::new().with_headings(HeadingOptions::new());
    let bundle = build(&movement, &goals, &options).expect("a usable goal");

    let crowd = || {
        let mut crowd = Crowd::new(costs.grid().clone(), CrowdOptions::new()).expect("a small grid");
        for number in 0..60 {
            let spec = AgentSpec {
                position: MapPoint::centre_of(1 + number % 8, 2 + number / 8 * 2),
                radius: 0.3,
                max_speed: 1.4,
                group: GroupId(0),
            };
            crowd.add(&movement, spec).expect("free ground");
        }
        crowd
    };
    let step = |crowd: &mut Crowd, bundle: &FieldBundle, ticks: usize| {
        for _ in 0..ticks {
            let input = GroupInput {
                movement: bundle.movement(),
                flow: Some(bundle.flow()),
                steering: bundle.steering(),
                is_current: true,
                stale: StalePolicy::Stop,
                field_version: 1,
                arrival: ArrivalRule::Rest,
            };
            crowd.step(&[input], 0.05, &Serial).expect("a tick");
        }
    };
    let (mut through, mut reloaded) = (crowd(), crowd());
    step(&mut through, &bundle, 200);
    step(&mut reloaded, &bundle, 100);

    let map_bytes = save_map(&costs, None).expect("no rules");
    let field_bytes = save_bundle(&bundle).expect("a whole bundle");
    drop(bundle);
    let map = load_map(&map_bytes).expect("a saved map").costs;
    let movement = Arc::new(Movement::compile(&map, &profile));
    let loaded = load_bundle(&field_bytes, movement, &goals).expect("the same map");
    step(&mut reloaded, &loaded, 100);
    assert_eq!(reloaded.state_hash(), through.state_hash());
    assert_ne!(reloaded.state_hash(), crowd().state_hash());

    // One byte of the map on disc: the checksum tells. One byte of the map in memory: the hash in the bundle does.
    let mut flipped = map_bytes.clone();
    flipped[300] ^= 1;
    assert!(matches!(load_map(&flipped), Err(LoadError::Altered { .. })));
    for id in map.grid().ids().step_by(7) {
        let mut bytes = map.bytes().to_vec();
        bytes[id.index()] ^= 1;
        let flipped = CostField::from_bytes(map.grid().clone(), bytes).expect("as many bytes");
        let movement = Movement::compile(&flipped, &profile);
        let refused = load_bundle(&field_bytes, movement, &goals).map(|_| ());
        // A wall that becomes dear ground, or ground that becomes a wall under the goal.
        assert!(
            matches!(refused, Err(LoadError::Mismatch { what: Mismatch::Map })),
            "{refused:?}"
        );
    }
}

/// The format of version 1, as bytes: what was saved by one build is read by the next. If this moves, the version must.
#[test]
fn the_bytes_of_a_small_map_and_a_small_bundle_are_these() {
    let (costs, rules, _) = rich();
    let (movement, _, bundle) = rich_bundle();
    let map = save_map(&costs, Some(&rules)).expect("one grid");
    let field = save_bundle(&bundle).expect("a whole bundle");
    let head = *b"\x89THW\r\n\x1a\n\x01\0\x01\0";
    assert_eq!(map[..12], head);
    assert_eq!(field[8..12], [2, 0, 1, 0]);
    let golden = [
        ("map", xxh3_64(&map)),
        ("bundle", xxh3_64(&field)),
        ("hash of the map", MapHash::of(&movement).0 as u64),
        (
            "hash of the profile",
            ProfileHash::of(movement.profile()).0 as u64,
        ),
        (
            "hash of the goals",
            GoalsHash::of(bundle.resolved_goals()).0 as u64,
        ),
    ];
    assert_eq!(golden, GOLDEN);
}

/// Minted with the first version of the format.
const GOLDEN: [(&str, u64); 5] = [
    ("map", 8_326_922_072_621_030_534),
    ("bundle", 5_540_383_714_401_352_442),
    ("hash of the map", 1_327_033_640_079_916_619),
    ("hash of the profile", 11_870_397_996_743_010_806),
    ("hash of the goals", 13_683_829_116_803_173_341),
];

proptest! {
    #[test]
    fn any_bytes_are_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let (movement, goals, _) = rich_bundle();
        prop_assert!(load_map(&bytes).is_err());
        prop_assert!(load_bundle(&bytes, movement, &goals).is_err());
    }

    /// Any bytes in a frame that is right.
    #[test]
    fn any_bytes_in_a_right_frame_do_no_harm(
        kind in 1u8..3,
        keep in 0usize..400,
        bytes in proptest::collection::vec(any::<u8>(), 8..600),
    ) {
        let (costs, rules, _) = rich();
        let (movement, goals, bundle) = rich_bundle();
        let base = if kind == 1 { save_map(&costs, Some(&rules)).expect("one grid") } else { save_bundle(&bundle).expect("whole") };
        let forged = sealed([&base[..keep.clamp(20, base.len())], &bytes].concat());
        if let Ok(map) = load_map(&forged) {
            let movement = Movement::compile(&map.costs, &MovementProfile::new());
            prop_assert_eq!(movement.grid(), map.costs.grid());
        }
        if let Ok(loaded) = load_bundle(&forged, Arc::clone(&movement), &goals) {
            check_field(&movement, loaded.integration(), loaded.flow()).expect("right, cell by cell");
            read_everything(&loaded);
        }
    }
}
