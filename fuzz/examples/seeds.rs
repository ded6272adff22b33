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
    ] {
        for (number, length) in lengths.into_iter().enumerate() {
            let bytes: Vec<u8> = (0..length).map(|_| random()).collect();
            write(target, &format!("any_{number}"), &bytes)?;
        }
    }
    Ok(())
}
