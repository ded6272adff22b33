//! Fewer colours: a picture as indices into a small table.

use super::palette::Colour;
use std::collections::BTreeMap;

/// A table of at most `limit` colours (at least 1) that suits the pixels, and the table index of every pixel.
///
/// If there are no more colours than that, all are kept exactly. Otherwise the set of colours is cut in two across
/// its widest channel, again and again, always the box with most pixels times width; each box becomes its mean.
pub(super) fn quantise(pixels: &[Colour], limit: u8) -> (Vec<Colour>, Vec<u8>) {
    let mut counts: BTreeMap<[u8; 3], u64> = BTreeMap::new();
    for pixel in pixels {
        *counts.entry(pixel.0).or_default() += 1;
    }
    let mut boxes = vec![ColourBox::new(counts.into_iter().collect())];
    while boxes.len() < usize::from(limit.max(1)) {
        let largest = (0..boxes.len()).max_by_key(|&index| boxes[index].weight());
        let Some(halves) = largest.and_then(|index| boxes.swap_remove(index).split(&mut boxes)) else {
            break;
        };
        boxes.extend(halves);
    }
    let mut table = Vec::with_capacity(boxes.len());
    let mut index_of = BTreeMap::new();
    for (index, colours) in (0u8..=u8::MAX).zip(&boxes) {
        table.push(colours.mean());
        index_of.extend(colours.colours.iter().map(|&(colour, _)| (colour, index)));
    }
    let index = |pixel: &Colour| index_of.get(&pixel.0).copied().unwrap_or_default();
    (table, pixels.iter().map(index).collect())
}

/// Some colours with how often each occurs.
struct ColourBox {
    colours: Vec<([u8; 3], u64)>,
    widest: usize,
    width: u64,
    pixels: u64,
}

impl ColourBox {
    fn new(colours: Vec<([u8; 3], u64)>) -> Self {
        let span = |channel: usize| {
            let values = colours.iter().map(|(colour, _)| colour[channel]);
            let (min, max) = values.fold((u8::MAX, 0), |(min, max), value| (min.min(value), max.max(value)));
            u64::from(max.saturating_sub(min))
        };
        let widest = (0..3).max_by_key(|&channel| span(channel)).unwrap_or(0);
        Self {
            width: span(widest),
            widest,
            pixels: colours.iter().map(|(_, count)| count).sum(),
            colours,
        }
    }

    /// Boxes of one colour weigh nothing: there is nothing to split.
    const fn weight(&self) -> u64 {
        self.width * self.width * self.pixels.isqrt()
    }

    /// Two halves with about as many pixels each; a box of one colour goes back unsplit.
    fn split(mut self, back: &mut Vec<Self>) -> Option<[Self; 2]> {
        if self.colours.len() < 2 {
            back.push(self);
            return None;
        }
        let channel = self.widest;
        self.colours.sort_by_key(|&(colour, _)| (colour[channel], colour));
        let mut before = 0;
        let middle = self.colours.iter().position(|(_, count)| {
            before += count;
            2 * before >= self.pixels
        });
        let at = middle
            .map_or(1, |index| index + 1)
            .clamp(1, self.colours.len() - 1);
        let upper = self.colours.split_off(at);
        Some([Self::new(self.colours), Self::new(upper)])
    }

    fn mean(&self) -> Colour {
        let channel = |index: usize| {
            let sum: u64 = self
                .colours
                .iter()
                .map(|(colour, count)| u64::from(colour[index]) * count)
                .sum();
            u8::try_from((sum + self.pixels / 2) / self.pixels.max(1)).unwrap_or(u8::MAX)
        };
        Colour([channel(0), channel(1), channel(2)])
    }
}
