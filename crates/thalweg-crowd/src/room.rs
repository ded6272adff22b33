//! Whether a body has room where it is: the test that stands at the beginning, so that sweeps have a legal start.

use thalweg_core::grid::{Layer, MapPoint, SUBCELLS};
use thalweg_core::movement::{Footprint, Movement};

const SIZE: i64 = SUBCELLS as i64;

/// Whether the body of a movement keeps out of blocked ground with its position at a point; touching is allowed. Exact,
/// in whole numbers; true for points, which have no extent.
pub(crate) fn has_room(movement: &Movement, at: MapPoint) -> bool {
    let footprint = movement.profile().footprint;
    let Some(layer) = movement.grid().layer(at.layer) else {
        return false;
    };
    let (x, y) = (i64::from(at.x), i64::from(at.y));
    // West, north, east and south rims.
    let (west, north, east, south) = match footprint {
        Footprint::Disc(body) => {
            let radius = i64::from(body.radius_subcells());
            (x - radius, y - radius, x + radius, y + radius)
        }
        // Its position is the centre of its north-west cell.
        Footprint::Rectangle(body) => {
            let (west, north) = (x - SIZE / 2, y - SIZE / 2);
            let (width, height) = (i64::from(body.width()), i64::from(body.height()));
            (west, north, west + width * SIZE, north + height * SIZE)
        }
        _ => return true,
    };
    let overlaps = |column: i64, row: i64| match footprint {
        Footprint::Disc(body) => {
            let radius = i64::from(body.radius_subcells());
            let off = |cell: i64, at: i64| (cell * SIZE - at).max(at - (cell + 1) * SIZE).max(0);
            let (dx, dy) = (off(column, x), off(row, y));
            dx * dx + dy * dy < radius * radius
        }
        _ => {
            column * SIZE < east
                && (column + 1) * SIZE > west
                && row * SIZE < south
                && (row + 1) * SIZE > north
        }
    };
    (north.div_euclid(SIZE)..=south.div_euclid(SIZE)).all(|row| {
        (west.div_euclid(SIZE)..=east.div_euclid(SIZE))
            .all(|column| !is_blocked(movement, layer, column, row) || !overlaps(column, row))
    })
}

fn is_blocked(movement: &Movement, layer: &Layer, column: i64, row: i64) -> bool {
    let place = u32::try_from(column).ok().zip(u32::try_from(row).ok());
    place
        .and_then(|(column, row)| layer.id_at(column, row))
        .is_none_or(|id| movement.ground_costs()[id.index()] == 255)
}
