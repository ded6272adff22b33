//! What must hold of a movement that was compiled for a body with extent.

use super::Violation;
use crate::grid::{Cell, CellId, MapPoint};
use crate::movement::{Footprint, Movement, keeps_out_of_all};

/// Checks that every anchor costs what the dearest cell under its body costs (255 where one is blocked or off the map), and
/// that a body that takes a legal step keeps out of blocked ground all along it. Nothing to check for points.
///
/// It looks at every covered cell of every anchor and at every square near every step: O(cells × cells covered), slow on
/// purpose and apart from how anchors are compiled. Steps beyond [`MAX_POINT_SIDE`](crate::grid::MAX_POINT_SIDE), which no
/// position reaches, are not looked at.
///
/// # Errors
/// [`Violation::WrongAnchor`] or [`Violation::SweptStep`], the first in id order.
pub fn check_extent(movement: &Movement) -> Result<(), Violation> {
    let footprint = movement.profile().footprint;
    if footprint.is_point() {
        return Ok(());
    }
    let grid = movement.grid();
    let centre = |id: CellId| MapPoint::centre_of_cell(grid, grid.cell(id));
    for id in grid.ids() {
        let cell = grid.cell(id);
        let (cost, expected) = (movement.cost(id), cost_under(movement, &footprint, cell));
        if cost != expected {
            return Err(Violation::WrongAnchor { cell, cost, expected });
        }
        for direction in movement.exits(id) {
            let next = movement.step_target(id, direction);
            if let (Some(from), Some(to)) = (centre(id), next.and_then(centre))
                && !keeps_out_of_all(movement, from, to)
            {
                return Err(Violation::SweptStep { cell, direction });
            }
        }
    }
    Ok(())
}

/// The dearest cell under a body, cell by cell.
fn cost_under(movement: &Movement, footprint: &Footprint, anchor: Cell) -> u8 {
    let grid = movement.grid();
    let reach = footprint.reach();
    let mut dearest = 0;
    for dy in -reach..=reach {
        for dx in (-reach..=reach).filter(|&dx| footprint.covers(dx, dy)) {
            let place = (anchor.x.checked_add(dx), anchor.y.checked_add(dy));
            let id = match place {
                (Some(x), Some(y)) => grid.id(Cell { x, y, ..anchor }),
                _ => None,
            };
            dearest = id.map_or(255, |id| movement.ground_cost(id)).max(dearest);
        }
    }
    dearest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Direction;
    use crate::movement::{CornerRule, MovementProfile};
    use thalweg_testkit::literal::map;

    #[test]
    fn anchors_and_steps_that_are_none_are_found() {
        let rows = ["1...", "....", "..#.", "...."];
        let loose = MovementProfile::new().with_corner_rule(CornerRule::Always);
        // The test kit's maps are those of the crate it was built with; bytes cross over.
        let bytes = map(&rows).bytes().to_vec();
        let grid = crate::grid::Grid::new(4, 4).unwrap();
        let costs = crate::cost::CostField::from_bytes(grid, bytes).unwrap();
        let point = Movement::compile(&costs, &loose);
        assert_eq!(check_extent(&point), Ok(()));
        for text in ["square:2", "disc:0.8", "disc:0.4"] {
            let body: Footprint = text.parse().unwrap();
            let compiled = Movement::compile(&costs, &loose.with_footprint(body));
            assert_eq!(check_extent(&compiled), Ok(()), "{text}");
        }
        let claiming = |text: &str| check_extent(&point.clone().claiming(text.parse().unwrap()));
        assert_eq!(
            claiming("square:5"),
            Err(Violation::WrongAnchor {
                cell: Cell::new(0, 0),
                cost: 1,
                expected: 255
            })
        );
        assert_eq!(
            claiming("square:2"),
            Err(Violation::SweptStep {
                cell: Cell::new(0, 0),
                direction: Direction::SE
            })
        );
        // It covers one cell, but steps past the corner of the wall.
        assert_eq!(
            claiming("disc:0.4"),
            Err(Violation::SweptStep {
                cell: Cell::new(2, 1),
                direction: Direction::SE
            })
        );
    }
}
