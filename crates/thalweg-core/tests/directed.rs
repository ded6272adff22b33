//! One-way borders, portals and floors on random maps, against a search that lists every edge by itself.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use thalweg_core::check::check_field;
use thalweg_core::components::Components;
use thalweg_core::cost::{CostField, EdgeCharge, EdgeCharges, HeightMap, SlopeBand, SlopeBands, SlopeRule};
use thalweg_core::debug::print_all;
use thalweg_core::flow::{FlowField, FlowScratch, extract};
use thalweg_core::grid::{Cell, CellId, DIRECTIONS, Direction, Grid};
use thalweg_core::integrate::{
    Engine, Goal, GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, Reach, integrate,
    reachable_from,
};
use thalweg_core::movement::{
    Charge, Connectivity, CornerRule, EdgeInputs, EdgeRuleError, EdgeRules, MAX_PORTAL_COST, Movement,
    MovementProfile, Portal,
};
use thalweg_core::workers::Serial;

/// A small generator of random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        u32::try_from((self.0 >> 32) % u64::from(bound)).unwrap()
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(u32::try_from(choices.len()).unwrap()) as usize]
    }

    fn cell(&mut self, grid: &Grid) -> Cell {
        grid.cell(CellId(self.below(u32::try_from(grid.len()).unwrap())))
    }
}

struct World {
    costs: CostField,
    floors: Floors,
    rules: EdgeRules,
    charges: Option<EdgeCharges>,
    profile: MovementProfile,
    goals: GoalSet,
}

/// Floors of their own sizes and origins, and where the ids of each begin; for the search, which must not ask the grid who
/// is beside whom.
type Floors = Vec<(u32, u32, u32)>;

/// One floor three times in five, else two or three; small, so that portals between them matter.
fn floors(random: &mut Random) -> (Grid, Floors) {
    let count = random.pick(&[1, 1, 1, 2, 3]);
    let (mut grids, mut floors, mut first_id) = (Vec::new(), Vec::new(), 0);
    for _ in 0..count {
        let most = if count == 1 { 9 } else { 5 };
        let (width, height) = (1 + random.below(most), 1 + random.below(most));
        let mut place = || i32::try_from(random.below(7)).unwrap() - 3;
        let first = Cell::new(place(), place());
        grids.push(Grid::with_first_cell(width, height, first).unwrap());
        floors.push((first_id, width, height));
        first_id += width * height;
    }
    (Grid::stacked(&grids).unwrap(), floors)
}

/// The neighbour of a cell by the sizes of the floors alone.
fn beside(floors: &Floors, id: CellId, direction: Direction) -> Option<CellId> {
    let &(first, width, height) = floors
        .iter()
        .find(|&&(first, width, height)| (first..first + width * height).contains(&id.0))?;
    let (column, row) = ((id.0 - first) % width, (id.0 - first) / width);
    let (dx, dy) = direction.offset();
    let column = column.checked_add_signed(dx).filter(|&column| column < width)?;
    let row = row.checked_add_signed(dy).filter(|&row| row < height)?;
    Some(CellId(first + row * width + column))
}

fn world(random: &mut Random) -> World {
    let (grid, floors) = floors(random);
    let palette: &[u8] = random.pick(&[
        &[1, 1, 1, 255][..],
        &[1, 2, 3, 255],
        &[0, 1, 7, 255],
        &[0, 0, 255],
        &[1, 254],
    ]);
    let bytes = (0..grid.len()).map(|_| random.pick(palette)).collect();
    let costs = CostField::from_bytes(grid.clone(), bytes).unwrap();
    let mut rules = EdgeRules::new(grid.clone());
    for _ in 0..random.below(12) {
        let (cell, direction) = (random.cell(&grid), random.pick(&DIRECTIONS));
        rules.close_exit(cell, direction).unwrap();
    }
    if random.below(3) == 0 {
        let sides = [Direction::N, Direction::E]
            .into_iter()
            .take(random.below(3) as usize)
            .collect();
        rules.only_enter_from(random.cell(&grid), sides).unwrap();
    }
    for _ in 0..random.below(5) + 2 * u32::try_from(floors.len() - 1).unwrap() {
        let (from, to) = (random.cell(&grid), random.cell(&grid));
        if from != to {
            rules
                .add_portal(from, to, random.pick(&[0, 1, 9, 60, 5_000, 70_000_000]))
                .unwrap();
        }
    }
    let charges = (random.below(3) == 0).then(|| {
        let heights = (0..grid.len())
            .map(|_| random.pick(&[0.0, 0.1, 0.4, 0.9, 2.0]))
            .collect();
        let down = SlopeBands::new([
            SlopeBand { below: 0.5, extra: 0 },
            SlopeBand { below: 3.0, extra: 1 },
        ]);
        let rule = SlopeRule::new(SlopeBands::default()).with_down(down.unwrap());
        EdgeCharges::new(&HeightMap::new(grid.clone(), 1.0, heights, None).unwrap(), rule)
    });
    let profile = MovementProfile::new()
        .with_connectivity(random.pick(&[Connectivity::Four, Connectivity::Eight, Connectivity::Eight]))
        .with_corner_rule(random.pick(&[CornerRule::BothFree, CornerRule::OneFree, CornerRule::Always]))
        .with_charge(random.pick(&[Charge::Depart, Charge::Arrive, Charge::Mean]));
    let goals = (0..=random.below(3)).fold(GoalSet::new(), |set, _| {
        set.with_goal(Goal::cell(random.cell(&grid)).with_bias(random.pick(&[0, 0, 14, 100])))
    });
    World {
        costs,
        floors,
        rules,
        charges,
        profile,
        goals: goals.with_blocked_goals(thalweg_core::integrate::BlockedGoals::Skip),
    }
}

/// Every edge as `(from, to, cost)`, straight from the rules in words.
fn edges_of(world: &World) -> Vec<(u32, u32, u64)> {
    let grid = world.costs.grid().clone();
    let byte = |id: CellId| world.costs.bytes()[id.index()];
    let free = |id: CellId| byte(id) != 255;
    let extra = |id: CellId, direction: Direction| -> Option<u64> {
        let Some(charges) = &world.charges else {
            return Some(0);
        };
        match charges.extra(id, direction) {
            EdgeCharge::Extra(extra) => Some(u64::from(extra)),
            EdgeCharge::Closed => None,
        }
    };
    let closed = |id: CellId, direction: Direction| {
        world.rules.closed(id).contains(direction) || extra(id, direction).is_none()
    };
    let straight = |id: CellId, direction: Direction| -> Option<CellId> {
        let next = beside(&world.floors, id, direction)?;
        (free(id) && free(next) && !closed(id, direction)).then_some(next)
    };
    let mut edges = Vec::new();
    for id in grid.ids().filter(|&id| free(id)) {
        for direction in DIRECTIONS {
            let to = match direction.sides() {
                None => straight(id, direction),
                Some(_) if world.profile.connectivity == Connectivity::Four => None,
                Some((vertical, horizontal)) => beside(&world.floors, id, direction).filter(|&far| {
                    let detour = |first, second| {
                        straight(id, first).and_then(|side| straight(side, second)) == Some(far)
                    };
                    let (a, b) = (detour(vertical, horizontal), detour(horizontal, vertical));
                    free(far)
                        && !closed(id, direction)
                        && match world.profile.corner_rule {
                            CornerRule::BothFree => a && b,
                            CornerRule::OneFree => a || b,
                            CornerRule::Always => true,
                        }
                }),
            };
            let Some(to) = to else { continue };
            let length = if direction.is_diagonal() { 14 } else { 10 };
            let charge = match world.profile.charge {
                Charge::Depart => u64::from(byte(id)),
                Charge::Arrive => u64::from(byte(to)),
                Charge::Mean => u64::from(byte(id)) + u64::from(byte(to)),
            };
            let doubled = if world.profile.charge == Charge::Mean {
                2
            } else {
                1
            };
            edges.push((
                id.0,
                to.0,
                length * (charge + doubled * extra(id, direction).unwrap_or(0)),
            ));
        }
    }
    for portal in world.rules.portals() {
        if free(portal.from) && free(portal.to) {
            edges.push((portal.from.0, portal.to.0, u64::from(portal.cost)));
        }
    }
    edges
}

/// Cost and lowest goal index per cell.
fn solve(world: &World, edges: &[(u32, u32, u64)]) -> Vec<Option<(u64, u32)>> {
    let mut best = vec![None; world.costs.grid().len()];
    let mut queue = BinaryHeap::new();
    for (goal, index) in world.goals.goals().iter().zip(0u32..) {
        let id = world.costs.grid().id(goal.cells[0]).unwrap();
        if world.costs.bytes()[id.index()] != 255 {
            queue.push(Reverse((u64::from(goal.bias), index, id.0)));
        }
    }
    while let Some(Reverse((cost, goal, cell))) = queue.pop() {
        if best[cell as usize].is_some() {
            continue;
        }
        best[cell as usize] = Some((cost, goal));
        for &(from, to, step) in edges {
            if to == cell && best[from as usize].is_none() {
                queue.push(Reverse((cost + step, goal, from)));
            }
        }
    }
    best
}

#[test]
fn random_directed_maps_equal_a_search_over_listed_edges() {
    let rounds = if std::env::var_os("THALWEG_LONG").is_some() {
        100_000
    } else {
        3_000
    };
    let mut random = Random(0x00d1_2ec7_ed00);
    let mut scratch = IntegrateScratch::new();
    let (mut fields, mut with_portals, mut between_floors) = (0, 0, 0);
    for round in 0..rounds {
        let world = world(&mut random);
        let grid = world.costs.grid().clone();
        let inputs = EdgeInputs {
            rules: Some(&world.rules),
            charges: world.charges.as_ref(),
        };
        let movement = Movement::compile_edges(&world.costs, &inputs, &world.profile).unwrap();
        let Ok(goals) = world.goals.resolve(&movement) else {
            continue;
        };
        let edges = edges_of(&world);
        let wanted = solve(&world, &edges);
        let mut first: Option<IntegrationField> = None;
        for engine in [Engine::Heap, Engine::Buckets, Engine::Auto] {
            let mut field = IntegrationField::new(grid.clone());
            let options = IntegrateOptions::new().with_engine(engine);
            integrate(&movement, &goals, &options, &mut scratch, &mut field).unwrap();
            for id in grid.ids() {
                let got = match field.reach(id) {
                    Reach::Reached(cost) => Some((u64::from(cost.0), field.goal(id).unwrap())),
                    _ => None,
                };
                assert_eq!(
                    got,
                    wanted[id.index()],
                    "round {round}, {engine}, cell {}, {world:?}",
                    grid.cell(id)
                );
            }
            assert_eq!(
                *first.get_or_insert_with(|| field.clone()),
                field,
                "round {round}, {engine}"
            );
        }
        let field = first.unwrap();
        let mut flow = FlowField::new(grid.clone());
        extract(&movement, &field, &Serial, &mut FlowScratch::new(), &mut flow);
        if let Err(violation) = check_field(&movement, &field, &flow) {
            panic!(
                "round {round}: {violation}\n{}{world:?}",
                print_all(&world.costs, &field, &flow)
            );
        }
        // A cell is reached exactly if a goal can be reached from it, forwards.
        for id in grid.ids().filter(|&id| movement.is_passable(id)) {
            let forward = reachable_from(&movement, id);
            let some = goals.seeds().iter().any(|seed| forward.contains(seed.cell));
            assert_eq!(
                field.cost(id).is_some(),
                some,
                "round {round}: from {}",
                grid.cell(id)
            );
        }
        let components = Components::of(&movement).with_cut_points(&movement).unwrap();
        for id in grid.ids().filter(|&id| movement.is_passable(id)) {
            let forward = reachable_from(&movement, id);
            for other in grid.ids() {
                let can = movement.is_passable(other) && components.can_reach(id, other);
                assert_eq!(
                    can,
                    forward.contains(other),
                    "round {round}: {id:?} to {other:?}, {world:?}"
                );
            }
        }
        check_cut(&mut random, &world, &movement, &components);
        fields += 1;
        with_portals += usize::from(!world.rules.portals().is_empty());
        let floor = |id| grid.cell(id).layer;
        let crosses = |portal: &Portal| floor(portal.from) != floor(portal.to);
        between_floors += usize::from(world.rules.portals().iter().any(crosses));
    }
    assert!(
        fields > rounds / 2 && with_portals > rounds / 4 && between_floors > rounds / 8,
        "{fields} fields, {with_portals} with portals, {between_floors} between floors"
    );
}

/// What blocking a few cells cuts off, against blocking them and looking.
fn check_cut(random: &mut Random, world: &World, movement: &Movement, components: &Components) {
    let grid = world.costs.grid().clone();
    let cells: Vec<Cell> = (0..=random.below(3)).map(|_| random.cell(&grid)).collect();
    let report = components.would_cut_off(movement, &cells).unwrap();
    let mut blocked = world.costs.clone();
    for &cell in &cells {
        blocked.set(cell, thalweg_core::cost::Cost::IMPASSABLE).unwrap();
    }
    let inputs = EdgeInputs {
        rules: Some(&world.rules),
        charges: world.charges.as_ref(),
    };
    let after = Movement::compile_edges(&blocked, &inputs, &world.profile).unwrap();
    let cut = grid.ids().filter(|&id| after.is_passable(id)).any(|id| {
        let (was, is) = (reachable_from(movement, id), reachable_from(&after, id));
        grid.ids()
            .any(|other| after.is_passable(other) && was.contains(other) && !is.contains(other))
    });
    assert_eq!(
        report.cuts_anyone_off(),
        cut,
        "blocking {cells:?}: {report:?}, {world:?}"
    );
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let costs = thalweg_core::debug::print_costs(&self.costs);
        write!(
            f,
            "{:?}\n{:?}\n{:?}\n{costs}",
            self.profile, self.rules, self.goals
        )
    }
}

#[test]
fn without_rules_the_movement_stays_plain() {
    let costs = CostField::filled(Grid::new(3, 2).unwrap(), thalweg_core::cost::Cost::PLAIN);
    let profile = MovementProfile::new();
    let mut rules = EdgeRules::new(costs.grid().clone());
    let plain = Movement::compile_with(&costs, &rules, &profile).unwrap();
    assert!(plain.is_plain() && Engine::Layers.supports(&plain));
    rules.close_exit(Cell::new(1, 0), Direction::E).unwrap();
    let directed = Movement::compile_with(&costs, &rules, &profile).unwrap();
    assert!(!directed.is_plain() && !Engine::Layers.supports(&directed));
    rules.open_exit(Cell::new(1, 0), Direction::E).unwrap();
    assert_eq!(
        Movement::compile_with(&costs, &rules, &profile)
            .unwrap()
            .all_exits(),
        plain.all_exits()
    );
}

#[test]
fn rules_that_make_no_sense_are_refused() {
    let grid = Grid::new(3, 2).unwrap();
    let mut rules = EdgeRules::new(grid);
    let before = rules.clone();
    let (a, b) = (Cell::new(0, 0), Cell::new(2, 1));
    assert_eq!(
        rules.add_portal(a, a, 1),
        Err(EdgeRuleError::PortalToItself { cell: a })
    );
    let dear = MAX_PORTAL_COST + 1;
    assert_eq!(
        rules.add_portal(a, b, dear),
        Err(EdgeRuleError::PortalCost {
            from: a,
            to: b,
            cost: dear
        })
    );
    for error in [
        rules.add_portal(a, Cell::new(3, 0), 1).unwrap_err(),
        rules.close_exit(Cell::new(0, -1), Direction::N).unwrap_err(),
        rules
            .only_enter_from(Cell::new(0, 2), thalweg_core::grid::DirectionSet::EMPTY)
            .unwrap_err(),
    ] {
        assert!(
            error.to_string().contains("lies outside the map of 3 x 2 cells"),
            "{error}"
        );
    }
    assert_eq!(rules, before, "a refused rule changes nothing");
    let other = CostField::filled(Grid::new(2, 3).unwrap(), thalweg_core::cost::Cost::PLAIN);
    let error = Movement::compile_with(&other, &rules, &MovementProfile::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the edge rules are of the map of 3 x 2 cells that begins at (0,0), the costs of the map of 2 x 3 cells that begins at (0,0)"
    );
}

#[test]
fn slopes_charge_and_close_steps_in_the_direction_they_are_walked() {
    use thalweg_core::cost::Cost;

    // Four cells in a row; the third lies 0.5 higher than the second and 2.0 higher than the fourth.
    let grid = Grid::new(4, 1).unwrap();
    let heights = HeightMap::new(grid.clone(), 1.0, vec![0.0, 0.0, 0.5, -1.5], None).unwrap();
    // Downhill is free of charge up to a slope of 1.
    let down = SlopeBands::new([SlopeBand { below: 1.0, extra: 0 }]).unwrap();
    let charges = EdgeCharges::new(&heights, SlopeRule::new(SlopeBands::default()).with_down(down));
    let costs = CostField::filled(grid.clone(), Cost::PLAIN);
    let field_to = |goal: i32, charge: Charge| {
        let profile = MovementProfile::new().with_charge(charge);
        let edges = EdgeInputs {
            rules: None,
            charges: Some(&charges),
        };
        let movement = Movement::compile_edges(&costs, &edges, &profile).unwrap();
        let goals = GoalSet::from_cells([Cell::new(goal, 0)])
            .resolve(&movement)
            .unwrap();
        let mut fields = [Engine::Heap, Engine::Buckets].map(|engine| {
            let mut field = IntegrationField::new(grid.clone());
            let options = IntegrateOptions::new().with_engine(engine);
            integrate(
                &movement,
                &goals,
                &options,
                &mut IntegrateScratch::new(),
                &mut field,
            )
            .unwrap();
            let mut flow = FlowField::new(grid.clone());
            extract(&movement, &field, &Serial, &mut FlowScratch::new(), &mut flow);
            check_field(&movement, &field, &flow).unwrap();
            field
        });
        assert_eq!(fields[0], fields[1]);
        let field = std::mem::replace(&mut fields[0], IntegrationField::new(grid.clone()));
        grid.ids()
            .map(|id| field.cost(id).map(|cost| cost.0))
            .collect::<Vec<_>>()
    };
    // A slope of 0.5 adds 3 to the charge of that step; one of 2.0 cannot be walked.
    assert_eq!(
        field_to(2, Charge::Depart),
        [Some(10 + 40), Some(40), Some(0), None]
    );
    assert_eq!(
        field_to(0, Charge::Depart),
        [Some(0), Some(10), Some(20), None],
        "down is cheaper than up"
    );
    // The mean is charged in doubled units, the extra with it.
    assert_eq!(
        field_to(2, Charge::Mean),
        [Some(20 + 80), Some(80), Some(0), None]
    );
}

/// Found by the long run: a diagonal whose only way back is a portal goes when its side cell is blocked; the portal stays.
#[test]
fn a_portal_is_no_way_back_for_a_diagonal_when_cells_are_blocked() {
    use thalweg_core::cost::Cost;
    let grid = Grid::new(2, 2).unwrap();
    let costs = CostField::from_bytes(grid.clone(), vec![1, 1, 255, 1]).unwrap();
    let mut rules = EdgeRules::new(grid);
    rules.close_exit(Cell::new(1, 1), Direction::NW).unwrap();
    rules.add_portal(Cell::new(1, 1), Cell::new(0, 0), 5).unwrap();
    let profile = MovementProfile::new().with_corner_rule(CornerRule::OneFree);
    let movement = Movement::compile_with(&costs, &rules, &profile).unwrap();
    let components = Components::of(&movement).with_cut_points(&movement).unwrap();
    assert!(components.can_reach(CellId(0), CellId(3)), "by the diagonal");
    let report = components.would_cut_off(&movement, &[Cell::new(1, 0)]).unwrap();
    assert!(
        report.cuts_anyone_off(),
        "the diagonal goes with its free side: {report:?}"
    );
    assert_eq!(costs.get(CellId(1)), Some(Cost::PLAIN));
}
