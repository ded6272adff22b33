//! The pictures of a running scene: its ground, its fields, and everybody on it.

use crate::error::CliError;
use crate::field::{self, class_colours, look_of, mark_portals};
use std::path::Path;
use thalweg::core::grid::MapPoint;
use thalweg::core::movement::Footprint;
use thalweg::scene::{GroupPlan, Scene};
use thalweg::simulation::Simulation;
use thalweg_io::picture::{
    AgentDot, FieldPictureOptions, Picture, Scale, Shading, Sheet, draw_agents, draw_field, draw_ground_with,
};
use thalweg_io::write_atomic;

/// The longer side of the animation, in pixels.
const ANIMATION_PIXELS: u32 = 900;

pub(crate) fn background(simulation: &Simulation) -> Result<Picture, CliError> {
    let scale = Scale::fit(simulation.costs().grid(), ANIMATION_PIXELS);
    ground_picture(simulation, scale)
}

/// Writes one picture of the crowd as it stands.
pub(crate) fn write_crowd_picture(simulation: &Simulation, file: &Path) -> Result<(), CliError> {
    let mut picture = background(simulation)?;
    draw_agents(&mut picture, &dots(simulation));
    write_atomic(file, |writer| picture.write_png(writer))?;
    Ok(())
}

/// The ground as it is, with its portals.
pub(crate) fn ground_picture(simulation: &Simulation, scale: Scale) -> Result<Picture, CliError> {
    let scene = simulation.scene();
    let colours = class_colours(scene);
    let mut picture = draw_ground_with(simulation.costs(), look_of(scene, &colours), scale)?;
    mark_portals(&mut picture, scene);
    Ok(picture)
}

/// One picture per distinct field, before anybody has moved.
pub(crate) fn write_field_pictures(
    simulation: &Simulation,
    out: &Path,
) -> Result<Vec<(String, String)>, CliError> {
    let mut written = Vec::new();
    for (number, (shared, groups)) in (1..).zip(simulation.fields()) {
        let Ok(bundle) = shared.bundle() else { continue };
        let view = field::view_of(simulation.profile_costs(shared.profile()), bundle)?;
        let names = |indices: &[usize], name: &dyn Fn(usize) -> String| {
            indices
                .iter()
                .map(|&index| name(index))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let scene = simulation.scene();
        let colours = class_colours(scene);
        let goals = names(shared.goals(), &|goal| scene.goals[goal].name.clone());
        let followers = names(&groups, &|group| scene.groups[group].name.clone());
        let mut draw = |file: String, shading, what: &str| -> Result<(), CliError> {
            let mut picture = draw_field(
                &view,
                &FieldPictureOptions::new()
                    .with_shading(shading)
                    .with_look(look_of(scene, &colours)),
            )?;
            mark_portals(&mut picture, scene);
            write_atomic(out.join(&file), |writer| picture.write_png(writer))?;
            written.push((
                file,
                format!("{what} {goals}, followed by {followers}, at the start"),
            ));
            Ok(())
        };
        draw(
            format!("field-{number}.png"),
            Shading::CostToGoal,
            "Cost-to-goal and directions towards",
        )?;
        if shared.goals().len() > 1 {
            draw(
                format!("field-{number}-goals.png"),
                Shading::Goals,
                "Which goal is nearest:",
            )?;
        }
    }
    Ok(written)
}

/// Radius of a goal's mark, in cells.
const GOAL_MARK: f32 = 0.75;
/// In strict mode, where an agent stands exactly on its goal and would be hidden by a mark on top of it.
const STRICT_GOAL_MARK: f32 = 0.46;

/// Agents by group, and on top of them a mark at every goal of one cell: a moving goal is what the crowd runs after. In
/// strict mode the marks are as large as a cell, and under the agents.
pub(crate) fn dots(simulation: &Simulation) -> Vec<AgentDot> {
    let sheet = Sheet::of(simulation.costs().grid());
    let dot = |position: MapPoint, radius, group| {
        #[expect(clippy::cast_possible_truncation, reason = "a pixel needs no more than f32")]
        let [x, y] = position.to_map().map(|along| along as f32);
        #[expect(clippy::cast_precision_loss, reason = "the columns of a picture")]
        let x = x + sheet.first_column(position.layer) as f32;
        AgentDot {
            at: [x, y],
            radius,
            sides: None,
            group,
        }
    };
    let scene = simulation.scene();
    let sides: Vec<Option<[f32; 2]>> = scene.groups.iter().map(|group| sides_of(scene, group)).collect();
    let agents = simulation.crowd().agents().map(|(_, agent)| {
        let mut dot = dot(agent.position, agent.radius, u32::from(agent.group.0));
        dot.sides = sides[usize::from(agent.group.0)];
        if let Some([width, height]) = dot.sides {
            // The position is the centre of the north-west cell.
            dot.at = [dot.at[0] + (width - 1.0) / 2.0, dot.at[1] + (height - 1.0) / 2.0];
        }
        dot
    });
    let is_strict = scene.strict.is_some();
    let mark = if is_strict { STRICT_GOAL_MARK } else { GOAL_MARK };
    let groups = u32::try_from(simulation.scene().groups.len()).unwrap_or(u32::MAX);
    let grid = simulation.costs().grid();
    let goals = (groups..)
        .zip(simulation.goal_cells())
        .filter_map(|(colour, cells)| match cells[..] {
            [cell] => MapPoint::centre_of_cell(grid, cell).map(|centre| dot(centre, mark, colour)),
            _ => None,
        });
    if is_strict {
        goals.chain(agents).collect()
    } else {
        agents.chain(goals).collect()
    }
}

/// The sides in cells of the agents of a group, if they are rectangles.
fn sides_of(scene: &Scene, group: &GroupPlan) -> Option<[f32; 2]> {
    match scene.profiles[group.profile].movement.footprint {
        #[expect(clippy::cast_precision_loss, reason = "at most 64 cells")]
        Footprint::Rectangle(body) => Some([body.width() as f32, body.height() as f32]),
        _ => None,
    }
}
