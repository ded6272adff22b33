//! What an integration takes, and which engine fits a limit.
//!
//! Fields and tiles are exact: their size follows from the map. How long a queue gets depends on the map, too, but it holds
//! the front of the wave, and that grows with the sides of the map. The longest fronts measured, in bytes per cell of a
//! side, are the figures below; they were those of maps whose cells cost 1 to 254 at random, with the goal in the middle
//! (`cargo test --release -p thalweg --test memory -- --nocapture` prints them). Several goals have several fronts, longer
//! together by the root of their number, as long as they do not fill the map.

use super::layers::front_cells;
use super::{Engine, IntegrateError, IntegrateOptions, ResolvedGoals, tiles};
use crate::memory::{Bytes, MemoryEstimate, MemoryPart};
use crate::movement::{Connectivity, Movement};

/// Queues of the heap, per cell of a side: on maps of one cost, and on others.
const HEAP_FRONT: [u64; 2] = [100, 195];
/// Queues of the buckets, the same.
const BUCKETS_FRONT: [u64; 2] = [290, 420];
/// No front is longer than so many bytes per cell of the map.
const FULL_FRONT: u64 = 48;
/// What buckets hold for batches, whatever the map.
const BATCHES: u64 = 18 * 1024;
/// Slots of the ring, empty or with their least storage.
const PER_BUCKET: u64 = 24 + 32;
/// What layers hold for runs.
const RUNS: u64 = 56 * 1024;
/// Cells that wait while labels spread, per cell of the map.
const FLOOD: u64 = 2;
/// What a thread of the tile engine holds.
const PER_THREAD: u64 = 4 * 1024;

/// What an integration takes, and with which engine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IntegrateEstimate {
    /// The engine that would run.
    pub engine: Engine,
    /// The bytes taken at the peak, the field included. Buffers that an [`IntegrateScratch`](super::IntegrateScratch) holds
    /// already are counted: it is what a first call takes.
    pub memory: MemoryEstimate,
}

/// The bytes that integrating takes at its peak with these options.
///
/// Under a [memory limit](IntegrateOptions::memory_limit) [`Engine::Auto`] goes on to leaner engines until one fits; if none
/// does, the estimate is that of the leanest.
#[must_use]
pub fn estimate_memory(
    movement: &Movement,
    goals: &ResolvedGoals,
    options: &IntegrateOptions,
    threads: usize,
) -> IntegrateEstimate {
    let of = |engine| IntegrateEstimate {
        engine,
        memory: engine_memory(engine, movement, goals, threads),
    };
    let first = of(options.engine.resolve_for(movement, options.vectors));
    let limit = options.memory_limit.unwrap_or(u64::MAX);
    if options.engine != Engine::Auto || first.memory.total() <= limit {
        return first;
    }
    // Of engines that fit, the fastest.
    let others = [Engine::Layers, Engine::Buckets, Engine::Heap]
        .into_iter()
        .filter(|engine| engine.supports(movement))
        .map(of);
    let fits = others.clone().find(|other| other.memory.total() <= limit);
    let leanest = || others.min_by_key(|other| other.memory.total());
    fits.or_else(leanest).unwrap_or(first)
}

/// The engine to run, if what it takes is within the limit.
pub(super) fn engine_within(
    movement: &Movement,
    goals: &ResolvedGoals,
    options: &IntegrateOptions,
    threads: usize,
) -> Result<Engine, IntegrateError> {
    let Some(limit) = options.memory_limit else {
        return Ok(options.engine.resolve_for(movement, options.vectors));
    };
    let IntegrateEstimate { engine, memory } = estimate_memory(movement, goals, options, threads);
    if memory.total() > limit {
        return Err(IntegrateError::MemoryLimit {
            engine,
            estimate: memory,
            limit: Bytes(limit),
        });
    }
    Ok(engine)
}

/// Whether what a stepped integration takes by an engine is within the limit; labels may have to spread afterwards.
pub(super) fn stepped_within(
    engine: Engine,
    movement: &Movement,
    goals: &ResolvedGoals,
    options: &IntegrateOptions,
) -> Result<(), IntegrateError> {
    let Some(limit) = options.memory_limit else {
        return Ok(());
    };
    let flood = if goals.goal_count() > 1 {
        FLOOD * movement.grid().len() as u64 + 4 * goals.seeds().len() as u64
    } else {
        0
    };
    let estimate = engine_memory(engine, movement, goals, 1).with(MemoryPart::Labels, flood);
    if estimate.total() > limit {
        return Err(IntegrateError::MemoryLimit {
            engine,
            estimate,
            limit: Bytes(limit),
        });
    }
    Ok(())
}

fn engine_memory(
    engine: Engine,
    movement: &Movement,
    goals: &ResolvedGoals,
    threads: usize,
) -> MemoryEstimate {
    let cells = movement.grid().len() as u64;
    let queues = match engine {
        // Corridors put only cells with a choice into a queue.
        Engine::Heap | Engine::Corridors => front(HEAP_FRONT, movement, goals),
        Engine::Layers => {
            let room = |cells| front_cells(cells, goals.goal_count() > 1);
            let lists = match movement.profile().connectivity {
                Connectivity::Four => room(movement.grid().len()) + room(0),
                Connectivity::Eight => 2 * room(movement.grid().len()),
            };
            4 * lists as u64 + RUNS + 20 * goals.seeds().len() as u64
        }
        Engine::Tiles => {
            let tiles =
                tiles::memory(movement) + PER_THREAD * threads as u64 + 24 * goals.seeds().len() as u64;
            // Where tiles give up they are dropped before buckets take over.
            tiles.max(bucket_memory(movement, goals))
        }
        Engine::Auto | Engine::Buckets => bucket_memory(movement, goals),
    };
    let several = u64::from(goals.goal_count() > 1);
    let narrow = match goals.goal_count() {
        0..=1 => 0,
        2..=256 => 1,
        257..=65_536 => 2,
        _ => 4,
    };
    let flood = if engine == Engine::Tiles {
        several * FLOOD * cells
    } else {
        0
    };
    let sinks = 2 * size_of::<super::Seed>() as u64 * goals.seeds().len() as u64;
    MemoryEstimate::new()
        .with(MemoryPart::CostToGoal, 4 * cells + sinks)
        .with(MemoryPart::Labels, several * (4 + narrow) * cells + flood)
        .with(MemoryPart::Engine, queues)
}

fn bucket_memory(movement: &Movement, goals: &ResolvedGoals) -> u64 {
    let ring = super::buckets::ring_len(movement.smallest_positive_step(), movement.largest_step());
    front(BUCKETS_FRONT, movement, goals)
        + PER_BUCKET * u64::from(ring)
        + BATCHES
        + 4 * goals.seeds().len() as u64
}

/// Bytes of a queue.
fn front([even, uneven]: [u64; 2], movement: &Movement, goals: &ResolvedGoals) -> u64 {
    let layers = movement.grid().layers();
    let sides: u64 = layers
        .iter()
        .map(|layer| (u64::from(layer.width()) + u64::from(layer.height())).div_ceil(2))
        .sum();
    let is_even = movement.has_one_cost() && !movement.has_edge_charges();
    // In sixteenths.
    let fronts = (256 * goals.seeds().len().max(1) as u64).isqrt();
    let longest = FULL_FRONT * movement.grid().len() as u64;
    (sides * if is_even { even } else { uneven } * fronts / 16).min(longest)
}
