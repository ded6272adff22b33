//! Long integrations are watched and can be ended by who watches, whatever the engine; nothing of an ended one is left.

use core::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use thalweg_core::cost::CostField;
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::integrate::{
    Engine, GoalSet, IntegrateError, IntegrateOptions, IntegrateScratch, IntegrationField, Reach,
    ResolvedGoals, RunOptions, Watch, integrate, integrate_with,
};
use thalweg_core::movement::{EdgeRules, Movement, MovementProfile};
use thalweg_core::workers::{Serial, Workers};
use thalweg_testkit::threads::TestThreads;

/// Counts what it is told, and says stop after so many times.
struct Counting {
    told: AtomicU64,
    farthest: AtomicU64,
    stop_after: u64,
}

impl Counting {
    fn new(stop_after: u64) -> Self {
        Self {
            told: AtomicU64::new(0),
            farthest: AtomicU64::new(0),
            stop_after,
        }
    }
}

impl Watch for Counting {
    fn progress(&self, done: u64, of: u64) -> ControlFlow<()> {
        assert!(done <= of, "{done} of {of}");
        self.farthest.fetch_max(done, Ordering::Relaxed);
        if self.told.fetch_add(1, Ordering::Relaxed) + 1 >= self.stop_after {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Open ground: of one layer, and of two that a portal joins, which engines take edge by edge.
fn maps() -> [(Movement, ResolvedGoals); 2] {
    let floor = Grid::new(600, 500).unwrap();
    let single = CostField::filled(floor.clone(), thalweg_core::cost::Cost::PLAIN);
    let single = Movement::compile(&single, &MovementProfile::new());
    let grid = Grid::stacked([&floor, &floor]).unwrap();
    let double = CostField::filled(grid.clone(), thalweg_core::cost::Cost::PLAIN);
    let mut rules = EdgeRules::new(grid);
    rules
        .add_portal(Cell::on(1, 5, 5), Cell::new(590, 490), 3)
        .unwrap();
    let double = Movement::compile_with(&double, &rules, &MovementProfile::new()).unwrap();
    [single, double].map(|movement| {
        let goals = GoalSet::from_cells([Cell::new(300, 250)])
            .resolve(&movement)
            .unwrap();
        (movement, goals)
    })
}

/// Calls `check` with the whole field, for every engine with 1, 2 and 8 threads.
fn for_every_engine(
    mut check: impl FnMut(&Movement, &ResolvedGoals, &IntegrationField, &IntegrateOptions, &dyn Workers),
) {
    for (movement, goals) in maps() {
        let mut whole = IntegrationField::new(movement.grid().clone());
        let heap = IntegrateOptions::new().with_engine(Engine::Heap);
        integrate(&movement, &goals, &heap, &mut IntegrateScratch::new(), &mut whole).unwrap();
        for engine in Engine::ALL {
            if engine.supports(&movement) {
                let options = IntegrateOptions::new().with_engine(engine);
                check(&movement, &goals, &whole, &options, &Serial);
                check(&movement, &goals, &whole, &options, &TestThreads(2));
                check(&movement, &goals, &whole, &options, &TestThreads(8));
            }
        }
    }
}

#[test]
fn who_watches_is_told_how_far_it_is_and_changes_nothing() {
    let mut scratch = IntegrateScratch::new();
    for_every_engine(|movement, goals, whole, options, workers| {
        let mut watched = IntegrationField::new(movement.grid().clone());
        let watch = Counting::new(u64::MAX);
        let run = RunOptions::new().with_workers(workers).with_watch(&watch);
        integrate_with(movement, goals, options, &run, &mut scratch, &mut watched).unwrap();
        assert!(*whole == watched, "{options:?}");
        let (told, farthest) = (watch.told.into_inner(), watch.farthest.into_inner());
        let cells = movement.grid().len() as u64;
        assert!(told >= cells >> 17, "{options:?}: told {told} times");
        assert!(2 * farthest > cells, "{options:?}: {farthest} of {cells}");
    });
}

#[test]
fn an_integration_that_is_ended_leaves_nothing_and_can_be_followed_by_another() {
    let mut scratch = IntegrateScratch::new();
    for_every_engine(|movement, goals, whole, options, workers| {
        let mut field = IntegrationField::new(movement.grid().clone());
        for stop_after in [1, 3] {
            let watch = Counting::new(stop_after);
            let run = RunOptions::new().with_workers(workers).with_watch(&watch);
            let ended = integrate_with(movement, goals, options, &run, &mut scratch, &mut field);
            assert_eq!(ended, Err(IntegrateError::Cancelled), "{options:?}");
            assert!(
                field.reaches().all(|reach| reach == Reach::Unknown),
                "{options:?}"
            );
            assert!(field.sinks().is_empty(), "{options:?}");
            let run = RunOptions::new().with_workers(workers);
            integrate_with(movement, goals, options, &run, &mut scratch, &mut field).unwrap();
            assert!(field == *whole, "{options:?} after one that was ended");
        }
    });
}
