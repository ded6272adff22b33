//! Doors.

use super::Checker;
use crate::scene::{Door, SceneError};

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
}
