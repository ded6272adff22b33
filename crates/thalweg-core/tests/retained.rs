//! Fields that keep directions and seams give back every cost, state and label of the dense field they were made from, and
//! hold no more bytes than they promise.

use thalweg_core::cost::{Cost, CostField, EdgeCharges, HeightMap, SlopeRule};
use thalweg_core::flow::{
    FlowField, FlowScratch, PackedFlow, RefilledTile, RetainError, RetainedField, extract,
};
use thalweg_core::grid::{Cell, CellId, DIRECTIONS, Grid};
use thalweg_core::integrate::{
    BlockedGoals, GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, Reach, integrate,
};
use thalweg_core::movement::{EdgeInputs, EdgeRules, Movement, MovementProfile, StepScale};
use thalweg_core::workers::{Serial, Workers};
use thalweg_testkit::cases::say;
use thalweg_testkit::corpus::{corpus, serpentine};
use thalweg_testkit::random_map::{SplitMix64, large_map};
use thalweg_testkit::solve::{profiles, scale};
use thalweg_testkit::threads::TestThreads;

/// A dense field with its directions; `None` where goals or costs do not fit.
fn dense(
    movement: &Movement,
    goals: &GoalSet,
    limit: Option<u32>,
    scratch: &mut IntegrateScratch,
) -> Option<(IntegrationField, FlowField)> {
    let goals = goals.resolve(movement).ok()?;
    let mut options = IntegrateOptions::new();
    options.cost_limit = limit;
    let mut field = IntegrationField::new(movement.grid().clone());
    integrate(movement, &goals, &options, scratch, &mut field).ok()?;
    let mut flow = FlowField::new(movement.grid().clone());
    extract(movement, &field, &Serial, &mut FlowScratch::new(), &mut flow);
    Some((field, flow))
}

/// What was compared.
#[derive(Default, Debug)]
struct Seen {
    fields: usize,
    cells: usize,
    unreachable: usize,
    unknown: usize,
    labelled: usize,
    through: usize,
}

/// Compares every answer with the dense field's: cell by cell, tile by tile, and restored as a whole.
fn compare(movement: &Movement, field: &IntegrationField, flow: &FlowField, seen: &mut Seen, context: &str) {
    let kept = RetainedField::new(movement, field, flow).unwrap_or_else(|error| panic!("{context}: {error}"));
    let costs = kept.costs(movement).unwrap();
    let mut cached = costs.cached();
    let mut tile = RefilledTile::new();
    let mut refilled = 0;
    for id in field.grid().ids() {
        let wanted = field.reach(id);
        let cell = field.grid().cell(id);
        assert_eq!(costs.reach(id), wanted, "{context}: cell {cell}");
        assert_eq!(cached.reach(id), wanted, "{context}: cell {cell}, cached");
        assert_eq!(
            kept.flow().guidance(id),
            flow.guidance(id),
            "{context}: cell {cell}"
        );
        assert_eq!(
            kept.flow().direction(id),
            flow.direction(id),
            "{context}: cell {cell}"
        );
        let (column, row) = field.grid().column_row_of(id);
        if column % 32 == 0 && row % 32 == 0 {
            costs.refill(id, &mut tile);
            assert_eq!(tile.ids().next(), Some(id), "{context}");
            for id in tile.ids() {
                assert_eq!(
                    tile.reach(id),
                    Some(field.reach(id)),
                    "{context}: cell {cell}, refilled"
                );
                refilled += 1;
            }
        }
        seen.unreachable += usize::from(wanted == Reach::Unreachable);
        seen.unknown += usize::from(wanted == Reach::Unknown);
        seen.through += usize::from(flow.direction(id).is_none() && flow.portal_successors(id).len() > 0);
    }
    assert_eq!(
        refilled,
        field.grid().len(),
        "{context}: tiles cover every cell once"
    );
    let mut restored = IntegrationField::new(Grid::new(1, 1).unwrap());
    let workers: &dyn Workers = if seen.fields.is_multiple_of(2) {
        &TestThreads(3)
    } else {
        &Serial
    };
    costs.restore(workers, &mut restored);
    assert!(restored == *field, "{context}: the restored field has other bits");
    let goals = 16 * field.sinks().len() + 16 * seen_portals(flow);
    let layers = 16 * field.grid().layers().len() + 1;
    assert!(
        4 * kept.bytes() <= 3 * field.grid().len() + 4 * (goals + layers),
        "{context}: {} bytes for {} cells",
        kept.bytes(),
        field.grid().len()
    );
    seen.fields += 1;
    seen.cells += field.grid().len();
    seen.labelled += usize::from(field.labels().bytes() > 0);
}

fn seen_portals(flow: &FlowField) -> usize {
    flow.grid()
        .ids()
        .filter(|&id| flow.portal_successors(id).len() > 0)
        .count()
}

#[test]
fn every_map_of_the_corpus_under_every_profile_comes_back() {
    let mut scratch = IntegrateScratch::new();
    let mut seen = Seen::default();
    let mut scenes = corpus();
    scenes.push(serpentine("long-serpentine", 97, 65, 3));
    for scene in scenes {
        for profile in profiles(scale(10, 14)) {
            let movement = Movement::compile(&scene.costs, &profile);
            let goals = GoalSet::from_cells(scene.goals.iter().copied());
            for limit in [None, Some(90)] {
                let (field, flow) = dense(&movement, &goals, limit, &mut scratch).expect("a field");
                let context = format!("{} {profile:?} limit {limit:?}", scene.name);
                compare(&movement, &field, &flow, &mut seen, &context);
            }
        }
    }
    say(&format!("retained: {seen:?} of the corpus"));
    assert!(
        seen.fields > 500 && seen.unreachable > 1000 && seen.unknown > 1000,
        "{seen:?}"
    );
}

#[test]
fn random_maps_with_bodies_portals_floors_slopes_and_limits_come_back() {
    let rounds = if std::env::var_os("THALWEG_LONG").is_some() {
        20_000
    } else {
        400
    };
    let mut scratch = IntegrateScratch::new();
    let mut seen = Seen::default();
    let (mut floors, mut charged) = (0, 0);
    for seed in 0..rounds {
        let mut random = SplitMix64::new(seed + 60_000_000);
        let lower = large_map(seed + 61_000_000);
        let steps = random.pick(&[scale(10, 14), scale(1, 1), StepScale::FINE]);
        let mut profile = random.pick(&profiles(steps));
        if random.percent(20) {
            let body = random.pick(&["square:2", "disc:0.8", "rectangle:3x1"]);
            profile = profile.with_footprint(body.parse().unwrap());
        }
        // Unknown ground lives on maps of one floor here.
        let costs = if random.percent(33) {
            floors += 1;
            let upper = large_map(seed + 62_000_000).costs;
            let grid = Grid::stacked([lower.costs.grid(), upper.grid()]).unwrap();
            let bytes = [lower.costs.bytes(), upper.bytes()].concat();
            CostField::from_bytes(grid, bytes).unwrap()
        } else {
            lower.costs.clone()
        };
        let grid = costs.grid().clone();
        let cells = u32::try_from(grid.len()).unwrap();
        let mut rules = EdgeRules::new(grid.clone());
        let any = |random: &mut SplitMix64| grid.cell(CellId(random.below(cells)));
        for _ in 0..random.below(12) {
            let (from, to) = (any(&mut random), any(&mut random));
            if from != to {
                rules
                    .add_portal(from, to, random.pick(&[0, 5, 70, 4_000]))
                    .unwrap();
            }
        }
        for _ in 0..random.below(40) {
            rules
                .close_exit(any(&mut random), random.pick(&DIRECTIONS))
                .unwrap();
        }
        let slopes = random.percent(33).then(|| {
            charged += 1;
            let heights = (0..cells).map(|_| random.below(9) as f32 / 10.0).collect();
            let heights = HeightMap::new(grid.clone(), 1.0, heights, None).unwrap();
            EdgeCharges::new(&heights, SlopeRule::default())
        });
        let edges = EdgeInputs {
            rules: random.percent(70).then_some(&rules),
            charges: slopes.as_ref(),
        };
        let movement = Movement::compile_edges(&costs, &edges, &profile).unwrap();
        let goals = lower
            .goals
            .iter()
            .cloned()
            .fold(GoalSet::new(), GoalSet::with_goal)
            .with_blocked_goals(BlockedGoals::Skip);
        let limit = random.percent(25).then(|| random.pick(&[0, 100, 5_000]));
        let Some((field, flow)) = dense(&movement, &goals, limit, &mut scratch) else {
            continue;
        };
        let context = format!("seed {seed} {profile:?} limit {limit:?}");
        compare(&movement, &field, &flow, &mut seen, &context);
    }
    say(&format!(
        "retained: {seen:?}, {floors} floors, {charged} with slopes"
    ));
    let many = |count: usize, least: usize| count * 400 >= least * usize::try_from(rounds).unwrap();
    assert!(
        many(seen.fields, 300)
            && many(seen.through, 100)
            && many(seen.unknown, 1_000)
            && many(seen.labelled, 50),
        "{seen:?}"
    );
    assert!(many(floors, 50) && many(charged, 50), "{floors} {charged}");
}

#[test]
fn a_large_map_is_kept_in_three_quarters_of_a_byte_a_cell() {
    let costs = CostField::filled(Grid::new(512, 384).unwrap(), Cost::PLAIN);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let goals = GoalSet::from_cells([Cell::new(100, 200)]);
    let (field, flow) = dense(&movement, &goals, None, &mut IntegrateScratch::new()).unwrap();
    let cells = field.grid().len() as f64;
    let kept = RetainedField::new(&movement, &field, &flow).unwrap();
    let per_cell = |bytes: usize| bytes as f64 / cells;
    say(&format!(
        "bytes a cell: dense {:.3} and {:.3}, packed directions {:.3}, retained {:.3}",
        per_cell(field.bytes()),
        per_cell(flow.bytes()),
        per_cell(kept.flow().bytes()),
        per_cell(kept.bytes())
    ));
    assert!(per_cell(kept.flow().bytes()) <= 0.5, "{}", kept.flow().bytes());
    assert!(per_cell(kept.bytes()) <= 0.75, "{}", kept.bytes());
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let costs = CostField::filled(Grid::new(40, 40).unwrap(), Cost::PLAIN);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let scratch = &mut IntegrateScratch::new();
    let goal = |x| GoalSet::from_cells([Cell::new(x, 5)]);
    let (field, flow) = dense(&movement, &goal(5), None, scratch).unwrap();
    let kept = RetainedField::new(&movement, &field, &flow).unwrap();

    let four: MovementProfile = profiles(scale(10, 14))[0];
    let other = Movement::compile(&costs, &four);
    assert_eq!(
        RetainedField::new(&other, &field, &flow),
        Err(RetainError::ForeignMovement)
    );
    assert_eq!(kept.costs(&other).err(), Some(RetainError::ForeignMovement));
    let mut edited = costs.clone();
    edited.set(Cell::new(9, 9), Cost::IMPASSABLE).unwrap();
    let later = Movement::compile(&edited, &MovementProfile::new());
    assert_eq!(kept.costs(&later).err(), Some(RetainError::ForeignMovement));

    let (_, elsewhere) = dense(&movement, &goal(30), None, scratch).unwrap();
    let error = RetainedField::new(&movement, &field, &elsewhere).unwrap_err();
    assert!(matches!(error, RetainError::ForeignDirections { .. }), "{error}");
    let empty = FlowField::new(costs.grid().clone());
    let error = RetainedField::new(&movement, &field, &empty).unwrap_err();
    assert_eq!(
        error,
        RetainError::ForeignDirections {
            cell: Cell::new(0, 0)
        }
    );
}

#[test]
fn packed_directions_of_an_odd_number_of_cells_end_where_the_map_does() {
    let costs = CostField::filled(Grid::new(3, 3).unwrap(), Cost::PLAIN);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let goals = GoalSet::from_cells([Cell::new(2, 2)]);
    let (_, flow) = dense(&movement, &goals, None, &mut IntegrateScratch::new()).unwrap();
    let packed = PackedFlow::new(&flow);
    assert_eq!(packed.bytes(), 5);
    for id in flow.grid().ids() {
        assert_eq!(packed.guidance(id), flow.guidance(id));
    }
}

#[test]
#[should_panic(expected = "cell id 9 is not of the map of 3 x 3 cells")]
fn the_half_of_a_byte_beyond_the_last_cell_is_no_cell() {
    let packed = PackedFlow::new(&FlowField::new(Grid::new(3, 3).unwrap()));
    let _ = packed.guidance(CellId(9));
}
