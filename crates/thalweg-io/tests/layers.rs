//! Maps of several layers, in and out.

use thalweg_core::cost::CostField;
use thalweg_core::grid::{Cell, Grid};
use thalweg_io::picture::{Scale, Sheet, draw_ground};
use thalweg_io::{
    LoadOptions, MapFormat, MapLink, map_from_bytes, read_cost_npy, read_text_grid, text_grid_from_costs,
    write_cost_csv, write_cost_npy, write_cost_png,
};

const STAIRS: &str =
    "= ground\n....\n..A#\n= upper at 2,-1\n..G\n@ 3,0,0 <-> 3,-1,1 4\n= at -1,0\n?\n@ 4,-1,1 -> -1,0,2 0\n";

fn message(text: &str) -> String {
    read_text_grid("house.txt", text.as_bytes())
        .expect_err("the grid is broken")
        .to_string()
}

#[test]
fn layers_have_their_own_names_sizes_and_places() {
    let map = read_text_grid("house.txt", STAIRS.as_bytes()).expect("a legal map");
    let grid = map.costs.grid();
    let sizes: Vec<_> = grid
        .layers()
        .iter()
        .map(|layer| (layer.width(), layer.height(), layer.first_cell()))
        .collect();
    assert_eq!(
        sizes,
        [
            (4, 2, Cell::on(0, 0, 0)),
            (3, 1, Cell::on(1, 2, -1)),
            (1, 1, Cell::on(2, -1, 0))
        ]
    );
    assert_eq!(map.layer_names, ["ground", "upper", ""]);
    assert_eq!(map.goals, [Cell::on(1, 4, -1)]);
    assert_eq!(map.marks, [('A', Cell::new(2, 1))]);
    let link = |from, to, cost, both| MapLink { from, to, cost, both };
    assert_eq!(
        map.links,
        [
            link(Cell::new(3, 0), Cell::on(1, 3, -1), 4, true),
            link(Cell::on(1, 4, -1), Cell::on(2, -1, 0), 0, false)
        ]
    );
    assert_eq!(map.costs.unknown_len(), 1);
    // Windows line ends and a name with a comma in its first line change nothing.
    let loaded = map_from_bytes(
        "house".as_ref(),
        STAIRS
            .replace("= ground", "= ground at 0,0")
            .replace('\n', "\r\n")
            .as_bytes(),
        &LoadOptions::default(),
    )
    .expect("a legal map");
    assert_eq!((loaded.format, loaded.links.len()), (MapFormat::TextGrid, 2));
    assert_eq!(loaded.costs, map.costs);
}

#[test]
fn a_map_of_layers_comes_back_as_it_was_written() {
    let map = read_text_grid("house.txt", STAIRS.as_bytes()).expect("a legal map");
    let text = text_grid_from_costs(&map.costs, &map.goals, &map.marks).expect("letters for all");
    assert_eq!(text, "= at 0,0\n....\n..A#\n= at 2,-1\n..G\n= at -1,0\n?\n");
    let again = read_text_grid("again", text.as_bytes()).expect("what was written");
    assert_eq!(
        (again.costs, again.goals, again.marks),
        (map.costs, map.goals, map.marks)
    );
}

#[test]
fn what_makes_no_sense_is_told_by_line() {
    for (text, wanted) in [
        (
            "= a\n=\n.\n",
            "house.txt, line 1: a map needs at least one cell, but 0 x 0 was asked for",
        ),
        (
            ".\n= a b\n.\n",
            "house.txt, line 2: the text is '= a b', but a layer, such as",
        ),
        ("= a at\n.\n", "house.txt, line 1: the text is '= a at'"),
        ("= a at 1\n.\n", "line 1: the text is '= a at 1'"),
        (
            "= at 2147483647,0\n..\n",
            "line 1: a map of 2 x 1 that begins at cell (2147483647,0) ends beyond",
        ),
        ("=\n..\n.\n", "line 3: the row has 1 cells, but 2 are expected"),
        (
            "..\n@ 0,0 -> 5,0 1\n",
            "line 2: the link's end (5,0) lies outside the map of 2 x 1 cells",
        ),
        (
            "..\n@ 0,0 -> 0,0,3 1\n",
            "line 2: the link's end (0,0,3) lies outside",
        ),
        (
            "..\n@ 0,0 -> 0,0 1\n",
            "line 2: the link leads from (0,0) to itself",
        ),
        (
            "..\n@ 0,0 to 1,0 1\n",
            "line 2: the text is '@ 0,0 to 1,0 1', but a link, such as",
        ),
        ("..\n@ 0,0 -> 1,0 -1\n", "line 2: the text is '@ 0,0 -> 1,0 -1'"),
        ("..\n@ 0,0 -> 1,0,-1 1\n", "line 2: the text is"),
        (
            "@ 0,0 -> 1,0 1\n",
            "house.txt: a map has 1 to 65536 layers, but 0 were given",
        ),
    ] {
        let got = message(text);
        assert!(got.contains(wanted), "{text:?} gives `{got}`");
    }
    assert_eq!(
        message(".\n\n.\n"),
        "house.txt, line 2: there is a blank line between the rows"
    );
}

#[test]
fn arrays_hold_layers_of_one_size() {
    let floor = Grid::new(3, 2).expect("a small floor");
    let grid = Grid::stacked([&floor, &floor]).expect("two floors");
    let bytes: Vec<u8> = (0..12).collect();
    let costs = CostField::from_bytes(grid, bytes.clone()).expect("one byte per cell");
    let mut file = Vec::new();
    write_cost_npy(&mut file, &costs).expect("memory to write to");
    let header = String::from_utf8_lossy(&file).replace(' ', "");
    assert!(header.contains("'shape':(2,2,3"), "{header}");
    assert_eq!(
        read_cost_npy("a.npy", &file).expect("what was written").bytes(),
        bytes
    );
    // In Fortran order the first index runs fastest.
    let mut fortran = b"\x93NUMPY\x01\x00".to_vec();
    let header = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2, 3), }\n";
    fortran.extend(u16::try_from(header.len()).expect("a short header").to_le_bytes());
    fortran.extend(header.bytes());
    for column in 0..3 {
        for row in 0..2 {
            for layer in 0..2 {
                fortran.push(layer * 6 + row * 3 + column);
            }
        }
    }
    assert_eq!(
        read_cost_npy("f.npy", &fortran).expect("a legal array").bytes(),
        bytes
    );

    let mut table = Vec::new();
    write_cost_csv(&mut table, &costs).expect("memory to write to");
    assert_eq!(
        String::from_utf8_lossy(&table),
        "0,1,2\n3,4,5\n\n6,7,8\n9,10,11\n"
    );

    let uneven = Grid::stacked([&floor, &Grid::new(1, 1).expect("one cell")]).expect("two floors");
    let costs = CostField::filled(uneven, thalweg_core::cost::Cost::PLAIN);
    let error = write_cost_npy(&mut Vec::new(), &costs).expect_err("layers of two sizes");
    assert_eq!(
        error.to_string(),
        "an array needs layers of one size, but layer 0 is 3 x 2 and layer 1 is 1 x 1"
    );
    assert!(write_cost_png(&mut Vec::new(), &costs).is_err());
}

#[test]
fn pictures_show_layers_side_by_side() {
    let map = read_text_grid("house.txt", STAIRS.as_bytes()).expect("a legal map");
    let grid = map.costs.grid();
    let sheet = Sheet::of(grid);
    assert_eq!((sheet.width(), sheet.height()), (4 + 1 + 3 + 1 + 1, 2));
    for id in grid.ids() {
        let (column, row) = sheet.place(id);
        assert_eq!(sheet.id_at(column, row), Some(id));
    }
    for (column, row) in [(4, 0), (8, 0), (5, 1), (9, 1), (10, 0)] {
        assert_eq!(sheet.id_at(column, row), None, "{column},{row}");
    }
    for scale in [Scale::PixelsPerCell(8), Scale::CellsPerPixel(3)] {
        let picture = draw_ground(&map.costs, scale).expect("a small picture");
        assert_eq!(
            (u64::from(picture.width()), u64::from(picture.height())),
            scale.size(grid)
        );
    }
}
