//! The XML form: `.tmx` maps and `.tsx` tilesets, as the Tiled manual's "TMX Map Format" describes them.

use super::model::{
    Block, MAX_GROUP_DEPTH, Packing, Property, RawLayer, RawMap, RawTile, RawTiles, RawTileset, Tiles,
};
use crate::error::{Place, ReadError, ReadReason, one_line, quoted};
use roxmltree::{Document, Node, ParsingOptions};
use std::str::FromStr;

/// The most nodes of one file: a tree of them takes about a gigabyte.
const MAX_NODES: u32 = 1 << 24;

pub(super) fn read_map(name: &str, text: &str) -> Result<RawMap, ReadError> {
    let document = parse(name, text)?;
    let root = document.root_element();
    let reader = Reader {
        name,
        document: &document,
    };
    reader.expect(root, "map")?;
    let mut tilesets = Vec::new();
    for node in root.children().filter(|node| node.has_tag_name("tileset")) {
        tilesets.push(RawTileset {
            first: reader.number(node, "firstgid", None)?,
            source: node.attribute("source").map(str::to_owned),
            tiles: reader.tiles(node)?,
        });
    }
    let mut layers = Vec::new();
    reader.layers(root, true, 0, &mut layers)?;
    Ok(RawMap {
        orientation: root.attribute("orientation").unwrap_or("orthogonal").to_owned(),
        infinite: reader.number(root, "infinite", Some(0u8))? != 0,
        size: [
            reader.number(root, "width", None)?,
            reader.number(root, "height", None)?,
        ],
        tile_size: [
            reader.number(root, "tilewidth", Some(0))?,
            reader.number(root, "tileheight", Some(0))?,
        ],
        tilesets,
        layers,
    })
}

pub(super) fn read_tileset(name: &str, text: &str) -> Result<Tiles, ReadError> {
    let document = parse(name, text)?;
    let root = document.root_element();
    let reader = Reader {
        name,
        document: &document,
    };
    reader.expect(root, "tileset")?;
    reader.tiles(root)
}

fn parse<'a>(name: &str, text: &'a str) -> Result<Document<'a>, ReadError> {
    let options = ParsingOptions {
        nodes_limit: MAX_NODES,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).map_err(|error| {
        let at = error.pos();
        let place = Place::LineColumn(at.row as usize, at.col as usize);
        ReadError::new(
            name,
            place,
            ReadReason::Tiled(format!("the XML is damaged: {}", one_line(&error))),
        )
    })
}

#[derive(Clone, Copy)]
struct Reader<'a, 'text> {
    name: &'a str,
    document: &'a Document<'text>,
}

impl<'a, 'text> Reader<'a, 'text> {
    fn error(&self, node: Node<'_, '_>, what: String) -> ReadError {
        let line = self.document.text_pos_at(node.range().start).row as usize;
        ReadError::new(self.name, Place::Line(line), ReadReason::Tiled(what))
    }

    fn expect(&self, root: Node<'_, '_>, tag: &str) -> Result<(), ReadError> {
        if root.has_tag_name(tag) {
            return Ok(());
        }
        let got = quoted(root.tag_name().name());
        Err(self.error(
            root,
            format!("the file holds a {got}, but a {tag} of the Tiled editor is expected"),
        ))
    }

    /// A number that stands in an attribute; where it may be missing, `default` takes its place.
    fn number<T: FromStr>(&self, node: Node<'_, '_>, key: &str, default: Option<T>) -> Result<T, ReadError> {
        let Some(text) = node.attribute(key) else {
            let tag = node.tag_name().name();
            return default.ok_or_else(|| self.error(node, format!("the {tag} has no {key}")));
        };
        text.parse().map_err(|_| {
            self.error(
                node,
                format!("{key} is {}, which is no number that it can be", quoted(text)),
            )
        })
    }

    fn tiles(&self, tileset: Node<'_, '_>) -> Result<Tiles, ReadError> {
        let mut tiles = Tiles::new();
        for node in tileset.children().filter(|node| node.has_tag_name("tile")) {
            let mut tile = RawTile {
                class: node
                    .attribute("class")
                    .or_else(|| node.attribute("type"))
                    .map(str::to_owned),
                ..RawTile::default()
            };
            let properties = node.children().filter(|node| node.has_tag_name("properties"));
            for property in properties.flat_map(|node| node.children()) {
                if let Some(key) = property.attribute("name") {
                    tile.properties.insert(key.to_owned(), value(property));
                }
            }
            tiles.insert(self.number(node, "id", None)?, tile);
        }
        Ok(tiles)
    }

    fn layers(
        &self,
        parent: Node<'a, 'text>,
        visible: bool,
        depth: usize,
        layers: &mut Vec<RawLayer>,
    ) -> Result<(), ReadError> {
        if depth > MAX_GROUP_DEPTH {
            return Err(self.error(
                parent,
                format!("groups are nested deeper than {MAX_GROUP_DEPTH}, the limit"),
            ));
        }
        for node in parent.children() {
            let visible = visible && node.attribute("visible") != Some("0");
            if node.has_tag_name("group") {
                self.layers(node, visible, depth + 1, layers)?;
            } else if node.has_tag_name("layer") {
                layers.push(self.layer(node, visible)?);
            }
        }
        Ok(())
    }

    fn layer(&self, node: Node<'_, '_>, visible: bool) -> Result<RawLayer, ReadError> {
        let name = node.attribute("name").unwrap_or_default().to_owned();
        let data = node
            .children()
            .find(|node| node.has_tag_name("data"))
            .ok_or_else(|| self.error(node, format!("layer {} has no data", quoted(&name))))?;
        let mut blocks = Vec::new();
        for chunk in data.children().filter(|node| node.has_tag_name("chunk")) {
            blocks.push(self.block(chunk, chunk)?);
        }
        if blocks.is_empty() && !data.children().all(|node| node.is_comment()) {
            blocks.push(self.block(node, data)?);
        }
        let offset = |key| self.number(node, key, Some(0.0f64));
        Ok(RawLayer {
            name,
            visible,
            shifted: offset("offsetx")? != 0.0 || offset("offsety")? != 0.0,
            at: Some(node.range().start),
            packing: Packing {
                encoding: data.attribute("encoding").map(str::to_owned),
                compression: data.attribute("compression").map(str::to_owned),
            },
            blocks,
        })
    }

    /// A layer or chunk with the tiles that stand in `data`.
    fn block(&self, node: Node<'_, '_>, data: Node<'_, '_>) -> Result<Block, ReadError> {
        let mut numbers = Vec::new();
        for tile in data.children().filter(|node| node.has_tag_name("tile")) {
            numbers.push(self.number(tile, "gid", Some(0))?);
        }
        let tiles = if numbers.is_empty() {
            let text = data
                .children()
                .filter_map(|node| node.is_text().then(|| node.text()).flatten());
            RawTiles::Text(text.collect())
        } else {
            RawTiles::Numbers(numbers)
        };
        Ok(Block {
            x: self.number(node, "x", Some(0))?,
            y: self.number(node, "y", Some(0))?,
            width: self.number(node, "width", None)?,
            height: self.number(node, "height", None)?,
            tiles,
        })
    }
}

fn value(property: Node<'_, '_>) -> Property {
    // Texts of several lines stand inside the element.
    let text = property
        .attribute("value")
        .or_else(|| property.text())
        .unwrap_or_default();
    match property.attribute("type") {
        Some("int" | "float") => text
            .parse()
            .map_or_else(|_| Property::Other(text.to_owned()), Property::Number),
        None | Some("string") => Property::Text(text.to_owned()),
        Some(_) => Property::Other(text.to_owned()),
    }
}
