//! Tables of a scene file about who enters, who waits, what is measured, and what crowding costs.

use super::places::{AreaTable, PointTable};
use serde::Deserialize;
use toml::Spanned;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CountLineTable {
    pub(super) name: Spanned<String>,
    pub(super) from: PointTable,
    pub(super) to: PointTable,
    pub(super) window_s: Option<f64>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MeasureAreaTable {
    pub(super) name: Spanned<String>,
    pub(super) area: Option<AreaTable>,
    pub(super) polygon: Option<Vec<PointTable>>,
    pub(super) along: Option<[f64; 2]>,
    pub(super) width: Option<f64>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SourceTable {
    pub(super) group: Spanned<String>,
    pub(super) rate: Option<f64>,
    pub(super) schedule: Option<Vec<[f64; 2]>>,
    pub(super) area: Option<AreaTable>,
    pub(super) from_s: Option<f64>,
    pub(super) until_s: Option<f64>,
    pub(super) count: Option<u32>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CongestionTable {
    pub(super) interval_s: Option<f64>,
    pub(super) threshold: Option<f64>,
    pub(super) price: Option<f64>,
    pub(super) most: Option<u8>,
    pub(super) radius_cells: Option<u8>,
    pub(super) quantum: Option<u8>,
    pub(super) hysteresis: Option<f64>,
    pub(super) cells_per_update: Option<u32>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WaitingZoneTable {
    pub(super) name: Spanned<String>,
    pub(super) area: AreaTable,
    pub(super) groups: Option<Vec<String>>,
    pub(super) from_tick: Option<u64>,
    pub(super) until_tick: Option<u64>,
}
