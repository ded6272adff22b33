//! What happens meanwhile.

use super::Checker;
use crate::scene::{Door, Event, EventAction, SceneError, SceneGoal};
use thalweg_core::cost::Cost;

impl Checker<'_> {
    pub(super) fn events(&self, doors: &[Door], goals: &[SceneGoal]) -> Result<Vec<Event>, SceneError> {
        let mut events = Vec::new();
        for table in &self.file.events {
            let line = self.file.line(&table.at_tick);
            let at_tick = *table.at_tick.get_ref();
            let fail =
                |reason: String| SceneError::at_line(line, format!("event at tick {at_tick}: {reason}"));
            let door = |name: &String| {
                doors
                    .iter()
                    .position(|door| door.name == *name)
                    .ok_or_else(|| fail(format!("there is no door `{name}`")))
            };
            let action = match (&table.close, &table.open, &table.cost, &table.move_goal) {
                (Some(name), None, None, None) => EventAction::Close(door(name)?),
                (None, Some(name), None, None) => EventAction::Open(door(name)?),
                (None, None, Some(cost), None) => EventAction::SetCost {
                    corners: self.corners(cost.area).map_err(fail)?,
                    cost: Cost::try_from(cost.value).map_err(|error| fail(error.to_string()))?,
                },
                (None, None, None, Some(moved)) => EventAction::MoveGoal {
                    goal: goals
                        .iter()
                        .position(|goal| goal.name == moved.goal)
                        .ok_or_else(|| fail(format!("there is no goal `{}`", moved.goal)))?,
                    to: self.on_map(moved.to).map_err(fail)?,
                },
                _ => {
                    return Err(fail(
                        "needs exactly one of `close`, `open`, `cost` and `move_goal`".to_owned(),
                    ));
                }
            };
            events.push(Event { at_tick, action });
        }
        events.sort_by_key(|event| event.at_tick);
        Ok(events)
    }
}
