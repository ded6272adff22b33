//! Writes the seeds that are not text: `cargo run --example seeds`. All of them are of our own making.

use std::fs;
use std::path::Path;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, Grid};
use thalweg_io::{write_cost_csv, write_cost_npy, write_cost_png};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    let write = |target: &str, name: &str, bytes: &[u8]| -> std::io::Result<()> {
        let folder = seeds.join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(name), bytes)
    };

    // Readers: the first byte picks the reader, five more the odd mapping of pictures.
    let reader = |pick: u8, file: &[u8]| [&[pick, 0, 1, 254, 255, 255], file].concat();
    let mut costs = CostField::filled(Grid::new(5, 3)?, Cost::PLAIN);
    costs.set(Cell::new(1, 1), Cost::IMPASSABLE)?;
    costs.set(Cell::new(2, 1), Cost::from_byte(7))?;
    let mut with_unknown = costs.clone();
    with_unknown.set_unknown(Cell::new(4, 2))?;
    let file = |writer: &dyn Fn(&mut Vec<u8>) -> std::io::Result<()>| -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        writer(&mut bytes)?;
        Ok(bytes)
    };
    let csv = file(&|out| write_cost_csv(out, &with_unknown))?;
    let npy = file(&|out| write_cost_npy(out, &costs))?;
    let png = file(&|out| write_cost_png(out, &costs))?;
    let png_alpha = file(&|out| write_cost_png(out, &with_unknown))?;
    let map = b"type octile\nheight 3\nwidth 4\nmap\n..@.\n.GT.\n.SW.\n";
    let scen = b"version 1\n0\troom.map\t4\t3\t0\t0\t3\t2\t3.82842712\n1\troom.map\t4\t3\t0\t0\t0\t0\t0\n";
    let grid = b"A.#.G\n..5?.\n.9.F.\n";
    let files: [(&str, &[u8], &[u8]); 7] = [
        ("map", map, &[0, 9]),
        ("scen", scen, &[1]),
        ("grid", grid, &[2, 9, 11]),
        ("csv", &csv, &[3, 9, 10]),
        ("npy", &npy, &[4, 9]),
        ("png", &png, &[5, 6, 7, 8, 9]),
        ("png_alpha", &png_alpha, &[5, 8]),
    ];
    for (name, bytes, picks) in files {
        for &pick in picks {
            write("readers", &format!("{name}_{pick}"), &reader(pick, bytes))?;
        }
    }
    // Other element types and orders of an array, and a table with quotes and CRLF.
    for (name, descr, order, data) in [
        ("npy_bool", "|b1", "True", vec![1, 0, 1, 1, 0, 1]),
        (
            "npy_i2_big",
            ">i2",
            "False",
            (0..6).flat_map(|n: i16| n.to_be_bytes()).collect(),
        ),
        (
            "npy_f8",
            "<f8",
            "False",
            (0..6).flat_map(|n| f64::from(n).to_le_bytes()).collect(),
        ),
    ] {
        let dictionary = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': (2, 3), }}\n");
        let length = u16::try_from(dictionary.len())?.to_le_bytes();
        let bytes = [b"\x93NUMPY\x01\x00", &length[..], dictionary.as_bytes(), &data].concat();
        write("readers", name, &reader(4, &bytes))?;
    }
    write("readers", "csv_quoted", &reader(3, b"\"1\", 2.0,?\r\n255,0,254"))?;

    // Heights, terrain and Tiled maps: the five bytes behind the first are their options.
    let tiles = r#"<tileset firstgid="1"><tile id="0" type="wall"><properties><property name="cost" type="int" value="1"/></properties></tile></tileset>"#;
    let tmx = |head: &str, data: &str| {
        format!(
            "<map orientation=\"orthogonal\" {head}>{tiles}<layer name=\"g\" width=\"2\" height=\"2\">{data}</layer></map>"
        )
    };
    let finite = "width=\"2\" height=\"2\"";
    let csv_layer = tmx(finite, "<data encoding=\"csv\">1,0,2147483649,1</data>");
    let base64 = tmx(
        finite,
        "<data encoding=\"base64\">AQAAAAEAAAABAAAAAQAAAA==</data>",
    );
    let zlib = tmx(
        finite,
        "<data encoding=\"base64\" compression=\"zlib\">eNpjZIAARgaGBiBmAAACrACE</data>",
    );
    let chunks = tmx(
        "width=\"9\" height=\"9\" infinite=\"1\"",
        "<data encoding=\"csv\"><chunk x=\"-2\" y=\"1\" width=\"2\" height=\"1\">1,1</chunk></data>",
    );
    let tmj = r#"{"orientation":"orthogonal","width":2,"height":1,"tilesets":[{"firstgid":1,"tiles":[{"id":0,"type":"wall"}]}],"layers":[{"type":"tilelayer","name":"g","width":2,"height":1,"data":[1,0]}]}"#;
    let asc =
        "ncols 3\nnrows 2\nxllcorner 1\nyllcorner 2\ncellsize 2.5\nNODATA_value -1\n1 2. 3e0\n-1 5 -6\n";
    let plan = "agents=2\nsolver=x\nneighbours=8\nbodies=1,2\npaces=1,3\nleft=0@1\ntasks=1@0:(2,0)@3\ntasks=1@3:(0,0,1)\n\
        solution=\n0:(0,0),(1,0),\n1:(1,1),(1,0),\n2:-,(1,0),\n3:-,(2,0),\nsoc=4\n";
    let named: [(&str, u8, &[u8]); 10] = [
        ("plan", 19, plan.as_bytes()),
        ("asc", 12, asc.as_bytes()),
        ("heights_csv", 13, b"1.5,?\n-2,3e2\n"),
        ("heights_tif", 12, &tiff()),
        ("letters", 14, b"~.\n?~\n"),
        ("tmx_csv", 16, csv_layer.as_bytes()),
        ("tmx_base64", 17, base64.as_bytes()),
        ("tmx_zlib", 16, zlib.as_bytes()),
        ("tmx_chunks", 16, chunks.as_bytes()),
        ("tmj", 17, tmj.as_bytes()),
    ];
    for (name, pick, bytes) in named {
        write("readers", name, &[&[pick, 0, 8, 8, 0, 255], bytes].concat())?;
    }
    for (name, bytes) in [("png", &png), ("png_alpha", &png_alpha)] {
        write(
            "readers",
            &format!("{name}_heights"),
            &[&[12, 2, 0, 8, 0, 255], bytes.as_slice()].concat(),
        )?;
        write(
            "readers",
            &format!("{name}_terrain"),
            &[&[15, 1, 0, 0, 0, 0], bytes.as_slice()].concat(),
        )?;
    }

    // The other targets read numbers; any bytes are a good beginning (xorshift, so that they never change).
    let mut state = 0x7461_6c77_6567_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    for (target, lengths) in [
        ("field", [120, 400, 700, 1200]),
        ("sweep", [60, 120, 200, 300]),
        ("crowd", [200, 500, 900, 1500]),
        ("world", [80, 200, 350, 600]),
        ("repair", [80, 200, 350, 600]),
        ("saved", [3, 30, 120, 300]),
        ("strict", [80, 200, 350, 600]),
    ] {
        for (number, length) in lengths.into_iter().enumerate() {
            let bytes: Vec<u8> = (0..length).map(|_| random()).collect();
            write(target, &format!("any_{number}"), &bytes)?;
        }
    }

    // Recordings: every pick, freely moving and strict, with edits of chance in every block.
    for pick in 0..8u8 {
        for which in 0..5u8 {
            let edits: Vec<u8> = (0..u64::from(which) * 9).map(|_| random()).collect();
            let bytes = [&[pick, which], &edits[..]].concat();
            write("recording", &format!("pick_{pick}_{which}"), &bytes)?;
        }
    }
    Ok(())
}

/// Three pixels of 16 bits with sign in one strip.
fn tiff() -> Vec<u8> {
    let tags: [(u16, u32); 10] = [
        (256, 3),
        (257, 1),
        (258, 16),
        (259, 1),
        (262, 1),
        (273, 134),
        (277, 1),
        (278, 1),
        (279, 6),
        (339, 2),
    ];
    let mut bytes = b"II*\0\x08\0\0\0\x0a\0".to_vec();
    for (tag, value) in tags {
        bytes.extend(tag.to_le_bytes());
        // One number of 32 bits.
        bytes.extend([4, 0, 1, 0, 0, 0]);
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend([0; 4]);
    bytes.extend([1, 0, 0xff, 0xff, 0, 1]);
    bytes
}
