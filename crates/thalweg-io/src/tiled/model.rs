//! A Tiled map as its file states it, before anything is unpacked: what the XML and the JSON form have in common.

use std::collections::BTreeMap;

/// The deepest nesting of groups that is followed.
pub(super) const MAX_GROUP_DEPTH: usize = 64;

#[derive(Debug)]
pub(super) struct RawMap {
    pub(super) orientation: String,
    pub(super) infinite: bool,
    /// Means nothing in infinite maps.
    pub(super) size: [u32; 2],
    pub(super) tile_size: [u32; 2],
    pub(super) tilesets: Vec<RawTileset>,
    /// Tile layers only, from the lowest drawn to the highest; groups are dissolved.
    pub(super) layers: Vec<RawLayer>,
}

#[derive(Debug)]
pub(super) struct RawTileset {
    /// Tile number of the first tile, 1 or more.
    pub(super) first: u32,
    /// A file to look the tiles up in; `None` where they stand in the map.
    pub(super) source: Option<String>,
    pub(super) tiles: Tiles,
}

/// What is said about tiles by their number in the tileset. Tiles about which nothing is said are missing.
pub(super) type Tiles = BTreeMap<u32, RawTile>;

#[derive(Debug, Default)]
pub(super) struct RawTile {
    /// The class of the tile (called type in some versions of the editor).
    pub(super) class: Option<String>,
    pub(super) properties: BTreeMap<String, Property>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Property {
    Number(f64),
    Text(String),
    /// Booleans, colours as objects, nested classes: shown as it stands.
    Other(String),
}

#[derive(Debug)]
pub(super) struct RawLayer {
    pub(super) name: String,
    /// Not hidden, nor in a hidden group.
    pub(super) visible: bool,
    /// Drawn beside its cells, by pixels.
    pub(super) shifted: bool,
    /// Byte of the file at which the layer begins, where that is known.
    pub(super) at: Option<usize>,
    pub(super) packing: Packing,
    pub(super) blocks: Vec<Block>,
}

/// How tile numbers are written; the words are the file's own.
#[derive(Debug, Default)]
pub(super) struct Packing {
    pub(super) encoding: Option<String>,
    pub(super) compression: Option<String>,
}

/// A rectangle of tiles: a whole layer, or a chunk of an infinite one.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) tiles: RawTiles,
}

#[derive(Debug)]
pub(super) enum RawTiles {
    Text(String),
    Numbers(Vec<u32>),
}
