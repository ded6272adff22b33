//! Strict mode in a scene: how a crowd goes from cell to cell, how fast, and where it begins.

use super::{GroupPlan, Placement, Scene, SceneError};
use crate::random::Random;
use thalweg_core::grid::{Cell, CellId, Grid};
use thalweg_core::movement::Footprint;
use thalweg_crowd::strict::StrictOptions;
use thiserror::Error;

/// How a crowd goes from cell to cell; the table `[strict]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrictPlan {
    /// Rules, horizon and searches; the seed is that of the scene.
    pub options: StrictOptions,
}

/// The ticks that a step takes at a speed in world units per second: the nearest whole number to
/// `cell_size / speed / tick_s`, at least 1; `None` above 255. Straight and diagonal steps take the same.
#[must_use]
pub fn pace(cell_size: f64, speed: f64, tick_s: f64) -> Option<u8> {
    let ticks = (cell_size / speed / tick_s).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be in range; NaN is refused by the comparison"
    )]
    (ticks <= f64::from(u8::MAX)).then(|| ticks.max(1.0) as u8)
}

/// Agents of a group find no cells of their own at the start.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "only {placed} of {wanted} agents find room where nobody else begins; a [strict] scene puts no two bodies on one cell"
)]
pub struct NoRoom {
    /// Index of the group.
    pub group: usize,
    /// How many found a place.
    pub placed: u32,
    /// How many there are.
    pub wanted: u32,
}

impl Scene {
    /// The ticks that a step takes at a speed, in world units per second, in this scene; see [`pace`].
    pub(crate) fn pace(&self, speed: f64) -> Option<u8> {
        pace(self.transform.cell_size(), speed, self.tick_s)
    }

    /// Why the slowest of a group is too slow for strict mode, if it is.
    pub(super) fn too_slow(&self, group: &GroupPlan) -> Option<String> {
        let slowest = group.speed.0;
        if self.pace(slowest).is_some() {
            return None;
        }
        let (cell, tick) = (self.transform.cell_size(), self.tick_s);
        Some(format!(
            "speed is {slowest}: a step over a cell of {cell} would take {:.0} ticks of {tick} s, above the limit of {} \
             ticks of a [strict] scene",
            (cell / slowest / tick).round(),
            u8::MAX
        ))
    }

    pub(super) fn check_paces(&self) -> Result<(), SceneError> {
        let groups = self.groups.iter().filter(|_| self.strict.is_some());
        for group in groups {
            if let Some(reason) = self.too_slow(group) {
                return Err(SceneError::new(format!("group `{}`: {reason}", group.name)));
            }
        }
        Ok(())
    }
}

/// The anchor cells on which agents begin, by group: no cell is covered twice.
///
/// Named cells are given out first, then larger bodies before smaller ones: a small one drawn at random would often stand
/// where the large one could have. Within a group the cells are drawn by the seed, one after the other, and not packed; a
/// crowded place may have room for more large bodies than this finds.
pub(crate) fn places(scene: &Scene) -> Result<Vec<Vec<Cell>>, NoRoom> {
    let grid = scene.costs.grid();
    let mut taken = vec![false; grid.len()];
    let mut places = vec![Vec::new(); scene.groups.len()];
    let mut order: Vec<usize> = (0..scene.groups.len()).collect();
    order.sort_by_key(|&group| {
        let plan = &scene.groups[group];
        let cells = body_of(scene, plan).covered_offsets().count();
        (
            matches!(plan.placement, Placement::Drawn(_)),
            core::cmp::Reverse(cells),
        )
    });
    for group in order {
        let plan = &scene.groups[group];
        let footprint = body_of(scene, plan);
        let wanted = plan.count as usize;
        let cells = match &plan.placement {
            Placement::Each(cells) => cells.clone(),
            Placement::Drawn(cells) => shuffled(cells, scene.seed, group),
        };
        for id in cells {
            if places[group].len() == wanted {
                break;
            }
            let cell = grid.cell(id);
            let has_room = covered(grid, cell, &footprint)
                .all(|covered| covered.is_some_and(|covered| !taken[covered.index()]));
            if !has_room {
                continue;
            }
            for covered in covered(grid, cell, &footprint).flatten() {
                taken[covered.index()] = true;
            }
            places[group].push(cell);
        }
        if places[group].len() < wanted {
            return Err(NoRoom {
                group,
                placed: u32::try_from(places[group].len()).unwrap_or(u32::MAX),
                wanted: plan.count,
            });
        }
    }
    Ok(places)
}

fn body_of(scene: &Scene, group: &GroupPlan) -> Footprint {
    scene.profiles[group.profile].movement.footprint
}

/// The cells of a body, `None` for those beyond the border.
fn covered(grid: &Grid, anchor: Cell, footprint: &Footprint) -> impl Iterator<Item = Option<CellId>> {
    footprint
        .covered_offsets()
        .map(move |(dx, dy)| grid.id(Cell::on(anchor.layer, anchor.x + dx, anchor.y + dy)))
}

/// Fisher and Yates, from a stream that no agent has.
fn shuffled(cells: &[CellId], seed: u64, group: usize) -> Vec<CellId> {
    let mut cells = cells.to_vec();
    let mut random = Random::new(seed, group as u64, u64::MAX);
    for last in (1..cells.len()).rev() {
        let below = u32::try_from(last + 1).unwrap_or(u32::MAX);
        cells.swap(last, random.below(below) as usize);
    }
    cells
}
