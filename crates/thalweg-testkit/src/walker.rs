//! A body that walks by headings, step by step, and is watched: every step is swept.

use crate::solve::Solved;
use thalweg_core::flow::{
    Aim, Guidance, HeadingField, HeadingOptions, HeadingScratch, LengthField, OrderScratch, aim, look_ahead,
    measure_lengths,
};
use thalweg_core::grid::{CellId, MapPoint, SUBCELLS};
use thalweg_core::movement::{EdgeKind, SweepStop, sweep};

/// A field with headings and lengths.
#[derive(Clone, Debug)]
pub struct Ways {
    /// What the headings were made from.
    pub solved: Solved,
    /// Headings.
    pub headings: HeadingField,
    /// Lengths of the eight-direction ways.
    pub lengths: LengthField,
}

/// What a walk came to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Walked {
    /// Length walked, in cells, to the centre of the goal cell.
    pub length: f64,
    /// How often the heading turned by more than half a degree.
    pub turns: usize,
    /// Steps taken.
    pub steps: usize,
    /// The goal cell.
    pub goal: CellId,
}

impl Ways {
    /// Makes headings and lengths for a field.
    ///
    /// # Panics
    /// If the map is too long for headings.
    #[must_use]
    pub fn new(solved: Solved) -> Self {
        Self::with_options(solved, &HeadingOptions::new())
    }

    /// [`Self::new`] with other options.
    ///
    /// # Panics
    /// As there.
    #[must_use]
    pub fn with_options(solved: Solved, options: &HeadingOptions) -> Self {
        let grid = solved.field.grid().clone();
        let mut headings = HeadingField::new(grid.clone());
        look_ahead(
            &solved.movement,
            &solved.field,
            &solved.flow,
            options,
            &mut HeadingScratch::new(),
            &mut headings,
        )
        .expect("a map within the reach of positions");
        let mut lengths = LengthField::new(grid);
        measure_lengths(
            &solved.movement,
            &solved.flow,
            &mut OrderScratch::new(),
            &mut lengths,
        );
        Self {
            solved,
            headings,
            lengths,
        }
    }

    /// Where a body at a position walks.
    #[must_use]
    pub fn aim(&self, at: MapPoint) -> Aim {
        aim(
            &self.solved.movement,
            &self.solved.field,
            &self.solved.flow,
            &self.headings,
            at,
        )
    }

    /// Walks from a position to a goal in steps of so many subcells, at most half a cell. A portal is a leap of no length.
    ///
    /// # Errors
    /// What went wrong, as a sentence: a step through a wall, a stop that is no goal, or no end.
    pub fn walk(&self, start: MapPoint, step: i32) -> Result<Walked, String> {
        self.walk_seen(start, step, |_, _| Ok(()))
    }

    /// [`Self::walk`], watched: `seen` is told every step, from where to where; portals are no steps.
    ///
    /// # Errors
    /// As there, and what `seen` finds wrong.
    pub fn walk_seen(
        &self,
        start: MapPoint,
        step: i32,
        mut seen: impl FnMut(MapPoint, MapPoint) -> Result<(), String>,
    ) -> Result<Walked, String> {
        assert!((1..=SUBCELLS / 2).contains(&step), "a step of {step} subcells");
        let grid = self.solved.field.grid();
        let mut walked = Walked {
            length: 0.0,
            turns: 0,
            steps: 0,
            goal: CellId(0),
        };
        let mut before: Option<[f64; 2]> = None;
        let mut at = start;
        // No way visits a cell twice, and none crosses a cell in more than a few lengths.
        let most = 64 + grid.len() * usize::try_from(8 * SUBCELLS / step).unwrap_or(1);
        while walked.steps < most {
            let point = match self.aim(at) {
                Aim::Point(point) => point,
                Aim::Still(Guidance::Goal) => {
                    walked.goal = at.cell_id(grid).expect("a goal is on the map");
                    let (column, row) = grid.column_row_of(walked.goal);
                    let (_, rest) = way(at, MapPoint::centre_of(column, row));
                    walked.length += rest;
                    return Ok(walked);
                }
                Aim::Still(Guidance::Through(portal)) => {
                    let movement = &self.solved.movement;
                    let here = at.cell_id(grid).expect("a portal leaves a cell");
                    let edge = movement
                        .edges_from(here)
                        .find(|edge| edge.kind == EdgeKind::Portal(portal))
                        .ok_or_else(|| format!("no portal {portal:?} at {at:?}"))?;
                    at = MapPoint::centre_of_cell(grid, grid.cell(edge.other)).expect("a cell of the map");
                    before = None;
                    walked.steps += 1;
                    continue;
                }
                other => return Err(format!("{other:?} at {at:?} after {} steps", walked.steps)),
            };
            let (heading, distance) = way(at, point);
            if before.is_some_and(|old| old[0] * heading[0] + old[1] * heading[1] < 0.999_96) {
                walked.turns += 1;
            }
            before = Some(heading);
            let next = stepped(at, point, heading, distance, step);
            if sweep(&self.solved.movement, at, next).stop != SweepStop::Clear {
                return Err(format!("a step through a wall from {at:?} to {next:?}"));
            }
            seen(at, next)?;
            walked.length += way(at, next).1;
            at = next;
            walked.steps += 1;
        }
        Err(format!("no end after {} steps, at {at:?}", walked.steps))
    }

    /// [`Self::walk`] from the centre of a cell.
    ///
    /// # Errors
    /// As there.
    pub fn walk_from(&self, cell: CellId, step: i32) -> Result<Walked, String> {
        let (column, row) = self.solved.field.grid().column_row_of(cell);
        self.walk(MapPoint::centre_of(column, row), step)
    }
}

/// One step towards a point, or onto it.
#[expect(clippy::cast_possible_truncation, reason = "a step is at most half a cell")]
fn stepped(at: MapPoint, point: MapPoint, heading: [f64; 2], distance: f64, step: i32) -> MapPoint {
    if distance * f64::from(SUBCELLS) <= f64::from(step) {
        return point;
    }
    let part = |component: f64| (component * f64::from(step)).round() as i32;
    at.at(at.x + part(heading[0]), at.y + part(heading[1]))
}

/// The direction and the distance in cells from one point to another.
fn way(from: MapPoint, to: MapPoint) -> ([f64; 2], f64) {
    let (a, b) = (from.to_map(), to.to_map());
    let (x, y) = (b[0] - a[0], b[1] - a[1]);
    let length = x.hypot(y);
    if length > 0.0 {
        ([x / length, y / length], length)
    } else {
        ([0.0, 0.0], 0.0)
    }
}
