//! Agents that enter while a scene runs.

use super::fields::FieldSet;
use super::placement::{in_cell, spec_of};
use super::strict::StrictAgents;
use super::{SceneCrowd, SimulationError};
use crate::random::Random;
use crate::scene::{Scene, SourcePlan};
use std::collections::BTreeMap;
use thalweg_core::grid::{CellId, LayerIndex, MapPoint, SUBCELLS};
use thalweg_core::movement::Movement;
use thalweg_crowd::strict::StrictError;
use thalweg_crowd::{Crowd, CrowdError, GroupId};

/// Places that are tried for an entrant in a tick.
const TRIES: u32 = 8;
/// Entrants have streams of random numbers of their own: no group has such an index.
const STREAM: u64 = 1 << 32;

/// How many have entered by each source.
#[derive(Clone, Debug)]
pub(super) struct Sources {
    entered: Vec<u64>,
}

/// Somebody in the way of entrants, in subcells.
#[derive(Clone, Copy, Debug)]
struct Body {
    at: MapPoint,
    radius: i64,
}

impl Sources {
    pub(super) fn new(scene: &Scene) -> Self {
        Self {
            entered: vec![0; scene.sources.len()],
        }
    }

    /// How many have entered, by source.
    pub(super) fn entered(&self) -> &[u64] {
        &self.entered
    }

    /// How many are due and have found no room yet, by source.
    pub(super) fn waiting(&self, scene: &Scene, tick: u64) -> Vec<u64> {
        let time_s = time_of(scene, tick);
        let sources = scene.sources.iter().zip(&self.entered);
        sources
            .map(|(source, entered)| source.inflow.due(time_s).saturating_sub(*entered))
            .collect()
    }

    /// Lets in who is due at the beginning of a tick and finds room: sources in order, entrants one after the other. Returns
    /// how many entered.
    pub(super) fn enter(
        &mut self,
        scene: &Scene,
        fields: &FieldSet,
        crowd: &mut SceneCrowd,
        tick: u64,
    ) -> Result<usize, SimulationError> {
        let time_s = time_of(scene, tick);
        let mut entered = 0;
        for (index, source) in scene.sources.iter().enumerate() {
            let due = source.inflow.due(time_s);
            if self.entered[index] >= due {
                continue;
            }
            let movement = fields.of_group(source.group).movement();
            if let Some(agents) = crowd.strict_mut() {
                let before = self.entered[index];
                while self.entered[index] < due {
                    let entrant = Entrant {
                        source: index,
                        number: self.entered[index],
                        tick,
                    };
                    if !step_in(scene, source, &entrant, movement, agents)? {
                        break;
                    }
                    self.entered[index] += 1;
                }
                entered += usize::try_from(self.entered[index] - before).unwrap_or(usize::MAX);
                continue;
            }
            let Some(crowd) = crowd.free_mut() else { continue };
            let mut bodies = Bodies::near(scene, source, crowd);
            while self.entered[index] < due {
                let entrant = Entrant {
                    source: index,
                    number: self.entered[index],
                    tick,
                };
                let Some(body) =
                    let_in(scene, source, &entrant, movement, &bodies, crowd).map_err(|source_error| {
                        SimulationError::Agent {
                            group: scene.groups[source.group].name.clone(),
                            source: source_error,
                        }
                    })?
                else {
                    break;
                };
                bodies.push(body);
                self.entered[index] += 1;
                entered += 1;
            }
        }
        Ok(entered)
    }
}

struct Entrant {
    source: usize,
    number: u64,
    tick: u64,
}

impl Entrant {
    /// How fast it is between slowest and fastest, which does not depend on when it finds room; and from what its places in
    /// this tick are drawn.
    fn draws(&self, scene: &Scene) -> (f64, Random) {
        let stream = STREAM + self.source as u64;
        let speed = Random::new(scene.seed, stream, self.number).unit();
        let seed = scene
            .seed
            .wrapping_add((self.tick + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        (speed, Random::new(seed, stream, self.number))
    }
}

/// Adds an entrant of strict mode if one of the cells that are drawn for it in this tick is free. Whether it was.
fn step_in(
    scene: &Scene,
    source: &SourcePlan,
    entrant: &Entrant,
    movement: &Movement,
    agents: &mut StrictAgents,
) -> Result<bool, StrictError> {
    let (speed, mut random) = entrant.draws(scene);
    let cells = u32::try_from(source.cells.len()).unwrap_or(u32::MAX);
    for _ in 0..TRIES {
        let cell = movement.grid().cell(source.cells[random.below(cells) as usize]);
        match agents.enter(scene, source.group, movement, cell, speed) {
            Ok(_) => return Ok(true),
            Err(StrictError::Blocked { .. } | StrictError::Taken { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

/// Adds an entrant if one of the places that are drawn for it in this tick has room.
fn let_in(
    scene: &Scene,
    source: &SourcePlan,
    entrant: &Entrant,
    movement: &Movement,
    bodies: &Bodies,
    crowd: &mut Crowd,
) -> Result<Option<Body>, CrowdError> {
    let (speed, mut random) = entrant.draws(scene);
    let cells = u32::try_from(source.cells.len()).unwrap_or(u32::MAX);
    for _ in 0..TRIES {
        let cell: CellId = source.cells[random.below(cells) as usize];
        if !movement.is_passable(cell) {
            continue;
        }
        let at = in_cell(movement, cell, SUBCELLS * 2 / 5, &mut random);
        let group = u16::try_from(source.group).unwrap_or(u16::MAX);
        let spec = spec_of(scene, GroupId(group), at, speed);
        let radius = subcells(spec.radius);
        if bodies.have_room(at, radius) {
            return match crowd.add(movement, spec) {
                Ok(_) => Ok(Some(Body { at, radius })),
                // A point beside a wall that has come up; another one may do.
                Err(CrowdError::Blocked { .. } | CrowdError::NoRoom { .. }) => continue,
                Err(error) => Err(error),
            };
        }
    }
    Ok(None)
}

/// Everybody who may be in the way of entrants, in square bins: many may enter at once.
struct Bodies {
    /// Binary logarithm of a bin's side in subcells: no two bodies reach beyond it together.
    shift: u32,
    bins: BTreeMap<(LayerIndex, i32, i32), Vec<Body>>,
}

impl Bodies {
    fn near(scene: &Scene, source: &SourcePlan, crowd: &Crowd) -> Self {
        let grid = crowd.grid();
        let own = subcells(radius_of(scene, source));
        let largest = crowd
            .agents()
            .map(|(_, agent)| subcells(agent.radius))
            .fold(own, i64::max);
        let mut bodies = Self {
            shift: u64::BITS - (own + largest).unsigned_abs().leading_zeros(),
            bins: BTreeMap::new(),
        };
        let (mut low, mut high) = ([i64::MAX; 2], [i64::MIN; 2]);
        for &cell in &source.cells {
            let centre = MapPoint::centre_of_id(grid, cell);
            for (axis, at) in [i64::from(centre.x), i64::from(centre.y)].into_iter().enumerate() {
                low[axis] = low[axis].min(at);
                high[axis] = high[axis].max(at);
            }
        }
        let near = own + largest + i64::from(SUBCELLS);
        let is_near = |at: MapPoint| {
            let at = [i64::from(at.x), i64::from(at.y)];
            (0..2).all(|axis| low[axis] - near <= at[axis] && at[axis] <= high[axis] + near)
        };
        for (_, agent) in crowd.agents().filter(|(_, agent)| is_near(agent.position)) {
            bodies.push(Body {
                at: agent.position,
                radius: subcells(agent.radius),
            });
        }
        bodies
    }

    const fn bin_of(&self, at: MapPoint) -> (LayerIndex, i32, i32) {
        (at.layer, at.x >> self.shift, at.y >> self.shift)
    }

    fn push(&mut self, body: Body) {
        self.bins.entry(self.bin_of(body.at)).or_default().push(body);
    }

    /// Whether a body of this radius would overlap nobody.
    fn have_room(&self, at: MapPoint, radius: i64) -> bool {
        let (layer, x, y) = self.bin_of(at);
        let bins = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (layer, x + dx, y + dy)));
        bins.filter_map(|bin| self.bins.get(&bin))
            .flatten()
            .all(|body| is_clear(body, at, radius))
    }
}

fn is_clear(body: &Body, at: MapPoint, radius: i64) -> bool {
    let (x, y) = (
        i64::from(body.at.x) - i64::from(at.x),
        i64::from(body.at.y) - i64::from(at.y),
    );
    let least = body.radius + radius;
    x * x + y * y >= least * least
}

#[expect(clippy::cast_possible_truncation, reason = "radii need no more than f32")]
fn radius_of(scene: &Scene, source: &SourcePlan) -> f32 {
    (scene.groups[source.group].radius / scene.transform.cell_size()) as f32
}

#[expect(clippy::cast_possible_truncation, reason = "a radius is at most 8 cells")]
#[expect(clippy::cast_precision_loss, reason = "2^16 is exact in f32")]
fn subcells(cells: f32) -> i64 {
    (cells * SUBCELLS as f32).ceil() as i64
}

#[expect(clippy::cast_precision_loss, reason = "tick counts are far below 2^53")]
fn time_of(scene: &Scene, tick: u64) -> f64 {
    tick as f64 * scene.tick_s
}
