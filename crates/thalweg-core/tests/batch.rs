//! A batch gives every goal set the bits it gets alone: whatever the method, the vectors, the number of workers and the
//! size of the batch, on every map of the corpus and on random ones, with limits, costs too large for lanes, and errors.
//!
//! More maps: `THALWEG_LONG=1 cargo test --release -p thalweg-core --test batch`.

use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, CellId, Grid};
use thalweg_core::integrate::{
    BatchMethod, BatchOptions, BatchScratch, BatchStats, BlockedGoals, Engine, Goal, GoalSet, IntegrateError,
    IntegrateOptions, IntegrateScratch, IntegrationField, LANES, ResolvedGoals, Vectors, integrate,
    integrate_batch,
};
use thalweg_core::movement::{Charge, Connectivity, EdgeRules, Movement, MovementProfile, StepScale};
use thalweg_core::workers::{Serial, Workers};
use thalweg_testkit::cases::say;
use thalweg_testkit::corpus::corpus;
use thalweg_testkit::random_map::{SplitMix64, large_map};
use thalweg_testkit::solve::{profiles, scale};
use thalweg_testkit::threads::TestThreads;

const METHODS: [BatchMethod; 3] = [BatchMethod::Auto, BatchMethod::OneByOne, BatchMethod::Lanes];

fn vectors() -> impl Iterator<Item = Vectors> {
    Vectors::ALL.into_iter().filter(|vectors| vectors.is_available())
}

/// Whether lanes run on this processor and in this build at all.
fn has_lanes() -> bool {
    Vectors::Avx2.is_available() || cfg!(all(feature = "vectors", target_arch = "aarch64"))
}

/// Goal sets of one cell on passable ground, at random.
fn draw_sets(random: &mut SplitMix64, movement: &Movement, count: usize) -> Vec<ResolvedGoals> {
    let grid = movement.grid();
    let passable: Vec<CellId> = grid.ids().filter(|&id| movement.is_passable(id)).collect();
    (0..count)
        .map(|_| {
            let id = passable[random.below(u32::try_from(passable.len()).unwrap()) as usize];
            GoalSet::from_cells([grid.cell(id)]).resolve(movement).unwrap()
        })
        .collect()
}

/// What an old batch may have left: the wrong number of fields, of another size, with labels.
fn used_fields() -> Vec<IntegrationField> {
    let grid = Grid::new(7, 3).unwrap();
    let movement = Movement::compile(
        &CostField::filled(grid.clone(), Cost::PLAIN),
        &MovementProfile::new(),
    );
    let goals = GoalSet::from_cells([Cell::new(0, 0), Cell::new(6, 2)])
        .resolve(&movement)
        .unwrap();
    let mut field = IntegrationField::new(grid);
    let options = IntegrateOptions::new();
    integrate(
        &movement,
        &goals,
        &options,
        &mut IntegrateScratch::new(),
        &mut field,
    )
    .unwrap();
    vec![field; 5]
}

struct Comparison {
    scratch: BatchScratch,
    fields: Vec<IntegrationField>,
    compared: usize,
    in_lanes: usize,
    gave_up: usize,
}

impl Comparison {
    fn new() -> Self {
        Self {
            scratch: BatchScratch::new(),
            fields: used_fields(),
            compared: 0,
            in_lanes: 0,
            gave_up: 0,
        }
    }

    /// Compares one batch with what the heap gives set by set.
    fn batch(
        &mut self,
        movement: &Movement,
        sets: &[ResolvedGoals],
        wanted: &[(Result<(), IntegrateError>, IntegrationField)],
        options: BatchOptions,
        workers: &dyn Workers,
        context: &str,
    ) -> Option<BatchStats> {
        let context = format!(
            "{context}, {options:?}, {} threads, {} sets",
            workers.threads(),
            sets.len()
        );
        let result = integrate_batch(
            movement,
            sets,
            &options,
            workers,
            &mut self.scratch,
            &mut self.fields,
        );
        assert_eq!(self.fields.len(), sets.len(), "{context}");
        for (set, (field, (_, wanted))) in self.fields.iter().zip(wanted).enumerate() {
            if field != wanted {
                let grid = movement.grid();
                for id in grid.ids() {
                    assert_eq!(
                        (field.reach(id), field.goal(id)),
                        (wanted.reach(id), wanted.goal(id)),
                        "{context}, set {set}, cell {}",
                        grid.cell(id)
                    );
                }
                panic!("{context}, set {set}: sinks, labels or versions differ");
            }
            self.compared += 1;
        }
        let failures: Vec<(usize, IntegrateError)> = wanted
            .iter()
            .take(sets.len())
            .enumerate()
            .filter_map(|(set, (result, _))| result.clone().err().map(|error| (set, error)))
            .collect();
        match result {
            Ok(stats) => {
                assert_eq!(failures, [], "{context}");
                assert_eq!(
                    stats.in_lanes + stats.one_by_one,
                    sets.len(),
                    "{context}: {stats:?}"
                );
                self.in_lanes += stats.in_lanes;
                self.gave_up += stats.gave_up;
                Some(stats)
            }
            Err(error) => {
                let got: Vec<_> = error
                    .failures()
                    .map(|failure| (failure.set, failure.error.clone()))
                    .collect();
                assert_eq!(got, failures, "{context}");
                assert_eq!(error.first().set, failures[0].0, "{context}");
                None
            }
        }
    }

    /// The first 1, 3, 16, 17, 40 of the sets with every method; every kind of vectors and number of threads with lanes.
    fn all(&mut self, movement: &Movement, sets: &[ResolvedGoals], limit: Option<u32>, context: &str) {
        let mut each = IntegrateOptions::new();
        each.cost_limit = limit;
        let wanted = oracle(movement, sets, each);
        let threads: [&dyn Workers; 4] = [&Serial, &TestThreads(1), &TestThreads(2), &TestThreads(8)];
        for count in [0, 1, 3, 16, 17, 40] {
            let Some(sets) = sets.get(..count) else { continue };
            for method in METHODS {
                let options = BatchOptions::from(each).with_method(method);
                self.batch(movement, sets, &wanted, options, &Serial, context);
            }
            let lanes = BatchOptions::from(each).with_method(BatchMethod::Lanes);
            for vectors in vectors() {
                let options = lanes.with_integrate(each.with_vectors(vectors));
                self.batch(movement, sets, &wanted, options, &Serial, context);
            }
            for workers in threads {
                self.batch(movement, sets, &wanted, lanes, workers, context);
            }
        }
    }
}

fn oracle(
    movement: &Movement,
    sets: &[ResolvedGoals],
    options: IntegrateOptions,
) -> Vec<(Result<(), IntegrateError>, IntegrationField)> {
    let mut scratch = IntegrateScratch::new();
    let options = options.with_engine(Engine::Heap);
    sets.iter()
        .map(|goals| {
            let mut field = IntegrationField::new(movement.grid().clone());
            let result = integrate(movement, goals, &options, &mut scratch, &mut field);
            (result.map(|_| ()), field)
        })
        .collect()
}

#[test]
fn every_map_of_the_corpus_under_every_profile() {
    let mut comparison = Comparison::new();
    let mut random = SplitMix64::new(4_004);
    for scene in corpus() {
        for profile in profiles(scale(10, 14)) {
            let movement = Movement::compile(&scene.costs, &profile);
            let own = GoalSet::from_cells(scene.goals.iter().copied());
            // The scene's own goals are the first and the last of a batch.
            let mut sets = draw_sets(&mut random, &movement, 40);
            sets[0] = own.resolve(&movement).unwrap();
            sets[39] = sets[0].clone();
            let large = movement.grid().len() > 5_000;
            if large {
                sets.truncate(17);
            }
            comparison.all(&movement, &sets, None, &format!("{} {profile:?}", scene.name));
        }
    }
    let Comparison {
        compared,
        in_lanes,
        gave_up,
        ..
    } = comparison;
    say(&format!(
        "batches: {compared} fields of the corpus compared, {in_lanes} made in lanes, {gave_up} given up"
    ));
    assert!(compared > 30_000, "{compared}");
    assert!(
        !has_lanes() || in_lanes > compared / 3,
        "{in_lanes} of {compared}"
    );
}

#[test]
fn random_maps_with_areas_biases_labels_limits_and_bodies() {
    let rounds = if std::env::var_os("THALWEG_LONG").is_some() {
        20_000
    } else {
        60
    };
    let mut comparison = Comparison::new();
    let (mut limits, mut labels) = (0, 0);
    for seed in 0..rounds {
        let mut random = SplitMix64::new(seed + 70_000_000);
        let map = large_map(seed + 71_000_000);
        let scale = random.pick(&[scale(10, 14), scale(1, 1), scale(29, 41), StepScale::FINE]);
        let mut profile = random.pick(&profiles(scale));
        if random.percent(25) {
            let body = random.pick(&["square:2", "disc:0.8", "rectangle:3x1"]);
            profile = profile.with_footprint(body.parse().unwrap());
        }
        let movement = Movement::compile(&map.costs, &profile);
        let whole = map
            .goals
            .iter()
            .cloned()
            .fold(GoalSet::new(), GoalSet::with_goal)
            .with_blocked_goals(BlockedGoals::Skip);
        let Ok(whole) = whole.resolve(&movement) else {
            continue;
        };
        let mut sets = draw_sets(&mut random, &movement, 40);
        labels += usize::from(whole.goal_count() > 1);
        for goal in &map.goals {
            let alone = GoalSet::new()
                .with_goal(goal.clone())
                .with_blocked_goals(BlockedGoals::NearestPassable);
            let place = random.below(40) as usize;
            sets[place] = alone.resolve(&movement).unwrap();
        }
        for _ in 0..5 {
            let place = random.below(40) as usize;
            sets[place] = whole.clone();
        }
        let limit = random
            .percent(30)
            .then(|| random.pick(&[0, 100, 5_000, 2_000_000]));
        limits += usize::from(limit.is_some());
        comparison.all(
            &movement,
            &sets,
            limit,
            &format!("seed {seed} {profile:?} limit {limit:?}"),
        );
    }
    assert!(limits > 5 && labels > 10, "{limits} {labels}");
    assert!(
        !has_lanes() || comparison.in_lanes > comparison.compared / 3,
        "{}",
        comparison.in_lanes
    );
}

/// Lanes hold costs below 2^15. What is dearer is integrated one by one, and what does not fit 32 bits fails where it fails
/// alone, and nowhere else.
#[test]
fn costs_beyond_what_lanes_hold_and_errors_of_single_sets() {
    let profile = MovementProfile::new().with_scale(StepScale::new(65_535, 131_070).unwrap());
    let mut comparison = Comparison::new();
    for (columns, fails) in [(20, false), (60, false), (200, false), (300, true)] {
        let grid = Grid::new(columns, 2).unwrap();
        let costs = CostField::from_bytes(grid, vec![254; columns as usize * 2]).unwrap();
        let movement = Movement::compile(&costs, &profile);
        // From the ends a cost may not fit, from the middle of 300 columns it does.
        let middle = columns.cast_signed() / 2;
        let sets: Vec<ResolvedGoals> = [middle, 0, middle + 1, columns.cast_signed() - 1, middle]
            .map(|x| GoalSet::from_cells([Cell::new(x, 0)]).resolve(&movement).unwrap())
            .into_iter()
            .cycle()
            .take(20)
            .collect();
        let wanted = oracle(&movement, &sets, IntegrateOptions::new());
        assert_eq!(
            wanted.iter().filter(|(result, _)| result.is_err()).count(),
            if fails { 8 } else { 0 }
        );
        for method in METHODS {
            for threads in [1, 2, 8] {
                let options = BatchOptions::new().with_method(method);
                let context = format!("{columns} columns");
                comparison.batch(
                    &movement,
                    &sets,
                    &wanted,
                    options,
                    &TestThreads(threads),
                    &context,
                );
            }
        }
    }
    // Around what lanes hold to the unit: columns of 500, which the starting cost moves; with and without a limit.
    let profile = MovementProfile::new().with_connectivity(Connectivity::Four);
    let mut in_lanes = Vec::new();
    for columns in 63..69 {
        for bias in [0, 265, 266, 267, 268] {
            let grid = Grid::new(columns, 1).unwrap();
            let costs = CostField::from_bytes(grid, vec![50; columns as usize]).unwrap();
            let movement = Movement::compile(&costs, &profile);
            let goals = GoalSet::new().with_goal(Goal::cell(Cell::new(0, 0)).with_bias(bias));
            let sets = vec![goals.resolve(&movement).unwrap(); 3];
            let context = format!("{columns} columns of 500 from {bias}");
            for limit in [31_000, 32_765, 32_766, 32_767, 32_768, 65_535, 65_536] {
                comparison.all(&movement, &sets, Some(limit), &context);
            }
            let wanted = oracle(&movement, &sets, IntegrateOptions::new());
            let options = BatchOptions::new().with_method(BatchMethod::Lanes);
            let stats = comparison
                .batch(&movement, &sets, &wanted, options, &Serial, &context)
                .unwrap();
            in_lanes.push(stats.in_lanes);
        }
    }
    assert!(
        !has_lanes() || (in_lanes[0] == 3 && in_lanes[29] == 0),
        "{in_lanes:?}"
    );
    assert!(!has_lanes() || comparison.gave_up > 0);
    // A starting cost beyond it, with and without a limit.
    let costs = CostField::filled(Grid::new(40, 40).unwrap(), Cost::PLAIN);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let mut sets = draw_sets(&mut SplitMix64::new(1), &movement, 17);
    let dear = Goal::cell(Cell::new(3, 3)).with_bias(2_000_000_000);
    sets[4] = GoalSet::new().with_goal(dear.clone()).resolve(&movement).unwrap();
    sets[9] = GoalSet::new()
        .with_goal(dear)
        .with_goal(Goal::cell(Cell::new(30, 3)))
        .resolve(&movement)
        .unwrap();
    for limit in [None, Some(5), Some(32_766), Some(1 << 30), Some(u32::MAX)] {
        comparison.all(&movement, &sets, limit, &format!("a dear goal, limit {limit:?}"));
    }
}

/// The error names the sets, says why, and the other fields are there.
#[test]
fn a_set_that_cannot_be_integrated_is_named_and_the_others_are_finished() {
    let grid = Grid::new(30, 20).unwrap();
    let mut costs = CostField::filled(grid.clone(), Cost::PLAIN);
    let before = Movement::compile(&costs, &MovementProfile::new());
    let mut sets = draw_sets(&mut SplitMix64::new(2), &before, 20);
    // Resolved before their cell was walled up, or on a larger map.
    let walled = Cell::new(11, 7);
    sets[3] = GoalSet::from_cells([walled]).resolve(&before).unwrap();
    let larger = CostField::filled(Grid::new(50, 50).unwrap(), Cost::PLAIN);
    let larger = Movement::compile(&larger, &MovementProfile::new());
    sets[18] = GoalSet::from_cells([Cell::new(49, 49)]).resolve(&larger).unwrap();
    costs.set(walled, Cost::IMPASSABLE).unwrap();
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let wanted = oracle(&movement, &sets, IntegrateOptions::new());
    let mut comparison = Comparison::new();
    for method in METHODS {
        for threads in [1, 2, 8] {
            let options = BatchOptions::new().with_method(method);
            let (scratch, fields) = (&mut comparison.scratch, &mut comparison.fields);
            let workers = TestThreads(threads);
            let error = integrate_batch(&movement, &sets, &options, &workers, scratch, fields).unwrap_err();
            assert_eq!(
                error.to_string(),
                "goal set 3 (and 1 more): goal cell (11,7) is impassable or unknown in this movement; resolve the goals again after an edit"
            );
            assert_eq!(error.first().error, IntegrateError::BlockedGoal { cell: walled });
            comparison.batch(&movement, &sets, &wanted, options, &workers, "two of twenty fail");
        }
    }
    assert_eq!(comparison.fields[3].max_cost(), None);
    assert!(comparison.fields[4].max_cost().is_some());
}

/// What lanes cannot do is done one by one: directed maps, floors, portals, slopes, single cells, mazes.
#[test]
fn what_lanes_cannot_do_is_done_one_by_one() {
    let mut comparison = Comparison::new();
    let grid = Grid::new(40, 40).unwrap();
    let costs = CostField::filled(grid.clone(), Cost::PLAIN);
    let mut rules = EdgeRules::new(grid);
    rules.add_portal(Cell::new(1, 1), Cell::new(38, 38), 5).unwrap();
    let movement = Movement::compile_with(&costs, &rules, &MovementProfile::new()).unwrap();
    let sets = draw_sets(&mut SplitMix64::new(3), &movement, 17);
    comparison.all(&movement, &sets, None, "a portal");
    assert_eq!(comparison.in_lanes, 0);
    // A corridor that winds row by row: every row is another sweep.
    let (width, height) = (31, 201);
    let mut costs = CostField::filled(Grid::new(width, height).unwrap(), Cost::PLAIN);
    for y in (1..height.cast_signed()).step_by(2) {
        let door = if y % 4 == 1 { 30 } else { 0 };
        for x in (0..31).filter(|&x| x != door) {
            costs.set(Cell::new(x, y), Cost::IMPASSABLE).unwrap();
        }
    }
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let sets = draw_sets(&mut SplitMix64::new(4), &movement, 40);
    comparison.all(&movement, &sets, None, "a winding corridor");
    // Walls that send the way up and down, column by column.
    let turned = Grid::new(201, 31).unwrap();
    let mut costs = CostField::filled(turned, Cost::PLAIN);
    for x in (1..201).step_by(2) {
        let door = if x % 4 == 1 { 30 } else { 0 };
        for y in (0..31).filter(|&y| y != door) {
            costs.set(Cell::new(x, y), Cost::IMPASSABLE).unwrap();
        }
    }
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let sets = draw_sets(&mut SplitMix64::new(4), &movement, 40);
    let gave_up = comparison.gave_up;
    comparison.all(&movement, &sets, None, "a corridor that winds up and down");
    assert!(!has_lanes() || comparison.gave_up > gave_up);
    for side in [1, 2] {
        let costs = CostField::filled(Grid::new(side, 1).unwrap(), Cost::PLAIN);
        let movement = Movement::compile(&costs, &MovementProfile::new());
        let sets = draw_sets(&mut SplitMix64::new(5), &movement, 40);
        comparison.all(&movement, &sets, None, "hardly any cells");
    }
}

/// Maps so wide that a segment is more than 16 columns, and every charge.
#[test]
fn wide_maps_and_every_charge() {
    let mut comparison = Comparison::new();
    let mut random = SplitMix64::new(6);
    for (width, height) in [
        (1_100, 9),
        (1_024, 5),
        (1_025, 4),
        (16, 60),
        (15, 60),
        (17, 40),
        (33, 33),
    ] {
        for charge in [Charge::Depart, Charge::Arrive, Charge::Mean] {
            let grid = Grid::new(width, height).unwrap();
            let bytes = (0..grid.len())
                .map(|_| random.pick(&[0, 1, 3, 254, 255]))
                .collect();
            let costs = CostField::from_bytes(grid, bytes).unwrap();
            let movement = Movement::compile(&costs, &MovementProfile::new().with_charge(charge));
            let sets = draw_sets(&mut random, &movement, 17);
            comparison.all(&movement, &sets, None, &format!("{width} x {height} {charge:?}"));
        }
    }
    assert!(!has_lanes() || comparison.in_lanes > 0);
}

/// The ground that is kept between batches belongs to one movement.
#[test]
fn one_scratch_for_several_maps() {
    let mut comparison = Comparison::new();
    let mut random = SplitMix64::new(7);
    assert_eq!(LANES, 32);
    for round in 0..12 {
        let map = large_map(round + 5_000);
        let charge = random.pick(&[Charge::Depart, Charge::Mean]);
        let movement = Movement::compile(&map.costs, &MovementProfile::new().with_charge(charge));
        let sets = draw_sets(&mut random, &movement, 16);
        let wanted = oracle(&movement, &sets, IntegrateOptions::new());
        let options = BatchOptions::new().with_method(BatchMethod::Lanes);
        for _ in 0..2 {
            comparison.batch(&movement, &sets, &wanted, options, &TestThreads(2), "another map");
        }
    }
}

#[test]
fn auto_picks_lanes_where_they_pay_and_nowhere_else() {
    let open = |side: u32, with: u8| {
        let cells = side as usize * side as usize;
        let bytes = (0..cells)
            .map(|index| if index % 7 == 0 { with } else { 1 })
            .collect();
        let costs = CostField::from_bytes(Grid::new(side, side).unwrap(), bytes).unwrap();
        Movement::compile(&costs, &MovementProfile::new())
    };
    let lanes_of = |movement: &Movement, sets: usize, workers: &dyn Workers, options: BatchOptions| {
        let sets = draw_sets(&mut SplitMix64::new(8), movement, sets);
        let (mut scratch, mut fields) = (BatchScratch::new(), Vec::new());
        let stats = integrate_batch(movement, &sets, &options, workers, &mut scratch, &mut fields);
        stats.unwrap().in_lanes
    };
    let auto = BatchOptions::new();
    let all = |sets: usize| if has_lanes() { sets } else { 0 };
    assert_eq!(lanes_of(&open(60, 1), 32, &Serial, auto), all(32));
    assert_eq!(lanes_of(&open(60, 1), 16, &Serial, auto), 0);
    assert_eq!(lanes_of(&open(60, 3), 16, &Serial, auto), all(16));
    assert_eq!(lanes_of(&open(60, 1), 32, &TestThreads(2), auto), 0);
    assert_eq!(lanes_of(&open(60, 1), 64, &TestThreads(2), auto), all(64));
    assert_eq!(lanes_of(&open(220, 1), 32, &Serial, auto), 0);
    assert_eq!(lanes_of(&open(220, 3), 32, &Serial, auto), all(32));
    // Who asks for an engine or a limit gets the engine, or one that stops early.
    let engine = IntegrateOptions::new().with_engine(Engine::Tiles);
    assert_eq!(lanes_of(&open(60, 1), 32, &Serial, engine.into()), 0);
    let limit = IntegrateOptions::new().with_cost_limit(300);
    assert_eq!(lanes_of(&open(60, 1), 32, &Serial, limit.into()), 0);
    let plain = IntegrateOptions::new().with_vectors(Vectors::Plain);
    assert_eq!(lanes_of(&open(60, 1), 32, &Serial, plain.into()), 0);
}
