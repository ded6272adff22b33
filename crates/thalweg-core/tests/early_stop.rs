//! Fields of which only some cells are asked for: exactly the cells up to the dearest asked one are answered, with the answers
//! of the whole field, by every engine, with any vectors and any number of threads.
//!
//! More maps: `THALWEG_LONG=1 cargo test --release -p thalweg-core --test early_stop`.

use core::ops::Range;
use thalweg_core::check::check_field;
use thalweg_core::cost::CostField;
use thalweg_core::flow::{FlowField, FlowScratch, extract};
use thalweg_core::grid::{Cell, CellId, Grid};
use thalweg_core::integrate::{
    Asked, BlockedGoals, Engine, GoalSet, IntegrateError, IntegrateOptions, IntegrateScratch,
    IntegrationField, Reach, ResolvedGoals, RouteStatus, RunOptions, Vectors, integrate, integrate_with,
    route_status,
};
use thalweg_core::movement::{EdgeRules, Movement, MovementProfile, StepScale};
use thalweg_core::workers::{Serial, Workers};
use thalweg_testkit::cases::say;
use thalweg_testkit::corpus::corpus;
use thalweg_testkit::random_map::{SplitMix64, large_map};
use thalweg_testkit::solve::{profiles, scale};
use thalweg_testkit::threads::TestThreads;

/// What a field must say, from the whole field and the words of `RunOptions::asked`.
fn expected(movement: &Movement, whole: &IntegrationField, asked: &[CellId]) -> Vec<Reach> {
    let asked = asked.iter().filter(|&&id| movement.is_passable(id));
    let costs: Vec<_> = asked.map(|&id| whole.cost(id)).collect();
    if costs.iter().any(Option::is_none) {
        return whole.reaches().collect();
    }
    let largest = costs.into_iter().flatten().max();
    let answer = |id: CellId| match whole.reach(id) {
        Reach::Reached(cost) if largest.is_some_and(|largest| cost <= largest) => Reach::Reached(cost),
        _ if movement.is_passable(id) => Reach::Unknown,
        other => other,
    };
    whole.grid().ids().map(answer).collect()
}

/// Buffers, and how much was compared.
#[derive(Default)]
struct Subject {
    scratch: IntegrateScratch,
    flow: FlowScratch,
    compared: usize,
    partial: usize,
    saved: usize,
}

impl Subject {
    fn compare(
        &mut self,
        movement: &Movement,
        goals: &ResolvedGoals,
        limit: Option<u32>,
        asked: Asked<'_>,
        ids: &[CellId],
        context: &str,
    ) {
        let grid = movement.grid().clone();
        let mut whole = IntegrationField::new(grid.clone());
        let mut base = IntegrateOptions::new();
        base.cost_limit = limit;
        let heap = base.with_engine(Engine::Heap);
        let of_whole = integrate(movement, goals, &heap, &mut self.scratch, &mut whole).unwrap();
        let wanted = expected(movement, &whole, ids);
        let mut whole_flow = FlowField::new(grid.clone());
        extract(movement, &whole, &Serial, &mut self.flow, &mut whole_flow);
        let mut first: Option<IntegrationField> = None;
        let threads: [&dyn Workers; 3] = [&Serial, &TestThreads(2), &TestThreads(8)];
        for engine in Engine::ALL {
            if !engine.supports(movement) {
                continue;
            }
            for workers in threads
                .into_iter()
                .take(if engine == Engine::Tiles { 3 } else { 1 })
            {
                let run = RunOptions::new().with_workers(workers).with_asked(asked);
                let options = base.with_engine(engine);
                let mut field = IntegrationField::new(grid.clone());
                let stats =
                    integrate_with(movement, goals, &options, &run, &mut self.scratch, &mut field).unwrap();
                let context = || format!("{context}, {engine}, {} threads", workers.threads());
                for (id, &wanted) in grid.ids().zip(&wanted) {
                    assert_eq!(field.reach(id), wanted, "{}, cell {}", context(), grid.cell(id));
                    let goal = whole.goal(id).filter(|_| wanted.cost().is_some());
                    assert_eq!(field.goal(id), goal, "{}, cell {}", context(), grid.cell(id));
                }
                if engine == Engine::Heap {
                    assert!(stats.expanded <= of_whole.expanded, "{}", context());
                    self.saved += usize::from(2 * stats.expanded < of_whole.expanded);
                }
                match &first {
                    Some(first) => assert!(*first == field, "{}: other bits", context()),
                    None => first = Some(field),
                }
                self.compared += 1;
            }
        }
        let field = first.unwrap();
        self.partial += usize::from(field != whole);
        // Directions exist for the answered cells alone, and are those of the whole field.
        let mut flow = FlowField::new(grid.clone());
        extract(movement, &field, &Serial, &mut self.flow, &mut flow);
        check_field(movement, &field, &flow).unwrap_or_else(|violation| panic!("{violation}: {context}"));
        for id in grid.ids().filter(|&id| field.cost(id).is_some()) {
            let portals = |flow: &FlowField| flow.portal_successors(id).collect::<Vec<_>>();
            assert_eq!(
                (flow.successors(id), portals(&flow)),
                (whole_flow.successors(id), portals(&whole_flow)),
                "{context}, cell {}",
                grid.cell(id)
            );
        }
    }
}

/// A few random cells, near each other or anywhere; sometimes none.
fn draw_cells(random: &mut SplitMix64, grid: &Grid) -> Vec<CellId> {
    let len = u32::try_from(grid.len()).unwrap();
    let first = random.below(len);
    let spread = random.pick(&[1, 40, len]);
    let count = random.pick(&[0, 1, 1, 2, 5, 30]);
    (0..count)
        .map(|_| CellId((first + random.below(spread)) % len))
        .collect()
}

/// The same cells as runs, some of them empty.
fn runs_of(ids: &[CellId]) -> Vec<Range<CellId>> {
    let runs = ids.iter().map(|&id| id..CellId(id.0 + 1));
    runs.chain([CellId(3)..CellId(3), CellId(9)..CellId(2)]).collect()
}

#[test]
fn every_map_of_the_corpus_answers_up_to_the_dearest_asked_cell() {
    let mut subject = Subject::default();
    let mut random = SplitMix64::new(17);
    for scene in corpus() {
        for profile in profiles(scale(10, 14)) {
            let movement = Movement::compile(&scene.costs, &profile);
            let goals = GoalSet::from_cells(scene.goals.iter().copied())
                .resolve(&movement)
                .unwrap();
            let ids = draw_cells(&mut random, movement.grid());
            let context = format!("{} {profile:?} asked {ids:?}", scene.name);
            subject.compare(&movement, &goals, None, Asked::Cells(&ids), &ids, &context);
        }
    }
    say(&format!(
        "early stop: {} fields, {} of them partial, in {} half the work was saved",
        subject.compared, subject.partial, subject.saved
    ));
    assert!(subject.partial > 50 && subject.saved > 20);
}

#[test]
fn random_maps_with_portals_floors_limits_and_many_goals() {
    let rounds = if std::env::var_os("THALWEG_LONG").is_some() {
        50_000
    } else {
        250
    };
    let mut subject = Subject::default();
    for seed in 0..rounds {
        let mut random = SplitMix64::new(seed + 95_000_000);
        let lower = large_map(seed + 96_000_000);
        let scale = random.pick(&[scale(10, 14), scale(1, 1), scale(29, 41), StepScale::FINE]);
        let profile = random.pick(&profiles(scale));
        let mut parts = vec![lower.costs.clone()];
        if random.percent(33) {
            parts.push(large_map(seed + 97_000_000).costs);
        }
        let grid = Grid::stacked(parts.iter().map(CostField::grid)).unwrap();
        let bytes = parts.iter().flat_map(|part| part.bytes().to_vec()).collect();
        let costs = CostField::from_bytes(grid.clone(), bytes).unwrap();
        let mut rules = EdgeRules::new(grid.clone());
        let any =
            |random: &mut SplitMix64| grid.cell(CellId(random.below(u32::try_from(grid.len()).unwrap())));
        for _ in 0..random.pick(&[0, 0, 1, 5]) {
            let (from, to) = (any(&mut random), any(&mut random));
            if from != to {
                rules
                    .add_portal(from, to, random.pick(&[0, 5, 70, 4_000, 70_000_000]))
                    .unwrap();
            }
        }
        let movement = Movement::compile_with(&costs, &rules, &profile).unwrap();
        let goals = lower
            .goals
            .iter()
            .cloned()
            .fold(GoalSet::new(), GoalSet::with_goal)
            .with_blocked_goals(BlockedGoals::Skip);
        let Ok(goals) = goals.resolve(&movement) else {
            continue;
        };
        let limit = random
            .percent(25)
            .then(|| random.pick(&[0, 100, 5_000, 2_000_000]));
        let ids = draw_cells(&mut random, &grid);
        let context = format!("seed {seed} {profile:?} limit {limit:?} asked {ids:?}");
        let runs = runs_of(&ids);
        let asked = if random.percent(50) {
            Asked::Cells(&ids)
        } else {
            Asked::Runs(&runs)
        };
        subject.compare(&movement, &goals, limit, asked, &ids, &context);
    }
    assert!(
        subject.partial as u64 * 4 > rounds,
        "{} of {rounds}",
        subject.partial
    );
}

fn open_ground(side: u32) -> (Movement, ResolvedGoals) {
    let costs = CostField::filled(Grid::new(side, side).unwrap(), thalweg_core::cost::Cost::PLAIN);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let middle = i32::try_from(side / 2).unwrap();
    let goals = GoalSet::from_cells([Cell::new(middle, middle)])
        .resolve(&movement)
        .unwrap();
    (movement, goals)
}

#[test]
fn tiles_stop_long_before_the_map_is_full() {
    let (movement, goals) = open_ground(1024);
    let grid = movement.grid();
    let near = grid.id(Cell::new(540, 500)).unwrap();
    let mut field = IntegrationField::new(grid.clone());
    let mut scratch = IntegrateScratch::new();
    let options = IntegrateOptions::new().with_engine(Engine::Tiles);
    let workers: [&dyn Workers; 3] = [&Serial, &TestThreads(2), &TestThreads(8)];
    for workers in workers {
        let run = RunOptions::new().with_workers(workers);
        let of_all = integrate_with(&movement, &goals, &options, &run, &mut scratch, &mut field).unwrap();
        let run = run.with_asked(Asked::Cells(core::slice::from_ref(&near)));
        let stats = integrate_with(&movement, &goals, &options, &run, &mut scratch, &mut field).unwrap();
        // With several threads on a busy machine it hangs on who gets to run: while one that holds the cheapest tile
        // waits for its turn, the others work on. 952 of 1,585 visits have been seen.
        assert!(
            workers.threads() > 1 || 10 * stats.tiles < of_all.tiles,
            "{} of {} visits",
            stats.tiles,
            of_all.tiles
        );
        assert_eq!(field.reach(near), Reach::Reached(field.max_cost().unwrap()));
    }
}

#[test]
fn what_nobody_asked_for_is_told_apart_from_what_cannot_be_reached() {
    // A room in the corner without a door.
    let grid = Grid::new(50, 40).unwrap();
    let mut bytes = vec![1; grid.len()];
    for step in 0..6 {
        bytes[5 * 50 + step] = 255;
        bytes[step * 50 + 5] = 255;
    }
    let costs = CostField::from_bytes(grid, bytes).unwrap();
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let goals = GoalSet::from_cells([Cell::new(30, 20)]);
    let goals = goals.resolve(&movement).unwrap();
    let mut whole = IntegrationField::new(movement.grid().clone());
    let mut field = whole.clone();
    let mut scratch = IntegrateScratch::new();
    let options = IntegrateOptions::new();
    integrate(&movement, &goals, &options, &mut scratch, &mut whole).unwrap();
    let shut = movement
        .grid()
        .ids()
        .find(|&id| movement.is_passable(id) && whole.reach(id) == Reach::Unreachable)
        .unwrap();
    // Asked for, it makes the run complete.
    let mut ask = |ids: &[CellId]| {
        let run = RunOptions::new().with_asked(Asked::Cells(ids));
        integrate_with(&movement, &goals, &options, &run, &mut scratch, &mut field).unwrap();
        field.clone()
    };
    assert_eq!(ask(&[shut]), whole);
    let goal = goals.seeds()[0].cell;
    let partial = ask(&[goal]);
    assert_eq!(partial.reach(shut), Reach::Unknown);
    assert_eq!(partial.cost(goal), whole.cost(goal));
    let status = |id: CellId, field: &IntegrationField| {
        route_status(&movement, Ok(&goals), Some(field), movement.grid().cell(id))
    };
    assert_eq!(status(shut, &partial), RouteStatus::CutOff);
    assert_eq!(status(shut, &whole), RouteStatus::Unreachable);
    assert_eq!(status(goal, &partial), status(goal, &whole));
    // Nothing asked, nothing answered.
    let nothing = ask(&[]);
    assert_eq!(status(goal, &nothing), RouteStatus::NotReady);
    assert!(nothing.max_cost().is_none());
}

#[test]
fn cells_that_the_map_does_not_have_are_refused() {
    let (movement, goals) = open_ground(40);
    let mut field = IntegrationField::new(movement.grid().clone());
    let mut scratch = IntegrateScratch::new();
    let runs = [CellId(1_590)..CellId(1_700)];
    for (asked, id) in [
        (Asked::Cells(&[CellId(0), CellId(1_600)]), 1_600),
        (Asked::Runs(&runs), 1_600),
    ] {
        let run = RunOptions::new().with_asked(asked);
        let options = IntegrateOptions::new();
        let error = integrate_with(&movement, &goals, &options, &run, &mut scratch, &mut field);
        assert_eq!(error, Err(IntegrateError::ForeignAsked { id, cells: 1_600 }));
    }
    assert!(Vectors::Best.is_available());
}
