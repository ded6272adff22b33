//! When doors, barricades and patrols are in the way: a scene's events as a timetable for time fields.

use super::check::cells_between;
use super::ground::{GroundError, SceneGround};
use super::{EventAction, Scene};
use thalweg_core::cost::{Cost, CostField, Overlays};
use thalweg_core::expanded::{TickSpan, Timetable};
use thalweg_core::grid::Cell;

/// What changes with time in a scene, and the ground that does not.
#[derive(Clone, Debug)]
pub struct SceneTimes {
    /// When cells are closed.
    pub timetable: Timetable,
    /// The ground at the start with every door open and no blocking overlay on it: the timetable closes what these close.
    pub ground: SceneGround,
    /// The first tick from which nothing changes any more.
    pub settled: u32,
    /// Whether something stays closed for ever from then on.
    pub stays_closed: bool,
}

impl Scene {
    /// The scene's doors, blocking overlays and patrols as a timetable.
    ///
    /// Costs that change (`cost` events, overlays that add or set) cannot be told by a timetable; they count as they are
    /// at the start. Ticks beyond 2^32 - 2 count as never.
    ///
    /// # Errors
    /// [`GroundError`], for scenes that were not checked.
    pub fn times(&self) -> Result<SceneTimes, GroundError> {
        let ground = SceneGround::with_overlays(self, |index| {
            let overlay = &self.overlays[index];
            overlay.standing && !overlay.blocks
        })?;
        let mut times = SceneTimes {
            timetable: Timetable::new(self.costs.grid().to_owned()),
            ground,
            settled: 0,
            stays_closed: false,
        };
        for door in 0..self.doors.len() {
            let changes = self.events.iter().filter_map(|event| match event.action {
                EventAction::Close(which) if which == door => Some((event.at_tick, true)),
                EventAction::Open(which) if which == door => Some((event.at_tick, false)),
                _ => None,
            });
            let (a, b) = self.doors[door].corners;
            let cells = cells_between(a, b).collect::<Vec<_>>();
            times.close(&cells, changes, false);
        }
        for (index, overlay) in self.overlays.iter().enumerate() {
            if !overlay.blocks {
                continue;
            }
            let changes = self.events.iter().filter_map(|event| match event.action {
                EventAction::Put(which) if which == index => Some((event.at_tick, true)),
                EventAction::Take(which) if which == index => Some((event.at_tick, false)),
                _ => None,
            });
            let mut only = Overlays::new(self.costs.grid().to_owned());
            only.put(overlay.stamp.clone())?;
            let covered = only.compose(&CostField::filled(self.costs.grid().to_owned(), Cost::PLAIN))?;
            let cells: Vec<Cell> = covered
                .grid()
                .ids()
                .filter(|&id| covered.get(id) == Some(Cost::IMPASSABLE))
                .map(|id| covered.grid().cell(id))
                .collect();
            times.close(&cells, changes, overlay.standing);
        }
        for patrol in &self.patrols {
            let mut from = patrol.from_tick;
            for &cell in core::iter::repeat_n(&patrol.path, patrol.rounds as usize).flatten() {
                let Some(to) = from
                    .checked_add(patrol.ticks_per_cell)
                    .filter(|&to| to < u32::MAX)
                else {
                    break;
                };
                // A checked scene's patrols walk on the map, and the span is not empty.
                let _fits = times.timetable.close_cell(cell, TickSpan::new(from, to));
                times.settled = times.settled.max(to);
                from = to;
            }
        }
        Ok(times)
    }
}

impl SceneTimes {
    /// Closes cells from every change to closed until the next one to open.
    fn close(&mut self, cells: &[Cell], changes: impl Iterator<Item = (u64, bool)>, closed_at_first: bool) {
        let mut since = closed_at_first.then_some(0u32);
        let span = |times: &mut Self, from, to| {
            if from < to {
                for &cell in cells {
                    // A checked scene's doors and stamps are on the map, and the span is not empty.
                    let _fits = times.timetable.close_cell(cell, TickSpan::new(from, to));
                }
            }
        };
        for (tick, closes) in changes {
            let Ok(tick) = u32::try_from(tick) else { continue };
            if tick == u32::MAX {
                continue;
            }
            if closes {
                since = since.or(Some(tick));
                self.settled = self.settled.max(tick);
            } else if let Some(from) = since.take() {
                span(self, from, tick);
                self.settled = self.settled.max(tick);
            }
        }
        if let Some(from) = since {
            span(self, from, u32::MAX);
            self.stays_closed |= !cells.is_empty();
        }
    }
}
