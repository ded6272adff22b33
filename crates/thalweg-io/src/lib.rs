//! Files for Thalweg: maps in, fields and pictures out.
//!
//! Readers turn bytes into [`CostField`](thalweg_core::cost::CostField)s and never trust a header: what a file states
//! is checked against what is there before memory is taken for it. No reader panics, prints or exits; every error
//! names the file, the place in it and the reason ([`ReadError`]). Writers put whole files in place or none
//! ([`write_atomic`]). This crate knows no search and no movement; it only shows what they made.
//!
//! ```
//! use thalweg_io::{LoadOptions, MapFormat, map_from_bytes};
//!
//! // `load_map` does the same with a file.
//! let map = map_from_bytes("yard.txt".as_ref(), b"A.#.G\n..5..\n", &LoadOptions::default())?;
//! assert_eq!(map.format, MapFormat::TextGrid);
//! assert_eq!(map.goals, [(4, 0).into()]);
//!
//! let error = map_from_bytes("yard.csv".as_ref(), b"1,1\n1,-3\n", &LoadOptions::default()).unwrap_err();
//! assert!(error.to_string().starts_with("yard.csv, line 2, column 2: cost -3 is outside 0..=255"));
//! # Ok::<(), thalweg_io::ReadError>(())
//! ```

#![forbid(unsafe_code)]

mod cost_csv;
mod cost_npy;
mod cost_png;
mod detect;
mod error;
mod field_view;
mod load;
mod map_builder;
mod movingai;
pub mod picture;
mod read_file;
mod source_text;
mod text_grid;
mod write;

pub use cost_csv::{read_cost_csv, read_cost_csv_file};
pub use cost_npy::{read_cost_npy, read_cost_npy_file};
pub use cost_png::{GreyCosts, Polarity, read_cost_png, read_cost_png_file};
pub use detect::{MapFormat, detect_format};
pub use error::{Place, ReadError, ReadReason};
pub use field_view::{FieldCell, FieldView, MapMismatch};
pub use load::{LoadOptions, LoadedMap, load_map, load_map_with, map_from_bytes};
pub use movingai::{
    Scenario, ScenarioLine, read_movingai_map, read_movingai_map_file, read_scenario, read_scenario_file,
};
pub use read_file::{MAX_FILE_BYTES, read_limited};
pub use text_grid::{
    MapLink, TextGrid, TextGridError, read_text_grid, read_text_grid_file, text_grid_from_costs,
};
pub use write::{ChannelCell, NPY_GOAL, NPY_PORTAL, NPY_WAIT, write_channel_csv, write_channel_npy};
pub use write::{
    NPY_IMPASSABLE, NPY_UNKNOWN, NPY_UNREACHABLE, WriteError, write_atomic, write_cost_csv, write_cost_npy,
    write_cost_png, write_field_csv, write_field_npy,
};
