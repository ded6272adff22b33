//! Where a body has room: on every free anchor, on no other, and between anchors by the distance to the nearest wall.

use thalweg_core::grid::{MapPoint, SUBCELLS};
use thalweg_core::movement::{Footprint, Movement, MovementProfile, has_room};
use thalweg_testkit::random_map::{SplitMix64, small_map};

#[test]
fn a_body_has_room_exactly_on_its_free_anchors_and_where_walls_are_far_enough() {
    let mut off_centre = [0u32; 2];
    for seed in 0..400 {
        let costs = small_map(seed + 77_000_000).costs;
        let mut random = SplitMix64::new(seed);
        let body = random.pick(&[
            "square:1",
            "square:2",
            "rectangle:3x1",
            "disc:0.3",
            "disc:0.8",
            "disc:2.3",
        ]);
        let footprint: Footprint = body.parse().unwrap();
        let movement = Movement::compile(&costs, &MovementProfile::new().with_footprint(footprint));
        let grid = costs.grid();
        for id in grid.ids() {
            let centre = MapPoint::centre_of_id(grid, id);
            assert_eq!(
                has_room(&movement, centre),
                movement.is_passable(id),
                "seed {seed} {body} {}",
                grid.cell(id)
            );
            // Off the centre a disc is measured against every blocked square by itself.
            let Footprint::Disc(disc) = footprint else {
                continue;
            };
            let shift =
                |random: &mut SplitMix64| random.below(SUBCELLS.unsigned_abs()).cast_signed() - SUBCELLS / 2;
            let at = centre.at(centre.x + shift(&mut random), centre.y + shift(&mut random));
            let (width, height) = (i64::from(grid.width()), i64::from(grid.height()));
            let size = i64::from(SUBCELLS);
            let radius = i64::from(disc.radius_subcells());
            let clear = (-4..height + 4).all(|row| {
                (-4..width + 4).all(|column| {
                    let inside = (0..width).contains(&column) && (0..height).contains(&row);
                    let free = inside && {
                        let place = grid.id_at(u32::try_from(column).unwrap(), u32::try_from(row).unwrap());
                        movement.ground_costs()[place.unwrap().index()] != 255
                    };
                    let off = |cell: i64, at: i32| {
                        (cell * size - i64::from(at))
                            .max(i64::from(at) - (cell + 1) * size)
                            .max(0)
                    };
                    let (dx, dy) = (off(column, at.x), off(row, at.y));
                    free || dx * dx + dy * dy >= radius * radius
                })
            });
            assert_eq!(has_room(&movement, at), clear, "seed {seed} {body} at {at:?}");
            off_centre[usize::from(clear)] += 1;
        }
    }
    assert!(off_centre.iter().all(|&count| count > 1_000), "{off_centre:?}");
}
