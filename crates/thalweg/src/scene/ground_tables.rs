//! The tables of a scene file that say what the ground is: terrain, heights, overlays, and when things are in the way.

use super::places::{AreaTable, CellTable, FilesTable, PointTable};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TerrainTable {
    pub(super) text: Option<Spanned<String>>,
    pub(super) file: Option<FilesTable>,
    pub(super) classes: BTreeMap<Spanned<String>, ClassMarks>,
    #[serde(default)]
    pub(super) colours: BTreeMap<Spanned<String>, String>,
}

/// The letters, or the numbers, that stand for a class.
#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "a class must be letters, a number, or a list of numbers"
)]
pub(super) enum ClassMarks {
    Letters(String),
    Number(i64),
    Numbers(Vec<i64>),
}

impl TerrainTable {
    /// The classes that are given by a colour, as in `water = "#3f76e4"`, by their index; for coloured pictures.
    pub(super) fn colour_marks(&self) -> Vec<([u8; 3], u8)> {
        let classes = (0u8..).zip(self.classes.values());
        let colour = |(class, marks): (u8, &ClassMarks)| match marks {
            ClassMarks::Letters(text) => Some((colour_of(text)?, class)),
            _ => None,
        };
        classes.filter_map(colour).collect()
    }
}

/// The colour of `#` and six hexadecimal digits.
pub(super) fn colour_of(text: &str) -> Option<[u8; 3]> {
    let digits = text
        .strip_prefix('#')
        .filter(|digits| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some([red, green, blue])
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HeightsTable {
    pub(super) rows: Option<Vec<Vec<f64>>>,
    pub(super) file: Option<FilesTable>,
    pub(super) cell_size: Option<f64>,
    pub(super) nodata: Option<f64>,
    pub(super) scale: Option<[f64; 2]>,
    pub(super) levels: Option<[f64; 2]>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OverlayTable {
    pub(super) name: Spanned<String>,
    pub(super) area: Option<AreaTable>,
    pub(super) disc: Option<DiscTable>,
    pub(super) polygon: Option<Vec<PointTable>>,
    pub(super) holes: Option<Vec<Vec<PointTable>>>,
    pub(super) rows: Option<Vec<Vec<i64>>>,
    pub(super) file: Option<String>,
    pub(super) at: Option<CellTable>,
    pub(super) effect: String,
    pub(super) value: Option<i64>,
    #[serde(default)]
    pub(super) standing: bool,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DiscTable {
    pub(super) centre: PointTable,
    pub(super) radius: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PatrolTable {
    pub(super) name: Spanned<String>,
    pub(super) path: Vec<CellTable>,
    #[serde(default)]
    pub(super) from_tick: u32,
    pub(super) ticks_per_cell: Option<u32>,
    pub(super) rounds: Option<u32>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TimeTable {
    pub(super) horizon: Option<u32>,
    pub(super) step_ticks: Option<u32>,
    pub(super) units_per_tick: Option<u32>,
    pub(super) wait_cost: Option<WaitTable>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "wait_cost must be a cost in step units, or \"never\"")]
pub(super) enum WaitTable {
    Cost(u32),
    Word(String),
}

/// What a class costs a profile, or what unknown ground does: a number or a word.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "this must be a cost from 0 to 254, or a word")]
pub(super) enum CostWord {
    Cost(i64),
    Word(String),
}

/// Slope bands as [[below, extra], …], or a word.
#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "slopes must be bands such as [[0.3, 0], [0.6, 3]], or \"ignore\""
)]
pub(super) enum SlopesTable {
    Bands(Vec<[f64; 2]>),
    Word(String),
}

/// What turns cost: per eighth, or by eighths.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(
    untagged,
    expecting = "turn_cost must be step units per eighth turned, or five of them by eighths from 0 to 4"
)]
pub(super) enum TurnTable {
    PerEighth(u32),
    ByEighths([u32; 5]),
}
