//! Directions that are chosen over many calls, a band of rows after the other.

use super::FlowField;
use super::circles::{Circles, Hopping};
use super::extract::{ExtractError, ExtractOptions, tight_portals_of};
use super::tight::{Tight, short_band};
use crate::grid::{CellId, DirectionSet};
use crate::integrate::{IntegrationField, LOOK_AT_EDGES, Progress};
use crate::movement::{FlatGround, Movement, PortalIndex};
use crate::shared_cells::Flattening;
use crate::vectors::Level;
use core::fmt;
use std::sync::Arc;

/// Cells of a strip in which each may take as much as settling it.
const STRIP: usize = 1 << 7;

/// What copying a page of an array takes.
const PAGE_WORK: u64 = 512;

/// What is being done, in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// What is read is put together, if it is in pages.
    Ground,
    /// Tight exits, band by band.
    Bands,
    /// Goal cells lose theirs.
    Sinks,
    Portals,
    /// Only where steps may cost nothing, from here on: cells with a paid way down.
    Paid,
    /// How many free steps the others are from these.
    Hops,
    /// Exits that could lead in a circle are taken out.
    Exits,
    /// Portals, too.
    PortalExits,
    Finished,
}

/// A direction pass that goes on by as much work per call as the caller allows, and ends in the bits of
/// [`extract`](super::extract()).
///
/// It owns its half-made field, shares what it reads, and may be dropped half-way. What it has done after some calls is a
/// pure function of its inputs and the sum of the budgets spent; the field at the end does not depend on budgets at all.
///
/// # Units of work
/// The unit is that of [`SteppedIntegration`](crate::integrate::SteppedIntegration#units-of-work). A cell takes half a one
/// where its exits are compared by the lowest bits of costs-to-goal, as on most maps; one by vectors on directed maps; eight
/// without vectors; 64 where steps have charges of their own. Putting 4,096 cells of an array together, where movement or
/// costs-to-goal were made from others, is 512. Where steps may cost nothing, each cell takes up to 132 more. A goal cell is
/// one more, a portal up to 128.
pub struct SteppedExtraction {
    movement: Arc<Movement>,
    costs_to_goal: Arc<IntegrationField>,
    level: Option<Level>,
    ground: FlatGround,
    flat: Flattening<u32>,
    stage: Stage,
    /// Where the stage has got to.
    at: usize,
    successors: Vec<DirectionSet>,
    still: Vec<u8>,
    portals: Vec<(CellId, PortalIndex)>,
    hops: Vec<u32>,
    hopping: Hopping,
    /// The portals that stay.
    kept: Vec<(CellId, PortalIndex)>,
    work: u64,
    expected: u64,
}

impl SteppedExtraction {
    /// Checks the inputs and asks for room; chooses nothing yet. `costs_to_goal` must have been integrated over the same
    /// movement.
    ///
    /// # Errors
    /// [`ExtractError::NoVectors`] if the processor or the build lacks the vectors asked for, and
    /// [`ExtractError::ForeignField`] if the grids differ.
    pub fn begin(
        movement: Arc<Movement>,
        costs_to_goal: Arc<IntegrationField>,
        options: ExtractOptions,
    ) -> Result<Self, ExtractError> {
        let vectors = options.vectors;
        let level = vectors.level().ok_or(ExtractError::NoVectors { vectors })?;
        if movement.grid() != costs_to_goal.grid() {
            return Err(ExtractError::ForeignField {
                field: costs_to_goal.grid().clone(),
                movement: movement.grid().clone(),
            });
        }
        let cells = movement.grid().len();
        let hops = if movement.has_zero_steps() { cells } else { 0 };
        let mut begun = Self {
            level,
            stage: Stage::Ground,
            ground: FlatGround::default(),
            flat: Flattening::default(),
            at: 0,
            successors: Vec::with_capacity(cells),
            still: Vec::with_capacity(cells.div_ceil(4)),
            portals: Vec::new(),
            hops: Vec::with_capacity(hops),
            hopping: Hopping::default(),
            kept: Vec::new(),
            work: 0,
            expected: 0,
            movement,
            costs_to_goal,
        };
        begun.expected = begun.expected_work();
        Ok(begun)
    }

    /// A call does less than this beyond its budget, in units of work: at most 16,896 on maps up to 8,192 cells wide; beyond
    /// it grows with the rows. Portals that leave one and the same cell come together.
    #[must_use]
    pub fn largest_step(&self) -> u64 {
        let (band, quarters) = short_band(&self.movement, self.level);
        let band = (band as u64 * quarters).div_ceil(4);
        band.max(LOOK_AT_EDGES * STRIP as u64) + 512
    }

    /// About how much the whole pass is, at least where no steps are free.
    fn expected_work(&self) -> u64 {
        let cells = self.movement.grid().len() as u64;
        let (_, quarters) = short_band(&self.movement, self.level);
        let free = if self.movement.has_zero_steps() {
            12 * cells
        } else {
            0
        };
        (cells * quarters).div_ceil(4) + free + self.costs_to_goal.sinks().len() as u64
    }

    /// Goes on for a budget in [units of work](Self#units-of-work); 0 does nothing.
    pub fn advance(&mut self, budget: u64) -> Progress {
        let until = self.done().saturating_add(budget);
        while self.stage != Stage::Finished && self.done() < until {
            self.step(until);
        }
        self.progress()
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress::new(self.done(), self.expected, self.stage == Stage::Finished)
    }

    /// The directions. What is left to do is done first, in one go.
    #[must_use]
    pub fn finish(mut self) -> FlowField {
        self.advance(u64::MAX);
        FlowField::assembled(
            self.movement.grid().clone(),
            self.successors,
            self.still,
            self.portals,
        )
    }

    fn done(&self) -> u64 {
        let hops = if self.stage == Stage::Hops {
            LOOK_AT_EDGES * self.hopping.spread
        } else {
            0
        };
        self.work + hops
    }

    /// The next band or strip, or as many hops as the budget allows.
    fn step(&mut self, until: u64) {
        let cells = self.movement.grid().len();
        let end = cells.min(self.at + STRIP);
        let strip = self.at..end;
        match self.stage {
            Stage::Ground => {
                let is_flat = self.movement.flatten(&mut self.ground);
                if is_flat && self.costs_to_goal.flatten(&mut self.flat) {
                    self.go_on(0, true, Stage::Bands);
                } else {
                    self.work += PAGE_WORK;
                }
            }
            Stage::Bands => self.fill_band(),
            Stage::Sinks => {
                let sinks = self.costs_to_goal.sinks();
                let end = sinks.len().min(self.at + STRIP);
                for sink in &sinks[self.at..end] {
                    self.successors[sink.cell.index()] = DirectionSet::EMPTY;
                }
                self.work += (end - self.at) as u64;
                let is_last = end == sinks.len();
                self.go_on(end, is_last, Stage::Portals);
            }
            Stage::Portals => {
                let first = CellId::from_index(self.at);
                let Some(cell) = self.movement.portal_cells_from(first).next() else {
                    let has_circles = self.movement.has_zero_steps();
                    let next = if has_circles { Stage::Paid } else { Stage::Finished };
                    return self.go_on(0, true, next);
                };
                tight_portals_of(&self.movement, &self.costs_to_goal, cell, &mut self.portals);
                self.work += LOOK_AT_EDGES;
                self.at = cell.index() + 1;
            }
            Stage::Paid => {
                let circles = Circles {
                    movement: &self.movement,
                    values: self.costs_to_goal.raw(),
                };
                let (hops, open) = (&mut self.hops, &mut self.hopping.open);
                circles.begin_hops(strip.clone(), &self.successors, &self.portals, hops, open);
                self.work += LOOK_AT_EDGES * strip.len() as u64;
                self.go_on(end, end == cells, Stage::Hops);
            }
            Stage::Hops => {
                let circles = Circles {
                    movement: &self.movement,
                    values: self.costs_to_goal.raw(),
                };
                let spread = (until - self.work).div_ceil(LOOK_AT_EDGES);
                if circles.spread_hops(&mut self.hopping, &mut self.hops, spread) {
                    self.work = self.done();
                    self.go_on(0, true, Stage::Exits);
                }
            }
            Stage::Exits => {
                let circles = Circles {
                    movement: &self.movement,
                    values: self.costs_to_goal.raw(),
                };
                circles.keep_lowering(strip.clone(), &self.hops, &mut self.successors);
                self.work += 4 * strip.len() as u64;
                self.go_on(end, end == cells, Stage::PortalExits);
            }
            Stage::PortalExits => {
                let circles = Circles {
                    movement: &self.movement,
                    values: self.costs_to_goal.raw(),
                };
                match self.portals.get(self.at) {
                    Some(portal) => {
                        if circles.portal_lowers(portal, &self.hops) {
                            self.kept.push(*portal);
                        }
                        self.work += LOOK_AT_EDGES;
                        self.at += 1;
                    }
                    None => {
                        self.portals = core::mem::take(&mut self.kept);
                        self.go_on(0, true, Stage::Finished);
                    }
                }
            }
            Stage::Finished => {}
        }
    }

    fn fill_band(&mut self) {
        let cells = self.movement.grid().len();
        let (first, (band, quarters)) = (self.at, short_band(&self.movement, self.level));
        let end = cells.min(first + band);
        self.successors.resize(end, DirectionSet::EMPTY);
        self.still.resize(end.div_ceil(4), 0);
        let tight = Tight::new(&self.movement, self.costs_to_goal.raw(), self.level);
        tight.fill_band(first, &mut self.successors[first..], &mut self.still[first / 4..]);
        self.work += ((end - first) as u64 * quarters).div_ceil(4);
        self.go_on(end, end == cells, Stage::Sinks);
    }

    fn go_on(&mut self, at: usize, is_last: bool, next: Stage) {
        self.at = at;
        if is_last {
            self.at = 0;
            self.stage = next;
        }
    }
}

impl fmt::Debug for SteppedExtraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SteppedExtraction")
            .field("grid", self.movement.grid())
            .field("stage", &self.stage)
            .field("progress", &self.progress())
            .finish_non_exhaustive()
    }
}
