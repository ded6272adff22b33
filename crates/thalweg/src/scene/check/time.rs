//! Ticks, and where the map lies in the world.

use super::Checker;
use crate::scene::SceneError;
use thalweg_core::grid::{WorldTransform, YAxis};

/// The most ticks a scene may have.
pub(in crate::scene) const MAX_TICKS: f64 = 100_000_000.0;

pub(in crate::scene) fn check_tick(tick_s: f64) -> Result<(), String> {
    if tick_s.is_finite() && tick_s > 0.0 && tick_s <= 60.0 {
        Ok(())
    } else {
        Err(format!(
            "a tick of {tick_s} s is not possible; it must be above 0 and at most 60 seconds"
        ))
    }
}

/// How many ticks a duration has, at least 1; `None` if it is not a positive number or the ticks are too many.
pub(in crate::scene) fn ticks_of(duration: f64, tick_s: f64) -> Option<u64> {
    let ticks = (duration / tick_s).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "range checked"
    )]
    (duration.is_finite() && duration > 0.0 && ticks <= MAX_TICKS).then(|| (ticks as u64).max(1))
}

pub(in crate::scene) fn scaled(ticks: u64, ratio: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a non-negative count; the cast saturates"
    )]
    let scaled = (ticks as f64 * ratio).round() as u64;
    scaled
}

impl Checker<'_> {
    pub(super) fn time(&self) -> Result<(f64, u64), SceneError> {
        let file = self.file;
        let tick_s = file.tick_s.as_ref().map_or(0.05, |tick| *tick.get_ref());
        check_tick(tick_s).map_err(|reason| {
            let line = file.tick_s.as_ref().map_or(1, |tick| file.line(tick));
            SceneError::at_line(line, format!("tick_s: {reason}"))
        })?;
        let duration = *file.duration_s.get_ref();
        let ticks = ticks_of(duration, tick_s).ok_or_else(|| {
            SceneError::at_line(
                file.line(&file.duration_s),
                format!("duration_s is {duration}; it must be above 0 and at most {MAX_TICKS} ticks long"),
            )
        })?;
        Ok((tick_s, ticks))
    }

    pub(super) fn transform(&self) -> Result<WorldTransform, SceneError> {
        let table = self.file.map.get_ref();
        let y_axis = if table.y_up { YAxis::Up } else { YAxis::Down };
        WorldTransform::new(
            table.origin.unwrap_or([0.0, 0.0]),
            table.cell_size.unwrap_or(1.0),
            y_axis,
        )
        .map_err(|error| SceneError::at_line(self.file.line(&self.file.map), format!("[map] {error}")))
    }
}
