//! The entry point: picks an engine, runs it, and decides what the cells it did not reach mean.

use super::field::{UNKNOWN, UNREACHABLE};
use super::wave::{Best, Edges, Terrain};
use super::{
    GoalLabels, IntegrateScratch, IntegrationField, MAX_COST_TO_GOAL, ResolvedGoals, buckets, far_buckets,
    heap, layers,
};
use crate::grid::{Cell, CellId, Direction, DirectionSet};
use crate::movement::{ArriveCharge, Charge, ChargeRule, DepartCharge, MeanCharge, Movement, ProfileError};
use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;
use thiserror::Error;

/// Which algorithm integrates. The result does not depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Engine {
    /// Layers where costs are uniform and the map is not huge, buckets elsewhere.
    #[default]
    Auto,
    /// Dijkstra with a binary heap: the oracle.
    Heap,
    /// Dial's circular buckets.
    Buckets,
    /// Breadth-first layers; only for uniform costs.
    Layers,
}

/// The largest map, in cells, on which [`Engine::Auto`] picks layers.
const LAYERS_UP_TO: usize = 1 << 20;

impl Engine {
    /// Every engine that can be asked for by name, [`Engine::Auto`] left out.
    pub const ALL: [Self; 3] = [Self::Heap, Self::Buckets, Self::Layers];

    /// Whether the engine can integrate over this movement.
    #[must_use]
    pub fn supports(self, movement: &Movement) -> bool {
        match self {
            Self::Auto | Self::Heap | Self::Buckets => true,
            Self::Layers => movement.uniform_cost().is_some(),
        }
    }

    /// The engine that [`Engine::Auto`] stands for on this movement; any other engine stands for itself.
    ///
    /// Layers wherever they can run, up to 1,048,576 cells: interleaved with buckets they were 1.04 to 1.17 times as fast
    /// on 12 open, random, room, city and game maps of 2,000 to 260,000 cells, and 1.3 times in two mazes with corridors
    /// of one cell. At 1024 x 1024 the two are even, and beyond layers are up to 1.1 times slower, because they keep every
    /// cell they have met, and hold twice the memory (`benches/README.md`). The heap is never picked.
    #[must_use]
    pub fn resolve(self, movement: &Movement) -> Self {
        match self {
            Self::Auto if movement.grid().len() <= LAYERS_UP_TO && Self::Layers.supports(movement) => {
                Self::Layers
            }
            Self::Auto => Self::Buckets,
            engine => engine,
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Heap => "heap",
            Self::Buckets => "dial",
            Self::Layers => "layers",
        })
    }
}

impl FromStr for Engine {
    type Err = ProfileError;

    fn from_str(text: &str) -> Result<Self, ProfileError> {
        match text {
            "auto" => Ok(Self::Auto),
            "heap" => Ok(Self::Heap),
            "dial" | "buckets" => Ok(Self::Buckets),
            "layers" => Ok(Self::Layers),
            _ => Err(ProfileError::Word {
                what: "engine",
                got: text.to_owned(),
                allowed: "auto, heap, dial (or buckets) or layers",
            }),
        }
    }
}

/// How to integrate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct IntegrateOptions {
    /// The engine; default [`Engine::Auto`].
    pub engine: Engine,
    /// Cells whose cost-to-goal would exceed this many step units are left unknown (cut off); default no limit.
    pub cost_limit: Option<u32>,
}

impl IntegrateOptions {
    /// Default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The options with another engine.
    #[must_use]
    pub const fn with_engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self
    }

    /// The options with a cost limit, in step units.
    #[must_use]
    pub const fn with_cost_limit(mut self, limit: u32) -> Self {
        self.cost_limit = Some(limit);
        self
    }
}

/// Why a field cannot be integrated.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IntegrateError {
    /// A cost-to-goal does not fit 32 bits.
    #[error(
        "the cost-to-goal of cell {cell} is above the limit of {MAX_COST_TO_GOAL}; use a smaller step scale or lower costs"
    )]
    CostOverflow {
        /// The first cell in id order whose cost does not fit although a legal exit leads to a cell whose cost does.
        cell: Cell,
    },
    /// The engine cannot run on these costs.
    #[error(
        "engine {engine} needs one cost on all passable cells and neither portals nor one-way borders, which this map does not offer"
    )]
    NeedsUniformCost {
        /// The engine.
        engine: Engine,
    },
    /// The goals were resolved on another map.
    #[error("the goals name cell id {id}, but the map has only {cells} cells")]
    ForeignGoals {
        /// The id.
        id: u32,
        /// Cells of the map.
        cells: usize,
    },
    /// The goals were resolved on other costs: a goal cell has been blocked since.
    #[error(
        "goal cell {cell} is impassable or unknown in this movement; resolve the goals again after an edit"
    )]
    BlockedGoal {
        /// The first such cell in id order.
        cell: Cell,
    },
}

/// What one integration did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct IntegrateStats {
    /// The engine that ran.
    pub engine: Engine,
    /// Cells whose entries were relaxed; a cell counts each time.
    pub expanded: u64,
    /// Queue entries dropped because their cell had become cheaper.
    pub stale: u64,
    /// Buckets visited (buckets engine only).
    pub buckets: u64,
}

/// Computes the cost-to-goal of every cell into `out`, which is resized as needed.
///
/// The result is a pure function of movement, goals and cost limit: the same bits for every engine. On an error `out`
/// holds no cost at all (every cell is unknown).
///
/// With a cost limit, a cell beyond it is unknown. A cell from which nothing reached can be seen within the limit is
/// unreachable only if the limit cut nothing off; otherwise it is unknown too, because the way might lie beyond.
///
/// # Errors
/// [`IntegrateError`], see its variants.
pub fn integrate(
    movement: &Movement,
    goals: &ResolvedGoals,
    options: &IntegrateOptions,
    scratch: &mut IntegrateScratch,
    out: &mut IntegrationField,
) -> Result<IntegrateStats, IntegrateError> {
    let grid = movement.grid();
    let engine = options.engine.resolve(movement);
    out.grid.clone_from(grid);
    out.profile = *movement.profile();
    out.cost_version = movement.cost_version();
    out.cost_unit = movement.steps().unit();
    out.labels = GoalLabels::Single;
    out.sinks.clear();
    out.values.clear();
    out.values.resize(grid.len(), UNREACHABLE);
    let result = check_inputs(movement, goals, engine).and_then(|()| {
        let stats = match movement.steps().charge() {
            Charge::Depart => run::<DepartCharge>(movement, goals, options, engine, scratch, &mut out.values),
            Charge::Arrive => run::<ArriveCharge>(movement, goals, options, engine, scratch, &mut out.values),
            Charge::Mean => run::<MeanCharge>(movement, goals, options, engine, scratch, &mut out.values),
        };
        settle_unreached(movement, goals, options, &mut out.values)?;
        Ok(stats)
    });
    match result {
        Ok(stats) => {
            let (values, sinks) = (&out.values, &mut out.sinks);
            sinks.extend(
                goals
                    .seeds()
                    .iter()
                    .filter(|seed| values[seed.cell.index()] == seed.bias),
            );
            // Seeds are in order of (cell, bias, goal): the first of a cell is the one that counts.
            sinks.dedup_by_key(|seed| seed.cell);
            if goals.goal_count() > 1 {
                let reached = |index: usize| values[index] <= MAX_COST_TO_GOAL;
                out.labels = GoalLabels::narrowed(&scratch.labels, reached, goals.goal_count());
            }
            Ok(stats)
        }
        Err(error) => {
            out.values.fill(UNKNOWN);
            Err(error)
        }
    }
}

fn check_inputs(movement: &Movement, goals: &ResolvedGoals, engine: Engine) -> Result<(), IntegrateError> {
    if !engine.supports(movement) {
        return Err(IntegrateError::NeedsUniformCost { engine });
    }
    let cells = movement.grid().len();
    for seed in goals.seeds() {
        if seed.cell.index() >= cells {
            return Err(IntegrateError::ForeignGoals {
                id: seed.cell.0,
                cells,
            });
        }
        if !movement.is_passable(seed.cell) {
            return Err(IntegrateError::BlockedGoal {
                cell: movement.grid().cell(seed.cell),
            });
        }
    }
    Ok(())
}

fn run<C: ChargeRule>(
    movement: &Movement,
    goals: &ResolvedGoals,
    options: &IntegrateOptions,
    engine: Engine,
    scratch: &mut IntegrateScratch,
    values: &mut [u32],
) -> IntegrateStats {
    scratch.labels.clear();
    let with_labels = goals.goal_count() > 1;
    if with_labels {
        scratch.labels.resize(values.len(), u32::MAX);
    }
    match (movement.is_plain(), with_labels) {
        (true, true) => run_engine::<true, C>(movement, goals, options, engine, scratch, values),
        (true, false) => run_engine::<false, C>(movement, goals, options, engine, scratch, values),
        (false, true) => run_over_edges::<true>(movement, goals, options, engine, scratch, values),
        (false, false) => run_over_edges::<false>(movement, goals, options, engine, scratch, values),
    }
}

/// Directed graphs and portals: the same two algorithms over edges one by one.
fn run_over_edges<const LABELS: bool>(
    movement: &Movement,
    goals: &ResolvedGoals,
    options: &IntegrateOptions,
    engine: Engine,
    scratch: &mut IntegrateScratch,
    values: &mut [u32],
) -> IntegrateStats {
    let mut stats = IntegrateStats {
        engine,
        ..IntegrateStats::default()
    };
    let graph = Edges {
        movement,
        limit: limit_of(options),
    };
    let IntegrateScratch {
        heap: heap_queue,
        buckets: bucket_queue,
        labels,
        ..
    } = scratch;
    let mut best = Best {
        costs: values,
        labels,
    };
    if engine == Engine::Heap {
        heap::run::<LABELS>(&graph, goals.seeds(), &mut best, heap_queue, &mut stats);
    } else {
        let step_range = (movement.smallest_positive_step(), movement.largest_step());
        far_buckets::run::<LABELS>(
            &graph,
            step_range,
            goals.seeds(),
            &mut best,
            bucket_queue,
            heap_queue,
            &mut stats,
        );
    }
    stats
}

fn run_engine<const LABELS: bool, C: ChargeRule>(
    movement: &Movement,
    goals: &ResolvedGoals,
    options: &IntegrateOptions,
    engine: Engine,
    scratch: &mut IntegrateScratch,
    values: &mut [u32],
) -> IntegrateStats {
    let mut stats = IntegrateStats {
        engine,
        ..IntegrateStats::default()
    };
    let limit = limit_of(options);
    let flat_cost = movement.uniform_cost();
    let terrain = Terrain::<'_, C> {
        exits: movement.all_exits(),
        costs: movement.costs(),
        lengths: movement.steps().lengths(),
        // Maps of several layers are never plain, see `Movement::is_plain`.
        offsets: movement.grid().layers()[0].id_offsets(),
        limit,
        fast_below: (limit + 1).saturating_sub(movement.largest_step()),
        flat_steps: [Direction::N, Direction::NE].map(|direction| {
            let cost = flat_cost.unwrap_or(0);
            movement.steps().step(direction, cost, cost)
        }),
        charge: PhantomData,
    };
    let IntegrateScratch {
        heap: heap_queue,
        buckets: bucket_queue,
        layers: layer_queues,
        labels,
    } = scratch;
    let mut best = Best {
        costs: values,
        labels,
    };
    let seeds = goals.seeds();
    let edge_range = (movement.smallest_positive_step(), movement.largest_step());
    let open = !LABELS && flat_cost.is_some() && is_open(movement);
    let best = &mut best;
    let stats_out = &mut stats;
    match engine {
        Engine::Heap => heap::run::<LABELS>(&terrain, seeds, best, heap_queue, stats_out),
        Engine::Layers if open => {
            layers::run::<LABELS, true, C>(&terrain, seeds, best, layer_queues, stats_out);
        }
        Engine::Layers => layers::run::<LABELS, false, C>(&terrain, seeds, best, layer_queues, stats_out),
        // Called by name, not through one pointer: inlined, the engines keep the terrain in registers, worth a tenth.
        Engine::Auto | Engine::Buckets => match (flat_cost.is_some(), open) {
            (true, true) => {
                buckets::run::<LABELS, true, true, C>(
                    &terrain,
                    edge_range,
                    seeds,
                    best,
                    bucket_queue,
                    stats_out,
                );
            }
            (true, false) => {
                buckets::run::<LABELS, true, false, C>(
                    &terrain,
                    edge_range,
                    seeds,
                    best,
                    bucket_queue,
                    stats_out,
                );
            }
            (false, _) => {
                buckets::run::<LABELS, false, false, C>(
                    &terrain,
                    edge_range,
                    seeds,
                    best,
                    bucket_queue,
                    stats_out,
                );
            }
        },
    }
    stats
}

/// Whether about 95 in 100 passable cells have all eight exits. There the relaxation with branches is 1.25 to 1.4 times as
/// fast; with walls about, where branches cannot be foreseen, it is up to 1.4 times as slow.
///
/// Every 61st cell is looked at: counting all of them took a nanosecond a cell, a tenth of the integration. The answer
/// decides about speed only.
fn is_open(movement: &Movement) -> bool {
    let cells = movement.all_exits().iter().zip(movement.costs()).step_by(61);
    let (full, passable) = cells.fold((0usize, 0usize), |(full, passable), (&exits, &cost)| {
        (
            full + usize::from(exits == DirectionSet::ALL),
            passable + usize::from(cost != 255),
        )
    });
    full * 100 >= passable * 95
}

fn limit_of(options: &IntegrateOptions) -> u32 {
    options
        .cost_limit
        .unwrap_or(MAX_COST_TO_GOAL)
        .min(MAX_COST_TO_GOAL)
}

/// Decides what cells without a cost are: unreachable, unknown, or proof that a cost did not fit.
///
/// Engines drop relaxations beyond their limit. A passable cell that ends without a cost although a legal exit leads
/// to a reached cell was lost that way, whatever the engine; so the decision does not depend on the engine.
fn settle_unreached(
    movement: &Movement,
    goals: &ResolvedGoals,
    options: &IntegrateOptions,
    values: &mut [u32],
) -> Result<(), IntegrateError> {
    let limit = limit_of(options);
    let cells = u64::try_from(values.len()).unwrap_or(u64::MAX);
    let dearest_seed = goals.seeds().iter().map(|seed| seed.bias).max().unwrap_or(0);
    // No shortest way visits a cell twice; if even the dearest such way fits, nothing was dropped.
    let bound = cells
        .saturating_mul(u64::from(movement.largest_edge()))
        .saturating_add(u64::from(dearest_seed));
    if bound > u64::from(limit) {
        let grid = movement.grid();
        let lost = grid.ids().find(|&id| {
            values[id.index()] == UNREACHABLE
                && movement
                    .edges_from(id)
                    .any(|edge| values[edge.other.index()] <= MAX_COST_TO_GOAL)
        });
        let cut_seed = goals
            .seeds()
            .iter()
            .any(|seed| seed.bias > limit && values[seed.cell.index()] == UNREACHABLE);
        match (lost, options.cost_limit) {
            (None, _) if !cut_seed => {}
            (Some(id), None) => return Err(IntegrateError::CostOverflow { cell: grid.cell(id) }),
            _ => {
                for id in grid.ids().filter(|&id| movement.is_passable(id)) {
                    let value = &mut values[id.index()];
                    if *value == UNREACHABLE {
                        *value = UNKNOWN;
                    }
                }
            }
        }
    }
    mark_unsurveyed(movement, values);
    Ok(())
}

fn mark_unsurveyed(movement: &Movement, values: &mut [u32]) {
    if movement.has_unknown() {
        for (value, id) in values.iter_mut().zip((0..).map(CellId)) {
            if !movement.is_known(id) {
                *value = UNKNOWN;
            }
        }
    }
}
