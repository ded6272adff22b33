//! Stamps: what they cover, what they do together, and what they refuse.

use thalweg_core::cost::{
    Cost, CostField, CostFieldError, DirtyRegion, ImageEffect, OverlaidCosts, OverlayError, Overlays, Stamp,
    StampEffect, StampImage,
};
use thalweg_core::grid::{Cell, Grid, MapPoint};
use thalweg_testkit::literal::map;

const BLOCK: StampEffect = StampEffect::Block;

const fn set(byte: u8) -> StampEffect {
    StampEffect::Set(Cost::from_byte(byte))
}

fn at(x: f64, y: f64) -> MapPoint {
    MapPoint::from_map([x, y]).unwrap()
}

fn one_cell(x: i32, effect: StampEffect) -> Stamp {
    Stamp::rect(Cell::new(x, 0), Cell::new(x, 0), effect).unwrap()
}

fn state(costs: &CostField) -> Vec<Option<Cost>> {
    costs.grid().ids().map(|id| costs.get(id)).collect()
}

/// What a blocking stamp covers on free ground, as a drawing.
fn drawn(width: u32, height: u32, stamp: Stamp) -> Vec<String> {
    let mut costs = OverlaidCosts::new(CostField::filled(Grid::new(width, height).unwrap(), Cost::PLAIN));
    let id = costs.put(stamp).unwrap();
    let bytes = costs.costs().bytes();
    let covered = bytes.iter().filter(|&&byte| byte == 255).count();
    assert_eq!(costs.overlays().cells(id), Some(covered));
    bytes
        .chunks(width as usize)
        .map(|row| {
            row.iter()
                .map(|&byte| if byte == 255 { '#' } else { '.' })
                .collect()
        })
        .collect()
}

#[test]
fn a_barricade_is_put_down_and_taken_away_and_what_was_there_comes_back() {
    let base = map(&["..4..", "..#?.", "....."]);
    let mut costs = OverlaidCosts::new(base.clone());
    let barricade = Stamp::rect(Cell::new(3, 1), Cell::new(1, 0), BLOCK).unwrap();
    let wall = costs.put(barricade.clone()).unwrap();
    assert_eq!(costs.costs().bytes(), map(&[".###.", ".###.", "....."]).bytes());
    assert_eq!(costs.costs().unknown_len(), 0, "a barricade is known");
    let mud = costs
        .put(Stamp::rect(Cell::new(0, 0), Cell::new(4, 2), StampEffect::Add(3)).unwrap())
        .unwrap();
    assert_eq!(costs.take(wall), Ok(barricade));
    assert_eq!(state(costs.costs()), state(&map(&["44744", "44#?4", "44444"])));
    costs.take(mud).unwrap();
    assert_eq!(state(costs.costs()), state(&base));
    assert!(costs.overlays().is_empty());
}

/// A name, stamps over the whole map in the order they are laid down, and what comes of the four cells.
type Composed<'a> = (&'a str, &'a [StampEffect], [Option<Cost>; 4]);

#[test]
fn block_wins_the_last_set_counts_and_adds_are_summed_up_to_254() {
    let base = map(&["1#?0"]);
    const fn known(byte: u8) -> Option<Cost> {
        Some(Cost::from_byte(byte))
    }
    let cases: [Composed; 9] = [
        ("nothing", &[], [known(1), known(255), None, known(0)]),
        (
            "add",
            &[StampEffect::Add(7)],
            [known(8), known(255), None, known(7)],
        ),
        (
            "adds beyond the limit",
            &[StampEffect::Add(200), StampEffect::Add(200)],
            [known(254), known(255), None, known(254)],
        ),
        ("set", &[set(5)], [known(5); 4]),
        ("two sets", &[set(5), set(6)], [known(6); 4]),
        (
            "add below a set",
            &[StampEffect::Add(2), set(5), StampEffect::Add(1)],
            [known(8); 4],
        ),
        ("block below a set", &[BLOCK, set(5)], [known(255); 4]),
        ("a set wall", &[set(255), StampEffect::Add(1)], [known(255); 4]),
        ("a set wall opened again", &[set(255), set(3)], [known(3); 4]),
    ];
    for (name, effects, expected) in cases {
        let mut overlays = Overlays::new(base.grid().clone());
        for &effect in effects {
            overlays
                .put(Stamp::rect(Cell::new(0, 0), Cell::new(3, 0), effect).unwrap())
                .unwrap();
        }
        assert_eq!(state(&overlays.compose(&base).unwrap()), expected, "{name}");
    }
}

#[test]
fn an_id_means_one_stamp_forever() {
    let mut overlays = Overlays::new(Grid::new(3, 1).unwrap());
    let first = overlays.put(one_cell(0, BLOCK)).unwrap();
    assert_eq!(overlays.get(first), Some(&one_cell(0, BLOCK)));
    overlays.take(first).unwrap();
    let second = overlays.put(one_cell(1, BLOCK)).unwrap();
    assert_ne!(first, second);
    let (version, before) = (overlays.version(), overlays.len());
    let error = overlays.take(first).unwrap_err();
    assert!(matches!(
        error,
        OverlayError::NotLive {
            slot: 0,
            generation: 0
        }
    ));
    assert_eq!((overlays.get(first), overlays.cells(first)), (None, None));
    assert_eq!((overlays.version(), overlays.len()), (version, before));
    let stranger = Overlays::new(Grid::new(3, 1).unwrap()).take(second);
    assert!(stranger.is_err());
}

#[test]
fn a_rectangle_is_cut_at_the_map_and_its_corners_come_in_any_order() {
    let rect = |a: (i32, i32), b: (i32, i32)| Stamp::rect(a.into(), b.into(), BLOCK).unwrap();
    assert_eq!(drawn(4, 3, rect((2, 5), (-7, 1))), ["....", "###.", "###."]);
    assert_eq!(drawn(4, 3, rect((4, 0), (9, 9))), ["....", "....", "...."]);
    let all = rect((i32::MIN, i32::MIN), (i32::MAX, i32::MAX));
    assert_eq!(drawn(2, 1, all), ["##"]);
    // Cells are counted from the map's own first cell.
    let grid = Grid::with_first_cell(3, 2, Cell::new(-1, -1)).unwrap();
    let mut costs = OverlaidCosts::new(CostField::filled(grid, Cost::PLAIN));
    costs.put(rect((0, -1), (0, 0))).unwrap();
    assert_eq!(costs.costs().bytes(), [1, 255, 1, 1, 255, 1]);
}

#[test]
fn a_disc_covers_the_cells_whose_centre_it_holds_the_rim_included() {
    let disc = |x, y, radius| drawn(5, 5, Stamp::disc(at(x, y), radius, BLOCK).unwrap());
    assert_eq!(disc(2.5, 2.5, 1.0), [".....", "..#..", ".###.", "..#..", "....."]);
    assert_eq!(disc(2.5, 2.5, 0.0), [".....", ".....", "..#..", ".....", "....."]);
    assert_eq!(
        disc(2.5, 2.5, 1.999),
        [".....", ".###.", ".###.", ".###.", "....."]
    );
    assert_eq!(disc(2.5, 2.5, 2.0), ["..#..", ".###.", "#####", ".###.", "..#.."]);
    // On a corner of four cells, whose centres are 0.707 away.
    assert_eq!(disc(3.0, 3.0, 0.7), [".....", ".....", ".....", ".....", "....."]);
    assert_eq!(
        disc(3.0, 3.0, 0.708),
        [".....", ".....", "..##.", "..##.", "....."]
    );
    assert_eq!(
        disc(-1.0, 6.0, 2.2),
        [".....", ".....", ".....", ".....", "#...."]
    );
    assert_eq!(disc(-32_000.0, 2.0, 32_767.0), ["#####"; 5]);
    for bad in [-0.1, f64::NAN, f64::INFINITY, 32_767.1] {
        assert!(matches!(
            Stamp::disc(at(0.0, 0.0), bad, BLOCK),
            Err(OverlayError::Radius(_))
        ));
    }
}

#[test]
fn a_polygon_covers_the_centres_inside_it_with_holes_and_half_open_borders() {
    let polygon = |rings: &[&[(f64, f64)]]| {
        let rings = rings
            .iter()
            .map(|ring| ring.iter().map(|&(x, y)| at(x, y)).collect())
            .collect();
        drawn(5, 5, Stamp::polygon(rings, BLOCK).unwrap())
    };
    let square = [(0.0, 0.0), (5.0, 0.0), (5.0, 5.0), (0.0, 5.0)];
    let hole = [(1.0, 1.0), (1.0, 4.0), (4.0, 4.0), (4.0, 1.0)];
    let ring = ["#####", "#...#", "#...#", "#...#", "#####"];
    assert_eq!(polygon(&[&square, &hole]), ring);
    let turned: Vec<_> = hole.into_iter().rev().collect();
    assert_eq!(
        polygon(&[&square, &turned]),
        ring,
        "the sense of rotation says nothing"
    );
    // Borders through centres: west and north are inside, east and south are not.
    assert_eq!(
        polygon(&[&[(1.5, 1.5), (3.5, 1.5), (3.5, 3.5), (1.5, 3.5)]]),
        [".....", ".##..", ".##..", ".....", "....."]
    );
    // A bow tie is inside left and right of its knot. Its slanting borders run through centres: those with the inside
    // in the east are in, the others out.
    assert_eq!(
        polygon(&[&[(0.0, 0.0), (5.0, 5.0), (5.0, 0.0), (0.0, 5.0)]]),
        ["....#", "#..##", "#####", "#..##", "....#"]
    );
    // Thinner than the gap between centres: covers nothing, and says so.
    assert_eq!(
        polygon(&[&[(0.0, 0.6), (5.0, 0.6), (5.0, 0.9), (0.0, 0.9)]]),
        ["....."; 5]
    );
    // Far beyond the map on all sides.
    let huge = [
        (-32_767.0, -32_767.0),
        (32_767.0, -32_767.0),
        (32_767.0, 32_767.0),
        (-32_767.0, 32_767.0),
    ];
    assert_eq!(polygon(&[&huge]), ["#####"; 5]);
    assert_eq!(Stamp::polygon(vec![], BLOCK), Err(OverlayError::NoRings));
    let two = vec![vec![at(0.0, 0.0); 3], vec![at(0.0, 0.0); 2]];
    assert_eq!(
        Stamp::polygon(two, BLOCK),
        Err(OverlayError::FewVertices { ring: 1, vertices: 2 })
    );
}

#[test]
fn an_image_stamps_its_own_byte_on_every_cell_under_its_mask() {
    let base = map(&["....", "..#.", "...."]);
    let mask = Some(vec![true, true, false, true, true, true]);
    let image = StampImage::new(3, 2, vec![10, 20, 30, 40, 255, 60], mask).unwrap();
    let over = |first: (i32, i32), effect| {
        let mut costs = OverlaidCosts::new(base.clone());
        costs
            .put(Stamp::image(first.into(), image.clone(), effect).unwrap())
            .unwrap();
        costs.costs().bytes().to_vec()
    };
    assert_eq!(
        over((1, 1), ImageEffect::Set),
        [1, 1, 1, 1, 1, 10, 20, 1, 1, 40, 255, 60]
    );
    assert_eq!(
        over((-1, 2), ImageEffect::Set),
        [1, 1, 1, 1, 1, 1, 255, 1, 20, 1, 1, 1]
    );
    assert_eq!(
        over((2, -1), ImageEffect::Block),
        [1, 1, 255, 255, 1, 1, 255, 1, 1, 1, 1, 1]
    );
    assert_eq!(
        Stamp::image(Cell::new(0, 0), image, ImageEffect::Add),
        Err(OverlayError::ImageAdd { column: 1, row: 1 })
    );
    let hills = StampImage::new(2, 1, vec![254, 255], Some(vec![true, false])).unwrap();
    let mut costs = OverlaidCosts::new(base.clone());
    costs
        .put(Stamp::image(Cell::new(1, 1), hills, ImageEffect::Add).unwrap())
        .unwrap();
    assert_eq!(costs.costs().bytes()[5..7], [254, 255]);
    assert!(matches!(
        StampImage::new(3, 2, vec![0; 5], None),
        Err(OverlayError::ImageSize {
            what: "bytes",
            got: 5,
            ..
        })
    ));
    let short = StampImage::new(3, 2, vec![0; 6], Some(vec![true; 7]));
    assert!(matches!(short, Err(OverlayError::ImageSize { got: 7, .. })));
    // An image of no cells is legal and covers none.
    let empty = StampImage::new(0, 4, vec![], None).unwrap();
    assert_eq!((empty.width(), empty.height()), (0, 4));
    costs
        .put(Stamp::image(Cell::new(0, 0), empty, ImageEffect::Block).unwrap())
        .unwrap();
}

#[test]
fn what_a_stamp_refuses_is_named_and_changes_nothing() {
    let (a, b) = (Cell::new(0, 0), Cell::new(1, 0));
    let upstairs = Cell { layer: 2, ..b };
    assert_eq!(Stamp::rect(a, b, StampEffect::Add(255)), Err(OverlayError::Add));
    assert!(matches!(
        Stamp::rect(a, upstairs, BLOCK),
        Err(OverlayError::Layers { .. })
    ));
    let base = map(&["...", "..."]);
    let mut costs = OverlaidCosts::new(base.clone());
    let error = costs
        .put(Stamp::rect(upstairs, upstairs, BLOCK).unwrap())
        .unwrap_err();
    assert_eq!(
        error,
        OverlayError::Layer {
            layer: upstairs.layer,
            layers: 1
        }
    );
    assert_eq!((costs.overlays().len(), costs.overlays().version().0), (0, 0));
    assert_eq!((costs.take_dirty(), costs.version()), (vec![], base.version()));
    let other = map(&["...."]);
    assert!(matches!(
        costs.copy_base_from(&other),
        Err(CostFieldError::OtherGrid { .. })
    ));
    assert!(costs.overlays().compose(&other).is_err());
    assert!(costs.set_base(Cell::new(3, 0), None).is_err());
    assert!(costs.set_base_rect(a, Cell::new(0, 2), Cost::PLAIN).is_err());
    assert_eq!(state(costs.costs()), state(&base));
}

#[test]
fn the_base_can_change_under_the_stamps() {
    let mut costs = OverlaidCosts::new(map(&["....", "...."]));
    let ice = costs
        .put(Stamp::rect(Cell::new(0, 0), Cell::new(1, 1), StampEffect::Add(2)).unwrap())
        .unwrap();
    let wall = costs.put(one_cell(3, BLOCK)).unwrap();
    costs.take_dirty();
    costs.set_base(Cell::new(0, 0), Some(Cost::from_byte(5))).unwrap();
    assert_eq!(costs.costs().bytes()[0], 7);
    assert_eq!(
        costs.take_dirty(),
        vec![DirtyRegion {
            layer: 0,
            min: (0, 0),
            max: (1, 1)
        }]
    );
    // Under the wall nothing shows, until it is gone.
    let version = costs.version();
    costs.set_base(Cell::new(3, 0), None).unwrap();
    assert_eq!((costs.take_dirty(), costs.version()), (vec![], version));
    costs.take(wall).unwrap();
    assert_eq!(costs.costs().unknown_len(), 1);
    costs.copy_base_from(&map(&["9999", "?999"])).unwrap();
    costs.take(ice).unwrap();
    assert_eq!(state(costs.costs()), state(&map(&["9999", "?999"])));
    assert_eq!(state(costs.base()), state(costs.costs()));
}

#[test]
fn one_stamp_lies_over_the_costs_of_every_profile() {
    let (walker, breaker) = (map(&["..#.."]), map(&["..9.."]));
    let mut overlays = Overlays::new(walker.grid().clone());
    let mut fields = [&walker, &breaker].map(|base| overlays.compose(base).unwrap());
    let gas = overlays
        .put(Stamp::rect(Cell::new(1, 0), Cell::new(2, 0), StampEffect::Add(30)).unwrap())
        .unwrap();
    let mut follow = |overlays: &mut Overlays| {
        for region in overlays.take_dirty() {
            overlays.update(&walker, region, &mut fields[0]).unwrap();
            overlays.update(&breaker, region, &mut fields[1]).unwrap();
        }
        fields.each_ref().map(|field| field.bytes().to_vec())
    };
    assert_eq!(follow(&mut overlays), [[1, 31, 255, 1, 1], [1, 31, 39, 1, 1]]);
    overlays.take(gas).unwrap();
    assert_eq!(follow(&mut overlays), [walker.bytes(), breaker.bytes()]);
}
