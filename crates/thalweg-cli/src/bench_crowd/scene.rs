//! The scenes of `bench crowd`: a map, fields, and a crowd that has been warmed up.

use super::{CrowdBenchOptions, SceneKind, workers};
use crate::random::Random;
use std::sync::Arc;
use thalweg::bundle::{BuildOptions, BuildScratch, FieldBundle};
use thalweg::core::cost::{Cost, CostField};
use thalweg::core::grid::{Cell, Grid, MapPoint, SUBCELLS};
use thalweg::core::integrate::GoalSet;
use thalweg::core::movement::{Movement, MovementProfile};
use thalweg::core::workers::Workers;
use thalweg::crowd::{
    AgentSpec, ArrivalRule, Avoidance, Crowd, CrowdOptions, GroupId, GroupInput, StalePolicy, Steering,
};

/// Radius of a body in metres; that of a person, and of the peers' agents.
const RADIUS: f64 = 0.25;
/// Least and largest top speed, in metres per second.
const SPEEDS: [f64; 2] = [1.0, 1.5];
/// Sides of maps are at least this, in cells.
const LEAST_SIDE: u32 = 1024;
/// Width of the corridor in metres.
const CORRIDOR: f64 = 32.0;
/// Agents that share a goal in the crowd at rest.
const PACK: f64 = 64.0;
/// One cell in so many begins a wall of 3 × 3 cells among which the crowd walks.
const SCATTER: u32 = 600;
/// The tick and the most ticks of a crowd that comes to rest before it is measured.
const RESTING: (f32, usize) = (1.0 / 12.0, 600);

/// A map, its fields and the crowd that each turn starts from.
pub(super) struct CrowdScene {
    kind: SceneKind,
    movement: Arc<Movement>,
    bundles: Vec<FieldBundle>,
    arrival: ArrivalRule,
    crowd: Crowd,
    density: f64,
    /// In cells.
    radius: f64,
}

fn told<T, E: std::fmt::Display>(result: Result<T, E>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

/// Where the crowd of a scene stands: sides of the map in cells, and the rectangle of the crowd (x, y, width) in cells. Its
/// height follows from the number of agents.
struct Layout {
    width: u32,
    height: u32,
    block: [f64; 3],
    /// Distance of neighbours in a row and of rows, in cells.
    apart: f64,
    goals: Vec<Vec<Cell>>,
}

impl CrowdScene {
    pub(super) fn new(kind: SceneKind, agents: u32, options: &CrowdBenchOptions) -> Result<Self, String> {
        let mut scene = Self::unwarmed(kind, agents, options)?;
        let threads = options.threads.iter().copied().max().unwrap_or(1);
        scene.warm(options, workers(threads)?.as_ref())?;
        Ok(scene)
    }

    /// The scene before its first tick.
    fn unwarmed(kind: SceneKind, agents: u32, options: &CrowdBenchOptions) -> Result<Self, String> {
        let density = options.density.unwrap_or(match kind {
            SceneKind::Dense => 4.0,
            _ => 2.0,
        });
        let layout = layout(kind, agents, density, options.cell);
        let grid = told(Grid::new(layout.width, layout.height))?;
        // First of all, since it checks the options.
        let mut crowd = told(Crowd::new(grid.clone(), crowd_options(options)))?;
        let mut random = Random::new(1);
        let costs = costs(kind, &grid, &layout, &mut random)?;
        let movement = Arc::new(Movement::compile(&costs, &MovementProfile::new()));
        let mut scratch = BuildScratch::new();
        let workers = workers(options.threads.iter().copied().max().unwrap_or(1))?;
        let bundles = layout.goals.iter().map(|goals| {
            let goals = GoalSet::from_cells(goals.iter().copied());
            let movement = Arc::clone(&movement);
            told(FieldBundle::build(
                movement,
                &goals,
                &BuildOptions::new(),
                &mut scratch,
                workers.as_ref(),
            ))
        });
        let bundles = bundles.collect::<Result<Vec<_>, String>>()?;
        place(&mut crowd, &movement, &layout, agents, options.cell, &mut random)?;
        let area = f64::from(layout.width) * f64::from(layout.height) * options.cell * options.cell;
        Ok(Self {
            kind,
            movement,
            bundles,
            arrival: if kind == SceneKind::Rest {
                ArrivalRule::Rest
            } else {
                ArrivalRule::Leave
            },
            crowd,
            density: if kind == SceneKind::Spread {
                f64::from(agents) / area
            } else {
                density
            },
            radius: RADIUS / options.cell,
        })
    }

    fn warm(&mut self, options: &CrowdBenchOptions, workers: &dyn Workers) -> Result<(), String> {
        let mut crowd = self.crowd.clone();
        let groups = self.groups();
        if self.kind == SceneKind::Rest {
            for _ in 0..RESTING.1 {
                let report = told(crowd.step(&groups, RESTING.0, workers))?;
                if report.resting as usize == crowd.len() {
                    break;
                }
            }
            // Then packs still close ranks for a while.
            for _ in 0..120 {
                told(crowd.step(&groups, RESTING.0, workers))?;
            }
        }
        for _ in 0..options.warm {
            told(crowd.step(&groups, options.dt, workers))?;
        }
        drop(groups);
        self.crowd = crowd;
        Ok(())
    }

    pub(super) fn groups(&self) -> Vec<GroupInput<'_>> {
        let groups = self.bundles.iter().map(|bundle| GroupInput {
            movement: &self.movement,
            flow: Some(bundle.flow()),
            steering: Steering::Directions,
            is_current: true,
            stale: StalePolicy::Stop,
            field_version: 1,
            arrival: self.arrival,
        });
        groups.collect()
    }

    pub(super) const fn kind(&self) -> SceneKind {
        self.kind
    }

    pub(super) const fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// Agents per square metre.
    pub(super) const fn density(&self) -> f64 {
        self.density
    }

    /// Of a body, in cells.
    pub(super) const fn radius(&self) -> f64 {
        self.radius
    }
}

pub(super) fn crowd_options(options: &CrowdBenchOptions) -> CrowdOptions {
    let mut crowd = CrowdOptions::new().with_avoidance(options.avoidance);
    crowd.neighbours = options.neighbours;
    if let Some(metres) = options.look_ahead {
        #[expect(clippy::cast_possible_truncation, reason = "a length of a few cells")]
        let cells = (metres / options.cell) as f32;
        match options.avoidance {
            Avoidance::Off | Avoidance::Separation => crowd.look_ahead = cells,
            Avoidance::VelocityObstacles => crowd.sight = cells,
        }
    }
    crowd
}

/// A side of at least so many cells, in whole powers of two.
fn side(cells: f64) -> u32 {
    (cells.ceil() as u32).next_power_of_two().max(LEAST_SIDE)
}

fn layout(kind: SceneKind, agents: u32, density: f64, cell: f64) -> Layout {
    let apart = 1.0 / density.sqrt() / cell;
    let block = f64::from(agents).sqrt().ceil() * apart;
    match kind {
        SceneKind::Open | SceneKind::Dense => {
            let side = side(1.15 * block);
            let first = 0.5 * (f64::from(side) - block);
            Layout {
                width: side,
                height: side,
                block: [first, first, block],
                apart,
                goals: edges(side),
            }
        }
        SceneKind::Spread => {
            let side = side(1.15 * f64::from(agents).sqrt() * RADIUS * 4.0 / cell);
            let block = 0.96 * f64::from(side);
            Layout {
                width: side,
                height: side,
                block: [0.02 * f64::from(side), 0.02 * f64::from(side), block],
                // Walls leave no room for some.
                apart: block / (1.01 * f64::from(agents).sqrt()).ceil(),
                goals: edges(side),
            }
        }
        SceneKind::Corridor => {
            let width = (CORRIDOR / cell).ceil();
            let columns = (width / apart).floor().max(1.0);
            let rows = (f64::from(agents) / columns).ceil();
            let margin = 32.0;
            // The corridor goes from north to south, so that rows of agents lie across it.
            let height = (rows * apart + 2.0 * margin).ceil() as u32;
            let width = width as u32;
            let row = |y: u32| (0..width).map(|x| cell_at(x, y)).collect();
            Layout {
                width,
                height,
                block: [
                    0.5 * (f64::from(width) - columns * apart),
                    margin,
                    columns * apart,
                ],
                apart,
                goals: vec![row(0), row(height - 1)],
            }
        }
        SceneKind::Rest => {
            let side = side(1.15 * block);
            let first = 0.5 * (f64::from(side) - block);
            let spacing = PACK.sqrt() * apart;
            let count = (block / spacing).ceil() as u32;
            let along = |index: u32| (first + (f64::from(index) + 0.5) * spacing) as u32;
            let goals = (0..count).flat_map(|y| (0..count).map(move |x| cell_at(along(x), along(y))));
            Layout {
                width: side,
                height: side,
                block: [first, first, block],
                apart,
                goals: vec![goals.collect()],
            }
        }
    }
}

fn cell_at(x: u32, y: u32) -> Cell {
    Cell::new(x.cast_signed(), y.cast_signed())
}

/// The middle halves of the four edges of a square map, each a goal of its own.
fn edges(side: u32) -> Vec<Vec<Cell>> {
    let middle = || side / 4..3 * side / 4;
    vec![
        middle().map(|at| cell_at(side - 1, at)).collect(),
        middle().map(|at| cell_at(0, at)).collect(),
        middle().map(|at| cell_at(at, side - 1)).collect(),
        middle().map(|at| cell_at(at, 0)).collect(),
    ]
}

fn costs(kind: SceneKind, grid: &Grid, layout: &Layout, random: &mut Random) -> Result<CostField, String> {
    let (width, height) = (layout.width, layout.height);
    let mut bytes = vec![Cost::PLAIN.byte(); grid.len()];
    if matches!(kind, SceneKind::Open | SceneKind::Spread | SceneKind::Dense) {
        for y in 8..height - 8 {
            for x in 8..width - 8 {
                if random.below(SCATTER) == 0 {
                    for wall in (y..y + 3).flat_map(|y| (x..x + 3).map(move |x| (x, y))) {
                        bytes[wall.1 as usize * width as usize + wall.0 as usize] = Cost::IMPASSABLE.byte();
                    }
                }
            }
        }
    }
    told(CostField::from_bytes(grid.clone(), bytes))
}

/// Fills the block row by row; a place in a wall stays empty. Everybody stands up to a tenth of the distance to the next one
/// off its place, as far as bodies then do not overlap.
fn place(
    crowd: &mut Crowd,
    movement: &Movement,
    layout: &Layout,
    agents: u32,
    cell: f64,
    random: &mut Random,
) -> Result<(), String> {
    let groups = u32::try_from(layout.goals.len()).unwrap_or(u32::MAX);
    let [x, y, width] = layout.block;
    let columns = (width / layout.apart).round() as u32;
    let radius = RADIUS / cell;
    let shake = (0.1 * layout.apart).min((0.5 * layout.apart - radius).max(0.0));
    let unit = |random: &mut Random| f64::from(random.below(1 << 24)) / f64::from(1u32 << 24);
    let mut row = 0;
    while crowd.len() < agents as usize {
        for column in 0..columns {
            let at = |first: f64, index: u32, random: &mut Random| {
                first + (f64::from(index) + 0.5) * layout.apart + shake * (2.0 * unit(random) - 1.0)
            };
            let (x, y) = (at(x, column, random), at(y, row, random));
            if x >= f64::from(layout.width) || y >= f64::from(layout.height) {
                return Err(format!(
                    "{} of {agents} agents have room on a map of {} x {} cells",
                    crowd.len(),
                    layout.width,
                    layout.height
                ));
            }
            let speed = SPEEDS[0] + (SPEEDS[1] - SPEEDS[0]) * unit(random);
            let group = random.below(groups);
            let subcells = |cells: f64| (cells * f64::from(SUBCELLS)) as i32;
            let spec = AgentSpec {
                position: MapPoint::new(subcells(x), subcells(y)),
                #[expect(clippy::cast_possible_truncation, reason = "lengths of a few cells")]
                radius: radius as f32,
                #[expect(clippy::cast_possible_truncation, reason = "speeds of a few cells per second")]
                max_speed: (speed / cell) as f32,
                group: GroupId(u16::try_from(group).unwrap_or(0)),
            };
            match crowd.add(movement, spec) {
                Ok(_) | Err(thalweg::crowd::CrowdError::Blocked { .. }) => {}
                Err(error) => return Err(error.to_string()),
            }
            if crowd.len() == agents as usize {
                break;
            }
        }
        row += 1;
    }
    Ok(())
}
