//! What happens meanwhile.

use super::Checker;
use crate::scene::{Event, EventAction, Scene, SceneError};
use thalweg_core::cost::Cost;

impl Checker<'_> {
    pub(super) fn events(&self, scene: &Scene) -> Result<Vec<Event>, SceneError> {
        let mut events = self.door_events();
        events.extend(self.waiting_events());
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
            let zone = |name: &String| {
                scene
                    .waiting_zones
                    .iter()
                    .position(|zone| zone.name == *name)
                    .ok_or_else(|| fail(format!("there is no waiting_zone `{name}`")))
            };
            let mut actions = Vec::new();
            for (name, action) in [
                (&table.close, EventAction::Close as fn(usize) -> EventAction),
                (&table.open, EventAction::Open),
            ] {
                if let Some(name) = name {
                    actions.push(action(door(name)?));
                }
            }
            for (name, action) in [
                (&table.put, EventAction::Put as fn(usize) -> EventAction),
                (&table.take, EventAction::Take),
            ] {
                if let Some(name) = name {
                    actions.push(action(overlay(name)?));
                }
            }
            for (name, action) in [
                (&table.hold, EventAction::Hold as fn(usize) -> EventAction),
                (&table.release, EventAction::Release),
            ] {
                if let Some(name) = name {
                    actions.push(action(zone(name)?));
                }
            }
            if let Some(cost) = &table.cost {
                actions.push(EventAction::SetCost {
                    corners: self.corners(cost.area).map_err(fail)?,
                    cost: Cost::try_from(cost.value).map_err(|error| fail(error.to_string()))?,
                });
            }
            if let Some(moved) = &table.move_goal {
                actions.push(EventAction::MoveGoal {
                    goal: scene
                        .goals
                        .iter()
                        .position(|goal| goal.name == moved.goal)
                        .ok_or_else(|| fail(format!("there is no goal `{}`", moved.goal)))?,
                    to: self.on_map(moved.to).map_err(fail)?,
                });
            }
            let Ok([action]) = <[EventAction; 1]>::try_from(actions) else {
                return Err(fail(
                    "needs exactly one of `close`, `open`, `put`, `take`, `hold`, `release`, `cost` and `move_goal`"
                        .to_owned(),
                ));
            };
            if let EventAction::Put(overlay) | EventAction::Take(overlay) = action {
                overlay_lines.push((at_tick, line, overlay, matches!(action, EventAction::Put(_))));
            }
            events.push(Event { at_tick, action });
        }
        check_overlays(scene, overlay_lines)?;
        // Stable: at one tick the file's order holds, after the times of doors and of waiting zones.
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
