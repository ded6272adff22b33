//! What happens in a scene by its own plan, whoever moves: events, and goals that walk.

use crate::scene::{EventAction, GroundError, Scene, SceneGround};
use thalweg_core::grid::Cell;

/// The ground and the goals of a scene as they are at a tick.
#[derive(Clone, Debug)]
pub struct Course {
    ground: SceneGround,
    goal_cells: Vec<Vec<Cell>>,
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
    /// The start of a scene: no event has happened.
    ///
    /// # Errors
    /// [`GroundError`], for scenes that were not checked.
    pub fn new(scene: &Scene) -> Result<Self, GroundError> {
        Ok(Self {
            ground: SceneGround::new(scene)?,
            goal_cells: scene.goals.iter().map(|goal| goal.cells.clone()).collect(),
            next_event: 0,
        })
    }

    /// The ground as it is.
    #[must_use]
    pub const fn ground(&self) -> &SceneGround {
        &self.ground
    }

    /// The cells of every goal as they are, by goal index.
    #[must_use]
    pub fn goal_cells(&self) -> &[Vec<Cell>] {
        &self.goal_cells
    }

    /// Applies the events of a tick, and of those before it that have not happened yet, and moves the goals that walk.
    ///
    /// # Errors
    /// [`GroundError`]; a checked scene has none.
    pub fn happen(&mut self, scene: &Scene, tick: u64) -> Result<Happened, GroundError> {
        let mut happened = Happened::default();
        while let Some(event) = scene
            .events
            .get(self.next_event)
            .filter(|event| event.at_tick <= tick)
        {
            self.next_event += 1;
            happened.events += 1;
            match event.action {
                EventAction::Close(door) => {
                    let corners = scene.doors[door].corners;
                    self.ground
                        .set_rect(corners, thalweg_core::cost::Cost::IMPASSABLE)?;
                }
                EventAction::Open(door) => self.ground.restore_rect(scene.doors[door].corners)?,
                EventAction::Put(overlay) => self.ground.put(scene, overlay)?,
                EventAction::Take(overlay) => self.ground.take(overlay)?,
                EventAction::SetCost { corners, cost } => self.ground.set_rect(corners, cost)?,
                EventAction::MoveGoal { goal, to } => {
                    self.goal_cells[goal] = vec![to];
                    happened.goals_moved = true;
                }
            }
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
}
