//! What happens meanwhile.

use super::Checker;
use crate::scene::{Event, EventAction, Scene, SceneError};
use thalweg_core::cost::Cost;

impl Checker<'_> {
    pub(super) fn events(&self, scene: &Scene) -> Result<Vec<Event>, SceneError> {
        let mut events = self.door_events();
        let mut overlay_lines = Vec::new();
        for table in &self.file.events {
            let line = self.file.line(&table.at_tick);
            let at_tick = *table.at_tick.get_ref();
            let fail =
                |reason: String| SceneError::at_line(line, format!("event at tick {at_tick}: {reason}"));
            let door = |name: &String| {
                scene
                    .doors
                    .iter()
                    .position(|door| door.name == *name)
                    .ok_or_else(|| fail(format!("there is no door `{name}`")))
            };
            let overlay = |name: &String| {
                scene
                    .overlays
                    .iter()
                    .position(|overlay| overlay.name == *name)
                    .ok_or_else(|| fail(format!("there is no overlay `{name}`")))
            };
            let ground = (&table.close, &table.open, &table.put, &table.take);
            let action = match (ground, &table.cost, &table.move_goal) {
                ((Some(name), None, None, None), None, None) => EventAction::Close(door(name)?),
                ((None, Some(name), None, None), None, None) => EventAction::Open(door(name)?),
                ((None, None, Some(name), None), None, None) => EventAction::Put(overlay(name)?),
                ((None, None, None, Some(name)), None, None) => EventAction::Take(overlay(name)?),
                ((None, None, None, None), Some(cost), None) => EventAction::SetCost {
                    corners: self.corners(cost.area).map_err(fail)?,
                    cost: Cost::try_from(cost.value).map_err(|error| fail(error.to_string()))?,
                },
                ((None, None, None, None), None, Some(moved)) => EventAction::MoveGoal {
                    goal: scene
                        .goals
                        .iter()
                        .position(|goal| goal.name == moved.goal)
                        .ok_or_else(|| fail(format!("there is no goal `{}`", moved.goal)))?,
                    to: self.on_map(moved.to).map_err(fail)?,
                },
                _ => {
                    return Err(fail(
                        "needs exactly one of `close`, `open`, `put`, `take`, `cost` and `move_goal`"
                            .to_owned(),
                    ));
                }
            };
            if let EventAction::Put(overlay) | EventAction::Take(overlay) = action {
                overlay_lines.push((at_tick, line, overlay, matches!(action, EventAction::Put(_))));
            }
            events.push(Event { at_tick, action });
        }
        check_overlays(scene, overlay_lines)?;
        // Stable: at one tick the file's order holds, after the opening times of doors.
        events.sort_by_key(|event| event.at_tick);
        Ok(events)
    }
}

/// Refuses to put what lies there and to take what does not: times are known beforehand, so a slip of the pen is, too.
fn check_overlays(scene: &Scene, mut events: Vec<(u64, usize, usize, bool)>) -> Result<(), SceneError> {
    events.sort_by_key(|&(at_tick, ..)| at_tick);
    let mut lies: Vec<bool> = scene.overlays.iter().map(|overlay| overlay.standing).collect();
    for (at_tick, line, overlay, puts) in events {
        if lies[overlay] == puts {
            let name = &scene.overlays[overlay].name;
            let reason = if puts {
                "lies there already"
            } else {
                "does not lie there"
            };
            return Err(SceneError::at_line(
                line,
                format!("event at tick {at_tick}: overlay `{name}` {reason}"),
            ));
        }
        lies[overlay] = puts;
    }
    Ok(())
}
