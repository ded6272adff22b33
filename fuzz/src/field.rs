//! Fields under any configuration and after any edits: all engines agree in every bit and the validators are content.

use crate::make::{self, LastFirst, rarely};
use arbitrary::{Result, Unstructured};
use thalweg_core::check::check_field;
use thalweg_core::cost::CostField;
use thalweg_core::flow::{FlowField, FlowScratch, Guidance, Sample, extract, sample};
use thalweg_core::grid::{Grid, MapPoint, SUBCELLS};
use thalweg_core::integrate::{
    BlockedGoals, Engine, Goal, GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField,
    MAX_COST_TO_GOAL, Reach, ResolvedGoals, RouteStatus, integrate, route_status,
};
use thalweg_core::movement::Movement;
use thalweg_core::workers::Serial;

/// A map, a profile, goals and a limit, then edits.
pub fn run(data: &[u8]) {
    // Running out of bytes is no finding: the input is then only shorter than it wants to be.
    let _ = check(&mut Unstructured::new(data));
}

fn check(u: &mut Unstructured<'_>) -> Result<()> {
    let profile = make::profile(u)?;
    let cost_limit = match u.int_in_range(0..=5)? {
        0..=2 => None,
        3 => Some(u.int_in_range(0..=400)?),
        4 => Some(u.int_in_range(0..=200_000)?),
        _ => Some(u.arbitrary()?),
    };
    let first = make::first_cell(u)?;
    let mut costs = make::costs(u, 24, first)?;
    let goals = goals(u, costs.grid())?;
    let mut buffers = Buffers::default();
    let mut inspect = |costs: &CostField, u: &mut Unstructured<'_>| -> Result<()> {
        let movement = Movement::compile(costs, &profile);
        match goals.resolve(&movement) {
            Ok(goals) => check_goals(&movement, &goals, cost_limit, &mut buffers, u),
            Err(error) => {
                make::check_sentence(&error);
                Ok(())
            }
        }
    };
    inspect(&costs, u)?;
    for _ in 0..u.int_in_range(0..=6)? {
        edit(u, &mut costs)?;
        inspect(&costs, u)?;
    }
    Ok(())
}

fn goals(u: &mut Unstructured<'_>, grid: &Grid) -> Result<GoalSet> {
    let policy = match u.int_in_range(0..=4)? {
        0 | 1 => BlockedGoals::NearestPassable,
        2 => BlockedGoals::Skip,
        3 => {
            let from = make::cell_of(u, grid)?;
            BlockedGoals::NearestReachableFrom(grid.id(from).expect("a cell of the map"))
        }
        _ => BlockedGoals::Refuse,
    };
    let mut goals = GoalSet::new().with_blocked_goals(policy);
    // More than 256 goals need wider labels.
    let many = if rarely(u, 16)? {
        u.int_in_range(250..=300)?
    } else {
        0
    };
    for _ in 0..many + u.int_in_range(1..=4)? {
        let cells = if rarely(u, 3)? { u.int_in_range(0..=5)? } else { 1 };
        let cells: Vec<_> = (0..cells)
            .map(|_| make::cell_near(u, grid))
            .collect::<Result<_>>()?;
        let bias = match u.int_in_range(0..=5)? {
            0..=2 => 0,
            3 => u.int_in_range(0..=60)?,
            4 => MAX_COST_TO_GOAL - u.int_in_range(0..=400)?,
            _ => u.arbitrary()?,
        };
        goals = goals.with_goal(Goal::area(cells).with_bias(bias));
    }
    Ok(goals)
}

/// Changes the map through one of its writers, and holds what the version and the dirty region promise.
fn edit(u: &mut Unstructured<'_>, costs: &mut CostField) -> Result<()> {
    let grid = costs.grid().clone();
    let before = costs.clone();
    costs.take_dirty();
    let outcome = match u.int_in_range(0..=4)? {
        0 | 1 => costs.set(make::cell_near(u, &grid)?, make::cost(u)?),
        2 => costs.set_rect(
            make::cell_near(u, &grid)?,
            make::cell_near(u, &grid)?,
            make::cost(u)?,
        ),
        3 => costs.set_unknown(make::cell_near(u, &grid)?),
        _ => {
            let len = grid.len() + usize::from(rarely(u, 16)?);
            let pattern = [
                make::cost(u)?.byte(),
                make::cost(u)?.byte(),
                make::cost(u)?.byte(),
            ];
            let stride = u.int_in_range(1..=7)?;
            let bytes: Vec<u8> = (0..len).map(|index| pattern[index / stride % 3]).collect();
            costs.set_all(&bytes)
        }
    };
    let changed: Vec<_> = grid.ids().filter(|&id| before.get(id) != costs.get(id)).collect();
    assert_eq!(before.version() == costs.version(), changed.is_empty());
    let dirty = costs.take_dirty();
    assert_eq!(dirty.is_empty(), changed.is_empty());
    if let Err(error) = outcome {
        make::check_sentence(&error);
        assert!(changed.is_empty(), "a refused edit changed the map");
    }
    for id in changed {
        assert!(dirty.iter().any(|region| region.contains(&grid, id)));
    }
    Ok(())
}

/// Buffers that all integrations of an input share: nothing in them may carry over.
#[derive(Default)]
struct Buffers {
    integrate: IntegrateScratch,
    flow: FlowScratch,
}

fn check_goals(
    movement: &Movement,
    goals: &ResolvedGoals,
    cost_limit: Option<u32>,
    buffers: &mut Buffers,
    u: &mut Unstructured<'_>,
) -> Result<()> {
    let grid = movement.grid().clone();
    let mut options = IntegrateOptions::new().with_engine(Engine::Heap);
    options.cost_limit = cost_limit;
    let mut oracle = IntegrationField::new(grid.clone());
    let oracle_outcome = integrate(
        movement,
        goals,
        &options,
        &mut IntegrateScratch::new(),
        &mut oracle,
    );
    // Dirty on purpose: an engine must not read what stood in the field before.
    let mut field = oracle.clone();
    for engine in Engine::ALL.into_iter().chain([Engine::Auto]) {
        if !engine.supports(movement) {
            continue;
        }
        let outcome = integrate(
            movement,
            goals,
            &options.with_engine(engine),
            &mut buffers.integrate,
            &mut field,
        );
        assert_eq!(
            outcome.map(|_| ()),
            oracle_outcome.clone().map(|_| ()),
            "engine {engine}"
        );
        assert!(field == oracle, "engine {engine} differs from the heap");
    }
    if let Err(error) = oracle_outcome {
        make::check_sentence(&error);
        assert!(oracle.reaches().all(|reach| reach == Reach::Unknown));
        return Ok(());
    }
    let mut flow = FlowField::new(grid);
    extract(movement, &oracle, &Serial, &mut FlowScratch::new(), &mut flow);
    let mut again = flow.clone();
    extract(movement, &oracle, &LastFirst, &mut buffers.flow, &mut again);
    assert!(flow == again, "directions depend on the workers or the buffers");
    if let Err(violation) = check_field(movement, &oracle, &flow) {
        panic!("{violation}");
    }
    check_status(movement, goals, &oracle);
    for _ in 0..u.int_in_range(0..=3)? {
        check_sample(movement, &flow, u)?;
    }
    Ok(())
}

/// The one-word status says what the field says; a field just made is never called stale.
fn check_status(movement: &Movement, goals: &ResolvedGoals, field: &IntegrationField) {
    for id in field.grid().ids() {
        let status = route_status(movement, Ok(goals), Some(field), field.grid().cell(id));
        let expected = if !movement.is_passable(id) {
            RouteStatus::AgentBlocked
        } else if field.sinks().is_empty() {
            RouteStatus::NotReady
        } else {
            match field.reach(id) {
                Reach::Reached(cost) => RouteStatus::Ok(cost),
                Reach::Unreachable => RouteStatus::Unreachable,
                Reach::Unknown => RouteStatus::CutOff,
            }
        };
        assert_eq!(status, expected, "cell {}", field.grid().cell(id));
    }
}

/// Between cells the direction has length 1 and points at no closed side, or says the same "no" as the cell.
fn check_sample(movement: &Movement, flow: &FlowField, u: &mut Unstructured<'_>) -> Result<()> {
    let cell = make::cell_of(u, flow.grid())?;
    let id = flow.grid().id(cell).expect("a cell of the map");
    let (column, row) = flow.grid().column_row_of(id);
    let mut one =
        |cells: u32| -> Result<i32> { Ok(cells.cast_signed() * SUBCELLS + i32::from(u.arbitrary::<u16>()?)) };
    let at = MapPoint::new(one(column)?, one(row)?);
    match (sample(movement, flow, at), flow.guidance(id)) {
        (Sample::Toward([x, y]), Guidance::Toward(direction)) => {
            let length = (x * x + y * y).sqrt();
            assert!(
                (length - 1.0).abs() < 1e-5,
                "a direction of length {length} at {at:?}"
            );
            let [own_x, own_y] = direction.unit_vector();
            assert!(
                x * own_x + y * own_y > 0.0,
                "turns against the cell's direction at {at:?}"
            );
        }
        (Sample::Goal, Guidance::Goal)
        | (Sample::Impassable, Guidance::Impassable)
        | (Sample::Unreachable, Guidance::Unreachable)
        | (Sample::Unknown, Guidance::Unknown) => {}
        (sample, guidance) => panic!("the sample at {at:?} is {sample:?}, but the cell says {guidance:?}"),
    }
    Ok(())
}
