//! Agents as dots on a picture of their map.

use super::canvas::{Paint, Picture};
use super::palette::{self, group_colour};

/// An agent as pictures need it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AgentDot {
    /// Where it stands, in cells from the north-west corner of the [`Sheet`](super::Sheet), y downward: what
    /// [`WorldTransform::map_from_world`](thalweg_core::grid::WorldTransform::map_from_world) gives, moved by the first
    /// column of its layer. Agents outside
    /// the picture or at no finite place are not drawn.
    pub at: [f32; 2],
    /// Radius in cells. Dots are never smaller than a pixel.
    pub radius: f32,
    /// Its sides along x and y in cells if it is a rectangle, of which `at` is the middle; `None` for a disc.
    pub sides: Option<[f32; 2]>,
    /// Which colour it has, see [`group_colour`](super::group_colour).
    pub group: u32,
}

/// Draws agents in order, each in the colour of its group with a dark rim.
pub fn draw_agents(picture: &mut Picture, agents: &[AgentDot]) {
    let scale = picture.scale().pixels();
    for agent in agents {
        let Some((at, radius)) = on_picture(agent, scale) else {
            continue;
        };
        let colour = group_colour(agent.group);
        if let Some(half) = half_sides(agent, scale) {
            let rectangle = |half: [f32; 2]| {
                let ([x, y], [w, h]) = (at, half);
                [[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]]
            };
            let ink = Paint {
                colour: palette::INK,
                alpha: 0.75,
            };
            picture.convex(rectangle(half), ink);
            let inner = half.map(|half| (half - 1.2).max(0.6 * half));
            picture.convex(rectangle(inner), Paint { colour, alpha: 1.0 });
            continue;
        }
        picture.disc(at, radius, Paint { colour, alpha: 1.0 });
        let rim = Paint {
            colour: palette::INK,
            alpha: if radius >= 2.5 { 0.75 } else { 0.35 },
        };
        picture.ring(at, radius, (radius * 0.3).clamp(0.6, 1.6), rim);
    }
}

/// Half the sides of a rectangle in pixels, at least one pixel; `None` for discs and what cannot be drawn.
pub(super) fn half_sides(agent: &AgentDot, scale: f32) -> Option<[f32; 2]> {
    let half = agent.sides?.map(|side| (0.5 * side * scale).max(0.9));
    half.iter().all(|half| half.is_finite()).then_some(half)
}

/// Place and radius in pixels, or `None` for what cannot be drawn.
pub(super) fn on_picture(agent: &AgentDot, scale: f32) -> Option<([f32; 2], f32)> {
    let at = agent.at.map(|along| along * scale);
    let radius = (agent.radius * scale).max(0.9);
    (at[0].is_finite() && at[1].is_finite() && radius.is_finite()).then_some((at, radius))
}
