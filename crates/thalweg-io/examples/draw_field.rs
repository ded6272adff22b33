//! Draws the field of a made-up valley of caves and marshes in all three shadings, and a walk over it as a GIF.
//!
//! `cargo run --release -p thalweg-io --example draw_field -- FOLDER`

use std::error::Error;
use std::path::PathBuf;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::flow::{FlowField, FlowScratch, extract};
use thalweg_core::grid::{Cell, CellId, Grid};
use thalweg_core::integrate::{
    BlockedGoals, GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, integrate,
};
use thalweg_core::movement::{Movement, MovementProfile};
use thalweg_core::workers::Serial;
use thalweg_io::picture::{
    AgentDot, CrowdGif, FieldPictureOptions, GifOptions, Scale, Shading, draw_agents, draw_field, draw_ground,
};
use thalweg_io::{FieldView, write_atomic};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| ".".into()));
    let costs = valley(75, 42)?;
    let grid = costs.grid().clone();
    let goals = GoalSet::from_cells([Cell::new(64, 8), Cell::new(9, 33), Cell::new(45, 33)])
        .with_blocked_goals(BlockedGoals::NearestPassable);

    let movement = Movement::compile(&costs, &MovementProfile::new());
    let goals = goals.resolve(&movement)?;
    let mut field = IntegrationField::new(grid.clone());
    let mut scratch = IntegrateScratch::new();
    integrate(
        &movement,
        &goals,
        &IntegrateOptions::new(),
        &mut scratch,
        &mut field,
    )?;
    let mut flow = FlowField::new(grid.clone());
    extract(&movement, &field, &Serial, &mut FlowScratch::new(), &mut flow);

    let view = FieldView::new(&costs, &field)?.with_flow(&flow)?;
    let options = FieldPictureOptions::new();
    let small = Scale::PixelsPerCell(8);
    for (name, options) in [
        ("cost_to_goal.png", options),
        ("goals.png", options.with_shading(Shading::Goals)),
        ("ground.png", options.with_shading(Shading::Ground)),
        ("small.png", options.with_scale(small)),
        ("tiny.png", options.with_scale(Scale::PixelsPerCell(2))),
        ("mean.png", options.with_scale(Scale::CellsPerPixel(2))),
    ] {
        let picture = draw_field(&view, &options)?;
        write_atomic(folder.join(name), |writer| picture.write_png(writer))?;
    }

    let mut agents: Vec<CellId> = grid.ids().filter(|&id| flow.direction(id).is_some()).collect();
    agents.retain(|id| noise(id.0, 77) < 0.25);
    let dots = |agents: &[CellId], shift: f32| -> Vec<AgentDot> {
        let dot = |&id: &CellId| {
            let (column, row) = grid.column_row_of(id);
            let step = flow.direction(id).map_or([0.0, 0.0], |direction| {
                let (dx, dy) = direction.offset();
                [dx as f32 * shift, dy as f32 * shift]
            });
            AgentDot {
                sides: None,
                at: [column as f32 + 0.5 + step[0], row as f32 + 0.5 + step[1]],
                radius: 0.3,
                group: field.goal(id).unwrap_or(0),
            }
        };
        agents.iter().map(dot).collect()
    };
    let mut crowd = draw_ground(&costs, Scale::PixelsPerCell(16))?;
    draw_agents(&mut crowd, &dots(&agents, 0.0));
    write_atomic(folder.join("crowd.png"), |writer| crowd.write_png(writer))?;

    let background = draw_field(&view, &options.with_scale(small).with_arrows(false))?;
    write_atomic(folder.join("crowd.gif"), |writer| {
        let mut gif = CrowdGif::new(writer, &background, GifOptions::default())?;
        for _ in 0..40 {
            for part in 0..3u8 {
                gif.add_frame(&dots(&agents, f32::from(part) / 3.0))?;
            }
            for agent in &mut agents {
                let next = flow.direction(*agent).and_then(|way| grid.neighbour(*agent, way));
                *agent = next.unwrap_or(*agent);
            }
        }
        gif.finish().map(|_| ())
    })?;
    Ok(())
}

/// Caves by majority vote over noise, with marshes where a smoother noise is high.
fn valley(width: u32, height: u32) -> Result<CostField, Box<dyn Error>> {
    let grid = Grid::new(width, height)?;
    let edge = |id: CellId| {
        let (x, y) = grid.column_row_of(id);
        x == 0 || y == 0 || x == width - 1 || y == height - 1
    };
    let mut wall: Vec<bool> = grid.ids().map(|id| edge(id) || noise(id.0, 5) < 0.43).collect();
    for _ in 0..4 {
        wall = grid
            .ids()
            .map(|id| {
                let neighbours = thalweg_core::grid::DIRECTIONS.into_iter();
                let walls = neighbours
                    .filter(|&direction| {
                        grid.neighbour(id, direction)
                            .is_none_or(|next| wall[next.index()])
                    })
                    .count();
                edge(id) || walls + usize::from(wall[id.index()]) >= 5
            })
            .collect();
    }
    let mut costs = CostField::filled(grid.clone(), Cost::PLAIN);
    for id in grid.ids() {
        let (x, y) = grid.column_row_of(id);
        let (x, y) = (x as f32, y as f32);
        let wave = (x * 0.21).sin() + (y * 0.27 + x * 0.05).cos() + 0.5 * (x * 0.4 - y * 0.33).sin();
        let cost = match wave {
            _ if wall[id.index()] => Cost::IMPASSABLE,
            wave if wave > 1.5 => Cost::from_byte(8),
            wave if wave > 0.95 => Cost::from_byte(3),
            _ => Cost::PLAIN,
        };
        costs.set(grid.cell(id), cost)?;
    }
    for x in 66..73 {
        for y in 33..39 {
            costs.set_unknown(Cell::new(x, y))?;
        }
    }
    Ok(costs)
}

/// A repeatable number from 0 to 1.
fn noise(index: u32, seed: u32) -> f32 {
    let mut bits = index.wrapping_mul(0x9E37_79B1) ^ seed.wrapping_mul(0x85EB_CA77);
    bits = (bits ^ (bits >> 15)).wrapping_mul(0x2C1B_3C6D);
    bits = (bits ^ (bits >> 12)).wrapping_mul(0x297A_2D39);
    (bits ^ (bits >> 15)) as f32 / u32::MAX as f32
}
