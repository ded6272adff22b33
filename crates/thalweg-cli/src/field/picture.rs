//! Pictures of every channel.

use super::channels::Channels;
use super::source::Source;
use crate::args::{Channel, FieldArguments, PictureShading};
use crate::error::CliError;
use std::collections::BTreeSet;
use thalweg::bundle::FieldBundle;
use thalweg::core::expanded::TimeAction;
use thalweg::core::grid::{CellId, Direction};
use thalweg::core::movement::EdgeKind;
use thalweg::scene::Scene;
use thalweg_io::picture::{
    CellMark, CellShade, ChannelLegend, Colour, FieldPictureOptions, GroundLook, Picture, Scale, Shading,
    draw_channel, draw_field, draw_ground_with, draw_portals,
};
use thalweg_io::{ChannelCell, FieldCell, FieldView};

/// The colours of a scene's classes, for [`look_of`].
pub(crate) fn class_colours(scene: &Scene) -> Vec<Option<Colour>> {
    let colours = scene.terrain.iter().flat_map(|terrain| &terrain.colours);
    colours.map(|colour| colour.map(Colour)).collect()
}

/// The classes and heights of a scene, as its ground shows them.
pub(crate) fn look_of<'a>(scene: &'a Scene, colours: &'a [Option<Colour>]) -> GroundLook<'a> {
    let look = GroundLook::new().with_heights(scene.heights.as_ref());
    match &scene.terrain {
        Some(terrain) => look.with_terrain(&terrain.map, colours),
        None => look,
    }
}

/// Marks both ends of a scene's portals.
pub(crate) fn mark_portals(picture: &mut Picture, scene: &Scene) {
    let grid = scene.costs.grid();
    let portals: Vec<(CellId, CellId)> = scene
        .edges
        .portals
        .iter()
        .filter_map(|&(from, to, _)| grid.id(from).zip(grid.id(to)))
        .collect();
    draw_portals(picture, grid, &portals);
}

pub(super) fn draw(
    arguments: &FieldArguments,
    source: &Source,
    bundle: &FieldBundle,
    view: &FieldView<'_>,
    channels: &Channels,
) -> Result<Picture, CliError> {
    let channel = arguments.channel.unwrap_or(Channel::Cost);
    let shading = match (channel, arguments.shading) {
        (Channel::Goal, _) | (Channel::Cost, PictureShading::Goals) => Some(Shading::Goals),
        (Channel::Cost, PictureShading::Cost) => Some(Shading::CostToGoal),
        (Channel::Cost, PictureShading::Ground) => Some(Shading::Ground),
        _ => None,
    };
    let colours = class_colours(&source.scene);
    let look = look_of(&source.scene, &colours);
    let target = arguments.pixels.unwrap_or(FieldPictureOptions::TARGET);
    let scale = Scale::fit(bundle.grid(), target);
    if let Some(shading) = shading {
        let options = FieldPictureOptions::new().with_shading(shading).with_scale(scale);
        let mut picture = draw_field(view, &options.with_look(look))?;
        mark_portals(&mut picture, &source.scene);
        return Ok(picture);
    }
    if channel == Channel::Ground {
        let mut picture = draw_ground_with(view.costs(), look, scale)?;
        mark_portals(&mut picture, &source.scene);
        return Ok(picture);
    }
    let value = |id| channels.value(channel, view, bundle, id);
    let largest = bundle
        .grid()
        .ids()
        .filter_map(|id| match value(id) {
            ChannelCell::Whole(whole) => Some(f64::from(whole)),
            ChannelCell::Real(real) => Some(real),
            _ => None,
        })
        .fold(0.0, f64::max);
    #[expect(clippy::cast_possible_truncation, reason = "a colour needs no more than f32")]
    let share = |value: f64| CellShade::Amount((value / largest.max(1e-9)) as f32);
    let is_closed = |id: CellId| {
        channel == Channel::Time && channels.timed.as_ref().is_some_and(|timed| !timed.is_open(id))
    };
    let goals: BTreeSet<CellId> = bundle
        .integration()
        .sinks()
        .iter()
        .map(|seed| seed.cell)
        .collect();
    let is_goal = |id| goals.contains(&id);
    let shade = |id| match value(id) {
        _ if is_closed(id) => CellShade::Closed,
        ChannelCell::Goal => CellShade::Goal,
        ChannelCell::Whole(label) if channel == Channel::Component => CellShade::Label(label),
        ChannelCell::Whole(_) | ChannelCell::Real(_) if channel != Channel::Component && is_goal(id) => {
            CellShade::Goal
        }
        ChannelCell::Whole(whole) => share(f64::from(whole)),
        #[expect(clippy::cast_possible_truncation, reason = "a colour needs no more than f32")]
        ChannelCell::Real(degrees) if channel == Channel::Heading => CellShade::Angle(degrees as f32),
        ChannelCell::Real(real) => share(real),
        ChannelCell::Direction(direction) => {
            let [x, y] = direction.unit_vector();
            CellShade::Angle(x.atan2(-y).to_degrees())
        }
        ChannelCell::Unreachable => CellShade::Unreachable,
        _ if view.cell(id) == FieldCell::NoRoom => CellShade::NoRoom,
        ChannelCell::Impassable => CellShade::Impassable,
        ChannelCell::Unknown => CellShade::Unknown,
        _ => CellShade::Ground,
    };
    let step = |direction: Direction| CellMark::Arrow(direction.unit_vector());
    let mark = |id: CellId| match channel {
        Channel::Heading => channels
            .headings
            .as_ref()
            .and_then(|headings| headings.heading(id))
            .map(CellMark::Arrow),
        Channel::Turn => channels
            .turning
            .as_ref()
            .and_then(|turning| turning.direction(bundle.movement(), id))
            .map(step),
        Channel::Time => match channels.timed.as_ref().and_then(|timed| timed.next(id)) {
            Some(TimeAction::Move { edge, .. }) => match edge.kind {
                EdgeKind::Step(direction) => Some(step(direction)),
                _ => None,
            },
            Some(TimeAction::Wait) => Some(CellMark::Wait),
            _ => None,
        },
        Channel::Direction | Channel::Length => bundle.flow().direction(id).map(step),
        _ => None,
    };
    let legend = match channel {
        Channel::Heading | Channel::Direction => ChannelLegend::Angles,
        Channel::Component => ChannelLegend::None,
        _ => ChannelLegend::Amounts(largest),
    };
    let mut picture = draw_channel(view.costs(), look, scale, legend, shade, mark)?;
    mark_portals(&mut picture, &source.scene);
    Ok(picture)
}
