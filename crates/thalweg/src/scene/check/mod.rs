//! Checks a scene file against its map, table by table.

mod cells;
mod congestion;
mod doors;
mod events;
mod goals;
mod groups;
mod heights;
mod overlays;
mod profiles;
mod records;
mod sources;
mod strict;
mod terrain;
mod time;
mod waiting;

pub(super) use cells::cells_between;

use super::ground::SceneGround;
use super::{Scene, SceneError, SceneFile, SceneInputs, SceneMap};
use thalweg_core::grid::MAX_POINT_SIDE;
use thalweg_crowd::{Avoidance, CrowdOptions};
pub(super) use time::{MAX_TICKS, check_tick, scaled, ticks_of};
use toml::Spanned;

pub(super) struct Checker<'a> {
    pub(in crate::scene) file: &'a SceneFile,
    pub(in crate::scene) map: &'a SceneMap,
    inputs: &'a SceneInputs,
}

impl<'a> Checker<'a> {
    pub(super) const fn new(file: &'a SceneFile, inputs: &'a SceneInputs) -> Self {
        Self {
            file,
            map: &inputs.map,
            inputs,
        }
    }
}

impl Checker<'_> {
    pub(in crate::scene) fn scene(&self) -> Result<Scene, SceneError> {
        let grid = self.map.costs.grid();
        if grid.longest_side() > MAX_POINT_SIDE {
            return Err(SceneError::new(format!(
                "a map of {} is too large for a crowd, whose positions allow {MAX_POINT_SIDE} cells a side",
                cells::size_of(grid)
            )));
        }
        let scene = self.scene_for_fields()?;
        if scene.goals.is_empty() {
            return Err(SceneError::new(
                "the scene has no goals: add a [[goal]], or mark one with G on a text map",
            ));
        }
        if scene.groups.is_empty() {
            return Err(SceneError::new("the scene has no agents: add a [[group]]"));
        }
        Ok(scene)
    }

    /// The scene, which may be without goals and groups.
    pub(in crate::scene) fn scene_for_fields(&self) -> Result<Scene, SceneError> {
        let (tick_s, ticks) = self.time()?;
        let terrain = self.terrain()?;
        let profiles = self.profiles(terrain.as_ref())?;
        let (frame_every, frames_max) = self.frames()?;
        let mut scene = Scene {
            name: self.file.name.clone(),
            seed: self.file.seed,
            tick_s,
            ticks,
            costs: self.map.costs.clone(),
            heights: self.heights()?,
            overlays: self.overlays()?,
            patrols: self.patrols()?,
            time: self.time_plan()?,
            transform: self.transform()?,
            edges: self.edges(&profiles)?,
            terrain,
            profiles,
            goals: Vec::new(),
            doors: self.doors()?,
            groups: Vec::new(),
            sources: Vec::new(),
            waiting_zones: Vec::new(),
            events: Vec::new(),
            count_lines: self.count_lines(tick_s)?,
            measure_areas: self.measure_areas()?,
            congestion: self.congestion(tick_s)?,
            work_per_tick: self.work_per_tick()?,
            avoidance: self.avoidance()?,
            time_gap: self.time_gap()?,
            strict: self.strict()?,
            frame_every,
            frames_max,
        };
        // What is passable differs from profile to profile, so it can only be asked once the ground is made.
        let ground = SceneGround::new(&scene).map_err(|error| SceneError::new(error.to_string()))?;
        scene.goals = self.goals(tick_s, &scene, &ground)?;
        scene.groups = self.groups(&scene, &ground)?;
        self.check_strict_groups(&scene)?;
        scene.sources = self.sources(&scene, &ground)?;
        scene.waiting_zones = self.waiting_zones(&scene)?;
        scene.events = self.events(&scene)?;
        Ok(scene)
    }

    fn work_per_tick(&self) -> Result<Option<u64>, SceneError> {
        let work = self
            .file
            .fields
            .as_ref()
            .and_then(|table| table.work_per_tick.as_ref());
        match work {
            Some(work) if *work.get_ref() == 0 => Err(SceneError::at_line(
                self.file.line(work),
                "[fields] work_per_tick is 0; it must be at least 1, or no field would ever be made",
            )),
            work => Ok(work.map(|work| *work.get_ref())),
        }
    }

    fn avoidance(&self) -> Result<Avoidance, SceneError> {
        let Some(table) = &self.file.crowd else {
            return Ok(Avoidance::Separation);
        };
        match table.get_ref().avoidance.as_deref() {
            None | Some("separation") => Ok(Avoidance::Separation),
            Some("off") => Ok(Avoidance::Off),
            Some("velocity-obstacles") => Ok(Avoidance::VelocityObstacles),
            Some(other) => Err(SceneError::at_line(
                self.file.line(table),
                format!("[crowd] avoidance is `{other}`; it must be off, separation or velocity-obstacles"),
            )),
        }
    }

    fn time_gap(&self) -> Result<f32, SceneError> {
        let table = self.file.crowd.as_ref();
        let Some((table, time_gap)) = table.and_then(|table| Some((table, table.get_ref().time_gap?))) else {
            return Ok(CrowdOptions::default().time_gap);
        };
        if !(0.0..=5.0).contains(&time_gap) {
            return Err(SceneError::at_line(
                self.file.line(table),
                format!("[crowd] time_gap is {time_gap}; it must be 0 to 5 seconds"),
            ));
        }
        #[expect(clippy::cast_possible_truncation, reason = "a time needs no more than f32")]
        let time_gap = time_gap as f32;
        Ok(time_gap)
    }

    fn frames(&self) -> Result<(u64, u64), SceneError> {
        let output = self.file.output.as_ref().map(Spanned::get_ref);
        let frame_every = output.and_then(|table| table.frame_every).unwrap_or(2);
        let frames_max = output.and_then(|table| table.frames_max).unwrap_or(600);
        if frame_every == 0 || frames_max < 2 {
            return Err(SceneError::at_line(
                self.file.output.as_ref().map_or(1, |table| self.file.line(table)),
                "[output] frame_every must be at least 1 and frames_max at least 2",
            ));
        }
        Ok((frame_every, frames_max))
    }
}
