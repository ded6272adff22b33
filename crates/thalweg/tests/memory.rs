//! What is allocated at the peak, beside what was said before: for compiling, for every engine, and for whole bundles.
//!
//! `THALWEG_LONG=1 cargo test --release -p thalweg --test memory -- --nocapture` looks at more maps and prints each.
//! The counting allocator is that of the whole program, so there is one test here, on one thread.

use peak_alloc::PeakAlloc;
use thalweg::bundle::{BuildError, BuildOptions, BuildScratch, FieldBundle};
use thalweg::generate::MapKind;
use thalweg_core::cost::{self, Cost, CostField, EdgeCharges, HeightMap, SlopeRule};
use thalweg_core::flow::HeadingOptions;
use thalweg_core::grid::{Cell, CellId, Grid};
use thalweg_core::integrate::{
    self, Engine, GoalSet, IntegrateError, IntegrateOptions, IntegrateScratch, IntegrationField, Reach,
    integrate, integrate_on,
};
use thalweg_core::memory::Bytes;
use thalweg_core::movement::{self, EdgeInputs, EdgeRules, Movement, MovementProfile, StepScale};
use thalweg_core::workers::Serial;
use thalweg_testkit::cases::say;
use thalweg_testkit::threads::TestThreads;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// The bytes allocated at the peak of a task, its result included.
fn peak_of<T>(task: impl FnOnce() -> T) -> (u64, T) {
    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    let result = task();
    ((ALLOCATED.peak_usage() - before) as u64, result)
}

/// The least and the largest share of an estimate that was needed.
#[derive(Clone, Copy, Debug)]
struct Shares {
    least: f64,
    most: f64,
}

impl Shares {
    const NONE: Self = Self {
        least: f64::INFINITY,
        most: 0.0,
    };

    fn add(&mut self, peak: u64, estimate: u64) -> f64 {
        let share = peak as f64 / estimate as f64;
        self.least = self.least.min(share);
        self.most = self.most.max(share);
        share
    }
}

/// The same walls with costs of 1 to 254 at random: the longest fronts there are.
fn noisy(costs: &CostField) -> CostField {
    let mut state = 12_345u32;
    let bytes = costs.bytes().iter().map(|&cost| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if cost == 255 {
            255
        } else {
            1 + (state >> 16) as u8 % 254
        }
    });
    CostField::from_bytes(costs.grid().clone(), bytes.collect()).unwrap()
}

fn movements(costs: &CostField, goal: Cell) -> Vec<(&'static str, Movement)> {
    let grid = costs.grid();
    let point = MovementProfile::new();
    let mut rules = EdgeRules::new(grid.clone());
    rules.add_portal(grid.cell(CellId(0)), goal, 500).unwrap();
    let four = point.with_connectivity("4".parse().unwrap());
    vec![
        ("point", Movement::compile(costs, &point)),
        ("four", Movement::compile(costs, &four)),
        (
            "fine",
            Movement::compile(costs, &point.with_scale(StepScale::FINE)),
        ),
        ("noisy", Movement::compile(&noisy(costs), &point)),
        ("edges", Movement::compile_with(costs, &rules, &point).unwrap()),
    ]
}

/// Where tiles are written as soon as they are final (on large maps, and on small ones where debugging checks are on) they
/// hold the costs of few tiles at a time. The estimate counts all: behind walls that nothing passes, they may all be held.
const TILES_AT_LEAST: f64 = if cfg!(debug_assertions) { 0.5 } else { 0.8 };

fn integrations(side: u32, kinds: &[MapKind]) {
    let mut by_engine = Engine::ALL.map(|engine| (engine, Shares::NONE));
    for kind in kinds {
        let map = kind.generate(side, 0).unwrap();
        let costs = map.cost_field();
        for (name, movement) in movements(&costs, map.goal_cell()) {
            let free: Vec<CellId> = costs
                .grid()
                .ids()
                .filter(|&id| movement.is_passable(id))
                .collect();
            let (first, last) = (
                costs.grid().cell(free[0]),
                costs.grid().cell(free[free.len() - 1]),
            );
            drop(free);
            for goals in [
                vec![map.goal_cell()],
                vec![first],
                vec![map.goal_cell(), first, last],
            ] {
                let count = goals.len();
                let goals = GoalSet::from_cells(goals).resolve(&movement).unwrap();
                for (engine, shares) in &mut by_engine {
                    let options = IntegrateOptions::new().with_engine(*engine);
                    if !engine.supports(&movement) {
                        continue;
                    }
                    let estimate = integrate::estimate_memory(&movement, &goals, &options, 1);
                    let (peak, ran) = peak_of(|| {
                        let mut field = IntegrationField::new(costs.grid().clone());
                        let mut scratch = IntegrateScratch::new();
                        integrate(&movement, &goals, &options, &mut scratch, &mut field)
                            .map(|stats| (stats, field, scratch))
                    });
                    let Ok((stats, ..)) = ran else { continue };
                    // On mazes tiles leave the work to buckets.
                    if stats.engine != *engine {
                        assert!(peak <= estimate.memory.total());
                        continue;
                    }
                    let share = shares.add(peak, estimate.memory.total());
                    if std::env::var_os("THALWEG_LONG").is_some() {
                        say(&format!(
                            "{kind} {side} {name} {count} {engine}: {share:.3} of {}",
                            estimate.memory
                        ));
                    }
                }
            }
        }
    }
    for (engine, shares) in by_engine {
        say(&format!(
            "{engine} on maps of {side} x {side}: {shares:?} of the estimate"
        ));
        // Queues grow with the sides of a map, fields with its area.
        let least = match side {
            _ if engine == Engine::Tiles => TILES_AT_LEAST,
            512.. => 0.8,
            _ => 0.65,
        };
        assert!(
            shares.least >= least && shares.most <= 1.0,
            "{engine} {side}: {shares:?}"
        );
    }
}

/// Threads hold little of their own.
fn threads() {
    let map = MapKind::Town.generate(512, 0).unwrap();
    let movement = Movement::compile(&map.cost_field(), &MovementProfile::new());
    let goals = GoalSet::from_cells([map.goal_cell()]).resolve(&movement).unwrap();
    let options = IntegrateOptions::new().with_engine(Engine::Tiles);
    for threads in [1, 2, 8] {
        let estimate = integrate::estimate_memory(&movement, &goals, &options, threads);
        let (peak, ran) = peak_of(|| {
            let mut field = IntegrationField::new(movement.grid().clone());
            let mut scratch = IntegrateScratch::new();
            let workers = TestThreads(threads);
            integrate_on(&movement, &goals, &options, &workers, &mut scratch, &mut field)
                .map(|stats| (stats, field, scratch))
        });
        ran.unwrap();
        let share = peak as f64 / estimate.memory.total() as f64;
        assert!(
            (TILES_AT_LEAST..=1.0).contains(&share),
            "{threads} threads: {share} of {}",
            estimate.memory
        );
    }
}

fn compiling() {
    let mut shares = Shares::NONE;
    let (side, upper) = (512, Grid::new(300, 200).unwrap());
    let map = MapKind::Town.generate(side, 0).unwrap();
    let plain = map.cost_field();
    let mut foggy = plain.clone();
    foggy.set_unknown(Cell::new(3, 3)).unwrap();
    let stacked = Grid::stacked([plain.grid(), &upper]).unwrap();
    let floors = [plain.bytes().to_vec(), vec![1; upper.len()]].concat();
    let floors = CostField::from_bytes(stacked, floors).unwrap();
    for costs in [plain, foggy, floors] {
        let grid = costs.grid().clone();
        // One slice of a field that shares pages is put together when it is first asked for; not while bytes are counted.
        let bytes = costs.bytes();
        let (held, copy) = peak_of(|| {
            let mut copy = CostField::from_bytes(grid.clone(), bytes.to_vec()).unwrap();
            if costs.unknown_len() > 0 {
                copy.set_unknown(Cell::new(3, 3)).unwrap();
            }
            copy
        });
        let estimate = cost::estimate_memory(&grid, costs.unknown_len() > 0);
        let share = held as f64 / estimate.total() as f64;
        assert!((0.99..=1.01).contains(&share), "costs: {share} of {estimate}");
        drop(copy);
        let mut rules = EdgeRules::new(grid.clone());
        rules
            .add_portal(grid.cell(CellId(0)), map.goal_cell(), 500)
            .unwrap();
        let heights = HeightMap::new(grid.clone(), 1.0, vec![0.0; grid.len()], None).unwrap();
        let charges = EdgeCharges::new(&heights, SlopeRule::default());
        for body in ["point", "square:2", "disc:1.5"] {
            let profile = MovementProfile::new().with_footprint(body.parse().unwrap());
            for edges in [
                EdgeInputs::default(),
                EdgeInputs {
                    rules: Some(&rules),
                    charges: None,
                },
                EdgeInputs {
                    rules: Some(&rules),
                    charges: Some(&charges),
                },
            ] {
                let estimate = movement::estimate_memory(&costs, &edges, &profile);
                let (peak, movement) = peak_of(|| Movement::compile_edges(&costs, &edges, &profile));
                movement.unwrap();
                let share = shares.add(peak, estimate.total());
                assert!(
                    (0.8..=1.0).contains(&share),
                    "{body}, {} layers, {} unknown, rules {}, charges {}: {share} of {estimate}",
                    grid.layers().len(),
                    costs.unknown_len(),
                    edges.rules.is_some(),
                    edges.charges.is_some()
                );
            }
        }
    }
    say(&format!("compiling: {shares:?} of the estimate"));
}

fn bundles() {
    let mut shares = Shares::NONE;
    for kind in [MapKind::Open, MapKind::Terrain8, MapKind::Town] {
        let map = kind.generate(512, 0).unwrap();
        let mut costs = map.cost_field();
        for free in [false, true] {
            if free {
                costs.set(map.goal_cell(), Cost::from_byte(0)).unwrap();
            }
            let movement = std::sync::Arc::new(Movement::compile(&costs, &MovementProfile::new()));
            let goals = GoalSet::from_cells([map.goal_cell()]);
            for options in [
                BuildOptions::new(),
                BuildOptions::new().with_engine(Engine::Heap),
                BuildOptions::new()
                    .with_headings(HeadingOptions::default())
                    .with_lengths(),
            ] {
                let estimate = FieldBundle::estimate_memory(&movement, &goals, &options, &Serial).unwrap();
                let (peak, (bundle, scratch)) = peak_of(|| {
                    let mut scratch = BuildScratch::new();
                    let movement = std::sync::Arc::clone(&movement);
                    let bundle = FieldBundle::build(movement, &goals, &options, &mut scratch, &Serial);
                    (bundle.unwrap(), scratch)
                });
                assert_eq!(bundle.stats().engine, estimate.engine);
                let total = estimate.memory.total();
                let share = shares.add(peak, total);
                let tiles = estimate.engine == Engine::Tiles;
                let least = if tiles { TILES_AT_LEAST } else { 0.8 };
                assert!(
                    (least..=1.0).contains(&share),
                    "{kind} {options:?}: {share} of {}",
                    estimate.memory
                );
                drop((bundle, scratch));
                limits(&movement, &goals, &options, total);
            }
        }
    }
    say(&format!("bundles: {shares:?} of the estimate"));
}

/// A limit is kept to the byte, and a build that is refused allocates next to nothing.
fn limits(movement: &std::sync::Arc<Movement>, goals: &GoalSet, options: &BuildOptions, total: u64) {
    let build = |limit: u64| {
        let options = options.with_memory_limit(limit);
        let movement = std::sync::Arc::clone(movement);
        peak_of(|| FieldBundle::build(movement, goals, &options, &mut BuildScratch::new(), &Serial))
    };
    assert!(build(total).1.is_ok(), "the estimate is enough");
    let (peak, below) = build(total - 1);
    match below {
        // The automatic engine has gone on to a leaner one.
        Ok(bundle) => {
            assert_eq!(options.integrate.engine, Engine::Auto);
            let tighter = options.with_memory_limit(total - 1);
            let estimate = FieldBundle::estimate_memory(movement, goals, &tighter, &Serial).unwrap();
            assert_eq!(bundle.stats().engine, estimate.engine);
            assert!(estimate.memory.total() < total && peak < total);
        }
        Err(error) => {
            assert!(peak < 10_000, "{peak} bytes allocated by a build that is refused");
            let text = error.to_string();
            assert!(text.contains(&Bytes(total - 1).to_string()), "{text}");
            assert!(matches!(error, BuildError::MemoryLimit { .. }), "{text}");
        }
    }
    let (peak, none) = build(1000);
    let error = none.expect_err("a thousand bytes are not enough");
    assert!(matches!(error, BuildError::MemoryLimit { .. }), "{error}");
    assert!(peak < 10_000, "{peak}");
}

fn a_refused_integration_leaves_the_field_as_it_was() {
    let map = MapKind::Open.generate(64, 0).unwrap();
    let movement = Movement::compile(&map.cost_field(), &MovementProfile::new());
    let goals = GoalSet::from_cells([map.goal_cell()]).resolve(&movement).unwrap();
    let mut field = IntegrationField::new(movement.grid().clone());
    let mut scratch = IntegrateScratch::new();
    let options = IntegrateOptions::new();
    integrate(&movement, &goals, &options, &mut scratch, &mut field).unwrap();
    let before = field.clone();
    for engine in Engine::ALL.into_iter().chain([Engine::Auto]) {
        let options = options.with_engine(engine).with_memory_limit(5000);
        let error = integrate(&movement, &goals, &options, &mut scratch, &mut field).unwrap_err();
        let IntegrateError::MemoryLimit {
            engine: named,
            estimate,
            limit,
        } = &error
        else {
            panic!("{error}")
        };
        assert!(engine == Engine::Auto || *named == engine);
        assert!(estimate.total() > 5000 && *limit == Bytes(5000));
        assert!(
            error.to_string().ends_with("above the memory limit of 4.9 KiB"),
            "{error}"
        );
        assert!(field == before);
    }
    assert!(field.reaches().all(|reach| matches!(reach, Reach::Reached(_))));
}

#[test]
fn what_is_allocated_at_the_peak_is_what_was_estimated() {
    integrations(256, &MapKind::ALL);
    integrations(512, &[MapKind::Open, MapKind::Town]);
    if std::env::var_os("THALWEG_LONG").is_some() {
        integrations(512, &MapKind::ALL);
        integrations(1024, &MapKind::ALL);
    }
    threads();
    compiling();
    bundles();
    a_refused_integration_leaves_the_field_as_it_was();
}
