//! Doors.

use super::Checker;
use crate::scene::{Door, Event, EventAction, SceneError};

impl Checker<'_> {
    pub(super) fn doors(&self) -> Result<Vec<Door>, SceneError> {
        let mut doors: Vec<Door> = Vec::new();
        for table in &self.file.doors {
            let line = self.file.line(&table.name);
            let name = table.name.get_ref();
            if doors.iter().any(|other| other.name == *name) {
                return Err(SceneError::at_line(
                    line,
                    format!("door `{name}`: this name is used twice"),
                ));
            }
            for &[from, to] in table.open_ticks.iter().flatten() {
                if from >= to {
                    return Err(SceneError::at_line(
                        line,
                        format!(
                            "door `{name}`: it is open from tick {from} to {to}; the end must be above the beginning"
                        ),
                    ));
                }
            }
            let corners = self
                .corners(table.area)
                .map_err(|reason| SceneError::at_line(line, format!("door `{name}`: {reason}")))?;
            doors.push(Door {
                name: name.clone(),
                corners,
            });
        }
        Ok(doors)
    }

    /// The openings and closings of doors that have opening times. A door is closed from tick 0 to its first time.
    pub(super) fn door_events(&self) -> Vec<Event> {
        let mut events = Vec::new();
        for (door, table) in self.file.doors.iter().enumerate() {
            let Some(times) = &table.open_ticks else { continue };
            let mut times: Vec<[u64; 2]> = times.clone();
            times.sort_unstable();
            // Times that touch or overlap are one.
            let mut open: Vec<[u64; 2]> = Vec::new();
            for [from, to] in times {
                match open.last_mut() {
                    Some(last) if from <= last[1] => last[1] = last[1].max(to),
                    _ => open.push([from, to]),
                }
            }
            if open.first().is_none_or(|&[from, _]| from > 0) {
                events.push(Event {
                    at_tick: 0,
                    action: EventAction::Close(door),
                });
            }
            for [from, to] in open {
                if from > 0 {
                    events.push(Event {
                        at_tick: from,
                        action: EventAction::Open(door),
                    });
                }
                events.push(Event {
                    at_tick: to,
                    action: EventAction::Close(door),
                });
            }
        }
        events
    }
}
