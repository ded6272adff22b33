//! What crowding costs.

use super::Checker;
use crate::congestion::CongestionOptions;
use crate::scene::{CongestionPlan, SceneError};

impl Checker<'_> {
    pub(super) fn congestion(&self, tick_s: f64) -> Result<Option<CongestionPlan>, SceneError> {
        let Some(spanned) = &self.file.congestion else {
            return Ok(None);
        };
        let fail =
            |reason: String| SceneError::at_line(self.file.line(spanned), format!("[congestion] {reason}"));
        let table = spanned.get_ref();
        let interval_s = table.interval_s.unwrap_or(1.0);
        if !(interval_s.is_finite() && interval_s > 0.0) {
            return Err(fail(format!(
                "interval_s is {interval_s}; it must be above 0 seconds and finite"
            )));
        }
        let usual = CongestionOptions::new();
        let options = CongestionOptions {
            threshold: table.threshold.unwrap_or(usual.threshold),
            price: table.price.unwrap_or(usual.price),
            most: table.most.unwrap_or(usual.most),
            radius: table.radius_cells.unwrap_or(usual.radius),
            quantum: table.quantum.unwrap_or(usual.quantum),
            hysteresis: table.hysteresis.unwrap_or(usual.hysteresis),
            cells_per_update: table.cells_per_update.unwrap_or(usual.cells_per_update),
        };
        options.check().map_err(|error| fail(error.to_string()))?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "saturates, positive"
        )]
        let interval_ticks = ((interval_s / tick_s).round() as u64).max(1);
        Ok(Some(CongestionPlan {
            interval_ticks,
            options,
        }))
    }
}
