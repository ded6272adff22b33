//! Builds in steps end in the bits of builds in one go, whatever the budgets, and no call does much more than its budget.

use std::sync::Arc;
use thalweg_core::check::check_field;
use thalweg_core::cost::CostField;
use thalweg_core::flow::{
    ExtractError, ExtractOptions, FlowField, FlowScratch, SteppedExtraction, extract_with,
};
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::integrate::{
    BlockedGoals, Engine, Goal, GoalSet, IntegrateError, IntegrateOptions, IntegrateScratch,
    IntegrationField, ResolvedGoals, SteppedIntegration, Vectors, integrate,
};
use thalweg_core::movement::{EdgeInputs, EdgeRules, Movement, MovementProfile, StepScale};
use thalweg_core::workers::Serial;
use thalweg_testkit::cases::say;
use thalweg_testkit::corpus::{corpus, scene, serpentine};
use thalweg_testkit::random_map::{SplitMix64, large_map, small_map};
use thalweg_testkit::solve::profiles;
use thalweg_testkit::world::{Product, World};

/// How much a call may do.
#[derive(Clone, Debug)]
enum Budget {
    Same(u64),
    Random(SplitMix64),
}

impl Budget {
    fn next(&mut self) -> u64 {
        match self {
            Self::Same(budget) => *budget,
            // Small ones and large ones.
            Self::Random(random) => {
                let bits = random.below(16);
                u64::from(random.below(1 << bits))
            }
        }
    }

    fn all(seed: u64) -> [Self; 5] {
        [
            Self::Same(1),
            Self::Same(7),
            Self::Same(1_000),
            Self::Same(u64::MAX),
            Self::Random(SplitMix64::new(seed)),
        ]
    }
}

/// Integrates in steps; checks what each call tells.
fn integrate_in_steps(
    movement: &Arc<Movement>,
    goals: &ResolvedGoals,
    options: IntegrateOptions,
    mut budget: Budget,
) -> Result<(IntegrationField, thalweg_core::integrate::IntegrateStats), IntegrateError> {
    let mut steps = SteppedIntegration::begin(Arc::clone(movement), goals.clone(), options)?;
    let most = SteppedIntegration::most_work(movement, goals, &options);
    let mut before = steps.progress();
    assert_eq!(before.done, 0);
    while !before.is_finished {
        let budget = budget.next();
        let progress = match steps.advance(budget) {
            Ok(progress) => progress,
            Err(error) => {
                assert_eq!(
                    steps.advance(budget),
                    Err(error.clone()),
                    "once failed, it stays so"
                );
                assert_eq!(steps.finish().err(), Some(error.clone()));
                return Err(error);
            }
        };
        let worked = progress.done - before.done;
        assert!(
            worked < budget.saturating_add(SteppedIntegration::LARGEST_STEP) || budget == 0 && worked == 0,
            "{worked} units for a budget of {budget}"
        );
        assert!(worked >= budget || progress.is_finished, "a budget is used up");
        assert!(progress.done <= progress.of, "{progress:?}");
        assert!(progress.done <= most, "{progress:?}, at most {most}");
        before = progress;
    }
    assert_eq!(before.done, before.of);
    assert_eq!(steps.advance(u64::MAX), Ok(before), "nothing is left to do");
    steps.finish()
}

/// Chooses directions in steps; checks what each call tells.
fn extract_in_steps(
    movement: &Arc<Movement>,
    field: &Arc<IntegrationField>,
    options: ExtractOptions,
    mut budget: Budget,
) -> FlowField {
    let mut steps = SteppedExtraction::begin(Arc::clone(movement), Arc::clone(field), options).unwrap();
    let largest = steps.largest_step();
    let mut before = steps.progress();
    while !before.is_finished {
        let budget = budget.next();
        let progress = steps.advance(budget);
        let worked = progress.done - before.done;
        assert!(
            worked < budget.saturating_add(largest) || budget == 0 && worked == 0,
            "{worked} units for a budget of {budget}, {largest} beyond it allowed"
        );
        assert!(worked >= budget || progress.is_finished, "a budget is used up");
        assert!(progress.done <= progress.of, "{progress:?}");
        before = progress;
    }
    assert_eq!(before.done, before.of);
    steps.finish()
}

/// Holds builds in steps, by every budget, against one in one go. Returns whether it could be built.
fn check(
    name: &str,
    movement: &Arc<Movement>,
    goals: &ResolvedGoals,
    options: IntegrateOptions,
    seed: u64,
) -> bool {
    let mut scratch = IntegrateScratch::new();
    let mut field = IntegrationField::new(movement.grid().clone());
    let heap = options.with_engine(Engine::Heap);
    let expected = integrate(movement, goals, &heap, &mut scratch, &mut field);
    for engine in [Engine::Auto, Engine::Buckets, Engine::Tiles] {
        let options = options.with_engine(engine);
        let mut counts = None;
        for budget in Budget::all(seed) {
            let built = integrate_in_steps(movement, goals, options, budget.clone());
            let (in_steps, stats) = match (built, &expected) {
                (Ok(built), Ok(_)) => built,
                (built, expected) => {
                    let failed = built.err();
                    assert_eq!(failed.as_ref(), expected.as_ref().err(), "{name} {budget:?}");
                    continue;
                }
            };
            assert!(in_steps == field, "{name} {budget:?}: another field");
            assert!(in_steps.sinks() == field.sinks(), "{name} {budget:?}");
            for id in field.grid().ids() {
                assert_eq!(
                    in_steps.goal(id),
                    field.goal(id),
                    "{name} {budget:?}: the goal of {id:?}"
                );
            }
            assert_eq!(
                *counts.get_or_insert(stats),
                stats,
                "{name}: counts do not depend on budgets"
            );
        }
    }
    let Ok(_) = expected else { return false };
    let field = Arc::new(field);
    for vectors in [Vectors::Best, Vectors::Plain] {
        let options = ExtractOptions::new().with_vectors(vectors);
        let mut flow = FlowField::new(field.grid().clone());
        extract_with(
            movement,
            &field,
            &options,
            &Serial,
            &mut FlowScratch::new(),
            &mut flow,
        )
        .unwrap();
        for budget in Budget::all(seed) {
            let in_steps = extract_in_steps(movement, &field, options, budget.clone());
            assert!(in_steps == flow, "{name} {budget:?} {vectors}: other directions");
        }
        check_field(movement, &field, &flow).unwrap();
    }
    true
}

#[test]
fn the_corpus_under_all_profiles() {
    for (place, scene) in corpus().into_iter().enumerate() {
        for profile in profiles(StepScale::TEN_FOURTEEN) {
            let movement = Arc::new(Movement::compile(&scene.costs, &profile));
            let goals = GoalSet::from_cells(scene.goals.iter().copied());
            let Ok(goals) = goals.with_blocked_goals(BlockedGoals::Skip).resolve(&movement) else {
                continue;
            };
            let name = format!("{} {profile:?}", scene.name);
            for limit in [None, Some(60)] {
                let mut options = IntegrateOptions::new();
                options.cost_limit = limit;
                check(&name, &movement, &goals, options, place as u64);
            }
        }
    }
}

#[test]
fn random_maps() {
    for seed in 0..400 {
        let map = if seed % 40 == 0 {
            large_map(seed)
        } else {
            small_map(seed)
        };
        let profiles = profiles(StepScale::TEN_FOURTEEN);
        let profile = &profiles[usize::try_from(seed).unwrap() % profiles.len()];
        let movement = Arc::new(Movement::compile(&map.costs, profile));
        let goals = map.goals.iter().cloned().fold(GoalSet::new(), GoalSet::with_goal);
        let Ok(goals) = goals.with_blocked_goals(BlockedGoals::Skip).resolve(&movement) else {
            continue;
        };
        let name = format!("map {seed} {profile:?}");
        check(&name, &movement, &goals, IntegrateOptions::new(), seed);
    }
}

/// Floors, borders, portals, slopes, bodies, unknown ground, labels, starting costs and limits. The long run, 100,000 worlds:
/// `THALWEG_LONG=1 cargo test --release -p thalweg-core --test stepped`.
#[test]
fn random_worlds() {
    let worlds = if std::env::var_os("THALWEG_LONG").is_some() {
        100_000
    } else {
        1_500
    };
    let (mut built, mut failed) = (0, 0);
    for seed in 0..worlds {
        let mut random = SplitMix64::new(91_000_000 + seed);
        let world = World::draw(&mut random, 12);
        let product = Product::new(&world);
        let costs = product.costs();
        let movement = Arc::new(product.movement(&costs));
        let Ok(goals) = product_goals(&world, &movement) else {
            continue;
        };
        let mut options = IntegrateOptions::new();
        options.cost_limit = world.limit;
        if check(&format!("world {seed}"), &movement, &goals, options, seed) {
            built += 1;
        } else {
            failed += 1;
        }
    }
    say(&format!("{built} worlds built, {failed} refused alike"));
    assert!(
        built > worlds / 2 && failed > 0,
        "{built} built, {failed} refused"
    );
}

fn product_goals(
    world: &World,
    movement: &Movement,
) -> Result<ResolvedGoals, thalweg_core::integrate::GoalError> {
    world.goal_set().resolve(movement)
}

/// The counts are those of the engine that shares the work, for one goal.
#[test]
fn counts_are_those_of_the_engine() {
    let scenes = ["open-32", "rooms", "terrain"];
    let engines = [Engine::Buckets, Engine::Tiles];
    for (name, engine) in scenes
        .into_iter()
        .flat_map(|name| engines.map(|engine| (name, engine)))
    {
        let scene = scene(name);
        let movement = Arc::new(Movement::compile(&scene.costs, &MovementProfile::new()));
        let goals = GoalSet::from_cells(scene.goals[..1].iter().copied())
            .resolve(&movement)
            .unwrap();
        let options = IntegrateOptions::new().with_engine(engine);
        let mut field = IntegrationField::new(movement.grid().clone());
        let stats = integrate(
            &movement,
            &goals,
            &options,
            &mut IntegrateScratch::new(),
            &mut field,
        )
        .unwrap();
        let (_, in_steps) = integrate_in_steps(&movement, &goals, options, Budget::Same(100)).unwrap();
        assert_eq!(in_steps, stats, "{name} {engine}");
    }
}

/// After equal sums of budgets the same has been done, as long as each call used its own up exactly.
#[test]
fn the_same_budgets_lead_to_the_same_state() {
    let scene = scene("terrain");
    let movement = Arc::new(Movement::compile(&scene.costs, &MovementProfile::new()));
    let goals = GoalSet::from_cells(scene.goals).resolve(&movement).unwrap();
    let begin =
        || SteppedIntegration::begin(Arc::clone(&movement), goals.clone(), IntegrateOptions::new()).unwrap();
    let (mut one, mut other) = (begin(), begin());
    for call in 0..50 {
        assert_eq!(one.advance(call * 13), other.advance(call * 13));
    }
    assert_eq!(one.finish().unwrap(), other.finish().unwrap());
}

/// A cost that does not fit is told by the same error, at the same cell.
#[test]
fn an_overflow_is_the_same_error() {
    let dear = serpentine("dear", 601, 601, 254);
    let profile = MovementProfile::new().with_scale(StepScale::new(65_535, 65_535).unwrap());
    let movement = Arc::new(Movement::compile(&dear.costs, &profile));
    let goals = GoalSet::from_cells(dear.goals).resolve(&movement).unwrap();
    let mut field = IntegrationField::new(movement.grid().clone());
    let options = IntegrateOptions::new();
    let expected = integrate(
        &movement,
        &goals,
        &options,
        &mut IntegrateScratch::new(),
        &mut field,
    );
    assert!(matches!(expected, Err(IntegrateError::CostOverflow { .. })));
    let in_steps = integrate_in_steps(&movement, &goals, options, Budget::Same(999));
    assert_eq!(in_steps.err(), expected.err());
}

/// Tiles give up on costs that they do not hold, half-way; buckets take over.
#[test]
fn tiles_that_give_up_are_followed_by_buckets() {
    let grid = Grid::new(200, 90).unwrap();
    let costs = CostField::from_bytes(grid.clone(), vec![200; grid.len()]).unwrap();
    let profile = MovementProfile::new().with_scale(StepScale::new(60_000, 84_000).unwrap());
    let movement = Arc::new(Movement::compile(&costs, &profile));
    let goals = GoalSet::from_cells([Cell::new(0, 0), Cell::new(30, 80)])
        .resolve(&movement)
        .unwrap();
    let options = IntegrateOptions::new().with_engine(Engine::Tiles);
    let (_, stats) = integrate_in_steps(&movement, &goals, options, Budget::Same(5_000)).unwrap();
    assert_eq!((stats.engine, stats.tiles), (Engine::Buckets, 0));
    assert!(check("dear", &movement, &goals, options, 5));
    let profile = MovementProfile::new();
    let movement = Arc::new(Movement::compile(&costs, &profile));
    let (_, stats) = integrate_in_steps(&movement, &goals, options, Budget::Same(5_000)).unwrap();
    assert_eq!(stats.engine, Engine::Tiles);
}

/// A wave over many cells, with more in one bucket than a call may do, and many goal cells that enter at once.
#[test]
fn large_maps_stay_within_their_budgets() {
    let grid = Grid::new(300, 300).unwrap();
    let costs = CostField::from_bytes(grid.clone(), vec![1; grid.len()]).unwrap();
    let movement = Arc::new(Movement::compile(&costs, &MovementProfile::new()));
    let rows = (0..300).flat_map(|x| (0..300).step_by(7).map(move |y| Cell::new(x, y)));
    let goals = GoalSet::new()
        .with_goal(Goal::area(rows))
        .with_goal(Goal::cell(Cell::new(3, 3)))
        .resolve(&movement)
        .unwrap();
    check("rows of goals", &movement, &goals, IntegrateOptions::new(), 3);
    let expected = SteppedIntegration::expected_work(&movement, &goals, &IntegrateOptions::new());
    let steps = SteppedIntegration::begin(Arc::clone(&movement), goals.clone(), IntegrateOptions::new());
    let done = steps.unwrap().advance(u64::MAX).unwrap().done;
    assert!(
        done * 2 > expected && done < 2 * expected,
        "{done} of about {expected}"
    );
    assert!(done < SteppedIntegration::most_work(&movement, &goals, &IntegrateOptions::new()));
}

/// Many portals into cells of a map wide enough that bands of directions are longer than usual.
#[test]
fn wide_maps_with_and_without_portals() {
    let grid = Grid::new(4_000, 12).unwrap();
    let mut random = SplitMix64::new(5);
    let bytes = (0..grid.len())
        .map(|_| random.pick(&[1, 1, 1, 2, 9, 255, 0]))
        .collect();
    let costs = CostField::from_bytes(grid.clone(), bytes).unwrap();
    let mut rules = EdgeRules::new(grid.clone());
    for _ in 0..2_000 {
        let mut cell = || Cell::new(random.below(4_000).cast_signed(), random.below(12).cast_signed());
        let (from, to) = (cell(), cell());
        if from != to {
            let cost = random.pick(&[0, 1, 30, 20_000]);
            rules.add_portal(from, to, cost).unwrap();
        }
    }
    let edges = EdgeInputs {
        rules: Some(&rules),
        charges: None,
    };
    let profile = MovementProfile::new();
    let plain = Movement::compile(&costs, &profile);
    let directed = Movement::compile_edges(&costs, &edges, &profile).unwrap();
    for (name, movement) in [("plain", plain), ("directed", directed)] {
        let movement = Arc::new(movement);
        let cells = [Cell::new(7, 3), Cell::new(3_900, 11), Cell::new(2_000, 0)];
        let goals = GoalSet::from_cells(cells).with_blocked_goals(BlockedGoals::NearestPassable);
        let goals = goals.resolve(&movement).unwrap();
        check(name, &movement, &goals, IntegrateOptions::new(), 11);
    }
}

#[test]
fn what_is_refused_before_the_beginning() {
    let scene = scene("open-32");
    let movement = Arc::new(Movement::compile(&scene.costs, &MovementProfile::new()));
    let goals = GoalSet::from_cells(scene.goals.clone())
        .resolve(&movement)
        .unwrap();
    let begin = |movement: &Arc<Movement>, options| {
        SteppedIntegration::begin(Arc::clone(movement), goals.clone(), options).map(|_| ())
    };
    let tight = IntegrateOptions::new().with_memory_limit(1_000);
    assert!(matches!(
        begin(&movement, tight),
        Err(IntegrateError::MemoryLimit {
            engine: Engine::Buckets,
            ..
        })
    ));
    let small = CostField::from_bytes(Grid::new(2, 2).unwrap(), vec![1; 4]).unwrap();
    let small = Arc::new(Movement::compile(&small, &MovementProfile::new()));
    assert!(matches!(
        begin(&small, IntegrateOptions::new()),
        Err(IntegrateError::ForeignGoals { cells: 4, .. })
    ));
    let field = Arc::new(IntegrationField::new(movement.grid().clone()));
    let foreign = SteppedExtraction::begin(small, field, ExtractOptions::new());
    assert!(matches!(foreign, Err(ExtractError::ForeignField { .. })));
}
