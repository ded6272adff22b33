//! Puts the agents of a group where the scene says.

use crate::random::Random;
use crate::scene::{Placement, Scene};
use thalweg_core::grid::{CellId, MapPoint, SUBCELLS};
use thalweg_core::movement::{Movement, sweep};
use thalweg_crowd::{AgentSpec, Crowd, CrowdError, GroupId};

pub(super) fn place(
    crowd: &mut Crowd,
    scene: &Scene,
    group: u16,
    movement: &Movement,
) -> Result<(), CrowdError> {
    let plan = &scene.groups[usize::from(group)];
    for agent in 0..plan.count {
        let mut random = Random::new(scene.seed, u64::from(group), u64::from(agent));
        let position = match &plan.placement {
            Placement::Each(cells) => {
                let index = agent as usize % cells.len();
                // The first round stands on the centres; later rounds stand beside them.
                let spread = if (agent as usize) < cells.len() {
                    0
                } else {
                    SUBCELLS / 4
                };
                in_cell(movement, cells[index], spread, &mut random)
            }
            Placement::Drawn(cells) => {
                let len = u32::try_from(cells.len()).unwrap_or(u32::MAX);
                let cell = cells[random.below(len) as usize];
                in_cell(movement, cell, SUBCELLS * 2 / 5, &mut random)
            }
        };
        crowd.add(movement, spec_of(scene, GroupId(group), position, random.unit()))?;
    }
    Ok(())
}

/// The number of a group in the crowd. Of a checked scene there are no more groups than numbers.
pub(super) fn group_id(group: usize) -> GroupId {
    GroupId(u16::try_from(group).unwrap_or(u16::MAX))
}

/// An agent of a group; `part` of the way from its slowest to its fastest speed.
pub(super) fn spec_of(scene: &Scene, group: GroupId, position: MapPoint, part: f64) -> AgentSpec {
    let plan = &scene.groups[usize::from(group.0)];
    let cells_per_unit = 1.0 / scene.transform.cell_size();
    let speed = plan.speed.0 + (plan.speed.1 - plan.speed.0) * part;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "radii and speeds need no more than f32"
    )]
    AgentSpec {
        position,
        radius: (plan.radius * cells_per_unit) as f32,
        max_speed: (speed * cells_per_unit) as f32,
        group,
    }
}

/// A point of the cell where the body has room, at most `spread` subcells from its centre on each axis.
pub(super) fn in_cell(movement: &Movement, id: CellId, spread: i32, random: &mut Random) -> MapPoint {
    let centre = MapPoint::centre_of_id(movement.grid(), id);
    let mut offset = || random.below(2 * spread.unsigned_abs() + 1).cast_signed() - spread;
    let drawn = centre.at(centre.x + offset(), centre.y + offset());
    if movement.profile().footprint.is_point() {
        return drawn;
    }
    // A body has room on the centre of its anchor's cell, and as far from it as it can be swept.
    sweep(movement, centre, drawn).end
}
