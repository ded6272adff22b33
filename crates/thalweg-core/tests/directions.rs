//! The direction pass gives the bits of the plain one, cell by cell, with every kind of vectors and any number of threads: on
//! the corpus, on sides around the width of a vector, on maps of several bands, and where a cost limit cuts cells off.

use thalweg_core::check::check_field;
use thalweg_core::cost::{Cost, CostField, EdgeCharges, HeightMap, SlopeBand, SlopeBands, SlopeRule};
use thalweg_core::flow::{
    ExtractError, ExtractOptions, FlowField, FlowScratch, Guidance, extract, extract_with,
};
use thalweg_core::grid::{Cell, CellId, Direction, Grid};
use thalweg_core::integrate::{
    BlockedGoals, Engine, Goal, GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, Vectors,
    integrate,
};
use thalweg_core::movement::{Charge, EdgeInputs, EdgeRules, Movement, MovementProfile, StepScale};
use thalweg_core::workers::{Serial, Workers};
use thalweg_testkit::cases::say;
use thalweg_testkit::corpus::corpus;
use thalweg_testkit::random_map::{SplitMix64, large_map};
use thalweg_testkit::solve::{profiles, scale};
use thalweg_testkit::threads::TestThreads;

fn vectors() -> impl Iterator<Item = Vectors> {
    Vectors::ALL.into_iter().filter(|vectors| vectors.is_available())
}

/// Buffers and a field that pass from comparison to comparison: what is left in them must not show.
struct Bench {
    integrate: IntegrateScratch,
    scratch: FlowScratch,
    dirty: FlowField,
    compared: usize,
    /// Fields with cells that a limit cut off.
    cut: usize,
}

impl Bench {
    fn new() -> Self {
        Self {
            integrate: IntegrateScratch::new(),
            scratch: FlowScratch::new(),
            dirty: FlowField::new(Grid::new(3, 3).unwrap()),
            compared: 0,
            cut: 0,
        }
    }

    /// Integrates and compares; goals that cannot be used and costs that do not fit are passed over.
    fn compare(&mut self, movement: &Movement, goals: &GoalSet, limit: Option<u32>, context: &str) {
        let Ok(goals) = goals.resolve(movement) else {
            return;
        };
        let mut options = IntegrateOptions::new().with_engine(Engine::Buckets);
        options.cost_limit = limit;
        let mut field = IntegrationField::new(movement.grid().clone());
        if integrate(movement, &goals, &options, &mut self.integrate, &mut field).is_err() {
            // Every cell is unknown.
            self.compare_field(movement, &field, context);
            return;
        }
        let is_cut = |id: CellId| {
            movement.is_passable(id) && field.reach(id) == thalweg_core::integrate::Reach::Unknown
        };
        self.cut += usize::from(movement.grid().ids().any(is_cut));
        let wanted = self.compare_field(movement, &field, context);
        if let Err(violation) = check_field(movement, &field, &wanted) {
            panic!("{context}: {violation}");
        }
    }

    fn compare_field(&mut self, movement: &Movement, field: &IntegrationField, context: &str) -> FlowField {
        let plain = ExtractOptions::new().with_vectors(Vectors::Plain);
        let mut wanted = FlowField::new(movement.grid().clone());
        extract_with(movement, field, &plain, &Serial, &mut self.scratch, &mut wanted).unwrap();
        let workers: [&dyn Workers; 4] = [&Serial, &TestThreads(1), &TestThreads(2), &TestThreads(8)];
        for vectors in vectors() {
            for workers in workers {
                let options = ExtractOptions::new().with_vectors(vectors);
                extract_with(
                    movement,
                    field,
                    &options,
                    workers,
                    &mut self.scratch,
                    &mut self.dirty,
                )
                .unwrap();
                if self.dirty != wanted {
                    let differs = |id: &CellId| {
                        (self.dirty.successors(*id), self.dirty.guidance(*id))
                            != (wanted.successors(*id), wanted.guidance(*id))
                    };
                    let cell = movement.grid().ids().find(differs);
                    panic!(
                        "{context}, {vectors}, {} threads: {:?} has {:?}, should have {:?}",
                        workers.threads(),
                        cell.map(|id| movement.grid().cell(id)),
                        cell.map(|id| (self.dirty.successors(id), self.dirty.guidance(id))),
                        cell.map(|id| (wanted.successors(id), wanted.guidance(id))),
                    );
                }
                self.compared += 1;
            }
        }
        wanted
    }
}

#[test]
fn every_map_of_the_corpus_under_every_profile() {
    let mut bench = Bench::new();
    for scene in corpus() {
        for scale in [scale(10, 14), StepScale::FINE] {
            for profile in profiles(scale) {
                let movement = Movement::compile(&scene.costs, &profile);
                let goals = GoalSet::from_cells(scene.goals.iter().copied());
                bench.compare(&movement, &goals, None, &format!("{} {profile:?}", scene.name));
            }
        }
    }
    say(&format!(
        "directions: {} fields of the corpus compared",
        bench.compared
    ));
    assert!(bench.compared > 2_000, "{}", bench.compared);
}

/// Rows that end just before and just after a vector does, one row to a few, and maps of less than a vector.
#[test]
fn sides_around_the_width_of_vectors() {
    let mut bench = Bench::new();
    let mut random = SplitMix64::new(31);
    let sides = [1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65];
    for width in sides {
        for height in sides {
            let grid = Grid::new(width, height).unwrap();
            let palette: &[u8] = random.pick(&[
                &[1][..],
                &[1, 1, 1, 255],
                &[1, 2, 9, 255],
                &[1, 10, 254],
                &[0, 1, 255],
            ]);
            let bytes = (0..grid.len()).map(|_| random.pick(palette)).collect();
            let costs = CostField::from_bytes(grid.clone(), bytes).unwrap();
            let profile = random.pick(&profiles(scale(10, 14)));
            let movement = Movement::compile(&costs, &profile);
            let middle = Cell::from(((width / 2).cast_signed(), (height / 2).cast_signed()));
            let goals = GoalSet::from_cells([middle]).with_blocked_goals(BlockedGoals::NearestPassable);
            bench.compare(
                &movement,
                &goals,
                None,
                &format!("{width} x {height}, {palette:?}, {profile:?}"),
            );
        }
    }
    // On 1, 1, 2 and 8 threads each.
    let kinds = vectors().count();
    assert!(bench.compared > 100 * 4 * kinds, "{}", bench.compared);
}

/// The dearest steps for which 8 and 16 bits suffice, and the cheapest for which they do not, on ground where such steps
/// meet: next to them D of neighbours differs by as much as it can.
#[test]
fn steps_around_what_lowest_bits_can_tell_apart() {
    let mut bench = Bench::new();
    let mut random = SplitMix64::new(77);
    for (straight, diagonal) in [
        (127, 127),
        (128, 128),
        (126, 128),
        (64, 127),
        (32_767, 32_767),
        (32_768, 32_768),
        (20_000, 40_000),
    ] {
        for round in 0..12 {
            let grid = Grid::new(40, 40).unwrap();
            let bytes = (0..grid.len())
                .map(|_| if random.percent(25) { 255 } else { 1 })
                .collect();
            let costs = CostField::from_bytes(grid, bytes).unwrap();
            for profile in profiles(scale(straight, diagonal)) {
                let movement = Movement::compile(&costs, &profile);
                // Goals with starting costs make neighbours whose costs differ by less than a step.
                let goals = (0..6).fold(
                    GoalSet::new().with_blocked_goals(BlockedGoals::Skip),
                    |goals, _| {
                        let cell = Cell::new(random.below(40).cast_signed(), random.below(40).cast_signed());
                        goals.with_goal(Goal::cell(cell).with_bias(random.below(4 * diagonal)))
                    },
                );
                bench.compare(&movement, &goals, None, &format!("round {round}, {profile:?}"));
            }
        }
    }
    for cost in [9, 10] {
        for charge in [Charge::Depart, Charge::Arrive, Charge::Mean] {
            let grid = Grid::new(70, 40).unwrap();
            let bytes = (0..grid.len())
                .map(|_| random.pick(&[1, cost, cost, 255]))
                .collect();
            let costs = CostField::from_bytes(grid, bytes).unwrap();
            let movement = Movement::compile(&costs, &MovementProfile::new().with_charge(charge));
            let goals =
                GoalSet::from_cells([Cell::new(35, 20)]).with_blocked_goals(BlockedGoals::NearestPassable);
            bench.compare(&movement, &goals, None, &format!("cost {cost}, {charge:?}"));
        }
    }
    assert!(bench.compared > 5_000, "{}", bench.compared);
}

#[test]
fn random_maps_with_bodies_portals_floors_slopes_and_limits() {
    let rounds = if std::env::var_os("THALWEG_LONG").is_some() {
        50_000
    } else {
        400
    };
    let mut bench = Bench::new();
    let (mut plain, mut directed, mut sloped) = (0u64, 0u64, 0u64);
    for seed in 0..rounds {
        let mut random = SplitMix64::new(seed + 70_000_000);
        let lower = large_map(seed + 71_000_000);
        let scale = random.pick(&[
            scale(10, 14),
            scale(10, 14),
            scale(1, 1),
            scale(29, 41),
            StepScale::FINE,
        ]);
        let mut profile = random.pick(&profiles(scale));
        if random.percent(30) {
            let body = random.pick(&["square:2", "disc:0.8", "rectangle:3x1"]);
            profile = profile.with_footprint(body.parse().unwrap());
        }
        let mut parts = vec![lower.costs.clone()];
        if random.percent(15) {
            parts.push(large_map(seed + 72_000_000).costs);
        }
        let costs = if parts.len() == 1 {
            // Unknown ground and all.
            lower.costs.clone()
        } else {
            let grid = Grid::stacked(parts.iter().map(CostField::grid)).unwrap();
            let bytes = parts.iter().flat_map(|part| part.bytes().to_vec()).collect();
            CostField::from_bytes(grid, bytes).unwrap()
        };
        let grid = costs.grid().clone();
        let mut rules = EdgeRules::new(grid.clone());
        if random.percent(40) {
            let any =
                |random: &mut SplitMix64| grid.cell(CellId(random.below(u32::try_from(grid.len()).unwrap())));
            for _ in 0..random.below(6) {
                let (from, to) = (any(&mut random), any(&mut random));
                if from != to {
                    rules
                        .add_portal(from, to, random.pick(&[0, 5, 70, 4_000]))
                        .unwrap();
                }
            }
            for _ in 0..random.below(40) {
                let direction = random.pick(&thalweg_core::grid::DIRECTIONS);
                rules.close_exit(any(&mut random), direction).unwrap();
            }
        }
        let charges = (parts.len() == 1 && random.percent(15)).then(|| {
            #[expect(clippy::cast_precision_loss, reason = "small numbers")]
            let heights = (0..grid.len()).map(|_| random.below(40) as f32 / 20.0).collect();
            let heights = HeightMap::new(grid.clone(), 1.0, heights, None).unwrap();
            let bands = [
                SlopeBand { below: 0.3, extra: 0 },
                SlopeBand { below: 1.5, extra: 4 },
            ];
            EdgeCharges::new(&heights, SlopeRule::new(SlopeBands::new(bands).unwrap()))
        });
        let inputs = EdgeInputs {
            rules: Some(&rules),
            charges: charges.as_ref(),
        };
        let movement = Movement::compile_edges(&costs, &inputs, &profile).unwrap();
        plain += u64::from(movement.is_plain());
        directed += u64::from(!movement.is_plain());
        sloped += u64::from(movement.has_edge_charges());
        let goals = (lower.goals.iter().cloned())
            .fold(GoalSet::new(), GoalSet::with_goal)
            .with_blocked_goals(BlockedGoals::Skip);
        let limit = random
            .percent(25)
            .then(|| random.pick(&[0, 100, 5_000, 2_000_000]));
        bench.compare(
            &movement,
            &goals,
            limit,
            &format!("seed {seed} {profile:?} limit {limit:?}"),
        );
    }
    let shares = [plain, directed, sloped, bench.cut as u64].map(|count| count * 20 > rounds);
    assert!(
        shares == [true; 4],
        "{plain} plain, {directed} directed, {sloped} sloped, {} cut off, of {rounds}",
        bench.cut
    );
}

/// Maps of several bands, whose borders fall inside rows, and of several windows within a band. A limit cuts off what is
/// far from the goal: some bands hold none of it, some change over in the middle.
#[test]
fn maps_of_several_bands_and_limits_that_cut_within_one() {
    let mut bench = Bench::new();
    let mut random = SplitMix64::new(5);
    for (width, height) in [(701, 300), (64, 3_001), (6_000, 41), (90_001, 2), (1, 140_000)] {
        for (palette, charge) in [
            (&[1, 1, 1, 1, 255][..], Charge::Depart),
            (&[1, 2, 3, 4, 255], Charge::Mean),
            (&[1, 60, 254, 255], Charge::Arrive),
        ] {
            let grid = Grid::new(width, height).unwrap();
            let mut bytes: Vec<u8> = (0..grid.len()).map(|_| random.pick(palette)).collect();
            // A lane along both first sides, so that everything of it is reached.
            for (index, byte) in bytes.iter_mut().enumerate() {
                let index = u32::try_from(index).unwrap();
                *byte = if index < width || index.is_multiple_of(width) {
                    1
                } else {
                    *byte
                };
            }
            let costs = CostField::from_bytes(grid.clone(), bytes).unwrap();
            let movement = Movement::compile(&costs, &MovementProfile::new().with_charge(charge));
            let goals = GoalSet::from_cells([Cell::new(0, 0)]);
            for limit in [None, Some(1_000), Some(12_000), Some(600_000)] {
                bench.compare(
                    &movement,
                    &goals,
                    limit,
                    &format!("{width} x {height}, {charge:?}, limit {limit:?}"),
                );
            }
        }
    }
    assert!(bench.cut > 20, "{}", bench.cut);
}

/// The last row that is reached ends a band, or begins one, and its neighbours beyond hold the bits of a cost that would be
/// tight: 254 modulo 256, as "unknown" does.
#[test]
fn limits_that_cut_between_two_bands() {
    let mut bench = Bench::new();
    let (width, rows) = (64u32, 2_000i32);
    let rows_of_a_band = (1 << 16) / width.cast_signed();
    for (scale, goal_row, last_reached) in [
        (scale(1, 1), 0, rows_of_a_band - 1),
        (scale(41, 58), rows - 1, rows_of_a_band),
    ] {
        let costs = CostField::filled(Grid::new(width, rows.cast_unsigned()).unwrap(), Cost::PLAIN);
        let movement = Movement::compile(&costs, &MovementProfile::new().with_scale(scale));
        let goals = GoalSet::from_cells((0..width.cast_signed()).map(|x| Cell::new(x, goal_row)));
        let steps = (last_reached - goal_row).unsigned_abs();
        let limit = steps * scale.straight();
        assert_eq!((limit - scale.straight()) % 256, 254);
        bench.compare(&movement, &goals, Some(limit), &format!("{scale}"));
    }
    assert_eq!(bench.cut, 2);
}

/// The last cells of a map are no whole block. The very last is cut off alone, and its neighbour above sees the bits of a
/// cost that would be tight.
#[test]
fn a_limit_that_cuts_the_last_cell_of_a_map() {
    let mut bench = Bench::new();
    let (width, scale) = (172, scale(3, 4));
    let costs = CostField::filled(Grid::new(width, 2).unwrap(), Cost::PLAIN);
    let movement = Movement::compile(&costs, &MovementProfile::new().with_scale(scale));
    let goals = GoalSet::from_cells([Cell::new(0, 0)]);
    let limit = (width - 1) * scale.straight();
    assert_eq!((limit - scale.straight()) % 256, 254);
    bench.compare(&movement, &goals, Some(limit), "the last cell");
    assert_eq!(bench.cut, 1);
}

/// A terrace may be left downward anywhere and upward at one end only, so that exits lead to cells whose costs are higher by
/// any number, also by multiples of 256.
#[test]
fn one_way_terraces() {
    let mut bench = Bench::new();
    for charge in [Charge::Depart, Charge::Arrive, Charge::Mean] {
        for scale in [scale(1, 1), scale(10, 14), scale(128, 181)] {
            let (width, height) = (150, 30);
            let costs = CostField::filled(Grid::new(width, height).unwrap(), Cost::PLAIN);
            let mut rules = EdgeRules::new(costs.grid().clone());
            let (width, height) = (width.cast_signed(), height.cast_signed());
            for y in 1..height {
                for x in 0..width {
                    let is_end = x == if y % 2 == 0 { 0 } else { width - 1 };
                    if !is_end {
                        rules.close_exit(Cell::new(x, y), Direction::N).unwrap();
                    }
                }
            }
            let profile = MovementProfile::new().with_scale(scale).with_charge(charge);
            let movement = Movement::compile_with(&costs, &rules, &profile).unwrap();
            let goals = GoalSet::from_cells([Cell::new(0, 0)]);
            bench.compare(&movement, &goals, None, &format!("{charge:?}, {scale}"));
        }
    }
}

/// Beyond the limit D stops just below the values that stand for "unknown" and "unreachable".
#[test]
fn costs_next_to_the_largest_are_not_taken_for_unreached_cells() {
    let mut bench = Bench::new();
    let largest = u32::MAX - 2;
    for straight in [1, 2, 3, 10] {
        for below in 0..30 {
            let costs = CostField::filled(Grid::new(70, 3).unwrap(), Cost::PLAIN);
            let profile = MovementProfile::new().with_scale(scale(straight, straight + straight / 2));
            let movement = Movement::compile(&costs, &profile);
            let goal = Goal::cell(Cell::new(20, 1)).with_bias(largest - below);
            let goals = GoalSet::new().with_goal(goal);
            bench.compare(
                &movement,
                &goals,
                Some(largest),
                &format!("{straight}, {below} below"),
            );
            bench.compare(
                &movement,
                &goals,
                Some(largest - 1),
                &format!("{straight}, {below} below, limit"),
            );
            bench.compare(
                &movement,
                &goals,
                None,
                &format!("{straight}, {below} below, no limit"),
            );
        }
    }
    assert!(bench.cut > 50, "{}", bench.cut);
}

#[test]
fn a_field_that_was_never_integrated_is_unknown_everywhere() {
    let costs = CostField::filled(Grid::new(100, 90).unwrap(), Cost::PLAIN);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let field = IntegrationField::new(costs.grid().clone());
    let flow = Bench::new().compare_field(&movement, &field, "never integrated");
    assert!(
        costs
            .grid()
            .ids()
            .all(|id| flow.guidance(id) == Guidance::Unknown)
    );
}

#[test]
fn vectors_that_the_processor_lacks_are_an_error_and_leave_the_field_alone() {
    let costs = CostField::filled(Grid::new(9, 9).unwrap(), Cost::PLAIN);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let field = IntegrationField::new(costs.grid().clone());
    let mut flow = FlowField::new(Grid::new(2, 2).unwrap());
    let before = flow.clone();
    for vectors in Vectors::ALL {
        let options = ExtractOptions::new().with_vectors(vectors);
        let outcome = extract_with(
            &movement,
            &field,
            &options,
            &Serial,
            &mut FlowScratch::new(),
            &mut flow,
        );
        if vectors.is_available() {
            assert_eq!(outcome, Ok(()));
            flow.clone_from(&before);
        } else {
            assert_eq!(outcome, Err(ExtractError::NoVectors { vectors }));
            assert_eq!(flow, before);
        }
    }
    extract(&movement, &field, &Serial, &mut FlowScratch::new(), &mut flow);
    assert_eq!(flow.grid(), costs.grid());
}
