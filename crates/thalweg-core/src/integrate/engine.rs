//! The entry point: picks an engine, runs it, and decides what the cells it did not reach mean.

use super::asked::Answers;
use super::field::{UNKNOWN, UNREACHABLE};
use super::labels::flood_labels;
use super::run_options::{Pace, RunOptions};
use super::sample::{is_maze, is_open};
use super::unreached::{mark_unsurveyed, settle_unreached};
use super::wave::{Best, Edges, Terrain};
use super::{
    GoalLabels, IntegrateError, IntegrateScratch, IntegrationField, MAX_COST_TO_GOAL, ResolvedGoals, Vectors,
    buckets, corridors, far_buckets, heap, layers, memory, tiles,
};
use crate::movement::{
    ArriveCharge, Charge, ChargeRule, Connectivity, DepartCharge, MeanCharge, Movement, ProfileError,
};
use crate::vectors::Level;
use crate::workers::Workers;
use core::fmt;
use core::str::FromStr;

/// Which algorithm integrates. The result does not depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Engine {
    /// Whichever is fastest, see [`Engine::resolve`].
    #[default]
    Auto,
    /// Dijkstra with a binary heap: the oracle.
    Heap,
    /// Dial's circular buckets.
    Buckets,
    /// Breadth-first layers; only for uniform costs.
    Layers,
    /// Tiles of 32 × 32 cells, relaxed with vectors; not where edges have charges of their own.
    Tiles,
    /// Corridors followed from one choice to the next, for mazes; not over one-way borders, portals and several layers.
    Corridors,
}

/// The largest map, in cells, on which [`Engine::Auto`] picks layers.
const LAYERS_UP_TO: usize = 1 << 20;
/// The smallest map on which it picks tiles, in cells.
pub(super) const TILES_FROM: usize = 1 << 8;

impl Engine {
    /// Every engine that can be asked for by name, [`Engine::Auto`] left out.
    pub const ALL: [Self; 5] = [
        Self::Heap,
        Self::Buckets,
        Self::Layers,
        Self::Tiles,
        Self::Corridors,
    ];

    /// Whether the engine can integrate over this movement.
    #[must_use]
    pub fn supports(self, movement: &Movement) -> bool {
        match self {
            Self::Auto | Self::Heap | Self::Buckets => true,
            Self::Layers => movement.uniform_cost().is_some(),
            Self::Tiles => !movement.has_edge_charges(),
            Self::Corridors => movement.is_plain(),
        }
    }

    /// The engine that [`Engine::Auto`] stands for on this movement, with the vectors of this processor; any
    /// other engine stands for itself.
    ///
    /// In this order (figures in `benches/README.md`; the heap is never picked):
    /// 1. **Corridors** where corridors one cell wide fill a plain map: 1.6 to 3.2 times as fast as buckets.
    /// 2. **Tiles** from 256 cells on, where the processor has vectors of eight lanes at least and edges have no charges of
    ///    their own: 2 to 10 times as fast as buckets.
    /// 3. **Layers** wherever they can run, up to 1,048,576 cells: interleaved with buckets they were 1.04 to 1.17 times as
    ///    fast on 12 open, random, room, city and game maps of 2,000 to 260,000 cells. Beyond they are up to 1.1 times
    ///    slower, because they keep every cell they have met, and hold twice the memory.
    /// 4. **Buckets**.
    #[must_use]
    pub fn resolve(self, movement: &Movement) -> Self {
        self.resolve_for(movement, Vectors::Best)
    }

    pub(super) fn resolve_for(self, movement: &Movement, vectors: Vectors) -> Self {
        if self != Self::Auto {
            return self;
        }
        let is_maze = is_maze(movement);
        if is_maze && Self::Corridors.supports(movement) {
            return Self::Corridors;
        }
        let cells = movement.grid().len();
        let tiles_pay = !is_maze && vectors.are_wide() && cells >= TILES_FROM;
        if tiles_pay && Self::Tiles.supports(movement) {
            Self::Tiles
        } else if cells <= LAYERS_UP_TO && Self::Layers.supports(movement) {
            Self::Layers
        } else {
            Self::Buckets
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
            Self::Tiles => "tiles",
            Self::Corridors => "corridors",
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
            "tiles" => Ok(Self::Tiles),
            "corridors" => Ok(Self::Corridors),
            _ => Err(ProfileError::Word {
                what: "engine",
                got: text.to_owned(),
                allowed: "auto, heap, dial (or buckets), layers, tiles or corridors",
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
    /// The vector instructions that the tile engine uses; default the widest there are (none, and so cell by cell, in a build
    /// without the feature `vectors`).
    pub vectors: Vectors,
    /// How many bytes the integration may take by [`estimate_memory`](super::estimate_memory), the field included; default
    /// any number. [`Engine::Auto`] goes on to leaner engines until one fits.
    pub memory_limit: Option<u64>,
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

    /// The options with other vector instructions.
    #[must_use]
    pub const fn with_vectors(mut self, vectors: Vectors) -> Self {
        self.vectors = vectors;
        self
    }

    /// The options with a memory limit, in bytes.
    #[must_use]
    pub const fn with_memory_limit(mut self, limit: u64) -> Self {
        self.memory_limit = Some(limit);
        self
    }

    /// The options with a cost limit, in step units.
    #[must_use]
    pub const fn with_cost_limit(mut self, limit: u32) -> Self {
        self.cost_limit = Some(limit);
        self
    }
}

/// What one integration did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct IntegrateStats {
    /// The engine that ran.
    pub engine: Engine,
    /// Cells that were relaxed; a cell counts each time. With several threads the tile engine may differ from run to run.
    pub expanded: u64,
    /// Queue entries dropped because their cell had become cheaper.
    pub stale: u64,
    /// Buckets visited (buckets engine only).
    pub buckets: u64,
    /// Tiles worked (tile engine only); a tile counts each time. With several threads it may differ from run to run.
    pub tiles: u64,
}

/// Computes the cost-to-goal of every cell into `out`, which is resized as needed.
///
/// The result is a pure function of movement, goals and cost limit: the same bits for every engine. On an error `out`
/// holds no cost at all (every cell is unknown), but for [`IntegrateError::MemoryLimit`], which leaves it as it was.
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
    integrate_with(movement, goals, options, &RunOptions::new(), scratch, out)
}

/// [`integrate`] on the threads of a pool. Only the tile engine uses more than one; the bits are the same for any number.
///
/// # Errors
/// As [`integrate`].
pub fn integrate_on(
    movement: &Movement,
    goals: &ResolvedGoals,
    options: &IntegrateOptions,
    workers: &dyn Workers,
    scratch: &mut IntegrateScratch,
    out: &mut IntegrationField,
) -> Result<IntegrateStats, IntegrateError> {
    let run = RunOptions::new().with_workers(workers);
    integrate_with(movement, goals, options, &run, scratch, out)
}

/// [`integrate`] on the threads of a pool, only as far as the cells that are asked for need it, and watched by somebody who
/// may end it: see [`RunOptions`].
///
/// # Errors
/// As [`integrate`], and [`IntegrateError::Cancelled`] and [`IntegrateError::ForeignAsked`].
pub fn integrate_with(
    movement: &Movement,
    goals: &ResolvedGoals,
    options: &IntegrateOptions,
    run: &RunOptions<'_>,
    scratch: &mut IntegrateScratch,
    out: &mut IntegrationField,
) -> Result<IntegrateStats, IntegrateError> {
    let grid = movement.grid();
    let engine = memory::engine_within(movement, goals, options, run.workers.threads())?;
    out.begin(movement);
    // What stands in them does not matter: every engine writes all.
    let values = out.values.restart();
    values.resize(grid.len(), UNREACHABLE);
    let result = check_inputs(movement, goals, engine, options, run)
        .and_then(|level| integrate_values(movement, goals, options, engine, level, run, scratch, values));
    match result {
        Ok(stats) => {
            out.keep_sinks(goals);
            if goals.goal_count() > 1 {
                let values = out.values.flat();
                let reached = |index: usize| values[index] <= MAX_COST_TO_GOAL;
                out.labels = GoalLabels::narrowed(&scratch.labels, reached, goals.goal_count());
            }
            Ok(stats)
        }
        Err(error) => {
            out.values.refill(grid.len(), UNKNOWN);
            Err(error)
        }
    }
}

/// Fills the values, and the labels of the scratch if several goals compete.
#[expect(
    clippy::too_many_arguments,
    reason = "what is integrated, how, with what, into what"
)]
fn integrate_values(
    movement: &Movement,
    goals: &ResolvedGoals,
    options: &IntegrateOptions,
    engine: Engine,
    level: Option<Level>,
    run: &RunOptions<'_>,
    scratch: &mut IntegrateScratch,
    values: &mut [u32],
) -> Result<IntegrateStats, IntegrateError> {
    // Auto has looked already.
    if engine == Engine::Tiles && (options.engine == Engine::Auto || !is_maze(movement)) {
        let goal_count = goals.goal_count();
        // Goals are told apart on the way; where that does not fit, afterwards.
        let packed = tiles::Packing::for_goals(goal_count, movement).filter(|_| goal_count > 1);
        for packing in packed.into_iter().chain([tiles::Packing::COSTS]) {
            let outcome = run_tiles(movement, goals, options, level, run, packing, scratch, values)?;
            if let Some(stats) = outcome {
                return Ok(stats);
            }
        }
    }
    // Tiles that gave up are followed by what never does.
    let engine = if engine == Engine::Tiles {
        // Their memory goes first: both together may be more than was asked about.
        scratch.tiles = tiles::TileScratch::default();
        Engine::Buckets
    } else {
        engine
    };
    values.fill(UNREACHABLE);
    let mut pace = Pace::new(movement, run);
    let stats = match movement.steps().charge() {
        Charge::Depart => {
            run_charged::<DepartCharge>(movement, goals, options, engine, &mut pace, scratch, values)
        }
        Charge::Arrive => {
            run_charged::<ArriveCharge>(movement, goals, options, engine, &mut pace, scratch, values)
        }
        Charge::Mean => {
            run_charged::<MeanCharge>(movement, goals, options, engine, &mut pace, scratch, values)
        }
    };
    if pace.is_cancelled {
        return Err(IntegrateError::Cancelled);
    }
    let answers = run
        .asked
        .map_or(Answers::All, |asked| Answers::of(&asked, movement, values));
    if answers == Answers::All {
        settle_unreached(movement, goals, options, values)?;
    } else {
        answers.apply(movement, run.workers, values);
    }
    mark_unsurveyed(movement, values);
    Ok(stats)
}

/// Integrates with tiles; `None` if they gave up.
#[expect(
    clippy::too_many_arguments,
    reason = "what is integrated, how, with what, into what"
)]
fn run_tiles(
    movement: &Movement,
    goals: &ResolvedGoals,
    options: &IntegrateOptions,
    level: Option<Level>,
    run: &RunOptions<'_>,
    packing: tiles::Packing,
    scratch: &mut IntegrateScratch,
    values: &mut [u32],
) -> Result<Option<IntegrateStats>, IntegrateError> {
    let (seeds, limit) = (goals.seeds(), limit_of(options));
    let IntegrateScratch {
        tiles: buffers,
        labels,
        ..
    } = scratch;
    labels.clear();
    let is_packed = packing != tiles::Packing::COSTS;
    if goals.goal_count() > 1 {
        labels.resize(values.len(), u32::MAX);
    }
    let told_apart = if is_packed { &mut labels[..] } else { &mut [] };
    let task = tiles::Task {
        movement,
        seeds,
        limit,
        level,
        packing,
    };
    let outcome = tiles::run(&task, run, buffers, values, told_apart);
    match outcome {
        tiles::Outcome::Done {
            stats,
            answers,
            dropped,
        } => {
            // Where nothing was dropped no cell was lost.
            if dropped && answers == Answers::All {
                settle_unreached(movement, goals, options, values)?;
            }
            mark_unsurveyed(movement, values);
            if goals.goal_count() > 1 && !is_packed {
                flood_labels(movement, seeds, values, labels);
            }
            Ok(Some(IntegrateStats {
                engine: Engine::Tiles,
                ..stats
            }))
        }
        tiles::Outcome::Cancelled => Err(IntegrateError::Cancelled),
        tiles::Outcome::GaveUp => Ok(None),
    }
}

pub(super) fn check_inputs(
    movement: &Movement,
    goals: &ResolvedGoals,
    engine: Engine,
    options: &IntegrateOptions,
    run: &RunOptions<'_>,
) -> Result<Option<Level>, IntegrateError> {
    if !engine.supports(movement) {
        return Err(match engine {
            Engine::Tiles => IntegrateError::EdgeCharges { engine },
            Engine::Corridors => IntegrateError::NeedsPlainMap { engine },
            _ => IntegrateError::NeedsUniformCost { engine },
        });
    }
    let vectors = options.vectors;
    let level = vectors.level().ok_or(IntegrateError::NoVectors { vectors })?;
    let cells = movement.grid().len();
    if let Some(asked) = &run.asked {
        asked.check(cells)?;
    }
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
    Ok(level)
}

fn run_charged<C: ChargeRule>(
    movement: &Movement,
    goals: &ResolvedGoals,
    options: &IntegrateOptions,
    engine: Engine,
    pace: &mut Pace<'_>,
    scratch: &mut IntegrateScratch,
    values: &mut [u32],
) -> IntegrateStats {
    scratch.labels.clear();
    let with_labels = goals.goal_count() > 1;
    if with_labels {
        scratch.labels.resize(values.len(), u32::MAX);
    }
    match (movement.is_plain(), with_labels) {
        (true, true) => run_engine::<true, C>(movement, goals, options, engine, pace, scratch, values),
        (true, false) => run_engine::<false, C>(movement, goals, options, engine, pace, scratch, values),
        (false, true) => run_over_edges::<true>(movement, goals, options, engine, pace, scratch, values),
        (false, false) => run_over_edges::<false>(movement, goals, options, engine, pace, scratch, values),
    }
}

/// Directed graphs and portals: the same two algorithms over edges one by one.
fn run_over_edges<const LABELS: bool>(
    movement: &Movement,
    goals: &ResolvedGoals,
    options: &IntegrateOptions,
    engine: Engine,
    pace: &mut Pace<'_>,
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
        heap::run::<LABELS>(&graph, goals.seeds(), &mut best, heap_queue, pace, &mut stats);
    } else {
        far_buckets::begin(step_range(movement), bucket_queue, heap_queue);
        far_buckets::advance::<LABELS>(
            &graph,
            goals.seeds(),
            &mut best,
            (bucket_queue, heap_queue),
            pace,
            &mut stats,
            u64::MAX,
        );
    }
    stats
}

fn run_engine<const LABELS: bool, C: ChargeRule>(
    movement: &Movement,
    goals: &ResolvedGoals,
    options: &IntegrateOptions,
    engine: Engine,
    pace: &mut Pace<'_>,
    scratch: &mut IntegrateScratch,
    values: &mut [u32],
) -> IntegrateStats {
    let mut stats = IntegrateStats {
        engine,
        ..IntegrateStats::default()
    };
    let terrain = Terrain::<'_, C>::of(movement, limit_of(options));
    let flat_cost = movement.uniform_cost();
    let IntegrateScratch {
        heap: heap_queue,
        buckets: bucket_queue,
        layers: layer_queues,
        labels,
        ..
    } = scratch;
    let mut best = Best {
        costs: values,
        labels,
    };
    let seeds = goals.seeds();
    let open = !LABELS && flat_cost.is_some() && is_open(movement);
    let diagonals = movement.profile().connectivity == Connectivity::Eight;
    let best = &mut best;
    let stats_out = &mut stats;
    match engine {
        Engine::Heap => heap::run::<LABELS>(&terrain, seeds, best, heap_queue, pace, stats_out),
        Engine::Layers if open => {
            layers::run::<LABELS, true, C>(&terrain, diagonals, seeds, best, layer_queues, pace, stats_out);
        }
        Engine::Layers => {
            layers::run::<LABELS, false, C>(&terrain, diagonals, seeds, best, layer_queues, pace, stats_out);
        }
        Engine::Corridors if flat_cost.is_some() => {
            corridors::run::<LABELS, true, C>(&terrain, seeds, best, heap_queue, pace, stats_out);
        }
        Engine::Corridors => {
            corridors::run::<LABELS, false, C>(&terrain, seeds, best, heap_queue, pace, stats_out);
        }
        Engine::Auto | Engine::Buckets | Engine::Tiles => {
            buckets::begin(step_range(movement), seeds, terrain.limit, bucket_queue);
            let kernel = buckets::Kernel {
                is_flat: flat_cost.is_some(),
                is_open: open,
            };
            buckets::advance_with::<LABELS, C>(
                kernel,
                &terrain,
                seeds,
                best,
                bucket_queue,
                pace,
                stats_out,
                u64::MAX,
            );
        }
    }
    stats
}

/// Between what the cost of a step lies, those of 0 left out.
pub(super) fn step_range(movement: &Movement) -> (u32, u32) {
    (movement.smallest_positive_step(), movement.largest_step())
}

pub(super) fn limit_of(options: &IntegrateOptions) -> u32 {
    options
        .cost_limit
        .unwrap_or(MAX_COST_TO_GOAL)
        .min(MAX_COST_TO_GOAL)
}
