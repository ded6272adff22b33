//! What every tile number of a map is worth, by a property of its tile.

use super::model::{Property, RawTile, Tiles};
use super::options::TiledOptions;
use crate::error::quoted;
use std::collections::BTreeMap;

/// The values of all tilesets of a map.
#[derive(Debug, Default)]
pub(super) struct Values {
    /// By the number of the first tile, ascending.
    tilesets: Vec<(u32, BTreeMap<u32, u8>)>,
}

impl Values {
    /// Adds a tileset.
    pub(super) fn add(&mut self, first: u32, tiles: &Tiles, options: &TiledOptions) -> Result<(), String> {
        let mut values = BTreeMap::new();
        for (&id, tile) in tiles {
            if let Some(value) =
                value(tile, options).map_err(|what| format!("tile {id} of the tileset {what}"))?
            {
                values.insert(id, value);
            }
        }
        let at = self.tilesets.partition_point(|&(other, _)| other <= first);
        self.tilesets.insert(at, (first, values));
        Ok(())
    }

    /// The value of a tile number, or `None` where its tile has no such property.
    pub(super) fn value(&self, number: u32) -> Result<Option<u8>, String> {
        let after = self.tilesets.partition_point(|&(first, _)| first <= number);
        let (first, values) = after
            .checked_sub(1)
            .and_then(|index| self.tilesets.get(index))
            .ok_or_else(|| format!("has tile number {number}, which is of no tileset of the map"))?;
        Ok(values.get(&(number - first)).copied())
    }
}

fn value(tile: &RawTile, options: &TiledOptions) -> Result<Option<u8>, String> {
    let name = options.property.as_str();
    let class;
    let property = match (tile.properties.get(name), &tile.class) {
        (Some(property), _) => property,
        (None, Some(text)) if matches!(name, "class" | "type") && !text.is_empty() => {
            class = Property::Text(text.clone());
            &class
        }
        (None, _) => return Ok(None),
    };
    let (number, shown) = match property {
        Property::Number(number) => (Some(*number), number.to_string()),
        Property::Text(text) => {
            if let Some(&value) = options.names.get(text) {
                return Ok(Some(value));
            }
            (text.trim().parse().ok(), text.clone())
        }
        Property::Other(text) => (None, text.clone()),
    };
    number
        .filter(|number| number.fract() == 0.0 && (0.0..=255.0).contains(number))
        .map(|number| Some(number as u8))
        .ok_or_else(|| {
            format!(
                "has {} = {}, which is neither a whole number from 0 to 255 nor a name that was given",
                quoted(name),
                quoted(&shown)
            )
        })
}
