//! The eight symmetries of the square, on maps, cells and directions.

use thalweg_core::cost::CostField;
use thalweg_core::grid::{Cell, Direction, DirectionSet, Grid};

/// A symmetry: first perhaps swap the axes, then perhaps mirror each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetry {
    /// Whether x and y change places.
    pub swap: bool,
    /// Whether x is mirrored afterwards.
    pub mirror_x: bool,
    /// Whether y is mirrored afterwards.
    pub mirror_y: bool,
}

impl Symmetry {
    /// All eight, the identity first.
    #[must_use]
    pub fn all() -> [Self; 8] {
        core::array::from_fn(|bits| Self {
            swap: bits & 1 != 0,
            mirror_x: bits & 2 != 0,
            mirror_y: bits & 4 != 0,
        })
    }

    /// The sides of the image of a map.
    #[must_use]
    pub const fn sides(self, width: u32, height: u32) -> (u32, u32) {
        if self.swap {
            (height, width)
        } else {
            (width, height)
        }
    }

    /// The image of a step.
    #[must_use]
    pub const fn offset(self, (dx, dy): (i32, i32)) -> (i32, i32) {
        let (dx, dy) = if self.swap { (dy, dx) } else { (dx, dy) };
        (
            if self.mirror_x { -dx } else { dx },
            if self.mirror_y { -dy } else { dy },
        )
    }

    /// The image of a direction.
    ///
    /// # Panics
    /// Never: the image of a direction is a direction.
    #[must_use]
    pub fn direction(self, direction: Direction) -> Direction {
        let (dx, dy) = self.offset(direction.offset());
        Direction::from_offset(dx, dy).expect("symmetries keep the eight directions")
    }

    /// The image of a set of directions.
    #[must_use]
    pub fn directions(self, set: DirectionSet) -> DirectionSet {
        set.iter().map(|direction| self.direction(direction)).collect()
    }

    /// The image of a cell of a map of these sides whose first cell is (0,0).
    ///
    /// # Panics
    /// If a side does not fit `i32`.
    #[must_use]
    pub fn cell(self, width: u32, height: u32, cell: Cell) -> Cell {
        let (wide, high) = self.sides(width, height);
        let (x, y) = if self.swap {
            (cell.y, cell.x)
        } else {
            (cell.x, cell.y)
        };
        let last = |side: u32| i32::try_from(side).expect("a small map") - 1;
        Cell::new(
            if self.mirror_x { last(wide) - x } else { x },
            if self.mirror_y { last(high) - y } else { y },
        )
    }

    /// The image of a map whose first cell is (0,0).
    ///
    /// # Panics
    /// If the first cell is another.
    #[must_use]
    pub fn map(self, costs: &CostField) -> CostField {
        let grid = costs.grid();
        assert_eq!(grid.first_cell(), Cell::new(0, 0), "move the map to (0,0) first");
        let (width, height) = (grid.width(), grid.height());
        let (wide, high) = self.sides(width, height);
        let image = Grid::new(wide, high).expect("as large as the original");
        let mut out = CostField::filled(image, thalweg_core::cost::Cost::PLAIN);
        for id in grid.ids() {
            let to = self.cell(width, height, grid.cell(id));
            match costs.get(id) {
                Some(cost) => out.set(to, cost),
                None => out.set_unknown(to),
            }
            .expect("the image of a cell lies on the image of the map");
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::literal::map;
    use thalweg_core::grid::DIRECTIONS;

    #[test]
    fn the_eight_symmetries_are_distinct_and_keep_steps_and_cells_together() {
        let costs = map(&["123", "456"]);
        let images: Vec<_> = Symmetry::all().map(|symmetry| symmetry.map(&costs)).to_vec();
        for (index, image) in images.iter().enumerate() {
            let same = |other: &CostField| other.grid() == image.grid() && other.bytes() == image.bytes();
            assert_eq!(images.iter().position(same), Some(index));
        }
        for symmetry in Symmetry::all() {
            for direction in DIRECTIONS {
                let (dx, dy) = direction.offset();
                let a = symmetry.cell(9, 5, Cell::new(4, 2));
                let b = symmetry.cell(9, 5, Cell::new(4 + dx, 2 + dy));
                assert_eq!(
                    symmetry.direction(direction).offset(),
                    (b.x - a.x, b.y - a.y),
                    "{symmetry:?} {direction}"
                );
            }
        }
    }
}
