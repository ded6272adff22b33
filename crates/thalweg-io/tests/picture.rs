//! Pictures: sizes, colours that mean something, limits, and animations that decode to what was drawn.

#[path = "common/field.rs"]
mod field;

use field::Solved;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::Grid;
use thalweg_io::picture::{
    AgentDot, Colour, CrowdGif, FieldPictureOptions, GROUP_COLOURS, GifOptions, Picture, PictureError, Scale,
    Shading, draw_agents, draw_field, draw_ground, group_colour,
};

const MAP: &str = "\
G....#....
.....#....
..9..#..?.
..........
.....#...G
";

fn at(picture: &Picture, x: u32, y: u32) -> Colour {
    picture.pixels()[(y * picture.width() + x) as usize]
}

/// The colour in the middle of a cell at 10 pixels per cell, beside what is drawn on the very centre.
fn cell(picture: &Picture, x: u32, y: u32) -> Colour {
    at(picture, 10 * x + 8, 10 * y + 8)
}

fn ten() -> FieldPictureOptions<'static> {
    FieldPictureOptions::new()
        .with_scale(Scale::PixelsPerCell(10))
        .with_arrows(false)
        .with_iso_lines(false)
}

#[test]
fn a_scale_fits_the_longer_side() {
    let fit = |width, height, target| Scale::fit(&Grid::new(width, height).expect("a legal size"), target);
    assert_eq!(fit(65, 81, 1200), Scale::PixelsPerCell(14));
    assert_eq!(fit(1200, 3, 1200), Scale::PixelsPerCell(1));
    assert_eq!(fit(3, 1201, 1200), Scale::CellsPerPixel(2));
    assert_eq!(fit(16_384, 16_384, 1200), Scale::CellsPerPixel(14));
    assert_eq!(fit(5, 5, 0), Scale::CellsPerPixel(5));
}

#[test]
fn a_cell_gets_brighter_towards_the_goal() {
    let solved = Solved::new(MAP);
    let picture = draw_field(&solved.view(), &ten()).expect("a small picture");
    assert_eq!((picture.width(), picture.height()), (100, 50));
    let brightness = |x, y| cell(&picture, x, y).luminance();
    assert!(brightness(1, 1) > brightness(3, 1));
    assert!(brightness(3, 1) > brightness(4, 3));
    assert!(brightness(5, 0) < 0.2, "walls are dark");
}

#[test]
fn regions_have_the_hue_of_the_goal_that_wins() {
    let solved = Solved::new(MAP);
    let picture = draw_field(&solved.view(), &ten().with_shading(Shading::Goals)).expect("a small picture");
    let nearer = |colour: Colour, to: Colour, than: Colour| {
        let distance = |other: Colour| -> i32 {
            let pairs = colour.0.iter().zip(other.0);
            pairs.map(|(&a, b)| (i32::from(a) - i32::from(b)).pow(2)).sum()
        };
        distance(to) < distance(than)
    };
    assert!(nearer(cell(&picture, 1, 1), group_colour(0), group_colour(1)));
    assert!(nearer(cell(&picture, 8, 3), group_colour(1), group_colour(0)));
}

#[test]
fn lines_and_arrows_show_only_where_they_are_asked_for() {
    let solved = Solved::new(&".".repeat(40).replacen('.', "G", 1));
    let plain = draw_field(&solved.view(), &ten()).expect("a small picture");
    let lines = draw_field(&solved.view(), &ten().with_iso_lines(true)).expect("a small picture");
    let arrows = draw_field(&solved.view(), &ten().with_arrows(true)).expect("a small picture");
    let differing = |other: &Picture| {
        let pairs = plain.pixels().iter().zip(other.pixels());
        pairs.filter(|(a, b)| a != b).count()
    };
    assert!(differing(&lines) > 100);
    assert!(differing(&arrows) > 100);
    assert_eq!(differing(&plain), 0);
}

/// Lines are light on dark tones and dark on light ones. Where the tone under a line is neither, it must not be both.
#[test]
fn a_line_of_equal_cost_is_lighter_or_darker_than_its_ground_and_never_both() {
    let mut lines = 0;
    for length in 20..60 {
        let solved = Solved::new(&".".repeat(length).replacen('.', "G", 1));
        let plain = draw_field(&solved.view(), &ten()).expect("a small picture");
        let with = draw_field(&solved.view(), &ten().with_iso_lines(true)).expect("a small picture");
        let change = |x: u32| at(&with, x, 2).luminance() - at(&plain, x, 2).luminance();
        let changes: Vec<f32> = (0..plain.width()).map(change).collect();
        for line in changes
            .split(|&change| change == 0.0)
            .filter(|line| !line.is_empty())
        {
            lines += 1;
            assert!(
                line.iter().all(|&change| change > 0.0) || line.iter().all(|&change| change < 0.0),
                "of {length} cells: {line:?}"
            );
        }
    }
    assert!(lines > 400, "{lines}");
}

/// Arrows take the flow field's word: on a strip with the goal in the west all heads lie west of the middle.
#[test]
fn an_arrow_has_its_head_where_the_field_leads() {
    let solved = Solved::new("G....\n");
    let options = FieldPictureOptions::new()
        .with_scale(Scale::PixelsPerCell(40))
        .with_iso_lines(false);
    let with = draw_field(&solved.view(), &options).expect("a small picture");
    let without = draw_field(&solved.view(), &options.with_arrows(false)).expect("a small picture");
    let changed = |from: u32, to: u32| {
        let columns = (from..to).flat_map(|x| (0..40).map(move |y| (x, y)));
        columns
            .filter(|&(x, y)| at(&with, x, y) != at(&without, x, y))
            .count()
    };
    let (west, east) = (changed(120, 140), changed(140, 160));
    assert!(
        west > east + 10,
        "the west half of cell 3 has the head: {west} to {east}"
    );
}

#[test]
fn large_maps_are_drawn_as_means_and_too_large_pictures_are_refused() {
    let grid = Grid::new(10, 10).expect("a legal size");
    let mut costs = CostField::filled(grid, Cost::PLAIN);
    costs
        .set_rect((0, 0).into(), (4, 9).into(), Cost::IMPASSABLE)
        .expect("a rectangle of the map");
    let picture = draw_ground(&costs, Scale::CellsPerPixel(10)).expect("a small picture");
    assert_eq!((picture.width(), picture.height()), (1, 1));
    let sharp = draw_ground(&costs, Scale::PixelsPerCell(1)).expect("a small picture");
    let middle = (at(&sharp, 0, 0).luminance() + at(&sharp, 9, 9).luminance()) / 2.0;
    assert!((at(&picture, 0, 0).luminance() - middle).abs() < 0.01);
    let error = draw_ground(&costs, Scale::PixelsPerCell(100_000)).expect_err("too large");
    assert!(matches!(error, PictureError::TooLarge { .. }));
    assert!(draw_ground(&costs, Scale::PixelsPerCell(u32::MAX)).is_err());
    assert!(draw_ground(&costs, Scale::PixelsPerCell(0)).is_ok());
}

#[test]
fn a_field_that_holds_nothing_yet_is_drawn_as_unknown() {
    let costs = CostField::filled(Grid::new(2, 1).expect("a legal size"), Cost::PLAIN);
    let field = thalweg_core::integrate::IntegrationField::new(costs.grid().clone());
    let view = thalweg_io::FieldView::new(&costs, &field).expect("of one map");
    let picture = draw_field(&view, &ten()).expect("a small picture");
    assert_eq!(cell(&picture, 0, 0), cell(&picture, 1, 0));
}

#[test]
fn free_ground_draws_without_lines_everywhere() {
    let solved = Solved::new("G000\n0000\n");
    let with = draw_field(&solved.view(), &ten().with_iso_lines(true)).expect("a small picture");
    let without = draw_field(&solved.view(), &ten()).expect("a small picture");
    let pairs = with.pixels().iter().zip(without.pixels());
    let differing = pairs.filter(|(a, b)| a != b).count();
    assert!(
        differing < without.pixels().len() / 4,
        "{differing} pixels of lines"
    );
}

#[test]
fn a_png_holds_the_pixels() {
    let solved = Solved::new(MAP);
    let picture = draw_field(&solved.view(), &FieldPictureOptions::new()).expect("a small picture");
    let mut bytes = Vec::new();
    picture.write_png(&mut bytes).expect("a buffer takes everything");
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .expect("a legal header");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a small picture")];
    reader.next_frame(&mut pixels).expect("a whole picture");
    let expected: Vec<u8> = picture.pixels().iter().flat_map(|colour| colour.0).collect();
    assert_eq!(pixels, expected);
}

#[test]
fn agents_are_dots_of_their_groups_colour_and_impossible_ones_are_left_out() {
    let costs = CostField::filled(Grid::new(4, 4).expect("a legal size"), Cost::PLAIN);
    let mut picture = draw_ground(&costs, Scale::PixelsPerCell(10)).expect("a small picture");
    let empty = picture.clone();
    let dot = |x, y, radius| AgentDot {
        sides: None,
        at: [x, y],
        radius,
        group: 3,
    };
    let nowhere = [
        dot(f32::NAN, 1.0, 0.3),
        dot(f32::INFINITY, 1.0, 0.3),
        dot(1.0, 1.0, f32::NAN),
        dot(-1e30, 1e30, 0.3),
        dot(-5.0, 1.0, 0.3),
    ];
    draw_agents(&mut picture, &nowhere[..2]);
    draw_agents(&mut picture, &nowhere[3..]);
    assert_eq!(picture, empty);
    draw_agents(&mut picture, &[dot(1.5, 2.5, 0.4)]);
    assert_eq!(at(&picture, 15, 25), GROUP_COLOURS[3]);
}

/// The frames of an animation as a viewer shows them, each frame over the one before.
fn decode(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).expect("a legal header");
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut canvas = vec![0u8; width * height * 3];
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("a legal frame") {
        let frame_width = usize::from(frame.width);
        for (index, pixel) in frame.buffer.chunks_exact(4).enumerate() {
            let x = index % frame_width + usize::from(frame.left);
            let y = index / frame_width + usize::from(frame.top);
            if pixel[3] > 0 {
                canvas[3 * (y * width + x)..][..3].copy_from_slice(&pixel[..3]);
            }
        }
        frames.push(canvas.clone());
    }
    frames
}

#[test]
fn an_animation_decodes_to_the_background_with_dots_that_move_on() {
    let costs = CostField::filled(Grid::new(8, 4).expect("a legal size"), Cost::PLAIN);
    let ground = draw_ground(&costs, Scale::PixelsPerCell(10)).expect("a small picture");
    let mut gif = CrowdGif::new(Vec::new(), &ground, GifOptions::default()).expect("a small picture");
    let dot = |x: f32| AgentDot {
        sides: None,
        at: [x, 1.5],
        radius: 0.4,
        group: 1,
    };
    for frame in [vec![dot(1.5)], vec![dot(5.5)], vec![dot(5.5)], vec![]] {
        gif.add_frame(&frame).expect("a buffer takes everything");
    }
    assert_eq!(gif.frames(), 4);
    let frames = decode(&gif.finish().expect("a buffer takes everything"));
    let pixel = |frame: usize, x: usize| -> [u8; 3] {
        let start = 3 * (15 * 80 + x);
        frames[frame][start..start + 3]
            .try_into()
            .expect("three channels")
    };
    let ground = at(&ground, 0, 0).0;
    assert_eq!(frames.len(), 4);
    assert_eq!((pixel(0, 15), pixel(0, 55)), (group_colour(1).0, ground));
    assert_eq!((pixel(1, 15), pixel(1, 55)), (ground, group_colour(1).0));
    assert_eq!(frames[1], frames[2], "a frame without changes changes nothing");
    assert_eq!((pixel(3, 15), pixel(3, 55)), (ground, ground));
}

#[test]
fn a_background_of_many_colours_keeps_close_to_them() {
    let solved = Solved::new(MAP);
    let options = ten().with_scale(Scale::PixelsPerCell(30)).with_iso_lines(true);
    let field = draw_field(&solved.view(), &options).expect("a small picture");
    let mut gif = CrowdGif::new(Vec::new(), &field, GifOptions::default()).expect("a small picture");
    gif.add_frame(&[]).expect("a buffer takes everything");
    let frames = decode(&gif.finish().expect("a buffer takes everything"));
    let expected = field.pixels().iter().flat_map(|colour| colour.0);
    let errors: Vec<u8> = frames[0]
        .iter()
        .zip(expected)
        .map(|(&a, b)| a.abs_diff(b))
        .collect();
    let mean = errors.iter().map(|&error| f64::from(error)).sum::<f64>() / errors.len() as f64;
    assert!(mean < 2.0, "mean error {mean}");
}
