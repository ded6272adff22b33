//! Repaired fields are rebuilt fields: every channel, every cell, after any script of edits.

use thalweg_core::check::check_field;
use thalweg_core::flow::{
    ChannelRepair, ChannelStats, FlowField, FlowScratch, HeadingField, HeadingOptions, HeadingScratch,
    LengthField, OrderScratch, extract, look_ahead, measure_lengths, repair_headings, repair_lengths,
};
use thalweg_core::grid::{Cell, CellId};
use thalweg_core::integrate::{
    IntegrateError, IntegrateOptions, IntegrateScratch, IntegrationField, ResolvedGoals, integrate,
};
use thalweg_core::movement::Movement;
use thalweg_core::repair::{Repair, RepairInput, RepairOptions, RepairScratch, Repaired, repair};
use thalweg_core::workers::Serial;
use thalweg_testkit::random_map::SplitMix64;
use thalweg_testkit::world::{Draw, Product, World};

/// Every cell that differs between two movements, by looking at each.
fn changed(before: &Movement, after: &Movement) -> Vec<CellId> {
    let differs = |&id: &CellId| {
        before.is_passable(id) != after.is_passable(id)
            || before.is_known(id) != after.is_known(id)
            || !before.edges_from(id).eq(after.edges_from(id))
    };
    before.grid().ids().filter(differs).collect()
}

/// Every cell whose ground differs to the body itself, whatever edges say.
fn changed_ground(before: &Movement, after: &Movement) -> Vec<CellId> {
    let differs = |&id: &CellId| {
        before.exits(id) != after.exits(id)
            || before.cost(id) != after.cost(id)
            || before.ground_cost(id) != after.ground_cost(id)
    };
    before.grid().ids().filter(differs).collect()
}

#[derive(Default)]
struct Builder {
    integrate: IntegrateScratch,
    flow: FlowScratch,
    headings: HeadingScratch,
    order: OrderScratch,
}

struct Made {
    movement: Movement,
    goals: ResolvedGoals,
    field: IntegrationField,
    flow: FlowField,
    headings: HeadingField,
    lengths: LengthField,
}

impl Builder {
    fn build(
        &mut self,
        movement: Movement,
        goals: ResolvedGoals,
        limit: Option<u32>,
        looks: &HeadingOptions,
    ) -> Result<Made, IntegrateError> {
        let mut options = IntegrateOptions::new();
        options.cost_limit = limit;
        let mut field = IntegrationField::new(movement.grid().clone());
        integrate(&movement, &goals, &options, &mut self.integrate, &mut field)?;
        let mut flow = FlowField::new(movement.grid().clone());
        extract(&movement, &field, &Serial, &mut self.flow, &mut flow);
        let mut headings = HeadingField::new(movement.grid().clone());
        look_ahead(&movement, &field, &flow, looks, &mut self.headings, &mut headings).unwrap();
        let mut lengths = LengthField::new(movement.grid().clone());
        measure_lengths(&movement, &flow, &mut self.order, &mut lengths);
        Ok(Made {
            movement,
            goals,
            field,
            flow,
            headings,
            lengths,
        })
    }
}

/// Moves, adds or removes a goal.
fn edit_goals(world: &mut World, random: &mut SplitMix64) {
    let cell = |world: &World, random: &mut SplitMix64| -> Cell {
        let at = random.index(world.floors.len());
        world.floors.cell(at)
    };
    match random.below(4) {
        0 if world.goals.len() > 1 => {
            world.goals.remove(random.index(world.goals.len()));
        }
        1 => {
            let goal = (vec![cell(world, random)], random.pick(&[0, 0, 3, 40]));
            world.goals.push(goal);
        }
        2 => {
            let at = random.index(world.goals.len());
            world.goals[at].1 = random.pick(&[0, 7, 30]);
        }
        _ => {
            let at = random.index(world.goals.len());
            world.goals[at].0 = vec![cell(world, random), cell(world, random)];
        }
    }
}

#[derive(Default, Debug)]
struct Seen {
    repairs: u64,
    changed: u64,
    untouched: u64,
    given_up: u64,
    with_labels: u64,
    goals_changed: u64,
    headings: Channel,
    lengths: Channel,
    cells: u64,
    free_patches: u64,
}

/// How often headings or lengths were repaired.
#[derive(Default, Debug)]
struct Channel {
    rebuilt: u64,
    remade: u64,
    changed: u64,
}

impl Channel {
    fn count(&mut self, stats: &ChannelStats) {
        self.rebuilt += u64::from(stats.rebuilt);
        self.remade += stats.remade;
        self.changed += stats.changed;
    }
}

/// Repairs headings and lengths and compares them, what is kept for the next repair included.
fn check_channels(
    (old, wanted): (&Made, &Made),
    repaired: &Repaired,
    looks: &HeadingOptions,
    refreshed: &[CellId],
    builder: &mut Builder,
    seen: &mut Seen,
    context: &impl Fn() -> String,
) -> (HeadingField, LengthField) {
    let movement = &wanted.movement;
    let changed = changed_ground(&old.movement, movement);
    assert_eq!(
        movement.ground_change_since(&old.movement).as_ref(),
        Ok(&changed),
        "{}",
        context()
    );
    let input = ChannelRepair::new(movement, &repaired.field, &repaired.flow, refreshed, &changed)
        .with_work_limit(u64::MAX);
    let (mut headings, mut lengths) = (old.headings.clone(), old.lengths.clone());
    let stats = repair_headings(&input, looks, &mut builder.headings, &mut headings).unwrap();
    seen.headings.count(&stats);
    let stats = repair_lengths(&input, &mut builder.order, &mut lengths);
    seen.lengths.count(&stats);
    seen.cells += movement.grid().len() as u64;
    for id in movement.grid().ids() {
        let at = movement.grid().cell(id);
        assert_eq!(
            headings.offset(id),
            wanted.headings.offset(id),
            "at {at}, {looks:?}, {}",
            context()
        );
        assert_eq!(
            lengths.length(id),
            wanted.lengths.length(id),
            "at {at}, {}",
            context()
        );
    }
    assert!(headings == wanted.headings, "ways, {looks:?}, {}", context());
    assert!(lengths == wanted.lengths, "{}", context());
    (headings, lengths)
}

fn script(seed: u64, longest: u32, builder: &mut Builder, scratch: &mut RepairScratch, seen: &mut Seen) {
    let mut random = SplitMix64::new(seed);
    let mut world = World::draw(&mut random, longest);
    let mut product = Product::new(&world);
    let mut old: Option<Made> = None;
    let looks = HeadingOptions::new()
        .with_sight(random.pick(&[1, 2, 3, 5, 32, 32, 200]))
        .with_clearance(random.pick(&[1, 1, 3, 8]))
        .with_ways_kept(true);
    for _ in 0..random.below(6) + 2 {
        let movement = product.movement(&product.costs());
        let context = || format!("seed {seed}, {world:?}");
        let Ok(goals) = world.goal_set().resolve(&movement) else {
            old = None;
            world.edit_all(&mut product, &mut random);
            continue;
        };
        let mut rebuilt = builder.build(movement.clone(), goals.clone(), world.limit, &looks);
        if let Some(old) = &old {
            let changed = changed(&old.movement, &movement);
            let input = RepairInput {
                field: &old.field,
                flow: &old.flow,
                goals_before: &old.goals,
                movement: &movement,
                changed: &changed,
                goals: &goals,
            };
            let options = RepairOptions::new()
                .with_cost_limit(world.limit)
                .with_work_limit(u64::MAX);
            // In slices of any size or at once.
            let repaired = if random.percent(50) {
                repair(&input, &options, scratch)
            } else {
                let mut job = Repair::begin(&input, &options, core::mem::take(scratch)).unwrap();
                let budget = u64::from(random.pick(&[1u32, 2, 7, 50]));
                let result = loop {
                    match job.advance(&input, budget) {
                        Ok(false) => {}
                        Ok(true) => break Ok(()),
                        Err(why) => break Err(why),
                    }
                };
                let (repaired, used) = job.end();
                *scratch = used;
                result.map(|()| repaired)
            };
            match (&mut rebuilt, repaired) {
                (Ok(rebuilt), Ok(repaired)) => {
                    seen.repairs += 1;
                    seen.changed += repaired.stats.changed;
                    seen.untouched += u64::from(repaired.stats.changed == 0);
                    seen.with_labels += u64::from(goals.goal_count() > 1);
                    seen.goals_changed += u64::from(goals != old.goals);
                    for id in movement.grid().ids() {
                        let at = movement.grid().cell(id);
                        let (field, wanted) = (&repaired.field, &rebuilt.field);
                        assert_eq!(field.reach(id), wanted.reach(id), "at {at}, {}", context());
                        assert_eq!(field.goal(id), wanted.goal(id), "at {at}, {}", context());
                        let (flow, wanted) = (&repaired.flow, &rebuilt.flow);
                        assert_eq!(flow.guidance(id), wanted.guidance(id), "at {at}, {}", context());
                        assert_eq!(
                            flow.successors(id),
                            wanted.successors(id),
                            "at {at}, {}",
                            context()
                        );
                    }
                    assert_eq!(repaired.field, rebuilt.field, "{}", context());
                    assert_eq!(repaired.flow, rebuilt.flow, "{}", context());
                    let marked: Vec<CellId> = scratch.refreshed().collect();
                    for id in movement.grid().ids() {
                        if old.field.reach(id) != repaired.field.reach(id)
                            || old.flow.successors(id) != repaired.flow.successors(id)
                            || old.flow.guidance(id) != repaired.flow.guidance(id)
                        {
                            assert!(marked.contains(&id), "{id:?} changed in silence, {}", context());
                        }
                    }
                    check_field(&movement, &repaired.field, &repaired.flow).unwrap();
                    let is_free = movement.has_zero_steps();
                    seen.free_patches +=
                        u64::from(is_free && repaired.stats.directions < movement.grid().len() as u64);
                    let channels = check_channels(
                        (old, rebuilt),
                        &repaired,
                        &looks,
                        &marked,
                        builder,
                        seen,
                        &context,
                    );
                    if random.percent(50) {
                        // Repairs of what was repaired.
                        (rebuilt.field, rebuilt.flow) = (repaired.field, repaired.flow);
                        (rebuilt.headings, rebuilt.lengths) = channels;
                    }
                }
                (Err(_), Err(_)) | (Ok(_), Err(_)) => seen.given_up += 1,
                (Err(error), Ok(_)) => panic!("a rebuild says {error}, {}", context()),
            }
        }
        old = rebuilt.ok();
        world.edit_all(&mut product, &mut random);
    }
}

trait EditAll {
    fn edit_all(&mut self, product: &mut Product, random: &mut SplitMix64);
}

impl EditAll for World {
    /// Some edits at once; the map's, the goals or both.
    fn edit_all(&mut self, product: &mut Product, random: &mut SplitMix64) {
        let edits = random.pick(&[0, 1, 1, 1, 2, 5]);
        for _ in 0..edits {
            let edit = self.edit(random);
            product.apply(&edit);
        }
        if edits == 0 || random.percent(20) {
            edit_goals(self, random);
        }
    }
}

#[test]
fn repaired_is_rebuilt_after_any_edits() {
    let (mut builder, mut scratch, mut seen) = (Builder::default(), RepairScratch::new(), Seen::default());
    let is_long = std::env::var_os("THALWEG_LONG").is_some();
    let scripts = if is_long { 120_000 } else { 3_000 };
    for seed in 0..scripts {
        let longest = match seed % 60 {
            0 => 70,
            10 | 20 | 30 | 40 | 50 => 24,
            _ => 9,
        };
        script(seed, longest, &mut builder, &mut scratch, &mut seen);
    }
    #[expect(clippy::print_stdout, reason = "what a long run has seen")]
    {
        println!("{scripts} scripts: {seen:?}");
    }
    assert!(seen.repairs > scripts, "{seen:?}");
    assert!(
        seen.changed > 5 * scripts && seen.untouched > 100 && seen.with_labels > 500,
        "{seen:?}"
    );
    assert!(
        seen.goals_changed > 500 && seen.given_up < seen.repairs / 20,
        "{seen:?}"
    );
    let Seen {
        headings, lengths, ..
    } = &seen;
    assert!(
        headings.rebuilt < seen.repairs / 20 && headings.changed > 5 * scripts,
        "{seen:?}"
    );
    assert!(lengths.rebuilt == 0 && lengths.changed > 2 * scripts, "{seen:?}");
    assert!(
        headings.remade < seen.cells && lengths.remade < seen.cells,
        "{seen:?}"
    );
    assert!(seen.free_patches > 100, "{seen:?}");
}
