//! Files for Thalweg: maps, heights and terrain in, fields and pictures out.
//!
//! There is one door for each thing a file may hold:
//!
//! - [`load_map`]: [costs](thalweg_core::cost::CostField), from MovingAI maps, text grids, CSV, grey PNG, NumPy;
//! - [`read_height_map`]: [heights](thalweg_core::cost::HeightMap), from ESRI ASCII grids, TIFF and GeoTIFF, grey PNG,
//!   NumPy, CSV;
//! - [`read_terrain_map`]: [terrain classes](thalweg_core::cost::TerrainMap), from pictures and letters by a [`Legend`];
//! - [`read_tiled_costs`] and [`read_tiled_terrain`]: costs or classes, from maps of the Tiled editor by a tile property;
//! - [`read_scenario_file`]: the queries of a MovingAI scenario;
//! - [`PlanReader`]: plans of many agents, tick by tick, in the text form of the LaCAM family;
//! - [`read_trajectories_file`]: who was where in which frame, from text files of the Jülich archive.
//!
//! Each tells the format by content and name, and has a twin that takes bytes instead of a path. Readers never trust a
//! header: what a file states
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
mod csv_table;
mod detect;
mod error;
mod field_view;
mod heights;
mod load;
mod map_builder;
mod movingai;
mod npy;
pub mod picture;
mod plan;
mod png_pixels;
mod read_file;
mod source_text;
mod terrain;
mod text_grid;
mod tiled;
mod trajectories;
mod write;

pub use cost_csv::{read_cost_csv, read_cost_csv_file};
pub use cost_npy::{read_cost_npy, read_cost_npy_file};
pub use cost_png::{GreyCosts, Polarity, read_cost_png, read_cost_png_file};
pub use detect::{MapFormat, detect_format};
pub use error::{Place, ReadError, ReadReason};
pub use field_view::{FieldCell, FieldView, MapMismatch};
pub use heights::{
    HeightFormat, HeightOptions, LoadedHeights, VerticalScale, height_map_from_bytes, read_height_map,
};
pub use load::{LoadOptions, LoadedMap, load_map, load_map_with, map_from_bytes};
pub use movingai::{
    Scenario, ScenarioLine, read_movingai_map, read_movingai_map_file, read_scenario, read_scenario_file,
};
pub use plan::{
    MAX_PLAN_LINE_BYTES, Plan, PlanHead, PlanReader, PlanRules, PlanTask, PlanWriter, TaskLine, read_plan,
    read_plan_file, read_task_list, read_task_list_file, write_plan,
};
pub use read_file::{MAX_FILE_BYTES, read_limited};
pub use terrain::{Legend, TerrainOptions, read_terrain_map, terrain_map_from_bytes};
pub use text_grid::{
    MapLink, TextGrid, TextGridError, read_text_grid, read_text_grid_file, text_grid_from_costs,
};
pub use tiled::{
    LayerRule, MAX_TILED_BYTES, TileDefault, TiledMap, TiledOptions, read_tiled_costs, read_tiled_terrain,
    tiled_costs_from_bytes, tiled_terrain_from_bytes, tileset_path,
};
pub use trajectories::{
    Trajectories, TrajectoryNpz, TrajectoryPoint, TrajectoryText, TrajectoryUnit, read_trajectories,
    read_trajectories_file,
};
pub use write::{
    AtomicFile, NPY_IMPASSABLE, NPY_UNKNOWN, NPY_UNREACHABLE, WriteError, write_atomic, write_cost_csv,
    write_cost_npy, write_cost_png, write_field_csv, write_field_npy,
};
pub use write::{ChannelCell, NPY_GOAL, NPY_PORTAL, NPY_WAIT, write_channel_csv, write_channel_npy};
