//! Crowding as a cost: an explicit policy, because it changes what cost-to-goal means.
//!
//! Without it D is the price of steps on the ground. With it D is **steps plus the price of crowding**, as it was counted
//! last: cells on which many agents stand cost more, so those behind may find another way cheaper. D then changes while
//! people walk, lags behind them by up to an interval, and is no longer a property of the map; ways by it are not the
//! fastest ones, only better ones than into the crush.
//!
//! [`Congestion::update`] counts the agents in every cell, smooths the counts by a tent of stated width, and lays what
//! comes out as additions over the map ([`LivingMap::put`]): small stamps of 16 × 16 cells, of which only those are made
//! anew in which something changed. Everything that follows fields (a [navigator](crate::navigator)) then repairs them.
//!
//! So that fields are not repaired for nothing, prices are whole multiples of a quantum, a price changes only when what is
//! counted is clearly nearer to another one (hysteresis), and no more than a stated number of cells change in one update:
//! those farthest from their price first, the others when it is their turn.
//!
//! Counts are whole numbers and the rest is one multiplication and a comparison, so the same crowd gives the same prices on
//! every machine.
//!
//! Rejected: agents per cell without smoothing (at two agents in a square metre and half-metre cells every other cell is
//! empty, and fields would chase single people); a price on every field by itself (then the crowd of one group would not be
//! in the way of another); and prices read by agents at their next step (that is avoidance, which they have).

use crate::living_map::{LivingMap, LivingMapError};
use std::collections::{BTreeMap, BTreeSet};
use thalweg_core::cost::{ImageEffect, Stamp, StampId, StampImage};
use thalweg_core::grid::{Cell, CellId, Grid};
use thalweg_crowd::Crowd;
use thiserror::Error;

/// The side of a stamp in cells: that of the tiles by which a map finds its stamps.
const TILE: u32 = 16;
/// The widest tent.
const MAX_RADIUS: u8 = 8;

/// How crowding becomes a cost. Start from [`CongestionOptions::new`] and change fields; [`Congestion::new`] checks them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CongestionOptions {
    /// The density from which crowding costs, in agents per square world unit; 0 or more, default 0.5.
    pub threshold: f64,
    /// What one agent per square world unit above it adds to the cost of a cell; above 0, default 2.
    pub price: f64,
    /// The most that is added; 1 to 254, default 20.
    pub most: u8,
    /// How far an agent counts, in cells: a tent whose weight falls from its own cell to nothing at this distance and one
    /// more along each axis; 0 (its own cell only) to 8, default 1. The tent knows no walls: from two on it reaches through
    /// those one cell thick.
    pub radius: u8,
    /// Prices are multiples of it; at least 1 and at most `most`, default 1.
    pub quantum: u8,
    /// How much beyond the middle between two prices what is counted must be before the price changes, in quanta; 0 to 0.5,
    /// default 0.25.
    pub hysteresis: f64,
    /// The most cells of which the price changes in one update; at least 1, default 4096.
    pub cells_per_update: u32,
}

impl Default for CongestionOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// Why crowding cannot become a cost in this way.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum CongestionError {
    /// An option is out of its range.
    #[error("{name} is {got}, outside {least} to {most}")]
    Option {
        /// Name of the option.
        name: &'static str,
        /// The value given.
        got: f64,
        /// The least allowed.
        least: f64,
        /// The most allowed.
        most: f64,
    },
    /// A size of a cell that is no length.
    #[error("cell size {0} is not a positive finite number of world units")]
    CellSize(f64),
}

impl CongestionOptions {
    /// The default options.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            threshold: 0.5,
            price: 2.0,
            most: 20,
            radius: 1,
            quantum: 1,
            hysteresis: 0.25,
            cells_per_update: 4096,
        }
    }

    /// Whether every option is in its range.
    ///
    /// # Errors
    /// [`CongestionError::Option`] naming the first that is not.
    pub fn check(&self) -> Result<(), CongestionError> {
        let most = f64::from(self.most);
        let ranges = [
            ("threshold", self.threshold, 0.0, 1e6),
            ("price", self.price, 1e-6, 1e6),
            ("most", most, 1.0, 254.0),
            ("radius_cells", f64::from(self.radius), 0.0, f64::from(MAX_RADIUS)),
            ("quantum", f64::from(self.quantum), 1.0, most),
            ("hysteresis", self.hysteresis, 0.0, 0.5),
            (
                "cells_per_update",
                f64::from(self.cells_per_update),
                1.0,
                f64::from(u32::MAX),
            ),
        ];
        for (name, got, least, most) in ranges {
            // Written so that NaN is refused too.
            if !(got >= least && got <= most) {
                return Err(CongestionError::Option {
                    name,
                    got,
                    least,
                    most,
                });
            }
        }
        Ok(())
    }
}

/// What an update did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct CongestionReport {
    /// Cells whose price changed.
    pub changed: usize,
    /// Cells whose price should have changed, but had to wait for another update.
    pub put_off: usize,
    /// Cells that have a price now.
    pub priced: usize,
}

/// The price of crowding on a map.
#[derive(Clone, Debug)]
pub struct Congestion {
    options: CongestionOptions,
    grid: Grid,
    /// What one agent on a cell, and nobody near, adds to the cost at the height of the tent, by its weight there.
    price_of_weight: f64,
    /// What the threshold takes off.
    free: f64,
    /// The price of every cell that has one.
    prices: BTreeMap<CellId, u8>,
    /// The stamps that lie on the map, by tile: layer, row and column of tiles.
    stamps: BTreeMap<(u16, u32, u32), StampId>,
    /// Weights by cell; all 0 between updates.
    weights: Vec<u32>,
}

impl Congestion {
    /// No prices yet, for maps of this grid. `cell_size` in world units.
    ///
    /// # Errors
    /// [`CongestionError`].
    pub fn new(grid: Grid, cell_size: f64, options: CongestionOptions) -> Result<Self, CongestionError> {
        options.check()?;
        if !(cell_size.is_finite() && cell_size > 0.0) {
            return Err(CongestionError::CellSize(cell_size));
        }
        let side = f64::from(options.radius) + 1.0;
        let total = side * side * side * side;
        Ok(Self {
            price_of_weight: options.price / (total * cell_size * cell_size),
            free: options.price * options.threshold,
            prices: BTreeMap::new(),
            stamps: BTreeMap::new(),
            weights: vec![0; grid.len()],
            grid,
            options,
        })
    }

    /// The options.
    #[must_use]
    pub const fn options(&self) -> &CongestionOptions {
        &self.options
    }

    /// What crowding adds to the cost of a cell now.
    #[must_use]
    pub fn price(&self, cell: CellId) -> u8 {
        self.prices.get(&cell).copied().unwrap_or(0)
    }

    /// Counts a crowd and brings the prices on the map up to date. The map must be the same one every time.
    ///
    /// # Errors
    /// [`LivingMapError`] if the map is another one.
    pub fn update(&mut self, crowd: &Crowd, map: &mut LivingMap) -> Result<CongestionReport, LivingMapError> {
        let cells = self.weigh(crowd);
        let mut changes = Vec::new();
        for &cell in cells.iter().chain(
            self.prices
                .keys()
                .filter(|cell| cells.binary_search(cell).is_err()),
        ) {
            let counted = f64::from(self.weights[cell.index()]) * self.price_of_weight - self.free;
            let (old, off) = (self.price(cell), counted.clamp(0.0, f64::from(self.options.most)));
            let new = self.settled(old, off);
            if new != old {
                let distance = off - f64::from(old);
                changes.push((distance * distance, cell, new));
            }
        }
        for cell in cells {
            self.weights[cell.index()] = 0;
        }
        // Those farthest from their price first; ties in the order of the cells.
        changes.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let taken = changes.len().min(self.options.cells_per_update as usize);
        let mut tiles = BTreeSet::new();
        for &(_, cell, price) in &changes[..taken] {
            tiles.insert(self.tile_of(cell));
            if price == 0 {
                self.prices.remove(&cell);
            } else {
                self.prices.insert(cell, price);
            }
        }
        for tile in tiles {
            self.lay(tile, map)?;
        }
        Ok(CongestionReport {
            changed: taken,
            put_off: changes.len() - taken,
            priced: self.prices.len(),
        })
    }

    /// Takes every price away.
    ///
    /// # Errors
    /// [`LivingMapError`] if the map is another one.
    pub fn clear(&mut self, map: &mut LivingMap) -> Result<(), LivingMapError> {
        self.prices.clear();
        while let Some((_, stamp)) = self.stamps.pop_first() {
            map.take(stamp)?;
        }
        Ok(())
    }

    /// The price a cell gets that has `old` and is counted as `off`.
    fn settled(&self, old: u8, off: f64) -> u8 {
        let quantum = f64::from(self.options.quantum);
        let distance = off - f64::from(old);
        let least = (0.5 + self.options.hysteresis) * quantum;
        if distance < least && distance > -least {
            return old;
        }
        let steps = (off / quantum + 0.5).floor();
        let price = (steps * quantum).min(f64::from(self.options.most));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped to 0..=254"
        )]
        let price = price as u8;
        price
    }

    /// Spreads every agent over the cells around it. Returns the cells that have a weight, in order.
    fn weigh(&mut self, crowd: &Crowd) -> Vec<CellId> {
        let mut touched = Vec::new();
        let radius = i64::from(self.options.radius);
        for (_, agent) in crowd.agents() {
            let Some(layer) = self.grid.layer(agent.position.layer) else {
                continue;
            };
            let (column, row) = agent.position.column_row();
            for dy in -radius..=radius {
                for dx in -radius..=radius {
                    let place = |at: i32, by: i64| u32::try_from(i64::from(at) + by).ok();
                    let (Some(x), Some(y)) = (place(column, dx), place(row, dy)) else {
                        continue;
                    };
                    let Some(cell) = layer.id_at(x, y) else { continue };
                    let weight = (radius + 1 - dx.abs()) * (radius + 1 - dy.abs());
                    let sum = &mut self.weights[cell.index()];
                    if *sum == 0 {
                        touched.push(cell);
                    }
                    *sum = sum.saturating_add(u32::try_from(weight).unwrap_or(0));
                }
            }
        }
        touched.sort_unstable();
        touched
    }

    fn tile_of(&self, cell: CellId) -> (u16, u32, u32) {
        let (column, row) = self.grid.column_row_of(cell);
        (self.grid.layer_of(cell).index(), row / TILE, column / TILE)
    }

    /// Lays the stamp of a tile anew.
    fn lay(&mut self, tile: (u16, u32, u32), map: &mut LivingMap) -> Result<(), LivingMapError> {
        let (layer_index, tile_row, tile_column) = tile;
        if let Some(old) = self.stamps.remove(&tile) {
            map.take(old)?;
        }
        let Some(layer) = self.grid.layer(layer_index) else {
            return Ok(());
        };
        let (first_column, first_row) = (tile_column * TILE, tile_row * TILE);
        let width = TILE.min(layer.width() - first_column);
        let height = TILE.min(layer.height() - first_row);
        let mut bytes = Vec::with_capacity((width * height) as usize);
        for row in first_row..first_row + height {
            for column in first_column..first_column + width {
                let price = layer.id_at(column, row).map_or(0, |cell| self.price(cell));
                bytes.push(price);
            }
        }
        if bytes.iter().all(|&price| price == 0) {
            return Ok(());
        }
        let mask = bytes.iter().map(|&price| price > 0).collect();
        let image = StampImage::new(width, height, bytes, Some(mask))?;
        let first = layer.first_cell();
        let offset = |start: i32, by: u32| start.saturating_add_unsigned(by);
        let corner = Cell::on(
            layer_index,
            offset(first.x, first_column),
            offset(first.y, first_row),
        );
        let stamp = Stamp::image(corner, image, ImageEffect::Add)?;
        self.stamps.insert(tile, map.put(stamp)?);
        Ok(())
    }
}
