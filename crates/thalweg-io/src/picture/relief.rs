//! What the ground is made of and how it rises, as colours over its cost.

use super::ground::ground_colour;
use super::palette::{self, Colour};
use thalweg_core::cost::{Cost, CostField, HeightMap, TerrainMap};
use thalweg_core::grid::{CellId, Direction};

/// What is shown of the ground beside its cost.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct GroundLook<'a> {
    /// Slopes are lit from the north-west.
    pub heights: Option<&'a HeightMap>,
    /// Every class has a colour of its own: the one given by its index, or one of the usual ones.
    pub terrain: Option<(&'a TerrainMap, &'a [Option<Colour>])>,
}

impl<'a> GroundLook<'a> {
    /// Costs alone.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The look with heights, if there are some.
    #[must_use]
    pub const fn with_heights(mut self, heights: Option<&'a HeightMap>) -> Self {
        self.heights = heights;
        self
    }

    /// The look with terrain classes, and the colours of those that have one of their own.
    #[must_use]
    pub const fn with_terrain(mut self, terrain: &'a TerrainMap, colours: &'a [Option<Colour>]) -> Self {
        self.terrain = Some((terrain, colours));
        self
    }

    /// The colour of a cell of the ground.
    pub(super) fn colour(&self, costs: &CostField, id: CellId) -> Colour {
        let mut colour = ground_colour(costs, id);
        let cost = costs.get(id);
        let terrain = self.terrain.filter(|(terrain, _)| terrain.grid() == costs.grid());
        if let Some((terrain, colours)) = terrain
            && let Some(class) = terrain.class(id)
            && let Some(cost) = cost.filter(|cost| cost.is_passable())
        {
            let dear = 0.5 * palette::dearness(cost.byte());
            let own = colours.get(usize::from(class)).copied().flatten();
            let class = own.unwrap_or_else(|| palette::terrain(class));
            colour = class.mix(palette::INK, dear);
        }
        self.lit(costs, id, colour)
    }

    /// A colour as the slope of its cell makes it look.
    pub(super) fn lit(&self, costs: &CostField, id: CellId, colour: Colour) -> Colour {
        let Some(heights) = self.heights.filter(|heights| heights.grid() == costs.grid()) else {
            return colour;
        };
        // Walls stay as dark as walls are.
        let passable = costs.get(id).is_some_and(Cost::is_passable);
        let Some(here) = heights.height(id).filter(|_| passable) else {
            return colour;
        };
        let at = |direction| {
            let next = heights.grid().neighbour(id, direction);
            next.and_then(|next| heights.height(next)).unwrap_or(here)
        };
        // Ground that rises away from the light faces it.
        let rise = (at(Direction::E) - at(Direction::W)) + (at(Direction::S) - at(Direction::N));
        let slope = f64::from(rise) / (2.0 * heights.cell_size());
        let amount = (0.42 * slope.abs() / (0.4 + slope.abs())) as f32;
        let light = if slope > 0.0 { palette::WHITE } else { palette::INK };
        colour.mix(light, amount)
    }
}
