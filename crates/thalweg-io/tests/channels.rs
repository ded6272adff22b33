//! Channels as tables, arrays and pictures.

use thalweg_core::cost::{Cost, CostField, HeightMap, TerrainMap};
use thalweg_core::grid::{CellId, Direction, Grid};
use thalweg_io::picture::{
    CellMark, CellShade, ChannelLegend, Colour, GroundLook, Picture, Scale, draw_channel, draw_ground,
    draw_ground_with,
};
use thalweg_io::{ChannelCell, write_channel_csv, write_channel_npy};

const CELLS: [ChannelCell; 10] = [
    ChannelCell::Whole(7),
    ChannelCell::Real(1.5),
    ChannelCell::Direction(Direction::SW),
    ChannelCell::Goal,
    ChannelCell::Portal,
    ChannelCell::Wait,
    ChannelCell::Unreachable,
    ChannelCell::Unknown,
    ChannelCell::Impassable,
    ChannelCell::Whole(0),
];

fn grid() -> Grid {
    Grid::new(5, 2).unwrap()
}

#[test]
fn a_table_has_numbers_and_words() {
    let mut out = Vec::new();
    write_channel_csv(&mut out, &grid(), |id| CELLS[id.index()]).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "7,1.500,SW,goal,portal\nwait,unreachable,unknown,impassable,0\n"
    );
}

#[test]
fn an_array_has_negative_codes_where_there_is_no_number() {
    let mut whole = Vec::new();
    write_channel_npy(&mut whole, &grid(), true, |id| match CELLS[id.index()] {
        ChannelCell::Real(_) => ChannelCell::Whole(2),
        cell => cell,
    })
    .unwrap();
    let data: Vec<i64> = npyz::NpyFile::new(&whole[..]).unwrap().into_vec().unwrap();
    assert_eq!(data, [7, 2, 6, -4, -5, -6, -1, -2, -3, 0]);
    let mut real = Vec::new();
    write_channel_npy(&mut real, &grid(), false, |id| CELLS[id.index()]).unwrap();
    let file = npyz::NpyFile::new(&real[..]).unwrap();
    assert_eq!(file.shape(), [2, 5]);
    let data: Vec<f64> = file.into_vec().unwrap();
    assert_eq!(data, [7.0, 1.5, 6.0, -4.0, -5.0, -6.0, -1.0, -2.0, -3.0, 0.0]);
}

fn colour_at(picture: &Picture, [x, y]: [u32; 2]) -> Colour {
    picture.pixels()[(y * picture.width() + x) as usize]
}

#[test]
fn a_picture_shows_shades_marks_and_a_legend_below_the_map() {
    let costs = CostField::filled(grid(), Cost::PLAIN);
    let draw = |legend| {
        let shade = |id: CellId| match id.0 {
            0 => CellShade::Amount(0.0),
            1 => CellShade::Amount(1.0),
            2 => CellShade::Closed,
            3 => CellShade::Angle(400.0),
            _ => CellShade::Impassable,
        };
        let mark = |id: CellId| (id.0 == 1).then_some(CellMark::Wait);
        let scale = Scale::PixelsPerCell(240);
        draw_channel(&costs, GroundLook::new(), scale, legend, shade, mark).unwrap()
    };
    let (bare, with) = (draw(ChannelLegend::None), draw(ChannelLegend::Amounts(12.5)));
    assert_eq!((bare.width(), bare.height()), (1200, 480));
    assert_eq!((with.width(), with.height()), (1200, 522));
    let (near, far, closed, wall) = (
        colour_at(&bare, [20, 20]),
        colour_at(&bare, [260, 20]),
        colour_at(&bare, [500, 20]),
        colour_at(&bare, [1000, 400]),
    );
    assert!(
        near.luminance() > 0.7 && far.luminance() < 0.2,
        "{near:?} {far:?}"
    );
    assert!(closed.0[0] > 2 * closed.0[2], "red: {closed:?}");
    assert!(wall.luminance() < 0.2, "{wall:?}");
    assert_ne!(
        colour_at(&bare, [360 - 14, 120]),
        far,
        "a bar of the waiting mark"
    );
    assert_eq!(
        colour_at(&with, [20, 490]).0[2],
        near.0[2],
        "the legend begins near the goal"
    );
}

#[test]
fn ground_shows_classes_and_slopes_but_keeps_walls_dark() {
    let grid = Grid::new(4, 1).unwrap();
    let mut costs = CostField::filled(grid.clone(), Cost::PLAIN);
    costs.set((3, 0).into(), Cost::IMPASSABLE).unwrap();
    let scale = Scale::PixelsPerCell(1);
    let plain = draw_ground(&costs, scale).unwrap();
    assert_eq!(draw_ground_with(&costs, GroundLook::new(), scale).unwrap(), plain);
    let terrain = TerrainMap::from_classes(grid.clone(), vec![0, 1, 1, 1]).unwrap();
    let blue = Colour([90, 140, 220]);
    let colours = [None, Some(blue)];
    let look = GroundLook::new().with_terrain(&terrain, &colours);
    let classes = draw_ground_with(&costs, look, scale).unwrap();
    assert_eq!(classes.pixels()[1], blue);
    assert_ne!(classes.pixels()[0], classes.pixels()[1]);
    assert_eq!(classes.pixels()[3], plain.pixels()[3], "a wall");
    let heights = HeightMap::new(grid, 1.0, vec![0.0, 1.0, 0.0, 9.0], None).unwrap();
    let hills = draw_ground_with(&costs, GroundLook::new().with_heights(Some(&heights)), scale).unwrap();
    assert!(
        hills.pixels()[0].luminance() > plain.pixels()[0].luminance(),
        "faces the light"
    );
    assert_eq!(hills.pixels()[3], plain.pixels()[3], "a wall");
}
