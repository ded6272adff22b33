//! Pictures of maps, fields and crowds, drawn pixel by pixel without a graphics library.
//!
//! Ground is shaded by cost and walls are dark; cost-to-goal is a colour scale that is bright at the goal and even to
//! the eye, with lines of equal cost; arrows show directions where a cell is large enough to hold one, else a thinned
//! selection. Nothing here computes anything about a field: what is seen is what the field holds.

mod arrows;
mod canvas;
mod channel_picture;
mod crowd_gif;
mod crowd_picture;
mod field_picture;
mod glyphs;
mod ground;
mod palette;
mod portals;
mod quantise;
mod relief;
mod scale;
mod sheet;
mod smooth;
mod tone;

pub use canvas::{MAX_PIXELS, Picture, PictureError};
pub use channel_picture::{CellMark, CellShade, ChannelLegend, draw_channel};
pub use crowd_gif::{CrowdGif, GifOptions};
pub use crowd_picture::{AgentDot, draw_agents};
pub use field_picture::{FieldPictureOptions, Shading, draw_field};
pub use ground::{draw_ground, draw_ground_with};
pub use palette::{Colour, GROUP_COLOURS, group_colour};
pub use portals::draw_portals;
pub use relief::GroundLook;
pub use scale::Scale;
pub use sheet::Sheet;
