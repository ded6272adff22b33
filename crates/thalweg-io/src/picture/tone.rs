//! How costs-to-goal are spread over the colours of a picture.

use crate::field_view::FieldView;

/// The part of the reached cells that gets most of the colours.
const MOST: f32 = 0.96;
/// The part of the colours it gets.
const MOST_TONES: f32 = 0.88;

/// A rising map from cost to a tone of 0 (at the goal) to 1 (at the farthest cell).
///
/// It is a straight line, unless a few cells are far dearer than all others (a marsh in a corner): then it is two,
/// so that these few do not leave the rest with almost one colour.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tones {
    knee: f32,
    knee_tone: f32,
    largest: f32,
}

impl Tones {
    pub(super) fn new(view: &FieldView<'_>) -> Self {
        const BINS: usize = 1024;
        let largest = view.field().max_cost().map_or(1.0, |cost| cost.0.max(1) as f32);
        let mut bins = [0u32; BINS];
        let mut reached = 0u32;
        for cost in view.field().reaches().filter_map(|reach| reach.cost()) {
            let bin = (cost.0 as f32 / largest * (BINS - 1) as f32) as usize;
            bins[bin.min(BINS - 1)] += 1;
            reached += 1;
        }
        let mut below = 0u32;
        let most = bins.iter().position(|&cells| {
            below += cells;
            below as f32 >= MOST * reached as f32
        });
        let knee = most.map_or(1.0, |bin| (bin + 1) as f32 / BINS as f32).min(1.0);
        // Where the straight line is as good, it is better.
        let knee = if knee < 0.8 * MOST_TONES { knee } else { MOST_TONES };
        Self {
            knee: knee * largest,
            knee_tone: MOST_TONES,
            largest,
        }
    }

    /// The tone of a cost.
    pub(super) fn tone(self, cost: f32) -> f32 {
        if cost <= self.knee {
            self.knee_tone * cost / self.knee
        } else {
            let beyond = (cost - self.knee) / (self.largest - self.knee).max(1e-6);
            self.knee_tone + (1.0 - self.knee_tone) * beyond.min(1.0)
        }
    }

    /// The cost up to which most cells lie: what lines of equal cost should divide well.
    pub(super) const fn range(self) -> f32 {
        self.knee
    }
}
