//! A crowd in motion as an animated GIF.

use super::canvas::Picture;
use super::crowd_picture::{AgentDot, half_sides, on_picture};
use super::palette::{self, Colour, GROUP_COLOURS};
use super::quantise::quantise;
use super::scale::Scale;
use core::fmt;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Indices at the end of the table that are not the background's: see [`CrowdGif`].
const TRANSPARENT: u8 = 255;
const RIM: u8 = 254;
const FIRST_GROUP: u8 = RIM - GROUP_COLOURS.len() as u8;

/// How an animation is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct GifOptions {
    /// How long every frame is shown, in hundredths of a second. Viewers slow down frames below 2. Default: 4.
    pub frame_delay_cs: u16,
}

impl Default for GifOptions {
    fn default() -> Self {
        Self { frame_delay_cs: 4 }
    }
}

/// Writes an animation frame by frame.
///
/// One table of colours serves all frames: most of it fits the background, the rest holds the group colours. Only what
/// changed since the last frame is stored. Memory is three bytes per pixel however long the animation gets.
pub struct CrowdGif<W: Write> {
    encoder: Encoder<W>,
    width: u16,
    height: u16,
    scale: Scale,
    delay: u16,
    /// The colours of the first background, which serve all later ones.
    table: Vec<Colour>,
    background: Vec<u8>,
    shown: Vec<u8>,
    next: Vec<u8>,
    frames: u64,
}

impl<W: Write> CrowdGif<W> {
    /// Begins an animation over a background, usually [`draw_ground`](super::draw_ground) or
    /// [`draw_field`](super::draw_field). It repeats for ever.
    ///
    /// # Errors
    /// Those of the writer, and [`io::ErrorKind::InvalidInput`] if a side has more than 65,535 pixels.
    pub fn new(writer: W, background: &Picture, options: GifOptions) -> io::Result<Self> {
        let side = |pixels: u32| {
            u16::try_from(pixels).map_err(|_| {
                io::Error::new(
                    io::ErrorKind::InvalidInput,
                    format!("a gif of {pixels} pixels along one side is above the limit of 65535"),
                )
            })
        };
        let (width, height) = (side(background.width())?, side(background.height())?);
        let (table, indices) = quantise(background.pixels(), FIRST_GROUP);
        let mut all = table.clone();
        all.resize(usize::from(FIRST_GROUP), palette::BLACK);
        all.extend(GROUP_COLOURS);
        all.extend([palette::INK, palette::BLACK]);
        let all: Vec<u8> = all.iter().flat_map(|colour| colour.0).collect();
        let mut encoder = Encoder::new(writer, width, height, &all).map_err(io::Error::other)?;
        encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
        Ok(Self {
            encoder,
            width,
            height,
            scale: background.scale(),
            delay: options.frame_delay_cs,
            table,
            shown: indices.clone(),
            next: indices.clone(),
            background: indices,
            frames: 0,
        })
    }

    /// Takes another background from the next frame on, say because a door has closed. Its colours are shown as the
    /// nearest ones of the first background.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`] if it has another size than the first.
    pub fn set_background(&mut self, background: &Picture) -> io::Result<()> {
        let size = (background.width(), background.height());
        if size != (u32::from(self.width), u32::from(self.height)) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!(
                    "a background of {} x {} pixels does not fit an animation of {} x {}",
                    size.0, size.1, self.width, self.height
                ),
            ));
        }
        let table = &self.table;
        let mut nearest = BTreeMap::new();
        for (index, pixel) in self.background.iter_mut().zip(background.pixels()) {
            *index = *nearest.entry(pixel.0).or_insert_with(|| {
                let far = |colour: &Colour| -> u32 {
                    colour
                        .0
                        .iter()
                        .zip(pixel.0)
                        .map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2))
                        .sum()
                };
                let places = (0u8..).zip(table);
                places
                    .min_by_key(|(_, colour)| far(colour))
                    .map_or(0, |(place, _)| place)
            });
        }
        Ok(())
    }

    /// Frames written so far.
    #[must_use]
    pub const fn frames(&self) -> u64 {
        self.frames
    }

    /// Adds one frame with these agents.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn add_frame(&mut self, agents: &[AgentDot]) -> io::Result<()> {
        self.next.copy_from_slice(&self.background);
        let scale = self.scale.pixels();
        for agent in agents {
            if let Some((at, radius)) = on_picture(agent, scale) {
                let colour = FIRST_GROUP + (agent.group % GROUP_COLOURS.len() as u32) as u8;
                match half_sides(agent, scale) {
                    Some(half) => self.rectangle(at, half, colour),
                    None => self.dot(at, radius, colour),
                }
            }
        }
        let (left, top, right, bottom) = self.changed();
        let stride = usize::from(self.width);
        let mut buffer = Vec::with_capacity((right - left) * (bottom - top));
        for row in top..bottom {
            let range = row * stride + left..row * stride + right;
            let pairs = self.next[range.clone()].iter().zip(&self.shown[range]);
            // The first frame has nothing below it yet. Later, runs of one transparent index pack far better than
            // the background would.
            buffer.extend(pairs.map(|(&next, &shown)| {
                if next == shown && self.frames > 0 {
                    TRANSPARENT
                } else {
                    next
                }
            }));
        }
        let small = |pixels: usize| u16::try_from(pixels).unwrap_or(u16::MAX);
        let frame = Frame {
            delay: self.delay,
            dispose: DisposalMethod::Keep,
            transparent: Some(TRANSPARENT),
            left: small(left),
            top: small(top),
            width: small(right - left),
            height: small(bottom - top),
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(io::Error::other)?;
        core::mem::swap(&mut self.shown, &mut self.next);
        self.frames += 1;
        Ok(())
    }

    /// Ends the animation and gives the writer back.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(self) -> io::Result<W> {
        self.encoder.into_inner().map_err(io::Error::other)
    }

    /// The smallest rectangle that holds all changes, half-open; the whole picture for the first frame, one pixel if
    /// nothing changed (a frame without pixels is not legal).
    fn changed(&self) -> (usize, usize, usize, usize) {
        let (width, height) = (usize::from(self.width), usize::from(self.height));
        if self.frames == 0 {
            return (0, 0, width, height);
        }
        let (mut left, mut top, mut right, mut bottom) = (width, height, 0, 0);
        let rows = self.next.chunks(width).zip(self.shown.chunks(width));
        for (y, (next, shown)) in rows.enumerate() {
            let differs = |(next, shown): (&u8, &u8)| next != shown;
            let Some(first) = next.iter().zip(shown).position(differs) else {
                continue;
            };
            let last = next.iter().zip(shown).rposition(differs).unwrap_or(first);
            (left, right) = (left.min(first), right.max(last + 1));
            (top, bottom) = (top.min(y), y + 1);
        }
        if right == 0 {
            (0, 0, 1, 1)
        } else {
            (left, top, right, bottom)
        }
    }

    fn rectangle(&mut self, [x, y]: [f32; 2], [half_x, half_y]: [f32; 2], index: u8) {
        let clip = |value: f32, limit: u16| value.round().clamp(0.0, f32::from(limit)) as usize;
        let rows = clip(y - half_y, self.height)..clip(y + half_y, self.height);
        for row in rows {
            for column in clip(x - half_x, self.width)..clip(x + half_x, self.width) {
                let inside =
                    (half_x - (column as f32 + 0.5 - x).abs()).min(half_y - (row as f32 + 0.5 - y).abs());
                let rim = half_x.min(half_y) >= 3.0 && inside < 1.0;
                self.next[row * usize::from(self.width) + column] = if rim { RIM } else { index };
            }
        }
    }

    fn dot(&mut self, [x, y]: [f32; 2], radius: f32, index: u8) {
        let clip = |value: f32, limit: u16| value.clamp(0.0, f32::from(limit)) as usize;
        let rows = clip(y - radius, self.height)..clip(y + radius + 1.0, self.height);
        for row in rows {
            for column in clip(x - radius, self.width)..clip(x + radius + 1.0, self.width) {
                let distance = (column as f32 + 0.5 - x).hypot(row as f32 + 0.5 - y);
                if distance > radius {
                    continue;
                }
                // The rim keeps dots visible over ground of their own colour, where they are large enough to have one.
                let rim = radius >= 3.0 && distance > radius - 0.9;
                self.next[row * usize::from(self.width) + column] = if rim { RIM } else { index };
            }
        }
    }
}

impl<W: Write> fmt::Debug for CrowdGif<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CrowdGif")
            .field("width", &self.width)
            .field("height", &self.height)
            .field("frames", &self.frames)
            .finish_non_exhaustive()
    }
}
