//! Bodies of several cells and discs: every anchor's costs, steps and states equal an oracle that lays the body over every
//! cell, under random walls, unknown ground, borders, slopes and portals; and turned maps give turned answers.
//!
//! Many more worlds: `THALWEG_LONG=1 cargo test -p thalweg-core --release --test footprints -- --nocapture`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use thalweg_core::check::check_field;
use thalweg_core::components::Components;
use thalweg_core::cost::{Cost, CostField, EdgeCharges, HeightMap, SlopeBand, SlopeBands, SlopeRule};
use thalweg_core::flow::{FlowField, FlowScratch, extract};
use thalweg_core::grid::{Cell, CellId, DIRECTIONS, DirectionSet, Grid};
use thalweg_core::integrate::{
    BlockedGoals, Engine, Goal, GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, Reach,
    integrate, reachable_from,
};
use thalweg_core::movement::{
    Charge, Connectivity, CornerRule, EdgeInputs, EdgeKind, EdgeRules, Footprint, Movement, MovementProfile,
};
use thalweg_core::route::{RouteError, RouteOptions, RouteScratch, find_route};
use thalweg_core::workers::Serial;
use thalweg_testkit::body::{BodyOracle, Under};
use thalweg_testkit::cases::say;
use thalweg_testkit::random_map::SplitMix64;
use thalweg_testkit::symmetry::Symmetry;

/// How often a sweep runs: more when `THALWEG_LONG` is set.
fn rounds(short: u64) -> u64 {
    if std::env::var_os("THALWEG_LONG").is_some() {
        short * 20
    } else {
        short
    }
}

const BODIES: [&str; 13] = [
    "point",
    "square:1",
    "square:2",
    "square:3",
    "rectangle:2x1",
    "rectangle:1x3",
    "rectangle:3x2",
    "disc:0.3",
    "disc:0.5",
    "disc:0.7",
    "disc:0.8",
    "disc:1.2",
    "disc:1.6",
];

struct World {
    costs: CostField,
    rules: EdgeRules,
    charges: Option<EdgeCharges>,
    profile: MovementProfile,
    goals: Vec<Goal>,
}

impl World {
    fn draw(seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let first = random.pick(&[Cell::new(0, 0), Cell::new(0, 0), Cell::new(-7, 4)]);
        let grid = Grid::with_first_cell(1 + random.below(13), 1 + random.below(13), first).unwrap();
        let walls = random.pick(&[0, 3, 6, 12, 25]);
        let unknown = random.pick(&[0, 0, 3, 8]);
        let palette: &[u8] = random.pick(&[&[1][..], &[1, 2, 3, 9], &[0, 1, 7], &[0], &[3, 254], &[40]]);
        let mut costs = CostField::filled(grid.clone(), Cost::PLAIN);
        for id in grid.ids() {
            let cell = grid.cell(id);
            let cost = if random.percent(walls) {
                Cost::IMPASSABLE
            } else {
                Cost::from_byte(random.pick(palette))
            };
            costs.set(cell, cost).unwrap();
            if random.percent(unknown) {
                costs.set_unknown(cell).unwrap();
            }
        }
        let any = |random: &mut SplitMix64| grid.cell(CellId(random.below(grid.width() * grid.height())));
        let mut rules = EdgeRules::new(grid.clone());
        if random.percent(60) {
            for _ in 0..random.below(10) {
                let (cell, direction) = (any(&mut random), random.pick(&DIRECTIONS));
                rules.close_exit(cell, direction).unwrap();
            }
            for _ in 0..random.below(4) {
                let (from, to) = (any(&mut random), any(&mut random));
                if from != to {
                    rules.add_portal(from, to, random.pick(&[0, 5, 60, 900])).unwrap();
                }
            }
        }
        let charges = random.percent(30).then(|| {
            let heights = (0..grid.len())
                .map(|_| random.pick(&[0.0, 0.0, 0.1, 0.4, 0.9, 1.2]))
                .collect();
            let down = SlopeBands::new([
                SlopeBand { below: 0.5, extra: 0 },
                SlopeBand { below: 3.0, extra: 2 },
            ]);
            let rule = SlopeRule::new(SlopeBands::default()).with_down(down.unwrap());
            EdgeCharges::new(&HeightMap::new(grid.clone(), 1.0, heights, None).unwrap(), rule)
        });
        let profile = MovementProfile::new()
            .with_connectivity(random.pick(&[Connectivity::Four, Connectivity::Eight, Connectivity::Eight]))
            .with_corner_rule(random.pick(&[CornerRule::BothFree, CornerRule::OneFree, CornerRule::Always]))
            .with_charge(random.pick(&[Charge::Depart, Charge::Arrive, Charge::Mean]))
            .with_footprint(random.pick(&BODIES).parse().unwrap());
        let goals = (0..=random.below(3))
            .map(|_| Goal {
                cells: (0..=random.below(3)).map(|_| any(&mut random)).collect(),
                bias: random.pick(&[0, 0, 14, 100]),
            })
            .collect();
        Self {
            costs,
            rules,
            charges,
            profile,
            goals,
        }
    }

    fn edges(&self) -> EdgeInputs<'_> {
        EdgeInputs {
            rules: Some(&self.rules),
            charges: self.charges.as_ref(),
        }
    }

    fn movement(&self) -> Movement {
        Movement::compile_edges(&self.costs, &self.edges(), &self.profile).unwrap()
    }

    fn oracle(&self) -> BodyOracle<'_> {
        BodyOracle::new(&self.costs, self.edges(), &self.profile)
    }

    fn goal_set(&self) -> GoalSet {
        let goals = self.goals.iter().cloned();
        goals
            .fold(GoalSet::new(), GoalSet::with_goal)
            .with_blocked_goals(BlockedGoals::Skip)
    }

    /// Cost and lowest goal index per anchor.
    fn solve(&self) -> Vec<Option<(u64, u32)>> {
        let mut against = vec![Vec::new(); self.costs.grid().len()];
        for (from, to, cost) in self.oracle().edges() {
            against[to as usize].push((from, cost));
        }
        let mut queue = BinaryHeap::new();
        for (goal, index) in self.goals.iter().zip(0u32..) {
            for &cell in &goal.cells {
                for anchor in self.oracle().anchors_meeting(cell) {
                    queue.push(Reverse((u64::from(goal.bias), index, anchor.0)));
                }
            }
        }
        let mut best = vec![None; self.costs.grid().len()];
        while let Some(Reverse((cost, goal, anchor))) = queue.pop() {
            if best[anchor as usize].is_none() {
                best[anchor as usize] = Some((cost, goal));
                let next = against[anchor as usize].iter();
                queue.extend(next.map(|&(from, step)| Reverse((cost + step, goal, from))));
            }
        }
        best
    }
}

fn solved(world: &World, movement: &Movement, engine: Engine) -> Option<(IntegrationField, FlowField)> {
    let goals = world.goal_set().resolve(movement).ok()?;
    let mut field = IntegrationField::new(movement.grid().clone());
    let options = IntegrateOptions::new().with_engine(engine);
    integrate(
        movement,
        &goals,
        &options,
        &mut IntegrateScratch::new(),
        &mut field,
    )
    .unwrap();
    let mut flow = FlowField::new(movement.grid().clone());
    extract(movement, &field, &Serial, &mut FlowScratch::new(), &mut flow);
    check_field(movement, &field, &flow).unwrap();
    Some((field, flow))
}

#[test]
fn every_anchor_has_the_cost_state_and_steps_of_the_oracle() {
    let (mut anchors, mut steps, mut fields, mut reached, mut unknown) = (0, 0, 0, 0, 0);
    for seed in 0..rounds(2_500) {
        let world = World::draw(seed + 60_000_000);
        let (movement, oracle) = (world.movement(), world.oracle());
        let grid = movement.grid().clone();
        let context = || format!("seed {seed} {:?}", world.profile);
        let mut entering = vec![Vec::new(); grid.len()];
        for id in grid.ids() {
            let cell = grid.cell(id);
            let (cost, known) = match oracle.under(id) {
                Under::Free(cost) => (cost, true),
                Under::Wall => (255, true),
                Under::Unknown => (255, false),
            };
            assert_eq!(movement.costs()[id.index()], cost, "{} {cell}", context());
            assert_eq!(movement.is_known(id), known, "{} {cell}", context());
            assert_eq!(
                movement.ground_costs()[id.index()],
                world.costs.bytes()[id.index()]
            );
            assert_eq!(movement.is_ground_known(id), world.costs.is_known(id));
            let wanted = oracle.steps(id);
            let directions: DirectionSet = wanted.iter().map(|&(direction, ..)| direction).collect();
            assert_eq!(movement.exits(id), directions, "{} {cell}", context());
            for (direction, to, cost) in wanted {
                assert_eq!(
                    movement.step_cost(id, direction).map(u64::from),
                    Some(cost),
                    "{} {cell}",
                    context()
                );
                entering[to.index()].push((direction, id));
                steps += 1;
            }
            anchors += 1;
            unknown += usize::from(!known);
        }
        for id in grid.ids() {
            let mut got: Vec<_> = movement
                .edges_into(id)
                .filter_map(|edge| match edge.kind {
                    EdgeKind::Step(direction) => Some((direction, edge.other)),
                    _ => None,
                })
                .collect();
            got.sort_unstable();
            entering[id.index()].sort_unstable();
            assert_eq!(got, entering[id.index()], "{} into {}", context(), grid.cell(id));
        }
        let wanted = world.solve();
        for engine in [Engine::Heap, Engine::Buckets, Engine::Layers] {
            if !engine.supports(&movement) {
                continue;
            }
            let Some((field, _)) = solved(&world, &movement, engine) else {
                assert!(wanted.iter().all(Option::is_none), "{}", context());
                continue;
            };
            fields += 1;
            for id in grid.ids() {
                let expected = wanted[id.index()];
                let got = match field.reach(id) {
                    Reach::Reached(cost) => Some((u64::from(cost.0), field.goal(id).unwrap())),
                    Reach::Unreachable => {
                        assert!(oracle.under(id) != Under::Unknown, "{}", context());
                        None
                    }
                    Reach::Unknown => {
                        assert_eq!(oracle.under(id), Under::Unknown, "{}", context());
                        None
                    }
                };
                assert_eq!(got, expected, "{} {engine} {}", context(), grid.cell(id));
                reached += usize::from(got.is_some());
            }
        }
    }
    say(&format!(
        "footprints: {anchors} anchors ({unknown} unknown), {steps} steps, {fields} fields, {reached} reached"
    ));
    assert!(steps > 100_000 && fields > 2_000 && reached > 50_000 && unknown > 5_000);
}

/// The anchor of the image of a body, given the image of the map.
fn image_anchor(symmetry: Symmetry, sides: (u32, u32), body: Footprint, anchor: Cell) -> Cell {
    let far = match body {
        Footprint::Rectangle(body) => (body.width().cast_signed() - 1, body.height().cast_signed() - 1),
        _ => (0, 0),
    };
    let one = symmetry.cell(sides.0, sides.1, anchor);
    let other = symmetry.cell(sides.0, sides.1, Cell::new(anchor.x + far.0, anchor.y + far.1));
    Cell::new(one.x.min(other.x), one.y.min(other.y))
}

#[test]
fn a_turned_or_mirrored_map_gives_the_turned_field_of_the_turned_body() {
    let mut compared = 0;
    for seed in 0..rounds(400) {
        let mut world = World::draw(seed + 61_000_000);
        if world.costs.grid().first_cell() != Cell::new(0, 0) {
            continue;
        }
        world.charges = None;
        let grid = world.costs.grid().clone();
        let sides = (grid.width(), grid.height());
        let body = world.profile.footprint;
        let movement = world.movement();
        let original = solved(&world, &movement, Engine::Auto);
        for symmetry in Symmetry::all() {
            let image_body = match body {
                Footprint::Rectangle(body) if symmetry.swap => {
                    Footprint::rectangle(body.height(), body.width()).unwrap()
                }
                other => other,
            };
            let to_image = |cell: Cell| image_anchor(symmetry, sides, body, cell);
            let costs = symmetry.map(&world.costs);
            let mut rules = EdgeRules::new(costs.grid().clone());
            for id in grid.ids() {
                for direction in world.rules.closed(id) {
                    let cell = symmetry.cell(sides.0, sides.1, grid.cell(id));
                    rules.close_exit(cell, symmetry.direction(direction)).unwrap();
                }
            }
            for (_, portal) in world.rules.portals() {
                // Portals join anchors; one that no body can use has no image if its anchor's image is off the map.
                let ends = [portal.from, portal.to].map(|end| to_image(grid.cell(end)));
                if ends.iter().all(|&end| costs.grid().contains(end)) {
                    rules.add_priced_portal(ends[0], ends[1], portal.cost).unwrap();
                }
            }
            let image = World {
                rules,
                charges: None,
                profile: world.profile.with_footprint(image_body),
                goals: world
                    .goals
                    .iter()
                    .map(|goal| Goal {
                        cells: goal
                            .cells
                            .iter()
                            .map(|&cell| symmetry.cell(sides.0, sides.1, cell))
                            .collect(),
                        bias: goal.bias,
                    })
                    .collect(),
                costs,
            };
            let image_movement = image.movement();
            let turned = solved(&image, &image_movement, Engine::Auto);
            assert_eq!(
                original.is_some(),
                turned.is_some(),
                "seed {seed} {symmetry:?} {body}"
            );
            for id in grid.ids().filter(|&id| movement.is_passable(id)) {
                let to = image.costs.grid().id(to_image(grid.cell(id))).unwrap();
                let context = || format!("seed {seed} {symmetry:?} {:?} {}", world.profile, grid.cell(id));
                assert_eq!(
                    movement.costs()[id.index()],
                    image_movement.costs()[to.index()],
                    "{}",
                    context()
                );
                let exits = symmetry.directions(movement.exits(id));
                assert_eq!(exits, image_movement.exits(to), "{}", context());
                let (Some((field, flow)), Some((image_field, image_flow))) = (&original, &turned) else {
                    continue;
                };
                assert_eq!(field.reach(id), image_field.reach(to), "{}", context());
                assert_eq!(field.goal(id), image_field.goal(to), "{}", context());
                let successors = symmetry.directions(flow.successors(id));
                assert_eq!(successors, image_flow.successors(to), "{}", context());
                compared += 1;
            }
        }
    }
    assert!(compared > 20_000, "only {compared} anchors compared");
}

#[test]
fn a_route_of_a_body_costs_what_its_field_says_and_takes_the_same_steps() {
    let (mut found, mut refused) = (0, 0);
    let (mut scratch, mut path) = (RouteScratch::new(), Vec::new());
    for seed in 0..rounds(400) {
        let world = World::draw(seed + 62_000_000);
        let movement = world.movement();
        let grid = movement.grid().clone();
        let goal = world.goals[0].cells[0];
        let alone = World {
            goals: vec![Goal::cell(goal)],
            ..world
        };
        let field = solved(&alone, &movement, Engine::Auto);
        let met = alone.oracle().anchors_meeting(goal);
        assert_eq!(movement.anchors_meeting(goal), met, "seed {seed}");
        for id in grid.ids().filter(|&id| movement.is_passable(id)) {
            let got = find_route(
                &movement,
                grid.cell(id),
                goal,
                &RouteOptions::new(),
                &mut scratch,
                &mut path,
            );
            let Some((field, flow)) = &field else {
                assert_eq!(got, Err(RouteError::GoalBlocked(goal)), "seed {seed}");
                refused += 1;
                continue;
            };
            match field.cost(id) {
                None => assert_eq!(got, Err(RouteError::Unreachable), "seed {seed}"),
                Some(cost) => {
                    assert_eq!(
                        got.map(|route| route.cost),
                        Ok(cost),
                        "seed {seed} {}",
                        grid.cell(id)
                    );
                    assert!(met.contains(path.last().unwrap()), "seed {seed}");
                    if !movement.has_zero_steps() {
                        for pair in path.windows(2) {
                            let step = flow
                                .direction(pair[0])
                                .and_then(|direction| movement.step_target(pair[0], direction));
                            assert!(step.is_none_or(|step| step == pair[1]), "seed {seed}");
                        }
                    }
                    found += 1;
                }
            }
        }
    }
    assert!(found > 5_000 && refused > 500, "{found} found, {refused} refused");
}

/// Which anchors each anchor reaches, itself included.
fn reaches(movement: &Movement) -> Vec<Vec<bool>> {
    let ids = movement.grid().ids();
    ids.map(|id| {
        let reached = reachable_from(movement, id);
        movement.grid().ids().map(|to| reached.contains(to)).collect()
    })
    .collect()
}

#[test]
fn what_blocking_ground_would_cut_off_a_body_is_what_compiling_it_blocked_shows() {
    let (mut cut, mut whole, mut directed) = (0, 0, 0);
    for seed in 0..rounds(1_500) {
        let world = World::draw(seed + 63_000_000);
        let mut random = SplitMix64::new(seed);
        let movement = world.movement();
        let grid = movement.grid().clone();
        let components = Components::of(&movement).with_cut_points(&movement).unwrap();
        let cells: Vec<Cell> = (0..=random.below(3))
            .map(|_| grid.cell(CellId(random.below(grid.width() * grid.height()))))
            .collect();
        let report = components.would_cut_off(&movement, &cells).unwrap();
        let mut costs = world.costs.clone();
        for &cell in &cells {
            costs.set(cell, Cost::IMPASSABLE).unwrap();
        }
        let walled = Movement::compile_edges(&costs, &world.edges(), &world.profile).unwrap();
        let gone = grid
            .ids()
            .filter(|&id| movement.is_passable(id) && !walled.is_passable(id));
        let context = || format!("seed {seed} {:?} {cells:?}", world.profile);
        assert_eq!(report.blocked, gone.count(), "{}", context());
        let (before, after) = (reaches(&movement), reaches(&walled));
        let free: Vec<usize> = grid
            .ids()
            .filter(|&id| walled.is_passable(id))
            .map(CellId::index)
            .collect();
        let lost = free
            .iter()
            .any(|&from| free.iter().any(|&to| before[from][to] && !after[from][to]));
        assert_eq!(report.cuts_anyone_off(), lost, "{}", context());
        if lost {
            cut += 1;
        } else {
            whole += 1;
        }
        directed += usize::from(lost && !components.is_symmetric());
    }
    assert!(
        cut > 100 && whole > 500 && directed > 20,
        "{cut} cut, {whole} whole, {directed} directed"
    );
}
