//! What a scene measures, and what crowding costs in it.

use crate::congestion::CongestionOptions;
use crate::recorders::CountLine;

/// A line that counts, and over which time its flow is told.
#[derive(Clone, Debug)]
pub struct CountLinePlan {
    /// The line.
    pub line: CountLine,
    /// Length of the windows of its flow, in seconds, above 0.
    pub window_s: f64,
}

/// Crowding as a cost, and how often it is worked out.
#[derive(Clone, PartialEq, Debug)]
pub struct CongestionPlan {
    /// Ticks from one time to the next, at least 1.
    pub interval_ticks: u64,
    /// The rule.
    pub options: CongestionOptions,
}
