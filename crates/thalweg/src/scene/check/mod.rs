//! Checks a scene file against its map, table by table.

mod cells;
mod doors;
mod events;
mod goals;
mod groups;
mod profiles;
mod time;

use super::{Scene, SceneError, SceneFile, SceneMap};
use thalweg_core::grid::MAX_POINT_SIDE;
use thalweg_crowd::Avoidance;
pub(super) use time::{MAX_TICKS, check_tick, scaled, ticks_of};
use toml::Spanned;

pub(super) struct Checker<'a> {
    pub(in crate::scene) file: &'a SceneFile,
    pub(in crate::scene) map: &'a SceneMap,
}

impl Checker<'_> {
    pub(in crate::scene) fn scene(&self) -> Result<Scene, SceneError> {
        let file = self.file;
        let grid = self.map.costs.grid();
        if grid.width() > MAX_POINT_SIDE || grid.height() > MAX_POINT_SIDE {
            return Err(SceneError::new(format!(
                "a map of {} x {} is too large for a crowd, whose positions allow {MAX_POINT_SIDE} cells a side",
                grid.width(),
                grid.height()
            )));
        }
        let (tick_s, ticks) = self.time()?;
        let profiles = self.profiles()?;
        let goals = self.goals(tick_s)?;
        let doors = self.doors()?;
        let edges = self.edges(&profiles)?;
        let groups = self.groups(&profiles, &goals)?;
        let events = self.events(&doors, &goals)?;
        let avoidance = match file
            .crowd
            .as_ref()
            .map(|table| (table, table.get_ref().avoidance.as_deref()))
        {
            None | Some((_, None | Some("separation"))) => Avoidance::Separation,
            Some((_, Some("off"))) => Avoidance::Off,
            Some((table, Some(other))) => {
                return Err(SceneError::at_line(
                    file.line(table),
                    format!("[crowd] avoidance is `{other}`; it must be off or separation"),
                ));
            }
        };
        let output = file.output.as_ref().map(Spanned::get_ref);
        let frame_every = output.and_then(|table| table.frame_every).unwrap_or(2);
        let frames_max = output.and_then(|table| table.frames_max).unwrap_or(600);
        if frame_every == 0 || frames_max < 2 {
            return Err(SceneError::at_line(
                file.output.as_ref().map_or(1, |table| file.line(table)),
                "[output] frame_every must be at least 1 and frames_max at least 2",
            ));
        }
        Ok(Scene {
            name: file.name.clone(),
            seed: file.seed,
            tick_s,
            ticks,
            costs: self.map.costs.clone(),
            transform: self.transform()?,
            profiles,
            goals,
            doors,
            edges,
            groups,
            events,
            avoidance,
            frame_every,
            frames_max,
        })
    }
}
