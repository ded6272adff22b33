//! The JSON form: `.tmj` maps and `.tsj` tilesets, as the Tiled manual's "JSON Map Format" describes them.

use super::model::{
    Block, MAX_GROUP_DEPTH, Packing, Property, RawLayer, RawMap, RawTile, RawTiles, RawTileset, Tiles,
};
use crate::error::{Place, ReadError, ReadReason, one_line};
use core::fmt;
use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

pub(super) fn read_map(name: &str, text: &str) -> Result<RawMap, ReadError> {
    let map: Map = parse(name, text)?;
    let mut layers = Vec::new();
    dissolve(map.layers, true, 0, &mut layers)
        .map_err(|reason| ReadError::new(name, Place::WholeFile, reason))?;
    let tilesets = map.tilesets.into_iter().map(|tileset| RawTileset {
        first: tileset.firstgid,
        source: tileset.source,
        tiles: tiles(tileset.tiles),
    });
    Ok(RawMap {
        orientation: map.orientation,
        infinite: map.infinite,
        size: [map.width, map.height],
        tile_size: [map.tilewidth, map.tileheight],
        tilesets: tilesets.collect(),
        layers,
    })
}

pub(super) fn read_tileset(name: &str, text: &str) -> Result<Tiles, ReadError> {
    let tileset: Tileset = parse(name, text)?;
    Ok(tiles(tileset.tiles))
}

fn parse<'a, T: Deserialize<'a>>(name: &str, text: &'a str) -> Result<T, ReadError> {
    serde_json::from_str(text).map_err(|error| {
        let place = Place::LineColumn(error.line(), error.column());
        let reason = ReadReason::Tiled(format!(
            "the JSON is not that of the Tiled editor: {}",
            one_line(&error)
        ));
        ReadError::new(name, place, reason)
    })
}

#[derive(Deserialize)]
struct Map {
    orientation: String,
    #[serde(default)]
    infinite: bool,
    width: u32,
    height: u32,
    #[serde(default)]
    tilewidth: u32,
    #[serde(default)]
    tileheight: u32,
    #[serde(default)]
    tilesets: Vec<Tileset>,
    layers: Vec<Layer>,
}

#[derive(Deserialize)]
struct Tileset {
    #[serde(default)]
    firstgid: u32,
    source: Option<String>,
    #[serde(default)]
    tiles: Vec<Tile>,
}

#[derive(Deserialize)]
struct Tile {
    id: u32,
    class: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    properties: Vec<NamedValue>,
}

#[derive(Deserialize)]
struct NamedValue {
    name: String,
    value: serde_json::Value,
}

#[derive(Deserialize)]
struct Layer {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    name: String,
    #[serde(default = "yes")]
    visible: bool,
    #[serde(default)]
    offsetx: f64,
    #[serde(default)]
    offsety: f64,
    #[serde(default)]
    width: u32,
    #[serde(default)]
    height: u32,
    encoding: Option<String>,
    compression: Option<String>,
    data: Option<Data>,
    #[serde(default)]
    chunks: Vec<Chunk>,
    #[serde(default)]
    layers: Vec<Self>,
}

#[derive(Deserialize)]
struct Chunk {
    x: i32,
    y: i32,
    width: u32,
    height: u32,
    data: Data,
}

const fn yes() -> bool {
    true
}

/// Tile numbers, as a list or packed into text.
///
/// Read by hand: an untagged enumeration would first keep every number as a general value of 32 bytes.
struct Data(RawTiles);

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Tiles;

        impl<'de> Visitor<'de> for Tiles {
            type Value = Data;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of tile numbers or a text")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Data, E> {
                Ok(Data(RawTiles::Text(text.to_owned())))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Data, A::Error> {
                let mut numbers = Vec::new();
                while let Some(number) = list.next_element::<u64>()? {
                    let number = u32::try_from(number).map_err(|_| {
                        A::Error::custom(format_args!("tile number {number} has more than 32 bits"))
                    })?;
                    numbers.push(number);
                }
                Ok(Data(RawTiles::Numbers(numbers)))
            }
        }

        deserializer.deserialize_any(Tiles)
    }
}

fn tiles(tiles: Vec<Tile>) -> Tiles {
    let tile = |tile: Tile| {
        let properties = tile.properties.into_iter().map(|named| {
            let value = match named.value {
                serde_json::Value::Number(number) => number
                    .as_f64()
                    .map_or_else(|| Property::Other(number.to_string()), Property::Number),
                serde_json::Value::String(text) => Property::Text(text),
                other => Property::Other(other.to_string()),
            };
            (named.name, value)
        });
        let raw = RawTile {
            class: tile.class.or(tile.kind),
            properties: properties.collect(),
        };
        (tile.id, raw)
    };
    tiles.into_iter().map(tile).collect()
}

/// Tile layers from the lowest drawn to the highest, out of groups in groups.
fn dissolve(
    layers: Vec<Layer>,
    visible: bool,
    depth: usize,
    into: &mut Vec<RawLayer>,
) -> Result<(), ReadReason> {
    if depth > MAX_GROUP_DEPTH {
        return Err(ReadReason::Tiled(format!(
            "groups are nested deeper than {MAX_GROUP_DEPTH}, the limit"
        )));
    }
    for layer in layers {
        let visible = visible && layer.visible;
        if layer.kind == "group" {
            dissolve(layer.layers, visible, depth + 1, into)?;
        } else if layer.kind == "tilelayer" {
            into.push(tile_layer(layer, visible));
        }
    }
    Ok(())
}

fn tile_layer(layer: Layer, visible: bool) -> RawLayer {
    let chunks = layer.chunks.into_iter().map(|chunk| Block {
        x: chunk.x,
        y: chunk.y,
        width: chunk.width,
        height: chunk.height,
        tiles: chunk.data.0,
    });
    let whole = layer.data.map(|data| Block {
        x: 0,
        y: 0,
        width: layer.width,
        height: layer.height,
        tiles: data.0,
    });
    RawLayer {
        name: layer.name,
        visible,
        shifted: layer.offsetx != 0.0 || layer.offsety != 0.0,
        at: None,
        packing: Packing {
            encoding: layer.encoding,
            compression: layer.compression,
        },
        blocks: chunks.chain(whole).collect(),
    }
}
