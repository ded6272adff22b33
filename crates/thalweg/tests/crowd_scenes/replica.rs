//! A scene run without a simulation, so that it can be turned and mirrored: map, edges, goals and agents are, one by one.
//!
//! A turned scene file would draw other places for its agents.

use crate::load;
use std::collections::BTreeMap;
use thalweg::core::grid::SUBCELLS;
use thalweg::crowd::{
    AgentId, AgentSpec, ArrivalRule, Crowd, CrowdOptions, GroupInput, Outcome, StalePolicy, Steering,
    StepReport,
};
use thalweg::prelude::*;
use thalweg::scene::{Scene, SceneEdges, SceneGround};

/// A mirroring (left and right change places) followed by quarter turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Turned {
    pub(crate) quarters: u8,
    pub(crate) is_mirrored: bool,
}

pub(crate) const AS_IT_IS: Turned = Turned {
    quarters: 0,
    is_mirrored: false,
};

impl Turned {
    /// A point of a rectangle of `sides`, and the sides that the rectangle then has.
    fn point(
        self,
        (mut x, mut y): (i32, i32),
        (mut width, mut height): (i32, i32),
    ) -> ((i32, i32), (i32, i32)) {
        if self.is_mirrored {
            x = width - x;
        }
        for _ in 0..self.quarters {
            (x, y) = (height - y, x);
            (width, height) = (height, width);
        }
        ((x, y), (width, height))
    }

    fn sides(self, sides: (i32, i32)) -> (i32, i32) {
        self.point((0, 0), sides).1
    }

    fn cell(self, cell: Cell, (width, height): (i32, i32)) -> Cell {
        // By its centre, in half cells.
        let ((x, y), _) = self.point((2 * cell.x + 1, 2 * cell.y + 1), (2 * width, 2 * height));
        Cell::new((x - 1) / 2, (y - 1) / 2)
    }

    fn direction(self, direction: Direction) -> Direction {
        let (x, y) = direction.offset();
        let (to, _) = self.point((x, y), (0, 0));
        thalweg::core::grid::DIRECTIONS
            .into_iter()
            .find(|other| other.offset() == to)
            .unwrap()
    }

    fn edges(self, edges: &SceneEdges, sides: (i32, i32)) -> SceneEdges {
        let set = |set: DirectionSet| set.iter().map(|side| self.direction(side)).collect();
        SceneEdges {
            enter_from: edges
                .enter_from
                .iter()
                .map(|&(cell, from)| (self.cell(cell, sides), set(from)))
                .collect(),
            closed: edges
                .closed
                .iter()
                .map(|&(cell, exit)| (self.cell(cell, sides), self.direction(exit)))
                .collect(),
            portals: edges
                .portals
                .iter()
                .map(|&(from, to, cost)| (self.cell(from, sides), self.cell(to, sides), cost))
                .collect(),
        }
    }
}

struct Group {
    field: FieldBundle,
    arrival: ArrivalRule,
    by_headings: bool,
}

pub(crate) struct Replica {
    groups: Vec<Group>,
    pub(crate) crowd: Crowd,
    pub(crate) tick_s: f64,
    /// Agents in the order of the scene.
    pub(crate) ids: Vec<AgentId>,
}

impl Replica {
    pub(crate) fn of_scene(scene: Scene, turned: Turned) -> Self {
        let placed = load::simulation(scene);
        let scene = placed.scene();
        let layers = scene.costs.grid().layers();
        assert_eq!(layers.len(), 1, "floors are not turned here");
        let sides = (layers[0].width() as i32, layers[0].height() as i32);
        let ground = SceneGround::new(scene).unwrap();
        let (width, height) = turned.sides(sides);
        let grid = Grid::new(width as u32, height as u32).unwrap();
        let rules = turned.edges(&scene.edges, sides).rules(&grid).unwrap();
        let groups = scene
            .groups
            .iter()
            .map(|group| {
                let before = ground.profile_costs(group.profile);
                let mut costs = CostField::filled(grid.clone(), Cost::PLAIN);
                for id in before.grid().ids() {
                    let cell = before.grid().cell(id);
                    costs
                        .set(turned.cell(cell, sides), before.get(id).unwrap())
                        .unwrap();
                }
                let profile = &scene.profiles[group.profile].movement;
                let movement = Movement::compile_with(&costs, &rules, profile).unwrap();
                let goals = group.goals.iter().flat_map(|&goal| &scene.goals[goal].cells);
                let goals = GoalSet::from_cells(goals.map(|&cell| turned.cell(cell, sides)));
                let by_headings = group.steer == thalweg::scene::SteerBy::Headings;
                let options = if by_headings {
                    BuildOptions::new().with_headings(HeadingOptions::new().with_clearance(5))
                } else {
                    BuildOptions::new()
                };
                let field = FieldBundle::build(movement, &goals, &options, &mut BuildScratch::new(), &Serial)
                    .unwrap();
                Group {
                    field,
                    arrival: group.arrival,
                    by_headings,
                }
            })
            .collect::<Vec<Group>>();
        let mut crowd = Crowd::new(grid, CrowdOptions::new().with_avoidance(scene.avoidance)).unwrap();
        let in_subcells = (sides.0 * SUBCELLS, sides.1 * SUBCELLS);
        let ids = placed
            .crowd()
            .agents()
            .map(|(_, agent)| {
                let ((x, y), _) = turned.point((agent.position.x, agent.position.y), in_subcells);
                let spec = AgentSpec {
                    position: agent.position.at(x, y),
                    radius: agent.radius,
                    max_speed: agent.max_speed,
                    group: agent.group,
                };
                crowd
                    .add(groups[usize::from(agent.group.0)].field.movement(), spec)
                    .unwrap()
            })
            .collect();
        Self {
            groups,
            crowd,
            tick_s: scene.tick_s,
            ids,
        }
    }

    pub(crate) fn step(&mut self) -> StepReport {
        let inputs: Vec<_> = self
            .groups
            .iter()
            .map(|group| GroupInput {
                movement: group.field.movement(),
                flow: Some(group.field.flow()),
                steering: if group.by_headings {
                    group.field.steering()
                } else {
                    Steering::Directions
                },
                is_current: true,
                stale: StalePolicy::Stop,
                field_version: 1,
                arrival: group.arrival,
            })
            .collect();
        self.crowd.step(&inputs, self.tick_s as f32, &Serial).unwrap()
    }

    /// Runs until all have arrived, at most so long, and tells when each one did, in seconds, in the order of the scene.
    pub(crate) fn arrivals(&mut self, seconds: f64) -> Vec<Option<f64>> {
        let mut arrived: BTreeMap<AgentId, f64> = BTreeMap::new();
        let ids = self.ids.clone();
        while (self.crowd.tick() as f64) * self.tick_s < seconds && arrived.len() < ids.len() {
            self.step();
            let now = self.crowd.tick() as f64 * self.tick_s;
            for &id in &ids {
                if self
                    .crowd
                    .get(id)
                    .is_none_or(|agent| agent.outcome == Outcome::Arrived)
                {
                    arrived.entry(id).or_insert(now);
                }
            }
        }
        ids.iter().map(|id| arrived.get(id).copied()).collect()
    }
}
