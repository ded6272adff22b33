//! The body of an agent: a point, a rectangle of cells, or a disc.
//!
//! A body is named by the cell of its **anchor**, and an anchor stands for the body at rest in the middle of things: a
//! disc with its centre on the centre of the cell, a rectangle exactly on the cells it covers. Which cells those are is
//! told here in whole numbers and nowhere else; what follows for costs and steps is in `stencil.rs` and `body.rs`.

use crate::grid::SUBCELLS;
use core::fmt;
use core::str::FromStr;
use thiserror::Error;

/// The longest side of a rectangle, in cells.
pub const MAX_BODY_SIDE: u32 = 64;

/// The largest radius of a disc, in cells.
pub const MAX_BODY_RADIUS: u32 = 64;

/// Why a footprint cannot be made.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FootprintError {
    /// A side of a rectangle is 0 or too long.
    #[error("a body of {width} x {height} cells is not usable: each side must be 1 to {MAX_BODY_SIDE} cells")]
    Side {
        /// Cells from west to east.
        width: u32,
        /// Cells from north to south.
        height: u32,
    },
    /// A radius that is NaN, infinite, 0 or negative.
    #[error("the radius of a body must be a finite number above 0, but {radius} was given")]
    Radius {
        /// The radius, in the caller's unit.
        radius: f64,
    },
    /// A radius of too many cells.
    #[error("a body of radius {cells} cells is above the limit of {MAX_BODY_RADIUS} cells")]
    RadiusTooLarge {
        /// The radius, in cells.
        cells: f64,
    },
    /// A cell size that is NaN, infinite, 0 or negative.
    #[error("the cell size must be a finite number above 0, but {cell_size} was given")]
    CellSize {
        /// The cell size, in world units.
        cell_size: f64,
    },
    /// A text that names no footprint.
    #[error(
        "`{got}` is no footprint; it must be point, square:N, rectangle:WxH or disc:R, with whole numbers of cells for N, W and H and a radius in cells for R"
    )]
    Word {
        /// The text.
        got: String,
    },
}

/// The room a body takes. Two agents may share a field only if their footprints are equal.
///
/// **Costs.** A body pays for the dearest cell it covers, and may not be where it covers an impassable or unknown cell or
/// reaches over the border of the map. **Touching** a wall is allowed: what counts is the open square of the cell and the
/// open body.
///
/// **Diagonals.** A body with extent sweeps over the cells at the sides of a diagonal, so it needs both of its side
/// anchors free whatever the corner rule says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Footprint {
    /// No extent: only the cell it is on counts.
    #[default]
    Point,
    /// Whole cells; the anchor is the north-west one.
    Rectangle(RectangleBody),
    /// A disc around the centre of the anchor's cell.
    Disc(DiscBody),
}

/// A rectangle of cells with checked sides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RectangleBody {
    width: u32,
    height: u32,
}

impl RectangleBody {
    /// Cells from west to east, 1 to [`MAX_BODY_SIDE`].
    #[must_use]
    pub const fn width(self) -> u32 {
        self.width
    }

    /// Cells from north to south, 1 to [`MAX_BODY_SIDE`].
    #[must_use]
    pub const fn height(self) -> u32 {
        self.height
    }
}

/// A disc with a checked radius.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DiscBody {
    subcells: u32,
}

impl DiscBody {
    /// The radius in subcells (1/65,536 of a cell), 1 to 64 cells.
    #[must_use]
    pub const fn radius_subcells(self) -> u32 {
        self.subcells
    }

    /// The radius in cells; exact.
    #[must_use]
    pub fn radius_cells(self) -> f64 {
        f64::from(self.subcells) / f64::from(SUBCELLS)
    }
}

impl Footprint {
    /// A square of `side` × `side` cells.
    ///
    /// # Errors
    /// [`FootprintError::Side`] unless the side is 1 to [`MAX_BODY_SIDE`].
    pub const fn square(side: u32) -> Result<Self, FootprintError> {
        Self::rectangle(side, side)
    }

    /// A rectangle of `width` × `height` cells. 1 × 1 covers what a point covers, but keeps off corners like every body.
    ///
    /// # Errors
    /// [`FootprintError::Side`] unless both sides are 1 to [`MAX_BODY_SIDE`].
    pub const fn rectangle(width: u32, height: u32) -> Result<Self, FootprintError> {
        if width == 0 || height == 0 || width > MAX_BODY_SIDE || height > MAX_BODY_SIDE {
            return Err(FootprintError::Side { width, height });
        }
        Ok(Self::Rectangle(RectangleBody { width, height }))
    }

    /// A disc of a radius in world units on a map whose cells are `cell_size` world units wide.
    ///
    /// It is kept in subcells, rounded to the nearest and at least one. Rejected: rounding up, so that no body is ever
    /// smaller than asked for; 0.9 world units of cells of 0.3 would come out a subcell wider than three cells and no
    /// longer fit a corridor of six.
    ///
    /// # Errors
    /// [`FootprintError::Radius`] and [`FootprintError::CellSize`] for NaN, infinite, 0 and negative values,
    /// [`FootprintError::RadiusTooLarge`] above [`MAX_BODY_RADIUS`] cells.
    pub fn disc(radius_world: f64, cell_size: f64) -> Result<Self, FootprintError> {
        if !(radius_world.is_finite() && radius_world > 0.0) {
            return Err(FootprintError::Radius { radius: radius_world });
        }
        if !(cell_size.is_finite() && cell_size > 0.0) {
            return Err(FootprintError::CellSize { cell_size });
        }
        let cells = radius_world / cell_size;
        let subcells = (cells * f64::from(SUBCELLS)).round().max(1.0);
        if subcells > f64::from(MAX_BODY_RADIUS) * f64::from(SUBCELLS) {
            return Err(FootprintError::RadiusTooLarge { cells });
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "just checked to be 1 to 2^22"
        )]
        let subcells = subcells as u32;
        Ok(Self::Disc(DiscBody { subcells }))
    }

    /// How far a body may reach from the centre of its anchor's cell along an axis, in cells, rounded up.
    pub(crate) const fn reach_cells(&self) -> u32 {
        match self {
            Self::Point => 0,
            Self::Disc(body) => body.radius_subcells() / SUBCELLS.unsigned_abs() + 1,
            Self::Rectangle(body) => {
                if body.width() > body.height() {
                    body.width()
                } else {
                    body.height()
                }
            }
        }
    }

    /// Whether the body has no extent.
    #[inline]
    #[must_use]
    pub const fn is_point(&self) -> bool {
        matches!(self, Self::Point)
    }

    /// Whether a body at rest on its anchor covers the cell `dx` columns east and `dy` rows south of it.
    ///
    /// A disc covers the cells whose open square is nearer to its centre than the radius. With all lengths doubled, the
    /// square of the cell at `(dx, dy)` is `max(2|dx| - 1, 0)` and `max(2|dy| - 1, 0)` half cells away along the axes, so
    /// the comparison is one of whole numbers.
    #[must_use]
    pub const fn covers(&self, dx: i32, dy: i32) -> bool {
        match self {
            Self::Point => dx == 0 && dy == 0,
            Self::Rectangle(body) => {
                dx >= 0 && dy >= 0 && dx.unsigned_abs() < body.width && dy.unsigned_abs() < body.height
            }
            Self::Disc(body) => {
                let far = dx.unsigned_abs() > MAX_BODY_RADIUS + 1 || dy.unsigned_abs() > MAX_BODY_RADIUS + 1;
                !far && {
                    let (a, b) = (half_cells(dx), half_cells(dy));
                    (a * a + b * b) * SUBCELLS_SQUARED < 4 * squared(body.subcells)
                }
            }
        }
    }

    /// Whether a body at rest on its anchor has reached a goal on the cell `dx` columns east and `dy` rows south of it:
    /// it lies over the centre of that cell, edge included for a disc.
    #[must_use]
    pub const fn meets(&self, dx: i32, dy: i32) -> bool {
        match self {
            Self::Point | Self::Rectangle(_) => self.covers(dx, dy),
            Self::Disc(body) => {
                let (a, b) = (dx.unsigned_abs() as u64, dy.unsigned_abs() as u64);
                let far = a > MAX_BODY_RADIUS as u64 || b > MAX_BODY_RADIUS as u64;
                !far && (a * a + b * b) * SUBCELLS_SQUARED <= squared(body.subcells)
            }
        }
    }

    /// The offsets of the cells that the body covers, east and south of its anchor, row by row.
    pub fn covered_offsets(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        let reach = self.reach();
        (-reach..=reach)
            .flat_map(move |dy| (-reach..=reach).map(move |dx| (dx, dy)))
            .filter(|&(dx, dy)| self.covers(dx, dy))
    }

    /// A bound of the offsets of what it covers and meets, in cells.
    #[must_use]
    pub(crate) fn reach(&self) -> i32 {
        match self {
            Self::Point => 0,
            Self::Rectangle(body) => body.width.max(body.height).cast_signed() - 1,
            Self::Disc(body) => body.subcells.div_ceil(SUBCELLS.unsigned_abs()).cast_signed(),
        }
    }

    /// The middle of the body as an offset from the anchor, in half cells east and south.
    #[must_use]
    pub(crate) const fn middle(&self) -> (u32, u32) {
        match self {
            Self::Point | Self::Disc(_) => (0, 0),
            Self::Rectangle(body) => (body.width - 1, body.height - 1),
        }
    }
}

const SUBCELLS_SQUARED: u64 = (SUBCELLS as u64) * (SUBCELLS as u64);

const fn squared(subcells: u32) -> u64 {
    subcells as u64 * subcells as u64
}

/// How far the square of a cell so many cells away begins, in half cells.
const fn half_cells(cells: i32) -> u64 {
    (2 * cells.unsigned_abs() as u64).saturating_sub(1)
}

impl fmt::Display for Footprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Point => f.write_str("point"),
            Self::Rectangle(body) if body.width == body.height => write!(f, "square:{}", body.width),
            Self::Rectangle(body) => write!(f, "rectangle:{}x{}", body.width, body.height),
            Self::Disc(body) => write!(f, "disc:{}", body.radius_cells()),
        }
    }
}

impl FromStr for Footprint {
    type Err = FootprintError;

    /// Reads `point`, `square:N`, `rectangle:WxH` or `disc:R`, all in cells.
    fn from_str(text: &str) -> Result<Self, FootprintError> {
        let word = || FootprintError::Word { got: text.to_owned() };
        let number = |part: &str| part.parse::<u32>().map_err(|_| word());
        match text.split_once(':') {
            None if text == "point" => Ok(Self::Point),
            Some(("square", side)) => Self::square(number(side)?),
            Some(("rectangle", sides)) => {
                let (width, height) = sides.split_once('x').ok_or_else(word)?;
                Self::rectangle(number(width)?, number(height)?)
            }
            Some(("disc", radius)) => Self::disc(radius.parse::<f64>().map_err(|_| word())?, 1.0),
            _ => Err(word()),
        }
    }
}
