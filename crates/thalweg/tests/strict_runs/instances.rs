//! Maps and agents for runs, and a run with its judge.

use std::path::PathBuf;
use thalweg::core::components::Components;
use thalweg::core::cost::{Cost, CostField};
use thalweg::core::grid::{Cell, CellId, Grid};
use thalweg::core::movement::{Connectivity, Movement, MovementProfile};
use thalweg::core::workers::Serial;
use thalweg::crowd::strict::{ConflictRules, StrictOptions};
use thalweg::mapf::{MapfAgent, MapfOptions, MapfRun, MapfTasks, MapfWorld, body_of};
use thalweg::plan_check::{PlanCheck, PlanVerdict};
use thalweg_testkit::cases::{data_folder, skipped};

/// A map with its name.
pub(crate) struct TestMap {
    pub(crate) name: String,
    pub(crate) costs: CostField,
}

/// A file of the public MAPF maps; says so where it is not there.
pub(crate) fn shared_file(name: &str) -> Option<PathBuf> {
    let path = data_folder().map(|folder| folder.join("mapf").join(name));
    let path = path.filter(|path| path.is_file());
    if path.is_none() {
        skipped(&format!("mapf/{name}"));
    }
    path
}

/// A public MAPF map.
pub(crate) fn shared_map(name: &str) -> Option<TestMap> {
    let path = shared_file(&format!("{name}.map"))?;
    let loaded = thalweg_io::load_map(&path).expect("a public map");
    Some(TestMap {
        name: name.to_owned(),
        costs: loaded.costs,
    })
}

/// A map of our own: whatever the closure calls a wall.
pub(crate) fn drawn_map(name: &str, width: u32, height: u32, is_wall: impl Fn(u32, u32) -> bool) -> TestMap {
    let grid = Grid::new(width, height).expect("a small grid");
    let mut costs = CostField::filled(grid.clone(), Cost::PLAIN);
    for id in grid.ids() {
        let cell = grid.cell(id);
        if is_wall(cell.x.cast_unsigned(), cell.y.cast_unsigned()) {
            costs.write(id, Some(Cost::IMPASSABLE));
        }
    }
    TestMap {
        name: name.to_owned(),
        costs,
    }
}

/// Numbers that look drawn (`SplitMix64`; Steele, Lea and Flood 2014).
pub(crate) struct Draws(pub(crate) u64);

impl Draws {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((bits ^ (bits >> 31)) >> 32) as usize * bound) >> 32
    }

    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}

/// Who runs where, and by which rules.
pub(crate) struct Setting {
    pub(crate) neighbours: Connectivity,
    pub(crate) rules: ConflictRules,
    /// Whether some bodies are of 2 x 2 cells.
    pub(crate) has_large: bool,
    /// Whether steps of some take 2 or 3 ticks.
    pub(crate) has_slow: bool,
    /// The part of the free cells that bodies cover, in percent.
    pub(crate) percent: usize,
}

/// Puts agents on free cells until they cover so much, larger bodies first, and draws a goal for each among the places.
pub(crate) fn populate(map: &TestMap, setting: &Setting, places: usize, draws: &mut Draws) -> Population {
    let grid = map.costs.grid();
    let free = |id: CellId| map.costs.get(id).is_some_and(Cost::is_passable);
    let mut ids: Vec<CellId> = grid.ids().filter(|&id| free(id)).collect();
    let (wanted, cells) = ((ids.len() * setting.percent / 100).max(1), ids.len());
    let sides: &[u8] = if setting.has_large { &[2, 1] } else { &[1] };
    let mut taken = vec![false; grid.len()];
    let (mut agents, mut covered, mut goals) = (Vec::new(), 0, Vec::new());
    for &side in sides {
        let profile = MovementProfile::new()
            .with_connectivity(setting.neighbours)
            .with_footprint(body_of(side).expect("a small body"));
        let movement = Movement::compile(&map.costs, &profile);
        let components = Components::of(&movement);
        draws.shuffle(&mut ids);
        let anchors: Vec<CellId> = ids
            .iter()
            .copied()
            .filter(|&id| movement.is_passable(id))
            .collect();
        let mine = &anchors[..anchors.len().min(places)];
        goals.extend(mine.iter().map(|&id| grid.cell(id)));
        draws.shuffle(&mut ids);
        // Large bodies take a third of what is taken.
        let limit = if side > 1 { wanted / 3 } else { wanted };
        for &id in &ids {
            if covered >= limit {
                break;
            }
            if !movement.is_passable(id) {
                continue;
            }
            let at = grid.cell(id);
            let side_cells = i32::from(side);
            let body = (0..side_cells).flat_map(|dy| (0..side_cells).map(move |dx| (dx, dy)));
            let body: Vec<usize> = body
                .filter_map(|(dx, dy)| grid.id(Cell::new(at.x + dx, at.y + dy)))
                .map(CellId::index)
                .collect();
            if body.iter().any(|&cell| taken[cell]) {
                continue;
            }
            let reachable: Vec<CellId> = mine
                .iter()
                .copied()
                .filter(|&goal| components.can_reach(id, goal))
                .collect();
            if reachable.is_empty() {
                continue;
            }
            for &cell in &body {
                taken[cell] = true;
            }
            covered += body.len();
            let goal = grid.cell(reachable[draws.below(reachable.len())]);
            let pace = if setting.has_slow { 1 + draws.below(3) } else { 1 };
            agents.push(
                MapfAgent::new(at, goal)
                    .with_side(side)
                    .with_pace(u8::try_from(pace).unwrap_or(1)),
            );
        }
    }
    goals.sort_unstable();
    goals.dedup();
    Population {
        agents,
        goals,
        covered: covered * 100 / cells,
    }
}

/// Agents and where they may be sent.
pub(crate) struct Population {
    pub(crate) agents: Vec<MapfAgent>,
    pub(crate) goals: Vec<Cell>,
    /// Percent of the free cells that they cover.
    pub(crate) covered: usize,
}

/// What a run came to.
pub(crate) struct Came {
    pub(crate) verdict: PlanVerdict,
    pub(crate) tasks_done: usize,
    pub(crate) ticks: u32,
    pub(crate) longest_wait: u32,
    pub(crate) is_done: bool,
    pub(crate) lower_bounds: u64,
}

/// Runs an instance for so many ticks, or to its end, then judges it line by line. Tasks are known only at the end, so the
/// lines are kept until then.
pub(crate) fn run_and_judge(
    map: &TestMap,
    setting: &Setting,
    strict: StrictOptions,
    agents: Vec<MapfAgent>,
    tasks: Option<MapfTasks>,
    ticks: u32,
) -> Came {
    let options = MapfOptions::new().with_neighbours(setting.neighbours);
    let further = tasks.as_ref().map(MapfTasks::goals).unwrap_or_default();
    let world = MapfWorld::new(&map.costs, None, &options, agents, &further, &Serial)
        .unwrap_or_else(|error| panic!("{}: {error}", map.name));
    let bound = |(index, agent): (usize, &MapfAgent)| {
        let (costs, _) = world.field(index, agent.goal)?;
        let steps = costs.cost(map.costs.grid().id(agent.start)?)?;
        Some(u64::from(steps.0) * u64::from(agent.pace))
    };
    let lower_bounds = world.agents().iter().enumerate().filter_map(bound).sum();
    let mut run = MapfRun::new(&world, strict, tasks).expect("options in range");
    let mut lines: Vec<Cell> = run.cells().to_vec();
    let mut longest_wait = 0;
    while run.tick() < ticks && !run.is_done() {
        let tick = run.step(&Serial).expect("a world that does not change");
        longest_wait = longest_wait.max(tick.report.longest_wait);
        lines.extend_from_slice(run.cells());
    }
    // Those of agents that begin on their goals are done before the first tick.
    let tasks_done = run.tasks().iter().filter(|task| task.reached.is_some()).count();
    let planned = run.planned();
    assert_eq!(
        (planned.following, planned.squeezing),
        (setting.rules.following, setting.rules.squeezing)
    );
    let movements: Vec<&Movement> = world.movements().iter().collect();
    let mut check = PlanCheck::new(&movements, planned).expect("a plan of this map");
    let mut line = Vec::new();
    for cells in lines.chunks(world.agents().len()) {
        line.clear();
        line.extend(cells.iter().copied().map(Some));
        check.tick(&line).expect("a whole line");
    }
    Came {
        verdict: check.finish(),
        tasks_done,
        ticks: run.tick(),
        longest_wait,
        is_done: run.is_done(),
        lower_bounds,
    }
}
