//! All colours, in one place.

/// A colour: red, green, blue, as stored in PNG and GIF files (sRGB).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Colour(pub [u8; 3]);

impl Colour {
    /// This colour moved towards `other`: 0 keeps it, 1 replaces it; outside that range the nearer end holds.
    #[must_use]
    pub fn mix(self, other: Self, amount: f32) -> Self {
        let amount = amount.clamp(0.0, 1.0);
        let channel = |index: usize| {
            let (from, to) = (f32::from(self.0[index]), f32::from(other.0[index]));
            (from + (to - from) * amount).round() as u8
        };
        Self([channel(0), channel(1), channel(2)])
    }

    /// How bright the colour looks, 0 to 1 (the usual weights of red, green and blue).
    #[must_use]
    pub fn luminance(self) -> f32 {
        let [red, green, blue] = self.0.map(f32::from);
        (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255.0
    }
}

pub(super) const BLACK: Colour = Colour([0, 0, 0]);
pub(super) const WHITE: Colour = Colour([255, 255, 255]);
/// Outlines of dots and markers, dark arrows.
pub(super) const INK: Colour = Colour([24, 26, 33]);
/// Walls.
pub(super) const WALL: Colour = Colour([40, 43, 54]);
/// Unknown ground, and the stripes over it.
pub(super) const UNKNOWN: Colour = Colour([128, 132, 142]);
pub(super) const UNKNOWN_STRIPE: Colour = Colour([146, 150, 160]);
/// Ground on which a body has no room.
pub(super) const NO_ROOM: Colour = Colour([172, 166, 178]);
/// Ground from which no goal can be reached.
pub(super) const UNREACHABLE: Colour = Colour([84, 88, 100]);

/// Ground that is closed for the moment.
pub(super) const CLOSED: Colour = Colour([134, 44, 52]);

/// Colours of terrain classes, pale enough for what is drawn on them.
const TERRAIN_COLOURS: [Colour; 8] = [
    Colour([226, 220, 196]),
    Colour([190, 206, 160]),
    Colour([206, 176, 146]),
    Colour([206, 206, 206]),
    Colour([200, 180, 206]),
    Colour([232, 200, 150]),
    Colour([160, 206, 196]),
    Colour([160, 190, 220]),
];

/// The colour of a terrain class; colours repeat.
pub(super) fn terrain(class: u8) -> Colour {
    TERRAIN_COLOURS[usize::from(class) % TERRAIN_COLOURS.len()]
}

/// Hues of the compass: north blue, east green, south yellow, west red, each as bright as its opposite is not, so that
/// opposite ways also differ in grey.
const COMPASS: [Colour; 8] = [
    Colour([66, 98, 196]),
    Colour([40, 142, 176]),
    Colour([44, 160, 108]),
    Colour([142, 192, 70]),
    Colour([246, 206, 64]),
    Colour([240, 150, 60]),
    Colour([214, 80, 76]),
    Colour([146, 76, 160]),
];

/// The hue of an angle in degrees clockwise from north.
pub(super) fn compass(degrees: f32) -> Colour {
    let along = degrees.rem_euclid(360.0) / 45.0;
    let index = along as usize % COMPASS.len();
    COMPASS[index].mix(COMPASS[(index + 1) % COMPASS.len()], along.fract())
}

/// Free ground, plain ground and the dearest ground.
const GROUND_FREE: Colour = Colour([222, 236, 224]);
const GROUND_PLAIN: Colour = Colour([239, 236, 227]);
const GROUND_DEAR: Colour = Colour([132, 96, 62]);

/// The tone of passable ground of a cost 0 to 254. Small costs lie far apart, since most maps only use those.
pub(super) fn ground(cost: u8) -> Colour {
    if cost == 0 {
        return GROUND_FREE;
    }
    GROUND_PLAIN.mix(GROUND_DEAR, dearness(cost))
}

/// 0 for plain ground, 1 for the dearest, growing with the logarithm of the cost.
pub(super) fn dearness(cost: u8) -> f32 {
    (f32::from(cost.max(1)).ln() / 254f32.ln()).clamp(0.0, 1.0)
}

/// The colour scale of cost-to-goal, from far to near. Its steps look equally large and its brightness only rises, so
/// that it also reads in grey and by eyes that see red and green alike. The anchors follow the widely used scale that
/// goes from violet over teal to yellow.
const NEARNESS: [[u8; 3]; 11] = [
    [68, 1, 84],
    [72, 36, 117],
    [65, 68, 135],
    [53, 95, 141],
    [42, 120, 142],
    [33, 145, 140],
    [34, 168, 132],
    [68, 191, 112],
    [122, 209, 81],
    [189, 223, 38],
    [253, 231, 37],
];

/// The colour of a cell whose nearness to the goal is 0 (farthest) to 1 (at the goal).
pub(super) fn nearness(amount: f32) -> Colour {
    // The darkest end is left out: it could be taken for a wall.
    let amount = 0.07 + 0.93 * amount.clamp(0.0, 1.0);
    let last = NEARNESS.len() - 1;
    let along = amount * last as f32;
    let index = (along as usize).min(last - 1);
    Colour(NEARNESS[index]).mix(Colour(NEARNESS[index + 1]), along - index as f32)
}

/// Colours of groups and goals, far apart in hue and brightness.
pub const GROUP_COLOURS: [Colour; 10] = [
    Colour([230, 81, 62]),
    Colour([46, 134, 222]),
    Colour([247, 183, 49]),
    Colour([38, 166, 110]),
    Colour([149, 82, 201]),
    Colour([243, 129, 53]),
    Colour([41, 187, 197]),
    Colour([226, 92, 153]),
    Colour([150, 181, 42]),
    Colour([133, 101, 77]),
];

/// The colour of a group or goal; colours repeat after [`GROUP_COLOURS`] is used up.
#[must_use]
pub fn group_colour(group: u32) -> Colour {
    GROUP_COLOURS[group as usize % GROUP_COLOURS.len()]
}
