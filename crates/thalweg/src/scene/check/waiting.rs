//! Where agents wait, and when.

use super::Checker;
use crate::scene::{Event, EventAction, Scene, SceneError, WaitingZone};

impl Checker<'_> {
    pub(super) fn waiting_zones(&self, scene: &Scene) -> Result<Vec<WaitingZone>, SceneError> {
        let mut zones: Vec<WaitingZone> = Vec::new();
        for table in &self.file.waiting_zones {
            let name = table.name.get_ref();
            let fail = |reason: String| {
                SceneError::at_line(
                    self.file.line(&table.name),
                    format!("waiting_zone `{name}`: {reason}"),
                )
            };
            if zones.iter().any(|other| other.name == *name) {
                return Err(fail("this name is used twice".to_owned()));
            }
            if let Some(until) = table.until_tick
                && until <= table.from_tick.unwrap_or(0)
            {
                return Err(fail(format!(
                    "it holds from tick {} to {until}; the end must be above the beginning",
                    table.from_tick.unwrap_or(0)
                )));
            }
            let group = |name: &String| {
                let index = scene.groups.iter().position(|group| group.name == *name);
                index.ok_or_else(|| fail(format!("there is no group `{name}`")))
            };
            let groups = match &table.groups {
                Some(names) => names.iter().map(group).collect::<Result<_, _>>()?,
                None => (0..scene.groups.len()).collect(),
            };
            zones.push(WaitingZone {
                name: name.clone(),
                corners: self.corners(table.area).map_err(fail)?,
                groups,
            });
        }
        Ok(zones)
    }

    /// The beginnings and ends of waiting zones.
    pub(super) fn waiting_events(&self) -> Vec<Event> {
        let mut events = Vec::new();
        for (zone, table) in self.file.waiting_zones.iter().enumerate() {
            events.push(Event {
                at_tick: table.from_tick.unwrap_or(0),
                action: EventAction::Hold(zone),
            });
            events.extend(table.until_tick.map(|at_tick| Event {
                at_tick,
                action: EventAction::Release(zone),
            }));
        }
        events
    }
}
