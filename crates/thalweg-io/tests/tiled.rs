//! Tiled maps in both forms and every packing; layers, properties, chunks at negative cells, and maps that lie.

mod common;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use common::{cells, data_file, size};
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use proptest::prelude::*;
use std::io::Write as _;
use std::path::Path;
use thalweg_core::cost::CostField;
use thalweg_core::grid::Cell;
use thalweg_io::{
    LayerRule, Place, ReadError, ReadReason, TileDefault, TiledMap, TiledOptions, read_tiled_costs,
    read_tiled_terrain, tiled_costs_from_bytes, tiled_terrain_from_bytes,
};

/// Tile 1 costs 1, tile 2 is a wall, tile 3 is called mud, tile 4 says nothing.
const TILES: &str = r#"<tileset firstgid="1" name="ground" tilewidth="8" tileheight="8">
  <tile id="0"><properties><property name="cost" type="int" value="1"/></properties></tile>
  <tile id="1" type="wall"><properties><property name="cost" value="255"/><property name="solid" type="bool" value="true"/></properties></tile>
  <tile id="2" class="swamp"><properties><property name="cost" value="mud"/></properties></tile>
 </tileset>"#;

fn tmx(head: &str, body: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map orientation=\"orthogonal\" tilewidth=\"8\" tileheight=\"8\" {head}>\n{TILES}\n{body}\n</map>\n"
    )
}

/// A map of 3 x 2 tiles with these layers.
fn finite(layers: &str) -> String {
    tmx("width=\"3\" height=\"2\"", layers)
}

fn layer(name: &str, data: &str) -> String {
    format!("<layer name=\"{name}\" width=\"3\" height=\"2\">{data}</layer>")
}

fn csv(name: &str, numbers: &str) -> String {
    layer(name, &format!("<data encoding=\"csv\">\n{numbers}\n</data>"))
}

fn options() -> TiledOptions {
    TiledOptions::new("cost").with_name("mud", 5)
}

fn read(text: &str, options: &TiledOptions) -> Result<TiledMap<CostField>, ReadError> {
    tiled_costs_from_bytes(Path::new("a.tmx"), text.as_bytes(), |_| None, options)
}

fn sentence(text: &str, options: &TiledOptions) -> String {
    let error = read(text, options).expect_err("the map is broken").to_string();
    assert!(!error.contains('\n'), "{error}");
    error
}

fn base64(numbers: &[u32], compression: &str) -> String {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let packed = match compression {
        "zlib" => {
            let mut writer = ZlibEncoder::new(Vec::new(), Compression::best());
            writer.write_all(&bytes).expect("a buffer takes everything");
            writer.finish().expect("a buffer takes everything")
        }
        "gzip" => {
            let mut writer = GzEncoder::new(Vec::new(), Compression::best());
            writer.write_all(&bytes).expect("a buffer takes everything");
            writer.finish().expect("a buffer takes everything")
        }
        _ => bytes,
    };
    STANDARD.encode(packed)
}

const EXPECTED: [Option<u8>; 6] = [Some(1), Some(255), Some(5), None, Some(1), Some(1)];
const NUMBERS: [u32; 6] = [1, 2 | 0x8000_0000, 3 | 0x7000_0000, 0, 1, 1];

#[test]
fn every_packing_gives_the_same_costs() {
    let tiles = NUMBERS.map(|number| format!("<tile gid=\"{number}\"/>")).concat();
    let list = NUMBERS.map(|number| number.to_string()).join(",");
    let mut maps = vec![
        finite(&layer("g", &format!("<data>{tiles}</data>"))),
        finite(&csv("g", &list)),
        finite(&csv("g", &format!("{list},"))),
    ];
    for compression in ["", "zlib", "gzip"] {
        let packed = base64(&NUMBERS, compression);
        maps.push(finite(&layer(
            "g",
            &format!("<data encoding=\"base64\" compression=\"{compression}\">\n  {packed}\n</data>"),
        )));
    }
    for text in maps {
        let loaded = read(&text, &options()).expect("a legal map");
        assert_eq!(cells(&loaded.map), EXPECTED, "{text}");
        assert_eq!(loaded.tile_size, [8, 8]);
        assert_eq!(loaded.layers, ["g"]);
        assert!(loaded.map.clone().take_dirty().is_empty(), "loading is no edit");
    }
}

#[test]
fn the_json_form_gives_the_same_costs() {
    let tiles = r#"[{"id":0,"properties":[{"name":"cost","type":"int","value":1}]},
        {"id":1,"type":"wall","properties":[{"name":"cost","type":"float","value":255.0}]},
        {"id":2,"properties":[{"name":"cost","type":"string","value":"mud"}]}]"#;
    let list = NUMBERS.map(|number| number.to_string()).join(",");
    for (packing, data) in [
        ("", format!("[{list}]")),
        (
            r#""encoding":"base64","compression":"zlib","#,
            format!("\"{}\"", base64(&NUMBERS, "zlib")),
        ),
    ] {
        let text = format!(
            r#"{{"type":"map","orientation":"orthogonal","width":3,"height":2,"tilewidth":8,"tileheight":8,
            "tilesets":[{{"firstgid":1,"name":"ground","tiles":{tiles}}}],
            "layers":[{{"type":"group","name":"all","layers":[
              {{"type":"objectgroup","name":"spawns","objects":[]}},
              {{"type":"tilelayer","name":"g",{packing}"width":3,"height":2,"data":{data}}}]}}]}}"#
        );
        let loaded = read(&text, &options()).expect("a legal map");
        assert_eq!(cells(&loaded.map), EXPECTED);
        assert_eq!(loaded.layers, ["g"]);
        let outside = text.replace(r#""name":"ground","tiles":"#, r#""source":"ground.tsj","more":"#);
        let file = format!("{{\"type\":\"tileset\",\"tiles\":{tiles}}}");
        let answer = |source: &str| (source == "ground.tsj").then(|| file.clone().into_bytes());
        let loaded = tiled_costs_from_bytes(Path::new("a"), outside.as_bytes(), answer, &options());
        assert_eq!(cells(&loaded.expect("a legal map").map), EXPECTED);
    }
    assert!(
        sentence("{\"orientation\":1}", &options()).starts_with("a.tmx, line 1, column 16: the JSON is not")
    );
}

#[test]
fn the_topmost_tile_with_the_property_decides_or_the_largest_value() {
    let text = finite(&[csv("low", "1,2,2,0,1,3"), csv("high", "0,1,4,0,4,1")].concat());
    let top = read(&text, &options()).expect("a legal map").map;
    assert_eq!(cells(&top), [Some(1), Some(1), Some(255), None, Some(1), Some(1)]);
    let largest = read(&text, &options().with_rule(LayerRule::Largest))
        .expect("a legal map")
        .map;
    assert_eq!(
        cells(&largest),
        [Some(1), Some(255), Some(255), None, Some(1), Some(5)]
    );
    let one = read(&text, &options().with_layer("low")).expect("a legal map");
    assert_eq!(one.layers, ["low"]);
    assert_eq!(cells(&one.map)[1..3], [Some(255), Some(255)]);
}

#[test]
fn hidden_layers_count_only_if_they_are_named() {
    let hidden = csv("walls", "2,2,2,2,2,2").replace("<layer ", "<layer visible=\"0\" ");
    let group = format!("<group visible=\"0\">{}</group>", csv("more", "2,2,2,2,2,2"));
    let text = finite(&[csv("g", "1,1,1,1,1,1"), hidden, group].concat());
    assert_eq!(
        cells(&read(&text, &options()).expect("a legal map").map),
        [Some(1); 6]
    );
    for name in ["walls", "more"] {
        let walls = read(&text, &options().with_layer(name)).expect("a legal map");
        assert_eq!(cells(&walls.map), [Some(255); 6]);
    }
    let message = sentence(&text, &options().with_layer("wals"));
    assert_eq!(
        message,
        "a.tmx: there is no tile layer 'wals'; there is 'g', 'walls', 'more'"
    );
}

#[test]
fn cells_without_a_value_are_what_the_options_say() {
    let text = finite(&csv("g", "1,1,1,1,4,0"));
    assert_eq!(
        sentence(&text, &options()),
        "a.tmx: cell (1,1) has tiles, but none with the property 'cost'"
    );
    let read = |options: TiledOptions| cells(&read(&text, &options).expect("a legal map").map)[4..].to_vec();
    assert_eq!(
        read(options().with_default(TileDefault::Value(9))),
        [Some(9), None]
    );
    let open = options()
        .with_default(TileDefault::Unknown)
        .with_empty(TileDefault::Value(255));
    assert_eq!(read(open), [None, Some(255)]);
    let strict = options()
        .with_default(TileDefault::Unknown)
        .with_empty(TileDefault::Refuse);
    assert_eq!(
        sentence(&text, &strict),
        "a.tmx: cell (2,1) has no tile on any layer"
    );
}

#[test]
fn classes_come_from_a_property_or_from_the_class_of_the_tile() {
    let text = finite(&csv("g", "2,2,2,3,3,3"));
    let options = TiledOptions::new("class")
        .with_name("wall", 0)
        .with_name("swamp", 7);
    let loaded = tiled_terrain_from_bytes(Path::new("a.tmx"), text.as_bytes(), |_| None, &options);
    let map = loaded.expect("a legal map").map;
    let classes: Vec<_> = map.grid().ids().map(|id| map.class(id)).collect();
    assert_eq!(classes, [Some(0), Some(0), Some(0), Some(7), Some(7), Some(7)]);
}

#[test]
fn chunks_at_negative_cells_give_a_map_that_begins_there() {
    let chunk = |x: i32, y: i32, number: u32| {
        format!("<chunk x=\"{x}\" y=\"{y}\" width=\"2\" height=\"1\">{number},1</chunk>")
    };
    let data = format!(
        "<data encoding=\"csv\">{}{}</data>",
        chunk(-2, -1, 2),
        chunk(0, 1, 3)
    );
    let text = tmx("width=\"5\" height=\"5\" infinite=\"1\"", &layer("g", &data));
    let map = read(&text, &options()).expect("a legal map").map;
    assert_eq!((size(&map), map.grid().first_cell()), ((4, 3), Cell::new(-2, -1)));
    let at = |x, y| {
        map.grid()
            .id(Cell::new(x, y))
            .and_then(|id| map.get(id))
            .map(|cost| cost.byte())
    };
    assert_eq!(
        (at(-2, -1), at(-1, -1), at(0, 1), at(0, 0)),
        (Some(255), Some(1), Some(5), None)
    );
    let none = tmx(
        "width=\"5\" height=\"5\" infinite=\"1\"",
        &layer("g", "<data encoding=\"csv\"/>"),
    );
    assert!(sentence(&none, &options()).contains("no chunk of tiles"));
}

#[test]
fn chunks_at_the_ends_of_the_world_are_refused_before_memory_is_taken() {
    let map = |far: &str| {
        let chunk = |at: &str| format!("<chunk x=\"{at}\" y=\"{at}\" width=\"1\" height=\"1\">1</chunk>");
        let data = format!("<data encoding=\"csv\">{}{}</data>", chunk("0"), chunk(far));
        tmx("width=\"1\" height=\"1\" infinite=\"1\"", &layer("g", &data))
    };
    assert!(sentence(&map("20000"), &options()).contains("cover 2 of 20001 x 20001 cells"));
    assert!(sentence(&map("2147483647"), &options()).contains("above the limit"));
    assert!(sentence(&map("2147483648"), &options()).contains("x is '2147483648'"));
    assert!(read(&map("1000"), &options()).is_ok());
}

#[test]
fn maps_that_state_more_tiles_than_their_data_holds_are_refused() {
    let large = |data: &str| {
        tmx(
            "width=\"30000\" height=\"30000\"",
            &format!("<layer name=\"g\" width=\"30000\" height=\"30000\">{data}</layer>"),
        )
    };
    for data in [
        "<data encoding=\"csv\">1,2</data>",
        "<data encoding=\"base64\">AAAA</data>",
        "<data encoding=\"base64\" compression=\"zlib\">AAAA</data>",
        "<data><tile gid=\"1\"/></data>",
    ] {
        assert!(
            sentence(&large(data), &options()).contains("cannot hold"),
            "{data}"
        );
    }
    // A packing that holds far more than the six tiles is read no further than that.
    let bomb = base64(&vec![1; 1 << 20], "zlib");
    let data = format!("<data encoding=\"base64\" compression=\"zlib\">{bomb}</data>");
    assert!(sentence(&finite(&layer("g", &data)), &options()).contains("has 25 bytes of tile numbers"));
}

#[test]
fn what_is_not_supported_is_said() {
    let good = finite(&csv("g", "1,1,1,1,1,1"));
    let message = |from: &str, to: &str| sentence(&good.replace(from, to), &options());
    for orientation in ["hexagonal", "isometric", "staggered"] {
        assert!(
            message("orthogonal", orientation)
                .contains(&format!("the map is '{orientation}', but only orthogonal"))
        );
    }
    assert!(message("<layer ", "<layer offsetx=\"4\" ").contains("layer 'g' is drawn beside its cells"));
    assert!(
        message("<layer name=\"g\" width=\"3\"", "<layer name=\"g\" width=\"2\"")
            .contains("is 2 x 2 tiles, but the map 3 x 2")
    );
    assert!(
        message("encoding=\"csv\"", "encoding=\"base64\" compression=\"zstd\"")
            .contains("'zstd', but zlib and gzip")
    );
    assert!(message("encoding=\"csv\"", "encoding=\"rot13\"").contains("'rot13', but csv and base64"));
    assert!(message("1,1,1,1,1,1", "1,1,1,1,1").contains("has a block of 5 tiles, but 6 are stated"));
    assert!(message("1,1,1,1,1,1", "1,1,1,1,1,x").contains("has 'x' where a tile number is expected"));
    assert!(message("<layer", "<imagelayer").contains("the XML is damaged"));
    assert!(
        message(
            "name=\"cost\" type=\"int\" value=\"1\"",
            "name=\"cost\" value=\"-1\""
        )
        .contains("tile 0 of the tileset has 'cost' = '-1'")
    );
    assert!(
        message("firstgid=\"1\"", "firstgid=\"2\"").contains("has tile number 1, which is of no tileset")
    );
    assert!(sentence("<tileset/>", &options()).contains("the file holds a 'tileset', but a map"));
    assert!(sentence("hello", &options()).contains("neither the XML nor the JSON"));
    assert!(sentence(&finite(""), &options()).contains("no tile layer"));
    let error = read(&good.replace("1,1,1,1,1,1", "1"), &options()).expect_err("too few tiles");
    assert_eq!(error.place(), Place::Line(8), "the line of the layer");
    let entities = "<!DOCTYPE map [<!ENTITY a \"b\">]>\n<map/>";
    assert!(sentence(entities, &options()).contains("the XML is damaged"));
}

/// The parsers repeat letters of the file in what they say. Found by fuzzing.
#[test]
fn control_characters_in_a_map_cannot_break_an_error_into_lines() {
    for text in [
        "<map a=\"1\"/\r\n></map>",
        "<map \u{1b}[31m=\"1\"/>",
        "<map\n\n<",
        "{\"orientation\":\"a\\n\\u001b[31mb\",\"width\":\"\\n\"}",
        "<map width=\"1\" height=\"1\"><tileset firstgid=\"1\" source=\"a&#10;b.tsx\"/></map>",
        "<map orientation=\"a&#10;b\" width=\"1\" height=\"1\"/>",
    ] {
        let answer = |_: &str| Some(b"<tileset".to_vec());
        let error = tiled_costs_from_bytes(Path::new("a"), text.as_bytes(), answer, &options());
        let error = error.expect_err("a broken map").to_string();
        assert!(!error.chars().any(char::is_control), "{error:?}");
    }
}

#[test]
fn nesting_without_end_is_an_error() {
    let groups = "<group>".repeat(100_000) + &"</group>".repeat(100_000);
    assert!(sentence(&finite(&groups), &options()).contains("nested deeper than 64"));
    let lists = format!("{{\"orientation\":{}", "[".repeat(100_000));
    assert!(read(&lists, &options()).is_err());
}

#[test]
fn tilesets_are_read_beside_the_map_and_nowhere_else() {
    let folder = tempfile::tempdir().expect("a new folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
        std::fs::write(&path, text).expect("a new file");
        path
    };
    let map = |source: &str| {
        let text = finite(&csv("g", "1,2,1,1,1,1"));
        let (head, rest) = text.split_once("<tileset").expect("a tileset");
        let (_, tail) = rest.split_once("</tileset>").expect("its end");
        format!("{head}<tileset firstgid=\"1\" source=\"{source}\"/>{tail}")
    };
    write("sets/ground.tsx", &TILES.replace("firstgid=\"1\" ", ""));
    let loaded =
        read_tiled_costs(write("maps/a.tmx", &map("../sets/ground.tsx")), &options()).expect("a legal map");
    assert_eq!(
        cells(&loaded.map),
        [Some(1), Some(255), Some(1), Some(1), Some(1), Some(1)]
    );
    assert!(loaded.missing_tilesets.is_empty());

    let missing = write("maps/b.tmx", &map("../sets/none.tsx"));
    let error = read_tiled_costs(&missing, &options()).expect_err("no values");
    assert!(
        error.to_string().contains("none with the property 'cost'"),
        "{error}"
    );
    let loaded =
        read_tiled_costs(&missing, &options().with_default(TileDefault::Value(1))).expect("a legal map");
    assert_eq!(loaded.missing_tilesets, ["../sets/none.tsx"]);

    for source in ["/dev/zero", "/etc/hostname.tsx", "ground.png"] {
        let error =
            read_tiled_costs(write("maps/c.tmx", &map(source)), &options()).expect_err("no tileset file");
        assert!(error.to_string().contains("others are not opened"), "{error}");
    }
    write("sets/broken.tsx", "<tileset>");
    let error =
        read_tiled_costs(write("maps/d.tmx", &map("../sets/broken.tsx")), &options()).expect_err("damaged");
    assert!(
        error.to_string().starts_with("../sets/broken.tsx, line 1"),
        "{error}"
    );
}

#[test]
fn public_maps_of_the_editor_load() {
    let plain = TiledOptions::new("cost").with_default(TileDefault::Value(1));
    if let Some(path) = data_file("tiled/desert.tmx") {
        let loaded = read_tiled_costs(path, &plain).expect("a public map is legal");
        assert_eq!((size(&loaded.map), loaded.tile_size), ((40, 40), [32, 32]));
        assert_eq!(loaded.layers, ["Ground"]);
        assert!(loaded.missing_tilesets.is_empty());
        assert_eq!(loaded.map.unknown_len(), 0);
    }
    if let Some(path) = data_file("tiled/orthogonal-outside.tmx") {
        let loaded = read_tiled_costs(&path, &plain).expect("a public map is legal");
        assert_eq!((size(&loaded.map), loaded.layers.len()), ((45, 31), 2));
        let upper = loaded.layers.last().expect("two layers").clone();
        let upper =
            read_tiled_terrain(path, &plain.clone().with_layer(upper)).expect("a public map is legal");
        assert_eq!(upper.map.unknown_len(), 1205, "tile number 0 is no tile");
    }
    if let Some(path) = data_file("tiled/infinite-chunks-negative.tmx") {
        let loaded = read_tiled_costs(path, &plain).expect("a public map is legal");
        assert_eq!(
            (size(&loaded.map), loaded.map.grid().first_cell()),
            ((32, 32), Cell::new(-16, -16))
        );
        assert_eq!(loaded.missing_tilesets, ["../spr_test_tileset.tsx"]);
        assert_eq!(loaded.map.grid().len() - loaded.map.unknown_len(), 24);
    }
    if let Some(path) = data_file("tiled/hexagonal-mini.tmx") {
        let error = read_tiled_costs(path, &plain).expect_err("no squares");
        assert!(matches!(error.reason(), ReadReason::Tiled(_)), "{error}");
        assert!(error.to_string().contains("'hexagonal'"), "{error}");
    }
}

fn sound_files() -> Vec<String> {
    vec![
        finite(&csv("g", "1,2,3,0,1,1")),
        finite(&layer(
            "g",
            &format!(
                "<data encoding=\"base64\" compression=\"zlib\">{}</data>",
                base64(&NUMBERS, "zlib")
            ),
        )),
        tmx(
            "width=\"1\" height=\"1\" infinite=\"1\"",
            &layer(
                "g",
                "<data encoding=\"csv\"><chunk x=\"-2\" y=\"3\" width=\"2\" height=\"1\">1,2</chunk></data>",
            ),
        ),
        String::from(
            r#"{"orientation":"orthogonal","width":2,"height":1,"tilesets":[{"firstgid":1,"tiles":[{"id":0,"type":"wall"}]}],
            "layers":[{"type":"tilelayer","name":"g","width":2,"height":1,"data":[1,0]}]}"#,
        ),
    ]
}

fn any_options() -> impl Strategy<Value = TiledOptions> {
    let default = || {
        prop_oneof![
            Just(TileDefault::Refuse),
            Just(TileDefault::Unknown),
            any::<u8>().prop_map(TileDefault::Value)
        ]
    };
    (any::<bool>(), any::<bool>(), default(), default()).prop_map(|(class, largest, bare, empty)| {
        let rule = if largest {
            LayerRule::Largest
        } else {
            LayerRule::Topmost
        };
        TiledOptions::new(if class { "class" } else { "cost" })
            .with_name("wall", 255)
            .with_name("mud", 5)
            .with_rule(rule)
            .with_default(bare)
            .with_empty(empty)
    })
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(
        head in proptest::sample::select(vec!["", "<map ", "{\"orientation\":\"orthogonal\",", "<?xml version=\"1.0\"?>"]),
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
        options in any_options(),
    ) {
        let file = [head.as_bytes(), &bytes].concat();
        let _ = tiled_costs_from_bytes(Path::new("a"), &file, |_| Some(bytes.clone()), &options);
    }

    #[test]
    fn mutated_maps_never_panic(
        file in proptest::sample::select(sound_files()),
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..4),
        digits in proptest::collection::vec((any::<proptest::sample::Index>(), 0u8..10), 0..6),
        options in any_options(),
        only_digits in any::<bool>(),
    ) {
        let mut file = file.into_bytes();
        if !only_digits {
            for (index, byte) in changes {
                let at = index.index(file.len());
                file[at] = byte;
            }
        }
        // Other digits keep the file well-formed and reach the sums behind the parser.
        let places: Vec<usize> = (0..file.len()).filter(|&at| file[at].is_ascii_digit()).collect();
        for (index, digit) in digits {
            if !places.is_empty() {
                file[places[index.index(places.len())]] = b'0' + digit;
            }
        }
        let _ = tiled_costs_from_bytes(Path::new("a"), &file, |_| None, &options);
    }
}
