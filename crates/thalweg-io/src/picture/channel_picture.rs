//! Pictures of one value per cell: headings, lengths, components, costs that depend on how or when one comes.

use super::arrows::{arrow, thinned};
use super::canvas::{Paint, Picture, PictureError};
use super::glyphs;
use super::ground::draw_cells;
use super::palette::{self, Colour, group_colour};
use super::relief::GroundLook;
use super::scale::Scale;
use super::sheet::Sheet;
use thalweg_core::cost::CostField;
use thalweg_core::grid::CellId;

/// The height of a legend below a picture, in pixels.
const LEGEND: u32 = 42;
/// The side of a dot of its letters, in pixels.
const DOT: f32 = 3.0;
/// Pictures narrower than this many pixels get no legend.
const SMALLEST_LEGEND: u32 = 120;

/// What is seen of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum CellShade {
    /// An amount from 0 (bright) to 1 (dark): a share of the largest value.
    Amount(f32),
    /// An angle in degrees clockwise from north, as a hue.
    Angle(f32),
    /// A label, as one of the group colours.
    Label(u32),
    /// A goal.
    Goal,
    /// Passable, but nothing leads on.
    Unreachable,
    /// Not known.
    Unknown,
    /// Closed for the moment.
    Closed,
    /// A wall.
    Impassable,
    /// Passable ground on which the body has no room.
    NoRoom,
    /// Whatever the ground looks like.
    Ground,
}

/// What is drawn on a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum CellMark {
    /// An arrow along a vector of length 1, y downward.
    Arrow([f32; 2]),
    /// Two bars: stay and wait.
    Wait,
}

/// What the colours of a channel mean.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ChannelLegend {
    /// No legend.
    None,
    /// Amounts, up to this value.
    Amounts(f64),
    /// Angles.
    Angles,
}

/// Draws one shade per cell, a mark where `mark_at` gives one (thinned out where cells are small), and a legend below the
/// map.
///
/// # Errors
/// [`PictureError::TooLarge`].
pub fn draw_channel(
    costs: &CostField,
    look: GroundLook<'_>,
    scale: Scale,
    legend: ChannelLegend,
    shade: impl Fn(CellId) -> CellShade,
    mark_at: impl Fn(CellId) -> Option<CellMark>,
) -> Result<Picture, PictureError> {
    let sheet = Sheet::of(costs.grid());
    let mut picture = draw_cells(costs, scale, |id, _| {
        match shade(id) {
            CellShade::Amount(amount) => palette::nearness(1.0 - amount),
            CellShade::Angle(degrees) => palette::compass(degrees),
            CellShade::Label(label) => group_colour(label).mix(palette::WHITE, 0.25),
            CellShade::Goal => palette::WHITE,
            CellShade::Unreachable => palette::UNREACHABLE,
            CellShade::Unknown => palette::UNKNOWN,
            CellShade::Closed => palette::CLOSED,
            CellShade::Impassable => palette::WALL,
            CellShade::NoRoom => palette::NO_ROOM,
            // Relief only here: on other shades it would be taken for another value of the legend.
            CellShade::Ground => look.colour(costs, id),
        }
    })?;
    for (id, centre, length) in thinned(&picture, &sheet) {
        match mark_at(id) {
            Some(CellMark::Arrow(vector)) => arrow(&mut picture, centre, vector, length),
            Some(CellMark::Wait) => bars(&mut picture, centre, length),
            None => {}
        }
    }
    if let Scale::PixelsPerCell(pixels) = scale {
        let radius = (0.3 * pixels as f32).clamp(3.0, 14.0);
        for id in costs.grid().ids().filter(|&id| shade(id) == CellShade::Goal) {
            let (column, row) = sheet.place(id);
            let centre = [
                (column as f32 + 0.5) * pixels as f32,
                (row as f32 + 0.5) * pixels as f32,
            ];
            let solid = |colour| Paint { colour, alpha: 1.0 };
            picture.disc(centre, radius, solid(palette::INK));
            picture.disc(centre, radius * 0.62, solid(group_colour(0)));
            picture.disc(centre, radius * 0.2, solid(palette::WHITE));
        }
    }
    let colours: &dyn Fn(f32) -> Colour = match legend {
        ChannelLegend::None => return Ok(picture),
        ChannelLegend::Amounts(_) => &|along| palette::nearness(1.0 - along),
        ChannelLegend::Angles => &|along| palette::compass(360.0 * along),
    };
    let labels: Vec<String> = match legend {
        ChannelLegend::Amounts(most) => [0.0, 0.25, 0.5, 0.75, 1.0]
            .map(|share| number(share * most))
            .to_vec(),
        _ => ["N", "E", "S", "W", "N"].map(str::to_owned).to_vec(),
    };
    if picture.width() < SMALLEST_LEGEND {
        return Ok(picture);
    }
    let top = picture.height();
    picture.extend(LEGEND, palette::WHITE)?;
    draw_legend(&mut picture, top, colours, &labels);
    Ok(picture)
}

/// Two upright bars, as on a player that pauses.
fn bars(picture: &mut Picture, [x, y]: [f32; 2], length: f32) {
    let paint = Paint {
        colour: palette::WHITE,
        alpha: 0.8,
    };
    let (high, wide, apart) = (length * 0.3, length * 0.12, length * 0.16);
    for middle in [x - apart, x + apart] {
        let (left, right) = (middle - wide / 2.0, middle + wide / 2.0);
        let corners = [
            [left, y - high],
            [right, y - high],
            [right, y + high],
            [left, y + high],
        ];
        picture.convex(corners, paint);
    }
}

fn draw_legend(picture: &mut Picture, top: u32, colours: &dyn Fn(f32) -> Colour, labels: &[String]) {
    let (left, right) = (14.0, picture.width() as f32 - 14.0);
    let bar = (top + 5, top + 16);
    for (y, row) in picture.rows_mut() {
        if (bar.0..bar.1).contains(&y) {
            for (x, pixel) in row.iter_mut().enumerate() {
                let along = (x as f32 + 0.5 - left) / (right - left);
                if (0.0..=1.0).contains(&along) {
                    *pixel = colours(along);
                }
            }
        }
    }
    let ink = Paint {
        colour: palette::INK,
        alpha: 1.0,
    };
    // A label that would touch the one before it is left out.
    let mut free_from = 0.0;
    let last = labels.len().saturating_sub(1).max(1) as f32;
    for (place, label) in labels.iter().enumerate() {
        let at = left + (right - left) * place as f32 / last;
        let wide = glyphs::width(label, DOT);
        let begin = (at - wide / 2.0)
            .clamp(2.0, (picture.width() as f32 - wide - 2.0).max(2.0))
            .round();
        if begin >= free_from {
            glyphs::write(picture, [begin, bar.1 as f32 + 5.0], label, DOT, ink);
            free_from = begin + wide + 8.0;
        }
    }
}

/// A number with as many digits as a legend has room for.
fn number(value: f64) -> String {
    if value >= 100.0 || value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.1}")
    }
}
