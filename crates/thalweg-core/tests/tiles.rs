//! The tile engine gives the bits of the heap: on every map of the corpus and on random ones, with every kind of vectors and
//! any number of threads, and where it gives up.
//!
//! More maps: `THALWEG_LONG=1 cargo test --release -p thalweg-core --test tiles`.

use thalweg_core::cost::CostField;
use thalweg_core::grid::{Cell, CellId, Grid};
use thalweg_core::integrate::{
    Asked, Engine, Goal, GoalSet, IntegrateError, IntegrateOptions, IntegrateScratch, IntegrationField,
    RunOptions, Vectors, integrate, integrate_on, integrate_with,
};
use thalweg_core::movement::{EdgeRules, Movement, MovementProfile, StepScale};
use thalweg_core::workers::{Serial, Workers};
use thalweg_testkit::cases::say;
use thalweg_testkit::corpus::corpus;
use thalweg_testkit::random_map::{SplitMix64, large_map};
use thalweg_testkit::solve::{profiles, scale};
use thalweg_testkit::threads::TestThreads;

fn vectors() -> impl Iterator<Item = Vectors> {
    Vectors::ALL.into_iter().filter(|vectors| vectors.is_available())
}

/// Compares with the heap: every kind of vectors, and every number of threads with the best of them.
fn compare(
    movement: &Movement,
    goals: &GoalSet,
    limit: Option<u32>,
    scratch: &mut IntegrateScratch,
    context: &str,
) -> usize {
    let goals = goals.resolve(movement).unwrap();
    let mut base = IntegrateOptions::new();
    base.cost_limit = limit;
    let grid = movement.grid();
    let (mut wanted, mut got) = (
        IntegrationField::new(grid.clone()),
        IntegrationField::new(grid.clone()),
    );
    integrate(
        movement,
        &goals,
        &base.with_engine(Engine::Heap),
        scratch,
        &mut wanted,
    )
    .unwrap();
    let threads: [&dyn Workers; 3] = [&TestThreads(1), &TestThreads(2), &TestThreads(8)];
    let serial: &dyn Workers = &Serial;
    let runs = vectors()
        .map(|vectors| (vectors, serial))
        .chain(threads.map(|workers| (Vectors::Best, workers)));
    let mut compared = 0;
    for (vectors, workers) in runs {
        let options = base.with_engine(Engine::Tiles).with_vectors(vectors);
        let stats = integrate_on(movement, &goals, &options, workers, scratch, &mut got).unwrap();
        if stats.engine == Engine::Tiles {
            let reached = wanted.reaches().filter(|reach| reach.cost().is_some()).count();
            assert!(
                stats.expanded >= reached as u64,
                "{context}: {stats:?}, {reached} reached"
            );
        }
        for id in grid.ids() {
            assert_eq!(
                (got.reach(id), got.goal(id)),
                (wanted.reach(id), wanted.goal(id)),
                "{context}, {vectors}, {} threads, cell {}",
                workers.threads(),
                grid.cell(id)
            );
        }
        assert_eq!(got, wanted, "{context}, {vectors}");
        compared += 1;
    }
    compared
}

#[test]
fn every_map_of_the_corpus_under_every_profile() {
    let mut scratch = IntegrateScratch::new();
    let mut compared = 0;
    for scene in corpus() {
        for profile in profiles(scale(10, 14)) {
            let movement = Movement::compile(&scene.costs, &profile);
            let goals = GoalSet::from_cells(scene.goals.iter().copied());
            compared += compare(
                &movement,
                &goals,
                None,
                &mut scratch,
                &format!("{} {profile:?}", scene.name),
            );
        }
    }
    say(&format!("tiles: {compared} fields of the corpus compared"));
    assert!(compared > 300, "{compared}");
}

#[test]
fn random_maps_with_bodies_portals_floors_and_limits() {
    let rounds = if std::env::var_os("THALWEG_LONG").is_some() {
        100_000
    } else {
        250
    };
    let mut scratch = IntegrateScratch::new();
    let (mut floors, mut bodies, mut limits) = (0, 0, 0);
    for seed in 0..rounds {
        let mut random = SplitMix64::new(seed + 90_000_000);
        let lower = large_map(seed + 91_000_000);
        let scale = random.pick(&[scale(10, 14), scale(1, 1), scale(29, 41), StepScale::FINE]);
        let mut profile = random.pick(&profiles(scale));
        if random.percent(30) {
            profile = profile.with_footprint(
                random
                    .pick(&["square:2", "disc:0.8", "rectangle:3x1"])
                    .parse()
                    .unwrap(),
            );
            bodies += 1;
        }
        // A second floor of another size in one of three.
        let mut parts = vec![lower.costs.clone()];
        if random.percent(33) {
            parts.push(large_map(seed + 92_000_000).costs);
            floors += 1;
        }
        let grid = Grid::stacked(parts.iter().map(CostField::grid)).unwrap();
        let bytes = parts.iter().flat_map(|part| part.bytes().to_vec()).collect();
        let costs = CostField::from_bytes(grid.clone(), bytes).unwrap();
        let mut rules = EdgeRules::new(grid.clone());
        let any =
            |random: &mut SplitMix64| grid.cell(CellId(random.below(u32::try_from(grid.len()).unwrap())));
        for _ in 0..random.below(6) {
            let (from, to) = (any(&mut random), any(&mut random));
            if from != to {
                rules
                    .add_portal(from, to, random.pick(&[0, 5, 70, 4_000, 70_000_000]))
                    .unwrap();
            }
        }
        for _ in 0..random.below(20) {
            let direction = random.pick(&thalweg_core::grid::DIRECTIONS);
            rules.close_exit(any(&mut random), direction).unwrap();
        }
        let movement = Movement::compile_with(&costs, &rules, &profile).unwrap();
        let goals = lower
            .goals
            .iter()
            .cloned()
            .fold(GoalSet::new(), GoalSet::with_goal)
            .with_blocked_goals(thalweg_core::integrate::BlockedGoals::Skip);
        if goals.resolve(&movement).is_err() {
            continue;
        }
        let limit = random
            .percent(25)
            .then(|| random.pick(&[0, 100, 5_000, 2_000_000]));
        limits += usize::from(limit.is_some());
        compare(
            &movement,
            &goals,
            limit,
            &mut scratch,
            &format!("seed {seed} {profile:?} limit {limit:?}"),
        );
    }
    let share = |count: usize| count as u64 * 8 > rounds;
    assert!(
        share(floors) && share(bodies) && share(limits),
        "{floors} {bodies} {limits}"
    );
}

/// 2^30 is what a tile can tell apart from an unreached cell; what is dearer is left to buckets, and costs beyond 32 bits are
/// the same error.
#[test]
fn costs_beyond_what_tiles_hold_are_the_costs_of_the_other_engines() {
    let mut scratch = IntegrateScratch::new();
    let profile = MovementProfile::new().with_scale(StepScale::new(65_535, 131_070).unwrap());
    let goal = GoalSet::from_cells([Cell::new(0, 0)]);
    for (columns, fits) in [(60, true), (200, true), (300, false)] {
        let costs =
            CostField::from_bytes(Grid::new(columns, 2).unwrap(), vec![254; columns as usize * 2]).unwrap();
        let movement = Movement::compile(&costs, &profile);
        if fits {
            compare(
                &movement,
                &goal,
                None,
                &mut scratch,
                &format!("{columns} columns"),
            );
            compare(
                &movement,
                &goal,
                Some(u32::MAX - 2),
                &mut scratch,
                "a limit that cuts nothing off",
            );
            continue;
        }
        let goals = goal.resolve(&movement).unwrap();
        let mut field = IntegrationField::new(costs.grid().clone());
        let errors = [Engine::Heap, Engine::Tiles].map(|engine| {
            let options = IntegrateOptions::new().with_engine(engine);
            integrate(&movement, &goals, &options, &mut scratch, &mut field).unwrap_err()
        });
        assert!(
            matches!(errors[0], IntegrateError::CostOverflow { .. }),
            "{errors:?}"
        );
        assert_eq!(errors[0], errors[1]);
    }
    // A starting cost beyond it.
    let costs = CostField::filled(Grid::new(40, 40).unwrap(), thalweg_core::cost::Cost::PLAIN);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let dear = GoalSet::new().with_goal(Goal::cell(Cell::new(3, 3)).with_bias(2_000_000_000));
    compare(&movement, &dear, None, &mut scratch, "a dear goal");
    compare(&movement, &dear, Some(5), &mut scratch, "a goal beyond the limit");
}

#[test]
fn auto_picks_by_map_and_processor() {
    let movement = |side: u32, cost: &dyn Fn(u32, u32) -> u8| {
        let bytes = (0..side * side).map(|id| cost(id % side, id / side));
        let costs = CostField::from_bytes(Grid::new(side, side).unwrap(), bytes.collect()).unwrap();
        Movement::compile(&costs, &MovementProfile::new())
    };
    let wide = Vectors::Avx2.is_available() || cfg!(all(feature = "vectors", target_arch = "aarch64"));
    let tiles_or = |other| if wide { Engine::Tiles } else { other };
    let open = |_, _| 1;
    assert_eq!(Engine::Auto.resolve(&movement(15, &open)), Engine::Layers);
    assert_eq!(
        Engine::Auto.resolve(&movement(16, &open)),
        tiles_or(Engine::Layers)
    );
    let terrain = |x, y| if (x + y) % 2 == 0 { 1 } else { 7 };
    assert_eq!(Engine::Auto.resolve(&movement(15, &terrain)), Engine::Buckets);
    assert_eq!(
        Engine::Auto.resolve(&movement(64, &terrain)),
        tiles_or(Engine::Buckets)
    );
    // Corridors one cell wide, one above the other, joined at their ends by turns.
    let corridors = |x: u32, y: u32| {
        let gap = if y % 4 == 1 { 0 } else { 63 };
        if y.is_multiple_of(2) || x == gap { 1 } else { 255 }
    };
    assert_eq!(Engine::Auto.resolve(&movement(64, &corridors)), Engine::Corridors);
}

#[test]
fn a_map_too_large_for_the_caches_is_the_same_with_any_engine() {
    let (width, height) = (1_600u32, 1_400u32);
    let mut state = 7u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    // Walls with doors every 40 cells, and rough ground.
    let bytes = (0..width * height).map(|id| {
        let (x, y) = (id % width, id / width);
        let is_wall = (x % 40 == 0 || y % 40 == 0) && random() % 20 != 0;
        if is_wall { 255 } else { (1 + random() % 6) as u8 }
    });
    let costs = CostField::from_bytes(Grid::new(width, height).unwrap(), bytes.collect()).unwrap();
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let goal = |x, y| {
        let near = (0..).map(|step| Cell::new(x + step, y));
        near.into_iter()
            .find(|&cell| movement.is_passable(costs.grid().id(cell).unwrap()))
            .unwrap()
    };
    let mut scratch = IntegrateScratch::new();
    for goals in [
        GoalSet::from_cells([goal(700, 613)]),
        GoalSet::new()
            .with_goal(Goal::cell(goal(11, 17)))
            .with_goal(Goal::cell(goal(1_501, 1_377)).with_bias(900))
            .with_goal(Goal::cell(goal(801, 301))),
    ] {
        let goals = goals.resolve(&movement).unwrap();
        let mut fields = [Engine::Buckets, Engine::Tiles].map(|engine| {
            let mut field = IntegrationField::new(costs.grid().clone());
            let options = IntegrateOptions::new().with_engine(engine);
            integrate(&movement, &goals, &options, &mut scratch, &mut field).unwrap();
            field
        });
        assert!(fields[0] == fields[1]);
        let workers = TestThreads(2);
        let options = IntegrateOptions::new().with_engine(Engine::Tiles);
        integrate_on(
            &movement,
            &goals,
            &options,
            &workers,
            &mut scratch,
            &mut fields[1],
        )
        .unwrap();
        assert!(fields[0] == fields[1]);
        // Only as far as a cell half way, by every thread count.
        let asked = [costs.grid().id(goal(1_101, 707)).unwrap()];
        for workers in [&Serial as &dyn Workers, &workers] {
            let run = RunOptions::new()
                .with_workers(workers)
                .with_asked(Asked::Cells(&asked));
            let mut part = fields.clone();
            for (engine, field) in [Engine::Buckets, Engine::Tiles].into_iter().zip(&mut part) {
                let options = IntegrateOptions::new().with_engine(engine);
                integrate_with(&movement, &goals, &options, &run, &mut scratch, field).unwrap();
            }
            assert!(part[0] == part[1] && part[0] != fields[0]);
        }
    }
}
