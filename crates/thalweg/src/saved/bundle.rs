//! Saved bundles.

use super::bytes::{Reader, Writer, array};
use super::{GoalsHash, LoadError, MapHash, Mismatch, ProfileHash, SavedKind, grid};
use crate::bundle::{BuildOptions, BuildScratch, FieldBundle, Parts};
use std::sync::Arc;
use thalweg_core::flow::{FlowField, HeadingField, HeadingOptions, extract};
use thalweg_core::integrate::{CostToGoal, GoalSet, IntegrateStats, IntegrationField, Reach};
use thalweg_core::movement::Movement;
use thalweg_core::workers::Serial;
use thiserror::Error;

const HEADINGS: u8 = 1;
const LENGTHS: u8 = 2;
const COST_LIMIT: u8 = 4;

/// Stored where a cell has no cost-to-goal.
const NONE: u32 = u32::MAX;

/// Why a bundle cannot be saved.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SaveError {
    /// It answers only the cells that were asked for; whoever loads it could not check that the others are rightly unknown.
    #[error("the bundle was made for some cells only")]
    NotWhole,
}

/// Saves a bundle: its costs-to-goal and headings, and hashes of what it was made for. 4 bytes a cell, 8 with headings.
///
/// # Errors
/// [`SaveError`].
pub fn save_bundle(bundle: &FieldBundle) -> Result<Vec<u8>, SaveError> {
    if !bundle.is_whole() {
        return Err(SaveError::NotWhole);
    }
    let cells = bundle.grid();
    let options = bundle.options();
    let headings = bundle.headings().zip(options.headings);
    let mut out = Writer::new(SavedKind::Bundle);
    out.reserve(16 * cells.layers().len() + if headings.is_some() { 8 } else { 4 } * cells.len() + 80);
    grid::write(&mut out, cells);
    out.u128(MapHash::of(bundle.movement()).0);
    out.u128(ProfileHash::of(bundle.movement().profile()).0);
    out.u128(GoalsHash::of(bundle.resolved_goals()).0);
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    let limit = options.integrate.cost_limit;
    out.u8(flag(headings.is_some(), HEADINGS)
        | flag(bundle.lengths().is_some(), LENGTHS)
        | flag(limit.is_some(), COST_LIMIT));
    if let Some(limit) = limit {
        out.u32(limit);
    }
    if let Some((_, options)) = headings {
        out.u32(options.sight);
        out.u8(options.clearance);
    }
    for reach in bundle.integration().reaches() {
        out.u32(match reach {
            Reach::Reached(cost) => cost.0,
            Reach::Unreachable | Reach::Unknown => NONE,
        });
    }
    if let Some((headings, _)) = headings {
        for id in cells.ids() {
            let (dx, dy) = headings.offset(id).unwrap_or((0, 0));
            for offset in [dx, dy] {
                // Offsets are stored in so many bits.
                out.i16(i16::try_from(offset).unwrap_or(0));
            }
        }
    }
    Ok(out.finish())
}

/// Loads a bundle for a map, a profile and goals, which must be those it was made for. It is equal to the one that was saved, but
/// for [`FieldBundle::stats`], which count nothing, and the engine and the memory limit in its options.
///
/// The check that the costs are the answer takes about as long as an integration; what is saved of a build is that of
/// headings, which take far longer.
///
/// # Errors
/// [`LoadError::Mismatch`] if it was made for something else: build it anew. Any other [`LoadError`] if the bytes are no bundle
/// any more; never a panic, whatever they are.
pub fn load_bundle(
    bytes: &[u8],
    movement: impl Into<Arc<Movement>>,
    goals: &GoalSet,
) -> Result<FieldBundle, LoadError> {
    let movement = movement.into();
    let mut bytes = Reader::new(bytes, SavedKind::Bundle)?;
    let cells = grid::read(&mut bytes)?;
    let map = MapHash(bytes.u128("the hash of the map")?);
    let profile = ProfileHash(bytes.u128("the hash of the profile")?);
    let goals_hash = GoalsHash(bytes.u128("the hash of the goals")?);
    let mismatch = |what| Err(LoadError::Mismatch { what });
    if profile != ProfileHash::of(movement.profile()) {
        return mismatch(Mismatch::Profile);
    }
    if cells != *movement.grid() || map != MapHash::of(&movement) {
        return mismatch(Mismatch::Map);
    }
    let resolved = goals.resolve(&movement)?;
    if goals_hash != GoalsHash::of(&resolved) {
        return mismatch(Mismatch::Goals);
    }

    let flags = bytes.flags(HEADINGS | LENGTHS | COST_LIMIT)?;
    let mut options = BuildOptions::new();
    if flags & COST_LIMIT != 0 {
        options = options.with_cost_limit(bytes.u32("the cost limit")?);
    }
    if flags & HEADINGS != 0 {
        options.headings = Some(read_heading_options(&mut bytes)?);
    }
    options.lengths = flags & LENGTHS != 0;
    let len = cells.len() as u64;
    let costs_at = bytes.at();
    let costs = bytes.take(4 * len, "the costs-to-goal")?.chunks_exact(4);
    let costs = costs.map(|cost| match u32::from_le_bytes(array(cost)) {
        NONE => None,
        cost => Some(CostToGoal(cost)),
    });
    let integration = IntegrationField::from_costs(&movement, &resolved, &options.integrate, costs)
        .map_err(|reason| LoadError::Field { at: costs_at, reason })?;
    let mut scratch = BuildScratch::new();
    let mut flow = FlowField::new(cells.clone());
    extract(&movement, &integration, &Serial, &mut scratch.flow, &mut flow);
    let headings = if flags & HEADINGS == 0 {
        None
    } else {
        let at = bytes.at();
        let offsets = bytes.take(4 * len, "the headings")?.chunks_exact(4);
        let offsets = offsets.map(|offset| {
            let part = |at: usize| i16::from_le_bytes(array(&offset[at..]));
            [part(0), part(2)]
        });
        let headings = HeadingField::from_offsets(&flow, offsets.collect());
        Some(headings.map_err(|reason| LoadError::Headings { at, reason })?)
    };
    bytes.finish("the bundle")?;
    let parts = Parts {
        movement,
        integration,
        flow,
        resolved,
        stats: IntegrateStats::default(),
    };
    let lengths = parts.lengths_if(&options, &mut scratch);
    Ok(parts.with_channels(headings, lengths, &options, true))
}

/// How the headings were made: values that [`HeadingOptions`] can have.
fn read_heading_options(bytes: &mut Reader<'_>) -> Result<HeadingOptions, LoadError> {
    let at = bytes.at();
    let (sight, clearance) = (bytes.u32("the sight")?, bytes.u8("the clearance")?);
    let options = HeadingOptions::new().with_sight(sight).with_clearance(clearance);
    if (options.sight, options.clearance) == (sight, clearance) {
        return Ok(options);
    }
    let what = "the headings were made with options that cannot be";
    Err(LoadError::Value { at, what })
}
