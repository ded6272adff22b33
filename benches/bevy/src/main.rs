//! Our whole map beside the corridor fields of bevy_flowfield_tiles_plugin, interleaved in one run.
//!
//! Usage: `thalweg-bench-bevy [--rounds N] [--side CELLS] [--image FILE] [--json FILE]`.
//!
//! The plugin cuts a map into sectors of 10 × 10 cells and makes, for one start and one goal, the integration and flow
//! fields of the sectors along a route through the portals between them. Its own benchmark `calc_flow_maze` does so on
//! the image of a maze of 1000 × 1000 cells, from the lower left to the lower right corner. We do on the same cells what
//! we always do: cost-to-goal and directions of every cell.
//!
//! That image is not part of the published crate, so that the maze is made here after its description and after the
//! program that once wrote it: corridors one cell wide run up and down the whole map, the walls between them are one cell
//! thick and open at the upper and the lower edge in turn. Whoever has the image hands it over with `--image`.
//!
//! - What is timed of the plugin is what its own benchmark times: all integration fields and all flow fields of the
//!   route. It is called as there, but keeps its lists from run to run, as we keep our buffers. Reading the image,
//!   making portals and finding the route are told apart, once.
//! - `pipeline` is ours from costs to all directions, `field` the same without compiling the rules, `auto` and `dial`
//!   integration alone.
//! - Rules differ where it does not matter here: the plugin integrates over 4 neighbours and may point diagonally, we
//!   have 8 neighbours and both side cells free. In corridors one cell wide only straight steps are left to either.
//!
//! Before anything is timed, both must hold the same costs in every cell, and whoever follows the plugin's directions
//! from the start must come to the goal by a way as long as our cost-to-goal says.

use bevy_flowfield_tiles_plugin::prelude::{
    Field, FieldCell, FlowField, FlowFieldTiles, IntegrationField, RouteStep, SectorCostFields, SectorID,
};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use thalweg_benches::GeneratedMap;
use thalweg_benches::rounds::{AUTO, Contestant, DIAL, FIELD, PIPELINE, Row, race, table_head};
use thalweg_benches::subject::Subject;
use thalweg_core::grid::{Cell, CellId};
use thalweg_core::integrate::Engine;
use thalweg_core::movement::MovementProfile;

/// What the plugin is compared with.
const YARDSTICKS: [&str; 4] = [PIPELINE, FIELD, AUTO, DIAL];
/// Cells in a row of a sector; fixed in the plugin.
const SECTOR: usize = 10;
/// The cost byte of a wall, there and here.
const WALL: u8 = 255;

struct Options {
    rounds: usize,
    side: usize,
    image: Option<PathBuf>,
    json: Option<PathBuf>,
}

fn main() -> ExitCode {
    match parse(std::env::args().skip(1)).and_then(|options| compare(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("thalweg-bench-bevy: {error}");
            ExitCode::from(2)
        }
    }
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        rounds: 11,
        side: 1000,
        image: None,
        json: None,
    };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        let number = |text: String| {
            text.parse::<usize>()
                .map_err(|_| format!("`{text}` is not a whole number"))
        };
        match argument.as_str() {
            "--rounds" => options.rounds = number(value()?)?.max(1),
            "--side" => options.side = number(value()?)?,
            "--image" => options.image = Some(value()?.into()),
            "--json" => options.json = Some(value()?.into()),
            other => return Err(format!("unknown option {other}")),
        }
    }
    // Whole sectors, and the last wall open at the lower edge, where the goal is.
    if options.side == 0 || !options.side.is_multiple_of(2 * SECTOR) {
        return Err(format!("--side must be a multiple of {}", 2 * SECTOR));
    }
    Ok(options)
}

/// The maze, one byte a cell: walls in every odd column, open at the upper and the lower edge in turn.
fn snake(side: usize) -> Vec<u8> {
    let cost = |index: usize| {
        let (x, y) = (index % side, index / side);
        let open = match x % 4 {
            1 => y == 0,
            3 => y == side - 1,
            _ => true,
        };
        if open { 1 } else { WALL }
    };
    (0..side * side).map(cost).collect()
}

/// Writes costs as the plugin reads them from an image: white is 1, black a wall.
fn write_image(path: &Path, side: usize, costs: &[u8]) -> Result<(), String> {
    let error_text = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let file = std::fs::File::create(path).map_err(|error| error_text(&error))?;
    let mut encoder = png::Encoder::new(file, side as u32, side as u32);
    encoder.set_color(png::ColorType::Grayscale);
    let pixels: Vec<u8> = costs
        .iter()
        .map(|&cost| if cost == WALL { 0 } else { 255 })
        .collect();
    encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&pixels))
        .map_err(|error| error_text(&error))
}

fn compare(options: &Options) -> Result<(), String> {
    let side = options.side;
    let made = options.image.is_none().then(|| snake(side));
    let path = match &options.image {
        Some(path) => path.clone(),
        None => {
            let path = std::env::temp_dir().join(format!("thalweg-snake-{side}-{}.png", std::process::id()));
            write_image(&path, side, &snake(side))?;
            path
        }
    };
    let start = Instant::now();
    let text = path
        .to_str()
        .ok_or(format!("{}: the path is not UTF-8", path.display()))?;
    let size = (side as f32, side as f32);
    let tiles = FlowFieldTiles::from_heightmap((0.0, 0.0), size, 1.0, 0.5, text);
    let reading = start.elapsed();
    if made.is_some() {
        std::fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let sectors = tiles
        .sector_cost_fields
        .read()
        .map_err(|error| error.to_string())?;
    let costs = costs_of(&sectors, side);
    if made.is_some_and(|made| made != costs) {
        return Err("the plugin holds other costs than were given to it".to_owned());
    }

    let begin = (0, side - 1);
    let goal = (side - 1, side - 1);
    let start = Instant::now();
    let route = {
        let portals = tiles.portals.read().map_err(|error| error.to_string())?;
        let ((from, from_cell), (to, to_cell)) = (sector_and_cell(begin), sector_and_cell(goal));
        portals
            .find_path(&from, &from_cell, &to, &to_cell, &sectors)
            .ok_or("the plugin finds no route to the goal")?
    };
    println!(
        "set up by the plugin, once: costs, graphs and portals {reading:.2?}, route of {} sector fields {:.2?}",
        route.len(),
        start.elapsed()
    );

    let map = GeneratedMap {
        name: options
            .image
            .as_ref()
            .and_then(|path| path.file_stem())
            .map_or(format!("snake-{side}"), |stem| {
                stem.to_string_lossy().into_owned()
            }),
        width: side as u32,
        height: side as u32,
        costs,
        goal: (goal.0 as u32, goal.1 as u32),
    };
    let subject = || Subject::new(&map, &MovementProfile::new());
    let mut oracle = subject();
    oracle.integrate(Engine::Auto);
    let mut corridor = Corridor::default();
    corridor.build(&sectors, &route);
    check(&corridor, &route, &oracle, begin)?;
    println!("the same costs in every cell; the plugin's directions lead from the start to the goal");

    let (mut auto, mut dial, mut field, mut pipeline) = (subject(), subject(), subject(), subject());
    let mut contestants = [
        Contestant::new(AUTO, || auto.integrate(Engine::Auto)),
        Contestant::new(DIAL, || dial.integrate(Engine::Buckets)),
        Contestant::new(FIELD, || field.field_and_directions()),
        Contestant::new(PIPELINE, || pipeline.pipeline()),
        Contestant::new("bevy_flowfield_tiles_plugin", || {
            corridor.build(black_box(&sectors), black_box(&route));
        }),
    ];
    let rows = race(
        &map.name,
        oracle.reached(),
        options.rounds,
        &YARDSTICKS,
        &mut contestants,
    );
    println!("{}", table_head(&YARDSTICKS));
    for row in &rows {
        println!("{row}");
    }
    println!(
        "a figure of 5: the contestant takes five times as long as ours; pipeline: from costs to all directions of the \
         whole map, field: the same without compiling the rules, auto and dial: integration alone; median of the \
         rounds, the least of them, best by best"
    );
    if let Some(path) = &options.json {
        let rows: Vec<serde_json::Value> = rows.iter().map(Row::to_json).collect();
        let text = format!("{:#}\n", serde_json::json!({ "rows": rows }));
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// The costs that the plugin's fields are made from, row by row.
fn costs_of(sectors: &SectorCostFields, side: usize) -> Vec<u8> {
    let mut costs = vec![WALL; side * side];
    for (sector, field) in sectors.get_scaled_costs() {
        let corner = corner_of(sector);
        for (index, &cost) in field.get().iter().enumerate() {
            let (x, y) = (corner.0 + index % SECTOR, corner.1 + index / SECTOR);
            costs[y * side + x] = cost;
        }
    }
    costs
}

fn corner_of(sector: &SectorID) -> (usize, usize) {
    (
        sector.get_column() as usize * SECTOR,
        sector.get_row() as usize * SECTOR,
    )
}

fn sector_and_cell(at: (usize, usize)) -> (SectorID, FieldCell) {
    (
        SectorID::new((at.0 / SECTOR) as i32, (at.1 / SECTOR) as i32),
        FieldCell::new(at.0 % SECTOR, at.1 % SECTOR),
    )
}

/// The fields of a route, from the goal backwards.
#[derive(Default)]
struct Corridor {
    integration: Vec<IntegrationField>,
    flow: Vec<FlowField>,
}

impl Corridor {
    /// Makes all of them: a flow field needs the integration field of the sector after it.
    fn build(&mut self, sectors: &SectorCostFields, route: &[RouteStep]) {
        self.integration.clear();
        self.flow.clear();
        for step in route.iter().rev() {
            let costs = &sectors.get_scaled_costs()[step.get_sector()];
            let mut field = IntegrationField::init(costs, step);
            field.build(costs);
            self.integration.push(field);
        }
        for (index, (step, own)) in route.iter().rev().zip(&self.integration).enumerate() {
            let after = index.checked_sub(1).map(|index| &self.integration[index]);
            let mut flow = FlowField::new(step, own, after);
            flow.build(own);
            self.flow.push(flow);
        }
    }
}

/// Follows the plugin's directions from the start to the goal, or to where it sees the goal and gives none.
fn check(
    corridor: &Corridor,
    route: &[RouteStep],
    oracle: &Subject,
    begin: (usize, usize),
) -> Result<(), String> {
    let grid = oracle.field().grid();
    let id = |at: (usize, usize)| -> Result<CellId, String> {
        grid.id(Cell::new(at.0 as i32, at.1 as i32))
            .ok_or(format!("the plugin leads off the map at {at:?}"))
    };
    let cost = |at: (usize, usize)| -> Result<u32, String> {
        let cost = oracle.field().cost(id(at)?);
        Ok(cost
            .ok_or(format!(
                "the plugin leads over {at:?}, which has no way to the goal"
            ))?
            .0)
    };
    let whole = cost(begin)?;
    let unit = oracle.field().cost_unit();
    let (mut at, mut length, mut step) = (begin, 0, 0);
    loop {
        let (sector, cell) = sector_and_cell(at);
        if route.get(step).is_some_and(|step| *step.get_sector() != sector) {
            step += 1;
        }
        if route.get(step).is_none_or(|step| *step.get_sector() != sector) {
            return Err(format!("the plugin's directions leave its route at {at:?}"));
        }
        let flow = &corridor.flow[route.len() - 1 - step];
        if flow.is_goal(&cell) || flow.has_los(&cell) {
            break;
        }
        let way = flow
            .get_2d_dir(&cell)
            .ok_or(format!("the plugin has no direction at {at:?}"))?;
        // Its y points up.
        let (dx, dy) = (way.x as isize, -way.y as isize);
        at = match (at.0.checked_add_signed(dx), at.1.checked_add_signed(dy)) {
            (Some(x), Some(y)) => (x, y),
            _ => return Err(format!("the plugin leads off the map at {at:?}")),
        };
        // A diagonal round a corner of a wall stands for the two straight steps that we take there.
        length += unit * (dx.unsigned_abs() + dy.unsigned_abs()) as u32;
        if length > whole {
            return Err(format!(
                "the plugin's way is longer than {whole}, our cost-to-goal at the start"
            ));
        }
    }
    match length + cost(at)? {
        length if length == whole => Ok(()),
        length => Err(format!("the plugin's way costs {length}, ours {whole}")),
    }
}
