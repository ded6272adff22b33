//! Several tile layers as one rectangle of values.

use super::model::{Block, RawLayer, RawMap};
use super::options::{LayerRule, TileDefault, TiledOptions};
use super::unpack::{check_room, unpack};
use super::values::Values;
use crate::error::{ReadReason, quoted};
use thalweg_core::grid::{Cell, Grid};

/// Infinite maps up to this many cells may be as sparse as they like.
const FREE_CELLS: u64 = 1 << 24;
/// Larger ones must have a tile stated for one cell in so many: two chunks at the ends of the world make no map.
const MAX_SPARSENESS: u64 = 64;

/// State of a cell on which no layer has a tile.
const EMPTY: u16 = 256;
/// State of a cell whose tiles do not have the property.
const BARE: u16 = 257;

/// A layer that cannot be used, by its place among the layers of the map, and why.
pub(super) struct Fault {
    pub(super) layer: Option<usize>,
    pub(super) reason: ReadReason,
}

impl Fault {
    fn map(what: impl Into<String>) -> Self {
        let reason = ReadReason::Tiled(what.into());
        Self { layer: None, reason }
    }

    fn layer(index: usize, layer: &RawLayer, what: &str) -> Self {
        Self {
            layer: Some(index),
            reason: ReadReason::Tiled(format!("layer {} {what}", quoted(&layer.name))),
        }
    }
}

/// All layers as one.
pub(super) struct Flat {
    pub(super) grid: Grid,
    /// Row by row; `None` is unknown.
    pub(super) cells: Vec<Option<u8>>,
    /// Which layers of the map were read.
    pub(super) layers: Vec<usize>,
}

/// Merges the layers that the options choose.
pub(super) fn merge(map: &RawMap, values: &Values, options: &TiledOptions) -> Result<Flat, Fault> {
    let chosen = choose(map, options)?;
    for &index in &chosen {
        let layer = &map.layers[index];
        if layer.shifted {
            return Err(Fault::layer(
                index,
                layer,
                "is drawn beside its cells by an offset in pixels",
            ));
        }
        for block in &layer.blocks {
            let is_whole = (block.x, block.y) == (0, 0) && [block.width, block.height] == map.size;
            if !map.infinite && !is_whole {
                let what = format!(
                    "is {} x {} tiles, but the map {} x {}",
                    block.width, block.height, map.size[0], map.size[1]
                );
                return Err(Fault::layer(index, layer, &what));
            }
            check_room(block, &layer.packing).map_err(|what| Fault::layer(index, layer, &what))?;
        }
    }
    let grid = grid(map, &chosen)?;
    let mut states = vec![EMPTY; grid.len()];
    for &index in &chosen {
        let layer = &map.layers[index];
        for block in &layer.blocks {
            let fault = |what: String| Fault::layer(index, layer, &what);
            let numbers = unpack(block, &layer.packing).map_err(fault)?;
            paint(&mut states, &grid, block, &numbers, values, options.rule).map_err(fault)?;
        }
    }
    let cells = finish(&grid, &states, options)?;
    let layers = chosen;
    Ok(Flat { grid, cells, layers })
}

/// The layers that are read, from the lowest drawn to the highest.
fn choose(map: &RawMap, options: &TiledOptions) -> Result<Vec<usize>, Fault> {
    let missing = options
        .layers
        .iter()
        .find(|name| map.layers.iter().all(|layer| &layer.name != *name));
    if let Some(name) = missing {
        let known: Vec<String> = map
            .layers
            .iter()
            .take(8)
            .map(|layer| quoted(&layer.name))
            .collect();
        return Err(Fault::map(format!(
            "there is no tile layer {}; there is {}",
            quoted(name),
            if known.is_empty() {
                String::from("none")
            } else {
                known.join(", ")
            }
        )));
    }
    let is_chosen = |layer: &RawLayer| {
        if options.layers.is_empty() {
            layer.visible
        } else {
            options.layers.contains(&layer.name)
        }
    };
    let layers = map.layers.iter().enumerate();
    let chosen: Vec<usize> = layers
        .filter(|(_, layer)| is_chosen(layer))
        .map(|(index, _)| index)
        .collect();
    if chosen.is_empty() {
        return Err(Fault::map("the map has no tile layer that is not hidden"));
    }
    Ok(chosen)
}

/// The rectangle of the map: what it states, or what the chunks of an infinite map cover.
fn grid(map: &RawMap, chosen: &[usize]) -> Result<Grid, Fault> {
    let from_grid = |error| Fault {
        layer: None,
        reason: ReadReason::Grid(error),
    };
    if !map.infinite {
        return Grid::new(map.size[0], map.size[1]).map_err(from_grid);
    }
    let blocks = || chosen.iter().flat_map(|&index| &map.layers[index].blocks);
    let end = |begin: i32, side: u32| i64::from(begin) + i64::from(side);
    let (Some(left), Some(top), Some(right), Some(bottom)) = (
        blocks().map(|block| block.x).min(),
        blocks().map(|block| block.y).min(),
        blocks().map(|block| end(block.x, block.width)).max(),
        blocks().map(|block| end(block.y, block.height)).max(),
    ) else {
        return Err(Fault::map("the map is infinite and has no chunk of tiles"));
    };
    // A side beyond 32 bits is beyond any grid, so the nearest side that the grid refuses will do for the message.
    let side = |begin: i32, end: i64| u32::try_from(end - i64::from(begin)).unwrap_or(u32::MAX);
    let (width, height) = (side(left, right), side(top, bottom));
    let grid = Grid::with_first_cell(width, height, Cell::new(left, top)).map_err(from_grid)?;
    let stated = blocks()
        .map(|block| u64::from(block.width) * u64::from(block.height))
        .fold(0, u64::saturating_add);
    if grid.len() as u64 > FREE_CELLS.max(stated.saturating_mul(MAX_SPARSENESS)) {
        return Err(Fault::map(format!(
            "the chunks of the map cover {stated} of {width} x {height} cells, which is too little to make one map"
        )));
    }
    Ok(grid)
}

/// Lays a block over what lower layers say.
fn paint(
    states: &mut [u16],
    grid: &Grid,
    block: &Block,
    numbers: &[u32],
    values: &Values,
    rule: LayerRule,
) -> Result<(), String> {
    let mut numbers = numbers.iter();
    // Most neighbours are alike, and looking a tile up takes two searches.
    let mut last = (0, None);
    for row in 0..block.height {
        for (column, &number) in (0..block.width).zip(numbers.by_ref()) {
            if number == 0 {
                continue;
            }
            if number != last.0 {
                last = (number, values.value(number)?);
            }
            // The grid covers every block, so each cell has an id.
            let cell = Cell::new(
                block.x.wrapping_add_unsigned(column),
                block.y.wrapping_add_unsigned(row),
            );
            let Some(id) = grid.id(cell) else { continue };
            let state = &mut states[id.index()];
            *state = match (last.1, rule) {
                (Some(value), LayerRule::Largest) if *state < EMPTY => (*state).max(value.into()),
                (Some(value), _) => value.into(),
                (None, _) if *state == EMPTY => BARE,
                (None, _) => *state,
            };
        }
    }
    Ok(())
}

fn finish(grid: &Grid, states: &[u16], options: &TiledOptions) -> Result<Vec<Option<u8>>, Fault> {
    let value = |default, cell: Cell, what: &str| match default {
        TileDefault::Value(value) => Ok(Some(value)),
        TileDefault::Unknown => Ok(None),
        TileDefault::Refuse => Err(Fault::map(format!("cell {cell} has {what}"))),
    };
    let cells = grid.ids().zip(states);
    cells
        .map(|(id, &state)| match state {
            EMPTY => value(options.empty, grid.cell(id), "no tile on any layer"),
            BARE => {
                let what = format!("tiles, but none with the property {}", quoted(&options.property));
                value(options.without_property, grid.cell(id), &what)
            }
            value => Ok(u8::try_from(value).ok()),
        })
        .collect()
}
