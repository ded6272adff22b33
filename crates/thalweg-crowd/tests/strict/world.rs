//! A world with a field per goal set, and a strict crowd that is checked after every tick.

use crate::conflicts::{conflicts, tracks};
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::flow::{FlowField, FlowScratch, extract};
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::integrate::{
    Goal, GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, integrate,
};
use thalweg_core::movement::{Connectivity, Footprint, Movement, MovementProfile};
use thalweg_core::workers::{Serial, Workers};
use thalweg_crowd::strict::{StrictCrowd, StrictGroup, StrictOptions, StrictReport, StrictSpec};
use thalweg_crowd::{AgentId, ArrivalRule, GroupId};

pub(crate) struct Group {
    pub(crate) movement: Movement,
    pub(crate) field: IntegrationField,
    pub(crate) flow: FlowField,
    pub(crate) arrival: ArrivalRule,
    pub(crate) version: u64,
    pub(crate) is_current: bool,
}

pub(crate) struct World {
    pub(crate) costs: CostField,
    pub(crate) profile: MovementProfile,
    pub(crate) groups: Vec<Group>,
    pub(crate) crowd: StrictCrowd,
    /// Agent-steps checked.
    pub(crate) checked: u64,
}

pub(crate) fn four() -> MovementProfile {
    MovementProfile::new().with_connectivity(Connectivity::Four)
}

pub(crate) fn eight() -> MovementProfile {
    MovementProfile::new()
}

impl World {
    /// `#` is a wall, everything else plain ground.
    pub(crate) fn new(rows: &[&str], profile: MovementProfile, options: StrictOptions) -> Self {
        let width = u32::try_from(rows[0].len()).unwrap();
        let grid = Grid::new(width, u32::try_from(rows.len()).unwrap()).unwrap();
        let bytes = rows
            .iter()
            .flat_map(|row| row.bytes())
            .map(|c| if c == b'#' { 255 } else { 1 })
            .collect();
        let costs = CostField::from_bytes(grid, bytes).unwrap();
        Self::over(costs, profile, options)
    }

    pub(crate) fn over(costs: CostField, profile: MovementProfile, options: StrictOptions) -> Self {
        let crowd = StrictCrowd::new(costs.grid().clone(), options).unwrap();
        Self {
            costs,
            profile,
            groups: Vec::new(),
            crowd,
            checked: 0,
        }
    }

    pub(crate) fn open(width: u32, height: u32, profile: MovementProfile) -> Self {
        let costs = CostField::filled(Grid::new(width, height).unwrap(), Cost::PLAIN);
        Self::over(costs, profile, StrictOptions::default())
    }

    pub(crate) fn group(&mut self, goals: &[(i32, i32)], arrival: ArrivalRule) -> GroupId {
        self.group_of(self.profile, goals, arrival)
    }

    pub(crate) fn group_of(
        &mut self,
        profile: MovementProfile,
        goals: &[(i32, i32)],
        arrival: ArrivalRule,
    ) -> GroupId {
        let movement = Movement::compile(&self.costs, &profile);
        let mut set = GoalSet::new();
        for &(x, y) in goals {
            set = set.with_goal(Goal::cell(Cell::new(x, y)));
        }
        let resolved = set.resolve(&movement).unwrap();
        let mut field = IntegrationField::new(self.costs.grid().clone());
        integrate(
            &movement,
            &resolved,
            &IntegrateOptions::new(),
            &mut IntegrateScratch::new(),
            &mut field,
        )
        .unwrap();
        let mut flow = FlowField::new(self.costs.grid().clone());
        extract(&movement, &field, &Serial, &mut FlowScratch::new(), &mut flow);
        self.groups.push(Group {
            movement,
            field,
            flow,
            arrival,
            version: 1,
            is_current: true,
        });
        GroupId(u16::try_from(self.groups.len() - 1).unwrap())
    }

    pub(crate) fn add(&mut self, at: (i32, i32), group: GroupId) -> AgentId {
        self.add_spec(StrictSpec::new(Cell::new(at.0, at.1), group))
    }

    pub(crate) fn add_spec(&mut self, spec: StrictSpec) -> AgentId {
        let movement = &self.groups[usize::from(spec.group.0)].movement;
        self.crowd.add(&spec, movement).unwrap()
    }

    /// An agent on the way from one cell to another, with a group of its own.
    pub(crate) fn lone(&mut self, at: (i32, i32), goal: (i32, i32)) -> AgentId {
        let group = self.group(&[goal], ArrivalRule::Rest);
        self.add(at, group)
    }

    pub(crate) fn at(&self, id: AgentId) -> (i32, i32) {
        let view = self.crowd.get(id).unwrap();
        let cell = self.crowd.grid().cell(view.cell);
        (cell.x, cell.y)
    }

    pub(crate) fn step(&mut self) -> StrictReport {
        self.step_on(&Serial)
    }

    pub(crate) fn step_on(&mut self, workers: &dyn Workers) -> StrictReport {
        let groups: Vec<StrictGroup<'_>> = self
            .groups
            .iter()
            .map(|group| {
                let mut input = StrictGroup::new(&group.movement, &group.field, &group.flow);
                input.arrival = group.arrival;
                input.field_version = group.version;
                input.is_current = group.is_current;
                input
            })
            .collect();
        let before = tracks(&self.crowd);
        let report = self.crowd.step(&groups, workers).unwrap();
        let after = tracks(&self.crowd);
        let movement = |group: GroupId| &self.groups[usize::from(group.0)].movement;
        let found = conflicts(&self.crowd, movement, &before, &after);
        assert!(found.is_empty(), "tick {}: {found:?}", self.crowd.tick());
        self.checked += self.crowd.len() as u64;
        report
    }

    /// Steps until all are at their goals or have left; how many ticks that took.
    pub(crate) fn run(&mut self, ticks: u32) -> Option<u32> {
        for tick in 0..=ticks {
            let at_goal = self
                .crowd
                .agents()
                .filter(|(_, view)| view.outcome == thalweg_crowd::Outcome::Arrived)
                .count();
            if at_goal == self.crowd.len() {
                return Some(tick);
            }
            if tick < ticks {
                self.step();
            }
        }
        None
    }

    pub(crate) fn picture(&self) -> String {
        let grid = self.crowd.grid();
        let (columns, rows) = (grid.layers()[0].width(), grid.layers()[0].height());
        let mut text = String::new();
        for y in 0..rows.cast_signed() {
            for x in 0..columns.cast_signed() {
                let cell = Cell::new(x, y);
                let id = grid.id(cell).unwrap();
                text.push(match self.crowd.holder(cell) {
                    Some(agent) => char::from(b'a' + u8::try_from(agent.index() % 26).unwrap()),
                    None if self.costs.bytes()[id.index()] == 255 => '#',
                    None => '.',
                });
            }
            text.push('\n');
        }
        text
    }
}

pub(crate) fn square(side: u32) -> Footprint {
    Footprint::square(side).unwrap()
}
