//! Small maps as pictures, plans as lines of cells.

use thalweg::core::cost::{Cost, CostField};
use thalweg::core::grid::{Cell, Grid};
use thalweg::core::movement::{Connectivity, EdgeRules, Footprint, Movement, MovementProfile};
use thalweg::plan_check::{ConflictKind, PlanCheck, PlanVerdict, PlannedAgent, PlannedRun, PlannedTask};

/// A plan under test.
pub(crate) struct Case {
    pub(crate) costs: CostField,
    pub(crate) neighbours: Connectivity,
    pub(crate) portals: Vec<(Cell, Cell)>,
    pub(crate) run: PlannedRun,
    pub(crate) lines: Vec<Vec<Option<Cell>>>,
}

/// One picture a layer: `#` is a wall, everything else plain ground.
pub(crate) fn layers(pictures: &[&str]) -> CostField {
    let mut grids = Vec::new();
    let mut walls = Vec::new();
    for (layer, picture) in (0..).zip(pictures) {
        let rows: Vec<&str> = picture.split_whitespace().collect();
        let (width, height) = (rows[0].len(), rows.len());
        grids.push(Grid::new(width.try_into().unwrap(), height.try_into().unwrap()).expect("a small grid"));
        for (y, row) in (0..).zip(&rows) {
            assert_eq!(row.len(), width, "rows of one length");
            for (x, letter) in (0..).zip(row.chars()) {
                if letter == '#' {
                    walls.push(Cell::on(layer, x, y));
                }
            }
        }
    }
    let grid = Grid::stacked(&grids).expect("small grids");
    let mut costs = CostField::filled(grid, Cost::PLAIN);
    for wall in walls {
        costs.set(wall, Cost::IMPASSABLE).expect("a cell of the map");
    }
    costs
}

/// `x,y` or `x,y,layer`, `-` for somebody who has left.
fn cell(text: &str) -> Option<Cell> {
    if text == "-" {
        return None;
    }
    let numbers: Vec<i32> = text
        .split(',')
        .map(|number| number.parse().expect("a number"))
        .collect();
    let layer = numbers.get(2).copied().unwrap_or(0);
    Some(Cell::on(
        layer.try_into().expect("a layer"),
        numbers[0],
        numbers[1],
    ))
}

impl Case {
    /// Eight neighbours on plain ground of 6 × 6, one line of text per tick.
    pub(crate) fn new(plan: &str) -> Self {
        Self::on(&["...... ...... ...... ...... ...... ......"], plan)
    }

    pub(crate) fn on(pictures: &[&str], plan: &str) -> Self {
        let lines: Vec<Vec<Option<Cell>>> = plan
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .map(|line| line.split_whitespace().map(cell).collect())
            .collect();
        let agents = vec![PlannedAgent::new(); lines[0].len()];
        Self {
            costs: layers(pictures),
            neighbours: Connectivity::Eight,
            portals: Vec::new(),
            run: PlannedRun {
                agents,
                ..PlannedRun::new()
            },
            lines,
        }
    }

    pub(crate) fn four(mut self) -> Self {
        self.neighbours = Connectivity::Four;
        self
    }

    pub(crate) fn sides(mut self, sides: &[u8]) -> Self {
        for (agent, &side) in self.run.agents.iter_mut().zip(sides) {
            agent.side = side;
        }
        self
    }

    pub(crate) fn paces(mut self, paces: &[u8]) -> Self {
        for (agent, &pace) in self.run.agents.iter_mut().zip(paces) {
            agent.pace = pace;
        }
        self
    }

    pub(crate) fn goals(mut self, goals: &str) -> Self {
        for (agent, goal) in self.run.agents.iter_mut().zip(goals.split_whitespace()) {
            agent.goal = cell(goal);
        }
        self
    }

    pub(crate) fn starts(mut self, starts: &str) -> Self {
        for (agent, start) in self.run.agents.iter_mut().zip(starts.split_whitespace()) {
            agent.start = cell(start);
        }
        self
    }

    pub(crate) fn solved(mut self) -> Self {
        self.run.solved = true;
        self
    }

    pub(crate) fn without_following(mut self) -> Self {
        self.run.following = false;
        self
    }

    pub(crate) fn squeezing(mut self) -> Self {
        self.run.squeezing = true;
        self
    }

    pub(crate) fn left(mut self, agent: usize, tick: u32) -> Self {
        self.run.agents[agent].left = Some(tick);
        self
    }

    pub(crate) fn task(mut self, agent: u32, from: u32, goal: &str, reached: Option<u32>) -> Self {
        self.run.tasks.push(PlannedTask {
            agent,
            from,
            goal: cell(goal).expect("a goal"),
            reached,
        });
        self
    }

    /// A portal there and one back.
    pub(crate) fn portal(mut self, one: &str, other: &str) -> Self {
        let (one, other) = (cell(one).unwrap(), cell(other).unwrap());
        self.portals.extend([(one, other), (other, one)]);
        self
    }

    pub(crate) fn verdict(&self) -> PlanVerdict {
        let grid = self.costs.grid();
        let mut rules = EdgeRules::new(grid.clone());
        for &(from, to) in &self.portals {
            rules.add_portal(from, to, 1).expect("a legal portal");
        }
        let movements: Vec<Movement> = (1..=4)
            .map(|side| {
                let footprint = if side == 1 {
                    Footprint::Point
                } else {
                    Footprint::square(side).unwrap()
                };
                let profile = MovementProfile::new()
                    .with_connectivity(self.neighbours)
                    .with_footprint(footprint);
                Movement::compile_with(&self.costs, &rules, &profile).expect("legal rules")
            })
            .collect();
        let movements: Vec<&Movement> = movements.iter().collect();
        let mut check = PlanCheck::new(&movements, self.run.clone()).expect("a plan that can be judged");
        for line in &self.lines {
            check.tick(line).expect("lines of one length");
        }
        check.finish()
    }

    #[track_caller]
    pub(crate) fn is_right(&self) -> PlanVerdict {
        let verdict = self.verdict();
        assert!(verdict.is_valid(), "{:?}", verdict.conflicts);
        assert!(verdict.conflicts.is_empty());
        verdict
    }

    /// The conflicts are exactly these: kind, tick, who, with whom, where.
    #[track_caller]
    pub(crate) fn has(&self, wanted: &[(ConflictKind, u32, u32, Option<u32>, &str)]) {
        let verdict = self.verdict();
        let told: Vec<_> = verdict
            .conflicts
            .iter()
            .map(|told| (told.kind, told.tick, told.agent, told.other, told.cell))
            .collect();
        let wanted: Vec<_> = wanted
            .iter()
            .map(|&(kind, tick, agent, other, at)| (kind, tick, agent, other, cell(at).unwrap()))
            .collect();
        assert_eq!(told, wanted);
        assert_eq!(verdict.total(), wanted.len() as u64);
    }

    /// Some conflict of this kind between these two is there.
    #[track_caller]
    pub(crate) fn names(&self, kind: ConflictKind, pair: (u32, u32)) {
        let verdict = self.verdict();
        let is_pair = |one: u32, other: Option<u32>| {
            (one, other) == (pair.0, Some(pair.1)) || (one, other) == (pair.1, Some(pair.0))
        };
        assert!(
            verdict
                .conflicts
                .iter()
                .any(|told| told.kind == kind && is_pair(told.agent, told.other)),
            "no {kind} of {pair:?} in {:?}",
            verdict.conflicts
        );
        assert!(verdict.count(kind) > 0);
    }
}
