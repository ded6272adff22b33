//! Stamps: shapes that lie over costs, and what they do to them.

use super::raster::{Raster, disc_rows, polygon_crossings};
use super::{Cost, MAX_COST};
use crate::grid::{Cell, Grid, LayerIndex, MAX_POINT_SIDE, MapPoint, SUBCELLS};
use thiserror::Error;

/// Why a stamp cannot be made, laid down or taken away.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum OverlayError {
    /// The stamp was taken away before, or never laid down here.
    #[error("stamp {slot} of generation {generation} does not lie on this map (taken away before?)")]
    NotLive {
        /// Its place in the list of stamps.
        slot: u32,
        /// Which stamp at that place.
        generation: u32,
    },
    /// No more stamps can be told apart.
    #[error("no more than {} stamps can lie on a map at once", u32::MAX)]
    Full,
    /// It is for a layer that the map does not have.
    #[error("the stamp is for layer {layer}, but the map has {layers} layer(s), counted from 0")]
    Layer {
        /// The layer.
        layer: LayerIndex,
        /// Layers of the map.
        layers: usize,
    },
    /// The corners of a rectangle are on two layers.
    #[error("the corners {a} and {b} of the stamp are on different layers; a rectangle lies on one")]
    Layers {
        /// One corner.
        a: Cell,
        /// The other.
        b: Cell,
    },
    /// A polygon without a ring.
    #[error("a polygon needs at least one ring")]
    NoRings,
    /// A ring with a vertex on another layer than the first vertex of the polygon.
    #[error("ring {ring} of the polygon leaves layer {layer}, on which it begins; a polygon lies on one")]
    RingLayers {
        /// Position of the ring, from 0.
        ring: usize,
        /// The layer of the polygon's first vertex.
        layer: LayerIndex,
    },
    /// A ring that encloses nothing.
    #[error("ring {ring} of the polygon has {vertices} vertices, but a ring needs at least 3")]
    FewVertices {
        /// Position of the ring, from 0.
        ring: usize,
        /// Its vertices.
        vertices: usize,
    },
    /// A radius that is no length, or longer than any map.
    #[error("disc radius {0} is not a number of cells from 0 to {MAX_POINT_SIDE}")]
    Radius(f64),
    /// An image whose rows, bytes and mask do not agree.
    #[error("{got} {what} were given for an image of {width} x {height}, which needs {}", u64::from(*width) * u64::from(*height))]
    ImageSize {
        /// What was counted.
        what: &'static str,
        /// Cells in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// How many were given.
        got: usize,
    },
    /// An addition that reads like a wall.
    #[error(
        "a stamp that adds 255 would read like a wall, which additions never make; add at most {MAX_COST}, or block"
    )]
    Add,
    /// The same inside an image.
    #[error(
        "column {column}, row {row} of the image adds 255, which reads like a wall; add at most {MAX_COST}, or block"
    )]
    ImageAdd {
        /// Column of the image, from 0.
        column: u32,
        /// Row of the image, from 0.
        row: u32,
    },
}

/// What a stamp does to the cells it covers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StampEffect {
    /// Makes them impassable, whatever else lies there.
    Block,
    /// Adds 0 to 254 to their cost, which stays at most 254: adding never makes a wall.
    Add(u8),
    /// Gives them this cost, walls and unknown ground included.
    Set(Cost),
}

/// What an image stamp does to the cells under its mask.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ImageEffect {
    /// [`StampEffect::Block`]; the bytes say nothing.
    Block,
    /// [`StampEffect::Add`] of each cell's byte.
    Add,
    /// [`StampEffect::Set`] to each cell's byte; 255 is impassable.
    Set,
}

/// A byte per cell of a small rectangle, with a mask of the cells that count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StampImage {
    width: u32,
    height: u32,
    bytes: Vec<u8>,
    mask: Vec<bool>,
}

impl StampImage {
    /// An image, row by row. Without a mask every cell counts.
    ///
    /// # Errors
    /// [`OverlayError::ImageSize`] unless there is one byte, and one mask entry, per cell.
    pub fn new(
        width: u32,
        height: u32,
        bytes: Vec<u8>,
        mask: Option<Vec<bool>>,
    ) -> Result<Self, OverlayError> {
        let mask = mask.unwrap_or_else(|| vec![true; bytes.len()]);
        for (what, got) in [("bytes", bytes.len()), ("mask entries", mask.len())] {
            if u64::from(width) * u64::from(height) != got as u64 {
                return Err(OverlayError::ImageSize {
                    what,
                    width,
                    height,
                    got,
                });
            }
        }
        Ok(Self {
            width,
            height,
            bytes,
            mask,
        })
    }

    /// Cells in a row.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    fn row(&self, row: usize) -> core::ops::Range<usize> {
        let width = self.width as usize;
        row * width..(row + 1) * width
    }
}

#[derive(Clone, PartialEq, Debug)]
enum Shape {
    Rect { a: Cell, b: Cell },
    Disc { centre: MapPoint, radius: u32 },
    Polygon { rings: Vec<Vec<MapPoint>> },
    Image { first: Cell, image: StampImage },
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Effect {
    Uniform(StampEffect),
    Image(ImageEffect),
}

/// A shape and what it does to the costs under it; lies nowhere until [`Overlays::put`](super::Overlays::put).
///
/// A shape may reach beyond the map or lie off it: what is outside does nothing. Discs and polygons cover the cells
/// whose *centre* they hold, so that shapes that share a border share no cell; a shape thinner than a cell may hold no
/// centre and cover nothing ([`Overlays::cells`](super::Overlays::cells) tells).
#[derive(Clone, PartialEq, Debug)]
pub struct Stamp {
    shape: Shape,
    effect: Effect,
}

impl Stamp {
    /// A rectangle of cells. Both corners are included and may come in any order.
    ///
    /// # Errors
    /// [`OverlayError::Add`]; [`OverlayError::Layers`].
    pub fn rect(a: Cell, b: Cell, effect: StampEffect) -> Result<Self, OverlayError> {
        if a.layer != b.layer {
            return Err(OverlayError::Layers { a, b });
        }
        Self::uniform(Shape::Rect { a, b }, effect)
    }

    /// A disc: the cells whose centre is at most `radius` cells from `centre`, both ends included.
    ///
    /// The radius is rounded down to 1/65,536 of a cell; the comparison is exact.
    ///
    /// # Errors
    /// [`OverlayError::Radius`] unless the radius is a number from 0 to 32,767; [`OverlayError::Add`].
    pub fn disc(centre: MapPoint, radius: f64, effect: StampEffect) -> Result<Self, OverlayError> {
        if !(radius >= 0.0 && radius <= f64::from(MAX_POINT_SIDE)) {
            return Err(OverlayError::Radius(radius));
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "0 to 32,767 cells of 65,536 subcells fit 31 bits; the cast rounds down"
        )]
        let radius = (radius * f64::from(SUBCELLS)) as u32;
        Self::uniform(Shape::Disc { centre, radius }, effect)
    }

    /// A polygon of one or more rings, each closed by itself: the cells whose centre is inside an odd number of them
    /// (even-odd rule), so that holes are rings inside rings, in any sense of rotation.
    ///
    /// A centre exactly on the border counts as inside where the inside is east or south of it, which makes borders
    /// half-open like cells: polygons that share a border cover each cell exactly once. All in whole numbers.
    /// Rejected: the winding rule, which needs rings of the right sense, and files disagree about which that is.
    ///
    /// # Errors
    /// [`OverlayError::NoRings`], [`OverlayError::FewVertices`], [`OverlayError::RingLayers`] or [`OverlayError::Add`].
    pub fn polygon(rings: Vec<Vec<MapPoint>>, effect: StampEffect) -> Result<Self, OverlayError> {
        if rings.is_empty() {
            return Err(OverlayError::NoRings);
        }
        if let Some(ring) = rings.iter().position(|ring| ring.len() < 3) {
            return Err(OverlayError::FewVertices {
                ring,
                vertices: rings[ring].len(),
            });
        }
        let layer = rings[0][0].layer;
        let stray = rings
            .iter()
            .position(|ring| ring.iter().any(|vertex| vertex.layer != layer));
        if let Some(ring) = stray {
            return Err(OverlayError::RingLayers { ring, layer });
        }
        Self::uniform(Shape::Polygon { rings }, effect)
    }

    /// An image whose north-west cell lies on `first`.
    ///
    /// # Errors
    /// [`OverlayError::ImageAdd`] if a cell under the mask adds 255.
    pub fn image(first: Cell, image: StampImage, effect: ImageEffect) -> Result<Self, OverlayError> {
        if effect == ImageEffect::Add {
            let pixels = (0..image.height).flat_map(|row| (0..image.width).map(move |column| (column, row)));
            let mut cells = pixels.zip(image.bytes.iter().zip(&image.mask));
            if let Some(((column, row), _)) = cells.find(|&(_, (&byte, &counts))| counts && byte > MAX_COST) {
                return Err(OverlayError::ImageAdd { column, row });
            }
        }
        Ok(Self {
            shape: Shape::Image { first, image },
            effect: Effect::Image(effect),
        })
    }

    fn uniform(shape: Shape, effect: StampEffect) -> Result<Self, OverlayError> {
        if let StampEffect::Add(255) = effect {
            return Err(OverlayError::Add);
        }
        Ok(Self {
            shape,
            effect: Effect::Uniform(effect),
        })
    }

    /// The cells of the grid that the stamp covers.
    pub(super) fn raster(&self, grid: &Grid) -> Result<Raster, OverlayError> {
        let index = self.layer();
        let Some(layer) = grid.layer(index) else {
            return Err(OverlayError::Layer {
                layer: index,
                layers: grid.layers().len(),
            });
        };
        let relative = |cell: Cell| {
            let first = layer.first_cell();
            let column = i64::from(cell.x) - i64::from(first.x);
            (column, i64::from(cell.y) - i64::from(first.y))
        };
        Ok(match &self.shape {
            &Shape::Rect { a, b } => {
                let ((ax, ay), (bx, by)) = (relative(a), relative(b));
                Raster::new(layer, ay.min(by)..ay.max(by) + 1, |_, spans| {
                    spans.push((ax.min(bx), ax.max(bx) + 1));
                })
            }
            &Shape::Disc { centre, radius } => {
                let (rows, span) = disc_rows(centre, radius);
                Raster::new(layer, rows, |row, spans| spans.extend(span(row)))
            }
            Shape::Polygon { rings } => {
                let crossings = polygon_crossings(layer, rings);
                let rows = crossings.first().map_or(0, |first| first.0)
                    ..crossings.last().map_or(0, |last| last.0 + 1);
                Raster::new(layer, rows, |row, spans| {
                    let start = crossings.partition_point(|crossing| crossing.0 < row);
                    let end = crossings.partition_point(|crossing| crossing.0 <= row);
                    // Every ring crosses a row an even number of times, so they pair up.
                    for pair in crossings[start..end].chunks_exact(2) {
                        spans.push((pair[0].1, pair[1].1));
                    }
                })
            }
            Shape::Image { first, image } => {
                let (left, top) = relative(*first);
                Raster::new(layer, top..top + i64::from(image.height), |row, spans| {
                    let mask = usize::try_from(row - top).map_or(&[][..], |row| &image.mask[image.row(row)]);
                    spans.extend(
                        (left..)
                            .zip(mask)
                            .filter(|(_, counts)| **counts)
                            .map(|(x, _)| (x, x + 1)),
                    );
                })
            }
        })
    }

    /// The layer it lies on.
    fn layer(&self) -> LayerIndex {
        match &self.shape {
            Shape::Rect { a: cell, .. } | Shape::Image { first: cell, .. } => cell.layer,
            Shape::Disc { centre, .. } => centre.layer,
            // A polygon has a vertex.
            Shape::Polygon { rings } => rings.iter().flatten().next().map_or(0, |vertex| vertex.layer),
        }
    }

    /// What the stamp does to a cell it covers.
    pub(super) fn effect_at(&self, grid: &Grid, column: u32, row: u32) -> StampEffect {
        let effect = match self.effect {
            Effect::Uniform(effect) => return effect,
            Effect::Image(effect) => effect,
        };
        let layer = grid.layer(self.layer());
        let byte = match (&self.shape, layer) {
            (Shape::Image { first, image }, Some(layer)) => {
                let origin = layer.first_cell();
                let x = i64::from(column) + i64::from(origin.x) - i64::from(first.x);
                let y = i64::from(row) + i64::from(origin.y) - i64::from(first.y);
                let index = usize::try_from(y * i64::from(image.width) + x).ok();
                index.and_then(|index| image.bytes.get(index)).copied()
            }
            _ => None,
        };
        match (effect, byte) {
            // A covered cell always has a byte; nothing is added otherwise.
            (_, None) => StampEffect::Add(0),
            (ImageEffect::Block, _) => StampEffect::Block,
            (ImageEffect::Add, Some(byte)) => StampEffect::Add(byte),
            (ImageEffect::Set, Some(byte)) => StampEffect::Set(Cost::from_byte(byte)),
        }
    }
}
