//! What stands in a scene file, before it is checked against its map.

use super::SceneError;
use super::ground_tables::{
    CostWord, HeightsTable, OverlayTable, PatrolTable, SlopesTable, TerrainTable, TimeTable, TurnTable,
};
use super::places::{AreaTable, CellTable};
use super::record_tables::{
    CongestionTable, CountLineTable, MeasureAreaTable, SourceTable, WaitingZoneTable,
};
use crate::generate::{GenerateError, MapKind};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// A scene file as written. [`SceneFile::parse`] refuses unknown keys and wrong types; what depends on the map is
/// checked by [`Scene::new`](super::Scene::new).
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneFile {
    pub(super) format: Spanned<u32>,
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) seed: u64,
    pub(super) duration_s: Spanned<f64>,
    #[serde(default)]
    pub(super) tick_s: Option<Spanned<f64>>,
    pub(super) map: Spanned<MapTable>,
    pub(super) terrain: Option<Spanned<TerrainTable>>,
    pub(super) heights: Option<Spanned<HeightsTable>>,
    #[serde(default, rename = "overlay")]
    pub(super) overlays: Vec<OverlayTable>,
    #[serde(default, rename = "patrol")]
    pub(super) patrols: Vec<PatrolTable>,
    pub(super) time_field: Option<Spanned<TimeTable>>,
    #[serde(default, rename = "profile")]
    pub(super) profiles: Vec<ProfileTable>,
    #[serde(default, rename = "goal")]
    pub(super) goals: Vec<GoalTable>,
    #[serde(default, rename = "door")]
    pub(super) doors: Vec<DoorTable>,
    #[serde(default, rename = "one_way")]
    pub(super) one_ways: Vec<Spanned<OneWayTable>>,
    #[serde(default, rename = "portal")]
    pub(super) portals: Vec<Spanned<PortalTable>>,
    #[serde(default, rename = "group")]
    pub(super) groups: Vec<GroupTable>,
    #[serde(default, rename = "source")]
    pub(super) sources: Vec<SourceTable>,
    #[serde(default, rename = "waiting_zone")]
    pub(super) waiting_zones: Vec<WaitingZoneTable>,
    #[serde(default, rename = "event")]
    pub(super) events: Vec<EventTable>,
    #[serde(default, rename = "count_line")]
    pub(super) count_lines: Vec<CountLineTable>,
    #[serde(default, rename = "measure_area")]
    pub(super) measure_areas: Vec<MeasureAreaTable>,
    pub(super) congestion: Option<Spanned<CongestionTable>>,
    pub(super) fields: Option<FieldsTable>,
    pub(super) crowd: Option<Spanned<CrowdTable>>,
    pub(super) strict: Option<Spanned<StrictTable>>,
    pub(super) output: Option<Spanned<OutputTable>>,
    /// The text the spans point into, for line numbers.
    #[serde(skip)]
    pub(super) text: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MapTable {
    pub(super) text: Option<String>,
    pub(super) file: Option<String>,
    pub(super) generate: Option<GenerateTable>,
    #[serde(default)]
    pub(super) cell_size: Option<f64>,
    #[serde(default)]
    pub(super) origin: Option<[f64; 2]>,
    #[serde(default)]
    pub(super) y_up: bool,
    pub(super) property: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GenerateTable {
    pub(super) kind: String,
    pub(super) side: u32,
    #[serde(default)]
    pub(super) seed: u64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProfileTable {
    pub(super) name: Spanned<String>,
    pub(super) neighbours: Option<u32>,
    pub(super) corner: Option<String>,
    pub(super) charge: Option<String>,
    pub(super) scale: Option<String>,
    pub(super) footprint: Option<String>,
    pub(super) classes: Option<BTreeMap<String, CostWord>>,
    pub(super) other_classes: Option<CostWord>,
    pub(super) unknown: Option<CostWord>,
    pub(super) slopes: Option<SlopesTable>,
    pub(super) slopes_down: Option<Vec<[f64; 2]>>,
    pub(super) steep: Option<String>,
    pub(super) turn_cost: Option<TurnTable>,
    pub(super) cost_limit: Option<u32>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GoalTable {
    pub(super) name: Spanned<String>,
    pub(super) cells: Option<Vec<CellTable>>,
    pub(super) area: Option<AreaTable>,
    pub(super) path: Option<Vec<CellTable>>,
    pub(super) move_every_s: Option<f64>,
    pub(super) step_cells: Option<u32>,
    #[serde(default)]
    pub(super) bias: u32,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DoorTable {
    pub(super) name: Spanned<String>,
    pub(super) area: AreaTable,
    pub(super) open_ticks: Option<Vec<[u64; 2]>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OneWayTable {
    pub(super) cells: Option<Vec<CellTable>>,
    pub(super) area: Option<AreaTable>,
    pub(super) enter_from: Option<Vec<String>>,
    pub(super) close: Option<Vec<String>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PortalTable {
    pub(super) from: CellTable,
    pub(super) to: CellTable,
    #[serde(default)]
    pub(super) cost: u32,
    #[serde(default)]
    pub(super) both: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GroupTable {
    pub(super) name: Spanned<String>,
    pub(super) count: Option<u32>,
    pub(super) area: Option<AreaTable>,
    pub(super) cells: Option<Vec<CellTable>>,
    pub(super) mark: Option<char>,
    pub(super) goals: Vec<String>,
    pub(super) profile: Option<String>,
    pub(super) radius: Option<f64>,
    pub(super) speed: Option<SpeedTable>,
    pub(super) arrival: Option<String>,
    pub(super) when_stale: Option<String>,
    pub(super) steer: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged, expecting = "a number or a range [slowest, fastest]")]
pub(super) enum SpeedTable {
    One(f64),
    Range([f64; 2]),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EventTable {
    pub(super) at_tick: Spanned<u64>,
    pub(super) close: Option<String>,
    pub(super) open: Option<String>,
    pub(super) put: Option<String>,
    pub(super) take: Option<String>,
    pub(super) hold: Option<String>,
    pub(super) release: Option<String>,
    pub(super) cost: Option<CostTable>,
    pub(super) move_goal: Option<MoveGoalTable>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CostTable {
    pub(super) area: AreaTable,
    pub(super) value: i64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveGoalTable {
    pub(super) goal: String,
    pub(super) to: CellTable,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FieldsTable {
    pub(super) work_per_tick: Option<Spanned<u64>>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CrowdTable {
    pub(super) avoidance: Option<String>,
    pub(super) time_gap: Option<f64>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StrictTable {
    pub(super) following: Option<bool>,
    pub(super) squeezing: Option<bool>,
    pub(super) horizon: Option<Spanned<u16>>,
    pub(super) replan_after: Option<Spanned<u16>>,
    pub(super) search_after: Option<Spanned<u16>>,
    pub(super) search_budget: Option<Spanned<u32>>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OutputTable {
    pub(super) frame_every: Option<u64>,
    pub(super) frames_max: Option<u64>,
}

/// Which map a scene wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MapSource {
    /// A plain text grid that stands in the scene itself.
    Text(String),
    /// A file, relative to the scene file.
    File(String),
    /// A generated map.
    Generate {
        /// What it looks like.
        kind: MapKind,
        /// Cells in a row, and rows.
        side: u32,
        /// Same seed, same map.
        seed: u64,
    },
}

impl SceneFile {
    /// Reads a scene from TOML text.
    ///
    /// # Errors
    /// [`SceneError`] with the line: broken TOML, unknown keys, missing keys, wrong types, an unknown format version.
    pub fn parse(text: &str) -> Result<Self, SceneError> {
        let mut file: Self = toml::from_str(text).map_err(|error| {
            // The first line says what is wrong; the rest repeats the source for a terminal.
            let reason = error
                .message()
                .lines()
                .next()
                .unwrap_or("not a TOML file")
                .to_owned();
            match error.span() {
                Some(span) => SceneError::at_line(line_of(text, span.start), reason),
                None => SceneError::new(reason),
            }
        })?;
        text.clone_into(&mut file.text);
        if *file.format.get_ref() != 1 {
            let line = file.line(&file.format);
            let version = file.format.get_ref();
            return Err(SceneError::at_line(
                line,
                format!("scene format {version} is not known; this version reads format 1"),
            ));
        }
        Ok(file)
    }

    /// Which map the scene wants.
    ///
    /// # Errors
    /// [`SceneError`] unless exactly one of `text`, `file` and `generate` is given.
    pub fn map_source(&self) -> Result<MapSource, SceneError> {
        let table = self.map.get_ref();
        if table.property.is_some() && table.file.is_none() {
            return Err(SceneError::at_line(
                self.line(&self.map),
                "[map] `property` is for a `file` of the Tiled editor",
            ));
        }
        match (&table.text, &table.file, &table.generate) {
            (Some(text), None, None) => Ok(MapSource::Text(text.clone())),
            (None, Some(file), None) => Ok(MapSource::File(file.clone())),
            (None, None, Some(generate)) => Ok(MapSource::Generate {
                kind: generate.kind.parse().map_err(|error: GenerateError| {
                    SceneError::at_line(self.line(&self.map), error.to_string())
                })?,
                side: generate.side,
                seed: generate.seed,
            }),
            _ => Err(SceneError::at_line(
                self.line(&self.map),
                "[map] needs exactly one of `text`, `file` and `generate`",
            )),
        }
    }

    /// The tile property that holds the costs if the map is a file of the Tiled editor; `None` if the scene does not say.
    #[must_use]
    pub fn tile_property(&self) -> Option<&str> {
        self.map.get_ref().property.as_deref()
    }

    /// The line of the `[map]` table, from 1.
    #[must_use]
    pub fn map_line(&self) -> usize {
        self.line(&self.map)
    }

    /// The scene's name, or an empty text.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn line<T>(&self, spanned: &Spanned<T>) -> usize {
        line_of(&self.text, spanned.span().start)
    }

    /// The line of the first row of a text that stands in the scene: a line end right behind the opening quotes is not
    /// part of the text.
    pub(super) fn first_text_line(&self, spanned: &Spanned<String>) -> usize {
        let source = self.text.get(spanned.span()).unwrap_or_default();
        let quotes = source.trim_start_matches(['"', '\'']);
        let begins_below = quotes.starts_with('\n') || quotes.starts_with("\r\n");
        self.line(spanned) + usize::from(begins_below)
    }
}

fn line_of(text: &str, byte: usize) -> usize {
    text.bytes().take(byte).filter(|&byte| byte == b'\n').count() + 1
}
