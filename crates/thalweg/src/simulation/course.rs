//! What happens in a scene by its own plan, whoever moves: events, and goals that walk.

use crate::living_map::LivingMap;
use crate::scene::{EventAction, GroundError, LyingOverlays, Scene, SceneGround};
use thalweg_core::cost::Cost;
use thalweg_core::grid::Cell;

/// How far a scene's plan has come: its next event, the overlays that lie, the zones in which agents wait, and where its
/// goals are.
///
/// The map is not in it, so that its owner may be a [navigator](crate::navigator::Navigator).
#[derive(Clone, Debug)]
pub struct Course {
    lying: LyingOverlays,
    goal_cells: Vec<Vec<Cell>>,
    /// Whether agents wait, by waiting zone.
    holds: Vec<bool>,
    next_event: usize,
}

/// What happened at a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Happened {
    /// How many events.
    pub events: usize,
    /// Whether a goal moved.
    pub goals_moved: bool,
}

impl Course {
    /// The start of a scene, where no event has happened, and its map.
    ///
    /// # Errors
    /// [`GroundError`], for scenes that were not checked.
    pub fn begin(scene: &Scene) -> Result<(Self, LivingMap), GroundError> {
        let (map, lying) = SceneGround::new(scene)?.into_parts();
        let course = Self {
            lying,
            goal_cells: scene.goals.iter().map(|goal| goal.cells.clone()).collect(),
            holds: vec![false; scene.waiting_zones.len()],
            next_event: 0,
        };
        Ok((course, map))
    }

    /// Which overlays lie on the map.
    #[must_use]
    pub const fn lying(&self) -> &LyingOverlays {
        &self.lying
    }

    /// Whether agents wait in each waiting zone, by its index.
    #[must_use]
    pub fn holds(&self) -> &[bool] {
        &self.holds
    }

    /// The cells of every goal as they are, by goal index.
    #[must_use]
    pub fn goal_cells(&self) -> &[Vec<Cell>] {
        &self.goal_cells
    }

    /// Applies the events of a tick, and of those before it that have not happened yet, to the map that came with
    /// [`Self::begin`], and moves the goals that walk.
    ///
    /// # Errors
    /// [`GroundError`]; a checked scene has none.
    pub fn happen(&mut self, scene: &Scene, tick: u64, map: &mut LivingMap) -> Result<Happened, GroundError> {
        let mut happened = Happened::default();
        while let Some(event) = scene
            .events
            .get(self.next_event)
            .filter(|event| event.at_tick <= tick)
        {
            self.next_event += 1;
            happened.events += 1;
            happened.goals_moved |= self.act(scene, &event.action, map)?;
        }
        for (cells, goal) in self.goal_cells.iter_mut().zip(&scene.goals) {
            if let Some(moving) = &goal.moving
                && tick > 0
                && tick.is_multiple_of(moving.every_ticks)
            {
                let moves = usize::try_from(tick / moving.every_ticks).unwrap_or(usize::MAX);
                let position = moves.wrapping_mul(moving.step_cells) % moving.path.len();
                *cells = vec![moving.path[position]];
                happened.goals_moved = true;
            }
        }
        Ok(happened)
    }

    /// Does what an event does, on the map that came with [`Self::begin`]. Whether a goal moved.
    ///
    /// # Errors
    /// [`GroundError`] for places off the map; nothing has changed then.
    ///
    /// # Panics
    /// If it names a door, an overlay, a zone or a goal that the scene does not have.
    pub(super) fn act(
        &mut self,
        scene: &Scene,
        action: &EventAction,
        map: &mut LivingMap,
    ) -> Result<bool, GroundError> {
        match *action {
            EventAction::Close(door) => {
                let (a, b) = scene.doors[door].corners;
                map.set_rect(a, b, Cost::IMPASSABLE)?;
            }
            EventAction::Open(door) => {
                let (a, b) = scene.doors[door].corners;
                map.restore_rect(a, b)?;
            }
            EventAction::Put(overlay) => self.lying.put(map, scene, overlay)?,
            EventAction::Take(overlay) => self.lying.take(map, overlay)?,
            EventAction::Hold(zone) => self.holds[zone] = true,
            EventAction::Release(zone) => self.holds[zone] = false,
            EventAction::SetCost {
                corners: (a, b),
                cost,
            } => map.set_rect(a, b, cost)?,
            EventAction::MoveGoal { goal, to } => {
                self.goal_cells[goal] = vec![to];
                return Ok(true);
            }
        }
        Ok(false)
    }
}
