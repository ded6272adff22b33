//! The kinds of rows, field by field.

use super::MapSpec;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Numbers by cell key; `None` is unreachable.
pub(super) type ByCell<T> = BTreeMap<String, Option<T>>;
/// Numbers by scale and cell key.
pub(super) type ByScale<T> = BTreeMap<String, T>;

/// One line of a case file.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(missing_docs, reason = "each kind is described by the row it holds")]
pub enum Row {
    Grid(Box<GridRow>),
    OneWay(OneWayRow),
    Links(LinksRow),
    Layers(LayersRow),
    Limit(LimitRow),
    Footprints(FootprintsRow),
    Graph(GraphRow),
    Pairs(PairsRow),
    Edits(EditsRow),
    Transform(TransformRow),
    Sight(SightRow),
    Status(StatusRow),
}

impl Row {
    /// The row's name.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Grid(row) => &row.id,
            Self::OneWay(row) => &row.id,
            Self::Links(row) => &row.id,
            Self::Layers(row) => &row.id,
            Self::Limit(row) => &row.id,
            Self::Footprints(row) => &row.id,
            Self::Graph(row) => &row.id,
            Self::Pairs(row) => &row.id,
            Self::Edits(row) => &row.id,
            Self::Transform(row) => &row.id,
            Self::Sight(row) => &row.id,
            Self::Status(row) => &row.id,
        }
    }

    /// The row's kind, as the file calls it.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Grid(_) => "grid",
            Self::OneWay(_) => "one_way",
            Self::Links(_) => "links",
            Self::Layers(_) => "layers",
            Self::Limit(_) => "limit",
            Self::Footprints(_) => "footprints",
            Self::Graph(_) => "graph",
            Self::Pairs(_) => "pairs",
            Self::Edits(_) => "edits",
            Self::Transform(_) => "transform",
            Self::Sight(_) => "sight",
            Self::Status(_) => "status",
        }
    }
}

/// Declares a row: the fields that every row has, then its own.
macro_rules! row {
    ($(#[$doc:meta])* $name:ident { $($(#[$attr:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[expect(missing_docs, reason = "the fields are those of the case file")]
        pub struct $name {
            pub id: String,
            pub report: String,
            pub note: String,
            $($(#[$attr])* pub $field: $type,)*
        }
    };
}

row! {
    /// One field on one map.
    GridRow {
        map: Option<Vec<String>>,
        r#gen: Option<MapSpec>,
        #[serde(default)] legend: BTreeMap<char, Option<u8>>,
        goals: Vec<[i32; 2]>,
        diag_rule: String,
        neighbours: u8,
        agent_cells: u32,
        expect: ByCell<f64>,
        expect_depart: Option<ByCell<f64>>,
        expect_mean: Option<ByCell<f64>>,
        expect_table: Option<Vec<Vec<Option<f64>>>>,
        reached_cells: usize,
        scaled: ByScale<ByCell<u64>>,
        scaled_sum: ByScale<u64>,
        scaled_depart: Option<ByScale<ByCell<u64>>>,
        scaled_sum_depart: Option<ByScale<u64>>,
        #[serde(default)] tight: BTreeMap<String, Vec<String>>,
        #[serde(default)] label: ByCell<[i32; 2]>,
        nearest_reachable: Option<NearestReachable>,
    }
}

/// Of the cells reachable from `from`, those nearest to the first goal.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NearestReachable {
    pub(super) from: [i32; 2],
    pub(super) distance: f64,
    pub(super) cells: Vec<[i32; 2]>,
}

row! {
    /// A map with cells that can be entered from some sides only.
    OneWayRow {
        map: Vec<String>,
        enter_from: BTreeMap<String, Vec<String>>,
        goals: Vec<[i32; 2]>,
        diag_rule: String,
        neighbours: u8,
        expect: ByCell<f64>,
        reached_cells: usize,
        scaled: ByScale<ByCell<u64>>,
        scaled_sum: ByScale<u64>,
    }
}

/// A directed edge between any two cells.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are those of the case file")]
pub struct Link {
    pub from: Vec<i32>,
    pub to: Vec<i32>,
    pub cost: u32,
    pub both: bool,
}

row! {
    /// A map with links.
    LinksRow {
        map: Vec<String>,
        #[serde(default)] legend: BTreeMap<char, Option<u8>>,
        links: Vec<Link>,
        goals: Vec<[i32; 2]>,
        diag_rule: String,
        neighbours: u8,
        expect: ByCell<f64>,
        expect_depart: Option<ByCell<f64>>,
        expect_mean: Option<ByCell<f64>>,
        reached_cells: usize,
        scaled: ByScale<ByCell<u64>>,
        scaled_sum: ByScale<u64>,
        scaled_depart: Option<ByScale<ByCell<u64>>>,
        scaled_sum_depart: Option<ByScale<u64>>,
        fewest_hops: BTreeMap<String, usize>,
    }
}

row! {
    /// Several layers joined by links.
    LayersRow {
        layers: Vec<Vec<String>>,
        links: Vec<Link>,
        goals: Vec<[i32; 3]>,
        diag_rule: String,
        neighbours: u8,
        expect: ByCell<f64>,
        reached_cells: usize,
        scaled: ByScale<ByCell<u64>>,
        scaled_sum: ByScale<u64>,
    }
}

row! {
    /// A field with a cost limit.
    LimitRow {
        map: Option<Vec<String>>,
        r#gen: Option<MapSpec>,
        goals: Vec<[i32; 2]>,
        diag_rule: String,
        neighbours: u8,
        limit: u32,
        expect: ByCell<f64>,
        expect_depart: Option<ByCell<f64>>,
        expect_mean: Option<ByCell<f64>>,
        expect_without_limit: ByCell<f64>,
        known_cells: usize,
        known_scaled: ByScale<usize>,
    }
}

/// What one body can do on the map of a [`FootprintsRow`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are those of the case file")]
pub struct Body {
    pub placeable: usize,
    pub anchor: ByCell<f64>,
    pub cover: ByCell<f64>,
}

row! {
    /// One map, several bodies.
    FootprintsRow {
        map: Vec<String>,
        goal: [i32; 2],
        diag_rule: String,
        neighbours: u8,
        sizes: BTreeMap<String, Body>,
    }
}

row! {
    /// No grid: named nodes and directed edges.
    GraphRow {
        edges: Vec<(String, String, u32)>,
        goals: Vec<String>,
        expect: BTreeMap<String, Option<u32>>,
        next: BTreeMap<String, Vec<String>>,
    }
}

row! {
    /// Pairs of cells and the cost each way.
    PairsRow {
        r#gen: MapSpec,
        diag_rule: String,
        neighbours: u8,
        pairs: Vec<([i32; 2], [i32; 2], Option<f64>, Option<f64>)>,
        free_cells: usize,
    }
}

/// One step of an [`EditsRow`]: cells set on top of the last state, then what holds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are those of the case file")]
pub struct EditStep {
    pub set: Vec<(i32, i32, Option<u8>)>,
    pub expect: ByCell<f64>,
    pub expect_depart: Option<ByCell<f64>>,
    pub expect_mean: Option<ByCell<f64>>,
    pub reached_cells: usize,
    pub scaled_sum: u64,
    pub changed_cells: Option<usize>,
}

row! {
    /// A map that is edited step by step.
    EditsRow {
        map: Option<Vec<String>>,
        r#gen: Option<MapSpec>,
        goals: Vec<[i32; 2]>,
        diag_rule: String,
        neighbours: u8,
        steps: Vec<EditStep>,
    }
}

/// A world coordinate: a number, or the name of one that is not finite.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "a number, or `NaN`, `inf`, `-inf`")]
pub enum Coordinate {
    Number(f64),
    Named(String),
}

/// The cell of a world position: a cell, `outside` or `error`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "a cell, or the word for why there is none")]
pub enum CellOrWord {
    Cell([i32; 2]),
    Word(String),
}

/// A world position and its cell.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are those of the case file")]
pub struct WorldPoint {
    pub world: [Coordinate; 2],
    pub cell: CellOrWord,
}

row! {
    /// World positions and their cells.
    TransformRow {
        origin: [f64; 2],
        #[serde(default)] first_cell: [i32; 2],
        cell_size: f64,
        dims: [u32; 2],
        points: Vec<WorldPoint>,
    }
}

row! {
    /// What each cell sees of a goal.
    SightRow {
        map: Option<Vec<String>>,
        r#gen: Option<MapSpec>,
        goal: [i32; 2],
        sight: Vec<String>,
        visible_strict: usize,
        visible_if_touching_is_allowed: usize,
    }
}

/// One question of a [`StatusRow`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are those of the case file")]
pub struct StatusQuery {
    pub agent: [i32; 2],
    pub goal: [i32; 2],
    pub status: String,
}

row! {
    /// Questions and the one word that answers each.
    StatusRow {
        map: Option<Vec<String>>,
        r#gen: Option<MapSpec>,
        diag_rule: String,
        neighbours: u8,
        queries: Vec<StatusQuery>,
    }
}
