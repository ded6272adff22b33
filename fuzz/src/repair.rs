//! Edit scripts: whatever is edited, a repaired field is the rebuilt one, and a recompiled movement the compiled one.
//!
//! The world, its configuration, the edits and the budgets of the repair come from the bytes, by the code that draws the
//! random worlds of `thalweg-core/tests/repair.rs`.

use arbitrary::Unstructured;
use std::cell::RefCell;
use thalweg_core::check::check_field;
use thalweg_core::flow::{FlowField, FlowScratch, extract};
use thalweg_core::integrate::{
    IntegrateOptions, IntegrateScratch, IntegrationField, ResolvedGoals, integrate,
};
use thalweg_core::movement::Movement;
use thalweg_core::repair::{Repair, RepairInput, RepairOptions, RepairScratch};
use thalweg_core::workers::Serial;
use thalweg_testkit::world::{Draw, Product, World};

/// The longest side of a world of one floor. Small: more inputs find more than larger ones.
const LONGEST: u32 = 7;

struct Bytes<'a>(Unstructured<'a>);

impl Draw for Bytes<'_> {
    fn below(&mut self, end: u32) -> u32 {
        self.0.int_in_range(0..=end - 1).unwrap_or(0)
    }
}

/// Buffers that all inputs share: nothing in them may carry over.
#[derive(Default)]
struct Buffers {
    integrate: IntegrateScratch,
    flow: FlowScratch,
    repair: RepairScratch,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

struct Made {
    movement: Movement,
    goals: ResolvedGoals,
    field: IntegrationField,
    flow: FlowField,
}

/// A world, then up to six batches of edits.
pub fn run(data: &[u8]) {
    BUFFERS.with_borrow_mut(|buffers| script(buffers, &mut Bytes(Unstructured::new(data))));
}

fn build(
    buffers: &mut Buffers,
    movement: Movement,
    goals: ResolvedGoals,
    limit: Option<u32>,
) -> Option<Made> {
    let mut options = IntegrateOptions::new();
    options.cost_limit = limit;
    let mut field = IntegrationField::new(movement.grid().clone());
    integrate(&movement, &goals, &options, &mut buffers.integrate, &mut field).ok()?;
    let mut flow = FlowField::new(movement.grid().clone());
    extract(&movement, &field, &Serial, &mut buffers.flow, &mut flow);
    Some(Made {
        movement,
        goals,
        field,
        flow,
    })
}

fn script(buffers: &mut Buffers, random: &mut Bytes<'_>) {
    let mut world = World::draw(random, LONGEST);
    let mut product = Product::new(&world);
    let mut last = product.movement(&product.costs());
    let mut old: Option<Made> = None;
    for _ in 0..random.pick(&[2, 1, 3, 6]) {
        let costs = product.costs();
        let movement = product.movement(&costs);
        let recompiled = last
            .recompile(&costs, &product.edges())
            .expect("one map, portals as before");
        assert!(
            recompiled.change_since(&movement).expect("one map").is_empty(),
            "recompiled differently: {world:?}"
        );
        last = recompiled;
        let made = match world.goal_set().resolve(&movement) {
            Ok(goals) => build(buffers, movement.clone(), goals, world.limit),
            Err(_) => None,
        };
        if let (Some(old), Some(made)) = (&old, &made) {
            repaired_is_rebuilt(buffers, &world, old, made, random);
        }
        old = made;
        for _ in 0..random.pick(&[1, 1, 2, 5]) {
            let edit = world.edit(random);
            product.apply(&edit);
        }
        if random.percent(25) {
            let (goal, at) = (random.index(world.goals.len()), random.index(world.floors.len()));
            world.goals[goal].0 = vec![world.floors.cell(at)];
        }
    }
}

fn repaired_is_rebuilt(
    buffers: &mut Buffers,
    world: &World,
    old: &Made,
    made: &Made,
    random: &mut Bytes<'_>,
) {
    let change = made.movement.change_since(&old.movement).expect("one map");
    let input = RepairInput {
        field: &old.field,
        flow: &old.flow,
        goals_before: &old.goals,
        movement: &made.movement,
        changed: &change.cells,
        goals: &made.goals,
    };
    let options = RepairOptions::new()
        .with_cost_limit(world.limit)
        .with_work_limit(u64::MAX);
    let scratch = core::mem::take(&mut buffers.repair);
    let mut job = Repair::begin(&input, &options, scratch).expect("one map");
    let budget = u64::from(random.pick(&[u32::MAX, 1, 9]));
    let done = loop {
        match job.advance(&input, budget) {
            Ok(false) => {}
            Ok(true) => break true,
            // A way that may not fit is left to a rebuild.
            Err(_) => break false,
        }
    };
    let (repaired, used) = job.end();
    buffers.repair = used;
    if done {
        assert!(repaired.field == made.field, "cost-to-goal, {world:?}");
        assert!(repaired.flow == made.flow, "directions, {world:?}");
        check_field(&made.movement, &repaired.field, &repaired.flow).expect("a valid field");
    }
}
