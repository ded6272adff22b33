//! Who moves.

use super::Checker;
use crate::scene::SceneError;
use thalweg_core::movement::MovementProfile;

impl Checker<'_> {
    pub(in crate::scene) fn profiles(&self) -> Result<Vec<(String, MovementProfile)>, SceneError> {
        let mut profiles: Vec<(String, MovementProfile)> = Vec::new();
        for table in &self.file.profiles {
            let line = self.file.line(&table.name);
            let name = table.name.get_ref();
            let fail = |reason: String| SceneError::at_line(line, format!("profile `{name}`: {reason}"));
            if profiles.iter().any(|(other, _)| other == name) {
                return Err(fail("this name is used twice".to_owned()));
            }
            let mut profile = MovementProfile::new();
            if let Some(neighbours) = table.neighbours {
                profile.connectivity = neighbours
                    .to_string()
                    .parse()
                    .map_err(|error| fail(format!("{error}")))?;
            }
            if let Some(corner) = &table.corner {
                profile.corner_rule = corner.parse().map_err(|error| fail(format!("{error}")))?;
            }
            if let Some(charge) = &table.charge {
                profile.charge = charge.parse().map_err(|error| fail(format!("{error}")))?;
            }
            if let Some(scale) = &table.scale {
                profile.scale = scale.parse().map_err(|error| fail(format!("{error}")))?;
            }
            profiles.push((name.clone(), profile));
        }
        if !profiles.iter().any(|(name, _)| name == "default") {
            profiles.push(("default".to_owned(), MovementProfile::new()));
        }
        Ok(profiles)
    }
}
