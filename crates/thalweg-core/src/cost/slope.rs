//! What a slope adds to the cost of the ground: a table of bands.

use thiserror::Error;

/// Why a table of slope bands cannot be used, or a slope cannot be looked up in it.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum SlopeError {
    /// The table has no band.
    #[error("a slope table needs at least one band, or nothing would be passable")]
    NoBands,
    /// A band does not end above the one before it.
    #[error("slope band {band} ends at {below}, which is not a number above {previous}, where it begins")]
    Order {
        /// Position of the band, from 0.
        band: usize,
        /// Its upper end.
        below: f64,
        /// The upper end of the band before it, or 0.
        previous: f64,
    },
    /// A band adds more than the largest passable cost.
    #[error(
        "slope band {band} adds 255, above the largest passable cost of 254; leave the band out to make it impassable"
    )]
    Extra {
        /// Position of the band, from 0.
        band: usize,
    },
    /// A slope that is not a number, or negative.
    #[error("slope {0} is not a number from 0 upward")]
    Slope(f64),
}

/// What a slope does to the ground.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SlopeCost {
    /// Adds this much to the cost of the ground.
    Extra(u8),
    /// Too steep for a body.
    Impassable,
}

/// One band of a table: slopes from the end of the band before it (0 for the first) up to, but not including, `below`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SlopeBand {
    /// The first slope that no longer belongs to the band: rise over run, 1 is 45 degrees.
    pub below: f64,
    /// What the band adds to the cost of the ground, 0 to 254.
    pub extra: u8,
}

/// A table from slope (rise over run, never negative) to extra cost, in half-open bands; from the end of the last band
/// on, ground is impassable.
///
/// The default is the usual one of games: below 0.3 adds 0, below 0.6 adds 3, below 1.0 adds 8, 1.0 and above is
/// impassable.
#[derive(Clone, PartialEq, Debug)]
pub struct SlopeBands {
    bands: Vec<SlopeBand>,
}

impl SlopeBands {
    /// A table of bands in ascending order. The last may end at infinity: then no finite slope is impassable.
    ///
    /// # Errors
    /// [`SlopeError`] if there is no band, an end is NaN or not above the one before it (0 for the first), or a band
    /// adds more than 254.
    pub fn new(bands: impl IntoIterator<Item = SlopeBand>) -> Result<Self, SlopeError> {
        let bands: Vec<SlopeBand> = bands.into_iter().collect();
        if bands.is_empty() {
            return Err(SlopeError::NoBands);
        }
        let mut previous = 0.0;
        for (band, &SlopeBand { below, extra }) in bands.iter().enumerate() {
            if below.is_nan() || below <= previous {
                return Err(SlopeError::Order {
                    band,
                    below,
                    previous,
                });
            }
            if extra > super::MAX_COST {
                return Err(SlopeError::Extra { band });
            }
            previous = below;
        }
        Ok(Self { bands })
    }

    /// The bands in ascending order.
    #[must_use]
    pub fn bands(&self) -> &[SlopeBand] {
        &self.bands
    }

    /// What a slope does to the ground. An infinite slope (a cliff) is impassable.
    ///
    /// # Errors
    /// [`SlopeError::Slope`] for NaN and negative slopes: the caller takes the absolute value, because only the caller
    /// knows whether uphill and downhill are alike.
    pub fn extra_cost(&self, slope: f64) -> Result<SlopeCost, SlopeError> {
        if slope.is_nan() || slope < 0.0 {
            return Err(SlopeError::Slope(slope));
        }
        let band = self.bands.iter().find(|band| slope < band.below);
        Ok(band.map_or(SlopeCost::Impassable, |band| SlopeCost::Extra(band.extra)))
    }
}

impl Default for SlopeBands {
    fn default() -> Self {
        let bands = [(0.3, 0), (0.6, 3), (1.0, 8)];
        Self {
            bands: bands.map(|(below, extra)| SlopeBand { below, extra }).to_vec(),
        }
    }
}
