//! Which layers and which property of a Tiled map are read, and what holds where there is none.

use std::collections::BTreeMap;

/// The largest Tiled map or tileset that is read by default: 256 MiB.
pub const MAX_TILED_BYTES: u64 = 1 << 28;

/// What holds where the tiles of a map say nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TileDefault {
    /// The map is refused, with the first such cell.
    Refuse,
    /// The cell is unknown.
    Unknown,
    /// The cell has this cost (255 is impassable) or class.
    Value(u8),
}

/// Which of several layers decides about a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LayerRule {
    /// The highest drawn tile that has the property: a bridge over water is a bridge.
    #[default]
    Topmost,
    /// The largest value of any layer: with costs, a wall on any layer is a wall.
    Largest,
}

/// How a Tiled map becomes costs or classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TiledOptions {
    /// Name of the tile property that holds the value: a whole number 0 to 255, or a text that [`Self::names`] lists
    /// or that is such a number. If it is `class` or `type` and a tile has no such property, the class that the editor
    /// gives tiles takes its place.
    pub property: String,
    /// What texts stand for. Default: none.
    pub names: BTreeMap<String, u8>,
    /// Names of the tile layers to read, hidden ones too. Default: none, which means all that are not hidden.
    pub layers: Vec<String>,
    /// Which layer decides. Default: the topmost.
    pub rule: LayerRule,
    /// What a cell is that has tiles, but none with the property. Default: refuse, since such a map says nothing.
    pub without_property: TileDefault,
    /// What a cell is that has no tile on any layer. Default: unknown.
    pub empty: TileDefault,
    /// The most bytes that the map and each tileset file may have. Default: [`MAX_TILED_BYTES`].
    pub max_bytes: u64,
}

impl TiledOptions {
    /// Options that read this property, with defaults for the rest.
    #[must_use]
    pub fn new(property: impl Into<String>) -> Self {
        Self {
            property: property.into(),
            names: BTreeMap::new(),
            layers: Vec::new(),
            rule: LayerRule::Topmost,
            without_property: TileDefault::Refuse,
            empty: TileDefault::Unknown,
            max_bytes: MAX_TILED_BYTES,
        }
    }

    /// The options with a text that stands for this value.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>, value: u8) -> Self {
        self.names.insert(name.into(), value);
        self
    }

    /// The options that read this layer, and others only if they are named too.
    #[must_use]
    pub fn with_layer(mut self, name: impl Into<String>) -> Self {
        self.layers.push(name.into());
        self
    }

    /// The options with this rule between layers.
    #[must_use]
    pub const fn with_rule(mut self, rule: LayerRule) -> Self {
        self.rule = rule;
        self
    }

    /// The options with this for cells whose tiles do not have the property.
    #[must_use]
    pub const fn with_default(mut self, without_property: TileDefault) -> Self {
        self.without_property = without_property;
        self
    }

    /// The options with this for cells without any tile.
    #[must_use]
    pub const fn with_empty(mut self, empty: TileDefault) -> Self {
        self.empty = empty;
        self
    }
}
