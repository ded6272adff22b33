//! Pictures of a field: cost-to-goal or goal regions, lines of equal cost, arrows and goals.

use super::arrows::draw_arrows;
use super::canvas::{Paint, Picture, PictureError};
use super::ground::draw_cells;
use super::palette::{self, Colour, group_colour};
use super::relief::GroundLook;
use super::scale::Scale;
use super::sheet::Sheet;
use super::smooth::{Surface, nearest_line};
use super::tone::Tones;
use crate::field_view::{FieldCell, FieldView};
use thalweg_core::grid::CellId;

/// What the colours of a field picture mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Shading {
    /// Cost-to-goal, bright near the goal.
    #[default]
    CostToGoal,
    /// Which goal wins: one hue per goal, paler far from it.
    Goals,
    /// What the ground costs; the field then shows in its lines and arrows only.
    Ground,
}

/// How a field is drawn.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct FieldPictureOptions<'a> {
    /// How large a cell is. Default: fitted to 1200 pixels on the longer side.
    pub scale: Option<Scale>,
    /// What the colours mean. Default: cost-to-goal.
    pub shading: Shading,
    /// Whether lines of equal cost are drawn. Default: yes.
    pub iso_lines: bool,
    /// Whether arrows are drawn, if the view has directions. Default: yes.
    pub arrows: bool,
    /// What the ground looks like beside its cost. Default: nothing more.
    pub look: GroundLook<'a>,
}

impl<'a> FieldPictureOptions<'a> {
    /// The longer side of a picture that is not asked for at a scale, in pixels.
    pub const TARGET: u32 = 1200;

    /// Default options.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            scale: None,
            shading: Shading::CostToGoal,
            iso_lines: true,
            arrows: true,
            look: GroundLook {
                heights: None,
                terrain: None,
            },
        }
    }

    /// The options with this look of the ground.
    #[must_use]
    pub const fn with_look(mut self, look: GroundLook<'a>) -> Self {
        self.look = look;
        self
    }

    /// The options with this scale.
    #[must_use]
    pub const fn with_scale(mut self, scale: Scale) -> Self {
        self.scale = Some(scale);
        self
    }

    /// The options with this meaning of colours.
    #[must_use]
    pub const fn with_shading(mut self, shading: Shading) -> Self {
        self.shading = shading;
        self
    }

    /// The options with or without lines of equal cost.
    #[must_use]
    pub const fn with_iso_lines(mut self, iso_lines: bool) -> Self {
        self.iso_lines = iso_lines;
        self
    }

    /// The options with or without arrows.
    #[must_use]
    pub const fn with_arrows(mut self, arrows: bool) -> Self {
        self.arrows = arrows;
        self
    }
}

impl Default for FieldPictureOptions<'_> {
    fn default() -> Self {
        Self::new()
    }
}

/// Draws a field.
///
/// # Errors
/// [`PictureError::TooLarge`].
pub fn draw_field(view: &FieldView<'_>, options: &FieldPictureOptions<'_>) -> Result<Picture, PictureError> {
    let scale = options
        .scale
        .unwrap_or_else(|| Scale::fit(view.grid(), FieldPictureOptions::TARGET));
    let tones = Tones::new(view);
    // Between cells there is something to see only where cells are larger than pixels.
    let surface = match scale {
        Scale::PixelsPerCell(2..) => Some(Surface::new(view)),
        _ => None,
    };
    let spacing = line_spacing(tones.range(), view.field().cost_unit() as f32);
    let pixel = 1.0 / scale.pixels();
    let line_width = (1.3 * pixel).max(0.05);

    let mut picture = draw_cells(view.costs(), scale, |id, point| {
        let Some(own) = view.cell(id).reached() else {
            return without_way(view, id, options);
        };
        let cost = surface.as_ref().map_or(own as f32, |surface| surface.cost(point));
        let colour = with_way(view, id, tones.tone(cost), options);
        let cover = match &surface {
            Some(surface) if options.iso_lines => surface.line_cover(point, cost, spacing, line_width, pixel),
            _ => 0.0,
        };
        if cover == 0.0 {
            return colour;
        }
        // One colour along a line: where the tones below it are neither light nor dark, choosing by pixel makes it dotted.
        let below = with_way(view, id, tones.tone(nearest_line(cost, spacing)), options);
        let line = if below.luminance() > 0.3 {
            palette::INK
        } else {
            palette::WHITE
        };
        colour.mix(line, 0.34 * cover)
    })?;
    if let (true, Some(flow)) = (options.arrows, view.flow()) {
        draw_arrows(&mut picture, flow);
    }
    draw_goals(&mut picture, view, options.shading);
    Ok(picture)
}

/// The colour of a reached cell; `far` is 0 at the goal and 1 at the farthest cell.
fn with_way(view: &FieldView<'_>, id: CellId, far: f32, options: &FieldPictureOptions<'_>) -> Colour {
    let cost = view.costs().get(id).map_or(1, |cost| cost.byte());
    // Dear ground shows as a darker tone of whatever is drawn.
    let dear = 0.42 * palette::dearness(cost);
    let colour = match options.shading {
        Shading::CostToGoal => palette::nearness(1.0 - far).mix(palette::INK, dear),
        Shading::Goals => {
            let goal = group_colour(view.field().goal(id).unwrap_or(0));
            goal.mix(palette::WHITE, 0.12 + 0.62 * far.sqrt())
                .mix(palette::INK, dear)
        }
        Shading::Ground => return options.look.colour(view.costs(), id),
    };
    options.look.lit(view.costs(), id, colour)
}

/// The colour of a cell without a way to a goal.
fn without_way(view: &FieldView<'_>, id: CellId, options: &FieldPictureOptions<'_>) -> Colour {
    match view.cell(id) {
        _ if options.shading == Shading::Ground => options.look.colour(view.costs(), id),
        FieldCell::Impassable => palette::WALL,
        FieldCell::NoRoom => palette::NO_ROOM,
        FieldCell::Unreachable => palette::UNREACHABLE,
        FieldCell::Unknown | FieldCell::Reached(_) => palette::UNKNOWN,
    }
}

/// A round number (1, 2 or 5 times a power of ten straight steps) that gives ten to twenty-five lines up to a cost.
fn line_spacing(range: f32, unit: f32) -> f32 {
    let unit = unit.max(1.0);
    let wanted = (range / unit / 25.0).max(1.0);
    let power = 10f32.powf(wanted.log10().floor());
    let round = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|step| step * power)
        .find(|&step| step >= wanted)
        .unwrap_or(wanted);
    round * unit
}

/// Marks every goal once, at the goal cell that lies nearest to the middle of all its cells.
fn draw_goals(picture: &mut Picture, view: &FieldView<'_>, shading: Shading) {
    let sheet = Sheet::of(view.grid());
    let scale = picture.scale().pixels();
    let centre = |id: CellId| {
        let (column, row) = sheet.place(id);
        [column as f32 + 0.5, row as f32 + 0.5]
    };
    let mut sinks: Vec<(u32, [f32; 2])> = view
        .field()
        .sinks()
        .iter()
        .map(|seed| (seed.goal, centre(seed.cell)))
        .collect();
    sinks.sort_by_key(|&(goal, _)| goal);
    let radius = (0.34 * scale).clamp(4.0, 16.0);
    for cells in sinks.chunk_by(|a, b| a.0 == b.0) {
        let len = cells.len() as f32;
        let middle = cells.iter().fold([0.0, 0.0], |sum: [f32; 2], (_, cell)| {
            [sum[0] + cell[0] / len, sum[1] + cell[1] / len]
        });
        let from_middle = |cell: &[f32; 2]| (cell[0] - middle[0]).hypot(cell[1] - middle[1]);
        let nearest = cells
            .iter()
            .min_by(|a, b| from_middle(&a.1).total_cmp(&from_middle(&b.1)));
        let Some(&(goal, cell)) = nearest else { continue };
        let at = cell.map(|along| along * scale);
        let inner = if shading == Shading::CostToGoal {
            group_colour(0)
        } else {
            group_colour(goal)
        };
        let solid = |colour| Paint { colour, alpha: 1.0 };
        picture.disc(at, radius + 1.6, solid(palette::INK));
        picture.disc(at, radius, solid(palette::WHITE));
        picture.disc(at, radius * 0.62, solid(inner));
        picture.disc(at, radius * 0.2, solid(palette::WHITE));
    }
}
