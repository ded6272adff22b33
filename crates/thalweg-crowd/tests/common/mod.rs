//! Worlds from map literals, and crowds that are checked after every step.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test binary uses its own part of this module"
)]

use std::collections::HashMap;
use std::sync::Mutex;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::flow::{
    FlowField, FlowScratch, HeadingField, HeadingOptions, HeadingScratch, extract, look_ahead,
};
use thalweg_core::grid::{Cell, Grid, MapPoint, SUBCELLS};
use thalweg_core::integrate::{GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, integrate};
use thalweg_core::movement::{Connectivity, CornerRule, Movement, MovementProfile};
use thalweg_core::workers::{Serial, Workers};
use thalweg_crowd::{
    AgentId, AgentSpec, ArrivalRule, Crowd, CrowdOptions, GroupId, GroupInput, StalePolicy, Steering,
    StepReport,
};

pub fn profile(connectivity: Connectivity, corner_rule: CornerRule) -> MovementProfile {
    MovementProfile::new()
        .with_connectivity(connectivity)
        .with_corner_rule(corner_rule)
}

/// Every profile whose rules differ.
pub fn profiles() -> [MovementProfile; 4] {
    [
        profile(Connectivity::Four, CornerRule::BothFree),
        profile(Connectivity::Eight, CornerRule::BothFree),
        profile(Connectivity::Eight, CornerRule::OneFree),
        profile(Connectivity::Eight, CornerRule::Always),
    ]
}

/// `#` is a wall, everything else plain ground.
pub fn costs_of(map: &[impl AsRef<str>]) -> CostField {
    let width = map[0].as_ref().len() as u32;
    let grid = Grid::new(width, map.len() as u32).unwrap();
    let bytes = map
        .iter()
        .flat_map(|row| row.as_ref().bytes())
        .map(|c| if c == b'#' { 255 } else { 1 })
        .collect();
    CostField::from_bytes(grid, bytes).unwrap()
}

/// The cells marked by a letter.
pub fn cells_of(map: &[impl AsRef<str>], letter: char) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (y, row) in map.iter().enumerate() {
        for (x, c) in row.as_ref().chars().enumerate() {
            if c == letter {
                cells.push(Cell::new(x as i32, y as i32));
            }
        }
    }
    cells
}

/// One group's world and field.
#[derive(Clone)]
pub struct World {
    pub costs: CostField,
    pub movement: Movement,
    pub field: IntegrationField,
    pub flow: FlowField,
    /// Agents steer by them if they are there.
    pub headings: Option<HeadingField>,
    clearance: u8,
    pub version: u64,
    pub is_current: bool,
    pub stale: StalePolicy,
    pub arrival: ArrivalRule,
}

impl World {
    pub fn new(costs: &CostField, profile: &MovementProfile, goals: &[Cell]) -> Self {
        Self::of_movement(costs, Movement::compile(costs, profile), goals)
    }

    /// For a movement that is compiled already, say with portals.
    pub fn of_movement(costs: &CostField, movement: Movement, goals: &[Cell]) -> Self {
        let (field, flow) = fields_of(&movement, goals);
        Self {
            costs: costs.clone(),
            movement,
            field,
            flow,
            headings: None,
            clearance: 1,
            version: 1,
            is_current: true,
            stale: StalePolicy::Stop,
            arrival: ArrivalRule::Rest,
        }
    }

    /// Goals are the cells marked `G`.
    pub fn of_map(map: &[impl AsRef<str>], profile: &MovementProfile) -> Self {
        Self::new(&costs_of(map), profile, &cells_of(map, 'G'))
    }

    pub fn leaving(mut self) -> Self {
        self.arrival = ArrivalRule::Leave;
        self
    }

    /// Steers by headings that keep so many sixteenths of a cell off corners.
    pub fn with_headings(mut self, clearance: u8) -> Self {
        let mut headings = HeadingField::new(self.movement.grid().clone());
        look_ahead(
            &self.movement,
            &self.field,
            &self.flow,
            &HeadingOptions::new().with_clearance(clearance),
            &mut HeadingScratch::new(),
            &mut headings,
        )
        .unwrap();
        self.headings = Some(headings);
        self.clearance = clearance;
        self
    }

    /// The same world twice: steered by directions, and by headings.
    pub fn both_ways(self) -> [Self; 2] {
        let by_headings = self.clone().with_headings(5);
        [self, by_headings]
    }

    /// Builds the field anew for the world as it is.
    pub fn rebuild(&mut self, goals: &[Cell]) {
        (self.field, self.flow) = fields_of(&self.movement, goals);
        if self.headings.is_some() {
            *self = self.clone().with_headings(self.clearance);
        }
        self.is_current = true;
        self.version += 1;
    }

    pub fn input(&self) -> GroupInput<'_> {
        GroupInput {
            movement: &self.movement,
            flow: Some(&self.flow),
            steering: match &self.headings {
                Some(headings) => Steering::Headings {
                    field: &self.field,
                    headings,
                },
                None => Steering::Directions,
            },
            is_current: self.is_current,
            stale: self.stale,
            field_version: self.version,
            arrival: self.arrival,
        }
    }

    /// Changes the world but not the field, as between an edit and the field's repair.
    pub fn set_wall(&mut self, cell: Cell, is_wall: bool) {
        let cost = if is_wall { Cost::IMPASSABLE } else { Cost::PLAIN };
        self.costs.set(cell, cost).unwrap();
        self.movement = Movement::compile(&self.costs, self.movement.profile());
    }
}

pub fn flow_of(movement: &Movement, goals: &[Cell]) -> FlowField {
    fields_of(movement, goals).1
}

pub fn fields_of(movement: &Movement, goals: &[Cell]) -> (IntegrationField, FlowField) {
    let goals = GoalSet::from_cells(goals.iter().copied())
        .resolve(movement)
        .unwrap();
    let mut field = IntegrationField::new(movement.grid().clone());
    integrate(
        movement,
        &goals,
        &IntegrateOptions::new(),
        &mut IntegrateScratch::new(),
        &mut field,
    )
    .unwrap();
    let mut flow = FlowField::new(movement.grid().clone());
    extract(movement, &field, &Serial, &mut FlowScratch::new(), &mut flow);
    (field, flow)
}

pub fn at(x: f64, y: f64) -> MapPoint {
    MapPoint::from_map([x, y]).unwrap()
}

pub fn spec(x: f64, y: f64) -> AgentSpec {
    AgentSpec {
        position: at(x, y),
        radius: 0.3,
        max_speed: 1.5,
        group: GroupId(0),
    }
}

pub fn crowd_of(world: &World) -> Crowd {
    Crowd::new(world.movement.grid().clone(), CrowdOptions::default()).unwrap()
}

pub fn step(crowd: &mut Crowd, world: &World, dt: f32) -> StepReport {
    crowd.step(&[world.input()], dt, &Serial).unwrap()
}

/// A small generator with a fixed sequence per seed (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.bits() % limit
    }

    /// In 0..1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Adds up to `count` agents at random places on passable cells of `rect` (x, y, width, height).
pub fn scatter(
    crowd: &mut Crowd,
    movement: &Movement,
    random: &mut Random,
    count: usize,
    rect: [f64; 4],
    radius: f32,
    group: GroupId,
) -> Vec<AgentId> {
    let mut ids = Vec::new();
    for _ in 0..count * 50 {
        if ids.len() == count {
            break;
        }
        let x = rect[0] + random.unit() * rect[2];
        let y = rect[1] + random.unit() * rect[3];
        let spec = AgentSpec {
            position: at(x, y),
            radius,
            max_speed: 1.0 + random.unit() as f32,
            group,
        };
        if let Ok(id) = crowd.add(movement, spec) {
            ids.push(id);
        }
    }
    ids
}

/// Remembers where agents were and checks that nobody got anywhere by illegal moves.
pub struct Watch {
    before: HashMap<AgentId, MapPoint>,
}

impl Watch {
    pub fn new(crowd: &Crowd) -> Self {
        Self {
            before: crowd.agents().map(|(id, view)| (id, view.position)).collect(),
        }
    }

    /// Every centre is on a passable cell, and that cell can be reached from the one before by legal steps, as few as
    /// the distance that pushes and walking can have covered allows.
    pub fn check(&mut self, crowd: &Crowd, movement: &Movement, dt: f32) {
        for (id, view) in crowd.agents() {
            let cell = view
                .position
                .cell_id(crowd.grid())
                .expect("no centre is off the map");
            assert!(
                movement.is_passable(cell),
                "agent {id} is in a wall at {:?}",
                view.position
            );
            assert!(
                view.velocity[0].is_finite() && view.velocity[1].is_finite(),
                "velocities are finite"
            );
            if let Some(before) = self.before.insert(id, view.position) {
                let most = (view.max_speed + 2.0 * crowd.options().max_push) * dt;
                let steps = (most * 2.0).ceil() as usize + 2;
                assert!(
                    is_linked(movement, before, view.position, steps),
                    "agent {id} got from {before:?} to {:?} through a wall",
                    view.position
                );
            }
        }
    }
}

/// Whether legal steps and portals, at most so many, lead from one point's cell to the other's.
fn is_linked(movement: &Movement, from: MapPoint, to: MapPoint, steps: usize) -> bool {
    let (from, to) = (
        from.cell_id(movement.grid()).unwrap(),
        to.cell_id(movement.grid()).unwrap(),
    );
    let mut seen = std::collections::HashSet::from([from]);
    let mut open = vec![from];
    for _ in 0..=steps {
        if seen.contains(&to) {
            return true;
        }
        let mut next = Vec::new();
        for cell in open {
            for edge in movement.edges_from(cell) {
                if seen.insert(edge.other) {
                    next.push(edge.other);
                }
            }
        }
        open = next;
    }
    false
}

pub fn cells(subcells: i32) -> f64 {
    f64::from(subcells) / f64::from(SUBCELLS)
}

/// A pool with threads of its own, for the tests that compare thread counts.
pub struct Threads(pub usize);

impl Workers for Threads {
    fn threads(&self) -> usize {
        self.0
    }

    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        let next = Mutex::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.0 {
                scope.spawn(|| {
                    loop {
                        let mine = {
                            let mut next = next.lock().unwrap();
                            *next += 1;
                            *next - 1
                        };
                        if mine >= tasks {
                            return;
                        }
                        task(mine);
                    }
                });
            }
        });
    }
}
